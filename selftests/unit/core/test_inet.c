// SPDX-License-Identifier: GPL-2.0-only
/*
 * Exact tables: no false positive, no false negative, every member told from
 * its place; exhaustively for short prefixes, with near misses for long ones.
 */
#include "fixture.h"

static struct kcuckoo_key make_key(const struct kcuckoo_store *table,
				   struct kcuckoo_number number)
{
	struct kcuckoo_key key = { .number = number };

	kcuckoo_key_permute(&key, fixture_secret(), table->layout.bits);
	return key;
}

/* The number of the member at a place. Returns false if there is none. */
static bool get(const struct kcuckoo_store *table, u64 place,
		struct kcuckoo_number *number)
{
	struct kcuckoo_key key;

	if (!kcuckoo_store_get(table, place, &key))
		return false;
	if (!table->layout.bitmap)
		kcuckoo_key_restore(&key, fixture_secret(), table->layout.bits);
	*number = key.number;
	return true;
}

static bool add(struct kcuckoo_store *table, struct number_set *set,
		struct kcuckoo_number number, struct kcuckoo_search *search)
{
	struct kcuckoo_key key = make_key(table, number);

	if (fixture_inet_find(table, &key) != KCUCKOO_NO_PLACE)
		return true;
	if (fixture_inet_add(table, &key, search) == KCUCKOO_NO_PLACE)
		return false;
	number_set_add(set, number);
	return true;
}

/* Is the answer about a number the truth, by look-up, by place and back? */
static void require_truth(const struct kcuckoo_store *table,
			  const struct number_set *set,
			  struct kcuckoo_number number)
{
	unsigned int plen = table->layout.bits;
	u32 nbuckets = table->layout.params.nbuckets;
	struct kcuckoo_key key = make_key(table, number);
	bool member = number_set_has(set, number);
	struct kcuckoo_number back;
	u64 place;

	tap_require(fixture_inet_contains(table, &key) == member,
		    "plen %u, m %u, %llx:%llx is %sa member", plen, nbuckets,
		    number.hi, number.lo, member ? "" : "not ");
	place = fixture_inet_find(table, &key);
	tap_require((place != KCUCKOO_NO_PLACE) == member, "plen %u, m %u",
		    plen, nbuckets);
	if (!member)
		return;
	tap_require(place < kcuckoo_store_places(table), "%llu", place);
	tap_require(get(table, place, &back), "%llu", place);
	tap_require(number_same(back, number), "plen %u, m %u, %llu", plen,
		    nbuckets, place);
}

/* All that is listed are members, and all members are listed, once each. */
static void require_list(const struct kcuckoo_store *table,
			 const struct number_set *set)
{
	struct number_set listed;
	struct kcuckoo_number number;
	u64 place;

	number_set_init(&listed, set->count);
	for (place = 0; place < kcuckoo_store_places(table); place++) {
		if (!get(table, place, &number))
			continue;
		tap_require(number_fits(number, table->layout.bits),
			    "place %llu", place);
		tap_require(number_set_has(set, number), "place %llu", place);
		tap_require(number_set_add(&listed, number), "place %llu",
			    place);
	}
	tap_require(listed.count == set->count, "%llu of %llu", listed.count,
		    set->count);
	tap_require(table->table.entries == set->count, "%llu of %llu",
		    table->table.entries, set->count);
	number_set_free(&listed);
}

static void require_all(const struct kcuckoo_store *table,
			const struct number_set *set)
{
	struct kcuckoo_number number = { 0, 0 };

	for (; number.lo < 1ULL << table->layout.bits; number.lo++)
		require_truth(table, set, number);
	require_list(table, set);
}

/* Every possible number is looked up at a third, two thirds and a full load. */
static void check_exhaustive(unsigned int plen, unsigned int shift,
			     u32 nbuckets)
{
	struct kcuckoo_layout layout = fixture_layout(plen, shift, nbuckets);
	struct kcuckoo_search *search = fixture_search();
	u64 places = (u64)nbuckets << shift;
	struct kcuckoo_store table;
	struct number_set set;
	int third;

	fixture_inet(&table, &layout, fixture_secret());
	number_set_init(&set, places);
	for (third = 1; third <= 3; third++) {
		while (set.count < places * third / 3 &&
		       set.count < 1ULL << plen &&
		       add(&table, &set, number_random(plen), search))
			;
		require_all(&table, &set);
	}
	fixture_inet_free(&table);
	number_set_free(&set);
	tap_free(search);
}

static void test_exhaustive_m(void)
{
	u32 nbuckets;

	for (nbuckets = 1; nbuckets <= 300; nbuckets++)
		check_exhaustive(9 + nbuckets % 3, 2, nbuckets);
}

