// SPDX-License-Identifier: GPL-2.0-only
/*
 * Attaches and lists rules, and disables and frees the rules of a namespace that ends.
 */
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>
#include <linux/string.h>

#include "net/event.h"
#include "net/rule.h"
#include "net/slot.h"

/* Finds the same rule as @attach in a set, but ignores instances. */
static struct kcuckoo_rule_entry *
kcuckoo_rules_find(const struct kcuckoo_rule_set *set,
		   const struct kcuckoo_slot *slot,
		   const struct kcuckoo_ioc_attach *attach)
{
	unsigned int i;

	for (i = 0; i < kcuckoo_rules_count(set); i++) {
		struct kcuckoo_rule_entry *rule = set->rule[i];

		if (!rule->template && rule->slot == slot &&
		    rule->match == attach->match &&
		    rule->family & attach->family)
			return rule;
	}
	return NULL;
}

static unsigned int kcuckoo_slot_type(const struct kcuckoo_slot *slot)
{
	const struct kcuckoo_filter *filter = kcuckoo_slot_filter(slot);

	return filter ? filter->config.type : 0;
}

/*
 * Checks that a rule can use the filters that its slots have at present. The slots can
 * get other filters later.
 */
static int kcuckoo_rules_check(const struct kcuckoo_slot *slot,
			       const struct kcuckoo_slot *allow,
			       const struct kcuckoo_ioc_attach *attach)
{
	const struct kcuckoo_filter *filter = kcuckoo_slot_filter(slot);

	if (allow && kcuckoo_slot_type(allow) == KCUCKOO_TYPE_BYTES)
		return -EOPNOTSUPP;
	if (!filter)
		return 0;
	if (filter->config.type != KCUCKOO_TYPE_INET)
		return -EOPNOTSUPP;
	return attach->action == KCUCKOO_ACTION_VALUE &&
	       !filter->config.params.value_bits ? -EOPNOTSUPP : 0;
}

/*
 * On success the rule takes over the references of the caller to the slots and loggers.
 * On error, frees the hook point if it belongs to a device and has no rules.
 */
static int kcuckoo_rules_add(struct kcuckoo_hook_point *point,
			     struct kcuckoo_slot *slot,
			     struct kcuckoo_slot *allow,
			     const struct kcuckoo_ioc_attach *attach)
{
	struct kcuckoo_net *net = point->net;
	struct kcuckoo_rule_entry *rule;
	int err;

	rule = kcuckoo_rule_create(slot, allow, attach, ++net->rule_order);
	if (!rule) {
		kcuckoo_hook_point_release(point);
		return -ENOMEM;
	}
	list_add_tail(&rule->joining, &point->joining);
	err = kcuckoo_rules_prepare(point);
	if (err) {
		list_del(&rule->joining);
		kcuckoo_rules_abort(point);
		kcuckoo_rule_free(rule);
		return err;
	}
	kcuckoo_rules_commit(point);
	net->rules++;
	__module_get(THIS_MODULE);
	return 0;
}

/*
 * On success the successor of the rule takes over the references of the caller to the
 * slot of the allow filter and to the loggers.
 */
static int kcuckoo_rules_replace(struct kcuckoo_hook_point *point,
				 struct kcuckoo_rule_entry *rule,
				 struct kcuckoo_slot *allow,
				 const struct kcuckoo_ioc_attach *attach)
{
	int err = kcuckoo_rule_create_successor(rule, allow, attach);

	if (!err)
		err = kcuckoo_rules_prepare(point);
	if (err)
		kcuckoo_rules_abort(point);
	else
		kcuckoo_rules_commit(point);
	return err;
}

static int kcuckoo_rules_may_replace(const struct kcuckoo_ioc_attach *attach,
				     unsigned int family)
{
	return attach->flags & KCUCKOO_ATTACH_REPLACE &&
	       attach->family == family ? 0 : -EEXIST;
}

