/* SPDX-License-Identifier: GPL-2.0-only */
/* These functions read tables of comma-separated values (CSV), with the keys in any column. */
#ifndef KCUCKOO_CLI_CSV_H
#define KCUCKOO_CLI_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct reader;

/* Maximum number of a column. The first column has number 1. */
#define CSV_COLUMN_MAX	9999

/**
 * struct csv - state of reading one table
 * @separator: the character between columns, or 0 if the character is not known yet
 * @key: number, counted from 1, of the column with the key or the first address of a
 *	range; or 0 if the column is not known yet
 * @last: number of the column with the last address of each range, or with the mask or
 *	prefix length of each key; 0 to read only the column @key
 * @mask: the column @last has masks or prefix lengths, according to its title
 * @start: the column @key has first addresses of ranges, according to its title
 * @titles: number of columns in the heading; 0 without a heading
 * @columns: number of columns in the last row
 * @titled: element N has the meanings of the title of column N, see name_kinds(). The element
 *	for the column @key is 0
 * @joined: number of the column with the mask or prefix length of each key, according to its
 *	title; or 0
 * @meant: a title, such as "whitelisted" or "netmask", changes which addresses a row means
 * @unclear: number of columns of a comment that has two titles for the key; or 0
 * @excepts: a column has a title for exceptions, such as "except"
 * @twice: numbers of two columns that both have a fitting title; or zeros
 * @ends: numbers of the columns with the first and last addresses of ranges, by their titles in
 *	the same line; or zeros
 * @differs: two comments are headings with the keys in different columns
 * @begun: a line that is neither blank nor a comment has been read
 * @open: the previous line ended within a quoted column
 * @skip: the current row says that its key is not for blocking
 */
struct csv {
	char separator;
	int key;
	int last;
	bool mask;
	bool start;
	int titles;
	int columns;
	uint32_t titled[CSV_COLUMN_MAX + 1];
	int joined;
	bool meant;
	int unclear;
	bool excepts;
	int twice[2];
	int ends[2];
	bool differs;
	bool begun;
	bool open;
	bool skip;
};

/* See @options, @line, @broken and @end of struct layout_type. */
extern const char * const csv_options[];
int csv_line(struct reader *reader, const char *text, size_t length);
void csv_broken(struct reader *reader, const char *text, size_t length);
int csv_end(struct reader *reader);

#endif /* KCUCKOO_CLI_CSV_H */
