// SPDX-License-Identifier: GPL-2.0-only
/*
 * Builds and reads length indexes, chooses their sizes, and folds them into smaller
 * indexes.
 *
 * length_index.h explains levels, cells and groups, and what protects an index.
 */
#include <linux/bitops.h>
#include <linux/bits.h>
#include <linux/compiler.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include "core/bits.h"
#include "core/lock_budget.h"
#include "core/length_index.h"

/**
 * struct kcuckoo_level - constants of a level
 * @stride: number of first bits of an address that select its group
 * @last: the longest prefix length of the level
 * @quarters: number of quarters of the cells that can be in use before the level should
 *	grow: two, or three in a large level, where more cells save few probes
 */
struct kcuckoo_level {
	u8 stride;
	u8 last;
	u8 quarters;
};

/*
 * The levels were measured with all networks of real lists. With 561,828 networks of
 * IPv4, of 26 lengths, a look-up probes 2.9 lengths on average for an address that a
 * random member covers, and 0.1 lengths for an address that no member covers. With
 * 595,148 networks of IPv6, of 116 lengths, the averages are 5.9 and 0.2 lengths.
 *
 * Few groups of IPv6 have members with long prefixes. So the many lengths of a level of IPv6
 * cost few probes.
 */
static const struct kcuckoo_level
kcuckoo_levels_ipv4[KCUCKOO_LEVELS_IPV4] = {
	{ 13, 18, 2 }, { 18, 24, 2 }, { 24, 32, 3 },
};

static const struct kcuckoo_level
kcuckoo_levels_ipv6[KCUCKOO_LEVELS] = {
	{ 12, 32, 2 }, { 32, 48, 3 }, { 48, 64, 2 }, { 64, 80, 2 },
	{ 80, 96, 2 }, { 96, 112, 2 }, { 112, 128, 2 },
};

static const struct kcuckoo_level
kcuckoo_levels_host_bitmap[] = {
	{ KCUCKOO_HOST_BITMAP_STRIDE, 32, 2 },
};

/*
 * The highest bit of a cell stands for the level's longest length, the next lower bit
 * for the length that is 1 less, and so on. In all levels but the last, the lowest bit
 * (DEEPER) is set if the group has members that deeper levels record. The bit above it
 * (SHORTEST) stands for the length of its position, and for all shorter lengths of the
 * level.
 */
#define KCUCKOO_CELL_DEEPER	BIT(0)
#define KCUCKOO_CELL_SHORTEST	BIT(1)

/* Minimum and maximum log2 of the number of cells of a level, except in a host bitmap. */
#define KCUCKOO_LEVEL_ORDER_MIN	6
#define KCUCKOO_LEVEL_ORDER_MAX	20

/*
 * Minimum log2 of the number of bits of a large host bitmap (one that is not @small). In
 * the smallest such bitmap one bit stands for 64 bits of the largest bitmap, so that
 * host_bitmap_used() can count within words.
 */
#define KCUCKOO_HOST_BITMAP_ORDER_MIN	(KCUCKOO_HOST_BITMAP_STRIDE - 6)

/* Minimum and maximum log2 of the number of bits of a small host bitmap (128 bytes to 64 KB). */
#define KCUCKOO_SMALL_ORDER_MIN	10
#define KCUCKOO_SMALL_ORDER_MAX	19

/*
 * Number of members for each 64-bit word of a level, by which kcuckoo_length_index_fit()
 * chooses the size of the level. KCUCKOO_WORD_SMALL is for small host bitmaps, where few bits
 * should be set: an address whose bit is set costs a look-up in the table and a mispredicted
 * branch.
 */
#define KCUCKOO_WORD_MEMBERS	32
#define KCUCKOO_WORD_SMALL	4

/**
 * struct kcuckoo_levels - constants of a kind of index
 * @level: the levels
 * @count: number of levels
 * @cell_bits: bits of a cell: 1, 8 or 16
 * @order_min: minimum log2 of the number of cells of a level
 * @order_max: maximum log2 of the number of cells of a level
 * @members: KCUCKOO_WORD_MEMBERS or KCUCKOO_WORD_SMALL
 */
struct kcuckoo_levels {
	const struct kcuckoo_level *level;
	unsigned int count;
	unsigned int cell_bits;
	unsigned int order_min;
	unsigned int order_max;
	unsigned int members;
};

