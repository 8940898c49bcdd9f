// SPDX-License-Identifier: GPL-2.0-only
/*
 * Glances: the one look-up that is done.
 */
#include <linux/errno.h>

#include "glance.h"
#include "pair.h"

/**
 * kcuckoo_glance_table() - look up in the only table of a family
 * @filter: the filter
 * @table: the table of a prompt store
 * @number: address bits of the key
 *
 * All that it calls is inline, and nothing goes through memory.
 *
 * The table was found before the sequence count is read: one that has been
 * replaced since is as it was then, and nobody writes to it.
 *
 * Context: inside rcu_read_lock(); any context but hard interrupts.
 * Return: 1 if the key is a member, 0 if not, -EAGAIN if a write overlapped.
 */
int kcuckoo_glance_table(const struct kcuckoo_filter *filter,
			 const struct kcuckoo_table *table, u32 number)
{
	const struct kcuckoo_quick *quick = filter->quick;
	struct kcuckoo_pair pair;
	unsigned int seq;
	bool hit;

	pair = kcuckoo_pair_of_ipv4(table, quick,
				    kcuckoo_permute_ipv4(quick, number));
	seq = raw_seqcount_begin(&filter->seq);
	hit = kcuckoo_pair_contained(table, &pair);
	return read_seqcount_retry(&filter->seq, seq) ? -EAGAIN : hit;
}
