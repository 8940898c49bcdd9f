// SPDX-License-Identifier: GPL-2.0-only
/*
 * Semi-sorting: numbers and combinations, one to one; buckets that hold what was
 * put there, and nothing that is not written so.
 */
#include "fixture.h"

/* All a <= b <= c <= d below 16 have numbers of their own, without gaps. */
static void test_bijection(void)
{
	bool *seen = tap_zalloc(KCUCKOO_SEMISORT_CODES);
	u32 word;
	u32 count = 0;

	kcuckoo_semisort_init();
	for (word = 0; word < 1 << 16; word++) {
		u64 tags[4];
		unsigned int code;
		int i;

		for (i = 0; i < 4; i++)
			tags[i] = word >> 4 * i & 15;
		if (tags[0] > tags[1] || tags[1] > tags[2] || tags[2] > tags[3])
			continue;
		code = kcuckoo_semisort_encode(tags);
		tap_require(code < KCUCKOO_SEMISORT_CODES, "%04x: %u", word,
			    code);
		tap_require(!seen[code], "%04x: %u", word, code);
		seen[code] = true;
		tap_require(kcuckoo_semisort_decoded[code] == word, "%u: %04x",
			    code, kcuckoo_semisort_decoded[code]);
		for (i = 0; i < 4; i++)
			tap_require(kcuckoo_semisort_low(code, i) == tags[i],
				    "%04x, entry %d", word, i);
		count++;
	}
	tap_require(count == KCUCKOO_SEMISORT_CODES, "%u", count);
	for (; count < 1 << KCUCKOO_SEMISORT_CODE_BITS; count++)
		tap_require(!kcuckoo_semisort_decoded[count], "%u", count);
}

/* By the lowest four bits, then by the others. */
static int compare(const void *left, const void *right)
{
	u64 a = *(const u64 *)left;
	u64 b = *(const u64 *)right;

	if (a % 16 != b % 16)
		return a % 16 < b % 16 ? -1 : 1;
	return (a > b) - (a < b);
}

static void check_encode(const u64 *tags)
{
	u64 sorted[4];
	u64 encoded[4];
	unsigned int code;
	int i;

	memcpy(sorted, tags, sizeof(sorted));
	memcpy(encoded, tags, sizeof(encoded));
	qsort(sorted, 4, sizeof(*sorted), compare);
	code = kcuckoo_semisort_encode(encoded);
	tap_require(!memcmp(sorted, encoded, sizeof(sorted)),
		    "%llx %llx %llx %llx", tags[0], tags[1], tags[2], tags[3]);
	for (i = 0; i < 4; i++)
		tap_require(kcuckoo_semisort_low(code, i) == sorted[i] % 16,
			    "%llx %llx %llx %llx", tags[0], tags[1], tags[2],
			    tags[3]);
}

/* Every four tags of up to five bits, and of 32 bits at random. */
static void test_encode(void)
{
	u64 tags[4];
	u32 word;
	int i;

	kcuckoo_semisort_init();
	for (word = 0; word < 1 << 20; word++) {
		for (i = 0; i < 4; i++)
			tags[i] = word >> 5 * i & 31;
		check_encode(tags);
	}
	for (word = 0; word < 200000; word++) {
		for (i = 0; i < 4; i++)
			tags[i] = i && !random_below(4) ? tags[i - 1] :
							  random_edge(32);
		check_encode(tags);
	}
}

static void table_init(struct kcuckoo_table *table, unsigned int bits,
		       u32 nbuckets)
{
	const struct kcuckoo_table_params params = {
		.nbuckets = nbuckets, .bucket_shift = 2, .tag_bits = bits,
		.sorted = true,
	};

	fixture_table(table, &params);
}

/* The same tags in both, in whatever order, free ones as zeroes. */
static void require_bucket(const struct kcuckoo_table *table, u32 bucket,
			   const u64 *model)
{
	u64 tags[KCUCKOO_BUCKET_SIZE_MAX];
	u64 sorted[4];
	u64 vacant = kcuckoo_table_bucket_vacant(table, bucket);
	int i;

	memcpy(sorted, model, sizeof(sorted));
	qsort(sorted, 4, sizeof(*sorted), compare);
	kcuckoo_table_bucket_tags(table, bucket, tags);
	for (i = 0; i < 4; i++) {
		tap_require(tags[i] == sorted[i], "bucket %u: %llx, not %llx",
			    bucket, tags[i], sorted[i]);
		tap_require(kcuckoo_table_tag(table, 4ULL * bucket + i) ==
			    tags[i], "bucket %u, entry %d", bucket, i);
	}
	tap_require(vacant == (sorted[0] ? KCUCKOO_NO_PLACE : 4ULL * bucket),
		    "bucket %u: %llx", bucket, vacant);
	tap_require(kcuckoo_table_sorted_valid(table, bucket), "bucket %u",
		    bucket);
}