static inline struct kcuckoo_levels
kcuckoo_levels(const struct kcuckoo_index_params *params)
{
	const struct kcuckoo_levels host_bitmap = {
		.level = kcuckoo_levels_host_bitmap,
		.count = 1,
		.cell_bits = 1,
		.order_min = params->small ? KCUCKOO_SMALL_ORDER_MIN :
					     KCUCKOO_HOST_BITMAP_ORDER_MIN,
		.order_max = params->small ? KCUCKOO_SMALL_ORDER_MAX :
					     KCUCKOO_HOST_BITMAP_STRIDE,
		.members = params->small ? KCUCKOO_WORD_SMALL :
					   KCUCKOO_WORD_MEMBERS,
	};
	const struct kcuckoo_levels ipv4 = {
		.level = kcuckoo_levels_ipv4,
		.count = KCUCKOO_LEVELS_IPV4,
		.cell_bits = 8,
		.order_min = KCUCKOO_LEVEL_ORDER_MIN,
		.order_max = KCUCKOO_LEVEL_ORDER_MAX,
		.members = KCUCKOO_WORD_MEMBERS,
	};
	const struct kcuckoo_levels ipv6 = {
		.level = kcuckoo_levels_ipv6,
		.count = KCUCKOO_LEVELS,
		.cell_bits = 16,
		.order_min = KCUCKOO_LEVEL_ORDER_MIN,
		.order_max = KCUCKOO_LEVEL_ORDER_MAX,
		.members = KCUCKOO_WORD_MEMBERS,
	};

	if (params->host_bitmap)
		return host_bitmap;
	return params->family == KCUCKOO_FAMILY_IPV4 ? ipv4 : ipv6;
}

static inline u64 level_bytes(const struct kcuckoo_levels *levels,
			      unsigned int order)
{
	return ((u64)levels->cell_bits << order) / 8;
}

/*
 * Returns how many of the 2^@order cells of level @i can be in use before the level
 * should grow.
 */
static inline u32 level_used_max(const struct kcuckoo_levels *levels,
				 unsigned int i, unsigned int order)
{
	return (levels->level[i].quarters << order) / 4;
}

/**
 * kcuckoo_length_index_levels() - get the number of levels of an index
 * @params: kind and size of the index
 *
 * Return: the number.
 */
unsigned int
kcuckoo_length_index_levels(const struct kcuckoo_index_params *params)
{
	return kcuckoo_levels(params).count;
}

/**
 * kcuckoo_length_index_count() - add the members of one length to the counts of levels
 * @family: KCUCKOO_FAMILY_IPV4 or KCUCKOO_FAMILY_IPV6
 * @plen: the prefix length
 * @members: number of members of this length
 * @counts: in and out: number of members that each level records
 *
 * A member is recorded in the level of its length and in all levels before this level.
 * For host bitmaps see kcuckoo_length_index_fit().
 */
void kcuckoo_length_index_count(unsigned int family, unsigned int plen,
				u64 members, u64 counts[KCUCKOO_LEVELS])
{
	const struct kcuckoo_index_params params = { .family = family };
	struct kcuckoo_levels levels = kcuckoo_levels(&params);
	unsigned int i;

	for (i = 0; i < levels.count; i++)
		if (!i || plen > levels.level[i - 1].last)
			counts[i] += members;
}

/**
 * kcuckoo_length_index_fit() - choose the size of an index
 * @params: in: kind of the index; out: its size
 * @counts: number of members that each level records, from
 *	kcuckoo_length_index_count(); for a host bitmap the number of members with
 *	prefixes of more than KCUCKOO_HOST_BITMAP_STRIDE bits
 *
 * The size depends on the number of members, because the number of groups
 * (length_index.h) with members is not known in advance.
 */
void kcuckoo_length_index_fit(struct kcuckoo_index_params *params,
			      const u64 counts[KCUCKOO_LEVELS])
{
	struct kcuckoo_levels levels = kcuckoo_levels(params);
	unsigned int i;

	for (i = 0; i < KCUCKOO_LEVELS; i++) {
		unsigned int order = levels.order_min;
		unsigned int max;

		params->order[i] = 0;
		if (i >= levels.count)
			continue;
		max = min_t(unsigned int, levels.level[i].stride,
			    levels.order_max);
		while (order < max &&
		       counts[i] > level_bytes(&levels, order) /
				   sizeof(u64) * levels.members)
			order++;
		params->order[i] = order;
	}
}

