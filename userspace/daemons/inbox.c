// SPDX-License-Identifier: GPL-2.0-only
/*
 * An inbox has the input that a backend has read and not processed yet. In
 * crowdsec-bouncer, the inbox survives the process that reads the input.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "daemons/inbox.h"

/* The bit of @position of struct inbox that has the number of the buffer. */
#define SECOND_BUFFER	(1ULL << 32)

struct inbox *inbox_create(void)
{
	void *memory = mmap(NULL, sizeof(struct inbox), PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	return memory == MAP_FAILED ? NULL : memory;
}

/* Replace zero bytes of input by 1, because a zero byte marks the end of the input. */
static void replace_zeros(char *text, size_t length)
{
	char *zero;

	while ((zero = memchr(text, 0, length)))
		*zero = 1;
}

static char *buffer_of(struct inbox *inbox, uint64_t position)
{
	return inbox->buffer[!!(position & SECOND_BUFFER)];
}

static size_t offset_of(uint64_t position)
{
	return (uint32_t)position;
}

static void set_position(struct inbox *inbox, uint64_t position)
{
	__atomic_store_n(&inbox->position, position, __ATOMIC_RELEASE);
}

size_t inbox_pending(struct inbox *inbox)
{
	size_t offset = offset_of(inbox->position);

	return strnlen(buffer_of(inbox, inbox->position) + offset,
		       INBOX_SIZE - offset);
}

/* Copy the input to the other buffer. The input then continues in that buffer. */
static void move_input(struct inbox *inbox, size_t length)
{
	uint64_t other = ~inbox->position & SECOND_BUFFER;

	memset(buffer_of(inbox, other), 0, INBOX_SIZE);
	memcpy(buffer_of(inbox, other),
	       buffer_of(inbox, inbox->position) + offset_of(inbox->position),
	       length);
	set_position(inbox, other);
}

/* Discard the input, which is an incomplete line that is too long. */
static void drop_input(struct inbox *inbox)
{
	inbox->skip = true;
	set_position(inbox, inbox->position + inbox_pending(inbox));
}

enum inbox_result inbox_read(struct inbox *inbox, int fd)
{
	size_t length, free_size;
	ssize_t done;
	char *end;

	if (inbox->skip || inbox_pending(inbox) > INBOX_LINE_MAX)
		drop_input(inbox);
	length = inbox_pending(inbox);
	free_size = INBOX_SIZE - offset_of(inbox->position) - length;
	if (free_size < INBOX_LINE_MAX) {
		move_input(inbox, length);
		free_size = INBOX_SIZE - length;
	}
	end = buffer_of(inbox, inbox->position) +
	      offset_of(inbox->position) + length;
	do {
		done = read(fd, end, free_size);
	} while (done < 0 && errno == EINTR);
	if (done <= 0)
		return done ? INBOX_ERROR : INBOX_END;
	replace_zeros(end, done);
	return INBOX_DATA;
}

void inbox_repair(struct inbox *inbox)
{
	char *begin = buffer_of(inbox, inbox->position) + offset_of(inbox->position);
	char *end = buffer_of(inbox, inbox->position) + INBOX_SIZE;

	while (end > begin && !end[-1])
		end--;
	replace_zeros(begin, end - begin);
}

bool inbox_next(struct inbox *inbox, struct inbox_line *line)
{
	uint64_t begin = line->number ? line->end : inbox->position;
	size_t offset = offset_of(begin);
	const char *text = buffer_of(inbox, begin) + offset;
	const char *newline = memchr(text, '\n', INBOX_SIZE - offset);

	if (!newline)
		return false;
	line->too_long = newline - text > INBOX_LINE_MAX ||
			 (inbox->skip && begin == inbox->position);
	line->number = (line->number ? line->number : inbox->line) + 1;
	line->text = text;
	line->length = newline - text;
	line->end = begin + line->length + 1;
	return true;
}

void inbox_done(struct inbox *inbox, const struct inbox_line *line)
{
	inbox->line = line->number;
	inbox->skip = false;
	set_position(inbox, line->end);
}
