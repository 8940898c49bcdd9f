/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rehash: copies a store into a new store while the old store is in use, so that filter/
 * can grow, shrink, merge or clone the store.
 *
 * The members are copied in several sections; between two sections other writers can
 * change the old store. The old store keeps all its members, and readers do not see the new
 * store before the copy is complete. So a rehash can be abandoned at any time. The cursor
 * is a place in the old store. The invariant:
 *
 *	A member of the old store is in the new store if and only if its place in the
 *	old store is before the cursor.
 *
 * In a merge the new store also has the members of another filter.
 *
 * The search for a free entry for the member at the cursor can take several sections. In
 * each of these sections the member is read again, because another writer can have changed
 * or deleted it. While this search is open (search.h), adds cannot search in the new
 * store: if both buckets of an added member are full there, kcuckoo_rehash_add() returns
 * false.
 *
 * A writer that adds, deletes or changes a member of the old store during a rehash keeps
 * the invariant: the writer also calls kcuckoo_rehash_add(), kcuckoo_rehash_clear() or
 * kcuckoo_rehash_set(). Entries of the old store are not moved during a rehash, because
 * a moved entry could pass the cursor.
 *
 * The new table is a mirror if it is empty at the start, and has the layout of the old
 * table or, for fingerprints, this layout doubled once. Each bucket of the old table then
 * corresponds to one bucket or, if the layout is doubled, two buckets of the new table.
 * Unless members are united, the new buckets get only copies of the entries of the old
 * bucket. So a mirror cannot be too small, and whole buckets are copied without a search.
 */
#ifndef _KCUCKOO_REHASH_H
#define _KCUCKOO_REHASH_H

#include "core/store.h"

/**
 * struct kcuckoo_rehash - a rehash in progress
 * @from: the old store
 * @to: the new store; readers do not see it
 * @secret: secret of the filter, to convert numbers between a bitmap and a table
 * @cursor: the first place of @from that has not been copied
 * @now: the present time, in seconds since boot; used only if @unite is set
 * @mirror: true if @to is a mirror of @from
 * @unite: true in a merge: a member that @to already has is not stored a second time
 * @failed: true after a member did not fit in @to, or its copy was not found in @to; the
 *	invariant no longer holds
 *
 * The lock of the filter of @from protects the fields.
 */
struct kcuckoo_rehash {
	struct kcuckoo_store *from;
	struct kcuckoo_store *to;
	const struct kcuckoo_hash_key *secret;
	u64 cursor;
	u32 now;
	bool mirror;
	bool unite;
	bool failed;
};

void kcuckoo_rehash_init(struct kcuckoo_rehash *rehash,
			 struct kcuckoo_store *from, struct kcuckoo_store *to,
			 const struct kcuckoo_hash_key *secret);
unsigned int kcuckoo_rehash_copy(struct kcuckoo_rehash *rehash,
				 struct kcuckoo_search *search,
				 unsigned int max_steps);
bool kcuckoo_rehash_add(struct kcuckoo_rehash *rehash, u64 place,
			const struct kcuckoo_key *key,
			const struct kcuckoo_probe *probe,
			struct kcuckoo_search *search);
void kcuckoo_rehash_clear(struct kcuckoo_rehash *rehash, u64 place,
			  const struct kcuckoo_key *key,
			  const struct kcuckoo_probe *probe);
void kcuckoo_rehash_set(struct kcuckoo_rehash *rehash, u64 place,
			const struct kcuckoo_key *key,
			const struct kcuckoo_probe *probe, u32 value,
			u32 expiry);

/**
 * kcuckoo_rehash_done() - check whether the new store can replace the old store
 * @rehash: the rehash
 *
 * Return: true if all members have been copied, and the rehash has not failed.
 */
static inline bool kcuckoo_rehash_done(const struct kcuckoo_rehash *rehash)
{
	return !rehash->failed &&
	       rehash->cursor == kcuckoo_store_places(rehash->from);
}

#endif /* _KCUCKOO_REHASH_H */
