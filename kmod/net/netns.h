/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The object of a network namespace: its names, rules and account.
 *
 * Descriptors and slots hold references to the object, struct kcuckoo_net, and never
 * to struct net. The object outlives the namespace; kcuckoo_net_dead() returns true then.
 *
 * Files, each of which calls only files before it: netns.c (the object), slot_id.c
 * (ids of slots), slot.c (names), slot_lookup.c (look-ups by name), packet_stats.c
 * (what packets changed), verdict.h and verdict.c (packets), nf_hook.c and nf_ingress.c
 * (netfilter), hook_point.c (where rules are), rules.c (rules), slot_user.c (programs),
 * netdev.c (devices), pernet.c (namespaces), api.c.
 */
#ifndef _KCUCKOO_NETNS_H
#define _KCUCKOO_NETNS_H

#include <linux/hashtable.h>
#include <linux/mutex.h>
#include <linux/refcount.h>
#include <linux/spinlock.h>

#include "filter/filter.h"
#include "net/rule.h"

/**
 * struct kcuckoo_cleanup - memory to release when a namespace ends
 * @list: in kcuckoo_net.cleanups, under its lock
 * @release: releases the memory; may sleep, but does not wait for a process, because
 *	no other namespace can end in that time
 */
struct kcuckoo_cleanup {
	struct list_head list;
	void (*release)(struct kcuckoo_cleanup *cleanup);
};

/**
 * struct kcuckoo_net - the object of a network namespace
 * @refs: held by the namespace, by each descriptor and by each slot
 * @account: the account that its filters charge, constant
 * @user_ns: owner of the namespace, for permission checks, constant
 * @cleanup_mutex: protects @cleanups; outside the locks of their owners
 * @cleanups: memory to release when the namespace ends, besides the filters
 * @lock: protects all below, and the slots' fields; outside filter->resize_mutex
 * @net: the namespace, NULL once it is going
 * @slots: slots by name
 * @list: slots, oldest first
 * @names: number of slots
 * @slot_users: users of names that programs added, hashed by device
 * @binding_lock: held in addition to @lock where a name loses or changes its filter;
 *	outside filter->lock, and taken with softirqs off
 * @rules: rules of all points, and @slot_users
 * @binding_seq: counts changes of the filters of names; written under both locks, also
 *	read without a lock. It is no seqcount_t: a batch compares it across a copy from
 *	user memory, which the program can delay until 32 bits wrap
 * @points: hook points, in the order in which packets pass them
 * @hooks: the hook points that belong to no device
 */
struct kcuckoo_net {
	refcount_t refs;
	struct kcuckoo_account *account;
	struct user_namespace *user_ns;
	struct mutex cleanup_mutex;	/* cleanups */
	struct list_head cleanups;
	struct mutex lock;	/* all of the following, and slots */
	struct net *net;
	DECLARE_HASHTABLE(slots, 8);
	struct list_head list;
	unsigned int names;
	unsigned int rules;
	DECLARE_HASHTABLE(slot_users, 6);
	spinlock_t binding_lock;	/* changes of the filters of names */
	u64 binding_seq;
	struct list_head points;
	struct kcuckoo_hook_point hooks[KCUCKOO_HOOKS];
};

/* The index of the object in net_generic(). */
extern unsigned int kcuckoo_net_id;

/* Limit on the names of a namespace; a parameter of the module. */
extern unsigned int kcuckoo_max_filters;

struct kcuckoo_net *kcuckoo_net_create(struct net *ns);
struct kcuckoo_net *kcuckoo_net_of(const struct net *net);
struct kcuckoo_net *kcuckoo_net_get(struct kcuckoo_net *net);
void kcuckoo_net_put(struct kcuckoo_net *net);
bool kcuckoo_net_dead(struct kcuckoo_net *net);
int kcuckoo_net_lock(struct kcuckoo_net *net);
void kcuckoo_net_add_cleanup(struct kcuckoo_net *net,
			     struct kcuckoo_cleanup *cleanup);
void kcuckoo_net_del_cleanup(struct kcuckoo_net *net,
			     struct kcuckoo_cleanup *cleanup);
void kcuckoo_net_run_cleanups(struct kcuckoo_net *net);

/**
 * kcuckoo_net_binding_seq() - read the count of changes of the filters of names
 * @net: the namespace's object
 *
 * The count grows before a change is made. If a name still has its filter after a
 * look-up, and the count is the same as before the filter was found, the name had
 * this filter all the time. Only then a look-up is valid: a filter that has lost its
 * name may have been emptied, or may have other members.
 *
 * Context: any. Orders earlier reads before it and later reads after it.
 * Return: the count; it only grows.
 */
static inline u64 kcuckoo_net_binding_seq(const struct kcuckoo_net *net)
{
	/* The look-up comes before this; see kcuckoo_net_rebind_begin(). */
	smp_rmb();
	/* The filter of a name is read after it. */
	return smp_load_acquire(&net->binding_seq);
}

int kcuckoo_netdev_init(void);
void kcuckoo_netdev_exit(void);

int kcuckoo_pernet_init(void);
void kcuckoo_pernet_exit(void);

#endif /* _KCUCKOO_NETNS_H */
