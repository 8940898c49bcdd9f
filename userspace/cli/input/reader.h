/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A reader is the state of reading a list, one text after the other: a text is the list itself,
 * or one file of an archive. The functions of layouts (layout.h) call the functions below to
 * pass keys to the sink, a function of the caller of input_run(), and to report bad lines.
 */
#ifndef KCUCKOO_CLI_READER_H
#define KCUCKOO_CLI_READER_H

#include "input/input.h"
#include "input/lines.h"
#include "input/spec.h"
#include "message.h"

/**
 * struct reader - state of reading one list
 * @input: the lists of the command
 * @spec: name of the current list, and its options (spec.h)
 * @layout: the layout of the current text
 * @named: the user named the layout, or an option implies it; false if
 *	layout_recognize() found the layout
 * @syntax: how lines are parsed. @syntax.layout is the layout for line.c:
 *	LAYOUT_LIST if @layout has functions of its own, otherwise @layout
 * @source: the source of the text, or NULL if the layout opens files itself
 * @lines: state of splitting the text into lines
 * @place: the current line, entry of a JSON document, or network of a database
 * @sink: function that gets the keys
 * @context: first argument of @sink
 * @state: state of the layout for this text (@state_size of struct layout_type), or
 *	NULL
 */
struct reader {
	struct input *input;
	const struct spec *spec;
	enum layout layout;
	bool named;
	struct syntax syntax;
	struct source *source;
	struct lines lines;
	struct place place;
	input_sink sink;
	void *context;
	void *state;
};

/*
 * Read the next bytes of the text without splitting them into lines. Return: the number
 * of bytes that were written to @to; 0 at the end of the text; or -1 after an error
 * message.
 */
ssize_t reader_bytes(struct reader *reader, void *to, size_t size);

/*
 * Parse a line of addresses with @syntax.layout, which is LAYOUT_LIST, LAYOUT_HOSTPORT
 * or LAYOUT_ROW, and pass its keys to the sink. Return: 0, or -1 if the sink returned -1.
 */
int reader_list_line(struct reader *reader, const char *text, size_t length);

/*
 * Parse the @length bytes at @text into @line. In a list of addresses, the bytes must be a key
 * or range and nothing else. In a list of byte strings, the bytes are the key.
 */
void reader_parse(const struct reader *reader, const char *text, size_t length,
		  struct line *line);

/*
 * Pass the key or range of @line to the sink. Report a bad line instead if @line is
 * bad, or if it is an exception and the caller does not collect exceptions. Return:
 * 0, or -1 if the sink returned -1.
 */
int reader_take(struct reader *reader, const struct line *line);

/*
 * Count a bad line or entry, and print its place, the reason @why and, if @length is not 0, the
 * @length bytes at @text. Print nothing if @silent of struct input is set, or if
 * INPUT_REPORTED_MAX bad lines were counted before.
 */
void reader_bad(struct reader *reader, const char *why, const char *text,
		size_t length);

/* Count a line or entry that the layout skips, such as a heading. @why: text of the reason. */
void reader_skip(struct reader *reader, const char *why);

/* Print an error message with the file and the line of the current place. Return: -1. */
int reader_error(struct reader *reader, const char *format, ...) PRINTF(2, 3);

#endif /* KCUCKOO_CLI_READER_H */
