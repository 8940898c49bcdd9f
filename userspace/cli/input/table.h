/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * table_why() recognizes a table with titles in a text that would be read as a list, for
 * input.c.
 */
#ifndef KCUCKOO_CLI_TABLE_H
#define KCUCKOO_CLI_TABLE_H

#include <stddef.h>

/*
 * Return: an error text if the @length bytes at @text, the start of a text, have a table with
 * titles that LAYOUT_LIST would misread; otherwise NULL.
 */
const char *table_why(const char *text, size_t length);

#endif /* KCUCKOO_CLI_TABLE_H */
