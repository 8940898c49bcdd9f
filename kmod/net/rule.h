/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Defines rules, and the hook points at which rules are applied to packets.
 *
 * Code that changes rules holds the lock of the namespace (kcuckoo_net.lock), so a
 * namespace has at most one change at a time: the present change.
 */
#ifndef _KCUCKOO_RULE_H
#define _KCUCKOO_RULE_H

#include <linux/kcuckoo.h>
#include <linux/list.h>
#include <linux/netfilter.h>
#include <linux/string.h>
#include <linux/types.h>
#include <linux/u64_stats_sync.h>

#include "filter/filter.h"
#include "net/rule_log.h"

struct kcuckoo_net;
struct kcuckoo_slot;
struct kcuckoo_template;
struct net_device;

/* Number of hooks that belong to no device: prerouting, input, forward and output. */
#define KCUCKOO_HOOKS		4

/**
 * struct kcuckoo_counter - counts the packets that a rule matched on one CPU
 * @packets: number of packets
 * @bytes: number of bytes of these packets, from the network header on
 */
struct kcuckoo_counter {
	u64_stats_t packets;
	u64_stats_t bytes;
};

/**
 * struct kcuckoo_rule_entry - a rule
 * @slot: the slot of the rule's filter, constant; a rule counts as a user of the slot,
 *	an instance does not
 * @allow: the slot of the allow filter, or NULL, constant; a rule counts as a user of
 *	the slot, an instance does not
 * @family: KCUCKOO_FAMILY_*, constant
 * @match: enum kcuckoo_match, constant
 * @action: enum kcuckoo_action, constant
 * @simple: true if the rule drops packets, has no allow filter and does not log, so that
 *	the fast path can apply the rule; constant
 * @selected: true if the present change removes the rule; under the namespace's lock
 * @hook: enum kcuckoo_hook, constant
 * @log: enum kcuckoo_log, constant
 * @mark: mark of KCUCKOO_ACTION_MARK, constant
 * @counter: packets that the rule matched, per CPU; written by packets
 * @template: the template of an instance, which holds the references to the slots; NULL
 *	if the rule is not an instance. Constant once the rule is published. Packets do
 *	not read this field, because the template can be freed first
 * @successor: the rule that replaces this rule and takes over @counter, or NULL; under
 *	the namespace's lock
 * @order: the rules of a hook point are sorted by this number, ascending; constant
 * @joining: node in kcuckoo_hook_point.joining, under the namespace's lock
 * @label: name of the rule in a configuration, or all zero; constant
 * @rcu: used to free the rule after a grace period
 * @zero_packets: number of packets in @counter at the last KCUCKOO_RULES_ZERO; a list of
 *	rules shows only the later packets. Under the namespace's lock
 * @zero_bytes: number of bytes in @counter at the last KCUCKOO_RULES_ZERO; a list of
 *	rules shows only the later bytes. Under the namespace's lock
 * @log_state: parameters and rate limit of the log, if @log is not KCUCKOO_LOG_NONE
 */
struct kcuckoo_rule_entry {
	struct kcuckoo_slot *slot;
	struct kcuckoo_slot *allow;
	u8 family;
	u8 match;
	u8 action;
	bool simple;
	bool selected;
	u8 hook;
	u8 log;
	u32 mark;
	struct kcuckoo_counter __percpu *counter;
	struct kcuckoo_template *template;
	struct kcuckoo_rule_entry *successor;
	u64 order;
	struct list_head joining;
	u8 label[KCUCKOO_NAME_SIZE];
	struct rcu_head rcu;
	u64 zero_packets;
	u64 zero_bytes;
	struct kcuckoo_log_state log_state;
};

/**
 * struct kcuckoo_template - a rule that belongs to the name of a device, or to a
 *	pattern of names
 * @list: node in kcuckoo_net.templates
 * @slot: the slot of the template's filter, constant; the template counts as a user of
 *	the slot
 * @allow: the slot of the allow filter, or NULL; the template counts as a user of this
 *	slot
 * @attach: the rule as it was attached; @attach.dev is the name or pattern
 * @spare: the spare instance, which keeps the counters, or NULL. When a device gets the
 *	name of the template, @spare becomes the instance at the device, so no rule has
 *	to be allocated. Always NULL for a template with a pattern
 * @instances: number of instances, without @spare
 * @announced: number of instances that the last event of the template reported
 * @order: @order of the instances; constant
 * @selected: true if kcuckoo_rules_detach() removes the template; not used outside of
 *	this function
 * @applied: true if the present call of kcuckoo_templates_prepare() has found an instance
 *	of the template at the device; false outside of this function
 *
 * The lock of the namespace protects all fields that are not constant. Packets do not use
 * templates.
 */
struct kcuckoo_template {
	struct list_head list;
	struct kcuckoo_slot *slot;
	struct kcuckoo_slot *allow;
	struct kcuckoo_ioc_attach attach;
	struct kcuckoo_rule_entry *spare;
	unsigned int instances;
	unsigned int announced;
	u64 order;
	bool selected;
	bool applied;
};

/**
 * struct kcuckoo_rule_set - the rules of one hook point, sorted by @order
 * @rcu: used to free the set after a grace period
 * @count: number of rules, at least 1
 * @rule: the rules
 */
struct kcuckoo_rule_set {
	struct rcu_head rcu;
	unsigned int count;
	struct kcuckoo_rule_entry *rule[];
};

