/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A filter in miniature of every variant that there can be: any b, f, semi-sorted
 * or not, deletable, insert-only or exact, with values and expiry, that grows,
 * shrinks and is merged while it is in use. Each answer is compared with an
 * exact model: for each set of keys that share a fingerprint and its buckets,
 * the values and times that it has.
 *
 * What is done in which order is the business of the one program that includes
 * this, and so is where decisions come from: it has a choose(). The rehash is
 * compiled in here, so that a section can be shorter than a table.
 */
#ifndef _SELFTESTS_CORE_MIXTURE_H
#define _SELFTESTS_CORE_MIXTURE_H

#include "core/limits.h"

static unsigned int section_steps;

#undef KCUCKOO_SECTION_STEPS
#define KCUCKOO_SECTION_STEPS	section_steps
#include "core/rehash.c"

#include "fixture.h"
#include "kin.h"

/* Keys that there may be. */
#ifndef KEYS
#define KEYS			4000
#endif
#define COPIES			(2 * KCUCKOO_BUCKET_SIZE_MAX)

/* A number below @range. */
static u64 choose(u64 range);

enum discipline {
	MULTISET,	/* of fingerprints, each copy an entry */
	INSERT_ONLY,	/* of fingerprints, equal ones are one entry */
	EXACT,		/* of prefixes, each there once */
};

static const struct variant {
	enum discipline discipline;
	bool sorted;
	bool values;
	bool expiry;
} variants[] = {
	{ MULTISET, false, false, false },
	{ MULTISET, false, true, false },
	{ MULTISET, true, false, false },
	{ INSERT_ONLY, false, false, false },
	{ INSERT_ONLY, false, true, false },
	{ INSERT_ONLY, false, false, true },
	{ INSERT_ONLY, false, true, true },
	{ INSERT_ONLY, true, false, false },
	{ EXACT, false, false, false },
	{ EXACT, false, true, false },
	{ EXACT, false, false, true },
	{ EXACT, false, true, true },
};

/* b, f and variant. */
#define COMBINATIONS		(4 * 32 * TAP_COUNT(variants))

/**
 * struct copy - what an entry has in addition to its key
 * @value: its value
 * @expiry: when it expires, 0 for never
 */
struct copy {
	u32 value;
	u32 expiry;
};

/**
 * struct kin - keys that a filter cannot tell apart
 * @most: entries that can have them
 * @count: entries that have them, expired ones included
 * @copy: what these hold
 */
struct kin {
	u8 most;
	u8 count;
	struct copy copy[COPIES];
};

/**
 * struct member - a key that was added to a multiset
 * @key: number of the key
 * @value: its value
 */
struct member {
	u32 key;
	u32 value;
};

/**
 * struct filter - a filter, and the truth about it
 * @store: the one in use and, while it is copied, the next one
 * @rehash: from one to the other
 * @growing: it is being copied
 * @shrinking: into a smaller one, which may turn out to be too small
 * @merging: with the members of another one
 * @kin: what it has
 * @member: of multisets, what was added and not deleted
 * @count: entries
 * @expiring: those that expire
 */
struct filter {
	struct kcuckoo_store store[2];
	struct kcuckoo_rehash rehash;
	bool growing;
	bool shrinking;
	bool merging;
	struct kin *kin;
	struct member *member;
	u64 count;
	u64 expiring;
};

/* The combination of this round, its keys and whom each of them is kin to. */
static struct variant variant;
static struct kcuckoo_table_params params;
static unsigned int plen;
static struct kcuckoo_hash_key secret;
static struct kcuckoo_key *keys;
static u32 *kin_of;
static u32 nkeys;
static u32 now;
static struct kcuckoo_search *search;
static struct filter *filter;
static struct filter *other;

/* For so many operations keys are deleted, because there was no room. */
static u32 crowded;

/* How often what was done, over all rounds. */
static struct {
	u64 operations;
	u64 searches;
	u64 growths;
	u64 halvings;
	u64 merges;
	u64 abandoned;
	u64 copied;
	u64 full;
} did;

static bool alive(u32 expiry)
{
	return !expiry || expiry > now;
}

static u32 later(u32 a, u32 b)
{
	if (!a || !b)
		return 0;
	return a > b ? a : b;
}

/* The entry that a key with a value would share, or NULL. */
static struct copy *kin_find(struct kin *kin, u32 value, bool expired)
{
	u8 i;

