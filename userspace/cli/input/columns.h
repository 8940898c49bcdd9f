/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions interpret the columns after the key of a line, for line.c.
 */
#ifndef KCUCKOO_CLI_COLUMNS_H
#define KCUCKOO_CLI_COLUMNS_H

#include "input/field.h"
#include "input/line.h"

/* Error text for a line that may have a prefix length that is not understood. */
extern const char line_length[];

/*
 * Parse a mask, a prefix length or the last address of a range in the columns
 * directly after the key of @line. @end: end of the line. Move @line->rest to
 * the end of the columns that were used.
 */
void columns_parse(struct line *line, const char *end,
		   const struct syntax *syntax);

/*
 * Combine the key of @line, which was parsed from a text of its own, and the text
 * from @at to @end: the last address of a range, or a prefix length. With @mask, it
 * is a mask or prefix length; otherwise mark the line as bad if it could be a mask.
 */
void columns_take_last(struct line *line, const char *at, const char *end, bool mask,
		       const struct syntax *syntax);

/*
 * These functions interpret the columns of a table, from @at to @end, of a row whose
 * key is an address without a prefix length.
 *
 * columns_take_cell() takes the next column after the key as columns_parse() does.
 * @chosen: the user chose the column of the key, so that an address in the next one
 * is ignored, unless both together are a network.
 * columns_take_third() takes the column after a second address.
 * columns_check_cell() marks the line as bad if the column has a mask; or, with
 * @next, another address that is a network together with the key.
 * columns_is_size() returns whether the column has a number that can be a prefix
 * length, and columns_is_second() whether it has an address of the family of the key.
 */
void columns_take_cell(struct line *line, const char *at, const char *end, bool chosen,
		       const struct syntax *syntax);
void columns_take_third(struct line *line, const char *at, const char *end,
			const struct syntax *syntax);
void columns_check_cell(struct line *line, const char *at, const char *end, bool next,
			const struct syntax *syntax);
bool columns_is_size(const struct line *line, const char *at, const char *end);
bool columns_is_second(const struct line *line, const char *at, const char *end,
		       const struct syntax *syntax);

/*
 * Parse a prefix length in the column after the address of @line. If the column
 * has another number, which is ignored, set @line->has_number.
 */
void columns_take_length(struct line *line, const char *end,
			 const struct syntax *syntax);

/*
 * With LAYOUT_ROW, mark @line as bad if the address after its key could be a
 * mask, or an inverted mask (wildcard), of the key.
 */
void columns_check_mask(struct line *line, const char *end,
			const struct syntax *syntax);

/*
 * Is @field, a word or column after the key of @line, which has no prefix length, a
 * prefix length in a form that columns_parse() does not take, such as "(/24)" or
 * "netmask 24"? @first: the field directly follows the key.
 */
bool columns_has_length(const struct line *line, const struct field *field,
			const char *end, bool first);

/* Mark the key of a row as bad if it is a mask. */
void columns_check_alone(struct line *line);

/*
 * Check the word directly after the key, in @field. Mark the line as bad if the
 * word shows that the line is about one port, or that it is a line of a hosts
 * file, which gives names to addresses.
 */
void columns_check_word(struct line *line, const struct field *field);

/*
 * Check the number in the column after a range, which is a level in ipfilter.dat, a
 * list of peer-to-peer programs. These programs allow the range if the level is 127
 * or above: then set the kind of @line to LINE_ALLOWED. Mark the line as bad if other
 * text is in the column of the level. In other lists, only a number of three digits
 * up to 255 can be a level.
 */
void columns_check_level(struct line *line, const char *end,
			 const struct syntax *syntax);

/*
 * Check the remaining columns, which are ignored. Mark the line as bad if a
 * column could change which addresses are meant: for example another address,
 * or the word "allow".
 */
void columns_check(struct line *line, const char *end,
		   const struct syntax *syntax);

/*
 * Is the field an address or prefix, well-formed or malformed, possibly with
 * brackets or other signs around it?
 */
bool field_is_address(const struct field *field, const struct syntax *syntax);

/* Is the field an address or prefix with brackets or other signs around it? */
bool field_is_wrapped(const struct field *field, const struct syntax *syntax);

#endif /* KCUCKOO_CLI_COLUMNS_H */
