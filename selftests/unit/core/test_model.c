// SPDX-License-Identifier: GPL-2.0-only
/*
 * A filter in miniature, one table for each prefix length in use, that grows
 * and shrinks while it is in use; millions of operations, each answer compared
 * with an exact model. OPS sets their number.
 */
#include "fixture.h"

#define OPERATIONS	4000000
#define LENGTHS		129

/**
 * struct length - the members of one prefix length, and the truth about them
 * @table: the table in use and, during growth, the next one
 * @rehash: from one to the other
 * @growing: there is a rehash under way
 * @plen: prefix length
 * @pool: number of keys there can be
 * @base: the number of key 0
 * @factor: odd; key n has the number base + n * factor
 * @inverse: factor * inverse = 1, modulo 2^plen
 * @member: which keys are members
 * @count: number of members
 */
struct length {
	struct kcuckoo_store table[2];
	struct kcuckoo_rehash rehash;
	bool growing;
	unsigned int plen;
	u32 pool;
	__uint128_t base;
	__uint128_t factor;
	__uint128_t inverse;
	bool *member;
	u32 count;
};

static struct length *lengths;
static struct kcuckoo_search *search;
static struct kcuckoo_hash_key secret;
static unsigned int bucket_shift;
static u64 searches;
static u64 growths;
static u64 abandoned;

/* Lengths with many members; the others have a few hundred each. */
static const u8 large[] = { 16, 18, 20, 24, 29, 32, 48, 64, 65, 96, 128 };

static void length_init(struct length *length, unsigned int plen, u32 pool)
{
	struct kcuckoo_layout layout;
	int i;

	if (plen < 20 && pool > 1U << plen)
		pool = 1U << plen;
	memset(length, 0, sizeof(*length));
	length->plen = plen;
	length->pool = pool;
	length->base = number_wide(number_random(plen));
	length->factor = 1;
	if (plen % 2 && plen > 1)
		length->factor = number_wide(number_random(plen)) | 1;
	/* Each step doubles the bits that are right: Newton's method. */
	length->inverse = length->factor;
	for (i = 0; i < 7; i++)
		length->inverse *= 2 - length->factor * length->inverse;
	length->member = tap_zalloc(pool);
	fixture_fit(&layout, plen, bucket_shift, 1);
	fixture_inet(&length->table[0], &layout, &secret);
}

static __uint128_t length_mask(const struct length *length)
{
	return number_wide(number_last(length->plen));
}

static struct kcuckoo_number length_number(const struct length *length, u32 n)
{
	return number_of((length->base + n * length->factor) &
			 length_mask(length));
}

/* The truth about any number. */
static bool length_member(const struct length *length,
			  struct kcuckoo_number number)
{
	__uint128_t n = ((number_wide(number) - length->base) *
			 length->inverse) & length_mask(length);

	return n < length->pool && length->member[(u32)n];
}

static struct kcuckoo_key make_key(const struct length *length,
				   struct kcuckoo_number number)
{
	struct kcuckoo_key key = { .number = number };

	kcuckoo_key_permute(&key, &secret, length->plen);
	return key;
}

static void begin(struct length *length, const struct kcuckoo_layout *layout)
{
	fixture_inet(&length->table[1], layout, &secret);
	kcuckoo_rehash_init(&length->rehash, &length->table[0],
			    &length->table[1], &secret);
	length->growing = true;
}

static void end(struct length *length)
{
	if (kcuckoo_rehash_done(&length->rehash)) {
		fixture_inet_free(&length->table[0]);
		length->table[0] = length->table[1];
		growths++;
	} else {
		fixture_inet_free(&length->table[1]);
		abandoned++;
	}
	search->open = false;
	length->growing = false;
}

/* One section of copying; now and then the rehash is given up instead. */
static void step(struct length *length)
{
	kcuckoo_rehash_copy(&length->rehash, search, KCUCKOO_SECTION_STEPS);
	if (length->rehash.failed || kcuckoo_rehash_done(&length->rehash) ||
	    !random_below(200))
		end(length);
}

