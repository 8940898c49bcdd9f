// SPDX-License-Identifier: GPL-2.0-only
/*
 * Hook points, where packets meet rules: the hooks of a namespace, and the ingress of
 * its devices that have rules.
 *
 * A hook function is registered for a point and family only while a rule needs it.
 * Attaching to a device holds RTNL, and devices are unregistered under RTNL, so no
 * point is created for a device that is unregistered. Everything else needs only the
 * lock of the namespace.
 */
#include <linux/err.h>
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "net/netns.h"
#include "net/nf_hook.h"

static_assert(KCUCKOO_DEV_SIZE == IFNAMSIZ);

/* Netfilter passes the point to the hook function, which need not search for it. */
static void kcuckoo_hook_point_ops_init(struct kcuckoo_hook_point *point,
					unsigned int family,
					const struct nf_hook_ops *ops)
{
	point->ops[family] = *ops;
	point->ops[family].dev = point->dev;
	point->ops[family].priv = point;
}

/**
 * kcuckoo_hook_points_init() - initialize the points that each namespace has
 * @net: its object
 */
void kcuckoo_hook_points_init(struct kcuckoo_net *net)
{
	unsigned int hook;
	unsigned int i;

	for (hook = 0; hook < KCUCKOO_HOOKS; hook++) {
		struct kcuckoo_hook_point *point = &net->hooks[hook];

		point->net = net;
		point->hook = hook;
		for (i = 0; i < KCUCKOO_FAMILIES; i++)
			kcuckoo_hook_point_ops_init(point, i,
						    &kcuckoo_hook_ops[hook][i]);
		list_add_tail(&point->list, &net->points);
	}
}

/* Pads with zeroes: after dev->name there may be the end of an earlier name. */
static void kcuckoo_hook_point_name(struct kcuckoo_hook_point *point,
				    const struct net_device *dev)
{
	strscpy_pad((char *)point->name, dev->name, sizeof(point->name));
}

/* Adds the point before the hooks, because packets pass it first. */
static struct kcuckoo_hook_point *
kcuckoo_hook_point_create(struct kcuckoo_net *net, struct net_device *dev)
{
	struct kcuckoo_hook_point *point;

	point = kzalloc(sizeof(*point), GFP_KERNEL_ACCOUNT);
	if (!point)
		return ERR_PTR(-ENOMEM);
	point->net = net;
	point->hook = KCUCKOO_HOOK_INGRESS;
	point->dev = dev;
	kcuckoo_hook_point_ops_init(point, 0, &kcuckoo_ingress_ops);
	kcuckoo_hook_point_name(point, dev);
	list_add_tail(&point->list, &net->hooks[0].list);
	return point;
}

/**
 * kcuckoo_hook_point_of() - find the point of a device
 * @net: the namespace's object
 * @dev: the device
 *
 * Context: under @net's lock.
 * Return: the point, NULL if the device has none.
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
 * kcuckoo_hook_point_obtain() - find or create the point for a rule
 * @net: the namespace's object
 * @hook: enum kcuckoo_hook
 * @dev: the device of KCUCKOO_HOOK_INGRESS, else NULL
 *
 * Context: under @net's lock, with @dev under RTNL; may sleep.
 * Return: the point, to be passed to kcuckoo_hook_point_release() if no rule is added;
 * or ERR_PTR(-ENOMEM).
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
 * kcuckoo_hook_point_release() - free the point of a device if it has no rules
 * @point: any point; the caller must not use it afterwards
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
	/* Netfilter's limit on hooks at one place, with the hooks of other modules. */
	return err == -E2BIG ? -EDQUOT : err;
}

/**
 * kcuckoo_hook_point_set() - register hook functions for just these families
 * @point: the point
 * @families: KCUCKOO_FAMILY_*, or 0
 *
 * Context: under the lock of its namespace, which is alive unless @families is
 * 0; may sleep.
 * Return: 0, -EDQUOT if netfilter accepts no further hook, or another error of
 * nf_register_net_hook(); always 0 if no family is added.
 */
int kcuckoo_hook_point_set(struct kcuckoo_hook_point *point,
			   unsigned int families)
{
	unsigned int i;
	int err = 0;

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
 * kcuckoo_hook_point_renamed() - update the name of a device
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
