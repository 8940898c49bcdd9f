// SPDX-License-Identifier: GPL-2.0-only
/*
 * Merging and cloning: copy the layers of filters that are in use.
 *
 * Each layer is copied as by a resize (rehash.h). No copy is detached from its layer
 * before all copies are complete. So the copies show one instant, and a merge takes
 * effect as a whole or not at all.
 */
#include <linux/err.h>
#include <linux/mm.h>

#include "filter/merge.h"
#include "filter/filter_internal.h"
#include "filter/sweep.h"

/*
 * Slack that a merge adds after its layers were too small, in percent, and its maximum.
 * An exact table whose searches visit few buckets fills only to a few percent.
 */
#define KCUCKOO_MERGE_SLACK		25U
#define KCUCKOO_MERGE_SLACK_MAX		100
#define KCUCKOO_MERGE_SLACK_EXACT	10000

/*
 * Copies a layer. Its changes are repeated in the copy until
 * kcuckoo_clone_detach(). Returns 0, -EAGAIN if the copy was too small, or -EINTR.
 */
static int kcuckoo_layer_clone(struct kcuckoo_filter *filter,
			       struct kcuckoo_layer *from,
			       struct kcuckoo_clone_layer *copy, bool unite)
{
	kcuckoo_rehash_init(&copy->rehash, &from->store, &copy->layer->store,
			    &filter->secret);
	copy->rehash.unite = unite;
	copy->rehash.now = kcuckoo_filter_now(filter);
	return kcuckoo_layer_copy(filter, from, &copy->rehash);
}

/* Detaches all copies at one instant: later changes are not repeated in them. */
static void kcuckoo_clone_detach(struct kcuckoo_filter *filter)
{
	unsigned int i;

	lockdep_assert_held(&filter->resize_mutex);
	lockdep_assert_held(&filter->lock);
	for (i = 0; i < KCUCKOO_LAYERS; i++) {
		struct kcuckoo_layer *layer = kcuckoo_filter_layer(filter, i);

		if (layer)
			layer->rehash = NULL;
	}
}

/* Returns true if a copy became too small after it was complete. */
static bool kcuckoo_clone_failed(const struct kcuckoo_clone *clone)
{
	unsigned int i;

	for (i = 0; i < KCUCKOO_LAYERS; i++)
		if (clone->copy[i].layer && clone->copy[i].rehash.failed)
			return true;
	return false;
}

/**
 * kcuckoo_clone_free() - free a clone and the copies in it
 * @clone: the clone, or NULL; copies that are in use have been taken out of it
 *
 * Context: process context, may sleep.
 */
void kcuckoo_clone_free(struct kcuckoo_clone *clone)
{
	unsigned int i;

	if (!clone)
		return;
	for (i = 0; i < KCUCKOO_LAYERS; i++)
		if (clone->copy[i].layer)
			kcuckoo_layer_free(clone->copy[i].layer);
	kvfree(clone);
}

/**
 * struct kcuckoo_merge - a merge, or the creation of a clone
 * @to: the filter that gets the members, NULL for a clone
 * @from: the filter that has them
 * @slack: capacity beyond what the members need, in percent
 * @clone: the layers that replace those of @to, or the clone
 */
struct kcuckoo_merge {
	struct kcuckoo_filter *to;
	struct kcuckoo_filter *from;
	unsigned int slack;
	struct kcuckoo_clone *clone;
};

/*
 * Returns the capacity of a merged layer of an exact filter. Packets add only to reserved
 * capacity, and a merge does not take that away.
 */
static u64 kcuckoo_merge_capacity(const struct kcuckoo_merge *merge,
				  unsigned int index,
				  const struct kcuckoo_layer *to, u64 entries)
{
	unsigned int family = kcuckoo_layer_family(index);

	if (index != kcuckoo_layer_host(family) ||
	    kcuckoo_filter_check_packets(merge->to, 0))
		return entries;
	return max(entries, kcuckoo_layout_room(&to->store.layout));
}

/* Returns true for a merge into a filter whose tables may not grow. */
static bool kcuckoo_merge_fixed(const struct kcuckoo_merge *merge)
{
	const struct kcuckoo_filter *filter = merge->to;

	return filter && (filter->config.traits & KCUCKOO_CREATE_FIXED ||
			  filter->config.fpr);
}