static void test_exhaustive_plen(void)
{
	static const u32 nbuckets[] = { 16, 37, 250, 1023 };
	unsigned int plen;
	unsigned int i;

	for (plen = 9; plen <= 16; plen++)
		for (i = 0; i < TAP_COUNT(nbuckets); i++)
			check_exhaustive(plen, plen % 4, nbuckets[i]);
}

/* More buckets than numbers, so that every quotient is 0. */
static void test_exhaustive_wide(void)
{
	check_exhaustive(9, 0, 600);
	check_exhaustive(9, 2, 512);
	check_exhaustive(10, 1, 5000);
}

/* Numbers that are nearly the given one. */
static void require_neighbours(const struct kcuckoo_store *table,
			       const struct number_set *set,
			       struct kcuckoo_number number)
{
	unsigned int plen = table->layout.bits;
	__uint128_t all = number_wide(number_last(plen));
	__uint128_t wide = number_wide(number);
	unsigned int bit;

	require_truth(table, set, number);
	require_truth(table, set, number_of((wide + 1) & all));
	require_truth(table, set, number_of((wide - 1) & all));
	for (bit = 0; bit < plen; bit += 1 + random_below(4))
		require_truth(table, set,
			      number_of(wide ^ number_wide(number_bit(bit))));
}

/* Numbers whose permutation is nearly that of the given one. */
static void require_twins(const struct kcuckoo_store *table,
			  const struct number_set *set,
			  struct kcuckoo_number number)
{
	unsigned int plen = table->layout.bits;
	unsigned int bit;

	for (bit = 0; bit < plen; bit += 1 + random_below(4)) {
		struct kcuckoo_key key = make_key(table, number);
		__uint128_t wide = number_wide(key.permuted);

		wide ^= number_wide(number_bit(bit));
		key.permuted = number_of(wide);
		kcuckoo_key_restore(&key, fixture_secret(), plen);
		require_truth(table, set, key.number);
	}
}

static void check_random(unsigned int plen, u64 entries)
{
	struct kcuckoo_search *search = fixture_search();
	struct kcuckoo_number number = number_random(plen);
	struct kcuckoo_store table;
	struct kcuckoo_layout layout;
	struct number_set set;
	u64 i;

	fixture_fit(&layout, plen, 2, entries);
	fixture_inet(&table, &layout, fixture_secret());
	number_set_init(&set, entries);
	for (i = 0; i < entries; i++) {
		/* Half of them follow upon one another. */
		number = number_of((number_wide(number) + 1) &
				   number_wide(number_last(plen)));
		if (i % 2)
			add(&table, &set, number_random(plen), search);
		else
			add(&table, &set, number, search);
	}
	require_list(&table, &set);
	for (i = 0; i <= set.mask; i++) {
		if (!set.used[i])
			continue;
		require_neighbours(&table, &set, set.numbers[i]);
		if (!layout.bitmap)
			require_twins(&table, &set, set.numbers[i]);
		require_truth(&table, &set, number_random(plen));
	}
	fixture_inet_free(&table);
	number_set_free(&set);
	tap_free(search);
}

static void test_random(void)
{
	unsigned int plen;

	for (plen = 9; plen <= 128; plen++)
		check_random(plen, 1 + random_below(1200));
}

static void test_random_large(void)
{
	check_random(32, 60000);
	check_random(64, 30000);
	check_random(128, 30000);
}

/* Lengths 0 to 8, always bitmaps: added, looked up, deleted one by one. */
static void test_short(void)
{
	unsigned int plen;

	for (plen = 0; plen <= 8; plen++) {
		struct kcuckoo_store table;
		struct kcuckoo_layout layout;
		struct number_set set;
		struct kcuckoo_number number = { 0, 0 };

		fixture_fit(&layout, plen, 2, 1);
		tap_require(layout.bitmap, "plen %u", plen);
		fixture_inet(&table, &layout, fixture_secret());
		number_set_init(&set, 256);
		for (; number.lo < 1ULL << plen; number.lo++) {
			require_truth(&table, &set, number);
			if (random_below(2) || !plen)
				add(&table, &set, number, NULL);
		}
		require_all(&table, &set);
		for (number.lo = 0; number.lo < 1ULL << plen; number.lo++)
			if (number_set_has(&set, number))
				kcuckoo_store_clear(&table, number.lo);
		tap_require(!table.table.entries, "plen %u", plen);
		tap_require(!table.table.tags[0], "plen %u", plen);
	}
}

