// SPDX-License-Identifier: GPL-2.0-only
/*
 * Build, resize and remove the length indexes of a filter.
 *
 * core/length_index.h explains length indexes, host bitmaps and their cells. The present
 * index of a family is the index in the table set, which look-ups read. A new index is
 * filled while the filter is in use, and then replaces the present index. Look-ups are
 * also correct without an index; an index only makes them faster. So if no memory is left
 * for a new index, the present index stays in use, or the family has no index.
 *
 * The caller holds filter->resize_mutex to build or remove an index. update.c adds each new
 * member to the indexes, under filter->lock.
 */
#include <linux/bitops.h>
#include <linux/bits.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>

#include "filter/filter_internal.h"
#include "filter/sweep.h"

/*
 * Minimum number of prefix lengths with which a family gets an index other than a host
 * bitmap. With fewer lengths, probing all lengths is as fast as reading an index first.
 */
#define KCUCKOO_INDEX_LENGTHS	4

/*
 * Capacities, in members, for which a host bitmap is built. The capacity is the sum over
 * the IPv4 layers whose prefixes have more than KCUCKOO_HOST_BITMAP_STRIDE bits. Up to
 * KCUCKOO_HOSTS_SMALL_MAX members, the bitmap is small and takes at most 64 KB. From
 * KCUCKOO_HOSTS_LARGE_MIN members on, the table takes 6 MB or more, and often does not fit
 * into the caches of the processor; the bitmap takes at most 4 MB. Between
 * KCUCKOO_HOSTS_SMALL_MAX and KCUCKOO_HOSTS_LARGE_MIN members no bitmap is built. A large
 * bitmap saves more time than it costs only if at most half of its bits are set. Members at
 * random addresses set about half of the bits if their number is two thirds of the number of
 * groups of addresses (KCUCKOO_HOSTS_SPREAD_MAX).
 */
#define KCUCKOO_HOSTS_SMALL_MAX		(128U << 10)
#define KCUCKOO_HOSTS_LARGE_MIN		(4U << 20)
#define KCUCKOO_HOST_BITMAP_GROUPS	BIT(KCUCKOO_HOST_BITMAP_STRIDE)
#define KCUCKOO_HOSTS_SPREAD_MAX	(KCUCKOO_HOST_BITMAP_GROUPS / 3 * 2)

/*
 * Number of consecutive cells that count as a step: reading or writing these cells takes as
 * long as an operation on one bucket.
 */
#define KCUCKOO_STEP_CELLS	64

static struct kcuckoo_index *kcuckoo_index_of(struct kcuckoo_filter *filter,
					      unsigned int family)
{
	return kcuckoo_filter_length_index(filter,
					   kcuckoo_family_number(family));
}

/**
 * kcuckoo_filter_index_member() - add a member to the present and the new index of its
 *	family
 * @filter: the filter
 * @index: number of the layer of the member
 * @number: the address bits of the member that the layer stores
 *
 * Context: under @filter->lock; for a new member, before a look-up can find the member in
 * its layer.
 * Return: the number of steps (operations on one bucket) that the call counts as: up to
 * 256 for a short prefix, which sets bits in thousands of cells; 0 for other members.
 */
unsigned int kcuckoo_filter_index_member(struct kcuckoo_filter *filter,
					 unsigned int index,
					 const struct kcuckoo_number *number)
{
	unsigned int family = kcuckoo_layer_family(index);
	unsigned int plen = kcuckoo_layer_plen(index);
	struct kcuckoo_index *new_index = filter->new_index;
	struct kcuckoo_number bits = *number;
	struct kcuckoo_index *present;
	unsigned int cells = 0;

	lockdep_assert_held(&filter->lock);
	kcuckoo_expand_prefix(index, &bits);
	present = kcuckoo_index_of(filter, family);
	if (present)
		cells += kcuckoo_length_index_add(&present->core, plen, &bits);
	if (new_index && new_index->core.params.family == family)
		cells += kcuckoo_length_index_add(&new_index->core, plen,
						  &bits);
	return cells / KCUCKOO_STEP_CELLS;
}

