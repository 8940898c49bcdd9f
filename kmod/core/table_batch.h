/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Looks up many keys in one table, and prefetches their buckets.
 *
 * Keys are processed in groups. The buckets of one group are prefetched before the
 * buckets of the previous group are read, so that a look-up seldom waits for memory. Each
 * group is processed by two short loops: one loop prefetches and the other loop reads. A
 * single loop that prefetches the buckets of one key and reads the buckets of another key
 * took a quarter longer.
 */
#ifndef _KCUCKOO_TABLE_BATCH_H
#define _KCUCKOO_TABLE_BATCH_H

#include "core/bucket_pair.h"

/*
 * Number of keys of a group. selftests/bench/batch.c is fastest with groups of 32 or 64
 * keys. It takes an eighth longer with groups of 16 keys, and three quarters longer with
 * groups of 8 keys.
 */
#define KCUCKOO_TABLE_BATCH_GROUP	32

static __always_inline void
kcuckoo_table_batch_prefetch(const struct kcuckoo_table *table,
			     struct kcuckoo_bucket_pair *group,
			     u64 first, u64 end,
			     struct kcuckoo_bucket_pair
			     (*pair)(const void *context, u64 key),
			     const void *context)
{
	u64 key;

	for (key = first; key < end; key++) {
		struct kcuckoo_bucket_pair next = pair(context, key);

		kcuckoo_bucket_pair_prefetch(table, &next);
		group[key - first] = next;
	}
}

static __always_inline void
kcuckoo_table_batch_read(const struct kcuckoo_table *table,
			 const struct kcuckoo_bucket_pair *group, u64 first,
			 u64 end,
			 void (*emit)(void *context, u64 key, bool found),
			 void *context)
{
	u64 key;

	for (key = first; key < end; key++)
		emit(context, key,
		     kcuckoo_bucket_pair_contained(table, &group[key - first]));
}

/**
 * kcuckoo_table_batch() - look up many keys
 * @table: a table for which @table->tags_only is set
 * @count: number of keys
 * @pair: returns the pair (bucket_pair.h) of the key with index @key, 0..@count - 1;
 *	called once for each key. Must be an __always_inline function: gcc then emits
 *	no indirect calls
 * @emit: receives the result of the key with index @key; called once for each key, in
 *	the order of the indices. Must be an __always_inline function
 * @context: argument of @pair and @emit
 *
 * Context: readers without a lock have to check that no write overlapped.
 */
static __always_inline void
kcuckoo_table_batch(const struct kcuckoo_table *table, u64 count,
		    struct kcuckoo_bucket_pair (*pair)(const void *context,
						       u64 key),
		    void (*emit)(void *context, u64 key, bool found),
		    void *context)
{
	struct kcuckoo_bucket_pair group[2][KCUCKOO_TABLE_BATCH_GROUP];
	unsigned int turn = 0;
	u64 prefetched = 0;
	u64 done = 0;

	while (done < count) {
		u64 first = prefetched;

		prefetched = count - first < KCUCKOO_TABLE_BATCH_GROUP ?
			count : first + KCUCKOO_TABLE_BATCH_GROUP;
		kcuckoo_table_batch_prefetch(table, group[turn], first, prefetched,
					     pair, context);
		turn ^= 1;
		kcuckoo_table_batch_read(table, group[turn], done, first, emit,
					 context);
		done = first;
	}
}

#endif /* _KCUCKOO_TABLE_BATCH_H */
