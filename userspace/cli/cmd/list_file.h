/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions set how the files of a list of the configuration are read: their
 * names, and the syntax of their lines.
 */
#ifndef KCUCKOO_CLI_LIST_FILE_H
#define KCUCKOO_CLI_LIST_FILE_H

#include "conf/config.h"
#include "input/line.h"

/* Size of a buffer for the column of a list. */
#define LIST_COLUMN	16

/*
 * Return: the names of the files of a list, as input_init() needs them, or NULL
 * if memory is short. The caller ends with list_file_names_free().
 */
char **list_file_names(const struct config_list *list);
void list_file_names_free(char **names, size_t count);

/* Set how the lines of a list with files are parsed. @column: buffer. */
void list_file_syntax(struct syntax *syntax, const struct config_list *list,
		      char column[LIST_COLUMN]);

#endif /* KCUCKOO_CLI_LIST_FILE_H */
