// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions pass the keys of a text to the caller of input_run(), and
 * report its bad lines.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "input/reader.h"
#include "input/setting.h"
#include "input/words.h"

ssize_t reader_bytes(struct reader *reader, void *to, size_t size)
{
	ssize_t done = lines_read(&reader->lines, to, size);

	if (done < 0 && reader->input->progress)
		progress_clear(reader->input->progress);
	return done < 0 ? error("cannot read %s: %s", reader->place.file,
				reader->source->why) : done;
}

static void left_out(const struct reader *reader, bool bad, const char *why)
{
	const struct input_watch *watch = reader->input->watch;

	if (watch)
		watch->left_out(watch->context, &reader->place, bad, why);
}

void reader_bad(struct reader *reader, const char *why, const char *text,
		size_t length)
{
	struct input *input = reader->input;
	const struct place *place = &reader->place;
	char escaped[96], setting[SETTING_TEXT];

	why = setting_text(&input->syntax, why, setting);
	left_out(reader, true, why);
	if (input->bad++ >= INPUT_REPORTED_MAX || input->silent)
		return;
	if (input->progress)
		progress_clear(input->progress);
	fflush(stdout);
	fprintf(stderr, "%s:%llu: %s", place->file, place->number, why);
	if (length)
		fprintf(stderr, ": %s", escape(text, length, escaped, sizeof(escaped)));
	fputc('\n', stderr);
}

void reader_skip(struct reader *reader, const char *why)
{
	reader->input->columns.skipped++;
	left_out(reader, false, why);
}

static inline int take_key(struct reader *reader, const struct line *line)
{
	struct input *input = reader->input;

	input->keys++;
	input->ranges += line->kind == LINE_RANGE;
	input->host_bits += line->host_bits;
	if (line->kind != LINE_BYTES) {
		input->columns.mapped += line->mapped;
		input->columns.timeouts += !!(line->lost & LINE_TIMEOUT);
		input->columns.values += !!(line->lost & LINE_VALUE);
	}
	return reader->sink(reader->context, line, &reader->place);
}

static int take_exception(struct reader *reader, const struct line *line)
{
	if (reader->syntax.exceptions) {
		reader->input->columns.exceptions++;
		return reader->sink(reader->context, line, &reader->place);
	}
	reader_bad(reader, line_exception, reader->place.text,
		   reader->place.length);
	return 0;
}

int reader_take(struct reader *reader, const struct line *line)
{
	if (line->kind == LINE_BAD) {
		reader_bad(reader, line->why, reader->place.text,
			   reader->place.length);
		return 0;
	}
	return line->exception ? take_exception(reader, line) :
	       take_key(reader, line);
}

static void count_columns(struct input *input, const struct line *line)
{
	input->columns.numbers += line->has_number;
	input->columns.seconds += line->has_second;
}

/* Pass all keys of a line with LAYOUT_ROW to the sink. The caller has found no bad key. */
static int take_row(struct reader *reader, const char *text, size_t length)
{
	struct line line;
	int ret;

	line_parse(text, length, &reader->syntax, &line);
	do {
		ret = reader_take(reader, &line);
	} while (!ret && line_parse_next(text + length, &reader->syntax, &line));
	return ret;
}

int reader_list_line(struct reader *reader, const char *text, size_t length)
{
	const struct syntax *syntax = &reader->syntax;
	bool row = syntax->layout == LAYOUT_ROW;
	struct input *input = reader->input;
	bool numbers;
	struct line line;

	line_parse(text, length, syntax, &line);
	if (line.kind == LINE_BLANK)
		return 0;
	input->lines++;
	/* Each call of line_parse_next() resets line.has_number. */
	numbers = line.has_number;
	while (row && line_parse_next(text + length, syntax, &line))
		numbers |= line.has_number;
	line.has_number = numbers;
	/* Fast path: most lines have a key and nothing else. */
	if (line.kind == LINE_KEY && !row && !line.has_number &&
	    !line.has_second && !line.exception)
		return take_key(reader, &line);
	if (line.kind == LINE_BAD)
		return reader_take(reader, &line);
	count_columns(input, &line);
	if (line.kind == LINE_ALLOWED) {
		input->columns.allowed++;
		left_out(reader, false, "ipfilter.dat allows the range");
		return 0;
	}
	return row ? take_row(reader, text, length) : reader_take(reader, &line);
}

void reader_parse(const struct reader *reader, const char *text, size_t length,
		  struct line *line)
{
	const struct syntax *syntax = &reader->syntax;

	if (syntax->kind != SYNTAX_INET) {
		line_take_bytes(text, length, line);
		return;
	}
	line_parse_alone(text, length, syntax, line);
	if (line->kind != LINE_BAD)
		line_check_needed(line, syntax);
}

int reader_error(struct reader *reader, const char *format, ...)
{
	char text[256], setting[SETTING_TEXT];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (reader->input->progress)
		progress_clear(reader->input->progress);
	return error("%s:%llu: %s", reader->place.file, reader->place.number,
		     setting_text(&reader->input->syntax, text, setting));
}
