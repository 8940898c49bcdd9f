// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sorts buckets of four fingerprints, and encodes their lowest bits as one number
 * (semisort.h).
 */
#include <linux/cache.h>

#include "core/semisort.h"

u16 kcuckoo_semisort_decoded[1 << KCUCKOO_SEMISORT_CODE_BITS] __ro_after_init;

/* The binomial coefficients n over 2, 3 and 4. */
static unsigned int kcuckoo_semisort_over2(unsigned int n)
{
	return n * (n - 1) / 2;
}

static unsigned int kcuckoo_semisort_over3(unsigned int n)
{
	return n * (n - 1) * (n - 2) / 6;
}

static unsigned int kcuckoo_semisort_over4(unsigned int n)
{
	return n * (n - 1) * (n - 2) * (n - 3) / 24;
}

/*
 * Returns the number of a combination a <= b <= c <= d, in which numbers can be equal. The
 * numbers a, b + 1, c + 2 and d + 3 are all different. The combinatorial number system (Knuth,
 * The Art of Computer Programming, 7.2.1.3) gives consecutive numbers to such combinations.
 */
static unsigned int kcuckoo_semisort_number(unsigned int a, unsigned int b,
					    unsigned int c, unsigned int d)
{
	return a + kcuckoo_semisort_over2(b + 1) +
	       kcuckoo_semisort_over3(c + 2) + kcuckoo_semisort_over4(d + 3);
}

/**
 * kcuckoo_semisort_init() - fill in the table for decoding
 *
 * A number from KCUCKOO_SEMISORT_CODES on has no combination, and decodes to four zeroes.
 */
void kcuckoo_semisort_init(void)
{
	unsigned int a, b, c, d;

	for (d = 0; d < 16; d++)
		for (c = 0; c <= d; c++)
			for (b = 0; b <= c; b++)
				for (a = 0; a <= b; a++)
					kcuckoo_semisort_decoded
					[kcuckoo_semisort_number(a, b, c, d)] =
						a | b << 4 | c << 8 | d << 12;
}

/* Orders two fingerprints by their lowest four bits, then by the other bits. */
static void kcuckoo_semisort_order(u64 *first, u64 *second)
{
	u64 a = (*first & 15) << 32 | *first >> KCUCKOO_SEMISORT_BITS;
	u64 b = (*second & 15) << 32 | *second >> KCUCKOO_SEMISORT_BITS;
	u64 tag = *first;

	if (a <= b)
		return;
	*first = *second;
	*second = tag;
}

/**
 * kcuckoo_semisort_encode() - sort a bucket, and get its code
 * @tags: in: four fingerprints of at most 32 bits, 0 for a free entry; out: the same
 *	fingerprints, sorted
 *
 * Return: the code, below KCUCKOO_SEMISORT_CODES.
 */
unsigned int kcuckoo_semisort_encode(u64 tags[KCUCKOO_SEMISORT_ENTRIES])
{
	kcuckoo_semisort_order(&tags[0], &tags[1]);
	kcuckoo_semisort_order(&tags[2], &tags[3]);
	kcuckoo_semisort_order(&tags[0], &tags[2]);
	kcuckoo_semisort_order(&tags[1], &tags[3]);
	kcuckoo_semisort_order(&tags[1], &tags[2]);
	return kcuckoo_semisort_number(tags[0] & 15, tags[1] & 15,
				       tags[2] & 15, tags[3] & 15);
}
