// SPDX-License-Identifier: GPL-2.0-only
/*
 * Checks prefixes, and converts them to numbers and back.
 *
 * In struct kcuckoo_prefix the address is in network byte order, so the address bits of a
 * prefix are the first bits of @addr. In a number they are the lowest bits.
 */
#include <asm/byteorder.h>
#include <linux/string.h>

#include "core/bits.h"
#include "core/prefix.h"

static struct kcuckoo_number
kcuckoo_prefix_load(const struct kcuckoo_prefix *prefix)
{
	struct kcuckoo_number number;
	__be64 words[2];

	memcpy(words, prefix->addr, sizeof(words));
	number.hi = be64_to_cpu(words[0]);
	number.lo = be64_to_cpu(words[1]);
	return number;
}

/**
 * kcuckoo_prefix_valid() - check whether a prefix is valid
 * @prefix: the prefix, copied from user memory
 *
 * Return: true if family and length are valid, and the reserved bytes and the bits after
 * the prefix are zero.
 */
bool kcuckoo_prefix_valid(const struct kcuckoo_prefix *prefix)
{
	struct kcuckoo_number number = kcuckoo_prefix_load(prefix);
	unsigned int plen = prefix->plen;
	unsigned int i;

	switch (prefix->family) {
	case KCUCKOO_FAMILY_IPV4:
		if (plen > 32)
			return false;
		break;
	case KCUCKOO_FAMILY_IPV6:
		if (plen > 128)
			return false;
		break;
	default:
		return false;
	}
	for (i = 0; i < sizeof(prefix->reserved); i++)
		if (prefix->reserved[i])
			return false;
	if (plen <= 64)
		return !number.lo &&
		       !(number.hi & kcuckoo_bits_mask(64 - plen));
	return !(number.lo & kcuckoo_bits_mask(128 - plen));
}

/**
 * kcuckoo_prefix_cut() - get the first bits of a number
 * @address: the number, usually an address
 * @bits: width of the number, at most 128
 * @plen: number of bits to keep, at most @bits
 *
 * Return: a number of @plen bits.
 */
struct kcuckoo_number kcuckoo_prefix_cut(const struct kcuckoo_number *address,
					 unsigned int bits, unsigned int plen)
{
	unsigned int shift = bits - plen;
	struct kcuckoo_number number;

	if (shift == 0) {
		number = *address;
	} else if (shift < 64) {
		number.hi = address->hi >> shift;
		number.lo = address->lo >> shift | address->hi << (64 - shift);
	} else {
		number.hi = 0;
		number.lo = shift < 128 ? address->hi >> (shift - 64) : 0;
	}
	return number;
}

/**
 * kcuckoo_prefix_extend() - compute the first address of a prefix
 * @number: the @plen address bits of the prefix
 * @bits: bits of the address, at most 128
 * @plen: prefix length, at most @bits
 *
 * The inverse of kcuckoo_prefix_cut().
 *
 * Return: a number of @bits bits: @number, followed by zeroes.
 */
struct kcuckoo_number kcuckoo_prefix_extend(const struct kcuckoo_number *number,
					    unsigned int bits,
					    unsigned int plen)
{
	unsigned int shift = bits - plen;
	struct kcuckoo_number address;

	if (shift == 0) {
		address = *number;
	} else if (shift < 64) {
		address.hi = number->hi << shift | number->lo >> (64 - shift);
		address.lo = number->lo << shift;
	} else {
		address.hi = shift < 128 ? number->lo << (shift - 64) : 0;
		address.lo = 0;
	}
	return address;
}

/**
 * kcuckoo_prefix_number() - get the address bits of a prefix
 * @prefix: a valid prefix
 *
 * Return: a number whose width in bits is the length of the prefix.
 */
struct kcuckoo_number
kcuckoo_prefix_number(const struct kcuckoo_prefix *prefix)
{
	struct kcuckoo_number number = kcuckoo_prefix_load(prefix);

	return kcuckoo_prefix_cut(&number, 128, prefix->plen);
}

/**
 * kcuckoo_prefix_set() - fill in a prefix from its family, length and address bits
 * @prefix: out: the prefix
 * @family: KCUCKOO_FAMILY_IPV4 or KCUCKOO_FAMILY_IPV6
 * @plen: prefix length
 * @number: the @plen address bits
 */
void kcuckoo_prefix_set(struct kcuckoo_prefix *prefix, unsigned int family,
			unsigned int plen, const struct kcuckoo_number *number)
{
	unsigned int shift = (128 - plen) % 64;
	__be64 words[2];
	u64 hi = 0;
	u64 lo = 0;

	if (plen > 64) {
		hi = number->hi << shift;
		if (shift)
			hi |= number->lo >> (64 - shift);
		lo = number->lo << shift;
	} else if (plen) {
		hi = number->lo << shift;
	}
	words[0] = cpu_to_be64(hi);
	words[1] = cpu_to_be64(lo);
	memset(prefix, 0, sizeof(*prefix));
	memcpy(prefix->addr, words, sizeof(words));
	prefix->family = family;
	prefix->plen = plen;
}