/**
 * kcuckoo_length_index_bytes() - get the size of all cells of an index
 * @params: kind and size of the index
 *
 * Return: number of bytes.
 */
u64 kcuckoo_length_index_bytes(const struct kcuckoo_index_params *params)
{
	struct kcuckoo_levels levels = kcuckoo_levels(params);
	u64 bytes = 0;
	unsigned int i;

	for (i = 0; i < levels.count; i++)
		bytes += level_bytes(&levels, params->order[i]);
	return bytes;
}

/**
 * kcuckoo_length_index_init() - initialize an empty index in zeroed memory
 * @index: the index
 * @params: kind and size of the index
 * @cells: kcuckoo_length_index_bytes() bytes of zeroed memory, which the caller frees
 *	after the last use of @index
 * @key: secret of the filter
 */
void kcuckoo_length_index_init(struct kcuckoo_length_index *index,
			       const struct kcuckoo_index_params *params,
			       void *cells, const struct kcuckoo_hash_key *key)
{
	struct kcuckoo_levels levels = kcuckoo_levels(params);
	unsigned int i;

	index->params = *params;
	kcuckoo_mulhash_init(&index->mulhash, key, 0);
	for (i = 0; i < levels.count; i++) {
		index->cells[i] = cells;
		cells += level_bytes(&levels, params->order[i]);
	}
}

/**
 * kcuckoo_length_index_clear() - empty an index
 * @index: the index; the caller ensures that no reader or writer uses it
 */
void kcuckoo_length_index_clear(struct kcuckoo_length_index *index)
{
	memset(index->cells[0], 0, kcuckoo_length_index_bytes(&index->params));
	memset(index->used, 0, sizeof(index->used));
}

/* Returns the @plen bits of a prefix, followed by zeroes, as a number of 128 bits. */
static struct kcuckoo_number kcuckoo_align(const struct kcuckoo_number *number,
					   unsigned int plen)
{
	struct kcuckoo_number aligned = { 0, 0 };

	if (plen == 128)
		return *number;
	if (plen > 64) {
		aligned.hi = number->hi << (128 - plen) |
			     number->lo >> (plen - 64);
		aligned.lo = number->lo << (128 - plen);
	} else if (plen) {
		aligned.hi = number->lo << (64 - plen);
	}
	return aligned;
}

/*
 * Returns the index of the cell of an address in level @i. The first bit of the address
 * is the highest bit of @address->hi. In the first level the first bits of the address
 * are the index, so that a short prefix covers consecutive cells. In the other levels
 * the index is a hash of the group. The hash need not resist attacks: a shared cell costs an
 * additional probe, but does not change the result of a look-up.
 */
static __always_inline u32
index_cell(const struct kcuckoo_length_index *index,
	   const struct kcuckoo_level *level, unsigned int i,
	   const struct kcuckoo_number *address)
{
	u64 group = address->hi;

	if (!i)
		return group >> (64 - index->params.order[0]);
	if (level->stride <= 64)
		group >>= 64 - level->stride;
	else
		group += (address->lo >> (128 - level->stride)) *
			 KCUCKOO_HASH_MULTIPLIER;
	return kcuckoo_mulhash(&index->mulhash, group) >>
	       (64 - index->params.order[i]);
}

/* Reads a cell of level @i; @width is the number of bits of a cell. */
static __always_inline u32
index_read(const struct kcuckoo_length_index *index, unsigned int width,
	   unsigned int i, u32 cell)
{
	if (width == 1)
		return READ_ONCE(((const u64 *)index->cells[i])[cell / 64]) >>
		       cell % 64 & 1;
	if (width == 8)
		return READ_ONCE(((const u8 *)index->cells[i])[cell]);
	return READ_ONCE(((const u16 *)index->cells[i])[cell]);
}

/*
 * Sets bits of a cell of level @i, and counts the cell in @index->used if no bit of the
 * cell was set before.
 */
static void index_mark(struct kcuckoo_length_index *index,
		       unsigned int width, unsigned int i, u32 cell,
		       u32 bits)
{
	u32 old = index_read(index, width, i, cell);

	kcuckoo_lock_budget_count();
	if (!(bits & ~old))
		return;
	index->used[i] += !old;
	if (width == 1) {
		u64 *word = (u64 *)index->cells[i] + cell / 64;

		WRITE_ONCE(*word, *word | BIT_ULL(cell % 64));
	} else if (width == 8) {
		WRITE_ONCE(((u8 *)index->cells[i])[cell], old | bits);
	} else {
		WRITE_ONCE(((u16 *)index->cells[i])[cell], old | bits);
	}
}

