// SPDX-License-Identifier: GPL-2.0-only
/*
 * Hashing: against the kernel's own jhash, against a second description of
 * the same function, and as a source of 64 good bits.
 */
#include "fixture.h"

#define LENGTH_MAX	4096

/*
 * One step of either mix of jhash: the words take turns, and the amounts of
 * rotation are all that differs.
 */
static u32 rotate(u32 word, unsigned int by)
{
	return word << by | word >> (32 - by);
}

static void reference_mix(u32 *word)
{
	static const u8 by[] = { 4, 6, 8, 16, 19, 4 };
	unsigned int i;

	for (i = 0; i < TAP_COUNT(by); i++) {
		u32 *to = &word[i % 3];
		u32 *other = &word[(i + 2) % 3];

		*to = (*to - *other) ^ rotate(*other, by[i]);
		*other += word[(i + 1) % 3];
	}
}

static u64 reference_final(u32 *word)
{
	static const u8 by[] = { 14, 11, 25, 16, 4, 14, 24 };
	unsigned int i;

	for (i = 0; i < TAP_COUNT(by); i++) {
		u32 *to = &word[(i + 2) % 3];
		u32 other = word[(i + 1) % 3];

		*to = (*to ^ other) - rotate(other, by[i]);
	}
	return (u64)word[1] << 32 | word[2];
}

static u64 reference_bytes(const struct kcuckoo_hash_key *key,
			   const u8 *bytes, u32 len)
{
	u32 word[3] = { key->seed[0] + 0xdeadbeef + len, key->seed[1],
			key->seed[2] + len * key->seed[1] };
	u32 i;

	for (i = 0; i < len; i++) {
		if (i && i % 12 == 0)
			reference_mix(word);
		word[i % 12 / 4] += (u32)bytes[i] << i % 4 * 8;
	}
	return reference_final(word);
}

static void randomize(u8 *bytes, u32 len)
{
	u32 i;

	for (i = 0; i < len; i++)
		bytes[i] = random_word();
}

static void test_words_jhash(void)
{
	int i;

	for (i = 0; i < 100000; i++) {
		u32 a = random_edge(32);
		u32 b = random_edge(32);
		u32 c = random_edge(32);
		u32 initval = random_edge(32);
		u32 seed = initval + JHASH_INITVAL + 12;
		struct kcuckoo_hash_key key = { .seed = { seed, seed, seed } };

		tap_require((u32)kcuckoo_hash_words(&key, a, b, c) ==
			    jhash_3words(a, b, c, initval),
			    "%08x %08x %08x, %08x", a, b, c, initval);
	}
}

static void test_words_reference(void)
{
	int i;

	for (i = 0; i < 100000; i++) {
		struct kcuckoo_hash_key key = fixture_key();
		u32 word[3] = { random_edge(32), random_edge(32),
				random_edge(32) };
		u64 hash = kcuckoo_hash_words(&key, word[0], word[1], word[2]);
		int j;

		for (j = 0; j < 3; j++)
			word[j] += key.seed[j];
		tap_require(hash == reference_final(word), "%016llx", hash);
	}
}

/* Each bit of the hashes of counted numbers is set in half of them. */
static void test_words_balance(void)
{
	const int tries = 1 << 18;
	struct kcuckoo_hash_key key = fixture_key();
	u64 set[64] = { 0 };
	unsigned int bit;
	int i;

	for (i = 0; i < tries; i++) {
		u64 hash = kcuckoo_hash_words(&key, i, 0, 0);

		for (bit = 0; bit < 64; bit++)
			set[bit] += hash >> bit & 1;
	}
	for (bit = 0; bit < 64; bit++) {
		u64 counts[2] = { set[bit], tries - set[bit] };

		tap_require(random_evenness(counts, 2) < random_chi_square(1),
			    "bit %u: %llu of %d", bit, set[bit], tries);
	}
}

/*
 * Counted numbers, in each of the words, fall evenly into 4096 cells. The third
 * word of jhash is as good as random there; the upper bits of the second are
 * not quite, when only the first word of the input varies.
 */
static void test_words_even(void)
{
	const unsigned int cells = 4096;
	struct kcuckoo_hash_key key = fixture_key();
	u64 *counts = tap_zalloc(cells * sizeof(*counts));
	unsigned int shift;
	int word;
	u32 i;

	for (word = 0; word < 3; word++) {
		for (shift = 0; shift <= 52; shift += 4) {
			double most = random_chi_square(cells - 1);
			double squares;

			if (shift > 20)
				most *= 1.4;
			memset(counts, 0, cells * sizeof(*counts));
			for (i = 0; i < 64 * cells; i++) {
				u64 hash = kcuckoo_hash_words(&key,
							      word == 0 ? i : 0,
							      word == 1 ? i : 0,
							      word == 2 ? i : 0);

				counts[hash >> shift & (cells - 1)]++;
			}
			squares = random_evenness(counts, cells);
			tap_require(squares < most,
				    "word %d, bits from %u: %.0f", word, shift,
				    squares);
		}
	}
}

