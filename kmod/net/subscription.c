// SPDX-License-Identifier: GPL-2.0-only
/*
 * Adds and removes subscribers to the events of a network namespace, and emits the
 * events for packets that failed to add or delete an address.
 *
 * A delayed work emits the events for packets. For each name and each reason of a
 * failure, the work emits one event for all packets that have failed since the previous
 * event. If a slot is freed before the work runs, its failures are not reported.
 */
#include <linux/sched.h>

#include "net/event.h"

/*
 * @total is the number of all failures for the reason that @type and @err give.
 * @reported is the value of @total at the previous call.
 */
static void kcuckoo_event_failed(const struct kcuckoo_slot *slot,
				 unsigned int type, int err, u64 total,
				 u64 *reported)
{
	struct kcuckoo_filter *filter = kcuckoo_slot_filter(slot);
	struct kcuckoo_event event = {
		.type = type,
		.flags = KCUCKOO_EVENT_BY_PACKETS,
		.error = -err,
	};

	event.count = total - *reported;
	*reported = total;
	if (!event.count || !kcuckoo_net_has_subscriber(slot->net, type))
		return;
	memcpy(event.name, slot->name, KCUCKOO_NAME_SIZE);
	if (filter) {
		event.filter_id = filter->id;
		event.members = kcuckoo_filter_members(filter);
	}
	kcuckoo_event_emit(&slot->net->account->subscribers, &event);
}

static void kcuckoo_events_report(struct kcuckoo_net *net)
{
	struct kcuckoo_slot *slot;

	list_for_each_entry(slot, &net->list, list) {
		struct kcuckoo_ioc_info info = {};
		struct kcuckoo_packet_stats *last = &slot->reported;

		if (!slot->packet_stats)
			continue;
		kcuckoo_slot_packet_stats(slot, &info);
		kcuckoo_event_failed(slot, KCUCKOO_EVENT_FULL, -ENOSPC,
				     info.packet_full, &last->full);
		kcuckoo_event_failed(slot, KCUCKOO_EVENT_REFUSED, -EBUSY,
				     info.packet_limited, &last->limited);
		kcuckoo_event_failed(slot, KCUCKOO_EVENT_REFUSED,
				     kcuckoo_slot_filter(slot) ? -EOPNOTSUPP :
								 -ENOENT,
				     info.packet_refused, &last->refused);
		/* A sum over the counters of all CPUs can take long. */
		cond_resched();
	}
}

static void kcuckoo_events_work(struct work_struct *work)
{
	struct kcuckoo_net *net = container_of(to_delayed_work(work),
					       struct kcuckoo_net, report_work);

	if (kcuckoo_net_lock(net))
		return;
	kcuckoo_events_report(net);
	mutex_unlock(&net->lock);
}

/**
 * kcuckoo_events_init() - initialize the delayed work of a new namespace
 * @net: the namespace's object
 */
void kcuckoo_events_init(struct kcuckoo_net *net)
{
	INIT_DELAYED_WORK(&net->report_work, kcuckoo_events_work);
}

/**
 * kcuckoo_events_exit() - cancel the delayed work of a namespace
 * @net: the object of a namespace that no packet can reach
 *
 * Context: process context without @net's lock; may sleep.
 */
void kcuckoo_events_exit(struct kcuckoo_net *net)
{
	cancel_delayed_work_sync(&net->report_work);
}

/**
 * kcuckoo_net_subscribe() - add a subscriber to a namespace
 * @net: the namespace's object
 * @subscriber: the subscriber
 *
 * First emits the events for packets that have failed before this call, so that the new
 * subscriber does not receive these events.
 *
 * Context: process context, may sleep.
 * Return: 0; -EDQUOT if the namespace has KCUCKOO_SUBSCRIBERS_MAX subscribers; -ENODEV
 * if the namespace is ending or has ended.
 */
int kcuckoo_net_subscribe(struct kcuckoo_net *net,
			  struct kcuckoo_subscriber *subscriber)
{
	int err = kcuckoo_net_lock(net);

	if (err)
		return err;
	kcuckoo_events_report(net);
	err = kcuckoo_subscribers_add(&net->account->subscribers, subscriber);
	mutex_unlock(&net->lock);
	return err;
}

/**
 * kcuckoo_net_unsubscribe() - remove a subscriber from a namespace
 * @net: the namespace's object; the namespace may have ended
 * @subscriber: the subscriber, to be freed after a grace period
 *
 * Context: process context, may sleep.
 */
void kcuckoo_net_unsubscribe(struct kcuckoo_net *net,
			     struct kcuckoo_subscriber *subscriber)
{
	mutex_lock(&net->lock);
	kcuckoo_subscribers_del(&net->account->subscribers, subscriber);
	mutex_unlock(&net->lock);
}
