// SPDX-License-Identifier: GPL-2.0-only
/*
 * Creates and frees rules, locks the rules of a namespace, and changes the rule set of
 * one hook point.
 *
 * A change is made under the lock of the namespace, in three steps. First the caller
 * marks the change: the caller selects the rules that it removes, creates a successor for
 * each rule that it replaces, and adds new rules to the list @joining of the hook point. Then
 * kcuckoo_rules_prepare() allocates the new set and registers hook functions, for each
 * hook point that changes. If kcuckoo_rules_prepare() succeeds for all these hook
 * points, kcuckoo_rules_commit() publishes each new set, and cannot fail. After an error
 * kcuckoo_rules_abort() undoes the first two steps.
 *
 * Each template, and each rule that is not an instance, holds a reference to the module:
 * without the reference, rmmod would remove the rules of a firewall without an error.
 * The reference is taken in KCUCKOO_IOC_ATTACH, and dropped in kcuckoo_rule_retire() or
 * kcuckoo_template_free(). The dropped reference can be the last one. So the callers of
 * these two functions must keep the module loaded until the functions have returned:
 *
 * - In KCUCKOO_IOC_ATTACH and KCUCKOO_IOC_DETACH the open descriptor holds a reference,
 *   which the kernel drops after the call.
 * - In the notifier of devices the kernel holds RTNL, and at the end of a namespace it
 *   holds pernet_ops_rwsem. kcuckoo_exit() takes these locks to unregister the notifier
 *   and the pernet operations, so kcuckoo_exit() waits until these locks are released.
 *
 * The RCU callback that frees a rule can run after kcuckoo_rule_retire() has returned;
 * kcuckoo_workqueue_exit() waits for the callback.
 */
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "net/rule.h"
#include "net/slot.h"

/**
 * kcuckoo_rules_lock() - lock the rules of a namespace
 * @net: the namespace's object
 * @name: name of a device, zero-padded. Unless the name is empty, the function also
 *	takes RTNL
 * @dev: out: the device with this name in the namespace, or NULL
 *
 * The caller must call kcuckoo_rules_unlock() afterwards, even after an error.
 *
 * Context: process context, may sleep.
 * Return: 0, or -ENODEV if the namespace is ending or has ended.
 */
int kcuckoo_rules_lock(struct kcuckoo_net *net, const u8 *name,
		       struct net_device **dev)
{
	*dev = NULL;
	if (name[0])
		rtnl_lock();
	mutex_lock(&net->lock);
	if (kcuckoo_net_dead(net))
		return -ENODEV;
	if (name[0])
		*dev = __dev_get_by_name(net->net, (const char *)name);
	return 0;
}

/**
 * kcuckoo_rules_unlock() - undo kcuckoo_rules_lock()
 * @net: the namespace's object
 * @name: the same as for kcuckoo_rules_lock()
 */
void kcuckoo_rules_unlock(struct kcuckoo_net *net, const u8 *name)
{
	mutex_unlock(&net->lock);
	if (name[0])
		rtnl_unlock();
}

/**
 * kcuckoo_rules_of() - get the rule set of a hook point
 * @point: the hook point
 *
 * Context: under the lock of its namespace.
 * Return: the set, or NULL if the hook point has no rules.
 */
struct kcuckoo_rule_set *
kcuckoo_rules_of(const struct kcuckoo_hook_point *point)
{
	return rcu_dereference_protected(point->rules,
					 lockdep_is_held(&point->net->lock));
}

static void kcuckoo_rule_init(struct kcuckoo_rule_entry *rule,
			      struct kcuckoo_slot *slot,
			      struct kcuckoo_slot *allow,
			      const struct kcuckoo_ioc_attach *attach)
{
	rule->slot = slot;
	rule->allow = allow;
	rule->family = attach->family;
	rule->match = attach->match;
	rule->action = attach->action;
	rule->hook = attach->hook;
	rule->log = attach->log;
	rule->mark = attach->mark;
	rule->simple = rule->action == KCUCKOO_ACTION_DROP && !allow &&
		       rule->log == KCUCKOO_LOG_NONE;
	kcuckoo_log_init(&rule->log_state, attach);
	memcpy(rule->label, attach->label, sizeof(rule->label));
	INIT_LIST_HEAD(&rule->joining);
}

/**
 * kcuckoo_rule_create() - create a rule that no packet sees yet
 * @slot: the slot of the rule's filter
 * @allow: the slot of the rule's allow filter, or NULL
 * @attach: the other parameters of the rule
 * @order: number by which the rules of a hook point are sorted
 *
 * Takes no references to the slots and loggers.
 *
 * Context: process context, may sleep.
 * Return: the rule, or NULL if memory is short.
 */
struct kcuckoo_rule_entry *
kcuckoo_rule_create(struct kcuckoo_slot *slot, struct kcuckoo_slot *allow,
		    const struct kcuckoo_ioc_attach *attach, u64 order)
{
	struct kcuckoo_rule_entry *rule;

	rule = kzalloc(sizeof(*rule), GFP_KERNEL_ACCOUNT);
	if (!rule)
		return NULL;
	rule->counter = alloc_percpu_gfp(struct kcuckoo_counter,
					 GFP_KERNEL_ACCOUNT);
	if (!rule->counter) {
		kfree(rule);
		return NULL;
	}
	kcuckoo_rule_init(rule, slot, allow, attach);
	rule->order = order;
	return rule;
}

