// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rules: which filter decides about packets at which hook.
 *
 * Packets read the set of their hook under RCU. A set never changes; attaching
 * and detaching publish another one. Netfilter is asked to call us for a hook
 * and family only while a rule needs that.
 */
#include <linux/err.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "registry.h"

static struct kcuckoo_rule_set *kcuckoo_rules_of(struct kcuckoo_net *net,
						 unsigned int hook)
{
	return rcu_dereference_protected(net->rules[hook],
					 lockdep_is_held(&net->lock));
}

static unsigned int kcuckoo_rules_count(const struct kcuckoo_rule_set *set)
{
	return set ? set->count : 0;
}

static void kcuckoo_rule_release(struct rcu_head *rcu)
{
	struct kcuckoo_rule_entry *rule = container_of(rcu,
						struct kcuckoo_rule_entry, rcu);

	free_percpu(rule->counter);
	kfree(rule);
}

/* Frees a rule that is in no set any more, after a grace period. */
static void kcuckoo_rule_retire(struct kcuckoo_rule_entry *rule)
{
	kcuckoo_slot_drop(rule->slot);
	if (rule->allow)
		kcuckoo_slot_drop(rule->allow);
	call_rcu(&rule->rcu, kcuckoo_rule_release);
}

/* Makes a rule that takes over its caller's hold of the slots. */
static struct kcuckoo_rule_entry *
kcuckoo_rule_create(struct kcuckoo_slot *slot, struct kcuckoo_slot *allow,
		    const struct kcuckoo_ioc_attach *attach)
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
	rule->slot = slot;
	rule->allow = allow;
	rule->hook = attach->hook;
	rule->family = attach->family;
	rule->match = attach->match;
	rule->action = attach->action;
	rule->mark = attach->mark;
	return rule;
}

/* Is there a rule that would do the same as a new one, for a family of it? */
static bool kcuckoo_rules_have(const struct kcuckoo_rule_set *set,
			       const struct kcuckoo_slot *slot,
			       const struct kcuckoo_ioc_attach *attach)
{
	unsigned int i;

	for (i = 0; i < kcuckoo_rules_count(set); i++) {
		const struct kcuckoo_rule_entry *rule = set->rule[i];

		if (rule->slot == slot && rule->match == attach->match &&
		    rule->family & attach->family)
			return true;
	}
	return false;
}

/* Which families the rules of a set are for. */
static unsigned int kcuckoo_rules_families(const struct kcuckoo_rule_set *set)
{
	unsigned int families = 0;
	unsigned int i;

	for (i = 0; i < kcuckoo_rules_count(set); i++)
		families |= set->rule[i]->family;
	return families;
}

static void kcuckoo_hook_disable(struct kcuckoo_net *net, unsigned int hook,
				 unsigned int family)
{
	if (net->enabled[hook][family])
		nf_unregister_net_hook(net->net,
				       &kcuckoo_hook_ops[hook][family]);
	net->enabled[hook][family] = false;
}

static int kcuckoo_hook_enable(struct kcuckoo_net *net, unsigned int hook,
			       unsigned int family)
{
	int err = 0;

	if (!net->enabled[hook][family])
		err = nf_register_net_hook(net->net,
					   &kcuckoo_hook_ops[hook][family]);
	if (!err)
		net->enabled[hook][family] = true;
	return err;
}

/* Has netfilter call us for just these families; disabling cannot fail. */
static int kcuckoo_hook_set(struct kcuckoo_net *net, unsigned int hook,
			    unsigned int families)
{
	unsigned int i;
	int err = 0;

	for (i = 0; i < KCUCKOO_FAMILIES && !err; i++) {
		if (families & 1U << i)
			err = kcuckoo_hook_enable(net, hook, i);
		else
			kcuckoo_hook_disable(net, hook, i);
	}
	return err;
}

static struct kcuckoo_rule_set *kcuckoo_rules_alloc(unsigned int count)
{
	struct kcuckoo_rule_set *set;

	set = kzalloc(struct_size(set, rule, count), GFP_KERNEL_ACCOUNT);
	return set;
}

