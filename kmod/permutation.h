/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Keyed permutation of the numbers of 1 to 128 bits.
 *
 * An exact table stores a key as bucket and remaining bits (quotienting), so
 * the hash of the key has to be a permutation: nothing lost, and reversible.
 * Addresses are clustered; the permutation spreads them over the buckets. Which
 * verdict a filter gives never depends on it.
 */
#ifndef _KCUCKOO_PERMUTATION_H
#define _KCUCKOO_PERMUTATION_H

#include "hash.h"

/**
 * struct kcuckoo_number - an unsigned number of up to 128 bits
 * @hi: upper 64 bits
 * @lo: lower 64 bits
 */
struct kcuckoo_number {
	u64 hi;
	u64 lo;
};

struct kcuckoo_number kcuckoo_permute(const struct kcuckoo_hash_key *key,
				      struct kcuckoo_number number,
				      unsigned int bits);
struct kcuckoo_number kcuckoo_unpermute(const struct kcuckoo_hash_key *key,
					struct kcuckoo_number number,
					unsigned int bits);

#endif /* _KCUCKOO_PERMUTATION_H */
