// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions convert the section of a list with files to arguments of input_init()
 * and input_run(). The arguments are the names of the files, and the syntax of the lines
 * in these files.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/list_file.h"

char **list_file_names(const struct config_list *list)
{
	char **names = calloc(list->files.count + 1, sizeof(*names));
	size_t i;

	for (i = 0; names && i < list->files.count; i++) {
		names[i] = strdup(list->files.items[i].text);
		if (!names[i]) {
			list_file_names_free(names, i);
			return NULL;
		}
	}
	return names;
}

void list_file_names_free(char **names, size_t count)
{
	size_t i;

	for (i = 0; names && i < count; i++)
		free(names[i]);
	free(names);
}

void list_file_syntax(struct syntax *syntax, const struct config_list *list,
		      char column[LIST_COLUMN])
{
	if (list->column_last)
		snprintf(column, LIST_COLUMN, "%u,%u", list->column, list->column_last);
	else
		snprintf(column, LIST_COLUMN, "%u", list->column);
	syntax->recognize = list->layout < 0;
	syntax->layout = list->layout < 0 ? LAYOUT_LIST : list->layout;
	if (list->layout < 0 && (list->json_key || list->where)) {
		syntax->recognize = false;
		syntax->layout = LAYOUT_JSON;
	}
	syntax->column = list->column ? column : NULL;
	syntax->ranges = list->ranges;
	syntax->member = list->member;
	syntax->json_keys = list->json_key;
	syntax->json_where = list->where;
	syntax->configured = true;
}
