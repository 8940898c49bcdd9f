// SPDX-License-Identifier: GPL-2.0-only
/*
 * range_split() splits a range of addresses into prefixes, because filters have
 * no ranges.
 *
 * In this file, addresses are arrays of bytes, because not every compiler has integers
 * of 128 bits.
 */
#include <string.h>

#include "keys/range.h"

/*
 * Set @addr to the last address that @prefix covers. @bytes: size of an address in
 * bytes, here and in the functions below.
 */
static void last_covered(const struct kcuckoo_prefix *prefix, int bytes,
			 uint8_t *addr)
{
	int i, bit;

	memcpy(addr, prefix->addr, bytes);
	for (i = 0; i < bytes; i++) {
		bit = prefix->plen - 8 * i;
		if (bit <= 0)
			addr[i] = 0xff;
		else if (bit < 8)
			addr[i] |= 0xff >> bit;
	}
}

/* Return: the length of the shortest prefix whose first address is @addr. */
static int widest(const uint8_t *addr, int bytes)
{
	while (bytes && !addr[bytes - 1])
		bytes--;
	return bytes ? 8 * bytes - __builtin_ctz(addr[bytes - 1]) : 0;
}

/* Return: the number of leading bits that two addresses share. */
static int shared(const uint8_t *a, const uint8_t *b, int bytes)
{
	int i;

	for (i = 0; i < bytes; i++)
		if (a[i] != b[i])
			return 8 * i + __builtin_clz(a[i] ^ b[i]) - 24;
	return 8 * bytes;
}

/* Return: true if all bits of @addr after the first @length bits are set. */
static bool only_ones(const uint8_t *addr, int bytes, int length)
{
	unsigned int mask = 0xff >> length % 8;
	int at;

	for (at = length / 8; at < bytes; at++, mask = 0xff)
		if ((addr[at] & mask) != mask)
			return false;
	return true;
}

/*
 * Return: the length of the shortest prefix whose first address is @at and whose last address is
 * not after @last.
 *
 * In the first bit in which the two addresses differ, @at has a 0 and @last has a 1. A prefix of
 * @at that includes this bit ends before @last. A shorter prefix of @at covers @last, and ends
 * at @last only if all bits of @last after the prefix are set.
 */
static int widest_within(const uint8_t *at, const uint8_t *last, int bytes)
{
	int length = widest(at, bytes), same = shared(at, last, bytes);

	if (length <= same && only_ones(last, bytes, same))
		return same;
	return length > same ? length : same + 1;
}

/* Advance @addr to the next address. Return: false after the last address of the family. */
static bool step(uint8_t *addr, int bytes)
{
	while (bytes--)
		if (++addr[bytes])
			return true;
	return false;
}

int range_split(const struct kcuckoo_prefix *first,
		const struct kcuckoo_prefix *last,
		struct kcuckoo_prefix prefixes[RANGE_PREFIXES_MAX])
{
	int bytes = first->family == KCUCKOO_FAMILY_IPV4 ? 4 : 16;
	struct kcuckoo_prefix at = *first;
	uint8_t end[16];
	int count = 0;

	do {
		at.plen = widest_within(at.addr, last->addr, bytes);
		last_covered(&at, bytes, end);
		prefixes[count++] = at;
		memcpy(at.addr, end, bytes);
	} while (memcmp(end, last->addr, bytes) && step(at.addr, bytes));
	return count;
}
