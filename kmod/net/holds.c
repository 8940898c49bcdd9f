// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names that programs use: numbers to find them by, and who holds them.
 *
 * A BPF program has no place to keep a slot in, nor a way to give it back. So it
 * gets the slot's number, and its loader has the namespace hold the slot: until
 * the loader releases it, or on behalf of a network device, until that is gone.
 */
#include <linux/err.h>
#include <linux/hashtable.h>
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>
#include <linux/xarray.h>

#include "net/registry.h"

/**
 * struct kcuckoo_hold - a user of a name that is not in the kernel
 * @node: in kcuckoo_net.holds, under its lock
 * @slot: the name's slot
 * @ifindex: the device that the hold ends with, 0 for none
 * @count: how many users it stands for; one where it has a device
 */
struct kcuckoo_hold {
	struct hlist_node node;
	struct kcuckoo_slot *slot;
	u32 ifindex;
	u32 count;
};

/*
 * Slots of all namespaces by number. A program whose device is moved must not
 * find another filter by chance, so no two namespaces use the same number; and
 * whoever uses up numbers, which anybody can in a namespace of one's own, only
 * makes them begin anew, past those in use. The array's own memory is charged to
 * whoever has it grow.
 */
static struct xarray kcuckoo_ids = XARRAY_INIT(kcuckoo_ids,
					       XA_FLAGS_ALLOC1 |
					       XA_FLAGS_ACCOUNT);

/* Where the search for a free number begins; under the lock of kcuckoo_ids. */
static u32 kcuckoo_next_id;

/**
 * kcuckoo_slot_by_id() - find a slot by its number
 * @net: the namespace's object
 * @id: the number
 *
 * Context: inside rcu_read_lock(); any context.
 * Return: the slot; NULL where no slot of the namespace has this number.
 */
const struct kcuckoo_slot *kcuckoo_slot_by_id(struct kcuckoo_net *net, u32 id)
{
	const struct kcuckoo_slot *slot = xa_load(&kcuckoo_ids, id);

	return slot && slot->net == net ? slot : NULL;
}

/* Gives a slot its number, if it has none. */
static int kcuckoo_slot_number(struct kcuckoo_slot *slot)
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
 * kcuckoo_slot_forget() - take its number from a slot that nobody has any more
 * @slot: the slot
 *
 * Context: under the lock of its namespace; a grace period before it is freed.
 */
void kcuckoo_slot_forget(const struct kcuckoo_slot *slot)
{
	if (slot->id)
		xa_erase(&kcuckoo_ids, slot->id);
}

static struct kcuckoo_hold *kcuckoo_hold_find(struct kcuckoo_net *net,
					      const u8 *name, u32 ifindex)
{
	struct kcuckoo_hold *hold;

	hash_for_each_possible(net->holds, hold, node, ifindex)
		if (hold->ifindex == ifindex &&
		    !memcmp(hold->slot->name, name, KCUCKOO_NAME_SIZE))
			return hold;
	return NULL;
}

/* Takes a hold away, whatever it stands for. */
static void kcuckoo_hold_end(struct kcuckoo_hold *hold)
{
	hash_del(&hold->node);
	hold->slot->net->rules--;
	kcuckoo_slot_drop(hold->slot);
	kfree(hold);
}

/* Holds a name and numbers it; all or nothing. */
static struct kcuckoo_hold *kcuckoo_hold_begin(struct kcuckoo_net *net,
					       const u8 *name, u32 ifindex)
{
	struct kcuckoo_hold *hold;
	int err;

	if (net->rules >= KCUCKOO_RULES_MAX)
		return ERR_PTR(-EDQUOT);
	hold = kzalloc(sizeof(*hold), GFP_KERNEL_ACCOUNT);
	if (!hold)
		return ERR_PTR(-ENOMEM);
	hold->slot = kcuckoo_slot_hold(net, name);
	if (IS_ERR(hold->slot)) {
		err = PTR_ERR(hold->slot);
		kfree(hold);
		return ERR_PTR(err);
	}
	hold->ifindex = ifindex;
	hash_add(net->holds, &hold->node, ifindex);
	net->rules++;
	err = kcuckoo_slot_number(hold->slot);
	if (!err)
		return hold;
	kcuckoo_hold_end(hold);
	return ERR_PTR(err);
}

/* kcuckoo_holds_add() under the lock. */
static int kcuckoo_holds_add_locked(struct kcuckoo_net *net, const u8 *name,
				    u32 ifindex, u32 *id)
{
	struct kcuckoo_hold *hold;

	if (kcuckoo_net_dead(net))
		return -ENODEV;
	if (ifindex && !__dev_get_by_index(net->net, ifindex))
		return -ENXIO;
	hold = kcuckoo_hold_find(net, name, ifindex);
	if (hold && ifindex)
		return -EEXIST;
	if (!hold)
		hold = kcuckoo_hold_begin(net, name, ifindex);
	if (IS_ERR(hold))
		return PTR_ERR(hold);
	if (hold->count == U32_MAX)
		return -EDQUOT;
	hold->count++;
	*id = hold->slot->id;
	return 0;
}

