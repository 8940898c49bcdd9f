/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Length index: records the prefix lengths of the members that share their first bits with
 * an address, so that a look-up need not probe the tables of all lengths.
 *
 * Real lists have dozens of prefix lengths, but members that share their first bits have
 * only a few lengths.
 *
 * The index has levels, each for a range of prefix lengths. A level groups addresses by
 * their first bits; the number of these bits is the stride of the level. Each group has a
 * cell. The cell records which of the prefix lengths of the level occur among the members
 * with addresses in the group. The cell also records whether the group has members with
 * longer prefixes. Their lengths are in the cells of the levels for longer prefixes, called
 * deeper levels. A look-up needs a deeper level only if the cells of all levels before it
 * record longer prefixes.
 *
 * Several groups can share a cell, and some lengths share a bit of a cell. So a look-up
 * can probe a length that no covering member has, but never misses a member. Deletes do
 * not clear bits: the bits of removed members stay until filter/index.c builds the index
 * again.
 *
 * A host bitmap is an index for IPv4 members that are mostly addresses (hosts). It has one
 * level, and each cell is a single bit. The bit records whether a group of 128 or more
 * addresses has members with prefixes of more than 25 bits. filter/index.c explains when a
 * host bitmap is worth its memory.
 *
 * One writer at a time, under the filter's lock, sets bits. Readers need no lock and no
 * sequence count: the writer sets the bits of a member before readers can find the member
 * in a table.
 */
#ifndef _KCUCKOO_LENGTH_INDEX_H
#define _KCUCKOO_LENGTH_INDEX_H

#include <linux/compiler.h>
#include <linux/kcuckoo.h>

#include "core/hash.h"
#include "core/permutation.h"

/* Number of 64-bit words of a set of prefix lengths: the first for IPv4, three for IPv6. */
#define KCUCKOO_LENGTH_WORDS	4

/* Numbers of levels of an index of IPv6, which is the maximum, and of an index of IPv4. */
#define KCUCKOO_LEVELS		7
#define KCUCKOO_LEVELS_IPV4	3

/*
 * Stride of the largest host bitmap. A host bitmap records only longer prefixes; look-ups
 * always probe the prefix lengths from 0 to this number.
 */
#define KCUCKOO_HOST_BITMAP_STRIDE	25

/**
 * struct kcuckoo_index_params - kind and size of a length index
 * @family: KCUCKOO_FAMILY_IPV4 or KCUCKOO_FAMILY_IPV6
 * @host_bitmap: true if the index is a host bitmap; only for IPv4
 * @small: true if the index is a host bitmap of at most 64 KB, for few members
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
 * @params: kind and size, constant
 * @cells: the cells of each level: bytes for IPv4, 16-bit words for IPv6, bits in
 *	64-bit words for a host bitmap; only the writer writes them
 * @used: number of cells of each level that are not 0; for the writer only
 * @mulhash: a hash function of the filter's secret, constant
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
 * kcuckoo_length_word() - get the word of a set of lengths that has the bit of a length
 * @family: KCUCKOO_FAMILY_IPV4 or KCUCKOO_FAMILY_IPV6
 * @plen: the length; its bit in the word is @plen % 64
 *
 * Return: number of the word.
 */
static inline unsigned int kcuckoo_length_word(unsigned int family,
					       unsigned int plen)
{
	return family == KCUCKOO_FAMILY_IPV4 ? 0 : 1 + plen / 64;
}

/**
 * kcuckoo_length_index_may_contain() - check whether a member with a long prefix can cover
 *	an address
 * @index: an index of IPv4, a host bitmap or not
 * @address: the address
 *
 * Context: any; readers need no lock.
 * Return: false if the index is a host bitmap and the group of the address has no
 * member with a prefix of more than KCUCKOO_HOST_BITMAP_STRIDE bits, else true.
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