/* Counts, for one bit of the input, the hashes' bits that it turns. */
static void count_turns(const struct kcuckoo_hash_key *key, unsigned int in,
			int tries, u64 *turns)
{
	unsigned int bit;

	while (tries--) {
		u32 word[3] = { random_word(), random_word(), random_word() };
		u64 hash = kcuckoo_hash_words(key, word[0], word[1], word[2]);

		word[in / 32] ^= 1U << in % 32;
		hash ^= kcuckoo_hash_words(key, word[0], word[1], word[2]);
		for (bit = 0; bit < 64; bit++)
			turns[bit] += hash >> bit & 1;
	}
}

/*
 * Every bit of the input turns every bit of the hash in about half of all
 * cases: closely so in the third word of jhash, which is what it is made for,
 * and still in a fifth to four fifths of them in the second.
 */
static void test_words_avalanche(void)
{
	const int tries = 4096;
	struct kcuckoo_hash_key key = fixture_key();
	unsigned int in;
	unsigned int bit;

	for (in = 0; in < 96; in++) {
		u64 turns[64] = { 0 };

		count_turns(&key, in, tries, turns);
		for (bit = 0; bit < 64; bit++) {
			double share = (double)turns[bit] / tries;
			double off = bit < 32 ? 0.1 : 0.33;

			tap_require(share > 0.5 - off && share < 0.5 + off,
				    "bit %u turns bit %u in %.3f", in, bit,
				    share);
		}
	}
}

/* Every word of the key counts. */
static void test_words_key(void)
{
	int i;

	for (i = 0; i < 96 * 100; i++) {
		struct kcuckoo_hash_key key = fixture_key();
		u32 a = random_word();
		u64 hash = kcuckoo_hash_words(&key, a, ~a, a * 3);

		key.seed[i % 3] ^= 1U << i / 3 % 32;
		tap_require(kcuckoo_hash_words(&key, a, ~a, a * 3) != hash,
			    "word %d of the key", i % 3);
	}
}

/* Every length, at every alignment, in memory that ends with the string. */
static void test_bytes_reference(void)
{
	u32 len;

	for (len = 0; len <= LENGTH_MAX; len++) {
		struct kcuckoo_hash_key key = fixture_key();
		u32 shift = random_below(8);
		u8 *bytes = tap_zalloc(shift + len + !len);

		randomize(bytes, shift + len);
		tap_require(kcuckoo_hash_bytes(&key, bytes + shift, len) ==
			    reference_bytes(&key, bytes + shift, len),
			    "length %u", len);
		tap_free(bytes);
	}
}

static void test_bytes_jhash(void)
{
	u8 *bytes = tap_zalloc(LENGTH_MAX);
	u32 len;

	randomize(bytes, LENGTH_MAX);
	for (len = 1; len <= LENGTH_MAX; len++) {
		u32 initval = random_word();
		u32 seed = initval + JHASH_INITVAL + len;
		struct kcuckoo_hash_key key = {
			.seed = { initval, seed, seed - len * seed },
		};

		tap_require((u32)kcuckoo_hash_bytes(&key, bytes, len) ==
			    jhash(bytes, len, initval), "length %u", len);
	}
}

/* The empty string needs no memory. */
static void test_bytes_empty(void)
{
	struct kcuckoo_hash_key key = fixture_key();
	u8 zero = 0;
	u64 hash = kcuckoo_hash_bytes(&key, NULL, 0);

	tap_require(hash == reference_bytes(&key, NULL, 0), "%016llx", hash);
	tap_require(hash == kcuckoo_hash_bytes(&key, &zero, 0), "%016llx",
		    hash);
	tap_require(hash != kcuckoo_hash_bytes(&key, &zero, 1), "%016llx",
		    hash);
}

static int compare(const void *left, const void *right)
{
	u64 a = *(const u64 *)left;
	u64 b = *(const u64 *)right;

	return (a > b) - (a < b);
}

/* Strings that differ only in how many zeroes follow have all other hashes. */
static void test_bytes_zeroes(void)
{
	struct kcuckoo_hash_key key = fixture_key();
	u8 *bytes = tap_zalloc(LENGTH_MAX);
	u64 *hashes = tap_zalloc((LENGTH_MAX + 1) * sizeof(*hashes));
	u32 begin;
	u32 len;

	for (begin = 0; begin < 30; begin++) {
		u32 count = 0;

		randomize(bytes, begin);
		for (len = begin; len <= LENGTH_MAX; len++)
			hashes[count++] = kcuckoo_hash_bytes(&key, bytes, len);
		qsort(hashes, count, sizeof(*hashes), compare);
		for (len = 1; len < count; len++)
			tap_require(hashes[len] != hashes[len - 1],
				    "%u bytes, then zeroes", begin);
	}
}

