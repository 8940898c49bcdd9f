/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Exact tables of prefixes: all members of one family and one prefix length.
 *
 * The address bits of a prefix of length L are an L-bit number. Its keyed
 * permutation (permutation.h) is divided by the number of buckets: remainder
 * and quotient are bucket and tag of a sided table (table.h). With more than
 * 64 bits, the lower 64 are divided and the upper ones are identity bits in the
 * second plane. Nothing is lost: no false positives, safe deletes, and every
 * member can be told from its place.
 *
 * Where one bit per possible prefix takes less memory than that, the table is a
 * plain bitmap, indexed by the number itself.
 */
#ifndef _KCUCKOO_INET_H
#define _KCUCKOO_INET_H

#include "permutation.h"
#include "search.h"
#include "table.h"

/**
 * struct kcuckoo_inet_key - the address bits of a prefix
 * @number: as they are; the prefix's last bit is bit 0
 * @permuted: their permutation
 *
 * Either can be had from the other; see kcuckoo_inet_key_permute() and
 * kcuckoo_inet_key_restore().
 */
struct kcuckoo_inet_key {
	struct kcuckoo_number number;
	struct kcuckoo_number permuted;
};

/**
 * struct kcuckoo_inet_shape - what a table will be like
 * @plen: prefix length, 0..128
 * @bitmap: it is a bitmap; then @geometry does not count
 * @geometry: form of the cuckoo table
 */
struct kcuckoo_inet_shape {
	u8 plen;
	bool bitmap;
	struct kcuckoo_geometry geometry;
};

/**
 * struct kcuckoo_inet_table - the members of one family and length
 * @shape: what it is like, constant
 * @table: the cuckoo table; of a bitmap only @tags, @entries and @key count
 */
struct kcuckoo_inet_table {
	struct kcuckoo_inet_shape shape;
	struct kcuckoo_table table;
};

void kcuckoo_inet_key_permute(struct kcuckoo_inet_key *key,
			      const struct kcuckoo_hash_key *secret,
			      unsigned int plen);
void kcuckoo_inet_key_restore(struct kcuckoo_inet_key *key,
			      const struct kcuckoo_hash_key *secret,
			      unsigned int plen);

void kcuckoo_inet_shape_fit(struct kcuckoo_inet_shape *shape,
			    unsigned int plen, unsigned int bucket_shift,
			    u64 entries);
bool kcuckoo_inet_shape_grow(struct kcuckoo_inet_shape *shape,
			     const struct kcuckoo_inet_shape *from);
u64 kcuckoo_inet_shape_tag_words(const struct kcuckoo_inet_shape *shape);
u64 kcuckoo_inet_shape_aux_words(const struct kcuckoo_inet_shape *shape);
u64 kcuckoo_inet_shape_room(const struct kcuckoo_inet_shape *shape);

void kcuckoo_inet_init(struct kcuckoo_inet_table *table,
		       const struct kcuckoo_inet_shape *shape, u64 *tags,
		       u64 *aux, const struct kcuckoo_hash_key *secret);
u64 kcuckoo_inet_places(const struct kcuckoo_inet_table *table);
void kcuckoo_inet_probe(const struct kcuckoo_inet_table *table,
			const struct kcuckoo_inet_key *key,
			struct kcuckoo_probe *probe);
void kcuckoo_inet_prefetch(const struct kcuckoo_inet_table *table,
			   const struct kcuckoo_inet_key *key,
			   const struct kcuckoo_probe *probe);
bool kcuckoo_inet_contains(const struct kcuckoo_inet_table *table,
			   const struct kcuckoo_inet_key *key,
			   const struct kcuckoo_probe *probe);
u64 kcuckoo_inet_find(const struct kcuckoo_inet_table *table,
		      const struct kcuckoo_inet_key *key,
		      const struct kcuckoo_probe *probe);
u64 kcuckoo_inet_vacant(const struct kcuckoo_inet_table *table,
			const struct kcuckoo_inet_key *key,
			const struct kcuckoo_probe *probe, u64 from);
void kcuckoo_inet_put(struct kcuckoo_inet_table *table, u64 place,
		      const struct kcuckoo_probe *probe);
void kcuckoo_inet_clear(struct kcuckoo_inet_table *table, u64 place);
bool kcuckoo_inet_get(const struct kcuckoo_inet_table *table, u64 place,
		      struct kcuckoo_inet_key *key);
u64 kcuckoo_inet_next_bucket(const struct kcuckoo_inet_table *table, u64 place);

#endif /* _KCUCKOO_INET_H */
