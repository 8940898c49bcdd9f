/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcuckoo: list the rules of the module and of hook xdp together
 */
#ifndef KCUCKOO_CLI_RULES_H
#define KCUCKOO_CLI_RULES_H

#include "cli.h"

/*
 * List all rules in @rules as kcuckoo_rules() does, with those of hook xdp.
 * With @report, warn about programs whose rules cannot be read. Return: how
 * many, or -errno.
 */
int rules_list(struct cli *cli, struct kcuckoo_rule **rules, bool report);

#endif /* KCUCKOO_CLI_RULES_H */
