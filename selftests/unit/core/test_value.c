// SPDX-License-Identifier: GPL-2.0-only
/*
 * Values and expiry: fields beside the tag that are set, moved, found and counted
 * with their entry, in tables of any kind and in bitmaps, and while these are
 * copied or united.
 */
#include "fixture.h"

/* Parameters with every combination of fields, up to 128 bits of second plane. */
static const struct kcuckoo_table_params variants[] = {
	{ .bucket_shift = 2, .tag_bits = 12, .value_bits = 1 },
	{ .bucket_shift = 2, .tag_bits = 12, .expiry_bits = 32 },
	{ .bucket_shift = 3, .tag_bits = 20, .value_bits = 32 },
	{ .bucket_shift = 1, .tag_bits = 9, .value_bits = 7,
	  .expiry_bits = 32 },
	{ .bucket_shift = 0, .tag_bits = 32, .value_bits = 32,
	  .expiry_bits = 32 },
	{ .bucket_shift = 2, .exact = true, .value_bits = 13 },
	{ .bucket_shift = 2, .exact = true, .expiry_bits = 32 },
	{ .bucket_shift = 3, .exact = true, .value_bits = 32,
	  .expiry_bits = 32 },
};

/* A store of so many buckets, of prefixes of a length where it is exact. */
static void store_init(struct kcuckoo_store *store,
		       const struct kcuckoo_table_params *params, unsigned int plen,
		       u32 nbuckets)
{
	const struct kcuckoo_hash_key secret = fixture_key();
	struct kcuckoo_layout layout;

	tap_require(kcuckoo_layout_make(&layout, params, plen, nbuckets, 0),
		    "/%u, m %u", plen, nbuckets);
	fixture_inet(store, &layout, &secret);
}

static u32 random_value(const struct kcuckoo_table_params *params)
{
	return params->value_bits ? random_edge(params->value_bits) : 0;
}

static u32 random_expiry(const struct kcuckoo_table_params *params)
{
	return params->expiry_bits ? random_edge(32) : 0;
}

/* Any entry that a table with these parameters can have. */
static struct kcuckoo_probe random_probe(const struct kcuckoo_store *store)
{
	const struct kcuckoo_table_params *params = &store->layout.params;
	struct kcuckoo_probe probe = {};
	struct kcuckoo_key key;

	key.permuted = number_random(store->layout.bits);
	key.hash = random_word();
	kcuckoo_store_probe(store, &key, &probe);
	probe.value = random_value(params);
	probe.expiry = random_expiry(params);
	return probe;
}

/* Is each place as the model says, and are the counts exact? */
static void require_entries(const struct kcuckoo_table *table,
			    const struct kcuckoo_entry *model)
{
	u64 expiring = 0;
	u64 entries = 0;
	u64 place;

	for (place = 0; place < kcuckoo_table_places(table); place++) {
		struct kcuckoo_entry entry;

		kcuckoo_table_get(table, place, &entry);
		tap_require(entry.tag == model[place].tag &&
			    entry.aux == model[place].aux &&
			    entry.value == model[place].value &&
			    entry.expiry == model[place].expiry,
			    "place %llu", place);
		tap_require(kcuckoo_table_value(table, place) == entry.value &&
			    kcuckoo_table_expiry(table, place) == entry.expiry,
			    "place %llu", place);
		entries += entry.tag != 0;
		expiring += entry.expiry != 0;
	}
	tap_require(table->entries == entries, "%llu, not %llu",
		    table->entries, entries);
	tap_require(table->expiring == expiring, "%llu, not %llu",
		    table->expiring, expiring);
}

/* A free place in one of the probe's buckets gets the entry. */
static void turn_put(struct kcuckoo_store *store, struct kcuckoo_entry *model)
{
	struct kcuckoo_probe probe = random_probe(store);
	struct kcuckoo_table *table = &store->table;
	u64 place = kcuckoo_store_vacant(store, NULL, &probe, 0);
	unsigned int side;

	if (place == KCUCKOO_NO_PLACE)
		return;
	side = kcuckoo_table_bucket(table, place) != probe.bucket[0];
	model[place].tag = probe.tag[side];
	model[place].aux = probe.aux;
	model[place].value = probe.value;
	model[place].expiry = probe.expiry;
	kcuckoo_store_put(store, place, &probe);
}