/* Returns the bit of prefix length @plen in the cells of level @i. */
static u32 level_bit(const struct kcuckoo_levels *levels,
		     unsigned int i, unsigned int plen)
{
	unsigned int top = levels->cell_bits - 1;
	unsigned int below = levels->level[i].last - plen;
	unsigned int min_bit = i + 1 == levels->count ? 0 : 1;

	return BIT(below + min_bit > top ? min_bit : top - below);
}

/**
 * kcuckoo_length_index_add() - record the length of a member
 * @index: the index
 * @plen: the member's prefix length
 * @number: the @plen address bits of the member
 *
 * A member with a short prefix is recorded in all cells of the first level that it covers:
 * up to 2^13 cells of IPv4, or 2^12 cells of IPv6.
 *
 * Context: the writer, before readers can find the member in its table.
 * Return: the number of cells that the function read, a measure of its time.
 */
unsigned int kcuckoo_length_index_add(struct kcuckoo_length_index *index,
				      unsigned int plen,
				      const struct kcuckoo_number *number)
{
	struct kcuckoo_levels levels = kcuckoo_levels(&index->params);
	struct kcuckoo_number address = kcuckoo_align(number, plen);
	unsigned int order = index->params.order[0];
	unsigned int i;
	u32 cell;
	u32 end;
	u32 bit;

	if (index->params.host_bitmap && plen <= KCUCKOO_HOST_BITMAP_STRIDE)
		return 0;
	for (i = 0; plen > levels.level[i].last; i++) {
		cell = index_cell(index, &levels.level[i], i,
				  &address);
		index_mark(index, levels.cell_bits, i, cell,
			   KCUCKOO_CELL_DEEPER);
	}
	bit = level_bit(&levels, i, plen);
	cell = index_cell(index, &levels.level[i], i, &address);
	end = cell + (plen < order ? 1U << (order - plen) : 1);
	for (; cell < end; cell++)
		index_mark(index, levels.cell_bits, i, cell, bit);
	return i + (plen < order ? 1U << (order - plen) : 1);
}

/*
 * Returns the set of lengths in a cell. @last is true for a cell of the last level. In
 * the result the highest bit stands for the level's longest length, the next lower bit
 * for the length that is 1 less, and so on. In all levels but the last, the lowest bit
 * of a cell is DEEPER and not a length. In the result this bit is a copy of SHORTEST:
 * it stands for the next shorter length, which shares SHORTEST in the cell.
 */
static __always_inline u32 cell_lengths(u32 cell, bool last)
{
	if (last)
		return cell;
	return (cell & ~KCUCKOO_CELL_DEEPER) |
	       (cell & KCUCKOO_CELL_SHORTEST) / KCUCKOO_CELL_SHORTEST;
}

/* Returns the lengths of a cell of level @i for IPv4 as a set: bit n for prefix length n. */
static __always_inline u64 cell_word(u32 cell, unsigned int i)
{
	return (u64)cell_lengths(cell, i + 1 == KCUCKOO_LEVELS_IPV4) <<
	       (kcuckoo_levels_ipv4[i].last - 7);
}

/* Reads the cell of level @i of the IPv4 address in the upper 32 bits of @address. */
static __always_inline u32
index_read_ipv4(const struct kcuckoo_length_index *index,
		unsigned int i, const struct kcuckoo_number *address)
{
	return index_read(index, 8, i,
			  index_cell(index,
				     &kcuckoo_levels_ipv4[i],
				     i, address));
}

/* Returns ~0 if deeper levels record members of the group of a cell, else 0. */
static inline u64 cell_deeper(u32 cell)
{
	return -(u64)(cell & KCUCKOO_CELL_DEEPER);
}

/*
 * Returns the set of lengths to probe for an IPv4 address. If SHORTEST is set in the
 * cell of the first level, the set has all lengths that share this bit, down to 0.
 *
 * If the cell of the first level is not 0, the function always reads the other two
 * levels and masks the result: the processor cannot predict whether these levels are
 * needed, and reading two more cells costs less than a mispredicted branch.
 */