	for (i = 0; i < kin->count; i++)
		if ((variant.discipline == EXACT || kin->copy[i].value == value) &&
		    (expired || alive(kin->copy[i].expiry)))
			return &kin->copy[i];
	return NULL;
}

static void kin_add(struct filter *to, struct kin *kin, u32 value, u32 expiry)
{
	tap_require(kin->count < kin->most, "%u copies", kin->count);
	kin->copy[kin->count].value = value;
	kin->copy[kin->count++].expiry = expiry;
	to->count++;
	to->expiring += expiry != 0;
}

static void kin_remove(struct filter *from, struct kin *kin, struct copy *copy)
{
	from->count--;
	from->expiring -= copy->expiry != 0;
	*copy = kin->copy[--kin->count];
}

static struct kin *kin_get(const struct filter *from, u32 key)
{
	return &from->kin[kin_of[key]];
}

static struct kcuckoo_probe make_probe(const struct filter *in, u32 key)
{
	struct kcuckoo_probe probe = { .now = now };

	kcuckoo_store_probe(&in->store[0], &keys[key], &probe);
	return probe;
}

/* The key's own entry; of fingerprints the value has to agree. */
static u64 find(const struct filter *in, u32 key,
		const struct kcuckoo_probe *probe)
{
	const struct kcuckoo_store *store = &in->store[0];

	if (variant.discipline == EXACT)
		return kcuckoo_store_find(store, &keys[key], probe);
	return kcuckoo_store_find_value(store, &keys[key], probe);
}

/* Do all ways to look a key up say what the model says? */
static void check(const struct filter *in, u32 key)
{
	const struct kin *kin = kin_get(in, key);
	const struct kcuckoo_store *store = &in->store[0];
	struct kcuckoo_probe probe = make_probe(in, key);
	u32 values[KCUCKOO_VALUES_MAX];
	u64 difference = 0;
	u32 expected = 0;
	u32 count;
	u8 i;

	for (i = 0; i < kin->count; i++) {
		if (!alive(kin->copy[i].expiry))
			continue;
		difference += random_mix(kin->copy[i].value);
		expected++;
	}
	tap_require(kcuckoo_store_contains(store, &keys[key], &probe) ==
		    !!expected, "key %u: %u", key, expected);
	tap_require((kcuckoo_store_find(store, &keys[key], &probe) !=
		     KCUCKOO_NO_PLACE) == !!expected, "key %u: %u", key,
		    expected);
	count = kcuckoo_store_values(store, &keys[key], &probe, values);
	tap_require(count == expected, "key %u: %u, not %u", key, count,
		    expected);
	while (count--)
		difference -= random_mix(values[count]);
	tap_require(!difference, "key %u: other values", key);
}

static void filter_init(struct filter *in, const struct kcuckoo_layout *layout)
{
	u32 i;

	memset(in, 0, sizeof(*in));
	in->kin = tap_zalloc(nkeys * sizeof(*in->kin));
	in->member = tap_zalloc(4 * KEYS * sizeof(*in->member));
	fixture_inet(&in->store[0], layout, &secret);
	for (i = 0; i < nkeys; i++) {
		struct kcuckoo_probe probe = make_probe(in, i);

		kin_get(in, i)->most = variant.discipline == EXACT ? 1 :
			(1 + (probe.bucket[0] != probe.bucket[1]))
			<< params.bucket_shift;
	}
}

static void filter_free(struct filter *in)
{
	fixture_inet_free(&in->store[0]);
	tap_free(in->kin);
	tap_free(in->member);
}

static void begin(struct filter *in, const struct kcuckoo_layout *layout)
{
	fixture_inet(&in->store[1], layout, &secret);
	kcuckoo_rehash_init(&in->rehash, &in->store[0], &in->store[1], &secret);
	in->growing = true;
	in->shrinking = false;
	in->merging = false;
}

static void end(struct filter *in, bool take)
{
	fixture_inet_free(&in->store[!take]);
	if (take)
		in->store[0] = in->store[1];
	did.abandoned += !take;
	if (in->merging)
		filter_free(other);
	in->growing = false;
	in->merging = false;
}

