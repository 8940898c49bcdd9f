// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds entries of a table that can move, and moves them, so that an entry becomes free
 * for a key whose two buckets are full. search.h explains paths and open searches, and
 * limits.h explains visits (KCUCKOO_SEARCH_VISITS).
 *
 * The search is breadth first, so one call of kcuckoo_search_find() finds a shortest path of
 * moves. Compared with random moves (Fan et al., algorithm 1), tables reach a higher load and
 * fewer entries move. The main advantage is that a search that fails has changed nothing.
 *
 * The caller holds the filter's lock from the call that finds the path to the last move, so
 * the path stays valid.
 */
#include <linux/build_bug.h>

#include "core/bucket_pair.h"
#include "core/search.h"

/* The bit fields of struct kcuckoo_search_node must be wide enough. */
static_assert(KCUCKOO_SEARCH_VISITS <= 1 << 13);
static_assert(KCUCKOO_BUCKET_SIZE_MAX <= 1 << 3);

/*
 * Returns the index in @search->node of the bucket at @position of the queue. Buckets from
 * position @search->limit on are read but never visited, so later buckets reuse the memory
 * of their nodes.
 */
static u32 kcuckoo_search_index(const struct kcuckoo_search *search, u32 position)
{
	if (position < search->limit)
		return position;
	return search->limit + position % KCUCKOO_SEARCH_AHEAD;
}

static void kcuckoo_search_reach(struct kcuckoo_search *search,
				 const struct kcuckoo_table *table,
				 const struct kcuckoo_search_node *node)
{
	search->node[kcuckoo_search_index(search, search->reached++)] = *node;
	kcuckoo_table_prefetch_bucket(table, node->bucket);
}

static void kcuckoo_search_begin(struct kcuckoo_search *search,
				 const struct kcuckoo_table *table,
				 const struct kcuckoo_probe *probe)
{
	struct kcuckoo_search_node node = {};
	unsigned int i;

	search->looked = 0;
	search->visited = 0;
	search->reached = 0;
	for (i = 0; i < 2; i++) {
		node.bucket = probe->bucket[i];
		kcuckoo_search_reach(search, table, &node);
	}
}

static bool kcuckoo_search_continues(const struct kcuckoo_search *search,
				     const struct kcuckoo_probe *probe)
{
	return search->open && search->node[0].bucket == probe->bucket[0] &&
	       search->node[1].bucket == probe->bucket[1];
}

/*
 * Visits the next bucket: puts the alternates of its entries into the queue. A bucket can
 * have free entries if other writers changed it between two sections of the search.
 */
static void kcuckoo_search_visit(struct kcuckoo_search *search,
				 const struct kcuckoo_table *table)
{
	unsigned int entries = 1U << table->params.bucket_shift;
	struct kcuckoo_search_node node = { .parent = search->visited };
	u32 bucket = search->node[search->visited++].bucket;
	u64 tags[KCUCKOO_BUCKET_SIZE_MAX];
	unsigned int i;

	kcuckoo_table_bucket_tags(table, bucket, tags);
	for (i = 0; i < entries; i++) {
		if (!tags[i])
			continue;
		node.bucket = kcuckoo_table_alternate(table, bucket, tags[i]);
		node.entry = i;
		if (node.bucket != bucket)
			kcuckoo_search_reach(search, table, &node);
	}
}

/*
 * Visits buckets that were read. Stops if all of these or @search->limit buckets were
 * visited, or if the queue has more unread buckets than a bucket has entries.
 */
static void kcuckoo_search_visit_next(struct kcuckoo_search *search,
				      const struct kcuckoo_table *table)
{
	unsigned int entries = 1U << table->params.bucket_shift;

	while (search->visited < search->looked &&
	       search->visited < search->limit &&
	       search->reached - search->looked <= entries)
		kcuckoo_search_visit(search, table);
}

/*
 * Returns true if an entry of the bucket before @node on the path can still move to the
 * bucket of @node, and sets @node->entry to the index of this entry.
 */
static bool kcuckoo_search_check_node(const struct kcuckoo_search *search,
				      const struct kcuckoo_table *table,
				      struct kcuckoo_search_node *node)
{
	unsigned int entries = 1U << table->params.bucket_shift;
	u32 bucket = search->node[node->parent].bucket;
	u64 tags[KCUCKOO_BUCKET_SIZE_MAX];
	unsigned int i;