/* Is a tag found in a bucket if and only if the model has it there? */
static void require_find(const struct kcuckoo_table *table, u32 bucket,
			 const u64 *model, u64 tag)
{
	const struct kcuckoo_probe probe = {
		.bucket = { bucket, bucket }, .tag = { tag, tag },
	};
	u64 place = kcuckoo_table_find(table, &probe);
	bool there = false;
	int i;

	for (i = 0; i < 4; i++)
		there |= model[i] == tag;
	tap_require(kcuckoo_table_contains(table, &probe) == there,
		    "bucket %u: %llx", bucket, tag);
	tap_require((place != KCUCKOO_NO_PLACE) == there, "bucket %u: %llx",
		    bucket, tag);
	tap_require(!there || (place >> 2 == bucket &&
			       kcuckoo_table_tag(table, place) == tag),
		    "bucket %u: %llx", bucket, tag);
}

/* Puts, clears and moves between buckets, with one model for each bucket. */
static void turn(struct kcuckoo_table *table, u64 (*model)[4], u64 tag)
{
	u32 bucket = random_below(table->params.nbuckets);
	u32 other = (bucket + 1) % table->params.nbuckets;
	struct kcuckoo_probe probe = {
		.bucket = { bucket, bucket }, .tag = { tag, tag },
	};
	unsigned int entry = random_below(4);
	u64 vacant = kcuckoo_table_bucket_vacant(table, other);
	u64 place = 4ULL * bucket + entry;
	u64 there = kcuckoo_table_tag(table, place);
	int i = 0;
	int j = 0;

	while (i < 3 && model[bucket][i] != there)
		i++;
	if (!there) {
		model[bucket][i] = tag;
		/* Any free place of the bucket will do. */
		kcuckoo_table_put(table, place, &probe);
		return;
	}
	model[bucket][i] = 0;
	if (vacant == KCUCKOO_NO_PLACE || random_below(2)) {
		kcuckoo_table_clear(table, place);
		return;
	}
	while (model[other][j])
		j++;
	model[other][j] = there;
	kcuckoo_table_move(table, place, vacant);
}

static void check_table(unsigned int bits)
{
	const u32 nbuckets = 5 + random_below(8);
	u64 (*model)[4] = tap_zalloc(nbuckets * sizeof(*model));
	struct kcuckoo_table table;
	u32 bucket;
	int i;

	table_init(&table, bits, nbuckets);
	for (i = 0; i < 3000; i++) {
		u64 tag = random_edge(bits);

		turn(&table, model, tag ? tag : 1);
		for (bucket = 0; bucket < nbuckets; bucket++) {
			require_bucket(&table, bucket, model[bucket]);
			require_find(&table, bucket, model[bucket],
				     tag ? tag : 1);
			tag = model[random_below(nbuckets)][i % 4];
			if (tag)
				require_find(&table, bucket, model[bucket],
					     tag);
		}
		tap_require(table.entries == fixture_used(&table), "%llu",
			    table.entries);
	}
	fixture_table_free(&table);
	tap_free(model);
}

static void test_table(void)
{
	unsigned int bits;

	for (bits = KCUCKOO_SEMISORT_MIN; bits <= KCUCKOO_FINGERPRINT_MAX;
	     bits++)
		check_table(bits);
}

/*
 * Full to the first failure, by searches and moves; all that was added is found,
 * as often as it was added, and deleted until the table is all zero.
 */
static void check_filled(unsigned int bits, u32 nbuckets)
{
	struct kcuckoo_search *search = fixture_search();
	struct kcuckoo_table table;
	struct kcuckoo_probe probe;
	u64 *hashes;
	u64 count = 0;
	u64 place;
	u64 i;

	table_init(&table, bits, nbuckets);
	hashes = tap_zalloc(4 * nbuckets * sizeof(*hashes));
	for (;; count++) {
		u64 hash = random_word();

		kcuckoo_table_probe_hash(&table, hash, &probe);
		if (fixture_add(&table, &probe, search) == KCUCKOO_NO_PLACE)
			break;
		hashes[count] = hash;
	}
	tap_require(bits < 8 || count > 4 * nbuckets * 9 / 10, "%llu", count);
	while (count--) {
		for (i = 0; count % 50 == 0 && i <= count; i++) {
			kcuckoo_table_probe_hash(&table, hashes[i], &probe);
			tap_require(kcuckoo_table_contains(&table, &probe),
				    "f %u: key %llu", bits, i);
		}
		kcuckoo_table_probe_hash(&table, hashes[count], &probe);
		place = kcuckoo_table_find(&table, &probe);
		tap_require(place != KCUCKOO_NO_PLACE, "key %llu", count);
		kcuckoo_table_clear(&table, place);
	}
	tap_require(fixture_empty(&table), "f %u: all deleted", bits);
	fixture_table_free(&table);
	tap_free(hashes);
	tap_free(search);
}

