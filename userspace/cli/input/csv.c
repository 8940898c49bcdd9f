// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions read tables of comma-separated values (CSV), with the keys in any column.
 *
 * A row is one line. cell_separator() finds the separator of columns in the heading or, without
 * a heading, in the first row. The heading can be a comment line, as in lists of abuse.ch.
 */
#include <string.h>
#include <strings.h>

#include "input/cell.h"
#include "input/columns.h"
#include "input/csv.h"
#include "input/field.h"
#include "input/heading.h"
#include "input/key.h"
#include "input/name.h"
#include "input/reader.h"
#include "input/words.h"

const char * const csv_options[] = { "column", NULL };

static unsigned int titled(const struct csv *csv, int number)
{
	return number > CSV_COLUMN_MAX ? 0 : csv->titled[number];
}

static bool is_name_or_address(const struct reader *reader, const struct field *field)
{
	size_t length = field->end - field->at;

	if (field_is_address(field, &reader->syntax) || field_has_part(field))
		return true;
	return memchr(field->at, '.', length) && !memchr(field->at, ' ', length) &&
	       !memchr(field->at, ':', length) && (field->end[-1] | 0x20) >= 'a';
}

/*
 * Check a column whose title is "whitelisted", "to_ids" or the like. Set @skip of @csv if the
 * key must not be used, and @why to an error text if the column is not understood. Return: true
 * if the key must not be blocked.
 */
static bool check_flag(const struct reader *reader, unsigned int kind,
		       const struct field *field, const char **why)
{
	bool set = name_value_is_yes(field->at, field->end - field->at);
	bool unset = name_value_is_no(field->at, field->end - field->at);
	struct csv *csv = reader->state;
	const char *at;

	if (kind & NAME_IDS && !set && !unset)
		*why = "the column to_ids is neither 0 nor 1";
	csv->skip |= (kind & NAME_IDS && !set) || (kind & NAME_OFF && set) ||
		     (kind & NAME_ON && unset && field->at < field->end &&
		      !(kind & NAME_LOOSE && field_is_number(field)));
	if (!(kind & (NAME_FLAG | NAME_EXCEPTION)) || kind & (NAME_SIZE | NAME_END | NAME_TO))
		return false;
	if (kind & NAME_FLAG && field_is_number(field))
		for (at = field->at; at < field->end; at++)
			set |= *at != '0';
	if (!set && !unset && !is_name_or_address(reader, field))
		*why = "a column with a title such as 'whitelisted' is neither true nor false";
	return set;
}

/* Return: true if a title changes which addresses a row means, whatever the column has. */
static bool has_meaning(unsigned int kind)
{
	return kind & NAME_FLAGS ||
	       (kind & (NAME_SIZE | NAME_END | NAME_COUNT) &&
		(!(kind & NAME_LOOSE) || kind & NAME_NETWORK));
}

/*
 * Check all columns of a row. Set @why to an error text if a column makes the row bad. Set @open
 * of @csv if a quoted column does not end on the line, and @skip if the row says that its key is
 * not for blocking. Return: true if a column makes the key an exception.
 */
static bool check_cells(const struct reader *reader, const char *at, const char *end,
			const char **why)
{
	struct csv *csv = reader->state;
	struct field field = { 0 };
	struct cell cell;
	bool exception = false;
	int number = 0, missing;

	csv->skip = false;
	for (; at; at = cell.next) {
		cell_parse(at, end, csv->separator, &cell);
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
		if (csv->meant && number > csv->titles && cell.at < cell.end)
			*why = "the row has more columns than the heading";
		if (number == csv->key)
			continue;
		if (field_is_partial(&field, cell.end, true))
			*why = line_partial;
		if (number == csv->last)
			continue;
		if (field_is_negation(&field, cell.end, true))
			*why = line_negation;
		exception |= field_is_exception(&field, end, true) ||
			     text_forbids(cell.at, cell.end) ||
			     (titled(csv, number) & NAME_ACTION &&
			      name_value_allows(cell.at, cell.end - cell.at));
		exception |= check_flag(reader, titled(csv, number), &field, why);
	}
	csv->columns = number;
	/* Spreadsheets leave out empty columns at the end, but the row can also be cut off. */
	for (missing = number + 1; missing <= csv->titles; missing++)
		if (has_meaning(titled(csv, missing)))
			*why = "the row has fewer columns than the heading";
	return exception;
}

/* Parse a byte string in a column. In a quoted column, two quotes in a row are one quote. */
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

