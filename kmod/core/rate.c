// SPDX-License-Identifier: GPL-2.0-only
/*
 * Chooses the parameters of a table of fingerprints for a maximum rate of false
 * positives (Fan et al., section 5).
 *
 * A look-up compares the fingerprint of a key with at most 2b fingerprints, where b is the
 * number of entries of a bucket. Two fingerprints of f bits are equal by chance with a
 * probability of 1 / (2^f - 1). So the rate is at most 2b / (2^f - 1).
 */
#include <linux/log2.h>

#include "core/rate.h"
#include "core/semisort.h"

/*
 * Returns the minimum number of bits of a fingerprint for the rate @fpr, in units of
 * 2^-32, or 0 if the maximum number of bits is not enough.
 */
static unsigned int kcuckoo_rate_bits(const struct kcuckoo_table_params *params,
				      u32 fpr)
{
	unsigned int bits = params->sorted ? KCUCKOO_SEMISORT_MIN : 1;
	u64 compared = 2ULL << params->bucket_shift;

	for (; bits <= KCUCKOO_FINGERPRINT_MAX; bits++)
		if (kcuckoo_bits_mask(bits) * fpr >= compared << 32)
			return bits;
	return 0;
}

/*
 * Sets @params->tag_bits to the minimum number of bits of a fingerprint for the rate
 * @fpr. Returns the memory of a table for @capacity members, in words; ~0 if no fingerprint
 * is long enough for the rate. If the largest table is too small for the capacity, returns
 * a number just below ~0, which is lower for larger buckets: tables with larger buckets
 * reach a higher load, so the caller prefers them.
 */
static u64 kcuckoo_rate_words(struct kcuckoo_table_params *params, u32 fpr,
			      u64 capacity)
{
	struct kcuckoo_layout layout;

	params->tag_bits = kcuckoo_rate_bits(params, fpr);
	if (!params->tag_bits)
		return ~0ULL;
	kcuckoo_layout_fit(&layout, params, 0, capacity);
	if (kcuckoo_layout_room(&layout) < capacity)
		return ~0ULL - 1 - params->bucket_shift;
	return kcuckoo_layout_tag_words(&layout) +
	       kcuckoo_layout_aux_words(&layout);
}

/**
 * kcuckoo_rate_fit() - choose table parameters for a rate of false positives
 * @params: in: bits of values and expiry, semi-sorted or not; out: entries per
 *	bucket, bits of a fingerprint
 * @fpr: maximum rate of false positives, in units of 2^-32, for a full table
 * @bucket_size: entries per bucket; 0 to choose the size (two, four or eight) that
 *	takes the minimum memory; semi-sorted buckets always have four
 * @capacity: number of members that have to fit
 *
 * Tables with larger buckets reach a higher load, but each doubling of the bucket size
 * takes one more bit per fingerprint (section 5.1). If @bucket_size is 0, the function does
 * not try one entry per bucket, because such a table reaches only a low load.
 *
 * Return: false if no fingerprint is long enough for the rate, else true. The caller
 * has to check whether the capacity fits.
 */
bool kcuckoo_rate_fit(struct kcuckoo_table_params *params, u32 fpr,
		      unsigned int bucket_size, u64 capacity)
{
	unsigned int first = bucket_size ? ilog2(bucket_size) : 1;
	unsigned int last = bucket_size ? first : ilog2(KCUCKOO_BUCKET_SIZE_MAX);
	struct kcuckoo_table_params best = *params;
	u64 min_words = ~0ULL;

	if (params->sorted) {
		first = ilog2(KCUCKOO_SEMISORT_ENTRIES);
		last = first;
	}
	for (; first <= last; first++) {
		u64 words;

		params->bucket_shift = first;
		words = kcuckoo_rate_words(params, fpr, capacity);
		if (words < min_words) {
			min_words = words;
			best = *params;
		}
	}
	*params = best;
	return min_words != ~0ULL;
}