/* What a merge makes of the model. */
static void unite(void)
{
	u32 i;
	u8 j;

	for (i = 0; i < nkeys; i++) {
		struct kin *from = &other->kin[i];
		struct kin *to = &filter->kin[i];

		for (j = 0; j < from->count; j++) {
			struct copy *copy = NULL;
			u32 value = from->copy[j].value;
			u32 expiry = from->copy[j].expiry;

			if (variant.discipline != MULTISET)
				copy = kin_find(to, value, true);
			if (!copy) {
				kin_add(filter, to, value, expiry);
				continue;
			}
			filter->expiring -= copy->expiry != 0;
			copy->expiry = later(copy->expiry, expiry);
			filter->expiring += copy->expiry != 0;
		}
	}
	if (variant.discipline != MULTISET)
		return;
	for (i = 0; i < other->count; i++)
		filter->member[filter->count - other->count + i] =
			other->member[i];
}

/* The rehash ends as it has to. Returns false if there was too little room. */
static bool finish(struct filter *in)
{
	const struct kcuckoo_rehash *rehash = &in->rehash;
	bool doubling = variant.discipline != EXACT && !in->shrinking &&
			!in->merging;

	tap_require(!rehash->failed || !doubling, "at %llu", rehash->cursor);
	if (rehash->failed) {
		end(in, false);
		return false;
	}
	if (in->merging) {
		unite();
		did.merges++;
	} else if (in->shrinking) {
		did.halvings++;
	} else {
		did.growths++;
	}
	end(in, true);
	return true;
}

/* One section of copying; now and then the rehash is given up instead. */
static void step(struct filter *in)
{
	section_steps = 1 + choose(16);
	kcuckoo_rehash_copy(&in->rehash, search, KCUCKOO_SECTION_STEPS);
	/* Semi-sorted entries have no places to stop between. */
	tap_require(!params.sorted || in->rehash.failed ||
		    !(in->rehash.cursor % KCUCKOO_SEMISORT_ENTRIES), "at %llu",
		    in->rehash.cursor);
	if (in->rehash.failed || kcuckoo_rehash_done(&in->rehash))
		finish(in);
	else if (!choose(2000))
		end(in, false);
}

static bool step_all(struct filter *in)
{
	section_steps = 256;
	while (!in->rehash.failed && !kcuckoo_rehash_done(&in->rehash))
		kcuckoo_rehash_copy(&in->rehash, search, KCUCKOO_SECTION_STEPS);
	return finish(in);
}

/* As for filters: tables of fingerprints are doubled when they are full. */
static bool may_grow(const struct filter *in, struct kcuckoo_layout *layout)
{
	u64 places = kcuckoo_store_places(&in->store[0]);

	if (variant.discipline != EXACT &&
	    (in->count * 100 < places * KCUCKOO_DOUBLING_PERCENT ||
	     places > KEYS))
		return false;
	return kcuckoo_layout_grow(layout, &in->store[0].layout);
}

/* A free place for a key, or KCUCKOO_NO_PLACE if something has to be done. */
static u64 vacate(struct filter *in, u32 key, const struct kcuckoo_probe *probe)
{
	struct kcuckoo_store *store = &in->store[0];
	u64 place;

	place = kcuckoo_store_vacant(store, &keys[key], probe,
				     in->growing ? in->rehash.cursor : 0);
	if (place != KCUCKOO_NO_PLACE || in->growing)
		return place;
	did.searches++;
	if (!fixture_search_find(search, &store->table, probe))
		return KCUCKOO_NO_PLACE;
	while (kcuckoo_search_hops(search))
		kcuckoo_search_hop(search, &store->table);
	return search->vacant;
}

/* Makes room at once, if there can be more. */
static bool enlarge(struct filter *in)
{
	struct kcuckoo_layout layout;

	if (in->growing && step_all(in))
		return true;
	if (!may_grow(in, &layout))
		return false;
	do {
		begin(in, &layout);
		if (step_all(in))
			return true;
	} while (kcuckoo_layout_grow(&layout, &layout));
	return false;
}

/* The same, and more is done for it. */
static u64 locate(struct filter *in, u32 key, struct kcuckoo_probe *probe)
{
	const struct kin *kin = kin_get(in, key);

	for (;;) {
		u64 place = vacate(in, key, probe);
		bool copied = variant.discipline != EXACT &&
			      kcuckoo_table_saturated(&in->store[0].table, probe);

		if (place != KCUCKOO_NO_PLACE)
			return place;
		/* Insert-only, the copies may differ in their values. */
		tap_require(variant.discipline == EXACT ||
			    copied == (kin->count == kin->most),
			    "key %u: %u copies", key, kin->count);
		did.copied += copied;
		if (copied)
			return KCUCKOO_NO_PLACE;
		if (!enlarge(in)) {
			did.full++;
			crowded = 50;
			return KCUCKOO_NO_PLACE;
		}
		kcuckoo_store_probe(&in->store[0], &keys[key], probe);
	}
}

