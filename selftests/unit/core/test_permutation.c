// SPDX-License-Identifier: GPL-2.0-only
/*
 * The keyed permutation: nothing lost, nothing out of range, for any number of
 * bits.
 */
#include "fixture.h"

/* Every image is met once, for small numbers of bits. */
static void test_bijection(void)
{
	unsigned int bits;
	int keys;
	u64 i;

	for (bits = 1; bits <= 16; bits++) {
		for (keys = 0; keys < 5; keys++) {
			struct kcuckoo_hash_key key = fixture_key();
			u64 size = 1ULL << bits;
			u8 *met = tap_zalloc(size);

			for (i = 0; i < size; i++) {
				struct kcuckoo_number number = { 0, i };

				number = kcuckoo_permute(&key, number, bits);
				tap_require(!number.hi && number.lo < size,
					    "%u bits: %llu", bits, i);
				tap_require(!met[number.lo]++,
					    "%u bits: %llu", bits, i);
			}
			tap_free(met);
		}
	}
}

static void check_inverse(const struct kcuckoo_hash_key *key,
			  struct kcuckoo_number number, unsigned int bits)
{
	struct kcuckoo_number image = kcuckoo_permute(key, number, bits);
	struct kcuckoo_number source = kcuckoo_unpermute(key, number, bits);
	struct kcuckoo_number back;

	tap_require(number_fits(image, bits), "%u bits", bits);
	tap_require(number_fits(source, bits), "%u bits", bits);
	back = kcuckoo_unpermute(key, image, bits);
	tap_require(number_same(back, number), "%u bits, back", bits);
	back = kcuckoo_permute(key, source, bits);
	tap_require(number_same(back, number), "%u bits, forth", bits);
}

/* The one undoes the other, in both orders. */
static void test_inverse(void)
{
	unsigned int bits;
	int i;

	for (bits = 1; bits <= 128; bits++) {
		struct kcuckoo_hash_key key = fixture_key();

		for (i = 0; i < 2000; i++)
			check_inverse(&key, number_random(bits), bits);
	}
}

/* The least and the greatest number, and each with one bit set. */
static void test_edges(void)
{
	unsigned int bits;
	unsigned int bit;

	for (bits = 1; bits <= 128; bits++) {
		struct kcuckoo_hash_key key = fixture_key();
		struct kcuckoo_number number = { 0, 0 };

		check_inverse(&key, number, bits);
		check_inverse(&key, number_last(bits), bits);
		for (bit = 0; bit < bits; bit++)
			check_inverse(&key, number_bit(bit), bits);
	}
}

/* The key makes another permutation. */
static void test_key(void)
{
	unsigned int bits;
	int i;

	for (bits = 16; bits <= 128; bits++) {
		struct kcuckoo_hash_key one = fixture_key();
		struct kcuckoo_hash_key other = one;
		int same = 0;

		other.seed[bits % 3] ^= 1U << random_below(32);
		for (i = 0; i < 100; i++) {
			struct kcuckoo_number number = number_random(bits);

			same += number_same(kcuckoo_permute(&one, number, bits),
					    kcuckoo_permute(&other, number,
							    bits));
		}
		tap_require(same < 3, "%u bits: %d of 100", bits, same);
	}
}

/* The way for 32 bits gives the same images. */
static void test_ipv4(void)
{
	struct kcuckoo_mulhash mulhash[KCUCKOO_MULHASHES];
	unsigned int i;

	for (i = 0; i < 10000; i++) {
		struct kcuckoo_number number = { 0, random_edge(32) };
		struct kcuckoo_hash_key key = fixture_key();
		unsigned int which;

		for (which = 0; which < KCUCKOO_MULHASHES; which++)
			kcuckoo_mulhash_init(&mulhash[which], &key, which);
		tap_require(kcuckoo_permute_ipv4(mulhash, number.lo) ==
			    kcuckoo_permute(&key, number, 32).lo, "%llu",
			    number.lo);
	}
}

/*
 * Whole networks, in which addresses follow upon one another, fall evenly into
 * the buckets, which are what remains after division.
 */
static void check_spread(unsigned int bits, u64 cells, u64 step)
{
	struct kcuckoo_hash_key key = fixture_key();
	u64 *counts = tap_zalloc(cells * sizeof(*counts));
	struct kcuckoo_number number = number_random(bits);
	u64 limit = kcuckoo_bits_mask(bits < 64 ? bits : 64);
	double squares;
	u32 i;

	for (i = 0; i < 50 * cells; i++) {
		struct kcuckoo_number image;

		number.lo = (number.lo + step) & limit;
		image = kcuckoo_permute(&key, number, bits);
		counts[image.lo % cells]++;
	}
	squares = random_evenness(counts, cells);
	tap_require(squares < random_chi_square(cells - 1),
		    "%u bits, %llu cells, step %llu: %.0f", bits, cells, step,
		    squares);
}

static void test_spread(void)
{
	static const u8 bits[] = { 24, 32, 33, 48, 56, 64, 65, 96, 127, 128 };
	unsigned int i;

	for (i = 0; i < TAP_COUNT(bits); i++) {
		check_spread(bits[i], 1009, 1);
		check_spread(bits[i], 1024, 1);
		check_spread(bits[i], 1000, 256);
	}
}

/* The fast way leads to the same place. */
static void test_word(void)
{
	struct kcuckoo_mulhash mulhash[KCUCKOO_MULHASHES];
	unsigned int bits;
	unsigned int i;

	for (bits = 2; bits <= 64; bits++) {
		struct kcuckoo_hash_key key = fixture_key();

		kcuckoo_mulhash_init(&mulhash[0], &key, 0);
		kcuckoo_mulhash_init(&mulhash[1], &key, 1);
		kcuckoo_mulhash_init(&mulhash[2], &key, 2);
		for (i = 0; i < 1000; i++) {
			struct kcuckoo_number number = number_random(bits);
			u64 image = kcuckoo_permute_word(mulhash, number.lo,
							 bits);

			number = kcuckoo_permute(&key, number, bits);
			tap_require(number.lo == image, "%u bits", bits);
		}
	}
}

static const struct tap_test tests[] = {
	{ "permutation.bijection: every number of 1 to 16 bits is met once",
	  test_bijection },
	{ "permutation.inverse: undone, and below 2^bits, for 1 to 128 bits",
	  test_inverse },
	{ "permutation.edges: the least, the greatest and single bits",
	  test_edges },
	{ "permutation.key: another key, another permutation", test_key },
	{ "permutation.ipv4: one number of 32 bits, one image", test_ipv4 },
	{ "permutation.spread: networks fall evenly into buckets",
	  test_spread },
	{ "permutation.word: the same where it has to be fast", test_word },
};

int main(int argc, char **argv)
{
	return tap_main(argc, argv, tests, TAP_COUNT(tests));
}
