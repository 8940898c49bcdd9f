// SPDX-License-Identifier: GPL-2.0-only
/*
 * Chooses the layout of a store for a number of members: a table, with its number of
 * buckets and width of tags, or a bitmap.
 *
 * The loads in this file come from measurements.
 */
#include <linux/kernel.h>
#include <linux/log2.h>
#include <linux/minmax.h>

#include "core/store.h"

/**
 * struct kcuckoo_fill - the load that a table reaches before a search for a free entry fails
 * @nbuckets: minimum number of buckets of the tables to which this element applies; in a
 *	table that was doubled, of each part (table.h)
 * @percent: percentage of the places, indexed by log2 of the entries of a bucket
 */
struct kcuckoo_fill {
	u32 nbuckets;
	u8 percent[4];
};

/*
 * The load of exact tables. Each percentage is the measured minimum of 60 tables of each
 * size, with random and with consecutive numbers, rounded down. Small tables vary more. If
 * a search fails at a lower load, the table grows.
 */
static const struct kcuckoo_fill kcuckoo_fills_exact[] = {
	{ 16384, { 45, 87, 97, 99 } },
	{ 1024, { 35, 86, 97, 99 } },
	{ 128, { 20, 79, 96, 98 } },
	{ 0, { 6, 65, 91, 96 } },
};

/*
 * In kcuckoo_layout_fit(), an exact table of KCUCKOO_LAYOUT_LARGE buckets or more, with four
 * entries per bucket (log2: KCUCKOO_LAYOUT_SPARE_SHIFT), gets one spare bucket for each
 * KCUCKOO_LAYOUT_SPARE buckets. The spare buckets save half of the work of searches.
 */
#define KCUCKOO_LAYOUT_LARGE		65536
#define KCUCKOO_LAYOUT_SPARE		48
#define KCUCKOO_LAYOUT_SPARE_SHIFT	2

/*
 * The load of tables of fingerprints. Each percentage is the measured minimum of 200 tables
 * of up to 1,024 buckets, 24 tables of 16,384 buckets and two tables of 2^20 buckets,
 * rounded down.
 */
static const struct kcuckoo_fill kcuckoo_fills[] = {
	{ 16384, { 45, 86, 97, 99 } },
	{ 4096, { 35, 86, 96, 99 } },
	{ 1024, { 15, 85, 96, 99 } },
	{ 512, { 12, 83, 95, 98 } },
	{ 0, { 6, 69, 90, 90 } },
};

/*
 * The load of tables of shorter fingerprints is lower, because a bucket has few possible
 * alternates (Fan et al., section 4 and figure 2). kcuckoo_fill_wide has the minimum
 * number of bits of the fingerprints to which kcuckoo_fills applies. kcuckoo_fill_narrow
 * has the measured minimum load, in percent, of tables of 64 to 2^24 buckets with shorter
 * fingerprints. The first index of each array is log2 of the entries of a bucket. The
 * second index of kcuckoo_fill_narrow is the number of bits of a fingerprint less 1.
 */
static const u8 kcuckoo_fill_wide[4] = { 13, 8, 6, 4 };
static const u8 kcuckoo_fill_narrow[4][12] = {
	{ 1, 1, 3, 4, 5, 8, 9, 9, 9, 10, 10, 12 },
	{ 2, 5, 6, 10, 30, 40, 69 },
	{ 8, 20, 32, 80, 90 },
	{ 15, 50, 90 },
};

/*
 * Number of buckets of the largest table of short fingerprints that was measured. Tables
 * with larger parts are assumed to reach half of the measured percentage, plus 1 so that
 * the result is never 0.
 */
#define KCUCKOO_FILL_MEASURED	BIT(24)

/**
 * kcuckoo_layout_fill() - get the load that a table reaches before a search fails
 * @layout: the layout of the table
 *
 * Return: percentage of the table's places.
 */
