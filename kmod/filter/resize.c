// SPDX-License-Identifier: GPL-2.0-only
/*
 * Replace the layers of a filter: publish, grow, reserve, compact and flush layers.
 *
 * Code that replaces a layer takes filter->resize_mutex before it reads the pointer to the
 * old layer, and holds the mutex until the old layer is retired (kcuckoo_layer_retire()).
 */
#include <linux/err.h>

#include "filter/event.h"
#include "filter/filter_internal.h"
#include "filter/sweep.h"
#include "filter/trace.h"

/* The bit of a prefix length is set while the length has at least one layer. */
static void kcuckoo_length_write(struct kcuckoo_table_set *table_set,
				 unsigned int index)
{
	unsigned int family = kcuckoo_layer_family(index);
	unsigned int plen = kcuckoo_layer_plen(index);
	unsigned int sibling = kcuckoo_layer_sibling(index);
	u64 bit = 1ULL << plen % 64;
	bool has_layer;
	u64 *word;

	has_layer = rcu_access_pointer(table_set->layer[index]) ||
		    rcu_access_pointer(table_set->layer[sibling]);
	word = &table_set->lengths[kcuckoo_length_word(family, plen)];
	WRITE_ONCE(*word, has_layer ? *word | bit : *word & ~bit);
}

/**
 * kcuckoo_filter_set_layer() - put a layer into the table set, in a write section of the
 *	caller
 * @filter: the filter
 * @index: number of the layer
 * @layer: the new layer; the caller retires the old layer, if there is one
 *
 * A merge replaces several layers in one write section, so that readers see all of them
 * replaced or none.
 *
 * Context: under @filter->resize_mutex and @filter->lock, in a write section of
 * @filter->seq.
 */
void kcuckoo_filter_set_layer(struct kcuckoo_filter *filter,
			      unsigned int index, struct kcuckoo_layer *layer)
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
 * kcuckoo_filter_publish() - put a layer into the table set, where readers find it
 * @filter: the filter
 * @index: number of the layer
 * @layer: the new layer; the caller retires the old layer, if there is one
 *
 * Context: under @filter->resize_mutex and @filter->lock.
 */
void kcuckoo_filter_publish(struct kcuckoo_filter *filter, unsigned int index,
			    struct kcuckoo_layer *layer)
{
	write_seqcount_begin(&filter->seq);
	kcuckoo_filter_set_layer(filter, index, layer);
	write_seqcount_end(&filter->seq);
}

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
	/*
	 * Until @from->rehash is reset below, adds are repeated in the new layer. Such
	 * an add can find the new layer too small even after all members were copied.
	 */
	if (!err && rehash.failed)
		err = -EAGAIN;
	if (!err)
		kcuckoo_filter_publish(filter, index, to);
	from->rehash = NULL;
	kcuckoo_filter_unlock(filter);
	return err;
}

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

/*
 * The keys can be computed from the entries of an exact layer, so its members can be copied
 * into any layout. A fingerprint gives the bucket only within a part of the table
 * (core/table.h), so the parts of both tables must have the same size.
 */
static bool kcuckoo_layer_can_copy(const struct kcuckoo_layer *old,
				   const struct kcuckoo_layer *new)
{
	return old && (kcuckoo_store_exact(&old->store) ||
		       old->store.table.part_buckets == new->store.table.part_buckets);
}

static void kcuckoo_layer_emit_resized(struct kcuckoo_filter *filter,
				       unsigned int index,
				       const struct kcuckoo_layout *from,
				       const struct kcuckoo_layout *to)
{
	struct kcuckoo_event event = { .type = KCUCKOO_EVENT_RESIZED };

	if (!kcuckoo_event_wanted(filter->account, event.type))
		return;
	event.old_room = kcuckoo_layout_room(from);
	event.new_room = kcuckoo_layout_room(to);
	if (filter->config.type == KCUCKOO_TYPE_INET) {
		event.family = kcuckoo_layer_family(index);
		event.plen = kcuckoo_layer_plen(index);
	}
	kcuckoo_filter_emit(filter, &event);
}

