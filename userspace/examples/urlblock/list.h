/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * urlblock: the exact list, a sorted file
 *
 * A line is a URL in its one form, see url.h. Lines are in the order of their
 * bytes, and none is there twice.
 */
#ifndef URLBLOCK_LIST_H
#define URLBLOCK_LIST_H

#include <stdbool.h>
#include <stdint.h>

#include "url.h"

/**
 * struct list - a list in memory
 * @text: its lines, mapped from the file
 * @size: bytes of these
 */
struct list {
	const char *text;
	size_t size;
};

/**
 * struct sum - what tells the file of a list from that of another one
 * @crc: CRC-32 of its bytes
 * @size: how many
 */
struct sum {
	uint32_t crc;
	size_t size;
};

/* Return: 0, or -1 after an error message. */
int list_open(struct list *list, const char *path);
void list_close(struct list *list);

struct sum list_sum(const struct list *list);

/* Is the URL on the list? */
bool list_contains(const struct list *list, const struct span *url);

/**
 * struct draft - a list that is being made
 * @bytes: all URLs, one behind the other
 * @size: how many bytes
 * @capacity: for how many there is room
 * @offsets: where each URL begins
 * @lengths: how long each is
 * @count: how many URLs
 * @rows: for how many there is room
 */
struct draft {
	char *bytes;
	size_t size;
	size_t capacity;
	size_t *offsets;
	uint16_t *lengths;
	size_t count;
	size_t rows;
};

/* Add a URL. Return: 0, or -1 after an error message. */
int draft_add(struct draft *draft, const char *url, size_t length);

/*
 * Bring the URLs into order, each once. Return: 0, or -1 after an error
 * message.
 */
int draft_sort(struct draft *draft);

/* The sum of the file that draft_write() writes. */
struct sum draft_sum(const struct draft *draft);

/*
 * Write the file, in the place of an older one. Return: 0, or -1 after an error
 * message.
 */
int draft_write(const struct draft *draft, const char *path);
void draft_free(struct draft *draft);

#endif /* URLBLOCK_LIST_H */
