/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions find what the filters and lists of a configuration are used for.
 */
#ifndef KCUCKOO_CLI_CONF_USES_H
#define KCUCKOO_CLI_CONF_USES_H

#include "conf/config.h"

/* Return: true if rules use the filter @name only as @allow. */
bool config_allows_only(const struct config *config, const char *name);

/*
 * Return: true if a filter excludes the addresses of the list, or if rules only
 * allow a filter with the list. Private networks count there.
 */
bool config_list_allows(const struct config *config,
			const struct config_list *list);

/*
 * Clear @expire of the lists for which config_list_allows() holds, with a warning:
 * an empty list of exceptions would block what it has to spare.
 */
void config_ignore_expire(struct config *config);

#endif /* KCUCKOO_CLI_CONF_USES_H */