/*
 * Replaces a layer by a layer with another layout, or creates the layer if it is missing.
 * If the new layer is too small, because of concurrent adds for instance, starts again
 * with a larger layout. Returns 0; -EEXIST if the old layer has members that cannot be
 * copied; -ENOSPC if no larger layout is possible; -ENOMEM, -EDQUOT or -EINTR. After an
 * error the old layer stays in use.
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
		if (kcuckoo_layer_can_copy(old, new))
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
	kcuckoo_layer_emit_resized(filter, index, &old->store.layout, &layout);
	kcuckoo_layer_retire(old);
	return 0;
}

/*
 * Returns the number of members from which on a failed search means that the layer needs
 * a larger table. In a layer with fewer members, a search fails for other reasons:
 * - Many entries with only a few different fingerprints fill the buckets that the search
 *   visits.
 * - The filter limits searches to few buckets.
 * - A table of fingerprints cannot reach KCUCKOO_DOUBLING_PERCENT (core/layout.c),
 *   because its buckets have one or two entries, or its fingerprints have few bits.
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
 * Returns true if enough members were removed to repeat an add without growth, after the
 * add has found the layer full with @full_entries members. If @full_entries is below
 * kcuckoo_layer_full_threshold(), the removal of a single member does not suffice:
 * otherwise the add could be repeated again and again.
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
 * Each doubling makes false positives more frequent, so a filter with KCUCKOO_CREATE_FIXED
 * or a maximum rate of false positives never grows. In other filters a layer needs a
 * minimum number of members: copies of one key can use all entries of its two buckets in a
 * table that is nearly empty, and no doubling would separate the copies.
 */
static bool kcuckoo_layer_may_double(struct kcuckoo_filter *filter,
				     const struct kcuckoo_layer *layer)
{
	if (filter->config.traits & KCUCKOO_CREATE_FIXED || filter->config.fpr)
		return false;
	return kcuckoo_layer_entries(filter, layer) >=
	       kcuckoo_layer_full_threshold(filter, layer);
}

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

/* A filter of fingerprints has no length index. */
static void kcuckoo_layer_refresh_index(struct kcuckoo_filter *filter,
					unsigned int index)
{
	if (kcuckoo_filter_exact(filter))
		kcuckoo_filter_index_refresh(filter,
					     kcuckoo_layer_family(index));
}

/**
 * kcuckoo_filter_grow() - grow a layer that an add found full, or create a missing layer
 * @filter: the filter
 * @index: number of the layer
 * @serial: serial number of the layer that was found full, 0 if it was missing
 * @full_entries: number of its members when it was found full
 *
 * Does nothing if the layer was replaced or created since the add, or if enough members
 * were removed (kcuckoo_layer_drained()). A new exact layer has the smallest layout,
 * because an exact layer can grow in small steps. A new layer of fingerprints has the
 * layout for the capacity of the filter, because such a layer can only be doubled.
 *
 * Context: process context, may sleep.
 * Return: 0 if the add can be repeated; -ENOSPC if the layer cannot grow; -ENOMEM,
 * -EDQUOT, or -EINTR on a fatal signal.
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
 * kcuckoo_filter_reserve() - make a layer large enough for members that will be added
 * @filter: the filter
 * @index: number of the layer
 * @count: number of members to be added to this layer
 *
 * A layer of an exact filter that has members and is too small grows at least by the step
 * of kcuckoo_filter_grow(). Otherwise many small reservations would copy the layer many
 * times. A layer of fingerprints that has members stays as it is: it could only be
 * doubled, and each doubling makes false positives more frequent.
 *
 * Context: process context, may sleep.
 * Return: 0, also if the layer was not changed; -ENOMEM, -EDQUOT, or -EINTR on a fatal
 * signal.
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
	/*
	 * Concurrent adds have used the new capacity (-ENOSPC), or have added members to a
	 * layer of fingerprints that was empty (-EEXIST). A reservation does not guarantee
	 * the capacity, so the function returns 0.
	 */
	if (err == -ENOSPC || err == -EEXIST)
		err = 0;
	if (!err)
		kcuckoo_layer_refresh_index(filter, index);
out_unlock:
	mutex_unlock(&filter->resize_mutex);
	return err;
}

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

