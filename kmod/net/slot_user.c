// SPDX-License-Identifier: GPL-2.0-only
/*
 * Programs and devices that use names.
 *
 * A BPF program has no place to keep a slot in, nor a way to give it back. So it
 * gets the slot's number, and its loader makes the namespace a user of the slot: until
 * the loader releases it, or on behalf of a network device, until that is gone.
 */
#include <linux/err.h>
#include <linux/hashtable.h>
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>

#include "net/slot.h"

/**
 * struct kcuckoo_slot_user - a user of a name that is not in the kernel
 * @node: in kcuckoo_net.slot_users, under its lock
 * @slot: the name's slot
 * @ifindex: the device that the user goes with, 0 for none
 * @count: how many users it stands for; one where it has a device
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

/* Removes a user, however many it stands for. */
static void kcuckoo_slot_user_free(struct kcuckoo_slot_user *user)
{
	hash_del(&user->node);
	user->slot->net->rules--;
	kcuckoo_slot_put(user->slot);
	kfree(user);
}

/* Adds a user of a name, and gives the name a number; all or nothing. */
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

/* kcuckoo_slot_users_add() under the lock. */
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
 * kcuckoo_slot_users_add() - add a user of a name on behalf of a program
 * @net: the namespace's object
 * @name: the name, zero-padded; it need not have a filter
 * @ifindex: the device that the user goes with, or 0
 * @id: out: number of the name's slot
 *
 * Context: process context, may sleep.
 * Return: 0, -EEXIST where the device uses the name already, -ENXIO where there
 * is no such device, -EDQUOT, -ENOMEM or -ENODEV.
 */
int kcuckoo_slot_users_add(struct kcuckoo_net *net, const u8 *name, u32 ifindex,
			   u32 *id)
{
	int err;

	/* A device cannot go after it was found and before it is a user. */
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
 * kcuckoo_slot_users_del() - remove a user
 * @net: the namespace's object
 * @name: the name, zero-padded
 * @ifindex: as it was added
 *
 * Context: process context, may sleep.
 * Return: 0, or -ENOENT where there is no such user.
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
 * kcuckoo_slot_users_get_id() - the number of a name's slot
 * @net: the namespace's object
 * @name: the name, zero-padded
 * @id: out: its number
 *
 * Context: process context, may sleep.
 * Return: 0, -ENOENT where there is no such name, -EDQUOT or -ENOMEM.
 */
int kcuckoo_slot_users_get_id(struct kcuckoo_net *net, const u8 *name, u32 *id)
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

/* Removes the users that go with a device. */
static void kcuckoo_slot_users_end(struct kcuckoo_net *net, u32 ifindex)
{
	struct kcuckoo_slot_user *user;
	struct hlist_node *next;

	hash_for_each_possible_safe(net->slot_users, user, next, node, ifindex)
		if (user->ifindex == ifindex)
			kcuckoo_slot_user_free(user);
}

/**
 * kcuckoo_slot_users_free() - remove all users
 * @net: the object of a namespace that is going
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
 * kcuckoo_slot_users_device_gone() - remove the users that go with a device
 * @net: the object of that namespace, which may be going, too
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
	 * The kernel reports a device that has gone once a second as long as somebody
	 * uses it. By then another device may have its number, and users under that number.
	 */
	other = __dev_get_by_index(dev_net(dev), dev->ifindex);
	if (other && other != dev)
		return;
	mutex_lock(&net->lock);
	kcuckoo_slot_users_end(net, dev->ifindex);
	mutex_unlock(&net->lock);
}
