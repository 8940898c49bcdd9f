// SPDX-License-Identifier: GPL-2.0-only
/*
 * Implements the functions that the module exports to other kernel modules.
 *
 * ../kcuckoo.h describes how to use these functions; ../xt_kcuckoo.c is a module that
 * uses them.
 */
#include <linux/err.h>
#include <linux/export.h>
#include <linux/in6.h>
#include <linux/jiffies.h>
#include <linux/ratelimit.h>
#include <linux/spinlock.h>
#include <linux/string.h>

#include "kcuckoo.h"
#include "net/slot.h"

/**
 * kcuckoo_get() - get the slot of a name
 * @net: a network namespace, which is allowed to be ending, but must not have ended
 * @name: a name, terminated by a zero byte; if no filter has the name, the slot waits
 *	for a filter, and until then all look-ups in the slot find nothing
 *
 * Context: process context, may sleep.
 * Return: the slot, which the caller releases with kcuckoo_put(); or ERR_PTR(-EINVAL)
 * for an invalid name, ERR_PTR(-EDQUOT) if the name is new and the namespace already
 * has max_filters names, ERR_PTR(-ENOMEM), or ERR_PTR(-ENODEV) if the namespace is
 * ending.
 */
struct kcuckoo_slot *kcuckoo_get(struct net *net, const char *name)
{
	struct kcuckoo_net *object = kcuckoo_net_of(net);
	u8 padded[KCUCKOO_NAME_SIZE] = {};
	struct kcuckoo_slot *slot;

	if (strscpy(padded, name, sizeof(padded)) < 0 ||
	    !kcuckoo_name_valid(padded))
		return ERR_PTR(-EINVAL);
	mutex_lock(&object->lock);
	if (kcuckoo_net_dead(object))
		slot = ERR_PTR(-ENODEV);
	else
		slot = kcuckoo_slot_get_counted(object, padded);
	mutex_unlock(&object->lock);
	return slot;
}
EXPORT_SYMBOL_GPL(kcuckoo_get);

/**
 * kcuckoo_put() - release a slot
 * @slot: the slot; its network namespace may have ended
 *
 * Context: process context, may sleep. The caller ensures that none of its look-ups,
 * adds or deletes on @slot is running or will run.
 */
void kcuckoo_put(struct kcuckoo_slot *slot)
{
	struct kcuckoo_net *object = kcuckoo_net_get(slot->net);

	mutex_lock(&object->lock);
	kcuckoo_slot_put(slot);
	mutex_unlock(&object->lock);
	kcuckoo_net_put(object);
}
EXPORT_SYMBOL_GPL(kcuckoo_put);

/**
 * kcuckoo_contains_ipv4() - check whether a filter contains an IPv4 address
 * @slot: the slot
 * @address: the address
 *
 * Context: inside rcu_read_lock(); any context but hard interrupts.
 * Return: true if the address, or a prefix that covers it, is a member; in a filter of
 * fingerprints, also true for some addresses that no member covers. False for all other
 * addresses, and if the name has no filter of addresses.
 */
bool kcuckoo_contains_ipv4(const struct kcuckoo_slot *slot, __be32 address)
{
	const struct kcuckoo_query query = {
		.family = KCUCKOO_FAMILY_IPV4,
		.address = kcuckoo_number_ipv4(address),
	};

	return kcuckoo_slot_contains(slot, &query);
}
EXPORT_SYMBOL_GPL(kcuckoo_contains_ipv4);

/**
 * kcuckoo_contains_ipv6() - check whether a filter contains an IPv6 address
 * @slot: the slot
 * @address: the address
 *
 * Context: inside rcu_read_lock(); any context but hard interrupts.
 * Return: the same as kcuckoo_contains_ipv4().
 */
bool kcuckoo_contains_ipv6(const struct kcuckoo_slot *slot,
			   const struct in6_addr *address)
{
	const struct kcuckoo_query query = {
		.family = KCUCKOO_FAMILY_IPV6,
		.address = kcuckoo_number_ipv6(address),
	};

	return kcuckoo_slot_contains(slot, &query);
}
EXPORT_SYMBOL_GPL(kcuckoo_contains_ipv6);

