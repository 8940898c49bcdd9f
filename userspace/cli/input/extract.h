/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Read the files in an archive, for source.c.
 */
#ifndef KCUCKOO_CLI_EXTRACT_H
#define KCUCKOO_CLI_EXTRACT_H

#include <sys/types.h>

#include "input/format.h"

struct extractor;

/*
 * Function that reads bytes of the archive. Return: the number of bytes; 0 at
 * the end; or -1. After -1 the caller of extract_begin(), which passed the
 * function, knows the reason, and extract_why() returns NULL.
 */
typedef ssize_t (*extract_feed)(void *context, void *to, size_t size);

/*
 * Function of a child process, which sends frames to @socket (see sandbox.h) and
 * exits.
 */
typedef void (*extract_child)(const void *job, int socket);

/*
 * Run @child in a child process, with the arguments @job and a socket. The child
 * reads bytes that @feed returns from the socket; @feed may be NULL. Return: the
 * extractor, or NULL with errno set.
 */
struct extractor *extract_start(extract_child child, const void *job,
				extract_feed feed, void *context);

/*
 * Start to read an archive of @format in a child process. A zip archive is in
 * the regular file @file, from position @start on, and @feed is NULL. For other
 * formats, @feed reads the bytes of the archive, with the argument @context.
 * @glob: read only files whose path matches this pattern, or NULL for all
 * files. Return: the extractor, or NULL with errno set.
 */
struct extractor *extract_begin(enum format format, const char *glob, int file,
				off_t start, extract_feed feed, void *context);
/*
 * Kill the child process if it still runs, and free the extractor. @extractor
 * may be NULL.
 */
void extract_end(struct extractor *extractor);

/*
 * Go to the next file. The previous file must have been read to its end.
 * Return: 1 with @name set; 0 at the end of the archive; or -1. A compressed file
 * that is no archive counts as one file with an empty name.
 */
int extract_next(struct extractor *extractor, const char **name);

/*
 * Read the current file. Return: the number of bytes that were written to @to;
 * 0 at the end of the file; or -1.
 */
ssize_t extract_read(struct extractor *extractor, void *to, size_t size);

/*
 * Return: the text of the error, after extract_next() or extract_read() returned
 * -1; NULL if they did so because @feed returned -1.
 */
const char *extract_why(const struct extractor *extractor);

#endif /* KCUCKOO_CLI_EXTRACT_H */
