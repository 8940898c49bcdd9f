// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds entries of a table that can move, and moves them, so that an entry becomes free
 * for a key whose two buckets are full.
 *
 * The search is breadth first, so it finds a shortest path of moves. Compared with
 * random moves (Fan et al., algorithm 1), it fills tables further and moves fewer
 * entries. The main advantage is that a search that fails has changed nothing.
 *
 * Called by filter/ and rehash.c for adds. The caller holds the filter's lock from the
 * search to the last move, so the path stays valid.
 */
#include <linux/build_bug.h>

#include "core/bucket_pair.h"
#include "core/search.h"

/* The bit fields of struct kcuckoo_search_node must be wide enough. */
static_assert(KCUCKOO_SEARCH_VISITS <= 1 << 13);
static_assert(KCUCKOO_BUCKET_SIZE_MAX <= 1 << 3);

/*
 * Returns the index in @search->node of bucket number @number of the queue. Buckets
 * from number @search->limit on are read but never visited. Their nodes are needed only
 * for a short time, so later buckets reuse the memory of these nodes.
 */
static u32 kcuckoo_search_slot(const struct kcuckoo_search *search, u32 number)
{
	if (number < search->limit)
		return number;
	return search->limit + number % KCUCKOO_SEARCH_AHEAD;
}

/* Puts a bucket into the queue, as number @number, and prefetches it. */
static void kcuckoo_search_reach(struct kcuckoo_search *search,
				 const struct kcuckoo_table *table, u32 number,
				 const struct kcuckoo_search_node *node)
{
	search->node[kcuckoo_search_slot(search, number)] = *node;
	kcuckoo_table_prefetch_bucket(table, node->bucket);
}

/*
 * Visits a bucket: puts the alternates of its entries into the queue. @visited is the
 * number of the bucket in the queue; @reached is the length of the queue. Returns the new
 * length.
 */
static u32 kcuckoo_search_visit(struct kcuckoo_search *search,
				const struct kcuckoo_table *table, u32 visited,
				u32 reached)
{
	unsigned int entries = 1U << table->params.bucket_shift;
	u32 bucket = search->node[visited].bucket;
	struct kcuckoo_search_node node = { .parent = visited };
	u64 tags[KCUCKOO_BUCKET_SIZE_MAX];
	unsigned int i;

	kcuckoo_table_bucket_tags(table, bucket, tags);
	for (i = 0; i < entries; i++) {
		node.bucket = kcuckoo_table_alternate(table, bucket, tags[i]);
		node.entry = i;
		if (node.bucket != bucket)
			kcuckoo_search_reach(search, table, reached++, &node);
	}
	return reached;
}

/*
 * Reads bucket @number of the queue. Returns true if it has a free entry: the path
 * ends.
 */
static bool kcuckoo_search_look(struct kcuckoo_search *search,
				const struct kcuckoo_table *table, u32 number)
{
	search->last = kcuckoo_search_slot(search, number);
	search->vacant = kcuckoo_table_bucket_vacant(table,
						     search->node[search->last]
						     .bucket);
	return search->vacant != KCUCKOO_NO_PLACE;
}

/**
 * kcuckoo_search_find() - find a path of moves that frees an entry for a key
 * @search: in: memory for the search, with @limit; out: the path
 * @table: the table, which is only read
 * @probe: the key's probe for this table
 *
 * The queue begins with the two buckets of the key. The search reads each bucket in the
 * queue, and stops at the first one with a free entry. It also visits up to
 * @search->limit of the buckets, that is, it puts the alternates of their entries at the
 * end of the queue and prefetches them. A shortest path never has a bucket twice, so no
 * move of the path affects another one.
 *
 * Context: the writer.
 * Return: true if a path was found.
 */
bool kcuckoo_search_find(struct kcuckoo_search *search,
			 const struct kcuckoo_table *table,
			 const struct kcuckoo_probe *probe)
{
	unsigned int entries = 1U << table->params.bucket_shift;
	struct kcuckoo_search_node node = {};
	u32 reached = 0;
	u32 visited = 0;
	u32 looked = 0;

	kcuckoo_lock_budget_search(entries);
	for (; reached < 2; reached++) {
		node.bucket = probe->bucket[reached];
		kcuckoo_search_reach(search, table, reached, &node);
	}
	while (looked < reached) {
		if (kcuckoo_search_look(search, table, looked++))
			return true;
		while (visited < looked && visited < search->limit &&
		       reached - looked <= entries)
			reached = kcuckoo_search_visit(search, table, visited++,
						       reached);
	}
	return false;
}

/**
 * kcuckoo_search_hop() - do the next move of a path
 * @search: a search that has found a path; since then only moves of this path have
 *	changed the table
 * @table: the table
 *
 * The moves begin at the end of the path: an entry moves to the free place
 * @search->vacant, and its previous place becomes the free place of the next move.
 *
 * Context: the writer, in a write section if readers can see the table.
 */
void kcuckoo_search_hop(struct kcuckoo_search *search,
			struct kcuckoo_table *table)
{
	const struct kcuckoo_search_node *node = &search->node[search->last];
	u32 bucket = search->node[node->parent].bucket;
	u64 from;

	from = ((u64)bucket << table->params.bucket_shift) + node->entry;
	kcuckoo_table_move(table, from, search->vacant);
	search->vacant = from;
	search->last = node->parent;
}
