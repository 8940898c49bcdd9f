/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Search for a free entry by moving others (relocation), in two steps: a search
 * that only reads and finds a path, and its commit, one move at a time.
 */
#ifndef _KCUCKOO_SEARCH_H
#define _KCUCKOO_SEARCH_H

#include <linux/compiler.h>

#include "core/table.h"

/**
 * struct kcuckoo_search_node - a bucket that the search has reached
 * @bucket: the bucket
 * @parent: index of the visited node from which it was reached
 * @entry: the entry of the parent's bucket whose alternate this bucket is
 *
 * Every filter has memory for a thousand nodes, which is most of the memory of
 * a small filter.
 */
struct kcuckoo_search_node {
	u32 bucket;
	u16 parent : 13;
	u16 entry : 3;
} __packed __aligned(2);

/*
 * Maximum number of buckets in the queue that were reached, and not yet read.
 */
#define KCUCKOO_SEARCH_AHEAD	(2 * KCUCKOO_BUCKET_SIZE_MAX)

/**
 * struct kcuckoo_search - memory of a search, and the path that it found
 * @limit: maximum number of buckets to visit, 2..KCUCKOO_SEARCH_VISITS
 * @last: index of the node where the remaining path begins
 * @vacant: the free place in that node's bucket
 * @node: @limit buckets in the order in which they were reached, of which the
 *	first two are the buckets of the key, and KCUCKOO_SEARCH_AHEAD more that
 *	are not visited
 */
struct kcuckoo_search {
	u32 limit;
	u32 last;
	u64 vacant;
	struct kcuckoo_search_node node[];
};

/**
 * kcuckoo_search_bytes() - get the size of a search
 * @limit: maximum number of buckets to visit
 *
 * Return: size of a struct kcuckoo_search with that limit, in bytes.
 */
static inline size_t kcuckoo_search_bytes(u32 limit)
{
	return sizeof(struct kcuckoo_search) +
	       (limit + KCUCKOO_SEARCH_AHEAD) *
	       sizeof(struct kcuckoo_search_node);
}

bool kcuckoo_search_find(struct kcuckoo_search *search,
			 const struct kcuckoo_table *table,
			 const struct kcuckoo_probe *probe);
void kcuckoo_search_hop(struct kcuckoo_search *search,
			struct kcuckoo_table *table);

/**
 * kcuckoo_search_hops() - check whether moves are left to do
 * @search: a search that has found a path
 *
 * Return: true until @search->vacant is in one of the key's own buckets.
 */
static inline bool kcuckoo_search_hops(const struct kcuckoo_search *search)
{
	return search->last >= 2;
}

#endif /* _KCUCKOO_SEARCH_H */
