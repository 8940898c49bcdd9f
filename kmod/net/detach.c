// SPDX-License-Identifier: GPL-2.0-only
/*
 * Detaches the rules that a program selects, and the rules of a device that is
 * unregistered.
 */
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "net/event.h"
#include "net/rule.h"
#include "net/slot.h"

/**
 * struct kcuckoo_selection - the rules to detach
 * @detach: the argument of KCUCKOO_IOC_DETACH; its flags select the fields to compare
 * @dev: the device that has the name in @detach, or NULL
 */
struct kcuckoo_selection {
	const struct kcuckoo_ioc_detach *detach;
	const struct net_device *dev;
};

/* @dev is NULL for a hook point that belongs to no device. */
static bool kcuckoo_selection_has_dev(const struct kcuckoo_selection *selection,
				      const struct net_device *dev)
{
	return !(selection->detach->flags & KCUCKOO_DETACH_DEV) ||
	       (dev && dev == selection->dev);
}

static bool kcuckoo_selection_has_dev_name(const struct kcuckoo_selection *selection,
					   const u8 *text)
{
	return !(selection->detach->flags & KCUCKOO_DETACH_DEV) ||
	       !memcmp(text, selection->detach->dev, KCUCKOO_DEV_SIZE);
}

/* Compares a rule at @hook with a selection, except for the device. */
static bool kcuckoo_selection_has_fields(const struct kcuckoo_selection *selection,
					 unsigned int hook,
					 const struct kcuckoo_rule_entry *rule)
{
	const struct kcuckoo_ioc_detach *detach = selection->detach;
	u32 flags = detach->flags;

	if (flags & KCUCKOO_DETACH_HOOK && hook != detach->hook)
		return false;
	if (flags & KCUCKOO_DETACH_NAME &&
	    memcmp(rule->slot->name, detach->name, KCUCKOO_NAME_SIZE))
		return false;
	if (flags & KCUCKOO_DETACH_LABEL &&
	    memcmp(rule->label, detach->label, KCUCKOO_NAME_SIZE))
		return false;
	if (flags & KCUCKOO_DETACH_FAMILY && rule->family != detach->family)
		return false;
	return !(flags & KCUCKOO_DETACH_MATCH) || rule->match == detach->match;
}

/* Returns the number of selected templates without instances. */
static unsigned int
kcuckoo_templates_select(struct kcuckoo_net *net,
			 const struct kcuckoo_selection *selection)
{
	struct kcuckoo_template *template;
	unsigned int count = 0;

	list_for_each_entry(template, &net->templates, list) {
		const struct kcuckoo_ioc_attach *attach = &template->attach;
		struct kcuckoo_rule_entry rule = {
			.slot = template->slot,
			.family = attach->family,
			.match = attach->match,
		};

		memcpy(rule.label, attach->label, sizeof(rule.label));
		template->selected =
			kcuckoo_selection_has_dev_name(selection, attach->dev) &&
			kcuckoo_selection_has_fields(selection, attach->hook, &rule);
		count += template->selected && !template->instances;
	}
	return count;
}

static unsigned int
kcuckoo_rules_select(struct kcuckoo_hook_point *point,
		     const struct kcuckoo_selection *selection)
{
	const struct kcuckoo_rule_set *set = kcuckoo_rules_of(point);
	bool possible = kcuckoo_selection_has_dev(selection, point->dev);
	unsigned int count = 0;
	unsigned int i;

	for (i = 0; i < kcuckoo_rules_count(set); i++) {
		struct kcuckoo_rule_entry *rule = set->rule[i];

		if (rule->template)
			rule->selected = rule->template->selected;
		else
			rule->selected = possible &&
				kcuckoo_selection_has_fields(selection, point->hook,
							     rule);
		count += rule->selected;
	}
	return count;
}

/*
 * Emits an event for each selected rule of a hook point, except for instances. Up to
 * KCUCKOO_SUBSCRIBERS_MAX subscribers receive each event, so the loop can take long.
 */
static void kcuckoo_rules_emit_selected(const struct kcuckoo_hook_point *point,
					u32 flags)
{
	const struct kcuckoo_rule_set *set = kcuckoo_rules_of(point);
	unsigned int i;

	for (i = 0; i < kcuckoo_rules_count(set); i++) {
		if (!set->rule[i]->selected || set->rule[i]->template)
			continue;
		kcuckoo_event_entry(point, set->rule[i], flags);
		cond_resched();
	}
}

