// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rules: attach, detach and list them; remove those of a device or namespace that ends.
 *
 * dev/ioctl_rule.c, netdev.c and pernet.c call these functions. The lock of the namespace
 * protects the rules. Packets read the rule set of their hook point under RCU. A published
 * set never changes; attaching and detaching publish a new set.
 *
 * Each rule holds a reference to the module, also while it waits for its filter: without
 * the reference, rmmod would silently open the firewall. KCUCKOO_IOC_ATTACH takes the
 * reference while the open descriptor holds another one. kcuckoo_rule_retire() drops the
 * reference of the rule, while code of the module is running. So in each case something
 * else must keep the module loaded until this code has returned:
 *
 * - In KCUCKOO_IOC_DETACH the open descriptor holds a reference, which the kernel drops
 *   after the call.
 * - In the notifier of devices the kernel holds RTNL, and at the end of a namespace it
 *   holds pernet_ops_rwsem. kcuckoo_exit() takes these locks to unregister the notifier
 *   and the pernet operations, so it waits until they are released.
 *
 * The RCU callback that frees a rule runs after kcuckoo_rule_retire() has returned;
 * kcuckoo_workqueue_exit() waits for it.
 */
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "net/rule.h"
#include "net/slot.h"

/* Returns the rule set of a hook point, or NULL; needs the lock of the namespace. */
static struct kcuckoo_rule_set *
kcuckoo_rules_of(const struct kcuckoo_hook_point *point)
{
	return rcu_dereference_protected(point->rules,
					 lockdep_is_held(&point->net->lock));
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

/* Releases the slots and the module, and frees the rule after a grace period. */
static void kcuckoo_rule_retire(struct kcuckoo_rule_entry *rule)
{
	rule->slot->net->rules--;
	kcuckoo_slot_put(rule->slot);
	if (rule->allow)
		kcuckoo_slot_put(rule->allow);
	call_rcu(&rule->rcu, kcuckoo_rule_release);
	module_put(THIS_MODULE);
}

/* Creates a rule. Takes no references to the slots; they stay with the caller. */
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
	rule->family = attach->family;
	rule->match = attach->match;
	rule->action = attach->action;
	rule->mark = attach->mark;
	rule->simple = rule->action == KCUCKOO_ACTION_DROP && !allow;
	return rule;
}

/*
 * Returns true if a rule of the set has the slot, the match and at least one family of a
 * new rule.
 */
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

/* Returns the families of all rules of a set. */
static unsigned int kcuckoo_rules_families(const struct kcuckoo_rule_set *set)
{
	unsigned int families = 0;
	unsigned int i;

	for (i = 0; i < kcuckoo_rules_count(set); i++)
		families |= set->rule[i]->family;
	return families;
}

/* Allocates a set for @count rules. A large set need not be contiguous: kvzalloc(). */
static struct kcuckoo_rule_set *kcuckoo_rules_alloc(unsigned int count)
{
	struct kcuckoo_rule_set *set;

	set = kvzalloc(struct_size(set, rule, count), GFP_KERNEL_ACCOUNT);
	return set;
}

/* Publishes a set, and frees the old set after a grace period, but not its rules. */
static void kcuckoo_rules_publish(struct kcuckoo_hook_point *point,
				  struct kcuckoo_rule_set *set)
{
	struct kcuckoo_rule_set *old = kcuckoo_rules_of(point);

	rcu_assign_pointer(point->rules, set);
	if (old)
		kvfree_rcu(old, rcu);
}

/* Registers the hook functions that a rule needs, and publishes a set with the rule. */
static int kcuckoo_rules_append(struct kcuckoo_hook_point *point,
				struct kcuckoo_rule_entry *rule)
{
	struct kcuckoo_rule_set *old = kcuckoo_rules_of(point);
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
	err = kcuckoo_hook_point_set(point, families | rule->family);
	if (err) {
		/* Unregister the hook functions that this call has registered. */
		kcuckoo_hook_point_set(point, families);
		kvfree(set);
		return err;
	}
	kcuckoo_rules_publish(point, set);
	return 0;
}

/* Returns the type of the filter of a slot, 0 while the slot waits. */
static unsigned int kcuckoo_slot_type(const struct kcuckoo_slot *slot)
{
	const struct kcuckoo_filter *filter = kcuckoo_slot_filter(slot);

	return filter ? filter->config.type : 0;
}

