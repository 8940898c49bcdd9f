/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * table_why() recognizes a table with titles in a text that would be read as a list, for
 * input.c.
 */
#ifndef KCUCKOO_CLI_TABLE_H
#define KCUCKOO_CLI_TABLE_H

#include <stddef.h>

/*
 * Return: an error text if the text that begins with the @length bytes at @text is a table,
 * and LAYOUT_LIST would ignore the meaning of one of its columns, or would take a number
 * in it for a prefix length; otherwise NULL.
 */
const char *table_why(const char *text, size_t length);

#endif /* KCUCKOO_CLI_TABLE_H */
