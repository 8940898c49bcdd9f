/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Fields of 1 to 64 bits, packed without gaps into an array of 64-bit words.
 *
 * Bit n of the array is bit n % 64 of word n / 64. Words are read and written
 * whole and aligned, with READ_ONCE() and WRITE_ONCE(), because readers take
 * no lock. A field within one word is read and written at once; a field that
 * straddles two words is not, so readers validate what they read. Because they
 * do, they can also read a word from any byte, if the processor supports that.
 */
#ifndef _KCUCKOO_BITS_H
#define _KCUCKOO_BITS_H

#include <linux/compiler.h>
#include <linux/string.h>
#include <linux/types.h>

#include "core/lock_budget.h"

/**
 * kcuckoo_bits_mask() - make a word with its lowest bits set
 * @width: number of bits, 0..64
 *
 * Return: the word.
 */
static inline u64 kcuckoo_bits_mask(unsigned int width)
{
	return width ? ~0ULL >> (64 - width) : 0;
}

/**
 * kcuckoo_bits_words() - get the words that an array of fields takes
 * @bits: number of bits
 *
 * Return: number of 64-bit words.
 */
static inline u64 kcuckoo_bits_words(u64 bits)
{
	return (bits + 63) / 64;
}

/*
 * Processors that read a word from any byte as cheaply as an aligned one. Byte
 * order has to be little-endian for the bits to be the right ones.
 */
#if defined(__x86_64__) || defined(__AARCH64EL__)
#define KCUCKOO_BITS_BYTES	1
#else
#define KCUCKOO_BITS_BYTES	0
#endif

/**
 * kcuckoo_bits_word() - read 64 bits that begin with a byte
 * @words: the array
 * @byte: number of the byte, 8 or more before the array's end
 *
 * This is one load without a shift. It is not a READ_ONCE(), and across two
 * cache lines it is not one access to memory either: if writes overlap, the
 * result may be a value that was never there, as with a field that straddles
 * two words. Readers detect that by their sequence count. The barriers of the
 * sequence count order the load; between them the compiler may repeat or split
 * it.
 *
 * Context: processors with KCUCKOO_BITS_BYTES; readers without a lock have to
 * check that no write overlapped.
 * Return: the bits.
 */
static inline u64 kcuckoo_bits_word(const u64 *words, u64 byte)
{
	u64 word;

	kcuckoo_lock_budget_count();
	/*
	 * KCSAN ignores races of the first thousand reads under a sequence
	 * count only.
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
 * Does not read a word in which the field has no bit.
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
 * @value: its new value, below 2^@width
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
