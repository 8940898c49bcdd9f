// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions find the heading of a table and the columns of the keys, for csv.c.
 */
#include <stdlib.h>
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
 * Set @found to the column @number. If an earlier column was found, set @twice of @csv instead,
 * and return false.
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
 * Return: the number, counted from 1, of the column with the title @name; or 0 if no column, or
 * several columns, have this title.
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

static int count_cells(const char *at, const char *end, char separator)
{
	struct cell cell;
	int count;

	for (count = 0; at; at = cell.next, count++)
		cell_parse(at, end, separator, &cell);
	return count;
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
 * Find a column by the @length bytes at @name: a title or, if @numbered, a number. Return: the
 * number of the column; 0 if no column, or several, have the title; or -1 for an invalid number.
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
 * Find the columns that the user chose, in the line from @at to @end. Return: 1 with @key and
 * @last of struct csv set; 0 if the line does not have the titles; or -1 after an error message.
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
 * Return: the number of the only column with a title that is usual for keys, or 0. In a heading
 * that has a title such as "ip", a title such as "cidr" is for prefix lengths, and one such as
 * "reporter_ip" for other addresses.
 */
static int guess_column(struct csv *csv, const char *at, const char *end, char separator)
{
	int number = 0, found = 0, size = 0, twice = 0, host = 0, hosts = 0;
	unsigned int kinds;
	struct cell cell;

	for (; at; at = cell.next) {
		cell_parse(at, end, separator, &cell);
		number++;
		kinds = name_kinds(cell.at, cell.end - cell.at);
		if (kinds & NAME_START)
			csv->ends[0] = number;
		else if (kinds & (NAME_END | NAME_TO))
			csv->ends[1] = number;
		if (kinds & NAME_HOST && !(kinds & NAME_LOOSE)) {
			hosts = host ? number : 0;
			host = host ? host : number;
		}
		if (!(kinds & NAME_KEY))
			continue;
		if (!(kinds & NAME_SIZE)) {
			if (!note_column(csv, number, &found))
				return 0;
		} else if (size) {
			twice = number;
		} else {
			size = number;
		}
	}
	if (found)
		return found;
	if (size)
		return twice && !note_column(csv, twice, &size) ? 0 : size;
	if (hosts && !note_column(csv, hosts, &host))
		return 0;
	return host;
}

/* Find the columns with the keys in the line from @at to @end. Return: as find_columns(). */
static int search_columns(struct reader *reader, const char *at, const char *end)
{
	struct csv *csv = reader->state;
	char separator = cell_separator(at, end);
	int key;

	memset(csv->twice, 0, sizeof(csv->twice));
	memset(csv->ends, 0, sizeof(csv->ends));
	if (heading_chosen(reader))
		return find_columns(reader, at, end, separator);
	key = guess_column(csv, at, end, separator);
	if (!key)
		return 0;
	csv->separator = separator;
	csv->key = key;
	csv->last = reader->syntax.ranges ? key + 1 : 0;
	return 1;
}

/*
 * Set @joined of @csv: the column whose title is certainly for masks or prefix lengths, or else
 * a column with a title such as "prefix". If two titles are equally good, set 0.
 */
static void find_joined(struct csv *csv)
{
	int certain = 0, networks = 0, number;
	unsigned int kind;

	csv->joined = 0;
	for (number = 1; number <= csv->titles && number <= CSV_COLUMN_MAX; number++) {
		kind = csv->titled[number];
		if (kind & NAME_SIZE && !(kind & NAME_LOOSE)) {
			csv->joined = number;
			certain++;
		} else if (kind & NAME_NETWORK) {
			csv->joined = certain ? csv->joined : number;
			networks++;
		} else if (kind & NAME_END && !(kind & NAME_LOOSE)) {
			certain++;
		}
	}
	if (certain > 1 || (!certain && networks > 1))
		csv->joined = 0;
}

static void take_titles(const struct reader *reader, const char *at, const char *end)
{
	struct csv *csv = reader->state;
	struct cell cell;
	unsigned int kind;

	csv->titles = 0;
	csv->meant = false;
	csv->excepts = false;
	memset(csv->titled, 0, sizeof(csv->titled));
	for (; at; at = cell.next) {
		cell_parse(at, end, csv->separator, &cell);
		kind = name_kinds(cell.at, cell.end - cell.at);
		csv->titles++;
		csv->excepts |= kind & NAME_EXCEPTION;
		csv->meant |= kind & NAME_FLAGS ||
			      (kind & (NAME_SIZE | NAME_END | NAME_COUNT) && !(kind & NAME_LOOSE));
		if (csv->titles == csv->last)
			csv->mask = kind & NAME_SIZE;
		if (csv->titles == csv->key)
			csv->start = kind & NAME_START;
		else if (csv->titles <= CSV_COLUMN_MAX)
			csv->titled[csv->titles] = kind;
	}
	if (!heading_chosen(reader))
		find_joined(csv);
}

int heading_take_comment(struct reader *reader, const char *at, const char *end)
{
	struct csv *csv = reader->state;
	const char *columns = heading_chosen(reader);
	int ret, key = csv->key, last = csv->last, count;

	while (at < end && (*at == '#' || *at == '/' || is_blank(*at)))
		at++;
	if (csv->begun && at < end)
		return heading_again(reader, at, end) < 0 ? -1 : 0;
	if (csv->begun || at == end || (columns && is_numbered(columns)))
		return 0;
	count = count_cells(at, end, cell_separator(at, end));
	/* A comment after the heading can be prose. */
	if (csv->titles > 1 && (count == 1 || (csv->meant && count != csv->titles)))
		return 0;
	ret = search_columns(reader, at, end);
	if (csv->twice[0])
		csv->unclear = count;
	if (ret > 0) {
		csv->differs |= key && (key != csv->key || last != csv->last);
		take_titles(reader, at, end);
	}
	return ret < 0 ? -1 : 0;
}

/*
 * Return: true if the content of a column can be a title: a word that is not a key. In a list of
 * byte strings, every word is a key.
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
	if (csv->ends[0] && csv->ends[1])
		return reader_error(reader,
				    "columns %d and %d have the ends of ranges: --column %d,%d reads both",
				    csv->ends[0], csv->ends[1], csv->ends[0], csv->ends[1]);
	return reader_error(reader, "the column with the keys is not known: name it with --column");
}

/*
 * The columns with the key are known from a comment. Check that the comment is the heading of
 * the first row, the line from @at to @end: prose can also have a word such as "network" between
 * commas.
 */
static int check_comment(struct reader *reader, const char *at, const char *end)
{
	struct csv *csv = reader->state;
	int number;

	if (csv->differs)
		return reader_error(reader,
				    "several comments could be the heading, with different columns: choose one by number, as in --column 1");
	/* The comment "# ip" shows no separator. */
	if (csv->titles == 1)
		csv->separator = cell_separator(at, end);
	number = count_cells(at, end, csv->separator);
	if (csv->key == 1 || number == csv->titles)
		return 0;
	return reader_error(reader,
			    "a comment names column %d of %d, but the row has %d: choose one by number, as in --column 1",
			    csv->key, csv->titles, number);
}

/* The first line is a row: find the columns with the key by a comment, or take the first column. */
static int find_without_heading(struct reader *reader, const char *at, const char *end)
{
	struct csv *csv = reader->state;

	if (csv->key)
		return check_comment(reader, at, end);
	if (heading_chosen(reader) || csv->twice[0])
		return heading_missing(reader);
	csv->separator = cell_separator(at, end);
	if (csv->unclear > 1 && csv->unclear == count_cells(at, end, csv->separator))
		return reader_error(reader,
				    "a comment has two titles that fit: choose one by number, as in --column 1");
	csv->key = 1;
	csv->last = reader->syntax.ranges ? 2 : 0;
	return 0;
}

/* As heading_begin(), but do not store the meanings of the titles. */
static int find_heading(struct reader *reader, const char *at, const char *end)
{
	struct csv *csv = reader->state;
	const char *columns = heading_chosen(reader);
	char separator = cell_separator(at, end);
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
		take_titles(reader, at, end);
	return heading;
}

/* Return: true if all columns of a line can be titles, and one is a title for an address. */
static bool is_heading(const struct reader *reader, const char *at, const char *end,
		       char separator)
{
	struct cell cell;
	bool key = false;
	unsigned int kind;

	for (; at; at = cell.next) {
		cell_parse(at, end, separator, &cell);
		if (cell.at < cell.end && !is_title(reader, &cell))
			return false;
		kind = name_kinds(cell.at, cell.end - cell.at);
		key |= kind & (NAME_KEY | NAME_START) ||
		       (kind & NAME_HOST && !(kind & NAME_LOOSE));
	}
	return key;
}

/* Return: true if all columns have the same meaning with both headings. */
static bool is_same_heading(const struct csv *a, const struct csv *b)
{
	const unsigned int meanings = NAME_FLAGS | NAME_SIZE | NAME_END | NAME_TO | NAME_COUNT;
	int number;

	if (a->key != b->key || a->last != b->last || a->mask != b->mask ||
	    a->joined != b->joined || a->start != b->start)
		return false;
	for (number = 1; number <= CSV_COLUMN_MAX; number++)
		if ((a->titled[number] ^ b->titled[number]) & meanings)
			return false;
	return true;
}

int heading_again(struct reader *reader, const char *at, const char *end)
{
	struct csv *csv = reader->state, *other;
	char separator = cell_separator(at, end);
	int count = count_cells(at, end, separator), ret;

	if (reader->syntax.kind != SYNTAX_INET || count != csv->columns || count < 2 ||
	    !is_heading(reader, at, end, separator))
		return 0;
	other = calloc(1, sizeof(*other));
	if (!other)
		return reader_error(reader, "not enough memory");
	reader->state = other;
	ret = search_columns(reader, at, end);
	if (ret > 0)
		take_titles(reader, at, end);
	reader->state = csv;
	if (ret >= 0 && is_same_heading(csv, other))
		ret = csv->titles > 0;
	else if (ret >= 0)
		ret = reader_error(reader, "another heading follows rows of the table: the rows after it need a file of their own");
	free(other);
	return ret;
}
