/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names and rules of one network namespace.
 *
 * A name is a slot: rules bind to the slot, and the slot points to a filter, so
 * that swapping the filters of two slots changes what their rules match. A slot
 * that has users and no filter waits for one: it matches nothing until a filter
 * gets its name. One that has neither is no more.
 *
 * Descriptors and slots hold the namespace's object, struct kcuckoo_net, and
 * never struct net: the object outlives the namespace, and says that it is gone.
 *
 * Files, each of which calls only those before it: id.c (numbers of names),
 * registry.c (the object, names), packet_stats.c (what packets changed), verdict.h and
 * verdict.c (packets), hook.c and ingress.c (netfilter), hook_point.c (where rules are),
 * rules.c (rules), slot_user.c (programs), netdev.c (devices), pernet.c (namespaces), api.c.
 */
#ifndef _KCUCKOO_REGISTRY_H
#define _KCUCKOO_REGISTRY_H

#include <linux/hashtable.h>
#include <linux/in6.h>
#include <linux/mutex.h>
#include <linux/netfilter.h>
#include <linux/refcount.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/u64_stats_sync.h>

#include "filter/filter.h"
#include "filter/lookup_fast.h"

/* Hooks that belong to no device. */
#define KCUCKOO_HOOKS		4

/**
 * struct kcuckoo_packet_stats - changes of a filter by packets, for one name and CPU
 * @added: addresses that became members
 * @deleted: addresses that were members
 * @full: adds for which no room was reserved or left
 * @limited: adds beyond the limit of their rule
 * @refused: adds and deletes without a filter, or with one that is not for them
 */
struct kcuckoo_packet_stats {
	u64 added;
	u64 deleted;
	u64 full;
	u64 limited;
	u64 refused;
};

/**
 * struct kcuckoo_slot - a name
 * @node: in kcuckoo_net.slots, under its lock
 * @list: in kcuckoo_net.list, under its lock
 * @net: the namespace's object, constant; the slot holds a reference
 * @filter: the filter, NULL while the name waits for one; written under @net's
 *	lock, read under RCU
 * @users: rules, programs and other modules that use the slot, under @net's
 *	lock; it keeps its name and its place until they let go
 * @id: number for programs; 0 until one is asked for, under @net's lock
 * @name: zero-padded, constant while there are users, under @net's lock
 * @packet_stats: per CPU, written by packets; NULL until another module uses the name,
 *	written once, under @net's lock, before that may have packets change anything
 * @rcu: to free it after a grace period
 */
struct kcuckoo_slot {
	struct hlist_node node;
	struct list_head list;
	struct kcuckoo_net *net;
	struct kcuckoo_filter __rcu *filter;
	unsigned int users;
	u32 id;
	u8 name[KCUCKOO_NAME_SIZE];
	struct kcuckoo_packet_stats __percpu *packet_stats;
	struct rcu_head rcu;
};

/**
 * struct kcuckoo_counter - what a rule has matched on one CPU
 * @packets: packets
 * @bytes: their bytes, from the network header on
 */
struct kcuckoo_counter {
	u64_stats_t packets;
	u64_stats_t bytes;
};

/**
 * struct kcuckoo_rule_entry - a rule
 * @slot: whose filter it uses, constant; the rule is one of its users
 * @allow: whose filter holds what it does not match, constant; NULL where the
 *	rule has none, else the rule is one of its users, too
 * @family: KCUCKOO_FAMILY_*, constant
 * @match: enum kcuckoo_match, constant
 * @action: enum kcuckoo_action, constant
 * @mark: mark of KCUCKOO_ACTION_MARK, constant
 * @simple: who matches it is dropped, be it in another filter or not; constant
 * @counter: per CPU, written by packets
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
 * struct kcuckoo_rule_set - the rules of one point, in the order of attaching
 * @rcu: to free it after a grace period
 * @count: how many, at least 1
 * @rule: the rules; the set is constant, a change makes another one
 */
struct kcuckoo_rule_set {
	struct rcu_head rcu;
	unsigned int count;
	struct kcuckoo_rule_entry *rule[];
};

/**
 * struct kcuckoo_hook_point - where packets meet rules
 * @list: in kcuckoo_net.points, under its lock
 * @net: the namespace's object, constant; the point is part of it
 * @rules: the rules, NULL where there is none; written under @net's lock, read
 *	under RCU
 * @kept: those that a detach leaves, while it is under way; under @net's lock
 * @hook: enum kcuckoo_hook, constant
 * @enabled: netfilter calls us for these KCUCKOO_FAMILY_*, or with @dev for the
 *	first one, which stands for both; under @net's lock
 * @dev: device of KCUCKOO_HOOK_INGRESS, else NULL; constant. The point goes
 *	before the device does, so it needs no reference
 * @ops: what netfilter knows of it, by family; with @dev the first one stands
 *	for both. Constant
 * @name: name of @dev, under @net's lock
 * @rcu: to free it after a grace period
 */
