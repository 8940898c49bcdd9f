/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Hash functions for keys and for internal numbers, with the secret of a filter.
 *
 * Keys are hashed by jhash or siphash. Most internal numbers, such as quotients, are hashed
 * by two multiplications (kcuckoo_mulhash()).
 *
 * A table of m buckets and f-bit fingerprints needs log2(m) + f independent bits of a
 * key's hash. With a hash of only 32 bits, a large table would have many more false
 * positives. The final mix of jhash (<linux/jhash.h>) leaves well-mixed bits in the second
 * and the third of its three words, so the hash consists of these two words.
 *
 * jhash is not safe against chosen keys: an attacker who knows the seed can invert its
 * final mix. siphash (Aumasson and Bernstein, 2012) is for keys that attackers can choose.
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
 * @seed: random words, for jhash and for kcuckoo_mulhash_init()
 * @strong: 1 if the filter uses siphash, else 0
 * @sip: random words, the key of siphash
 */
struct kcuckoo_hash_key {
	u32 seed[3];
	u32 strong;
	siphash_key_t sip;
};

/* 2^64 divided by the golden ratio; odd. */
#define KCUCKOO_HASH_MULTIPLIER	0x9e3779b97f4a7c15ULL

/**
 * struct kcuckoo_mulhash - a hash function of numbers, with two multiplications
 * @factor: first factor, odd
 * @sum: number that is added to the first product
 */
struct kcuckoo_mulhash {
	u64 factor;
	u64 sum;
};

/* Number of different functions that kcuckoo_mulhash_init() derives from a secret. */
#define KCUCKOO_MULHASHES	3

/**
 * kcuckoo_mulhash_init() - derive a hash function from a secret
 * @mulhash: out: the function
 * @key: the filter's secret
 * @which: number of the function, 0..2; a constant, if possible, so that the compiler
 *	computes the indices into @key->seed
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
 * Not safe against chosen numbers. Tables reach the same load as with jhash, and a look-up
 * has a third of the instructions of one with jhash. The shift between the two
 * multiplications is necessary: without it the hash of a sum of numbers would be the sum of
 * their hashes, up to a constant.
 *
 * Return: 64 hash bits; different numbers have different hashes. The upper bits are
 * mixed better than the lower bits.
 */
static inline u64 kcuckoo_mulhash(const struct kcuckoo_mulhash *mulhash,
				  u64 number)
{
	u64 hash = number * mulhash->factor + mulhash->sum;

	return (hash ^ hash >> 32) * KCUCKOO_HASH_MULTIPLIER;
}

/**
 * kcuckoo_hash_mul() - hash a number by a function that is derived from a secret
 * @key: the filter's secret
 * @number: the number
 * @which: as for kcuckoo_mulhash_init()
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

/* Size of the keys of kcuckoo_hash_eight(), in bytes. */
#define KCUCKOO_HASH_EIGHT	(2 * sizeof(u32))

/**
 * kcuckoo_hash_eight() - hash a byte string of eight bytes with jhash
 * @key: the filter's secret, with @strong not set
 * @bytes: eight bytes
 *
 * The benchmark selftests/bench/batch.c calls this function directly: the checks of
 * kcuckoo_hash_bytes() would take a twentieth of the time of a look-up.
 *
 * Return: 64 hash bits, as kcuckoo_hash_bytes().
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
 * @bytes: the string; may be NULL if @len is 0
 * @len: length of the string, in bytes
 *
 * Hashes strings of eight bytes inline, because a function call would cost more than the
 * hash.
 *
 * Return: 64 hash bits, as kcuckoo_hash_string().
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
 * Return: a number below @range, the upper 64 bits of @hash * @range.
 */
static inline u64 kcuckoo_hash_scale(u64 hash, u64 range)
{
	return mul_u64_u64_shr(hash, range, 64);
}

/**
 * kcuckoo_hash_rest() - get the bits of a hash that kcuckoo_hash_scale() did not use
 * @hash: 64 hash bits
 * @range: size of the range that the hash was scaled to
 *
 * Return: the lower 64 bits of @hash * @range. Only the upper 64 - log2(@range) of these
 * bits are random.
 */
static inline u64 kcuckoo_hash_rest(u64 hash, u64 range)
{
	return hash * range;
}

/**
 * kcuckoo_hash_split() - scale a hash to a range, and get the rest
 * @hash: 64 hash bits
 * @range: size of the range, in numbers
 * @rest: out: as kcuckoo_hash_rest()
 *
 * For separate calls of kcuckoo_hash_scale() and kcuckoo_hash_rest(), gcc would emit two
 * multiplications instead of one.
 *
 * Return: as kcuckoo_hash_scale().
 */
static inline u64 kcuckoo_hash_split(u64 hash, u64 range, u64 *rest)
{
	__uint128_t product = (__uint128_t)hash * range;

	*rest = (u64)product;
	return (u64)(product >> 64);
}

#endif /* _KCUCKOO_HASH_H */
