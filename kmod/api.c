// SPDX-License-Identifier: GPL-2.0-only
/*
 * What other kernel modules may call; kcuckoo.h is the manual.
 */
#include <linux/err.h>
#include <linux/export.h>
#include <linux/in6.h>
#include <linux/string.h>

#include "kcuckoo.h"
#include "registry.h"

/**
 * kcuckoo_get() - hold a name
 * @net: a live network namespace
 * @name: name of a filter; if there is none it waits for one, and contains
 *	nothing until then
 *
 * Context: process context, may sleep.
 * Return: the slot, to be given back with kcuckoo_put(), or ERR_PTR(-EINVAL)
 * for what is no name, ERR_PTR(-EDQUOT) where the namespace has as many names
 * as it may have, ERR_PTR(-ENOMEM), or ERR_PTR(-ENODEV) where it is going.
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
		slot = kcuckoo_slot_hold(object, padded);
	mutex_unlock(&object->lock);
	return slot;
}
EXPORT_SYMBOL_GPL(kcuckoo_get);

/**
 * kcuckoo_put() - give a name back
 * @slot: the slot; legal after its network namespace has ended, too
 *
 * Context: process context, may sleep; no look-up of the caller is under way.
 */
void kcuckoo_put(struct kcuckoo_slot *slot)
{
	struct kcuckoo_net *object = kcuckoo_net_get(slot->net);

	mutex_lock(&object->lock);
	kcuckoo_slot_drop(slot);
	mutex_unlock(&object->lock);
	kcuckoo_net_put(object);
}
EXPORT_SYMBOL_GPL(kcuckoo_put);

/**
 * kcuckoo_contains_ipv4() - is an IPv4 address in the filter?
 * @slot: the slot
 * @address: the address
 *
 * Context: inside rcu_read_lock(); any context but hard interrupts.
 * Return: true if a member is the address or a prefix of it.
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
 * kcuckoo_contains_ipv6() - is an IPv6 address in the filter?
 * @slot: the slot
 * @address: the address
 *
 * Context: inside rcu_read_lock(); any context but hard interrupts.
 * Return: true if a member is the address or a prefix of it.
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
 * kcuckoo_contains_bytes() - is a byte string in the filter?
 * @slot: the slot
 * @bytes: the byte string; may be NULL where @length is 0
 * @length: its length, in bytes
 *
 * Context: inside rcu_read_lock(); any context but hard interrupts.
 * Return: true if it is a member, or shares its fingerprint with one.
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
