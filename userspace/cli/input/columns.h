/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcuckoo: what follows the key of a line
 */
#ifndef KCUCKOO_CLI_COLUMNS_H
#define KCUCKOO_CLI_COLUMNS_H

#include "input/field.h"
#include "input/line.h"

/* Why an exception from a list is a bad line. */
extern const char line_exception[];

/*
 * Read a mask, a prefix length or the end of a range in the columns that follow the key of
 * @line directly. The line ends at @end; @line->rest is moved after what was read.
 */
void columns_parse(struct line *line, const char *end,
		   const struct syntax *syntax);

/*
 * Does a prefix length follow the address of @line in a column? Then the line gets it;
 * another number is counted as ignored.
 */
void columns_take_length(struct line *line, const char *end,
			 const struct syntax *syntax);

/* In a row, the address of @line is bad if the next one could be its mask or wildcard. */
void columns_check_mask(struct line *line, const char *end,
			const struct syntax *syntax);

/* The word in @field follows the key directly. Where it forbids the key, the line is bad. */
void columns_check_word(struct line *line, const struct field *field);

/* Does ipfilter.dat allow the range of @line? Its level after the range is 127 or above. */
bool columns_is_allowed(const struct line *line, const char *end);

/*
 * The columns that remain are ignored. Where one of them could say something about what
 * is to be blocked, another address above all, the line is bad.
 */
void columns_check(struct line *line, const char *end,
		   const struct syntax *syntax);

/*
 * Does it say that the key is an exception? Some words do so only as the first one after
 * the key, or as a column.
 */
bool field_is_exception(const struct field *field, const char *end, bool first);

/*
 * Is it an address or prefix, or was it meant as one, with a slip in it or with signs
 * around it?
 */
bool field_is_address(const struct field *field, const struct syntax *syntax);

/* Is it an address or prefix with signs around it, such as brackets? */
bool field_is_wrapped(const struct field *field, const struct syntax *syntax);

#endif /* KCUCKOO_CLI_COLUMNS_H */