static void test_filled(void)
{
	unsigned int bits;

	for (bits = KCUCKOO_SEMISORT_MIN; bits <= KCUCKOO_FINGERPRINT_MAX;
	     bits++)
		check_filled(bits, 200 + random_below(100));
}

/* Every content of a bucket of five bits is sound if it is written so. */
static void test_sound(void)
{
	struct kcuckoo_table table;
	u32 written = 0;
	u32 word;
	u32 last = 0;

	table_init(&table, 5, 4);
	for (word = 0; word < 1 << 16; word++) {
		u64 tags[KCUCKOO_BUCKET_SIZE_MAX];
		bool sound = (word & 4095) < KCUCKOO_SEMISORT_CODES;
		int i;

		table.tags[0] = (u64)word << 16;
		kcuckoo_table_bucket_tags(&table, 1, tags);
		for (i = 1; i < 4; i++)
			sound = sound && compare(&tags[i - 1], &tags[i]) <= 0;
		tap_require(kcuckoo_table_sorted_valid(&table, 1) == sound,
			    "%04x", word);
		written += sound;
		last = sound ? word : last;
	}
	/* C(35, 4): four of 32 tags, with repetition. */
	tap_require(written == 52360, "%u, the last %04x", written, last);
}

/* A bucket with four tags, of which many have the same lowest bits. */
static void put_four(struct kcuckoo_table *table, u32 bucket)
{
	unsigned int bits = table->params.tag_bits;
	u64 low = random_below(16);
	int i;

	for (i = 0; i < 4; i++) {
		struct kcuckoo_probe probe = { .bucket = { bucket, bucket } };
		u64 tag = random_edge(bits);

		if (random_below(4))
			tag = (tag & ~15ULL) | low;
		probe.tag[0] = tag ? tag : 1;
		kcuckoo_table_put(table, 4ULL * bucket, &probe);
	}
}

/* After one bit of a sound bucket was turned: is it so if it is in order? */
static void check_turned(const struct kcuckoo_table *table, u32 bucket)
{
	u64 code = kcuckoo_bits_get(table->tags,
				    (u64)bucket * table->bucket_bits, 12);
	bool sound = code < KCUCKOO_SEMISORT_CODES;
	u64 tags[KCUCKOO_BUCKET_SIZE_MAX];
	int i;

	kcuckoo_table_bucket_tags(table, bucket, tags);
	for (i = 1; i < 4; i++)
		sound = sound && compare(&tags[i - 1], &tags[i]) <= 0;
	tap_require(kcuckoo_table_sorted_valid(table, bucket) == sound,
		    "f %u, number %llu", table->params.tag_bits, code);
}

static void test_sound_wide(void)
{
	unsigned int bits;
	unsigned int i;
	u32 bit;

	for (bits = KCUCKOO_SEMISORT_MIN; bits <= KCUCKOO_FINGERPRINT_MAX;
	     bits++) {
		struct kcuckoo_table table;

		table_init(&table, bits, 60);
		for (i = 0; i < 60; i++) {
			put_four(&table, i);
			tap_require(kcuckoo_table_sorted_valid(&table, i),
				    "f %u", bits);
		}
		for (bit = 0; bit < 60 * table.bucket_bits; bit++) {
			table.tags[bit / 64] ^= 1ULL << bit % 64;
			check_turned(&table, bit / table.bucket_bits);
			table.tags[bit / 64] ^= 1ULL << bit % 64;
		}
		fixture_table_free(&table);
	}
}

/*
 * Stores take buckets from outside only if their entries are in the part that
 * their tags tell, and their numbers no longer than the prefix.
 */
