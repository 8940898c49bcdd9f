// SPDX-License-Identifier: GPL-2.0-only
/*
 * From a rate of false positives and a capacity to a table: the fewest bits, the
 * least memory, room that is there in practice; and layouts that are told, of
 * which only those are taken that there can be.
 */
#include "fixture.h"
#include "core/rate.h"

/* Does a fingerprint of so many bits keep the rate? Exact, below 2^64. */
static bool keeps(unsigned int bits, u32 fpr, unsigned int shift)
{
	long double tags = (long double)kcuckoo_bits_mask(bits);

	return (long double)(2U << shift) / tags <=
	       (long double)fpr / 4294967296.0L;
}

static void require_least(u32 fpr, unsigned int shift, bool sorted)
{
	unsigned int least = sorted ? KCUCKOO_SEMISORT_MIN : 1;
	struct kcuckoo_table_params params = { .sorted = sorted };
	bool found = kcuckoo_rate_fit(&params, fpr, 1U << shift, 1000);

	while (least <= KCUCKOO_FINGERPRINT_MAX && !keeps(least, fpr, shift))
		least++;
	tap_require(found == (least <= KCUCKOO_FINGERPRINT_MAX),
		    "b %u, %u: %d", 1U << shift, fpr, found);
	tap_require(!found || (params.tag_bits == least &&
			       params.bucket_shift == shift), "b %u, %u: f %u",
		    1U << shift, fpr, params.tag_bits);
}

/* At every rate that just needs one bit more, and at others. */
static void test_bits(void)
{
	unsigned int shift;
	unsigned int bits;
	int i;

	for (shift = 0; shift <= 3; shift++) {
		for (bits = 1; bits <= 32; bits++) {
			u64 edge = (2ULL << (32 + shift)) /
				   kcuckoo_bits_mask(bits);

			for (i = -1; i <= 2; i++) {
				u64 fpr = edge + i;

				if (!fpr || fpr >> 32)
					continue;
				require_least(fpr, shift, false);
				if (shift == 2)
					require_least(fpr, shift, true);
			}
		}
		for (i = 0; i < 5000; i++) {
			u32 fpr = random_edge(1 + random_below(32));

			require_least(fpr ? fpr : 1, shift, false);
		}
		require_least(1, shift, false);
		require_least(~0U, shift, false);
	}
}

/* Words of the planes with so many entries per bucket; ~0 without room. */
static u64 words_with(const struct kcuckoo_table_params *params, u32 fpr,
		      unsigned int shift, u64 capacity)
{
	struct kcuckoo_table_params chosen = *params;
	struct kcuckoo_layout layout;

	if (!kcuckoo_rate_fit(&chosen, fpr, 1U << shift, capacity))
		return ~0ULL;
	kcuckoo_layout_fit(&layout, &chosen, 0, capacity);
	if (kcuckoo_layout_room(&layout) < capacity)
		return ~0ULL;
	return kcuckoo_layout_tag_words(&layout) +
	       kcuckoo_layout_aux_words(&layout);
}

static void check_best(const struct kcuckoo_table_params *params, u32 fpr,
		       u64 capacity)
{
	struct kcuckoo_table_params chosen = *params;
	u64 least = ~0ULL;
	unsigned int shift;
	u64 words;

	if (!kcuckoo_rate_fit(&chosen, fpr, 0, capacity))
		return;
	for (shift = 1; shift <= 3; shift++) {
		words = words_with(params, fpr, shift, capacity);
		if (params->sorted && shift != 2)
			continue;
		least = words < least ? words : least;
	}
	words = words_with(params, fpr, chosen.bucket_shift, capacity);
	tap_require(words == least, "rate %u, capacity %llu: b %u, %llu, not %llu",
		    fpr, capacity, 1U << chosen.bucket_shift, words, least);
}

/* Neither two, four nor eight entries take less, up to the largest tables. */
static void test_best(void)
{
	int i;

	for (i = 0; i < 4000; i++) {
		const struct kcuckoo_table_params params = {
			.value_bits = i % 3 ? 0 : random_below(33),
			.expiry_bits = i % 5 ? 0 : 32,
		};
		const struct kcuckoo_table_params sorted = { .sorted = true };
		u32 fpr = random_edge(1 + random_below(32));
		u64 capacity = 1 + random_below(1ULL << random_below(35));

		check_best(&params, fpr ? fpr : 1, capacity);
		check_best(&sorted, fpr ? fpr : 1, capacity);
	}
}

/*
 * Adds as many distinct keys as the layout is for. Returns how many were added
 * before there was no room.
 */
