// SPDX-License-Identifier: GPL-2.0-only
/*
 * Shapes of stores: how many buckets, how wide a tag, or a bitmap.
 */
#include <linux/log2.h>
#include <linux/math.h>
#include <linux/minmax.h>

#include "core/store.h"

/**
 * struct kcuckoo_fill - how far tables fill before the first failed search
 * @nbuckets: tables of this many buckets and more
 * @percent: places that are surely filled, by log2 of the bucket's entries
 */
struct kcuckoo_fill {
	u32 nbuckets;
	u8 percent[4];
};

/*
 * Exact tables. Measured: the least of 60 tables of each size, with random and
 * with consecutive numbers, rounded down. Small tables vary more; where one
 * fails earlier than that, it grows.
 */
static const struct kcuckoo_fill kcuckoo_fills_exact[] = {
	{ 16384, { 45, 87, 97, 99 } },
	{ 1024, { 35, 86, 97, 99 } },
	{ 128, { 20, 79, 96, 98 } },
	{ 0, { 6, 65, 91, 96 } },
};

/*
 * A large exact table of four entries to the bucket gets one more bucket for so
 * many, which saves half of the searches' work. Smaller ones have the end of their
 * last page for that.
 */
#define KCUCKOO_SHAPE_LARGE		65536
#define KCUCKOO_SHAPE_SPARE		48
#define KCUCKOO_SHAPE_SPARE_SHIFT	2

/*
 * Tables of fingerprints, which cannot grow a little. Measured: the least of 200
 * tables of up to 1,024 buckets, 24 of 16,384 and two of 2^20, of all widths
 * from kcuckoo_fill_wide on, rounded down.
 */
static const struct kcuckoo_fill kcuckoo_fills[] = {
	{ 16384, { 45, 86, 97, 99 } },
	{ 4096, { 35, 86, 96, 99 } },
	{ 1024, { 15, 85, 96, 99 } },
	{ 512, { 12, 83, 95, 98 } },
	{ 0, { 6, 69, 90, 90 } },
};

/*
 * Fingerprints that are shorter leave too few alternates to choose from (Fan et
 * al., section 4 and figure 2), the more so the larger the table. Measured: the
 * least of tables of 64 to 2^24 buckets, by log2 of the bucket's entries and
 * bits.
 */
static const u8 kcuckoo_fill_wide[4] = { 13, 8, 6, 4 };
static const u8 kcuckoo_fill_narrow[4][12] = {
	{ 1, 1, 3, 4, 5, 8, 9, 9, 9, 10, 10, 12 },
	{ 2, 5, 6, 10, 30, 40, 69 },
	{ 8, 20, 32, 80, 90 },
	{ 15, 50, 90 },
};

/* Beyond the largest table measured, so much is left of that. */
#define KCUCKOO_FILL_MEASURED	BIT(24)

/**
 * kcuckoo_shape_fill() - how far a cuckoo table surely fills
 * @shape: its shape
 *
 * Return: percent of its places.
 */
unsigned int kcuckoo_shape_fill(const struct kcuckoo_shape *shape)
{
	const struct kcuckoo_table_params *params = &shape->params;
	unsigned int shift = params->bucket_shift;
	/* Those that tell the part are the same in all of it. */
	unsigned int bits = params->tag_bits - params->doublings;
	const struct kcuckoo_fill *fill;
	u32 part = params->nbuckets >> params->doublings;

	if (!params->sided && bits < kcuckoo_fill_wide[shift]) {
		unsigned int percent = kcuckoo_fill_narrow[shift][bits - 1];

		return part > KCUCKOO_FILL_MEASURED ? percent / 2 + 1 : percent;
	}
	fill = params->sided ? kcuckoo_fills_exact : kcuckoo_fills;
	while (part < fill->nbuckets)
		fill++;
	return fill->percent[shift];
}

/**
 * kcuckoo_shape_room() - members that surely fit
 * @shape: the shape
 *
 * Return: their number; more usually fit.
 */
u64 kcuckoo_shape_room(const struct kcuckoo_shape *shape)
{
	u64 places;

	if (shape->bitmap)
		return 1ULL << shape->bits;
	places = (u64)shape->params.nbuckets << shape->params.bucket_shift;
	return places * kcuckoo_shape_fill(shape) / 100;
}

/**
 * kcuckoo_shape_tag_words() - size of the hot plane, or of the bitmap
 * @shape: the shape
 *
 * Return: number of 64-bit words.
 */
