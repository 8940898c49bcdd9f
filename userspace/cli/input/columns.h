/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcuckoo: parse what follows the key of a line
 */
#ifndef KCUCKOO_CLI_COLUMNS_H
#define KCUCKOO_CLI_COLUMNS_H

#include "input/field.h"
#include "input/line.h"

/* Message for a line that is an exception. */
extern const char line_exception[];

/*
 * Parse a mask, a prefix length or the end of a range in the columns directly
 * after the key of @line. The line ends at @end; @line->rest is moved after
 * what was read.
 */
void columns_parse(struct line *line, const char *end,
		   const struct syntax *syntax);

/*
 * Parse a prefix length in the column after the address of @line. Any other
 * number is counted as ignored.
 */
void columns_take_length(struct line *line, const char *end,
			 const struct syntax *syntax);

/*
 * In a row, reject the address of @line if the next one could be its mask or
 * wildcard.
 */
void columns_check_mask(struct line *line, const char *end,
			const struct syntax *syntax);

/*
 * Check the word directly after the key, in @field. If it makes the key an
 * exception, the line is bad.
 */
void columns_check_word(struct line *line, const struct field *field);

/* Is @line a range that ipfilter.dat allows, with a level of 127 or above? */
bool columns_is_allowed(const struct line *line, const char *end);

/*
 * Check the remaining columns, which are ignored. If one of them could change
 * what is to be blocked, such as another address, the line is bad.
 */
void columns_check(struct line *line, const char *end,
		   const struct syntax *syntax);

/*
 * Does the field say that the key is an exception? Some words do so only
 * directly after the key, or as a column.
 */
bool field_is_exception(const struct field *field, const char *end, bool first);

/*
 * Is it an address or prefix, well-formed or not, possibly with signs around
 * it?
 */
bool field_is_address(const struct field *field, const struct syntax *syntax);

/* Is it an address or prefix with signs around it, such as brackets? */
bool field_is_wrapped(const struct field *field, const struct syntax *syntax);

#endif /* KCUCKOO_CLI_COLUMNS_H */
