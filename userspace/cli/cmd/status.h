/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * list_state_read() reads the state of a list with a url, for the verbs status
 * and doctor.
 */
#ifndef KCUCKOO_CLI_CMD_STATUS_H
#define KCUCKOO_CLI_CMD_STATUS_H

#include "conf/config.h"

/**
 * struct list_state - state of a list with a url
 * @word: state of the last good copy of the list: "ok"; "stale", "failed" or "expired",
 *	see enum list_age; "missing"; "damaged"; or "refused", if the copy is fresh, but
 *	a check refused a newer copy
 * @members: number of members of the last good copy
 * @age: age of the last good copy in seconds; -1 if the copy is missing or damaged
 */
struct list_state {
	const char *word;
	__u64 members;
	long long age;
};

/* Read the state of a list to @state. @folder: result of state_open_lists(). */
void list_state_read(int folder, const struct config_list *list,
		     struct list_state *state);

#endif /* KCUCKOO_CLI_CMD_STATUS_H */