/* An entry in use is moved to its other bucket, changed or cleared. */
static void turn_entry(struct kcuckoo_store *store, u64 place,
		       struct kcuckoo_entry *model)
{
	const struct kcuckoo_table_params *params = &store->layout.params;
	struct kcuckoo_table *table = &store->table;
	u32 bucket = kcuckoo_table_bucket(table, place);
	u32 other = kcuckoo_table_alternate(table, bucket, model[place].tag);
	u64 to = kcuckoo_table_bucket_vacant(table, other);

	switch (random_below(4)) {
	case 0:
		if (other == bucket || to == KCUCKOO_NO_PLACE)
			return;
		model[to] = model[place];
		if (params->exact)
			model[to].tag += model[to].tag & 1 ? 1 : -1;
		memset(&model[place], 0, sizeof(*model));
		kcuckoo_table_move(table, place, to);
		break;
	case 1:
		model[place].value = random_value(params);
		kcuckoo_table_set_value(table, place, model[place].value);
		break;
	case 2:
		model[place].expiry = random_expiry(params);
		kcuckoo_table_set_expiry(table, place, model[place].expiry);
		break;
	default:
		memset(&model[place], 0, sizeof(*model));
		kcuckoo_store_clear(store, place);
	}
}

static void check_fields(const struct kcuckoo_table_params *params, unsigned int plen)
{
	struct kcuckoo_entry *model;
	struct kcuckoo_store store;
	u64 places;
	u64 place;
	int i;

	store_init(&store, params, plen, 64 + 2 * random_below(5));
	places = kcuckoo_store_places(&store);
	model = tap_zalloc(places * sizeof(*model));
	for (i = 0; i < 4000; i++) {
		place = random_below(places);
		if (model[place].tag)
			turn_entry(&store, place, model);
		else
			turn_put(&store, model);
		if (i % 20 == 0)
			require_entries(&store.table, model);
	}
	for (place = 0; place < places; place++)
		if (model[place].tag)
			kcuckoo_store_clear(&store, place);
	tap_require(fixture_store_empty(&store), "all deleted");
	fixture_inet_free(&store);
	tap_free(model);
}

static void test_fields(void)
{
	static const u8 plens[] = { 32, 48, 64, 65, 100, 127, 128 };
	unsigned int i;
	unsigned int j;

	for (i = 0; i < TAP_COUNT(variants); i++)
		for (j = 0; j < TAP_COUNT(plens); j++)
			if (variants[i].exact || !j)
				check_fields(&variants[i],
					     variants[i].exact ? plens[j] : 0);
}

/* A bitmap has both fields for each number, members and others. */
static void check_bitmap(unsigned int plen, unsigned int value_bits,
			 unsigned int expiry_bits)
{
	const struct kcuckoo_table_params params = {
		.bucket_shift = 2, .exact = true, .value_bits = value_bits,
		.expiry_bits = expiry_bits,
	};
	u64 size = 1ULL << plen;
	struct kcuckoo_probe *model = tap_zalloc(size * sizeof(*model));
	bool *member = tap_zalloc(size);
	struct kcuckoo_store store;
	u64 expiring = 0;
	u64 members = 0;
	u64 n;
	int i;

	store_init(&store, &params, plen, 0);
	for (i = 0; i < 20000; i++) {
		n = random_below(size);
		members += member[n] ? -1 : 1;
		expiring -= model[n].expiry != 0;
		memset(&model[n], 0, sizeof(*model));
		if (member[n]) {
			kcuckoo_store_clear(&store, n);
		} else {
			model[n].value = random_value(&params);
			model[n].expiry = random_expiry(&params);
			kcuckoo_store_put(&store, n, &model[n]);
		}
		member[n] = !member[n];
		expiring += model[n].expiry != 0;
		n = random_below(size);
		tap_require(kcuckoo_store_used(&store, n) == member[n] &&
			    kcuckoo_table_value(&store.table, n) ==
			    model[n].value &&
			    kcuckoo_table_expiry(&store.table, n) ==
			    model[n].expiry, "/%u, %llu", plen, n);
		tap_require(store.table.entries == members &&
			    store.table.expiring == expiring, "%llu, %llu",
			    members, expiring);
	}
	for (n = 0; n < size; n++)
		if (member[n])
			kcuckoo_store_clear(&store, n);
	tap_require(fixture_store_empty(&store), "/%u", plen);
	fixture_inet_free(&store);
	tap_free(model);
	tap_free(member);
}

