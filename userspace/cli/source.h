/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcuckoo: the bytes of a file or of standard input, unpacked
 */
#ifndef KCUCKOO_CLI_SOURCE_H
#define KCUCKOO_CLI_SOURCE_H

#include <sys/types.h>

#include "cli.h"

struct unpacker;

/**
 * struct source - one input
 * @name: what messages call it
 * @fd: descriptor
 * @spool: file that keeps what came through a pipe, or -1
 * @is_spool: @fd is that file now
 * @spool_error: errno that ended the spooling, or 0
 * @start: where in the file the input begins
 * @total: size in bytes as packed, 0 where that is not known
 * @consumed: bytes read so far, as packed
 * @unpacker: state of a packed input, NULL for a plain one
 * @raw: bytes read and not yet handed on
 * @raw_at: first of these
 * @raw_end: behind the last
 * @begun: the magic number has been looked at
 * @why: what went wrong, after a failure
 */
struct source {
	const char *name;
	int fd;
	int spool;
	bool is_spool;
	int spool_error;
	off_t start;
	__u64 total;
	__u64 consumed;
	struct unpacker *unpacker;
	unsigned char *raw;
	size_t raw_at;
	size_t raw_end;
	bool begun;
	char why[256];
};

/*
 * Open a file, or standard input for "-". With @again, source_rewind() must be
 * possible: what comes through a pipe is then kept in an unnamed temporary
 * file. Return: 0, or -1 with @why set. End with source_close() in any case.
 */
int source_open(struct source *source, const char *path, bool again);
void source_close(struct source *source);

/* Return: how many bytes were written to @to, 0 at the end, -1 with @why set. */
ssize_t source_read(struct source *source, void *to, size_t size);

/* Whether it cannot be opened a second time by its name. */
bool source_is_pipe(const struct source *source);

/* Can it begin again, as far as is known? Return: 0, or -1 with @why set. */
int source_check_rewind(struct source *source);

/* Begin again. Return: 0, or -1 with @why set. */
int source_rewind(struct source *source);

#endif /* KCUCKOO_CLI_SOURCE_H */