/**
 * kcuckoo_rule_create_successor() - create the rule that will replace another rule
 * @rule: the rule to replace; the successor takes over its counters and its position
 * @allow: the slot of the allow filter, or NULL
 * @attach: action, mark, label and log of the successor; family and match are equal to
 *	family and match of @rule
 *
 * Context: under the lock of the namespace; may sleep.
 * Return: 0, and @rule->successor is set; or -ENOMEM.
 */
int kcuckoo_rule_create_successor(struct kcuckoo_rule_entry *rule,
				  struct kcuckoo_slot *allow,
				  const struct kcuckoo_ioc_attach *attach)
{
	struct kcuckoo_rule_entry *successor;

	successor = kzalloc(sizeof(*successor), GFP_KERNEL_ACCOUNT);
	if (!successor)
		return -ENOMEM;
	kcuckoo_rule_init(successor, rule->slot, allow, attach);
	successor->counter = rule->counter;
	successor->zero_packets = rule->zero_packets;
	successor->zero_bytes = rule->zero_bytes;
	successor->template = rule->template;
	successor->order = rule->order;
	rule->successor = successor;
	return 0;
}

/**
 * kcuckoo_rule_drop_successor() - free the successor of a rule whose replacement failed
 * @rule: the rule, with a successor or without
 *
 * Context: under the lock of the namespace.
 */
void kcuckoo_rule_drop_successor(struct kcuckoo_rule_entry *rule)
{
	kfree(rule->successor);
	rule->successor = NULL;
}

/* A successor has taken over the counters of the rule that it replaces. */
static void kcuckoo_rule_release(struct rcu_head *rcu)
{
	struct kcuckoo_rule_entry *rule = container_of(rcu,
						struct kcuckoo_rule_entry, rcu);

	if (!rule->successor)
		free_percpu(rule->counter);
	kfree(rule);
}

/**
 * kcuckoo_rule_free() - free a rule after a grace period
 * @rule: the rule, which no packet that arrives later can find
 *
 * Context: any but hard interrupts.
 */
void kcuckoo_rule_free(struct kcuckoo_rule_entry *rule)
{
	call_rcu(&rule->rcu, kcuckoo_rule_release);
}

/*
 * The instance can become the spare instance of its template. Packets that still read the
 * old set can then increment its counters; these counts are correct, because the template
 * matched these packets.
 */
static void kcuckoo_instance_retire(struct kcuckoo_rule_entry *rule)
{
	struct kcuckoo_template *template = rule->template;

	/* The template itself counts as a rule while it has no instance. */
	if (--template->instances)
		template->slot->net->rules--;
	if (template->spare || kcuckoo_template_has_pattern(template))
		kcuckoo_rule_free(rule);
	else
		template->spare = rule;
}

/**
 * kcuckoo_rule_retire() - release the slots, the loggers and the module, and free a rule
 *	after a grace period
 * @rule: the rule, which no packet that arrives later can find
 *
 * If @rule is an instance, its template keeps the slots, the loggers and the module, and
 * can keep @rule as spare instance.
 *
 * Context: under the lock of the namespace.
 */
void kcuckoo_rule_retire(struct kcuckoo_rule_entry *rule)
{
	rule->selected = false;
	if (rule->template) {
		kcuckoo_instance_retire(rule);
		return;
	}
	rule->slot->net->rules--;
	kcuckoo_slot_put(rule->slot);
	if (rule->allow)
		kcuckoo_slot_put(rule->allow);
	kcuckoo_log_put(rule->log, rule->hook, rule->family);
	kcuckoo_rule_free(rule);
	module_put(THIS_MODULE);
}

/* The successor keeps the slot of the filter and the reference to the module. */
static void kcuckoo_rule_replaced(struct kcuckoo_rule_entry *rule)
{
	if (!rule->template && rule->allow)
		kcuckoo_slot_put(rule->allow);
	if (!rule->template)
		kcuckoo_log_put(rule->log, rule->hook, rule->family);
	kcuckoo_rule_free(rule);
}

static unsigned int kcuckoo_rules_families(const struct kcuckoo_rule_set *set)
{
	unsigned int families = 0;
	unsigned int i;

	for (i = 0; i < kcuckoo_rules_count(set); i++)
		families |= set->rule[i]->family;
	return families;
}

static unsigned int kcuckoo_rules_next_count(struct kcuckoo_hook_point *point)
{
	const struct kcuckoo_rule_set *old = kcuckoo_rules_of(point);
	const struct kcuckoo_rule_entry *rule;
	unsigned int count = 0;
	unsigned int i;

	list_for_each_entry(rule, &point->joining, joining)
		count++;
	for (i = 0; i < kcuckoo_rules_count(old); i++)
		count += !old->rule[i]->selected;
	return count;
}

