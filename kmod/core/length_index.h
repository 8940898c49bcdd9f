/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Length index: which prefix lengths can occur near an address.
 *
 * An address has to be looked up once for every prefix length in use. Real
 * lists have dozens, but only a few of them near any one address. The index has
 * levels. Each level groups addresses by their first bits, its stride, and keeps
 * for each group a cell: the lengths that members in the group have, as far as
 * the level tells them, and whether the group has longer members, which deeper
 * levels tell. A look-up goes down from level to level until there are none; for
 * most addresses that no member covers, the first cell is enough.
 *
 * Groups share cells where there are fewer cells than groups, and some lengths
 * share a bit: a look-up may be told to probe a length in vain, never to leave
 * one out. Bits are only ever set; cells are right again after the index has
 * been made anew.
 *
 * A host bitmap is for a family that has addresses and hardly any networks. It
 * has one level of single bits: whether there are members in a group of addresses,
 * 128 or more. With millions of members its bits are in the processor's cache where
 * the table is not. With few members most of its bits are 0, and to read one takes
 * a fraction of what hashing the address takes. Between those it would cost more
 * memory than it is worth.
 */
#ifndef _KCUCKOO_LENGTH_INDEX_H
#define _KCUCKOO_LENGTH_INDEX_H

#include <linux/compiler.h>
#include <linux/kcuckoo.h>

#include "core/hash.h"
#include "core/permutation.h"

/* Words of a set of prefix lengths: one for IPv4, three for IPv6. */
#define KCUCKOO_LENGTH_WORDS	4

/* Levels of an index for IPv6, which has the most, and for IPv4. */
#define KCUCKOO_LEVELS		7
#define KCUCKOO_LEVELS_IPV4	3

/* Bits by which a host bitmap groups; it tells which groups have members of
 * more bits, and members of up to as many may be anywhere.
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
 * kcuckoo_length_word() - where a length stands in a set of lengths
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