struct kcuckoo_hook_point {
	struct list_head list;
	struct kcuckoo_net *net;
	struct kcuckoo_rule_set __rcu *rules;
	struct kcuckoo_rule_set *kept;
	u8 hook;
	u8 enabled;
	struct net_device *dev;
	struct nf_hook_ops ops[KCUCKOO_FAMILIES];
	u8 name[KCUCKOO_DEV_SIZE];
	struct rcu_head rcu;
};

/**
 * struct kcuckoo_packet - what rules see of a packet, and may change
 * @family: KCUCKOO_FAMILY_IPV4 or KCUCKOO_FAMILY_IPV6
 * @header: its header, the fixed part at least
 * @length: bytes to be counted
 * @mark: out: its new mark, where @marked
 * @marked: out: it gets a mark
 */
struct kcuckoo_packet {
	unsigned int family;
	const void *header;
	u32 length;
	u32 mark;
	bool marked;
};

/**
 * struct kcuckoo_cleanup - memory to release when a namespace ends
 * @list: in kcuckoo_net.cleanups, under its lock
 * @release: releases the memory; may sleep, but does not wait for a process, because
 *	no other namespace can end in that time
 */
struct kcuckoo_cleanup {
	struct list_head list;
	void (*release)(struct kcuckoo_cleanup *cleanup);
};

/**
 * struct kcuckoo_net - what one network namespace has
 * @refs: held by the namespace, by each descriptor and by each slot
 * @account: what its filters are charged to, constant
 * @user_ns: owner of the namespace, for permission checks, constant
 * @cleanup_mutex: protects @cleanups; outside the locks of their owners
 * @cleanups: memory to release when the namespace ends, besides the filters
 * @lock: protects all below, and the slots' fields; outside filter->resize_mutex
 * @net: the namespace, NULL once it is going
 * @slots: slots by name
 * @list: slots, oldest first
 * @names: number of slots
 * @slot_users: users of names that programs added, hashed by device
 * @binding_lock: held, too, where a name loses its filter or gets another one;
 *	outside filter->lock, and taken with softirqs off
 * @rules: rules of all points, and @slot_users
 * @binding_seq: counts changes of which filter a name has; written under both
 *	locks, read without any, too. It is no seqcount_t: a batch compares it across
 *	a copy from user memory, which user memory can delay until 32 bits wrap
 * @points: where there are rules, or may be, in the order of packets
 * @hooks: those that belong to no device
 */
struct kcuckoo_net {
	refcount_t refs;
	struct kcuckoo_account *account;
	struct user_namespace *user_ns;
	struct mutex cleanup_mutex;	/* cleanups */
	struct list_head cleanups;
	struct mutex lock;	/* all of the following, and slots */
	struct net *net;
	DECLARE_HASHTABLE(slots, 8);
	struct list_head list;
	unsigned int names;
	unsigned int rules;
	DECLARE_HASHTABLE(slot_users, 6);
	spinlock_t binding_lock;	/* a name's change of filters */
	u64 binding_seq;
	struct list_head points;
	struct kcuckoo_hook_point hooks[KCUCKOO_HOOKS];
};

/*
 * What netfilter is to call, by hook and family, but for the point; see hook.c.
 */
extern const struct nf_hook_ops
kcuckoo_hook_ops[KCUCKOO_HOOKS][KCUCKOO_FAMILIES];

/* The same for any device; see ingress.c. */
extern const struct nf_hook_ops kcuckoo_ingress_ops;

/* Of the pernet operations. */
extern unsigned int kcuckoo_net_id;

struct kcuckoo_net *kcuckoo_net_create(struct net *ns);
struct kcuckoo_net *kcuckoo_net_of(const struct net *net);
struct kcuckoo_net *kcuckoo_net_get(struct kcuckoo_net *net);
void kcuckoo_net_put(struct kcuckoo_net *net);
bool kcuckoo_net_dead(struct kcuckoo_net *net);
void kcuckoo_net_add_cleanup(struct kcuckoo_net *net,
			     struct kcuckoo_cleanup *cleanup);
void kcuckoo_net_del_cleanup(struct kcuckoo_net *net,
			     struct kcuckoo_cleanup *cleanup);