static u64 fill(const struct kcuckoo_table_params *params, u64 capacity)
{
	struct kcuckoo_search *search = fixture_search();
	struct kcuckoo_layout layout;
	struct kcuckoo_table table;
	struct kcuckoo_probe probe;
	u64 n;

	kcuckoo_layout_fit(&layout, params, 0, capacity);
	tap_require(kcuckoo_layout_room(&layout) >= capacity,
		    "b %u, f %u: %llu", 1U << params->bucket_shift,
		    params->tag_bits, capacity);
	fixture_table(&table, &layout.params);
	for (n = 0; n < capacity; n++) {
		u64 hash = kcuckoo_hash_bytes(fixture_secret(), (u8 *)&n, sizeof(n));

		kcuckoo_table_probe_hash(&table, hash, &probe);
		if (fixture_add(&table, &probe, search) == KCUCKOO_NO_PLACE)
			break;
	}
	fixture_table_free(&table);
	tap_free(search);
	return n;
}

static void require_room(const struct kcuckoo_table_params *params, u64 capacity)
{
	u64 filled = fill(params, capacity);

	tap_require(filled == capacity, "b %u, f %u: %llu of %llu",
		    1U << params->bucket_shift, params->tag_bits, filled, capacity);
}

/* The fewest bits with which tables fill alike, by log2 of the entries. */
static const u8 wide[] = { 13, 8, 6, 4 };

/* Four and eight entries, and small capacities, where tables are most unlike. */
static void test_room(void)
{
	struct kcuckoo_table_params params = {};
	unsigned int shift;
	unsigned int bits;
	int i;

	for (shift = 2; shift <= 3; shift++) {
		for (bits = wide[shift]; bits <= KCUCKOO_FINGERPRINT_MAX;
		     bits++) {
			params.bucket_shift = shift;
			params.tag_bits = bits;
			for (i = 0; i < 5; i++)
				require_room(&params, 1 + random_below(15000));
			params.sorted = shift == 2;
			require_room(&params, 1 + random_below(15000));
			params.sorted = false;
		}
	}
}

/*
 * Fewer entries or bits leave so few ways that now and then keys are in each
 * other's way in a table that has room; but not in one of twenty.
 */
static void test_room_narrow(void)
{
	struct kcuckoo_table_params params = {};
	unsigned int tables = 0;
	unsigned int full = 0;
	unsigned int shift;
	unsigned int bits;
	int i;

	for (shift = 0; shift <= 3; shift++) {
		for (bits = 1; bits < 24; bits++) {
			bool few = bits < wide[shift];

			if (shift > 1 && !few)
				break;
			params.bucket_shift = shift;
			params.tag_bits = bits;
			for (i = 0; i < 10; i++) {
				u64 most = few ? 1500 : 12000;
				u64 capacity = 1 + random_below(most);

				full += fill(&params, capacity) < capacity;
				tables++;
			}
		}
	}
	printf("# %u of %u had no room\n", full, tables);
	tap_require(full * 20 < tables, "%u of %u", full, tables);
}

static void test_room_large(void)
{
	int i;

	for (i = 0; i < 20; i++) {
		const struct kcuckoo_table_params params = {
			.bucket_shift = 2 + i % 2,
			.tag_bits = 8 + random_below(25),
			.sorted = i % 4 == 2,
		};

		require_room(&params, 50000 + random_below(200000));
	}
}

/* The fewest pairs of buckets with room; one less has none. */
static void test_fewest(void)
{
	int i;

	for (i = 0; i < 20000; i++) {
		const struct kcuckoo_table_params params = {
			.bucket_shift = random_below(4),
			.tag_bits = 13 + random_below(20),
		};
		u64 capacity = 1 + random_below(1ULL << random_below(33));
		struct kcuckoo_layout layout;

		kcuckoo_layout_fit(&layout, &params, 0, capacity);
		if (layout.params.nbuckets < KCUCKOO_BUCKETS_MAX)
			tap_require(kcuckoo_layout_room(&layout) >= capacity,
				    "%llu", capacity);
		if (layout.params.nbuckets <= KCUCKOO_FINGERPRINT_BUCKETS_MIN)
			continue;
		tap_require(!(layout.params.nbuckets & 1), "m %u",
			    layout.params.nbuckets);
		layout.params.nbuckets -= 2;
		tap_require(kcuckoo_layout_room(&layout) < capacity, "%llu, m %u",
			    capacity, layout.params.nbuckets);
	}
}

static bool same(const struct kcuckoo_layout *a, const struct kcuckoo_layout *b)
{
	return a->bits == b->bits && a->bitmap == b->bitmap &&
	       (a->bitmap || !memcmp(&a->params, &b->params,
				     sizeof(a->params)));
}

/* A layout, and all that it can grow to, can be told. */
static void require_made(const struct kcuckoo_table_params *params,
			 struct kcuckoo_layout layout)
{
	struct kcuckoo_layout made;

	do {
		memset(&made, 0xff, sizeof(made));
		tap_require(kcuckoo_layout_make(&made, params, layout.bits,
						layout.bitmap ? 0 :
						layout.params.nbuckets,
						layout.params.doublings),
			    "/%u, m %u", layout.bits, layout.params.nbuckets);
		tap_require(same(&made, &layout), "/%u, m %u", layout.bits,
			    layout.params.nbuckets);
	} while (kcuckoo_layout_grow(&layout, &layout));
}