/**
 * struct kcuckoo_hook_point - a netfilter hook or the ingress of a device, with its rules
 * @list: node in kcuckoo_net.points, under @net's lock
 * @net: the object of the namespace that the hook point belongs to, constant
 * @rules: the published rule set, or NULL if there are no rules; written under @net's
 *	lock, read under RCU
 * @prepared: true from a successful kcuckoo_rules_prepare() to kcuckoo_rules_commit() or
 *	kcuckoo_rules_abort(); under @net's lock
 * @next: the set that kcuckoo_rules_commit() will publish, or NULL; under @net's lock
 * @joining: list of the rules that the present change adds, sorted by their @order;
 *	under @net's lock
 * @hook: enum kcuckoo_hook, constant
 * @enabled: set of KCUCKOO_FAMILY_* for which a hook function is registered; at the
 *	ingress of a device one function handles both families, and only the first bit
 *	is used; under @net's lock
 * @dev: device of KCUCKOO_HOOK_INGRESS, else NULL; constant. The hook point holds no
 *	reference to the device: the hook point is removed when the device is
 *	unregistered
 * @ops: operations to register with netfilter, by family; for a device only the first
 *	element is used, for both families; constant
 * @name: name of @dev, under @net's lock
 * @rcu: used to free the hook point after a grace period
 */
struct kcuckoo_hook_point {
	struct list_head list;
	struct kcuckoo_net *net;
	struct kcuckoo_rule_set __rcu *rules;
	struct kcuckoo_rule_set *next;
	struct list_head joining;
	u8 hook;
	u8 enabled;
	bool prepared;
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
bool kcuckoo_hook_point_possible(const struct net_device *dev);
void kcuckoo_hook_point_renamed(struct kcuckoo_net *net,
				struct net_device *dev);

int kcuckoo_rules_lock(struct kcuckoo_net *net, const u8 *name,
		       struct net_device **dev);
void kcuckoo_rules_unlock(struct kcuckoo_net *net, const u8 *name);
struct kcuckoo_rule_set *
kcuckoo_rules_of(const struct kcuckoo_hook_point *point);
struct kcuckoo_rule_entry *
kcuckoo_rule_create(struct kcuckoo_slot *slot, struct kcuckoo_slot *allow,
		    const struct kcuckoo_ioc_attach *attach, u64 order);
int kcuckoo_rule_create_successor(struct kcuckoo_rule_entry *rule,
				  struct kcuckoo_slot *allow,
				  const struct kcuckoo_ioc_attach *attach);
void kcuckoo_rule_drop_successor(struct kcuckoo_rule_entry *rule);
void kcuckoo_rule_free(struct kcuckoo_rule_entry *rule);
void kcuckoo_rule_retire(struct kcuckoo_rule_entry *rule);
int kcuckoo_rules_prepare(struct kcuckoo_hook_point *point);
void kcuckoo_rules_commit(struct kcuckoo_hook_point *point);
void kcuckoo_rules_abort(struct kcuckoo_hook_point *point);

/**
 * kcuckoo_template_has_pattern() - check whether a template belongs to a pattern
 * @template: the template
 *
 * Return: true if @attach.dev of the template ends in '*'. Such a pattern stands for all
 * names that begin with the characters before the '*'.
 */
static inline bool
kcuckoo_template_has_pattern(const struct kcuckoo_template *template)
{
	const char *text = (const char *)template->attach.dev;

	return text[strlen(text) - 1] == '*';
}

/**
 * kcuckoo_rules_count() - get the number of rules of a set
 * @set: the set, or NULL
 *
 * Return: the number of rules, 0 if @set is NULL.
 */
static inline unsigned int
kcuckoo_rules_count(const struct kcuckoo_rule_set *set)
{
	return set ? set->count : 0;
}

int kcuckoo_template_attach(struct kcuckoo_net *net, struct kcuckoo_slot *slot,
			    struct kcuckoo_slot *allow,
			    const struct kcuckoo_ioc_attach *attach);
struct kcuckoo_template *
kcuckoo_template_find(struct kcuckoo_net *net, const struct kcuckoo_slot *slot,
		      const struct kcuckoo_ioc_attach *attach);
int kcuckoo_template_replace(struct kcuckoo_template *template,
			     struct kcuckoo_slot *allow,
			     const struct kcuckoo_ioc_attach *attach);
void kcuckoo_template_free(struct kcuckoo_template *template);
void kcuckoo_template_emit_changes(struct kcuckoo_hook_point *point,
				   const struct kcuckoo_template *added);
void kcuckoo_templates_update(struct kcuckoo_net *net, struct net_device *dev);

int kcuckoo_rules_attach(struct kcuckoo_net *net,
			 const struct kcuckoo_ioc_attach *attach);
int kcuckoo_rules_detach(struct kcuckoo_net *net,
			 const struct kcuckoo_ioc_detach *detach);
unsigned int kcuckoo_rules_list(struct kcuckoo_net *net, const u8 *name,
				struct kcuckoo_rule *rules, unsigned int max,
				bool zero);
void kcuckoo_rules_device_gone(struct kcuckoo_net *net,
			       const struct net_device *dev);
void kcuckoo_rules_disable(struct kcuckoo_net *net);
void kcuckoo_rules_free(struct kcuckoo_net *net);

#endif /* _KCUCKOO_RULE_H */