/* Publishes a set; the old one is freed, its rules are not. */
static void kcuckoo_rules_publish(struct kcuckoo_net *net, unsigned int hook,
				  struct kcuckoo_rule_set *set)
{
	struct kcuckoo_rule_set *old = kcuckoo_rules_of(net, hook);

	rcu_assign_pointer(net->rules[hook], set);
	if (old)
		kfree_rcu(old, rcu);
}

/* Adds a rule to those of its hook. */
static int kcuckoo_rules_append(struct kcuckoo_net *net,
				struct kcuckoo_rule_entry *rule)
{
	struct kcuckoo_rule_set *old = kcuckoo_rules_of(net, rule->hook);
	unsigned int count = kcuckoo_rules_count(old);
	unsigned int families = kcuckoo_rules_families(old);
	struct kcuckoo_rule_set *set;
	int err;

	set = kcuckoo_rules_alloc(count + 1);
	if (!set)
		return -ENOMEM;
	if (count)
		memcpy(set->rule, old->rule, count * sizeof(*set->rule));
	set->rule[count] = rule;
	set->count = count + 1;
	err = kcuckoo_hook_set(net, rule->hook, families | rule->family);
	if (err) {
		kcuckoo_hook_set(net, rule->hook, families);
		kfree(set);
		return err;
	}
	kcuckoo_rules_publish(net, rule->hook, set);
	return 0;
}

/* The type of the filter that a slot has now, 0 while it waits for one. */
static unsigned int kcuckoo_slot_type(const struct kcuckoo_slot *slot)
{
	const struct kcuckoo_filter *filter = kcuckoo_slot_filter(slot);

	return filter ? filter->form.type : 0;
}

/* Can a rule use the filters that its slots have now? Others may come. */
static int kcuckoo_rules_check(const struct kcuckoo_slot *slot,
			       const struct kcuckoo_slot *allow,
			       const struct kcuckoo_ioc_attach *attach)
{
	const struct kcuckoo_filter *filter = kcuckoo_slot_filter(slot);

	if (allow && kcuckoo_slot_type(allow) == KCUCKOO_TYPE_BYTES)
		return -EOPNOTSUPP;
	if (!filter)
		return 0;
	if (filter->form.type != KCUCKOO_TYPE_INET)
		return -EOPNOTSUPP;
	return attach->action == KCUCKOO_ACTION_VALUE &&
	       !filter->form.geometry.value_bits ? -EOPNOTSUPP : 0;
}

/* Adds a rule that holds its slots. */
static int kcuckoo_rules_add(struct kcuckoo_net *net, struct kcuckoo_slot *slot,
			     struct kcuckoo_slot *allow,
			     const struct kcuckoo_ioc_attach *attach)
{
	struct kcuckoo_rule_entry *rule;
	int err;

	err = kcuckoo_rules_check(slot, allow, attach);
	if (err)
		return err;
	if (kcuckoo_rules_have(kcuckoo_rules_of(net, attach->hook), slot,
			       attach))
		return -EEXIST;
	rule = kcuckoo_rule_create(slot, allow, attach);
	if (!rule)
		return -ENOMEM;
	err = kcuckoo_rules_append(net, rule);
	if (err)
		kcuckoo_rule_release(&rule->rcu);
	return err;
}

/* kcuckoo_rules_attach() under the lock. */
static int kcuckoo_rules_attach_locked(struct kcuckoo_net *net,
				       const struct kcuckoo_ioc_attach *attach)
{
	struct kcuckoo_slot *allow = NULL;
	struct kcuckoo_slot *slot;
	int err;

	if (kcuckoo_net_dead(net))
		return -ENODEV;
	slot = kcuckoo_slot_hold(net, attach->name);
	if (IS_ERR(slot))
		return PTR_ERR(slot);
	if (attach->allow[0])
		allow = kcuckoo_slot_hold(net, attach->allow);
	if (IS_ERR(allow)) {
		err = PTR_ERR(allow);
		goto err_slot;
	}
	err = kcuckoo_rules_add(net, slot, allow, attach);
	if (!err)
		return 0;
	if (allow)
		kcuckoo_slot_drop(allow);
err_slot:
	kcuckoo_slot_drop(slot);
	return err;
}