/* One table of each kind goes through the same; they always agree. */
static void check_kinds(unsigned int plen)
{
	struct kcuckoo_layout layout[2];
	struct kcuckoo_search *search = fixture_search();
	struct kcuckoo_store table[2];
	struct kcuckoo_number number = { 0, 0 };
	int i;
	int n;

	layout[0] = fixture_bitmap(plen);
	layout[1] = fixture_layout(plen, 2, (1U << plen) / 5);
	for (n = 0; n < 2; n++)
		fixture_inet(&table[n], &layout[n], fixture_secret());
	for (i = 0; i < 20000; i++) {
		struct kcuckoo_key key;
		u64 place[2];

		number.lo = random_below(1ULL << plen);
		key = make_key(&table[0], number);
		for (n = 0; n < 2; n++)
			place[n] = fixture_inet_find(&table[n], &key);
		tap_require((place[0] == KCUCKOO_NO_PLACE) ==
			    (place[1] == KCUCKOO_NO_PLACE), "plen %u, %llu",
			    plen, number.lo);
		for (n = 0; n < 2; n++) {
			if (place[n] != KCUCKOO_NO_PLACE)
				kcuckoo_store_clear(&table[n], place[n]);
			else
				fixture_inet_add(&table[n], &key, search);
		}
		tap_require(table[0].table.entries == table[1].table.entries,
			    "plen %u", plen);
	}
	for (number.lo = 0; number.lo < 1ULL << plen; number.lo++) {
		struct kcuckoo_key key = make_key(&table[0], number);

		tap_require(fixture_inet_contains(&table[0], &key) ==
			    fixture_inet_contains(&table[1], &key),
			    "plen %u, %llu", plen, number.lo);
	}
}

static void test_kinds(void)
{
	unsigned int plen;

	for (plen = 9; plen <= 16; plen++)
		check_kinds(plen);
}

/* Buckets, and a bitmap's words, follow upon one another without gaps. */
static void check_walk(const struct kcuckoo_layout *layout, u64 size)
{
	struct kcuckoo_store table;
	u64 places;
	u64 place;

	fixture_inet(&table, layout, fixture_secret());
	places = kcuckoo_store_places(&table);
	for (place = 0; place < places; place++) {
		u64 next = kcuckoo_store_next_bucket(&table, place);
		u64 end = (place / size + 1) * size;

		tap_require(next == (end < places ? end : places), "%llu",
			    place);
	}
	fixture_inet_free(&table);
}

static void test_walk(void)
{
	struct kcuckoo_layout layout;
	unsigned int i;

	for (i = 0; i <= 12; i++) {
		layout = fixture_bitmap(i);
		check_walk(&layout, 64);
	}
	for (i = 0; i <= 3; i++) {
		layout = fixture_layout(32, i, 77);
		check_walk(&layout, 1ULL << i);
	}
}

/* A free place at or behind the wished one is taken where there is any. */
static void test_vacant(void)
{
	struct kcuckoo_layout layout = fixture_layout(32, 1, 301);
	struct kcuckoo_store table;
	int i;

	fixture_inet(&table, &layout, fixture_secret());
	for (i = 0; i < 20000; i++) {
		struct kcuckoo_key key;
		struct kcuckoo_probe probe;
		u64 from = random_below(603);
		u64 place;
		u64 one;
		u64 two;

		key = make_key(&table, number_random(32));
		kcuckoo_store_probe(&table, &key, &probe);
		one = kcuckoo_table_bucket_vacant(&table.table,
						  probe.bucket[0]);
		two = kcuckoo_table_bucket_vacant(&table.table,
						  probe.bucket[1]);
		place = kcuckoo_store_vacant(&table, &key, &probe, from);
		tap_require(place == one || place == two, "%llu", place);
		if (place == KCUCKOO_NO_PLACE || place < from)
			tap_require((one == KCUCKOO_NO_PLACE || one < from) &&
				    (two == KCUCKOO_NO_PLACE || two < from),
				    "%llu or %llu, not %llu", one, two, place);
		tap_require(place != KCUCKOO_NO_PLACE ||
			    (one == place && two == place), "%llu", place);
		if (place != KCUCKOO_NO_PLACE && table.table.entries < 450)
			kcuckoo_store_put(&table, place, &probe);
	}
}

static const struct tap_test tests[] = {
	{ "inet.exhaustive: all numbers, every small m, three loads",
	  test_exhaustive_m },
	{ "inet.exhaustive: all numbers of 9 to 16 bits, every b",
	  test_exhaustive_plen },
	{ "inet.exhaustive: more buckets than numbers",
	  test_exhaustive_wide },
	{ "inet.random: near misses of any length to 128", test_random },
	{ "inet.random: the same in large tables", test_random_large },
	{ "inet.short: lengths 0 to 8", test_short },
	{ "inet.kinds: bitmap and table agree", test_kinds },
	{ "inet.walk: buckets without gaps", test_walk },
	{ "inet.vacant: behind the cursor where there is room", test_vacant },
};

int main(int argc, char **argv)
{
	return tap_main(argc, argv, tests, TAP_COUNT(tests));
}
