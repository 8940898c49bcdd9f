// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions read tables of comma-separated values (CSV), with the keys in
 * any column.
 *
 * A row is one line. The separator of columns is the character among ',', ';', '|' and
 * tab that occurs most often outside quotes in the heading or, without a heading, in the
 * first row. The heading can be a comment line, as in lists of abuse.ch.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "input/columns.h"
#include "input/csv.h"
#include "input/field.h"
#include "input/key.h"
#include "input/reader.h"
#include "input/titles.h"
#include "input/words.h"
#include "number.h"

const char * const csv_options[] = { "column", NULL };

/**
 * struct cell - a column of a row
 * @at: first byte of the content, without quotes and blanks around it
 * @end: end of the content
 * @next: start of the next column, or NULL if this is the last column
 * @open: the content begins with a quote, and the line has no closing quote
 * @bad: text follows the closing quote
 */
struct cell {
	const char *at;
	const char *end;
	const char *next;
	bool open;
	bool bad;
};

/* Return: the closing quote for the opening quote at @at, or NULL. */
static const char *closing_quote(const char *at, const char *end)
{
	for (at++; at < end; at++) {
		if (*at != '"')
			continue;
		if (at + 1 == end || at[1] != '"')
			return at;
		at++;
	}
	return NULL;
}

/* Parse the column of a row that begins at @at. @end: end of the row. */
static void parse_cell(const char *at, const char *end, char separator,
		       struct cell *cell)
{
	const char *quote, *stop;

	memset(cell, 0, sizeof(*cell));
	while (at < end && is_blank(*at) && *at != separator)
		at++;
	cell->at = at;
	cell->end = end;
	quote = at < end && *at == '"' ? closing_quote(at, end) : NULL;
	cell->open = at < end && *at == '"' && !quote;
	if (cell->open)
		return;
	stop = memchr(quote ? quote : at, separator, end - (quote ? quote : at));
	cell->next = stop ? stop + 1 : NULL;
	if (!stop)
		stop = end;
	cell->end = quote ? quote : stop;
	cell->at += !!quote;
	cell->bad = quote && skip_blanks(quote + 1, stop) != stop;
	cell->at = skip_blanks(cell->at, cell->end);
	while (cell->end > cell->at && is_blank(cell->end[-1]))
		cell->end--;
}

/*
 * Find column @number of a row, counted from 1. Return: false if the row has fewer
 * columns.
 */
static bool find_cell(const char *at, const char *end, char separator,
		      int number, struct cell *cell)
{
	do {
		parse_cell(at, end, separator, cell);
		at = cell->next;
	} while (--number && at);
	return !number;
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
		parse_cell(at, end, separator, &cell);
		number++;
		if (!title_is(cell.at, cell.end - cell.at, name, length))
			continue;
		if (found) {
			csv->twice[0] = found;
			csv->twice[1] = number;
			return 0;
		}
		found = number;
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

/*
 * Return: the name or number of the column that the user chose, or of two columns, with
 * a comma between them; or NULL if the user chose no column.
 */
static const char *wanted(const struct reader *reader)
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
	const char *names = wanted(reader), *comma = strchr(names, ',');
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
		parse_cell(at, end, separator, &cell);
		number++;
		if (!(title_kind(cell.at, cell.end - cell.at) & TITLE_KEY))
			continue;
		if (found) {
			csv->twice[0] = found;
			csv->twice[1] = number;
			return 0;
		}
		found = number;
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
	return wanted(reader) ? find_columns(reader, at, end, separator) :
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
	memset(csv->titled, 0, sizeof(csv->titled));
	for (; at; at = cell.next) {
		parse_cell(at, end, csv->separator, &cell);
		kind = title_kind(cell.at, cell.end - cell.at);
		csv->titles++;
		if (csv->titles == csv->last)
			csv->mask = kind & TITLE_SIZE;
		if (csv->titles == csv->key)
			csv->start = kind & TITLE_START;
		else if (csv->titles <= CSV_COLUMN_MAX)
			csv->titled[csv->titles] = kind;
	}
}