u64 kcuckoo_shape_tag_words(const struct kcuckoo_shape *shape)
{
	if (shape->bitmap)
		return kcuckoo_bits_words(1ULL << shape->bits);
	return kcuckoo_table_params_tag_words(&shape->params);
}

/**
 * kcuckoo_shape_aux_words() - size of the second plane
 * @shape: the shape
 *
 * Return: number of 64-bit words, 0 where there is no second plane.
 */
u64 kcuckoo_shape_aux_words(const struct kcuckoo_shape *shape)
{
	const struct kcuckoo_table_params *params = &shape->params;

	if (!shape->bitmap)
		return kcuckoo_table_params_aux_words(params);
	return kcuckoo_bits_words(kcuckoo_table_params_aux_stride(params)
				  << shape->bits);
}

/* Largest number that is divided by the number of buckets. */
static u64 kcuckoo_shape_limit(const struct kcuckoo_shape *shape)
{
	return kcuckoo_bits_mask(min_t(unsigned int, shape->bits, 64));
}

/* ceil(2^L / m), the number of quotients. */
static u64 kcuckoo_shape_quotients(const struct kcuckoo_shape *shape,
				   u32 nbuckets)
{
	return kcuckoo_shape_limit(shape) / nbuckets + 1;
}

/*
 * Sets the number of buckets and the width that the largest tag, twice the
 * number of quotients, needs.
 */
static void kcuckoo_shape_set(struct kcuckoo_shape *shape, u32 nbuckets)
{
	u64 tags = 2 * kcuckoo_shape_quotients(shape, nbuckets);

	shape->params.nbuckets = nbuckets;
	for (shape->params.tag_bits = 1; tags >>= 1;)
		shape->params.tag_bits++;
}

/* The fewest buckets with which tags are one bit narrower than now. */
static u64 kcuckoo_shape_narrower(const struct kcuckoo_shape *shape)
{
	u64 quotients = kcuckoo_bits_mask(shape->params.tag_bits - 2);

	if (!quotients)
		return KCUCKOO_BUCKETS_MAX;
	/* ceil(2^L / quotients) buckets have no more quotients than that. */
	return kcuckoo_shape_limit(shape) / quotients + 1;
}

/*
 * Memory comes in powers of two from this many words on, and then in pages; so the
 * planes of small tables may do with less in one block. Larger ones are in huge
 * pages each by itself.
 */
#define KCUCKOO_BLOCK_LEAST	32
#define KCUCKOO_BLOCK_PAGE	512
#define KCUCKOO_BLOCK_UNITED	8192

/* The words that an allocation of so many takes. */
static u64 kcuckoo_shape_block(u64 words)
{
	if (words <= KCUCKOO_BLOCK_LEAST)
		return words;
	return words < KCUCKOO_BLOCK_PAGE ? roundup_pow_of_two(words) :
					    round_up(words, KCUCKOO_BLOCK_PAGE);
}

/**
 * kcuckoo_shape_united() - are the planes in one block of memory?
 * @shape: the shape
 *
 * Return: true if the second one begins where the hot one ends, which takes no
 * more memory than two blocks.
 */
bool kcuckoo_shape_united(const struct kcuckoo_shape *shape)
{
	u64 tags = kcuckoo_shape_tag_words(shape);
	u64 aux = kcuckoo_shape_aux_words(shape);

	return tags + aux <= KCUCKOO_BLOCK_UNITED &&
	       kcuckoo_shape_block(tags + aux) <=
	       kcuckoo_shape_block(tags) + kcuckoo_shape_block(aux);
}

/* Memory of the planes, in words. */
static u64 kcuckoo_shape_words(const struct kcuckoo_shape *shape)
{
	u64 tags = kcuckoo_shape_tag_words(shape);
	u64 aux = kcuckoo_shape_aux_words(shape);

	if (kcuckoo_shape_united(shape))
		return kcuckoo_shape_block(tags + aux);
	return kcuckoo_shape_block(tags) + kcuckoo_shape_block(aux);
}

/*
 * As many buckets as go into the memory that the planes take: what would be left
 * of it is as good as free.
 */
