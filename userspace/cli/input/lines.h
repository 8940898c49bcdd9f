/* SPDX-License-Identifier: GPL-2.0-only */
/* These functions split the current file of a source into lines. */
#ifndef KCUCKOO_CLI_LINES_H
#define KCUCKOO_CLI_LINES_H

#include <string.h>

#include "input/source.h"

/* Maximum length of a line in bytes. A longer line is bad. */
#define INPUT_LINE	(256 << 10)

/* Size of a buffer for a line and its newline. */
#define LINES_BUFFER	(INPUT_LINE + 1)

/**
 * struct lines - state of splitting the current file of a source into lines
 * @source: the source
 * @data: buffer of LINES_BUFFER bytes
 * @at: offset in @data of the first byte that was not used yet
 * @end: offset in @data of the end of the bytes in the buffer
 * @number: number of lines before @at. A line that is too long counts when its end is
 *	found
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
	LINES_END,	/* the file has no further line */
	LINES_ONE,	/* a line */
	LINES_LONG,	/* a line that is longer than INPUT_LINE */
};

/*
 * The slow path of lines_next(), with the same arguments and result: read bytes of the file if
 * the end of the next line is not in the buffer yet, and skip the rest of a line that is too
 * long.
 */
int lines_search(struct lines *lines, const char **text, size_t *length);

/*
 * Find the next line. Return: LINES_ONE, and the line without its newline in @text and
 * @length, valid until the next call; LINES_LONG for a line that is longer than
 * INPUT_LINE; LINES_END at the end of the file; or -1, and an error text in @why of the
 * source.
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
 * Read at least @count bytes of the file into the buffer, unless the file is shorter. @count: at
 * most LINES_BUFFER. Do not call this function after lines_next(), because the function can move
 * lines in the buffer. Return: 0; or -1, and an error text in @why of the source.
 */
int lines_peek(struct lines *lines, size_t count);

/*
 * Read bytes of the file without splitting them. Return: the number of bytes that were
 * written to @to; 0 at the end of the file; or -1, and an error text in @why of the
 * source.
 */
ssize_t lines_read(struct lines *lines, void *to, size_t size);

#endif /* KCUCKOO_CLI_LINES_H */