/*
 * If no row or heading has been read yet, and the user has not chosen columns by number,
 * check whether a comment is the heading. Return: 0, or -1 after an error message.
 */
static int take_comment(struct reader *reader, const char *at, const char *end)
{
	struct csv *csv = reader->state;
	const char *columns = wanted(reader);
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
		parse_cell(at, end, separator, &cell);
		field.at = cell.at;
		field.end = cell.end;
		if (field_is_address(&field, &reader->syntax))
			return true;
	}
	return false;
}

/* Print an error: the column with the keys is not known. Return: -1. */
static int no_key_column(struct reader *reader)
{
	const struct csv *csv = reader->state;
	const char *columns = wanted(reader);

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
		parse_cell(at, end, csv->separator, &cell);
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
	if (wanted(reader) || csv->twice[0])
		return no_key_column(reader);
	csv->separator = find_separator(at, end);
	csv->key = 1;
	csv->last = reader->syntax.ranges ? 2 : 0;
	return 0;
}

/*
 * Find the columns with the key, with the help of the first line that is neither blank
 * nor a comment. A heading in this line takes precedence over one in a comment. Return: 1
 * if the line is a heading; 0 if the line is a row; or -1 after an error message.
 */
static int find_heading(struct reader *reader, const char *at, const char *end)
{
	struct csv *csv = reader->state;
	const char *columns = wanted(reader);
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
		return find_cell(at, end, separator, csv->key, &cell) &&
		       is_title(reader, &cell);
	if (ret)
		return 1;
	if (csv->key && row)
		return check_comment(reader, at, end);
	parse_cell(at, end, separator, &cell);
	if (is_title(reader, &cell) ||
	    (csv->key && find_cell(at, end, csv->separator, csv->key, &cell) &&
	     is_title(reader, &cell)))
		return no_key_column(reader);
	return find_without_heading(reader, at, end);
}

/*
 * Call find_heading(). If the line is a heading, also call take_titles(). Return: the
 * same as find_heading().
 */
static int begin(struct reader *reader, const char *at, const char *end)
{
	int heading = find_heading(reader, at, end);

	if (heading > 0)
		take_titles(reader->state, at, end);
	return heading;
}

/* Return: the meanings of the title of column @number, as bits TITLE_*. */
static unsigned int titled(const struct csv *csv, int number)
{
	return number > CSV_COLUMN_MAX ? 0 : csv->titled[number];
}

/* Return: true if the content of a column is one of @words, which ends with NULL. */
static bool is_one_of(const struct field *field, const char * const *words)
{
	for (; *words; words++)
		if (field_is(field, *words))
			return true;
	return false;
}

/*
 * Check a column whose title is "whitelisted", "to_ids" or the like. JSON has the same
 * rules (selection.c). Set @skip of @csv if the key must not be used, and @why to an error
 * text if the column is not understood. Return: true if the key must not be blocked.
 */
static bool check_flag(struct csv *csv, unsigned int kind, const struct field *field,
		       const char **why)
{
	static const char * const yes[] = { "true", "yes", "1", NULL };
	static const char * const no[] = { "false", "no", "0", "", NULL };
	bool set = is_one_of(field, yes);
	const char *at;

	if (kind & TITLE_IDS && !set && !is_one_of(field, no))
		*why = "the column to_ids is neither 0 nor 1";
	csv->skip |= kind & TITLE_IDS && !set;
	if (field_is_number(field))
		for (at = field->at; at < field->end; at++)
			set |= *at != '0';
	return kind & TITLE_ALLOW && set;
}

/*
 * Check all columns of a row. Set @why to an error text if a quoted column is malformed,
 * or if a column excludes a part of the key. Set @open of @csv if a quoted column does
 * not end on the line, and @skip if the row says that its key is not for blocking. Return:
 * true if a column that is not part of the key has a word such as "allow", or a title such
 * as "whitelisted" and the value "true", so that the key must not be blocked.
 */
