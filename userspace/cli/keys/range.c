// SPDX-License-Identifier: GPL-2.0-only
/*
 * kcuckoo: ranges of addresses as prefixes
 *
 * On byte strings, as no integer of C is as wide as an IPv6 address
 * everywhere.
 */
#include <string.h>

#include "keys/range.h"

/* The last address that @prefix covers. */
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

/* Return: the length of the widest prefix that begins with @addr. */
static int widest(const uint8_t *addr, int bytes)
{
	while (bytes && !addr[bytes - 1])
		bytes--;
	return bytes ? 8 * bytes - __builtin_ctz(addr[bytes - 1]) : 0;
}

/* Return: how many leading bits two addresses share. */
static int shared(const uint8_t *a, const uint8_t *b, int bytes)
{
	int i;

	for (i = 0; i < bytes; i++)
		if (a[i] != b[i])
			return 8 * i + __builtin_clz(a[i] ^ b[i]) - 24;
	return 8 * bytes;
}

/* Whether all bits behind the first @length are one. */
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
 * Return: the length of the widest prefix that begins with @at and ends no
 * later than @last. Behind the bits that the two share, @at has a 0 and @last
 * a 1: a prefix that keeps this 0 ends before @last. A wider one does not,
 * unless it ends with @last itself.
 */
static int widest_within(const uint8_t *at, const uint8_t *last, int bytes)
{
	int length = widest(at, bytes), same = shared(at, last, bytes);

	if (length <= same && only_ones(last, bytes, same))
		return same;
	return length > same ? length : same + 1;
}

/* Return: false where the next address is none, behind the very last. */
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
