/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcuckoo: read the files in an archive
 */
#ifndef KCUCKOO_CLI_EXTRACT_H
#define KCUCKOO_CLI_EXTRACT_H

#include <sys/types.h>

#include "input/unarchive.h"

struct extractor;

/*
 * Reads bytes of the archive. Return: how many, 0 at the end, or -1. The caller
 * keeps the reason.
 */
typedef ssize_t (*extract_feed)(void *context, void *to, size_t size);

/*
 * Start to read an archive of @format in a child process. A zip archive is in
 * the regular file @file, from @start on; @feed reads the bytes of others.
 * @glob: read only files whose path matches, or NULL. Return: NULL with errno
 * set.
 */
struct extractor *extract_begin(enum format format, const char *glob, int file,
				off_t start, extract_feed feed, void *context);
void extract_end(struct extractor *extractor);

/*
 * Go to the next file. The previous one must have been read to its end. Return:
 * 1 with @name set, which is empty for a single packed file; 0 at the end of
 * the archive; or -1.
 */
int extract_next(struct extractor *extractor, const char **name);

/* Read the file. Return: how many bytes were written to @to, 0 at its end, -1. */
ssize_t extract_read(struct extractor *extractor, void *to, size_t size);

/* Return: the reason for -1, or NULL if @feed failed and has its own. */
const char *extract_why(const struct extractor *extractor);

#endif /* KCUCKOO_CLI_EXTRACT_H */
