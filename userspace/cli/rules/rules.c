// SPDX-License-Identifier: GPL-2.0-only
/*
 * rules_list() lists the rules of the module and those of hook xdp in one list.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "rules/rules.h"
#include "rules/users.h"
#include "rules/xdp.h"

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
	int module_rules = kcuckoo_rules(cli->handle, rules), count;

	if (module_rules < 0)
		return module_rules;
	count = xdp_rules(cli, rules, module_rules, report);
	if (!move_to_front(*rules, count, count - module_rules))
		return count;
	free(*rules);
	return -ENOMEM;
}

int rules_destroy_filter(struct cli *cli, const char *name)
{
	const struct kcuckoo_ioc_detach pattern = {
		.size = sizeof(pattern),
		.flags = KCUCKOO_DETACH_HOOK,
		.hook = HOOK_XDP,
	};
	struct xdp_detached detached = { .rules = 0 };
	int ret = kcuckoo_destroy(cli->handle, name);

	/*
	 * A device can have the slot of the filter without a rule that uses the slot:
	 * after a process was killed while it attached or detached a rule of hook xdp,
	 * or after ip-link(8) removed the program. Then kcuckoo_destroy() fails with
	 * EBUSY. xdp_detach() releases the slot on all devices. xdp_detach() also
	 * detaches rules of hook xdp that another process attached after the caller
	 * detached the rules.
	 */
	if (ret == -EBUSY && xdp_is_built &&
	    !xdp_detach(cli, name, &pattern, &detached))
		ret = kcuckoo_destroy(cli->handle, name);
	if (ret == -EBUSY)
		return users_error(cli, name, "destroy");
	return ret && ret != -ENOENT ? filter_error(cli, ret, name, "destroy") : 0;
}
