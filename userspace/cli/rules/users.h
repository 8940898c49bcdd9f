/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions count and print the users of a filter. A user is a rule of kcuckoo, a
 * rule of iptables, a BPF program or another module that refers to the name of the filter.
 * A filter with users cannot be destroyed or renamed.
 */
#ifndef KCUCKOO_CLI_USERS_H
#define KCUCKOO_CLI_USERS_H

#include "cli.h"

/*
 * Return: the number of users of the filter @name that are not in @rules, an array of
 * @count rules from rules_list(). @info: state of the filter.
 */
__u32 users_count_others(const struct kcuckoo_ioc_info *info, const char *name,
			 const struct kcuckoo_rule *rules, int count);

/*
 * Print how to find the @others users of the filter @name that rules_list() does not
 * list. @others is not 0. Return: -1.
 */
int users_hint(const char *name, __u32 others);

/*
 * Print an error, the rules that use the filter @name, the commands that remove these
 * rules, and how to find other users. @what: the operation that failed, such as
 * "destroy". Return: -1.
 */
int users_error(struct cli *cli, const char *name, const char *what);

#endif /* KCUCKOO_CLI_USERS_H */
