// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions split a row of a table into columns, for csv.c, heading.c and table.c.
 */
#include <string.h>

#include "input/cell.h"
#include "input/field.h"

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

/* Return: the separator at or after @at, or NULL. */
static const char *find_separator(const char *at, const char *end, char separator)
{
	if (separator != ' ')
		return memchr(at, separator, end - at);
	while (at < end && !is_blank(*at))
		at++;
	return at < end ? at : NULL;
}

void cell_parse(const char *at, const char *end, char separator, struct cell *cell)
{
	const char *quote, *stop;

	memset(cell, 0, sizeof(*cell));
	while (at < end && is_blank(*at) && (*at != separator || separator == ' '))
		at++;
	cell->at = at;
	cell->end = end;
	quote = at < end && *at == '"' ? closing_quote(at, end) : NULL;
	cell->open = at < end && *at == '"' && !quote;
	if (cell->open)
		return;
	stop = find_separator(quote ? quote : at, end, separator);
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

bool cell_find(const char *at, const char *end, char separator, int number,
	       struct cell *cell)
{
	do {
		cell_parse(at, end, separator, cell);
		at = cell->next;
	} while (--number && at);
	return !number;
}

char cell_separator(const char *at, const char *end)
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
