// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fast path of look-ups by packets: the look-up in the table.
 */
#include <linux/errno.h>

#include "core/bucket_pair.h"
#include "filter/lookup_fast.h"

/**
 * kcuckoo_lookup_fast_table() - look up in the only table of a family
 * @filter: the filter
 * @table: the table of a store with @fast_exact set
 * @index: the family's length index, or NULL
 * @number: address bits of the key
 * @seq: the filter's sequence count before the table was found
 *
 * All functions that it calls are inline, and all values stay in registers.
 *
 * A small host bitmap is read first, as it answers nearly all misses. Any other index is
 * for a table that is larger than the caches of the processor. The table is prefetched
 * before this index is read, as the result of the index cannot be predicted; if it is a
 * miss, the look-up does not wait for the table. The prefetch must not evict the index
 * from the caches: each line of the table is used far less often.
 *
 * The result is valid only if no write overlapped since the sequence count was read:
 * otherwise another length may have members now, and this table may have none.
 *
 * Context: inside rcu_read_lock(); any context but hard interrupts.
 * Return: 1 if the key is a member, 0 if not, -EAGAIN if a write overlapped.
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
