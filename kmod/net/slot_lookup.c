// SPDX-License-Identifier: GPL-2.0-only
/*
 * Look-ups by name: the filter of a slot can change while they run.
 */
#include <linux/spinlock.h>

#include "net/slot.h"

/* Returns true if there is a filter, and its type is the type of the query. */
static bool kcuckoo_slot_type_fits(const struct kcuckoo_filter *filter,
				   const struct kcuckoo_query *query)
{
	return filter && (filter->config.type == KCUCKOO_TYPE_BYTES) ==
			 !query->family;
}

/* Looks up in one filter; returns as kcuckoo_slot_lookup(). */
static int kcuckoo_slot_lookup_in(struct kcuckoo_filter *filter,
				  const struct kcuckoo_query *query)
{
	if (filter && kcuckoo_filter_contains(filter, query))
		return 1;
	return kcuckoo_slot_type_fits(filter, query) ? 0 : -ENOENT;
}

/* Looks up under binding_lock, so that no name changes its filter at the same time. */
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
 * kcuckoo_slot_lookup() - look up a key in the filter of a name
 * @slot: the slot
 * @query: the key
 *
 * Repeats the look-up if names change their filters at the same time: a member of both
 * filters is not missed, and a member that was added to the filter of another name is
 * not found. After KCUCKOO_READ_TRIES tries it takes the lock, so endless changes cannot
 * delay it.
 *
 * Context: inside rcu_read_lock(); any context but hard interrupts.
 * Return: 1 if the filter contains the key, 0 if not, -ENOENT without a filter or with
 * a filter of the other type.
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
