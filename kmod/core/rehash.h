/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rehash: copying a store into another one while it is in use, to grow, shrink,
 * merge or clone it.
 *
 * The old table stays complete and authoritative; readers see only it until it
 * is replaced, so a rehash can be given up at any time. The one invariant:
 *
 *	A member is in the new table if and only if its place in the old one
 *	lies before the cursor.
 *
 * The writer keeps it at every add, delete and change. Entries of the old table
 * are not moved meanwhile.
 *
 * A table that has the layout of the old one, or is one of fingerprints
 * doubled, is a mirror of it: what is in a bucket there is in the one or two
 * that correspond here, and nothing else is. So it cannot be too small, and no
 * entry has to be looked at by itself.
 */
#ifndef _KCUCKOO_REHASH_H
#define _KCUCKOO_REHASH_H

#include "core/store.h"

/**
 * struct kcuckoo_rehash - a rehash in progress
 * @from: the old table
 * @to: the new one, seen by the writer alone
 * @secret: the filter's, by which a bitmap's numbers become those of a table
 * @cursor: places of @from before this one have been copied
 * @now: the second from which on members count as expired, if they are united
 * @mirror: the buckets of @to correspond to those of @from
 * @unite: @to has members already; those that are in both are stored once
 * @failed: @to was too small; it no longer keeps the invariant
 *
 * The writer's, from the first member on to the last change that it is told of: all is
 * read and written under the lock of the filter. Readers see neither it nor @to.
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
void kcuckoo_rehash_copy(struct kcuckoo_rehash *rehash,
			 struct kcuckoo_search *search);
void kcuckoo_rehash_add(struct kcuckoo_rehash *rehash, u64 place,
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
 * kcuckoo_rehash_done() - can the new table take the old one's place?
 * @rehash: the rehash
 *
 * Return: true if everything has been copied.
 */
static inline bool kcuckoo_rehash_done(const struct kcuckoo_rehash *rehash)
{
	return !rehash->failed &&
	       rehash->cursor == kcuckoo_store_places(rehash->from);
}

#endif /* _KCUCKOO_REHASH_H */
