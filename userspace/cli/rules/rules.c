// SPDX-License-Identifier: GPL-2.0-only
/*
 * rules_list() lists the rules of the module and of hook xdp together.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "rules/rules.h"
#include "rules/xdp.h"

/* Move the last @moved of @count rules before the others. Return: 0, or -ENOMEM. */
static int move_to_front(struct kcuckoo_rule *rules, int count, int moved)
{
	struct kcuckoo_rule *copy;

	if (!moved)
		return 0;
	copy = malloc(moved * sizeof(*copy));
	if (!copy)
		return -ENOMEM;
	memcpy(copy, rules + count - moved, moved * sizeof(*copy));
	memmove(rules + moved, rules, (count - moved) * sizeof(*rules));
	memcpy(rules, copy, moved * sizeof(*copy));
	free(copy);
	return 0;
}

int rules_list(struct cli *cli, struct kcuckoo_rule **rules, bool report)
{
	int others = kcuckoo_rules(cli->handle, rules), count;

	if (others < 0)
		return others;
	count = xdp_rules(cli, rules, others, report);
	if (!move_to_front(*rules, count, count - others))
		return count;
	free(*rules);
	return -ENOMEM;
}
