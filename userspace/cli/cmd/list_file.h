/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions convert the section of a list with files to arguments of input_init()
 * and input_run(). The arguments are the names of the files, and the syntax of the lines
 * in these files.
 */
#ifndef KCUCKOO_CLI_LIST_FILE_H
#define KCUCKOO_CLI_LIST_FILE_H

#include "conf/config.h"
#include "input/line.h"

/* Size of a buffer for the numbers of two columns as text. */
#define LIST_COLUMN	24

/*
 * Return: an array of the names of the files of a list for input_init(); or NULL if
 * memory is short. The caller frees the array with list_file_names_free().
 */
char **list_file_names(const struct config_list *list);

/* Free the array @names, which has @count names. Do nothing if @names is NULL. */
void list_file_names_free(char **names, size_t count);

/*
 * Set the fields of @syntax that the section of a list specifies. @column: buffer to which
 * the field @column of @syntax can point, so the buffer must exist as long as @syntax.
 */
void list_file_syntax(struct syntax *syntax, const struct config_list *list,
		      char column[LIST_COLUMN]);

#endif /* KCUCKOO_CLI_LIST_FILE_H */