/* Returns how many cells of the first level of an index are not 0. */
static u32 kcuckoo_index_used(struct kcuckoo_filter *filter,
			      const struct kcuckoo_index *index)
{
	u32 used;

	kcuckoo_filter_lock(filter);
	used = index->core.used[0];
	kcuckoo_filter_unlock(filter);
	return used;
}

/*
 * Returns true if a host bitmap is worth its memory for layers with a capacity of
 * @capacity members. Above KCUCKOO_HOSTS_SPREAD_MAX members, a bitmap is worth its memory
 * only if many members share groups. Only an existing bitmap shows whether they do, so a
 * filter without a large bitmap gets none.
 */
static bool kcuckoo_host_bitmap_wanted(struct kcuckoo_filter *filter,
				       u64 capacity)
{
	const struct kcuckoo_index *index;

	if (capacity < KCUCKOO_HOSTS_LARGE_MIN)
		return capacity && capacity <= KCUCKOO_HOSTS_SMALL_MAX;
	if (capacity <= KCUCKOO_HOSTS_SPREAD_MAX)
		return true;
	index = kcuckoo_index_of(filter, KCUCKOO_FAMILY_IPV4);
	return index && index->core.params.host_bitmap &&
	       !index->core.params.small &&
	       kcuckoo_index_used(filter, index) <=
		       KCUCKOO_HOST_BITMAP_GROUPS / 2;
}

static unsigned int kcuckoo_index_lengths(struct kcuckoo_filter *filter,
					  unsigned int family)
{
	const struct kcuckoo_table_set *table_set;
	unsigned int lengths = 0;
	unsigned int i;

	table_set = kcuckoo_filter_table_set(filter);
	if (family == KCUCKOO_FAMILY_IPV4)
		return hweight64(table_set->lengths[0]);
	for (i = 1; i < KCUCKOO_LENGTH_WORDS; i++)
		lengths += hweight64(table_set->lengths[i]);
	return lengths;
}

/*
 * Computes the kind and the size of the index that a family needs, from the capacities of
 * its layers: before the members are added to the index, the function cannot know how many
 * cells the members will use. Returns false if the family needs no index.
 */
static bool kcuckoo_index_wanted(struct kcuckoo_filter *filter,
				 unsigned int family,
				 struct kcuckoo_index_params *params)
{
	u64 counts[KCUCKOO_LEVELS] = { 0 };
	u64 host_counts[KCUCKOO_LEVELS] = { 0 };
	unsigned int i;

	for (i = 0; i < KCUCKOO_LAYERS; i++) {
		struct kcuckoo_layer *layer = kcuckoo_filter_layer(filter, i);
		unsigned int plen = kcuckoo_layer_plen(i);
		u64 capacity;

		if (!layer || kcuckoo_layer_family(i) != family)
			continue;
		capacity = kcuckoo_layout_room(&layer->store.layout);
		kcuckoo_length_index_count(family, plen, capacity, counts);
		if (plen > KCUCKOO_HOST_BITMAP_STRIDE)
			host_counts[0] += capacity;
	}
	params->family = family;
	params->host_bitmap = kcuckoo_index_lengths(filter, family) <
			      KCUCKOO_INDEX_LENGTHS;
	params->small = params->host_bitmap &&
			host_counts[0] <= KCUCKOO_HOSTS_SMALL_MAX;
	kcuckoo_length_index_fit(params,
				 params->host_bitmap ? host_counts : counts);
	return !params->host_bitmap ||
	       (family == KCUCKOO_FAMILY_IPV4 &&
		kcuckoo_host_bitmap_wanted(filter, host_counts[0]));
}

/**
 * struct kcuckoo_index_source - a layer whose members are added to the new index
 * @layer: the layer
 * @number: number of the layer
 */
struct kcuckoo_index_source {
	const struct kcuckoo_layer *layer;
	unsigned int number;
};

/*
 * kcuckoo_filter_index_member() also adds each member to the present index, which changes
 * nothing there. Each member counts as a step, because its cells can be anywhere in memory.
 */