static void kcuckoo_shape_stretch(struct kcuckoo_shape *shape)
{
	const struct kcuckoo_table_params *params = &shape->params;
	u64 words = kcuckoo_shape_words(shape);
	u64 bits = kcuckoo_table_params_bucket_bits(params);
	u64 stride = kcuckoo_table_params_aux_stride(params)
		     << params->bucket_shift;
	u64 nbuckets;

	if (words <= KCUCKOO_BLOCK_LEAST)
		return;
	if (!stride || kcuckoo_shape_united(shape)) {
		/* Each plane ends with a word. */
		nbuckets = (words - !!stride) * 64 / (bits + stride);
	} else {
		u64 tags = kcuckoo_shape_tag_words(shape);

		tags = kcuckoo_shape_block(tags);
		nbuckets = min_t(u64, tags * 64 / bits,
				 (words - tags) * 64 / stride);
	}
	if (nbuckets > params->nbuckets)
		kcuckoo_shape_set(shape,
				  min_t(u64, nbuckets, KCUCKOO_BUCKETS_MAX));
}

/* A bitmap, where that takes no more memory. */
static void kcuckoo_shape_choose(struct kcuckoo_shape *shape)
{
	struct kcuckoo_shape bitmap = *shape;

	bitmap.bitmap = true;
	if (shape->bits < KCUCKOO_BITMAP_BITS_MAX &&
	    kcuckoo_shape_words(&bitmap) <= kcuckoo_shape_words(shape))
		*shape = bitmap;
}

/* The fewest buckets in which a number of members surely fit. */
static u32 kcuckoo_shape_buckets(const struct kcuckoo_shape *from, u32 least,
				 u64 entries)
{
	struct kcuckoo_shape shape = *from;
	u64 nbuckets = least;
	u64 step;

	for (step = KCUCKOO_BUCKETS_MAX / 2; step; step /= 2) {
		shape.params.nbuckets = nbuckets + step - 1;
		if (kcuckoo_shape_room(&shape) < entries)
			nbuckets += step;
	}
	return min_t(u64, nbuckets, KCUCKOO_BUCKETS_MAX);
}

/*
 * A few more buckets than needed can make every tag a bit narrower, and the
 * whole smaller.
 */
static void kcuckoo_shape_fit_exact(struct kcuckoo_shape *shape, u64 entries)
{
	struct kcuckoo_shape narrow;
	u64 nbuckets;

	shape->params.aux_bits = shape->bits > 64 ? shape->bits - 64 : 0;
	shape->params.nbuckets = KCUCKOO_BUCKETS_MIN;
	shape->params.tag_bits = 1;
	shape->bitmap = shape->bits <= KCUCKOO_BITMAP_BITS;
	if (shape->bitmap)
		return;
	nbuckets = kcuckoo_shape_buckets(shape, KCUCKOO_BUCKETS_MIN, entries);
	if (nbuckets >= KCUCKOO_SHAPE_LARGE &&
	    shape->params.bucket_shift == KCUCKOO_SHAPE_SPARE_SHIFT)
		nbuckets += nbuckets / KCUCKOO_SHAPE_SPARE;
	kcuckoo_shape_set(shape, min_t(u64, nbuckets, KCUCKOO_BUCKETS_MAX));
	narrow = *shape;
	nbuckets = kcuckoo_shape_narrower(shape);
	if (nbuckets < KCUCKOO_BUCKETS_MAX) {
		kcuckoo_shape_set(&narrow, nbuckets);
		if (kcuckoo_shape_words(&narrow) < kcuckoo_shape_words(shape))
			*shape = narrow;
	}
	kcuckoo_shape_stretch(shape);
	kcuckoo_shape_choose(shape);
}

/*
 * An even number, so that each key has two buckets and there is room for as many
 * copies of it as those hold.
 */
static void kcuckoo_shape_fit_fingerprints(struct kcuckoo_shape *shape,
					   u64 entries)
{
	u32 nbuckets = kcuckoo_shape_buckets(shape,
					     KCUCKOO_FINGERPRINT_BUCKETS_MIN,
					     entries);

	shape->params.nbuckets = nbuckets + (nbuckets & 1);
}

/**
 * kcuckoo_shape_fit() - the smallest shape for a number of members
 * @shape: out: the shape
 * @params: entries per bucket, bits of values and expiry, sided or not; of
 *	fingerprints their bits, and whether buckets are semi-sorted
 * @bits: bits of the members' numbers, 0..128; 0 for byte strings
 * @entries: members that have to fit
 */