static void test_bitmap(void)
{
	unsigned int plen;

	for (plen = 0; plen <= 12; plen++) {
		check_bitmap(plen, 0, 0);
		check_bitmap(plen, 1 + plen, 0);
		check_bitmap(plen, 0, 32);
		check_bitmap(plen, 32, 32);
	}
}

/* At each second around its expiry, and without a present. */
static void check_expired(const struct kcuckoo_store *store,
			  const struct kcuckoo_key *key,
			  struct kcuckoo_probe probe, u64 place)
{
	static const int offsets[] = { -2, -1, 0, 1, 2 };
	u32 values[KCUCKOO_VALUES_MAX];
	unsigned int i;

	for (i = 0; i <= TAP_COUNT(offsets); i++) {
		bool alive;

		probe.now = i < TAP_COUNT(offsets) ?
			    probe.expiry + offsets[i] : 0;
		alive = !probe.expiry || probe.expiry > probe.now;
		tap_require(kcuckoo_store_contains(store, key, &probe) == alive,
			    "%u at %u", probe.expiry, probe.now);
		tap_require(kcuckoo_store_find(store, key, &probe) ==
			    (alive ? place : KCUCKOO_NO_PLACE), "%u at %u",
			    probe.expiry, probe.now);
		tap_require(kcuckoo_store_find_value(store, key, &probe) ==
			    (alive ? place : KCUCKOO_NO_PLACE), "%u at %u",
			    probe.expiry, probe.now);
		tap_require(kcuckoo_store_values(store, key, &probe, values) ==
			    alive, "%u at %u", probe.expiry, probe.now);
		tap_require(!alive || values[0] == probe.value, "%u, not %u",
			    values[0], probe.value);
	}
}

static void check_store_expired(struct kcuckoo_store *store)
{
	static const u32 expiries[] = {
		0, 3, 1000, 0x7fffffff, 0x80000000, 0xfffffffd,
	};
	unsigned int i;

	for (i = 0; i < 6 * 20; i++) {
		struct kcuckoo_probe probe = {};
		struct kcuckoo_key key;
		u64 place;

		key.number = number_random(store->layout.bits);
		key.permuted = key.number;
		key.hash = random_word();
		kcuckoo_store_probe(store, &key, &probe);
		probe.value = random_value(&store->layout.params);
		probe.expiry = expiries[i % 6];
		place = kcuckoo_store_vacant(store, &key, &probe, 0);
		kcuckoo_store_put(store, place, &probe);
		check_expired(store, &key, probe, place);
		kcuckoo_store_clear(store, place);
	}
	fixture_inet_free(store);
}

static void test_expired(void)
{
	struct kcuckoo_store store;
	unsigned int i;

	for (i = 0; i < TAP_COUNT(variants); i++) {
		if (!variants[i].expiry_bits)
			continue;
		store_init(&store, &variants[i], variants[i].exact ? 128 : 0, 64);
		check_store_expired(&store);
		if (!variants[i].exact)
			continue;
		store_init(&store, &variants[i], 32, 64);
		check_store_expired(&store);
		store_init(&store, &variants[i], 10, 0);
		check_store_expired(&store);
	}
}

/*
 * One key with as many entries as there are places for it, with values of which
 * some are the same: all are told, and each is found by its value.
 */
