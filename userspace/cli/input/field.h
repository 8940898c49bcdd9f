/* SPDX-License-Identifier: GPL-2.0-only */
/* These functions split a line into fields, which are columns or words. */
#ifndef KCUCKOO_CLI_FIELD_H
#define KCUCKOO_CLI_FIELD_H

#include <stdbool.h>

/**
 * struct field - a column or word of a line
 * @at: first byte of the content, after an opening quote and blanks after the quote
 * @end: end of the content, before a closing quote and blanks before the quote
 * @start: first byte of the field, which is the opening quote in a quoted field
 * @next: position at which the search for the next field begins
 * @columns: number of commas, semicolons and | between the previous field and this
 *	field
 * @tab: a tab directly precedes the field
 * @empty: an empty column precedes the field
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

/* Return: true for white space other than a newline. */
static inline bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

/*
 * Return: true if the character can be part of a host name. An address directly before such a
 * character can be the start of a host name, such as 192.0.2.1.example.com.
 */
static inline bool is_name_sign(char c)
{
	return (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '_' ||
	       ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

/* Return: true if the character separates columns. */
static inline bool is_column_sign(char c)
{
	return c == ',' || c == ';' || c == '|';
}

/* Return: the first position from @at to @end that has no blank, or @end. */
static inline const char *skip_blanks(const char *at, const char *end)
{
	while (at < end && is_blank(*at))
		at++;
	return at;
}

/*
 * Return: true if a comment begins at @at, a position before @end. A ';' begins a comment only
 * at the start of a line, so callers check for ';' there.
 */
static inline bool is_comment(const char *at, const char *end)
{
	return *at == '#' || (*at == '/' && end - at > 1 && at[1] == '/');
}

/*
 * Return: true if a key can end directly before @at, because @at is the end of the line, or has
 * a blank, a separator of columns or the start of a comment.
 */
static inline bool is_key_end(const char *at, const char *end)
{
	return at == end || is_blank(*at) || is_column_sign(*at) ||
	       is_comment(at, end);
}

/*
 * Find the closing quote of a text whose opening quote is at @at. Two quotes in a row
 * stand for one quote in the text. Return: the closing quote; or NULL if the line has
 * no closing quote, or if other text directly follows the closing quote.
 */
const char *field_closing_quote(const char *at, const char *end);

/*
 * Find the first field at or after @at. A comment can begin directly after a number or an
 * address. In other fields, '#' and "//" are part of the field. In a field such as comment="two
 * words", the text in quotes is part of the field. Return: false at the end of the line, or if a
 * comment follows.
 */
bool field_next(const char *at, const char *end, struct field *field);

/*
 * Return: true if the field contains an address, as in "ip=192.0.2.1", or a pattern of
 * addresses, as in "192.0.2.*". A number such as 120.0.0.0 after a name and a slash is a
 * version, as in "Chrome/120.0.0.0".
 */
bool field_has_part(const struct field *field);

/* Return: true if the field equals @word, without regard to case. */
bool field_is(const struct field *field, const char *word);

/* Return: true if the field has digits and nothing else. */
bool field_is_number(const struct field *field);

#endif /* KCUCKOO_CLI_FIELD_H */
