/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads and writes fields of 1 to 64 bits, packed without gaps into an array of
 * 64-bit words.
 *
 * Tables and bitmaps consist of such fields; table.c, bucket_pair.h and store.c access
 * them. Bit n of the array is bit n % 64 of word n / 64. Readers take no lock, so the
 * functions access whole, aligned words with READ_ONCE() and WRITE_ONCE(). A field within
 * one word is read and written as a whole. A field that straddles two words needs two
 * accesses, so a reader can get one half of the field from before a write and the other
 * half from after the write. Readers therefore check with the filter's sequence count
 * that no write overlapped. Because of this check readers can also use
 * kcuckoo_bits_word(), which loads 8 bytes that need not be aligned.
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
 * KCUCKOO_BITS_BYTES is 1 on processors where kcuckoo_bits_word() can be used, else 0.
 * On these processors an unaligned load costs as little as an aligned load, and the
 * byte order is little-endian. In this byte order, byte n of the array holds the 8 bits
 * that begin with bit 8 * n. So a load of any 8 bytes gets 64 consecutive bits of the
 * array.
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
 * The function consists of one load, without a shift. The load is not a READ_ONCE(),
 * and a load that crosses a cache line makes two accesses to memory. So if a write
 * overlaps, the result can mix old and new bits, and be a value that the array never
 * had. Readers detect this with the filter's sequence count. The compiler is allowed to
 * repeat or split the load. But the compiler cannot move the load before
 * read_seqcount_begin() or after read_seqcount_retry(), because these functions have
 * memory barriers.
 *
 * Context: only on processors where KCUCKOO_BITS_BYTES is 1; readers without a lock
 * have to check that no write overlapped.
 * Return: a word with the 64 bits; the first bit is the lowest bit of the word.
 */
static inline u64 kcuckoo_bits_word(const u64 *words, u64 byte)
{
	u64 word;

	kcuckoo_lock_budget_count();
	/*
	 * KCSAN, the kernel's detector of data races, ignores races of the first
	 * thousand reads after a reader has read a sequence count. A look-up can make
	 * more reads, so data_race() marks this race as intended.
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
 * Reads the second word only if the field extends into it.
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
