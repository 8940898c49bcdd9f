// SPDX-License-Identifier: GPL-2.0-only
/*
 * Search for a free entry: breadth first, so that the path is a shortest one.
 *
 * Against random kicks (Fan et al., algorithm 1) it fills tables further, moves
 * fewer entries, and, above all, touches nothing when it fails.
 */
#include "search.h"

static bool kcuckoo_search_visit(struct kcuckoo_search *search, u32 index,
				 const struct kcuckoo_table *table)
{
	u32 bucket = search->node[index].bucket;

	search->vacant = kcuckoo_table_bucket_vacant(table, bucket);
	search->last = index;
	return search->vacant != KCUCKOO_NO_PLACE;
}

/**
 * kcuckoo_search_find() - find a way to free an entry for a key
 * @search: room for the search; out: the path
 * @table: the table, only read
 * @probe: the key's probe for this table
 *
 * Looks at no more than KCUCKOO_SEARCH_VISITS buckets. A shortest path never
 * meets a bucket twice, so its moves do not disturb one another.
 *
 * Context: the writer.
 * Return: true if a path was found.
 */
bool kcuckoo_search_find(struct kcuckoo_search *search,
			 const struct kcuckoo_table *table,
			 const struct kcuckoo_probe *probe)
{
	unsigned int entries = 1U << table->geometry.bucket_shift;
	u32 reached = 0;
	u32 index;
	u32 i;

	for (i = 0; i < 2; i++) {
		search->node[reached].bucket = probe->bucket[i];
		if (kcuckoo_search_visit(search, reached++, table))
			return true;
	}
	for (index = 0; index < reached; index++) {
		u32 bucket = search->node[index].bucket;
		u64 place = (u64)bucket << table->geometry.bucket_shift;

		for (i = 0; i < entries; i++) {
			u64 tag = kcuckoo_table_tag(table, place + i);
			struct kcuckoo_search_node *node;

			if (reached == KCUCKOO_SEARCH_VISITS)
				return false;
			node = &search->node[reached];
			node->bucket = kcuckoo_table_alternate(table, bucket,
							       tag);
			node->parent = index;
			node->entry = i;
			if (node->bucket == bucket)
				continue;
			if (kcuckoo_search_visit(search, reached++, table))
				return true;
		}
	}
	return false;
}

/**
 * kcuckoo_search_hop() - do the next move of the path
 * @search: a search that has found a path; the table is as it was then, but
 *	for the hops done
 * @table: the table
 *
 * Begins at the far end: an entry goes to the free place, and leaves its own
 * one free.
 *
 * Context: the writer, in a write section of its own.
 */
void kcuckoo_search_hop(struct kcuckoo_search *search,
			struct kcuckoo_table *table)
{
	const struct kcuckoo_search_node *node = &search->node[search->last];
	u32 bucket = search->node[node->parent].bucket;
	u64 from;

	from = ((u64)bucket << table->geometry.bucket_shift) + node->entry;
	kcuckoo_table_move(table, from, search->vacant);
	search->vacant = from;
	search->last = node->parent;
}