/**
 * kcuckoo_holds_add() - hold a name on behalf of a program
 * @net: the namespace's object
 * @name: the name, zero-padded; it need not have a filter
 * @ifindex: the device that the hold ends with, or 0
 * @id: out: number of the name's slot
 *
 * Context: process context, may sleep.
 * Return: 0, -EEXIST where the device holds the name already, -ENXIO where there
 * is no such device, -EDQUOT, -ENOMEM or -ENODEV.
 */
int kcuckoo_holds_add(struct kcuckoo_net *net, const u8 *name, u32 ifindex,
		      u32 *id)
{
	int err;

	/* A device cannot go between the look for it and the hold. */
	if (ifindex)
		rtnl_lock();
	mutex_lock(&net->lock);
	err = kcuckoo_holds_add_locked(net, name, ifindex, id);
	mutex_unlock(&net->lock);
	if (ifindex)
		rtnl_unlock();
	return err;
}

/**
 * kcuckoo_holds_del() - end a hold
 * @net: the namespace's object
 * @name: the name, zero-padded
 * @ifindex: as it was added
 *
 * Context: process context, may sleep.
 * Return: 0, or -ENOENT where there is no such hold.
 */
int kcuckoo_holds_del(struct kcuckoo_net *net, const u8 *name, u32 ifindex)
{
	struct kcuckoo_hold *hold;

	mutex_lock(&net->lock);
	hold = kcuckoo_hold_find(net, name, ifindex);
	if (hold && !--hold->count)
		kcuckoo_hold_end(hold);
	mutex_unlock(&net->lock);
	return hold ? 0 : -ENOENT;
}

/**
 * kcuckoo_holds_number() - the number of a name's slot
 * @net: the namespace's object
 * @name: the name, zero-padded
 * @id: out: its number
 *
 * Context: process context, may sleep.
 * Return: 0, -ENOENT where there is no such name, -EDQUOT or -ENOMEM.
 */
int kcuckoo_holds_number(struct kcuckoo_net *net, const u8 *name, u32 *id)
{
	struct kcuckoo_slot *slot;
	int err = -ENOENT;

	mutex_lock(&net->lock);
	slot = kcuckoo_slot_find(net, name);
	if (slot)
		err = kcuckoo_slot_number(slot);
	if (!err)
		*id = slot->id;
	mutex_unlock(&net->lock);
	return err;
}

/* Ends the holds of a device. */
static void kcuckoo_holds_end(struct kcuckoo_net *net, u32 ifindex)
{
	struct kcuckoo_hold *hold;
	struct hlist_node *next;

	hash_for_each_possible_safe(net->holds, hold, next, node, ifindex)
		if (hold->ifindex == ifindex)
			kcuckoo_hold_end(hold);
}

/**
 * kcuckoo_holds_free() - end all holds
 * @net: the object of a namespace that is going
 *
 * Context: under @net's lock.
 */
void kcuckoo_holds_free(struct kcuckoo_net *net)
{
	struct kcuckoo_hold *hold;
	struct hlist_node *next;
	unsigned int bucket;

	lockdep_assert_held(&net->lock);
	hash_for_each_safe(net->holds, bucket, next, hold, node)
		kcuckoo_hold_end(hold);
}

/* A device that leaves its namespace leaves what it held there. */
static int kcuckoo_holds_device(struct notifier_block *block,
				unsigned long event, void *info)
{
	const struct net_device *device = netdev_notifier_info_to_dev(info);
	struct kcuckoo_net *net = kcuckoo_net_of(dev_net(device));
	const struct net_device *heir;

	if (event != NETDEV_UNREGISTER)
		return NOTIFY_DONE;
	/*
	 * One that has gone is told of every second as long as somebody uses it. By
	 * then another one may have its number, and what is held under that.
	 */
	heir = __dev_get_by_index(dev_net(device), device->ifindex);
	if (heir && heir != device)
		return NOTIFY_DONE;
	mutex_lock(&net->lock);
	kcuckoo_holds_end(net, device->ifindex);
	mutex_unlock(&net->lock);
	return NOTIFY_DONE;
}

static struct notifier_block kcuckoo_holds_notifier = {
	.notifier_call = kcuckoo_holds_device,
};

/**
 * kcuckoo_holds_init() - begin to watch devices
 *
 * Return: 0 or a negative errno.
 */
int kcuckoo_holds_init(void)
{
	return register_netdevice_notifier(&kcuckoo_holds_notifier);
}

/**
 * kcuckoo_holds_exit() - end the holds of all devices, and watch them no more
 */
void kcuckoo_holds_exit(void)
{
	unregister_netdevice_notifier(&kcuckoo_holds_notifier);
}
