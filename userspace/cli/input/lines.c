// SPDX-License-Identifier: GPL-2.0-only
/* These functions split the current file of a source into lines. */
#include "input/lines.h"

/*
 * Read more bytes into the buffer, or set @ended at the end of the file. Return: 1 after
 * a read; 0 if the buffer is full; or -1, and an error text in @why of the source.
 */
static int lines_fill(struct lines *lines)
{
	ssize_t done;

	if (lines->at) {
		memmove(lines->data, lines->data + lines->at,
			lines->end - lines->at);
		lines->end -= lines->at;
		lines->at = 0;
	}
	if (lines->end == LINES_BUFFER)
		return 0;
	done = source_read(lines->source, lines->data + lines->end,
			   LINES_BUFFER - lines->end);
	if (done < 0)
		return -1;
	lines->ended = !done;
	lines->end += done;
	return 1;
}

int lines_search(struct lines *lines, const char **text, size_t *length)
{
	int ret;

	for (;;) {
		char *at = lines->data + lines->at;
		size_t available = lines->end - lines->at;
		char *newline = memchr(at, '\n', available);

		if (newline || (lines->ended && available)) {
			*text = at;
			*length = newline ? (size_t)(newline - at) : available;
			lines->at += *length + !!newline;
			lines->number++;
			if (!lines->skipping)
				return LINES_ONE;
			lines->skipping = false;
			continue;
		}
		if (lines->ended)
			return LINES_END;
		ret = lines_fill(lines);
		if (ret < 0)
			return -1;
		if (ret)
			continue;
		lines->at = 0;
		lines->end = 0;
		if (lines->skipping)
			continue;
		lines->skipping = true;
		return LINES_LONG;
	}
}

int lines_peek(struct lines *lines, size_t count)
{
	while (!lines->ended && lines->end - lines->at < count)
		if (lines_fill(lines) < 0)
			return -1;
	return 0;
}

ssize_t lines_read(struct lines *lines, void *to, size_t size)
{
	size_t available = lines->end - lines->at;

	if (!available)
		return lines->ended ? 0 : source_read(lines->source, to, size);
	if (size > available)
		size = available;
	memcpy(to, lines->data + lines->at, size);
	lines->at += size;
	return size;
}
