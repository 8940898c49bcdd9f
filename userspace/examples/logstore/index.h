/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An index is the filter in the kernel that finds the lines of a log.
 *
 * The filter has one entry for each distinct line of the log. The entry has the
 * fingerprint of the key of the line, and as its value the unit (position in the
 * log, see log.h) of the newest record of this line. A look-up returns the values
 * of all lines that share the fingerprint. The caller then reads these records in
 * the log, and compares the whole key.
 *
 * Two further entries, the marks, have the unit and the checksum of the last record of
 * the log. The marks show whether the filter matches the present log. If the filter
 * does not match, after a crash or with an older copy of the log, index_open() rebuilds
 * the filter. A program that is killed while it changes the log leaves the old marks,
 * so that the filter does not match.
 */
#ifndef LOGSTORE_INDEX_H
#define LOGSTORE_INDEX_H

#include "kcuckoo.h"
#include "log.h"

/* Maximum number of keys that are looked up in one call. */
#define INDEX_BATCH	1024

/*
 * Maximum number of values of a key. A key has two buckets of four entries, and
 * each of these entries can have the fingerprint of the key.
 */
#define INDEX_VALUES	8

/**
 * struct index - the filter of a log
 * @handle: the open device /dev/kcuckoo
 * @name: name of the filter, which contains the identity of the log
 * @log: the log
 * @marked: end of the log for which the filter has marks
 */
struct index {
	struct kcuckoo *handle;
	char name[KCUCKOO_NAME_SIZE];
	struct log *log;
	struct log_end marked;
};

/**
 * struct found - the result of a look-up of up to INDEX_BATCH keys
 * @count: number of values of each key
 * @unit: the values, which are units of records
 */
struct found {
	uint8_t count[INDEX_BATCH];
	uint32_t unit[INDEX_BATCH][INDEX_VALUES];
};

/*
 * Open the filter of a log. Build the filter if it does not exist or does not match the
 * log. Set all fields of @log->end. Return: 0, or -1 after an error message.
 */
int index_open(struct index *index, struct log *log);
/* Close the device. The filter stays in the kernel. */
void index_close(struct index *index);

/*
 * Look up @count keys, at most INDEX_BATCH, which are contiguous at @keys.
 * Return: 0, or -1 after an error message.
 */
int index_find(struct index *index, const uint8_t *keys, size_t count,
	       struct found *found);

/*
 * Make the entry of a line point to the newest record of the line, which is the
 * last record of the log. If the filter is full, build it again. Return: 0; or
 * -1 after an error message, with the filter unchanged.
 */
int index_update(struct index *index);

/* Write the marks of the present log to the filter. Return: 0, or -1 after an error message. */
int index_mark(struct index *index);

/* Read the parameters of the filter. Return: 0, or -1 after an error message. */
int index_info(struct index *index, struct kcuckoo_ioc_info *info);

#endif /* LOGSTORE_INDEX_H */
