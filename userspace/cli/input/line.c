// SPDX-License-Identifier: GPL-2.0-only
/* These functions parse a line of a list, or an operand of the command line, as a key. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "input/columns.h"
#include "input/key.h"
#include "input/length.h"
#include "input/words.h"
#include "number.h"

/*
 * Old systems end lines with a carriage return instead of a newline. Without this check, a file
 * of such lines would count as one line, and all keys after the first key would be lost.
 */
static bool has_return_within(const char *text, size_t length)
{
	const char *at = length ? memchr(text, '\r', length) : NULL;

	return at && at + 1 < text + length;
}

static const char zero_byte[] = "the line contains a zero byte";
static const char return_within[] = "a carriage return is within the line";

const char *line_broken(const char *text, size_t length)
{
	if (has_return_within(text, length))
		return return_within;
	return length && memchr(text, 0, length) ? zero_byte : NULL;
}

static const char *word_end(const char *at, const char *end)
{
	while (!is_key_end(at, end))
		at++;
	return at;
}

static bool is_word(const char *at, const char *end, const char *word)
{
	return (size_t)(end - at) == strlen(word) && !memcmp(at, word, end - at);
}

/*
 * Parse the number after the keyword "value" (@which: LINE_VALUE) or "timeout" (LINE_TIMEOUT).
 * Return: the end of the number; or NULL, after marking the line as bad.
 */
static const char *parse_note_number(struct line *line, const char *at,
				     const char *end, int which,
				     const struct syntax *syntax)
{
	const char *after, *why;
	bool valid = false;
	__u64 number;

	at = skip_blanks(at, end);
	after = word_end(at, end);
	if (line->has & which) {
		line_bad(line, "'value' or 'timeout' is given twice after the key");
	} else if (which == LINE_VALUE) {
		valid = number_scan(at, after - at, syntax->max_value, &number);
		line->value = valid ? number : 0;
		if (!valid)
			line_bad(line, "no number that fits the filter's values follows 'value'");
	} else {
		why = duration_scan(at, after - at, &line->timeout);
		valid = !why;
		if (!valid)
			line_bad(line, why);
	}
	line->has |= which;
	return valid ? after : NULL;
}

/* Return: true if the filter has values (LINE_VALUE) or timeouts (LINE_TIMEOUT). */
static bool has_meaning(const struct syntax *syntax, int which)
{
	return which == LINE_VALUE ? syntax->max_value : syntax->timeouts;
}

/*
 * Find the end of the number after the keyword "value" or "timeout", and set @number, to 0 for
 * the timeout "never". Return: the end; or NULL if no valid number follows the keyword.
 */
static const char *skip_note_number(const char *at, const char *end, int which,
				    __u64 *number)
{
	const char *after;
	__u32 time;

	at = skip_blanks(at, end);
	after = word_end(at, end);
	if (which == LINE_VALUE)
		return number_scan(at, after - at, UINT32_MAX, number) ? after : NULL;
	if (duration_scan(at, after - at, &time))
		return NULL;
	*number = time;
	return after;
}

/*
 * Skip the number after a keyword that has no meaning in the filter. Set the bit @which in @lost
 * of @line if the filter would lose the number.
 */
static const char *skip_lost(struct line *line, const char *at, const char *end, int which)
{
	const char *after;
	__u64 number;

	after = skip_note_number(at, end, which, &number);
	if (after && number)
		line->lost |= which;
	return after;
}

void line_check_needed(struct line *line, const struct syntax *syntax)
{
	if (syntax->needs_value && syntax->max_value &&
	    !(line->has & LINE_VALUE))
		line_bad(line, "the key has no value, which the filter needs");
}

/*
 * Return: true if the field is the keyword @word with a number, as in "Timeout: 300". The number
 * is in the same field, or in the next field that is not only punctuation.
 */
static bool is_note(const struct field *field, const char *end, const char *word, int which)
{
	size_t length = strlen(word);
	const char *at = field->at;
	struct field next;
	__u64 number;

	while (at < field->end && !is_name_sign(*at))
		at++;
	if ((size_t)(field->end - at) < length || strncasecmp(at, word, length))
		return false;
	at += length;
	if (at < field->end && is_name_sign(*at))
		return false;
	next = *field;
	next.at = at;
	for (;;) {
		while (next.at < next.end && !is_name_sign(*next.at))
			next.at++;
		if (next.at < next.end)
			break;
		if (!field_next(next.next, end, &next))
			return false;
	}
	while (next.end > next.at && !is_name_sign(next.end[-1]))
		next.end--;
	return skip_note_number(next.at, next.end, which, &number);
}

