// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions read all lists of a command, and pass each key to the caller: a file
 * in cmd/, keys/ or fetch/.
 *
 * input_run() opens a list as a source (source.h), finds the layout of each text (layout.h), and
 * reads the text with the functions of the layout. These functions pass each key to reader.c,
 * which calls the sink (input_sink) of the caller. A database is no source: its layout opens the
 * file.
 */
#include <assert.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "input/reader.h"
#include "input/refused.h"
#include "input/setting.h"
#include "input/table.h"
#include "keywords.h"
#include "message.h"

static const char line_too_long[] = "the line is too long: it has more than 256 KiB";
static_assert(INPUT_LINE == 256 << 10, "line_too_long has this number");

/* The progress bar is updated when the number of keys is a multiple of this number. */
#define KEYS_BETWEEN	4096

void input_init(struct input *input, char *const *files, int count)
{
	struct stat st;
	int i;

	memset(input, 0, sizeof(*input));
	input->files = files;
	input->count = count;
	for (i = 0; i < count; i++) {
		if (!spec_stat(files[i], &st) || !S_ISREG(st.st_mode)) {
			input->total = 0;
			break;
		}
		input->total += st.st_size;
	}
}

/*
 * Parse a line as a byte string, without the carriage return that some systems write before a
 * newline. SYNTAX_BINARY keeps the carriage return.
 */
static void take_bytes(struct reader *reader, const char *text, size_t length,
		       struct line *line)
{
	if (reader->syntax.kind == SYNTAX_BYTES && length &&
	    text[length - 1] == '\r') {
		length--;
		reader->input->notes.carriage_returns++;
	}
	line_take_bytes(text, length, line);
}

static int take_string(struct reader *reader, const char *text, size_t length)
{
	struct line line;

	if (reader->syntax.kind == SYNTAX_HEX)
		line_take_hex(text, length, &line);
	else
		take_bytes(reader, text, length, &line);
	reader->input->lines++;
	return reader_take(reader, &line);
}

static void show_progress(struct input *input, const struct source *source)
{
	if (input->progress && !(input->keys % KEYS_BETWEEN))
		progress_show(input->progress,
			      input->done_bytes + source->consumed,
			      input->total, input->keys);
}

static int read_error(const struct reader *reader)
{
	char setting[SETTING_TEXT];

	if (reader->input->progress)
		progress_clear(reader->input->progress);
	return error("cannot read %s after line %llu: %s", reader->source->label,
		     reader->lines.number,
		     setting_text(&reader->input->syntax, reader->source->why, setting));
}

static line_reader reader_of_lines(const struct reader *reader)
{
	const struct layout_type *type = &layout_types[reader->layout];

	if (type->line)
		return type->line;
	return reader->syntax.kind == SYNTAX_INET ? reader_list_line : take_string;
}

/*
 * Read the current line with @take, the result of reader_of_lines(). If the layout parses
 * addresses with a function of its own, check the line with line_broken() first. For other
 * layouts of addresses, line_parse() makes the same check.
 */
static int run_line(struct reader *reader, line_reader take)
{
	const struct layout_type *type = &layout_types[reader->layout];
	const struct place *place = &reader->place;
	const char *why = NULL;

	if (type->line && reader->syntax.kind == SYNTAX_INET)
		why = line_broken(place->text, place->length);
	if (!why)
		return take(reader, place->text, place->length);
	if (type->broken)
		type->broken(reader, place->text, place->length);
	reader->input->lines++;
	reader_bad(reader, why, place->text, place->length);
	return 0;
}

static int run_lines(struct reader *reader)
{
	const struct layout_type *type = &layout_types[reader->layout];
	line_reader take = reader_of_lines(reader);
	struct lines *lines = &reader->lines;
	struct place *place = &reader->place;
	int ret;

	while ((ret = lines_next(lines, &place->text, &place->length)) > 0) {
		place->number = lines->number;
		if (ret == LINES_LONG) {
			/*
			 * @lines->number does not count this line yet, because its end was not
			 * found.
			 */
			place->number++;
			place->length = 0;
			if (type->broken)
				return reader_error(reader,
						    "the line is too long, so it is unknown whether a quoted column goes on in the next line");
			reader->input->lines++;
			reader_bad(reader, line_too_long, "", 0);
			continue;
		}
		ret = run_line(reader, take);
		if (ret)
			return ret;
		show_progress(reader->input, reader->source);
	}
	if (ret < 0)
		return read_error(reader);
	return type->end ? type->end(reader) : 0;
}