static u64 kcuckoo_index_bucket(struct kcuckoo_filter *filter, void *context,
				u64 place, u64 end, unsigned int *steps)
{
	const struct kcuckoo_index_source *source = context;
	const struct kcuckoo_store *store = &source->layer->store;

	for (; place < end && *steps < KCUCKOO_SECTION_STEPS; place++) {
		struct kcuckoo_key key;

		if (!kcuckoo_store_get(store, place, &key))
			continue;
		if (!store->layout.bitmap)
			kcuckoo_key_restore(&key, &filter->secret,
					    kcuckoo_layer_bits(source->number));
		*steps += 1 + kcuckoo_filter_index_member(filter,
							  source->number,
							  &key.number);
	}
	return place;
}

static bool kcuckoo_index_covers(const struct kcuckoo_index_params *params,
				 unsigned int i)
{
	return kcuckoo_layer_family(i) == params->family &&
	       (!params->host_bitmap ||
		kcuckoo_layer_plen(i) > KCUCKOO_HOST_BITMAP_STRIDE);
}

/*
 * Returns false on a fatal signal, except for a small host bitmap: filling this bitmap
 * takes little time, and the next call that builds the bitmap can be much later.
 */
static bool kcuckoo_index_fill(struct kcuckoo_filter *filter,
			       const struct kcuckoo_index_params *params)
{
	struct kcuckoo_index_source source;
	unsigned int i;
	int err = 0;

	for (i = 0; i < KCUCKOO_LAYERS && !err; i++) {
		source.number = i;
		source.layer = kcuckoo_filter_layer(filter, i);
		/*
		 * An empty layer needs no sweep: since the index was set as
		 * filter->new_index, adds record their keys in the index.
		 */
		if (kcuckoo_layer_entries(filter, source.layer) &&
		    kcuckoo_index_covers(params, i))
			err = kcuckoo_layer_sweep(filter, source.layer,
						  kcuckoo_index_bucket,
						  &source, !params->small);
	}
	return !err;
}

/**
 * struct kcuckoo_index_fold - progress of copying an index into a smaller index of the
 *	same kind
 * @from: the present index
 * @level: the level that is being copied
 * @cell: the next cell of this level to copy
 */
struct kcuckoo_index_fold {
	const struct kcuckoo_length_index *from;
	unsigned int level;
	u32 cell;
};

static bool kcuckoo_index_fold_cells(struct kcuckoo_filter *filter,
				     struct kcuckoo_index_fold *fold)
{
	u32 cells = 1U << fold->from->params.order[fold->level];
	u32 end = min(fold->cell + KCUCKOO_STEP_CELLS, cells);

	kcuckoo_length_index_fold(&filter->new_index->core, fold->from,
				  fold->level, fold->cell, end);
	fold->cell = end;
	if (end == cells) {
		fold->cell = 0;
		fold->level++;
	}
	return fold->level < kcuckoo_length_index_levels(&fold->from->params);
}

static bool kcuckoo_index_fold_step(struct kcuckoo_filter *filter, void *context)
{
	unsigned int steps = 0;
	bool more;

	do
		more = kcuckoo_index_fold_cells(filter, context);
	while (more && kcuckoo_section_goes_on(filter, ++steps));
	return more;
}

static void kcuckoo_index_fold(struct kcuckoo_filter *filter,
			       const struct kcuckoo_index *present)
{
	struct kcuckoo_index_fold fold = { .from = &present->core };

	kcuckoo_filter_sweep(filter, kcuckoo_index_fold_step, &fold, false);
}

static void kcuckoo_index_place(struct kcuckoo_filter *filter,
				unsigned int family,
				struct kcuckoo_index *index)
{
	struct kcuckoo_table_set *table_set;

	lockdep_assert_held(&filter->lock);
	table_set = kcuckoo_filter_table_set(filter);
	rcu_assign_pointer(table_set->index[kcuckoo_family_number(family)],
			   index);
}

