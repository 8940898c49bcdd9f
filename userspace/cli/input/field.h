/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions split a line into fields, which are columns or words.
 */
#ifndef KCUCKOO_CLI_FIELD_H
#define KCUCKOO_CLI_FIELD_H

#include <stdbool.h>

/**
 * struct field - a column or word of a line
 * @at: first byte of its content: in a quoted field, after the quote and blanks
 * @end: end of its content: in a quoted field, before the closing quote and
 *	blanks before this quote
 * @start: its first byte, which is the quote of a quoted field
 * @next: position from which the next field is searched
 * @columns: number of commas, semicolons and | between the previous field and
 *	this one
 * @tab: a tab precedes the field directly
 * @empty: an empty column precedes the field: two separators with nothing or blanks
 *	between, which are two tabs or two of the characters that @columns counts
 */
struct field {
	const char *at;
	const char *end;
	const char *start;
	const char *next;
	int columns;
	bool tab;
	bool empty;
};

/* Is the character a blank, a tab or another invisible character? */
static inline bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

/*
 * Can the character be part of a host name? A host name may begin like an
 * address.
 */
static inline bool is_name_sign(char c)
{
	return (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '_' ||
	       ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

/*
 * Does the character separate columns: a comma, a semicolon or |? Two of these
 * in a row enclose an empty column.
 */
static inline bool is_column_sign(char c)
{
	return c == ',' || c == ';' || c == '|';
}

static inline const char *skip_blanks(const char *at, const char *end)
{
	while (at < end && is_blank(*at))
		at++;
	return at;
}

/*
 * Does a comment begin at @at, which is before @end? ';' begins a comment only
 * at the start of a line (see line_parse()); later it separates columns.
 */
static inline bool is_comment(const char *at, const char *end)
{
	return *at == '#' || (*at == '/' && end - at > 1 && at[1] == '/');
}

/* May a key end before @at? */
static inline bool is_key_end(const char *at, const char *end)
{
	return at == end || is_blank(*at) || is_column_sign(*at) ||
	       is_comment(at, end);
}

/*
 * Find the closing quote of a text whose opening quote is at @at. Two quotes in
 * a row are a quote in the text. Return: the closing quote; or NULL if there is
 * none, or if text follows it directly.
 */
const char *field_closing_quote(const char *at, const char *end);

/*
 * Find the first field at or after @at. A number or an address ends where a comment
 * begins; in other fields, the sign of a comment is part of the field. Return: false
 * if the line has no further field before its end or a comment.
 */
bool field_next(const char *at, const char *end, struct field *field);

/* Is the field this word, in upper or lower case? */
bool field_is(const struct field *field, const char *word);

/* Does the field consist of digits only? */
bool field_is_number(const struct field *field);

#endif /* KCUCKOO_CLI_FIELD_H */
