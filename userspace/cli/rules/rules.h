/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcuckoo: the rules of the kernel's module and of hook xdp together
 */
#ifndef KCUCKOO_CLI_RULES_H
#define KCUCKOO_CLI_RULES_H

#include "cli.h"

/*
 * Put all rules into @rules, as kcuckoo_rules() does, hook xdp included. With @report,
 * warn of programs whose rules cannot be known. Return: their number, or -errno.
 */
int rules_list(struct cli *cli, struct kcuckoo_rule **rules, bool report);

#endif /* KCUCKOO_CLI_RULES_H */
