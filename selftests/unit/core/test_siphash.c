// SPDX-License-Identifier: GPL-2.0-only
/*
 * Hashing with siphash: the known answers of its authors, what is hashed with it,
 * and rates of false positives like those under jhash.
 */
#include "fixture.h"

/*
 * SipHash-2-4 of the bytes 0, 1, 2... under the key 0, 1, 2... 15, for lengths 0
 * to 63: Aumasson and Bernstein's vectors.h. That of 15 bytes is in their paper,
 * appendix A.
 */
static const u64 known[64] = {
	0x726fdb47dd0e0e31, 0x74f839c593dc67fd, 0x0d6c8009d9a94f5a,
	0x85676696d7fb7e2d, 0xcf2794e0277187b7, 0x18765564cd99a68d,
	0xcbc9466e58fee3ce, 0xab0200f58b01d137, 0x93f5f5799a932462,
	0x9e0082df0ba9e4b0, 0x7a5dbbc594ddb9f3, 0xf4b32f46226bada7,
	0x751e8fbc860ee5fb, 0x14ea5627c0843d90, 0xf723ca908e7af2ee,
	0xa129ca6149be45e5, 0x3f2acc7f57c29bdb, 0x699ae9f52cbe4794,
	0x4bc1b3f0968dd39c, 0xbb6dc91da77961bd, 0xbed65cf21aa2ee98,
	0xd0f2cbb02e3b67c7, 0x93536795e3a33e88, 0xa80c038ccd5ccec8,
	0xb8ad50c6f649af94, 0xbce192de8a85b8ea, 0x17d835b85bbb15f3,
	0x2f2e6163076bcfad, 0xde4daaaca71dc9a5, 0xa6a2506687956571,
	0xad87a3535c49ef28, 0x32d892fad841c342, 0x7127512f72f27cce,
	0xa7f32346f95978e3, 0x12e0b01abb051238, 0x15e034d40fa197ae,
	0x314dffbe0815a3b4, 0x027990f029623981, 0xcadcd4e59ef40c4d,
	0x9abfd8766a33735c, 0x0e3ea96b5304a7d0, 0xad0c42d6fc585992,
	0x187306c89bc215a9, 0xd4a60abcf3792b95, 0xf935451de4f21df2,
	0xa9538f0419755787, 0xdb9acddff56ca510, 0xd06c98cd5c0975eb,
	0xe612a3cb9ecba951, 0xc766e62cfcadaf96, 0xee64435a9752fe72,
	0xa192d576b245165a, 0x0a8787bf8ecb74b2, 0x81b3e73d20b49b6f,
	0x7fa8220ba3b2ecea, 0x245731c13ca42499, 0xb78dbfaf3a8d83bd,
	0xea1ad565322a1a0b, 0x60e61c23a3795013, 0x6606d7e446282b93,
	0x6ca4ecb15c5f91e1, 0x9f626da15c9625f3, 0xe51b38608ef25f57,
	0x958a324ceb064572
};

/* The authors' key, and a seed of jhash that must not matter. */
static struct kcuckoo_hash_key known_key(void)
{
	struct kcuckoo_hash_key key = fixture_strong_key();

	key.sip.key[0] = 0x0706050403020100;
	key.sip.key[1] = 0x0f0e0d0c0b0a0908;
	return key;
}

static void count_bytes(u8 *bytes, u32 len)
{
	u32 i;

	for (i = 0; i < len; i++)
		bytes[i] = i;
}

/* At every alignment, in memory that ends with the string. */
static void test_known(void)
{
	const struct kcuckoo_hash_key key = known_key();
	u32 shift;
	u32 len;

	for (len = 0; len < 64; len++) {
		for (shift = 0; shift < 8; shift++) {
			u8 *bytes = tap_zalloc(shift + len + !len);
			u64 hash;

			count_bytes(bytes + shift, len);
			hash = siphash(bytes + shift, len, &key.sip);
			tap_require(hash == known[len], "%u bytes: %016llx",
				    len, hash);
			tap_free(bytes);
		}
	}
}

/* Three words are their bytes, one after the other. */
static void test_known_words(void)
{
	const struct kcuckoo_hash_key key = known_key();
	u64 hash;

	hash = siphash_3u32(0x03020100, 0x07060504, 0x0b0a0908, &key.sip);
	tap_require(hash == known[12], "%016llx", hash);
	hash = siphash_3u64(0x0706050403020100, 0x0f0e0d0c0b0a0908,
			    0x1716151413121110, &key.sip);
	tap_require(hash == known[24], "%016llx", hash);
}

