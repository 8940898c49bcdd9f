/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rehash: copying a store into another one while it is in use, to grow, shrink,
 * merge or clone it.
 *
 * The old table stays complete and authoritative. Readers see only the old
 * table until it is replaced, so a rehash can be abandoned at any time. The
 * invariant:
 *
 *	A member is in the new table if and only if its place in the old one
 *	lies before the cursor.
 *
 * The writer keeps it at every add, delete and change. Entries of the old table
 * are not moved during a rehash.
 *
 * A new table that has the layout of the old one, or that of fingerprints
 * doubled once, is a mirror: the entries of one bucket of the old table are in
 * the one or two corresponding buckets of the new one, and these have no
 * others. So a mirror cannot be too small, and buckets are copied without
 * reading each entry.
 */
#ifndef _KCUCKOO_REHASH_H
#define _KCUCKOO_REHASH_H

#include "core/store.h"

/**
 * struct kcuckoo_rehash - a rehash in progress
 * @from: the old table
 * @to: the new table; readers do not see it
 * @secret: secret of the filter, to permute the numbers of a bitmap
 * @cursor: places of @from before this one have been copied
 * @now: with @unite, members that expire at this second or before have expired
 * @mirror: the buckets of @to correspond to those of @from
 * @unite: @to has members already; a member of both stores is stored once
 * @failed: @to was too small; the invariant no longer holds
 *
 * Read and written by the writer, under the lock of the filter. Readers see
 * neither it nor @to.
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
 * kcuckoo_rehash_done() - check whether the new table can replace the old one
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
