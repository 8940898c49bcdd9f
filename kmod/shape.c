// SPDX-License-Identifier: GPL-2.0-only
/*
 * Shapes of exact tables: how many buckets, how wide a tag, or a bitmap.
 */
#include <linux/minmax.h>

#include "inet.h"

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
 * Measured: the least of 60 tables of each size, with random and with
 * consecutive numbers, rounded down; with four entries a hundredth less, which
 * saves a third of the searches' work. Small tables vary more; where one fails
 * earlier than that, it grows.
 */
static const struct kcuckoo_fill kcuckoo_fills[] = {
	{ 16384, { 45, 87, 95, 99 } },
	{ 1024, { 35, 86, 95, 99 } },
	{ 128, { 20, 79, 94, 98 } },
	{ 0, { 6, 65, 89, 96 } },
};

/**
 * kcuckoo_inet_shape_room() - members that surely fit
 * @shape: the shape
 *
 * Return: their number; more usually fit.
 */
u64 kcuckoo_inet_shape_room(const struct kcuckoo_inet_shape *shape)
{
	const struct kcuckoo_fill *fill = kcuckoo_fills;
	unsigned int shift = shape->geometry.bucket_shift;
	u64 places;

	if (shape->bitmap)
		return 1ULL << shape->plen;
	while (shape->geometry.nbuckets < fill->nbuckets)
		fill++;
	places = (u64)shape->geometry.nbuckets << shift;
	return places * fill->percent[shift] / 100;
}

/**
 * kcuckoo_inet_shape_tag_words() - size of the hot plane, or of the bitmap
 * @shape: the shape
 *
 * Return: number of 64-bit words.
 */
u64 kcuckoo_inet_shape_tag_words(const struct kcuckoo_inet_shape *shape)
{
	if (shape->bitmap)
		return kcuckoo_bits_words(1ULL << shape->plen);
	return kcuckoo_geometry_tag_words(&shape->geometry);
}

/**
 * kcuckoo_inet_shape_aux_words() - size of the second plane
 * @shape: the shape
 *
 * Return: number of 64-bit words, 0 where there is no second plane.
 */
u64 kcuckoo_inet_shape_aux_words(const struct kcuckoo_inet_shape *shape)
{
	return shape->bitmap ? 0 : kcuckoo_geometry_aux_words(&shape->geometry);
}

/* Largest number that is divided by the number of buckets. */
static u64 kcuckoo_shape_limit(const struct kcuckoo_inet_shape *shape)
{
	return kcuckoo_bits_mask(min_t(unsigned int, shape->plen, 64));
}

/* ceil(2^L / m), the number of quotients. */
static u64 kcuckoo_shape_quotients(const struct kcuckoo_inet_shape *shape,
				   u32 nbuckets)
{
	return kcuckoo_shape_limit(shape) / nbuckets + 1;
}

/*
 * Sets the number of buckets and the width that the largest tag, twice the
 * number of quotients, needs.
 */
static void kcuckoo_shape_set(struct kcuckoo_inet_shape *shape, u32 nbuckets)
{
	u64 tags = 2 * kcuckoo_shape_quotients(shape, nbuckets);

	shape->geometry.nbuckets = nbuckets;
	for (shape->geometry.tag_bits = 1; tags >>= 1;)
		shape->geometry.tag_bits++;
}

/* The fewest buckets with which tags are one bit narrower than now. */
static u64 kcuckoo_shape_narrower(const struct kcuckoo_inet_shape *shape)
{
	u64 quotients = kcuckoo_bits_mask(shape->geometry.tag_bits - 2);

	if (!quotients)
		return KCUCKOO_BUCKETS_MAX;
	/* ceil(2^L / quotients) buckets have no more quotients than that. */
	return kcuckoo_shape_limit(shape) / quotients + 1;
}

/* Memory of the planes, in words. */
static u64 kcuckoo_shape_words(const struct kcuckoo_inet_shape *shape)
{
	return kcuckoo_inet_shape_tag_words(shape) +
	       kcuckoo_inet_shape_aux_words(shape);
}

/* A bitmap, where that takes no more memory. */
static void kcuckoo_shape_choose(struct kcuckoo_inet_shape *shape)
{
	u64 words = kcuckoo_shape_words(shape);

	if (shape->plen < 48 &&
	    kcuckoo_bits_words(1ULL << shape->plen) <= words)
		shape->bitmap = true;
}

/* A table without buckets, or a bitmap where the length wants one. */
static void kcuckoo_shape_begin(struct kcuckoo_inet_shape *shape,
				unsigned int plen, unsigned int bucket_shift)
{
	shape->plen = plen;
	shape->bitmap = plen <= KCUCKOO_BITMAP_PLEN;
	shape->geometry.nbuckets = KCUCKOO_BUCKETS_MIN;
	shape->geometry.bucket_shift = bucket_shift;
	shape->geometry.tag_bits = 1;
	shape->geometry.aux_bits = plen > 64 ? plen - 64 : 0;
	shape->geometry.sided = true;
}

/**
 * kcuckoo_inet_shape_fit() - the smallest shape for a number of members
 * @shape: out: the shape
 * @plen: prefix length, 0..128
 * @bucket_shift: log2 of the entries per bucket, 0..3
 * @entries: members that have to fit
 *
 * A few more buckets than needed can make every tag a bit narrower, and the
 * whole smaller.
 */
void kcuckoo_inet_shape_fit(struct kcuckoo_inet_shape *shape,
			    unsigned int plen, unsigned int bucket_shift,
			    u64 entries)
{
	struct kcuckoo_inet_shape narrow;
	u64 nbuckets = KCUCKOO_BUCKETS_MIN;
	u64 step;

	kcuckoo_shape_begin(shape, plen, bucket_shift);
	if (shape->bitmap)
		return;
	for (step = KCUCKOO_BUCKETS_MAX / 2; step; step /= 2) {
		shape->geometry.nbuckets = nbuckets + step - 1;
		if (kcuckoo_inet_shape_room(shape) < entries)
			nbuckets += step;
	}
	nbuckets = min_t(u64, nbuckets, KCUCKOO_BUCKETS_MAX);
	kcuckoo_shape_set(shape, nbuckets);
	narrow = *shape;
	nbuckets = kcuckoo_shape_narrower(shape);
	if (nbuckets < KCUCKOO_BUCKETS_MAX) {
		kcuckoo_shape_set(&narrow, nbuckets);
		if (kcuckoo_shape_words(&narrow) < kcuckoo_shape_words(shape))
			*shape = narrow;
	}
	kcuckoo_shape_choose(shape);
}

/**
 * kcuckoo_inet_shape_grow() - the next larger shape
 * @shape: out: the shape
 * @from: the shape that is full
 *
 * A quarter more buckets: larger steps would leave memory unused.
 *
 * Return: false if there is none.
 */
bool kcuckoo_inet_shape_grow(struct kcuckoo_inet_shape *shape,
			     const struct kcuckoo_inet_shape *from)
{
	u32 nbuckets = from->geometry.nbuckets;

	if (from->bitmap || nbuckets >= KCUCKOO_BUCKETS_MAX / 5 * 4)
		return false;
	*shape = *from;
	kcuckoo_shape_set(shape, nbuckets + nbuckets / 4);
	kcuckoo_shape_choose(shape);
	return true;
}
