// SPDX-License-Identifier: GPL-2.0-only
/*
 * The quotient filter of Bender et al., "Don't thrash: how to cache your hash
 * on flash" (2012): a sorted hash table with linear probing.
 *
 * A fingerprint is a quotient, which names a slot, and a remainder, which is
 * stored, in that slot or in a later one: entries are sorted by quotient, then
 * remainder, those of one quotient form a run, and a run begins at its slot or
 * right after the run before. Runs that touch, from one that begins at its
 * own slot to the next slot that is empty, are a cluster. The table is a ring.
 *
 * Every slot has three more bits. OCCUPIED belongs to the place: some entry has
 * this quotient, wherever it is. CONTINUATION and SHIFTED belong to the entry
 * stored here: it is not the first of its run; it is not in its own slot. An
 * entry that is not SHIFTED begins a cluster; a slot without any is empty.
 *
 * The number of slots is any, not a power of two: the quotient is the scaled
 * hash, and the remainder the first bits of the fraction that is left over.
 */
#include <math.h>

#include "parts.h"

#define OCCUPIED	1U
#define CONTINUATION	2U
#define SHIFTED		4U
#define FLAGS		7U
#define FLAG_BITS	3

/* As evaluated by Bender et al. and by Fan et al. */
#define LOAD		0.9

static u64 quotient_shape(struct baseline *filter, u64 items, double rate,
			  double bits)
{
	u64 slots = (u64)ceil((double)items / LOAD);

	if (rate > 0) {
		bits = fmax(ceil(log2(LOAD / rate)), 1) + FLAG_BITS;
	} else {
		u64 most;

		if (bits > BASELINE_FIELD_BITS)
			return 0;
		most = (u64)((double)items * bits);
		bits = floor(bits * LOAD + BASELINE_ROUNDING);
		if (bits <= FLAG_BITS)
			return 0;
		if (most / (u64)bits > slots)
			slots = most / (u64)bits;
	}
	if (bits > BASELINE_REMAINDER_BITS + FLAG_BITS)
		return 0;
	filter->width = (unsigned int)bits;
	filter->remainder = filter->width - FLAG_BITS;
	filter->places = slots;
	filter->limit = (u64)((double)slots * LOAD + BASELINE_ROUNDING);
	return slots * filter->width;
}

static u64 slot_get(const struct baseline *filter, u64 slot)
{
	return baseline_get(filter, slot * filter->width, filter->width);
}

static void slot_put(struct baseline *filter, u64 slot, u64 value)
{
	baseline_put(filter, slot * filter->width, filter->width, value);
}

static u64 slot_flags(const struct baseline *filter, u64 slot)
{
	return baseline_load(filter, slot * filter->width) & FLAGS;
}

static u64 next(const struct baseline *filter, u64 slot)
{
	return ++slot == filter->places ? 0 : slot;
}

static u64 previous(const struct baseline *filter, u64 slot)
{
	return (slot ? slot : filter->places) - 1;
}

static u64 next_quotient(const struct baseline *filter, u64 slot)
{
	do {
		slot = next(filter, slot);
	} while (!(slot_flags(filter, slot) & OCCUPIED));
	return slot;
}

/* The quotient; the remainder comes in the place it has in a slot. */
static u64 fingerprint(const struct baseline *filter, u64 hash, u64 *remainder)
{
	u64 quotient = baseline_scale(hash, filter->places, &hash);

	*remainder = hash >> (64 - filter->remainder) << FLAG_BITS;
	return quotient;
}

/*
 * Where the run of a quotient begins, which is OCCUPIED: back to the beginning
 * of the cluster, then on by a run for each quotient that has one.
 */
static u64 run_begin(const struct baseline *filter, u64 quotient)
{
	u64 own = quotient;
	u64 run;

	while (slot_flags(filter, own) & SHIFTED)
		own = previous(filter, own);
	run = own;
	while (own != quotient) {
		do {
			run = next(filter, run);
		} while (slot_flags(filter, run) & CONTINUATION);
		own = next_quotient(filter, own);
	}
	return run;
}

/*
 * From its first slot on, finds the entry of a run that is not less than the
 * remainder. Returns false if there is none; the slot is then the one after.
 */
static bool run_search(const struct baseline *filter, u64 *slot, u64 remainder)
{
	u64 value = slot_get(filter, *slot);

	do {
		if ((value & ~(u64)FLAGS) >= remainder)
			return true;
		*slot = next(filter, *slot);
		value = slot_get(filter, *slot);
	} while (value & CONTINUATION);
	return false;
}

