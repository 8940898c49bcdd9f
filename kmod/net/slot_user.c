// SPDX-License-Identifier: GPL-2.0-only
/*
 * Adds and removes slot users, which are references of BPF programs to names, and gets the ids of
 * slots for BPF programs.
 *
 * A BPF program can neither keep a pointer to a slot nor release a slot, so it uses the
 * id of the slot. The loader of the program adds a slot user, which holds a reference to
 * the slot. A slot user that belongs to a network device is removed when the device is
 * unregistered or moves to another namespace. All slot users of a namespace are removed when
 * the namespace ends or the module is removed.
 */
#include <linux/err.h>
#include <linux/hashtable.h>
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>

#include "net/slot.h"

/**
 * struct kcuckoo_slot_user - a reference of BPF programs to a name
 * @node: node in kcuckoo_net.slot_users, under the namespace's lock
 * @slot: the slot of the name
 * @ifindex: index of the device to which the reference belongs, 0 for none
 * @count: number of adds minus number of removals, under the namespace's lock; always 1
 *	with a device
 */
struct kcuckoo_slot_user {
	struct hlist_node node;
	struct kcuckoo_slot *slot;
	u32 ifindex;
	u32 count;
};

static struct kcuckoo_slot_user *
kcuckoo_slot_user_find(struct kcuckoo_net *net, const u8 *name, u32 ifindex)
{
	struct kcuckoo_slot_user *user;

	hash_for_each_possible(net->slot_users, user, node, ifindex)
		if (user->ifindex == ifindex &&
		    !memcmp(user->slot->name, name, KCUCKOO_NAME_SIZE))
			return user;
	return NULL;
}

static void kcuckoo_slot_user_free(struct kcuckoo_slot_user *user)
{
	hash_del(&user->node);
	user->slot->net->rules--;
	kcuckoo_slot_put(user->slot);
	kfree(user);
}

static struct kcuckoo_slot_user *
kcuckoo_slot_user_create(struct kcuckoo_net *net, const u8 *name, u32 ifindex)
{
	struct kcuckoo_slot_user *user;
	int err;

	if (net->rules >= KCUCKOO_RULES_MAX)
		return ERR_PTR(-EDQUOT);
	user = kzalloc(sizeof(*user), GFP_KERNEL_ACCOUNT);
	if (!user)
		return ERR_PTR(-ENOMEM);
	user->slot = kcuckoo_slot_get(net, name);
	if (IS_ERR(user->slot)) {
		err = PTR_ERR(user->slot);
		kfree(user);
		return ERR_PTR(err);
	}
	user->ifindex = ifindex;
	hash_add(net->slot_users, &user->node, ifindex);
	net->rules++;
	err = kcuckoo_slot_alloc_id(user->slot);
	if (!err)
		return user;
	kcuckoo_slot_user_free(user);
	return ERR_PTR(err);
}

static int kcuckoo_slot_users_add_locked(struct kcuckoo_net *net, const u8 *name,
					 u32 ifindex, u32 *id)
{
	struct kcuckoo_slot_user *user;

	if (kcuckoo_net_dead(net))
		return -ENODEV;
	if (ifindex && !__dev_get_by_index(net->net, ifindex))
		return -ENXIO;
	user = kcuckoo_slot_user_find(net, name, ifindex);
	if (user && ifindex)
		return -EEXIST;
	if (!user)
		user = kcuckoo_slot_user_create(net, name, ifindex);
	if (IS_ERR(user))
		return PTR_ERR(user);
	if (user->count == U32_MAX)
		return -EDQUOT;
	user->count++;
	*id = user->slot->id;
	return 0;
}

/**
 * kcuckoo_slot_users_add() - add a slot user for a BPF program
 * @net: the namespace's object
 * @name: the name, zero-padded; the name need not have a filter
 * @ifindex: index of the device to which the slot user belongs, or 0 for none. With 0, a
 *	further call for the same name only increments @count of the slot user
 * @id: out: id of the slot
 *
 * Context: process context, may sleep.
 * Return: 0; -EEXIST if the device has a slot user for the name already; -ENXIO if the
 * device is missing; -EDQUOT if the name is new and the namespace already has max_filters
 * names, if the slot user is new and kcuckoo_net.rules is KCUCKOO_RULES_MAX, or if @count
 * of the slot user is U32_MAX; -EBUSY if all ids are in use; -ENOMEM; -ENODEV if the
 * namespace is ending or has ended.
 */
