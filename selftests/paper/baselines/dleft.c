// SPDX-License-Identifier: GPL-2.0-only
/*
 * The d-left counting Bloom filter of Bonomi, Mitzenmacher, Panigrahy, Singh
 * and Varghese, "An Improved Construction for Counting Bloom Filters" (2006).
 *
 * There are four subtables of buckets. An item has one bucket in each, and is
 * stored in the least full of them, the leftmost of several: a cell holds a
 * remainder, and in its upper two bits a counter of 1 to 3 copies, or 0 when
 * the cell is free. Copies beyond that take another cell.
 *
 * What an item has in the subtables are permutations of one fingerprint, a
 * bucket and a remainder. Fingerprints that meet in one subtable are therefore
 * the same in all, and it does not matter whose cell is erased. Ours add to the
 * bucket what a hash of the remainder says, so they need no power of two.
 *
 * dleft8 has the eight cells a bucket of Bonomi et al., dleft4 the four of the
 * evaluation by Fan et al. (section 7: 16 cells are looked at).
 */
#include <math.h>

#include "parts.h"

#define SUBTABLES	4
#define COUNTER_BITS	2

/*
 * Bonomi et al.: six of eight cells. The first insert that 2^27 cells refuse is
 * at 78 % load for dleft4, as in the paper's evaluation, and at 90 % for dleft8.
 */
#define LOAD		0.75

#define NO_CELL		(~0ULL)

/**
 * struct dleft_item - where an item may be
 * @bit: number of the first bit of its bucket, for each subtable
 * @remainder: what its cell holds beside the counter
 */
struct dleft_item {
	u64 bit[SUBTABLES];
	u64 remainder;
};

/**
 * struct dleft_lanes - what is in some cells, one bit of each
 * @used: those that are not free
 * @full: those whose counter is at its limit
 * @same: those used by the remainder in question
 */
struct dleft_lanes {
	u64 used;
	u64 full;
	u64 same;
};

/* Cells are read in groups: the most of them that one load surely has. */
static void set_cells(struct baseline *filter, unsigned int cells,
		      unsigned int width)
{
	unsigned int i;

	filter->cells = cells;
	filter->width = width;
	filter->remainder = width - COUNTER_BITS;
	filter->group = cells;
	while (filter->group * width > BASELINE_FIELD_BITS)
		filter->group /= 2;
	for (i = 0; i < filter->group; i++)
		filter->lanes |= 1ULL << i * width;
}

static u64 dleft_shape(struct baseline *filter, unsigned int cells, u64 items,
		       double rate, double bits)
{
	double row = SUBTABLES * cells;
	double width = floor(bits * LOAD + BASELINE_ROUNDING);
	double buckets = ceil((double)items / (row * LOAD));

	if (rate > 0)
		width = fmax(ceil(log2(row * LOAD / rate)), 1) + COUNTER_BITS;
	if (width <= COUNTER_BITS ||
	    width > BASELINE_REMAINDER_BITS + COUNTER_BITS)
		return 0;
	set_cells(filter, cells, (unsigned int)width);
	filter->buckets = (u64)fmax(floor((double)items * bits / (row * width)),
				    buckets);
	filter->places = filter->buckets * SUBTABLES * cells;
	return filter->places * filter->width;
}

static u64 dleft4_shape(struct baseline *filter, u64 items, double rate,
			double bits)
{
	return dleft_shape(filter, 4, items, rate, bits);
}

static u64 dleft8_shape(struct baseline *filter, u64 items, double rate,
			double bits)
{
	return dleft_shape(filter, 8, items, rate, bits);
}

static void dleft_item(const struct baseline *filter, u64 hash,
		       struct dleft_item *item)
{
	u64 first = baseline_scale(hash, filter->buckets, &hash);
	unsigned int bits = filter->cells * filter->width;
	unsigned int i;
	u64 rest;

	item->remainder = hash >> (64 - filter->remainder);
	item->bit[0] = first * bits;
	for (i = 1; i < SUBTABLES; i++) {
		u64 other = baseline_remix(item->remainder * SUBTABLES + i);
		u64 bucket = first + baseline_scale(other, filter->buckets,
						    &rest);

		if (bucket >= filter->buckets)
			bucket -= filter->buckets;
		item->bit[i] = (i * filter->buckets + bucket) * bits;
	}
}

