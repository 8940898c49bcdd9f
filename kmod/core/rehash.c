// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copying a store into another one while it is in use.
 */
#include <linux/minmax.h>

#include "core/rehash.h"
#include "core/semisort.h"

/* Checks whether the new store is a mirror of the old one. */
static bool kcuckoo_rehash_mirrors(const struct kcuckoo_store *from,
				   const struct kcuckoo_store *to)
{
	unsigned int doublings = from->layout.params.doublings;

	return !from->layout.bitmap && !to->layout.bitmap &&
	       !to->table.entries && from->table.part == to->table.part &&
	       (to->layout.params.doublings == doublings ||
		to->layout.params.doublings == doublings + 1);
}

/**
 * kcuckoo_rehash_init() - begin a rehash
 * @rehash: the rehash
 * @from: the old table
 * @to: the new table, empty
 * @secret: secret of the filter; not copied
 */
void kcuckoo_rehash_init(struct kcuckoo_rehash *rehash,
			 struct kcuckoo_store *from, struct kcuckoo_store *to,
			 const struct kcuckoo_hash_key *secret)
{
	rehash->from = from;
	rehash->to = to;
	rehash->secret = secret;
	rehash->cursor = 0;
	rehash->now = 0;
	rehash->mirror = kcuckoo_rehash_mirrors(from, to);
	rehash->unite = false;
	rehash->failed = false;
}

/*
 * Finds a member in a store. In a store of fingerprints the value has to agree,
 * too, because the entry can be that of another key. An exact store has each
 * key once, possibly with another value if members were united.
 */
static u64 kcuckoo_rehash_member(const struct kcuckoo_store *store,
				 const struct kcuckoo_key *key,
				 const struct kcuckoo_probe *probe)
{
	return kcuckoo_store_exact(store) ?
	       kcuckoo_store_find(store, key, probe) :
	       kcuckoo_store_find_value(store, key, probe);
}

/* Sets the expiry of an entry if that makes it expire later. */
static void kcuckoo_rehash_renew(struct kcuckoo_table *table, u64 place,
				 u32 expiry)
{
	u32 old = kcuckoo_table_expiry(table, place);

	if (!expiry || (old && expiry > old))
		kcuckoo_table_set_expiry(table, place, expiry);
}

/*
 * Unites a member with its entry in the new store, if it has one: the later
 * expiry is kept, and the value of @probe unless that has expired.
 */
static bool kcuckoo_rehash_unite(const struct kcuckoo_rehash *rehash,
				 const struct kcuckoo_key *key,
				 const struct kcuckoo_probe *probe)
{
	struct kcuckoo_store *to = rehash->to;
	struct kcuckoo_probe any = *probe;
	u64 place;

	any.now = 0;
	place = kcuckoo_rehash_member(to, key, &any);
	if (place == KCUCKOO_NO_PLACE)
		return false;
	kcuckoo_rehash_renew(&to->table, place, probe->expiry);
	if (!probe->expiry || probe->expiry > rehash->now)
		kcuckoo_table_set_value(&to->table, place, probe->value);
	return true;
}

/* Adds a member to the new store. Returns true if that took a search. */
static bool kcuckoo_rehash_store(struct kcuckoo_rehash *rehash,
				 const struct kcuckoo_key *key,
				 const struct kcuckoo_probe *probe,
				 struct kcuckoo_search *search)
{
	struct kcuckoo_store *to = rehash->to;
	bool searched = false;
	u64 place;

	if (rehash->unite && kcuckoo_rehash_unite(rehash, key, probe))
		return false;
	place = kcuckoo_store_vacant(to, key, probe, 0);
	if (place == KCUCKOO_NO_PLACE) {
		searched = true;
		if (!kcuckoo_search_find(search, &to->table, probe)) {
			rehash->failed = true;
			return true;
		}
		while (kcuckoo_search_hops(search))
			kcuckoo_search_hop(search, &to->table);
		place = search->vacant;
	}
	kcuckoo_store_put(to, place, probe);
	return searched;
}

/*
 * Reads the member at the cursor, as a key of the new store. Between two tables
 * of a kind the key itself is not needed; a bitmap has its number, and a table
 * the permuted number.
 */
static bool kcuckoo_rehash_read(const struct kcuckoo_rehash *rehash,
				struct kcuckoo_key *key,
				struct kcuckoo_probe *probe)
{
	const struct kcuckoo_store *from = rehash->from;
	const struct kcuckoo_store *to = rehash->to;

