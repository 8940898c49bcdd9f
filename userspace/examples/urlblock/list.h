/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A list is a sorted file of URLs that is searched exactly, without false
 * positives.
 *
 * Each line is a URL in canonical form, see url.h. The lines are sorted by
 * their bytes. No line occurs twice.
 */
#ifndef URLBLOCK_LIST_H
#define URLBLOCK_LIST_H

#include <stdbool.h>
#include <stdint.h>

#include "url.h"

/**
 * struct list - a list in memory
 * @text: lines of the list, mapped from the file
 * @size: size of the lines in bytes
 */
struct list {
	const char *text;
	size_t size;
};

/**
 * struct sum - checksum that identifies the file of a list
 * @crc: CRC-32 of the bytes of the file
 * @size: number of bytes
 */
struct sum {
	uint32_t crc;
	size_t size;
};

/* Map a list to memory. Return: 0, or -1 after an error message. */
int list_open(struct list *list, const char *path);
/* Unmap a list. */
void list_close(struct list *list);

/* Compute the checksum of the file. */
struct sum list_sum(const struct list *list);

/* Return: true if the URL is on the list. */
bool list_contains(const struct list *list, const struct span *url);

/**
 * struct draft - the URLs of a list that is not written yet
 * @bytes: all URLs, contiguous
 * @size: number of bytes
 * @capacity: number of bytes that are allocated
 * @offsets: offset of each URL
 * @lengths: length of each URL
 * @count: number of URLs
 * @rows: number of elements of @offsets and @lengths that are allocated
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

/* Add a URL to a draft. Return: 0, or -1 after an error message. */
int draft_add(struct draft *draft, const char *url, size_t length);

/* Sort the URLs and remove duplicates. Return: 0, or -1 after an error message. */
int draft_sort(struct draft *draft);

/* Compute the checksum of the file that draft_write() writes. */
struct sum draft_sum(const struct draft *draft);

/* Write the file @path, or replace it. Return: 0, or -1 after an error message. */
int draft_write(const struct draft *draft, const char *path);
/* Free the memory of a draft, and make the draft empty. */
void draft_free(struct draft *draft);

#endif /* URLBLOCK_LIST_H */
