/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SipHash-2-4 of Aumasson and Bernstein (2012), for the core in userspace,
 * under the kernel's names. unit/core/test_hash.c compares it with the paper's
 * results, and kernel/api/ the kernel's own with the same.
 */
#ifndef _SHIM_LINUX_SIPHASH_H
#define _SHIM_LINUX_SIPHASH_H

#include <linux/types.h>
#include <string.h>

typedef struct {
	u64 key[2];
} siphash_key_t;

static inline u64 siphash_rotate(u64 word, unsigned int shift)
{
	return word << shift | word >> (64 - shift);
}

static inline void siphash_round(u64 v[4])
{
	v[0] += v[1];
	v[2] += v[3];
	v[1] = siphash_rotate(v[1], 13) ^ v[0];
	v[3] = siphash_rotate(v[3], 16) ^ v[2];
	v[0] = siphash_rotate(v[0], 32);
	v[2] += v[1];
	v[0] += v[3];
	v[1] = siphash_rotate(v[1], 17) ^ v[2];
	v[3] = siphash_rotate(v[3], 21) ^ v[0];
	v[2] = siphash_rotate(v[2], 32);
}

static inline void siphash_word(u64 v[4], u64 word)
{
	v[3] ^= word;
	siphash_round(v);
	siphash_round(v);
	v[0] ^= word;
}

static inline u64 siphash(const void *data, size_t len,
			  const siphash_key_t *key)
{
	u64 v[4] = {
		key->key[0] ^ 0x736f6d6570736575, key->key[1] ^ 0x646f72616e646f6d,
		key->key[0] ^ 0x6c7967656e657261, key->key[1] ^ 0x7465646279746573,
	};
	const u8 *bytes = data;
	u64 last = (u64)len << 56;
	u64 word;
	int i;

	for (; len >= 8; len -= 8, bytes += 8) {
		memcpy(&word, bytes, 8);
		siphash_word(v, word);
	}
	word = 0;
	if (len)
		memcpy(&word, bytes, len);
	siphash_word(v, last | word);
	v[2] ^= 0xff;
	for (i = 0; i < 4; i++)
		siphash_round(v);
	return v[0] ^ v[1] ^ v[2] ^ v[3];
}

static inline u64 siphash_3u32(u32 a, u32 b, u32 c, const siphash_key_t *key)
{
	u32 words[3] = { a, b, c };

	return siphash(words, sizeof(words), key);
}

static inline u64 siphash_3u64(u64 a, u64 b, u64 c, const siphash_key_t *key)
{
	u64 words[3] = { a, b, c };

	return siphash(words, sizeof(words), key);
}

#endif /* _SHIM_LINUX_SIPHASH_H */