static void kcuckoo_rules_emit_detached(struct kcuckoo_net *net)
{
	const struct kcuckoo_hook_point *point;
	const struct kcuckoo_template *template;

	list_for_each_entry(point, &net->points, list)
		kcuckoo_rules_emit_selected(point, 0);
	list_for_each_entry(template, &net->templates, list) {
		if (!template->selected)
			continue;
		kcuckoo_event_rule(net, KCUCKOO_EVENT_DETACHED,
				   &template->attach, NULL, 0,
				   template->instances);
		cond_resched();
	}
}

static void kcuckoo_rules_commit_all(struct kcuckoo_net *net)
{
	struct kcuckoo_hook_point *point;
	struct kcuckoo_hook_point *next;

	list_for_each_entry_safe(point, next, &net->points, list)
		if (point->prepared)
			kcuckoo_rules_commit(point);
}

/* Undoes the selections and the prepared changes of all hook points. */
static void kcuckoo_rules_abort_all(struct kcuckoo_net *net)
{
	struct kcuckoo_hook_point *point;
	struct kcuckoo_hook_point *next;

	list_for_each_entry_safe(point, next, &net->points, list)
		kcuckoo_rules_abort(point);
}

static void kcuckoo_templates_free_selected(struct kcuckoo_net *net)
{
	struct kcuckoo_template *template;
	struct kcuckoo_template *next;

	list_for_each_entry_safe(template, next, &net->templates, list)
		if (template->selected)
			kcuckoo_template_free(template);
}

static bool kcuckoo_templates_have(struct kcuckoo_net *net, const u8 *text)
{
	const struct kcuckoo_template *template;

	list_for_each_entry(template, &net->templates, list)
		if (!memcmp(template->attach.dev, text, KCUCKOO_DEV_SIZE))
			return true;
	return false;
}

static int kcuckoo_rules_detach_locked(struct kcuckoo_net *net,
				       const struct kcuckoo_selection *selection)
{
	const u8 *text = selection->detach->dev;
	struct kcuckoo_hook_point *point;
	int removed;
	int err;

	if (text[0] && !selection->dev && !kcuckoo_templates_have(net, text))
		return -ENXIO;
	removed = kcuckoo_templates_select(net, selection);
	list_for_each_entry(point, &net->points, list) {
		unsigned int count = kcuckoo_rules_select(point, selection);

		err = count ? kcuckoo_rules_prepare(point) : 0;
		if (err) {
			kcuckoo_rules_abort_all(net);
			return err;
		}
		removed += count;
	}
	kcuckoo_rules_emit_detached(net);
	kcuckoo_rules_commit_all(net);
	kcuckoo_templates_free_selected(net);
	return removed ? removed : -ENOENT;
}

/**
 * kcuckoo_rules_detach() - remove rules
 * @net: the namespace's object
 * @detach: selects the rules; the caller has checked its fields
 *
 * Context: process context, may sleep.
 * Return: the number of removed rules. A template counts once for each instance, or
 * once if it has no instance. On error no rule is removed: -ENOENT if no rule is
 * selected; -ENOMEM; -ENXIO if neither a device nor a template has the name; -ENODEV if
 * the namespace is ending or has ended.
 */
int kcuckoo_rules_detach(struct kcuckoo_net *net,
			 const struct kcuckoo_ioc_detach *detach)
{
	struct kcuckoo_selection selection = { .detach = detach };
	struct net_device *dev;
	int ret;

	ret = kcuckoo_rules_lock(net, detach->dev, &dev);
	selection.dev = dev;
	if (!ret)
		ret = kcuckoo_rules_detach_locked(net, &selection);
	kcuckoo_rules_unlock(net, detach->dev);
	return ret;
}

/**
 * kcuckoo_rules_device_gone() - remove the rules of a device that is unregistered
 * @net: the object of the device's namespace, which may be ending
 * @dev: the device
 *
 * Context: under RTNL.
 */
void kcuckoo_rules_device_gone(struct kcuckoo_net *net,
			       const struct net_device *dev)
{
	struct kcuckoo_hook_point *point;
	unsigned int i;

	ASSERT_RTNL();
	mutex_lock(&net->lock);
	point = kcuckoo_hook_point_of(net, dev);
	if (point) {
		struct kcuckoo_rule_set *set = kcuckoo_rules_of(point);

		for (i = 0; i < set->count; i++)
			set->rule[i]->selected = true;
		kcuckoo_rules_emit_selected(point, KCUCKOO_EVENT_DEV_GONE);
		kcuckoo_template_emit_changes(point, NULL);
		/* kcuckoo_rules_prepare() cannot fail if no rule remains. */
		kcuckoo_rules_prepare(point);
		kcuckoo_rules_commit(point);
	}
	mutex_unlock(&net->lock);
}
