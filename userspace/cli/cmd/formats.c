// SPDX-License-Identifier: GPL-2.0-only
/*
 * The verb formats shows how the command reads lists: it prints the format of each
 * list, its first lines with their keys, and counts. Without operands, the verb prints
 * all formats.
 */
#include <stdio.h>
#include <string.h>

#include "args.h"
#include "input/reader.h"
#include "json.h"
#include "keywords.h"
#include "message.h"

/* Maximum number of lines of a list that are shown. */
#define SHOWN_LINES	10

/* Size in bytes of a buffer for a key as text, with its value and its timeout. */
#define KEY_TEXT	(2 * LINE_TEXT)

/**
 * struct shown - a list that is shown
 * @cli: state of the command
 * @name: name of the list
 * @count: number of lines that were counted so far; only the first SHOWN_LINES lines
 *	are shown
 * @last: number of the line that was counted last; 0 at the beginning of a text
 * @last_entry: in a JSON document, number of the address that was counted last: all
 *	addresses of the document have the same line number. 0 in a list of lines
 * @texts: with -j, the texts and their formats
 * @lines: with -j, the lines that were shown
 */
struct shown {
	struct cli *cli;
	const char *name;
	int count;
	__u64 last;
	__u64 last_entry;
	json_t *texts;
	json_t *lines;
};

static const char *layout_name(enum layout layout)
{
	return keyword_name(layout_keywords, layout);
}

static void show_text(void *context, const struct reader *reader)
{
	unsigned int formats = reader->source ? reader->source->formats : 0;
	struct shown *shown = context;
	char packed[FORMAT_NAMES];
	const char *how = reader->named ? "given" : "recognized";
	json_t *text;

	format_names(formats, packed);
	shown->last = 0;
	if (shown->cli->json) {
		text = json_pack("{s:s, s:s, s:b}", "format",
				 layout_name(reader->layout), "packed", packed,
				 "recognized", !reader->named);
		json_set_text(text, "name", reader->place.file,
			      strlen(reader->place.file));
		json_array_append_new(shown->texts, text);
		return;
	}
	printf("%s: format %s", reader->place.file, layout_name(reader->layout));
	if (reader->named || reader->layout != LAYOUT_LIST)
		printf(" (%s)", how);
	printf("%s%s\n", *packed ? ", unpacked or converted from " : "", packed);
}

/* A line with several keys counts once, and is shown once for each key. */
static bool is_shown(struct shown *shown, const struct place *place)
{
	if (place->number != shown->last || place->entry != shown->last_entry)
		shown->count++;
	shown->last = place->number;
	shown->last_entry = place->entry;
	return shown->count <= SHOWN_LINES;
}

/*
 * Show a line and its meaning. @kind: "key" or "exception" if @meaning is the key or the
 * exception in the line; "bad" or "skipped" if @meaning is the reason why the line is bad
 * or was skipped. With -j, @kind is the JSON key for @meaning.
 */
static void show_line(struct shown *shown, const struct place *place,
		      const char *kind, const char *meaning)
{
	char text[256];
	json_t *line;

	if (!shown->cli->json) {
		printf("%s:%llu: %s -> %s%s%s\n", place->file, place->number,
		       escape(place->text ? place->text : "", place->length, text,
			      sizeof(text)),
		       strcmp(kind, "key") ? kind : "",
		       strcmp(kind, "key") ? ": " : "", meaning);
		return;
	}
	line = json_pack("{s:I}", "line", (json_int_t)place->number);
	if (place->text)
		json_set_text(line, "text", place->text, place->length);
	json_set_text(line, kind, meaning, strlen(meaning));
	json_array_append_new(shown->lines, line);
}

static void show_left_out(void *context, const struct place *place, bool bad,
			  const char *why)
{
	struct shown *shown = context;

	if (is_shown(shown, place))
		show_line(shown, place, bad ? "bad" : "skipped", why);
}

static void write_key(const struct line *line, char *text, size_t size)
{
	char last[KCUCKOO_PREFIX_TEXT];
	struct line first = *line;
	int length;

	if (line->kind == LINE_BYTES) {
		escape(line->bytes, line->size, text, size);
		return;
	}
	if (line->kind == LINE_KEY) {
		line_format(line, text);
		return;
	}
	/*
	 * Write the first address without the value and timeout, which follow the last
	 * address.
	 */
	first.has = 0;
	length = line_format(&first, text);
	kcuckoo_prefix_format(&line->last, last);
	length += snprintf(text + length, size - length, "-%s", last);
	if (line->has & LINE_VALUE)
		length += snprintf(text + length, size - length, " value %u",
				   line->value);
	if (line->has & LINE_TIMEOUT)
		snprintf(text + length, size - length, " timeout %u", line->timeout);
}

static int show_key(void *context, const struct line *line,
		    const struct place *place)
{
	struct shown *shown = context;
	char text[KEY_TEXT];

	if (!is_shown(shown, place))
		return 0;
	write_key(line, text, sizeof(text));
	show_line(shown, place, line->exception ? "exception" : "key", text);
	return 0;
}