static void kcuckoo_rules_keep(struct kcuckoo_rule_set *next,
			       struct kcuckoo_rule_entry *rule)
{
	if (!rule->selected)
		next->rule[next->count++] = rule->successor ?: rule;
}

/* The old set and the list @joining are sorted by @order. */
static void kcuckoo_rules_merge(struct kcuckoo_hook_point *point,
				struct kcuckoo_rule_set *next)
{
	const struct kcuckoo_rule_set *old = kcuckoo_rules_of(point);
	unsigned int count = kcuckoo_rules_count(old);
	struct kcuckoo_rule_entry *rule;
	unsigned int i = 0;

	list_for_each_entry(rule, &point->joining, joining) {
		while (i < count && old->rule[i]->order < rule->order)
			kcuckoo_rules_keep(next, old->rule[i++]);
		next->rule[next->count++] = rule;
	}
	while (i < count)
		kcuckoo_rules_keep(next, old->rule[i++]);
}

static int kcuckoo_rules_enable(struct kcuckoo_hook_point *point)
{
	unsigned int families = kcuckoo_rules_families(kcuckoo_rules_of(point));
	const struct kcuckoo_rule_entry *rule;

	if (list_empty(&point->joining))
		return 0;
	list_for_each_entry(rule, &point->joining, joining)
		families |= rule->family;
	return kcuckoo_hook_point_set(point, families);
}

/**
 * kcuckoo_rules_prepare() - prepare a change of the rules of a hook point
 * @point: the hook point; its selected rules, the successors of its rules and the list
 *	@joining define the change
 *
 * After an error the caller must call kcuckoo_rules_abort() for the hook point.
 *
 * Context: under the lock of the namespace; may sleep. If the namespace is ending, the
 * list @joining must be empty.
 * Return: 0; -ENOMEM; or an error of kcuckoo_hook_point_set(). Always 0 if no rule
 * remains.
 */
int kcuckoo_rules_prepare(struct kcuckoo_hook_point *point)
{
	unsigned int count = kcuckoo_rules_next_count(point);
	int err;

	if (count) {
		point->next = kvzalloc(struct_size(point->next, rule, count),
				       GFP_KERNEL_ACCOUNT);
		if (!point->next)
			return -ENOMEM;
		kcuckoo_rules_merge(point, point->next);
	}
	err = kcuckoo_rules_enable(point);
	point->prepared = !err;
	return err;
}

static void kcuckoo_rules_free_set(struct kcuckoo_rule_set *old)
{
	unsigned int i;

	for (i = 0; i < old->count; i++) {
		struct kcuckoo_rule_entry *rule = old->rule[i];

		if (rule->selected)
			kcuckoo_rule_retire(rule);
		else if (rule->successor)
			kcuckoo_rule_replaced(rule);
	}
	kvfree_rcu(old, rcu);
}

/**
 * kcuckoo_rules_commit() - publish a prepared change
 * @point: the hook point; freed if it belongs to a device and no rule remains
 *
 * Context: under the lock of the namespace; may sleep.
 */
void kcuckoo_rules_commit(struct kcuckoo_hook_point *point)
{
	struct kcuckoo_rule_set *old = kcuckoo_rules_of(point);
	struct kcuckoo_rule_set *next = point->next;
	struct kcuckoo_rule_entry *rule;
	struct kcuckoo_rule_entry *other;

	list_for_each_entry_safe(rule, other, &point->joining, joining)
		list_del_init(&rule->joining);
	point->prepared = false;
	point->next = NULL;
	rcu_assign_pointer(point->rules, next);
	/*
	 * Only unregisters hook functions: kcuckoo_rules_prepare() has registered those
	 * that the new set needs.
	 */
	kcuckoo_hook_point_set(point, kcuckoo_rules_families(next));
	if (old)
		kcuckoo_rules_free_set(old);
	kcuckoo_hook_point_release(point);
}

/**
 * kcuckoo_rules_abort() - undo a change that is not committed
 * @point: the hook point; freed if it belongs to a device and has no rules
 *
 * Clears @selected of all rules of the hook point, frees their successors, and retires
 * the rules in the list @joining.
 *
 * Context: under the lock of a live namespace; may sleep.
 */
void kcuckoo_rules_abort(struct kcuckoo_hook_point *point)
{
	struct kcuckoo_rule_set *set = kcuckoo_rules_of(point);
	struct kcuckoo_rule_entry *rule;
	struct kcuckoo_rule_entry *other;
	unsigned int i;

	kvfree(point->next);
	point->next = NULL;
	point->prepared = false;
	kcuckoo_hook_point_set(point, kcuckoo_rules_families(set));
	list_for_each_entry_safe(rule, other, &point->joining, joining) {
		list_del_init(&rule->joining);
		kcuckoo_rule_retire(rule);
	}
	for (i = 0; i < kcuckoo_rules_count(set); i++) {
		set->rule[i]->selected = false;
		kcuckoo_rule_drop_successor(set->rule[i]);
	}
	kcuckoo_hook_point_release(point);
}
