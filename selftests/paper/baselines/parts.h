/* SPDX-License-Identifier: GPL-2.0-only */
/* What the filters have in common: packed fields, and random bits of a hash. */
#ifndef _BASELINES_PARTS_H
#define _BASELINES_PARTS_H

#include <endian.h>
#include <string.h>

#include "baselines.h"

/* One load of 8 bytes from any byte on has at least so many bits of a field. */
#define BASELINE_FIELD_BITS	57

/* Longer remainders would want more random bits than a hash has. */
#define BASELINE_REMAINDER_BITS	32

/* So that 12 / 0.9 bits per item are 12 bits a slot, whatever the rounding. */
#define BASELINE_ROUNDING	0.000001

static inline u64 baseline_mask(unsigned int width)
{
	return (1ULL << width) - 1;
}

/* The bits of the table from number @bit on, 57 at least. */
static inline u64 baseline_load(const struct baseline *filter, u64 bit)
{
	u64 word;

	memcpy(&word, filter->memory + (bit >> 3), sizeof(word));
	return le64toh(word) >> (bit & 7);
}

/* A field of up to 57 bits, whose lowest is number @bit. */
static inline u64 baseline_get(const struct baseline *filter, u64 bit,
			       unsigned int width)
{
	return baseline_load(filter, bit) & baseline_mask(width);
}

static inline void baseline_put(struct baseline *filter, u64 bit,
				unsigned int width, u64 value)
{
	u8 *at = filter->memory + (bit >> 3);
	u64 word;

	memcpy(&word, at, sizeof(word));
	word = le64toh(word);
	word &= ~(baseline_mask(width) << (bit & 7));
	word = htole64(word | value << (bit & 7));
	memcpy(at, &word, sizeof(word));
}

/* A bijection that makes other random bits of random bits. */
static inline u64 baseline_remix(u64 word)
{
	word += 0x9e3779b97f4a7c15ULL;
	word ^= word >> 32;
	word *= 0x9e3779b97f4a7c15ULL;
	word ^= word >> 29;
	word *= 0x9e3779b97f4a7c15ULL;
	return word ^ word >> 32;
}

/*
 * A hash, taken as a fraction of 1, times @range: below @range. The fraction
 * that is left over is random whatever the result, as long as a hash has more
 * bits than both together. No division, and no range but a power of two is
 * worse for it.
 */
static inline u64 baseline_scale(u64 hash, u64 range, u64 *rest)
{
	__uint128_t product = (__uint128_t)hash * range;

	*rest = (u64)product;
	return (u64)(product >> 64);
}

/* The shape of Bloom filters of @width bits a place; returns the table's bits. */
u64 baseline_bloom_shape(struct baseline *filter, unsigned int width, u64 items,
			 double rate, double bits);

#endif /* _BASELINES_PARTS_H */