static json_t *sums_object(const struct shown *shown, const struct input *input)
{
	const struct input_columns *columns = &input->columns;
	json_t *object = json_pack("{s:O, s:O, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}",
		"texts", shown->texts, "lines_shown", shown->lines,
		"keys", (json_int_t)input->keys,
		"ranges", (json_int_t)input->ranges,
		"exceptions", (json_int_t)columns->exceptions,
		"bad_lines", (json_int_t)input->bad,
		"skipped_lines", (json_int_t)columns->skipped,
		"allowed_ranges", (json_int_t)columns->allowed,
		"second_addresses", (json_int_t)columns->seconds,
		"ignored_numbers", (json_int_t)columns->numbers,
		"mapped", (json_int_t)columns->mapped,
		"host_bits", (json_int_t)input->host_bits);

	json_object_set_new(object, "lines", json_integer(input->lines));
	json_object_set_new(object, "other_addresses",
			    json_integer(input->notes.others.total));
	json_set_text(object, "list", shown->name, strlen(shown->name));
	return object;
}

static void print_count(__u64 count, const char *one, const char *many)
{
	if (count)
		printf(", %llu %s", count, plural(count, one, many));
}

static void print_others(const struct input_others *others)
{
	char text[INPUT_OTHERS_TEXT];

	print_count(others->total, "address under other keys of JSON",
		    "addresses under other keys of JSON");
	if (others->total)
		printf(": %s", input_name_others(others, text));
}

static void print_sums(const struct shown *shown, const struct input *input)
{
	const struct input_columns *columns = &input->columns;

	printf("%s: %llu %s", shown->name, input->keys,
	       plural(input->keys, "key", "keys"));
	print_count(input->ranges, "range", "ranges");
	print_count(input->host_bits, "key with host bits cleared",
		    "keys with host bits cleared");
	print_count(columns->mapped, "IPv4-mapped key", "IPv4-mapped keys");
	print_count(columns->exceptions, "exception", "exceptions");
	print_count(columns->seconds, "line with a second address",
		    "lines with a second address");
	print_count(columns->numbers, "line with an ignored number",
		    "lines with an ignored number");
	print_count(columns->allowed, "allowed range skipped",
		    "allowed ranges skipped");
	print_count(columns->skipped, "line skipped", "lines skipped");
	print_others(&input->notes.others);
	printf(", %llu bad %s\n", input->bad, plural(input->bad, "line", "lines"));
}

/*
 * Accept any value and timeout of keys, because no filter limits values and timeouts.
 * @lists: JSON array to which the list is added, or NULL to print the list as text.
 */
static int show_list(struct shown *shown, const struct args *args,
		     char *const *file, json_t *lists)
{
	const struct input_watch watch = {
		.context = shown, .text = show_text, .left_out = show_left_out,
	};
	struct input input;

	input_init(&input, file, 1);
	input.silent = true;
	input.watch = &watch;
	input.syntax = (struct syntax){
		.max_value = UINT32_MAX,
		.timeouts = true,
		.member = args->member,
		.json_keys = args->json_keys,
		.layout = args->layout,
		.column = args->column,
		.recognize = !(args->given & ARGS_FORMAT),
		.ranges = args->given & ARGS_RANGES,
		.any_kind = true,
		.exceptions = true,
	};
	if (input_run(&input, show_key, shown))
		return -1;
	if (lists)
		json_array_append_new(lists, sums_object(shown, &input));
	else
		print_sums(shown, &input);
	return 0;
}

static int show_lists(struct cli *cli, const struct args *args, json_t *lists)
{
	int i, ret = 0;

	for (i = 0; i < args->operand_count && !ret; i++) {
		struct shown shown = {
			.cli = cli,
			.name = args->operands[i],
			.texts = lists ? json_array() : NULL,
			.lines = lists ? json_array() : NULL,
		};

		ret = show_list(&shown, args, &args->operands[i], lists);
		json_decref(shown.texts);
		json_decref(shown.lines);
	}
	return ret;
}

static int show_formats(const struct cli *cli)
{
	json_t *formats = cli->json ? json_array() : NULL;
	const struct layout_type *type;
	json_t *format;
	int layout;

	for (layout = 0; layout < LAYOUTS; layout++) {
		type = &layout_types[layout];
		if (!cli->json) {
			printf("%-9s %s\n", layout_name(layout), type->what);
			continue;
		}
		format = json_pack("{s:s, s:s, s:b, s:b, s:b}", "format",
				   layout_name(layout), "what", type->what,
				   "addresses", type->addresses, "bytes",
				   type->bytes, "recognized",
				   type->recognize || layout == LAYOUT_LIST);
		json_array_append_new(formats, format);
	}
	return cli->json ? json_print(formats) : EXIT_YES;
}

int verb_formats(struct cli *cli, const struct args *args)
{
	json_t *lists = NULL;
	int ret;

	if (!args->operand_count)
		return show_formats(cli);
	if (cli->json) {
		lists = json_array();
		if (!lists)
			return error("not enough memory");
	}
	ret = show_lists(cli, args, lists);
	if (!ret && lists)
		return json_print(lists);
	json_decref(lists);
	return ret;
}
