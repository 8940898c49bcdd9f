// SPDX-License-Identifier: GPL-2.0-only
/*
 * table_why() recognizes a table with titles in a text that would be read as a list, for
 * input.c.
 *
 * A list has its keys at the start of the lines, and the content of another column shows what the
 * column means: a number after an address can be a prefix length. In a table, the title of
 * a column says what the column means: the number can be a port, and "true" can mean that the
 * address must not be blocked. LAYOUT_LIST does not know titles, so a table is refused if a
 * title matters.
 */
#include <stdbool.h>
#include <string.h>

#include "input/cell.h"
#include "input/columns.h"
#include "input/field.h"
#include "input/key.h"
#include "input/line.h"
#include "input/name.h"
#include "input/table.h"

/* Titles with these meanings change which addresses a row means. */
#define MEANINGS (NAME_SIZE | NAME_END | NAME_FLAG | NAME_EXCEPTION | NAME_IDS | NAME_COUNT)

/* A comment is a heading only if the whole content of a column is a title of this kind. */
#define CERTAIN (NAME_KEY | NAME_FLAG | NAME_IDS | NAME_START)

/**
 * struct title_line - a line that can be the heading of the rows after it
 * @at: start of the line, without the signs of a comment; NULL if no line was a heading
 * @end: end of the line
 * @comment: the line is a comment
 */
struct title_line {
	const char *at;
	const char *end;
	bool comment;
};

/**
 * struct titles - the titles of a heading
 * @columns: number of columns
 * @kinds: the bits of MEANINGS that the titles have
 * @all: the bits NAME_* of all titles
 * @second: the bits NAME_* of the second title
 * @keys: number of titles that are usual for keys
 * @is_row: a column has a number, or an address, so the line is no heading
 */
struct titles {
	int columns;
	unsigned int kinds;
	unsigned int all;
	unsigned int second;
	int keys;
	bool is_row;
};

static const char *columns_end(const char *at, const char *end)
{
	const char *sign;

	for (sign = at + 1; sign < end; sign++)
		if (is_blank(sign[-1]) && is_comment(sign, end))
			end = sign;
	while (end > at && is_blank(end[-1]))
		end--;
	return end;
}

static int count_columns(const char *at, const char *end, char separator)
{
	struct cell cell;
	int number = 0, count = 0;

	for (; at; at = cell.next) {
		cell_parse(at, end, separator, &cell);
		number++;
		if (cell.at < cell.end)
			count = number;
	}
	return count;
}

static struct titles read_titles(const char *at, const char *end, char separator)
{
	static const struct syntax plain;
	struct titles titles = { 0 };
	struct field field = { 0 };
	unsigned int kind;
	struct cell cell;

	for (; at; at = cell.next) {
		cell_parse(at, end, separator, &cell);
		field.at = cell.at;
		field.end = cell.end;
		titles.is_row |= field_is_number(&field) || field_is_address(&field, &plain);
		kind = name_kinds(cell.at, cell.end - cell.at);
		titles.all |= kind;
		titles.keys += kind & NAME_KEY && !(kind & NAME_SIZE);
		if (++titles.columns == 2)
			titles.second = kind;
		/* "size" and "end" alone can be titles of other things. */
		if (kind & NAME_LOOSE || titles.columns == 1)
			kind &= NAME_FLAG | NAME_EXCEPTION | NAME_IDS;
		titles.kinds |= kind & MEANINGS;
	}
	return titles;
}

/* Store a line that can be a heading, unless an earlier line is more certainly a heading. */
static void note_heading(struct title_line *heading, const char *at, const char *end,
			 bool comment)
{
	struct titles titles = read_titles(at, end, cell_separator(at, end)), before;

	if (titles.columns < 2 || titles.is_row || (comment && !(titles.all & CERTAIN)))
		return;
	if (heading->at) {
		before = read_titles(heading->at, heading->end,
				     cell_separator(heading->at, heading->end));
		/* Prose after a heading must not hide the meaning of its titles. */
		if (!(titles.all & NAME_KEY) || (before.kinds && !titles.kinds))
			return;
	}
	*heading = (struct title_line){ at, end, comment };
}

/*
 * Return: true if LAYOUT_LIST would not read the row as the titles of @heading say. @line: the
 * row as LAYOUT_LIST reads it. @separator: the character between columns.
 */
static bool is_misread(const struct title_line *heading, const char *at, const char *end,
		       char separator, const struct line *line)
{
	struct titles titles = read_titles(heading->at, heading->end, separator);
	unsigned int kinds = titles.kinds;
	struct field field = { 0 };
	struct cell cell;
	int columns;

	end = columns_end(at, end);
	columns = count_columns(at, end, separator);
	if (columns < 2 || titles.columns < 2 || titles.is_row ||
	    (heading->comment && columns > titles.columns))
		return false;
	/* A network or range needs no mask, and has no other end. */
	cell_parse(at, end, separator, &cell);
	if (memchr(cell.at, '/', cell.end - cell.at) || line->kind == LINE_RANGE)
		kinds &= ~(NAME_SIZE | NAME_END | NAME_COUNT);
	if (kinds || (titles.keys > 1 && line->has_second))
		return true;
	if (!cell_find(at, end, separator, 2, &cell))
		return false;
	field.at = cell.at;
	field.end = cell.end;
	if (!field_is_number(&field))
		return false;
	/* After a comment such as "# ip, score", a number is misread only as a prefix length. */
	return !heading->comment ||
	       (!(titles.second & NAME_SIZE) && !memchr(at, '/', cell.at - at) &&
		line->key.plen < 8 * key_bytes(&line->key));
}

/*
 * Return: true if a row is misread with the separator of its heading or its own separator.
 * Remarks in brackets, in a title or a row, can have other separators.
 */
static bool is_row_misread(const struct title_line *heading, const char *at, const char *end,
			   const struct line *line)
{
	char title = cell_separator(heading->at, heading->end);
	char own = cell_separator(at, columns_end(at, end));

	return is_misread(heading, at, end, title, line) ||
	       (own != title && is_misread(heading, at, end, own, line));
}

/* Return: true if LAYOUT_LIST finds a key in the row, which is not an exception. */
static bool has_key(const char *at, const char *end, struct line *line)
{
	static const struct syntax plain;

	line_parse(at, end - at, &plain, line);
	return (line->kind == LINE_KEY || line->kind == LINE_RANGE) && !line->exception;
}

const char *table_why(const char *text, size_t length)
{
	const char *end = text + length, *at, *stop;
	struct title_line heading = { 0 };
	struct line line;
	bool comment;

	if (length >= 3 && !memcmp(text, "\xef\xbb\xbf", 3))
		text += 3;
	for (; text < end; text = stop + 1) {
		stop = memchr(text, '\n', end - text);
		if (!stop)
			stop = end;
		at = skip_blanks(text, stop);
		comment = at < stop && (*at == ';' || is_comment(at, stop));
		while (comment && at < stop && strchr("#/; \t", *at) && *at)
			at++;
		if (at == stop)
			continue;
		if (comment || !has_key(text, stop, &line))
			note_heading(&heading, at, stop, comment);
		else if (heading.at && is_row_misread(&heading, at, stop, &line))
			return "it is a table with titles: --format csv reads it (--column names the column of the keys), and --format list ignores the titles";
	}
	return NULL;
}