/**
 * kcuckoo_contains_bytes() - check whether a filter contains a byte string
 * @slot: the slot
 * @bytes: the byte string; may be NULL if @length is 0
 * @length: length of the byte string, in bytes
 *
 * Context: inside rcu_read_lock(); any context but hard interrupts.
 * Return: true if the byte string is a member, or has the same fingerprint as a member;
 * false for other byte strings, and if the name has no filter of byte strings.
 */
bool kcuckoo_contains_bytes(const struct kcuckoo_slot *slot, const void *bytes,
			    u32 length)
{
	const struct kcuckoo_query query = {
		.bytes = bytes,
		.length = length,
	};

	return kcuckoo_slot_contains(slot, &query);
}
EXPORT_SYMBOL_GPL(kcuckoo_contains_bytes);

/**
 * kcuckoo_lookup_ipv4() - look up an IPv4 address, and detect a missing filter
 * @slot: the slot
 * @address: the address
 *
 * Context: inside rcu_read_lock(); any context but hard interrupts.
 * Return: 1 if kcuckoo_contains_ipv4() returns true; 0 if the filter does not contain the
 * address; -ENOENT if the name has no filter of addresses.
 */
int kcuckoo_lookup_ipv4(const struct kcuckoo_slot *slot, __be32 address)
{
	const struct kcuckoo_query query = {
		.family = KCUCKOO_FAMILY_IPV4,
		.address = kcuckoo_number_ipv4(address),
	};

	return kcuckoo_slot_lookup(slot, &query);
}
EXPORT_SYMBOL_GPL(kcuckoo_lookup_ipv4);

/**
 * kcuckoo_lookup_ipv6() - look up an IPv6 address, and detect a missing filter
 * @slot: the slot
 * @address: the address
 *
 * Context: inside rcu_read_lock(); any context but hard interrupts.
 * Return: the same as kcuckoo_lookup_ipv4().
 */
int kcuckoo_lookup_ipv6(const struct kcuckoo_slot *slot,
			const struct in6_addr *address)
{
	const struct kcuckoo_query query = {
		.family = KCUCKOO_FAMILY_IPV6,
		.address = kcuckoo_number_ipv6(address),
	};

	return kcuckoo_slot_lookup(slot, &query);
}
EXPORT_SYMBOL_GPL(kcuckoo_lookup_ipv6);

static u32 kcuckoo_api_timeout(const struct kcuckoo_filter *filter, u32 timeout)
{
	return timeout == KCUCKOO_TIMEOUT_OF_FILTER ? filter->config.timeout :
						      timeout;
}

/**
 * kcuckoo_check_add() - check whether packets can add addresses to the filter of a name
 * @slot: the slot
 * @timeout: the same as for kcuckoo_add_ipv4()
 *
 * The name can get another filter later, so an add can return an error although this
 * function returned 0.
 *
 * Context: any.
 * Return: 0 if packets can add addresses; -ENOENT if the name has no filter; -EOPNOTSUPP
 * if the filter is not exact, not of addresses, or does not use siphash; -EINVAL if
 * @timeout is not 0 and members of the filter cannot have timeouts.
 */
int kcuckoo_check_add(const struct kcuckoo_slot *slot, u32 timeout)
{
	const struct kcuckoo_filter *filter;
	int err = -ENOENT;

	rcu_read_lock();
	filter = rcu_dereference(slot->filter);
	if (filter)
		err = kcuckoo_filter_check_packets(filter,
						   kcuckoo_api_timeout(filter,
								       timeout));
	rcu_read_unlock();
	return err;
}
EXPORT_SYMBOL_GPL(kcuckoo_check_add);

/**
 * kcuckoo_limit_init() - initialize a limit on the rate at which packets add addresses
 * @limit: the limit, in memory of the caller
 * @changes: maximum number of adds per second that change a filter
 *
 * Context: any. The caller calls the function before the first add with @limit.
 */
