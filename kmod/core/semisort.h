/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Semi-sorting: four fingerprints in four bits less (Fan et al., section 5.2).
 *
 * The order of the entries of a bucket has no meaning. So they are kept sorted
 * by their lowest four bits. Sorted, these have only C(19, 4) = 3,876
 * combinations, which are numbered in twelve bits instead of sixteen.
 *
 * A bucket begins with the number of the combination; the remaining bits of the
 * four fingerprints follow, in the same order. Four free entries are twelve
 * plus 4 * (f - 4) zeroes, and free entries come first.
 */
#ifndef _KCUCKOO_SEMISORT_H
#define _KCUCKOO_SEMISORT_H

#include <linux/types.h>

/* Entries of a bucket. */
#define KCUCKOO_SEMISORT_ENTRIES	4

/* Bits of a fingerprint that go into the combination. */
#define KCUCKOO_SEMISORT_BITS		4

/* Bits of the number of a combination, and the number of combinations. */
#define KCUCKOO_SEMISORT_CODE_BITS	12
#define KCUCKOO_SEMISORT_CODE_MASK	0xfff
#define KCUCKOO_SEMISORT_CODES		3876

/* The lowest bits of the four fingerprints, by number of the combination. */
extern u16 kcuckoo_semisort_decoded[1 << KCUCKOO_SEMISORT_CODE_BITS];

void kcuckoo_semisort_init(void);
unsigned int kcuckoo_semisort_encode(u64 tags[KCUCKOO_SEMISORT_ENTRIES]);

/**
 * kcuckoo_semisort_low() - the lowest bits of one fingerprint
 * @code: number of the combination
 * @entry: number of the entry, 0..3
 *
 * Return: the four bits.
 */
static inline unsigned int kcuckoo_semisort_low(unsigned int code,
						unsigned int entry)
{
	return kcuckoo_semisort_decoded[code] >>
	       KCUCKOO_SEMISORT_BITS * entry & 15;
}

#endif /* _KCUCKOO_SEMISORT_H */
