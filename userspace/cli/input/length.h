/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions recognize prefix lengths in the columns after an address, for
 * columns.c and line.c.
 */
#ifndef KCUCKOO_CLI_LENGTH_H
#define KCUCKOO_CLI_LENGTH_H

#include "input/field.h"
#include "input/line.h"

/* Error text for a line that could have a prefix length or mask in another form. */
extern const char line_unclear_length[];

/*
 * Return: the number in a field, or -1 if the field is not a number from 0 to 128, the
 * maximum prefix length.
 */
int length_number(const struct field *field);

/*
 * Return: true if the field is a number that can be the prefix length of @key: from 8 to
 * the maximum of its family, without leading zeros. Smaller numbers are often counts.
 */
bool length_is_number(const struct field *field, const struct kcuckoo_prefix *key);

/* Return: true if the field is a slash and a number or mask. */
bool length_has_slash(const struct field *field);

/*
 * Return: true if the field has digits and characters outside ASCII, such as a no-break
 * space, and nothing else except slashes. The number could be a prefix length.
 */
bool length_is_unclear(const struct field *field);

/*
 * Return: true if @field, a word or column after the key of @line, has a prefix length
 * in a form that columns_parse() does not parse, such as "(/24)" or "netmask 24".
 * Return false if the key already has a prefix length. @first: @field directly follows
 * the key.
 */
bool length_is_unread(const struct line *line, const struct field *field,
		      const char *end, bool first);

#endif /* KCUCKOO_CLI_LENGTH_H */
