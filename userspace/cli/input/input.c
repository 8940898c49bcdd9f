// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions read all lists of a command, and pass each key to the caller.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "input/input.h"
#include "message.h"

/* Size of a buffer for a line and its newline. */
#define BUFFER_SIZE	(INPUT_LINE + 1)

/* Number of keys after which the progress bar is updated. */
#define LINES_BETWEEN	4096

/**
 * struct lines - the current file of a source, which is split into lines
 * @source: the source
 * @data: buffer of BUFFER_SIZE bytes
 * @at: first byte in @data that was not used yet
 * @end: end of the bytes in @data
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
 * Read more bytes into the buffer. Return: 1 with more bytes or at the end; 0
 * if the buffer is full; or -1 with @why of the source set.
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
	if (lines->end == BUFFER_SIZE)
		return 0;
	done = source_read(lines->source, lines->data + lines->end,
			   BUFFER_SIZE - lines->end);
	if (done < 0)
		return -1;
	lines->ended = !done;
	lines->end += done;
	return 1;
}

/*
 * Find the next line. Return: LINES_END at the end; LINES_ONE with @text and
 * @length set; LINES_LONG for a line that is too long; or -1 with @why of the
 * source set.
 */
static int lines_next(struct lines *lines, const char **text, size_t *length)
{
	int ret;

	for (;;) {
		char *at = lines->data + lines->at;
		size_t there = lines->end - lines->at;
		char *newline = memchr(at, '\n', there);

		if (newline || (lines->ended && there)) {
			*text = at;
			*length = newline ? (size_t)(newline - at) : there;
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

void input_init(struct input *input, char *const *files, int count)
{
	struct stat st;
	int i;

	memset(input, 0, sizeof(*input));
	input->files = files;
	input->count = count;
	for (i = 0; i < count; i++) {
		if (stat(files[i], &st) || !S_ISREG(st.st_mode)) {
			input->total = 0;
			break;
		}
		input->total += st.st_size;
	}
}

static void report_bad(struct input *input, const struct place *place,
		       const char *why, const char *text, size_t length)
{
	char room[96];

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

/* Pass the key of a line to the sink. */
static int take_key(struct input *input, const struct line *line,
		    const struct place *place, input_sink sink, void *context)
{
	input->keys++;
	input->ranges += line->kind == LINE_RANGE;
	input->host_bits += line->host_bits;
	return sink(context, line, place);
}

static void count_columns(struct input *input, const struct line *line)
{
	input->columns.numbers += line->has_number;
	input->columns.seconds += line->has_second;
	input->columns.mapped += line->mapped;
}

/*
 * Pass all keys of a row to the sink. The caller has parsed the row before, so
 * no key is bad.
 */
static int take_row(struct input *input, const char *text, size_t length,
		    const struct place *place, input_sink sink, void *context)
{
	struct line line;
	int ret;

	line_parse(text, length, &input->syntax, &line);
	do {
		ret = take_key(input, &line, place, sink, context);
	} while (!ret && line_parse_next(text + length, &input->syntax, &line));
	return ret;
}

static int take_inet(struct input *input, const char *text, size_t length,
		     const struct place *place, input_sink sink, void *context)
{
	const struct syntax *syntax = &input->syntax;
	bool row = syntax->layout == LAYOUT_ROW;
	struct line line;

	line_parse(text, length, syntax, &line);
	if (line.kind == LINE_BLANK)
		return 0;
	input->lines++;
	while (row && line_parse_next(text + length, syntax, &line))
		;
	if (line.kind == LINE_BAD) {
		report_bad(input, place, line.why, text, length);
		return 0;
	}
	if (line.has_number || line.has_second || line.mapped)
		count_columns(input, &line);
	if (line.kind == LINE_ALLOWED) {
		input->columns.allowed++;
		return 0;
	}
	return row ? take_row(input, text, length, place, sink, context) :
		     take_key(input, &line, place, sink, context);
}

/*
 * Parse a line as a byte string, without the carriage return that some systems
 * write before a newline. SYNTAX_BINARY keeps the carriage return.
 */
static void take_bytes(struct input *input, const char *text, size_t length,
		       struct line *line)
{
	if (input->syntax.kind == SYNTAX_BYTES && length &&
	    text[length - 1] == '\r') {
		length--;
		input->notes.returns++;
	}
	line_take_bytes(text, length, line);
}

static int take_line(struct input *input, const char *text, size_t length,
		     const struct place *place, input_sink sink, void *context)
{
	struct line line;

	if (input->syntax.kind == SYNTAX_INET)
		return take_inet(input, text, length, place, sink, context);
	if (input->syntax.kind == SYNTAX_HEX)
		line_take_hex(text, length, &line);
	else
		take_bytes(input, text, length, &line);
	input->lines++;
	if (line.kind != LINE_BAD)
		return take_key(input, &line, place, sink, context);
	report_bad(input, place, line.why, text, length);
	return 0;
}

static void show_progress(struct input *input, const struct source *source)
{
	if (input->progress && !(input->keys % LINES_BETWEEN))
		progress_show(input->progress,
			      input->done_bytes + source->consumed,
			      input->total, input->keys);
}

static int run_lines(struct input *input, struct lines *lines, input_sink sink,
		     void *context)
{
	struct source *source = lines->source;
	struct place place = { .file = source->label };
	const char *text;
	size_t length;
	int ret;

	while ((ret = lines_next(lines, &text, &length)) > 0) {
		place.number = lines->number;
		if (ret == LINES_LONG) {
			/* The end of this line was not found yet. */
			place.number++;
			input->lines++;
			report_bad(input, &place, "the line is too long", "",
				   0);
			continue;
		}
		ret = take_line(input, text, length, &place, sink, context);
		if (ret)
			return ret;
		show_progress(input, source);
	}
	if (ret < 0 && input->progress)
		progress_clear(input->progress);
	if (ret < 0)
		return error("cannot read %s after line %llu: %s",
			     source->label, lines->number, source->why);
	return 0;
}

/*
 * Read all files of a source: an archive may have several. Each file has its
 * own line numbers.
 */
static int run_files(struct input *input, struct lines *lines, input_sink sink,
		     void *context)
{
	struct source *source = lines->source;
	char *data = lines->data;
	int ret;

	while ((ret = source_next(source)) > 0) {
		*lines = (struct lines){ .source = source, .data = data };
		ret = run_lines(input, lines, sink, context);
		if (ret)
			return ret;
	}
	if (ret < 0 && input->progress)
		progress_clear(input->progress);
	if (ret < 0)
		return error("cannot read %s: %s", source->label, source->why);
	input->done_bytes += source->consumed;
	input->notes.formats |= source->formats;
	input->notes.files += source->files;
	return 0;
}

static int run_source(struct input *input, struct source *source,
		      input_sink sink, void *context)
{
	struct lines lines = { .source = source };
	int ret;

	lines.data = malloc(BUFFER_SIZE);
	if (!lines.data)
		return error("not enough memory");
	ret = run_files(input, &lines, sink, context);
	free(lines.data);
	return ret;
}

static int run_file(struct input *input, const char *file, input_sink sink,
		    void *context)
{
	struct source *source = malloc(sizeof(*source));
	int ret;

	if (!source)
		return error("not enough memory");
	if (source_open(source, file, &input->syntax))
		ret = error("cannot read %s: %s", source->name, source->why);
	else
		ret = run_source(input, source, sink, context);
	source_close(source);
	free(source);
	return ret;
}

int input_run(struct input *input, input_sink sink, void *context)
{
	int i, ret;

	for (i = 0; i < input->count; i++) {
		ret = run_file(input, input->files[i], sink, context);
		if (ret)
			return ret;
	}
	if (input->bad > INPUT_REPORTED_MAX && !input->silent)
		fprintf(stderr, "and %llu more bad %s\n",
			input->bad - INPUT_REPORTED_MAX,
			plural(input->bad - INPUT_REPORTED_MAX, "line",
			       "lines"));
	return 0;
}

void input_say_columns(const struct cli *cli, const char *name,
		       const struct input_columns *columns)
{
	if (columns->seconds)
		say(cli, "%s: %llu %s a second address, which is a mask or the end of a range",
		    name, columns->seconds,
		    plural(columns->seconds, "line has", "lines have"));
	if (columns->numbers)
		say(cli, "%s: %llu %s a number after the key that was ignored",
		    name, columns->numbers,
		    plural(columns->numbers, "line has", "lines have"));
	if (columns->mapped)
		say(cli, "%s: %llu IPv4-mapped %s of IPv6 became IPv4", name,
		    columns->mapped, plural(columns->mapped, "key", "keys"));
	if (columns->allowed)
		say(cli, "%s: %llu %s of level 127 or above, which ipfilter.dat allows, %s skipped",
		    name, columns->allowed,
		    plural(columns->allowed, "range", "ranges"),
		    plural(columns->allowed, "was", "were"));
}

static void say_formats(const struct cli *cli, const char *name,
			const struct input_notes *notes)
{
	unsigned int texts = 1 << FORMAT_UTF16LE | 1 << FORMAT_UTF16BE;
	char list[64] = "";
	int format;

	for (format = FORMAT_GZIP; format <= FORMAT_ZIP; format++)
		if (notes->formats & 1 << format)
			snprintf(list + strlen(list), sizeof(list) - strlen(list), "%s%s",
				 *list ? ", " : "", format_name(format));
	if (notes->files)
		say(cli, "%s: unpacked %s: %llu %s", name, list, notes->files,
		    plural(notes->files, "file", "files"));
	else if (*list)
		say(cli, "%s: unpacked %s", name, list);
	if (notes->formats & texts)
		say(cli, "%s: converted from UTF-16", name);
}

void input_say_notes(const struct cli *cli, const char *name,
		     const struct input_notes *notes)
{
	say_formats(cli, name, notes);
	if (notes->returns)
		say(cli, "%s: dropped the carriage return at the end of %llu %s; --binary keeps it",
		    name, notes->returns, plural(notes->returns, "line", "lines"));
}
