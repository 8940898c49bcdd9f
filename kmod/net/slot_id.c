// SPDX-License-Identifier: GPL-2.0-only
/*
 * Allocates the ids of slots, which are numbers by which BPF programs find the slot of a
 * name.
 *
 * The ids of all namespaces are in one xarray, which has a lock of its own. Readers hold
 * rcu_read_lock().
 */
#include <linux/xarray.h>

#include "net/slot.h"

/*
 * Slots of all namespaces by id. Slots of different namespaces have different ids, so a
 * program whose device moves to another namespace cannot find a filter of that namespace
 * by chance. Each allocation gets the next id, so a freed id is not used again soon.
 * After the last id, allocation starts again at 1.
 */
static struct xarray kcuckoo_ids = XARRAY_INIT(kcuckoo_ids,
					       XA_FLAGS_ALLOC1 |
					       XA_FLAGS_ACCOUNT);

/* The first id that the next allocation tries; under the lock of kcuckoo_ids. */
static u32 kcuckoo_next_id;

/**
 * kcuckoo_slot_by_id() - find a slot by its id
 * @net: the namespace's object
 * @id: the id
 *
 * Context: inside rcu_read_lock(); any context.
 * Return: the slot; NULL if no slot of the namespace has this id.
 */
const struct kcuckoo_slot *kcuckoo_slot_by_id(struct kcuckoo_net *net, u32 id)
{
	const struct kcuckoo_slot *slot = xa_load(&kcuckoo_ids, id);

	return slot && slot->net == net ? slot : NULL;
}

/**
 * kcuckoo_slot_alloc_id() - allocate an id for a slot, unless the slot has an id
 *	already
 * @slot: the slot
 *
 * Context: under the lock of its namespace; may sleep.
 * Return: 0, -EBUSY if all ids are in use, or -ENOMEM.
 */
int kcuckoo_slot_alloc_id(struct kcuckoo_slot *slot)
{
	u32 id;
	int err;

	if (slot->id)
		return 0;
	err = xa_alloc_cyclic(&kcuckoo_ids, &id, slot, xa_limit_32b,
			      &kcuckoo_next_id, GFP_KERNEL_ACCOUNT);
	if (err < 0)
		return err;
	slot->id = id;
	return 0;
}

/**
 * kcuckoo_slot_free_id() - free the id of a slot that is being removed, if it has an id
 * @slot: the slot
 *
 * Context: under the lock of its namespace, at least a grace period before the slot is
 * freed.
 */
void kcuckoo_slot_free_id(const struct kcuckoo_slot *slot)
{
	if (slot->id)
		xa_erase(&kcuckoo_ids, slot->id);
}
