// SPDX-License-Identifier: GPL-2.0-only
/*
 * The counting Bloom filter: a Bloom filter of counters of four bits, after
 * L. Fan, Cao, Almeida and Broder, "Summary cache" (1998). A counter that
 * reached 15 no longer knows how many it counts and stays there for ever:
 * false positives may remain, false negatives never come.
 */
#include "parts.h"

#define COUNTER_BITS	4
#define COUNTER_FULL	15

static u64 counting_shape(struct baseline *filter, u64 items, double rate,
			  double bits)
{
	return baseline_bloom_shape(filter, COUNTER_BITS, items, rate, bits);
}

static unsigned int counter(const struct baseline *filter, u64 place)
{
	return filter->memory[place >> 1] >> (place & 1) * COUNTER_BITS &
	       COUNTER_FULL;
}

/*
 * Adds 1 or -1, but never to a full counter, and never takes from an empty one:
 * an item that was not inserted must not reach into the neighbour's bits.
 */
static void count(struct baseline *filter, u64 place, int change)
{
	unsigned int value = counter(filter, place);

	if (value == COUNTER_FULL || (!value && change < 0))
		return;
	change *= 1 << (place & 1) * COUNTER_BITS;
	filter->memory[place >> 1] = (u8)(filter->memory[place >> 1] + change);
}

static void count_all(struct baseline *filter, u64 hash, int change)
{
	u64 step = baseline_remix(hash);
	unsigned int i;
	u64 rest;

	for (i = 0; i < filter->hashes; i++, hash += step)
		count(filter, baseline_scale(hash, filter->places, &rest),
		      change);
}

static bool counting_insert(struct baseline *filter, u64 hash)
{
	count_all(filter, hash, 1);
	filter->entries++;
	return true;
}

static bool counting_contains(const struct baseline *filter, u64 hash)
{
	u64 step = baseline_remix(hash);
	unsigned int i;
	u64 rest;

	for (i = 0; i < filter->hashes; i++, hash += step)
		if (!counter(filter,
			     baseline_scale(hash, filter->places, &rest)))
			return false;
	return true;
}

static bool counting_erase(struct baseline *filter, u64 hash)
{
	if (!counting_contains(filter, hash))
		return false;
	count_all(filter, hash, -1);
	filter->entries--;
	return true;
}

const struct baseline_type baseline_counting = {
	.name = "counting",
	.shape = counting_shape,
	.insert = counting_insert,
	.contains = counting_contains,
	.erase = counting_erase,
};
