// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions pass the keys of a text to the caller of input_run(), and
 * report its bad lines.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "input/columns.h"
#include "input/reader.h"

ssize_t reader_bytes(struct reader *reader, void *to, size_t size)
{
	ssize_t done = lines_read(&reader->lines, to, size);

	if (done < 0 && reader->input->progress)
		progress_clear(reader->input->progress);
	return done < 0 ? error("cannot read %s: %s", reader->place.file,
				reader->source->why) : done;
}

void reader_bad(struct reader *reader, const char *why, const char *text,
		size_t length)
{
	struct input *input = reader->input;
	const struct place *place = &reader->place;
	char room[96];

	if (input->watch)
		input->watch->left_out(input->watch->context, place, true, why);
	if (input->bad++ >= INPUT_REPORTED_MAX || input->silent)
		return;
	if (input->progress)
		progress_clear(input->progress);
	fflush(stdout);
	fprintf(stderr, "%s:%llu: %s", place->file, place->number, why);
	if (length)
		fprintf(stderr, ": %s", escape(text, length, room, sizeof(room)));
	fputc('\n', stderr);
}

void reader_skip(struct reader *reader, const char *why)
{
	struct input *input = reader->input;

	input->columns.skipped++;
	if (input->watch)
		input->watch->left_out(input->watch->context, &reader->place,
				       false, why);
}

int reader_line(struct reader *reader, const struct line *line)
{
	struct input *input = reader->input;

	if (line->kind == LINE_BAD ||
	    (line->exception && !reader->syntax.exceptions)) {
		reader_bad(reader, line->kind == LINE_BAD ? line->why : line_exception,
			   reader->place.text, reader->place.length);
		return 0;
	}
	if (line->exception)
		input->columns.exceptions++;
	else
		input->keys++;
	input->ranges += line->kind == LINE_RANGE;
	input->host_bits += line->host_bits;
	return reader->sink(reader->context, line, &reader->place);
}

void reader_parse(struct reader *reader, const char *text, size_t length,
		  struct line *line)
{
	if (reader->syntax.kind == SYNTAX_INET)
		line_parse_alone(text, length, &reader->syntax, line);
	else if (reader->syntax.kind == SYNTAX_HEX)
		line_take_hex(text, length, line);
	else
		line_take_bytes(text, length, line);
}

int reader_key(struct reader *reader, const char *text, size_t length)
{
	struct line line;

	reader_parse(reader, text, length, &line);
	if (line.kind != LINE_BAD)
		return reader_line(reader, &line);
	reader_bad(reader, line.why, text, length);
	return 0;
}

int reader_error(struct reader *reader, const char *format, ...)
{
	char text[256];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (reader->input->progress)
		progress_clear(reader->input->progress);
	return error("%s:%llu: %s", reader->place.file, reader->place.number,
		     text);
}
