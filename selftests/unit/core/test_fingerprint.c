// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tables of fingerprints: the rate of false positives is that of Fan et al.,
 * section 4, 1 - (1 - 1/2^f)^(2b alpha), about 2b alpha / 2^f; a key that is in
 * is never missed; copies are counted.
 */
#include "fixture.h"

/* Keys are strings: the set they are of, and their number there. */
static void probe_key(const struct kcuckoo_table *table, u32 set, u64 n,
		      struct kcuckoo_probe *probe)
{
	u64 words[2] = { n, set };
	u64 hash = kcuckoo_hash_bytes(fixture_secret(), (u8 *)words, 12);

	kcuckoo_table_probe_hash(table, hash, probe);
}

static u64 fill(struct kcuckoo_table *table, u64 keys)
{
	struct kcuckoo_search *search = fixture_search();
	struct kcuckoo_probe probe;
	u64 n;

	for (n = 0; n < keys; n++) {
		probe_key(table, 1, n, &probe);
		if (fixture_add(table, &probe, search) == KCUCKOO_NO_PLACE)
			break;
	}
	tap_free(search);
	return n;
}

static void require_found(const struct kcuckoo_table *table, u64 keys)
{
	struct kcuckoo_probe probe;
	u64 n;

	for (n = 0; n < keys; n++) {
		probe_key(table, 1, n, &probe);
		tap_require(kcuckoo_table_contains(table, &probe),
			    "key %llu of %llu", n, keys);
	}
}

/*
 * The rate is measured and compared with the expected one: no more than 1.05
 * times as much, and, so that the measurement is known to measure, no less
 * than 0.93 times, each with five standard deviations of the noise.
 */
static void check_rate(u32 nbuckets, unsigned int shift, unsigned int bits,
		       double load, u64 probes)
{
	struct kcuckoo_table_params params = {
		.nbuckets = nbuckets, .bucket_shift = shift, .tag_bits = bits,
	};
	u64 keys = (u64)(load * (double)((u64)nbuckets << shift));
	struct kcuckoo_table table;
	struct kcuckoo_probe probe;
	double expected;
	double noise;
	u64 hits = 0;
	u64 n;

	fixture_table(&table, &params);
	tap_require(fill(&table, keys) == keys, "m %u, load %.2f", nbuckets,
		    load);
	require_found(&table, keys);
	for (n = 0; n < probes; n++) {
		probe_key(&table, 2, n, &probe);
		hits += kcuckoo_table_contains(&table, &probe);
	}
	expected = (double)(2U << shift) * load / (double)(1ULL << bits);
	expected *= (double)probes;
	noise = 5 * sqrt(expected);
	printf("# b %u, m %u, f %u, load %.2f: %llu hits, %.0f expected\n",
	       1U << shift, nbuckets, bits, load, hits, expected);
	tap_require((double)hits < 1.05 * expected + noise, "too many");
	tap_require((double)hits > 0.93 * expected - noise, "too few");
	fixture_table_free(&table);
}

static void test_rate_8(void)
{
	check_rate(1024, 2, 8, 0.95, 400000);
	check_rate(1025, 2, 8, 0.95, 400000);
	check_rate(3001, 2, 8, 0.95, 400000);
	check_rate(100003, 2, 8, 0.95, 1000000);
	check_rate(5003, 1, 8, 0.80, 400000);
	check_rate(5003, 3, 8, 0.95, 400000);
}

static void test_rate_12(void)
{
	check_rate(1024, 2, 12, 0.95, 2000000);
	check_rate(1999, 2, 12, 0.95, 2000000);
	check_rate(65537, 2, 12, 0.95, 2000000);
	check_rate(65536, 2, 12, 0.50, 2000000);
}

static void test_rate_16(void)
{
	check_rate(1024, 2, 16, 0.95, 4000000);
	check_rate(50021, 2, 16, 0.95, 4000000);
	check_rate(131072, 2, 16, 0.95, 4000000);
}

/*
 * A large table, where log2(m) + f is more than 32: a hash with fewer good bits
 * would show many times the expected rate.
 */
static void test_rate_large(void)
{
	check_rate((1U << 21) - 9, 2, 16, 0.08, 6000000);
	check_rate((1U << 21) - 9, 2, 24, 0.08, 6000000);
}