/* Parse the columns @first and @last of a row, which together are one key or range. */
static void parse_range(const struct reader *reader, const struct cell *first,
			const struct cell *last, struct line *line)
{
	reader_parse(reader, first->at, first->end - first->at, line);
	columns_take_last(line, last->at, last->end,
			  ((struct csv *)reader->state)->mask, &reader->syntax);
	if (line->kind == LINE_RANGE && reader->syntax.no_ranges)
		line_bad(line, reader->syntax.no_ranges);
}

/* Skip the scope that CrowdSec writes before an address, as in "Ip:192.0.2.1". */
static void skip_scope(struct cell *cell)
{
	static const char * const scopes[] = { "ip:", "range:" };
	size_t i, length;

	for (i = 0; i < sizeof(scopes) / sizeof(*scopes); i++) {
		length = strlen(scopes[i]);
		if ((size_t)(cell->end - cell->at) > length &&
		    !strncasecmp(cell->at, scopes[i], length)) {
			cell->at += length;
			return;
		}
	}
}

static const char *find_key(const struct csv *csv, const char *at, const char *end,
			    struct cell *first, struct cell *last)
{
	if (!cell_find(at, end, csv->separator, csv->key, first) ||
	    (csv->last && !cell_find(at, end, csv->separator, csv->last, last)))
		return "the row has no column of this number";
	return first->at == first->end ? "the column with the key is empty" : NULL;
}

/*
 * Print an error: column @number has a mask, a prefix length or a last address, but the user did
 * not choose this column. Return: -1.
 */
static int refuse_title(struct reader *reader, int number)
{
	int key = ((struct csv *)reader->state)->key;

	return reader_error(reader,
			    "column %d has the mask, the prefix length or the last address of each key in column %d: --column %d,%d reads both",
			    number, key, key, number);
}

static bool cell_is_address(const struct reader *reader, const struct cell *cell)
{
	const struct field field = {
		.at = cell->at, .end = cell->end, .start = cell->at, .next = cell->end,
	};

	return cell->at < cell->end && field_is_address(&field, &reader->syntax);
}

/*
 * Return: true if an address in the column can be the first address of a network around the key,
 * as under the title "subnet"; the row still means only the key. Return false for a mask or
 * wildcard, which begins with 255 or 0.
 */
static bool is_network(unsigned int kind, const struct cell *cell)
{
	size_t length = cell->end - cell->at;

	return kind & NAME_NETWORK && kind & NAME_LOOSE &&
	       !(length > 4 && !memcmp(cell->at, "255.", 4)) &&
	       !(length > 2 && !memcmp(cell->at, "0.", 2));
}

/*
 * Check a column that has a title for masks, prefix lengths, numbers of addresses or last
 * addresses. Mark @line as bad if the column is not understood. Return: 0; 1 if the column must
 * be combined with the key; or -1 after an error message.
 */
static int take_titled(struct reader *reader, int number, const struct cell *cell,
		       struct line *line)
{
	struct csv *csv = reader->state;
	unsigned int kind = titled(csv, number);
	bool joined = number == csv->joined;
	bool size = kind & NAME_SIZE, loose = kind & NAME_LOOSE && !joined;

	if (name_value_is_empty(cell->at, cell->end - cell->at))
		return 0;
	if (kind & (NAME_SIZE | NAME_KEY) &&
	    line_is_within(line, cell->at, cell->end - cell->at, &reader->syntax)) {
		line_bad(line, "the key is the first address of a network or range in another column: name the other column with --column");
		return 0;
	}
	if (kind & NAME_UNSURE && columns_is_size(line, cell->at, cell->end, true))
		return refuse_title(reader, number);
	if (kind & NAME_COUNT && !size)
		columns_check_count(line, cell->at, cell->end, loose);
	if (!(kind & (NAME_SIZE | NAME_END | NAME_TO)))
		return 0;
	if ((size && columns_is_size(line, cell->at, cell->end, loose)) ||
	    (!is_network(kind, cell) &&
	     columns_is_second(line, cell->at, cell->end, &reader->syntax)))
		return joined ? 1 : refuse_title(reader, number);
	if (joined && kind & NAME_KEY && cell_is_address(reader, cell)) {
		csv->twice[0] = csv->key;
		csv->twice[1] = number;
		return heading_missing(reader);
	}
	if (kind & NAME_COUNT)
		columns_check_count(line, cell->at, cell->end, loose);
	if (line->kind != LINE_BAD)
		columns_check_titled(line, cell->at, cell->end, size, loose,
				     &reader->syntax);
	return 0;
}

/*
 * Return: true if the title of column @number is for exceptions, and the column has an address.
 */
