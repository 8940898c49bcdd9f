/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions interpret the columns after the key of a line, for line.c.
 */
#ifndef KCUCKOO_CLI_COLUMNS_H
#define KCUCKOO_CLI_COLUMNS_H

#include "input/field.h"
#include "input/line.h"

/*
 * Error text for a line with an exception: an address that must not be blocked.
 */
extern const char line_exception[];

/*
 * Parse a mask, a prefix length or the end of a range in the columns directly
 * after the key of @line, which ends at @end. Move @line->rest after the
 * columns that were used.
 */
void columns_parse(struct line *line, const char *end,
		   const struct syntax *syntax);

/*
 * Parse a prefix length in the column after the address of @line. For any other
 * number, set @line->has_number.
 */
void columns_take_length(struct line *line, const char *end,
			 const struct syntax *syntax);

/*
 * With LAYOUT_ROW, mark @line as bad if the address after its key could be the
 * mask or wildcard of the key.
 */
void columns_check_mask(struct line *line, const char *end,
			const struct syntax *syntax);

/*
 * Check the word directly after the key, in @field. Mark the line as bad if the
 * word shows that the line is about one port, or comes from a hosts file.
 */
void columns_check_word(struct line *line, const struct field *field);

/*
 * Is @line a range of ipfilter.dat with a level of 127 or above, which the file
 * allows?
 */
bool columns_is_allowed(const struct line *line, const char *end);

/*
 * Check the remaining columns, which are ignored. Mark the line as bad if a
 * column could change which addresses are meant: for example another address,
 * or the word "allow".
 */
void columns_check(struct line *line, const char *end,
		   const struct syntax *syntax);

/*
 * Does the word in @field mean that the key is an exception, which must not be
 * blocked? Some words mean this only directly after the key (@first) or as a
 * column.
 */
bool field_is_exception(const struct field *field, const char *end, bool first);

/*
 * Is the field an address or prefix, well-formed or malformed, possibly with
 * brackets or other signs around it?
 */
bool field_is_address(const struct field *field, const struct syntax *syntax);

/* Is the field an address or prefix with brackets or other signs around it? */
bool field_is_wrapped(const struct field *field, const struct syntax *syntax);

#endif /* KCUCKOO_CLI_COLUMNS_H */
