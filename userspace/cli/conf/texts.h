/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions store the values of keys that a section can have several times, and
 * grow arrays.
 */
#ifndef KCUCKOO_CLI_CONF_TEXTS_H
#define KCUCKOO_CLI_CONF_TEXTS_H

#include "conf/config.h"

/*
 * Enlarge an array of @count elements of @size bytes if it has no unused element.
 * @array must come from this function, or be NULL with @count 0. Return: the array,
 * which can have another address than @array; or NULL if memory is short, and then
 * @array is still valid.
 */
void *array_grow(void *array, size_t count, size_t size);

/*
 * Append a copy of a text of @length bytes, with its @place. Return: 0, or -1 if memory
 * is short.
 */
int texts_add(struct config_texts *texts, const char *text, size_t length,
	      const struct config_place *place);

/* Return: the element of @texts that equals a text of @length bytes, or NULL. */
const struct config_text *texts_find(const struct config_texts *texts,
				     const char *text, size_t length);

/* Append copies of all texts of @from to @texts. Return: 0, or -1 if memory is short. */
int texts_copy(struct config_texts *texts, const struct config_texts *from);

/* Free the texts and their array. */
void texts_free(struct config_texts *texts);

#endif /* KCUCKOO_CLI_CONF_TEXTS_H */
