// SPDX-License-Identifier: GPL-2.0-only
/*
 * The form of a table: what it makes of sizes.
 */
#include <linux/minmax.h>

#include "core/semisort.h"
#include "core/table.h"

/**
 * kcuckoo_geometry_aux_stride() - size of an entry in the second plane
 * @geometry: form of the table
 *
 * Return: bits, 0..128.
 */
u64 kcuckoo_geometry_aux_stride(const struct kcuckoo_geometry *geometry)
{
	return geometry->aux_bits + geometry->value_bits +
	       geometry->expiry_bits;
}

/**
 * kcuckoo_geometry_bucket_bits() - size of a bucket in the hot plane
 * @geometry: form of the table
 *
 * Return: bits.
 */
unsigned int
kcuckoo_geometry_bucket_bits(const struct kcuckoo_geometry *geometry)
{
	unsigned int bits = geometry->tag_bits << geometry->bucket_shift;

	if (geometry->sorted)
		bits -= KCUCKOO_SEMISORT_ENTRIES * KCUCKOO_SEMISORT_BITS -
			KCUCKOO_SEMISORT_CODE_BITS;
	return bits;
}

/**
 * kcuckoo_geometry_tag_words() - size of the hot plane
 * @geometry: form of the table
 *
 * Return: number of 64-bit words.
 */
u64 kcuckoo_geometry_tag_words(const struct kcuckoo_geometry *geometry)
{
	return kcuckoo_bits_words((u64)geometry->nbuckets *
				  kcuckoo_geometry_bucket_bits(geometry));
}

/**
 * kcuckoo_geometry_aux_words() - size of the second plane
 * @geometry: form of the table
 *
 * Return: number of 64-bit words, 0 where there is no second plane.
 */
u64 kcuckoo_geometry_aux_words(const struct kcuckoo_geometry *geometry)
{
	u64 places = (u64)geometry->nbuckets << geometry->bucket_shift;

	return kcuckoo_bits_words(places * kcuckoo_geometry_aux_stride(geometry));
}

/**
 * kcuckoo_geometry_whole() - buckets that are words from their first byte on
 * @geometry: form of the table
 *
 * All, but for some of the last ones where these end with the plane, if a bucket
 * has up to 8 bytes, whole ones, and holds tags and nothing else.
 *
 * Return: how many, from the first one on, kcuckoo_bits_word() reads without
 * going beyond the hot plane; 0 in other tables.
 */
u32 kcuckoo_geometry_whole(const struct kcuckoo_geometry *geometry)
{
	unsigned int bits = kcuckoo_geometry_bucket_bits(geometry);
	u64 bytes = kcuckoo_geometry_tag_words(geometry) * sizeof(u64);

	if (!KCUCKOO_BITS_BYTES || geometry->sorted || bits > 64 || bits % 8)
		return 0;
	return min_t(u64, (bytes - sizeof(u64)) / (bits / 8) + 1,
		     geometry->nbuckets);
}

/**
 * kcuckoo_geometry_reach() - what a look-up reads of a bucket
 * @geometry: form of the table
 *
 * Buckets begin with those bits of a byte that are multiples of the lowest bit of
 * their size.
 *
 * Return: how many bytes it reads behind the first one of the bucket, at most.
 */
u32 kcuckoo_geometry_reach(const struct kcuckoo_geometry *geometry)
{
	u32 bits = kcuckoo_geometry_bucket_bits(geometry);
	u32 first = 8 - min_t(u32, bits & -bits, 8);

	if (kcuckoo_geometry_whole(geometry))
		bits = 64;
	return (first + bits - 1) / 8;
}
