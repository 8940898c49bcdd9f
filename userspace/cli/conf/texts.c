// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions store the values of keys that a section can have several times, and
 * grow arrays.
 */
#include <stdlib.h>
#include <string.h>

#include "conf/texts.h"

/* Number of elements by which array_grow() enlarges an array. */
#define ARRAY_STEP	16

void *array_grow(void *array, size_t count, size_t size)
{
	if (count % ARRAY_STEP)
		return array;
	return realloc(array, (count + ARRAY_STEP) * size);
}

int texts_add(struct config_texts *texts, const char *text, size_t length,
	      const struct config_place *place)
{
	struct config_text *items;
	char *copy = strndup(text, length);

	items = array_grow(texts->items, texts->count, sizeof(*items));
	if (items)
		texts->items = items;
	if (!items || !copy) {
		free(copy);
		return -1;
	}
	items[texts->count].text = copy;
	items[texts->count++].place = *place;
	return 0;
}

const struct config_text *texts_find(const struct config_texts *texts,
				     const char *text, size_t length)
{
	size_t i;

	for (i = 0; i < texts->count; i++)
		if (strlen(texts->items[i].text) == length &&
		    !memcmp(texts->items[i].text, text, length))
			return &texts->items[i];
	return NULL;
}

int texts_copy(struct config_texts *texts, const struct config_texts *from)
{
	size_t i;

	for (i = 0; i < from->count; i++)
		if (texts_add(texts, from->items[i].text,
			      strlen(from->items[i].text),
			      &from->items[i].place))
			return -1;
	return 0;
}

void texts_free(struct config_texts *texts)
{
	size_t i;

	for (i = 0; i < texts->count; i++)
		free(texts->items[i].text);
	free(texts->items);
}
