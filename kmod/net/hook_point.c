// SPDX-License-Identifier: GPL-2.0-only
/*
 * Creates, finds, renames and frees hook points, and registers their hook functions with
 * netfilter.
 *
 * A hook function is registered only while a rule needs this function. A caller that
 * creates a hook point for a device holds RTNL. Devices are unregistered under RTNL, so
 * no hook point is created for a device that is being unregistered.
 */
#include <linux/err.h>
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "net/netns.h"
#include "net/nf_hook.h"

static_assert(KCUCKOO_DEV_SIZE == IFNAMSIZ);

static void kcuckoo_hook_point_ops_init(struct kcuckoo_hook_point *point,
					unsigned int family,
					const struct nf_hook_ops *ops)
{
	point->ops[family] = *ops;
	point->ops[family].dev = point->dev;
	point->ops[family].priv = point;
}

/**
 * kcuckoo_hook_points_init() - initialize the hook points that belong to no device
 * @net: the object of a new namespace, which no other code uses yet
 */
void kcuckoo_hook_points_init(struct kcuckoo_net *net)
{
	unsigned int hook;
	unsigned int i;

	for (hook = 0; hook < KCUCKOO_HOOKS; hook++) {
		struct kcuckoo_hook_point *point = &net->hooks[hook];

		point->net = net;
		point->hook = hook;
		INIT_LIST_HEAD(&point->joining);
		for (i = 0; i < KCUCKOO_FAMILIES; i++)
			kcuckoo_hook_point_ops_init(point, i,
						    &kcuckoo_hook_ops[hook][i]);
		list_add_tail(&point->list, &net->points);
	}
}

/*
 * The bytes of dev->name after the zero byte can be the rest of an earlier, longer name.
 */
static void kcuckoo_hook_point_name(struct kcuckoo_hook_point *point,
				    const struct net_device *dev)
{
	strscpy_pad((char *)point->name, dev->name, sizeof(point->name));
}

/*
 * In kcuckoo_net.points, the hook points of devices precede the other hook points,
 * because packets pass device ingress first.
 */
static struct kcuckoo_hook_point *
kcuckoo_hook_point_create(struct kcuckoo_net *net, struct net_device *dev)
{
	struct kcuckoo_hook_point *point;

	point = kzalloc(sizeof(*point), GFP_KERNEL_ACCOUNT);
	if (!point)
		return ERR_PTR(-ENOMEM);
	point->net = net;
	point->hook = KCUCKOO_HOOK_INGRESS;
	INIT_LIST_HEAD(&point->joining);
	point->dev = dev;
	kcuckoo_hook_point_ops_init(point, 0, &kcuckoo_ingress_ops);
	kcuckoo_hook_point_name(point, dev);
	list_add_tail(&point->list, &net->hooks[0].list);
	return point;
}

/**
 * kcuckoo_hook_point_possible() - check whether a device can have rules
 * @dev: the device
 *
 * Context: under RTNL.
 * Return: false for loopback devices and VRFs, because rules do not apply to packets
 * that the host sends to itself; true for all other devices.
 */
bool kcuckoo_hook_point_possible(const struct net_device *dev)
{
	return !(dev->flags & IFF_LOOPBACK) && !netif_is_l3_master(dev);
}

/**
 * kcuckoo_hook_point_of() - find the hook point of a device
 * @net: the namespace's object
 * @dev: the device
 *
 * Context: under @net's lock.
 * Return: the hook point; NULL if the device has no hook point.
 */
struct kcuckoo_hook_point *kcuckoo_hook_point_of(struct kcuckoo_net *net,
						 const struct net_device *dev)
{
	struct kcuckoo_hook_point *point;

	lockdep_assert_held(&net->lock);
	list_for_each_entry(point, &net->points, list)
		if (point->dev == dev)
			return point;
	return NULL;
}

/**
 * kcuckoo_hook_point_obtain() - find or create the hook point for a rule
 * @net: the namespace's object
 * @hook: enum kcuckoo_hook
 * @dev: the device of KCUCKOO_HOOK_INGRESS, else NULL
 *
 * Context: under @net's lock, and under RTNL if @dev is not NULL; may sleep.
 * Return: the hook point, or ERR_PTR(-ENOMEM). The caller passes the hook point to
 * kcuckoo_hook_point_release() if it adds no rule.
 */
struct kcuckoo_hook_point *kcuckoo_hook_point_obtain(struct kcuckoo_net *net,
						     unsigned int hook,
						     struct net_device *dev)
{
	if (!dev)
		return &net->hooks[hook];
	ASSERT_RTNL();
	return kcuckoo_hook_point_of(net, dev) ?:
	       kcuckoo_hook_point_create(net, dev);
}

/**
 * kcuckoo_hook_point_release() - free a hook point of a device if it has no rules
 * @point: the hook point; the caller must not use the hook point afterwards. A hook
 *	point that belongs to no device is a part of the namespace's object, and is not
 *	freed
 *
 * Context: under the lock of its namespace.
 */
void kcuckoo_hook_point_release(struct kcuckoo_hook_point *point)
{
	if (!point->dev || rcu_access_pointer(point->rules))
		return;
	list_del(&point->list);
	kfree_rcu(point, rcu);
}

static void kcuckoo_hook_point_disable(struct kcuckoo_hook_point *point,
				       unsigned int family)
{
	if (point->enabled & 1U << family)
		nf_unregister_net_hook(point->net->net, &point->ops[family]);
	point->enabled &= ~(1U << family);
}

static int kcuckoo_hook_point_enable(struct kcuckoo_hook_point *point,
				     unsigned int family)
{
	int err = 0;

	if (!(point->enabled & 1U << family))
		err = nf_register_net_hook(point->net->net,
					   &point->ops[family]);
	if (!err)
		point->enabled |= 1U << family;
	/*
	 * Netfilter returns -E2BIG if one hook already has the maximum number of hook
	 * functions.
	 */
	return err == -E2BIG ? -EDQUOT : err;
}

/**
 * kcuckoo_hook_point_set() - register hook functions for the given families, and
 *	unregister the hook functions for other families
 * @point: the hook point
 * @families: set of KCUCKOO_FAMILY_*, or 0
 *
 * Context: under the lock of its namespace; may sleep. If the namespace is ending or has
 * ended, @families must be 0.
 * Return: 0; -EDQUOT if netfilter accepts no further hook function, or another error of
 * nf_register_net_hook(). After an error, hook functions for some of @families can be
 * registered. The result is always 0 if hook functions for all of @families are
 * registered already.
 */
int kcuckoo_hook_point_set(struct kcuckoo_hook_point *point,
			   unsigned int families)
{
	unsigned int i;
	int err = 0;

	/* At device ingress one hook function handles both families. */
	if (point->dev)
		families = !!families;
	for (i = 0; i < KCUCKOO_FAMILIES && !err; i++) {
		if (families & 1U << i)
			err = kcuckoo_hook_point_enable(point, i);
		else
			kcuckoo_hook_point_disable(point, i);
	}
	return err;
}

/**
 * kcuckoo_hook_point_renamed() - update the name of a device in its hook point
 * @net: the object of the device's namespace
 * @dev: the device
 *
 * Context: under RTNL.
 */
void kcuckoo_hook_point_renamed(struct kcuckoo_net *net, struct net_device *dev)
{
	struct kcuckoo_hook_point *point;

	ASSERT_RTNL();
	mutex_lock(&net->lock);
	point = kcuckoo_hook_point_of(net, dev);
	if (point)
		kcuckoo_hook_point_name(point, dev);
	mutex_unlock(&net->lock);
}