/*
 * Mark the line as bad if it has a value or timeout for the filter in another place or form than
 * parse_note() reads.
 */
static void check_notes(struct line *line, const char *end, const struct syntax *syntax)
{
	struct field field;
	const char *at;

	/*
	 * In ipfilter.dat, the text after the level of a range is a name. In the list of
	 * DShield, the text after the third column is a name. A name can contain any word.
	 */
	if ((syntax->levels && line->kind == LINE_RANGE && line->has_number) ||
	    (syntax->lengths && line->has_third))
		return;
	for (at = line->rest; field_next(at, end, &field); at = field.next) {
		/* Skip numbers early, because numbers are frequent. */
		if (field_is_number(&field))
			continue;
		/* In a row, later words belong to the next address. */
		if (syntax->layout == LAYOUT_ROW && field_is_address(&field, syntax))
			return;
		if ((has_meaning(syntax, LINE_VALUE) &&
		     is_note(&field, end, "value", LINE_VALUE)) ||
		    (has_meaning(syntax, LINE_TIMEOUT) &&
		     is_note(&field, end, "timeout", LINE_TIMEOUT))) {
			line_bad(line, "a value or timeout is not directly after the key, or not in the form 'value 7' or 'timeout 2h'");
			return;
		}
	}
}

/* Parse the keywords "value" and "timeout" and their numbers after the key, in any order. */
static void parse_note(struct line *line, const char *end,
		       const struct syntax *syntax)
{
	const char *at = line->rest, *start = at, *after;
	struct field field;
	int which;

	while (at) {
		line->rest = at;
		at = skip_blanks(at, end);
		after = word_end(at, end);
		if (is_word(at, after, "value"))
			which = LINE_VALUE;
		else if (is_word(at, after, "timeout"))
			which = LINE_TIMEOUT;
		else
			break;
		at = has_meaning(syntax, which) ?
		     parse_note_number(line, after, end, which, syntax) :
		     skip_lost(line, after, end, which);
	}
	/* A number after a value or timeout is ignored like a number after the key. */
	if (line->kind != LINE_BAD && line->rest > start && field_next(line->rest, end, &field))
		line->has_number |= field_is_number(&field);
	if (!syntax->max_value && !syntax->timeouts)
		return;
	if (line->kind != LINE_BAD)
		check_notes(line, end, syntax);
	if (line->kind != LINE_BAD)
		line_check_needed(line, syntax);
}

static bool has_comment(const char *at, const char *end)
{
	for (at++; at < end; at++)
		if (is_comment(at, end) &&
		    (is_blank(at[-1]) || is_column_sign(at[-1])))
			return true;
	return false;
}

/*
 * Return: true if an IPv6 address begins at or before @colon, a colon in @text, and ends at
 * @end.
 */
static bool may_be_ipv6(const char *text, const char *colon, const char *end)
{
	struct kcuckoo_prefix key;

	while (colon > text && (hex_digit(colon[-1]) < 16 || colon[-1] == ':'))
		colon--;
	return kcuckoo_prefix_scan(colon, end - colon, &key, NULL, NULL) == end - colon;
}

/*
 * Return: true if a number, which can be a level of ipfilter.dat, is in the column after a
 * range.
 */
static bool has_level(const struct line *line, const char *end)
{
	struct field field;

	return line->kind == LINE_RANGE && field_next(line->rest, end, &field) &&
	       field.columns && field_is_number(&field);
}

void line_check_name(struct line *line, const char *text, const char *colon,
		     const struct syntax *syntax)
{
	struct field name = { .at = text, .end = colon, .start = text, .next = colon };

	if (text == colon ||
	    (*text != '!' && *text != '+' && (colon - text < 2 || memcmp(text, "@@", 2)) &&
	     !field_is_exception(&name, colon, true)))
		return;
	if (syntax->exceptions)
		line->exception = true;
	else
		line_bad(line, line_exception);
}

/*
 * Parse a line NAME:FIRST-LAST of a list for peer-to-peer programs. NAME can begin with an
 * address, which is not a key. @line has the result of key_parse() for the start of the line.
 * Return: true if the line has this form, even if the line is bad.
 */
