// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions split a line into fields, which are columns or words.
 */
#include <string.h>
#include <strings.h>

#include "input/field.h"
#include "kcuckoo.h"
#include "number.h"

const char *field_closing_quote(const char *at, const char *end)
{
	for (at++; at < end; at++) {
		if (*at != '"')
			continue;
		if (at + 1 == end || is_key_end(at + 1, end))
			return at;
		if (*++at != '"')
			return NULL;
	}
	return NULL;
}

/*
 * State of is_figure() for the start of a field, up to @at. @other: the text has a character
 * that no number or address has.
 */
struct figure {
	const char *at;
	bool other;
	bool digit;
	bool letter;
	size_t colons;
};

/*
 * Return: true if the text from the start of a field to @end can be a number, an address, or a
 * slash and a number. A call begins where the previous call stopped. So a field with many comment
 * signs, each of which needs a call, is examined only once.
 */
static bool is_figure(struct figure *figure, const char *end)
{
	const char *at = figure->at;

	for (; at < end && !figure->other; at++) {
		figure->other = !*at || !strchr("0123456789abcdefABCDEF.:/-", *at);
		figure->digit |= *at >= '0' && *at <= '9';
		figure->letter |= (*at | 0x20) >= 'a';
		figure->colons += *at == ':';
	}
	figure->at = at;
	return !figure->other && (figure->digit || figure->colons > 1) &&
	       (figure->colons || !figure->letter);
}

/*
 * Find the closing quote of a value whose opening quote is at @at, as in name="value". A
 * backslash precedes a quote that is part of the value. Return: the closing quote; or NULL.
 */
static const char *value_quote(const char *at, const char *end)
{
	char quote = *at;

	if (quote != '"' && quote != '\'')
		return NULL;
	for (at++; at < end && *at != quote; at++)
		at += *at == '\\' && end - at > 1;
	return at < end && is_key_end(at + 1, end) ? at : NULL;
}

/* Find the first field at or after @at, also an empty field in quotes. */
static bool find_field(const char *at, const char *end, struct field *field)
{
	struct figure figure = { 0 };
	const char *quote;
	int tabs = 0;

	field->columns = 0;
	field->tab = false;
	for (; at < end && (is_blank(*at) || is_column_sign(*at)); at++) {
		field->columns += is_column_sign(*at);
		field->tab = *at == '\t';
		tabs += *at == '\t';
	}
	/* Tabs next to a comma, semicolon or | are blanks, not separators. */
	field->empty = field->columns > 1 || (!field->columns && tabs > 1);
	if (at == end || is_comment(at, end))
		return false;
	field->start = at;
	quote = *at == '"' ? field_closing_quote(at, end) : NULL;
	if (quote) {
		field->next = quote + 1;
		field->at = skip_blanks(at + 1, quote);
		while (quote > field->at && is_blank(quote[-1]))
			quote--;
		field->end = quote;
		return true;
	}
	field->at = at;
	figure.at = at;
	/* A comment can directly follow a number or an address. */
	while (at < end && !is_blank(*at) && !is_column_sign(*at) &&
	       !(is_comment(at, end) && is_figure(&figure, at))) {
		quote = at > field->at && at[-1] == '=' ? value_quote(at, end) : NULL;
		at = quote ? quote + 1 : at + 1;
	}
	field->end = at;
	field->next = at;
	return true;
}

bool field_next(const char *at, const char *end, struct field *field)
{
	int columns = 0;
	bool empty = false;

	while (find_field(at, end, field)) {
		field->columns += columns;
		field->empty |= empty;
		if (*field->start != '"' || field->at < field->end)
			return true;
		empty = true;
		columns = field->columns;
		at = field->next;
	}
	return false;
}

/*
 * Return: true if @at has a pattern of addresses, such as "1.2.3.*", "1.2.3.[1-9]" or "1.2.x.x".
 */
static bool is_pattern(const char *at, const char *end)
{
	const char *start = at;
	int dots = 0, parts;

	for (; at < end && ((*at >= '0' && *at <= '9') || *at == '.'); at++)
		dots += *at == '.';
	if (at == start || at == end || !dots || at[-1] != '.')
		return false;
	if (*at == '*' || (dots == 3 && memchr("?[{(<%", *at, 6)))
		return true;
	for (parts = dots; at < end && (*at | 0x20) == 'x'; at++) {
		parts++;
		if (++at == end || *at != '.')
			break;
	}
	return (at == end || !is_name_sign(*at)) && (at[-1] | 0x20) == 'x' && parts == 4;
}

/* Return: true if the text of an address looks like a version number, as in "Chrome/120.0.0.0". */
static bool is_version(const char *at, long length)
{
	return length > 6 && !memcmp(at + length - 6, ".0.0.0", 6);
}

/* Size of the text of the longest address with its terminating zero. */
#define ADDRESS_TEXT	46

static const char *address_end(const char *at, const char *end)
{
	const char *limit = end - at < ADDRESS_TEXT ? end : at + ADDRESS_TEXT;

	while (at < limit && (hex_digit(*at) < 16 || *at == ':' || *at == '.'))
		at++;
	return at;
}

bool field_has_part(const struct field *field)
{
	const char *at = field->at, *end = field->end;
	struct kcuckoo_prefix key;
	long length;

	for (; at < end; at++) {
		if (hex_digit(*at) > 15 && *at != ':')
			continue;
		if (at > field->at && is_name_sign(at[-1]))
			continue;
		if (is_pattern(at, end))
			return true;
		length = kcuckoo_prefix_scan(at, address_end(at, end) - at, &key, NULL, NULL);
		if (at - field->at > 1 && at[-1] == '/' && is_name_sign(at[-2]) &&
		    is_version(at, length))
			continue;
		/* After a colon, only IPv4 counts: an IPv6 address is the rest of another text. */
		if (length > 0 && (at == field->at || at[-1] != ':' ||
				   key.family == KCUCKOO_FAMILY_IPV4) &&
		    (at + length == end || !is_name_sign(at[length]) || at[length] == '-'))
			return true;
	}
	return false;
}

bool field_is(const struct field *field, const char *word)
{
	size_t length = field->end - field->at;

	return length == strlen(word) && !strncasecmp(field->at, word, length);
}

bool field_is_number(const struct field *field)
{
	const char *at;

	for (at = field->at; at < field->end; at++)
		if (*at < '0' || *at > '9')
			return false;
	return field->end > field->at;
}