static int kcuckoo_rules_attach_at(struct kcuckoo_hook_point *point,
				   struct kcuckoo_slot *slot,
				   struct kcuckoo_slot *allow,
				   const struct kcuckoo_ioc_attach *attach)
{
	struct kcuckoo_rule_entry *rule;
	int err;

	rule = kcuckoo_rules_find(kcuckoo_rules_of(point), slot, attach);
	if (!rule && point->net->rules < KCUCKOO_RULES_MAX)
		return kcuckoo_rules_add(point, slot, allow, attach);
	err = rule ? kcuckoo_rules_may_replace(attach, rule->family) : -EDQUOT;
	if (err) {
		kcuckoo_hook_point_release(point);
		return err;
	}
	err = kcuckoo_rules_replace(point, rule, allow, attach);
	if (!err)
		kcuckoo_slot_put(slot);
	return err;
}

static int kcuckoo_rules_attach_template(struct kcuckoo_net *net,
					 struct kcuckoo_slot *slot,
					 struct kcuckoo_slot *allow,
					 const struct kcuckoo_ioc_attach *attach)
{
	struct kcuckoo_template *template;
	int err;

	template = kcuckoo_template_find(net, slot, attach);
	if (!template)
		return kcuckoo_template_attach(net, slot, allow, attach);
	err = kcuckoo_rules_may_replace(attach, template->attach.family);
	if (!err)
		err = kcuckoo_template_replace(template, allow, attach);
	if (!err)
		kcuckoo_slot_put(slot);
	return err;
}

/*
 * Adds a rule or template, or replaces the same rule or template. On success takes over
 * the references of the caller to the slots and loggers.
 */
static int kcuckoo_rules_attach_slots(struct kcuckoo_net *net,
				      struct net_device *dev,
				      struct kcuckoo_slot *slot,
				      struct kcuckoo_slot *allow,
				      const struct kcuckoo_ioc_attach *attach)
{
	struct kcuckoo_hook_point *point;
	int err = kcuckoo_rules_check(slot, allow, attach);

	if (err)
		return err;
	if (attach->flags & KCUCKOO_ATTACH_WAIT)
		return kcuckoo_rules_attach_template(net, slot, allow, attach);
	point = kcuckoo_hook_point_obtain(net, attach->hook, dev);
	if (IS_ERR(point))
		return PTR_ERR(point);
	return kcuckoo_rules_attach_at(point, slot, allow, attach);
}

static void kcuckoo_rules_emit_attached(struct kcuckoo_net *net,
					const struct kcuckoo_slot *slot,
					const struct kcuckoo_ioc_attach *attach,
					bool replaced)
{
	const struct kcuckoo_template *template = NULL;

	if (attach->flags & KCUCKOO_ATTACH_WAIT)
		template = kcuckoo_template_find(net, slot, attach);
	kcuckoo_event_rule(net, KCUCKOO_EVENT_ATTACHED, attach, NULL,
			   replaced ? KCUCKOO_EVENT_SAME_RULE : 0,
			   template ? template->instances : 0);
}

static int kcuckoo_rules_attach_to(struct kcuckoo_net *net,
				   struct net_device *dev,
				   const struct kcuckoo_ioc_attach *attach)
{
	struct kcuckoo_slot *allow = NULL;
	u64 order = net->rule_order;
	struct kcuckoo_slot *slot;
	int err;

	slot = kcuckoo_slot_get(net, attach->name);
	if (IS_ERR(slot))
		return PTR_ERR(slot);
	if (attach->allow[0])
		allow = kcuckoo_slot_get(net, attach->allow);
	if (IS_ERR(allow)) {
		err = PTR_ERR(allow);
		goto err_slot;
	}
	err = kcuckoo_rules_attach_slots(net, dev, slot, allow, attach);
	if (!err) {
		/* A successor does not increment rule_order. */
		kcuckoo_rules_emit_attached(net, slot, attach,
					    net->rule_order == order);
		return 0;
	}
	if (allow)
		kcuckoo_slot_put(allow);
err_slot:
	kcuckoo_slot_put(slot);
	return err;
}

