// SPDX-License-Identifier: GPL-2.0-only
/*
 * A byteset is an array of byte strings in contiguous memory.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "keys/byteset.h"

void byteset_free(struct byteset *set)
{
	free(set->bytes);
	free(set->lengths);
	memset(set, 0, sizeof(*set));
}

void byteset_clear(struct byteset *set)
{
	set->size = 0;
	set->count = 0;
}

static int grow_bytes(struct byteset *set, size_t length)
{
	size_t capacity = set->capacity + set->capacity / 2 + length + 4096;
	uint8_t *larger = realloc(set->bytes, capacity);

	if (!larger)
		return -ENOMEM;
	set->bytes = larger;
	set->capacity = capacity;
	return 0;
}

static int grow_lengths(struct byteset *set)
{
	size_t capacity = set->length_capacity + set->length_capacity / 2 + 256;
	uint16_t *larger = reallocarray(set->lengths, capacity,
					sizeof(*larger));

	if (!larger)
		return -ENOMEM;
	set->lengths = larger;
	set->length_capacity = capacity;
	return 0;
}

int byteset_add(struct byteset *set, const void *bytes, size_t length)
{
	/* A truncated length would move all later strings to a wrong byte. */
	if (length > UINT16_MAX)
		return -EMSGSIZE;
	/* Allocate one byte more, so that @bytes is not NULL even if all strings are empty. */
	if (set->capacity - set->size < length + 1 && grow_bytes(set, length))
		return -ENOMEM;
	if (set->count == set->length_capacity && grow_lengths(set))
		return -ENOMEM;
	memcpy(set->bytes + set->size, bytes, length);
	set->size += length;
	set->lengths[set->count++] = length;
	return 0;
}

const char *byteset_at(const struct byteset *set, size_t number)
{
	const uint8_t *at = set->bytes;
	size_t i;

	for (i = 0; i < number; i++)
		at += set->lengths[i];
	return (const char *)at;
}

/*
 * To sort strings, the functions below sort a 64-bit number for each string: the lower
 * PLACE_BITS bits are the offset of the string in @bytes, the upper bits its length. A number
 * takes less memory than a pointer and a length, and memory limits how many strings can be
 * sorted.
 */
#define PLACE_BITS	48
#define PLACE		((1ULL << PLACE_BITS) - 1)

static const uint8_t *bytes_of(const struct byteset *set, uint64_t string)
{
	return set->bytes + (string & PLACE);
}

static size_t length_of(uint64_t string)
{
	return string >> PLACE_BITS;
}

static int compare(const struct byteset *set, uint64_t a, uint64_t b)
{
	if (length_of(a) != length_of(b))
		return length_of(a) < length_of(b) ? -1 : 1;
	return memcmp(bytes_of(set, a), bytes_of(set, b), length_of(a));
}

/* Compare by length, then by content. Equal strings keep the order in which they were added. */
static int by_content(const void *a, const void *b, void *set)
{
	const uint64_t *x = a, *y = b;
	int order = compare(set, *x, *y);

	if (order || *x == *y)
		return order;
	return *x < *y ? -1 : 1;
}

/*
 * Return: the index of @string in the set. Several empty strings can have the same offset:
 * return the index of the last of these strings.
 */
static size_t number_of(const struct byteset *set, uint64_t string)
{
	size_t i, at = 0, found = 0;

	for (i = 0; i < set->count && at <= (string & PLACE); i++) {
		if (at == (string & PLACE) && set->lengths[i] == length_of(string))
			found = i;
		at += set->lengths[i];
	}
	return found;
}

/*
 * Return: an array of the numbers of all strings (see PLACE_BITS), sorted by length and content;
 * or NULL if memory is short. The caller frees the array.
 */
static uint64_t *sorted_strings(const struct byteset *set)
{
	uint64_t *strings = calloc(set->count + 1, sizeof(*strings));
	size_t i, at = 0;

	if (!strings)
		return NULL;
	for (i = 0; i < set->count; i++) {
		strings[i] = (uint64_t)set->lengths[i] << PLACE_BITS | at;
		at += set->lengths[i];
	}
	qsort_r(strings, set->count, sizeof(*strings), by_content, (void *)set);
	return strings;
}

int byteset_repeats(const struct byteset *set, size_t *repeats, size_t *first)
{
	uint64_t *strings = sorted_strings(set), one = 0;
	size_t i;

	*repeats = 0;
	if (!strings)
		return -ENOMEM;
	for (i = 1; i < set->count; i++)
		if (!compare(set, strings[i - 1], strings[i]) && !(*repeats)++)
			one = strings[i];
	free(strings);
	if (*repeats)
		*first = number_of(set, one);
	return 0;
}

static int by_place(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a & PLACE, y = *(const uint64_t *)b & PLACE;

	return x < y ? -1 : x > y;
}

/*
 * Keep only the @count strings in @strings, which are sorted by offset. An empty string has the
 * same offset as the string after it, so these two can change places.
 */
static void keep_strings(struct byteset *set, const uint64_t *strings,
			 size_t count)
{
	size_t i, at, size = 0;

	for (i = 0; i < count; i++) {
		at = strings[i] & PLACE;
		memmove(set->bytes + size, set->bytes + at, length_of(strings[i]));
		set->lengths[i] = length_of(strings[i]);
		size += set->lengths[i];
	}
	set->count = count;
	set->size = size;
}

int byteset_unify(struct byteset *set)
{
	uint64_t *strings = sorted_strings(set);
	size_t i, kept = 0;

	if (!strings)
		return -ENOMEM;
	for (i = 0; i < set->count; i++)
		if (!kept || compare(set, strings[kept - 1], strings[i]))
			strings[kept++] = strings[i];
	if (kept < set->count) {
		qsort(strings, kept, sizeof(*strings), by_place);
		keep_strings(set, strings, kept);
	}
	free(strings);
	return 0;
}