int kcuckoo_slot_users_add(struct kcuckoo_net *net, const u8 *name, u32 ifindex,
			   u32 *id)
{
	int err;

	/* RTNL keeps the device registered between its look-up and the add. */
	if (ifindex)
		rtnl_lock();
	mutex_lock(&net->lock);
	err = kcuckoo_slot_users_add_locked(net, name, ifindex, id);
	mutex_unlock(&net->lock);
	if (ifindex)
		rtnl_unlock();
	return err;
}

/**
 * kcuckoo_slot_users_del() - undo one kcuckoo_slot_users_add()
 * @net: the namespace's object
 * @name: the name, zero-padded
 * @ifindex: the index, or 0, that the caller passed to kcuckoo_slot_users_add()
 *
 * Context: process context, may sleep.
 * Return: 0, or -ENOENT if the slot user does not exist.
 */
int kcuckoo_slot_users_del(struct kcuckoo_net *net, const u8 *name, u32 ifindex)
{
	struct kcuckoo_slot_user *user;

	mutex_lock(&net->lock);
	user = kcuckoo_slot_user_find(net, name, ifindex);
	if (user && !--user->count)
		kcuckoo_slot_user_free(user);
	mutex_unlock(&net->lock);
	return user ? 0 : -ENOENT;
}

/**
 * kcuckoo_net_get_slot_id() - get the id of a name's slot; allocate the id if the
 *	slot has none
 * @net: the namespace's object
 * @name: the name, zero-padded
 * @id: out: the id
 *
 * Context: process context, may sleep.
 * Return: 0; -ENOENT if the name has neither a filter nor users; -EBUSY if all ids are in
 * use; or -ENOMEM.
 */
int kcuckoo_net_get_slot_id(struct kcuckoo_net *net, const u8 *name, u32 *id)
{
	struct kcuckoo_slot *slot;
	int err = -ENOENT;

	mutex_lock(&net->lock);
	slot = kcuckoo_slot_find(net, name);
	if (slot)
		err = kcuckoo_slot_alloc_id(slot);
	if (!err)
		*id = slot->id;
	mutex_unlock(&net->lock);
	return err;
}

static void kcuckoo_slot_users_free_dev(struct kcuckoo_net *net, u32 ifindex)
{
	struct kcuckoo_slot_user *user;
	struct hlist_node *next;

	hash_for_each_possible_safe(net->slot_users, user, next, node, ifindex)
		if (user->ifindex == ifindex)
			kcuckoo_slot_user_free(user);
}

/**
 * kcuckoo_slot_users_free() - remove all slot users of a namespace
 * @net: the object of a namespace that ends
 *
 * Context: under @net's lock.
 */
void kcuckoo_slot_users_free(struct kcuckoo_net *net)
{
	struct kcuckoo_slot_user *user;
	struct hlist_node *next;
	unsigned int bucket;

	lockdep_assert_held(&net->lock);
	hash_for_each_safe(net->slot_users, bucket, next, user, node)
		kcuckoo_slot_user_free(user);
}

/**
 * kcuckoo_slot_users_device_gone() - remove the slot users of a device
 * @net: the object of the device's namespace, which may be ending
 * @dev: the device
 *
 * Context: under RTNL.
 */
void kcuckoo_slot_users_device_gone(struct kcuckoo_net *net,
				    const struct net_device *dev)
{
	const struct net_device *other;

	ASSERT_RTNL();
	/*
	 * The kernel repeats NETDEV_UNREGISTER once a second while @dev has references.
	 * When a repeated event arrives, a new device can already have the same
	 * ifindex. The slot users of the new device must stay. @other is @dev when the
	 * module is removed: the kernel then sends the event for registered devices.
	 */
	other = __dev_get_by_index(dev_net(dev), dev->ifindex);
	if (other && other != dev)
		return;
	mutex_lock(&net->lock);
	kcuckoo_slot_users_free_dev(net, dev->ifindex);
	mutex_unlock(&net->lock);
}