static void check_sound_part(bool sorted)
{
	const struct kcuckoo_table_params params = {
		.bucket_shift = 2, .tag_bits = 9, .sorted = sorted,
	};
	const struct kcuckoo_hash_key secret = fixture_key();
	struct kcuckoo_layout layout;
	struct kcuckoo_store store;
	u32 bucket;
	u64 tag;

	tap_require(kcuckoo_layout_make(&layout, &params, 0, 8 * 64, 3), "f 9");
	fixture_inet(&store, &layout, &secret);
	for (bucket = 0; bucket < 8 * 64; bucket += 21) {
		u64 place = 4ULL * bucket;

		for (tag = 1; tag < 512; tag++) {
			const struct kcuckoo_probe probe = {
				.bucket = { bucket, bucket },
				.tag = { tag, tag },
			};

			kcuckoo_table_put(&store.table, place + 1, &probe);
			tap_require(kcuckoo_store_valid(&store, place,
							place + 4) ==
				    (bucket / 64 == tag % 8),
				    "bucket %u, tag %llu", bucket, tag);
			kcuckoo_table_clear(&store.table,
					    place + (sorted ? 3 : 1));
		}
	}
	tap_require(fixture_store_empty(&store), "all deleted");
}

static void test_sound_part(void)
{
	check_sound_part(false);
	check_sound_part(true);
}

/* Every tag in every bucket: sound if its number is one of the prefix. */
static void check_sound_number(unsigned int plen, u32 nbuckets)
{
	const struct kcuckoo_hash_key secret = fixture_key();
	struct kcuckoo_layout layout = fixture_layout(plen, 2, nbuckets);
	unsigned int width = layout.params.tag_bits;
	struct kcuckoo_store store;
	u64 sound = 0;
	u64 place;
	u64 tag;

	fixture_inet(&store, &layout, &secret);
	for (place = 2; place < 4 * nbuckets; place += 4) {
		for (tag = 1; tag < 1ULL << width; tag++) {
			u64 aux;
			u64 number;
			bool right;

			kcuckoo_bits_put(store.table.tags, place * width, width,
					 tag);
			number = kcuckoo_table_number(&store.table, place,
						      &aux);
			right = kcuckoo_store_valid(&store, place - 2,
						    place + 2);
			tap_require(right == !(number >> plen),
				    "/%u, m %u, place %llu, tag %llu", plen,
				    nbuckets, place, tag);
			sound += right;
		}
	}
	/* Each number on either side. */
	tap_require(sound == 2ULL << plen, "/%u, m %u: %llu", plen, nbuckets,
		    sound);
}

static void test_sound_number(void)
{
	u32 nbuckets;

	for (nbuckets = 16; nbuckets < 40; nbuckets++) {
		check_sound_number(9, nbuckets);
		check_sound_number(12, nbuckets);
	}
	check_sound_number(9, 1000);
}

/* With 64 bits and more, no number is too long for its quotient's bits. */
static void test_sound_long(void)
{
	static const u8 plens[] = { 63, 64, 65, 128 };
	const struct kcuckoo_hash_key secret = fixture_key();
	unsigned int i;

	for (i = 0; i < TAP_COUNT(plens); i++) {
		unsigned int bits = plens[i] < 64 ? plens[i] : 64;
		struct kcuckoo_layout layout = fixture_layout(plens[i], 2, 1000);
		__uint128_t most = ((__uint128_t)1 << bits) - 1;
		unsigned int width = layout.params.tag_bits;
		u64 quotient = (u64)(most / 1000);
		struct kcuckoo_store store;
		u64 sound = 0;
		u64 place;

		fixture_inet(&store, &layout, &secret);
		for (place = 0; place < 4000; place += 4) {
			kcuckoo_bits_put(store.table.tags, place * width, width,
					 2 * quotient + 1);
			sound += kcuckoo_store_valid(&store, place, place + 4);
			kcuckoo_bits_put(store.table.tags, place * width, width,
					 2 * quotient + 3);
			tap_require(!kcuckoo_store_valid(&store, place,
							 place + 4),
				    "/%u, place %llu", plens[i], place);
		}
		tap_require(sound == (u64)(most % 1000) + 1, "/%u: %llu",
			    plens[i], sound);
	}
}

static const struct tap_test tests[] = {
	{ "semisort.number: 3876 combinations, one to one", test_bijection },
	{ "semisort.encode: all of up to five bits, as sorted otherwise",
	  test_encode },
	{ "semisort.table: puts, moves and clears, as sets say, for every f",
	  test_table },
	{ "semisort.table: filled, deleted and all zero, for every f",
	  test_filled },
	{ "semisort.sound: each content of a bucket of five bits",
	  test_sound },
	{ "semisort.sound: each bit of a bucket turned, for every f",
	  test_sound_wide },
	{ "semisort.sound: each tag in each part", test_sound_part },
	{ "semisort.sound: each tag of exact tables, their numbers",
	  test_sound_number },
	{ "semisort.sound: the same for long prefixes", test_sound_long },
};

int main(int argc, char **argv)
{
	return tap_main(argc, argv, tests, TAP_COUNT(tests));
}