unsigned int kcuckoo_layout_fill(const struct kcuckoo_layout *layout)
{
	const struct kcuckoo_table_params *params = &layout->params;
	unsigned int shift = params->bucket_shift;
	/* All fingerprints in a part have the number of the part in their lowest bits. */
	unsigned int bits = params->tag_bits - params->doublings;
	const struct kcuckoo_fill *fill;
	u32 part = params->nbuckets >> params->doublings;

	if (!params->exact && bits < kcuckoo_fill_wide[shift]) {
		unsigned int percent = kcuckoo_fill_narrow[shift][bits - 1];

		return part > KCUCKOO_FILL_MEASURED ? percent / 2 + 1 : percent;
	}
	fill = params->exact ? kcuckoo_fills_exact : kcuckoo_fills;
	while (part < fill->nbuckets)
		fill++;
	return fill->percent[shift];
}

/**
 * kcuckoo_layout_room() - get the number of members that always fit
 * @layout: the layout
 *
 * Return: the number; in a table usually more members fit.
 */
u64 kcuckoo_layout_room(const struct kcuckoo_layout *layout)
{
	u64 places;

	if (layout->bitmap)
		return 1ULL << layout->bits;
	places = (u64)layout->params.nbuckets << layout->params.bucket_shift;
	return places * kcuckoo_layout_fill(layout) / 100;
}

/**
 * kcuckoo_layout_tag_words() - get the size of the hot plane (tags), or of the bitmap
 * @layout: the layout
 *
 * Return: number of 64-bit words.
 */
u64 kcuckoo_layout_tag_words(const struct kcuckoo_layout *layout)
{
	if (layout->bitmap)
		return kcuckoo_bits_words(1ULL << layout->bits);
	return kcuckoo_table_params_tag_words(&layout->params);
}

/**
 * kcuckoo_layout_aux_words() - get the size of the second plane (all fields but the tags)
 * @layout: the layout
 *
 * Return: number of 64-bit words, 0 if there is no second plane.
 */
u64 kcuckoo_layout_aux_words(const struct kcuckoo_layout *layout)
{
	const struct kcuckoo_table_params *params = &layout->params;

	if (!layout->bitmap)
		return kcuckoo_table_params_aux_words(params);
	return kcuckoo_bits_words(kcuckoo_table_params_aux_stride(params)
				  << layout->bits);
}

/* Returns the largest number that an exact table divides by its number of buckets. */
static u64 kcuckoo_layout_limit(const struct kcuckoo_layout *layout)
{
	return kcuckoo_bits_mask(min_t(unsigned int, layout->bits, 64));
}

static u64 kcuckoo_layout_quotients(const struct kcuckoo_layout *layout,
				    u32 nbuckets)
{
	return kcuckoo_layout_limit(layout) / nbuckets + 1;
}

/*
 * Sets the number of buckets of an exact table, and the width of tags that follows
 * from it. A tag is 2 * quotient + side + 1 (table.h), so the largest tag is twice the number
 * of quotients.
 */
static void kcuckoo_layout_set(struct kcuckoo_layout *layout, u32 nbuckets)
{
	u64 tags = 2 * kcuckoo_layout_quotients(layout, nbuckets);

	layout->params.nbuckets = nbuckets;
	for (layout->params.tag_bits = 1; tags >>= 1;)
		layout->params.tag_bits++;
}

/*
 * Returns the minimum number of buckets with which tags are one bit narrower, or
 * KCUCKOO_BUCKETS_MAX if tags cannot be narrower.
 */
static u64 kcuckoo_layout_narrower(const struct kcuckoo_layout *layout)
{
	u64 quotients = kcuckoo_bits_mask(layout->params.tag_bits - 2);

	if (!quotients)
		return KCUCKOO_BUCKETS_MAX;
	/* Rounds up, so that the table has at most this number of quotients. */
	return kcuckoo_layout_limit(layout) / quotients + 1;
}

