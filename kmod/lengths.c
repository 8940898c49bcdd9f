// SPDX-License-Identifier: GPL-2.0-only
/*
 * Length index.
 */
#include <linux/bits.h>
#include <linux/compiler.h>
#include <linux/minmax.h>

#include "bits.h"
#include "lengths.h"
#include "prefix.h"

/* Third word of the hash of groups; see also table.c and permutation.c. */
#define KCUCKOO_GROUP_HASH	0x677270

/*
 * IPv4: all groups have a cell of their own in 256 KiB, which leaves 1.6 probes
 * for an address out of 26 lengths in a real table of 561,828 prefixes. IPv6:
 * networks are handed out as /32 and longer.
 */
#define KCUCKOO_IPV4_STRIDE	16
#define KCUCKOO_IPV6_STRIDE	32

#define KCUCKOO_CELLS_MIN	64
#define KCUCKOO_IPV6_CELLS_MAX	BIT(20)

/* Members for each cell: half a byte of index for a member. */
#define KCUCKOO_CELL_MEMBERS	8

/**
 * kcuckoo_lengths_stride() - bits by which addresses are grouped
 * @family: KCUCKOO_FAMILY_IPV4 or KCUCKOO_FAMILY_IPV6
 *
 * Return: bits; members shorter than that are not in the index.
 */
unsigned int kcuckoo_lengths_stride(unsigned int family)
{
	return family == KCUCKOO_FAMILY_IPV4 ? KCUCKOO_IPV4_STRIDE :
					       KCUCKOO_IPV6_STRIDE;
}

/**
 * kcuckoo_lengths_cells() - a good size for an index
 * @family: KCUCKOO_FAMILY_IPV4 or KCUCKOO_FAMILY_IPV6
 * @members: members that there are room for in the family's tables
 *
 * Return: number of cells, a power of two.
 */
u32 kcuckoo_lengths_cells(unsigned int family, u64 members)
{
	u32 max = family == KCUCKOO_FAMILY_IPV4 ? 1U << KCUCKOO_IPV4_STRIDE :
						  KCUCKOO_IPV6_CELLS_MAX;
	u32 cells = KCUCKOO_CELLS_MIN;

	while (cells < max && (u64)cells * KCUCKOO_CELL_MEMBERS < members)
		cells *= 2;
	return cells;
}

/**
 * kcuckoo_lengths_init() - make an empty index from zeroed memory
 * @lengths: the index
 * @family: KCUCKOO_FAMILY_IPV4 or KCUCKOO_FAMILY_IPV6
 * @cells: @ncells zeroed cells
 * @ncells: how many
 * @key: secret of the filter, copied
 */
void kcuckoo_lengths_init(struct kcuckoo_lengths *lengths, unsigned int family,
			  u32 *cells, u32 ncells,
			  const struct kcuckoo_hash_key *key)
{
	lengths->cells = cells;
	lengths->ncells = ncells;
	lengths->stride = kcuckoo_lengths_stride(family);
	lengths->key = *key;
}

/* The cell of a group, a number of as many bits as the stride. */
static u32 *kcuckoo_lengths_cell(const struct kcuckoo_lengths *lengths,
				 u32 group)
{
	u64 hash;

	if (lengths->ncells == 1ULL << lengths->stride)
		return &lengths->cells[group];
	hash = kcuckoo_hash_words(&lengths->key, group, 0, KCUCKOO_GROUP_HASH);
	return &lengths->cells[kcuckoo_hash_scale(hash, lengths->ncells)];
}

/**
 * kcuckoo_lengths_set() - tell the index of a member
 * @lengths: the index
 * @plen: the member's prefix length
 * @number: its address bits, @plen of them
 *
 * Context: the writer, before the member can be found in its table.
 */
void kcuckoo_lengths_set(struct kcuckoo_lengths *lengths, unsigned int plen,
			 const struct kcuckoo_number *number)
{
	u32 *cell;
	u32 bit;

	if (plen < lengths->stride)
		return;
	bit = 1U << (plen - lengths->stride) % 32;
	cell = kcuckoo_lengths_cell(lengths,
				    kcuckoo_prefix_cut(number, plen,
						       lengths->stride).lo);
	if (!(*cell & bit))
		WRITE_ONCE(*cell, *cell | bit);
}

/**
 * kcuckoo_lengths_near() - lengths to probe for an address
 * @lengths: the index, or NULL where there is none
 * @family: KCUCKOO_FAMILY_IPV4 or KCUCKOO_FAMILY_IPV6
 * @address: the address, 32 or 128 bits
 * @near: out: a set of lengths that includes those of all members that are
 *	the address or a prefix of it; other lengths that may be there
 *
 * Context: any; readers need no lock.
 */
void kcuckoo_lengths_near(const struct kcuckoo_lengths *lengths,
			  unsigned int family,
			  const struct kcuckoo_number *address,
			  u64 near[KCUCKOO_LENGTH_WORDS])
{
	bool ipv4 = family == KCUCKOO_FAMILY_IPV4;
	u64 mask = ~0ULL;
	u32 group;

	if (lengths) {
		group = ipv4 ? address->lo >> (32 - KCUCKOO_IPV4_STRIDE) :
			       address->hi >> (64 - KCUCKOO_IPV6_STRIDE);
		mask = READ_ONCE(*kcuckoo_lengths_cell(lengths, group));
	}
	near[0] = 0;
	near[1] = 0;
	near[2] = 0;
	near[3] = 0;
	if (ipv4) {
		near[0] = kcuckoo_bits_mask(KCUCKOO_IPV4_STRIDE) |
			  mask << KCUCKOO_IPV4_STRIDE;
	} else {
		near[1] = kcuckoo_bits_mask(KCUCKOO_IPV6_STRIDE) |
			  mask << KCUCKOO_IPV6_STRIDE;
		near[2] = mask | mask << 32;
		near[3] = mask;
	}
}