/* The core hashes nothing else, and all of it. */
static void test_strong(void)
{
	const struct kcuckoo_hash_key key = known_key();
	u8 bytes[64];
	u64 hash;
	u32 len;

	count_bytes(bytes, 64);
	for (len = 0; len < 64; len++) {
		hash = kcuckoo_hash_bytes(&key, bytes, len);
		tap_require(hash == known[len], "%u bytes: %016llx", len, hash);
	}
	hash = kcuckoo_hash_bytes(&key, NULL, 0);
	tap_require(hash == known[0], "%016llx", hash);
	hash = kcuckoo_hash_words(&key, 0x03020100, 0x07060504, 0x0b0a0908);
	tap_require(hash == known[12], "%016llx", hash);
	hash = kcuckoo_hash_number(&key, 0x0706050403020100, 0x0f0e0d0c0b0a0908,
				   0x13121110);
	tap_require(hash == siphash_3u64(0x0706050403020100, 0x0f0e0d0c0b0a0908,
					 0x13121110, &key.sip), "%016llx",
		    hash);
}

/* All results of one key: of strings, of words, of numbers. */
static void hash_all(const struct kcuckoo_hash_key *key, u64 hashes[40])
{
	u8 bytes[32];
	u32 i;

	count_bytes(bytes, 32);
	for (i = 0; i < 32; i++)
		hashes[i] = kcuckoo_hash_bytes(key, bytes, i);
	for (; i < 36; i++)
		hashes[i] = kcuckoo_hash_words(key, i, 2 * i, 3 * i);
	for (; i < 40; i++)
		hashes[i] = kcuckoo_hash_number(key, i, ~i, i);
}

/* Is each result of one key other than that of the other? */
static bool all_differ(const struct kcuckoo_hash_key *a,
		       const struct kcuckoo_hash_key *b)
{
	u64 hashes[2][40];
	int i;

	hash_all(a, hashes[0]);
	hash_all(b, hashes[1]);
	for (i = 0; i < 40; i++)
		if (hashes[0][i] == hashes[1][i])
			return false;
	return true;
}

static bool all_same(const struct kcuckoo_hash_key *a,
		     const struct kcuckoo_hash_key *b)
{
	u64 hashes[2][40];

	hash_all(a, hashes[0]);
	hash_all(b, hashes[1]);
	return !memcmp(hashes[0], hashes[1], sizeof(hashes[0]));
}

/*
 * The secret of the one does not matter to the other, but every bit of its own
 * does; tags are hashed alike in either case.
 */
static void test_secrets(void)
{
	unsigned int bit;

	for (bit = 0; bit < 128; bit++) {
		const struct kcuckoo_hash_key key = fixture_strong_key();
		struct kcuckoo_hash_key weak = key;
		struct kcuckoo_hash_key turned = key;
		struct kcuckoo_hash_key weak_turned;

		weak.strong = false;
		tap_require(all_differ(&key, &weak), "siphash is not jhash");
		turned.sip.key[bit / 64] ^= 1ULL << bit % 64;
		tap_require(all_differ(&key, &turned), "bit %u", bit);
		weak_turned = turned;
		weak_turned.strong = false;
		tap_require(all_same(&weak, &weak_turned), "bit %u", bit);
		tap_require(kcuckoo_hash_mul(&key, bit, 0) ==
			    kcuckoo_hash_mul(&weak_turned, bit, 0), "tag %u",
			    bit);
		turned = key;
		turned.seed[bit % 3] ^= 1U << bit % 32;
		tap_require(all_same(&key, &turned), "bit %u", bit);
		/* The topmost bit of a factor is lost on every other tag. */
		tap_require(kcuckoo_hash_mul(&key, bit, 0) !=
			    kcuckoo_hash_mul(&turned, bit, 0) ||
			    kcuckoo_hash_mul(&key, bit + 1, 0) !=
			    kcuckoo_hash_mul(&turned, bit + 1, 0), "tag %u",
			    bit);
	}
}