/*
 * Checks that a rule can use the filters that its slots have now. The slots can get other
 * filters later.
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
 * Creates a rule and adds it to a hook point. On success the rule takes over the references
 * of the caller to the slots.
 */
static int kcuckoo_rules_add(struct kcuckoo_hook_point *point,
			     struct kcuckoo_slot *slot,
			     struct kcuckoo_slot *allow,
			     const struct kcuckoo_ioc_attach *attach)
{
	struct kcuckoo_rule_entry *rule;
	int err;

	err = kcuckoo_rules_check(slot, allow, attach);
	if (err)
		return err;
	if (kcuckoo_rules_have(kcuckoo_rules_of(point), slot, attach))
		return -EEXIST;
	if (point->net->rules >= KCUCKOO_RULES_MAX)
		return -EDQUOT;
	rule = kcuckoo_rule_create(slot, allow, attach);
	if (!rule)
		return -ENOMEM;
	err = kcuckoo_rules_append(point, rule);
	if (err) {
		kcuckoo_rule_release(&rule->rcu);
		return err;
	}
	point->net->rules++;
	__module_get(THIS_MODULE);
	return 0;
}

/* Takes references to the slots of a rule, and adds the rule to a point. */
static int kcuckoo_rules_attach_to(struct kcuckoo_hook_point *point,
				   const struct kcuckoo_ioc_attach *attach)
{
	struct kcuckoo_slot *allow = NULL;
	struct kcuckoo_slot *slot;
	int err;

	slot = kcuckoo_slot_get(point->net, attach->name);
	if (IS_ERR(slot))
		return PTR_ERR(slot);
	if (attach->allow[0])
		allow = kcuckoo_slot_get(point->net, attach->allow);
	if (IS_ERR(allow)) {
		err = PTR_ERR(allow);
		goto err_slot;
	}
	err = kcuckoo_rules_add(point, slot, allow, attach);
	if (!err)
		return 0;
	if (allow)
		kcuckoo_slot_put(allow);
err_slot:
	kcuckoo_slot_put(slot);
	return err;
}

/*
 * Locks the object of a namespace. If @name is not empty, takes RTNL first, and finds the
 * device of this name. The caller must call kcuckoo_rules_unlock() also after an error.
 */
static int kcuckoo_rules_lock(struct kcuckoo_net *net, const u8 *name,
			      struct net_device **dev)
{
	*dev = NULL;
	if (name[0])
		rtnl_lock();
	mutex_lock(&net->lock);
	if (kcuckoo_net_dead(net))
		return -ENODEV;
	if (!name[0])
		return 0;
	*dev = __dev_get_by_name(net->net, (const char *)name);
	return *dev ? 0 : -ENXIO;
}

static void kcuckoo_rules_unlock(struct kcuckoo_net *net, const u8 *name)
{
	mutex_unlock(&net->lock);
	if (name[0])
		rtnl_unlock();
}

/* Adds a rule, for kcuckoo_rules_attach(), which holds the locks. */
static int kcuckoo_rules_attach_locked(struct kcuckoo_net *net,
				       struct net_device *dev,
				       const struct kcuckoo_ioc_attach *attach)
{
	struct kcuckoo_hook_point *point;
	int err;

	/* Loopback devices and VRFs receive only packets that the host itself sent. */
	if (dev && (dev->flags & IFF_LOOPBACK || netif_is_l3_master(dev)))
		return -EINVAL;
	point = kcuckoo_hook_point_obtain(net, attach->hook, dev);
	if (IS_ERR(point))
		return PTR_ERR(point);
	err = kcuckoo_rules_attach_to(point, attach);
	if (err)
		kcuckoo_hook_point_release(point);
	return err;
}

/**
 * kcuckoo_rules_attach() - add a rule
 * @net: the namespace's object
 * @attach: the rule, its fields checked
 *
 * While no filter has the name, the rule waits and matches nothing. It also matches
 * nothing while its allow filter is missing.
 *
 * Context: process context, may sleep.
 * Return: 0; -EOPNOTSUPP if the filter is of byte strings or lacks the values that the
 * action needs, or if the kernel has no ingress hooks; -EINVAL for a loopback device or a
 * VRF; -EEXIST if the hook point has a rule with this name, match and family; -EDQUOT
 * beyond a limit on names, rules or hook functions; -ENOMEM; -ENXIO if the device is
 * missing; -ENODEV if the namespace has ended.
 */