/* A larger table when this one is nearly full, a smaller one when nearly empty. */
static void resize(struct length *length)
{
	const struct kcuckoo_layout *from = &length->table[0].layout;
	u64 room = kcuckoo_layout_room(from);
	struct kcuckoo_layout to;

	if (length->count * 20ULL > room * 19) {
		if (kcuckoo_layout_grow(&to, from))
			begin(length, &to);
	} else if (length->count * 3ULL < room && !random_below(500)) {
		fixture_fit(&to, length->plen, bucket_shift,
			    length->count + length->count / 4 + 1);
		if (to.bitmap != from->bitmap ||
		    to.params.nbuckets < from->params.nbuckets)
			begin(length, &to);
	}
}

/* A place for a new member; moves are for times without growth. */
static u64 vacate(struct length *length, const struct kcuckoo_key *key,
		  const struct kcuckoo_probe *probe)
{
	struct kcuckoo_store *table = &length->table[0];
	u64 place;

	place = kcuckoo_store_vacant(table, key, probe,
				     length->growing ? length->rehash.cursor :
						       0);
	if (place != KCUCKOO_NO_PLACE || length->growing)
		return place;
	searches++;
	if (!fixture_search_find(search, &table->table, probe))
		return KCUCKOO_NO_PLACE;
	while (kcuckoo_search_hops(search))
		kcuckoo_search_hop(search, &table->table);
	return search->vacant;
}

/* Copies what is left. Returns false if the new table was too small. */
static bool finish(struct length *length)
{
	bool done;

	while (!length->rehash.failed && !kcuckoo_rehash_done(&length->rehash))
		kcuckoo_rehash_copy(&length->rehash, search, KCUCKOO_SECTION_STEPS);
	done = kcuckoo_rehash_done(&length->rehash);
	end(length);
	return done;
}

/* There was no place: ends the rehash under way, or does whole ones. */
static void enlarge(struct length *length)
{
	struct kcuckoo_layout to = length->table[0].layout;

	if (length->growing && finish(length))
		return;
	do {
		struct kcuckoo_layout from = to;

		tap_require(kcuckoo_layout_grow(&to, &from),
			    "/%u has %u members", length->plen, length->count);
		begin(length, &to);
	} while (!finish(length));
}

static bool filter_find(const struct length *length,
			const struct kcuckoo_key *key)
{
	const struct kcuckoo_store *table = &length->table[0];
	bool found = fixture_inet_find(table, key) != KCUCKOO_NO_PLACE;

	tap_require(fixture_inet_contains(table, key) == found,
		    "/%u, %llx:%llx", length->plen, key->number.hi,
		    key->number.lo);
	return found;
}

/* Returns true if the key was no member before. */
static bool filter_add(struct length *length,
		       const struct kcuckoo_key *key)
{
	struct kcuckoo_probe probe;
	u64 place;

	if (filter_find(length, key))
		return false;
	for (;;) {
		kcuckoo_store_probe(&length->table[0], key, &probe);
		place = vacate(length, key, &probe);
		if (place != KCUCKOO_NO_PLACE &&
		    (!length->growing ||
		     kcuckoo_rehash_add(&length->rehash, place, key, &probe, search)))
			break;
		/* The copy has no room now: as a filter does, wait for its end. */
		if (place != KCUCKOO_NO_PLACE)
			finish(length);
		else
			enlarge(length);
	}
	kcuckoo_store_put(&length->table[0], place, &probe);
	return true;
}

/* Returns true if the key was a member. */
static bool filter_delete(struct length *length,
			  const struct kcuckoo_key *key)
{
	const struct kcuckoo_probe plain = {};
	u64 place = fixture_inet_find(&length->table[0], key);

	if (place == KCUCKOO_NO_PLACE)
		return false;
	kcuckoo_store_clear(&length->table[0], place);
	if (length->growing)
		kcuckoo_rehash_clear(&length->rehash, place, key, &plain);
	return true;
}

/* Everything that is stored is a member, and there are as many of them. */
static void audit(const struct length *length)
{
	const struct kcuckoo_store *table = &length->table[0];
	struct kcuckoo_key key;
	u32 used = 0;
	u64 place;

	for (place = 0; place < kcuckoo_store_places(table); place++) {
		if (!kcuckoo_store_get(table, place, &key))
			continue;
		if (!table->layout.bitmap)
			kcuckoo_key_restore(&key, &secret, length->plen);
		tap_require(length_member(length, key.number), "/%u, place %llu",
			    length->plen, place);
		key = make_key(length, key.number);
		tap_require(fixture_inet_find(table, &key) == place,
			    "/%u, place %llu", length->plen, place);
		used++;
	}
	tap_require(used == length->count, "/%u: %u of %u", length->plen, used,
		    length->count);
	tap_require(table->table.entries == used, "/%u: %llu of %u",
		    length->plen, table->table.entries, used);
}

