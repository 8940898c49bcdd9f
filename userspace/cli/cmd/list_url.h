/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions convert the section of a list with a url to the list that the folder
 * fetch/ downloads. The verbs fetch, accept and doctor call these functions.
 */
#ifndef KCUCKOO_CLI_LIST_URL_H
#define KCUCKOO_CLI_LIST_URL_H

#include "conf/config.h"
#include "fetch/list.h"

/*
 * Set all fields of @list except the credential from the section @from of @config. Return:
 * 0, or -1 after an error message. The caller calls list_url_free() in any case.
 */
int list_url_set(struct list *list, const struct config *config,
		 const struct config_list *from);
void list_url_free(struct list *list);

/*
 * Return: true if the last attempt to fetch the list of the section @from of @config had
 * other URLs or another syntax, so that accept refuses the copy of this attempt. @cache:
 * result of state_open_cache().
 */
bool list_url_has_changed(int cache, const struct config *config,
			  const struct config_list *from);

#endif /* KCUCKOO_CLI_LIST_URL_H */
