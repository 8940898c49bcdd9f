// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names that programs use, and the loaders and devices that hold them.
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

/**
 * kcuckoo_holds_device_gone() - end the holds of a device that leaves its namespace
 * @net: the object of that namespace, which may be going, too
 * @dev: the device
 *
 * Context: under RTNL.
 */
void kcuckoo_holds_device_gone(struct kcuckoo_net *net,
			       const struct net_device *dev)
{
	const struct net_device *heir;

	ASSERT_RTNL();
	/*
	 * The kernel reports a device that has gone once a second as long as somebody
	 * uses it. By then another device may have its number, and holds under that.
	 */
	heir = __dev_get_by_index(dev_net(dev), dev->ifindex);
	if (heir && heir != dev)
		return;
	mutex_lock(&net->lock);
	kcuckoo_holds_end(net, dev->ifindex);
	mutex_unlock(&net->lock);
}
