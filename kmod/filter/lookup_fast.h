/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Inline fast path of look-ups by packets. If the fast path cannot decide whether an
 * address is a member or covered by a member, it returns -EAGAIN, and the caller has to
 * look the address up by kcuckoo_filter_contains() (lookup.c).
 *
 * Many filters have no layer for the family of a packet. Then a function call would take
 * longer than the look-up itself, so the functions of this file are inline.
 */
#ifndef _KCUCKOO_LOOKUP_FAST_H
#define _KCUCKOO_LOOKUP_FAST_H

#include <linux/errno.h>

#include "filter/filter.h"

int kcuckoo_lookup_fast_table(const struct kcuckoo_filter *filter,
			      const struct kcuckoo_table *table,
			      const struct kcuckoo_index *index, u32 number,
			      unsigned int seq);

/**
 * kcuckoo_lookup_fast_ipv4() - look up an IPv4 address on the fast path
 * @filter: the filter
 * @address: the address
 *
 * Context: inside rcu_read_lock(); any context but hard interrupts.
 * Return: 1 if the address is a member; 0 if the address is neither a member nor covered
 * by a member; -EAGAIN if kcuckoo_filter_contains() is needed. For a filter of byte
 * strings always 0 or -EAGAIN.
 */
static inline int
kcuckoo_lookup_fast_ipv4(const struct kcuckoo_filter *filter, u32 address)
{
	const struct kcuckoo_table_set *table_set;
	const struct kcuckoo_layer *layer;
	unsigned int seq;

	table_set = rcu_dereference(filter->table_set);
	/* One word needs no check: at one time in this call, the filter had no IPv4 layer. */
	if (!READ_ONCE(table_set->lengths[0]))
		return 0;
	/* A write after the first read can have added a layer, so read the word again. */
	seq = raw_seqcount_begin(&filter->seq);
	if (READ_ONCE(table_set->lengths[0]) != BIT_ULL(32))
		return -EAGAIN;
	layer = rcu_dereference(table_set->layer[32]);
	if (!layer || !layer->store.fast_exact)
		return -EAGAIN;
	return kcuckoo_lookup_fast_table(filter, &layer->store.table,
					 rcu_dereference(table_set->index[0]),
					 address, seq);
}

/**
 * kcuckoo_lookup_fast_ipv6() - check on the fast path that a filter has no IPv6 layer
 * @filter: the filter
 *
 * Context: inside rcu_read_lock(); any context but hard interrupts.
 * Return: 0 if the filter has no layer for IPv6, so that no IPv6 address is a member or
 * covered by a member; -EAGAIN if it has such a layer, or if a write overlapped.
 */
static inline int
kcuckoo_lookup_fast_ipv6(const struct kcuckoo_filter *filter)
{
	unsigned int seq = raw_seqcount_begin(&filter->seq);
	const struct kcuckoo_table_set *table_set;

	table_set = rcu_dereference(filter->table_set);
	if (READ_ONCE(table_set->lengths[1]) |
	    READ_ONCE(table_set->lengths[2]) |
	    READ_ONCE(table_set->lengths[3]))
		return -EAGAIN;
	/*
	 * During the reads, a write can add a layer whose word was already read. Then a
	 * compaction can remove a layer whose word was not read yet. The reads would find
	 * neither layer, although the filter had one of them all the time.
	 */
	return read_seqcount_retry(&filter->seq, seq) ? -EAGAIN : 0;
}

#endif /* _KCUCKOO_LOOKUP_FAST_H */
