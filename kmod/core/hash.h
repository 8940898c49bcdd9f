/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Keyed hashing of 64 good bits, with jhash or siphash.
 *
 * A table of m buckets and f-bit fingerprints needs log2(m) + f independent
 * bits of a key's hash; with 32 bits large tables have many times the rate of
 * false positives. The final mix of jhash (<linux/jhash.h>) leaves good bits in
 * the second and the third of its words, so both are used.
 *
 * Anybody who knows the seed can invert the final mix of jhash. And lengths are
 * added to a word of the key, so that a dozen short strings of different
 * lengths have the same hash under every seed. If strangers choose the keys,
 * siphash (Aumasson and Bernstein, 2012) keeps them from choosing keys that
 * collide.
 */
#ifndef _KCUCKOO_HASH_H
#define _KCUCKOO_HASH_H

#include <linux/compiler.h>
#include <linux/jhash.h>
#include <linux/math64.h>
#include <linux/siphash.h>
#include <linux/string.h>
#include <linux/types.h>

/**
 * struct kcuckoo_hash_key - the secret of one filter
 * @seed: random words, added to the initial state of jhash
 * @strong: keys are hashed with siphash, not with jhash
 * @sip: random words, the key of siphash
 */
struct kcuckoo_hash_key {
	u32 seed[3];
	u32 strong;
	siphash_key_t sip;
};

/* 2^64 over the golden ratio, odd. */
#define KCUCKOO_HASH_MULTIPLIER	0x9e3779b97f4a7c15ULL

/**
 * struct kcuckoo_mulhash - hashes numbers by two multiplications
 * @factor: an odd number
 * @sum: added to the product
 */
struct kcuckoo_mulhash {
	u64 factor;
	u64 sum;
};

/* Number of different functions of a secret. */
#define KCUCKOO_MULHASHES	3

/**
 * kcuckoo_mulhash_init() - derive a function from a secret
 * @mulhash: out: the function
 * @key: the filter's secret
 * @which: 0..2, three different functions; a constant
 */
static inline void kcuckoo_mulhash_init(struct kcuckoo_mulhash *mulhash,
					const struct kcuckoo_hash_key *key,
					unsigned int which)
{
	u32 low = key->seed[which];
	u32 high = key->seed[(which + 1) % 3];

	mulhash->factor = (u64)high << 32 | low | 1;
	mulhash->sum = key->seed[(which + 2) % 3] * mulhash->factor + low;
}

/**
 * kcuckoo_mulhash() - hash a number by two multiplications
 * @mulhash: the function
 * @number: the number
 *
 * For numbers that nobody can choose, and hashes that no verdict depends on.
 * Tables fill as far as with jhash. A look-up has a third of the instructions,
 * so that three times as many look-ups wait for memory at the same time. The
 * shift between the two multiplications matters: without it sums of numbers
 * would have sums of hashes.
 *
 * Return: 64 hash bits, the upper ones the best; different for different
 * numbers.
 */
static inline u64 kcuckoo_mulhash(const struct kcuckoo_mulhash *mulhash,
				  u64 number)
{
	u64 hash = number * mulhash->factor + mulhash->sum;

	return (hash ^ hash >> 32) * KCUCKOO_HASH_MULTIPLIER;
}

/**
 * kcuckoo_hash_mul() - kcuckoo_mulhash() with a function of a secret
 * @key: the filter's secret
 * @number: the number
 * @which: 0..2, three different functions; a constant
 *
 * Return: as kcuckoo_mulhash().
 */
static inline u64 kcuckoo_hash_mul(const struct kcuckoo_hash_key *key,
				   u64 number, unsigned int which)
{
	struct kcuckoo_mulhash mulhash;

	kcuckoo_mulhash_init(&mulhash, key, which);
	return kcuckoo_mulhash(&mulhash, number);
}

/* The final mix of jhash, with a secret. */
static inline u64 kcuckoo_hash_final(const struct kcuckoo_hash_key *key,
				     u32 a, u32 b, u32 c)
{
	a += key->seed[0];
	b += key->seed[1];
	c += key->seed[2];
	__jhash_final(a, b, c);
	return (u64)b << 32 | c;
}

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
	if (key->strong)
		return siphash_3u32(a, b, c, &key->sip);
	return kcuckoo_hash_final(key, a, b, c);
}

u64 kcuckoo_hash_number(const struct kcuckoo_hash_key *key, u64 hi, u64 lo,
			unsigned int length);
u64 kcuckoo_hash_string(const struct kcuckoo_hash_key *key, const u8 *bytes,
			u32 len);

/* Bytes of a key that kcuckoo_hash_eight() is for. */
#define KCUCKOO_HASH_EIGHT	(2 * sizeof(u32))

/**
 * kcuckoo_hash_eight() - kcuckoo_hash_bytes() of eight bytes with jhash
 * @key: the filter's secret; it is not strong
 * @bytes: eight bytes
 *
 * For callers that look up many keys and know the size and the hash in advance:
 * checking them for each key takes a twentieth of the time of a batched
 * look-up.
 *
 * Return: 64 hash bits.
 */
static inline u64 kcuckoo_hash_eight(const struct kcuckoo_hash_key *key,
				     const u8 *bytes)
{
	u32 words[2];

	memcpy(words, bytes, sizeof(words));
	return kcuckoo_hash_final(key, JHASH_INITVAL + KCUCKOO_HASH_EIGHT +
				  words[0], words[1],
				  KCUCKOO_HASH_EIGHT * key->seed[1]);
}

/**
 * kcuckoo_hash_bytes() - hash a byte string
 * @key: the filter's secret
 * @bytes: the string; may be NULL where @len is 0
 * @len: its length, in bytes
 *
 * As kcuckoo_hash_string(), which it calls unless the string has two words.
 * Most keys of fixed size have, and the call would cost more than their hash.
 *
 * Return: 64 hash bits.
 */
static inline u64 kcuckoo_hash_bytes(const struct kcuckoo_hash_key *key,
				     const u8 *bytes, u32 len)
{
	if (len != KCUCKOO_HASH_EIGHT || unlikely(key->strong))
		return kcuckoo_hash_string(key, bytes, len);
	return kcuckoo_hash_eight(key, bytes);
}

/**
 * kcuckoo_hash_scale() - map a hash to a smaller range, evenly
 * @hash: 64 hash bits
 * @range: size of the range, in numbers
 *
 * The result is the upper half of the product. The lower half has the bits that
 * the upper one has not used, see kcuckoo_hash_rest().
 *
 * Return: a number below @range.
 */
static inline u64 kcuckoo_hash_scale(u64 hash, u64 range)
{
	return mul_u64_u64_shr(hash, range, 64);
}

/**
 * kcuckoo_hash_rest() - get the remaining hash after kcuckoo_hash_scale()
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

/**
 * kcuckoo_hash_split() - kcuckoo_hash_scale() and kcuckoo_hash_rest() at once
 * @hash: 64 hash bits
 * @range: size of the range, in numbers
 * @rest: out: the remaining hash
 *
 * For the two functions gcc would emit two multiplications.
 *
 * Return: a number below @range.
 */
static inline u64 kcuckoo_hash_split(u64 hash, u64 range, u64 *rest)
{
	__uint128_t product = (__uint128_t)hash * range;

	*rest = (u64)product;
	return (u64)(product >> 64);
}

#endif /* _KCUCKOO_HASH_H */
