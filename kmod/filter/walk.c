// SPDX-License-Identifier: GPL-2.0-only
/*
 * List the members of an exact filter in several calls, without state in the kernel.
 *
 * Between two calls, the calling program stores a cursor. The cursor has the position of
 * the walk, that is, a layer and a place in this layer, and the move_seq of the filter.
 * While move_seq does not change, members keep their places, so the walk can list the
 * members in the order of their layers and places. A member that is added at a place that
 * the walk has passed is not listed.
 */
#include <linux/minmax.h>
#include <linux/string.h>

#include "core/prefix.h"
#include "filter/filter_internal.h"
#include "filter/sweep.h"

/*
 * Number of bits of the place, which is in the low bits of a cursor's position. The number
 * of the layer is in the other bits.
 */
#define KCUCKOO_WALK_PLACE_BITS	56

/**
 * struct kcuckoo_walk - the part of a walk that one call does
 * @filter: the filter
 * @index: number of the layer that is read
 * @place: the next place to read in this layer
 * @move_seq: move_seq of the filter when the first call of the walk began
 * @moved: true if members have moved since the walk began; the walk then cannot continue
 * @now: present second of the clock of expiry; 0 in a filter without expiry
 * @item: array of the members that the call has found
 * @max_items: maximum number of members in @item
 * @count: number of members in @item
 */
struct kcuckoo_walk {
	struct kcuckoo_filter *filter;
	u64 index;
	u64 place;
	u64 move_seq;
	bool moved;
	u32 now;
	struct kcuckoo_walk_item *item;
	unsigned int max_items;
	unsigned int count;
};

static void kcuckoo_walk_add(struct kcuckoo_walk *walk,
			     const struct kcuckoo_layer *layer,
			     const struct kcuckoo_key *key)
{
	const struct kcuckoo_table *table = &layer->store.table;
	struct kcuckoo_walk_item *item = &walk->item[walk->count];

	item->expiry = kcuckoo_table_expiry(table, walk->place);
	if (item->expiry && item->expiry <= walk->now)
		return;
	walk->count++;
	item->value = kcuckoo_table_value(table, walk->place);
	item->key = *key;
	item->index = walk->index;
	item->permuted = !layer->store.layout.bitmap;
}

static void kcuckoo_walk_layer(struct kcuckoo_walk *walk,
			       const struct kcuckoo_layer *layer,
			       unsigned int *steps)
{
	u64 places = kcuckoo_store_places(&layer->store);
	struct kcuckoo_key key;

	while (walk->place < places &&
	       kcuckoo_section_goes_on(walk->filter, *steps)) {
		u64 end = kcuckoo_store_next_bucket(&layer->store, walk->place);

		for (; walk->place < end; walk->place++) {
			if (walk->count == walk->max_items)
				return;
			if (kcuckoo_store_get(&layer->store, walk->place, &key))
				kcuckoo_walk_add(walk, layer, &key);
		}
		(*steps)++;
	}
	if (walk->place >= places) {
		walk->index++;
		walk->place = 0;
	}
}

static bool kcuckoo_walk_has_more(const struct kcuckoo_walk *walk)
{
	return walk->index < KCUCKOO_LAYERS && walk->count < walk->max_items;
}

static bool kcuckoo_walk_step(struct kcuckoo_filter *filter, void *context)
{
	struct kcuckoo_walk *walk = context;
	unsigned int steps = 0;

	walk->moved = filter->move_seq != walk->move_seq;
	if (walk->moved)
		return false;
	while (kcuckoo_section_goes_on(filter, steps) &&
	       kcuckoo_walk_has_more(walk)) {
		struct kcuckoo_layer *layer;

		layer = kcuckoo_filter_layer(filter, walk->index);
		if (layer) {
			kcuckoo_walk_layer(walk, layer, &steps);
		} else {
			walk->index++;
			walk->place = 0;
		}
	}
	return kcuckoo_walk_has_more(walk);
}

/*
 * The caller does not hold the lock of the filter, so writers need not wait while the
 * function computes permutations.
 */
static void kcuckoo_walk_write(const struct kcuckoo_walk *walk,
			       struct kcuckoo_walk_buffer *buffer)
{
	unsigned int i;

	for (i = 0; i < walk->count; i++) {
		struct kcuckoo_walk_item *item = &walk->item[i];
		unsigned int plen = kcuckoo_layer_plen(item->index);

		if (item->permuted)
			kcuckoo_key_restore(&item->key, &walk->filter->secret,
					    kcuckoo_layer_bits(item->index));
		kcuckoo_expand_prefix(item->index, &item->key.number);
		kcuckoo_prefix_set(&buffer->prefix[i],
				   kcuckoo_layer_family(item->index), plen,
				   &item->key.number);
		buffer->value[i] = item->value;
		/* Subtract the 1 that kcuckoo_member_prepare() added to the expiry. */
		buffer->timeout[i] = item->expiry ?
				     max(item->expiry - walk->now - 1, 1U) : 0;
	}
}

/*
 * The cursor comes from user memory, so the function accepts every position: a layer number
 * that is too high stands for the end of the filter, and a place that is too high stands
 * for the end of the layer.
 */
static void kcuckoo_walk_begin(struct kcuckoo_walk *walk,
			       struct kcuckoo_cursor *cursor)
{
	if (!cursor->move_seq && !cursor->position) {
		kcuckoo_filter_lock(walk->filter);
		cursor->move_seq = walk->filter->move_seq;
		kcuckoo_filter_unlock(walk->filter);
	}
	walk->index = cursor->position >> KCUCKOO_WALK_PLACE_BITS;
	walk->place = cursor->position &
		      kcuckoo_bits_mask(KCUCKOO_WALK_PLACE_BITS);
	walk->move_seq = cursor->move_seq;
}

/**
 * kcuckoo_filter_walk() - list the next members of a filter
 * @filter: an exact filter
 * @cursor: the position at which the walk continues, all zero at the beginning; out: the
 *	position at which the next call continues
 * @buffer: out: the members; need not be initialised
 * @max_items: maximum number of members to list, 1..KCUCKOO_WALK_ITEMS_MAX
 * @count: out: the number of members in @buffer
 *
 * Context: process context, may sleep.
 * Return: KCUCKOO_WALK_MORE if the walk has not reached the end of the filter, also after a
 * fatal signal; KCUCKOO_WALK_END if the walk has reached the end; KCUCKOO_WALK_RESTART,
 * with a cursor of zeroes and no members, if members have moved since the walk began.
 */
u32 kcuckoo_filter_walk(struct kcuckoo_filter *filter,
			struct kcuckoo_cursor *cursor,
			struct kcuckoo_walk_buffer *buffer,
			unsigned int max_items, unsigned int *count)
{
	struct kcuckoo_walk walk = {
		.filter = filter,
		.now = kcuckoo_filter_now(filter),
		.item = buffer->item,
		.max_items = max_items,
	};

	*count = 0;
	kcuckoo_walk_begin(&walk, cursor);
	/* The sweep ends on a fatal signal; the caller checks for the signal, too. */
	if (kcuckoo_walk_has_more(&walk))
		kcuckoo_filter_sweep(filter, kcuckoo_walk_step, &walk, true);
	if (walk.moved) {
		memset(cursor, 0, sizeof(*cursor));
		return KCUCKOO_WALK_RESTART;
	}
	kcuckoo_walk_write(&walk, buffer);
	*count = walk.count;
	cursor->position = walk.index << KCUCKOO_WALK_PLACE_BITS | walk.place;
	return walk.index < KCUCKOO_LAYERS ? KCUCKOO_WALK_MORE :
					     KCUCKOO_WALK_END;
}
