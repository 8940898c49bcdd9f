// SPDX-License-Identifier: GPL-2.0-only
/*
 * table_why() recognizes a table with titles in a text that would be read as a list, for
 * input.c.
 *
 * A list has its keys at the start of the lines, and its other columns have the meaning that
 * their content has: a number after an address can be a prefix length. In a table, the title
 * of a column says what the column means: the number can be a port or a number of addresses,
 * and "true" can mean that the address must not be blocked. LAYOUT_LIST does not know titles,
 * so a table is refused if a title matters. The user names the format then.
 */
#include <stdbool.h>
#include <string.h>

#include "input/cell.h"
#include "input/field.h"
#include "input/key.h"
#include "input/line.h"
#include "input/name.h"
#include "input/table.h"

/* Titles with these meanings change which addresses a row means. */
#define MEANINGS (NAME_SIZE | NAME_END | NAME_FLAG | NAME_EXCEPTION | NAME_IDS | NAME_COUNT)

/**
 * struct titles - a line that can be the heading of a table
 * @separator: the character between columns
 * @columns: number of columns; 0 if no line was a heading
 * @kinds: the bits of MEANINGS that all titles except the first have
 * @second: the meanings of the second title, as bits NAME_*
 * @comment: the line is a comment
 */
struct titles {
	char separator;
	int columns;
	unsigned int kinds;
	unsigned int second;
	bool comment;
};

/* Return: the number of columns of a line, without empty ones at its end. */
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

/* Return: true if the content of a column can be a title: it begins with no digit. */
static bool is_title(const struct cell *cell)
{
	return cell->at == cell->end || *cell->at < '0' || *cell->at > '9';
}

/*
 * Note a line that can be the heading of the rows after it. A comment is often prose with
 * commas, so it is a heading only if the whole content of a column is a title that is usual
 * for keys or flags.
 */
static void note_titles(struct titles *titles, const char *at, const char *end, bool comment)
{
	char separator = cell_separator(at, end);
	unsigned int kinds = 0, all = 0, second = 0, kind;
	int columns = count_columns(at, end, separator);
	const char *next = at;
	struct cell cell;
	int number = 0;

	for (; next; next = cell.next) {
		cell_parse(next, end, separator, &cell);
		if (!is_title(&cell))
			return;
		kind = name_kinds(cell.at, cell.end - cell.at);
		all |= kind;
		if (++number == 2)
			second = kind;
		/* "size" and "end" alone can be titles of other things. */
		if (kind & NAME_LOOSE)
			kind &= NAME_FLAG | NAME_EXCEPTION | NAME_IDS;
		if (number > 1)
			kinds |= kind & MEANINGS;
	}
	if (columns < 2 || (comment && !(all & (NAME_KEY | NAME_FLAG | NAME_IDS))))
		return;
	*titles = (struct titles){ separator, columns, kinds, second, comment };
}

/*
 * Return: true if LAYOUT_LIST finds a key in a row, but would not read the row as @titles
 * say: a title has a meaning; or a number follows the key, or, after a comment, is taken for
 * a prefix length.
 */
static bool is_misread(const struct titles *titles, const char *at, const char *end)
{
	static const struct syntax plain;
	struct field field = { 0 };
	struct cell cell;
	struct line line;
	int columns;

	columns = count_columns(at, end, titles->separator);
	if (columns < 2 || (titles->comment && columns != titles->columns))
		return false;
	line_parse(at, end - at, &plain, &line);
	if (line.kind == LINE_BAD || line.kind == LINE_BLANK || line.exception)
		return false;
	if (titles->kinds)
		return true;
	if (!cell_find(at, end, titles->separator, 2, &cell))
		return false;
	field.at = cell.at;
	field.end = cell.end;
	if (!field_is_number(&field))
		return false;
	/* Many lists have a comment such as "# ip, score": only a prefix length is wrong. */
	return !titles->comment ||
	       (!(titles->second & NAME_SIZE) && !memchr(at, '/', cell.at - at) &&
		line.key.plen < 8 * key_bytes(&line.key));
}

const char *table_why(const char *text, size_t length)
{
	const char *end = text + length, *at, *stop;
	struct titles titles = { 0 };
	bool comment;

	if (length >= 3 && !memcmp(text, "\xef\xbb\xbf", 3))
		text += 3;
	for (; text < end; text = stop + 1) {
		stop = memchr(text, '\n', end - text);
		if (!stop)
			stop = end;
		at = skip_blanks(text, stop);
		comment = is_comment(at, stop);
		while (comment && at < stop && (*at == '#' || *at == '/' || is_blank(*at)))
			at++;
		if (at == stop || *at == ';')
			continue;
		if (titles.columns && !comment && is_misread(&titles, text, stop))
			return "it is a table with titles: --format csv reads it (--column names the column of the keys), and --format list ignores the titles";
		note_titles(&titles, at, stop, comment);
	}
	return NULL;
}