/* Gives an entry another value and expiry. */
static void set(struct filter *in, u32 key, u64 place, struct copy *copy,
		const struct copy *new)
{
	struct kcuckoo_probe old = make_probe(in, key);
	struct kcuckoo_table *table = &in->store[0].table;

	old.value = kcuckoo_table_value(table, place);
	old.expiry = kcuckoo_table_expiry(table, place);
	tap_require(old.value == copy->value && old.expiry == copy->expiry,
		    "key %u: %u until %u, not %u until %u", key, old.value,
		    old.expiry, copy->value, copy->expiry);
	if (in->growing)
		kcuckoo_rehash_set(&in->rehash, place, &keys[key], &old,
				   new->value, new->expiry);
	kcuckoo_table_set_value(table, place, new->value);
	kcuckoo_table_set_expiry(table, place, new->expiry);
	in->expiring += (new->expiry != 0) - (copy->expiry != 0);
	*copy = *new;
}

/* Adds a key that is in: one that has expired counts as absent. */
static void add_again(struct filter *in, u32 key, u64 place, struct copy *copy,
		      const struct copy *new)
{
	struct copy result = *new;

	if (alive(copy->expiry))
		result.expiry = later(copy->expiry, new->expiry);
	set(in, key, place, copy, &result);
}

static void add(struct filter *in, u32 key, const struct copy *new)
{
	struct kin *kin = kin_get(in, key);
	struct kcuckoo_probe probe = make_probe(in, key);
	struct copy *copy;
	u64 place;

	probe.value = new->value;
	probe.expiry = new->expiry;
	if (variant.discipline != MULTISET) {
		probe.now = 0;
		copy = kin_find(kin, new->value, true);
		place = find(in, key, &probe);
		tap_require((place != KCUCKOO_NO_PLACE) == !!copy, "key %u",
			    key);
		if (copy) {
			add_again(in, key, place, copy, new);
			return;
		}
	}
	place = locate(in, key, &probe);
	if (place == KCUCKOO_NO_PLACE)
		return;
	if (in->growing &&
	    !kcuckoo_rehash_add(&in->rehash, place, &keys[key], &probe, search))
		return;
	kcuckoo_store_put(&in->store[0], place, &probe);
	if (variant.discipline == MULTISET) {
		in->member[in->count].key = key;
		in->member[in->count].value = new->value;
	}
	kin_add(in, kin, new->value, new->expiry);
}

/* Deletes what is there, or finds that it is not. */
static void delete(struct filter *in, u32 key, u32 value)
{
	struct kin *kin = kin_get(in, key);
	struct copy *copy = kin_find(kin, value, false);
	struct kcuckoo_probe probe = make_probe(in, key);
	u64 place;

	probe.value = value;
	place = find(in, key, &probe);
	tap_require((place != KCUCKOO_NO_PLACE) == !!copy, "key %u", key);
	if (!copy)
		return;
	probe.value = kcuckoo_table_value(&in->store[0].table, place);
	tap_require(probe.value == copy->value, "key %u: %u", key, probe.value);
	kcuckoo_store_clear(&in->store[0], place);
	if (in->growing)
		kcuckoo_rehash_clear(&in->rehash, place, &keys[key], &probe);
	kin_remove(in, kin, copy);
}

/* Deletes a member, not only an entry that would do for it. */
static void delete_member(struct filter *in)
{
	struct member member;
	u32 i;

	if (!in->count)
		return;
	i = choose(in->count);
	member = in->member[i];
	in->member[i] = in->member[in->count - 1];
	tap_require(kin_find(kin_get(in, member.key), member.value, false),
		    "key %u is in", member.key);
	delete(in, member.key, member.value);
}

static u32 random_value(void)
{
	u32 value;

	if (!variant.values)
		return 0;
	value = choose(2) ? choose(4) : random_edge(32);
	return value & kcuckoo_bits_mask(params.value_bits);
}

static struct copy random_copy(void)
{
	struct copy copy = { .value = random_value() };

	if (variant.expiry && choose(8))
		copy.expiry = now + 1 + choose(2000);
	return copy;
}

