// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events: the list of subscribers of a network namespace, and the events of one filter.
 */
#include <linux/list.h>
#include <linux/rculist.h>

#include "filter/event.h"
#include "filter/filter_internal.h"

static void kcuckoo_subscribers_types(struct kcuckoo_subscribers *subscribers)
{
	const struct kcuckoo_subscriber *subscriber;
	u64 types = 0;

	list_for_each_entry(subscriber, &subscribers->list, list)
		types |= subscriber->types;
	WRITE_ONCE(subscribers->types, types);
}

/**
 * kcuckoo_subscribers_add() - add a subscriber
 * @subscribers: the subscribers of a namespace
 * @subscriber: the new subscriber, which receives all later events of its types
 *
 * The number of subscribers is limited, because an event takes time for each subscriber,
 * and a caller that emits an event can hold mutexes during this time.
 *
 * Context: under the lock of the namespace.
 * Return: 0, or -EDQUOT if the namespace already has KCUCKOO_SUBSCRIBERS_MAX subscribers.
 */
int kcuckoo_subscribers_add(struct kcuckoo_subscribers *subscribers,
			    struct kcuckoo_subscriber *subscriber)
{
	if (subscribers->count == KCUCKOO_SUBSCRIBERS_MAX)
		return -EDQUOT;
	subscribers->count++;
	list_add_tail_rcu(&subscriber->list, &subscribers->list);
	kcuckoo_subscribers_types(subscribers);
	return 0;
}

/**
 * kcuckoo_subscribers_del() - remove a subscriber
 * @subscribers: the subscribers of a namespace
 * @subscriber: the subscriber to remove; nothing happens if it was never added. Until a
 *	grace period has ended, the subscriber can still receive events and must not be
 *	freed
 *
 * Context: under the lock of the namespace.
 */
void kcuckoo_subscribers_del(struct kcuckoo_subscribers *subscribers,
			     struct kcuckoo_subscriber *subscriber)
{
	if (list_empty(&subscriber->list))
		return;
	subscribers->count--;
	list_del_rcu(&subscriber->list);
	kcuckoo_subscribers_types(subscribers);
}

/**
 * kcuckoo_event_emit() - pass an event to all subscribers that receive its type
 * @subscribers: the subscribers of the namespace
 * @event: the event; out: its @time
 *
 * Context: process context, also under mutexes; does not sleep.
 */
void kcuckoo_event_emit(const struct kcuckoo_subscribers *subscribers,
			struct kcuckoo_event *event)
{
	struct kcuckoo_subscriber *subscriber;

	event->time = ktime_get_boottime_ns();
	rcu_read_lock();
	list_for_each_entry_rcu(subscriber, &subscribers->list, list)
		if (subscriber->types >> event->type & 1)
			subscriber->receive(subscriber, event);
	rcu_read_unlock();
}

/**
 * kcuckoo_filter_set_name() - set the name under which events report a filter
 * @filter: the filter
 * @name: the name, zero-padded; or NULL if the filter loses its name
 *
 * Context: process context; does not sleep.
 */
void kcuckoo_filter_set_name(struct kcuckoo_filter *filter, const u8 *name)
{
	kcuckoo_filter_lock(filter);
	if (name)
		memcpy(filter->name, name, KCUCKOO_NAME_SIZE);
	else
		memset(filter->name, 0, KCUCKOO_NAME_SIZE);
	kcuckoo_filter_unlock(filter);
}

/**
 * kcuckoo_filter_emit() - emit an event of a filter, unless the filter has no name
 * @filter: the filter
 * @event: the event; out: its @name, @filter_id, @members and, if it is emitted, @time
 *
 * Context: process context, without @filter->lock.
 */
void kcuckoo_filter_emit(struct kcuckoo_filter *filter,
			 struct kcuckoo_event *event)
{
	kcuckoo_filter_lock(filter);
	memcpy(event->name, filter->name, KCUCKOO_NAME_SIZE);
	event->members = filter->members[0] + filter->members[1];
	kcuckoo_filter_unlock(filter);
	event->filter_id = filter->id;
	if (event->name[0])
		kcuckoo_event_emit(&filter->account->subscribers, event);
}
