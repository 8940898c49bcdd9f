/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions read tables of comma-separated values (CSV), with the keys in
 * any column.
 */
#ifndef KCUCKOO_CLI_CSV_H
#define KCUCKOO_CLI_CSV_H

#include <stdbool.h>
#include <stddef.h>

struct reader;

/**
 * struct csv - state of the reader
 * @separator: the character between columns, or 0 if it is not known yet
 * @key: number of the column with the key or the first address of a range, from
 *	1; or 0 if it is not known yet
 * @last: number of the column with the last address of a range, or 0
 * @mask: the column @last has masks or prefix lengths, as its title says
 * @titles: number of columns in the heading, or 0
 * @sizes: the columns up to 63 whose titles are for masks or prefix lengths, as bits
 * @ends: the columns up to 63 whose titles are for last addresses, as bits
 * @begun: the heading or the first row has been read
 * @open: the previous line ends within a quoted column
 */
struct csv {
	char separator;
	int key;
	int last;
	bool mask;
	int titles;
	unsigned long long sizes;
	unsigned long long ends;
	bool begun;
	bool open;
};

/* See @options, @line, @broken and @end of struct layout_type. */
extern const char * const csv_options[];
int csv_line(struct reader *reader, const char *text, size_t length);
void csv_broken(struct reader *reader, const char *text, size_t length);
int csv_end(struct reader *reader);

#endif /* KCUCKOO_CLI_CSV_H */