/* Gives a member another value. */
static void update(struct filter *in)
{
	struct member *member = NULL;
	struct kcuckoo_probe probe;
	u32 key = choose(nkeys);
	u32 value = 0;
	struct copy *copy;
	struct copy new;
	u64 place;

	if (variant.discipline == MULTISET) {
		if (!in->count)
			return;
		member = &in->member[choose(in->count)];
		key = member->key;
		value = member->value;
	}
	probe = make_probe(in, key);
	probe.value = value;
	place = find(in, key, &probe);
	copy = kin_find(kin_get(in, key), value, false);
	tap_require((place != KCUCKOO_NO_PLACE) == !!copy, "key %u", key);
	if (!copy)
		return;
	new.value = random_value();
	new.expiry = copy->expiry;
	set(in, key, place, copy, &new);
	if (member)
		member->value = new.value;
}

/* Removes all that has expired, as long as nothing is copied. */
static void collect(struct filter *in)
{
	struct kcuckoo_store *store = &in->store[0];
	u64 place;
	u32 i;
	u8 j;

	for (place = 0; place < kcuckoo_store_places(store); place++)
		if (kcuckoo_store_used(store, place) &&
		    !alive(kcuckoo_table_expiry(&store->table, place)))
			kcuckoo_store_clear(store, place);
	for (i = 0; i < nkeys; i++)
		for (j = in->kin[i].count; j--;)
			if (!alive(in->kin[i].copy[j].expiry))
				kin_remove(in, &in->kin[i],
					   &in->kin[i].copy[j]);
	tap_require(store->table.entries == in->count, "%llu of %llu",
		    store->table.entries, in->count);
}

/* Copies another filter, and begins to add this one's members to the copy. */
static void merge(const struct kcuckoo_layout *first)
{
	struct kcuckoo_layout layout;
	struct filter copy;
	u32 n;

	if (variant.discipline == EXACT)
		collect(filter);
	filter_init(other, first);
	n = choose(kcuckoo_layout_room(first) + 1);
	for (n = n > nkeys / 2 ? nkeys / 2 : n; n; n--) {
		struct copy new = random_copy();

		add(other, choose(nkeys), &new);
	}
	layout = other->store[0].layout;
	if (variant.discipline == EXACT)
		kcuckoo_layout_fit(&layout, &params, plen,
				   filter->count + other->count);
	else if (filter->store[0].layout.params.doublings >
		 layout.params.doublings)
		layout = filter->store[0].layout;
	copy = *other;
	begin(&copy, &layout);
	section_steps = 256;
	while (!copy.rehash.failed && !kcuckoo_rehash_done(&copy.rehash))
		kcuckoo_rehash_copy(&copy.rehash, search,
				    KCUCKOO_SECTION_STEPS);
	filter->store[1] = copy.store[1];
	kcuckoo_rehash_init(&filter->rehash, &filter->store[0],
			    &filter->store[1], &secret);
	filter->rehash.failed = copy.rehash.failed;
	filter->rehash.unite = variant.discipline != MULTISET;
	filter->growing = true;
	filter->shrinking = false;
	filter->merging = true;
}

/* While two are united, what both have is left alone. */
static bool shared(u32 key)
{
	return filter->growing && filter->rehash.unite &&
	       other->kin[kin_of[key]].count;
}

/* A member of an exact filter can be told from its place, and leads back there. */
static void audit_member(const struct filter *in, u64 place)
{
	const struct kcuckoo_store *store = &in->store[0];
	struct kcuckoo_probe probe = {};
	struct kcuckoo_key key;

	if (!kcuckoo_store_get(store, place, &key))
		return;
	if (!store->layout.bitmap)
		kcuckoo_key_restore(&key, &secret, plen);
	kcuckoo_key_permute(&key, &secret, plen);
	kcuckoo_store_probe(store, &key, &probe);
	tap_require(kcuckoo_store_find(store, &key, &probe) == place,
		    "place %llu", place);
}

/* Is a place that is in use as the model says, and is a free one all zero? */
static void audit_place(const struct filter *in, u64 place)
{
	const struct kcuckoo_table *table = &in->store[0].table;
	struct kcuckoo_entry entry;

	if (in->store[0].layout.bitmap) {
		entry.tag = kcuckoo_store_used(&in->store[0], place);
		entry.aux = 0;
		entry.value = kcuckoo_table_value(table, place);
		entry.expiry = kcuckoo_table_expiry(table, place);
	} else {
		kcuckoo_table_get(table, place, &entry);
	}
	tap_require(entry.tag || (!entry.aux && !entry.value && !entry.expiry),
		    "place %llu", place);
	if (variant.discipline == EXACT)
		audit_member(in, place);
}

