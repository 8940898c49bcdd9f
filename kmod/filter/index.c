// SPDX-License-Identifier: GPL-2.0-only
/*
 * Length indexes of a filter: when a family has one, and how it is built.
 *
 * An index only saves probes, so look-ups are correct without one. Without memory for a
 * better index, the present one stays.
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

/* With fewer lengths than this, probing them all is as fast. */
#define KCUCKOO_INDEX_LENGTHS	4

/*
 * A host bitmap is built for few hosts, where it takes up to 64 KB, and for tables
 * that do not fit into the caches of processors: of 4 million members, and 6 MB, or more.
 * It must exclude half of all addresses, or it costs more than it saves. Members at
 * random addresses mark half of the groups when they are two thirds as many.
 */
#define KCUCKOO_HOSTS_SMALL_MAX		(128U << 10)
#define KCUCKOO_HOSTS_LARGE_MIN		(4U << 20)
#define KCUCKOO_HOST_BITMAP_GROUPS	BIT(KCUCKOO_HOST_BITMAP_STRIDE)
#define KCUCKOO_HOSTS_SPREAD_MAX	(KCUCKOO_HOST_BITMAP_GROUPS / 3 * 2)

/* Number of cells of an index that take as long as a one-bucket operation. */
#define KCUCKOO_STEP_CELLS	64

static struct kcuckoo_index *kcuckoo_index_of(struct kcuckoo_filter *filter,
					      unsigned int family)
{
	return kcuckoo_filter_length_index(filter,
					   kcuckoo_family_number(family));
}

/**
 * kcuckoo_filter_index_member() - add a member to the indexes
 * @filter: the filter
 * @index: number of the layer of the member
 * @number: its number in this layer
 *
 * Context: under @filter->lock, before the member can be found.
 * Return: the number of one-bucket operations that take as long: 0 for all but short
 * prefixes, up to 256.
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

/* Counts the cells of the first level that are used. */
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
 * Returns true if a host bitmap is worth its memory for tables of @capacity members.
 * Members that are near one another mark fewer groups, which is known only once there is
 * a bitmap.
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

/* Counts the lengths of the members of a family. */
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
 * Computes the kind and the size of the index that the members of a family need. How many
 * groups they mark is not known before. Returns false if the family needs no index.
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
 * struct kcuckoo_index_source - a layer whose members are added to the indexes
 * @layer: the layer
 * @number: its number
 */
struct kcuckoo_index_source {
	const struct kcuckoo_layer *layer;
	unsigned int number;
};

/*
 * Adds the members of a bucket to the indexes, until the section has no steps left. The
 * cells of a member can be anywhere, and the shortest prefixes mark thousands of cells each.
 */
static u64 kcuckoo_index_bucket(struct kcuckoo_filter *filter, void *context,
				u64 place, u64 end, unsigned int *steps)
{
	const struct kcuckoo_index_source *source = context;
	const struct kcuckoo_store *store = &source->layer->store;

	for (; place < end && *steps < KCUCKOO_HOLD_STEPS; place++) {
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

/* Returns true if an index covers a layer. A host bitmap covers no short prefixes. */
static bool kcuckoo_index_covers(const struct kcuckoo_index_params *params,
				 unsigned int i)
{
	return kcuckoo_layer_family(i) == params->family &&
	       (!params->host_bitmap ||
		kcuckoo_layer_plen(i) > KCUCKOO_HOST_BITMAP_STRIDE);
}

/*
 * Adds all members that an index covers. Returns false on a fatal signal. An index of few
 * hosts ignores signals: it takes little time, and would not be built again soon.
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
		/* Adds to a layer that is empty also add to the indexes. */
		if (kcuckoo_layer_entries(filter, source.layer) &&
		    kcuckoo_index_covers(params, i))
			err = kcuckoo_layer_sweep(filter, source.layer,
						  kcuckoo_index_bucket,
						  &source, !params->small);
	}
	return !err;
}