static void check_values(unsigned int shift, bool expiry)
{
	const struct kcuckoo_table_params params = {
		.bucket_shift = shift, .tag_bits = 16, .value_bits = 20,
		.expiry_bits = expiry ? 32 : 0,
	};
	struct kcuckoo_probe probe = { .now = 100 };
	u32 values[KCUCKOO_VALUES_MAX];
	struct kcuckoo_store store;
	struct kcuckoo_key key;
	u32 alive = 0;
	u32 i;

	store_init(&store, &params, 0, 64);
	do {
		key.hash = random_word();
		kcuckoo_store_probe(&store, &key, &probe);
	} while (probe.bucket[0] == probe.bucket[1]);
	for (i = 0; i < 2U << shift; i++) {
		u64 place = kcuckoo_store_vacant(&store, &key, &probe, 0);

		probe.value = i / 2 * 5;
		/* Every third one has expired. */
		probe.expiry = expiry ? (i % 3 ? 101 : 100) : 0;
		alive += !expiry || i % 3;
		kcuckoo_store_put(&store, place, &probe);
		tap_require(kcuckoo_store_values(&store, &key, &probe,
						 values) == alive,
			    "b %u, %u entries", 1U << shift, i + 1);
	}
	tap_require(kcuckoo_store_vacant(&store, &key, &probe, 0) ==
		    KCUCKOO_NO_PLACE, "b %u", 1U << shift);
	for (i = 0; i < 2U << shift; i++) {
		u64 place;
		bool there;

		probe.value = i / 2 * 5;
		there = !expiry || (i & ~1U) % 3 || (i | 1) % 3;
		place = kcuckoo_store_find_value(&store, &key, &probe);
		tap_require((place != KCUCKOO_NO_PLACE) == there, "value %u",
			    probe.value);
		tap_require(!there || kcuckoo_table_value(&store.table, place)
				      == probe.value, "value %u", probe.value);
		probe.value++;
		place = kcuckoo_store_find_value(&store, &key, &probe);
		tap_require(place == KCUCKOO_NO_PLACE, "value %u", probe.value);
	}
	fixture_inet_free(&store);
}

static void test_values(void)
{
	unsigned int shift;

	for (shift = 0; shift <= 3; shift++) {
		check_values(shift, false);
		check_values(shift, true);
	}
}

/**
 * struct pair - a store, another one that it is copied into, and members
 * @store: both
 * @secret: of both
 * @rehash: from one to the other
 * @search: room for searches
 * @keys: the keys
 * @probe: what the store has with each of them
 * @other: what the other one has had before, where they are united
 * @size: number of keys
 */
struct pair {
	struct kcuckoo_store store[2];
	struct kcuckoo_hash_key secret;
	struct kcuckoo_rehash rehash;
	struct kcuckoo_search *search;
	struct kcuckoo_key *keys;
	struct kcuckoo_probe *probe;
	struct kcuckoo_probe *other;
	u32 size;
};

static void pair_init(struct pair *pair, const struct kcuckoo_layout *from,
		      const struct kcuckoo_layout *to, u32 size)
{
	struct number_set all;
	u32 i;

	memset(pair, 0, sizeof(*pair));
	pair->secret = fixture_key();
	fixture_inet(&pair->store[0], from, &pair->secret);
	fixture_inet(&pair->store[1], to, &pair->secret);
	pair->search = fixture_search();
	pair->size = size;
	pair->keys = tap_zalloc(size * sizeof(*pair->keys));
	pair->probe = tap_zalloc(size * sizeof(*pair->probe));
	pair->other = tap_zalloc(size * sizeof(*pair->other));
	number_set_init(&all, size);
	for (i = 0; i < size; i++) {
		struct kcuckoo_key *key = &pair->keys[i];

		do {
			key->number = number_random(from->bits ?: 64);
		} while (!number_set_add(&all, key->number));
		kcuckoo_key_permute(key, &pair->secret, from->bits);
		kcuckoo_key_hash(key, &pair->secret, 128);
	}
	number_set_free(&all);
	kcuckoo_rehash_init(&pair->rehash, &pair->store[0], &pair->store[1],
			    &pair->secret);
}

static void pair_free(struct pair *pair)
{
	fixture_inet_free(&pair->store[0]);
	fixture_inet_free(&pair->store[1]);
	tap_free(pair->search);
	tap_free(pair->keys);
	tap_free(pair->probe);
	tap_free(pair->other);
}

/* Stores a key with a new value and expiry, which the model keeps. */
static void pair_add(struct pair *pair, u32 side, u32 i,
		     struct kcuckoo_probe *model)
{
	struct kcuckoo_store *store = &pair->store[side];
	u64 place;

	kcuckoo_store_probe(store, &pair->keys[i], model);
	model->value = random_value(&store->layout.params);
	model->expiry = random_below(3) ?
			random_expiry(&store->layout.params) : 0;
	if (store->layout.bitmap) {
		place = pair->keys[i].number.lo;
		kcuckoo_store_put(store, place, model);
	} else {
		place = fixture_add(&store->table, model, pair->search);
	}
	tap_require(place != KCUCKOO_NO_PLACE, "key %u", i);
}