static bool parse_p2p(const char *text, const char *end,
		      const struct syntax *syntax, struct line *line)
{
	const char *colon = memrchr(text, ':', end - text), *at, *why = NULL;
	const char *name_end = line->rest;
	struct kcuckoo_prefix first;
	bool level;
	long length;

	if (!colon || colon < name_end)
		return false;
	at = colon + 1;
	length = kcuckoo_prefix_scan(at, end - at, &first, NULL, NULL);
	if (length < 0 || at + length == end || at[length] != '-')
		return false;
	level = has_level(line, colon);
	/* In ipfilter.dat, all text after the level is a name, which can have colons. */
	if (level && syntax->levels)
		return false;
	line->key = first;
	line->mapped = false;
	line->host_bits = 0;
	line->text = at;
	line->length = length;
	line->rest = end;
	at += length + 1;
	length = kcuckoo_prefix_scan(at, end - at, &line->last, NULL, &why);
	if (length < 0 || at + length != end)
		line_bad(line, why ? why : "unexpected text directly after the range");
	else if (may_be_ipv6(text, colon, line->text + line->length))
		line_bad(line, "the range could begin with an IPv6 address");
	else if (name_end > text && has_comment(name_end, colon))
		line_bad(line, "the range could be part of a comment");
	else if (level)
		line_bad(line, "the line begins with a range and a number, as in ipfilter.dat, and ends with a range");
	else
		key_set_range(line, line->text, at, length);
	line->length = end - line->text;
	if (line->kind == LINE_RANGE)
		line_check_name(line, text, colon, syntax);
	return true;
}

bool line_is_p2p(const char *text, size_t length)
{
	static const struct syntax syntax = { .exceptions = true };
	const char *end = text + length, *at = skip_blanks(text, end);
	struct line line;

	/* If the key is written in several fields, line.text is outside of @text, so use @at. */
	line_parse_start(at, end - at, &syntax, &line);
	return parse_p2p(at, end, &syntax, &line) && line.kind == LINE_RANGE;
}

static const char *why_no_separator(const struct line *line)
{
	switch (*line->rest) {
	case ':':
		return "a port follows, and all ports would be blocked: --format hostport reads it";
	case '%':
		return "a zone follows the address, but addresses in packets have no zone";
	default:
		return "unexpected text directly after the address";
	}
}

static void parse_port(struct line *line, const char *end)
{
	const char *at = line->rest, *after;
	__u64 port;

	if (at == end || *at != ':')
		return;
	if (!line->bare) {
		line_bad(line, "a port follows a network, and all ports would be blocked");
		return;
	}
	after = word_end(++at, end);
	/*
	 * An address with a port is a single address, so the next column has no prefix length.
	 */
	line->bare = false;
	if (number_scan(at, after - at, 65535, &port))
		line->rest = after;
	else
		line_bad(line, "no port follows the colon");
}

/* Parse an address and an optional port. An IPv6 address must be in brackets. */
static void parse_host(const char *at, const char *end,
		       const struct syntax *syntax, struct line *line)
{
	const char *close = *at == '[' ? memchr(at, ']', end - at) : NULL;

	key_parse(close ? at + 1 : at, close ? close : end, syntax, line);
	if (line->kind == LINE_BAD)
		return;
	if (close && (line->kind != LINE_KEY || line->rest != close))
		line_bad(line, "the brackets contain more than an address");
	else if (!close && memchr(line->text, ':', line->length))
		line_bad(line, "an IPv6 address needs brackets where a port may follow");
	if (close) {
		key_check_bare(line);
		line->rest = close + 1;
	}
	if (line->kind == LINE_KEY)
		parse_port(line, end);
}

/* Parse the key or range that begins at @at, possibly in quotes. */
static void parse_first(const char *at, const char *end,
			const struct syntax *syntax, struct line *line)
{
	const char *quote = *at == '"' ? field_closing_quote(at, end) : NULL;
	const char *limit = quote ? quote : end;

	if (quote)
		at = skip_blanks(at + 1, quote);
	if (syntax->layout == LAYOUT_HOSTPORT && at < limit)
		parse_host(at, limit, syntax, line);
	else
		key_parse(at, limit, syntax, line);
	if (line->kind == LINE_BAD)
		return;
	if (quote && skip_blanks(line->rest, quote) != quote)
		line_bad(line, "the quotes contain more than a key or range");
	if (quote && line->kind == LINE_KEY && line->rest == quote)
		key_check_bare(line);
	if (quote)
		line->rest = quote + 1;
	if (line->kind != LINE_BAD && !is_key_end(line->rest, end))
		line_bad(line, why_no_separator(line));
}

