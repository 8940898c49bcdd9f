// SPDX-License-Identifier: GPL-2.0-only
/*
 * kcuckoo: many byte strings, one behind the other
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "byteset.h"

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
	size_t room = set->room + set->room / 2 + length + 4096;
	uint8_t *larger = realloc(set->bytes, room);

	if (!larger)
		return -ENOMEM;
	set->bytes = larger;
	set->room = room;
	return 0;
}

static int grow_lengths(struct byteset *set)
{
	size_t room = set->count_room + set->count_room / 2 + 256;
	uint16_t *larger = reallocarray(set->lengths, room, sizeof(*larger));

	if (!larger)
		return -ENOMEM;
	set->lengths = larger;
	set->count_room = room;
	return 0;
}

int byteset_add(struct byteset *set, const void *bytes, size_t length)
{
	/* With room for one more byte, so that there are bytes even if all are empty. */
	if (set->room - set->size < length + 1 && grow_bytes(set, length))
		return -ENOMEM;
	if (set->count == set->count_room && grow_lengths(set))
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

/* A byte string, for sorting. */
struct string {
	const uint8_t *bytes;
	size_t length;
	size_t number;
};

static int same_bytes(const struct string *a, const struct string *b)
{
	return a->length == b->length && !memcmp(a->bytes, b->bytes, a->length);
}

/* By length, by content, and equal ones in the order in which they came. */
static int by_content(const void *a, const void *b)
{
	const struct string *x = a, *y = b;
	int order;

	if (x->length != y->length)
		return x->length < y->length ? -1 : 1;
	order = memcmp(x->bytes, y->bytes, x->length);
	if (order)
		return order;
	return x->number < y->number ? -1 : 1;
}

int byteset_repeats(const struct byteset *set, size_t *repeats, size_t *first)
{
	struct string *strings;
	size_t i, at = 0;

	*repeats = 0;
	strings = calloc(set->count + 1, sizeof(*strings));
	if (!strings)
		return -ENOMEM;
	for (i = 0; i < set->count; i++) {
		strings[i] = (struct string){ set->bytes + at, set->lengths[i],
					      i };
		at += set->lengths[i];
	}
	qsort(strings, set->count, sizeof(*strings), by_content);
	for (i = 1; i < set->count; i++)
		if (same_bytes(&strings[i - 1], &strings[i]) && !(*repeats)++)
			*first = strings[i].number;
	free(strings);
	return 0;
}