static u64 index_candidates_ipv4(const struct kcuckoo_length_index *index,
				 const struct kcuckoo_number *address)
{
	const struct kcuckoo_number aligned = { address->lo << 32, 0 };
	u32 cell = index_read_ipv4(index, 0, &aligned);
	u64 candidates = cell_word(cell, 0);
	u64 deeper = cell_deeper(cell);

	if (!cell)
		return 0;
	if (cell & KCUCKOO_CELL_SHORTEST)
		candidates |= candidates - 1;
	cell = index_read_ipv4(index, 1, &aligned);
	candidates |= cell_word(cell, 1) & deeper;
	deeper &= cell_deeper(cell);
	cell = index_read_ipv4(index, 2, &aligned);
	return candidates | (cell_word(cell, 2) & deeper);
}

static void index_candidates_ipv6(const struct kcuckoo_length_index *index,
				  const struct kcuckoo_number *address,
				  u64 candidates[KCUCKOO_LENGTH_WORDS])
{
	const unsigned int count = KCUCKOO_LEVELS;
	unsigned int i;

	for (i = 0; i < count; i++) {
		const struct kcuckoo_level *level = &kcuckoo_levels_ipv6[i];
		unsigned int first = level->last - 15;
		u32 cell = index_cell(index, level, i, address);
		u64 lengths;

		cell = index_read(index, 16, i, cell);
		lengths = cell_lengths(cell, i + 1 == count);
		candidates[1 + first / 64] |= lengths << first % 64;
		/* Sixteen lengths span two words at most. */
		if (first % 64 > 48)
			candidates[2 + first / 64] |= lengths >>
						      (64 - first % 64);
		if (!i && cell & KCUCKOO_CELL_SHORTEST)
			candidates[1] |= kcuckoo_bits_mask(first);
		if (!(cell & KCUCKOO_CELL_DEEPER))
			break;
	}
}

/**
 * kcuckoo_length_index_candidates() - get the lengths to probe for an address
 * @index: the index
 * @address: the address, 32 or 128 bits
 * @candidates: out: the lengths of all members that cover the address, and possibly other
 *	lengths
 *
 * Context: any; readers need no lock.
 */
void kcuckoo_length_index_candidates(const struct kcuckoo_length_index *index,
				     const struct kcuckoo_number *address,
				     u64 candidates[KCUCKOO_LENGTH_WORDS])
{
	const u64 networks = kcuckoo_bits_mask(KCUCKOO_HOST_BITMAP_STRIDE + 1);

	candidates[0] = 0;
	candidates[1] = 0;
	candidates[2] = 0;
	candidates[3] = 0;
	if (index->params.host_bitmap)
		candidates[0] = kcuckoo_length_index_may_contain(index,
								 address->lo) ?
				~0ULL : networks;
	else if (index->params.family == KCUCKOO_FAMILY_IPV4)
		candidates[0] = index_candidates_ipv4(index, address);
	else
		index_candidates_ipv6(index, address, candidates);
}

/**
 * kcuckoo_length_index_should_grow() - check whether an index should grow
 * @index: the index
 * @params: in: kind of @index, and the size that suits the members, from
 *	kcuckoo_length_index_fit(); out: the size to grow to, in which no level is
 *	smaller than in @index
 *
 * Return: true if a level of @index is smaller than in @params and uses more than half
 * (in some levels, three quarters) of its cells.
 */
bool kcuckoo_length_index_should_grow(const struct kcuckoo_length_index *index,
				      struct kcuckoo_index_params *params)
{
	struct kcuckoo_levels levels = kcuckoo_levels(params);
	unsigned int i;
	bool larger = false;

	for (i = 0; i < levels.count; i++) {
		u8 order = index->params.order[i];

		if (params->order[i] > order &&
		    index->used[i] > level_used_max(&levels, i, order))
			larger = true;
		if (params->order[i] < order)
			params->order[i] = order;
	}
	return larger;
}

/*
 * Counts the bits that would be set in a host bitmap in which each bit stands for 2^@shift
 * bits of @index; 2^@shift is at most 64.
 */
static u32 host_bitmap_used(const struct kcuckoo_length_index *index,
			    unsigned int shift)
{
	const u64 *words = index->cells[0];
	u64 first = ~0ULL / kcuckoo_bits_mask(1U << shift);
	u32 used = 0;
	u32 i;

	for (i = 0; i < 1U << index->params.order[0] >> 6; i++) {
		u64 word = READ_ONCE(words[i]);
		unsigned int n;

		for (n = 0; n < shift; n++)
			word |= word >> (1U << n);
		used += hweight64(word & first);
	}
	return used;
}

