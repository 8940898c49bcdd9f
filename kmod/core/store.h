/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Stores: the members of a filter that are kept in one table.
 *
 * A store of prefixes has those of one family and one length. The address bits
 * of a prefix of length L are a number of L bits, or of fewer if all members
 * have the same first bits. The keyed permutation of the number (permutation.h)
 * is divided by the number of buckets: the remainder is the bucket, and the
 * quotient is the tag, of an exact table (table.h). If there are more than 64
 * bits, the lower 64 are divided, and the upper ones are identity bits in the
 * second plane. No bit is lost: there are no false positives, deletes are safe,
 * and every member can be computed from its place.
 *
 * If one bit for each possible number takes less memory than that, the store is
 * a plain bitmap, indexed by the number itself. Values and expiry are then in
 * the second plane, at the same index.
 *
 * A store of fingerprints keeps f bits of a hash of the key, a byte string or a
 * prefix, in a table with plain tags.
 */
#ifndef _KCUCKOO_STORE_H
#define _KCUCKOO_STORE_H

#include <linux/kcuckoo.h>

#include "core/permutation.h"
#include "core/search.h"
#include "core/table.h"

/**
 * struct kcuckoo_key - a key
 * @number: the address bits of a prefix that the store keeps; the last is bit 0
 * @permuted: their permutation, for exact stores
 * @hash: hash of the key, for stores of fingerprints
 *
 * kcuckoo_key_permute() and kcuckoo_key_restore() compute the first two from
 * one another.
 */
struct kcuckoo_key {
	struct kcuckoo_number number;
	struct kcuckoo_number permuted;
	u64 hash;
};

/**
 * struct kcuckoo_layout - how a store keeps its members
 * @bits: bits of the members' numbers, 0..128; of byte strings 0
 * @bitmap: it is a bitmap; then only the fields of the second plane in @params
 *	are used
 * @params: parameters of the cuckoo table
 */
struct kcuckoo_layout {
	u8 bits;
	bool bitmap;
	struct kcuckoo_table_params params;
};

/**
 * struct kcuckoo_store - members in one table
 * @layout: how its members are kept, constant
 * @fast_exact: the table is exact, tags alone decide whether a key is a member, and
 *	the permutation of a key is cheap
 * @table: the cuckoo table; a bitmap uses only its planes and @entries
 */
struct kcuckoo_store {
	struct kcuckoo_layout layout;
	bool fast_exact;
	struct kcuckoo_table table;
};

void kcuckoo_key_permute(struct kcuckoo_key *key,
			 const struct kcuckoo_hash_key *secret,
			 unsigned int bits);
void kcuckoo_key_restore(struct kcuckoo_key *key,
			 const struct kcuckoo_hash_key *secret,
			 unsigned int bits);
void kcuckoo_key_hash(struct kcuckoo_key *key,
		      const struct kcuckoo_hash_key *secret, unsigned int bits);

void kcuckoo_layout_fit(struct kcuckoo_layout *layout,
			const struct kcuckoo_table_params *params,
			unsigned int bits, u64 entries);
bool kcuckoo_layout_make(struct kcuckoo_layout *layout,
			 const struct kcuckoo_table_params *params,
			 unsigned int bits, u32 nbuckets,
			 unsigned int doublings);
bool kcuckoo_layout_grow(struct kcuckoo_layout *layout,
			 const struct kcuckoo_layout *from);
bool kcuckoo_layout_shrink(struct kcuckoo_layout *layout,
			   const struct kcuckoo_layout *from, u64 entries);
u64 kcuckoo_layout_tag_words(const struct kcuckoo_layout *layout);
bool kcuckoo_layout_single_alloc(const struct kcuckoo_layout *layout);
u64 kcuckoo_layout_aux_words(const struct kcuckoo_layout *layout);
unsigned int kcuckoo_layout_fill(const struct kcuckoo_layout *layout);
u64 kcuckoo_layout_room(const struct kcuckoo_layout *layout);

void kcuckoo_store_init(struct kcuckoo_store *store,
			const struct kcuckoo_layout *layout, u64 *tags,
			u64 *aux, const struct kcuckoo_hash_key *secret);
u64 kcuckoo_store_places(const struct kcuckoo_store *store);
void kcuckoo_store_probe(const struct kcuckoo_store *store,
			 const struct kcuckoo_key *key,
			 struct kcuckoo_probe *probe);
void kcuckoo_store_prefetch(const struct kcuckoo_store *store,
			    const struct kcuckoo_key *key,
			    const struct kcuckoo_probe *probe);
bool kcuckoo_store_contains(const struct kcuckoo_store *store,
			    const struct kcuckoo_key *key,
			    const struct kcuckoo_probe *probe);
u64 kcuckoo_store_find(const struct kcuckoo_store *store,
		       const struct kcuckoo_key *key,
		       const struct kcuckoo_probe *probe);
u64 kcuckoo_store_find_value(const struct kcuckoo_store *store,
			     const struct kcuckoo_key *key,
			     const struct kcuckoo_probe *probe);
unsigned int kcuckoo_store_values(const struct kcuckoo_store *store,
				  const struct kcuckoo_key *key,
				  const struct kcuckoo_probe *probe,
				  u32 values[KCUCKOO_VALUES_MAX]);
u64 kcuckoo_store_vacant(const struct kcuckoo_store *store,
			 const struct kcuckoo_key *key,
			 const struct kcuckoo_probe *probe, u64 from);
void kcuckoo_store_put(struct kcuckoo_store *store, u64 place,
		       const struct kcuckoo_probe *probe);
void kcuckoo_store_clear(struct kcuckoo_store *store, u64 place);
bool kcuckoo_store_used(const struct kcuckoo_store *store, u64 place);
bool kcuckoo_store_get(const struct kcuckoo_store *store, u64 place,
		       struct kcuckoo_key *key);
bool kcuckoo_store_sound(const struct kcuckoo_store *store, u64 place,
			 u64 end);
u64 kcuckoo_store_next_bucket(const struct kcuckoo_store *store, u64 place);

/**
 * kcuckoo_store_exact() - check whether a store is exact
 * @store: the store
 *
 * Return: true if it has the keys of its members, false if it has fingerprints.
 */
static inline bool kcuckoo_store_exact(const struct kcuckoo_store *store)
{
	return store->layout.params.exact;
}

#endif /* _KCUCKOO_STORE_H */
