/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A log is a file with a record for each line that was added or deleted.
 *
 * Positions are in units of 16 bytes. The filter stores the position of a record as a
 * value. Values have at most 32 bits, which in these units are enough for a log of 64
 * GiB. The log begins with a struct log_head. The records follow; each begins at the
 * first unit after the previous one. Numbers have the byte order of the machine.
 */
#ifndef LOGSTORE_LOG_H
#define LOGSTORE_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "key.h"

/* Size of a unit in bytes. */
#define LOG_UNIT	16

#define LOG_MAGIC	"logstore"
#define LOG_VERSION	1

/**
 * struct log_head - the header of a log
 * @magic: LOG_MAGIC without the final zero
 * @version: LOG_VERSION. A machine of another byte order reads another number,
 *	and rejects the log
 * @bits: bits of a fingerprint in the filter
 * @capacity: initial capacity of the filter
 * @identity: eight random bytes, for the name of the filter
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
	RECORD_REPEAT		= 2,	/* a line whose bytes are at @body */
	RECORD_TOMBSTONE	= 3,	/* a line was deleted */
};

/* Bit of @flags: the line was the last line of an imported file, without a newline. */
#define RECORD_OPEN	1

/**
 * struct record - a record of the log: one line was added or deleted
 * @kind: enum record_kind
 * @flags: RECORD_OPEN or 0
 * @reserved: must be zero
 * @length: length of the line in bytes
 * @previous: unit of the previous record of the same line, or 0
 * @body: unit of the RECORD_LINE with the bytes of the line. Two records are of
 *	the same line if and only if their @body is equal
 * @count: number of times that the line was added since its last tombstone
 * @since: unit of the last tombstone of this line, which may be this record, or
 *	0. Occurrences of the line before @since are deleted
 * @key: SHA-1 of the line
 * @check: CRC-32 of all fields above. The computation starts with the CRC-32 of the
 *	previous record, or of the header. So the CRC-32 of the last record covers the
 *	fields of all records. It covers the bytes of lines only indirectly, by their @key
 *
 * In a RECORD_LINE, the bytes of the line follow, with zeros up to the next unit.
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

/* Sizes in units of the header, and of a record without the bytes of its line. */
#define LOG_HEAD_UNITS		(sizeof(struct log_head) / LOG_UNIT)
#define LOG_RECORD_UNITS	(sizeof(struct record) / LOG_UNIT)

/* Maximum size of a log in units, and of a line in bytes. */
#define LOG_UNITS_MAX		UINT32_MAX
#define LOG_LINE_MAX		(1024U * 1024 * 1024)

/**
 * struct log_end - the end of a log
 * @end: unit after the last record
 * @last: unit of the last record, or 0
 * @check: checksum of the last record, or of the header in an empty log
 */
struct log_end {
	uint32_t end;
	uint32_t last;
	uint32_t check;
};

/**
 * struct log - an open log
 * @path: name of the file
 * @fd: descriptor of the file, which is locked
 * @map: mapping of the file, of the maximum size of a log
 * @end: end of the log. log_open() sets only @end.end; log_scan() and
 *	log_trust() set the other fields
 */
struct log {
	const char *path;
	int fd;
	const uint8_t *map;
	struct log_end end;
};

/*
 * Create an empty log, unless the file exists. @bits: bits of a fingerprint. @capacity:
 * initial capacity of the filter, in keys. Return: 0, or -1 after an error message.
 */
int log_create(const char *path, uint32_t bits, uint64_t capacity);

/*
 * Open a log, and lock the file. @change: take an exclusive lock, to append records;
 * otherwise take a shared lock, to read records. Return: 0, or -1 after an error
 * message.
 */
int log_open(struct log *log, const char *path, bool change);
/* Close a log, and release its lock. */
void log_close(struct log *log);

/*
 * Change the lock of an open log to an exclusive lock, and read the size of the log
 * again. This function waits until no other process has the log open. Return: 0, or
 * -1 after an error message.
 */
int log_lock(struct log *log);

/* Return: the header of an open log. */
const struct log_head *log_head(const struct log *log);

/*
 * Return: the record at @unit; or NULL if the kind at @unit is not in enum record_kind, or
 * the record is not completely in the log. This function does not check the checksum.
 */
const struct record *log_record(const struct log *log, uint32_t unit);

/* Return: the bytes of the line of a record, or NULL if its @body is not valid. */
const void *log_line(const struct log *log, const struct record *record);

/*
 * Check whether the log ends with the record at unit @last, or is empty if @last is 0. If
 * so, set all fields of @log->end. The caller must also compare @log->end.check with the
 * checksum that the caller expects. Return: true if the log ends as described by @last.
 */
bool log_trust(struct log *log, uint32_t last);

/*
 * Read and check all records, and set all fields of @log->end. Cut off an incomplete
 * record at the end. The caller holds the exclusive lock. This function does not check the
 * bytes of lines. Return: 0; or -1 after an error message, for example if the log is
 * damaged.
 */
int log_scan(struct log *log);

/*
 * log_first() returns the unit of the first record, and log_next() the unit of the
 * record after the record at @unit. Both return 0 if no such record exists.
 */
uint32_t log_first(const struct log *log);
uint32_t log_next(const struct log *log, uint32_t unit);

/*
 * Append @record, and for a RECORD_LINE the bytes of the line. Set
 * @record->check, and for a RECORD_LINE @record->body. Return: 0; or -1 after
 * an error message, with the log unchanged.
 */
int log_append(struct log *log, struct record *record, const void *line);

/* Print that the log is damaged at @unit. Return: -1. */
int log_damaged(const struct log *log, uint32_t unit);

/* Cut off all records after @end. Return: 0, or -1 after an error message. */
int log_cut(struct log *log, const struct log_end *end);

/* Wait until all records are on the disk. Return: 0, or -1 after an error message. */
int log_sync(struct log *log);

#endif /* LOGSTORE_LOG_H */
