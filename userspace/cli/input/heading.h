/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions find the heading of a table and the columns of the keys, for csv.c. The
 * heading has the titles of the columns.
 */
#ifndef KCUCKOO_CLI_HEADING_H
#define KCUCKOO_CLI_HEADING_H

struct reader;

/* Return: the column or columns that the user chose, such as "ip" or "1,2"; or NULL. */
const char *heading_chosen(const struct reader *reader);

/*
 * Check whether a comment before the first row is the heading. Return: 0, or -1 after an error
 * message.
 */
int heading_take_comment(struct reader *reader, const char *at, const char *end);

/*
 * Find the columns with the key from the first line that is neither blank nor a comment. Return:
 * 1 if the line is the heading; 0 if the line is a row; or -1 after an error message.
 */
int heading_begin(struct reader *reader, const char *at, const char *end);

/*
 * Check whether a line after the first row, which is no row, or a comment, is a heading. If it
 * gives the columns another meaning, print an error: it is not known whether all rows before it
 * have the old columns. Return: 1 if the line repeats the heading; 0 if the line is no
 * heading, or has no meaning; or -1 after the error message.
 */
int heading_again(struct reader *reader, const char *at, const char *end);

/* Print an error: the column with the keys is not known. Return: -1. */
int heading_missing(struct reader *reader);

#endif /* KCUCKOO_CLI_HEADING_H */
