// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions split a line into fields, which are columns or words.
 */
#include <string.h>
#include <strings.h>

#include "input/field.h"

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

/**
 * struct figure - state of is_figure() for the start of a field
 * @at: end of the text that was examined
 * @other: the text has a character that no number or address has
 * @digit: the text has a digit
 * @letter: the text has a letter
 * @colons: number of colons in the text
 */
struct figure {
	const char *at;
	bool other;
	bool digit;
	bool letter;
	size_t colons;
};

/*
 * Return: true if the text from the start of a field to @end can be a number, an
 * address, or a slash and a number. Such a text has a digit or at least two colons, and
 * letters only if it has a colon. A field can have any number of comment signs, so each
 * call examines only the text after the text of the call before.
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

bool field_next(const char *at, const char *end, struct field *field)
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
	/*
	 * A comment can directly follow a number or an address. In other fields, such
	 * as URLs, '#' and "//" are part of the field.
	 */
	while (at < end && !is_blank(*at) && !is_column_sign(*at) &&
	       !(is_comment(at, end) && is_figure(&figure, at)))
		at++;
	field->end = at;
	field->next = at;
	return true;
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
