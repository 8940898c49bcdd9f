/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Defines the store: the members of a filter that are in one cuckoo table or in one
 * bitmap.
 *
 * A store has the prefixes of one family and one length, or all byte strings of a
 * filter. An exact filter has two stores for an IPv6 length of 3 to 64 bits, one of them
 * for the prefixes in 2000::/3 (filter/table_set.h). There are three kinds of stores:
 *
 * Exact table. The address bits of a prefix of length L are a number of L bits. In a
 * store for prefixes in 2000::/3 the number has L - 3 bits, without the first three bits.
 * The number is permuted with the filter's secret (permutation.h), and the permuted number
 * is divided by the number of buckets. The remainder is the number of the key's first
 * bucket, and the quotient is in the tag. If a permuted number has more than 64 bits, only
 * its lower 64 bits are divided. The upper bits, called identity bits, are in the second
 * plane (table.h). So every member can be computed from its place and the content of its
 * entry.
 *
 * Bitmap. kcuckoo_layout_fit() chooses a bitmap for an exact store of short prefixes, or if a
 * table would not be smaller. The index of a member's bit is the number itself, not permuted.
 * This index is also the place of the member.
 *
 * Store of fingerprints. The tags of the table are fingerprints of keys, which are byte
 * strings or prefixes. Keys with the same fingerprint and the same two buckets cannot be
 * distinguished.
 */
#ifndef _KCUCKOO_STORE_H
#define _KCUCKOO_STORE_H

#include <linux/kcuckoo.h>

#include "core/permutation.h"
#include "core/search.h"
#include "core/table.h"

/**
 * struct kcuckoo_key - a key; each of the three kinds of stores uses one field
 * @number: the address bits of a prefix, for bitmaps; the last address bit is bit 0
 * @permuted: the permuted number, for exact tables
 * @hash: hash of the key, for stores of fingerprints
 */
struct kcuckoo_key {
	struct kcuckoo_number number;
	struct kcuckoo_number permuted;
	u64 hash;
};

/**
 * struct kcuckoo_layout - size and kind of a store
 * @bits: bits of the members' numbers, 0..128; 0 for byte strings
 * @bitmap: true if the store is a bitmap
 * @params: parameters of the cuckoo table. A bitmap uses only @exact, which is true,
 *	@value_bits and @expiry_bits; @aux_bits of a bitmap is 0
 */
struct kcuckoo_layout {
	u8 bits;
	bool bitmap;
	struct kcuckoo_table_params params;
};

/**
 * struct kcuckoo_store - a store
 * @layout: size and kind of the store, constant
 * @fast_exact: true if the fast path (filter/lookup_fast.h) can look up keys in the store;
 *	constant
 * @table: the cuckoo table. A bitmap has its bits in @tags, values and expiry in @aux, and
 *	also uses @entries, @expiring and the parameters of the second plane
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
bool kcuckoo_store_valid(const struct kcuckoo_store *store, u64 place,
			 u64 end);
u64 kcuckoo_store_next_bucket(const struct kcuckoo_store *store, u64 place);

/**
 * kcuckoo_store_exact() - check whether a store is exact
 * @store: the store
 *
 * Return: true for an exact table or a bitmap, false for a store of fingerprints.
 */
static inline bool kcuckoo_store_exact(const struct kcuckoo_store *store)
{
	return store->layout.params.exact;
}

#endif /* _KCUCKOO_STORE_H */
