// SPDX-License-Identifier: GPL-2.0-only
/*
 * Replacing the layers of a filter: growth, compaction, flush.
 *
 * A caller that replaces layers holds filter->resize_mutex, in process context, from
 * before it reads the old layer until that layer is queued for freeing. It takes
 * filter->lock for a bounded number of buckets at a time.
 */
#include <linux/err.h>

#include "filter/filter_internal.h"
#include "filter/sweep.h"
#include "filter/trace.h"

/* Updates the set of lengths after a layer was added or removed. */
static void kcuckoo_length_write(struct kcuckoo_table_set *table_set,
				 unsigned int index)
{
	unsigned int family = kcuckoo_layer_family(index);
	unsigned int plen = kcuckoo_layer_plen(index);
	unsigned int sibling = kcuckoo_layer_sibling(index);
	u64 bit = 1ULL << plen % 64;
	bool there;
	u64 *word;

	there = rcu_access_pointer(table_set->layer[index]) ||
		rcu_access_pointer(table_set->layer[sibling]);
	word = &table_set->lengths[kcuckoo_length_word(family, plen)];
	WRITE_ONCE(*word, there ? *word | bit : *word & ~bit);
}

/**
 * kcuckoo_filter_place() - set a layer, as one of several in a write section
 * @filter: the filter
 * @index: number of the layer
 * @layer: the layer; the caller frees the layer that it replaces
 *
 * Context: under @filter->resize_mutex and @filter->lock, in a write section.
 */
void kcuckoo_filter_place(struct kcuckoo_filter *filter, unsigned int index,
			  struct kcuckoo_layer *layer)
{
	struct kcuckoo_table_set *table_set;

	lockdep_assert_held(&filter->resize_mutex);
	lockdep_assert_held(&filter->lock);
	table_set = kcuckoo_filter_table_set(filter);
	layer->serial = ++filter->serial;
	filter->move_seq++;
	rcu_assign_pointer(table_set->layer[index], layer);
	kcuckoo_length_write(table_set, index);
	WRITE_ONCE(filter->full_families, 0);
}

/**
 * kcuckoo_filter_publish() - publish a layer
 * @filter: the filter
 * @index: number of the layer
 * @layer: the layer; the caller frees the layer that it replaces
 *
 * Context: under @filter->resize_mutex and @filter->lock.
 */
void kcuckoo_filter_publish(struct kcuckoo_filter *filter, unsigned int index,
			    struct kcuckoo_layer *layer)
{
	write_seqcount_begin(&filter->seq);
	kcuckoo_filter_place(filter, index, layer);
	write_seqcount_end(&filter->seq);
}

/*
 * Copies a layer into a new one and publishes the new one. Returns 0, -EAGAIN if the new
 * layer was too small, or -EINTR.
 */
static int kcuckoo_layer_migrate(struct kcuckoo_filter *filter,
				 unsigned int index,
				 struct kcuckoo_layer *from,
				 struct kcuckoo_layer *to)
{
	struct kcuckoo_rehash rehash;
	int err;

	kcuckoo_rehash_init(&rehash, &from->store, &to->store, &filter->secret);
	err = kcuckoo_layer_copy(filter, from, &rehash);
	kcuckoo_filter_lock(filter);
	/* A concurrent add can still have found the new layer too small. */
	if (!err && rehash.failed)
		err = -EAGAIN;
	if (!err)
		kcuckoo_filter_publish(filter, index, to);
	from->rehash = NULL;
	kcuckoo_filter_unlock(filter);
	return err;
}

/*
 * Publishes a layer in which entries have other places than in the old layer, if the old
 * layer is empty. Returns -EEXIST if it is not.
 */
static int kcuckoo_layer_replace(struct kcuckoo_filter *filter,
				 unsigned int index,
				 const struct kcuckoo_layer *old,
				 struct kcuckoo_layer *new)
{
	bool empty;

