/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Glances: look-ups that are done at once, or left to lookup.c.
 *
 * What most packets meet is a filter that has nothing of their family, or IPv4
 * addresses and nothing else. For these packets, to get from one function to the
 * next takes longer than to look; so all of this is inline, but for the look-up
 * itself, and needs no room on the stack.
 */
#ifndef _KCUCKOO_GLANCE_H
#define _KCUCKOO_GLANCE_H

#include <linux/errno.h>

#include "filter/filter.h"

int kcuckoo_glance_table(const struct kcuckoo_filter *filter,
			 const struct kcuckoo_table *table,
			 const struct kcuckoo_index *index, u32 number,
			 unsigned int seq);

/**
 * kcuckoo_glance_ipv4() - look an IPv4 address up if that is simple
 * @filter: the filter
 * @address: the address
 *
 * Context: inside rcu_read_lock(); any context but hard interrupts.
 * Return: 1 if it is a member, or covered by one; 0 if not, also in a filter of
 * byte strings; -EAGAIN where kcuckoo_filter_contains() has to be asked.
 */
static inline int kcuckoo_glance_ipv4(const struct kcuckoo_filter *filter,
				      u32 address)
{
	const struct kcuckoo_generation *generation;
	const struct kcuckoo_layer *layer;
	unsigned int seq;

	generation = rcu_dereference(filter->generation);
	if (!READ_ONCE(generation->lengths[0]))
		return 0;
	seq = raw_seqcount_begin(&filter->seq);
	if (READ_ONCE(generation->lengths[0]) != BIT_ULL(32))
		return -EAGAIN;
	layer = rcu_dereference(generation->layer[32]);
	if (!layer || !layer->store.prompt)
		return -EAGAIN;
	return kcuckoo_glance_table(filter, &layer->store.table,
				    rcu_dereference(generation->index[0]),
				    address, seq);
}

/**
 * kcuckoo_glance_ipv6() - look an IPv6 address up if that is simple
 * @filter: the filter
 *
 * Context: as kcuckoo_glance_ipv4().
 * Return: 0 in a filter that has nothing of IPv6, else -EAGAIN.
 */
static inline int kcuckoo_glance_ipv6(const struct kcuckoo_filter *filter)
{
	unsigned int seq = raw_seqcount_begin(&filter->seq);
	const struct kcuckoo_generation *generation;

	generation = rcu_dereference(filter->generation);
	if (READ_ONCE(generation->lengths[1]) |
	    READ_ONCE(generation->lengths[2]) |
	    READ_ONCE(generation->lengths[3]))
		return -EAGAIN;
	/* One length may have come in a word that was read, another gone since. */
	return read_seqcount_retry(&filter->seq, seq) ? -EAGAIN : 0;
}

#endif /* _KCUCKOO_GLANCE_H */