/* Is a key there with what the model says? Values tell fingerprints apart. */
static void require_key(const struct pair *pair, u32 side, u32 i,
			const struct kcuckoo_probe *model)
{
	const struct kcuckoo_store *store = &pair->store[side];
	struct kcuckoo_probe probe = *model;
	u64 place;

	kcuckoo_store_probe(store, &pair->keys[i], &probe);
	place = kcuckoo_store_find_value(store, &pair->keys[i], &probe);
	tap_require(place != KCUCKOO_NO_PLACE, "key %u", i);
	tap_require(kcuckoo_table_value(&store->table, place) == model->value,
		    "key %u", i);
	tap_require(kcuckoo_table_expiry(&store->table, place) ==
		    model->expiry, "key %u: %u, not %u", i,
		    kcuckoo_table_expiry(&store->table, place), model->expiry);
}

/* Gives a member another value and expiry, and tells the rehash. */
static void pair_set(struct pair *pair, u32 i)
{
	struct kcuckoo_store *store = &pair->store[0];
	struct kcuckoo_probe *model = &pair->probe[i];
	struct kcuckoo_probe probe = *model;
	u32 value = random_value(&store->layout.params);
	u32 expiry = random_expiry(&store->layout.params);
	u64 place;

	kcuckoo_store_probe(store, &pair->keys[i], &probe);
	place = kcuckoo_store_find_value(store, &pair->keys[i], &probe);
	tap_require(place != KCUCKOO_NO_PLACE, "key %u", i);
	/* One that has expired can be renewed. */
	probe.now = ~0U;
	kcuckoo_rehash_set(&pair->rehash, place, &pair->keys[i], &probe, value,
			   expiry);
	kcuckoo_table_set_value(&store->table, place, value);
	kcuckoo_table_set_expiry(&store->table, place, expiry);
	tap_require(!pair->rehash.failed, "key %u", i);
	model->value = value;
	model->expiry = expiry;
}

/* Members that are changed before and after they are copied. */
static void check_set(const struct kcuckoo_layout *from,
		      const struct kcuckoo_layout *to, u32 size)
{
	struct pair pair;
	u32 i;

	pair_init(&pair, from, to, size);
	for (i = 0; i < size; i++)
		pair_add(&pair, 0, i, &pair.probe[i]);
	while (!kcuckoo_rehash_done(&pair.rehash)) {
		kcuckoo_rehash_copy(&pair.rehash, pair.search,
				    KCUCKOO_SECTION_STEPS);
		tap_require(!pair.rehash.failed, "at %llu",
			    pair.rehash.cursor);
		for (i = 0; i < size / 3; i++)
			pair_set(&pair, random_below(size));
	}
	for (i = 0; i < size; i++) {
		require_key(&pair, 0, i, &pair.probe[i]);
		require_key(&pair, 1, i, &pair.probe[i]);
	}
	tap_require(pair.store[0].table.entries == size &&
		    pair.store[1].table.entries == size, "%u members", size);
	tap_require(pair.store[0].table.expiring ==
		    pair.store[1].table.expiring, "%llu and %llu",
		    pair.store[0].table.expiring,
		    pair.store[1].table.expiring);
	pair_free(&pair);
}

/* Fingerprints are long, so that no two keys share one. */
static void test_set(void)
{
	static const u8 plens[] = { 32, 64, 65, 128 };
	struct kcuckoo_table_params params = {
		.bucket_shift = 2, .value_bits = 32, .expiry_bits = 32,
	};
	struct kcuckoo_layout from;
	struct kcuckoo_layout to;
	unsigned int i;

	params.tag_bits = 32;
	kcuckoo_layout_make(&from, &params, 0, 1000, 0);
	kcuckoo_layout_grow(&to, &from);
	check_set(&from, &to, 3600);
	check_set(&to, &from, 3300);
	params.exact = true;
	for (i = 0; i < TAP_COUNT(plens); i++) {
		kcuckoo_layout_make(&from, &params, plens[i], 900, 0);
		kcuckoo_layout_make(&to, &params, plens[i], 1111, 0);
		check_set(&from, &to, 3200);
		check_set(&to, &from, 3200);
	}
	kcuckoo_layout_make(&from, &params, 12, 0, 0);
	kcuckoo_layout_make(&to, &params, 12, 700, 0);
	check_set(&from, &to, 2400);
	check_set(&to, &from, 2400);
	check_set(&from, &from, 4096);
}

static u32 later(u32 a, u32 b)
{
	if (!a || !b)
		return 0;
	return a > b ? a : b;
}

