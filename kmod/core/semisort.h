/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Semi-sorting: sorts the four fingerprints of a bucket, which saves four bits per
 * bucket (Fan et al., section 5.2).
 *
 * The order of the entries of a bucket has no meaning, so the entries can be sorted by
 * their lowest four bits. The four sorted values of four bits have only C(19, 4) =
 * 3,876 combinations. The number of a combination takes twelve bits; the four values
 * take sixteen.
 *
 * A bucket begins with the number of the combination (the code). The remaining bits of
 * the four fingerprints follow, in the sorted order. Fingerprints with the same lowest
 * four bits are ordered by their remaining bits. A free entry has fingerprint 0, so free
 * entries come first. The combination 0, 0, 0, 0 has code 0, so zeroed memory is an empty
 * bucket.
 */
#ifndef _KCUCKOO_SEMISORT_H
#define _KCUCKOO_SEMISORT_H

#include <linux/types.h>

/* Number of entries of a semi-sorted bucket. */
#define KCUCKOO_SEMISORT_ENTRIES	4

/* Number of bits of each fingerprint that are part of the combination. */
#define KCUCKOO_SEMISORT_BITS		4

#define KCUCKOO_SEMISORT_CODE_BITS	12
#define KCUCKOO_SEMISORT_CODE_MASK	0xfff
#define KCUCKOO_SEMISORT_CODES		3876

/* The lowest four bits of each of the four fingerprints, indexed by code. */
extern u16 kcuckoo_semisort_decoded[1 << KCUCKOO_SEMISORT_CODE_BITS];

void kcuckoo_semisort_init(void);
unsigned int kcuckoo_semisort_encode(u64 tags[KCUCKOO_SEMISORT_ENTRIES]);

/**
 * kcuckoo_semisort_low() - decode the lowest bits of one fingerprint of a bucket
 * @code: the code of the bucket
 * @entry: number of the entry, 0..3
 *
 * Return: the lowest four bits of the fingerprint, 0..15.
 */
static inline unsigned int kcuckoo_semisort_low(unsigned int code,
						unsigned int entry)
{
	return kcuckoo_semisort_decoded[code] >>
	       KCUCKOO_SEMISORT_BITS * entry & 15;
}

#endif /* _KCUCKOO_SEMISORT_H */