void kcuckoo_shape_fit(struct kcuckoo_shape *shape,
		       const struct kcuckoo_table_params *params,
		       unsigned int bits, u64 entries)
{
	shape->bits = bits;
	shape->bitmap = false;
	shape->params = *params;
	shape->params.doublings = 0;
	if (params->sided)
		kcuckoo_shape_fit_exact(shape, entries);
	else
		kcuckoo_shape_fit_fingerprints(shape, entries);
}

/**
 * kcuckoo_shape_make() - a shape that is told, not chosen
 * @shape: out: the shape
 * @params: as for kcuckoo_shape_fit()
 * @bits: bits of the members' numbers, 0..128; 0 for byte strings
 * @nbuckets: number of buckets, 0 for a bitmap
 * @doublings: how often it has been doubled
 *
 * Return: false if there is no such shape.
 */
bool kcuckoo_shape_make(struct kcuckoo_shape *shape,
			const struct kcuckoo_table_params *params,
			unsigned int bits, u32 nbuckets, unsigned int doublings)
{
	kcuckoo_shape_fit(shape, params, bits, 1);
	if (!nbuckets) {
		shape->bitmap = true;
		return params->sided && !doublings &&
		       bits < KCUCKOO_BITMAP_BITS_MAX;
	}
	if (nbuckets > KCUCKOO_BUCKETS_MAX || shape->bitmap)
		return false;
	if (params->sided) {
		kcuckoo_shape_set(shape, nbuckets);
		return !doublings && nbuckets >= KCUCKOO_BUCKETS_MIN;
	}
	if (doublings > KCUCKOO_FINGERPRINT_MAX ||
	    (doublings && doublings + KCUCKOO_DOUBLING_BITS > params->tag_bits))
		return false;
	shape->params.nbuckets = nbuckets;
	shape->params.doublings = doublings;
	return nbuckets >> doublings >= KCUCKOO_FINGERPRINT_BUCKETS_MIN &&
	       !(nbuckets & kcuckoo_bits_mask(doublings + 1));
}

/*
 * A table of fingerprints can only be doubled, as long as the bits that then
 * tell the part leave four others.
 */
static bool kcuckoo_shape_double(struct kcuckoo_shape *shape)
{
	struct kcuckoo_table_params *params = &shape->params;

	if (params->doublings + 1 + KCUCKOO_DOUBLING_BITS >
	    params->tag_bits || params->nbuckets > KCUCKOO_BUCKETS_MAX / 2)
		return false;
	params->doublings++;
	params->nbuckets *= 2;
	return true;
}

/**
 * kcuckoo_shape_grow() - the next larger shape
 * @shape: out: the shape
 * @from: the shape that is full
 *
 * A quarter more buckets, because larger steps would leave memory unused, and what
 * then goes into their memory; twice as many where the keys are not known.
 *
 * Return: false if there is none.
 */
bool kcuckoo_shape_grow(struct kcuckoo_shape *shape,
			const struct kcuckoo_shape *from)
{
	u32 nbuckets = from->params.nbuckets;

	*shape = *from;
	if (!from->params.sided)
		return kcuckoo_shape_double(shape);
	if (from->bitmap || nbuckets >= KCUCKOO_BUCKETS_MAX / 5 * 4)
		return false;
	kcuckoo_shape_set(shape, nbuckets + nbuckets / 4);
	kcuckoo_shape_stretch(shape);
	kcuckoo_shape_choose(shape);
	return true;
}

/* Undoes doublings, as many as leave room. */
static bool kcuckoo_shape_halve(struct kcuckoo_shape *shape, u64 entries)
{
	struct kcuckoo_table_params *params = &shape->params;
	struct kcuckoo_shape half = *shape;
	bool smaller = false;

	while (params->doublings) {
		half.params.doublings--;
		half.params.nbuckets /= 2;
		if (kcuckoo_shape_room(&half) < entries)
			break;
		*shape = half;
		smaller = true;
	}
	return smaller;
}

/**
 * kcuckoo_shape_shrink() - a smaller shape
 * @shape: out: the shape
 * @from: the present shape
 * @entries: members that have to fit
 *
 * Return: false if there is none.
 */
bool kcuckoo_shape_shrink(struct kcuckoo_shape *shape,
			  const struct kcuckoo_shape *from, u64 entries)
{
	*shape = *from;
	if (!from->params.sided)
		return kcuckoo_shape_halve(shape, entries);
	kcuckoo_shape_fit(shape, &from->params, from->bits, entries);
	return kcuckoo_shape_words(shape) < kcuckoo_shape_words(from);
}