/* Mark the line as bad if it has a key and a port, as in "192.0.2.7 tcp 80". */
static void check_port(struct line *line, const char *end, const struct syntax *syntax)
{
	struct field field;

	if (line->kind != LINE_BAD && syntax->layout != LAYOUT_HOSTPORT &&
	    field_next(line->rest, end, &field) && !field_is_number(&field) &&
	    field_is_port(&field, end))
		line_bad(line, line_one_port);
}

/*
 * Return: true if the field looks like a range separator that key_parse() does not know,
 * such as "-->", "~", an em dash, "TO" or "until".
 */
static bool is_other_sign(const struct field *field)
{
	static const char * const words[] = { "to", "until", "till", "through", "thru" };
	bool sign = false;
	const char *at;
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (field_is(field, words[i]))
			return true;
	for (at = field->at; at < field->end; at++) {
		if (!strchr("-=>~", *at) && !(*at & 0x80))
			return false;
		sign |= *at != '=';
	}
	return sign;
}

/*
 * Mark the line as bad if a range separator that key_parse() does not know and the end of
 * an address follow the key, as in "192.0.2.0 TO 255".
 */
static void check_sign(struct line *line, const char *end)
{
	struct field field, number;

	if (line->kind == LINE_KEY && line->bare && field_next(line->rest, end, &field) &&
	    !field.columns && is_other_sign(&field) &&
	    field_next(field.next, end, &number) && !number.columns &&
	    field_is_number(&number) && !field_next(number.next, end, &field))
		line_bad(line, "no address follows the range separator");
}

static const char row_part[] =
	"an address is a part of other text: in a row, it stands in a column of its own";
static const char row_range[] =
	"the two addresses could be two hosts or a range: write a range without blanks";

/* Return: true if nothing but a comment follows @at. */
static bool is_last(const char *at, const char *end)
{
	at = skip_blanks(at, end);
	return at == end || is_comment(at, end);
}

/*
 * Return: true if a range with blanks around its sign is not alone in the row. In "deny from
 * 192.0.2.1 to 198.51.100.1", the two addresses are hosts. A range in quotes is a column of its
 * own. @alone: the range is the first thing in the row.
 */
static bool is_loose_range(const struct line *line, const struct field *field, bool alone,
			   const char *end)
{
	size_t i;

	if (line->kind != LINE_RANGE || *field->start == '"' || (alone && is_last(line->rest, end)))
		return false;
	for (i = 0; i < line->length; i++)
		if (is_blank(line->text[i]))
			return true;
	return false;
}

static void parse_key_of_row(const struct field *field, const char *end, bool alone,
			     const struct syntax *syntax, struct line *line)
{
	struct field next;

	parse_first(field->start, end, syntax, line);
	if (line->kind == LINE_KEY && !line->key.plen && !(alone && is_last(line->rest, end)))
		line_bad(line, "the row has all addresses next to something else");
	if (line->kind == LINE_KEY)
		columns_check_alone(line);
	if (line->kind == LINE_KEY)
		columns_check_mask(line, end, syntax);
	if (line->kind == LINE_KEY)
		columns_take_length(line, end, syntax);
	if (line->kind == LINE_KEY && field_next(line->rest, end, &next))
		columns_check_word(line, &next);
	else if (line->kind == LINE_RANGE)
		columns_check_level(line, end, syntax);
	if (line->kind == LINE_ALLOWED)
		line_bad(line, line_exception);
	check_port(line, end, syntax);
	check_sign(line, end);
	if (line->kind != LINE_BAD)
		parse_note(line, end, syntax);
	if (is_loose_range(line, field, alone, end))
		line_bad(line, row_range);
	if (line->kind == LINE_RANGE && syntax->no_ranges)
		line_bad(line, syntax->no_ranges);
}

/*
 * Find and parse the first key or range of a row at or after @at. Return: false at the end of
 * the row.
 */
