/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A byteset is an array of byte strings in contiguous memory. A collection keeps its
 * byte strings in a byteset.
 */
#ifndef KCUCKOO_CLI_BYTESET_H
#define KCUCKOO_CLI_BYTESET_H

#include "cli.h"

/**
 * struct byteset - byte strings in the order in which they were added
 * @bytes: the bytes of all strings
 * @size: number of bytes
 * @capacity: number of bytes that are allocated
 * @lengths: length of each string in bytes
 * @count: number of strings
 * @length_capacity: number of elements of @lengths that are allocated
 */
struct byteset {
	uint8_t *bytes;
	size_t size;
	size_t capacity;
	uint16_t *lengths;
	size_t count;
	size_t length_capacity;
};

/* Free the memory of the strings. The set is then empty, and can be used again. */
void byteset_free(struct byteset *set);

/* Remove all byte strings, but keep the memory for new ones. */
void byteset_clear(struct byteset *set);

/* Add a byte string. Return: 0, -ENOMEM, or -EMSGSIZE for more than UINT16_MAX bytes. */
int byteset_add(struct byteset *set, const void *bytes, size_t length);

/*
 * Return: a pointer to string number @number, from 0. No zero byte follows the string. The time
 * is proportional to @number.
 */
const char *byteset_at(const struct byteset *set, size_t number);

/*
 * Maximum number of bytes that byteset_repeats() needs for each string: 8 for an element
 * of the array that it sorts, and 8 for the copy of this element that qsort_r() can make.
 */
#define BYTESET_REPEATS	16

/*
 * Set @repeats to the number of strings that are equal to an earlier string. If @repeats is not
 * 0, set @first to the index of such a string. Return: 0 or -ENOMEM.
 */
int byteset_repeats(const struct byteset *set, size_t *repeats, size_t *first);

/* Remove all strings that are equal to an earlier string. Return: 0 or -ENOMEM. */
int byteset_unify(struct byteset *set);

#endif /* KCUCKOO_CLI_BYTESET_H */