/*
 * Computes the layout of a merge of two layers, the second of which may be missing. Tables
 * of fingerprints can be merged only if their parts have the same size. The result is as
 * large as the larger of the two, and larger if it may grow.
 */
static int kcuckoo_merge_layout(const struct kcuckoo_merge *merge,
				unsigned int index,
				const struct kcuckoo_layer *from,
				const struct kcuckoo_layer *to, u64 entries,
				struct kcuckoo_layout *layout)
{
	bool fixed = kcuckoo_merge_fixed(merge);
	unsigned int doublings = to ? to->store.layout.params.doublings : 0;
	struct kcuckoo_layout next;

	*layout = from->store.layout;
	/* Each doubling makes false positives more frequent. */
	if (fixed && layout->params.doublings > doublings)
		return -EINVAL;
	if (!to)
		return 0;
	if (kcuckoo_filter_exact(merge->from)) {
		entries = kcuckoo_merge_capacity(merge, index, to, entries);
		kcuckoo_layout_fit(layout, &merge->from->config.params,
				   layout->bits, entries);
		return 0;
	}
	if (from->store.table.part != to->store.table.part)
		return -EINVAL;
	if (doublings > layout->params.doublings)
		*layout = to->store.layout;
	while (!fixed && kcuckoo_layout_room(layout) < entries &&
	       kcuckoo_layout_grow(&next, layout))
		*layout = next;
	return 0;
}

/* Creates the empty layer into which two layers are copied. */
static int kcuckoo_merge_prepare(struct kcuckoo_merge *merge, unsigned int i,
				 struct kcuckoo_layer *from)
{
	struct kcuckoo_account *account = merge->from->account;
	struct kcuckoo_layer *to = NULL;
	struct kcuckoo_layout layout;
	struct kcuckoo_layer *layer;
	u64 entries;
	int err;

	entries = kcuckoo_layer_entries(merge->from, from);
	if (merge->to) {
		account = merge->to->account;
		to = kcuckoo_filter_layer(merge->to, i);
		entries += kcuckoo_layer_entries(merge->to, to);
	}
	entries += entries * merge->slack / 100;
	err = kcuckoo_merge_layout(merge, i, from, to, entries, &layout);
	if (err)
		return err;
	layer = kcuckoo_layer_create(account, &layout, &merge->from->secret);
	if (IS_ERR(layer))
		return PTR_ERR(layer);
	merge->clone->copy[i].layer = layer;
	return 0;
}

/* Copies all layers of @merge->from. */
static int kcuckoo_merge_from(struct kcuckoo_merge *merge)
{
	struct kcuckoo_filter *filter = merge->from;
	struct kcuckoo_clone *clone = merge->clone;
	unsigned int i;
	int err = 0;

	for (i = 0; i < KCUCKOO_LAYERS && !err; i++) {
		struct kcuckoo_layer *layer = kcuckoo_filter_layer(filter, i);

		if (!layer)
			continue;
		err = kcuckoo_merge_prepare(merge, i, layer);
		if (!err)
			err = kcuckoo_layer_clone(filter, layer,
						  &clone->copy[i], false);
	}
	kcuckoo_filter_lock(filter);
	kcuckoo_clone_detach(filter);
	clone->entries[0] = filter->entries[0];
	clone->entries[1] = filter->entries[1];
	kcuckoo_filter_unlock(filter);
	if (!err && kcuckoo_clone_failed(clone))
		err = -EAGAIN;
	return err;
}

/* Copies the layers of @merge->to into the same copies. */
static int kcuckoo_merge_to(struct kcuckoo_merge *merge)
{
	struct kcuckoo_filter *filter = merge->to;
	bool unite = !kcuckoo_filter_multiset(filter);
	unsigned int i;
	int err = 0;

	for (i = 0; i < KCUCKOO_LAYERS && !err; i++) {
		struct kcuckoo_layer *layer = kcuckoo_filter_layer(filter, i);
		struct kcuckoo_clone_layer *copy = &merge->clone->copy[i];

		if (layer && copy->layer)
			err = kcuckoo_layer_clone(filter, layer, copy, unite);
	}
	return err;
}

