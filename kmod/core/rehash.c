// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copies the members of a store into a new store, in several bounded sections under the
 * lock, and repeats changes of the old store in the new store.
 *
 * rehash.h has the invariant, and explains mirrors and what protects a rehash.
 */
#include <linux/minmax.h>

#include "core/rehash.h"
#include "core/semisort.h"

/* Checks before the first copy whether the new store will be a mirror of the old store. */
static bool kcuckoo_rehash_mirrors(const struct kcuckoo_store *from,
				   const struct kcuckoo_store *to)
{
	unsigned int doublings = from->layout.params.doublings;

	return !from->layout.bitmap && !to->layout.bitmap &&
	       !to->table.entries &&
	       from->table.part_buckets == to->table.part_buckets &&
	       (to->layout.params.doublings == doublings ||
		to->layout.params.doublings == doublings + 1);
}

/**
 * kcuckoo_rehash_init() - begin a rehash
 * @rehash: the rehash
 * @from: the old store
 * @to: the new store; empty or, in a merge, with the members of another filter
 * @secret: secret of the filter; must stay valid during the rehash
 *
 * For a merge the caller sets @rehash->unite and @rehash->now afterwards.
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
 * Finds the place of a member in a store. In a store of fingerprints the value has to
 * agree, too, because another key can have an entry with the same fingerprint. In an
 * exact store the value is not compared, because in a merge the value can come from the
 * other filter.
 */
static u64 kcuckoo_rehash_member(const struct kcuckoo_store *store,
				 const struct kcuckoo_key *key,
				 const struct kcuckoo_probe *probe)
{
	return kcuckoo_store_exact(store) ?
	       kcuckoo_store_find(store, key, probe) :
	       kcuckoo_store_find_value(store, key, probe);
}

/* Sets the expiry of an entry if the new expiry is later; 0 (never) is the latest. */
static void kcuckoo_rehash_extend_expiry(struct kcuckoo_table *table, u64 place,
					 u32 expiry)
{
	u32 old = kcuckoo_table_expiry(table, place);

	if (!expiry || (old && expiry > old))
		kcuckoo_table_set_expiry(table, place, expiry);
}

/*
 * Unites a member of the old store with its entry in the new store, expired or not. Returns
 * false if the new store has no entry of the member. The entry gets the later of the two
 * expiries. If the member of the old store has not expired, the entry also gets the value
 * in @probe.
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
	kcuckoo_rehash_extend_expiry(&to->table, place, probe->expiry);
	if (!probe->expiry || probe->expiry > rehash->now)
		kcuckoo_table_set_value(&to->table, place, probe->value);
	return true;
}

/*
 * Searches for a path of moves in the new store that frees a place for a member, and does
 * these moves. Subtracts the number of buckets that the search reads from @reads. Returns
 * the free place. If the search has found no path, returns KCUCKOO_NO_PLACE, and sets
 * @rehash->failed unless the search is still open.
 */
static u64 kcuckoo_rehash_search(struct kcuckoo_rehash *rehash,
				 const struct kcuckoo_probe *probe,
				 struct kcuckoo_search *search, u32 *reads)
{
	struct kcuckoo_table *table = &rehash->to->table;

	if (!kcuckoo_search_find(search, table, probe, reads)) {
		rehash->failed = !search->open;
		return KCUCKOO_NO_PLACE;
	}
	while (kcuckoo_search_hops(search))
		kcuckoo_search_hop(search, table);
	return search->vacant;
}

/*
 * Adds a member to the new store without a search. In a merge, a member that has an entry
 * in the new store is united with this entry instead. Otherwise returns false if both buckets
 * of the member are full.
 */
static bool kcuckoo_rehash_store_near(struct kcuckoo_rehash *rehash,
				      const struct kcuckoo_key *key,
				      const struct kcuckoo_probe *probe)
{
	u64 place;

	if (rehash->unite && kcuckoo_rehash_unite(rehash, key, probe))
		return true;
	place = kcuckoo_store_vacant(rehash->to, key, probe, 0);
	if (place == KCUCKOO_NO_PLACE)
		return false;
	kcuckoo_store_put(rehash->to, place, probe);
	return true;
}

/*
 * Adds a member to the new store, with a search if necessary. Subtracts the number of
 * buckets that the search reads from @reads. Sets @rehash->failed if the search ends without
 * a free entry. If the search is still open afterwards, the member was not added. Returns
 * true if the function has searched.
 */