/* Every width that leaves few false positives, full to the first failure. */
static void test_members(void)
{
	unsigned int shift;
	unsigned int bits;

	for (shift = 0; shift <= 3; shift++) {
		for (bits = 1; bits <= 64; bits++) {
			struct kcuckoo_table_params params = {
				.nbuckets = 300 + random_below(99),
				.bucket_shift = shift, .tag_bits = bits,
			};
			struct kcuckoo_table table;
			u64 keys;

			fixture_table(&table, &params);
			keys = fill(&table, ~0ULL);
			tap_require(keys == table.entries, "%llu", keys);
			tap_require(keys == fixture_used(&table), "%llu", keys);
			require_found(&table, keys);
			fixture_table_free(&table);
		}
	}
}

/* Deleting some keys, whatever entries that takes, never loses the others. */
static void test_delete(void)
{
	struct kcuckoo_table_params params = {
		.nbuckets = 1531, .bucket_shift = 2, .tag_bits = 6,
	};
	struct kcuckoo_table table;
	struct kcuckoo_probe probe;
	u64 keys;
	u64 place;

	fixture_table(&table, &params);
	keys = fill(&table, ~0ULL);
	while (keys) {
		probe_key(&table, 1, --keys, &probe);
		place = kcuckoo_table_find(&table, &probe);
		tap_require(place != KCUCKOO_NO_PLACE, "key %llu", keys);
		kcuckoo_table_clear(&table, place);
		if (keys % 64 == 0)
			require_found(&table, keys);
	}
	tap_require(fixture_empty(&table), "all deleted");
}

/* Entries that agree with a key, in both of its buckets. */
static u32 count(const struct kcuckoo_table *table,
		 const struct kcuckoo_probe *probe)
{
	u32 entries = 1U << table->params.bucket_shift;
	u32 copies = 0;
	u32 side;
	u32 i;

	for (side = 0; side < 2; side++)
		for (i = 0; i < entries; i++)
			copies += kcuckoo_table_tag(table, (u64)entries *
						    probe->bucket[side] + i) ==
				  probe->tag[side];
	return copies;
}

/* Each copy is an entry; 2b of them fit, among many other keys. */
static void check_copies(unsigned int shift, u32 nbuckets)
{
	struct kcuckoo_table_params params = {
		.nbuckets = nbuckets, .bucket_shift = shift, .tag_bits = 20,
	};
	struct kcuckoo_search *search = fixture_search();
	u64 keys = ((u64)nbuckets << shift) / (shift == 1 ? 4 : 2);
	struct kcuckoo_table table;
	struct kcuckoo_probe probe;
	u64 key = 0;
	u32 copies;

	fixture_table(&table, &params);
	fill(&table, keys);
	do {
		probe_key(&table, 3, key++, &probe);
	} while (probe.bucket[0] == probe.bucket[1] ||
		 !fixture_movable(&table, &probe));
	for (copies = 0; copies < 2U << shift; copies++) {
		tap_require(count(&table, &probe) == copies, "%u", copies);
		tap_require(fixture_add(&table, &probe, search) !=
			    KCUCKOO_NO_PLACE, "copy %u", copies);
	}
	tap_require(fixture_add(&table, &probe, search) == KCUCKOO_NO_PLACE,
		    "copy %u", copies);
	require_found(&table, keys);
	for (; copies; copies--) {
		tap_require(count(&table, &probe) == copies, "%u", copies);
		kcuckoo_table_clear(&table, kcuckoo_table_find(&table, &probe));
	}
	tap_require(!kcuckoo_table_contains(&table, &probe), "all gone");
	tap_require(table.entries == keys, "%llu", table.entries);
	require_found(&table, keys);
	fixture_table_free(&table);
	tap_free(search);
}

static void test_copies(void)
{
	unsigned int shift;

	for (shift = 1; shift <= 3; shift++) {
		check_copies(shift, 512);
		check_copies(shift, 1021);
	}
}

static const struct tap_test tests[] = {
	{ "fingerprint.rate: as expected with 8 bits", test_rate_8 },
	{ "fingerprint.rate: as expected with 12 bits", test_rate_12 },
	{ "fingerprint.rate: as expected with 16 bits", test_rate_16 },
	{ "fingerprint.rate: as expected where 32 bits of hash are too few",
	  test_rate_large },
	{ "fingerprint.members: none is missed, for every b and f",
	  test_members },
	{ "fingerprint.delete: what is left is found", test_delete },
	{ "fingerprint.copies: 2b of one key, counted and deleted one by one",
	  test_copies },
};

int main(int argc, char **argv)
{
	return tap_main(argc, argv, tests, TAP_COUNT(tests));
}