/* Counts the members that the filter has after its layers are replaced by the copies. */
static void kcuckoo_merge_count(struct kcuckoo_merge *merge,
				u64 entries[KCUCKOO_FAMILIES])
{
	unsigned int i;

	entries[0] = merge->to->entries[0];
	entries[1] = merge->to->entries[1];
	for (i = 0; i < KCUCKOO_LAYERS; i++) {
		struct kcuckoo_layer *new = merge->clone->copy[i].layer;
		struct kcuckoo_layer *old = kcuckoo_filter_layer(merge->to, i);
		u64 *count = &entries[kcuckoo_family_number
				      (kcuckoo_layer_family(i))];

		if (!new)
			continue;
		*count += new->store.table.entries;
		if (old)
			*count -= old->store.table.entries;
	}
}

/*
 * Removes the length indexes, which lack the members of the new layers. Without an index,
 * look-ups probe all lengths.
 */
static void kcuckoo_merge_unindex(struct kcuckoo_filter *filter)
{
	struct kcuckoo_table_set *table_set;
	unsigned int i;

	lockdep_assert_held(&filter->resize_mutex);
	lockdep_assert_held(&filter->lock);
	table_set = kcuckoo_filter_table_set(filter);
	for (i = 0; i < KCUCKOO_FAMILIES; i++) {
		struct kcuckoo_index *index;

		index = kcuckoo_filter_length_index(filter, i);
		RCU_INIT_POINTER(table_set->index[i], NULL);
		kcuckoo_index_retire(index);
	}
}

/*
 * Exchanges the layers of the filter and the copies in one write section. The clone then
 * has the old layers.
 */
static void kcuckoo_merge_exchange(struct kcuckoo_merge *merge)
{
	struct kcuckoo_filter *filter = merge->to;
	unsigned int i;

	write_seqcount_begin(&filter->seq);
	for (i = 0; i < KCUCKOO_LAYERS; i++) {
		struct kcuckoo_clone_layer *copy = &merge->clone->copy[i];
		struct kcuckoo_layer *old = kcuckoo_filter_layer(filter, i);

		if (!copy->layer)
			continue;
		kcuckoo_filter_place(filter, i, copy->layer);
		copy->layer = old;
	}
	write_seqcount_end(&filter->seq);
}

/* Publishes the copies, unless there was an error. */
static int kcuckoo_merge_publish(struct kcuckoo_merge *merge, int err)
{
	struct kcuckoo_filter *filter = merge->to;
	u64 entries[KCUCKOO_FAMILIES];

	kcuckoo_filter_lock(filter);
	kcuckoo_clone_detach(filter);
	if (!err && kcuckoo_clone_failed(merge->clone))
		err = -EAGAIN;
	kcuckoo_merge_count(merge, entries);
	if (!err && kcuckoo_filter_exact(filter) &&
	    entries[0] + entries[1] > filter->config.capacity)
		err = -ENOSPC;
	if (!err) {
		kcuckoo_merge_unindex(filter);
		kcuckoo_merge_exchange(merge);
		filter->entries[0] = entries[0];
		filter->entries[1] = entries[1];
	}
	kcuckoo_filter_unlock(filter);
	return err;
}

/* Queues the layers that were replaced for freeing. */
static void kcuckoo_merge_retire(struct kcuckoo_merge *merge)
{
	unsigned int i;

	for (i = 0; i < KCUCKOO_LAYERS; i++) {
		struct kcuckoo_clone_layer *copy = &merge->clone->copy[i];

		if (copy->layer)
			kcuckoo_layer_retire(copy->layer);
		copy->layer = NULL;
	}
}

/* Excludes growth of both; locks in the order of addresses, so merges do not deadlock. */
static int kcuckoo_merge_lock(struct kcuckoo_merge *merge)
{
	struct mutex *first = &merge->from->resize_mutex;
	struct mutex *second = &merge->to->resize_mutex;

	if (first > second)
		swap(first, second);
	if (mutex_lock_killable(first))
		return -EINTR;
	if (mutex_lock_killable_nested(second, SINGLE_DEPTH_NESTING)) {
		mutex_unlock(first);
		return -EINTR;
	}
	return 0;
}

static void kcuckoo_merge_unlock(struct kcuckoo_merge *merge)
{
	mutex_unlock(&merge->from->resize_mutex);
	mutex_unlock(&merge->to->resize_mutex);
}