int kcuckoo_rules_attach(struct kcuckoo_net *net,
			 const struct kcuckoo_ioc_attach *attach)
{
	struct net_device *dev;
	int err;

	err = kcuckoo_rules_lock(net, attach->dev, &dev);
	if (!err)
		err = kcuckoo_rules_attach_locked(net, dev, attach);
	kcuckoo_rules_unlock(net, attach->dev);
	return err;
}

/**
 * struct kcuckoo_pattern - selection of the rules to detach
 * @detach: the fields to compare; its flags say which
 * @dev: the device, if @detach selects by device; else NULL
 */
struct kcuckoo_pattern {
	const struct kcuckoo_ioc_detach *detach;
	const struct net_device *dev;
};

/* Returns true if a pattern selects rules of a hook point. */
static bool kcuckoo_hook_point_fits(const struct kcuckoo_hook_point *point,
				    const struct kcuckoo_pattern *pattern)
{
	u32 flags = pattern->detach->flags;

	if (flags & KCUCKOO_DETACH_HOOK && point->hook != pattern->detach->hook)
		return false;
	return !(flags & KCUCKOO_DETACH_DEV) || point->dev == pattern->dev;
}

/* Returns true if a pattern selects a rule, provided that it selects the hook point. */
static bool kcuckoo_rule_fits(const struct kcuckoo_rule_entry *rule,
			      const struct kcuckoo_pattern *pattern)
{
	const struct kcuckoo_ioc_detach *detach = pattern->detach;
	u32 flags = detach->flags;

	if (flags & KCUCKOO_DETACH_NAME &&
	    memcmp(rule->slot->name, detach->name, KCUCKOO_NAME_SIZE))
		return false;
	if (flags & KCUCKOO_DETACH_FAMILY && rule->family != detach->family)
		return false;
	return !(flags & KCUCKOO_DETACH_MATCH) || rule->match == detach->match;
}

/* Returns the number of rules of a hook point that a pattern selects. */
static unsigned int
kcuckoo_rules_fitting(const struct kcuckoo_hook_point *point,
		      const struct kcuckoo_pattern *pattern)
{
	const struct kcuckoo_rule_set *set = kcuckoo_rules_of(point);
	unsigned int count = 0;
	unsigned int i;

	if (!kcuckoo_hook_point_fits(point, pattern))
		return 0;
	for (i = 0; i < kcuckoo_rules_count(set); i++)
		count += kcuckoo_rule_fits(set->rule[i], pattern);
	return count;
}

/*
 * Removes from a hook point all rules that a pattern selects, at least one. If other rules
 * remain, the caller has allocated the set @point->remaining; the rules are moved to this
 * set, which is then published. Frees the point of a device if no rule remains. Cannot
 * fail, because no hook function is registered.
 */
static void kcuckoo_rules_remove(struct kcuckoo_hook_point *point,
				 const struct kcuckoo_pattern *pattern)
{
	struct kcuckoo_rule_set *old = kcuckoo_rules_of(point);
	struct kcuckoo_rule_set *remaining = point->remaining;
	unsigned int i;

	for (i = 0; i < old->count; i++)
		if (!kcuckoo_rule_fits(old->rule[i], pattern))
			remaining->rule[remaining->count++] = old->rule[i];
	point->remaining = NULL;
	rcu_assign_pointer(point->rules, remaining);
	kcuckoo_hook_point_set(point, kcuckoo_rules_families(remaining));
	for (i = 0; i < old->count; i++)
		if (kcuckoo_rule_fits(old->rule[i], pattern))
			kcuckoo_rule_retire(old->rule[i]);
	kvfree_rcu(old, rcu);
	kcuckoo_hook_point_release(point);
}

static void kcuckoo_rules_free_remaining(struct kcuckoo_net *net)
{
	struct kcuckoo_hook_point *point;

	list_for_each_entry(point, &net->points, list) {
		kvfree(point->remaining);
		point->remaining = NULL;
	}
}

/*
 * Allocates @remaining of each hook point at which a detach removes some rules, but not
 * all. If memory is short, frees them again and returns -ENOMEM.
 */
static int kcuckoo_rules_alloc_remaining(struct kcuckoo_net *net,
					 const struct kcuckoo_pattern *pattern)
{
	struct kcuckoo_hook_point *point;

	list_for_each_entry(point, &net->points, list) {
		struct kcuckoo_rule_set *set = kcuckoo_rules_of(point);
		unsigned int gone = kcuckoo_rules_fitting(point, pattern);

		if (!gone || gone == set->count)
			continue;
		point->remaining = kcuckoo_rules_alloc(set->count - gone);
		if (!point->remaining) {
			kcuckoo_rules_free_remaining(net);
			return -ENOMEM;
		}
	}
	return 0;
}

