/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcuckoo: the files in an archive
 */
#ifndef KCUCKOO_CLI_EXTRACT_H
#define KCUCKOO_CLI_EXTRACT_H

#include <sys/types.h>

#include "input/unarchive.h"

struct extractor;

/* Brings bytes of the archive. Return: how many, 0 at the end, -1, with the reason kept. */
typedef ssize_t (*extract_feed)(void *context, void *to, size_t size);

/*
 * Begin to read an archive of @format, in a process of its own. Of a zip archive @file is
 * a regular file that has it, from @start on; of others @feed brings the bytes. @glob:
 * read only files whose path fits, or NULL. Return: NULL with errno set.
 */
struct extractor *extract_begin(enum format format, const char *glob, int file,
				off_t start, extract_feed feed, void *context);
void extract_end(struct extractor *extractor);

/*
 * Go to the next file; the one before must have been read to its end. Return: 1 with
 * @name set, which is empty where the archive is but one packed file; 0 at the end of an
 * archive that was read whole; -1.
 */
int extract_next(struct extractor *extractor, const char **name);

/* Read the file. Return: how many bytes were written to @to, 0 at its end, -1. */
ssize_t extract_read(struct extractor *extractor, void *to, size_t size);

/* What went wrong, after -1: a reason, or NULL where @feed failed and has its own. */
const char *extract_why(const struct extractor *extractor);

#endif /* KCUCKOO_CLI_EXTRACT_H */