static bool parse_item(const char *at, const char *end,
		       const struct syntax *syntax, struct line *line)
{
	bool after_key = line->kind == LINE_KEY, first = true;
	bool start = line->kind == LINE_BLANK;
	struct field field;

	line->has = 0;
	line->lost = 0;
	line->has_number = false;
	for (; field_next(at, end, &field); at = field.next, first = false) {
		/*
		 * A word before an address can mark an exception, as in "allow from 192.0.2.1".
		 */
		if (field_is_exception(&field, end, true) || *field.start == '!' ||
		    (first && field_is_only_ok(&field, end))) {
			line_bad(line, line_exception);
			return true;
		}
		if (field_is_negation(&field, end, true)) {
			line_bad(line, line_negation);
			return true;
		}
		if (field_is_condition(&field, end)) {
			line_bad(line, "the row is for one port, or has the address of a destination or router");
			return true;
		}
		if (after_key && length_is_unread(line, &field, end, first)) {
			line_bad(line, line_unclear_length);
			return true;
		}
		if (!field_is_address(&field, syntax)) {
			if (!field_has_part(&field))
				continue;
			line_bad(line, row_part);
			return true;
		}
		if (field_is_wrapped(&field, syntax))
			line_bad(line, "an address is enclosed in brackets, quotes or other punctuation");
		else
			parse_key_of_row(&field, end, start && first, syntax, line);
		return true;
	}
	return false;
}

bool line_parse_next(const char *end, const struct syntax *syntax,
		     struct line *line)
{
	return line->kind != LINE_BAD && parse_item(line->rest, end, syntax,
						    line);
}

static const char *why_no_key(const char *at, const char *why)
{
	if (*at == '[')
		return "an address is in brackets: --format hostport reads it";
	return *at == '!' || *at == '+' || *at == '@' ? line_exception : why;
}

static void parse_rest(struct line *line, const char *end,
		       const struct syntax *syntax)
{
	columns_parse(line, end, syntax);
	check_port(line, end, syntax);
	check_sign(line, end);
	if (line->kind != LINE_BAD)
		parse_note(line, end, syntax);
	if (line->kind != LINE_BAD)
		columns_check(line, end, syntax);
}

/*
 * Parse a line that begins with an exclamation mark at @at. The key after the mark is an
 * exception.
 */
static void parse_negated(const char *at, const char *end,
			  const struct syntax *syntax, struct line *line)
{
	at = skip_blanks(at + 1, end);
	if (at < end)
		key_parse(at, end, syntax, line);
	if (line->kind != LINE_KEY && line->kind != LINE_RANGE)
		line_bad(line, "no address or range follows the exclamation mark");
	else if (!is_key_end(line->rest, end))
		line_bad(line, why_no_separator(line));
	else
		parse_rest(line, end, syntax);
	line->exception = true;
}

static bool is_negated_key(const char *at, const char *end)
{
	struct kcuckoo_prefix key;

	at = skip_blanks(at + 1, end);
	return kcuckoo_prefix_scan(at, end - at, &key, NULL, NULL) > 0;
}

/*
 * Parse a line with LAYOUT_LIST, from @at to @end. @line has the result of key_parse() for the
 * start of the line, which can be an error.
 */
static void parse_list(const char *at, const char *end,
		       const struct syntax *syntax, struct line *line)
{
	const char *next = skip_blanks(line->rest, end);
	bool comment = line->kind != LINE_BAD && next < end && is_comment(next, end);

	if (*at == '!' && syntax->exceptions && is_negated_key(at, end)) {
		if (!comment && parse_p2p(at, end, syntax, line))
			line_bad(line, "the line has an exception, and a range after a name");
		else
			parse_negated(at, end, syntax, line);
		return;
	}
	if (!comment && parse_p2p(at, end, syntax, line)) {
		if (line->kind != LINE_BAD)
			parse_note(line, end, syntax);
		return;
	}
	if (*at == '"')
		parse_first(at, end, syntax, line);
	else if (line->kind == LINE_BAD)
		line->why = why_no_key(at, line->why);
	else if (!is_key_end(line->rest, end))
		line_bad(line, why_no_separator(line));
	if (line->kind != LINE_BAD)
		parse_rest(line, end, syntax);
}

/* Parse a line that is neither blank nor a comment, nor only a key with LAYOUT_LIST. */
static void parse_long(const char *at, const char *end,
		       const struct syntax *syntax, struct line *line)
{
	if (memchr(at, 0, end - at)) {
		line_bad(line, zero_byte);
	} else if (syntax->layout == LAYOUT_ROW) {
		if (!parse_item(at, end, syntax, line))
			line_bad(line, "the row contains no address");
	} else if (syntax->layout == LAYOUT_HOSTPORT) {
		parse_first(at, end, syntax, line);
		if (line->kind != LINE_BAD)
			parse_rest(line, end, syntax);
	} else {
		parse_list(at, end, syntax, line);
	}
}

static void line_init(struct line *line, const char *text)
{
	line->kind = LINE_BLANK;
	line->host_bits = 0;
	line->why = NULL;
	line->text = text;
	line->length = 0;
	line->rest = text;
	line->mapped = false;
	line->bare = false;
	line->has_number = false;
	line->has_second = false;
	line->has_third = false;
	line->exception = false;
	line->has = 0;
	line->lost = 0;
}

