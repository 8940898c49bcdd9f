/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions compare existing filters and rules with requested ones, for
 * the option --exist of create and attach.
 */
#ifndef KCUCKOO_CLI_EXISTING_H
#define KCUCKOO_CLI_EXISTING_H

#include "args.h"

/*
 * Compare an existing filter, whose parameters are in @info, with the requested
 * parameters in @create. A parameter must match if an operand in @args names it, or if
 * it affects which keys are found; for the timeout, see must_match(). With
 * KCUCKOO_CREATE_LIKE, all parameters must match the parameters of the filter
 * @create->like. Return: 0, or -1 after an error message.
 */
int existing_filter_check(struct cli *cli, const struct args *args,
			  const struct kcuckoo_ioc_create *create,
			  const struct kcuckoo_ioc_info *info);

/*
 * Compare @rule with the existing rules of the same filter. @mode: requested mode of a
 * rule of hook xdp; XDP_MODE_ANY matches any mode. Return: 0 if none of these rules
 * prevents @rule from being attached; 1 if existing rules have the same effect as
 * @rule, with the counters of these rules added to @rule; or -1 after an error message.
 */
int existing_rule_check(struct cli *cli, struct kcuckoo_rule *rule, int mode);

#endif /* KCUCKOO_CLI_EXISTING_H */
