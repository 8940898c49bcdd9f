// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions convert the section of a list with a url to the list that the folder
 * fetch/ downloads, see cmd/list_url.h.
 */
#include <stdio.h>
#include <stdlib.h>

#include "cmd/list_url.h"
#include "conf/fields.h"
#include "conf/uses.h"
#include "fetch/status.h"
#include "message.h"

static char **copy_urls(const struct config_texts *texts)
{
	char **urls = calloc(texts->count, sizeof(*urls));
	size_t i;

	for (i = 0; urls && i < texts->count; i++)
		urls[i] = texts->items[i].text;
	return urls;
}

static void set_syntax(struct list *list, const struct config_list *from)
{
	struct syntax *syntax = &list->syntax;

	syntax->kind = SYNTAX_INET;
	syntax->recognize = from->layout < 0;
	syntax->layout = from->layout < 0 ? LAYOUT_LIST : from->layout;
	if (from->layout < 0 && (from->json_key || from->where)) {
		syntax->recognize = false;
		syntax->layout = LAYOUT_JSON;
	}
	if (from->column_last)
		snprintf(list->column, sizeof(list->column), "%u,%u", from->column,
			 from->column_last);
	else if (from->column)
		snprintf(list->column, sizeof(list->column), "%u", from->column);
	if (from->column)
		syntax->column = list->column;
	syntax->ranges = from->ranges;
	syntax->member = from->member;
	syntax->json_keys = from->json_key;
	syntax->json_where = from->where;
	syntax->configured = true;
}

static void set_guards(struct guards *guards, const struct config_list *from)
{
	guards->min = from->min;
	guards->max_shrink = from->max_shrink;
	guards->max_grow = list_has(from, "max-grow") ? from->max_grow :
			   GUARD_GROW_DEFAULT;
	guards->wide = from->wide;
}

int list_url_set(struct list *list, const struct config *config,
		 const struct config_list *from)
{
	list->name = from->name;
	list->urls = copy_urls(&from->urls);
	if (!list->urls)
		return error("not enough memory");
	list->url_count = from->urls.count;
	set_syntax(list, from);
	set_guards(&list->guards, from);
	/*
	 * Keep the bogons of a list if a filter excludes the addresses of the list, or if
	 * rules use a filter with the list only as allow filter: rules could block bogons
	 * that are left out of such a list.
	 */
	list->bogons = from->bogons || config_list_allows(config, from);
	list->refresh = from->refresh;
	list->limits.stale = from->stale;
	list->limits.expire = from->expire;
	return 0;
}

void list_url_free(struct list *list)
{
	free((char **)list->urls);
	list->urls = NULL;
}

bool list_url_has_changed(int cache, const struct config *config,
			  const struct config_list *from)
{
	struct list_status status;
	struct list list = { 0 };
	bool changed;

	status_read(cache, from->name, &status);
	changed = !list_url_set(&list, config, from) &&
		  status_has_other_source(&list, &status);
	list_url_free(&list);
	return changed;
}
