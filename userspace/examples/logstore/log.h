/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * logstore: the log, a file that is only ever appended to
 *
 * It is counted in units of 16 bytes, so that 32 bits, the value that a filter
 * keeps with a key, reach 64 GiB far. It begins with a struct log_head; records
 * follow, each at the next unit. All numbers are in the machine's own order.
 */
#ifndef LOGSTORE_LOG_H
#define LOGSTORE_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "key.h"

#define LOG_UNIT	16

#define LOG_MAGIC	"logstore"
#define LOG_VERSION	1

/**
 * struct log_head - what a log begins with
 * @magic: LOG_MAGIC, without a final zero
 * @version: LOG_VERSION; in another byte order it is another number
 * @bits: bits of a fingerprint in the filter
 * @capacity: keys that the filter is made for at first
 * @identity: eight random bytes, which make the name of the filter
 */
struct log_head {
	uint8_t magic[8];
	uint32_t version;
	uint32_t bits;
	uint64_t capacity;
	uint8_t identity[8];
};

enum record_kind {
	RECORD_LINE		= 1,	/* a line, whose bytes follow */
	RECORD_REPEAT		= 2,	/* a line that stands at @body already */
	RECORD_TOMBSTONE	= 3,	/* a line was deleted */
};

/* @flags: the line was a file's last, and had no newline. */
#define RECORD_OPEN	1

/**
 * struct record - one step in the life of a line
 * @kind: enum record_kind
 * @flags: RECORD_OPEN or 0
 * @reserved: zero
 * @length: bytes of the line
 * @previous: unit of the record before of the same line, 0 if there is none
 * @body: unit of the RECORD_LINE with the bytes: two records are of the same line
 *	if and only if they have the same
 * @count: how many of these lines there are, from the last tombstone up to here
 * @since: unit of the last tombstone of this line, this one included, or 0: what
 *	stands before is deleted
 * @key: SHA-1 of the line
 * @check: CRC-32 of all above, continued from the record before; so the last one
 *	vouches for the whole log
 *
 * The bytes of a line follow, and zeroes up to the next unit.
 */
struct record {
	uint8_t kind;
	uint8_t flags;
	uint16_t reserved;
	uint32_t length;
	uint32_t previous;
	uint32_t body;
	uint32_t count;
	uint32_t since;
	uint8_t key[KEY_SIZE];
	uint32_t check;
};

/* Units of both. */
#define LOG_HEAD_UNITS		(sizeof(struct log_head) / LOG_UNIT)
#define LOG_RECORD_UNITS	(sizeof(struct record) / LOG_UNIT)

/* Largest length of a log, in units, and of a line, in bytes. */
#define LOG_UNITS_MAX		UINT32_MAX
#define LOG_LINE_MAX		(1024U * 1024 * 1024)

/**
 * struct log_end - how far a log goes
 * @end: unit behind the last record
 * @last: unit of that record, 0 if there is none
 * @check: its checksum, or that of the head
 */
struct log_end {
	uint32_t end;
	uint32_t last;
	uint32_t check;
};

/**
 * struct log - an open log
 * @path: its name
 * @fd: the file, locked
 * @map: the file in memory, up to where it may ever reach
 * @end: how far it goes; until log_scan() or log_trust() only its end is known
 */
struct log {
	const char *path;
	int fd;
	const uint8_t *map;
	struct log_end end;
};

/*
 * Make an empty log, where there is none of that name. Return: 0, or -1 after
 * an error message.
 */
int log_create(const char *path, uint32_t bits, uint64_t capacity);

/* Open a log, to change it or not. Return: 0, or -1 after an error message. */
int log_open(struct log *log, const char *path, bool change);
void log_close(struct log *log);

/*
 * Wait until nobody else has it open. Return: 0, or -1 after an error message.
 */
int log_lock(struct log *log);

const struct log_head *log_head(const struct log *log);

/* Return: the record at @unit, or NULL if none can be there. */
const struct record *log_record(const struct log *log, uint32_t unit);

/* Return: the bytes of a record's line, or NULL if it has none. */
const void *log_line(const struct log *log, const struct record *record);

/*
 * Does the log end with the record at @last? If so, @log->end is complete.
 * Whoever says so also has to know the record's checksum.
 */
bool log_trust(struct log *log, uint32_t last);

/*
 * Read all records from the first to the last, and check them. @log->end is
 * complete then. What is left of a record that was not written to its end is
 * cut off. Return: 0, or -1 after an error message: the log is damaged.
 */
int log_scan(struct log *log);

/* The records, one by one: first, and behind another; 0 behind the last. */
uint32_t log_first(const struct log *log);
uint32_t log_next(const struct log *log, uint32_t unit);

/*
 * Append @record, whose @body and @check are filled in where they are not known
 * before, and for a RECORD_LINE the bytes of the line. Return: 0, or -1 after
 * an error message, and then the log is as it was.
 */
int log_append(struct log *log, struct record *record, const void *line);

/*
 * What stands at @unit is no record, and should be one. Return: -1 after an
 * error message.
 */
int log_damaged(const struct log *log, uint32_t unit);

/*
 * Cut off what was appended since @end. Return: 0, or -1 after an error
 * message.
 */
int log_cut(struct log *log, const struct log_end *end);

/*
 * Wait until all of it is on the disk. Return: 0, or -1 after an error message.
 */
int log_sync(struct log *log);

#endif /* LOGSTORE_LOG_H */