static bool is_excepted(const struct reader *reader, int number, const struct cell *cell)
{
	const struct csv *csv = reader->state;
	unsigned int kind = titled(csv, number);
	const struct field field = {
		.at = cell->at, .end = cell->end, .start = cell->at, .next = cell->end,
	};

	return kind & NAME_EXCEPTION && !(kind & (NAME_SIZE | NAME_END | NAME_TO)) &&
	       number != csv->last && cell->at < cell->end &&
	       (field_is_address(&field, &reader->syntax) || field_has_part(&field));
}

/*
 * Return: true if the row is a record of a registry without a heading, as in
 * "ipv4|192.0.2.0|256": the number after the key is a number of addresses.
 */
static bool is_record(const struct csv *csv, const char *at, const char *end)
{
	struct cell cell;

	return !csv->titles && csv->key > 1 &&
	       cell_find(at, end, csv->separator, csv->key - 1, &cell) &&
	       name_equals(cell.at, cell.end - cell.at, "ipv4", 4);
}

/*
 * Check the columns of a row whose key is an address without a prefix length. Combine the key
 * with a mask, a prefix length or a last address in the next column, or with the column @joined
 * of struct csv.
 */
static int take_others(struct reader *reader, const char *at, const char *end,
		       struct line *line)
{
	const struct syntax *syntax = &reader->syntax;
	struct csv *csv = reader->state;
	bool record = is_record(csv, at, end);
	struct cell cell, joined = { 0 };
	int number = 0, ret;

	for (; at && line->kind == LINE_KEY; at = cell.next) {
		cell_parse(at, end, csv->separator, &cell);
		if (++number == csv->key || is_excepted(reader, number, &cell))
			continue;
		if (record && number == csv->key + 1)
			columns_check_count(line, cell.at, cell.end, false);
		ret = take_titled(reader, number, &cell, line);
		if (ret < 0)
			return -1;
		if (line->kind == LINE_BAD)
			break;
		if (ret) {
			joined = cell;
			continue;
		}
		if (number == csv->key + 1 && number > csv->titles)
			columns_take_cell(line, cell.at, cell.end, heading_chosen(reader), syntax);
		else if (number == csv->key + 2 && line->has_second)
			columns_take_third(line, cell.at, cell.end, syntax);
		else
			columns_check_cell(line, cell.at, cell.end,
					   number == csv->key + 1, syntax);
		/* A list reads it as a length, and this title says nothing else. */
		if (number == csv->key + 1 && number <= csv->titles && !titled(csv, number) &&
		    !heading_chosen(reader) && columns_is_size(line, cell.at, cell.end, true))
			line_bad(line, "the column after the key could have a prefix length: --column names the column of the key, or both");
		if (line->kind == LINE_KEY && !line->has_second &&
		    (!heading_chosen(reader) || csv->start))
			columns_check_further(line, cell.at, cell.end, syntax);
	}
	if (line->kind == LINE_KEY && joined.at)
		columns_take_last(line, joined.at, joined.end, true, syntax);
	else if (line->kind == LINE_KEY && line->has_second)
		key_rewrite(line);
	return 0;
}

/*
 * Mark @line, whose key is a network or range, as bad if a column that is titled for an end or
 * a mask of the key has another one.
 */
static void compare_titled(const struct reader *reader, const char *at, const char *end,
			   struct line *line)
{
	const struct csv *csv = reader->state;
	unsigned int kind;
	struct cell cell;
	int number = 0;

	for (; at && line->kind != LINE_BAD; at = cell.next) {
		cell_parse(at, end, csv->separator, &cell);
		kind = ++number == csv->key ? 0 : titled(csv, number);
		if (kind & NAME_START)
			columns_compare_first(line, cell.at, cell.end, &reader->syntax);
		else if (kind & (NAME_END | NAME_TO))
			columns_compare_last(line, cell.at, cell.end, &reader->syntax);
		else if (kind & NAME_SIZE && (!(kind & NAME_LOOSE) || number == csv->joined))
			columns_compare_size(line, cell.at, cell.end, &reader->syntax);
	}
}

/*
 * Mark @line, whose key is a network or range, as bad if another column has an address, which
 * could be the key.
 */
static void check_further(const struct reader *reader, const char *at, const char *end,
			  struct line *line)
{
	const struct csv *csv = reader->state;
	struct cell cell;
	int number = 0;

	for (; at && line->kind != LINE_BAD; at = cell.next) {
		cell_parse(at, end, csv->separator, &cell);
		if (++number == csv->key || is_excepted(reader, number, &cell) ||
		    titled(csv, number) & (NAME_SIZE | NAME_END | NAME_TO | NAME_START))
			continue;
		columns_check_further(line, cell.at, cell.end, &reader->syntax);
	}
}

