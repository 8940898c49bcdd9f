// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events of the names and rules of a network namespace, and of its packets.
 *
 * The lock of the namespace protects the list of subscribers. It also orders the events of
 * names and rules, because these are emitted under it. A packet emits no event: it has
 * counted its failure in the statistics of its name, and only queues work, unless the work
 * is queued already. The work runs a second later, and emits one event for all packets
 * that failed for the same name and reason since the last one.
 */
#include <linux/string.h>

#include "filter/workqueue.h"
#include "net/event.h"

/* Seconds from the first packet that fails to the event. */
#define KCUCKOO_EVENTS_DELAY	1

/* Checks whether any subscriber of a namespace receives events of a type. */
static bool kcuckoo_net_wants(const struct kcuckoo_net *net, unsigned int type)
{
	return kcuckoo_event_wanted(net->account, type);
}

/**
 * kcuckoo_event_filter() - emit an event of the filter of a name
 * @slot: the slot of the name
 * @type: enum kcuckoo_event_type
 * @name: the name in the event
 * @other: the other name, or NULL
 * @other_id: number of the other filter, or 0
 *
 * Context: under the lock of the namespace.
 */
void kcuckoo_event_filter(const struct kcuckoo_slot *slot, unsigned int type,
			  const u8 *name, const u8 *other, u64 other_id)
{
	struct kcuckoo_filter *filter = kcuckoo_slot_filter(slot);
	struct kcuckoo_event event = {
		.type = type,
		.filter_id = filter->id,
		.other_id = other_id,
	};

	if (!kcuckoo_net_wants(slot->net, type))
		return;
	memcpy(event.name, name, KCUCKOO_NAME_SIZE);
	if (other)
		memcpy(event.other, other, KCUCKOO_NAME_SIZE);
	if (type == KCUCKOO_EVENT_CREATED || type == KCUCKOO_EVENT_RENAMED)
		event.count = slot->users;
	event.members = kcuckoo_filter_entries(filter);
	kcuckoo_event_emit(&slot->net->account->subscribers, &event);
}

/* Returns @flag if a name has no filter of addresses, else 0; also 0 for no name. */
static u32 kcuckoo_event_waits(struct kcuckoo_net *net, const u8 *name, u32 flag)
{
	const struct kcuckoo_filter *filter = NULL;
	const struct kcuckoo_slot *slot;

	if (!name[0])
		return 0;
	slot = kcuckoo_slot_find(net, name);
	if (slot)
		filter = kcuckoo_slot_filter(slot);
	return filter && filter->config.type == KCUCKOO_TYPE_INET ? 0 : flag;
}

/**
 * kcuckoo_event_rule() - emit an event of a rule
 * @net: the namespace's object
 * @type: enum kcuckoo_event_type
 * @attach: the rule as it was attached
 * @dev: the device that came or went, or NULL
 * @flags: KCUCKOO_EVENT_*, without those for what the rule waits for
 * @devices: number of devices to which a rule with KCUCKOO_ATTACH_WAIT applies; of no
 *	meaning for other rules
 *
 * Context: under @net's lock.
 */
void kcuckoo_event_rule(struct kcuckoo_net *net, unsigned int type,
			const struct kcuckoo_ioc_attach *attach, const u8 *dev,
			u32 flags, unsigned int devices)
{
	bool waits = attach->flags & KCUCKOO_ATTACH_WAIT;
	struct kcuckoo_event event = {
		.type = type,
		.family = attach->family,
		.hook = attach->hook,
		.match = attach->match,
		.action = attach->action,
		.mark = attach->mark,
	};

	if (!kcuckoo_net_wants(net, type))
		return;
	event.flags = flags |
		kcuckoo_event_waits(net, attach->name,
				    KCUCKOO_EVENT_FILTER_WAITING) |
		kcuckoo_event_waits(net, attach->allow,
				    KCUCKOO_EVENT_ALLOW_WAITING);
	if (waits && !devices)
		event.flags |= KCUCKOO_EVENT_DEV_WAITING;
	event.count = waits ? devices : 0;
	memcpy(event.name, attach->name, KCUCKOO_NAME_SIZE);
	memcpy(event.other, attach->allow, KCUCKOO_NAME_SIZE);
	memcpy(event.label, attach->label, KCUCKOO_NAME_SIZE);
	memcpy(waits ? event.pattern : event.dev, attach->dev, KCUCKOO_DEV_SIZE);
	if (dev)
		memcpy(event.dev, dev, KCUCKOO_DEV_SIZE);
	kcuckoo_event_emit(&net->account->subscribers, &event);
}