/* The layer of a filter of byte strings is never removed, even without members. */
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
 * Return: 0; -ENOMEM, -EDQUOT, or -EINTR on a fatal signal; -ENOSPC if concurrent adds fill
 * a layer that cannot grow. After an error, some layers can be smaller already, and all
 * members are still in the filter.
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
 * struct kcuckoo_flush - removal of all members of one layer, without replacing the layer
 * @layer: the layer
 * @family: kcuckoo_family_number() of the family of the layer
 */
struct kcuckoo_flush {
	struct kcuckoo_layer *layer;
	unsigned int family;
};

static u64 kcuckoo_flush_bucket(struct kcuckoo_filter *filter, void *context,
				u64 place, u64 end, unsigned int *steps)
{
	struct kcuckoo_flush *flush = context;
	struct kcuckoo_layer *layer = flush->layer;

	/*
	 * The order is ascending because of semi-sorted buckets. A removal sorts the
	 * bucket again, with the free entries first. So the entries at higher places
	 * stay where they are.
	 */
	for (; place < end; place++) {
		if (!kcuckoo_store_used(&layer->store, place))
			continue;
		kcuckoo_filter_clear(filter, layer, place);
		filter->members[flush->family]--;
		filter->changes++;
		(*steps)++;
	}
	return place;
}

/*
 * Returns 0, or -ESTALE if the filter was superseded before the end of the sweep. Then the
 * filter that has replaced this filter must be flushed, too: it can have members that this
 * filter had at the time of the replacement. The sweep does not stop when the filter is
 * superseded. The later removals do no harm, because the name has the new filter.
 */
static int kcuckoo_flush_sweep(struct kcuckoo_filter *filter)
{
	struct kcuckoo_flush flush;
	bool superseded;
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
	superseded = filter->superseded;
	kcuckoo_filter_unlock(filter);
	return superseded ? -ESTALE : 0;
}

static int kcuckoo_flush_publish(struct kcuckoo_filter *filter,
				 struct kcuckoo_table_set *new)
{
	struct kcuckoo_table_set *old;

	kcuckoo_filter_lock(filter);
	if (filter->superseded) {
		kcuckoo_filter_unlock(filter);
		kcuckoo_table_set_free(new);
		return -ESTALE;
	}
	old = kcuckoo_filter_table_set(filter);
	write_seqcount_begin(&filter->seq);
	rcu_assign_pointer(filter->table_set, new);
	write_seqcount_end(&filter->seq);
	filter->members[0] = 0;
	filter->members[1] = 0;
	filter->move_seq++;
	filter->changes++;
	WRITE_ONCE(filter->full_families, 0);
	kcuckoo_filter_unlock(filter);
	kcuckoo_table_set_retire(old);
	return 0;
}

/*
 * Packets add only to reserved capacity, which a flush must not reduce. So the new table
 * set gets an empty layer with the layout of the present layer.
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

static struct kcuckoo_table_set *
kcuckoo_flush_table_set(struct kcuckoo_filter *filter)
{
	struct kcuckoo_table_set *new;
	int err;

	new = kcuckoo_filter_table_set_create(filter, true);
	/* If packets are not allowed to add addresses, no capacity has to be kept. */
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
 * Replaces the table set by a new table set, so that a look-up sees all members or none. If
 * the new table set cannot be allocated, removes the members bucket by bucket, which needs
 * no memory. If packets are allowed to add addresses, the capacity for these addresses is
 * kept.
 *
 * Context: process context, may sleep.
 * Return: 0; -EINTR on a fatal signal during the wait for @filter->resize_mutex;
 * -ESTALE if the filter was superseded.
 */
int kcuckoo_filter_flush(struct kcuckoo_filter *filter)
{
	struct kcuckoo_table_set *new;
	int err;

	if (mutex_lock_killable(&filter->resize_mutex))
		return -EINTR;
	new = kcuckoo_flush_table_set(filter);
	if (IS_ERR(new))
		err = kcuckoo_flush_sweep(filter);
	else
		err = kcuckoo_flush_publish(filter, new);
	/*
	 * Build the length index for the capacity that is kept. Adds by packets cannot
	 * build the index, because they allocate no memory.
	 */
	kcuckoo_filter_index_refresh_all(filter);
	mutex_unlock(&filter->resize_mutex);
	return err;
}
