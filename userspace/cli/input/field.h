/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcuckoo: split a line into fields
 */
#ifndef KCUCKOO_CLI_FIELD_H
#define KCUCKOO_CLI_FIELD_H

#include <stdbool.h>

/**
 * struct field - a column or word of a line
 * @at: its first byte, after the quote
 * @end: the byte after its last one, before the quote
 * @start: its first byte, with the quote
 * @next: where the search for the next field begins
 * @columns: commas, semicolons and | between it and the field before
 * @tab: a tab stands directly before it
 */
struct field {
	const char *at;
	const char *end;
	const char *start;
	const char *next;
	int columns;
	bool tab;
};

/*
 * Is it a blank, a tab or another invisible character? A newline ends a line.
 */
static inline bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

/* Can it be part of a host name, which may begin like an address? */
static inline bool is_name_sign(char c)
{
	return (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '_' ||
	       ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

/* Is it a comma, a semicolon or |? Between two of them is an empty column. */
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
 * Does a comment begin at @at, which is before @end? ';' does not begin one,
 * because it separates columns.
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
 * Find the quote that ends the quoted text at @at. Two quotes in a row mean
 * one. Return: it, or NULL if there is none or more text follows directly.
 */
const char *field_closing_quote(const char *at, const char *end);

/* Find the first field at or after @at. Return: whether one stands before the comment. */
bool field_next(const char *at, const char *end, struct field *field);

/* Is it this word, in any case? */
bool field_is(const struct field *field, const char *word);

/* Does it consist of digits only? */
bool field_is_number(const struct field *field);

#endif /* KCUCKOO_CLI_FIELD_H */
