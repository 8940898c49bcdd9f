/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions save the state of filters and of their rules before a change,
 * and restore the state if the change is undone, for confirm.c.
 */
#ifndef KCUCKOO_CLI_BEFORE_H
#define KCUCKOO_CLI_BEFORE_H

#include "cli.h"

/**
 * struct before_filter - a filter whose state is saved
 * @name: name of the filter
 * @rules_only: only its rules are saved, because the change keeps its members
 * @existed: out: the filter exists
 * @managed: out: its name is marked as managed
 * @filter_id: out: @filter_id of struct kcuckoo_ioc_info, or 0 if it does not exist
 * @changes: out: @changes of struct kcuckoo_ioc_info
 */
struct before_filter {
	char name[KCUCKOO_NAME_SIZE];
	bool rules_only;
	bool existed;
	bool managed;
	__u64 filter_id;
	__u64 changes;
};

/*
 * Write the filters and all of their rules to @folder, which is empty. A filter
 * that does not exist is written as missing. Return: 0, or -1 after an error
 * message.
 */
int before_save(struct cli *cli, const char *folder,
		struct before_filter *filters, int count);

/*
 * Restore the state that before_save() wrote to @folder: replace or create the
 * filters whose members were changed, detach rules that they did not have, attach
 * rules that they had, and destroy filters that did not exist. A rule whose device is
 * gone stays away, with a warning. If one step fails, the other steps are still done.
 * If the state in @folder cannot be read completely, change nothing. Return: 0, or -1
 * after error messages.
 */
int before_restore(struct cli *cli, const char *folder);

#endif /* KCUCKOO_CLI_BEFORE_H */
