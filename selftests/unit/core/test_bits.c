// SPDX-License-Identifier: GPL-2.0-only
/*
 * Packed fields: every width at every offset, against a reference that knows
 * nothing but single bits.
 */
#include <sanitizer/asan_interface.h>

#include "core/bits.h"
#include "tap.h"

#define WORDS	4
#define BITS	(WORDS * 64)

static u64 reference_get(const u64 *words, u64 bit, unsigned int width)
{
	u64 value = 0;
	unsigned int i;

	for (i = 0; i < width; i++, bit++)
		if (words[bit / 64] & 1ULL << bit % 64)
			value |= 1ULL << i;
	return value;
}

static void reference_put(u64 *words, u64 bit, unsigned int width, u64 value)
{
	unsigned int i;

	for (i = 0; i < width; i++, bit++) {
		words[bit / 64] &= ~(1ULL << bit % 64);
		words[bit / 64] |= (value >> i & 1) << bit % 64;
	}
}

static void randomize(u64 *words, unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count; i++)
		words[i] = random_edge(64);
}

static void test_mask(void)
{
	unsigned int width;
	unsigned int bit;

	for (width = 0; width <= 64; width++)
		for (bit = 0; bit < 64; bit++)
			tap_require((kcuckoo_bits_mask(width) >> bit & 1) ==
				    (bit < width), "width %u", width);
}

static void test_words(void)
{
	u64 bits;

	for (bits = 0; bits < 1000; bits++) {
		u64 words = kcuckoo_bits_words(bits);

		tap_require(words * 64 >= bits, "%llu bits", bits);
		tap_require(words * 64 < bits + 64, "%llu bits", bits);
	}
	tap_require(kcuckoo_bits_words(1ULL << 40) == 1ULL << 34, "2^40 bits");
}

static void test_get(void)
{
	u64 *words = tap_zalloc(WORDS * sizeof(*words));
	unsigned int width;
	u64 bit;

	for (width = 1; width <= 64; width++) {
		for (bit = 0; bit + width <= BITS; bit++) {
			u64 value;

			randomize(words, WORDS);
			value = kcuckoo_bits_get(words, bit, width);
			tap_require(value == reference_get(words, bit, width),
				    "width %u at %llu", width, bit);
		}
	}
}

/* Neighbours included: the whole array has to be what the reference makes. */
static void test_put(void)
{
	u64 *words = tap_zalloc(WORDS * sizeof(*words));
	u64 *expected = tap_zalloc(WORDS * sizeof(*words));
	unsigned int width;
	u64 bit;
	int i;

	for (width = 1; width <= 64; width++) {
		for (bit = 0; bit + width <= BITS; bit++) {
			for (i = 0; i < 4; i++) {
				u64 value = random_edge(width);

				randomize(words, WORDS);
				memcpy(expected, words, WORDS * sizeof(*words));
				reference_put(expected, bit, width, value);
				kcuckoo_bits_put(words, bit, width, value);
				tap_require(!memcmp(words, expected,
						    WORDS * sizeof(*words)),
					    "width %u at %llu", width, bit);
			}
		}
	}
}

/* Words without a bit of the field are poisoned: touching them ends it all. */
static void test_extent(void)
{
	u64 *words = tap_zalloc(WORDS * sizeof(*words));
	unsigned int width;
	u64 bit;

	for (width = 1; width <= 64; width++) {
		for (bit = 0; bit + width <= BITS; bit++) {
			u64 value = random_edge(width);
			u64 first = bit / 64;
			u64 end = (bit + width - 1) / 64 + 1;
			u64 seen;

			ASAN_POISON_MEMORY_REGION(words, first * 8);
			ASAN_POISON_MEMORY_REGION(words + end,
						  (WORDS - end) * 8);
			kcuckoo_bits_put(words, bit, width, value);
			seen = kcuckoo_bits_get(words, bit, width);
			ASAN_UNPOISON_MEMORY_REGION(words, WORDS * 8);
			tap_require(seen == value, "width %u at %llu", width,
				    bit);
		}
	}
}

/* An array full of fields, written in random order, in memory without slack. */
static void test_array(void)
{
	unsigned int width;
	u64 i;

	for (width = 1; width <= 64; width++) {
		u64 fields = 1 + random_below(300);
		u64 bytes = kcuckoo_bits_words(fields * width) * 8;
		u64 *words = tap_zalloc(bytes);
		u64 *values = tap_zalloc(fields * sizeof(*values));

		for (i = 0; i < 4 * fields; i++) {
			u64 n = random_below(fields);

			values[n] = random_edge(width);
			kcuckoo_bits_put(words, n * width, width, values[n]);
		}
		for (i = 0; i < fields; i++)
			tap_require(kcuckoo_bits_get(words, i * width, width) ==
				    values[i], "width %u, field %llu", width,
				    i);
	}
}

static const struct tap_test tests[] = {
	{ "bits.mask: the lowest bits and no others", test_mask },
	{ "bits.words: as many as are needed", test_words },
	{ "bits.get: every width at every offset", test_get },
	{ "bits.put: every width at every offset, neighbours kept", test_put },
	{ "bits.extent: no word without a bit of the field", test_extent },
	{ "bits.array: fields without gaps keep apart", test_array },
};

int main(int argc, char **argv)
{
	return tap_main(argc, argv, tests, TAP_COUNT(tests));
}