static bool check_cells(struct csv *csv, const char *at, const char *end,
			const char **why)
{
	struct field field = { 0 };
	struct cell cell;
	bool exception = false;
	int number = 0;

	csv->skip = false;
	for (; at; at = cell.next) {
		parse_cell(at, end, csv->separator, &cell);
		number++;
		if (cell.open)
			*why = "a quoted column does not end on its line";
		else if (cell.bad)
			*why = "text follows the closing quote of a column";
		csv->open |= cell.open;
		field.at = cell.at;
		field.start = cell.at;
		field.end = cell.end;
		field.next = cell.end;
		if (number == csv->key)
			continue;
		if (field_is_partial(&field, cell.end, true))
			*why = line_partial;
		if (number != csv->last)
			exception |= field_is_exception(&field, end, true) |
				     check_flag(csv, titled(csv, number), &field, why);
	}
	return exception;
}

/*
 * Parse a byte string in a column. In a quoted column, two quotes in a row are one
 * quote of the string.
 */
static void parse_string(const struct cell *cell, const char *text,
			 struct line *line)
{
	size_t length = cell->end - cell->at, i, to = 0;
	bool quoted = cell->at > text && cell->at[-1] == '"';

	if (!quoted || length > sizeof(line->decoded)) {
		line_take_bytes(cell->at, length, line);
		return;
	}
	for (i = 0; i < length; i++) {
		line->decoded[to++] = cell->at[i];
		i += cell->at[i] == '"' && i + 1 < length && cell->at[i + 1] == '"';
	}
	line_take_bytes((const char *)line->decoded, to, line);
}

/*
 * Parse the columns @first and @last of a row: the ends of a range, or an address and
 * its mask.
 */
static void parse_range(const struct reader *reader, const struct cell *first,
			const struct cell *last, struct line *line)
{
	reader_parse(reader, first->at, first->end - first->at, line);
	columns_take_last(line, last->at, last->end,
			  ((struct csv *)reader->state)->mask, &reader->syntax);
	if (line->kind == LINE_RANGE && reader->syntax.no_ranges)
		line_bad(line, reader->syntax.no_ranges);
}

/*
 * Find the columns with the key in a row. Return: NULL; or an error text if the row is
 * bad.
 */
static const char *find_key(const struct csv *csv, const char *at, const char *end,
			    struct cell *first, struct cell *last)
{
	if (!find_cell(at, end, csv->separator, csv->key, first) ||
	    (csv->last && !find_cell(at, end, csv->separator, csv->last, last)))
		return "the row has no column of this number";
	return first->at == first->end ? "the column with the key is empty" : NULL;
}

/*
 * Print an error: column @number has masks, prefix lengths or last addresses, but the
 * user did not choose this column. Without this column, a key would be a single address
 * instead of a network or range. Return: -1.
 */
static int refuse_title(struct reader *reader, int number)
{
	int key = ((struct csv *)reader->state)->key;

	return reader_error(reader,
			    "column %d has the mask, the prefix length or the last address of each key in column %d: --column %d,%d reads both",
			    number, key, key, number);
}

/*
 * Check a column that has a title for masks, prefix lengths or last addresses. Mark @line
 * as bad if the column is not understood. Return: 0, or -1 after an error message.
 */
static int take_titled(struct reader *reader, int number, const struct cell *cell,
		       struct line *line)
{
	unsigned int kind = titled(reader->state, number);
	bool size = kind & TITLE_SIZE, loose = kind & TITLE_LOOSE;

	if (!(kind & (TITLE_SIZE | TITLE_END)) || cell->at == cell->end)
		return 0;
	if ((size && columns_is_size(line, cell->at, cell->end, loose)) ||
	    columns_is_second(line, cell->at, cell->end, &reader->syntax))
		return refuse_title(reader, number);
	columns_check_titled(line, cell->at, cell->end, size, loose, &reader->syntax);
	return 0;
}

/*
 * Check all columns of a row except the column of the key. The key of @line is an address
 * without a prefix length; combine the key with a mask, a prefix length or a last address
 * in the next column. Return: 0, or -1 after an error message.
 */