	if (!kcuckoo_store_used(from, rehash->cursor))
		return false;
	if (!from->layout.bitmap && !to->layout.bitmap) {
		kcuckoo_table_probe_entry(&to->table, &from->table,
					  rehash->cursor, probe);
		return true;
	}
	kcuckoo_store_get(from, rehash->cursor, key);
	if (!from->layout.bitmap)
		kcuckoo_key_restore(key, rehash->secret, from->layout.bits);
	else if (!to->layout.bitmap)
		kcuckoo_key_permute(key, rehash->secret, from->layout.bits);
	kcuckoo_store_probe(to, key, probe);
	probe->value = kcuckoo_table_value(&from->table, rehash->cursor);
	probe->expiry = kcuckoo_table_expiry(&from->table, rehash->cursor);
	return true;
}

/*
 * Returns the number of one-bucket operations for a bucket with @members
 * members, or for a word of a bitmap. A look-up of a member in the new store
 * takes two more.
 */
static unsigned int kcuckoo_rehash_steps(const struct kcuckoo_rehash *rehash,
					 unsigned int members)
{
	unsigned int each = rehash->from->layout.bitmap ? 1 : 0;

	if (rehash->unite)
		each += 2;
	return 1 + members * each;
}

/*
 * Copies the rest of the bucket, or of the bitmap's word, at the cursor. Stops
 * after a search; but not in a semi-sorted bucket, whose entries have no fixed
 * places before or after the cursor. There the search for each entry is limited
 * to its share of the visits of one search. Returns the number of one-bucket
 * operations.
 */
static unsigned int kcuckoo_rehash_copy_bucket(struct kcuckoo_rehash *rehash,
					       struct kcuckoo_search *search,
					       bool *searched)
{
	u64 end = kcuckoo_store_next_bucket(rehash->from, rehash->cursor);
	bool sorted = rehash->from->layout.params.sorted;
	unsigned int stores = 0;
	u32 limit = search->limit;

	if (sorted)
		search->limit = min_t(u32, limit, KCUCKOO_SEARCH_VISITS /
				      KCUCKOO_SEMISORT_ENTRIES);
	while (rehash->cursor < end && (sorted || !*searched) &&
	       !rehash->failed) {
		struct kcuckoo_probe probe;
		struct kcuckoo_key key;

		if (kcuckoo_rehash_read(rehash, &key, &probe)) {
			*searched |= kcuckoo_rehash_store(rehash, &key, &probe,
							  search);
			stores++;
		}
		rehash->cursor++;
	}
	search->limit = limit;
	return kcuckoo_rehash_steps(rehash, stores);
}

/* Copies buckets into a mirror, which cannot fail. */
static void kcuckoo_rehash_split(struct kcuckoo_rehash *rehash)
{
	const struct kcuckoo_table *from = &rehash->from->table;
	u32 bucket = kcuckoo_table_bucket(from, rehash->cursor);
	u32 end = min_t(u32, from->params.nbuckets,
			bucket + KCUCKOO_HOLD_STEPS);

	kcuckoo_table_split(&rehash->to->table, from, bucket, end);
	rehash->cursor = (u64)end << from->params.bucket_shift;
}

/**
 * kcuckoo_rehash_copy() - copy as much as one hold of the lock allows
 * @rehash: the rehash
 * @search: room for a search
 *
 * Takes KCUCKOO_HOLD_STEPS one-bucket operations, a few more for the last bucket, or
 * stops at a member that took a search.
 *
 * Context: the writer.
 */
void kcuckoo_rehash_copy(struct kcuckoo_rehash *rehash,
			 struct kcuckoo_search *search)
{
	u64 places = kcuckoo_store_places(rehash->from);
	bool searched = false;
	unsigned int steps = 0;

	if (rehash->mirror && !rehash->unite && rehash->cursor < places) {
		kcuckoo_rehash_split(rehash);
		return;
	}
	while (rehash->cursor < places && steps < KCUCKOO_HOLD_STEPS &&
	       !searched && !rehash->failed)
		steps += kcuckoo_rehash_copy_bucket(rehash, search, &searched);
}

/*
 * Fills in a key's probe for the new store, with the value and times of the old
 * one.
 */