static void kcuckoo_index_publish(struct kcuckoo_filter *filter,
				  unsigned int family,
				  struct kcuckoo_index *index)
{
	struct kcuckoo_index *old = kcuckoo_index_of(filter, family);

	kcuckoo_filter_lock(filter);
	kcuckoo_index_place(filter, family, index);
	filter->new_index = NULL;
	kcuckoo_filter_unlock(filter);
	kcuckoo_index_retire(old);
}

/*
 * Copies the present index @fold into the empty @index or, if @fold is NULL, adds all
 * members to @index. Then publishes @index or, if a fatal signal has ended the adds, frees
 * @index. Meanwhile writers also record in @index each member that they add or move.
 */
static void kcuckoo_index_fill_publish(struct kcuckoo_filter *filter,
				       struct kcuckoo_index *index,
				       const struct kcuckoo_index *fold)
{
	unsigned int family = index->core.params.family;
	bool filled = true;

	kcuckoo_filter_lock(filter);
	filter->new_index = index;
	filter->retired_index = NULL;
	kcuckoo_filter_unlock(filter);
	if (fold)
		kcuckoo_index_fold(filter, fold);
	else
		filled = kcuckoo_index_fill(filter, &index->core.params);
	if (filled) {
		kcuckoo_index_publish(filter, family, index);
		return;
	}
	kcuckoo_filter_lock(filter);
	filter->new_index = NULL;
	kcuckoo_filter_unlock(filter);
	kcuckoo_index_free(index);
}

static void kcuckoo_index_build(struct kcuckoo_filter *filter,
				const struct kcuckoo_index_params *params,
				const struct kcuckoo_index *fold)
{
	struct kcuckoo_index *new;

	new = kcuckoo_index_create(filter->account, params, &filter->secret);
	if (!IS_ERR(new))
		kcuckoo_index_fill_publish(filter, new, fold);
}

/*
 * Returns true if an index is not of the kind in @params, or is too small; @params then
 * describes the index to build. A small host bitmap must have the size in @params: building
 * a small bitmap takes little time, and a bitmap with too few bits would answer few misses.
 */
static bool kcuckoo_index_unfit(struct kcuckoo_filter *filter,
				const struct kcuckoo_index *index,
				struct kcuckoo_index_params *params)
{
	bool too_small;

	if (index->core.params.host_bitmap != params->host_bitmap ||
	    index->core.params.small != params->small)
		return true;
	if (params->small)
		return index->core.params.order[0] != params->order[0];
	kcuckoo_filter_lock(filter);
	too_small = kcuckoo_length_index_should_grow(&index->core, params);
	kcuckoo_filter_unlock(filter);
	return too_small;
}

static void kcuckoo_index_shrink(struct kcuckoo_filter *filter,
				 const struct kcuckoo_index *index)
{
	struct kcuckoo_index_params params = index->core.params;
	bool smaller = false;
	unsigned int i;

	for (i = 0; i < kcuckoo_length_index_levels(&params); i++) {
		smaller |= kcuckoo_length_index_can_shrink(&index->core,
							   &params, i);
		cond_resched();
	}
	if (smaller)
		kcuckoo_index_build(filter, &params, index);
}

/*
 * Returns true if an index has to be built again because it still records members that
 * were removed. @index_outdated is true if members were removed. Building a host bitmap
 * can take long. So a host bitmap is built again only if more of its bits are set than
 * the filter has IPv4 members.
 */
static bool kcuckoo_index_is_outdated(struct kcuckoo_filter *filter,
				      const struct kcuckoo_index *index,
				      bool index_outdated)
{
	u64 members;

	if (!index_outdated || !index->core.params.host_bitmap)
		return index_outdated;
	kcuckoo_filter_lock(filter);
	members = filter->members[0];
	kcuckoo_filter_unlock(filter);
	return kcuckoo_index_used(filter, index) > members;
}

