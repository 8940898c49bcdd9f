/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Length index: which prefix lengths can occur near an address.
 *
 * An address has to be looked up once for every prefix length in use. Real
 * lists have some two dozen, but only one or two of them near any one address.
 * The index groups addresses by their first bits (the stride) and keeps, for
 * each group, a mask of the lengths of its members.
 *
 * Groups share cells where there are fewer cells than groups, and lengths share
 * bits where there are more lengths than bits: a look-up may be told to probe
 * a length in vain, never to leave one out. Bits are only ever set; cells are
 * right again after the index has been made anew.
 *
 * Lengths shorter than the stride are always probed.
 */
#ifndef _KCUCKOO_LENGTHS_H
#define _KCUCKOO_LENGTHS_H

#include <linux/kcuckoo.h>

#include "hash.h"
#include "permutation.h"

/* Words of a set of prefix lengths: one for IPv4, three for IPv6. */
#define KCUCKOO_LENGTH_WORDS	4

/**
 * struct kcuckoo_lengths - a length index of one family
 * @cells: masks; bit (length - stride) mod 32; written by the one writer
 * @ncells: how many, constant
 * @stride: bits by which addresses are grouped, constant
 * @key: secret of the filter
 */
struct kcuckoo_lengths {
	u32 *cells;
	u32 ncells;
	u8 stride;
	struct kcuckoo_hash_key key;
};

u32 kcuckoo_lengths_cells(unsigned int family, u64 members);
unsigned int kcuckoo_lengths_stride(unsigned int family);
void kcuckoo_lengths_init(struct kcuckoo_lengths *lengths, unsigned int family,
			  u32 *cells, u32 ncells,
			  const struct kcuckoo_hash_key *key);
void kcuckoo_lengths_set(struct kcuckoo_lengths *lengths, unsigned int plen,
			 const struct kcuckoo_number *number);
void kcuckoo_lengths_near(const struct kcuckoo_lengths *lengths,
			  unsigned int family,
			  const struct kcuckoo_number *address,
			  u64 near[KCUCKOO_LENGTH_WORDS]);

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

#endif /* _KCUCKOO_LENGTHS_H */