void kcuckoo_limit_init(struct kcuckoo_limit *limit, unsigned int changes)
{
	ratelimit_state_init(&limit->rate, HZ, changes);
	/* Without this flag __ratelimit() logs the number of refused changes. */
	ratelimit_set_flags(&limit->rate, RATELIMIT_MSG_ON_RELEASE);
	limit->refused = jiffies - 1;
}
EXPORT_SYMBOL_GPL(kcuckoo_limit_init);

/**
 * kcuckoo_writer_begin() - declare that packets will change the filter of a name
 * @slot: the slot
 *
 * From then on, KCUCKOO_IOC_INFO sets the flag KCUCKOO_INFO_PACKETS if the name has an exact
 * filter. Programs that see this flag can avoid replacing the filter: another filter can
 * lack the addresses that packets have added.
 *
 * Context: process context, may sleep.
 */
void kcuckoo_writer_begin(struct kcuckoo_slot *slot)
{
	mutex_lock(&slot->net->lock);
	slot->writers++;
	mutex_unlock(&slot->net->lock);
}
EXPORT_SYMBOL_GPL(kcuckoo_writer_begin);

/**
 * kcuckoo_writer_end() - undo a kcuckoo_writer_begin()
 * @slot: the slot, which the caller has not yet released with kcuckoo_put()
 *
 * Context: process context, may sleep.
 */
void kcuckoo_writer_end(struct kcuckoo_slot *slot)
{
	mutex_lock(&slot->net->lock);
	slot->writers--;
	mutex_unlock(&slot->net->lock);
}
EXPORT_SYMBOL_GPL(kcuckoo_writer_end);

static int kcuckoo_api_try_add(const struct kcuckoo_slot *slot,
			       const struct kcuckoo_query *query, u32 timeout,
			       struct kcuckoo_limit *limit)
{
	struct kcuckoo_filter *filter = rcu_dereference(slot->filter);

	if (!filter)
		return -ENOENT;
	return kcuckoo_packet_add(filter, query,
				  kcuckoo_api_timeout(filter, timeout), limit);
}

/*
 * The first try returns -ESTALE if the filter was superseded. The second try holds
 * binding_lock, so it uses the present filter of the name, which cannot be superseded while
 * this lock is held. A third try is never needed.
 */
static int kcuckoo_api_add(struct kcuckoo_slot *slot,
			   const struct kcuckoo_query *query, u32 timeout,
			   struct kcuckoo_limit *limit)
{
	int ret = kcuckoo_api_try_add(slot, query, timeout, limit);

	if (ret == -ESTALE) {
		spin_lock_bh(&slot->net->binding_lock);
		ret = kcuckoo_api_try_add(slot, query, timeout, limit);
		spin_unlock_bh(&slot->net->binding_lock);
	}
	return kcuckoo_slot_count(slot, ret, &slot->packet_stats->added);
}

/**
 * kcuckoo_add_ipv4() - add an IPv4 address for a packet
 * @slot: the slot
 * @address: the address
 * @timeout: seconds until the address expires, up to KCUCKOO_TIMEOUT_MAX; 0 for never;
 *	or KCUCKOO_TIMEOUT_OF_FILTER for the default timeout of the filter. If the
 *	address is a member already, the add can make it expire later, but never earlier
 * @limit: limit on the rate of changes, or NULL for no limit. An add does not count
 *	towards the limit if it changes nothing, because the address is a member and
 *	need not expire later
 *
 * An add searches for a free entry at most once, and gives up a long search. After an add
 * has found no free entry, further adds can fail without a search (kcuckoo_packet_add()).
 * An add allocates no memory, so it can use only entries that a program has reserved for
 * full addresses of the family (KCUCKOO_IOC_RESERVE). An add that fails is counted in the
 * statistics of the name.
 *
 * Context: inside rcu_read_lock(); any context but hard interrupts.
 * Return: 1 if the address was added; 0 if it was a member already; -ENOSPC if no entry is
 * reserved, no free entry is found, or the capacity of the filter is reached; -EBUSY if
 * @limit refuses the change; or an errno of kcuckoo_check_add().
 */