/* Turning any bit of a string turns about half of all bits of its hash. */
static void test_bytes_turns(void)
{
	struct kcuckoo_hash_key key = fixture_key();
	u8 *bytes = tap_zalloc(64);
	u64 turned = 0;
	u64 hashes = 0;
	u32 len;
	u32 bit;

	for (len = 1; len <= 64; len++) {
		randomize(bytes, len);
		for (bit = 0; bit < 8 * len; bit++) {
			u64 hash = kcuckoo_hash_bytes(&key, bytes, len);

			bytes[bit / 8] ^= 1 << bit % 8;
			hash ^= kcuckoo_hash_bytes(&key, bytes, len);
			bytes[bit / 8] ^= 1 << bit % 8;
			tap_require(hash, "length %u, bit %u", len, bit);
			turned += __builtin_popcountll(hash);
			hashes++;
		}
	}
	tap_require(turned > 31 * hashes && turned < 33 * hashes,
		    "%.2f of 64 bits", (double)turned / (double)hashes);
}

/* The product's upper half, from partial products of 32 bits. */
static u64 reference_scale(u64 hash, u64 range)
{
	u64 low = (hash & 0xffffffff) * (range & 0xffffffff);
	u64 one = (hash >> 32) * (range & 0xffffffff);
	u64 two = (hash & 0xffffffff) * (range >> 32);
	u64 carry = (low >> 32) + (one & 0xffffffff) + (two & 0xffffffff);

	return (hash >> 32) * (range >> 32) + (one >> 32) + (two >> 32) +
	       (carry >> 32);
}

static void test_scale(void)
{
	int i;

	for (i = 0; i < 200000; i++) {
		u64 hash = random_edge(64);
		u64 range = random_edge(1 + random_below(64)) | 1;
		u64 scaled = kcuckoo_hash_scale(hash, range);

		tap_require(scaled < range, "%llu of %llu", scaled, range);
		tap_require(scaled == reference_scale(hash, range),
			    "%llu of %llu", scaled, range);
	}
}

/* Bucket and fingerprint of one hash say nothing about one another. */
static void test_rest(void)
{
	static const u64 ranges[] = { 3, 37, 1000, 1024, 100003, 1 << 25 };
	const u64 cells = 61 * 16;
	struct kcuckoo_hash_key key = fixture_key();
	u64 *counts = tap_zalloc(cells * sizeof(*counts));
	unsigned int i;
	u32 n;

	for (i = 0; i < TAP_COUNT(ranges); i++) {
		u64 rows = ranges[i] < 61 ? ranges[i] : 61;
		double squares;

		memset(counts, 0, cells * sizeof(*counts));
		for (n = 0; n < 400000; n++) {
			u64 hash = kcuckoo_hash_words(&key, n, i, 7);
			u64 rest = kcuckoo_hash_rest(hash, ranges[i]);
			u64 scaled = kcuckoo_hash_scale(hash, ranges[i]);
			u64 row = scaled % rows;
			u64 left;

			tap_require(kcuckoo_hash_split(hash, ranges[i], &left) ==
				    scaled && left == rest,
				    "range %llu, key %u: split otherwise",
				    ranges[i], n);
			counts[row * 16 + (rest >> 60)]++;
		}
		squares = random_evenness(counts, rows * 16);
		tap_require(squares < random_chi_square(rows * 16 - 1) * 1.4,
			    "range %llu: %.0f", ranges[i], squares);
	}
}

static const struct tap_test tests[] = {
	{ "hash.words: the third word is that of jhash", test_words_jhash },
	{ "hash.words: both words are as described", test_words_reference },
	{ "hash.balance: half of all bits are set", test_words_balance },
	{ "hash.evenness: counted numbers spread evenly", test_words_even },
	{ "hash.avalanche: any bit turns all others", test_words_avalanche },
	{ "hash.key: all of it counts", test_words_key },
	{ "hash.bytes: as described, for lengths 0 to 4096",
	  test_bytes_reference },
	{ "hash.bytes: the third word is that of jhash", test_bytes_jhash },
	{ "hash.bytes: the empty string", test_bytes_empty },
	{ "hash.bytes: the length and trailing zeroes count",
	  test_bytes_zeroes },
	{ "hash.bytes: every bit counts", test_bytes_turns },
	{ "hash.scale: the exact upper half of the product", test_scale },
	{ "hash.rest: independent of the scaled number", test_rest },
};

int main(int argc, char **argv)
{
	return tap_main(argc, argv, tests, TAP_COUNT(tests));
}
