/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcuckoo: many byte strings, one behind the other
 */
#ifndef KCUCKOO_CLI_BYTESET_H
#define KCUCKOO_CLI_BYTESET_H

#include "cli.h"

/**
 * struct byteset - byte strings in the order in which they came
 * @bytes: all of them
 * @size: how many bytes
 * @capacity: for so many bytes there is room
 * @lengths: of each
 * @count: how many byte strings
 * @length_capacity: for so many lengths there is room
 */
struct byteset {
	uint8_t *bytes;
	size_t size;
	size_t capacity;
	uint16_t *lengths;
	size_t count;
	size_t length_capacity;
};

void byteset_free(struct byteset *set);

/* Forget the byte strings; their memory is used again. */
void byteset_clear(struct byteset *set);

/* Return: 0, -ENOMEM, or -EMSGSIZE for more than UINT16_MAX bytes. */
int byteset_add(struct byteset *set, const void *bytes, size_t length);

/* Where byte string number @number begins. */
const char *byteset_at(const struct byteset *set, size_t number);

/* Bytes for each that byteset_repeats() needs: what is sorted, and room to sort it. */
#define BYTESET_REPEATS	16

/*
 * How many are equal to another one before them. @first: number of such a one, if
 * any. Return: 0 with @repeats set, or -ENOMEM.
 */
int byteset_repeats(const struct byteset *set, size_t *repeats, size_t *first);

#endif /* KCUCKOO_CLI_BYTESET_H */
