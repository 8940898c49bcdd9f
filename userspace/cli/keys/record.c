// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions work on the records of a keyset. A record is one key, and its
 * note if the keyset keeps notes.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "keys/record.h"

/*
 * Increase the capacity by half and 4096 records. For large blocks this takes little time,
 * because realloc() remaps pages instead of copying bytes.
 */
static int array_grow(struct record_array *array)
{
	size_t capacity = array->capacity + array->capacity / 2 + 4096;
	uint8_t *larger = realloc(array->data, capacity * array->width);

	if (!larger)
		return -ENOMEM;
	array->data = larger;
	array->capacity = capacity;
	return 0;
}

uint8_t *array_append(struct record_array *array)
{
	if (array->count == array->capacity && array_grow(array))
		return NULL;
	return array->data + array->count++ * array->width;
}

void record_read(const uint8_t *record, int family,
		 struct kcuckoo_prefix *key)
{
	memset(key, 0, sizeof(*key));
	key->family = family + 1;
	if (key->family == KCUCKOO_FAMILY_IPV4) {
		memcpy(key->addr, record, 4);
		key->plen = record[4];
	} else {
		memcpy(key->addr, record, 16);
		key->plen = record[16];
	}
}

int array_copy(struct record_array *to, const struct record_array *from,
	       const uint8_t *record)
{
	uint8_t *copy = array_append(to);

	if (!copy)
		return -ENOMEM;
	memcpy(copy, record, to->width < from->width ? to->width : from->width);
	return 0;
}

bool record_covers(const uint8_t *outer, const uint8_t *inner, size_t bytes)
{
	size_t whole = outer[bytes] / 8;
	int rest = outer[bytes] % 8;

	if (outer[bytes] > inner[bytes] || memcmp(outer, inner, whole))
		return false;
	return !rest || !((outer[whole] ^ inner[whole]) >> (8 - rest));
}

void record_write(uint8_t *record, const struct kcuckoo_prefix *key,
		  size_t bytes)
{
	memcpy(record, key->addr, bytes);
	record[bytes] = key->plen;
}

size_t array_lower_bound(const struct record_array *array,
			 const uint8_t *record, size_t length)
{
	size_t first = 0, end = array->count;

	while (first < end) {
		size_t middle = first + (end - first) / 2;

		if (memcmp(array->data + middle * array->width, record,
			   length) < 0)
			first = middle + 1;
		else
			end = middle;
	}
	return first;
}