/* Any of the words counts, wherever it is the same as another one. */
static void test_numbers(void)
{
	const struct kcuckoo_hash_key key = fixture_strong_key();
	int i;

	for (i = 0; i < 10000; i++) {
		u64 hi = random_edge(64);
		u64 lo = random_edge(64);
		u32 length = random_below(129);
		u64 hash = kcuckoo_hash_number(&key, hi, lo, length);
		u64 turn = 1ULL << i % 64;

		tap_require(kcuckoo_hash_number(&key, hi ^ turn, lo, length) !=
			    hash, "%llx:%llx/%u", hi, lo, length);
		tap_require(kcuckoo_hash_number(&key, hi, lo ^ turn, length) !=
			    hash, "%llx:%llx/%u", hi, lo, length);
		tap_require(kcuckoo_hash_number(&key, hi, lo, length ^ 1) !=
			    hash, "%llx:%llx/%u", hi, lo, length);
		tap_require(hi == lo || hash !=
			    kcuckoo_hash_number(&key, lo, hi, length),
			    "%llx:%llx/%u", hi, lo, length);
	}
}

/* Keys that follow upon one another, as strings or as addresses. */
static u64 hash_key(const struct kcuckoo_hash_key *key, bool bytes, u32 set,
		    u64 n)
{
	u64 words[2] = { n, set };

	return bytes ? kcuckoo_hash_bytes(key, (u8 *)words, 12) :
		       kcuckoo_hash_number(key, 0, (u64)set << 32 | n, 64);
}

/*
 * Fills a table and looks other keys up: no key of its own is missed, and no
 * more than 1.05 times 2b alpha / 2^f of the others are found, with five
 * standard deviations of chance.
 */
static void check_rate(bool strong, bool bytes,
		       const struct kcuckoo_table_params *params, u64 probes)
{
	u64 places = (u64)params->nbuckets << params->bucket_shift;
	struct kcuckoo_search *search = fixture_search();
	u64 keys = places * 95 / 100;
	struct kcuckoo_hash_key key;
	struct kcuckoo_table table;
	struct kcuckoo_probe probe;
	double expected;
	u64 hits = 0;
	u64 n;

	key = strong ? fixture_strong_key() : fixture_key();
	fixture_table(&table, params);
	for (n = 0; n < keys; n++) {
		kcuckoo_table_probe_hash(&table, hash_key(&key, bytes, 1, n),
					 &probe);
		tap_require(fixture_add(&table, &probe, search) !=
			    KCUCKOO_NO_PLACE, "key %llu", n);
	}
	for (n = 0; n < keys; n++) {
		kcuckoo_table_probe_hash(&table, hash_key(&key, bytes, 1, n),
					 &probe);
		tap_require(kcuckoo_table_contains(&table, &probe), "key %llu",
			    n);
	}
	for (n = 0; n < probes; n++) {
		kcuckoo_table_probe_hash(&table, hash_key(&key, bytes, 2, n),
					 &probe);
		hits += kcuckoo_table_contains(&table, &probe);
	}
	expected = (double)(2U << params->bucket_shift) * 0.95 *
		   (double)probes / (double)(1ULL << params->tag_bits);
	printf("# %s, b %u, m %u, f %u: %llu hits, %.0f expected\n",
	       strong ? "siphash" : "jhash", 1U << params->bucket_shift,
	       params->nbuckets, params->tag_bits, hits, expected);
	tap_require((double)hits < 1.05 * expected + 5 * sqrt(expected),
		    "too many");
	tap_require((double)hits > 0.93 * expected - 5 * sqrt(expected),
		    "too few");
	fixture_table_free(&table);
	tap_free(search);
}

static void test_rate(void)
{
	static const struct kcuckoo_table_params variants[] = {
		{ .nbuckets = 1024, .bucket_shift = 2, .tag_bits = 8 },
		{ .nbuckets = 3001, .bucket_shift = 3, .tag_bits = 10 },
		{ .nbuckets = 50021, .bucket_shift = 2, .tag_bits = 12 },
		{ .nbuckets = 5003, .bucket_shift = 2, .tag_bits = 12,
		  .sorted = true },
	};
	unsigned int i;

	for (i = 0; i < 4 * TAP_COUNT(variants); i++)
		check_rate(i & 1, i & 2, &variants[i / 4], 600000);
}

static const struct tap_test tests[] = {
	{ "siphash.known: the answers of its authors, 0 to 63 bytes",
	  test_known },
	{ "siphash.known: the same for three words", test_known_words },
	{ "siphash.strong: strings, words and numbers are hashed with it",
	  test_strong },
	{ "siphash.secrets: each hash has its own, and all of it counts",
	  test_secrets },
	{ "siphash.numbers: upper and lower bits and length count",
	  test_numbers },
	{ "siphash.rate: as expected, as under jhash", test_rate },
};

int main(int argc, char **argv)
{
	return tap_main(argc, argv, tests, TAP_COUNT(tests));
}
