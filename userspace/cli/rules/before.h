/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions save the state of filters and their rules before a change, and
 * restore this state if confirm.c undoes the change.
 */
#ifndef KCUCKOO_CLI_BEFORE_H
#define KCUCKOO_CLI_BEFORE_H

#include "cli.h"

/**
 * struct before_filter - a filter whose state is saved
 * @name: name of the filter
 * @rules_only: save and restore only the rules of the filter, not its members
 * @existed: out: the filter existed before the change
 * @managed: out: the name of the filter was marked as managed by a configuration
 * @filter_id: out: @filter_id of struct kcuckoo_ioc_info, or 0 if the filter did not
 *	exist
 * @changes: out: number of changes of the members, see @changes of struct
 *	kcuckoo_ioc_info
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
 * Save the @count filters in the array @filters, and their rules, to the empty folder
 * @folder. Set the fields of @filters that struct before_filter marks "out". Return: 0,
 * or -1 after an error message.
 */
int before_save(struct cli *cli, const char *folder,
		struct before_filter *filters, int count);

/*
 * Restore the state that before_save() wrote to @folder. First restore the filters whose
 * members changed and the filters that no longer exist, except for filters with
 * @rules_only. Then restore the rules of all filters, see rule_changes(). Last destroy
 * the filters that did not exist before the change. If one step fails, continue with the
 * other steps. If the list of filters or the list of rules in @folder cannot be read,
 * change nothing. Return: 0, or -1 after error messages.
 */
int before_restore(struct cli *cli, const char *folder);

#endif /* KCUCKOO_CLI_BEFORE_H */