static int take_others(struct reader *reader, const char *at, const char *end,
		       struct line *line)
{
	const struct syntax *syntax = &reader->syntax;
	struct csv *csv = reader->state;
	struct cell cell;
	int number = 0;

	for (; at && line->kind == LINE_KEY; at = cell.next) {
		parse_cell(at, end, csv->separator, &cell);
		if (++number == csv->key)
			continue;
		if (take_titled(reader, number, &cell, line))
			return -1;
		if (line->kind == LINE_BAD)
			break;
		if (number == csv->key + 1 && number > csv->titles)
			columns_take_cell(line, cell.at, cell.end, wanted(reader), syntax);
		else if (number == csv->key + 2 && line->has_second)
			columns_take_third(line, cell.at, cell.end, syntax);
		else
			columns_check_cell(line, cell.at, cell.end,
					   number == csv->key + 1, syntax);
		if (line->kind == LINE_KEY && !line->has_second &&
		    (!wanted(reader) || csv->start))
			columns_check_further(line, cell.at, cell.end, syntax);
	}
	if (line->kind == LINE_KEY && line->has_second)
		key_rewrite(line);
	return 0;
}

static void count_columns(struct reader *reader, const struct line *line)
{
	reader->input->columns.numbers += line->has_number;
	reader->input->columns.seconds += line->has_second;
}

static int take_row(struct reader *reader, const char *at, const char *end)
{
	struct csv *csv = reader->state;
	struct cell first, last;
	const char *why = NULL, *missing;
	struct line line;
	bool exception;

	reader->input->lines++;
	exception = check_cells(csv, at, end, &why);
	missing = find_key(csv, at, end, &first, &last);
	if (why || missing) {
		reader_bad(reader, why ? why : missing, at, end - at);
		return 0;
	}
	if (csv->skip) {
		reader_skip(reader, "the column to_ids says that the key is not for blocking");
		return 0;
	}
	if (reader->syntax.kind != SYNTAX_INET)
		parse_string(&first, at, &line);
	else if (csv->last)
		parse_range(reader, &first, &last, &line);
	else
		reader_parse(reader, first.at, first.end - first.at, &line);
	if (reader->syntax.kind == SYNTAX_INET && !csv->last && line.kind == LINE_KEY) {
		key_check_bare(&line);
		if (line.bare && take_others(reader, at, end, &line))
			return -1;
	}
	if (line.kind == LINE_KEY || line.kind == LINE_RANGE)
		count_columns(reader, &line);
	line.exception = exception;
	return reader_take(reader, &line);
}

/*
 * Update @open of @csv for a line that is not parsed: each quote opens or closes a
 * quoted column.
 */
static void skip_quotes(struct csv *csv, const char *at, const char *end)
{
	for (; at < end; at++)
		csv->open ^= *at == '"';
}

void csv_broken(struct reader *reader, const char *text, size_t length)
{
	skip_quotes(reader->state, text, text + length);
}

/*
 * Report a line as bad, because it is part of a quoted column that began on an earlier
 * line.
 */
static int skip_quoted(struct reader *reader, const char *at, const char *end)
{
	reader->input->lines++;
	skip_quotes(reader->state, at, end);
	reader_bad(reader, "the line is part of a quoted column of an earlier line",
		   at, end - at);
	return 0;
}

int csv_line(struct reader *reader, const char *text, size_t length)
{
	const char *end = text + length, *at;
	struct csv *csv = reader->state;
	int heading = 0;

	if (csv->open)
		return skip_quoted(reader, text, end);
	at = skip_blanks(text, end);
	if (at == end)
		return 0;
	if (is_comment(at, end))
		return take_comment(reader, at, end);
	while (is_blank(end[-1]) && end[-1] != '\t')
		end--;
	if (!csv->begun)
		heading = begin(reader, text, end);
	if (heading < 0)
		return -1;
	if (!heading)
		return take_row(reader, text, end);
	reader_skip(reader, "the line is the heading of the table");
	return 0;
}

int csv_end(struct reader *reader)
{
	struct csv *csv = reader->state;

	return csv->key || !csv->begun ? 0 : no_key_column(reader);
}
