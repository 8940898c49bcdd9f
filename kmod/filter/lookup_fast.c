// SPDX-License-Identifier: GPL-2.0-only
/*
 * The look-up in a table of the fast path.
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
 * All that it calls is inline, and nothing goes through memory.
 *
 * A small host bitmap is asked first, as nearly all that are not in the table end
 * there. Any other one is for a table that is larger than the processor's caches.
 * That is asked for before the index is, of which it cannot be foreseen what it
 * will say; where that is no, nobody waits for the table. Nor is the table to drive
 * the index out of the caches: each of its lines is wanted far less often.
 *
 * Whatever was read since the sequence count counts only if no write overlapped:
 * another length may have got members, and this table may have lost its own.
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
