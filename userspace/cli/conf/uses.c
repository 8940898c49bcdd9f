// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions find out whether rules block or allow the addresses of a filter or
 * list of the configuration.
 */
#include <string.h>

#include "conf/report.h"
#include "conf/texts.h"
#include "conf/uses.h"

bool config_allows(const struct config *config, const char *name)
{
	size_t i;

	for (i = 0; i < config->rule_count; i++)
		if (!strcmp(config->rules[i]->allow, name))
			return true;
	return false;
}

bool config_allows_only(const struct config *config, const char *name)
{
	size_t i;

	for (i = 0; i < config->rule_count; i++)
		if (texts_find(&config->rules[i]->filters, name, strlen(name)))
			return false;
	return config_allows(config, name);
}

static bool has_list(const struct config_sources *sources,
		     const struct config_list *list)
{
	size_t i;

	for (i = 0; i < sources->count; i++)
		if (sources->items[i].list == list)
			return true;
	return false;
}

bool config_list_allows(const struct config *config,
			const struct config_list *list)
{
	size_t i;

	for (i = 0; i < config->filter_count; i++) {
		const struct config_filter *filter = config->filters[i];

		if (has_list(&filter->excludes, list) ||
		    (has_list(&filter->lists, list) &&
		     config_allows_only(config, filter->name)))
			return true;
	}
	return false;
}

void config_ignore_expire(struct config *config)
{
	char where[PLACE_TEXT];
	size_t i;

	for (i = 0; i < config->list_count; i++) {
		struct config_list *list = config->lists[i];

		if (!list->expire || !config_list_allows(config, list))
			continue;
		warn("%s: [list %s]: expire is ignored: without this list, its addresses could be blocked",
		     place_text(&list->place, where), list->name);
		list->expire = 0;
	}
}