/**
 * kcuckoo_rules_attach() - add a rule
 * @net: the namespace's object
 * @attach: the rule, its fields checked
 *
 * Context: process context, may sleep.
 * Without a filter of its name the rule waits for one, and matches nothing; nor
 * does it while the filter of what it allows is missing.
 *
 * Return: 0, -EOPNOTSUPP for a filter of byte strings or without the values that
 * the action wants, -EEXIST for the same rule twice, -EDQUOT where no further
 * name may wait, -ENOMEM, or -ENODEV.
 */
int kcuckoo_rules_attach(struct kcuckoo_net *net,
			 const struct kcuckoo_ioc_attach *attach)
{
	int err;

	mutex_lock(&net->lock);
	err = kcuckoo_rules_attach_locked(net, attach);
	mutex_unlock(&net->lock);
	return err;
}

static bool kcuckoo_rule_fits(const struct kcuckoo_rule_entry *rule,
			      const struct kcuckoo_ioc_detach *detach)
{
	u32 flags = detach->flags;

	if (flags & KCUCKOO_DETACH_NAME &&
	    memcmp(rule->slot->name, detach->name, KCUCKOO_NAME_SIZE))
		return false;
	if (flags & KCUCKOO_DETACH_HOOK && rule->hook != detach->hook)
		return false;
	if (flags & KCUCKOO_DETACH_FAMILY && rule->family != detach->family)
		return false;
	return !(flags & KCUCKOO_DETACH_MATCH) || rule->match == detach->match;
}

static unsigned int
kcuckoo_rules_fitting(const struct kcuckoo_rule_set *set,
		      const struct kcuckoo_ioc_detach *detach)
{
	unsigned int count = 0;
	unsigned int i;

	for (i = 0; i < kcuckoo_rules_count(set); i++)
		count += kcuckoo_rule_fits(set->rule[i], detach);
	return count;
}

/*
 * Removes the fitting rules of one hook. @kept is room for the others, NULL
 * where there are none.
 */
static void kcuckoo_rules_remove(struct kcuckoo_net *net, unsigned int hook,
				 const struct kcuckoo_ioc_detach *detach,
				 struct kcuckoo_rule_set *kept)
{
	struct kcuckoo_rule_set *old = kcuckoo_rules_of(net, hook);
	unsigned int i;

	for (i = 0; i < old->count; i++)
		if (!kcuckoo_rule_fits(old->rule[i], detach))
			kept->rule[kept->count++] = old->rule[i];
	rcu_assign_pointer(net->rules[hook], kept);
	kcuckoo_hook_set(net, hook, kcuckoo_rules_families(kept));
	for (i = 0; i < old->count; i++)
		if (kcuckoo_rule_fits(old->rule[i], detach))
			kcuckoo_rule_retire(old->rule[i]);
	kfree_rcu(old, rcu);
}

/* Room for the rules that each hook keeps; all or nothing is allocated. */
static int kcuckoo_rules_alloc_kept(struct kcuckoo_net *net,
				    const struct kcuckoo_ioc_detach *detach,
				    struct kcuckoo_rule_set **kept)
{
	unsigned int hook;

	for (hook = 0; hook < KCUCKOO_HOOKS; hook++) {
		struct kcuckoo_rule_set *set = kcuckoo_rules_of(net, hook);
		unsigned int gone = kcuckoo_rules_fitting(set, detach);

		if (!gone || gone == set->count)
			continue;
		kept[hook] = kcuckoo_rules_alloc(set->count - gone);
		if (!kept[hook])
			goto err_free;
	}
	return 0;

err_free:
	while (hook--)
		kfree(kept[hook]);
	return -ENOMEM;
}

/* kcuckoo_rules_detach() under the lock. */
static int kcuckoo_rules_detach_locked(struct kcuckoo_net *net,
				       const struct kcuckoo_ioc_detach *detach)
{
	struct kcuckoo_rule_set *kept[KCUCKOO_HOOKS] = {};
	unsigned int hook;
	int removed = 0;
	int err;

	if (kcuckoo_net_dead(net))
		return -ENODEV;
	err = kcuckoo_rules_alloc_kept(net, detach, kept);
	if (err)
		return err;
	for (hook = 0; hook < KCUCKOO_HOOKS; hook++) {
		unsigned int gone;

		gone = kcuckoo_rules_fitting(kcuckoo_rules_of(net, hook),
					     detach);
		if (gone)
			kcuckoo_rules_remove(net, hook, detach, kept[hook]);
		removed += gone;
	}
	return removed ? removed : -ENOENT;
}