void kcuckoo_net_run_cleanups(struct kcuckoo_net *net);

bool kcuckoo_name_valid(const u8 *name);

int kcuckoo_registry_create(struct kcuckoo_net *net, const u8 *name,
			    const struct kcuckoo_config *config, bool strong);
int kcuckoo_registry_create_like(struct kcuckoo_net *net, const u8 *name,
				 const u8 *like);
int kcuckoo_registry_publish(struct kcuckoo_net *net, const u8 *name,
			     struct kcuckoo_filter *filter);
int kcuckoo_registry_destroy(struct kcuckoo_net *net, const u8 *name);
int kcuckoo_registry_rename(struct kcuckoo_net *net, const u8 *name,
			    const u8 *new_name);
int kcuckoo_registry_swap(struct kcuckoo_net *net, const u8 *name,
			  const u8 *with);
int kcuckoo_registry_replace(struct kcuckoo_net *net, const u8 *name,
			     const u8 *with);
struct kcuckoo_filter *kcuckoo_registry_filter(struct kcuckoo_net *net,
					       const u8 *name, u32 *users);
void kcuckoo_registry_packet_stats(struct kcuckoo_net *net,
				   struct kcuckoo_ioc_info *info);
unsigned int kcuckoo_registry_list(struct kcuckoo_net *net,
				   struct kcuckoo_list_entry *entries,
				   unsigned int room);
void kcuckoo_registry_stats(struct kcuckoo_net *net,
			    struct kcuckoo_ioc_stats *stats);
void kcuckoo_registry_free(struct kcuckoo_net *net);

const struct kcuckoo_slot *kcuckoo_slot_by_id(struct kcuckoo_net *net, u32 id);
int kcuckoo_slot_number(struct kcuckoo_slot *slot);
void kcuckoo_slot_forget(const struct kcuckoo_slot *slot);

struct kcuckoo_slot *kcuckoo_slot_find(struct kcuckoo_net *net, const u8 *name);
struct kcuckoo_slot *kcuckoo_slot_get(struct kcuckoo_net *net, const u8 *name);
struct kcuckoo_slot *kcuckoo_slot_get_counted(struct kcuckoo_net *net,
					      const u8 *name);
int kcuckoo_slot_count(struct kcuckoo_slot *slot, int ret, u64 __percpu *done);
void kcuckoo_slot_packet_stats(const struct kcuckoo_slot *slot,
			       struct kcuckoo_ioc_info *info);
void kcuckoo_slot_put(struct kcuckoo_slot *slot);
struct kcuckoo_filter *kcuckoo_slot_filter(const struct kcuckoo_slot *slot);
int kcuckoo_slot_look(const struct kcuckoo_slot *slot,
		      const struct kcuckoo_query *query);

/**
 * kcuckoo_net_binding_seq() - count the changes of which filter a name has
 * @net: the namespace's object
 *
 * A change is counted before it is made. If a name still has its filter after a
 * look-up, and the count is the same as before the filter was found, the name had
 * this filter all the time. A look-up is valid only then: a filter that has lost its
 * name may be empty by now, or have other members.
 *
 * Context: any. Orders earlier reads before it and later reads after it.
 * Return: the count; it only grows.
 */
static inline u64 kcuckoo_net_binding_seq(const struct kcuckoo_net *net)
{
	/* The look-up comes before this; see kcuckoo_net_rebind_begin(). */
	smp_rmb();
	/* The filter of a name is read after it. */
	return smp_load_acquire(&net->binding_seq);
}

/**
 * kcuckoo_slot_binding_unchanged() - check that a name had one filter all the time
 * @slot: the slot
 * @filter: the filter that it had
 * @binding_seq: kcuckoo_net_binding_seq() before it was found
 *
 * The filter is compared before the count. In the other order, a name that had lost
 * its filter could get it back between the two.
 *
 * Context: inside rcu_read_lock().
 * Return: true if it had; otherwise the look-up has to be repeated.
 */
static inline bool
kcuckoo_slot_binding_unchanged(const struct kcuckoo_slot *slot,
			       const struct kcuckoo_filter *filter,
			       u64 binding_seq)
{
	/* After the look-up: not every look-up ends with a sequence count. */
	smp_rmb();
	return rcu_access_pointer(slot->filter) == filter &&
	       kcuckoo_net_binding_seq(slot->net) == binding_seq;
}