/* One operation; @adds in 100 of those that change are adds. */
static void operate(struct length *length, u32 adds)
{
	u32 n = random_below(length->pool);
	struct kcuckoo_number number = length_number(length, n);
	struct kcuckoo_key key = make_key(length, number);
	bool member = length->member[n];

	switch (random_below(4)) {
	case 0:
		tap_require(filter_find(length, &key) == member, "/%u, key %u",
			    length->plen, n);
		key = make_key(length, number_random(length->plen));
		tap_require(filter_find(length, &key) ==
			    length_member(length, key.number), "/%u, %llx:%llx",
			    length->plen, key.number.hi, key.number.lo);
		return;
	default:
		if (random_below(100) < adds) {
			tap_require(filter_add(length, &key) == !member,
				    "/%u, key %u", length->plen, n);
			length->member[n] = true;
			length->count += !member;
		} else {
			tap_require(filter_delete(length, &key) == member,
				    "/%u, key %u", length->plen, n);
			length->member[n] = false;
			length->count -= member;
		}
	}
	if (!length->growing)
		resize(length);
	else if (!random_below(4))
		step(length);
}

static void model_init(void)
{
	unsigned int plen;
	unsigned int i;

	lengths = tap_zalloc(LENGTHS * sizeof(*lengths));
	search = fixture_search();
	secret = fixture_key();
	searches = 0;
	growths = 0;
	abandoned = 0;
	for (plen = 0; plen < LENGTHS; plen++) {
		u32 pool = 400;

		for (i = 0; i < TAP_COUNT(large); i++)
			if (large[i] == plen)
				pool = 60000;
		length_init(&lengths[plen], plen, pool);
	}
}

static struct length *any_length(void)
{
	if (random_below(8))
		return &lengths[large[random_below(TAP_COUNT(large))]];
	return &lengths[random_below(LENGTHS)];
}

/* Deletes all members; the tables are as empty as they began. */
static void drain(struct length *length)
{
	u64 words;
	u32 n;

	if (length->growing)
		end(length);
	for (n = 0; n < length->pool; n++) {
		struct kcuckoo_key key;

		key = make_key(length, length_number(length, n));
		tap_require(filter_delete(length, &key) == length->member[n],
			    "/%u, key %u", length->plen, n);
	}
	words = kcuckoo_layout_tag_words(&length->table[0].layout);
	while (words--)
		tap_require(!length->table[0].table.tags[words], "/%u",
			    length->plen);
	words = kcuckoo_layout_aux_words(&length->table[0].layout);
	while (words--)
		tap_require(!length->table[0].table.aux[words], "/%u",
			    length->plen);
	tap_require(!length->table[0].table.entries, "/%u", length->plen);
}

static void check_model(unsigned int shift, u64 operations)
{
	unsigned int plen;
	u64 members = 0;
	u64 i;

	bucket_shift = shift;
	model_init();
	for (i = 0; i < operations; i++) {
		/* Times of filling and of draining take turns. */
		bool filling = i * 8 / operations % 2 == 0;

		operate(any_length(), filling ? 85 : 25);
		if (i % (operations / 200 + 1) == 0)
			audit(any_length());
	}
	for (plen = 0; plen < LENGTHS; plen++) {
		members += lengths[plen].count;
		audit(&lengths[plen]);
		drain(&lengths[plen]);
	}
	printf("# %llu operations, %llu searches, %llu growths, %llu given up, %llu members left\n",
	       operations, searches, growths, abandoned, members);
	tap_require(growths > 100 || operations < 100000, "%llu growths",
		    growths);
}

static void test_four(void)
{
	check_model(2, tap_environment("OPS", OPERATIONS));
}

static void test_other(void)
{
	unsigned int shift;

	for (shift = 0; shift <= 3; shift++)
		if (shift != 2)
			check_model(shift,
				    tap_environment("OPS", OPERATIONS) / 8);
}

static const struct tap_test tests[] = {
	{ "model.filter: every answer that of an exact set", test_four },
	{ "model.filter: the same for b = 1, 2 and 8", test_other },
};

int main(int argc, char **argv)
{
	return tap_main(argc, argv, tests, TAP_COUNT(tests));
}
