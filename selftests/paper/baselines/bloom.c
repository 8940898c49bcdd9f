// SPDX-License-Identifier: GPL-2.0-only
/*
 * The Bloom filter: k bits of one array for each item. The bits are those of
 * Kirsch and Mitzenmacher, "Less hashing, same performance" (2008), as in the
 * evaluation of Fan et al.: h1 + i * h2, here in 64-bit numbers scaled to the
 * size of the array.
 */
#include <math.h>

#include "parts.h"

#define MOST_HASHES	32
#define MOST_PLACES	1024	/* per item */

/* The false positive rate of that many places per item. */
static double bloom_rate(unsigned int hashes, double places)
{
	return pow(-expm1(-(double)hashes / places), hashes);
}

/* Places per item that this rate takes. */
static double bloom_places(unsigned int hashes, double rate)
{
	return -(double)hashes / log1p(-pow(rate, 1.0 / hashes));
}

/* k = log2(1 / rate), but the whole number that does best. */
static unsigned int hashes_of_rate(double rate)
{
	unsigned int best = 1;
	unsigned int hashes;

	for (hashes = 2; hashes <= MOST_HASHES; hashes++)
		if (bloom_places(hashes, rate) < bloom_places(best, rate))
			best = hashes;
	return best;
}

/* k = ln 2 times places per item, but the whole number that does best. */
static unsigned int hashes_of_places(double places)
{
	unsigned int best = 1;
	unsigned int hashes;

	for (hashes = 2; hashes <= MOST_HASHES; hashes++)
		if (bloom_rate(hashes, places) < bloom_rate(best, places))
			best = hashes;
	return best;
}

u64 baseline_bloom_shape(struct baseline *filter, unsigned int width, u64 items,
			 double rate, double bits)
{
	double places = bits / width;

	if (rate > 0) {
		filter->hashes = hashes_of_rate(rate);
		places = bloom_places(filter->hashes, rate);
	} else {
		filter->hashes = hashes_of_places(places);
	}
	if (places > MOST_PLACES)
		return 0;
	filter->places = (u64)((double)items * places + BASELINE_ROUNDING);
	filter->width = width;
	return filter->places * width;
}

static u64 bloom_shape(struct baseline *filter, u64 items, double rate,
		       double bits)
{
	return baseline_bloom_shape(filter, 1, items, rate, bits);
}

static bool bloom_insert(struct baseline *filter, u64 hash)
{
	u64 step = baseline_remix(hash);
	unsigned int i;
	u64 rest;

	for (i = 0; i < filter->hashes; i++, hash += step) {
		u64 bit = baseline_scale(hash, filter->places, &rest);

		filter->memory[bit >> 3] |= (u8)(1 << (bit & 7));
	}
	filter->entries++;
	return true;
}

static bool bloom_contains(const struct baseline *filter, u64 hash)
{
	u64 step = baseline_remix(hash);
	unsigned int i;
	u64 rest;

	for (i = 0; i < filter->hashes; i++, hash += step) {
		u64 bit = baseline_scale(hash, filter->places, &rest);

		if (!(filter->memory[bit >> 3] >> (bit & 7) & 1))
			return false;
	}
	return true;
}

const struct baseline_type baseline_bloom = {
	.name = "bloom",
	.shape = bloom_shape,
	.insert = bloom_insert,
	.contains = bloom_contains,
};