/*
 * Set @layout of the reader, unless the first bytes of the text must show the layout. Return:
 * true if @layout is set.
 */
static bool choose_layout(struct reader *reader)
{
	const struct syntax *given = &reader->input->syntax;

	reader->named = true;
	if (reader->spec->layout >= 0)
		reader->layout = reader->spec->layout;
	else if (given->column)
		reader->layout = LAYOUT_CSV;
	else if (given->recognize && given->kind != SYNTAX_BINARY &&
		 given->kind != SYNTAX_HEX)
		reader->named = false;
	else
		reader->layout = given->layout;
	return reader->named;
}

/* Number of bytes at the start of a list that check_table() checks. */
#define TABLE_MAGIC	65536

static enum layout recognize(const struct syntax *syntax,
			     const struct lines *lines)
{
	const char *text = lines->data + lines->at;
	size_t available = lines->end - lines->at;
	size_t length = available < LAYOUT_MAGIC ? available : LAYOUT_MAGIC;
	enum layout layout = layout_recognize(text, length,
					      syntax->kind == SYNTAX_BYTES);

	return layout == LAYOUT_LIST && syntax->any_kind ?
	       layout_recognize(text, length, true) : layout;
}

/* Set @why to an error text if the list is a table that LAYOUT_LIST would misread. */
static int check_table(struct reader *reader, const char **why)
{
	struct lines *lines = &reader->lines;
	size_t length;

	if (lines_peek(lines, TABLE_MAGIC))
		return read_error(reader);
	length = lines->end - lines->at;
	/* The last line can be incomplete. */
	if (length >= TABLE_MAGIC)
		for (length = TABLE_MAGIC; length; length--)
			if (lines->data[lines->at + length - 1] == '\n')
				break;
	*why = table_why(lines->data + lines->at, length);
	return 0;
}

static int check_refused(struct reader *reader)
{
	const struct lines *lines = &reader->lines;
	size_t length = lines->end - lines->at;
	char setting[SETTING_TEXT];
	const char *why;

	if (length > LAYOUT_MAGIC)
		length = LAYOUT_MAGIC;
	why = refused_why(lines->data + lines->at, length);
	if (!why && reader->layout == LAYOUT_LIST && reader->syntax.kind == SYNTAX_INET &&
	    check_table(reader, &why))
		return -1;
	if (!why)
		return 0;
	if (reader->input->progress)
		progress_clear(reader->input->progress);
	return error("%s: %s", reader->place.file,
		     setting_text(&reader->input->syntax, why, setting));
}

static int find_layout(struct reader *reader)
{
	struct syntax *syntax = &reader->syntax;
	const struct layout_type *type;

	*syntax = reader->input->syntax;
	if (!choose_layout(reader)) {
		if (lines_peek(&reader->lines, LAYOUT_MAGIC))
			return read_error(reader);
		reader->layout = recognize(syntax, &reader->lines);
		if (check_refused(reader))
			return -1;
	}
	syntax->levels = reader->layout == LAYOUT_IPFILTER;
	syntax->lengths = reader->layout == LAYOUT_DSHIELD;
	type = &layout_types[reader->layout];
	if (syntax->any_kind && !type->addresses)
		syntax->kind = SYNTAX_BYTES;
	syntax->layout = type->line || type->document || type->file ?
			 LAYOUT_LIST : reader->layout;
	return spec_check(reader->spec, reader->layout);
}

static int check_layout(const struct reader *reader)
{
	const struct layout_type *type = &layout_types[reader->layout];
	bool bytes = reader->syntax.kind != SYNTAX_INET;

	if (reader->layout != LAYOUT_LIST && bytes &&
	    reader->syntax.kind != SYNTAX_BYTES)
		return error("%s: format '%s' cannot be combined with --hex or --binary",
			     reader->place.file,
			     keyword_name(layout_keywords, reader->layout));
	if (bytes ? type->bytes : type->addresses)
		return 0;
	return error("%s: format '%s' is for %s, and the filter holds %s",
		     reader->place.file,
		     keyword_name(layout_keywords, reader->layout),
		     bytes ? "addresses" : "byte strings",
		     bytes ? "byte strings" : "addresses");
}

static int read_text(struct reader *reader)
{
	const struct layout_type *type = &layout_types[reader->layout];
	int ret;

	if (check_layout(reader))
		return -1;
	if (reader->input->watch)
		reader->input->watch->text(reader->input->watch->context, reader);
	reader->state = type->state_size ? calloc(1, type->state_size) : NULL;
	if (type->state_size && !reader->state)
		return error("not enough memory");
	if (type->file)
		ret = type->file(reader, reader->spec->path);
	else
		ret = type->document ? type->document(reader) : run_lines(reader);
	free(reader->state);
	return ret;
}