/* Each key, each bucket, and the counts. */
static void audit(const struct filter *in)
{
	const struct kcuckoo_store *store = &in->store[0];
	u64 places = kcuckoo_store_places(store);
	u64 used = 0;
	u64 place;
	u32 i;

	for (i = 0; i < nkeys; i++)
		check(in, i);
	for (place = 0; place < places; place++) {
		u64 end = kcuckoo_store_next_bucket(store, place);

		used += kcuckoo_store_used(store, place);
		audit_place(in, place);
		tap_require(place % COPIES ||
			    kcuckoo_store_valid(store, place, end),
			    "place %llu", place);
	}
	tap_require(used == in->count, "%llu of %llu", used, in->count);
	tap_require(store->table.entries == used, "%llu of %llu",
		    store->table.entries, used);
	tap_require(store->table.expiring == in->expiring, "%llu of %llu",
		    store->table.expiring, in->expiring);
	if (variant.discipline != MULTISET)
		return;
	for (i = 0; i < in->count; i++)
		tap_require(kin_find(kin_get(in, in->member[i].key),
				     in->member[i].value, false),
			    "key %u", in->member[i].key);
}

/* Deletes everything. What was filled is as empty as it began. */
static void drain(struct filter *in)
{
	struct kcuckoo_store *store = &in->store[0];
	u64 place;
	u32 i;

	if (in->growing)
		end(in, false);
	while (variant.discipline == MULTISET && in->count)
		delete_member(in);
	for (i = 0; variant.discipline == EXACT && i < nkeys; i++)
		delete(in, i, 0);
	for (place = 0; place < kcuckoo_store_places(store); place++)
		if (kcuckoo_store_used(store, place))
			kcuckoo_store_clear(store, place);
	tap_require(fixture_store_empty(store), "%llu entries",
		    store->table.entries);
}

/* Memory for all rounds. */
static void model_init(void)
{
	search = fixture_search();
	keys = tap_zalloc(KEYS * sizeof(*keys));
	kin_of = tap_zalloc(KEYS * sizeof(*kin_of));
	filter = tap_zalloc(sizeof(*filter));
	other = tap_zalloc(sizeof(*other));
}

/* The variant with a number, and keys for the first table of that variant. */
static void round_init(u32 combination, struct kcuckoo_layout *first)
{
	u64 places;

	memset(&params, 0, sizeof(params));
	params.bucket_shift = combination % 4;
	params.tag_bits = combination / 4 % 32 + 1;
	variant = variants[combination / 128 % TAP_COUNT(variants)];
	params.sorted = variant.sorted;
	params.exact = variant.discipline == EXACT;
	if (variant.sorted) {
		params.bucket_shift = 2;
		if (params.tag_bits < KCUCKOO_SEMISORT_MIN)
			params.tag_bits += KCUCKOO_SEMISORT_MIN;
	}
	params.value_bits = variant.values ? 1 + choose(32) : 0;
	params.expiry_bits = variant.expiry ? KCUCKOO_EXPIRY_BITS : 0;
	plen = params.exact ? params.tag_bits * 4 - choose(4) : 0;
	secret = choose(2) ? fixture_key() : fixture_strong_key();
	search->limit = choose(3) ? KCUCKOO_SEARCH_VISITS : 2 + choose(16);
	now = 1000;
	if (!params.exact)
		tap_require(kcuckoo_layout_make(first, &params, 0,
						64 + 2 * choose(32), 0), "f");
	else
		kcuckoo_layout_fit(first, &params, plen, choose(200));
	places = (u64)first->params.nbuckets << params.bucket_shift;
	nkeys = places / 2 + choose(places * 4);
	if (nkeys > KEYS)
		nkeys = KEYS;
	if (params.exact && plen < 12 && nkeys > 3U << plen >> 2)
		nkeys = 3U << plen >> 2;
	if (params.exact)
		kin_of_numbers(keys, kin_of, nkeys, plen, &secret);
	else
		kin_of_fingerprints(keys, kin_of, nkeys, first, &secret);
}

#endif /* _SELFTESTS_CORE_MIXTURE_H */
