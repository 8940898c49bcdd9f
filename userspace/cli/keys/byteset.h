/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcuckoo: an array of byte strings in contiguous memory
 */
#ifndef KCUCKOO_CLI_BYTESET_H
#define KCUCKOO_CLI_BYTESET_H

#include "cli.h"

/**
 * struct byteset - byte strings in the order in which they were added
 * @bytes: the bytes of all strings
 * @size: number of bytes
 * @capacity: bytes that are allocated
 * @lengths: length of each string
 * @count: number of strings
 * @length_capacity: lengths that are allocated
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

/* Remove all byte strings, but keep the memory for new ones. */
void byteset_clear(struct byteset *set);

/* Return: 0, -ENOMEM, or -EMSGSIZE for more than UINT16_MAX bytes. */
int byteset_add(struct byteset *set, const void *bytes, size_t length);

/* Return: the first byte of string number @number. */
const char *byteset_at(const struct byteset *set, size_t number);

/*
 * Bytes that byteset_repeats() needs for each string: an entry to sort, and its
 * copy.
 */
#define BYTESET_REPEATS	16

/*
 * Count strings that are equal to an earlier one. @first: the number of one of
 * them, if any. Return: 0 with @repeats set, or -ENOMEM.
 */
int byteset_repeats(const struct byteset *set, size_t *repeats, size_t *first);

#endif /* KCUCKOO_CLI_BYTESET_H */