int kcuckoo_add_ipv4(struct kcuckoo_slot *slot, __be32 address, u32 timeout,
		     struct kcuckoo_limit *limit)
{
	const struct kcuckoo_query query = {
		.family = KCUCKOO_FAMILY_IPV4,
		.address = kcuckoo_number_ipv4(address),
	};

	return kcuckoo_api_add(slot, &query, timeout, limit);
}
EXPORT_SYMBOL_GPL(kcuckoo_add_ipv4);

/**
 * kcuckoo_add_ipv6() - add an IPv6 address for a packet
 * @slot: the slot
 * @address: the address
 * @timeout: the same as for kcuckoo_add_ipv4()
 * @limit: the same as for kcuckoo_add_ipv4()
 *
 * Context: inside rcu_read_lock(); any context but hard interrupts.
 * Return: the same as kcuckoo_add_ipv4().
 */
int kcuckoo_add_ipv6(struct kcuckoo_slot *slot, const struct in6_addr *address,
		     u32 timeout, struct kcuckoo_limit *limit)
{
	const struct kcuckoo_query query = {
		.family = KCUCKOO_FAMILY_IPV6,
		.address = kcuckoo_number_ipv6(address),
	};

	return kcuckoo_api_add(slot, &query, timeout, limit);
}
EXPORT_SYMBOL_GPL(kcuckoo_add_ipv6);

static int kcuckoo_api_try_del(const struct kcuckoo_slot *slot,
			       const struct kcuckoo_query *query)
{
	struct kcuckoo_filter *filter = rcu_dereference(slot->filter);

	return filter ? kcuckoo_packet_del(filter, query) : -ENOENT;
}

static int kcuckoo_api_del(struct kcuckoo_slot *slot,
			   const struct kcuckoo_query *query)
{
	int ret = kcuckoo_api_try_del(slot, query);

	if (ret == -ESTALE) {
		spin_lock_bh(&slot->net->binding_lock);
		ret = kcuckoo_api_try_del(slot, query);
		spin_unlock_bh(&slot->net->binding_lock);
	}
	return kcuckoo_slot_count(slot, ret, &slot->packet_stats->deleted);
}

/**
 * kcuckoo_del_ipv4() - delete an IPv4 address for a packet
 * @slot: the slot
 * @address: the address; prefixes that cover it stay
 *
 * Context: inside rcu_read_lock(); any context but hard interrupts.
 * Return: 1 if the address was a member and is deleted; 0 if the address was not a
 * member; -ENOENT if the name has no filter; -EOPNOTSUPP if the filter is not exact or
 * not of addresses.
 */
int kcuckoo_del_ipv4(struct kcuckoo_slot *slot, __be32 address)
{
	const struct kcuckoo_query query = {
		.family = KCUCKOO_FAMILY_IPV4,
		.address = kcuckoo_number_ipv4(address),
	};

	return kcuckoo_api_del(slot, &query);
}
EXPORT_SYMBOL_GPL(kcuckoo_del_ipv4);

/**
 * kcuckoo_del_ipv6() - delete an IPv6 address for a packet
 * @slot: the slot
 * @address: the address; prefixes that cover it stay
 *
 * Context: inside rcu_read_lock(); any context but hard interrupts.
 * Return: the same as kcuckoo_del_ipv4().
 */
int kcuckoo_del_ipv6(struct kcuckoo_slot *slot, const struct in6_addr *address)
{
	const struct kcuckoo_query query = {
		.family = KCUCKOO_FAMILY_IPV6,
		.address = kcuckoo_number_ipv6(address),
	};

	return kcuckoo_api_del(slot, &query);
}
EXPORT_SYMBOL_GPL(kcuckoo_del_ipv6);
