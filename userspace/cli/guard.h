/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcuckoo: warnings before a rule locks its author out
 */
#ifndef KCUCKOO_CLI_GUARD_H
#define KCUCKOO_CLI_GUARD_H

#include "cli.h"

/* Warn if @rule, with the members that its filter has now, would do so. */
void guard_rule(struct cli *cli, const struct kcuckoo_rule *rule);

/* The same for all rules that the filter @name has. */
void guard_filter(struct cli *cli, const char *name);

#endif /* KCUCKOO_CLI_GUARD_H */