	kcuckoo_table_bucket_tags(table, bucket, tags);
	for (i = 0; i < entries; i++) {
		if (tags[i] && kcuckoo_table_alternate(table, bucket, tags[i]) ==
			       node->bucket) {
			node->entry = i;
			return true;
		}
	}
	return false;
}

/*
 * Returns true if the bucket of node @index occurs a second time on the path from this
 * node back to the key. The queue can have a bucket several times, and a path can have such
 * a bucket twice if other writers changed the bucket between two sections. One move of this
 * path could undo or change another move.
 */
static bool kcuckoo_search_repeats(const struct kcuckoo_search *search,
				   u32 index)
{
	u32 bucket = search->node[index].bucket;

	while (index >= 2) {
		index = search->node[index].parent;
		if (search->node[index].bucket == bucket)
			return true;
	}
	return false;
}

/*
 * Returns true if the path to node @index has at most KCUCKOO_SEARCH_HOPS_MAX moves and
 * is still valid: other writers can have changed the buckets of the path between two
 * sections.
 */
static bool kcuckoo_search_valid(struct kcuckoo_search *search,
				 const struct kcuckoo_table *table, u32 index)
{
	unsigned int hops;

	for (hops = 0; index >= 2; hops++) {
		if (hops == KCUCKOO_SEARCH_HOPS_MAX ||
		    kcuckoo_search_repeats(search, index) ||
		    !kcuckoo_search_check_node(search, table,
					       &search->node[index]))
			return false;
		index = search->node[index].parent;
	}
	return true;
}

/*
 * Reads the next bucket of the queue, and returns a free place of the bucket. Returns
 * KCUCKOO_NO_PLACE if the bucket has no free place, or if @check is set and
 * kcuckoo_search_valid() rejects the path to the bucket.
 */
static u64 kcuckoo_search_look(struct kcuckoo_search *search,
			       const struct kcuckoo_table *table, bool check)
{
	u32 index = kcuckoo_search_index(search, search->looked++);
	u64 place = kcuckoo_table_bucket_vacant(table,
						search->node[index].bucket);

	if (place != KCUCKOO_NO_PLACE && check &&
	    !kcuckoo_search_valid(search, table, index))
		return KCUCKOO_NO_PLACE;
	return place;
}

/* Ends a search that has found the free place @vacant in the last bucket that it read. */
static void kcuckoo_search_end(struct kcuckoo_search *search, u64 vacant)
{
	search->last = kcuckoo_search_index(search, search->looked - 1);
	search->vacant = vacant;
	search->open = false;
}

/**
 * kcuckoo_search_find() - find a path of moves that frees an entry for a key
 * @search: in: memory for the search, with @limit; out: the path
 * @table: the table, which is only read
 * @probe: the key's probe for this table
 * @reads: in: number of reads that the search may spend; out: rest of this number. Reading a
 *	bucket costs one read; with one entry per bucket it costs two, because the search then
 *	waits for the memory of each bucket
 *
 * The search reads each bucket in the queue, and stops at the first bucket with a free
 * entry. The search also visits up to @search->limit of the buckets, that is, it puts the
 * alternates of their entries at the end of the queue and prefetches these alternates. A path
 * that one call finds is a shortest one: it has no bucket twice, so no move of the path
 * affects another move. A path of several calls is checked (kcuckoo_search_valid()).
 *
 * If @reads is spent and the search has not ended, sets @search->open. The next call with the
 * same key continues the search, possibly in another section.
 *
 * Context: the writer.
 * Return: true if a path was found.
 */
bool kcuckoo_search_find(struct kcuckoo_search *search,
			 const struct kcuckoo_table *table,
			 const struct kcuckoo_probe *probe, u32 *reads)
{
	u32 cost = table->params.bucket_shift ? 1 : 2;
	bool check = kcuckoo_search_continues(search, probe);
	u64 vacant;

	kcuckoo_lock_budget_search(table->params.sorted ?
				   KCUCKOO_SEARCH_READS_SORTED :
				   KCUCKOO_SEARCH_READS_ONCE,
				   1U << table->params.bucket_shift);
	if (!check)
		kcuckoo_search_begin(search, table, probe);
	while (search->looked < search->reached) {
		search->open = *reads < cost;
		if (search->open)
			return false;
		*reads -= cost;
		vacant = kcuckoo_search_look(search, table, check);
		if (vacant != KCUCKOO_NO_PLACE) {
			kcuckoo_search_end(search, vacant);
			return true;
		}
		kcuckoo_search_visit_next(search, table);
	}
	search->open = false;
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
