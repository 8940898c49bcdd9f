// SPDX-License-Identifier: GPL-2.0-only
/*
 * Hashes keys (byte strings and prefixes) with the secret of a filter.
 *
 * hash.h explains the choice of hashes.
 */
#include "core/hash.h"

/**
 * kcuckoo_hash_number() - hash a prefix
 * @key: the filter's secret
 * @hi: upper 64 bits of the address bits of the prefix, as a number
 * @lo: lower 64 bits of that number
 * @length: length of the prefix, in bits
 *
 * Return: 64 hash bits.
 */
u64 kcuckoo_hash_number(const struct kcuckoo_hash_key *key, u64 hi, u64 lo,
			unsigned int length)
{
	u32 a = key->seed[0] + (u32)lo;
	u32 b = key->seed[1] + (u32)(lo >> 32);
	u32 c = key->seed[2] + (u32)hi;

	if (key->strong)
		return siphash_3u64(hi, lo, length, &key->sip);
	__jhash_mix(a, b, c);
	a += (u32)(hi >> 32);
	b += length;
	__jhash_final(a, b, c);
	return (u64)b << 32 | c;
}

/* Copies @len bytes, 0..12, to @words, which the caller has zeroed. */
static inline void kcuckoo_hash_rest_words(const u8 *bytes, u32 len,
					   u32 words[3])
{
	u32 whole = len / sizeof(u32);
	u32 i;

	/*
	 * Whole words are copied one by one, because gcc emits a load for a
	 * copy of constant size, and a call of memcpy() for any other size.
	 */
	for (i = 0; i < whole; i++)
		memcpy(&words[i], bytes + i * sizeof(u32), sizeof(u32));
	if (len % sizeof(u32))
		memcpy(&words[whole], bytes + whole * sizeof(u32),
		       len % sizeof(u32));
}

/**
 * kcuckoo_hash_string() - hash a byte string of any length
 * @key: the filter's secret
 * @bytes: the string; may be NULL if @len is 0
 * @len: length of the string, in bytes
 *
 * Without siphash, the function adds the string to the three words of the state of jhash in
 * blocks of twelve bytes, and mixes the state after each block. The last block is filled up
 * with zeroes. Strings that differ only in trailing zeroes must have different hashes. So the
 * length is added to the first word of the state and, multiplied by a word of the secret, to
 * the third word. Without the second addition, two strings of different lengths would have
 * the same hash under every secret if their sums of length and first four bytes were equal,
 * and all their other bytes, including the added zeroes, were equal.
 *
 * Return: 64 hash bits.
 */
u64 kcuckoo_hash_string(const struct kcuckoo_hash_key *key, const u8 *bytes,
			u32 len)
{
	u32 a = key->seed[0] + JHASH_INITVAL + len;
	u32 b = key->seed[1];
	u32 c = key->seed[2] + len * key->seed[1];
	u32 block[3];

	if (key->strong)
		return siphash(bytes, len, &key->sip);
	for (; len > sizeof(block); len -= sizeof(block)) {
		memcpy(block, bytes, sizeof(block));
		bytes += sizeof(block);
		a += block[0];
		b += block[1];
		c += block[2];
		__jhash_mix(a, b, c);
	}
	memset(block, 0, sizeof(block));
	kcuckoo_hash_rest_words(bytes, len, block);
	a += block[0];
	b += block[1];
	c += block[2];
	__jhash_final(a, b, c);
	return (u64)b << 32 | c;
}
