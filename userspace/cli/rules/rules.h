/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rules_list() lists the rules of the module and those of hook xdp in one list.
 * rules_destroy_filter() destroys a filter, and releases the slot of its name if devices
 * have the slot for hook xdp.
 */
#ifndef KCUCKOO_CLI_RULES_H
#define KCUCKOO_CLI_RULES_H

#include "cli.h"

/*
 * List the rules of hook xdp and those of the module, in the order in which packets
 * traverse them: a device runs its XDP program before all other hooks. Set @rules to the
 * list, which the caller frees. With @report, warn about XDP programs whose rules cannot
 * be read. Return: the number of rules; or -errno, and then the caller has nothing to
 * free.
 */
int rules_list(struct cli *cli, struct kcuckoo_rule **rules, bool report);

/*
 * Destroy the filter @name, whose rules the caller has detached. Return: 0, also if no
 * filter has this name; or -1 after an error message.
 */
int rules_destroy_filter(struct cli *cli, const char *name);

#endif /* KCUCKOO_CLI_RULES_H */
