// SPDX-License-Identifier: GPL-2.0-only
/*
 * Look-ups by name: the filter of a slot can change while they run.
 */
#include <linux/spinlock.h>

#include "net/slot.h"

/* Is a filter of the type that has what is asked for? */
static bool kcuckoo_slot_type_fits(const struct kcuckoo_filter *filter,
				   const struct kcuckoo_query *query)
{
	return filter && (filter->config.type == KCUCKOO_TYPE_BYTES) ==
			 !query->family;
}

/* What kcuckoo_slot_lookup() returns, were the slot's filter this one. */
static int kcuckoo_slot_lookup_in(struct kcuckoo_filter *filter,
				  const struct kcuckoo_query *query)
{
	if (filter && kcuckoo_filter_contains(filter, query))
		return 1;
	return kcuckoo_slot_type_fits(filter, query) ? 0 : -ENOENT;
}

/* No name gets another filter before it has looked. */
static int kcuckoo_slot_lookup_locked(const struct kcuckoo_slot *slot,
				      const struct kcuckoo_query *query)
{
	int ret;

	spin_lock_bh(&slot->net->binding_lock);
	ret = kcuckoo_slot_lookup_in(rcu_dereference(slot->filter), query);
	spin_unlock_bh(&slot->net->binding_lock);
	return ret;
}

/**
 * kcuckoo_slot_lookup() - is something in the filter behind a name?
 * @slot: the slot
 * @query: what is asked for
 *
 * If names change their filters at the same time, it looks again: a member of both
 * filters is not missed, and a member that was added to a filter of another name is
 * not found. After some tries it takes the lock, so endless changes cannot delay it.
 *
 * Context: inside rcu_read_lock(); any context but hard interrupts.
 * Return: 1 if it is, 0 if it is not, -ENOENT where there is no filter, or one
 * of another type.
 */
int kcuckoo_slot_lookup(const struct kcuckoo_slot *slot,
			const struct kcuckoo_query *query)
{
	struct kcuckoo_filter *filter;
	unsigned int tries;
	u64 binding_seq;
	int ret;

	for (tries = 0; tries < KCUCKOO_READ_TRIES; tries++) {
		binding_seq = kcuckoo_net_binding_seq(slot->net);
		filter = rcu_dereference(slot->filter);
		ret = kcuckoo_slot_lookup_in(filter, query);
		if (kcuckoo_slot_binding_unchanged(slot, filter, binding_seq))
			return ret;
	}
	return kcuckoo_slot_lookup_locked(slot, query);
}
