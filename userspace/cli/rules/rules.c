// SPDX-License-Identifier: GPL-2.0-only
/*
 * rules_list() lists the rules of the module and of hook xdp together.
 */
#include "rules/rules.h"
#include "rules/xdp.h"

int rules_list(struct cli *cli, struct kcuckoo_rule **rules, bool report)
{
	int count = kcuckoo_rules(cli->handle, rules);

	return count < 0 ? count : xdp_rules(cli, rules, count, report);
}