/* Keys of one, of the other, and of both. */
static void pair_populate(struct pair *pair, bool exact)
{
	u32 i;

	for (i = 0; i < pair->size; i++) {
		if (i % 3 != 1)
			pair_add(pair, 0, i, &pair->probe[i]);
		if (i % 3 != 2)
			pair_add(pair, 1, i, &pair->other[i]);
		/* Half of the fingerprints have the same value in both. */
		if (exact || i % 6)
			continue;
		kcuckoo_store_clear(&pair->store[1],
				    kcuckoo_store_find_value(&pair->store[1],
							     &pair->keys[i],
							     &pair->other[i]));
		pair->other[i].value = pair->probe[i].value;
		fixture_add(&pair->store[1].table, &pair->other[i],
			    pair->search);
	}
}

/*
 * What is in both is there once, with the value of the one that is copied, unless
 * that has expired, and the later expiry; of fingerprints only if the value is the
 * same.
 */
static void check_unite(const struct kcuckoo_layout *from,
			const struct kcuckoo_layout *to, u32 size, bool exact)
{
	const u32 now = 1 << 30;
	struct pair pair;
	u64 expected;
	u32 i;

	pair_init(&pair, from, to, size);
	pair_populate(&pair, exact);
	expected = pair.store[0].table.entries + pair.store[1].table.entries;
	pair.rehash.unite = true;
	pair.rehash.now = now;
	while (!kcuckoo_rehash_done(&pair.rehash)) {
		kcuckoo_rehash_copy(&pair.rehash, pair.search,
				    KCUCKOO_SECTION_STEPS);
		tap_require(!pair.rehash.failed, "at %llu",
			    pair.rehash.cursor);
	}
	for (i = 0; i < size; i++) {
		struct kcuckoo_probe *model = &pair.probe[i];

		if (i % 3 == 1) {
			require_key(&pair, 1, i, &pair.other[i]);
			continue;
		}
		if (i % 3 == 0 && (exact || pair.other[i].value ==
					    model->value)) {
			if (model->expiry && model->expiry <= now)
				model->value = pair.other[i].value;
			model->expiry = later(model->expiry,
					      pair.other[i].expiry);
			expected--;
		} else if (i % 3 == 0) {
			require_key(&pair, 1, i, &pair.other[i]);
		}
		require_key(&pair, 1, i, model);
	}
	tap_require(pair.store[1].table.entries == expected, "%llu, not %llu",
		    pair.store[1].table.entries, expected);
	pair_free(&pair);
}

static void test_unite(void)
{
	struct kcuckoo_table_params params = {
		.bucket_shift = 2, .value_bits = 24, .expiry_bits = 32,
	};
	struct kcuckoo_layout from;
	struct kcuckoo_layout to;

	params.tag_bits = 32;
	kcuckoo_layout_make(&from, &params, 0, 1000, 0);
	kcuckoo_layout_make(&to, &params, 0, 4000, 2);
	check_unite(&from, &to, 4000, false);
	check_unite(&from, &from, 2400, false);
	params.exact = true;
	kcuckoo_layout_make(&from, &params, 32, 900, 0);
	kcuckoo_layout_make(&to, &params, 32, 2000, 0);
	check_unite(&from, &to, 4000, true);
	kcuckoo_layout_make(&from, &params, 128, 900, 0);
	kcuckoo_layout_make(&to, &params, 128, 2000, 0);
	check_unite(&from, &to, 4000, true);
	kcuckoo_layout_make(&from, &params, 13, 0, 0);
	kcuckoo_layout_make(&to, &params, 13, 2000, 0);
	check_unite(&from, &to, 4000, true);
	check_unite(&to, &from, 4000, true);
	check_unite(&from, &from, 8000, true);
}

/*
 * A member that is renewed while it is united keeps the later expiry, too, also where
 * it had expired before and the value was the other's.
 */