static int kcuckoo_rules_attach_locked(struct kcuckoo_net *net,
				       struct net_device *dev,
				       const struct kcuckoo_ioc_attach *attach)
{
	struct kcuckoo_ioc_attach rule = *attach;

	if (attach->flags & KCUCKOO_ATTACH_WAIT) {
		/* A template does not match alternative names. */
		if (dev && strcmp(dev->name, (const char *)attach->dev))
			dev = NULL;
	} else if (attach->dev[0] && !dev) {
		return -ENXIO;
	}
	if (dev && !kcuckoo_hook_point_possible(dev))
		return -EINVAL;
	/*
	 * @attach can contain an alternative name of the device; the event needs the
	 * primary name.
	 */
	if (dev)
		strscpy_pad((char *)rule.dev, dev->name, sizeof(rule.dev));
	return kcuckoo_rules_attach_to(net, dev, &rule);
}

/**
 * kcuckoo_rules_attach() - add a rule
 * @net: the namespace's object
 * @attach: the rule; the caller has checked its fields
 *
 * With KCUCKOO_ATTACH_WAIT the rule becomes a template. If the same rule exists,
 * KCUCKOO_ATTACH_REPLACE replaces this rule in one step. If the function returns an
 * error, no rule has changed.
 *
 * Context: process context, may sleep.
 * Return: 0; -EOPNOTSUPP if the filter or allow filter is of byte strings, if the filter
 * lacks the values that the action needs, or if the rule needs an ingress hook and the
 * kernel has no such hooks; -EINVAL for a loopback device or a VRF; -EEXIST if the same
 * rule exists, and KCUCKOO_ATTACH_REPLACE is not set or the families of both rules differ;
 * -EDQUOT if a limit on names, rules or hook functions is reached; -ENOMEM; -ENXIO if the
 * device is missing and the rule is not a template; -EPROTONOSUPPORT if the kernel lacks a
 * logger that the rule needs; -ENODEV if the namespace is ending or has ended.
 */
int kcuckoo_rules_attach(struct kcuckoo_net *net,
			 const struct kcuckoo_ioc_attach *attach)
{
	struct net_device *dev;
	int err;

	/*
	 * No lock is held: kcuckoo_log_get() can load a module, whose initialization
	 * takes other locks.
	 */
	err = kcuckoo_log_get(attach);
	if (err)
		return err;
	err = kcuckoo_rules_lock(net, attach->dev, &dev);
	if (!err)
		err = kcuckoo_rules_attach_locked(net, dev, attach);
	kcuckoo_rules_unlock(net, attach->dev);
	if (err)
		kcuckoo_log_put(attach->log, attach->hook, attach->family);
	return err;
}

static u32 kcuckoo_rule_flags(const struct kcuckoo_rule_entry *rule)
{
	u32 flags = 0;

	if (kcuckoo_slot_type(rule->slot) != KCUCKOO_TYPE_INET)
		flags |= KCUCKOO_RULE_WAITING;
	if (rule->allow &&
	    kcuckoo_slot_type(rule->allow) != KCUCKOO_TYPE_INET)
		flags |= KCUCKOO_RULE_ALLOW_WAITING;
	return flags;
}

static void kcuckoo_rule_counters(const struct kcuckoo_rule_entry *rule,
				  struct kcuckoo_rule *out)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		const struct kcuckoo_counter *counter;

		counter = per_cpu_ptr(rule->counter, cpu);
		out->packets += u64_stats_read(&counter->packets);
		out->bytes += u64_stats_read(&counter->bytes);
	}
	out->packets -= rule->zero_packets;
	out->bytes -= rule->zero_bytes;
}

/*
 * The logger for the kernel's log ignores packets of all namespaces except init_net,
 * unless the sysctl nf_log_all_netns is set.
 */
static void kcuckoo_rule_describe_log(const struct net *net, u8 log,
				      const struct kcuckoo_log_state *state,
				      struct kcuckoo_rule *out)
{
	out->log = log;
	out->log_off = log == KCUCKOO_LOG_SYSLOG && !net_eq(net, &init_net) &&
		       !READ_ONCE(sysctl_nf_log_all_netns);
	out->log_limit = state->limit;
	if (log == KCUCKOO_LOG_NFLOG)
		out->log_group = state->info.u.ulog.group;
}