/*
 * Sizes of allocations, in words of 8 bytes. The kernel rounds an allocation of more
 * than KCUCKOO_BLOCK_MIN words up to a power of two. It rounds an allocation of
 * KCUCKOO_BLOCK_PAGE words or more up to whole pages instead. If the two planes together
 * have more than KCUCKOO_SINGLE_ALLOC_MAX words, each plane is in an allocation of its own,
 * so that large planes can be in huge pages (filter/account.c).
 */
#define KCUCKOO_BLOCK_MIN	32
#define KCUCKOO_BLOCK_PAGE	512
#define KCUCKOO_SINGLE_ALLOC_MAX	8192

/* Returns the number of words that an allocation of @words words takes after rounding. */
static u64 kcuckoo_layout_block(u64 words)
{
	if (words <= KCUCKOO_BLOCK_MIN)
		return words;
	return words < KCUCKOO_BLOCK_PAGE ? roundup_pow_of_two(words) :
					    round_up(words, KCUCKOO_BLOCK_PAGE);
}

/**
 * kcuckoo_layout_single_alloc() - check whether the planes share one allocation
 * @layout: the layout
 *
 * Return: true if the second plane follows the hot plane in one allocation.
 */
bool kcuckoo_layout_single_alloc(const struct kcuckoo_layout *layout)
{
	u64 tags = kcuckoo_layout_tag_words(layout);
	u64 aux = kcuckoo_layout_aux_words(layout);

	return tags + aux <= KCUCKOO_SINGLE_ALLOC_MAX &&
	       kcuckoo_layout_block(tags + aux) <=
	       kcuckoo_layout_block(tags) + kcuckoo_layout_block(aux);
}

/* Returns the memory of both planes, in words, with the rounding of allocations. */
static u64 kcuckoo_layout_words(const struct kcuckoo_layout *layout)
{
	u64 tags = kcuckoo_layout_tag_words(layout);
	u64 aux = kcuckoo_layout_aux_words(layout);

	if (kcuckoo_layout_single_alloc(layout))
		return kcuckoo_layout_block(tags + aux);
	return kcuckoo_layout_block(tags) + kcuckoo_layout_block(aux);
}

/*
 * Increases the number of buckets to the maximum that fits into the allocations of the
 * layout: the kernel rounds allocations up, and the words that the rounding adds would
 * otherwise be unused.
 */
static void kcuckoo_layout_stretch(struct kcuckoo_layout *layout)
{
	const struct kcuckoo_table_params *params = &layout->params;
	u64 words = kcuckoo_layout_words(layout);
	u64 bits = kcuckoo_table_params_bucket_bits(params);
	u64 stride = kcuckoo_table_params_aux_stride(params)
		     << params->bucket_shift;
	u64 nbuckets;

	if (words <= KCUCKOO_BLOCK_MIN)
		return;
	if (!stride || kcuckoo_layout_single_alloc(layout)) {
		/*
		 * Each plane begins with a new word, so up to one word stays
		 * unused between two planes in one allocation.
		 */
		nbuckets = (words - !!stride) * 64 / (bits + stride);
	} else {
		u64 tags = kcuckoo_layout_tag_words(layout);

		tags = kcuckoo_layout_block(tags);
		nbuckets = min_t(u64, tags * 64 / bits,
				 (words - tags) * 64 / stride);
	}
	if (nbuckets > params->nbuckets)
		kcuckoo_layout_set(layout,
				   min_t(u64, nbuckets, KCUCKOO_BUCKETS_MAX));
}

/* Changes the layout to a bitmap if a bitmap takes no more memory than the table. */
static void kcuckoo_layout_choose(struct kcuckoo_layout *layout)
{
	struct kcuckoo_layout bitmap = *layout;

	bitmap.bitmap = true;
	if (layout->bits < KCUCKOO_BITMAP_BITS_MAX &&
	    kcuckoo_layout_words(&bitmap) <= kcuckoo_layout_words(layout))
		*layout = bitmap;
}

/*
 * Returns the minimum number of buckets, at least @min_buckets, in which @entries
 * members always fit; KCUCKOO_BUCKETS_MAX if the members fit in no table.
 */
