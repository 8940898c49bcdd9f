/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions make the arguments of input_init() and input_run() for the
 * files of a list of the configuration: their names, and the syntax of their
 * lines. sources.c and origin.c use them.
 */
#ifndef KCUCKOO_CLI_LIST_FILE_H
#define KCUCKOO_CLI_LIST_FILE_H

#include "conf/config.h"
#include "input/line.h"

/* Size of a buffer for the number of a column as text. */
#define LIST_COLUMN	16

/*
 * Return: an array of the names of the files of a list, with their formats and
 * options, for input_init(); or NULL if memory is short. A name is NULL if
 * memory was short for it. The caller frees the array with
 * list_file_names_free().
 */
char **list_file_names(const struct config_list *list);
void list_file_names_free(char **names, size_t count);

/*
 * Set the fields of @syntax that the section of a list has. @column: memory for
 * the field @column of @syntax, which must remain valid as long as @syntax.
 */
void list_file_syntax(struct syntax *syntax, const struct config_list *list,
		      char column[LIST_COLUMN]);

#endif /* KCUCKOO_CLI_LIST_FILE_H */
