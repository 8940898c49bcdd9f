// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * These functions of libkcuckoo attach, detach and list rules. kcuckoo_slot()
 * gets the slot id of a name, by which BPF programs refer to the name.
 */
#include <string.h>

#include "handle.h"

KCUCKOO_PUBLIC int kcuckoo_attach(struct kcuckoo *handle, const char *name,
				  struct kcuckoo_ioc_attach *rule)
{
	int ret = kcuckoo_handle_name(rule->name, name);

	return ret ? ret : kcuckoo_handle_call(handle, KCUCKOO_IOC_ATTACH, rule);
}

KCUCKOO_PUBLIC int kcuckoo_detach(struct kcuckoo *handle, const char *name,
				  struct kcuckoo_ioc_detach *pattern)
{
	struct kcuckoo_ioc_detach any = { .size = sizeof(any) };
	int ret = 0;

	if (!pattern)
		pattern = &any;
	if (name) {
		pattern->flags |= KCUCKOO_DETACH_NAME;
		ret = kcuckoo_handle_name(pattern->name, name);
	} else {
		/* Remove a name that an earlier call left in @pattern. */
		pattern->flags &= ~KCUCKOO_DETACH_NAME;
		memset(pattern->name, 0, sizeof(pattern->name));
	}
	if (!ret)
		ret = kcuckoo_handle_call(handle, KCUCKOO_IOC_DETACH, pattern);
	return ret ? ret : (int)pattern->removed;
}

KCUCKOO_PUBLIC int kcuckoo_rules(struct kcuckoo *handle,
				 struct kcuckoo_rule **rules)
{
	return kcuckoo_handle_list(handle, KCUCKOO_IOC_RULES, sizeof(**rules),
				   (void **)rules);
}

KCUCKOO_PUBLIC int kcuckoo_rules_zero(struct kcuckoo *handle, const char *name,
				      struct kcuckoo_rule **rules)
{
	struct kcuckoo_ioc_rules arg = {
		.size = sizeof(arg),
		.flags = KCUCKOO_RULES_ZERO,
		.rule_size = sizeof(**rules),
	};
	int ret = name ? kcuckoo_handle_name(arg.name, name) : 0;

	*rules = NULL;
	if (ret)
		return ret;
	return kcuckoo_handle_list_by(handle, KCUCKOO_IOC_RULES, &arg,
				      sizeof(**rules), (void **)rules);
}

KCUCKOO_PUBLIC int kcuckoo_slot(struct kcuckoo *handle, const char *name,
				struct kcuckoo_ioc_slot *slot)
{
	int ret = kcuckoo_handle_name(slot->name, name);

	return ret ? ret : kcuckoo_handle_call(handle, KCUCKOO_IOC_SLOT, slot);
}
