// SPDX-License-Identifier: GPL-2.0-only
/*
 * The blocked Bloom filter of Putze, Sanders and Singler, "Cache-, Hash- and
 * Space-Efficient Bloom Filters" (2007): one Bloom filter per cache line, and
 * an item in one of them.
 *
 * Blocks differ in how many items they have, and the fuller ones make most of
 * the false positives, so that fewer bits per item do best: k is the number
 * with the least rate for Poisson distributed items (8 for 13 bits per item,
 * where a standard Bloom filter has 9). The bits of an item are independent of
 * each other: h1 + i * h2 within 512 bits would let too many items coincide.
 */
#include <math.h>

#include "parts.h"

#define BLOCK_BITS	512
#define PLACE_BITS	9	/* of a hash, to name a bit of a block */
#define PLACES		7	/* so many fit a hash */
#define MOST_HASHES	24
#define MOST_BITS	128	/* per item */
#define STEPS		40	/* halvings of an interval */

/*
 * The false positive rate of a block of so many items. How many of its bits are
 * set varies, which makes the mean of the power more than the power of the mean:
 * by k * (k - 1) / 2 times the relative variance, as long as that is little.
 */
static double block_rate(unsigned int hashes, unsigned int items)
{
	double bits = hashes * items;
	double one = exp(bits * log1p(-1.0 / BLOCK_BITS));
	double two = exp(bits * log1p(-2.0 / BLOCK_BITS));
	double variance = (two * (BLOCK_BITS - 1) + one) / BLOCK_BITS -
			  one * one;
	double set = 1 - one;
	double more = hashes * (hashes - 1) / 2.0 * variance / (set * set);

	return pow(set, hashes) * (1 + more);
}

/* The false positive rate when blocks have so many items on average. */
static double blocked_rate(unsigned int hashes, double items)
{
	unsigned int most = (unsigned int)(items + 12 * sqrt(items) + 20);
	double sum = 0;
	unsigned int i;

	for (i = 1; i <= most; i++)
		sum += exp(i * log(items) - items - lgamma(i + 1.0)) *
		       block_rate(hashes, i);
	return sum;
}

static unsigned int best_hashes(double bits)
{
	double least = 1;
	unsigned int best = 1;
	unsigned int hashes;

	for (hashes = 1; hashes <= MOST_HASHES; hashes++) {
		double rate = blocked_rate(hashes, BLOCK_BITS / bits);

		if (rate < least) {
			least = rate;
			best = hashes;
		}
	}
	return best;
}

/* The bits per item that this rate takes; more than MOST_BITS if none do. */
static double bits_of_rate(double rate)
{
	double high = 2 * MOST_BITS;
	double low = 0.5;
	unsigned int i;

	for (i = 0; i < STEPS; i++) {
		double bits = (low + high) / 2;

		if (blocked_rate(best_hashes(bits), BLOCK_BITS / bits) > rate)
			low = bits;
		else
			high = bits;
	}
	return high;
}

static u64 blocked_shape(struct baseline *filter, u64 items, double rate,
			 double bits)
{
	u64 blocks;

	if (rate > 0)
		bits = bits_of_rate(rate);
	if (bits > MOST_BITS)
		return 0;
	blocks = (u64)((double)items * bits / BLOCK_BITS + BASELINE_ROUNDING);
	filter->hashes = best_hashes(bits);
	filter->places = blocks + (rate > 0 || !blocks);
	filter->width = BLOCK_BITS;
	return filter->places * BLOCK_BITS;
}

/* The next bit of an item; @rest are random bits not used so far. */
static unsigned int next_place(unsigned int i, u64 hash, u64 *rest)
{
	unsigned int place;

	if (i % PLACES == 0)
		*rest = baseline_remix(hash + i);
	place = *rest & (BLOCK_BITS - 1);
	*rest >>= PLACE_BITS;
	return place;
}

static u8 *block_of(const struct baseline *filter, u64 hash)
{
	u64 rest;

	return filter->memory +
	       baseline_scale(hash, filter->places, &rest) * (BLOCK_BITS / 8);
}

static bool blocked_insert(struct baseline *filter, u64 hash)
{
	u8 *block = block_of(filter, hash);
	unsigned int i;
	u64 rest = 0;

	for (i = 0; i < filter->hashes; i++) {
		unsigned int place = next_place(i, hash, &rest);

		block[place >> 3] |= (u8)(1 << (place & 7));
	}
	filter->entries++;
	return true;
}

static bool blocked_contains(const struct baseline *filter, u64 hash)
{
	const u8 *block = block_of(filter, hash);
	unsigned int i;
	u64 rest = 0;

	for (i = 0; i < filter->hashes; i++) {
		unsigned int place = next_place(i, hash, &rest);

		if (!(block[place >> 3] >> (place & 7) & 1))
			return false;
	}
	return true;
}

const struct baseline_type baseline_blocked = {
	.name = "blocked",
	.shape = blocked_shape,
	.insert = blocked_insert,
	.contains = blocked_contains,
};
