/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * logstore: index the log by a filter in the kernel
 *
 * The filter has one entry for each distinct line of the log: the fingerprint
 * of the line's key, and as its value the unit of the newest record of this
 * line. A look-up returns the values of all lines that share the fingerprint.
 * The log shows which of them has the key, if any.
 *
 * Two further entries, the marks, have the unit and the checksum of the last
 * record of the log. They show whether the filter matches the present log.
 * After a crash, or with a copy of the log, it does not, and is rebuilt. A
 * program that is killed while it changes the log leaves the old marks.
 */
#ifndef LOGSTORE_INDEX_H
#define LOGSTORE_INDEX_H

#include "kcuckoo.h"
#include "log.h"

/* Keys that are looked up together. */
#define INDEX_BATCH	1024

/* Maximum number of values of a key: 2b entries can have one fingerprint. */
#define INDEX_VALUES	8

/**
 * struct index - the filter of a log
 * @handle: the device
 * @name: name of the filter, which contains the identity of the log
 * @log: the log
 * @marked: content of the marks
 */
struct index {
	struct kcuckoo *handle;
	char name[KCUCKOO_NAME_SIZE];
	struct log *log;
	struct log_end marked;
};

/**
 * struct found - the values of some keys
 * @count: number of values of each key
 * @unit: the values
 */
struct found {
	uint8_t count[INDEX_BATCH];
	uint32_t unit[INDEX_BATCH][INDEX_VALUES];
};

/*
 * Find the filter of a log, and build it if it does not exist or is older.
 * Completes @log->end. Return: 0, or -1 after an error message.
 */
int index_open(struct index *index, struct log *log);
void index_close(struct index *index);

/*
 * Look up at most INDEX_BATCH keys, which are contiguous. Return: 0, or -1
 * after an error message.
 */
int index_find(struct index *index, const uint8_t *keys, size_t count,
	       struct found *found);

/*
 * Make the entry of a line point to the last record of the log, which is the
 * newest one of this line. If the filter is full, it is rebuilt with a larger
 * size. Return: 0; or -1 after an error message, with the filter unchanged.
 */
int index_update(struct index *index);

/*
 * Write the marks of the present log. Return: 0, or -1 after an error message.
 */
int index_mark(struct index *index);

/* Read the state of the filter. Return: 0, or -1 after an error message. */
int index_info(struct index *index, struct kcuckoo_ioc_info *info);

#endif /* LOGSTORE_INDEX_H */
