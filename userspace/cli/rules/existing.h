/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcuckoo: compare filters and rules that exist with those that are requested
 */
#ifndef KCUCKOO_CLI_EXISTING_H
#define KCUCKOO_CLI_EXISTING_H

#include "args.h"

/*
 * Compare the filter @name, which exists as @info says, with @create.
 * Parameters that @args names must match; those that affect which keys are
 * found must match in any case. With KCUCKOO_CREATE_LIKE all parameters must
 * match those of the other filter. Return: 0, or -1 after an error message.
 */
int existing_filter_check(struct cli *cli, const struct args *args,
			  const struct kcuckoo_ioc_create *create,
			  const struct kcuckoo_ioc_info *info);

/*
 * Look for @rule among the rules that exist, with any @mode where that is
 * XDP_MODE_ANY. Return: 1 if existing rules do the same, whose counters are
 * written to @rule; 0 if @rule may be attached; or -1 after an error message.
 */
int existing_rule_check(struct cli *cli, struct kcuckoo_rule *rule, int mode);

#endif /* KCUCKOO_CLI_EXISTING_H */
