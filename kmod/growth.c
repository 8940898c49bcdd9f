// SPDX-License-Identifier: GPL-2.0-only
/*
 * Growth of an exact table.
 */
#include "growth.h"

/**
 * kcuckoo_growth_init() - begin
 * @growth: the growth
 * @from: the old table
 * @to: the new one, empty
 */
void kcuckoo_growth_init(struct kcuckoo_growth *growth,
			 struct kcuckoo_inet_table *from,
			 struct kcuckoo_inet_table *to)
{
	growth->from = from;
	growth->to = to;
	growth->cursor = 0;
	growth->failed = false;
}

/* Stores a key in the new table. Returns true if that took a search. */
static bool kcuckoo_growth_store(struct kcuckoo_growth *growth,
				 const struct kcuckoo_inet_key *key,
				 struct kcuckoo_search *search)
{
	struct kcuckoo_inet_table *to = growth->to;
	struct kcuckoo_probe probe;
	bool searched = false;
	u64 place;

	kcuckoo_inet_probe(to, key, &probe);
	place = kcuckoo_inet_vacant(to, key, &probe, 0);
	if (place == KCUCKOO_NO_PLACE) {
		searched = true;
		if (!kcuckoo_search_find(search, &to->table, &probe)) {
			growth->failed = true;
			return true;
		}
		while (kcuckoo_search_hops(search))
			kcuckoo_search_hop(search, &to->table);
		place = search->vacant;
	}
	kcuckoo_inet_put(to, place, &probe);
	return searched;
}

/* Tables that differ in kind know a member by different numbers. */
static void kcuckoo_growth_translate(const struct kcuckoo_growth *growth,
				     struct kcuckoo_inet_key *key)
{
	const struct kcuckoo_inet_shape *from = &growth->from->shape;
	const struct kcuckoo_hash_key *secret = &growth->from->table.key;

	if (from->bitmap == growth->to->shape.bitmap)
		return;
	if (from->bitmap)
		kcuckoo_inet_key_permute(key, secret, from->plen);
	else
		kcuckoo_inet_key_restore(key, secret, from->plen);
}

/*
 * Copies the rest of the bucket, or of the bitmap's word, at the cursor. Stops
 * short after a search. Returns the one-bucket operations that it took.
 */
static unsigned int kcuckoo_growth_copy_bucket(struct kcuckoo_growth *growth,
					       struct kcuckoo_search *search,
					       bool *searched)
{
	u64 end = kcuckoo_inet_next_bucket(growth->from, growth->cursor);
	unsigned int stores = 0;

	while (growth->cursor < end && !*searched && !growth->failed) {
		struct kcuckoo_inet_key key;

		if (kcuckoo_inet_get(growth->from, growth->cursor, &key)) {
			kcuckoo_growth_translate(growth, &key);
			*searched = kcuckoo_growth_store(growth, &key, search);
			stores++;
		}
		growth->cursor++;
	}
	return growth->from->shape.bitmap ? 1 + stores : 1;
}

/**
 * kcuckoo_growth_copy() - copy as much as one hold of the lock allows
 * @growth: the growth
 * @search: room for a search
 *
 * Copies KCUCKOO_HOLD_STEPS buckets, or until a member took a search.
 *
 * Context: the writer.
 */
void kcuckoo_growth_copy(struct kcuckoo_growth *growth,
			 struct kcuckoo_search *search)
{
	u64 places = kcuckoo_inet_places(growth->from);
	bool searched = false;
	unsigned int steps = 0;

	while (growth->cursor < places && steps < KCUCKOO_HOLD_STEPS &&
	       !searched && !growth->failed)
		steps += kcuckoo_growth_copy_bucket(growth, search, &searched);
}

/**
 * kcuckoo_growth_add() - tell the growth of a member added to the old table
 * @growth: the growth
 * @place: the member's place there
 * @key: the member, permuted
 * @search: room for a search
 *
 * Context: the writer, before it ends the hold in which it added the member.
 */
void kcuckoo_growth_add(struct kcuckoo_growth *growth, u64 place,
			const struct kcuckoo_inet_key *key,
			struct kcuckoo_search *search)
{
	if (place < growth->cursor && !growth->failed)
		kcuckoo_growth_store(growth, key, search);
}

/**
 * kcuckoo_growth_clear() - tell the growth of a member deleted from the old
 *	table
 * @growth: the growth
 * @place: the place that it had there
 * @key: the member, permuted
 *
 * Context: the writer, before it ends the hold in which it deleted the member.
 */
void kcuckoo_growth_clear(struct kcuckoo_growth *growth, u64 place,
			  const struct kcuckoo_inet_key *key)
{
	struct kcuckoo_probe probe;

	if (place >= growth->cursor || growth->failed)
		return;
	kcuckoo_inet_probe(growth->to, key, &probe);
	place = kcuckoo_inet_find(growth->to, key, &probe);
	if (place != KCUCKOO_NO_PLACE)
		kcuckoo_inet_clear(growth->to, place);
	else
		growth->failed = true;
}
