// SPDX-License-Identifier: GPL-2.0-only
/*
 * Computes the sizes that follow from the parameters of a table.
 *
 * table.h explains the parameters, the hot plane and the second plane.
 */
#include <linux/minmax.h>

#include "core/semisort.h"
#include "core/table.h"

/**
 * kcuckoo_table_params_aux_stride() - get the size of an entry in the second plane, in
 *	bits
 * @params: parameters of the table
 *
 * Return: number of bits, 0..128.
 */
u64 kcuckoo_table_params_aux_stride(const struct kcuckoo_table_params *params)
{
	return params->aux_bits + params->value_bits +
	       params->expiry_bits;
}

/**
 * kcuckoo_table_params_bucket_bits() - get the size of a bucket in the hot plane, in
 *	bits
 * @params: parameters of the table
 *
 * Return: number of bits.
 */
unsigned int
kcuckoo_table_params_bucket_bits(const struct kcuckoo_table_params *params)
{
	unsigned int bits = params->tag_bits << params->bucket_shift;

	if (params->sorted)
		bits -= KCUCKOO_SEMISORT_ENTRIES * KCUCKOO_SEMISORT_BITS -
			KCUCKOO_SEMISORT_CODE_BITS;
	return bits;
}

/**
 * kcuckoo_table_params_tag_words() - get the size of the hot plane
 * @params: parameters of the table
 *
 * Return: number of 64-bit words.
 */
u64 kcuckoo_table_params_tag_words(const struct kcuckoo_table_params *params)
{
	return kcuckoo_bits_words((u64)params->nbuckets *
				  kcuckoo_table_params_bucket_bits(params));
}

/**
 * kcuckoo_table_params_aux_words() - get the size of the second plane
 * @params: parameters of the table
 *
 * Return: number of 64-bit words, 0 if there is no second plane.
 */
u64 kcuckoo_table_params_aux_words(const struct kcuckoo_table_params *params)
{
	u64 places = (u64)params->nbuckets << params->bucket_shift;

	return kcuckoo_bits_words(places *
				  kcuckoo_table_params_aux_stride(params));
}

/**
 * kcuckoo_table_params_nr_direct() - count the buckets that one load can read
 * @params: parameters of the table
 *
 * One load of 8 bytes can read a bucket if the bucket has a whole number of bytes, at
 * most 8, is not semi-sorted, and if the load does not extend beyond the hot plane.
 * The last condition excludes only the last buckets of a table.
 *
 * Return: the number of direct buckets, which are the first buckets of the table.
 */
u32 kcuckoo_table_params_nr_direct(const struct kcuckoo_table_params *params)
{
	unsigned int bits = kcuckoo_table_params_bucket_bits(params);
	u64 bytes = kcuckoo_table_params_tag_words(params) * sizeof(u64);

	if (!KCUCKOO_BITS_BYTES || params->sorted || bits > 64 || bits % 8)
		return 0;
	return min_t(u64, (bytes - sizeof(u64)) / (bits / 8) + 1,
		     params->nbuckets);
}

/**
 * kcuckoo_table_params_span() - get the distance from the first to the last byte that a
 *	look-up reads for a bucket
 * @params: parameters of the table
 *
 * The first byte is the byte with the bucket's first bit. The distance depends on the
 * position of this bit in the byte. Bucket n begins at bit n * size, where size is the
 * number of bits of a bucket. So the position is a multiple of p, the largest power of two
 * up to 8 that divides the size. The maximum position is 8 - p.
 *
 * Return: the maximum of the distances for all buckets, in bytes.
 */
u32 kcuckoo_table_params_span(const struct kcuckoo_table_params *params)
{
	u32 bits = kcuckoo_table_params_bucket_bits(params);
	u32 first = 8 - min_t(u32, bits & -bits, 8);

	if (kcuckoo_table_params_nr_direct(params))
		bits = 64;
	return (first + bits - 1) / 8;
}
