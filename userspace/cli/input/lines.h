/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions split the current file of a source into lines, for input.c.
 */
#ifndef KCUCKOO_CLI_LINES_H
#define KCUCKOO_CLI_LINES_H

#include <string.h>

#include "input/source.h"

/* Maximum length of a line in bytes. A longer line is bad. */
#define INPUT_LINE	(256 << 10)

/* Size of a buffer for a line and its newline. */
#define LINES_BUFFER	(INPUT_LINE + 1)

/**
 * struct lines - the current file of a source, which is split into lines
 * @source: the source
 * @data: buffer of LINES_BUFFER bytes
 * @at: offset in @data of the first byte that was not used yet
 * @end: number of bytes in @data, including those that were used
 * @number: number of lines whose end was found
 * @ended: the file ends with the bytes in @data
 * @skipping: the next bytes are the rest of a line that is too long
 */
struct lines {
	struct source *source;
	char *data;
	size_t at;
	size_t end;
	__u64 number;
	bool ended;
	bool skipping;
};

/* Results of lines_next(). */
enum {
	LINES_END,
	LINES_ONE,
	LINES_LONG,
};

/*
 * Find the next line, and read more bytes until its end is in the buffer.
 * lines_next() calls this if its fast path fails. Return: as lines_next().
 */
int lines_search(struct lines *lines, const char **text, size_t *length);

/*
 * Find the next line. Return: LINES_ONE with @text and @length set, the line
 * without its newline; LINES_LONG for a line that is too long; LINES_END at the
 * end; or -1 with @why of the source set.
 */
static inline int lines_next(struct lines *lines, const char **text,
			     size_t *length)
{
	const char *at = lines->data + lines->at;
	const char *newline = memchr(at, '\n', lines->end - lines->at);

	if (!newline || lines->skipping)
		return lines_search(lines, text, length);
	*text = at;
	*length = newline - at;
	lines->at += *length + 1;
	lines->number++;
	return LINES_ONE;
}

/*
 * Read at least @count bytes of the file into the buffer, unless the file is
 * shorter. The caller must call this function before the first lines_next(). Return:
 * 0, or -1 with @why of the source set.
 */
int lines_peek(struct lines *lines, size_t count);

/*
 * Read bytes of the file without splitting them. Return: the number of bytes
 * that were written to @to; 0 at the end of the file; or -1 with @why of the
 * source set.
 */
ssize_t lines_read(struct lines *lines, void *to, size_t size);

#endif /* KCUCKOO_CLI_LINES_H */
