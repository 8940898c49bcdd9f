// SPDX-License-Identifier: GPL-2.0-only
/*
 * What packets did with the filters of a name: added, deleted, and in vain.
 *
 * Each CPU counts for itself. A flood for which there is no room, or which is over
 * the limit, would otherwise have all of them wait for one counter.
 */
#include <linux/err.h>
#include <linux/percpu.h>

#include "net/slot.h"

/**
 * kcuckoo_slot_get_counted() - become a user whose packets change the filter
 * @net: the namespace's object
 * @name: the name, zero-padded and valid
 *
 * Context: as for kcuckoo_slot_get().
 * Return: as kcuckoo_slot_get(); what packets do is counted from now on.
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
 * kcuckoo_slot_count() - count what became of an add or delete
 * @slot: the slot, held by kcuckoo_slot_get_counted()
 * @ret: what kcuckoo_packet_add() or kcuckoo_packet_del() returned
 * @done: the counter of those that changed something
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
	return ret;
}

/**
 * kcuckoo_slot_packet_stats() - say what packets did with the filters of a name
 * @slot: the slot
 * @info: its figures of packets are zero; out: what they are
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
 * kcuckoo_net_get_packet_stats() - get what packets did with a name
 * @net: the namespace's object
 * @info: its name, zero-padded; out: its figures of packets, none where the name
 *	is gone
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
