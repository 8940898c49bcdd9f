/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions split a row of a table into columns, for csv.c, heading.c and table.c.
 */
#ifndef KCUCKOO_CLI_CELL_H
#define KCUCKOO_CLI_CELL_H

#include <stdbool.h>

/**
 * struct cell - a column of a row
 * @at: first byte of the content, without quotes and blanks around it
 * @end: end of the content
 * @next: start of the next column, or NULL if this is the last column
 * @open: the content begins with a quote, and the line has no closing quote
 * @bad: text follows the closing quote
 */
struct cell {
	const char *at;
	const char *end;
	const char *next;
	bool open;
	bool bad;
};

/*
 * Parse the column of a row that begins at @at. @end: end of the row. If @separator is a blank,
 * any number of blanks separates columns.
 */
void cell_parse(const char *at, const char *end, char separator, struct cell *cell);

/*
 * Find column @number of a row, counted from 1. Return: false if the row has fewer
 * columns.
 */
bool cell_find(const char *at, const char *end, char separator, int number,
	       struct cell *cell);

/*
 * Return: the separator of columns that occurs most often outside quotes in the line from @at to
 * @end, among ',', ';', tab and '|'.
 */
char cell_separator(const char *at, const char *end);

#endif /* KCUCKOO_CLI_CELL_H */