	kcuckoo_filter_lock(filter);
	empty = !old || !old->store.table.entries;
	if (empty)
		kcuckoo_filter_publish(filter, index, new);
	kcuckoo_filter_unlock(filter);
	return empty ? 0 : -EEXIST;
}

/* Returns true if the entries of a layer can be copied into another one. */
static bool kcuckoo_layer_fits(const struct kcuckoo_layer *old,
			       const struct kcuckoo_layer *new)
{
	return old && (kcuckoo_store_exact(&old->store) ||
		       old->store.table.part == new->store.table.part);
}

/*
 * Rebuilds a layer with another layout, or creates the layer. If concurrent adds fill the
 * new layer, the rebuild starts again with a larger layout.
 */
static int kcuckoo_layer_rebuild(struct kcuckoo_filter *filter,
				 unsigned int index,
				 const struct kcuckoo_layout *wanted)
{
	struct kcuckoo_layer *old = kcuckoo_filter_layer(filter, index);
	struct kcuckoo_layout layout = *wanted;
	struct kcuckoo_layer *new;
	int err;

	lockdep_assert_held(&filter->resize_mutex);
	do {
		new = kcuckoo_layer_create(filter->account, &layout,
					   &filter->secret);
		if (IS_ERR(new))
			return PTR_ERR(new);
		if (kcuckoo_layer_fits(old, new))
			err = kcuckoo_layer_migrate(filter, index, old, new);
		else
			err = kcuckoo_layer_replace(filter, index, old, new);
		if (err)
			kcuckoo_layer_free(new);
		if (err == -EAGAIN &&
		    !kcuckoo_layout_grow(&layout, &layout))
			err = -ENOSPC;
	} while (err == -EAGAIN);
	if (err || !old)
		return err;
	trace_kcuckoo_resize(filter, index, old->store.layout.params.nbuckets,
			     layout.params.nbuckets, old->store.table.entries);
	kcuckoo_layer_retire(old);
	return 0;
}

/*
 * Returns the members from which a layer counts as full. Below this number it has free
 * entries, though a search may not find them: the buckets may be filled with copies of a
 * few keys, or the search visits few buckets.
 */
static u64 kcuckoo_layer_full_threshold(const struct kcuckoo_filter *filter,
					const struct kcuckoo_layer *layer)
{
	const struct kcuckoo_store *store = &layer->store;

	if (kcuckoo_filter_exact(filter))
		return kcuckoo_layout_room(&store->layout);
	return kcuckoo_table_places(&store->table) * KCUCKOO_DOUBLING_PERCENT /
	       100;
}

/*
 * Returns true if members were removed since an add found the layer full, with
 * @full_entries members: it then has fewer members than the threshold, or an eighth
 * fewer than it had. The add then retries without growth. Each retry needs removals by
 * others: some at the threshold, an eighth of the members below it.
 */
static bool kcuckoo_layer_drained(struct kcuckoo_filter *filter,
				  const struct kcuckoo_layer *layer,
				  u64 full_entries)
{
	u64 threshold = kcuckoo_layer_full_threshold(filter, layer);
	u64 entries = kcuckoo_layer_entries(filter, layer);

	return (full_entries >= threshold && entries < threshold) ||
	       entries < full_entries - full_entries / 8;
}

/*
 * Returns true if a layer of fingerprints may be doubled: its rate of false positives is
 * not fixed, and it is full. Otherwise copies of one key would make it grow for ever.
 */
static bool kcuckoo_layer_may_double(struct kcuckoo_filter *filter,
				     const struct kcuckoo_layer *layer)
{
	if (filter->config.traits & KCUCKOO_CREATE_FIXED || filter->config.fpr)
		return false;
	return kcuckoo_layer_entries(filter, layer) >=
	       kcuckoo_layer_full_threshold(filter, layer);
}

