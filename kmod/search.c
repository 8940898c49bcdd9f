// SPDX-License-Identifier: GPL-2.0-only
/*
 * Search for a free entry: breadth first, so that the path is a shortest one.
 *
 * Against random kicks (Fan et al., algorithm 1) it fills tables further, moves
 * fewer entries, and, above all, touches nothing when it fails.
 */
#include "pair.h"
#include "search.h"

/* Reaches a bucket as node @index. Returns true if it has a free entry. */
static bool kcuckoo_search_reach(struct kcuckoo_search *search, u32 index,
				 const struct kcuckoo_table *table, u32 bucket,
				 u32 parent, u32 entry)
{
	struct kcuckoo_search_node *node = &search->node[index];

	node->bucket = bucket;
	node->parent = parent;
	node->entry = entry;
	search->last = index;
	search->vacant = kcuckoo_table_bucket_vacant(table, bucket);
	return search->vacant != KCUCKOO_NO_PLACE;
}

/* The alternates of all entries of a bucket; their memory is asked for. */
static void kcuckoo_search_alternates(const struct kcuckoo_table *table,
				      u32 bucket, unsigned int entries,
				      u32 alternates[KCUCKOO_BUCKET_SIZE_MAX])
{
	u64 tags[KCUCKOO_BUCKET_SIZE_MAX];
	unsigned int i;

	kcuckoo_table_bucket_tags(table, bucket, tags);
	for (i = 0; i < entries; i++) {
		alternates[i] = kcuckoo_table_alternate(table, bucket, tags[i]);
		kcuckoo_table_prefetch_bucket(table, alternates[i]);
	}
}

/* Looks from one bucket into the alternates of its entries. */
static bool kcuckoo_search_visit(struct kcuckoo_search *search,
				 const struct kcuckoo_table *table, u32 index,
				 u32 *reached)
{
	unsigned int entries = 1U << table->geometry.bucket_shift;
	u32 alternates[KCUCKOO_BUCKET_SIZE_MAX];
	u32 bucket = search->node[index].bucket;
	unsigned int i;

	kcuckoo_search_alternates(table, bucket, entries, alternates);
	for (i = 0; i < entries; i++) {
		if (alternates[i] == bucket)
			continue;
		if (kcuckoo_search_reach(search, *reached, table,
					 alternates[i], index, i))
			return true;
		/* Where no more are to be visited, the last node is reused. */
		if (*reached < search->limit)
			(*reached)++;
	}
	return false;
}

/**
 * kcuckoo_search_find() - find a way to free an entry for a key
 * @search: room for the search; out: the path
 * @table: the table, only read
 * @probe: the key's probe for this table
 *
 * Visits no more than @search->limit buckets, that is, looks for a free entry in
 * all that can be had from there. A shortest path never meets a bucket twice,
 * so its moves do not disturb one another.
 *
 * Context: the writer.
 * Return: true if a path was found.
 */
bool kcuckoo_search_find(struct kcuckoo_search *search,
			 const struct kcuckoo_table *table,
			 const struct kcuckoo_probe *probe)
{
	u32 reached;
	u32 index;

	for (reached = 0; reached < 2; reached++)
		if (kcuckoo_search_reach(search, reached, table,
					 probe->bucket[reached], reached, 0))
			return true;
	for (index = 0; index < reached && index < search->limit; index++)
		if (kcuckoo_search_visit(search, table, index, &reached))
			return true;
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
