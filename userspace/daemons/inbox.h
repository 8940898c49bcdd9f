/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An inbox has the input that a backend has read and not processed yet. In
 * crowdsec-bouncer, the inbox survives the process that reads the input.
 *
 * Two processes of crowdsec-bouncer share the memory of the inbox. The worker reads and
 * processes the input. If the worker is killed, its parent process starts a new worker.
 * The new worker continues with the first line that the old worker has not processed.
 */
#ifndef KCUCKOO_DAEMONS_INBOX_H
#define KCUCKOO_DAEMONS_INBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Size of each of the two buffers of an inbox, in bytes. */
#define INBOX_SIZE	262144

/* Maximum length of a line, in bytes. */
#define INBOX_LINE_MAX	65536

/**
 * struct inbox - input that was read and is not processed yet
 * @position: where the input begins: bits 0 to 31 are the offset, bit 32 is the number
 *	of the buffer. One store changes offset and buffer, so the position is valid
 *	even if the worker is killed
 * @line: number of lines that were processed so far
 * @skip: the first line of the input is too long, and its beginning was discarded
 * @buffer: the buffers. All bytes after the input are zero, and the first zero is the
 *	end of the input. So bytes that the kernel wrote belong to the input even if the
 *	process was killed during the system call
 */
struct inbox {
	uint64_t position;
	uint64_t line;
	bool skip;
	char buffer[2][INBOX_SIZE];
};

/* Return: an empty inbox in shared memory, or NULL. */
struct inbox *inbox_create(void);

enum inbox_result {
	INBOX_DATA,	/* input was read */
	INBOX_END,	/* the input has ended */
	INBOX_ERROR,	/* reading failed, with errno set */
};

/*
 * Read more input from the descriptor @fd. The caller must have called inbox_done() for
 * all complete lines. If the incomplete line in the inbox is too long, discard the part of
 * the line that was read so far. Return: enum inbox_result.
 */
enum inbox_result inbox_read(struct inbox *inbox, int fd);

/*
 * Replace zero bytes within the input by 1. inbox_read() does this after read(), but a
 * worker that was killed between the two steps has left zero bytes in the input, and the
 * input would seem to end at the first zero byte. A new worker calls this function before
 * any other function of the inbox. A zero byte at the end of the input is lost.
 */
void inbox_repair(struct inbox *inbox);

/**
 * struct inbox_line - a line of an inbox
 * @text: first byte of the line. No zero byte follows the line
 * @length: length of the line in bytes, without its newline
 * @number: number of the line, from 1
 * @end: position after the newline, in the format of @position of struct inbox
 * @too_long: the line has more than INBOX_LINE_MAX bytes. inbox_read() can have discarded
 *	the beginning of the line, so that @text has only the end of the line
 */
struct inbox_line {
	const char *text;
	size_t length;
	uint64_t number;
	uint64_t end;
	bool too_long;
};

/*
 * Set @line to the line after @line; or, if @line->number is 0, to the first line that
 * is not processed. Return: false, with @line unchanged, if the inbox has no such complete
 * line.
 */
bool inbox_next(struct inbox *inbox, struct inbox_line *line);

/* Mark all lines up to @line as processed. */
void inbox_done(struct inbox *inbox, const struct inbox_line *line);

/* Return: the number of bytes that were read and not processed yet. */
size_t inbox_pending(struct inbox *inbox);

#endif /* KCUCKOO_DAEMONS_INBOX_H */