/**
 * struct kcuckoo_index_fold - the copying of an index into a smaller one
 * @from: the present index
 * @level: the level that is copied
 * @cell: the next cell of the level
 */
struct kcuckoo_index_fold {
	const struct kcuckoo_length_index *from;
	unsigned int level;
	u32 cell;
};

static bool kcuckoo_index_fold_step(struct kcuckoo_filter *filter, void *context)
{
	struct kcuckoo_index_fold *fold = context;
	u32 cells = 1U << fold->from->params.order[fold->level];
	u32 end = min(fold->cell + KCUCKOO_HOLD_STEPS * KCUCKOO_STEP_CELLS, cells);

	kcuckoo_length_index_fold(&filter->new_index->core, fold->from,
				  fold->level, fold->cell, end);
	fold->cell = end;
	if (end == cells) {
		fold->cell = 0;
		fold->level++;
	}
	return fold->level < kcuckoo_length_index_levels(&fold->from->params);
}

/* Copies the present index into the new, smaller one. */
static void kcuckoo_index_fold(struct kcuckoo_filter *filter,
			       const struct kcuckoo_index *present)
{
	struct kcuckoo_index_fold fold = { .from = &present->core };

	kcuckoo_filter_sweep(filter, kcuckoo_index_fold_step, &fold, false);
}

/* Replaces the present index by another one, or by none. */
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

/* Replaces the present index and frees it once no reader can see it. */
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
 * Fills an empty index and publishes it; frees it on a fatal signal. The filter is in
 * use: concurrent adds and moves of members also add to the new index. It is filled from
 * @fold if that is not NULL, else with all members.
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

/* Builds an index. Without memory for it, the present one stays. */
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
 * Returns true if an index is too small, or of another kind; @params is then set to what
 * is needed. A small host bitmap always has the size for the capacity of their table:
 * it is built in little time, and of no use if it is too small.
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

/* Folds an index whose cells are mostly free. */
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
 * Returns true if an index has cells of removed members. A host bitmap takes long to
 * build. It is kept as long as it has no more bits than the filter has members.
 */
static bool kcuckoo_index_is_outdated(struct kcuckoo_filter *filter,
				      const struct kcuckoo_index *index,
				      bool index_outdated)
{
	u64 entries;

	if (!index_outdated || !index->core.params.host_bitmap)
		return index_outdated;
	kcuckoo_filter_lock(filter);
	entries = filter->entries[0];
	kcuckoo_filter_unlock(filter);
	return kcuckoo_index_used(filter, index) > entries;
}

/*
 * Builds an index when the family needs one, and rebuilds it when it is outdated, too
 * small, or of another kind.
 */
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
 * Context: process context, under @filter->resize_mutex, may sleep.
 */
void kcuckoo_filter_index_refresh(struct kcuckoo_filter *filter,
				  unsigned int family)
{
	lockdep_assert_held(&filter->resize_mutex);
	kcuckoo_index_refresh(filter, family, false);
}

/**
 * kcuckoo_filter_index_rebuild() - clear a small index of hosts and fill it again
 * @filter: the filter
 *
 * An index keeps the bits of members that were removed. If members come and go, as those
 * that packets add with a timeout, in the end all bits are set. Only a small host bitmap
 * is rebuilt, which takes little time. After 2,000,000 addresses came and went, a packet
 * that is not listed in a filter of 50,000 costs 44 ns, and 123 ns without the rebuild.
 *
 * This allocates and frees no memory. The work that collects has no control group to
 * charge. The exit of the module waits for this work, but would not wait for the grace
 * period of an index that the work retires.
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
 * kcuckoo_filter_index_refresh_all() - adapt all length indexes to the members
 * @filter: the filter
 *
 * Called after many members were added or removed. Bits of removed members are cleared,
 * and an index whose cells are mostly free is made smaller.
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
