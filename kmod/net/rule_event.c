// SPDX-License-Identifier: GPL-2.0-only
/*
 * Emits the events of the rules of a network namespace: a rule is attached or detached,
 * or a device to which the rule applies appears or disappears.
 */
#include <linux/string.h>

#include "net/event.h"
#include "net/rule.h"

static u32 kcuckoo_event_waits(struct kcuckoo_net *net, const u8 *name, u32 flag)
{
	const struct kcuckoo_filter *filter = NULL;
	const struct kcuckoo_slot *slot;

	if (!name[0])
		return 0;
	slot = kcuckoo_slot_find(net, name);
	if (slot)
		filter = kcuckoo_slot_filter(slot);
	return filter && filter->config.type == KCUCKOO_TYPE_INET ? 0 : flag;
}

/**
 * kcuckoo_event_rule() - emit an event of a rule
 * @net: the namespace's object
 * @type: enum kcuckoo_event_type
 * @attach: the rule as it was attached
 * @dev: name of the device that appeared or disappeared, or NULL
 * @flags: KCUCKOO_EVENT_SAME_RULE, KCUCKOO_EVENT_DEV_GONE or 0; the function adds
 *	KCUCKOO_EVENT_*_WAITING
 * @devices: number of devices to which a rule with KCUCKOO_ATTACH_WAIT applies, or applied
 *	before it was detached; ignored for other rules
 *
 * Context: under @net's lock.
 */
void kcuckoo_event_rule(struct kcuckoo_net *net, unsigned int type,
			const struct kcuckoo_ioc_attach *attach, const u8 *dev,
			u32 flags, unsigned int devices)
{
	bool waits = attach->flags & KCUCKOO_ATTACH_WAIT;
	struct kcuckoo_event event = {
		.type = type,
		.family = attach->family,
		.hook = attach->hook,
		.match = attach->match,
		.action = attach->action,
		.mark = attach->mark,
	};

	if (!kcuckoo_net_has_subscriber(net, type))
		return;
	event.flags = flags |
		kcuckoo_event_waits(net, attach->name,
				    KCUCKOO_EVENT_FILTER_WAITING) |
		kcuckoo_event_waits(net, attach->allow,
				    KCUCKOO_EVENT_ALLOW_WAITING);
	if (waits && !devices)
		event.flags |= KCUCKOO_EVENT_DEV_WAITING;
	event.count = waits ? devices : 0;
	memcpy(event.name, attach->name, KCUCKOO_NAME_SIZE);
	memcpy(event.other, attach->allow, KCUCKOO_NAME_SIZE);
	memcpy(event.label, attach->label, KCUCKOO_NAME_SIZE);
	memcpy(waits ? event.pattern : event.dev, attach->dev, KCUCKOO_DEV_SIZE);
	if (dev)
		memcpy(event.dev, dev, KCUCKOO_DEV_SIZE);
	kcuckoo_event_emit(&net->account->subscribers, &event);
}

/**
 * kcuckoo_event_entry() - emit KCUCKOO_EVENT_DETACHED for a rule of a hook point
 * @point: the hook point
 * @rule: the rule, which is not an instance
 * @flags: KCUCKOO_EVENT_DEV_GONE or 0
 *
 * Context: under the lock of the namespace.
 */
void kcuckoo_event_entry(const struct kcuckoo_hook_point *point,
			 const struct kcuckoo_rule_entry *rule, u32 flags)
{
	struct kcuckoo_ioc_attach attach = {
		.hook = point->hook,
		.family = rule->family,
		.match = rule->match,
		.action = rule->action,
		.mark = rule->mark,
	};

	if (!kcuckoo_net_has_subscriber(point->net, KCUCKOO_EVENT_DETACHED))
		return;
	memcpy(attach.name, rule->slot->name, KCUCKOO_NAME_SIZE);
	if (rule->allow)
		memcpy(attach.allow, rule->allow->name, KCUCKOO_NAME_SIZE);
	memcpy(attach.label, rule->label, KCUCKOO_NAME_SIZE);
	memcpy(attach.dev, point->name, KCUCKOO_DEV_SIZE);
	kcuckoo_event_rule(point->net, KCUCKOO_EVENT_DETACHED, &attach, NULL,
			   flags, 0);
}