void line_parse(const char *text, size_t length, const struct syntax *syntax,
		struct line *line)
{
	const char *end = text + length;
	const char *at = skip_blanks(text, end);

	line_init(line, at);
	if (has_return_within(text, length)) {
		line_bad(line, return_within);
		return;
	}
	if (at == end)
		return;
	while (is_blank(end[-1]))
		end--;
	if (*at == ';' || is_comment(at, end)) {
		if (memchr(at, 0, end - at))
			line_bad(line, zero_byte);
		return;
	}
	if (syntax->layout == LAYOUT_LIST)
		key_parse(at, end, syntax, line);
	if (line->kind == LINE_KEY && line->rest == end)
		line_check_needed(line, syntax);
	else
		parse_long(at, end, syntax, line);
	if (line->kind == LINE_RANGE && syntax->no_ranges)
		line_bad(line, syntax->no_ranges);
}

void line_parse_start(const char *text, size_t length,
		      const struct syntax *syntax, struct line *line)
{
	const char *end = text + length;
	const char *at = skip_blanks(text, end);

	line_init(line, at);
	key_parse(at, end, syntax, line);
}

static const char word_with_port[] = "a port follows the address, and all ports would be blocked";

void line_parse_alone(const char *text, size_t length,
		      const struct syntax *syntax, struct line *line)
{
	const char *end = text + length;

	line_init(line, text);
	key_parse(text, end, syntax, line);
	if (line->kind == LINE_BAD)
		return;
	if (line->rest != end) {
		line_bad(line, is_key_end(line->rest, end) ? "unexpected text after the address" :
			 *line->rest == ':' ? word_with_port : why_no_separator(line));
		return;
	}
	line->text = text;
	line->length = end - text;
	if (line->kind == LINE_RANGE && syntax->no_ranges)
		line_bad(line, syntax->no_ranges);
}

bool line_is_within(const struct line *line, const char *text, size_t length,
		    const struct syntax *syntax)
{
	struct syntax plain = *syntax;
	struct line other;

	plain.no_ranges = NULL;
	/* Return early for most texts. */
	if (!length || hex_digit(*text) > 15 ||
	    (!memchr(text, '/', length) && !memchr(text, '-', length) &&
	     !memchr(text, ' ', length)))
		return false;
	line_parse_alone(text, length, &plain, &other);
	return (other.kind == LINE_RANGE || other.kind == LINE_KEY) &&
	       other.key.family == line->key.family &&
	       !memcmp(other.key.addr, line->key.addr, sizeof(other.key.addr)) &&
	       (other.kind == LINE_RANGE || other.key.plen < line->key.plen);
}

void line_parse_key(const char *text, const struct syntax *syntax,
		    struct line *line)
{
	line_parse_alone(text, strlen(text), syntax, line);
}

int line_format(const struct line *line, char *text)
{
	int length = kcuckoo_prefix_format(&line->key, text);

	if (length < 0)
		return length;
	if (line->has & LINE_VALUE)
		length += sprintf(text + length, " value %u", line->value);
	if (line->has & LINE_TIMEOUT)
		length += sprintf(text + length, " timeout %u", line->timeout);
	return length;
}

static const char too_long[] = "a key has at most 4096 bytes";

void line_take_bytes(const char *text, size_t length, struct line *line)
{
	line->kind = LINE_BYTES;
	line->host_bits = 0;
	line->exception = false;
	line->has = 0;
	line->text = text;
	line->length = length;
	line->bytes = text;
	line->size = length;
	if (length > KCUCKOO_BYTES_MAX)
		line_bad(line, too_long);
}

void line_take_hex(const char *text, size_t length, struct line *line)
{
	size_t i;

	if (length && text[length - 1] == '\r')
		length--;
	line_take_bytes(text, length / 2, line);
	line->length = length;
	line->bytes = line->decoded;
	if (line->kind == LINE_BAD)
		return;
	if (length % 2) {
		line_bad(line, "the number of hexadecimal digits is odd");
		return;
	}
	for (i = 0; i < line->size; i++) {
		unsigned int high = hex_digit(text[2 * i]);
		unsigned int low = hex_digit(text[2 * i + 1]);

		if (high > 15 || low > 15) {
			line_bad(line, "a character is not a hexadecimal digit");
			return;
		}
		line->decoded[i] = high << 4 | low;
	}
}
