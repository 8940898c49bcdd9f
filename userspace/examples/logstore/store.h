/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * logstore: lines kept in a log and found through a filter
 */
#ifndef LOGSTORE_STORE_H
#define LOGSTORE_STORE_H

#include "index.h"

/**
 * struct store - an open store
 * @log: the log
 * @index: its filter
 * @keys: keys that are looked up
 * @found: what was found
 * @read: how many records were read because the filter named them
 * @twins: how many of these were of other keys that share the fingerprint
 */
struct store {
	struct log log;
	struct index index;
	uint8_t keys[INDEX_BATCH][KEY_SIZE];
	struct found found;
	uint64_t read;
	uint64_t twins;
};

/* What is known of a line. */
enum state {
	STATE_PRESENT,
	STATE_DELETED,
	STATE_ABSENT,
};

/**
 * struct matches - the lines that have a key: one, but for a miracle
 * @count: how many
 * @record: the newest record of each
 */
struct matches {
	unsigned int count;
	const struct record *record[INDEX_VALUES];
};

/* Open a store. Return: it, or NULL, told. */
struct store *store_open(const char *path, bool change);

/*
 * Close a store; what was changed is on the disk. Return: 0, or -1 after an
 * error message.
 */
int store_close(struct store *store);

/* Find the lines of a key. Return: 0, or -1 after an error message. */
int store_find(struct store *store, const uint8_t key[KEY_SIZE],
	       struct matches *matches);

/* Of several lines with one key take the one of these bytes, or none. */
void store_narrow(const struct store *store, struct matches *matches,
		  const void *line, size_t length);

/* What is known of the lines that were found. */
enum state store_state(const struct matches *matches);

/*
 * The bytes of a record's line, after its key was computed from them again.
 * Return: these, or NULL, told: the log is damaged.
 */
const void *store_line(struct store *store, const struct record *record);

/*
 * Append a line. @flags: RECORD_OPEN or 0. @key: where its key goes. Return: its
 * record, or NULL, told, and then the store is as it was.
 */
const struct record *store_put(struct store *store, const void *line,
			       size_t length, int flags, uint8_t key[KEY_SIZE]);

/*
 * Delete all lines that are equal to that of a record. Return: 0, or -1 after
 * an error message.
 */
int store_delete(struct store *store, const struct record *record);

/* A record, and the newest one of its line. Return: 0, or else the walk ends. */
typedef int (*store_visit)(struct store *store, const struct record *record,
			   const struct record *newest, void *data);

/*
 * Visit all records in their order, each found through the filter. Return: 0,
 * or -1 after an error message, or what @visit returned.
 */
int store_walk(struct store *store, store_visit visit, void *data);

/* Is this line, as the record says it once was, still there? */
bool store_alive(const struct store *store, const struct record *record,
		 const struct record *newest);

#endif /* LOGSTORE_STORE_H */
