/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads and writes fields of 1 to 64 bits, packed without gaps into an array of
 * 64-bit words.
 *
 * Bit n of the array is bit n % 64 of word n / 64. Readers take no lock, so
 * kcuckoo_bits_get() and kcuckoo_bits_put() access whole, aligned words. A field that
 * straddles two words needs two accesses, so a reader can get one half of the field from
 * before a write and the other half from after the write. Readers therefore check with
 * the filter's sequence count that no write overlapped.
 */
#ifndef _KCUCKOO_BITS_H
#define _KCUCKOO_BITS_H

#include <linux/compiler.h>
#include <linux/string.h>
#include <linux/types.h>

#include "core/lock_budget.h"

/**
 * kcuckoo_bits_mask() - get a word whose lowest bits are set
 * @width: number of bits, 0..64
 *
 * Return: the word.
 */
static inline u64 kcuckoo_bits_mask(unsigned int width)
{
	return width ? ~0ULL >> (64 - width) : 0;
}

/**
 * kcuckoo_bits_words() - get the size of an array of fields
 * @bits: number of bits of all fields together
 *
 * Return: number of 64-bit words.
 */
static inline u64 kcuckoo_bits_words(u64 bits)
{
	return (bits + 63) / 64;
}

/*
 * KCUCKOO_BITS_BYTES is 1 on processors where kcuckoo_bits_word() can be used, else 0. On
 * these processors unaligned loads are cheap, and the byte order is little-endian: byte n of
 * the array holds the 8 bits from bit 8 * n on, so a load of 8 bytes gets 64 consecutive bits.
 */
#if defined(__x86_64__) || defined(__AARCH64EL__)
#define KCUCKOO_BITS_BYTES	1
#else
#define KCUCKOO_BITS_BYTES	0
#endif

/**
 * kcuckoo_bits_word() - read the 64 bits that begin with a given byte
 * @words: the array
 * @byte: number of the first byte, at least 8 bytes before the end of the array
 *
 * The load is not a READ_ONCE(), and need not be aligned. If a write overlaps, the result
 * can be a mixture of old and new bits. The memory barriers of read_seqcount_begin() and
 * read_seqcount_retry() keep the compiler from moving the load out of the look-up.
 *
 * Context: only on processors where KCUCKOO_BITS_BYTES is 1; readers without a lock
 * have to check that no write overlapped.
 * Return: the 64 bits; the first bit is the lowest bit of the word.
 */
static inline u64 kcuckoo_bits_word(const u64 *words, u64 byte)
{
	u64 word;

	kcuckoo_lock_budget_count();
	/*
	 * Without data_race() KCSAN would report this intended race. After a reader has
	 * read a sequence count, KCSAN ignores races only for a thousand accesses.
	 */
	data_race(memcpy(&word, (const u8 *)words + byte, sizeof(word)));
	return word;
}

/**
 * kcuckoo_bits_get() - read a field
 * @words: the array
 * @bit: number of the field's lowest bit
 * @width: bits of the field, 1..64
 *
 * Return: the field's value.
 */
static inline u64 kcuckoo_bits_get(const u64 *words, u64 bit,
				   unsigned int width)
{
	unsigned int shift = bit & 63;
	u64 value;

	kcuckoo_lock_budget_count();
	words += bit >> 6;
	value = READ_ONCE(words[0]) >> shift;
	if (shift + width > 64)
		value |= READ_ONCE(words[1]) << (64 - shift);
	return value & kcuckoo_bits_mask(width);
}

/**
 * kcuckoo_bits_put() - write a field
 * @words: the array
 * @bit: number of the field's lowest bit
 * @width: bits of the field, 1..64
 * @value: the field's new value, below 2^@width
 *
 * Context: one writer at a time.
 */
static inline void kcuckoo_bits_put(u64 *words, u64 bit, unsigned int width,
				    u64 value)
{
	u64 mask = kcuckoo_bits_mask(width);
	unsigned int shift = bit & 63;

	kcuckoo_lock_budget_count();
	words += bit >> 6;
	WRITE_ONCE(words[0], (words[0] & ~(mask << shift)) | value << shift);
	if (shift + width > 64) {
		shift = 64 - shift;
		WRITE_ONCE(words[1],
			   (words[1] & ~(mask >> shift)) | value >> shift);
	}
}

#endif /* _KCUCKOO_BITS_H */