/* Finds the slot of an entry, and that at which its run begins. */
static bool find(const struct baseline *filter, u64 quotient, u64 remainder,
		 u64 *begin, u64 *slot)
{
	if (!(slot_flags(filter, quotient) & OCCUPIED))
		return false;
	*begin = run_begin(filter, quotient);
	*slot = *begin;
	return run_search(filter, slot, remainder) &&
	       (slot_get(filter, *slot) & ~(u64)FLAGS) == remainder;
}

static bool quotient_contains(const struct baseline *filter, u64 hash)
{
	u64 remainder;
	u64 quotient = fingerprint(filter, hash, &remainder);
	u64 begin;
	u64 slot;

	return find(filter, quotient, remainder, &begin, &slot);
}

/* Puts an entry into a slot; what is there moves on, up to an empty slot. */
static void shift_in(struct baseline *filter, u64 slot, u64 entry)
{
	u64 old = slot_get(filter, slot);

	while (old & FLAGS) {
		slot_put(filter, slot, entry | (old & OCCUPIED));
		entry = (old & ~(u64)OCCUPIED) | SHIFTED;
		slot = next(filter, slot);
		old = slot_get(filter, slot);
	}
	slot_put(filter, slot, entry);
}

static void set_flags(struct baseline *filter, u64 slot, u64 flags)
{
	slot_put(filter, slot, slot_get(filter, slot) | flags);
}

/* The first entry of a quotient, in whose slot there is another's. */
static void insert_run(struct baseline *filter, u64 quotient, u64 remainder)
{
	set_flags(filter, quotient, OCCUPIED);
	shift_in(filter, run_begin(filter, quotient), remainder | SHIFTED);
}

/* One more entry of a quotient. */
static void insert_entry(struct baseline *filter, u64 quotient, u64 remainder)
{
	u64 begin = run_begin(filter, quotient);
	u64 slot = begin;

	run_search(filter, &slot, remainder);
	if (slot == begin) {
		set_flags(filter, begin, CONTINUATION);
		remainder |= begin == quotient ? 0 : SHIFTED;
	} else {
		remainder |= CONTINUATION | SHIFTED;
	}
	shift_in(filter, slot, remainder);
}

static bool quotient_insert(struct baseline *filter, u64 hash)
{
	u64 remainder;
	u64 quotient = fingerprint(filter, hash, &remainder);
	u64 flags = slot_flags(filter, quotient);

	if (filter->entries >= filter->limit)
		return false;
	filter->entries++;
	if (!flags)
		slot_put(filter, quotient, remainder | OCCUPIED);
	else if (flags & OCCUPIED)
		insert_entry(filter, quotient, remainder);
	else
		insert_run(filter, quotient, remainder);
	return true;
}

/*
 * Overwrites the entry in a slot, which has this quotient, with the one after,
 * and so on up to the end of the cluster. An entry that gets to its own slot
 * is SHIFTED no more.
 */
static void shift_out(struct baseline *filter, u64 slot, u64 quotient)
{
	u64 after = next(filter, slot);
	u64 entry = slot_get(filter, after);

	while (entry & SHIFTED) {
		if (!(entry & CONTINUATION)) {
			quotient = next_quotient(filter, quotient);
			if (quotient == slot)
				entry &= ~(u64)SHIFTED;
		}
		slot_put(filter, slot, (entry & ~(u64)OCCUPIED) |
				       (slot_flags(filter, slot) & OCCUPIED));
		slot = after;
		after = next(filter, slot);
		entry = slot_get(filter, after);
	}
	slot_put(filter, slot, 0);
}

static bool quotient_erase(struct baseline *filter, u64 hash)
{
	u64 remainder;
	u64 quotient = fingerprint(filter, hash, &remainder);
	u64 begin;
	u64 after;
	u64 slot;

	if (!find(filter, quotient, remainder, &begin, &slot))
		return false;
	filter->entries--;
	after = next(filter, slot);
	if (slot != begin || !(slot_flags(filter, after) & CONTINUATION)) {
		if (slot == begin)
			slot_put(filter, quotient,
				 slot_get(filter, quotient) & ~(u64)OCCUPIED);
		shift_out(filter, slot, quotient);
		return true;
	}
	/* The second of the run becomes the first, which stays in its place. */
	slot_put(filter, slot,
		 (slot_get(filter, after) & ~(u64)FLAGS) |
		 slot_flags(filter, slot));
	shift_out(filter, after, quotient);
	return true;
}

const struct baseline_type baseline_quotient = {
	.name = "quotient",
	.shape = quotient_shape,
	.insert = quotient_insert,
	.contains = quotient_contains,
	.erase = quotient_erase,
};