static bool kcuckoo_rehash_store(struct kcuckoo_rehash *rehash,
				 const struct kcuckoo_key *key,
				 const struct kcuckoo_probe *probe,
				 struct kcuckoo_search *search, u32 *reads)
{
	u64 place;

	if (kcuckoo_rehash_store_near(rehash, key, probe)) {
		/* A search that is still open is not needed: the member is stored. */
		search->open = false;
		return false;
	}
	place = kcuckoo_rehash_search(rehash, probe, search, reads);
	if (place != KCUCKOO_NO_PLACE)
		kcuckoo_store_put(rehash->to, place, probe);
	return true;
}

/*
 * Reads the member at the cursor of the old store, and computes its probe for the new
 * store; returns false if the place is free. Between two tables @key is not set. Between a
 * table and a bitmap the key has to be converted: a table stores the permuted number, and
 * the index in a bitmap is the number itself.
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
 * Returns the number of steps that the copy of a bucket, or of a word of a bitmap, with
 * @members members takes. Each member takes one step for its buckets in the new store, and
 * two more for its look-up there if members are united.
 */
static unsigned int kcuckoo_rehash_steps(const struct kcuckoo_rehash *rehash,
					 unsigned int members)
{
	return 1 + members * (rehash->unite ? 3 : 1);
}

/*
 * Copies the members from the cursor to the end of its bucket, or word of a bitmap.
 * Returns the number of steps. Sets @searched if a member needed a search for a free
 * entry, and then stops, because each section ends after a search. If the search is still
 * open, the next call continues the search.
 *
 * A semi-sorted bucket is nevertheless copied as a whole: its entries have no fixed places,
 * so the cursor cannot be in the middle of the bucket. Its four members can need four
 * searches, none of which can go on in another section. So the rehash fails if a search is
 * still open.
 */
static unsigned int kcuckoo_rehash_copy_bucket(struct kcuckoo_rehash *rehash,
					       struct kcuckoo_search *search,
					       bool *searched)
{
	u64 end = kcuckoo_store_next_bucket(rehash->from, rehash->cursor);
	bool sorted = rehash->from->layout.params.sorted;
	u32 reads = sorted ? KCUCKOO_SEARCH_READS_SORTED : KCUCKOO_SEARCH_READS;
	unsigned int stores = 0;

	while (rehash->cursor < end && (sorted || !*searched) &&
	       !rehash->failed) {
		struct kcuckoo_probe probe;
		struct kcuckoo_key key;

		if (kcuckoo_rehash_read(rehash, &key, &probe)) {
			*searched |= kcuckoo_rehash_store(rehash, &key, &probe,
							  search, &reads);
			stores++;
			rehash->failed |= sorted && search->open;
			if (search->open)
				break;
		}
		rehash->cursor++;
	}
	return kcuckoo_rehash_steps(rehash, stores);
}

/* Copies up to @max_steps buckets into a mirror. Returns the number of copied buckets. */
static unsigned int kcuckoo_rehash_split(struct kcuckoo_rehash *rehash,
					 unsigned int max_steps)
{
	const struct kcuckoo_table *from = &rehash->from->table;
	u32 bucket = kcuckoo_table_bucket(from, rehash->cursor);
	u32 end = min_t(u32, from->params.nbuckets, bucket + max_steps);

	kcuckoo_table_split(&rehash->to->table, from, bucket, end);
	rehash->cursor = (u64)end << from->params.bucket_shift;
	return end - bucket;
}

/**
 * kcuckoo_rehash_copy() - copy some of the next members
 * @rehash: the rehash
 * @search: memory for a search; if @search->open is set, the search of the previous call,
 *	which this call continues
 * @max_steps: number of steps to take, at most KCUCKOO_SECTION_STEPS
 *
 * Stops at the end of the bucket in which the number of steps reaches @max_steps, or after a
 * member that needed a search for a free entry. Sets @rehash->failed if the new store has no
 * free entry for a member. If @search->open is true afterwards, the next call has to
 * continue the search.
 *
 * Context: the writer.
 * Return: the number of steps; KCUCKOO_SECTION_STEPS or more after a search, because the
 * section then has to end.
 */
