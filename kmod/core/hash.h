/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Hash functions for keys and for internal numbers, with the secret of a filter.
 *
 * Keys are hashed by jhash or siphash, to 64 hash bits. Internal numbers are tags and
 * quotients (table.h), halves of addresses (permutation.c) and groups of addresses
 * (length_index.h). They are hashed by two multiplications; halves of addresses only if
 * the filter does not use siphash.
 *
 * A table of m buckets and f-bit fingerprints needs log2(m) + f independent
 * bits of a key's hash; with a hash of only 32 bits, the rate of false positives of a
 * large table is many times the rate that f bits give. The final mix of jhash
 * (<linux/jhash.h>) leaves well-mixed bits in the second and the third of its three
 * words, so the hash consists of these two words.
 *
 * jhash is not safe against chosen keys. An attacker who knows the seed can
 * invert its final mix. And the kernel's jhash adds the length to a word of the key,
 * so an attacker can choose a dozen short strings, of different lengths, that have
 * the same hash under every seed (kcuckoo_hash_string() prevents this). If attackers
 * can choose keys, siphash (Aumasson and Bernstein, 2012) prevents them from finding
 * keys with equal hashes.
 *
 * Other files of this folder, filter/, and (for byte strings) dev/ioctl_keys.c call the
 * functions. The functions have no state: the secret of a filter is constant.
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
 * @seed: random words, added to the initial state of jhash; kcuckoo_mulhash_init()
 *	derives its functions from them, too
 * @strong: 1 if the filter uses siphash, else 0
 * @sip: random words, the key of siphash
 */
struct kcuckoo_hash_key {
	u32 seed[3];
	u32 strong;
	siphash_key_t sip;
};

/* The constant factor of kcuckoo_mulhash(): 2^64 divided by the golden ratio; odd. */
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

/* Number of different hash functions that a secret gives. */
#define KCUCKOO_MULHASHES	3

/**
 * kcuckoo_mulhash_init() - derive a hash function from a secret
 * @mulhash: out: the function
 * @key: the filter's secret
 * @which: number of the hash function, 0..2; should be a constant, so that the compiler
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
 * Use this function only for numbers that an attacker cannot choose, and only for hashes
 * that do not decide whether a key is a member. With this hash, tables reach the same
 * load as with jhash, and a look-up has a third of the instructions that it has with
 * jhash. So the processor overlaps the memory accesses of three times as many look-ups.
 * The shift between the two multiplications is necessary: without it the hash of a sum
 * of numbers would be the sum of their hashes, up to a constant.
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
 * kcuckoo_hash_mul() - derive a hash function from a secret, and hash a number with
 *	this function
 * @key: the filter's secret
 * @number: the number
 * @which: number of the hash function, 0..2, as for kcuckoo_mulhash_init()
 *
 * Return: the same as kcuckoo_mulhash().
 */
static inline u64 kcuckoo_hash_mul(const struct kcuckoo_hash_key *key,
				   u64 number, unsigned int which)
{
	struct kcuckoo_mulhash mulhash;

	kcuckoo_mulhash_init(&mulhash, key, which);
	return kcuckoo_mulhash(&mulhash, number);
}

/* Hashes three words with the final mix of jhash and a secret. */
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
 * Returns the hash that kcuckoo_hash_bytes() returns, but does not check the size of
 * the string and @strong. kcuckoo_hash_bytes() checks both before it calls this function.
 * The benchmark of look-ups in batches (selftests/bench/batch.c) calls this function
 * directly: the two checks would take a twentieth of the time of a look-up.
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
 * @bytes: the string; may be NULL if @len is 0
 * @len: length of the string, in bytes
 *
 * Returns the hash that kcuckoo_hash_string() returns. Strings of eight bytes are
 * hashed inline: most keys of fixed size have eight bytes, and a function call would
 * cost more than the hash.
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
 * The result is the upper half of @hash * @range. The lower half has the bits of the
 * hash that the result does not use, see kcuckoo_hash_rest().
 *
 * Return: a number below @range.
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
 * Return: a hash that is independent of the scaled number. Its lowest log2(@range)
 * bits are not random.
 */
static inline u64 kcuckoo_hash_rest(u64 hash, u64 range)
{
	return hash * range;
}

/**
 * kcuckoo_hash_split() - scale a hash to a range and get the rest, in one step
 * @hash: 64 hash bits
 * @range: size of the range, in numbers
 * @rest: out: result of kcuckoo_hash_rest()
 *
 * If a caller called both kcuckoo_hash_scale() and kcuckoo_hash_rest(), gcc would emit
 * two multiplications. This function needs only one multiplication.
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