static void kcuckoo_rule_describe(const struct kcuckoo_hook_point *point,
				  const struct kcuckoo_rule_entry *rule,
				  struct kcuckoo_rule *out)
{
	memcpy(out->name, rule->slot->name, KCUCKOO_NAME_SIZE);
	out->hook = point->hook;
	memcpy(out->dev, point->name, KCUCKOO_DEV_SIZE);
	if (rule->template)
		memcpy(out->pattern, rule->template->attach.dev,
		       KCUCKOO_DEV_SIZE);
	out->family = rule->family;
	out->match = rule->match;
	out->action = rule->action;
	out->mark = rule->mark;
	out->flags = kcuckoo_rule_flags(rule);
	if (rule->allow)
		memcpy(out->allow, rule->allow->name, KCUCKOO_NAME_SIZE);
	memcpy(out->label, rule->label, KCUCKOO_NAME_SIZE);
	kcuckoo_rule_describe_log(point->net->net, rule->log, &rule->log_state,
				  out);
	kcuckoo_rule_counters(rule, out);
}

static void kcuckoo_template_describe(const struct kcuckoo_template *template,
				      struct kcuckoo_rule *out)
{
	const struct kcuckoo_ioc_attach *attach = &template->attach;
	const struct kcuckoo_rule_entry rule = {
		.slot = template->slot,
		.allow = template->allow,
	};
	struct kcuckoo_log_state log = {};

	memcpy(out->name, attach->name, KCUCKOO_NAME_SIZE);
	out->hook = attach->hook;
	out->family = attach->family;
	out->match = attach->match;
	out->action = attach->action;
	out->mark = attach->mark;
	out->flags = kcuckoo_rule_flags(&rule) | KCUCKOO_RULE_DEV_WAITING;
	memcpy(out->allow, attach->allow, KCUCKOO_NAME_SIZE);
	memcpy(out->label, attach->label, KCUCKOO_NAME_SIZE);
	memcpy(out->pattern, attach->dev, KCUCKOO_DEV_SIZE);
	kcuckoo_log_init(&log, attach);
	kcuckoo_rule_describe_log(template->slot->net->net, attach->log, &log,
				  out);
	if (template->spare)
		kcuckoo_rule_counters(template->spare, out);
}

/**
 * struct kcuckoo_listing - the state of a call that lists rules
 * @name: only rules of this name are listed; all rules if @name is empty or NULL
 * @rules: the list of rules, an array of @max elements
 * @max: maximum number of rules in the list
 * @total: number of rules, which can exceed @max
 * @zero: false in the first pass, which writes the list; true in the second pass, which
 *	zeroes the counters of the listed rules
 */
struct kcuckoo_listing {
	const u8 *name;
	struct kcuckoo_rule *rules;
	unsigned int max;
	unsigned int total;
	bool zero;
};

static bool kcuckoo_listing_has(const struct kcuckoo_listing *listing,
				const struct kcuckoo_slot *slot)
{
	return !listing->name || !listing->name[0] ||
	       !memcmp(slot->name, listing->name, KCUCKOO_NAME_SIZE);
}

static void kcuckoo_rule_zero(struct kcuckoo_rule_entry *rule,
			      const struct kcuckoo_rule *out)
{
	rule->zero_packets += out->packets;
	rule->zero_bytes += out->bytes;
}

static void kcuckoo_listing_add(struct kcuckoo_listing *listing,
				const struct kcuckoo_hook_point *point,
				struct kcuckoo_rule_entry *rule)
{
	struct kcuckoo_rule *out = &listing->rules[listing->total];

	if (!kcuckoo_listing_has(listing, rule->slot))
		return;
	if (listing->zero)
		kcuckoo_rule_zero(rule, out);
	else if (listing->total < listing->max)
		kcuckoo_rule_describe(point, rule, out);
	listing->total++;
}

