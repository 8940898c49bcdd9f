// SPDX-License-Identifier: GPL-2.0-only
/*
 * Search for a free entry: breadth first, so that the path is a shortest one.
 *
 * Compared with random kicks (Fan et al., algorithm 1), it fills tables
 * further, moves fewer entries, and, above all, changes nothing when it fails.
 */
#include <linux/build_bug.h>

#include "core/bucket_pair.h"
#include "core/search.h"

/* The bit fields of a node are wide enough. */
static_assert(KCUCKOO_SEARCH_VISITS <= 1 << 13);
static_assert(KCUCKOO_BUCKET_SIZE_MAX <= 1 << 3);

/*
 * Returns the index of a node. The few after the limit are not visited, and
 * reused.
 */
static u32 kcuckoo_search_slot(const struct kcuckoo_search *search, u32 number)
{
	if (number < search->limit)
		return number;
	return search->limit + number % KCUCKOO_SEARCH_AHEAD;
}

/* Puts a bucket into the queue and prefetches it. */
static void kcuckoo_search_reach(struct kcuckoo_search *search,
				 const struct kcuckoo_table *table, u32 number,
				 const struct kcuckoo_search_node *node)
{
	search->node[kcuckoo_search_slot(search, number)] = *node;
	kcuckoo_table_prefetch_bucket(table, node->bucket);
}

/* Puts the alternates of a bucket's entries into the queue; returns its end. */
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

/* Finds a free entry in a bucket of the queue. */
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
 * kcuckoo_search_find() - find a way to free an entry for a key
 * @search: memory for the search; out: the path
 * @table: the table, only read
 * @probe: the key's probe for this table
 *
 * Visits up to @search->limit buckets, and looks for a free entry in all
 * buckets that can be reached from them. A shortest path never has a bucket
 * twice, so its moves are independent.
 *
 * Buckets are read in the order of the queue. They are visited a little ahead
 * of that, so that the next ones are prefetched.
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
 * kcuckoo_search_hop() - do the next move of the path
 * @search: a search that has found a path; since then only moves of the path
 *	have changed the table
 * @table: the table
 *
 * Begins at the end of the path: an entry moves to the free place, and its own
 * place becomes free.
 *
 * Context: the writer, in a write section of its own.
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
