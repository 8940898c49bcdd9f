/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A pipeline of look-ups: the memory of the buckets of a group of keys is asked for
 * before those of the group before it are read.
 *
 * A batch takes as long as its instructions where the memory keeps up, so there are
 * two short loops in which next to nothing is counted, rather than one in which a key
 * goes in and another one comes out: that took a quarter longer.
 */
#ifndef _KCUCKOO_PIPELINE_H
#define _KCUCKOO_PIPELINE_H

#include "core/pair.h"

/*
 * Keys of a group. Measured with 8 to 256, in tables of 256 KB, 16 MB and 192 MB: 32
 * and 64 are the fastest, 16 take an eighth longer, and 8 three quarters.
 */
#define KCUCKOO_PIPELINE_DEPTH	32

/* Asks for the memory of a group of keys. */
static __always_inline void
kcuckoo_pipeline_ask(const struct kcuckoo_table *table,
		     struct kcuckoo_pair *group, u64 first, u64 end,
		     struct kcuckoo_pair (*pair)(const void *context, u64 key),
		     const void *context)
{
	u64 key;

	for (key = first; key < end; key++) {
		struct kcuckoo_pair next = pair(context, key);

		kcuckoo_pair_prefetch(table, &next);
		group[key - first] = next;
	}
}

/* Reads it. */
static __always_inline void
kcuckoo_pipeline_read(const struct kcuckoo_table *table,
		      const struct kcuckoo_pair *group, u64 first, u64 end,
		      void (*take)(void *context, u64 key, bool found),
		      void *context)
{
	u64 key;

	for (key = first; key < end; key++)
		take(context, key,
		     kcuckoo_pair_contained(table, &group[key - first]));
}

/**
 * kcuckoo_pipeline() - look up many keys
 * @table: a table with @tags_only set
 * @count: how many keys
 * @pair: always inline: tells where a key can be, of which it gets the number, from
 *	0 on
 * @take: always inline: takes for each number, in their order, whether the key is in
 *	the table
 * @context: what these two get
 *
 * Context: readers without a lock have to check that no write overlapped.
 */
static __always_inline void
kcuckoo_pipeline(const struct kcuckoo_table *table, u64 count,
		 struct kcuckoo_pair (*pair)(const void *context, u64 key),
		 void (*take)(void *context, u64 key, bool found),
		 void *context)
{
	struct kcuckoo_pair group[2][KCUCKOO_PIPELINE_DEPTH];
	unsigned int turn = 0;
	u64 asked = 0;
	u64 taken = 0;

	while (taken < count) {
		u64 first = asked;

		asked = count - first < KCUCKOO_PIPELINE_DEPTH ?
			count : first + KCUCKOO_PIPELINE_DEPTH;
		kcuckoo_pipeline_ask(table, group[turn], first, asked, pair,
				     context);
		turn ^= 1;
		kcuckoo_pipeline_read(table, group[turn], taken, first, take,
				      context);
		taken = first;
	}
}

#endif /* _KCUCKOO_PIPELINE_H */
