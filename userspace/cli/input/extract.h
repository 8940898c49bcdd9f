/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions run in the parent of a child process that reads an untrusted file: an
 * archive for source.c, a database for database.c. sandbox.h has the functions of the
 * child.
 */
#ifndef KCUCKOO_CLI_EXTRACT_H
#define KCUCKOO_CLI_EXTRACT_H

#include <sys/types.h>

#include "input/format.h"

struct extractor;

/*
 * Function that reads bytes of the archive, which the parent sends to the child.
 * Return: the number of bytes; 0 at the end; or -1, after storing an error text in
 * @context. After -1, extract_why() returns NULL.
 */
typedef ssize_t (*extract_feed)(void *context, void *to, size_t size);

/*
 * Function that runs in the child. The function sends frames (sandbox.h) to @socket,
 * and ends the process.
 */
typedef void (*extract_child)(const void *job, int socket);

/*
 * Start a child process that runs @child with the arguments @job and a socket. The
 * parent reads bytes with @feed, and sends them to the child through the socket. If
 * @feed is NULL, the parent sends nothing. Return: an extractor, the state of reading
 * from the child; or NULL with errno set.
 */
struct extractor *extract_start(extract_child child, const void *job,
				extract_feed feed, void *context);

/*
 * Start to read an archive of @format in a child process. For a zip archive, @file is a
 * regular file, @start is the offset of the archive in this file, and @feed is NULL.
 * For other formats, @file is -1, and @feed reads the bytes of the archive; @context is
 * the first argument of @feed. @glob: read only files whose path matches this pattern;
 * or NULL for all files. Return: the extractor, or NULL with errno set.
 */
struct extractor *extract_begin(enum format format, const char *glob, int file,
				off_t start, extract_feed feed, void *context);

/*
 * Kill the child process if the process still runs, and free @extractor. @extractor may
 * be NULL.
 */
void extract_end(struct extractor *extractor);

/*
 * Go to the next file of the archive. The caller must have read the previous file to its end.
 * Return: 1 with @name set; 0 at the end of the archive; or -1, see extract_why(). A compressed
 * file that is not an archive, and a database, count as one file with an empty name. The
 * function skips files of an archive that have no content.
 */
int extract_next(struct extractor *extractor, const char **name);

/*
 * Read the current file. Return: the number of bytes that were written to @to;
 * 0 at the end of the file; or -1, see extract_why().
 */
ssize_t extract_read(struct extractor *extractor, void *to, size_t size);

/*
 * Call this function after extract_next() or extract_read() returned -1. Return: the
 * error text; or NULL if the error is that @feed returned -1.
 */
const char *extract_why(const struct extractor *extractor);

#endif /* KCUCKOO_CLI_EXTRACT_H */
