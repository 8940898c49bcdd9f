/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions of the verb status are for the verb doctor, too.
 */
#ifndef KCUCKOO_CLI_STATUS_OF_CONFIG_H
#define KCUCKOO_CLI_STATUS_OF_CONFIG_H

#include "conf/config.h"

/**
 * struct list_state - state of a list with a url
 * @word: state in one word: "ok", "stale", "failed", "expired", "refused",
 *	"missing" or "damaged"
 * @members: number of members of the last good copy
 * @age: its age in seconds, or -1 if there is none
 */
struct list_state {
	const char *word;
	__u64 members;
	long long age;
};

/* Read the state of a list. @folder: from state_open_lists(). */
void list_state_read(int folder, const struct config_list *list,
		     struct list_state *state);

#endif /* KCUCKOO_CLI_STATUS_OF_CONFIG_H */
