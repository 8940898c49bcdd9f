// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions find the heading of a table and the columns of the keys, for csv.c.
 */
#include <string.h>

#include "input/cell.h"
#include "input/columns.h"
#include "input/csv.h"
#include "input/field.h"
#include "input/heading.h"
#include "input/name.h"
#include "input/reader.h"
#include "number.h"

/*
 * Note that column @number fits. @found: 0, or the number of an earlier column that fits.
 * Return: true with @found set to @number; or false, with @twice of @csv set, if two columns
 * fit.
 */
static bool note_column(struct csv *csv, int number, int *found)
{
	if (*found) {
		csv->twice[0] = *found;
		csv->twice[1] = number;
		return false;
	}
	*found = number;
	return true;
}

/*
 * Return: the number, counted from 1, of the column with the title @name in a heading;
 * or 0 if the heading has no such column, or several. For several, set @twice of @csv.
 */
static int find_name(struct csv *csv, const char *at, const char *end, char separator,
		     const char *name, size_t length)
{
	struct cell cell;
	int number = 0, found = 0;

	for (; at; at = cell.next) {
		cell_parse(at, end, separator, &cell);
		number++;
		if (name_equals(cell.at, cell.end - cell.at, name, length) &&
		    !note_column(csv, number, &found))
			return 0;
	}
	return found;
}

/* Return: the separator that occurs most often outside quotes in a line. */
static char find_separator(const char *at, const char *end)
{
	static const char signs[] = ",;\t|";
	int counts[sizeof(signs)] = { 0 };
	const char *sign;
	bool quoted = false;
	size_t i, max = 0;

	for (; at < end; at++) {
		quoted ^= *at == '"';
		sign = *at && !quoted ? strchr(signs, *at) : NULL;
		if (sign)
			counts[sign - signs]++;
	}
	for (i = 1; i < sizeof(signs) - 1; i++)
		if (counts[i] > counts[max])
			max = i;
	return signs[max];
}

const char *heading_chosen(const struct reader *reader)
{
	const char *column = spec_option(reader->spec, "column");

	return column ? column : reader->syntax.column;
}

static bool is_numbered(const char *column)
{
	return column[strspn(column, "0123456789,")] == 0;
}

/*
 * Find a column by the @length bytes at @name, which are the name of the column or, if
 * @numbered, its number. Return: the number of the column; 0 if the line has no column
 * with this name, or several; or -1 for an invalid number.
 */
static int column_of(struct csv *csv, const char *at, const char *end, char separator,
		     const char *name, size_t length, bool numbered)
{
	__u64 number;

	if (!numbered)
		return find_name(csv, at, end, separator, name, length);
	return number_scan(name, length, CSV_COLUMN_MAX, &number) && number ?
	       (int)number : -1;
}

/*
 * Find the columns that the user chose, in the line from @at to @end, which can be a
 * heading. Return: 1 with @key and @last of struct csv set; 0 if the line does not have
 * the names of these columns; or -1 after an error message.
 */
static int find_columns(struct reader *reader, const char *at, const char *end,
			char separator)
{
	struct csv *csv = reader->state;
	const char *names = heading_chosen(reader), *comma = strchr(names, ',');
	size_t length = comma ? (size_t)(comma - names) : strlen(names);
	bool numbered = is_numbered(names);
	int key, last = 0;

	key = column_of(csv, at, end, separator, names, length, numbered);
	if (comma)
		last = column_of(csv, at, end, separator, comma + 1, strlen(comma + 1),
				 numbered);
	if (key < 0 || last < 0)
		return reader_error(reader,
				    "'%s' is not the number of a column, or of two, from 1 to %d: 3 or 1,2",
				    names, CSV_COLUMN_MAX);
	if (!key || (comma && !last))
		return 0;
	if (key == last)
		return reader_error(reader, "'%s' names column %d twice", names, key);
	csv->separator = separator;
	csv->key = key;
	csv->last = last ? last : reader->syntax.ranges ? key + 1 : 0;
	return 1;
}

/*
 * Find the column with the keys by the titles that such columns usually have. Return: 1
 * with @key and @last of struct csv set; or 0 if the line has none of these titles, or
 * several. For several, set @twice of struct csv.
 */
static int guess_column(struct reader *reader, const char *at, const char *end,
			char separator)
{
	struct csv *csv = reader->state;
	int number = 0, found = 0;
	struct cell cell;

	for (; at; at = cell.next) {
		cell_parse(at, end, separator, &cell);
		number++;
		if (name_kinds(cell.at, cell.end - cell.at) & NAME_KEY &&
		    !note_column(csv, number, &found))
			return 0;
	}
	if (!found)
		return 0;
	csv->separator = separator;
	csv->key = found;
	csv->last = reader->syntax.ranges ? found + 1 : 0;
	return 1;
}

/*
 * Find the columns with the keys in the line from @at to @end, which can be a heading.
 * Return: the same as find_columns().
 */
static int search_columns(struct reader *reader, const char *at, const char *end)
{
	struct csv *csv = reader->state;
	char separator = find_separator(at, end);

	memset(csv->twice, 0, sizeof(csv->twice));
	return heading_chosen(reader) ? find_columns(reader, at, end, separator) :
	       guess_column(reader, at, end, separator);
}

/*
 * Set @titles, @titled, @start and @mask of @csv from a heading: find the columns whose
 * titles have a meaning. In a table with a column for masks, prefix lengths or last
 * addresses, a key is more than one address.
 */
