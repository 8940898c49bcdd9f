// SPDX-License-Identifier: GPL-2.0-only
/*
 * The table: every bucket size, every width, any number of buckets, against a
 * plain array of tags.
 */
#include "fixture.h"

/* Odd numbers of buckets, so that nothing leans on powers of two. */
static const u32 odd[] = { 1, 3, 7, 33, 101 };

static const u32 sizes[] = {
	1, 2, 3, 4, 5, 7, 16, 17, 63, 64, 65, 255, 1000, 1024, 1025,
};

/* A key of a table with plain tags: the hash of a counted number. */
static void probe_key(const struct kcuckoo_table *table, u32 n,
		      struct kcuckoo_probe *probe)
{
	u64 hash = kcuckoo_hash_words(fixture_secret(), n, 0, 99);

	kcuckoo_table_probe_hash(table, hash, probe);
}

static void each_params(void (*check)(const struct kcuckoo_table_params *params))
{
	struct kcuckoo_table_params params = { 0 };
	unsigned int shift;
	unsigned int width;
	unsigned int i;

	for (shift = 0; shift <= 3; shift++) {
		for (width = 1; width <= 64; width++) {
			for (i = 0; i < TAP_COUNT(odd); i++) {
				params.nbuckets = odd[i];
				params.bucket_shift = shift;
				params.tag_bits = width;
				check(&params);
			}
		}
	}
}

static void require_found(const struct kcuckoo_table *table, u32 key)
{
	const struct kcuckoo_table_params *params = &table->params;
	struct kcuckoo_probe probe;
	u64 place;
	u32 bucket;

	probe_key(table, key, &probe);
	tap_require(kcuckoo_table_contains(table, &probe),
		    "b 2^%u, w %u, m %u", params->bucket_shift,
		    params->tag_bits, params->nbuckets);
	place = kcuckoo_table_find(table, &probe);
	tap_require(place < kcuckoo_table_places(table),
		    "b 2^%u, w %u, m %u", params->bucket_shift,
		    params->tag_bits, params->nbuckets);
	bucket = kcuckoo_table_bucket(table, place);
	tap_require(bucket == probe.bucket[0] || bucket == probe.bucket[1],
		    "bucket %u", bucket);
	tap_require(kcuckoo_table_tag(table, place) == probe.tag[0],
		    "place %llu", place);
}

/*
 * Fills a table as far as it goes without moves, finds every key at every
 * step, and deletes all until nothing is left, in each of the planes.
 */
static void check_life(const struct kcuckoo_table_params *params)
{
	struct kcuckoo_table table;
	u32 *keys = tap_zalloc(2048 * sizeof(*keys));
	u32 count = 0;
	u32 key;
	u32 i;

	fixture_table(&table, params);
	for (key = 0; key < 2 * kcuckoo_table_places(&table); key++) {
		struct kcuckoo_probe probe;
		u64 place;

		probe_key(&table, key, &probe);
		place = kcuckoo_table_bucket_vacant(&table, probe.bucket[key & 1]);
		if (place == KCUCKOO_NO_PLACE)
			continue;
		kcuckoo_table_put(&table, place, &probe);
		keys[count++] = key;
		require_found(&table, key);
		require_found(&table, keys[random_below(count)]);
	}
	tap_require(table.entries == count, "%llu", table.entries);
	tap_require(fixture_used(&table) == count, "of %u", count);
	while (count) {
		struct kcuckoo_probe probe;

		for (i = 0; i < count; i += 1 + count / 8)
			require_found(&table, keys[i]);
		i = random_below(count);
		probe_key(&table, keys[i], &probe);
		keys[i] = keys[--count];
		kcuckoo_table_clear(&table, kcuckoo_table_find(&table, &probe));
		tap_require(table.entries == count, "%llu", table.entries);
	}
	tap_require(fixture_empty(&table), "w %u", params->tag_bits);
	fixture_table_free(&table);
	tap_free(keys);
}

static void test_life(void)
{
	each_params(check_life);
}

/* Tags that the comparison of whole words could take for one another. */
static u64 near_tag(unsigned int width)
{
	u64 all = kcuckoo_bits_mask(width);

	switch (random_below(6)) {
	case 0:
		return 1;
	case 1:
		return all;
	case 2:
		return (all - 1) & all ? (all - 1) & all : 1;
	case 3:
		return 1ULL << (width - 1);
	case 4:
		return all >> 1 ? all >> 1 : 1;
	default:
		return 1 + random_below(all);
	}
}