static void check_unite_set(const struct kcuckoo_layout *from,
			    const struct kcuckoo_layout *to)
{
	static const u32 expiries[] = { 0, 50, 100, 150, 200 };
	struct pair pair;
	u32 i;

	pair_init(&pair, from, to, 125);
	pair.rehash.unite = true;
	pair.rehash.now = 100;
	for (i = 0; i < pair.size; i++) {
		struct kcuckoo_probe *model = &pair.probe[i];
		u32 before = expiries[i % 5];
		u32 after = expiries[i / 5 % 5];
		u32 other = expiries[i / 25];

		/* A member is renewed, but never for a shorter time. */
		after = later(before, after);
		pair_add(&pair, 0, i, model);
		pair_add(&pair, 1, i, &pair.other[i]);
		pair.rehash.cursor = 0;
		kcuckoo_table_set_expiry(&pair.store[0].table,
					 fixture_inet_find(&pair.store[0],
							   &pair.keys[i]),
					 before);
		kcuckoo_table_set_expiry(&pair.store[1].table,
					 fixture_inet_find(&pair.store[1],
							   &pair.keys[i]),
					 other);
		while (!kcuckoo_rehash_done(&pair.rehash))
			kcuckoo_rehash_copy(&pair.rehash, pair.search,
					    KCUCKOO_SECTION_STEPS);
		model->expiry = before;
		kcuckoo_rehash_set(&pair.rehash, 0, &pair.keys[i], model,
				   model->value, after);
		model->expiry = later(after, other);
		require_key(&pair, 1, i, model);
		kcuckoo_store_clear(&pair.store[0],
				    fixture_inet_find(&pair.store[0],
						      &pair.keys[i]));
	}
	tap_require(pair.store[1].table.entries == pair.size, "%llu",
		    pair.store[1].table.entries);
	pair_free(&pair);
}

static void test_unite_set(void)
{
	const struct kcuckoo_table_params params = {
		.bucket_shift = 2, .exact = true, .value_bits = 5,
		.expiry_bits = 32,
	};
	struct kcuckoo_layout table;
	struct kcuckoo_layout bitmap;

	kcuckoo_layout_make(&table, &params, 12, 100, 0);
	kcuckoo_layout_make(&bitmap, &params, 12, 0, 0);
	check_unite_set(&table, &table);
	check_unite_set(&table, &bitmap);
	check_unite_set(&bitmap, &bitmap);
}

/* A free place with anything beside it is refused from outside. */
static void check_sound(const struct kcuckoo_table_params *params, unsigned int plen,
			u32 nbuckets)
{
	struct kcuckoo_probe probe = {};
	struct kcuckoo_store store;
	u64 end;
	u64 bit;

	store_init(&store, params, plen, nbuckets);
	end = kcuckoo_store_next_bucket(&store, 0);
	tap_require(kcuckoo_store_valid(&store, 0, end), "/%u", plen);
	for (bit = 0; bit < end * store.table.aux_stride; bit++) {
		store.table.aux[bit / 64] ^= 1ULL << bit % 64;
		tap_require(!kcuckoo_store_valid(&store, 0, end),
			    "/%u, bit %llu", plen, bit);
		store.table.aux[bit / 64] ^= 1ULL << bit % 64;
	}
	/* Beside a member, it is the member's. */
	probe.tag[0] = 1;
	probe.value = random_value(params);
	probe.expiry = random_expiry(params);
	for (bit = 0; bit < end; bit++)
		kcuckoo_store_put(&store, bit, &probe);
	tap_require(kcuckoo_store_valid(&store, 0, end), "/%u", plen);
	fixture_inet_free(&store);
}

static void test_sound(void)
{
	unsigned int i;

	for (i = 0; i < TAP_COUNT(variants); i++) {
		if (!variants[i].exact) {
			check_sound(&variants[i], 0, 64);
			continue;
		}
		check_sound(&variants[i], 32, 64);
		check_sound(&variants[i], 128, 64);
		check_sound(&variants[i], 4, 0);
		check_sound(&variants[i], 10, 0);
	}
}

static const struct tap_test tests[] = {
	{ "value.fields: put, moved, set and cleared, to 128 bits beside a tag",
	  test_fields },
	{ "value.fields: the same in bitmaps", test_bitmap },
	{ "value.expired: from its second on it matches no more",
	  test_expired },
	{ "value.values: all that a key has, each found by its own",
	  test_values },
	{ "value.set: both tables the same while one is copied", test_set },
	{ "value.unite: once, the later expiry, the living value of the one copied",
	  test_unite },
	{ "value.unite: the later expiry after a renewal, too",
	  test_unite_set },
	{ "value.sound: nothing beside a free place", test_sound },
};

int main(int argc, char **argv)
{
	return tap_main(argc, argv, tests, TAP_COUNT(tests));
}