static u32 kcuckoo_layout_buckets(const struct kcuckoo_layout *from,
				  u32 min_buckets, u64 entries)
{
	struct kcuckoo_layout layout = *from;
	u64 nbuckets = min_buckets;
	u64 step;

	for (step = KCUCKOO_BUCKETS_MAX / 2; step; step /= 2) {
		layout.params.nbuckets = nbuckets + step - 1;
		if (kcuckoo_layout_room(&layout) < entries)
			nbuckets += step;
	}
	return min_t(u64, nbuckets, KCUCKOO_BUCKETS_MAX);
}

/*
 * Chooses the smallest layout of an exact store, apart from spare buckets. A few more
 * buckets than necessary can make every tag one bit narrower, and so make the table smaller.
 */
static void kcuckoo_layout_fit_exact(struct kcuckoo_layout *layout, u64 entries)
{
	struct kcuckoo_layout narrow;
	u64 nbuckets;

	layout->params.aux_bits = layout->bits > 64 ? layout->bits - 64 : 0;
	layout->params.nbuckets = KCUCKOO_BUCKETS_MIN;
	layout->params.tag_bits = 1;
	layout->bitmap = layout->bits <= KCUCKOO_BITMAP_BITS;
	if (layout->bitmap)
		return;
	nbuckets = kcuckoo_layout_buckets(layout, KCUCKOO_BUCKETS_MIN, entries);
	if (nbuckets >= KCUCKOO_LAYOUT_LARGE &&
	    layout->params.bucket_shift == KCUCKOO_LAYOUT_SPARE_SHIFT)
		nbuckets += nbuckets / KCUCKOO_LAYOUT_SPARE;
	kcuckoo_layout_set(layout, min_t(u64, nbuckets, KCUCKOO_BUCKETS_MAX));
	narrow = *layout;
	nbuckets = kcuckoo_layout_narrower(layout);
	if (nbuckets < KCUCKOO_BUCKETS_MAX) {
		kcuckoo_layout_set(&narrow, nbuckets);
		if (kcuckoo_layout_words(&narrow) <
		    kcuckoo_layout_words(layout))
			*layout = narrow;
	}
	kcuckoo_layout_stretch(layout);
	kcuckoo_layout_choose(layout);
}

/*
 * Chooses the smallest layout of a store of fingerprints. The number of buckets is even, so
 * the two buckets of a key are never the same bucket (table.h). A key whose buckets are the
 * same would have room for only half as many copies.
 */
static void kcuckoo_layout_fit_fingerprints(struct kcuckoo_layout *layout,
					    u64 entries)
{
	u32 nbuckets = kcuckoo_layout_buckets(layout,
					      KCUCKOO_FINGERPRINT_BUCKETS_MIN,
					      entries);

	layout->params.nbuckets = nbuckets + (nbuckets & 1);
}

/**
 * kcuckoo_layout_fit() - choose the smallest layout for a number of members
 * @layout: out: the layout
 * @params: entries per bucket, bits of values and expiry, exact or not; for
 *	fingerprints also the number of bits of a fingerprint, and whether buckets are
 *	semi-sorted
 * @bits: bits of the members' numbers, 0..128; 0 for byte strings
 * @entries: number of members that have to fit; if the members fit in no layout, the
 *	result is the largest layout
 */
void kcuckoo_layout_fit(struct kcuckoo_layout *layout,
			const struct kcuckoo_table_params *params,
			unsigned int bits, u64 entries)
{
	layout->bits = bits;
	layout->bitmap = false;
	layout->params = *params;
	layout->params.doublings = 0;
	if (params->exact)
		kcuckoo_layout_fit_exact(layout, entries);
	else
		kcuckoo_layout_fit_fingerprints(layout, entries);
}

/**
 * kcuckoo_layout_make() - make a layout from given sizes
 * @layout: out: the layout
 * @params: as for kcuckoo_layout_fit()
 * @bits: bits of the members' numbers, 0..128; 0 for byte strings
 * @nbuckets: number of buckets, 0 for a bitmap
 * @doublings: number of times that the table has been doubled
 *
 * A program can write the snapshot from which the sizes come, so the function checks the
 * sizes.
 *
 * Return: false if the sizes are not valid; @layout must then not be used.
 */