unsigned int kcuckoo_rehash_copy(struct kcuckoo_rehash *rehash,
				 struct kcuckoo_search *search,
				 unsigned int max_steps)
{
	u64 places = kcuckoo_store_places(rehash->from);
	bool searched = false;
	unsigned int steps = 0;

	if (rehash->mirror && !rehash->unite && rehash->cursor < places)
		return kcuckoo_rehash_split(rehash, max_steps);
	while (rehash->cursor < places && steps < max_steps &&
	       !searched && !rehash->failed)
		steps += kcuckoo_rehash_copy_bucket(rehash, search, &searched);
	return searched ? max_t(unsigned int, steps, KCUCKOO_SECTION_STEPS) : steps;
}

static void kcuckoo_rehash_probe(const struct kcuckoo_rehash *rehash,
				 const struct kcuckoo_key *key,
				 const struct kcuckoo_probe *old,
				 struct kcuckoo_probe *probe)
{
	*probe = *old;
	kcuckoo_store_probe(rehash->to, key, probe);
}

/*
 * Swaps the two buckets of a probe for the new store, if necessary, so that the first
 * bucket corresponds to the bucket of @place, the member's place in the old store. @old
 * is the probe for the old store. Buckets correspond only if tags are plain or the new
 * table is a mirror; otherwise the function does nothing.
 *
 * Adds and look-ups try the first bucket of a probe first. So in a mirror a member is added
 * to the bucket that corresponds to its old bucket, and is found there.
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
 * kcuckoo_rehash_add() - repeat an add to the old store in the new store
 * @rehash: the rehash
 * @place: place of the member in the old store
 * @key: the member
 * @probe: the member's probe for the old store
 * @search: memory for a search; if @search->open is set, the memory is in use by a search
 *	of kcuckoo_rehash_copy()
 *
 * Does nothing if the place has not been copied yet: kcuckoo_rehash_copy() will copy the
 * member. Sets @rehash->failed if a search ends without a free entry for the member.
 *
 * Context: the writer, before the add, in the same section.
 * Return: false if both buckets of the member in the new store are full, and the search
 * memory is in use or a search has not ended after KCUCKOO_SEARCH_READS_ONCE reads. Then
 * the new store is unchanged, and the caller must not add the member to the old store in
 * this section. Otherwise true.
 */
bool kcuckoo_rehash_add(struct kcuckoo_rehash *rehash, u64 place,
			const struct kcuckoo_key *key,
			const struct kcuckoo_probe *probe,
			struct kcuckoo_search *search)
{
	u32 reads = KCUCKOO_SEARCH_READS_ONCE;
	struct kcuckoo_probe new;
	bool unfinished;

	if (place >= rehash->cursor || rehash->failed)
		return true;
	kcuckoo_rehash_probe(rehash, key, probe, &new);
	kcuckoo_rehash_order(rehash, place, probe, &new);
	if (search->open)
		return kcuckoo_rehash_store_near(rehash, key, &new);
	kcuckoo_rehash_store(rehash, key, &new, search, &reads);
	unfinished = search->open;
	search->open = false;
	return !unfinished;
}

/*
 * Finds the copy of a member in the new store; returns KCUCKOO_NO_PLACE if the member
 * at @place has not been copied, or the rehash has failed. Sets @rehash->failed if the
 * copy is missing. In a store of fingerprints the function can find the copy of another
 * entry, with equal content.
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
 * kcuckoo_rehash_clear() - repeat a delete from the old store in the new store
 * @rehash: the rehash
 * @place: the place that the member had in the old store
 * @key: the member
 * @probe: the member's probe for the old store, with the value of the member
 *
 * Does nothing if the place has not been copied yet.
 *
 * Context: the writer, in the same section as the delete.
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
 * kcuckoo_rehash_set() - repeat a change of value and expiry in the new store
 * @rehash: the rehash
 * @place: place of the member in the old store
 * @key: the member
 * @probe: the member's probe for the old store, with the value before the change
 * @value: the new value
 * @expiry: the new expiry
 *
 * Does nothing if the place has not been copied yet.
 *
 * Context: the writer, in the same section as the change.
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
	/* In a merge the entry can have a later expiry, from the other filter. */
	if (rehash->unite)
		kcuckoo_rehash_extend_expiry(table, place, expiry);
	else
		kcuckoo_table_set_expiry(table, place, expiry);
}