static void kcuckoo_listing_add_templates(struct kcuckoo_listing *listing,
					  const struct kcuckoo_net *net)
{
	const struct kcuckoo_template *template;

	list_for_each_entry(template, &net->templates, list) {
		struct kcuckoo_rule *out = &listing->rules[listing->total];

		if (template->instances ||
		    !kcuckoo_listing_has(listing, template->slot))
			continue;
		if (listing->zero && template->spare)
			kcuckoo_rule_zero(template->spare, out);
		else if (!listing->zero && listing->total < listing->max)
			kcuckoo_template_describe(template, out);
		listing->total++;
		cond_resched();
	}
}

static void kcuckoo_listing_make(struct kcuckoo_listing *listing,
				 struct kcuckoo_net *net)
{
	const struct kcuckoo_hook_point *point;
	unsigned int i;

	listing->total = 0;
	list_for_each_entry(point, &net->points, list) {
		struct kcuckoo_rule_set *set = kcuckoo_rules_of(point);

		if (point == net->hooks)
			kcuckoo_listing_add_templates(listing, net);
		for (i = 0; i < kcuckoo_rules_count(set); i++) {
			kcuckoo_listing_add(listing, point, set->rule[i]);
			/* A sum over the counters of all CPUs can take long. */
			cond_resched();
		}
	}
}

/**
 * kcuckoo_rules_list() - list the rules, in the order in which packets pass them
 * @net: the namespace's object
 * @name: only rules of this name are listed; all rules if the name is empty or NULL
 * @rules: array of @max elements, zeroed by the caller; may be NULL if @max is 0
 * @max: maximum number of rules to write
 * @zero: zero the counters of the rules, unless the number of rules exceeds @max
 *
 * Templates without instances follow the rules of the devices.
 *
 * Only packets write the per-CPU counters. To zero a counter, the function saves the
 * value that it has read. Later calls of the function subtract the saved value.
 *
 * Context: process context, may sleep.
 * Return: the number of rules, which can exceed @max.
 */
unsigned int kcuckoo_rules_list(struct kcuckoo_net *net, const u8 *name,
				struct kcuckoo_rule *rules, unsigned int max,
				bool zero)
{
	struct kcuckoo_listing listing = {
		.name = name,
		.rules = rules,
		.max = max,
	};

	mutex_lock(&net->lock);
	kcuckoo_listing_make(&listing, net);
	listing.zero = zero && listing.total <= max;
	if (listing.zero)
		kcuckoo_listing_make(&listing, net);
	mutex_unlock(&net->lock);
	return listing.total;
}

/**
 * kcuckoo_rules_disable() - unregister all hook functions of a namespace
 * @net: the object of a namespace that ends
 *
 * Packets can still use the rules until the end of a grace period.
 *
 * Context: under @net's lock.
 */
void kcuckoo_rules_disable(struct kcuckoo_net *net)
{
	struct kcuckoo_hook_point *point;

	lockdep_assert_held(&net->lock);
	list_for_each_entry(point, &net->points, list)
		kcuckoo_hook_point_set(point, 0);
}

/**
 * kcuckoo_rules_free() - free all rules of a namespace
 * @net: the object of a namespace that no packet can reach
 *
 * Context: under @net's lock.
 */
void kcuckoo_rules_free(struct kcuckoo_net *net)
{
	struct kcuckoo_hook_point *point;
	struct kcuckoo_hook_point *next;
	struct kcuckoo_template *template;
	struct kcuckoo_template *other;
	unsigned int i;

	lockdep_assert_held(&net->lock);
	list_for_each_entry_safe(point, next, &net->points, list) {
		struct kcuckoo_rule_set *set = kcuckoo_rules_of(point);

		for (i = 0; i < kcuckoo_rules_count(set); i++)
			kcuckoo_rule_retire(set->rule[i]);
		RCU_INIT_POINTER(point->rules, NULL);
		kvfree(set);
		kcuckoo_hook_point_release(point);
	}
	list_for_each_entry_safe(template, other, &net->templates, list)
		kcuckoo_template_free(template);
}