/*
 * The cells of one load, beginning at number @bit. A remainder that differs,
 * added to the greatest there is, carries into the bit above it.
 */
static struct dleft_lanes dleft_lanes(const struct baseline *filter, u64 bit,
				      u64 remainder)
{
	u64 word = baseline_load(filter, bit);
	u64 most = filter->lanes * baseline_mask(filter->remainder);
	u64 differ = ((word ^ filter->lanes * remainder) & most) + most;
	struct dleft_lanes found;

	word >>= filter->remainder;
	found.used = filter->lanes & (word | (word >> 1));
	found.full = filter->lanes & word & (word >> 1);
	found.same = found.used & ~(differ >> filter->remainder);
	return found;
}

/* Where an item is, in a cell that is not full if @room, or NO_CELL. */
static u64 dleft_find(const struct baseline *filter,
		      const struct dleft_item *item, bool room)
{
	unsigned int step = filter->group * filter->width;
	unsigned int i, j;

	for (i = 0; i < SUBTABLES; i++) {
		u64 bit = item->bit[i];

		for (j = 0; j < filter->cells; j += filter->group) {
			struct dleft_lanes found;

			found = dleft_lanes(filter, bit, item->remainder);
			if (room)
				found.same &= ~found.full;
			if (found.same)
				return bit + __builtin_ctzll(found.same);
			bit += step;
		}
	}
	return NO_CELL;
}

/* How many cells of a bucket are in use; also finds a free one. */
static unsigned int dleft_used(const struct baseline *filter, u64 bit,
			       u64 *place)
{
	unsigned int step = filter->group * filter->width;
	unsigned int used = 0;
	unsigned int i;

	for (i = 0; i < filter->cells; i += filter->group, bit += step) {
		struct dleft_lanes found = dleft_lanes(filter, bit, 0);
		u64 unused = filter->lanes & ~found.used;

		if (unused)
			*place = bit + __builtin_ctzll(unused);
		used += __builtin_popcountll(found.used);
	}
	return used;
}

/* A free cell of the least full bucket, or NO_CELL. */
static u64 dleft_place(const struct baseline *filter,
		       const struct dleft_item *item)
{
	unsigned int least = filter->cells;
	u64 best = NO_CELL;
	u64 place = NO_CELL;
	unsigned int i;

	for (i = 0; i < SUBTABLES; i++) {
		unsigned int used = dleft_used(filter, item->bit[i], &place);

		if (used < least) {
			least = used;
			best = place;
		}
	}
	return best;
}

static bool dleft_insert(struct baseline *filter, u64 hash)
{
	struct dleft_item item;
	u64 count = 0;
	u64 place;

	dleft_item(filter, hash, &item);
	place = dleft_find(filter, &item, true);
	if (place == NO_CELL)
		place = dleft_place(filter, &item);
	else
		count = baseline_get(filter, place + filter->remainder,
				     COUNTER_BITS);
	if (place == NO_CELL)
		return false;
	baseline_put(filter, place, filter->width,
		     (count + 1) << filter->remainder | item.remainder);
	filter->entries++;
	return true;
}

static bool dleft_contains(const struct baseline *filter, u64 hash)
{
	struct dleft_item item;

	dleft_item(filter, hash, &item);
	return dleft_find(filter, &item, false) != NO_CELL;
}

static bool dleft_erase(struct baseline *filter, u64 hash)
{
	struct dleft_item item;
	u64 count;
	u64 place;

	dleft_item(filter, hash, &item);
	place = dleft_find(filter, &item, false);
	if (place == NO_CELL)
		return false;
	count = baseline_get(filter, place + filter->remainder, COUNTER_BITS);
	baseline_put(filter, place, filter->width,
		     count == 1 ? 0 : (count - 1) << filter->remainder |
				      item.remainder);
	filter->entries--;
	return true;
}

const struct baseline_type baseline_dleft4 = {
	.name = "dleft4",
	.shape = dleft4_shape,
	.insert = dleft_insert,
	.contains = dleft_contains,
	.erase = dleft_erase,
};

const struct baseline_type baseline_dleft8 = {
	.name = "dleft8",
	.shape = dleft8_shape,
	.insert = dleft_insert,
	.contains = dleft_contains,
	.erase = dleft_erase,
};
