/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The input of crowdsec-bouncer that was read and is not processed yet. It
 * survives the process that reads it.
 *
 * The memory is shared by two processes: a worker, which does everything, and
 * its parent, which only starts another worker if the worker is killed. The
 * next worker continues at the line at which the last one was.
 */
#ifndef KCUCKOO_DAEMONS_INBOX_H
#define KCUCKOO_DAEMONS_INBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of each of the two buffers of an inbox. */
#define INBOX_SIZE	262144

/* Maximum length of a line, in bytes. */
#define INBOX_LINE_MAX	65536

/**
 * struct inbox - input that was read and is not processed yet
 * @position: where the input begins: bits 0 to 31 are the offset, bit 32 is the
 *	number of the buffer. One store changes both
 * @line: number of lines that were processed
 * @skip: the rest of the present line is skipped, because it is too long
 * @buffer: the buffers. All bytes after the input are zero, so that bytes that
 *	the kernel wrote count as read, even if the process was killed during
 *	the system call
 */
struct inbox {
	uint64_t position;
	uint64_t line;
	bool skip;
	char buffer[2][INBOX_SIZE];
};

/* Return: an empty inbox in shared memory, or NULL. */
struct inbox *inbox_create(void);

/* Results of inbox_read(). */
enum inbox_result {
	INBOX_DATA,	/* there is more input */
	INBOX_END,	/* the input has ended */
	INBOX_ERROR,	/* reading failed, with errno set */
};

/* Read more input from the descriptor @fd. Return: enum inbox_result. */
enum inbox_result inbox_read(struct inbox *inbox, int fd);

/**
 * struct inbox_line - a line of an inbox
 * @text: its first byte; no zero ends the line
 * @length: its length without the newline
 * @number: its number, from 1
 * @end: position in the input after the line
 * @too_long: the line has more than INBOX_LINE_MAX bytes, and @text is only its
 *	beginning
 */
struct inbox_line {
	const char *text;
	size_t length;
	uint64_t number;
	uint64_t end;
	bool too_long;
};

/*
 * Find the line after @line, or the first line that is not processed if
 * @line->number is 0. Return: false if there is no complete line.
 */
bool inbox_next(struct inbox *inbox, struct inbox_line *line);

/* All lines up to @line are processed. */
void inbox_done(struct inbox *inbox, const struct inbox_line *line);

/* Return: the number of bytes that were read and are not processed. */
size_t inbox_rest(struct inbox *inbox);

#endif /* KCUCKOO_DAEMONS_INBOX_H */
