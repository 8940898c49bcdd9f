/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Defines struct kcuckoo_net, the object of a network namespace: its names, rules and
 * memory account.
 *
 * Open descriptors of /dev/kcuckoo and slots hold references to the object, but not to
 * struct net. So the object can outlive the namespace.
 *
 * A file of this folder calls only functions of files that precede it in this list:
 * netns.c, slot_id.c, event.c, slot.c, slot_lookup.c, packet_stats.c, subscription.c,
 * rule_log.c, verdict.c, nf_hook.c, nf_ingress.c, hook_point.c, rule_set.c,
 * rule_event.c, template.c, rules.c, detach.c, slot_user.c, netdev.c, pernet.c, api.c.
 */
#ifndef _KCUCKOO_NETNS_H
#define _KCUCKOO_NETNS_H

#include <linux/hashtable.h>
#include <linux/mutex.h>
#include <linux/refcount.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>

#include "filter/filter.h"
#include "net/rule.h"

/**
 * struct kcuckoo_cleanup - a function that releases memory when a namespace ends
 * @list: node in kcuckoo_net.cleanups, under kcuckoo_net.cleanup_mutex
 * @release: releases the memory; may sleep, but must not wait for a mutex that a process
 *	holds while it copies user memory. A process can delay such a copy, and no other
 *	namespace can end until @release returns
 */
struct kcuckoo_cleanup {
	struct list_head list;
	void (*release)(struct kcuckoo_cleanup *cleanup);
};

/**
 * struct kcuckoo_net - the object of a network namespace
 * @refs: number of references, which the namespace, descriptors of /dev/kcuckoo and
 *	slots hold
 * @account: the account to which the memory of the namespace's filters is charged,
 *	constant
 * @user_ns: user namespace that owns the network namespace, for permission checks,
 *	constant
 * @cleanup_mutex: protects @cleanups; held while cleanups run, so it is taken before
 *	all locks that a cleanup takes
 * @cleanups: list of struct kcuckoo_cleanup, called when the namespace ends
 * @report_work: delayed work that emits the events for failed adds and deletes by
 *	packets
 * @lock: protects the list of subscribers to events (@account->subscribers), all fields
 *	after @lock and the fields of the slots; taken before kcuckoo_filter.resize_mutex
 * @net: the namespace, or NULL once the namespace is ending; also read without @lock
 * @slots: hash table of the slots, by name; readers can use RCU instead of @lock
 * @list: list of the slots, in the order in which KCUCKOO_IOC_LIST returns the names
 * @names: number of slots
 * @slot_users: hash table of the slot users (slot_user.c), by index of the device, or 0
 *	for slot users without a device
 * @binding_lock: held in addition to @lock while a name loses or changes its filter.
 *	Also taken without @lock: by a look-up after KCUCKOO_READ_TRIES tries, and by a
 *	packet that finds that its filter is being replaced (kcuckoo_filter.superseded).
 *	Taken before kcuckoo_filter.lock, with softirqs off
 * @rules: number of rules of all hook points, plus the number of templates without
 *	instances, plus the number of entries of @slot_users; at most KCUCKOO_RULES_MAX
 * @binding_seq: counter that is incremented before a name loses or changes its filter;
 *	written under @lock and @binding_lock, also read without these locks. It has more
 *	bits than a seqcount_t: a look-up of a batch reads the counter before and after a
 *	copy from user memory, and a program can delay the copy until 32 bits have
 *	wrapped
 * @rule_order: the last number that a new rule or template got as its @order; a
 *	successor (rule.h) gets the @order of the rule that it replaces
 * @templates: list of the templates, in the order of attaching; a template is added
 *	only under RTNL
 * @points: list of the hook points: first the hook points of devices, then @hooks in the
 *	order of enum kcuckoo_hook
 * @hooks: the hook points that belong to no device
 */
struct kcuckoo_net {
	refcount_t refs;
	struct kcuckoo_account *account;
	struct user_namespace *user_ns;
	struct mutex cleanup_mutex;	/* cleanups */
	struct list_head cleanups;
	struct delayed_work report_work;
	struct mutex lock;	/* subscribers, the following fields, and slots */
	struct net *net;
	DECLARE_HASHTABLE(slots, 8);
	struct list_head list;
	unsigned int names;
	unsigned int rules;
	DECLARE_HASHTABLE(slot_users, 6);
	spinlock_t binding_lock;	/* changes of the filters of names */
	u64 binding_seq;
	u64 rule_order;
	struct list_head templates;
	struct list_head points;
	struct kcuckoo_hook_point hooks[KCUCKOO_HOOKS];
};

/* The id of this module in net_generic(). */
extern unsigned int kcuckoo_net_id;

/* Module parameter max_filters. */
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
 * kcuckoo_net_binding_seq() - read the counter of changes of the filters of names
 * @net: the namespace's object
 *
 * A reader reads the counter before it finds the filter of a name, and again after its
 * look-up in the filter. If the value has changed, the reader must not use the result:
 * after the filter lost its name, a program can have changed the members of the filter.
 * kcuckoo_slot_binding_unchanged() also compares the filters.
 *
 * Context: any. Earlier reads of the caller are ordered before the read of the counter,
 * and later reads after it.
 * Return: the value of the counter, which never decreases.
 */
static inline u64 kcuckoo_net_binding_seq(const struct kcuckoo_net *net)
{
	/* Pairs with kcuckoo_rebind_begin(). */
	smp_rmb();
	/* Orders the read of the counter before the read of the filter of a name. */
	return smp_load_acquire(&net->binding_seq);
}

int kcuckoo_netdev_init(void);
void kcuckoo_netdev_exit(void);

int kcuckoo_pernet_init(void);
void kcuckoo_pernet_exit(void);

#endif /* _KCUCKOO_NETNS_H */
