/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Search for a free entry: frees an entry for a key whose two buckets are full, by moving
 * other entries to their alternate buckets (relocation).
 *
 * The caller first calls kcuckoo_search_find(), which only reads the table and finds a
 * path: a chain of moves that frees an entry in one of the two buckets. Then the caller
 * calls kcuckoo_search_hop(), which does one move of the path, until kcuckoo_search_hops()
 * returns false. After that the place @vacant of the search is free for the key.
 *
 * A long search goes on in several sections. While a search is open, that is, has not
 * ended, its caller ensures that no other search uses the same struct kcuckoo_search. Other
 * writers can change the table between two sections. So kcuckoo_search_find() checks a path
 * that it has found in several sections.
 */
#ifndef _KCUCKOO_SEARCH_H
#define _KCUCKOO_SEARCH_H

#include <linux/compiler.h>

#include "core/table.h"

/**
 * struct kcuckoo_search_node - a bucket in the queue of a search
 * @bucket: number of the bucket
 * @parent: index of the node of the bucket from which the search reached this bucket;
 *	meaningless for the two buckets of the key
 * @entry: index of the entry that can move from the parent's bucket to this bucket;
 *	meaningless for the two buckets of the key
 *
 * A node is packed because nodes are most of the memory of a small filter.
 */
struct kcuckoo_search_node {
	u32 bucket;
	u16 parent : 13;
	u16 entry : 3;
} __packed __aligned(2);

/*
 * Maximum number of buckets in the queue that the search has not read yet. The search
 * visits a bucket only if at most KCUCKOO_BUCKET_SIZE_MAX buckets of the queue are unread,
 * and a visit adds at most KCUCKOO_BUCKET_SIZE_MAX buckets.
 */
#define KCUCKOO_SEARCH_AHEAD	(2 * KCUCKOO_BUCKET_SIZE_MAX)

/**
 * struct kcuckoo_search - memory of a search, and the path that it found
 * @limit: maximum number of buckets to visit, 2..KCUCKOO_SEARCH_VISITS
 * @open: true if the search has not ended: the next call of kcuckoo_search_find() continues
 *	the search. A caller that does not continue the search sets @open to false
 * @last: after a path was found: index of the last node of the path; each move removes
 *	the last node
 * @vacant: after a path was found: the free place in the bucket of @last
 * @looked: until a path is found: number of buckets that were read
 * @visited: until a path is found: number of buckets that were visited
 * @reached: until a path is found: number of buckets that were put into the queue
 * @node: the queue: @limit nodes, beginning with the buckets of the key, and then
 *	KCUCKOO_SEARCH_AHEAD nodes for all later buckets of the queue; the search reads but
 *	does not visit these buckets, so their nodes can be reused
 */
struct kcuckoo_search {
	u16 limit;
	bool open;
	union {
		u32 last;
		u32 looked;
	};
	union {
		u64 vacant;
		struct {
			u32 visited;
			u32 reached;
		};
	};
	struct kcuckoo_search_node node[];
};

/**
 * kcuckoo_search_bytes() - get the size of the memory of a search
 * @limit: maximum number of buckets to visit
 *
 * Return: size in bytes.
 */
static inline size_t kcuckoo_search_bytes(u32 limit)
{
	return sizeof(struct kcuckoo_search) +
	       (limit + KCUCKOO_SEARCH_AHEAD) *
	       sizeof(struct kcuckoo_search_node);
}

bool kcuckoo_search_find(struct kcuckoo_search *search,
			 const struct kcuckoo_table *table,
			 const struct kcuckoo_probe *probe, u32 *reads);
void kcuckoo_search_hop(struct kcuckoo_search *search,
			struct kcuckoo_table *table);

/**
 * kcuckoo_search_hops() - check whether the path has moves that are not done
 * @search: a search that has found a path
 *
 * Return: false if @search->vacant is in a bucket of the key, else true.
 */
static inline bool kcuckoo_search_hops(const struct kcuckoo_search *search)
{
	return search->last >= 2;
}

#endif /* _KCUCKOO_SEARCH_H */
