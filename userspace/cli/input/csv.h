/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions read tables of comma-separated values (CSV), with the keys in
 * any column. input.c calls the functions through the table of layouts (layout.h).
 */
#ifndef KCUCKOO_CLI_CSV_H
#define KCUCKOO_CLI_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct reader;

/* Maximum number of a column. The first column has number 1. */
#define CSV_COLUMN_MAX	9999

/* Bits of @titled of struct csv. */
#define CSV_SIZE	1	/* the title is for masks or prefix lengths, such as "mask" */
#define CSV_END		2	/* the title is for last addresses of ranges, such as "end" */

/**
 * struct csv - state of reading one table
 * @separator: the character between columns, or 0 if the character is not known yet
 * @key: number, counted from 1, of the column with the key or the first address of a
 *	range; or 0 if the column is not known yet
 * @last: number of the column with the last address of each range, or with the mask or
 *	prefix length of each key; 0 to read only the column @key
 * @mask: the column @last has masks or prefix lengths, according to its title
 * @titles: number of columns in the heading; 0 without a heading
 * @titled: element N is CSV_SIZE or CSV_END according to the title of column N, or 0 for
 *	another title. The element for the column @key is always 0
 * @begun: a line that is neither blank nor a comment has been read
 * @open: the previous line ended within a quoted column
 */
struct csv {
	char separator;
	int key;
	int last;
	bool mask;
	int titles;
	uint8_t titled[CSV_COLUMN_MAX + 1];
	bool begun;
	bool open;
};

/* See @options, @line, @broken and @end of struct layout_type. */
extern const char * const csv_options[];
int csv_line(struct reader *reader, const char *text, size_t length);
void csv_broken(struct reader *reader, const char *text, size_t length);
int csv_end(struct reader *reader);

#endif /* KCUCKOO_CLI_CSV_H */
