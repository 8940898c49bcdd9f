// SPDX-License-Identifier: GPL-2.0-only
/*
 * kcuckoo: many keys in little memory
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "keyset.h"

/* Below this, sorting by insertion is faster; any small number will do. */
#define FEW	24

void keyset_init(struct keyset *set)
{
	memset(set, 0, sizeof(*set));
	set->parts[0].width = 4 + 1;
	set->parts[1].width = 16 + 1;
}

void keyset_free(struct keyset *set)
{
	free(set->parts[0].data);
	free(set->parts[1].data);
	keyset_init(set);
}

/* By a half: the system call behind realloc() moves pages, not bytes. */
static int part_grow(struct keyset_part *part)
{
	size_t room = part->room + part->room / 2 + 4096;
	uint8_t *larger = realloc(part->data, room * part->width);

	if (!larger)
		return -ENOMEM;
	part->data = larger;
	part->room = room;
	return 0;
}

int keyset_add(struct keyset *set, const struct kcuckoo_prefix *key)
{
	struct keyset_part *part = &set->parts[key->family - 1];
	uint8_t *record;

	if (part->count == part->room && part_grow(part))
		return -ENOMEM;
	record = part->data + part->count++ * part->width;
	/* Of a constant length each, these are a move or two. */
	if (key->family == KCUCKOO_FAMILY_IPV4)
		memcpy(record, key->addr, 4);
	else
		memcpy(record, key->addr, 16);
	record[part->width - 1] = key->plen;
	return 0;
}

size_t keyset_count(const struct keyset *set)
{
	return set->parts[0].count + set->parts[1].count;
}

size_t keyset_bytes(const struct keyset *set)
{
	return set->parts[0].count * set->parts[0].width +
	       set->parts[1].count * set->parts[1].width;
}

static void record_read(const struct keyset_part *part, size_t number,
			unsigned int family, struct kcuckoo_prefix *key)
{
	const uint8_t *record = part->data + number * part->width;

	memset(key, 0, sizeof(*key));
	if (family == KCUCKOO_FAMILY_IPV4)
		memcpy(key->addr, record, 4);
	else
		memcpy(key->addr, record, 16);
	key->family = family;
	key->plen = record[part->width - 1];
}

size_t keyset_read(const struct keyset *set, size_t first,
		   struct kcuckoo_prefix *keys, size_t count)
{
	size_t i, ipv4 = set->parts[0].count, all = keyset_count(set);

	for (i = 0; i < count && first + i < all; i++) {
		size_t number = first + i;

		if (number < ipv4)
			record_read(&set->parts[0], number,
				    KCUCKOO_FAMILY_IPV4, &keys[i]);
		else
			record_read(&set->parts[1], number - ipv4,
				    KCUCKOO_FAMILY_IPV6, &keys[i]);
	}
	return i;
}

static void swap_records(uint8_t *a, uint8_t *b, size_t width)
{
	uint8_t spare[17];

	memcpy(spare, a, width);
	memcpy(a, b, width);
	memcpy(b, spare, width);
}

static void sort_few(uint8_t *data, size_t count, size_t width)
{
	uint8_t *at, *end = data + count * width;

	for (at = data + width; at < end; at += width) {
		uint8_t *back = at;

		while (back > data && memcmp(back - width, back, width) > 0) {
			swap_records(back - width, back, width);
			back -= width;
		}
	}
}

/*
 * Radix sort in place from the first byte on (McIlroy, Bostic and McIlroy's
 * "American flag"): no second copy of the keys, and no input that is slow.
 */
static void sort_from(uint8_t *data, size_t count, size_t width, size_t byte)
{
	size_t next[256], end[256] = { 0 };
	size_t i, start = 0;

	if (count <= FEW) {
		sort_few(data, count, width);
		return;
	}
	for (i = 0; i < count; i++)
		end[data[i * width + byte]]++;
	for (i = 0; i < 256; i++) {
		next[i] = start;
		start += end[i];
		end[i] = start;
	}
	for (i = 0; i < 256; i++) {
		while (next[i] < end[i]) {
			uint8_t *record = data + next[i] * width;
			size_t home = record[byte];

			if (home != i)
				swap_records(record, data + next[home] * width,
					     width);
			next[home]++;
		}
	}
	if (byte + 1 == width)
		return;
	for (i = 0, start = 0; i < 256; start = end[i++])
		if (end[i] - start > 1)
			sort_from(data + start * width, end[i] - start, width,
				  byte + 1);
}

void keyset_sort(struct keyset *set)
{
	struct keyset_part *part;

	for (part = set->parts; part < set->parts + 2; part++)
		if (part->count > 1)
			sort_from(part->data, part->count, part->width, 0);
}

size_t keyset_repeats(const struct keyset *set, struct kcuckoo_prefix *first)
{
	size_t i, family, repeats = 0;

	for (family = 0; family < 2; family++) {
		const struct keyset_part *part = &set->parts[family];

		for (i = 1; i < part->count; i++) {
			const uint8_t *record = part->data + i * part->width;

			if (memcmp(record - part->width, record, part->width))
				continue;
			if (!repeats++)
				record_read(part, i, family + 1, first);
		}
	}
	return repeats;
}

bool keyset_has(const struct keyset *set, const struct kcuckoo_prefix *key)
{
	const struct keyset_part *part = &set->parts[key->family - 1];
	size_t i, bytes = part->width - 1;

	for (i = 0; i < part->count; i++) {
		const uint8_t *record = part->data + i * part->width;

		if (record[bytes] == key->plen &&
		    !memcmp(record, key->addr, bytes))
			return true;
	}
	return false;
}