/**
 * kcuckoo_event_entry() - emit an event for a rule of a hook point that is removed
 * @point: the hook point
 * @rule: the rule, which is no instance
 * @flags: KCUCKOO_EVENT_DEV_GONE or 0
 *
 * Context: under the lock of the namespace.
 */
void kcuckoo_event_entry(const struct kcuckoo_hook_point *point,
			 const struct kcuckoo_rule_entry *rule, u32 flags)
{
	struct kcuckoo_ioc_attach attach = {
		.hook = point->hook,
		.family = rule->family,
		.match = rule->match,
		.action = rule->action,
		.mark = rule->mark,
	};

	if (!kcuckoo_net_wants(point->net, KCUCKOO_EVENT_DETACHED))
		return;
	memcpy(attach.name, rule->slot->name, KCUCKOO_NAME_SIZE);
	if (rule->allow)
		memcpy(attach.allow, rule->allow->name, KCUCKOO_NAME_SIZE);
	memcpy(attach.label, rule->label, KCUCKOO_NAME_SIZE);
	memcpy(attach.dev, point->name, KCUCKOO_DEV_SIZE);
	kcuckoo_event_rule(point->net, KCUCKOO_EVENT_DETACHED, &attach, NULL,
			   flags, 0);
}

/*
 * Emits an event for the packets of a name that failed for one reason since the last one.
 * @total: number of packets that have failed; @reported: the number at the last event. The
 * number can have been reset since then.
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

	event.count = total < *reported ? total : total - *reported;
	*reported = total;
	if (!event.count || !kcuckoo_net_wants(slot->net, type))
		return;
	memcpy(event.name, slot->name, KCUCKOO_NAME_SIZE);
	if (filter) {
		event.filter_id = filter->id;
		event.members = kcuckoo_filter_entries(filter);
	}
	kcuckoo_event_emit(&slot->net->account->subscribers, &event);
}

/* Emits the events for all packets of a namespace that failed since the last ones. */
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
		/* A sum over the counters of all CPUs takes long. */
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
 * kcuckoo_event_packets() - have an event emitted, after a packet could not add or delete
 * @slot: the slot of the name, in whose statistics the failure is counted
 *
 * Context: inside rcu_read_lock() in a live namespace; any context but hard interrupts.
 */
void kcuckoo_event_packets(struct kcuckoo_slot *slot)
{
	struct kcuckoo_net *net = slot->net;

	if (!kcuckoo_net_wants(net, KCUCKOO_EVENT_FULL) &&
	    !kcuckoo_net_wants(net, KCUCKOO_EVENT_REFUSED))
		return;
	/* After the grace period that follows its end, a namespace queues no work. */
	if (!delayed_work_pending(&net->report_work) && !kcuckoo_net_dead(net))
		kcuckoo_queue_delayed(&net->report_work, KCUCKOO_EVENTS_DELAY);
}

/**
 * kcuckoo_events_init() - initialize the work of a new namespace
 * @net: the namespace's object
 */
void kcuckoo_events_init(struct kcuckoo_net *net)
{
	INIT_DELAYED_WORK(&net->report_work, kcuckoo_events_work);
}

/**
 * kcuckoo_events_exit() - cancel the work of a namespace
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
 * First emits the events for packets that have failed until now, so that the new
 * subscriber does not receive them.
 *
 * Context: process context, may sleep.
 * Return: 0; -EDQUOT if the namespace has KCUCKOO_SUBSCRIBERS_MAX subscribers; -ENODEV if
 * it is ending or has ended.
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
