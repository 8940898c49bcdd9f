// SPDX-License-Identifier: GPL-2.0-only
/*
 * How far tables fill before a search fails for the first time.
 */
#include "fixture.h"

enum kind {
	HASHES,		/* fingerprints of 16 bits */
	ADDRESSES,	/* exact, random IPv4 addresses */
	NETWORKS,	/* exact, IPv4 addresses that follow upon one another */
	PREFIXES,	/* exact, IPv6 networks that follow upon one another */
};

static const char * const kinds[] = {
	"hashes", "addresses", "networks", "prefixes",
};

/* The key with number n, of those that begin at a random one. */
static void probe_key(const struct kcuckoo_table *table, enum kind kind,
		      u64 begin, u64 n, struct kcuckoo_probe *probe)
{
	static const u8 bits[] = { 0, 32, 32, 56 };
	struct kcuckoo_number number = { 0, begin + n };

	if (kind == HASHES) {
		kcuckoo_table_probe_hash(table, random_word(), probe);
		return;
	}
	if (kind == ADDRESSES)
		number.lo *= 0x9e3779b1;
	number.lo &= kcuckoo_bits_mask(bits[kind]);
	number = kcuckoo_permute(fixture_secret(), number, bits[kind]);
	kcuckoo_table_probe_number(table, number.lo, 0, probe);
}

/* Entries of a new table when the first search fails, or @most. */
static u64 fill(u32 nbuckets, unsigned int shift, enum kind kind, u64 most)
{
	struct kcuckoo_layout layout;
	struct kcuckoo_search *search = fixture_search();
	u64 begin = random_word();
	struct kcuckoo_table table;
	struct kcuckoo_probe probe;

	layout = fixture_layout(kind == PREFIXES ? 56 : 32, shift, nbuckets);
	if (kind == HASHES) {
		layout.params.exact = false;
		layout.params.tag_bits = 16;
	}
	fixture_table(&table, &layout.params);
	do {
		probe_key(&table, kind, begin, table.entries, &probe);
	} while (table.entries < most &&
		 fixture_add(&table, &probe, search) != KCUCKOO_NO_PLACE);
	fixture_table_free(&table);
	tap_free(search);
	return table.entries;
}

/* The least load at the first failure, over some tables of each kind. */
static double least_load(u32 nbuckets, unsigned int shift, unsigned int tables)
{
	double places = (double)((u64)nbuckets << shift);
	double least = 1;
	unsigned int i;

	for (i = 0; i < tables; i++) {
		double load = (double)fill(nbuckets, shift, i % 4, ~0ULL) /
			      places;

		if (load < least)
			least = load;
	}
	printf("# b %u, m %u: %.4f\n", 1U << shift, nbuckets, least);
	return least;
}

static void check_load(unsigned int shift, double load)
{
	static const u32 nbuckets[] = { 1024, 1025, 2000, 5000 };
	unsigned int i;

	for (i = 0; i < TAP_COUNT(nbuckets); i++)
		tap_require(least_load(nbuckets[i], shift, 20) >= load, "m %u",
			    nbuckets[i]);
	tap_require(least_load(100003, shift, 4) >= load, "m 100003");
}

static void test_four(void)
{
	check_load(2, 0.95);
}

static void test_eight(void)
{
	check_load(3, 0.98);
}

static void test_two(void)
{
	check_load(1, 0.85);
}

/*
 * What kcuckoo_layout_room() promises fits, in 95 of 100 tables and more.
 */
static void check_room(u32 nbuckets, unsigned int shift, unsigned int tables)
{
	struct kcuckoo_layout layout = fixture_layout(32, shift, nbuckets);
	u64 room = kcuckoo_layout_room(&layout);
	unsigned int fits = 0;
	unsigned int i;

	for (i = 0; i < tables; i++) {
		enum kind kind = ADDRESSES + i % 3;

		fits += fill(nbuckets, shift, kind, room) == room;
	}
	tap_require(fits * 100 >= tables * 95, "b %u, m %u: %u of %u",
		    1U << shift, nbuckets, fits, tables);
}

static void test_room(void)
{
	check_room(16, 2, 300);
	check_room(17, 2, 300);
	check_room(50, 2, 300);
	check_room(127, 2, 300);
	check_room(128, 2, 300);
	check_room(300, 2, 100);
	check_room(1023, 2, 100);
	check_room(1024, 2, 100);
	check_room(5000, 2, 100);
	check_room(16383, 2, 20);
	check_room(16384, 2, 20);
	check_room(100003, 2, 3);
}

static void test_other_room(void)
{
	static const u8 shifts[] = { 0, 1, 3 };
	unsigned int i;

	for (i = 0; i < TAP_COUNT(shifts); i++) {
		check_room(16, shifts[i], 100);
		check_room(127, shifts[i], 100);
		check_room(128, shifts[i], 100);
		check_room(1023, shifts[i], 40);
		check_room(1024, shifts[i], 40);
		check_room(16384, shifts[i], 20);
	}
}

/* No kind of key fills tables less far than random ones. */
static void test_kinds(void)
{
	const u32 nbuckets = 2003;
	double loads[4];
	int kind;
	int i;

	for (kind = HASHES; kind <= PREFIXES; kind++) {
		u64 entries = 0;

		for (i = 0; i < 25; i++)
			entries += fill(nbuckets, 2, kind, ~0ULL);
		loads[kind] = (double)entries / 25 / 4 / nbuckets;
		printf("# %s: %.4f\n", kinds[kind], loads[kind]);
		tap_require(loads[kind] > loads[HASHES] - 0.003, "%s",
			    kinds[kind]);
	}
}

static const struct tap_test tests[] = {
	{ "fill.load: 0.95 and more for b = 4, at any m from 1024", test_four },
	{ "fill.load: 0.98 and more for b = 8", test_eight },
	{ "fill.load: 0.85 and more for b = 2", test_two },
	{ "fill.room: as promised for b = 4, at every size", test_room },
	{ "fill.room: as promised for other b", test_other_room },
	{ "fill.kinds: whole networks fill as far as hashes", test_kinds },
};

int main(int argc, char **argv)
{
	return tap_main(argc, argv, tests, TAP_COUNT(tests));
}
