/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Keyed permutation of the numbers of 1 to 128 bits.
 *
 * An exact table stores a key as bucket and remaining bits (quotienting), so
 * the hash of the key has to be a permutation: reversible, without loss.
 * Addresses are clustered; the permutation spreads them over the buckets. The
 * verdicts of a filter never depend on it.
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
 * kcuckoo_permute_ipv4() - kcuckoo_permute() for 32 bits, where it has to be fast
 * @mulhash: the functions of a secret that is not strong
 * @number: the number
 *
 * Return: its image.
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
 * kcuckoo_permute_word() - kcuckoo_permute() where it has to be fast
 * @mulhash: the functions of a secret that is not strong
 * @number: the number
 * @bits: bits of the number, 2..64
 *
 * Return: its image.
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
