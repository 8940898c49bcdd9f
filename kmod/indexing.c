// SPDX-License-Identifier: GPL-2.0-only
/*
 * Length indexes of a filter: when there is one, and making it.
 *
 * An index only ever saves probes, so a filter without one is right, too: where
 * there is no memory for a better index, the present one stays.
 */
#include <linux/err.h>
#include <linux/sched/signal.h>

#include "filter.h"

/* With fewer lengths than this, probing them all is as fast. */
#define KCUCKOO_INDEX_LENGTHS	4

static struct kcuckoo_index *kcuckoo_index_of(struct kcuckoo_filter *filter,
					      unsigned int family)
{
	return kcuckoo_filter_length_index(filter,
					   kcuckoo_family_number(family));
}

/**
 * kcuckoo_filter_index_member() - tell the indexes of a member
 * @filter: the filter
 * @index: number of the member's layer
 * @number: its address bits
 *
 * Context: under @filter->lock, before the member can be found.
 */
void kcuckoo_filter_index_member(struct kcuckoo_filter *filter,
				 unsigned int index,
				 const struct kcuckoo_number *number)
{
	unsigned int family = kcuckoo_layer_family(index);
	unsigned int plen = kcuckoo_layer_plen(index);
	struct kcuckoo_index *present;

	lockdep_assert_held(&filter->lock);
	present = kcuckoo_index_of(filter, family);
	if (present)
		kcuckoo_lengths_set(&present->lengths, plen, number);
	if (filter->building && filter->building_family == family)
		kcuckoo_lengths_set(&filter->building->lengths, plen, number);
}

/* How many cells the family's index should have, 0 for no index. */
static u32 kcuckoo_index_wanted(struct kcuckoo_filter *filter,
				unsigned int family)
{
	unsigned int lengths = 0;
	u64 members = 0;
	unsigned int i;

	for (i = 0; i < KCUCKOO_LAYERS; i++) {
		struct kcuckoo_layer *layer = kcuckoo_filter_layer(filter, i);

		if (!layer || kcuckoo_layer_family(i) != family)
			continue;
		lengths++;
		if (kcuckoo_layer_plen(i) >= kcuckoo_lengths_stride(family))
			members += kcuckoo_shape_room(&layer->store.shape);
	}
	return lengths < KCUCKOO_INDEX_LENGTHS ?
	       0 : kcuckoo_lengths_cells(family, members);
}

/* Tells an index of the members in some buckets of a layer. */
static u64 kcuckoo_index_read(struct kcuckoo_filter *filter, unsigned int i,
			      const struct kcuckoo_layer *layer, u64 place)
{
	u64 places = kcuckoo_store_places(&layer->store);
	unsigned int steps;

	for (steps = 0; steps < KCUCKOO_HOLD_STEPS && place < places; steps++) {
		u64 end = kcuckoo_store_next_bucket(&layer->store, place);

		for (; place < end; place++) {
			struct kcuckoo_key key;

			if (!kcuckoo_store_get(&layer->store, place, &key))
				continue;
			if (!layer->store.shape.bitmap)
				kcuckoo_key_restore(&key, &filter->secret,
						    kcuckoo_layer_plen(i));
			kcuckoo_filter_index_member(filter, i, &key.number);
		}
	}
	return place;
}

/* Tells an index of all members of a layer. Returns false on a fatal signal. */
static bool kcuckoo_index_read_layer(struct kcuckoo_filter *filter,
				     unsigned int i,
				     const struct kcuckoo_layer *layer)
{
	u64 places = kcuckoo_store_places(&layer->store);
	u64 place = 0;

	while (place < places) {
		spin_lock_bh(&filter->lock);
		place = kcuckoo_index_read(filter, i, layer, place);
		spin_unlock_bh(&filter->lock);
		cond_resched();
		if (fatal_signal_pending(current))
			return false;
	}
	return true;
}

/*
 * Fills an index while the filter is in use: members that are added or moved
 * meanwhile are told to it by those who do so.
 */
static bool kcuckoo_index_fill(struct kcuckoo_filter *filter,
			       unsigned int family)
{
	unsigned int i;

	for (i = 0; i < KCUCKOO_LAYERS; i++) {
		struct kcuckoo_layer *layer = kcuckoo_filter_layer(filter, i);

		if (layer && kcuckoo_layer_family(i) == family &&
		    kcuckoo_layer_plen(i) >= kcuckoo_lengths_stride(family) &&
		    !kcuckoo_index_read_layer(filter, i, layer))
			return false;
	}
	return true;
}

/* Publishes an index, or none, in the place of the present one. */
static void kcuckoo_index_publish(struct kcuckoo_filter *filter,
				  unsigned int family,
				  struct kcuckoo_index *index)
{
	struct kcuckoo_index *old = kcuckoo_index_of(filter, family);
	struct kcuckoo_generation *generation;

	spin_lock_bh(&filter->lock);
	generation = kcuckoo_filter_generation(filter);
	rcu_assign_pointer(generation->index[kcuckoo_family_number(family)],
			   index);
	filter->building = NULL;
	spin_unlock_bh(&filter->lock);
	kcuckoo_index_retire(old);
}

/**
 * kcuckoo_filter_index() - make a family's length index what it should be
 * @filter: the filter
 * @family: KCUCKOO_FAMILY_IPV4 or KCUCKOO_FAMILY_IPV6
 *
 * Context: process context, under @filter->growing, may sleep.
 */
void kcuckoo_filter_index(struct kcuckoo_filter *filter, unsigned int family)
{
	struct kcuckoo_index *old = kcuckoo_index_of(filter, family);
	u32 ncells = kcuckoo_index_wanted(filter, family);
	struct kcuckoo_index *new;

	lockdep_assert_held(&filter->growing);
	if (ncells == (old ? old->lengths.ncells : 0))
		return;
	if (!ncells) {
		kcuckoo_index_publish(filter, family, NULL);
		return;
	}
	new = kcuckoo_index_create(filter->account, family, ncells,
				   &filter->secret);
	if (IS_ERR(new))
		return;
	spin_lock_bh(&filter->lock);
	filter->building = new;
	filter->building_family = family;
	spin_unlock_bh(&filter->lock);
	if (kcuckoo_index_fill(filter, family)) {
		kcuckoo_index_publish(filter, family, new);
		return;
	}
	spin_lock_bh(&filter->lock);
	filter->building = NULL;
	spin_unlock_bh(&filter->lock);
	kcuckoo_index_free(new);
}
