/* SPDX-License-Identifier: GPL-2.0-only */
/* These functions interpret the columns after the key of a line. */
#ifndef KCUCKOO_CLI_COLUMNS_H
#define KCUCKOO_CLI_COLUMNS_H

#include "input/field.h"
#include "input/line.h"

/* Error text for a line with a number of addresses, of which the key is the first. */
extern const char line_unclear_count[];

/* Error text for a line with a key for one port. */
extern const char line_one_port[];

/*
 * Parse a mask, a prefix length or the last address of a range in the columns directly
 * after the key of @line. @end: end of the line. Set @line->rest to the end of the
 * columns that were parsed. Mark @line as bad if its meaning is unclear.
 */
void columns_parse(struct line *line, const char *end,
		   const struct syntax *syntax);

/*
 * Combine the key of @line, which is one column, with the text of another column, from @at to
 * @end. With @mask, the text is a prefix length, a mask or a wildcard, which is an inverted
 * mask. Without @mask, the text is a prefix length, a wildcard or the last address of a range or
 * network.
 */
void columns_take_last(struct line *line, const char *at, const char *end, bool mask,
		       const struct syntax *syntax);

/*
 * csv.c calls these functions for one column of a row, the text from @at to @end. The
 * key of the row is an address without a prefix length.
 *
 * columns_take_cell() combines the key with the next column: a mask, the last address of a
 * network, or a prefix length. @chosen: the user chose the column of the key. With @chosen,
 * columns_check_cell() checks an address that is not the mask of the key.
 *
 * columns_take_third() checks the column after a second address: a prefix length there must be
 * the prefix length of the network.
 *
 * columns_check_cell() marks the line as bad if the column has a mask, or a prefix length that
 * length_is_unread() recognizes. @next: the column directly follows the key. With @next, the
 * last address of a network makes the line bad, too, and a number sets @line->has_number.
 *
 * columns_is_size() returns true if the column is a number that can be a prefix length, or a
 * slash and a number or mask. With @loose, a number without a slash must be at least 8, and the
 * key must be the first address of a network of this length. columns_is_second() returns true if
 * the column is an address of the family of the key.
 *
 * columns_check_titled() marks the line as bad if a column with a title for masks or prefix
 * lengths (@size), or for last addresses, is not understood. csv.c first tries columns_is_size()
 * and columns_is_second(). @loose: the title can also be for something else, so the line is bad
 * only for an address or prefix length in another form.
 *
 * columns_check_count() marks the line as bad if the column, whose title is for numbers of
 * addresses, has a number above 1. @loose: the title can also be for counts of something else,
 * so only a number that fits the key makes the line bad, see key_is_block().
 *
 * columns_check_further() marks the line as bad if the column has another address.
 *
 * columns_compare_first(), columns_compare_last() and columns_compare_size() are for a key
 * that is a network or range. They mark the line as bad if the column has another first or
 * last address, or another prefix length or mask.
 */
void columns_take_cell(struct line *line, const char *at, const char *end, bool chosen,
		       const struct syntax *syntax);
void columns_take_third(struct line *line, const char *at, const char *end,
			const struct syntax *syntax);
void columns_check_cell(struct line *line, const char *at, const char *end, bool next,
			const struct syntax *syntax);
bool columns_is_size(const struct line *line, const char *at, const char *end,
		     bool loose);
bool columns_is_second(const struct line *line, const char *at, const char *end,
		       const struct syntax *syntax);
void columns_check_titled(struct line *line, const char *at, const char *end, bool size,
			  bool loose, const struct syntax *syntax);
void columns_check_count(struct line *line, const char *at, const char *end, bool loose);
void columns_check_further(struct line *line, const char *at, const char *end,
			   const struct syntax *syntax);
void columns_compare_first(struct line *line, const char *at, const char *end,
			   const struct syntax *syntax);
void columns_compare_last(struct line *line, const char *at, const char *end,
			  const struct syntax *syntax);
void columns_compare_size(struct line *line, const char *at, const char *end,
			  const struct syntax *syntax);

/*
 * Parse a prefix length in the column after the key of @line. For another number, only set
 * @line->has_number. With LAYOUT_LIST, mark @line as bad if the number could be a port.
 */
void columns_take_length(struct line *line, const char *end,
			 const struct syntax *syntax);

/*
 * Mark @line as bad if an IPv4 address after its key could be the mask or wildcard of the key.
 * Only for LAYOUT_ROW.
 */
void columns_check_mask(struct line *line, const char *end,
			const struct syntax *syntax);

/*
 * With LAYOUT_ROW and LAYOUT_JSON, mark @line as bad if its key is a mask, such as
 * 255.255.255.0.
 */
void columns_check_alone(struct line *line);

/*
 * Check @field, the word directly after the key. Mark the line as bad if the line is about one
 * port, or is part of a hosts file, which has names of hosts after each address.
 */
void columns_check_word(struct line *line, const struct field *field);

/*
 * Check the level of a range. In ipfilter.dat, a list for peer-to-peer programs, the column
 * after the range has the level of the range, a number. The programs allow ranges of level 127
 * or above: set the kind of @line to LINE_ALLOWED. If @levels of the syntax is not set, a number
 * from 127 to 255 makes the line bad, because the number could be a level.
 */
void columns_check_level(struct line *line, const char *end,
			 const struct syntax *syntax);

/*
 * Check the remaining columns, from @line->rest to @end, which have no part of the key. Mark the
 * line as bad if one of these columns could change which addresses the line means: for example
 * another address, or the word "allow". If @exceptions of @syntax is set, a word such as "allow"
 * sets @line->exception instead.
 */
void columns_check(struct line *line, const char *end,
		   const struct syntax *syntax);

/*
 * Return: true if the field is an address or prefix, possibly with punctuation around the
 * address. Text that looks like a malformed address counts, too.
 */
bool field_is_address(const struct field *field, const struct syntax *syntax);

/* Return: true if the field is an address or prefix with punctuation around the address. */
bool field_is_wrapped(const struct field *field, const struct syntax *syntax);

#endif /* KCUCKOO_CLI_COLUMNS_H */
