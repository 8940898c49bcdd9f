// SPDX-License-Identifier: GPL-2.0-only
/*
 * kcuckoo: ranges of addresses as prefixes
 *
 * On byte strings, as no integer of C is as wide as an IPv6 address
 * everywhere.
 */
#include <string.h>

#include "range.h"

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
	int length = 8 * bytes;

	while (length && !(addr[(length - 1) / 8] >> (7 - (length - 1) % 8) & 1))
		length--;
	return length;
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
		struct kcuckoo_prefix prefixes[RANGE_MOST])
{
	int bytes = first->family == KCUCKOO_FAMILY_IPV4 ? 4 : 16;
	struct kcuckoo_prefix at = *first;
	uint8_t end[16];
	int count = 0;

	do {
		at.plen = widest(at.addr, bytes);
		last_covered(&at, bytes, end);
		while (memcmp(end, last->addr, bytes) > 0) {
			at.plen++;
			last_covered(&at, bytes, end);
		}
		prefixes[count++] = at;
		memcpy(at.addr, end, bytes);
	} while (memcmp(end, last->addr, bytes) && step(at.addr, bytes));
	return count;
}
