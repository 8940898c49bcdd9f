/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Fields of 1 to 64 bits, packed without gaps into an array of 64-bit words.
 *
 * Bit n of the array is bit n % 64 of word n / 64. Words are read and written
 * whole and aligned, with READ_ONCE() and WRITE_ONCE(), because readers take
 * no lock. A field that lies in one word is read and written at once; one that
 * straddles two is not, which is why readers validate what they saw. That they do
 * lets them read a word from any byte, too, where processors can.
 */
#ifndef _KCUCKOO_BITS_H
#define _KCUCKOO_BITS_H

#include <linux/compiler.h>
#include <linux/string.h>
#include <linux/types.h>

#include "core/lock_budget.h"

/**
 * kcuckoo_bits_mask() - a word with its lowest bits set
 * @width: how many, 0..64
 *
 * Return: the word.
 */
static inline u64 kcuckoo_bits_mask(unsigned int width)
{
	return width ? ~0ULL >> (64 - width) : 0;
}

/**
 * kcuckoo_bits_words() - words that an array of fields takes
 * @bits: number of bits
 *
 * Return: number of 64-bit words.
 */
static inline u64 kcuckoo_bits_words(u64 bits)
{
	return (bits + 63) / 64;
}

/*
 * Can a word be read from any byte of the array, as cheaply as another one? Its
 * bits are the right ones where the lowest byte comes first.
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
 * One load, and nothing is shifted. It is no READ_ONCE(), and if it straddles two
 * cache lines it is not one access to the memory either: what overlapping writes
 * leave of it may never have been there at one time, as with a field that
 * straddles two words. Readers find out by their sequence count that one
 * overlapped. Its barriers keep the load between them, and between those it may
 * be done as often and in as many pieces as the compiler likes.
 *
 * Context: processors with KCUCKOO_BITS_BYTES; readers without a lock have to
 * check that no write overlapped.
 * Return: the bits.
 */
static inline u64 kcuckoo_bits_word(const u64 *words, u64 byte)
{
	u64 word;

	kcuckoo_lock_budget_count();
	/* KCSAN forgives only the first thousand reads under a sequence count. */
	data_race(memcpy(&word, (const u8 *)words + byte, sizeof(word)));
	return word;
}

/**
 * kcuckoo_bits_get() - read a field
 * @words: the array
 * @bit: number of the field's lowest bit
 * @width: bits of the field, 1..64
 *
 * Never touches a word in which the field has no bit.
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
