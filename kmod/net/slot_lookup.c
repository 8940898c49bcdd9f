// SPDX-License-Identifier: GPL-2.0-only
/*
 * Looks up a key in the filter that a slot has.
 *
 * verdict.c, api.c and ../bpf.c call kcuckoo_slot_lookup() inside rcu_read_lock(). The
 * name can get another filter while a look-up runs. After the look-up, two comparisons
 * detect this: of the filter of the slot, and of binding_seq of the namespace (netns.h).
 * kcuckoo_slot_lookup() then repeats the look-up.
 */
#include <linux/spinlock.h>

#include "net/slot.h"

/*
 * Checks that @filter is not NULL, and has the type of the query: addresses or byte
 * strings.
 */
static bool kcuckoo_slot_type_fits(const struct kcuckoo_filter *filter,
				   const struct kcuckoo_query *query)
{
	return filter && (filter->config.type == KCUCKOO_TYPE_BYTES) ==
			 !query->family;
}

/*
 * Looks up a key in @filter, which is NULL if the name has no filter. Returns the same as
 * kcuckoo_slot_lookup().
 */
static int kcuckoo_slot_lookup_in(struct kcuckoo_filter *filter,
				  const struct kcuckoo_query *query)
{
	if (filter && kcuckoo_filter_contains(filter, query))
		return 1;
	return kcuckoo_slot_type_fits(filter, query) ? 0 : -ENOENT;
}

/*
 * Looks up a key. Holds binding_lock, so no name loses or changes its filter during the
 * look-up. Returns the same as kcuckoo_slot_lookup().
 */
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
 * Repeats the look-up if a name of the namespace loses or changes its filter at the
 * same time, because after the change a program can remove members from the old filter,
 * or add members to it. So a key that is a member of both the old and the new filter at
 * the time of the change is found, and a key that was added to the old filter after the
 * change is not found.
 * After KCUCKOO_READ_TRIES tries the look-up takes binding_lock, so the look-up ends even
 * if names change their filters all the time.
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
