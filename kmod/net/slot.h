/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Defines slots: the names of a network namespace, with the filters that the names have.
 *
 * Rules, BPF programs and other modules, the users of a slot, refer to the slot, not to
 * its filter. So if two slots swap their filters, the rules of each slot use its new
 * filter from then on.
 */
#ifndef _KCUCKOO_SLOT_H
#define _KCUCKOO_SLOT_H

#include <linux/in6.h>
#include <linux/string.h>

#include "filter/filter.h"
#include "filter/lookup_fast.h"
#include "net/netns.h"

/**
 * struct kcuckoo_packet_stats - counts adds and deletes by packets, for one name on one CPU
 * @added: addresses added
 * @deleted: addresses deleted
 * @full: adds that failed because no entry was reserved, no free entry was found, or the
 *	filter had reached its capacity
 * @limited: adds that a rate limit refused (struct kcuckoo_limit)
 * @refused: adds and deletes that failed because the name had no filter, or because the
 *	filter does not support the operation
 */
struct kcuckoo_packet_stats {
	u64 added;
	u64 deleted;
	u64 full;
	u64 limited;
	u64 refused;
};

/**
 * struct kcuckoo_slot - a name, and the filter that the name has
 * @node: node in kcuckoo_net.slots, written under @net's lock, read under RCU
 * @list: node in kcuckoo_net.list, under @net's lock
 * @net: the namespace's object, constant; the slot holds a reference
 * @filter: the filter, or NULL; written under @net's lock, read under RCU
 * @users: number of rules, templates, slot users (slot_user.c) and references of other
 *	modules (kcuckoo_get()) that use the slot, under @net's lock; the slot keeps its
 *	name and is not freed while it has users
 * @writers: number of users that have called kcuckoo_writer_begin(), and not yet
 *	kcuckoo_writer_end(); under @net's lock
 * @managed: true if a program has marked the name as managed (KCUCKOO_LIST_MANAGED);
 *	under @net's lock
 * @id: number by which BPF programs find the slot, 0 until a number is allocated; under
 *	@net's lock
 * @name: the name, zero-padded; under @net's lock, constant while the slot has users
 * @packet_stats: statistics of packets, per CPU, written by packets; NULL until
 *	kcuckoo_get() allocates the statistics, under @net's lock
 * @reported: the sums of the fields full, limited and refused of @packet_stats over all
 *	CPUs when subscription.c last computed them, under @net's lock
 * @rcu: used to free the slot after a grace period
 */
struct kcuckoo_slot {
	struct hlist_node node;
	struct list_head list;
	struct kcuckoo_net *net;
	struct kcuckoo_filter __rcu *filter;
	unsigned int users;
	unsigned int writers;
	bool managed;
	u32 id;
	u8 name[KCUCKOO_NAME_SIZE];
	struct kcuckoo_packet_stats __percpu *packet_stats;
	struct kcuckoo_packet_stats reported;
	struct rcu_head rcu;
};

/**
 * struct kcuckoo_expected - the condition of a conditional replacement
 * @id: number of the filter that is expected to have the name (@filter_id of
 *	KCUCKOO_IOC_INFO)
 * @changes: number of changes of this filter (@changes of KCUCKOO_IOC_INFO) at the time
 *	when the program read its members
 */
struct kcuckoo_expected {
	u64 id;
	u64 changes;
};

bool kcuckoo_name_valid(const u8 *name);

/**
 * kcuckoo_slot_filter() - get the filter of a slot
 * @slot: the slot
 *
 * Context: under the lock of its namespace.
 * Return: the filter, without a reference, or NULL.
 */
static inline struct kcuckoo_filter *
kcuckoo_slot_filter(const struct kcuckoo_slot *slot)
{
	return rcu_dereference_protected(slot->filter,
					 lockdep_is_held(&slot->net->lock));
}

int kcuckoo_net_check_name(struct kcuckoo_net *net, const u8 *name);
int kcuckoo_net_publish_filter(struct kcuckoo_net *net, const u8 *name,
			       struct kcuckoo_filter *filter, bool managed);
int kcuckoo_net_destroy_filter(struct kcuckoo_net *net, const u8 *name);
int kcuckoo_net_rename_filter(struct kcuckoo_net *net, const u8 *name,
			      const u8 *new_name);
int kcuckoo_net_swap_filters(struct kcuckoo_net *net, const u8 *name,
			     const u8 *with);
int kcuckoo_net_replace_filter(struct kcuckoo_net *net, const u8 *name,
			       const u8 *with,
			       const struct kcuckoo_expected *expected);
int kcuckoo_net_publish_replacement(struct kcuckoo_net *net, const u8 *name,
				    struct kcuckoo_filter *filter,
				    const struct kcuckoo_expected *expected);
struct kcuckoo_filter *
kcuckoo_net_get_filter(struct kcuckoo_net *net, const u8 *name,
		       struct kcuckoo_ioc_info *info);
void kcuckoo_net_get_packet_stats(struct kcuckoo_net *net,
				  struct kcuckoo_ioc_info *info);
unsigned int kcuckoo_net_list_filters(struct kcuckoo_net *net,
				      struct kcuckoo_list_entry *entries,
				      unsigned int max);
void kcuckoo_net_get_stats(struct kcuckoo_net *net,
			   struct kcuckoo_ioc_stats *stats);
void kcuckoo_net_free_slots(struct kcuckoo_net *net);