static void test_made(void)
{
	unsigned int i;

	for (i = 0; i < 4000; i++) {
		struct kcuckoo_table_params params = {
			.bucket_shift = i % 4,
			.tag_bits = 1 + i / 4 % 32,
			.value_bits = i % 5 ? 0 : random_below(33),
			.expiry_bits = i % 7 ? 0 : 32,
		};
		u64 entries = 1 + random_below(1ULL << random_below(30));
		struct kcuckoo_layout layout;

		kcuckoo_layout_fit(&layout, &params, 0, entries);
		require_made(&params, layout);
		params.exact = true;
		params.tag_bits = 0;
		kcuckoo_layout_fit(&layout, &params, i % 129, entries);
		require_made(&params, layout);
	}
}

/* Every number of buckets and doublings, against what a part has to have. */
static void test_told(void)
{
	static const u32 hostile[] = {
		32, 33, 63, 64, 0x7fffffff, 0x80000000, 0xfffffffb, 0xfffffffc,
		0xfffffffd, 0xfffffffe, 0xffffffff,
	};
	struct kcuckoo_table_params params = { .bucket_shift = 2 };
	struct kcuckoo_layout layout;
	unsigned int bits;
	u32 nbuckets;
	u32 k;

	for (bits = 1; bits <= 32; bits++) {
		params.tag_bits = bits;
		for (nbuckets = 0; nbuckets < 2100; nbuckets++) {
			for (k = 0; k < 32; k++) {
				bool right = nbuckets >> k >= 64 &&
					     !(nbuckets & ((2U << k) - 1)) &&
					     (!k || k + 4 <= bits);

				tap_require(kcuckoo_layout_make(&layout, &params, 0,
								nbuckets, k) ==
					    right, "f %u, m %u, k %u", bits,
					    nbuckets, k);
			}
		}
		for (k = 0; k < TAP_COUNT(hostile); k++)
			tap_require(!kcuckoo_layout_make(&layout, &params, 0,
							 1U << 31, hostile[k]),
				    "f %u, k %u", bits, hostile[k]);
		tap_require(kcuckoo_layout_make(&layout, &params, 0, 1U << 31, 0),
			    "f %u", bits);
		tap_require(!kcuckoo_layout_make(&layout, &params, 0,
						 (1U << 31) + 1, 0), "f %u",
			    bits);
		tap_require(!kcuckoo_layout_make(&layout, &params, 0, ~0U, 0),
			    "f %u", bits);
	}
}

static void test_told_exact(void)
{
	const struct kcuckoo_table_params params = {
		.bucket_shift = 2, .exact = true,
	};
	struct kcuckoo_layout layout;
	unsigned int plen;
	u32 k;

	for (plen = 0; plen <= 128; plen++) {
		tap_require(kcuckoo_layout_make(&layout, &params, plen, 0, 0) ==
			    (plen < KCUCKOO_BITMAP_BITS_MAX), "/%u", plen);
		tap_require(kcuckoo_layout_make(&layout, &params, plen, 100, 0) ==
			    (plen > KCUCKOO_BITMAP_BITS + 1) ||
			    plen == KCUCKOO_BITMAP_BITS + 1, "/%u", plen);
		tap_require(!kcuckoo_layout_make(&layout, &params, plen, 15, 0),
			    "/%u", plen);
		tap_require(!kcuckoo_layout_make(&layout, &params, plen,
						 (1U << 31) + 1, 0), "/%u",
			    plen);
		for (k = 1; k < 300; k++) {
			tap_require(!kcuckoo_layout_make(&layout, &params, plen,
							 1U << 30, k), "/%u",
				    plen);
			tap_require(!kcuckoo_layout_make(&layout, &params, plen, 0,
							 k), "/%u", plen);
		}
	}
}

static const struct tap_test tests[] = {
	{ "rate.bits: the fewest that keep the rate", test_bits },
	{ "rate.best: none of b = 2, 4 and 8 takes less memory", test_best },
	{ "rate.fewest: buckets, an even number, and two less have no room", test_fewest },
	{ "rate.room: for as many keys as asked for, for b = 4 and 8, every f",
	  test_room },
	{ "rate.room: nearly always for b = 1 and 2, and for short fingerprints",
	  test_room_narrow },
	{ "rate.room: the same for 20 capacities up to 250000",
	  test_room_large },
	{ "rate.made: every layout that is chosen can be told", test_made },
	{ "rate.told: no others of fingerprints", test_told },
	{ "rate.told: no others of exact tables", test_told_exact },
};

int main(int argc, char **argv)
{
	return tap_main(argc, argv, tests, TAP_COUNT(tests));
}
