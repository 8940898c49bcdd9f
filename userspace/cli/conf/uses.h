/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions find out whether rules block or allow the addresses of a filter or
 * list of the configuration.
 */
#ifndef KCUCKOO_CLI_CONF_USES_H
#define KCUCKOO_CLI_CONF_USES_H

#include "conf/config.h"

/* Return: true if the filter @name is the allow filter of a rule. */
bool config_allows(const struct config *config, const char *name);

/* Return: true if @name is the allow filter of a rule, and no rule matches its members. */
bool config_allows_only(const struct config *config, const char *name);

/*
 * Return: true if the list has addresses that must not be blocked: a filter excludes the
 * addresses, or they are members of a filter that rules use only as allow filter. The
 * caller must not leave out private networks of such a list: rules could then block
 * these networks.
 */
bool config_list_allows(const struct config *config,
			const struct config_list *list);

/*
 * Clear @expire of the lists for which config_list_allows() returns true, and print a
 * warning for each. An expired list counts as empty, so rules could block the addresses
 * of such a list.
 */
void config_ignore_expire(struct config *config);

#endif /* KCUCKOO_CLI_CONF_USES_H */
