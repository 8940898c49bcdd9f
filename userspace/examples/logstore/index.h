/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * logstore: the index, a filter in the kernel
 *
 * It has one entry for each line that the log knows, however often that is in
 * it: the fingerprint of the line's key, and as its value the unit of the newest
 * record of that line. A look-up returns the values of all lines that share the
 * fingerprint; which of them is meant, if any, the log tells.
 *
 * Two entries more, the marks, hold the unit and the checksum of the log's last
 * record. By them a filter is known to be that of the log as it is now: after a
 * crash, or with a copy of the log, it is not, and is built anew. A program that
 * is ended while it changes the log leaves the marks of the time before.
 */
#ifndef LOGSTORE_INDEX_H
#define LOGSTORE_INDEX_H

#include "kcuckoo.h"
#include "log.h"

/* Keys that are looked up together. */
#define INDEX_BATCH	1024

/* A key has so many values at most: 2b entries can have one fingerprint. */
#define INDEX_VALUES	8

/**
 * struct index - the filter of a log
 * @handle: the device
 * @name: name of the filter, made of the log's identity
 * @log: the log
 * @marked: what the marks say
 */
struct index {
	struct kcuckoo *handle;
	char name[KCUCKOO_NAME_SIZE];
	struct log *log;
	struct log_end marked;
};

/**
 * struct found - the values of some keys
 * @count: how many values a key has
 * @unit: the values
 */
struct found {
	uint8_t count[INDEX_BATCH];
	uint32_t unit[INDEX_BATCH][INDEX_VALUES];
};

/*
 * Find the filter of a log, and build it if there is none or it is an older
 * one. @log->end is complete then. Return: 0, or -1 after an error message.
 */
int index_open(struct index *index, struct log *log);
void index_close(struct index *index);

/*
 * Look up some keys, at most INDEX_BATCH, that stand one behind the other.
 * Return: 0, or -1 after an error message.
 */
int index_find(struct index *index, const uint8_t *keys, size_t count,
	       struct found *found);

/*
 * The last record of the log is the newest one of its line: make the line's
 * entry point to it. Where the filter is full it is built anew, larger. Return:
 * 0, or -1 after an error message, and then the filter is as it was.
 */
int index_update(struct index *index);

/*
 * Mark the filter as that of the log as it is now. Return: 0, or -1 after an
 * error message.
 */
int index_mark(struct index *index);

/*
 * What the kernel says about the filter. Return: 0, or -1 after an error
 * message.
 */
int index_info(struct index *index, struct kcuckoo_ioc_info *info);

#endif /* LOGSTORE_INDEX_H */