/* Tries to merge. Returns -EAGAIN if concurrent adds filled a copy. */
static int kcuckoo_merge_try(struct kcuckoo_merge *merge)
{
	struct kcuckoo_filter *filter = merge->to;
	int err;

	merge->clone = kvzalloc(sizeof(*merge->clone), GFP_KERNEL_ACCOUNT);
	if (!merge->clone)
		return -ENOMEM;
	err = kcuckoo_merge_from(merge);
	if (!err)
		err = kcuckoo_merge_to(merge);
	err = kcuckoo_merge_publish(merge, err);
	if (!err)
		kcuckoo_merge_retire(merge);
	if (!err)
		kcuckoo_filter_index_refresh_all(filter);
	kcuckoo_clone_free(merge->clone);
	return err;
}

/* Merges, with more slack each time that a copy was too small. */
static int kcuckoo_merge_fit(struct kcuckoo_merge *merge)
{
	unsigned int max_slack = kcuckoo_filter_exact(merge->to) ?
				 KCUCKOO_MERGE_SLACK_EXACT :
				 KCUCKOO_MERGE_SLACK_MAX;
	int err;

	err = kcuckoo_merge_lock(merge);
	if (err)
		return err;
	merge->slack = 0;
	do {
		err = kcuckoo_merge_try(merge);
		merge->slack += max(merge->slack / 3, KCUCKOO_MERGE_SLACK);
	} while (err == -EAGAIN && merge->slack <= max_slack);
	kcuckoo_merge_unlock(merge);
	return err == -EAGAIN ? -ENOSPC : err;
}

/**
 * kcuckoo_filter_merge() - add all members of a filter to another one
 * @filter: the filter that gets the members
 * @from: a filter with the same config and the same secret
 *
 * A member of both keeps its value in @filter, and the later expiry. A member that has
 * expired does not count, whether it has been collected or not. A key that is deleted
 * from @filter during the merge, after its layer was copied, is also deleted from the
 * result. So it may be missing although @from has it.
 *
 * Context: process context, may sleep.
 * Return: 0; -EINVAL if the tables cannot be merged; -ENOSPC if the members of both are
 * too many; -EDQUOT, -ENOMEM or -EINTR. After an error, nothing was changed.
 */
int kcuckoo_filter_merge(struct kcuckoo_filter *filter,
			 struct kcuckoo_filter *from)
{
	struct kcuckoo_merge merge = { .to = filter, .from = from };
	int err;

	err = kcuckoo_merge_fit(&merge);
	/* Until expired members are collected, they count and take entries. */
	if ((err == -ENOSPC || err == -EDQUOT || err == -ENOMEM) &&
	    filter->config.params.expiry_bits) {
		err = kcuckoo_filter_collect(filter);
		if (!err)
			err = kcuckoo_filter_collect(from);
		if (!err)
			err = kcuckoo_merge_fit(&merge);
	}
	/* A collection finds the time when the first member expires. */
	if (!err)
		kcuckoo_filter_collect_at(filter, 0);
	return err;
}

/**
 * kcuckoo_clone_create() - copy all layers of a filter as they are at one instant
 * @filter: the filter
 *
 * Context: process context, may sleep.
 * Return: the clone, or ERR_PTR(-EDQUOT), ERR_PTR(-ENOMEM) or ERR_PTR(-EINTR).
 */
struct kcuckoo_clone *kcuckoo_clone_create(struct kcuckoo_filter *filter)
{
	struct kcuckoo_merge merge = { .from = filter };
	int err;

	merge.clone = kvzalloc(sizeof(*merge.clone), GFP_KERNEL_ACCOUNT);
	if (!merge.clone)
		return ERR_PTR(-ENOMEM);
	err = -EINTR;
	if (!mutex_lock_killable(&filter->resize_mutex)) {
		err = kcuckoo_merge_from(&merge);
		mutex_unlock(&filter->resize_mutex);
	}
	if (!err)
		return merge.clone;
	kcuckoo_clone_free(merge.clone);
	/* A copy has the layout of its layer, and so the same capacity. */
	return ERR_PTR(err == -EAGAIN ? -ENOMEM : err);
}