/*
 * Parse the exceptions in the columns of a row, and set @why to an error text if an exception is
 * bad. With @take, pass the exceptions to the sink (input_sink, input.h).
 */
static int parse_exceptions(struct reader *reader, const char *at, const char *end,
			    bool take, const char **why)
{
	struct csv *csv = reader->state;
	struct cell cell;
	struct line line;
	int number = 0, count = 0;

	for (; at && csv->excepts; at = cell.next) {
		cell_parse(at, end, csv->separator, &cell);
		if (!is_excepted(reader, ++number, &cell))
			continue;
		if (++count > 1)
			*why = "two columns have exceptions: these could be the ends of a range";
		line_parse_alone(cell.at, cell.end - cell.at, &reader->syntax, &line);
		line.exception = true;
		if (line.kind == LINE_BAD)
			*why = line.why;
		else if (!reader->syntax.exceptions)
			*why = line_exception;
		else if (take && reader_take(reader, &line))
			return -1;
	}
	return 0;
}

/*
 * Combine the key with other columns if the key is an address without a prefix length; otherwise
 * check the other columns. The user chose no second column.
 */
static int complete_key(struct reader *reader, const char *at, const char *end,
			struct line *line)
{
	if (line->kind == LINE_KEY)
		key_check_bare(line);
	if (line->kind == LINE_KEY && line->bare)
		return take_others(reader, at, end, line);
	compare_titled(reader, at, end, line);
	if (!heading_chosen(reader))
		check_further(reader, at, end, line);
	return 0;
}

static void count_columns(struct reader *reader, const struct line *line)
{
	reader->input->columns.numbers += line->has_number;
	reader->input->columns.seconds += line->has_second;
}

/*
 * Report a row as bad, unless the line repeats the heading. Return: 0, or -1 after an error
 * message if the line is another heading.
 */
static int take_bad(struct reader *reader, const char *why, const char *at, const char *end)
{
	int again = heading_again(reader, at, end);

	if (again > 0) {
		reader->input->lines--;
		reader_skip(reader, "the line repeats the heading of the table");
	} else if (!again) {
		reader_bad(reader, why, at, end - at);
	}
	return again < 0 ? -1 : 0;
}

static int take_row(struct reader *reader, const char *at, const char *end)
{
	struct csv *csv = reader->state;
	struct cell first, last;
	const char *why = NULL, *missing;
	struct line line;
	bool exception;

	reader->input->lines++;
	exception = check_cells(reader, at, end, &why);
	if (!why && reader->syntax.kind == SYNTAX_INET) {
		parse_exceptions(reader, at, end, false, &why);
		if (!why && parse_exceptions(reader, at, end, true, &why))
			return -1;
	}
	missing = find_key(csv, at, end, &first, &last);
	if (why || missing)
		return take_bad(reader, why ? why : missing, at, end);
	if (csv->skip) {
		reader_skip(reader, "a column such as to_ids, active or simulated says that the key is not for blocking");
		return 0;
	}
	if (reader->syntax.kind != SYNTAX_INET) {
		parse_string(&first, at, &line);
	} else if (csv->last) {
		parse_range(reader, &first, &last, &line);
	} else {
		skip_scope(&first);
		reader_parse(reader, first.at, first.end - first.at, &line);
	}
	if (reader->syntax.kind == SYNTAX_INET && !csv->last &&
	    complete_key(reader, at, end, &line))
		return -1;
	if (line.kind == LINE_BAD)
		return take_bad(reader, line.why, at, end);
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

static int skip_quoted(struct reader *reader, const char *at, const char *end)
{
	reader->input->lines++;
	skip_quotes(reader->state, at, end);
	reader_bad(reader, "the line is part of a quoted column of an earlier line",
		   at, end - at);
	return 0;
}

/* Return: true if the line is "sep=;", which spreadsheets write before the heading. */
static bool is_separator_line(const char *at, const char *end)
{
	while (end > at && is_blank(end[-1]) && end - at > 5)
		end--;
	return end - at == 5 && !strncasecmp(at, "sep=", 4) && strchr(",;\t|", at[4]);
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
		return heading_take_comment(reader, at, end);
	if (!csv->begun && is_separator_line(at, end)) {
		reader_skip(reader, "the line has the separator, for spreadsheets");
		return 0;
	}
	while (is_blank(end[-1]) && end[-1] != '\t')
		end--;
	if (!csv->begun)
		heading = heading_begin(reader, text, end);
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

	return csv->key || !csv->begun ? 0 : heading_missing(reader);
}
