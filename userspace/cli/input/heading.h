/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions find the heading of a table and the columns of the keys, for csv.c. The
 * heading is a comment or the first line that is not a comment.
 */
#ifndef KCUCKOO_CLI_HEADING_H
#define KCUCKOO_CLI_HEADING_H

struct reader;

/*
 * Return: the name or number of the column that the user chose, or of two columns, with
 * a comma between them; or NULL if the user chose no column.
 */
const char *heading_chosen(const struct reader *reader);

/*
 * If no row or heading has been read yet, and the user has not chosen columns by number,
 * check whether a comment is the heading. Return: 0, or -1 after an error message.
 */
int heading_take_comment(struct reader *reader, const char *at, const char *end);

/*
 * Find the columns with the key, with the help of the first line that is neither blank
 * nor a comment. A heading in this line takes precedence over one in a comment; store the
 * meanings of its titles. Return: 1 if the line is a heading; 0 if the line is a row; or
 * -1 after an error message.
 */
int heading_begin(struct reader *reader, const char *at, const char *end);

/* Print an error: the column with the keys is not known. Return: -1. */
int heading_missing(struct reader *reader);

#endif /* KCUCKOO_CLI_HEADING_H */