/**
 * kcuckoo_slot_lookup_fast_ipv4() - is an IPv4 address in the filter behind a name?
 * @slot: the slot
 * @address: the address
 *
 * Context: inside rcu_read_lock(); any context but hard interrupts.
 * Return: 1 if it is, 0 if it is not, or where there is no filter of addresses;
 * -EAGAIN when kcuckoo_slot_look() is needed.
 */
static inline int
kcuckoo_slot_lookup_fast_ipv4(const struct kcuckoo_slot *slot, __be32 address)
{
	u64 binding_seq = kcuckoo_net_binding_seq(slot->net);
	const struct kcuckoo_filter *filter = rcu_dereference(slot->filter);
	int ret = 0;

	if (filter)
		ret = kcuckoo_lookup_fast_ipv4(filter, be32_to_cpu(address));
	if (!kcuckoo_slot_binding_unchanged(slot, filter, binding_seq))
		return -EAGAIN;
	return ret;
}

/**
 * kcuckoo_slot_lookup_fast_ipv6() - is an IPv6 address in the filter behind a name?
 * @slot: the slot
 *
 * Context: inside rcu_read_lock(); any context but hard interrupts.
 * Return: 0 if none is, -EAGAIN when kcuckoo_slot_look() is needed.
 */
static inline int
kcuckoo_slot_lookup_fast_ipv6(const struct kcuckoo_slot *slot)
{
	u64 binding_seq = kcuckoo_net_binding_seq(slot->net);
	const struct kcuckoo_filter *filter = rcu_dereference(slot->filter);
	int ret = 0;

	if (filter)
		ret = kcuckoo_lookup_fast_ipv6(filter);
	if (!kcuckoo_slot_binding_unchanged(slot, filter, binding_seq))
		return -EAGAIN;
	return ret;
}

/**
 * kcuckoo_slot_contains() - is something in the filter behind a name?
 * @slot: the slot
 * @query: what is asked for
 *
 * Context: inside rcu_read_lock(); any context but hard interrupts.
 * Return: true if it is; false where there is no filter, or one of another type.
 */
static inline bool kcuckoo_slot_contains(const struct kcuckoo_slot *slot,
					 const struct kcuckoo_query *query)
{
	return kcuckoo_slot_look(slot, query) > 0;
}

/**
 * kcuckoo_slot_lacks() - is an address not in the filter behind a name?
 * @slot: the slot
 * @query: the address
 *
 * Context: inside rcu_read_lock(); any context but hard interrupts.
 * Return: true if there is a filter of addresses, and the address is not in it;
 * false where there is no such filter.
 */
static inline bool kcuckoo_slot_lacks(const struct kcuckoo_slot *slot,
				      const struct kcuckoo_query *query)
{
	return kcuckoo_slot_look(slot, query) == 0;
}

/**
 * kcuckoo_number_ipv4() - an IPv4 address as tables know it
 * @address: the address
 *
 * Return: its number.
 */
static inline struct kcuckoo_number kcuckoo_number_ipv4(__be32 address)
{
	const struct kcuckoo_number number = { .lo = be32_to_cpu(address) };

	return number;
}

/**
 * kcuckoo_number_ipv6() - an IPv6 address as tables know it
 * @address: the address
 *
 * Return: its number.
 */
static inline struct kcuckoo_number
kcuckoo_number_ipv6(const struct in6_addr *address)
{
	struct kcuckoo_number number;
	__be64 words[2];

	memcpy(words, address, sizeof(words));
	number.hi = be64_to_cpu(words[0]);
	number.lo = be64_to_cpu(words[1]);
	return number;
}

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
				struct kcuckoo_rule *rules, unsigned int room);
void kcuckoo_rules_device_gone(struct kcuckoo_net *net,
			       const struct net_device *dev);
void kcuckoo_rules_disable(struct kcuckoo_net *net);
void kcuckoo_rules_free(struct kcuckoo_net *net);

int kcuckoo_slot_users_add(struct kcuckoo_net *net, const u8 *name, u32 ifindex,
			   u32 *id);
int kcuckoo_slot_users_del(struct kcuckoo_net *net, const u8 *name,
			   u32 ifindex);
int kcuckoo_slot_users_number(struct kcuckoo_net *net, const u8 *name, u32 *id);
void kcuckoo_slot_users_device_gone(struct kcuckoo_net *net,
				    const struct net_device *dev);
void kcuckoo_slot_users_free(struct kcuckoo_net *net);

int kcuckoo_netdev_init(void);
void kcuckoo_netdev_exit(void);

int kcuckoo_pernet_init(void);
void kcuckoo_pernet_exit(void);

#endif /* _KCUCKOO_REGISTRY_H */
