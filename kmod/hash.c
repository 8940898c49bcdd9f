// SPDX-License-Identifier: GPL-2.0-only
/*
 * Keyed hashing of byte strings.
 */
#include <linux/string.h>

#include "hash.h"

/**
 * kcuckoo_hash_bytes() - hash a byte string
 * @key: the filter's secret
 * @bytes: the string; may be NULL where @len is 0
 * @len: its length, in bytes
 *
 * Blocks of twelve bytes go through the mix of jhash; the last, incomplete one
 * is filled with zeroes, and the length is part of the state, so that strings
 * which differ in trailing zeroes only differ in their hash.
 *
 * Return: 64 hash bits.
 */
u64 kcuckoo_hash_bytes(const struct kcuckoo_hash_key *key, const u8 *bytes,
		       u32 len)
{
	u32 a = key->seed[0] + JHASH_INITVAL + len;
	u32 b = key->seed[1];
	u32 c = key->seed[2];
	u32 block[3];

	for (; len > sizeof(block); len -= sizeof(block)) {
		memcpy(block, bytes, sizeof(block));
		bytes += sizeof(block);
		a += block[0];
		b += block[1];
		c += block[2];
		__jhash_mix(a, b, c);
	}
	memset(block, 0, sizeof(block));
	if (len)
		memcpy(block, bytes, len);
	a += block[0];
	b += block[1];
	c += block[2];
	__jhash_final(a, b, c);
	return (u64)b << 32 | c;
}