/* Everything that can be seen of a bucket, compared with the array's. */
static void require_bucket(const struct kcuckoo_table *table, const u64 *tags,
			   u32 bucket, u64 tag)
{
	struct kcuckoo_probe probe = {
		.bucket = { bucket, bucket }, .tag = { tag, tag },
	};
	unsigned int width = table->params.tag_bits;
	u64 first = (u64)bucket << table->params.bucket_shift;
	u64 place = first + (1U << table->params.bucket_shift);
	u64 found = KCUCKOO_NO_PLACE;
	u64 vacant = KCUCKOO_NO_PLACE;

	while (place-- > first) {
		tap_require(kcuckoo_table_tag(table, place) == tags[place],
			    "w %u", width);
		found = tags[place] == tag ? place : found;
		vacant = tags[place] ? vacant : place;
	}
	kcuckoo_table_prefetch(table, &probe);
	tap_require(kcuckoo_table_find(table, &probe) == found, "w %u", width);
	tap_require(kcuckoo_table_contains(table, &probe) ==
		    (found != KCUCKOO_NO_PLACE), "w %u", width);
	tap_require(kcuckoo_table_bucket_vacant(table, bucket) == vacant,
		    "w %u", width);
}

/* What is asked for ends where a look-up's last load does: word or bucket. */
static void require_span(const struct kcuckoo_table *table)
{
	u64 bit, last, most = 0;
	u32 bucket;

	for (bucket = 0; bucket < 8; bucket++) {
		bit = (u64)bucket * table->bucket_bits;
		last = bit + (table->nr_direct ? 64 : table->bucket_bits) - 1;
		if (last / 8 - bit / 8 > most)
			most = last / 8 - bit / 8;
	}
	tap_require(table->prefetch_span == most, "w %u: %u",
		    table->params.tag_bits, table->prefetch_span);
}

/* Sets any place to any tag or frees it, and does the same to an array. */
static void check_array(const struct kcuckoo_table_params *params)
{
	unsigned int width = params->tag_bits;
	struct kcuckoo_table table;
	u64 places;
	u64 *tags;
	u32 i;

	fixture_table(&table, params);
	require_span(&table);
	places = kcuckoo_table_places(&table);
	tags = tap_zalloc(places * sizeof(*tags));
	for (i = 0; i < 300; i++) {
		u64 place = random_below(places);
		u32 bucket = place >> params->bucket_shift;
		u64 tag = near_tag(width);
		struct kcuckoo_probe probe = {
			.bucket = { bucket, bucket }, .tag = { tag, tag }, .aux = 0,
		};

		if (tags[place])
			kcuckoo_table_clear(&table, place);
		tags[place] = random_below(4) ? tag : 0;
		if (tags[place])
			kcuckoo_table_put(&table, place, &probe);
		require_bucket(&table, tags, bucket, near_tag(width));
	}
	for (i = 0; i < params->nbuckets; i++)
		require_bucket(&table, tags, i, near_tag(width));
	fixture_table_free(&table);
	tap_free(tags);
}

static void test_array(void)
{
	each_params(check_array);
}

/* The planes are as large as needed, and no larger. */
static void check_words(const struct kcuckoo_table_params *params)
{
	u64 places = (u64)params->nbuckets << params->bucket_shift;
	struct kcuckoo_table_params other = *params;
	u64 words = kcuckoo_table_params_tag_words(params);

	tap_require(words == (places * params->tag_bits + 63) / 64,
		    "%llu words", words);
	tap_require(!kcuckoo_table_params_aux_words(params), "no second plane");
	other.aux_bits = params->tag_bits;
	tap_require(kcuckoo_table_params_aux_words(&other) == words,
		    "%llu words", words);
}

static void test_words(void)
{
	struct kcuckoo_table_params large = {
		.nbuckets = KCUCKOO_BUCKETS_MAX, .bucket_shift = 3,
		.tag_bits = 64, .aux_bits = 63,
	};

	each_params(check_words);
	tap_require(kcuckoo_table_params_tag_words(&large) == 1ULL << 34, "2^31");
	tap_require(kcuckoo_table_params_aux_words(&large) == 63ULL << 28, "2^31");
}

/* The alternate of the alternate is the bucket, for plain and exact tags. */
static void check_alternate(u32 nbuckets, bool exact)
{
	struct kcuckoo_table_params params = {
		.nbuckets = nbuckets, .bucket_shift = 2, .tag_bits = 64,
		.exact = exact,
	};
	struct kcuckoo_hash_key key = fixture_key();
	struct kcuckoo_table table;
	u32 bucket;
	int i;

	/* Nothing of the planes is touched here. */
	kcuckoo_table_init(&table, &params, NULL, NULL, &key);
	for (i = 0; i < 100; i++) {
		u64 tag = i < 50 ? i + 1ULL : random_edge(64) | 1;
		u64 back = exact ? ((tag - 1) ^ 1) + 1 : tag;

		for (bucket = 0; bucket < nbuckets;
		     bucket += 1 + random_below(nbuckets / 500 + 1)) {
			u32 other = kcuckoo_table_alternate(&table, bucket,
							    tag);

			tap_require(other < nbuckets, "%u of %u", other,
				    nbuckets);
			tap_require((other + bucket) % 2 || nbuckets % 2,
				    "%u and %u of %u", bucket, other, nbuckets);
			tap_require(kcuckoo_table_alternate(&table, other,
							    back) == bucket,
				    "bucket %u of %u, tag %llu", bucket,
				    nbuckets, tag);
		}
	}
}