static void kcuckoo_index_refresh(struct kcuckoo_filter *filter,
				  unsigned int family, bool index_outdated)
{
	struct kcuckoo_index *old = kcuckoo_index_of(filter, family);
	struct kcuckoo_index_params params;

	if (kcuckoo_index_wanted(filter, family, &params)) {
		if (!old || kcuckoo_index_is_outdated(filter, old,
						      index_outdated) ||
		    kcuckoo_index_unfit(filter, old, &params))
			kcuckoo_index_build(filter, &params, NULL);
	} else if (old) {
		kcuckoo_index_publish(filter, family, NULL);
	}
}

/**
 * kcuckoo_filter_index_refresh() - adapt the length index of a family to its layers
 * @filter: the filter
 * @family: KCUCKOO_FAMILY_IPV4 or KCUCKOO_FAMILY_IPV6
 *
 * Does not build an index again only because members were removed.
 *
 * Context: process context, under @filter->resize_mutex, may sleep.
 */
void kcuckoo_filter_index_refresh(struct kcuckoo_filter *filter,
				  unsigned int family)
{
	lockdep_assert_held(&filter->resize_mutex);
	kcuckoo_index_refresh(filter, family, false);
}

/**
 * kcuckoo_filter_index_rebuild() - clear a small host bitmap and fill it again
 * @filter: the filter
 *
 * Does nothing unless more bits of the bitmap are set than the filter has IPv4 members. A
 * bitmap keeps the bits of members that were removed. If members are added and removed
 * all the time (for instance, if packets add addresses with a timeout), in the end all
 * bits are set. Only a small host bitmap is rebuilt, because this work takes little time.
 * Measured in a filter of 50,000 addresses, after 2,000,000 other addresses were added and
 * removed: a packet whose source is not a member costs 44 ns, and 123 ns without the
 * rebuild.
 *
 * The function reuses the memory of the bitmap, for two reasons. The delayed work of
 * expiry.c has no control group to which memory could be charged. And if the work retired
 * an index, the index would be freed after a grace period; the exit of the module waits
 * for the work, but would not wait for this grace period.
 *
 * Context: process context, under @filter->resize_mutex, may sleep.
 */
void kcuckoo_filter_index_rebuild(struct kcuckoo_filter *filter)
{
	struct kcuckoo_index *index;

	lockdep_assert_held(&filter->resize_mutex);
	index = kcuckoo_index_of(filter, KCUCKOO_FAMILY_IPV4);
	if (!index || !index->core.params.small ||
	    !kcuckoo_index_is_outdated(filter, index, true))
		return;
	kcuckoo_filter_lock(filter);
	kcuckoo_index_place(filter, KCUCKOO_FAMILY_IPV4, NULL);
	filter->retired_index = index;
	kcuckoo_filter_unlock(filter);
	synchronize_rcu();
	kcuckoo_length_index_clear(&index->core);
	kcuckoo_index_fill_publish(filter, index, NULL);
}

/**
 * kcuckoo_filter_index_refresh_all() - adapt all length indexes to layers and members
 * @filter: the filter
 *
 * The function does the work of kcuckoo_filter_index_refresh() for both families. It also
 * builds an outdated index again (kcuckoo_index_is_outdated()), and makes an index smaller
 * if one of its levels can shrink. Does nothing for a filter of fingerprints.
 *
 * Context: process context, under @filter->resize_mutex, may sleep.
 */
void kcuckoo_filter_index_refresh_all(struct kcuckoo_filter *filter)
{
	static const u8 families[] = {
		KCUCKOO_FAMILY_IPV4, KCUCKOO_FAMILY_IPV6,
	};
	struct kcuckoo_index *index;
	bool index_outdated;
	unsigned int i;

	lockdep_assert_held(&filter->resize_mutex);
	if (!kcuckoo_filter_exact(filter))
		return;
	kcuckoo_filter_lock(filter);
	index_outdated = filter->index_outdated;
	filter->index_outdated = false;
	kcuckoo_filter_unlock(filter);
	for (i = 0; i < ARRAY_SIZE(families); i++) {
		kcuckoo_index_refresh(filter, families[i], index_outdated);
		index = kcuckoo_index_of(filter, families[i]);
		if (index)
			kcuckoo_index_shrink(filter, index);
	}
}