static void kcuckoo_rehash_probe(const struct kcuckoo_rehash *rehash,
				 const struct kcuckoo_key *key,
				 const struct kcuckoo_probe *old,
				 struct kcuckoo_probe *probe)
{
	*probe = *old;
	kcuckoo_store_probe(rehash->to, key, probe);
}

/*
 * Puts the bucket that corresponds to the old place first, if tags are plain or
 * the new table is a mirror. So a mirror stays one: every member is found in
 * the corresponding bucket, which has room for every member that is added.
 */
static void kcuckoo_rehash_order(const struct kcuckoo_rehash *rehash, u64 place,
				 const struct kcuckoo_probe *old,
				 struct kcuckoo_probe *probe)
{
	bool exact = kcuckoo_store_exact(rehash->from);

	if ((exact && !rehash->mirror) ||
	    kcuckoo_table_bucket(&rehash->from->table, place) == old->bucket[0])
		return;
	swap(probe->bucket[0], probe->bucket[1]);
	swap(probe->tag[0], probe->tag[1]);
}

/**
 * kcuckoo_rehash_add() - follow an add to the old store
 * @rehash: the rehash
 * @place: the member's place there
 * @key: the member
 * @probe: its probe for the old store
 * @search: room for a search
 *
 * Context: the writer, under the same hold of the lock as the add.
 */
void kcuckoo_rehash_add(struct kcuckoo_rehash *rehash, u64 place,
			const struct kcuckoo_key *key,
			const struct kcuckoo_probe *probe,
			struct kcuckoo_search *search)
{
	struct kcuckoo_probe new;

	if (place >= rehash->cursor || rehash->failed)
		return;
	kcuckoo_rehash_probe(rehash, key, probe, &new);
	kcuckoo_rehash_order(rehash, place, probe, &new);
	kcuckoo_rehash_store(rehash, key, &new, search);
}

/*
 * Finds the copy of a member in the new store. Equal entries of fingerprints
 * are interchangeable, so it may be the copy of another one.
 */
static u64 kcuckoo_rehash_find(struct kcuckoo_rehash *rehash, u64 place,
			       const struct kcuckoo_key *key,
			       const struct kcuckoo_probe *probe)
{
	struct kcuckoo_probe new;

	if (place >= rehash->cursor || rehash->failed)
		return KCUCKOO_NO_PLACE;
	kcuckoo_rehash_probe(rehash, key, probe, &new);
	kcuckoo_rehash_order(rehash, place, probe, &new);
	new.now = 0;
	place = kcuckoo_rehash_member(rehash->to, key, &new);
	rehash->failed = place == KCUCKOO_NO_PLACE;
	return place;
}

/**
 * kcuckoo_rehash_clear() - follow a delete from the old store
 * @rehash: the rehash
 * @place: the place that it had there
 * @key: the member
 * @probe: its probe for the old store, with the value that it had
 *
 * Context: the writer, under the same hold of the lock as the delete.
 */
void kcuckoo_rehash_clear(struct kcuckoo_rehash *rehash, u64 place,
			  const struct kcuckoo_key *key,
			  const struct kcuckoo_probe *probe)
{
	place = kcuckoo_rehash_find(rehash, place, key, probe);
	if (place != KCUCKOO_NO_PLACE)
		kcuckoo_store_clear(rehash->to, place);
}

/**
 * kcuckoo_rehash_set() - follow a change of a value or an expiry
 * @rehash: the rehash
 * @place: its place in the old store
 * @key: the member
 * @probe: its probe for the old store, with the value that it had
 * @value: its new value
 * @expiry: its new expiry
 *
 * Context: the writer, under the same hold of the lock as the change.
 */
void kcuckoo_rehash_set(struct kcuckoo_rehash *rehash, u64 place,
			const struct kcuckoo_key *key,
			const struct kcuckoo_probe *probe, u32 value,
			u32 expiry)
{
	struct kcuckoo_table *table = &rehash->to->table;

	place = kcuckoo_rehash_find(rehash, place, key, probe);
	if (place == KCUCKOO_NO_PLACE)
		return;
	kcuckoo_table_set_value(table, place, value);
	/* The entry that was in the new store may expire later. */
	if (rehash->unite)
		kcuckoo_rehash_renew(table, place, expiry);
	else
		kcuckoo_table_set_expiry(table, place, expiry);
}