static void test_alternate(void)
{
	static const u32 large[] = { 100003, 1U << 20, KCUCKOO_BUCKETS_MAX - 1,
				     KCUCKOO_BUCKETS_MAX };
	unsigned int i;

	for (i = 0; i < TAP_COUNT(sizes); i++) {
		check_alternate(sizes[i], false);
		check_alternate(sizes[i], true);
	}
	for (i = 0; i < TAP_COUNT(large); i++) {
		check_alternate(large[i], false);
		check_alternate(large[i], true);
	}
}

/*
 * Alternates spread over all buckets, whatever their number; if that is even,
 * over every second one.
 */
static void test_alternate_spread(void)
{
	struct kcuckoo_table_params params = { .tag_bits = 32 };
	unsigned int i;
	u64 tag;

	for (i = 3; i < TAP_COUNT(sizes); i++) {
		struct kcuckoo_hash_key key = fixture_key();
		u32 step = 1 + (sizes[i] % 2 == 0);
		u32 cells = sizes[i] / step;
		u64 *counts = tap_zalloc(cells * sizeof(*counts));
		struct kcuckoo_table table;
		double squares;

		params.nbuckets = sizes[i];
		kcuckoo_table_init(&table, &params, NULL, NULL, &key);
		for (tag = 1; tag <= 64ULL * cells; tag++)
			counts[kcuckoo_table_alternate(&table, 1, tag) / step]++;
		squares = random_evenness(counts, cells);
		tap_require(squares < random_chi_square(cells - 1) * 1.5,
			    "m %u: %.0f", sizes[i], squares);
	}
}

/*
 * Fingerprints are never 0, and each of them is about as frequent as any other.
 * Counted numbers are hashed here, for which jhash is not quite even.
 */
static void check_fingerprint(const struct kcuckoo_table_params *params)
{
	u64 cells = kcuckoo_bits_mask(params->tag_bits);
	u64 *counts = tap_zalloc(cells * sizeof(*counts));
	struct kcuckoo_hash_key key = fixture_key();
	struct kcuckoo_table table;
	struct kcuckoo_probe probe;
	u32 n;

	kcuckoo_table_init(&table, params, NULL, NULL, &key);
	for (n = 0; n < 40 * cells; n++) {
		probe_key(&table, n, &probe);
		tap_require(probe.tag[0] && probe.tag[0] <= cells, "%llu",
			    probe.tag[0]);
		tap_require(probe.tag[1] == probe.tag[0], "%llu", probe.tag[1]);
		tap_require(probe.bucket[0] < params->nbuckets, "%u",
			    probe.bucket[0]);
		tap_require(probe.bucket[1] ==
			    kcuckoo_table_alternate(&table, probe.bucket[0],
						    probe.tag[0]),
			    "%u", probe.bucket[1]);
		counts[probe.tag[0] - 1]++;
	}
	if (cells > 1)
		tap_require(random_evenness(counts, cells) <
			    random_chi_square(cells - 1) * 3, "w %u, m %u",
			    params->tag_bits, params->nbuckets);
	tap_free(counts);
}

static void test_fingerprint(void)
{
	struct kcuckoo_table_params params = { .bucket_shift = 2 };
	unsigned int width;
	unsigned int i;

	for (i = 0; i < TAP_COUNT(sizes); i++) {
		for (width = 1; width <= 10; width++) {
			params.nbuckets = sizes[i];
			params.tag_bits = width;
			check_fingerprint(&params);
		}
	}
}

static const struct tap_test tests[] = {
	{ "table.words: planes are as large as needed", test_words },
	{ "table.life: every b, w and odd m, from empty to full and back",
	  test_life },
	{ "table.array: tags, finds and free places as in an array",
	  test_array },
	{ "table.alternate: its own inverse for every m", test_alternate },
	{ "table.alternate: spreads over all buckets",
	  test_alternate_spread },
	{ "table.fingerprint: never 0, all as frequent", test_fingerprint },
};

int main(int argc, char **argv)
{
	return tap_main(argc, argv, tests, TAP_COUNT(tests));
}
