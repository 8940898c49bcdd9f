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
#define MEANINGS (NAME_SIZE | NAME_END | NAME_COUNT | NAME_FLAGS)

/**
 * struct title_line - a line that can be the heading of the rows after it
 * @at: start of the line, without the signs of a comment; NULL if no line was a heading
 * @end: end of the line
 * @separator: the character between the titles; a blank if only blanks separate them
 * @comment: the line is a comment
 */
struct title_line {
	const char *at;
	const char *end;
	char separator;
	bool comment;
};

/**
 * struct titles - the titles of a heading
 * @columns: number of columns
 * @kinds: the bits of MEANINGS that the titles have
 * @all: the bits NAME_* of all titles
 * @first: the bits NAME_* of the first title
 * @second: the bits NAME_* of the second title
 * @keys: number of titles that are usual for addresses
 * @has_key: a title is for the keys, so that a comment is a heading. Other titles, such as
 *	"permitted", can be words of prose with commas
 * @is_row: a column has a number, or an address, so the line is no heading
 * @is_prose: a column has a sign that titles do not have, or is a word such as "list"
 */
struct titles {
	int columns;
	unsigned int kinds;
	unsigned int all;
	unsigned int first;
	unsigned int second;
	int keys;
	bool has_key;
	bool is_row;
	bool is_prose;
};

/* Return: the separator of the columns of a line; a blank if the line has no other one. */
static char separator_of(const char *at, const char *end)
{
	char separator = cell_separator(at, end);

	return memchr(at, separator, end - at) ? separator : ' ';
}

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

/* Return: true if a column between blanks is not a title, but a word of prose. */
static bool is_prose(const struct field *field)
{
	static const char * const words[] = {
		"list", "lists", "blocklist", "blacklist", "denylist", "feed", "data", "addresses",
		"networks", "ranges", "blocks", "prefixes", "subnets",
	};
	const char *at;
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (field_is(field, words[i]))
			return true;
	for (at = field->at; at < field->end; at++)
		if (!is_name_sign(*at) || *at == '.')
			return true;
	return false;
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
		titles.is_prose |= is_prose(&field);
		kind = name_kinds(cell.at, cell.end - cell.at);
		titles.all |= kind;
		titles.keys += (kind & NAME_KEY && !(kind & NAME_SIZE)) || kind & NAME_HOST;
		titles.has_key |= kind & (NAME_KEY | NAME_START) ||
				  (kind & NAME_HOST && !(kind & NAME_LOOSE));
		if (++titles.columns == 1)
			titles.first = kind;
		else if (titles.columns == 2)
			titles.second = kind;
		/* "size" and "end" alone can be titles of other things. */
		if (kind & NAME_LOOSE || titles.columns == 1)
			kind &= NAME_FLAGS;
		titles.kinds |= kind & MEANINGS;
	}
	return titles;
}

/* Store a line that can be a heading, unless an earlier line is more certainly a heading. */
static void note_heading(struct title_line *heading, const char *at, const char *end,
			 bool comment)
{
	char separator;
	struct titles titles, before;

	while (end > at && is_blank(end[-1]))
		end--;
	separator = separator_of(at, end);
	titles = read_titles(at, end, separator);
	if (titles.columns < 2 || titles.is_row)
		return;
	/* Prose has blanks between its words, too. */
	if (separator == ' ' && (titles.is_prose || !(titles.first & (NAME_KEY | NAME_HOST))))
		return;
	if (comment && !titles.has_key && titles.keys < 2 && !(titles.all & NAME_FLAGS))
		return;
	if (heading->at) {
		before = read_titles(heading->at, heading->end, heading->separator);
		/* Prose after a heading must not hide the meaning of its titles. */
		if (!titles.has_key || (before.has_key && before.kinds && !titles.kinds))
			return;
	}
	*heading = (struct title_line){ at, end, separator, comment };
}

/* Return: true if a column of the row is a word for yes or no, and its title is for a flag. */
static bool has_flag(const struct title_line *heading, const char *at, const char *end,
		     char separator)
{
	const char *title = heading->at;
	struct cell cell, name;
	size_t length;

	for (; at && title; at = cell.next, title = name.next) {
		cell_parse(title, heading->end, heading->separator, &name);
		cell_parse(at, end, separator, &cell);
		length = cell.end - cell.at;
		if (length && name_kinds(name.at, name.end - name.at) & NAME_FLAGS &&
		    (name_value_is_yes(cell.at, length) || name_value_is_no(cell.at, length)))
			return true;
	}
	return false;
}

/*
 * Return: true if LAYOUT_LIST would not read the row as the titles of @heading say. @line: the
 * row as LAYOUT_LIST reads it. @separator: the character between columns of the row.
 */
static bool is_misread(const struct title_line *heading, const char *at, const char *end,
		       char separator, const struct line *line)
{
	bool blank = heading->separator == ' ';
	struct titles titles = read_titles(heading->at, heading->end,
					   blank ? ' ' : separator);
	unsigned int kinds = titles.kinds;
	struct field field = { 0 };
	struct cell cell;
	int columns;

	end = columns_end(at, end);
	columns = count_columns(at, end, separator);
	if (columns < 2 || titles.columns < 2 || titles.is_row ||
	    (heading->comment && columns > titles.columns) ||
	    (blank && columns != titles.columns))
		return false;
	if (heading->comment && !titles.has_key && titles.keys < 2)
		return cell_find(at, end, separator, titles.columns, &cell) && !cell.next &&
		       has_flag(heading, at, end, separator);
	/* A network or range needs no mask, and has no other end. */
	cell_parse(at, end, separator, &cell);
	if (memchr(cell.at, '/', cell.end - cell.at) || line->kind == LINE_RANGE)
		kinds &= ~(NAME_SIZE | NAME_END | NAME_COUNT);
	/* A list reads such a column as the title says. */
	if (blank)
		kinds &= ~(titles.second & (NAME_SIZE | NAME_END));
	if (kinds || (titles.keys > 1 && line->has_second))
		return true;
	if (!cell_find(at, end, separator, 2, &cell))
		return false;
	field.at = cell.at;
	field.end = cell.end;
	if (!field_is_number(&field))
		return false;
	/* After a comment such as "# ip, score", a number is misread only as a prefix length. */
	return (!heading->comment && !blank) ||
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
	char own = separator_of(at, columns_end(at, end));

	return is_misread(heading, at, end, heading->separator, line) ||
	       (own != heading->separator && is_misread(heading, at, end, own, line));
}

/* Return: true if LAYOUT_LIST finds a key in the row, which is not an exception. */
static bool has_key(const char *at, const char *end, struct line *line)
{
	static const struct syntax plain;

	line_parse(at, end - at, &plain, line);
	return (line->kind == LINE_KEY || line->kind == LINE_RANGE) && !line->exception;
}

static const char table_of_columns[] =
	"it is a table with titles: --format csv reads it (--column names the column of the keys), and --format list ignores the titles";
static const char table_of_words[] =
	"it is a table with titles and without commas: --format csv reads it with commas between its columns, and --format list ignores the titles";

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
			return heading.separator == ' ' ? table_of_words : table_of_columns;
	}
	return NULL;
}