/* Counts the cells that level @i would use if it had only 2^@order cells. */
static u32 level_used(const struct kcuckoo_length_index *index,
		      unsigned int width, unsigned int i,
		      unsigned int order)
{
	u32 cells = 1U << (index->params.order[i] - order);
	u32 used = 0;
	u32 cell = 0;
	u32 group;

	if (width == 1)
		return host_bitmap_used(index,
					index->params.order[i] - order);
	for (group = 0; group < 1U << order; group++) {
		u32 bits = 0;
		u32 n;

		for (n = 0; n < cells; n++)
			bits |= index_read(index, width, i, cell++);
		used += !!bits;
	}
	return used;
}

/**
 * kcuckoo_length_index_can_shrink() - check whether a level can shrink
 * @index: the index
 * @params: in: kind and size of the index; out: the same, with the smallest size of @level
 *	that would not have to grow again
 * @level: number of the level
 *
 * A small host bitmap keeps its size. If an index has several levels, the first level
 * keeps its size, too.
 *
 * Context: process context, because the function can take milliseconds. A writer can
 * set bits at the same time, so the function can count too few cells.
 * Return: true if the level can shrink.
 */
bool kcuckoo_length_index_can_shrink(const struct kcuckoo_length_index *index,
				     struct kcuckoo_index_params *params,
				     unsigned int level)
{
	struct kcuckoo_levels levels = kcuckoo_levels(params);
	u8 *order = &params->order[level];

	if (params->small)
		return false;
	while ((level || levels.count == 1) && *order > levels.order_min &&
	       level_used(index, levels.cell_bits, level,
			  *order - 1) <=
	       level_used_max(&levels, level, *order - 1))
		--*order;
	return *order < index->params.order[level];
}

/* ORs bits 2n and 2n + 1 of a word, for n = 0..31. Bit n of the result is the n-th OR. */
static u64 word_halve(u64 word)
{
	word = (word | word >> 1) & 0x5555555555555555ULL;
	word = (word | word >> 1) & 0x3333333333333333ULL;
	word = (word | word >> 2) & 0x0f0f0f0f0f0f0f0fULL;
	word = (word | word >> 4) & 0x00ff00ff00ff00ffULL;
	word = (word | word >> 8) & 0x0000ffff0000ffffULL;
	return (word | word >> 16) & 0xffffffffULL;
}

/*
 * Copies the word that has bit @cell of the host bitmap @from to the host bitmap @to, in
 * which each bit stands for 2^@shift bits of @from; 2^@shift is at most 64.
 */
static void host_bitmap_fold_word(struct kcuckoo_length_index *to,
				  const struct kcuckoo_length_index *from,
				  unsigned int shift, u32 cell)
{
	u64 *word = (u64 *)to->cells[0] + (cell >> shift) / 64;
	u64 bits = READ_ONCE(((const u64 *)from->cells[0])[cell / 64]);
	u64 old = READ_ONCE(*word);
	unsigned int i;

	kcuckoo_lock_budget_count();
	for (i = 0; i < shift && bits; i++)
		bits = word_halve(bits);
	bits = (bits << (cell >> shift) % 64) & ~old;
	if (!bits)
		return;
	to->used[0] += hweight64(bits);
	WRITE_ONCE(*word, old | bits);
}

/**
 * kcuckoo_length_index_fold() - copy cells of an index to an index of the same or a
 *	smaller size
 * @to: the index to copy to; bits that are already set in @to stay set
 * @from: the index to copy from, of the same filter
 * @level: number of the level
 * @cell: the first cell of the level to copy; of a host bitmap a multiple of 64
 * @end: the cell after the last cell to copy; of a host bitmap a multiple of 64
 *
 * Copies a host bitmap word by word: bit by bit, 16,384 bits took 60 us. If the level is
 * smaller in @to, several cells of @from are ORed into one cell of @to.
 *
 * Context: the writer.
 */
void kcuckoo_length_index_fold(struct kcuckoo_length_index *to,
			       const struct kcuckoo_length_index *from,
			       unsigned int level, u32 cell, u32 end)
{
	unsigned int width = kcuckoo_levels(&to->params).cell_bits;
	unsigned int shift = from->params.order[level] -
			     to->params.order[level];

	if (width == 1) {
		for (; cell < end; cell += 64)
			host_bitmap_fold_word(to, from, shift, cell);
		return;
	}
	for (; cell < end; cell++)
		index_mark(to, width, level, cell >> shift,
			   index_read(from, width, level,
				      cell));
}
