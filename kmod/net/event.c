// SPDX-License-Identifier: GPL-2.0-only
/*
 * Emits the events of the names of a network namespace, and schedules the events for
 * packets that fail to add or delete an address.
 *
 * slot.c calls kcuckoo_event_filter() under the lock of the namespace, so this lock
 * defines the order of the events. The delayed work of subscription.c emits the events
 * for packets.
 */
#include <linux/string.h>

#include "filter/workqueue.h"
#include "net/event.h"

/* Delay from the first failed add or delete by a packet to the event, in seconds. */
#define KCUCKOO_EVENTS_DELAY	1

/**
 * kcuckoo_event_filter() - emit an event of the filter of a name
 * @slot: the slot of the name, which has a filter
 * @type: enum kcuckoo_event_type
 * @name: the name for the field @name of the event
 * @other: the name for the field @other of the event, or NULL
 * @other_id: the number of the filter for the field @other_id of the event, or 0
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

	if (!kcuckoo_net_has_subscriber(slot->net, type))
		return;
	memcpy(event.name, name, KCUCKOO_NAME_SIZE);
	if (other)
		memcpy(event.other, other, KCUCKOO_NAME_SIZE);
	if (type == KCUCKOO_EVENT_CREATED || type == KCUCKOO_EVENT_RENAMED)
		event.count = slot->users;
	event.members = kcuckoo_filter_members(filter);
	kcuckoo_event_emit(&slot->net->account->subscribers, &event);
}

/**
 * kcuckoo_event_packets() - schedule an event for a failed add or delete by a packet
 * @slot: the slot of the name; its statistics already count the failure
 *
 * Context: inside rcu_read_lock() in a live namespace; any context but hard interrupts.
 */
void kcuckoo_event_packets(struct kcuckoo_slot *slot)
{
	struct kcuckoo_net *net = slot->net;

	if (!kcuckoo_net_has_subscriber(net, KCUCKOO_EVENT_FULL) &&
	    !kcuckoo_net_has_subscriber(net, KCUCKOO_EVENT_REFUSED))
		return;
	/*
	 * Orders the count of the failure before the read of the pending bit. Pairs
	 * with the barrier in set_work_pool_and_clear_pending(): either this call sees
	 * that the work is no longer pending, and queues the work again, or the work
	 * reads the count of this failure.
	 */
	smp_mb();
	/*
	 * Queues no work for a namespace that is ending, because nothing would cancel
	 * work that is queued after kcuckoo_events_exit().
	 */
	if (!delayed_work_pending(&net->report_work) && !kcuckoo_net_dead(net))
		kcuckoo_queue_delayed(&net->report_work, KCUCKOO_EVENTS_DELAY);
}
