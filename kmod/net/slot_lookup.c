// SPDX-License-Identifier: GPL-2.0-only
/*
 * Looks up a key in the filter that a slot has.
 */
#include <linux/spinlock.h>

#include "net/slot.h"

/* The family of a query for a byte string is 0. */
static bool kcuckoo_slot_type_fits(const struct kcuckoo_filter *filter,
				   const struct kcuckoo_query *query)
{
	return filter && (filter->config.type == KCUCKOO_TYPE_BYTES) ==
			 !query->family;
}

static int kcuckoo_slot_lookup_in(struct kcuckoo_filter *filter,
				  const struct kcuckoo_query *query)
{
	if (filter && kcuckoo_filter_contains(filter, query))
		return 1;
	return kcuckoo_slot_type_fits(filter, query) ? 0 : -ENOENT;
}

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
 * Repeats the look-up if a name of the namespace loses or changes its filter at the same
 * time. Without the repetition, the look-up could miss a key that both the old and the new
 * filter of the name have: after the change, a program can delete the key from the old
 * filter. After KCUCKOO_READ_TRIES tries the look-up takes binding_lock, so that it ends
 * even if names change their filters all the time.
 *
 * Context: inside rcu_read_lock(); any context but hard interrupts.
 * Return: 1 if the filter contains the key; 0 if the filter does not contain the key;
 * -ENOENT if the name has no filter, or if the key and the filter have different types
 * (addresses or byte strings).
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
