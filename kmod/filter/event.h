/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Events: report to subscribers what happens to the filters and rules of a network
 * namespace.
 *
 * All events are emitted in process context. When a packet fails to add or delete an address,
 * the module counts the failure and queues work. The work (net/subscription.c) emits one
 * event for many packets.
 */
#ifndef _KCUCKOO_EVENT_H
#define _KCUCKOO_EVENT_H

#include "filter/filter.h"

/**
 * struct kcuckoo_subscriber - a receiver of events
 * @list: link in kcuckoo_subscribers.list
 * @types: set of the event types that the subscriber receives; the bit of a type is
 *	1 << enum kcuckoo_event_type; constant
 * @receive: receives an event; called inside rcu_read_lock(), possibly under mutexes and
 *	RTNL, so it must neither sleep nor wait for another process
 */
struct kcuckoo_subscriber {
	struct list_head list;
	u64 types;
	void (*receive)(struct kcuckoo_subscriber *subscriber,
			const struct kcuckoo_event *event);
};

int kcuckoo_subscribers_add(struct kcuckoo_subscribers *subscribers,
			    struct kcuckoo_subscriber *subscriber);
void kcuckoo_subscribers_del(struct kcuckoo_subscribers *subscribers,
			     struct kcuckoo_subscriber *subscriber);
void kcuckoo_event_emit(const struct kcuckoo_subscribers *subscribers,
			struct kcuckoo_event *event);
void kcuckoo_filter_set_name(struct kcuckoo_filter *filter, const u8 *name);
void kcuckoo_filter_emit(struct kcuckoo_filter *filter,
			 struct kcuckoo_event *event);

/**
 * kcuckoo_event_wanted() - check whether a subscriber receives events of a type
 * @account: the account of the namespace
 * @type: enum kcuckoo_event_type
 *
 * Context: any.
 * Return: true if at least one subscriber receives the type.
 */
static inline bool kcuckoo_event_wanted(const struct kcuckoo_account *account,
					unsigned int type)
{
	return READ_ONCE(account->subscribers.types) >> type & 1;
}

#endif /* _KCUCKOO_EVENT_H */