/* Removes rules, for kcuckoo_rules_detach(), which holds the locks. */
static int kcuckoo_rules_detach_locked(struct kcuckoo_net *net,
				       const struct kcuckoo_pattern *pattern)
{
	struct kcuckoo_hook_point *point;
	struct kcuckoo_hook_point *next;
	int removed = 0;
	int err;

	err = kcuckoo_rules_alloc_remaining(net, pattern);
	if (err)
		return err;
	list_for_each_entry_safe(point, next, &net->points, list) {
		unsigned int gone = kcuckoo_rules_fitting(point, pattern);

		if (gone)
			kcuckoo_rules_remove(point, pattern);
		removed += gone;
	}
	return removed ? removed : -ENOENT;
}

/**
 * kcuckoo_rules_detach() - remove rules
 * @net: the namespace's object
 * @detach: selects the rules, its fields checked
 *
 * Context: process context, may sleep.
 * Return: the number of rules removed; or, if no rule was removed, -ENOENT if no rule is
 * selected, -ENOMEM, -ENXIO if the device is missing, or -ENODEV if the namespace has
 * ended.
 */
int kcuckoo_rules_detach(struct kcuckoo_net *net,
			 const struct kcuckoo_ioc_detach *detach)
{
	struct kcuckoo_pattern pattern = { .detach = detach };
	struct net_device *dev;
	int ret;

	ret = kcuckoo_rules_lock(net, detach->dev, &dev);
	pattern.dev = dev;
	if (!ret)
		ret = kcuckoo_rules_detach_locked(net, &pattern);
	kcuckoo_rules_unlock(net, detach->dev);
	return ret;
}

/**
 * kcuckoo_rules_device_gone() - remove the rules of a device that is unregistered
 * @net: the object of its namespace, which may be ending
 * @dev: the device
 *
 * Context: under RTNL.
 */
void kcuckoo_rules_device_gone(struct kcuckoo_net *net,
			       const struct net_device *dev)
{
	const struct kcuckoo_ioc_detach all = { .flags = 0 };
	const struct kcuckoo_pattern pattern = { .detach = &all };
	struct kcuckoo_hook_point *point;

	ASSERT_RTNL();
	mutex_lock(&net->lock);
	point = kcuckoo_hook_point_of(net, dev);
	if (point)
		kcuckoo_rules_remove(point, &pattern);
	mutex_unlock(&net->lock);
}

/* Returns the flags of a rule, which say that its name or @allow has no inet filter. */
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

/* Describes a rule and its counters in @out, which the caller has zeroed. */
static void kcuckoo_rule_describe(const struct kcuckoo_hook_point *point,
				  const struct kcuckoo_rule_entry *rule,
				  struct kcuckoo_rule *out)
{
	unsigned int cpu;

	memcpy(out->name, rule->slot->name, KCUCKOO_NAME_SIZE);
	out->hook = point->hook;
	memcpy(out->dev, point->name, KCUCKOO_DEV_SIZE);
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
 * kcuckoo_rules_list() - list the rules, in the order in which packets meet them
 * @net: the namespace's object
 * @rules: array of @max elements, zeroed by the caller; may be NULL if @max is 0
 * @max: maximum number of rules to write
 *
 * Context: process context, may sleep.
 * Return: the number of rules, which can exceed @max; at most @max rules are written.
 */
unsigned int kcuckoo_rules_list(struct kcuckoo_net *net,
				struct kcuckoo_rule *rules, unsigned int max)
{
	const struct kcuckoo_hook_point *point;
	unsigned int total = 0;
	unsigned int i;

	mutex_lock(&net->lock);
	list_for_each_entry(point, &net->points, list) {
		struct kcuckoo_rule_set *set = kcuckoo_rules_of(point);

		for (i = 0; i < kcuckoo_rules_count(set); i++) {
			if (total < max)
				kcuckoo_rule_describe(point, set->rule[i],
						      &rules[total]);
			total++;
			/* A sum over the counters of all CPUs takes long. */
			cond_resched();
		}
	}
	mutex_unlock(&net->lock);
	return total;
}

/**
 * kcuckoo_rules_disable() - unregister all hook functions of a namespace
 * @net: the object of a namespace that ends
 *
 * Packets may still use the rules until the end of a grace period.
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
}