/**
 * kcuckoo_rules_detach() - remove rules
 * @net: the namespace's object
 * @detach: which ones, its fields checked
 *
 * Context: process context, may sleep.
 * Return: how many were removed, or -ENOENT for none, -ENOMEM (nothing was
 * removed), or -ENODEV.
 */
int kcuckoo_rules_detach(struct kcuckoo_net *net,
			 const struct kcuckoo_ioc_detach *detach)
{
	int ret;

	mutex_lock(&net->lock);
	ret = kcuckoo_rules_detach_locked(net, detach);
	mutex_unlock(&net->lock);
	return ret;
}

/* What keeps a rule from matching anything. */
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

/* Says what a rule is and has matched. */
static void kcuckoo_rule_tell(const struct kcuckoo_rule_entry *rule,
			      struct kcuckoo_rule *out)
{
	unsigned int cpu;

	memcpy(out->name, rule->slot->name, KCUCKOO_NAME_SIZE);
	out->hook = rule->hook;
	out->family = rule->family;
	out->match = rule->match;
	out->action = rule->action;
	out->mark = rule->mark;
	out->flags = kcuckoo_rule_flags(rule);
	if (rule->allow)
		memcpy(out->allow, rule->allow->name, KCUCKOO_NAME_SIZE);
	for_each_possible_cpu(cpu) {
		const struct kcuckoo_counter *counter;

		counter = per_cpu_ptr(rule->counter, cpu);
		out->packets += u64_stats_read(&counter->packets);
		out->bytes += u64_stats_read(&counter->bytes);
	}
}

/**
 * kcuckoo_rules_list() - list the rules
 * @net: the namespace's object
 * @rules: zeroed room
 * @room: how many rules there is room for
 *
 * Context: process context, may sleep.
 * Return: how many rules there are; @room of them are written at most.
 */
unsigned int kcuckoo_rules_list(struct kcuckoo_net *net,
				struct kcuckoo_rule *rules, unsigned int room)
{
	unsigned int total = 0;
	unsigned int hook;
	unsigned int i;

	mutex_lock(&net->lock);
	for (hook = 0; hook < KCUCKOO_HOOKS; hook++) {
		struct kcuckoo_rule_set *set = kcuckoo_rules_of(net, hook);

		for (i = 0; i < kcuckoo_rules_count(set); i++) {
			if (total < room)
				kcuckoo_rule_tell(set->rule[i], &rules[total]);
			total++;
		}
	}
	mutex_unlock(&net->lock);
	return total;
}

/**
 * kcuckoo_rules_disable() - have netfilter call us no more
 * @net: the object of a namespace that is going
 *
 * Context: under @net's lock. Packets may be under way until a grace period
 * has gone by.
 */
void kcuckoo_rules_disable(struct kcuckoo_net *net)
{
	unsigned int hook;

	lockdep_assert_held(&net->lock);
	for (hook = 0; hook < KCUCKOO_HOOKS; hook++)
		kcuckoo_hook_set(net, hook, 0);
}

/**
 * kcuckoo_rules_free() - free all rules
 * @net: the object of a namespace that no packet can reach
 *
 * Context: under @net's lock.
 */
void kcuckoo_rules_free(struct kcuckoo_net *net)
{
	unsigned int hook;
	unsigned int i;

	lockdep_assert_held(&net->lock);
	for (hook = 0; hook < KCUCKOO_HOOKS; hook++) {
		struct kcuckoo_rule_set *set = kcuckoo_rules_of(net, hook);

		for (i = 0; i < kcuckoo_rules_count(set); i++)
			kcuckoo_rule_retire(set->rule[i]);
		RCU_INIT_POINTER(net->rules[hook], NULL);
		kfree(set);
	}
}