/* Computes the layout of a layer after a step of growth; false if it cannot grow. */
static bool kcuckoo_layer_next(struct kcuckoo_filter *filter,
			       unsigned int index,
			       const struct kcuckoo_layer *layer,
			       struct kcuckoo_layout *layout)
{
	const struct kcuckoo_config *config = &filter->config;

	if (layer)
		return (kcuckoo_filter_exact(filter) ||
			kcuckoo_layer_may_double(filter, layer)) &&
		       kcuckoo_layout_grow(layout, &layer->store.layout);
	kcuckoo_layout_fit(layout, &config->params, kcuckoo_layer_bits(index),
			   kcuckoo_filter_exact(filter) ? 1 : config->capacity);
	return true;
}

/* Refreshes the length index of a family; fingerprints have no index. */
static void kcuckoo_layer_refresh_index(struct kcuckoo_filter *filter,
					unsigned int index)
{
	if (kcuckoo_filter_exact(filter))
		kcuckoo_filter_index_refresh(filter,
					     kcuckoo_layer_family(index));
}

/**
 * kcuckoo_filter_grow() - grow a layer that was found full
 * @filter: the filter
 * @index: number of the layer
 * @serial: serial number of the layer that was found full, 0 if it was missing
 * @full_entries: its members at that time
 *
 * Does nothing if the layer was replaced or drained in the meantime. A new exact layer
 * is for one member. A new layer of fingerprints is for the capacity of the filter, as it
 * can only be doubled.
 *
 * Context: process context, may sleep.
 * Return: 0, -ENOMEM, -EDQUOT, -EINTR, or -ENOSPC if the layer cannot grow.
 */
int kcuckoo_filter_grow(struct kcuckoo_filter *filter, unsigned int index,
			u64 serial, u64 full_entries)
{
	struct kcuckoo_layout layout;
	struct kcuckoo_layer *layer;
	int err = 0;

	if (mutex_lock_killable(&filter->resize_mutex))
		return -EINTR;
	layer = kcuckoo_filter_layer(filter, index);
	if (layer && (layer->serial != serial ||
		      kcuckoo_layer_drained(filter, layer, full_entries)))
		goto out_unlock;
	if (!kcuckoo_layer_next(filter, index, layer, &layout))
		err = -ENOSPC;
	if (!err)
		err = kcuckoo_layer_rebuild(filter, index, &layout);
	if (!err)
		kcuckoo_layer_refresh_index(filter, index);
	if (!err && layer) {
		kcuckoo_filter_lock(filter);
		filter->growths++;
		kcuckoo_filter_unlock(filter);
	}
out_unlock:
	mutex_unlock(&filter->resize_mutex);
	return err;
}

/**
 * kcuckoo_filter_reserve() - reserve capacity for members to be added
 * @filter: the filter
 * @index: number of the layer
 * @count: number of members of this length, in addition to the present members
 *
 * A layer in use grows by no less than a step of growth, so that many small reservations
 * do not copy it many times. The size of a layer of fingerprints can be changed only
 * while it is empty.
 *
 * Context: process context, may sleep.
 * Return: 0, -ENOMEM, -EDQUOT or -EINTR.
 */
int kcuckoo_filter_reserve(struct kcuckoo_filter *filter, unsigned int index,
			   u64 count)
{
	struct kcuckoo_layout layout;
	struct kcuckoo_layout step;
	struct kcuckoo_layer *layer;
	u64 entries;
	int err = 0;

	if (mutex_lock_killable(&filter->resize_mutex))
		return -EINTR;
	layer = kcuckoo_filter_layer(filter, index);
	entries = kcuckoo_layer_entries(filter, layer);
	count += entries;
	/* The capacity of a filter of fingerprints does not limit its members. */
	if (kcuckoo_filter_exact(filter))
		count = min(count, filter->config.capacity);
	if (layer && (kcuckoo_layout_room(&layer->store.layout) >= count ||
		      (entries && !kcuckoo_filter_exact(filter))))
		goto out_unlock;
	kcuckoo_layout_fit(&layout, &filter->config.params,
			   kcuckoo_layer_bits(index), count);
	if (entries && kcuckoo_layout_grow(&step, &layer->store.layout) &&
	    kcuckoo_layout_room(&step) > kcuckoo_layout_room(&layout))
		layout = step;
	err = kcuckoo_layer_rebuild(filter, index, &layout);
	/* A reservation is a hint: concurrent adds have used the capacity. */
	if (err == -ENOSPC || err == -EEXIST)
		err = 0;
	if (!err)
		kcuckoo_layer_refresh_index(filter, index);
out_unlock:
	mutex_unlock(&filter->resize_mutex);
	return err;
}

