/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Keyed hashing: jhash with 64 good bits.
 *
 * A table of m buckets and f-bit fingerprints takes log2(m) + f independent
 * bits from a key's hash; 32 bits raise the false positive rate of large
 * tables many times over. The final mix of jhash (<linux/jhash.h>) leaves good
 * bits in the second and the third of its words, so both are kept.
 */
#ifndef _KCUCKOO_HASH_H
#define _KCUCKOO_HASH_H

#include <linux/jhash.h>
#include <linux/math64.h>
#include <linux/types.h>

/**
 * struct kcuckoo_hash_key - the secret of one filter
 * @seed: random words, added to the initial state of jhash
 */
struct kcuckoo_hash_key {
	u32 seed[3];
};

/**
 * kcuckoo_hash_words() - hash three words
 * @key: the filter's secret
 * @a: first word
 * @b: second word
 * @c: third word
 *
 * Return: 64 hash bits.
 */
static inline u64 kcuckoo_hash_words(const struct kcuckoo_hash_key *key,
				     u32 a, u32 b, u32 c)
{
	a += key->seed[0];
	b += key->seed[1];
	c += key->seed[2];
	__jhash_final(a, b, c);
	return (u64)b << 32 | c;
}

u64 kcuckoo_hash_bytes(const struct kcuckoo_hash_key *key, const u8 *bytes,
		       u32 len);

/**
 * kcuckoo_hash_scale() - map a hash to a smaller range, evenly
 * @hash: 64 hash bits
 * @range: size of the range, in numbers
 *
 * The product's upper half. Its lower half holds the bits that the upper one
 * has not used, see kcuckoo_hash_rest().
 *
 * Return: a number below @range.
 */
static inline u64 kcuckoo_hash_scale(u64 hash, u64 range)
{
	return mul_u64_u64_shr(hash, range, 64);
}

/**
 * kcuckoo_hash_rest() - what is left of a hash after kcuckoo_hash_scale()
 * @hash: 64 hash bits
 * @range: size of the range that it was scaled to
 *
 * Return: a hash that is independent of the scaled one, good in its upper
 * 64 - log2(@range) bits.
 */
static inline u64 kcuckoo_hash_rest(u64 hash, u64 range)
{
	return hash * range;
}

#endif /* _KCUCKOO_HASH_H */
