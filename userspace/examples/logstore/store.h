/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * logstore: store lines in a log, and find them by a filter
 */
#ifndef LOGSTORE_STORE_H
#define LOGSTORE_STORE_H

#include "index.h"

/**
 * struct store - an open store
 * @log: the log
 * @index: its filter
 * @keys: keys that are looked up
 * @found: the result of the look-up
 * @read: number of records that were read because the filter returned them
 * @twins: number of these whose key differs and shares the fingerprint
 */
struct store {
	struct log log;
	struct index index;
	uint8_t keys[INDEX_BATCH][KEY_SIZE];
	struct found found;
	uint64_t read;
	uint64_t twins;
};

/* States of a line. */
enum state {
	STATE_PRESENT,
	STATE_DELETED,
	STATE_ABSENT,
};

/**
 * struct matches - the lines with a key: one, except for a collision of SHA-1
 * @count: number of lines
 * @record: newest record of each
 */
struct matches {
	unsigned int count;
	const struct record *record[INDEX_VALUES];
};

/* Open a store. Return: it, or NULL after an error message. */
struct store *store_open(const char *path, bool change);

/*
 * Write all changes to the disk, and close a store. Return: 0, or -1 after an
 * error message.
 */
int store_close(struct store *store);

/* Find the lines of a key. Return: 0, or -1 after an error message. */
int store_find(struct store *store, const uint8_t key[KEY_SIZE],
	       struct matches *matches);

/* Of several lines with one key, keep the one with these bytes, or none. */
void store_narrow(const struct store *store, struct matches *matches,
		  const void *line, size_t length);

/* Return: the state of the lines that were found. */
enum state store_state(const struct matches *matches);

/*
 * Read the bytes of a record's line, and check its key. Return: the bytes, or
 * NULL after an error message if the log is damaged.
 */
const void *store_line(struct store *store, const struct record *record);

/*
 * Append a line. @flags: RECORD_OPEN or 0. @key: set to its key. Return: its
 * record; or NULL after an error message, with the store unchanged.
 */
const struct record *store_put(struct store *store, const void *line,
			       size_t length, int flags, uint8_t key[KEY_SIZE]);

/*
 * Delete all lines that are equal to that of a record. Return: 0, or -1 after
 * an error message.
 */
int store_delete(struct store *store, const struct record *record);

/*
 * Gets a record, and the newest one of its line. The walk ends unless it
 * returns 0.
 */
typedef int (*store_visit)(struct store *store, const struct record *record,
			   const struct record *newest, void *data);

/*
 * Visit all records in their order, each found through the filter. Return: 0,
 * or -1 after an error message, or what @visit returned.
 */
int store_walk(struct store *store, store_visit visit, void *data);

/* Does the line of this record still exist? */
bool store_alive(const struct store *store, const struct record *record,
		 const struct record *newest);

#endif /* LOGSTORE_STORE_H */
