/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Keyed permutation: maps numbers of 1 to 128 bits to numbers of the same width, and
 * back.
 *
 * In an exact table, bucket and entry together have to give the whole key (quotienting,
 * table.h). A hash is not reversible, so keys are permuted instead. The permutation spreads
 * clustered addresses, which would otherwise fill a few buckets, over all buckets.
 */
#ifndef _KCUCKOO_PERMUTATION_H
#define _KCUCKOO_PERMUTATION_H

#include "core/hash.h"

/**
 * struct kcuckoo_number - an unsigned number of up to 128 bits
 * @hi: upper 64 bits
 * @lo: lower 64 bits
 */
struct kcuckoo_number {
	u64 hi;
	u64 lo;
};

/**
 * kcuckoo_permute_ipv4() - apply the permutation to an IPv4 address, fast
 * @mulhash: the three hash functions of a secret with @strong not set
 * @number: the address, in host byte order
 *
 * Return: the result of kcuckoo_permute() for 32 bits.
 */
static inline u32 kcuckoo_permute_ipv4(const struct kcuckoo_mulhash *mulhash,
				       u32 number)
{
	u32 upper = number >> 16;
	u32 lower = number & 0xffff;

	upper ^= kcuckoo_mulhash(&mulhash[0], lower) >> 48;
	lower ^= kcuckoo_mulhash(&mulhash[1], upper) >> 48;
	upper ^= kcuckoo_mulhash(&mulhash[2], lower) >> 48;
	return upper << 16 | lower;
}

struct kcuckoo_number kcuckoo_permute(const struct kcuckoo_hash_key *key,
				      struct kcuckoo_number number,
				      unsigned int bits);
/**
 * kcuckoo_permute_word() - apply the permutation to a number of up to 64 bits, fast
 * @mulhash: the three hash functions of a secret with @strong not set
 * @number: the number, below 2^@bits
 * @bits: bits of the number, 2..64; with one bit the function would shift by 64 bits, which
 *	C does not define
 *
 * Return: the result of kcuckoo_permute().
 */
static inline u64 kcuckoo_permute_word(const struct kcuckoo_mulhash *mulhash,
				       u64 number, unsigned int bits)
{
	unsigned int upper_bits = bits / 2;
	unsigned int lower_bits = bits - upper_bits;
	u64 upper = number >> lower_bits;
	u64 lower = number & ~(~0ULL << lower_bits);

	upper ^= kcuckoo_mulhash(&mulhash[0], lower) >> (64 - upper_bits);
	lower ^= kcuckoo_mulhash(&mulhash[1], upper) >> (64 - lower_bits);
	upper ^= kcuckoo_mulhash(&mulhash[2], lower) >> (64 - upper_bits);
	return upper << lower_bits | lower;
}

struct kcuckoo_number kcuckoo_unpermute(const struct kcuckoo_hash_key *key,
					struct kcuckoo_number number,
					unsigned int bits);

#endif /* _KCUCKOO_PERMUTATION_H */