bool kcuckoo_layout_make(struct kcuckoo_layout *layout,
			 const struct kcuckoo_table_params *params,
			 unsigned int bits, u32 nbuckets,
			 unsigned int doublings)
{
	kcuckoo_layout_fit(layout, params, bits, 1);
	if (!nbuckets) {
		layout->bitmap = true;
		return params->exact && !doublings &&
		       bits < KCUCKOO_BITMAP_BITS_MAX;
	}
	if (nbuckets > KCUCKOO_BUCKETS_MAX || layout->bitmap)
		return false;
	if (params->exact) {
		kcuckoo_layout_set(layout, nbuckets);
		return !doublings && nbuckets >= KCUCKOO_BUCKETS_MIN;
	}
	if (doublings > KCUCKOO_FINGERPRINT_MAX ||
	    (doublings && doublings + KCUCKOO_DOUBLING_BITS > params->tag_bits))
		return false;
	layout->params.nbuckets = nbuckets;
	layout->params.doublings = doublings;
	return nbuckets >> doublings >= KCUCKOO_FINGERPRINT_BUCKETS_MIN &&
	       !(nbuckets & kcuckoo_bits_mask(doublings + 1));
}

/* Doubles the layout of a table of fingerprints; returns false if that is not possible. */
static bool kcuckoo_layout_double(struct kcuckoo_layout *layout)
{
	struct kcuckoo_table_params *params = &layout->params;

	if (params->doublings + 1 + KCUCKOO_DOUBLING_BITS >
	    params->tag_bits || params->nbuckets > KCUCKOO_BUCKETS_MAX / 2)
		return false;
	params->doublings++;
	params->nbuckets *= 2;
	return true;
}

/**
 * kcuckoo_layout_grow() - choose the next larger layout
 * @layout: out: the layout
 * @from: the layout of the store that is full
 *
 * An exact table gets a quarter more buckets; larger steps would leave memory unused.
 *
 * Return: false if there is no larger layout.
 */
bool kcuckoo_layout_grow(struct kcuckoo_layout *layout,
			 const struct kcuckoo_layout *from)
{
	u32 nbuckets = from->params.nbuckets;

	*layout = *from;
	if (!from->params.exact)
		return kcuckoo_layout_double(layout);
	if (from->bitmap || nbuckets >= KCUCKOO_BUCKETS_MAX / 5 * 4)
		return false;
	kcuckoo_layout_set(layout, nbuckets + nbuckets / 4);
	kcuckoo_layout_stretch(layout);
	kcuckoo_layout_choose(layout);
	return true;
}

/* Undoes doublings while the members fit; returns false if no doubling can be undone. */
static bool kcuckoo_layout_halve(struct kcuckoo_layout *layout, u64 entries)
{
	struct kcuckoo_table_params *params = &layout->params;
	struct kcuckoo_layout half = *layout;
	bool smaller = false;

	while (params->doublings) {
		half.params.doublings--;
		half.params.nbuckets /= 2;
		if (kcuckoo_layout_room(&half) < entries)
			break;
		*layout = half;
		smaller = true;
	}
	return smaller;
}

/**
 * kcuckoo_layout_shrink() - choose a smaller layout
 * @layout: out: the layout
 * @from: the present layout
 * @entries: number of members that have to fit
 *
 * Return: false if there is no smaller layout; @layout must then not be used.
 */
bool kcuckoo_layout_shrink(struct kcuckoo_layout *layout,
			   const struct kcuckoo_layout *from, u64 entries)
{
	*layout = *from;
	if (!from->params.exact)
		return kcuckoo_layout_halve(layout, entries);
	kcuckoo_layout_fit(layout, &from->params, from->bits, entries);
	return kcuckoo_layout_words(layout) < kcuckoo_layout_words(from);
}
