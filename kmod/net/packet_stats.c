// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counts, for each name, how often packets added an address to the filter of the name or
 * deleted an address from it, and how often an add or delete failed.
 *
 * The counters are per CPU: in a flood of packets whose addresses cannot be added, the
 * CPUs would contend for a shared counter.
 */
#include <linux/err.h>
#include <linux/percpu.h>

#include "net/event.h"
#include "net/slot.h"

/**
 * kcuckoo_slot_get_counted() - add a user to the slot of a name, and allocate statistics
 * @net: the namespace's object
 * @name: the name, zero-padded and valid
 *
 * Context: under @net's lock; may sleep.
 * Return: the same as kcuckoo_slot_get(); the field packet_stats of the slot is not NULL.
 */
struct kcuckoo_slot *kcuckoo_slot_get_counted(struct kcuckoo_net *net,
					      const u8 *name)
{
	struct kcuckoo_slot *slot = kcuckoo_slot_get(net, name);

	if (IS_ERR(slot) || slot->packet_stats)
		return slot;
	slot->packet_stats = alloc_percpu_gfp(struct kcuckoo_packet_stats,
					      GFP_KERNEL_ACCOUNT);
	if (slot->packet_stats)
		return slot;
	kcuckoo_slot_put(slot);
	return ERR_PTR(-ENOMEM);
}

/**
 * kcuckoo_slot_count() - count the result of an add or delete by a packet
 * @slot: the slot, from kcuckoo_slot_get_counted()
 * @ret: the result of kcuckoo_packet_add() or kcuckoo_packet_del(); or -ENOENT if the
 *	slot has no filter
 * @done: the counter to increment if @ret is 1: an address was added or deleted
 *
 * Context: any but hard interrupts.
 * Return: @ret.
 */
int kcuckoo_slot_count(struct kcuckoo_slot *slot, int ret, u64 __percpu *done)
{
	if (ret > 0)
		this_cpu_inc(*done);
	else if (ret == -ENOSPC)
		this_cpu_inc(slot->packet_stats->full);
	else if (ret == -EBUSY)
		this_cpu_inc(slot->packet_stats->limited);
	else if (ret < 0)
		this_cpu_inc(slot->packet_stats->refused);
	if (ret < 0)
		kcuckoo_event_packets(slot);
	return ret;
}

/**
 * kcuckoo_slot_packet_stats() - sum up the statistics of packets of a slot
 * @slot: the slot
 * @info: in: the fields packet_*, zeroed; out: the sums over all CPUs
 *
 * Context: under the lock of @slot's namespace.
 */
void kcuckoo_slot_packet_stats(const struct kcuckoo_slot *slot,
			       struct kcuckoo_ioc_info *info)
{
	const struct kcuckoo_packet_stats *stats;
	unsigned int cpu;

	lockdep_assert_held(&slot->net->lock);
	if (!slot->packet_stats)
		return;
	for_each_possible_cpu(cpu) {
		stats = per_cpu_ptr(slot->packet_stats, cpu);
		info->packet_added += READ_ONCE(stats->added);
		info->packet_deleted += READ_ONCE(stats->deleted);
		info->packet_full += READ_ONCE(stats->full);
		info->packet_limited += READ_ONCE(stats->limited);
		info->packet_refused += READ_ONCE(stats->refused);
	}
}

/**
 * kcuckoo_net_get_packet_stats() - get the statistics of packets of a name
 * @net: the namespace's object
 * @info: in: the name, zero-padded, and the fields packet_*, zeroed; out: the sums over
 *	all CPUs. The fields stay zero if the name has no slot, or if no other module has
 *	called kcuckoo_get() for the name: packets add and delete addresses only through
 *	other modules
 *
 * Context: process context, may sleep.
 */
void kcuckoo_net_get_packet_stats(struct kcuckoo_net *net,
				  struct kcuckoo_ioc_info *info)
{
	const struct kcuckoo_slot *slot;

	mutex_lock(&net->lock);
	slot = kcuckoo_slot_find(net, info->name);
	if (slot)
		kcuckoo_slot_packet_stats(slot, info);
	mutex_unlock(&net->lock);
}
