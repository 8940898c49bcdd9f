// SPDX-License-Identifier: GPL-2.0-only
/*
 * Creates, finds, locks and frees struct kcuckoo_net, the object of a network namespace,
 * and calls its cleanups.
 */
#include <linux/moduleparam.h>
#include <linux/slab.h>
#include <linux/user_namespace.h>
#include <net/net_namespace.h>
#include <net/netns/generic.h>

#include "net/netns.h"

uint kcuckoo_max_filters = 1024;
module_param_named(max_filters, kcuckoo_max_filters, uint, 0644);
MODULE_PARM_DESC(max_filters,
		 "Maximum number of names in a network namespace, with and without a filter (default 1024)");

unsigned int kcuckoo_net_id;

/**
 * kcuckoo_net_create() - create the object of a network namespace
 * @ns: the namespace
 *
 * Context: process context, may sleep.
 * Return: the object, without names, and with one reference, which the caller owns; NULL if
 * memory is short.
 */
struct kcuckoo_net *kcuckoo_net_create(struct net *ns)
{
	struct kcuckoo_net *net;

	net = kzalloc(sizeof(*net), GFP_KERNEL_ACCOUNT);
	if (!net)
		return NULL;
	net->account = kcuckoo_account_create();
	if (!net->account) {
		kfree(net);
		return NULL;
	}
	refcount_set(&net->refs, 1);
	net->user_ns = get_user_ns(ns->user_ns);
	mutex_init(&net->cleanup_mutex);
	INIT_LIST_HEAD(&net->cleanups);
	mutex_init(&net->lock);
	spin_lock_init(&net->binding_lock);
	hash_init(net->slots);
	INIT_LIST_HEAD(&net->list);
	hash_init(net->slot_users);
	INIT_LIST_HEAD(&net->templates);
	INIT_LIST_HEAD(&net->points);
	net->net = ns;
	return net;
}

/**
 * kcuckoo_net_of() - get the object of a network namespace
 * @net: a live namespace
 *
 * Context: any, including softirqs.
 * Return: the object, without a reference; valid while the namespace is alive.
 */
struct kcuckoo_net *kcuckoo_net_of(const struct net *net)
{
	return *(struct kcuckoo_net **)net_generic(net, kcuckoo_net_id);
}

/**
 * kcuckoo_net_get() - take a reference
 * @net: the object; the caller has a reference, or the namespace is alive
 *
 * Return: @net.
 */
struct kcuckoo_net *kcuckoo_net_get(struct kcuckoo_net *net)
{
	refcount_inc(&net->refs);
	return net;
}

/**
 * kcuckoo_net_put() - drop a reference, and free the object if the reference was the
 *	last one
 * @net: the object
 *
 * Context: process context.
 */
void kcuckoo_net_put(struct kcuckoo_net *net)
{
	if (!refcount_dec_and_test(&net->refs))
		return;
	put_user_ns(net->user_ns);
	kcuckoo_account_put(net->account);
	mutex_destroy(&net->lock);
	mutex_destroy(&net->cleanup_mutex);
	kfree(net);
}

/**
 * kcuckoo_net_dead() - check whether a network namespace is ending or has ended
 * @net: the namespace's object
 *
 * Context: any; without @net's lock, the namespace can end right after the call.
 * Return: true if the namespace is ending or has ended.
 */
bool kcuckoo_net_dead(struct kcuckoo_net *net)
{
	return !READ_ONCE(net->net);
}

/**
 * kcuckoo_net_lock() - lock the object of a live namespace
 * @net: the object
 *
 * Context: process context, may sleep.
 * Return: 0 with @net's lock held; -ENODEV without the lock if the namespace is ending or
 * has ended.
 */
int kcuckoo_net_lock(struct kcuckoo_net *net)
{
	mutex_lock(&net->lock);
	if (!kcuckoo_net_dead(net))
		return 0;
	mutex_unlock(&net->lock);
	return -ENODEV;
}

/**
 * kcuckoo_net_add_cleanup() - add a cleanup to a namespace
 * @net: the namespace's object
 * @cleanup: the cleanup; @cleanup->release is called when the namespace ends. The
 *	caller must call kcuckoo_net_del_cleanup() before it frees @cleanup, even if the
 *	namespace has ended
 *
 * Context: process context, may sleep.
 */
void kcuckoo_net_add_cleanup(struct kcuckoo_net *net,
			     struct kcuckoo_cleanup *cleanup)
{
	mutex_lock(&net->cleanup_mutex);
	list_add_tail(&cleanup->list, &net->cleanups);
	mutex_unlock(&net->cleanup_mutex);
}

/**
 * kcuckoo_net_del_cleanup() - remove a cleanup from a namespace
 * @net: the namespace's object
 * @cleanup: the cleanup
 *
 * Context: process context, may sleep. If cleanups of the namespace are running, waits
 * until they have returned. The caller can free @cleanup after this function returns.
 */
void kcuckoo_net_del_cleanup(struct kcuckoo_net *net,
			     struct kcuckoo_cleanup *cleanup)
{
	mutex_lock(&net->cleanup_mutex);
	list_del(&cleanup->list);
	mutex_unlock(&net->cleanup_mutex);
}

/**
 * kcuckoo_net_run_cleanups() - call all cleanups of a namespace
 * @net: the object of a namespace that is ending
 *
 * A cleanup must not wait for a mutex that a system call holds while it copies user
 * memory. A cleanup takes such a mutex by mutex_trylock(). If the mutex is locked, the
 * cleanup does nothing: the system call that holds the mutex frees the memory of the
 * cleanup before it returns. Later system calls allocate no such memory, because
 * kcuckoo_net_dead() returns true.
 *
 * Context: process context, may sleep.
 */
void kcuckoo_net_run_cleanups(struct kcuckoo_net *net)
{
	struct kcuckoo_cleanup *cleanup;

	mutex_lock(&net->cleanup_mutex);
	list_for_each_entry(cleanup, &net->cleanups, list)
		cleanup->release(cleanup);
	mutex_unlock(&net->cleanup_mutex);
}