const struct kcuckoo_slot *kcuckoo_slot_by_id(struct kcuckoo_net *net, u32 id);
int kcuckoo_slot_alloc_id(struct kcuckoo_slot *slot);
void kcuckoo_slot_free_id(const struct kcuckoo_slot *slot);

struct kcuckoo_slot *kcuckoo_slot_find(struct kcuckoo_net *net, const u8 *name);
struct kcuckoo_slot *kcuckoo_slot_get(struct kcuckoo_net *net, const u8 *name);
struct kcuckoo_slot *kcuckoo_slot_get_counted(struct kcuckoo_net *net,
					      const u8 *name);
int kcuckoo_slot_count(struct kcuckoo_slot *slot, int ret, u64 __percpu *done);
void kcuckoo_slot_packet_stats(const struct kcuckoo_slot *slot,
			       struct kcuckoo_ioc_info *info);
void kcuckoo_slot_put(struct kcuckoo_slot *slot);
int kcuckoo_slot_lookup(const struct kcuckoo_slot *slot,
			const struct kcuckoo_query *query);

/**
 * kcuckoo_slot_binding_unchanged() - check whether a name kept its filter in a look-up
 * @slot: the slot
 * @filter: the filter in which the caller has looked up a key
 * @binding_seq: the number that kcuckoo_net_binding_seq() returned before the caller
 *	read @filter from @slot
 *
 * Code that changes the filter of a name increments binding_seq first. If the caller
 * reads @binding_seq between this increment and the change, only the comparison of the
 * filters detects the change. If a second change gives @filter back to the name, only the
 * comparison of the numbers detects the changes. So the function compares the filters
 * before the numbers: if the first comparison reads the result of the second change, the
 * second comparison reads the increment of that change.
 *
 * Context: inside rcu_read_lock().
 * Return: true if the name had @filter during the whole look-up; false if this is not
 * certain, so that the caller must not use the result of the look-up.
 */
static inline bool
kcuckoo_slot_binding_unchanged(const struct kcuckoo_slot *slot,
			       const struct kcuckoo_filter *filter,
			       u64 binding_seq)
{
	/*
	 * Orders the look-up before the comparisons; not every look-up ends with a read
	 * barrier.
	 */
	smp_rmb();
	return rcu_access_pointer(slot->filter) == filter &&
	       kcuckoo_net_binding_seq(slot->net) == binding_seq;
}

/**
 * kcuckoo_slot_lookup_fast_ipv4() - look up an IPv4 address by name on the fast path
 * @slot: the slot
 * @address: the address
 *
 * Context: inside rcu_read_lock(); any context but hard interrupts.
 * Return: 1 if the filter contains the address; 0 if the filter does not contain the
 * address, or if the name has no filter of addresses; -EAGAIN if kcuckoo_slot_lookup()
 * is needed.
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
 * kcuckoo_slot_lookup_fast_ipv6() - check on the fast path that the filter of a name has
 *	no IPv6 layer
 * @slot: the slot
 *
 * Context: inside rcu_read_lock(); any context but hard interrupts.
 * Return: 0 if the name has no filter, or its filter has no IPv6 layer; -EAGAIN if
 * kcuckoo_slot_lookup() is needed.
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
 * kcuckoo_slot_contains() - check whether the filter of a name contains a key
 * @slot: the slot
 * @query: the key
 *
 * Context: inside rcu_read_lock(); any context but hard interrupts.
 * Return: true if the filter contains the key; false if the filter does not contain the
 * key, if the name has no filter, or if the key and the filter have different types
 * (addresses or byte strings).
 */
static inline bool kcuckoo_slot_contains(const struct kcuckoo_slot *slot,
					 const struct kcuckoo_query *query)
{
	return kcuckoo_slot_lookup(slot, query) > 0;
}

/**
 * kcuckoo_slot_lacks() - check whether a name has a filter that lacks an address
 * @slot: the slot
 * @query: the address
 *
 * Context: inside rcu_read_lock(); any context but hard interrupts.
 * Return: true if the name has a filter of addresses that does not contain the address;
 * false if the filter contains the address, or if the name has no filter of addresses.
 */
static inline bool kcuckoo_slot_lacks(const struct kcuckoo_slot *slot,
				      const struct kcuckoo_query *query)
{
	return kcuckoo_slot_lookup(slot, query) == 0;
}

/**
 * kcuckoo_number_ipv4() - convert an IPv4 address to a number for a query
 * @address: the address
 *
 * Return: the address bits as a number in host order.
 */
static inline struct kcuckoo_number kcuckoo_number_ipv4(__be32 address)
{
	const struct kcuckoo_number number = { .lo = be32_to_cpu(address) };

	return number;
}

/**
 * kcuckoo_number_ipv6() - convert an IPv6 address to a number for a query
 * @address: the address
 *
 * Return: the address bits as a number in host order.
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

int kcuckoo_net_get_slot_id(struct kcuckoo_net *net, const u8 *name, u32 *id);
int kcuckoo_slot_users_add(struct kcuckoo_net *net, const u8 *name, u32 ifindex,
			   u32 *id);
int kcuckoo_slot_users_del(struct kcuckoo_net *net, const u8 *name,
			   u32 ifindex);
void kcuckoo_slot_users_device_gone(struct kcuckoo_net *net,
				    const struct net_device *dev);
void kcuckoo_slot_users_free(struct kcuckoo_net *net);

#endif /* _KCUCKOO_SLOT_H */
