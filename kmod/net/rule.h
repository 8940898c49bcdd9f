/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rules, and the hook points at which they are applied to packets.
 *
 * A rule drops, counts or marks packets whose source or destination address is in a filter.
 * A hook point is a netfilter hook of a namespace, or the ingress of a device, with its
 * rules. Changes are made under the lock of the namespace. Packets read the rules under
 * RCU.
 *
 * Files: hook_point.c (hook points), rules.c (attach, detach, list).
 */
#ifndef _KCUCKOO_RULE_H
#define _KCUCKOO_RULE_H

#include <linux/kcuckoo.h>
#include <linux/list.h>
#include <linux/netfilter.h>
#include <linux/types.h>
#include <linux/u64_stats_sync.h>

#include "filter/filter.h"

struct kcuckoo_net;
struct kcuckoo_slot;
struct net_device;

/* Number of hooks that belong to no device: prerouting, input, forward and output. */
#define KCUCKOO_HOOKS		4

/**
 * struct kcuckoo_counter - packets that a rule matched on one CPU
 * @packets: number of packets
 * @bytes: number of bytes of these packets, from the network header on
 */
struct kcuckoo_counter {
	u64_stats_t packets;
	u64_stats_t bytes;
};

/**
 * struct kcuckoo_rule_entry - a rule
 * @slot: the slot of its filter, constant; the rule counts as a user of the slot
 * @allow: the slot of its allow filter, or NULL, constant; the rule counts as a user of
 *	the slot. The rule does not apply to addresses in its allow filter
 * @family: KCUCKOO_FAMILY_*, constant
 * @match: enum kcuckoo_match, constant
 * @action: enum kcuckoo_action, constant
 * @mark: mark of KCUCKOO_ACTION_MARK, constant
 * @simple: true if the action is to drop and there is no allow filter, so that a look-up in
 *	one filter decides; constant
 * @counter: packets that the rule matched, per CPU; written by packets
 * @rcu: to free it after a grace period
 */
struct kcuckoo_rule_entry {
	struct kcuckoo_slot *slot;
	struct kcuckoo_slot *allow;
	u8 family;
	u8 match;
	u8 action;
	bool simple;
	u32 mark;
	struct kcuckoo_counter __percpu *counter;
	struct rcu_head rcu;
};

/**
 * struct kcuckoo_rule_set - the rules of one hook point, in the order of attaching
 * @rcu: to free it after a grace period
 * @count: number of rules, at least 1
 * @rule: the rules
 *
 * A set is constant once it is published. A change publishes a new set.
 */
struct kcuckoo_rule_set {
	struct rcu_head rcu;
	unsigned int count;
	struct kcuckoo_rule_entry *rule[];
};

/**
 * struct kcuckoo_hook_point - a netfilter hook or the ingress of a device, with its rules
 * @list: in kcuckoo_net.points, under its lock
 * @net: the namespace's object, constant; the hook point belongs to it
 * @rules: the rules, or NULL; written under @net's lock, read under RCU
 * @remaining: during a detach that removes some of the rules, but not all: a set that is
 *	allocated for the other rules; else NULL; under @net's lock
 * @hook: enum kcuckoo_hook, constant
 * @enabled: set of KCUCKOO_FAMILY_* for which a hook function is registered; for a device
 *	the first bit stands for both families; under @net's lock
 * @dev: device of KCUCKOO_HOOK_INGRESS, else NULL; constant. The hook point holds no
 *	reference to the device: it is removed when the device is unregistered
 * @ops: operations to register with netfilter, by family; for a device the first element
 *	is for both families; constant
 * @name: name of @dev, under @net's lock
 * @rcu: to free it after a grace period
 */
struct kcuckoo_hook_point {
	struct list_head list;
	struct kcuckoo_net *net;
	struct kcuckoo_rule_set __rcu *rules;
	struct kcuckoo_rule_set *remaining;
	u8 hook;
	u8 enabled;
	struct net_device *dev;
	struct nf_hook_ops ops[KCUCKOO_FAMILIES];
	u8 name[KCUCKOO_DEV_SIZE];
	struct rcu_head rcu;
};

void kcuckoo_hook_points_init(struct kcuckoo_net *net);
struct kcuckoo_hook_point *kcuckoo_hook_point_of(struct kcuckoo_net *net,
						 const struct net_device *dev);
struct kcuckoo_hook_point *kcuckoo_hook_point_obtain(struct kcuckoo_net *net,
						     unsigned int hook,
						     struct net_device *dev);
void kcuckoo_hook_point_release(struct kcuckoo_hook_point *point);
int kcuckoo_hook_point_set(struct kcuckoo_hook_point *point,
			   unsigned int families);
void kcuckoo_hook_point_renamed(struct kcuckoo_net *net,
				struct net_device *dev);

int kcuckoo_rules_attach(struct kcuckoo_net *net,
			 const struct kcuckoo_ioc_attach *attach);
int kcuckoo_rules_detach(struct kcuckoo_net *net,
			 const struct kcuckoo_ioc_detach *detach);
unsigned int kcuckoo_rules_list(struct kcuckoo_net *net,
				struct kcuckoo_rule *rules, unsigned int max);
void kcuckoo_rules_device_gone(struct kcuckoo_net *net,
			       const struct net_device *dev);
void kcuckoo_rules_disable(struct kcuckoo_net *net);
void kcuckoo_rules_free(struct kcuckoo_net *net);

#endif /* _KCUCKOO_RULE_H */