/* Read all files of a source. The lines of each file are numbered from 1. */
static int run_files(struct reader *reader)
{
	struct source *source = reader->source;
	struct input *input = reader->input;
	char *data = reader->lines.data;
	char setting[SETTING_TEXT];
	int ret;

	while ((ret = source_next(source)) > 0) {
		reader->lines = (struct lines){ .source = source, .data = data };
		reader->place = (struct place){ .file = source->label };
		if (find_layout(reader) || read_text(reader))
			return -1;
	}
	if (ret < 0 && input->progress)
		progress_clear(input->progress);
	if (ret < 0)
		return error("cannot read %s: %s", source->label,
			     setting_text(&input->syntax, source->why, setting));
	input->done_bytes += source->consumed;
	input->notes.formats |= source->formats;
	input->notes.files += source->files;
	return 0;
}

static int run_source(struct reader *reader)
{
	struct source *source = reader->source;
	const char *label = reader->input->label;
	int ret;

	ret = source_open(source, reader->spec->path, &reader->input->syntax);
	if (label) {
		source->name = label;
		source->label = label;
	}
	if (ret)
		return error("cannot read %s: %s", source->name, source->why);
	reader->lines.data = malloc(LINES_BUFFER);
	if (!reader->lines.data)
		return error("not enough memory");
	ret = run_files(reader);
	free(reader->lines.data);
	return ret;
}

static int run_whole(struct reader *reader)
{
	reader->syntax = reader->input->syntax;
	reader->syntax.layout = LAYOUT_LIST;
	reader->layout = reader->spec->layout;
	reader->named = true;
	reader->place.file = reader->spec->path;
	return spec_check(reader->spec, reader->layout) ? -1 : read_text(reader);
}

static int run_spec(struct input *input, struct spec *spec, input_sink sink,
		    void *context)
{
	struct reader reader = {
		.input = input, .spec = spec, .sink = sink, .context = context,
	};
	int ret;

	if (spec->layout < 0 && !input->syntax.recognize)
		spec->layout = input->syntax.layout;
	if (spec->layout < 0 && input->syntax.kind == SYNTAX_INET &&
	    !fnmatch("*.mmdb", spec->path, 0))
		spec->layout = LAYOUT_MMDB;
	if (input->syntax.json_where && spec->layout != LAYOUT_JSON)
		return error("cannot read %s: the key 'where' is for format 'json', and not for '%s'",
			     spec->path, keyword_name(layout_keywords, spec->layout));
	if (spec->layout >= 0 && layout_types[spec->layout].file)
		return run_whole(&reader);
	reader.source = malloc(sizeof(*reader.source));
	if (!reader.source)
		return error("not enough memory");
	ret = run_source(&reader);
	source_close(reader.source);
	free(reader.source);
	return ret;
}

static int run_file(struct input *input, const char *file, input_sink sink,
		    void *context)
{
	struct spec spec;
	int ret = spec_parse(&spec, file);

	if (!ret)
		ret = run_spec(input, &spec, sink, context);
	spec_free(&spec);
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
	if (columns->skipped)
		say(cli, "%s: %llu %s no key in this format and %s skipped", name,
		    columns->skipped,
		    plural(columns->skipped, "line has", "lines have"),
		    plural(columns->skipped, "was", "were"));
	if (columns->timeouts)
		say(cli, "%s: %llu %s a timeout in the list, and none in this filter: they stay",
		    name, columns->timeouts,
		    plural(columns->timeouts, "key has", "keys have"));
	if (columns->values)
		say(cli, "%s: %llu %s a value in the list, and this filter keeps no values",
		    name, columns->values,
		    plural(columns->values, "key has", "keys have"));
	if (columns->exceptions)
		say(cli, "%s: %llu %s", name, columns->exceptions,
		    plural(columns->exceptions, "exception", "exceptions"));
}

static void say_formats(const struct cli *cli, const char *name,
			const struct input_notes *notes)
{
	unsigned int texts = 1 << FORMAT_UTF16LE | 1 << FORMAT_UTF16BE;
	char list[FORMAT_NAMES];

	format_names(notes->formats & ~texts, list);
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
	input_say_others(cli, name, &notes->others);
	if (notes->carriage_returns)
		say(cli, "%s: dropped the carriage return at the end of %llu %s; --binary keeps it",
		    name, notes->carriage_returns,
		    plural(notes->carriage_returns, "line", "lines"));
}