/* Removes a layer if it is empty. Returns false if it is not. */
static bool kcuckoo_layer_remove(struct kcuckoo_filter *filter,
				 unsigned int index,
				 struct kcuckoo_layer *layer)
{
	struct kcuckoo_table_set *table_set;
	bool empty;

	lockdep_assert_held(&filter->resize_mutex);
	kcuckoo_filter_lock(filter);
	table_set = kcuckoo_filter_table_set(filter);
	empty = !layer->store.table.entries;
	if (empty) {
		write_seqcount_begin(&filter->seq);
		RCU_INIT_POINTER(table_set->layer[index], NULL);
		kcuckoo_length_write(table_set, index);
		write_seqcount_end(&filter->seq);
	}
	kcuckoo_filter_unlock(filter);
	if (empty)
		kcuckoo_layer_retire(layer);
	return empty;
}

static int kcuckoo_layer_compact(struct kcuckoo_filter *filter,
				 unsigned int index,
				 struct kcuckoo_layer *layer)
{
	struct kcuckoo_layout layout;

	if (index != KCUCKOO_BYTES_LAYER &&
	    kcuckoo_layer_remove(filter, index, layer))
		return 0;
	if (!kcuckoo_layout_shrink(&layout, &layer->store.layout,
				   kcuckoo_layer_entries(filter, layer)))
		return 0;
	return kcuckoo_layer_rebuild(filter, index, &layout);
}

/**
 * kcuckoo_filter_compact() - free memory that the members do not need
 * @filter: the filter
 *
 * Context: process context, may sleep.
 * Return: 0, or -ENOMEM, -EDQUOT or -EINTR; then some layers may be smaller.
 */
int kcuckoo_filter_compact(struct kcuckoo_filter *filter)
{
	struct kcuckoo_layer *layer;
	unsigned int i;
	int err = 0;

	if (mutex_lock_killable(&filter->resize_mutex))
		return -EINTR;
	for (i = 0; i < KCUCKOO_LAYERS && !err; i++) {
		layer = kcuckoo_filter_layer(filter, i);
		if (layer)
			err = kcuckoo_layer_compact(filter, i, layer);
	}
	kcuckoo_filter_index_refresh_all(filter);
	mutex_unlock(&filter->resize_mutex);
	return err;
}

/**
 * struct kcuckoo_flush - a flush in place, of one layer
 * @layer: the layer
 * @family: kcuckoo_family_number() of its family
 */
struct kcuckoo_flush {
	struct kcuckoo_layer *layer;
	unsigned int family;
};

/* Removes the members of a bucket. */
static u64 kcuckoo_flush_bucket(struct kcuckoo_filter *filter, void *context,
				u64 place, u64 end, unsigned int *steps)
{
	struct kcuckoo_flush *flush = context;
	struct kcuckoo_layer *layer = flush->layer;

	/* In ascending order, as free entries of sorted buckets come first. */
	for (; place < end; place++) {
		if (!kcuckoo_store_used(&layer->store, place))
			continue;
		kcuckoo_filter_clear(filter, layer, place);
		filter->entries[flush->family]--;
		(*steps)++;
	}
	return place;
}

