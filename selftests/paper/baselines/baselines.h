/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The filters that Fan et al., "Cuckoo Filter: Practically Better Than Bloom"
 * (CoNEXT 2014), compare the cuckoo filter with, in userspace, for benchmarks.
 *
 *	name		source			erase	refuses an insert
 *	bloom		Bloom 1970		no	never
 *	counting	Fan (Li) et al. 1998	yes	never
 *	blocked		Putze et al. 2007	no	never
 *	quotient	Bender et al. 2012	yes	above 90 % load
 *	dleft4, dleft8	Bonomi et al. 2006	yes	when all buckets of an item
 *						are full
 *
 * Items are 64-bit hash values, mixed well: every bit is used. Memory is packed
 * to the bit. Nothing is locked. A filter is one of its own thread.
 */
#ifndef _BASELINES_H
#define _BASELINES_H

#include <linux/types.h>

struct baseline_type;

/**
 * struct baseline - a filter
 * @type: which sort
 * @memory: its table, and 8 bytes to read beyond the last field
 * @bytes: size of @memory
 * @entries: items inserted and not erased, copies counted
 * @places: bits, counters, blocks, slots or cells of the table
 * @buckets: d-left: buckets of one subtable
 * @lanes: d-left: the lowest bit of each of the cells that one load reads
 * @limit: quotient: most entries
 * @hashes: Bloom: bits or counters of an item (k)
 * @width: bits of a counter, slot or cell
 * @remainder: bits of the fingerprint that a slot or cell stores
 * @cells: d-left: cells of a bucket
 * @group: d-left: cells that one load reads
 *
 * All but @entries and the memory's content stay as created. To be read only.
 */
struct baseline {
	const struct baseline_type *type;
	u8 *memory;
	u64 bytes;
	u64 entries;
	u64 places;
	u64 buckets;
	u64 lanes;
	u64 limit;
	unsigned int hashes;
	unsigned int width;
	unsigned int remainder;
	unsigned int cells;
	unsigned int group;
};

/**
 * struct baseline_type - a sort of filter
 * @name: for people
 * @shape: sets the shape of a new filter, returns the bits of its table or 0 if
 *	there is no such filter; one of rate and bits per item is 0
 * @insert: see baseline_insert()
 * @contains: see baseline_contains()
 * @erase: see baseline_erase(); NULL if items cannot be erased
 */
struct baseline_type {
	const char *name;
	u64 (*shape)(struct baseline *filter, u64 items, double rate,
		     double bits);
	bool (*insert)(struct baseline *filter, u64 hash);
	bool (*contains)(const struct baseline *filter, u64 hash);
	bool (*erase)(struct baseline *filter, u64 hash);
};

extern const struct baseline_type baseline_bloom;
extern const struct baseline_type baseline_counting;
extern const struct baseline_type baseline_blocked;
extern const struct baseline_type baseline_quotient;
extern const struct baseline_type baseline_dleft4;
extern const struct baseline_type baseline_dleft8;

/* All of them, in this order. */
#define BASELINE_TYPES	6

extern const struct baseline_type * const baseline_types[BASELINE_TYPES];

/**
 * baseline_create() - make an empty filter
 * @type: which sort
 * @items: how many items it is meant for, 1..2^40
 * @rate: its false positive rate when it holds them, above 0 and below 1, or 0
 *	if @bits is given
 * @bits: bits of memory per item, or 0 if @rate is given
 *
 * Whole bits of fingerprints are rounded so that the rate is no higher, or the
 * memory no larger, than asked for. The load that a filter is meant for is 90 %
 * for quotient filters, 75 % for d-left ones.
 *
 * Return: the filter, for baseline_free(), or NULL: out of memory, or there is
 * no such filter.
 */
struct baseline *baseline_create(const struct baseline_type *type, u64 items,
				 double rate, double bits);

/**
 * baseline_free() - free a filter
 * @filter: the filter, or NULL
 */
void baseline_free(struct baseline *filter);

/**
 * baseline_insert() - insert an item, or one more copy of it
 * @filter: the filter
 * @hash: the item
 *
 * Return: false if the filter is too full, and is as it was.
 */
static inline bool baseline_insert(struct baseline *filter, u64 hash)
{
	return filter->type->insert(filter, hash);
}

/**
 * baseline_contains() - look an item up
 * @filter: the filter
 * @hash: the item
 *
 * Return: true if the item was inserted, and possibly if it was not.
 */
static inline bool baseline_contains(const struct baseline *filter, u64 hash)
{
	return filter->type->contains(filter, hash);
}

/**
 * baseline_erase() - erase one copy of an item
 * @filter: the filter, of a type that has @erase
 * @hash: the item; it was inserted, else another may be lost
 *
 * Return: false if the filter does not contain it, and is as it was.
 */
static inline bool baseline_erase(struct baseline *filter, u64 hash)
{
	return filter->type->erase(filter, hash);
}

/**
 * baseline_bits() - memory of a filter's table
 * @filter: the filter
 *
 * Return: all that was allocated for it, in bits.
 */
static inline u64 baseline_bits(const struct baseline *filter)
{
	return filter->bytes * 8;
}

#endif /* _BASELINES_H */
