// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fast path of look-ups by packets: look up an IPv4 address in one table.
 */
#include <linux/errno.h>

#include "core/bucket_pair.h"
#include "filter/lookup_fast.h"

/**
 * kcuckoo_lookup_fast_table() - look up an IPv4 address in the only IPv4 table of a filter
 * @filter: the filter
 * @table: the table of a store whose @fast_exact is set
 * @index: length index of IPv4, or NULL
 * @number: the address
 * @seq: sequence count of the filter, read before the pointer to the table was read
 *
 * A small host bitmap (core/length_index.h) answers most misses, so it is read before the
 * table is prefetched. A large host bitmap belongs to a large table, which is prefetched
 * first, because the processor cannot predict the bit. If the bit is 0, the look-up does
 * not wait for the prefetch. kcuckoo_bucket_pair_prefetch_once() helps to keep the bitmap in
 * the caches: a cache line of the table is used far less often than one of the bitmap.
 *
 * The function checks @seq at its end: a write can have added members of another prefix
 * length, and removed all members of this table.
 *
 * Context: inside rcu_read_lock(); any context but hard interrupts.
 * Return: 1 if the address is a member; 0 if it is not a member; -EAGAIN if a write
 * overlapped.
 */
int kcuckoo_lookup_fast_table(const struct kcuckoo_filter *filter,
			      const struct kcuckoo_table *table,
			      const struct kcuckoo_index *index, u32 number,
			      unsigned int seq)
{
	const struct kcuckoo_mulhash *mulhash = filter->mulhash;
	bool small = index && index->core.params.small;
	struct kcuckoo_bucket_pair pair;
	bool hit = false;

	if (small && !kcuckoo_length_index_may_contain(&index->core, number))
		goto out;
	pair = kcuckoo_bucket_pair_of_ipv4(table, mulhash,
					   kcuckoo_permute_ipv4(mulhash,
								number));
	if (index && !small) {
		kcuckoo_bucket_pair_prefetch_once(table, &pair);
		if (!kcuckoo_length_index_may_contain(&index->core, number))
			goto out;
	}
	hit = kcuckoo_bucket_pair_contained(table, &pair);
out:
	return read_seqcount_retry(&filter->seq, seq) ? -EAGAIN : hit;
}