static void take_titles(struct csv *csv, const char *at, const char *end)
{
	struct cell cell;
	unsigned int kind;

	csv->titles = 0;
	csv->excepts = false;
	memset(csv->titled, 0, sizeof(csv->titled));
	for (; at; at = cell.next) {
		cell_parse(at, end, csv->separator, &cell);
		kind = name_kinds(cell.at, cell.end - cell.at);
		csv->titles++;
		csv->excepts |= kind & NAME_EXCEPTION;
		if (csv->titles == csv->last)
			csv->mask = kind & NAME_SIZE;
		if (csv->titles == csv->key)
			csv->start = kind & NAME_START;
		else if (csv->titles <= CSV_COLUMN_MAX)
			csv->titled[csv->titles] = kind;
	}
}

int heading_take_comment(struct reader *reader, const char *at, const char *end)
{
	struct csv *csv = reader->state;
	const char *columns = heading_chosen(reader);
	int ret, key = csv->key, last = csv->last;

	while (at < end && (*at == '#' || *at == '/' || is_blank(*at)))
		at++;
	if (csv->begun || at == end || (columns && is_numbered(columns)))
		return 0;
	ret = search_columns(reader, at, end);
	if (ret > 0) {
		csv->differs |= key && (key != csv->key || last != csv->last);
		take_titles(csv, at, end);
	}
	return ret < 0 ? -1 : 0;
}

/*
 * Return: true if the content of a column can be a title: a word that is not a key. In a
 * list of byte strings, return false, because every word is a key.
 */
static bool is_title(const struct reader *reader, const struct cell *cell)
{
	const char *at = cell->at;
	struct line line;

	reader_parse(reader, at, cell->end - at, &line);
	if (reader->syntax.kind != SYNTAX_INET || line.kind != LINE_BAD)
		return false;
	if (at == cell->end || (*at | 0x20) < 'a' || (*at | 0x20) > 'z')
		return false;
	return !memchr(at, '.', cell->end - at) && !memchr(at, ':', cell->end - at);
}

/* Return: true if a column of the line has an address, so that the line is no heading. */
static bool has_address(const struct reader *reader, const char *at, const char *end,
			char separator)
{
	struct field field = { 0 };
	struct cell cell;

	for (; at && reader->syntax.kind == SYNTAX_INET; at = cell.next) {
		cell_parse(at, end, separator, &cell);
		field.at = cell.at;
		field.end = cell.end;
		if (field_is_address(&field, &reader->syntax))
			return true;
	}
	return false;
}

int heading_missing(struct reader *reader)
{
	const struct csv *csv = reader->state;
	const char *columns = heading_chosen(reader);

	if (csv->twice[0])
		return reader_error(reader,
				    "columns %d and %d both have a title that fits: choose one by number, as in --column %d",
				    csv->twice[0], csv->twice[1], csv->twice[0]);
	if (columns)
		return reader_error(reader, "no heading has the column '%s'", columns);
	return reader_error(reader, "the column with the keys is not known: name it with --column");
}

/*
 * The columns with the key are known from a comment. Check that the comment is the
 * heading of the first row, the line from @at to @end: prose can also have a word such as
 * "network" between commas. Return: 0, or -1 after an error message.
 */
static int check_comment(struct reader *reader, const char *at, const char *end)
{
	struct csv *csv = reader->state;
	struct cell cell;
	int number = 0;

	if (csv->differs)
		return reader_error(reader,
				    "several comments could be the heading, with different columns: choose one by number, as in --column 1");
	/* The comment "# ip" shows no separator. */
	if (csv->titles == 1)
		csv->separator = find_separator(at, end);
	for (; at; at = cell.next, number++)
		cell_parse(at, end, csv->separator, &cell);
	if (csv->key == 1 || number == csv->titles)
		return 0;
	return reader_error(reader,
			    "a comment names column %d of %d, but the row has %d: choose one by number, as in --column 1",
			    csv->key, csv->titles, number);
}

/*
 * Find the columns with the key of a table whose first line, which is neither blank nor a
 * comment, is a row. Return: 0, or -1 after an error message.
 */
static int find_without_heading(struct reader *reader, const char *at, const char *end)
{
	struct csv *csv = reader->state;

	if (csv->key)
		return check_comment(reader, at, end);
	if (heading_chosen(reader) || csv->twice[0])
		return heading_missing(reader);
	csv->separator = find_separator(at, end);
	csv->key = 1;
	csv->last = reader->syntax.ranges ? 2 : 0;
	return 0;
}

/* Do the same as heading_begin(), but do not store the meanings of the titles. */
static int find_heading(struct reader *reader, const char *at, const char *end)
{
	struct csv *csv = reader->state;
	const char *columns = heading_chosen(reader);
	char separator = find_separator(at, end);
	bool numbered = columns && is_numbered(columns);
	bool row = !numbered && has_address(reader, at, end, separator);
	struct cell cell;
	int ret;

	csv->begun = true;
	memset(csv->twice, 0, sizeof(csv->twice));
	ret = row ? 0 : search_columns(reader, at, end);
	if (ret < 0)
		return -1;
	if (numbered)
		return cell_find(at, end, separator, csv->key, &cell) &&
		       is_title(reader, &cell);
	if (ret)
		return 1;
	if (csv->key && row)
		return check_comment(reader, at, end);
	cell_parse(at, end, separator, &cell);
	if (is_title(reader, &cell) ||
	    (csv->key && cell_find(at, end, csv->separator, csv->key, &cell) &&
	     is_title(reader, &cell)))
		return heading_missing(reader);
	return find_without_heading(reader, at, end);
}

int heading_begin(struct reader *reader, const char *at, const char *end)
{
	int heading = find_heading(reader, at, end);

	if (heading > 0)
		take_titles(reader->state, at, end);
	return heading;
}
