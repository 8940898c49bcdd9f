/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Length index: the prefix lengths that can occur near an address.
 *
 * An address has to be looked up once for every prefix length in use. Real
 * lists have dozens of lengths, but only a few of them near any one address.
 * The index has levels. Each level groups addresses by their first bits, its
 * stride, and keeps one cell for each group. A cell records which of the
 * level's lengths the members in the group have, and whether the group has
 * longer members, which are recorded in deeper levels. A look-up goes from
 * level to level until a cell has no longer members; for most addresses that no
 * member covers, it ends at the first cell.
 *
 * Groups share a cell if there are fewer cells than groups, and some lengths
 * share a bit. So a look-up may probe a length in vain, but never misses one.
 * Bits are only set, never cleared; rebuilding the index drops the bits of
 * members that are gone.
 *
 * A host bitmap is the index of a family that has addresses and hardly any
 * networks. It has one level of single bits, each of which says whether a group
 * of 128 addresses or more has members. With millions of members the bitmap
 * stays in the processor's cache, which the table exceeds. With few members
 * most bits are 0, and reading one takes a fraction of the time of hashing the
 * address. Between those, the bitmap would cost more memory than it is worth.
 */
#ifndef _KCUCKOO_LENGTH_INDEX_H
#define _KCUCKOO_LENGTH_INDEX_H

#include <linux/compiler.h>
#include <linux/kcuckoo.h>

#include "core/hash.h"
#include "core/permutation.h"

/* Words of a set of prefix lengths: one for IPv4, three for IPv6. */
#define KCUCKOO_LENGTH_WORDS	4

/* Levels of an index for IPv6, which is the maximum, and for IPv4. */
#define KCUCKOO_LEVELS		7
#define KCUCKOO_LEVELS_IPV4	3

/*
 * First bits of the addresses of a group of a host bitmap, which records
 * members of more bits than that. Shorter members may be anywhere.
 */
#define KCUCKOO_HOST_BITMAP_STRIDE	25

/**
 * struct kcuckoo_index_params - the kind of a length index, and its size
 * @family: KCUCKOO_FAMILY_IPV4 or KCUCKOO_FAMILY_IPV6
 * @host_bitmap: a bitmap of groups of hosts; of IPv4 only
 * @small: a bitmap for few hosts
 * @order: log2 of the number of cells of each level
 */
struct kcuckoo_index_params {
	u8 family;
	bool host_bitmap;
	bool small;
	u8 order[KCUCKOO_LEVELS];
};

/**
 * struct kcuckoo_length_index - a length index of one family
 * @params: its kind and size, constant
 * @cells: the cells of each level: bytes for IPv4, 16-bit words for IPv6, bits
 *	in 64-bit words for hosts; written by the one writer
 * @used: cells of each level in which a bit is set; the writer's
 * @mulhash: a function of the filter's secret, constant
 */
struct kcuckoo_length_index {
	struct kcuckoo_index_params params;
	void *cells[KCUCKOO_LEVELS];
	u32 used[KCUCKOO_LEVELS];
	struct kcuckoo_mulhash mulhash;
};

unsigned int
kcuckoo_length_index_levels(const struct kcuckoo_index_params *params);
void kcuckoo_length_index_count(unsigned int family, unsigned int plen,
				u64 members, u64 counts[KCUCKOO_LEVELS]);
void kcuckoo_length_index_fit(struct kcuckoo_index_params *params,
			      const u64 counts[KCUCKOO_LEVELS]);
u64 kcuckoo_length_index_bytes(const struct kcuckoo_index_params *params);
void kcuckoo_length_index_init(struct kcuckoo_length_index *index,
			       const struct kcuckoo_index_params *params,
			       void *cells, const struct kcuckoo_hash_key *key);
void kcuckoo_length_index_clear(struct kcuckoo_length_index *index);
unsigned int kcuckoo_length_index_add(struct kcuckoo_length_index *index,
				      unsigned int plen,
				      const struct kcuckoo_number *number);
void kcuckoo_length_index_candidates(const struct kcuckoo_length_index *index,
				     const struct kcuckoo_number *address,
				     u64 candidates[KCUCKOO_LENGTH_WORDS]);

bool kcuckoo_length_index_should_grow(const struct kcuckoo_length_index *index,
				      struct kcuckoo_index_params *params);
bool kcuckoo_length_index_can_shrink(const struct kcuckoo_length_index *index,
				     struct kcuckoo_index_params *params,
				     unsigned int level);
void kcuckoo_length_index_fold(struct kcuckoo_length_index *to,
			       const struct kcuckoo_length_index *from,
			       unsigned int level, u32 cell, u32 end);

/**
 * kcuckoo_length_word() - get the word of a set of lengths that has a length
 * @family: KCUCKOO_FAMILY_IPV4 or KCUCKOO_FAMILY_IPV6
 * @plen: the length; its bit is @plen % 64
 *
 * Return: number of the word.
 */
static inline unsigned int kcuckoo_length_word(unsigned int family,
					       unsigned int plen)
{
	return family == KCUCKOO_FAMILY_IPV4 ? 0 : 1 + plen / 64;
}

/**
 * kcuckoo_length_index_may_contain() - check whether a host may be a member
 * @index: an index of IPv4, a host bitmap or not
 * @address: its address
 *
 * Context: any; readers need no lock.
 * Return: false if the index is a host bitmap and no member of more than
 * KCUCKOO_HOST_BITMAP_STRIDE bits is near the address.
 */
static __always_inline bool
kcuckoo_length_index_may_contain(const struct kcuckoo_length_index *index,
				 u32 address)
{
	const u64 *words = index->cells[0];
	u32 cell;

	if (!index->params.host_bitmap)
		return true;
	cell = address >> (32 - index->params.order[0]);
	return READ_ONCE(words[cell / 64]) >> cell % 64 & 1;
}

#endif /* _KCUCKOO_LENGTH_INDEX_H */
