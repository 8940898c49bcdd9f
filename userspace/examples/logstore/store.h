/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A store is a log with its filter: these functions add, find and delete lines.
 */
#ifndef LOGSTORE_STORE_H
#define LOGSTORE_STORE_H

#include "index.h"

/**
 * struct store - an open store
 * @log: the log
 * @index: the filter of the log
 * @keys: buffer for the keys of one look-up
 * @found: the result of the last look-up
 * @read: number of records that were read because the filter returned them
 * @twins: number of records in @read that share only the fingerprint with the key
 */
struct store {
	struct log log;
	struct index index;
	uint8_t keys[INDEX_BATCH][KEY_SIZE];
	struct found found;
	uint64_t read;
	uint64_t twins;
};

enum state {
	STATE_PRESENT,
	STATE_DELETED,
	STATE_ABSENT,
};

/**
 * struct matches - the lines with a key: one line, unless several lines have
 *	the same SHA-1
 * @count: number of lines
 * @record: the newest record of each line
 */
struct matches {
	unsigned int count;
	const struct record *record[INDEX_VALUES];
};

/* @change: the caller will add or delete lines. Return: NULL after an error message. */
struct store *store_open(const char *path, bool change);

/* Write all changes to the disk, and close a store. Return: 0, or -1 after an error message. */
int store_close(struct store *store);

/* Set @matches to the lines with a key. Return: 0, or -1 after an error message. */
int store_find(struct store *store, const uint8_t key[KEY_SIZE],
	       struct matches *matches);

/* Remove all lines from @matches except the line that has the @length bytes at @line. */
void store_narrow(const struct store *store, struct matches *matches,
		  const void *line, size_t length);

/*
 * Return: STATE_PRESENT if at least one of the lines exists; STATE_DELETED if
 * all lines were deleted; STATE_ABSENT if @matches has no line.
 */
enum state store_state(const struct matches *matches);

/*
 * Read the bytes of the line of a record, and check the key of the line.
 * Return: the bytes, or NULL after an error message if the log is damaged.
 */
const void *store_line(struct store *store, const struct record *record);

/*
 * Append a line, and set @key to its key. @flags: RECORD_OPEN or 0. Return: the
 * record of the line; or NULL after an error message, with the store unchanged.
 */
const struct record *store_put(struct store *store, const void *line,
			       size_t length, int flags, uint8_t key[KEY_SIZE]);

/*
 * Delete a line: append a tombstone. @record: the newest record of the line.
 * Return: 0, or -1 after an error message.
 */
int store_delete(struct store *store, const struct record *record);

/*
 * Function that store_walk() calls with a record and the newest record of its
 * line. The walk ends if the function does not return 0.
 */
typedef int (*store_visit)(struct store *store, const struct record *record,
			   const struct record *newest, void *data);

/*
 * Call @visit for all records in their order. Find the newest record of each
 * line by a look-up in the filter. Return: 0; -1 after an error message; or the
 * result of @visit if it is not 0.
 */
int store_walk(struct store *store, store_visit visit, void *data);

/*
 * Return: true if the line that @record added was not deleted later. @newest: the
 * newest record of the same line, which refers to the last tombstone of the line.
 */
bool store_line_exists(const struct store *store, const struct record *record,
		       const struct record *newest);

#endif /* LOGSTORE_STORE_H */