/* Removes all members in steps. No member is moved: the sweep could miss it. */
static void kcuckoo_flush_sweep(struct kcuckoo_filter *filter)
{
	struct kcuckoo_flush flush;
	unsigned int i;

	kcuckoo_filter_lock(filter);
	filter->relocation_off = true;
	kcuckoo_filter_unlock(filter);
	for (i = 0; i < KCUCKOO_LAYERS; i++) {
		flush.layer = kcuckoo_filter_layer(filter, i);
		flush.family = kcuckoo_family_number(kcuckoo_layer_family(i));
		if (flush.layer)
			kcuckoo_layer_sweep(filter, flush.layer,
					    kcuckoo_flush_bucket, &flush, false);
	}
	kcuckoo_filter_lock(filter);
	filter->relocation_off = false;
	kcuckoo_filter_unlock(filter);
}

/*
 * Creates a layer of a new table set, as large as the present layer. Packets add only to
 * reserved capacity, and a flush does not take that away.
 */
static int kcuckoo_flush_keep(struct kcuckoo_filter *filter,
			      struct kcuckoo_table_set *new,
			      unsigned int index)
{
	struct kcuckoo_layer *old = kcuckoo_filter_layer(filter, index);
	struct kcuckoo_layer *layer;

	if (!old)
		return 0;
	layer = kcuckoo_layer_create(filter->account, &old->store.layout,
				     &filter->secret);
	if (IS_ERR(layer))
		return PTR_ERR(layer);
	kcuckoo_filter_lock(filter);
	layer->serial = ++filter->serial;
	kcuckoo_filter_unlock(filter);
	RCU_INIT_POINTER(new->layer[index], layer);
	kcuckoo_length_write(new, index);
	return 0;
}

/* Creates the table set that a flush publishes. */
static struct kcuckoo_table_set *
kcuckoo_flush_table_set(struct kcuckoo_filter *filter)
{
	struct kcuckoo_table_set *new;
	int err;

	new = kcuckoo_filter_table_set_create(filter, true);
	if (IS_ERR(new) || kcuckoo_filter_check_packets(filter, 0))
		return new;
	err = kcuckoo_flush_keep(filter, new,
				 kcuckoo_layer_host(KCUCKOO_FAMILY_IPV4));
	if (!err)
		err = kcuckoo_flush_keep(filter, new,
					 kcuckoo_layer_host(KCUCKOO_FAMILY_IPV6));
	if (!err)
		return new;
	kcuckoo_table_set_free(new);
	return ERR_PTR(err);
}

/**
 * kcuckoo_filter_flush() - remove all members
 * @filter: the filter
 *
 * Replaces the table set by an empty one, which readers see at one instant. Without
 * memory for a new table set, the members are removed in steps. So a flush that has begun
 * does not fail. If packets may add addresses, the capacity for these is kept.
 *
 * Context: process context, may sleep.
 * Return: 0, or -EINTR on a fatal signal while another caller resizes the filter.
 */
int kcuckoo_filter_flush(struct kcuckoo_filter *filter)
{
	struct kcuckoo_table_set *new;
	struct kcuckoo_table_set *old;

	if (mutex_lock_killable(&filter->resize_mutex))
		return -EINTR;
	new = kcuckoo_flush_table_set(filter);
	if (!IS_ERR(new)) {
		kcuckoo_filter_lock(filter);
		old = kcuckoo_filter_table_set(filter);
		write_seqcount_begin(&filter->seq);
		rcu_assign_pointer(filter->table_set, new);
		write_seqcount_end(&filter->seq);
		filter->entries[0] = 0;
		filter->entries[1] = 0;
		filter->move_seq++;
		WRITE_ONCE(filter->full_families, 0);
		kcuckoo_filter_unlock(filter);
		kcuckoo_table_set_retire(old);
	} else {
		kcuckoo_flush_sweep(filter);
	}
	/* Adds by packets do not build the index of the capacity that is kept. */
	kcuckoo_filter_index_refresh_all(filter);
	mutex_unlock(&filter->resize_mutex);
	return 0;
}
