// SPDX-License-Identifier: GPL-2.0-only
/*
 * Merge a filter into another one, and clone a filter, while both are in use.
 *
 * Rehashes (core/rehash.h) copy all layers of a filter. Writers repeat changes of a layer
 * in its copy, until the copy is detached (kcuckoo_clone_detach()). After all layers of a
 * filter were copied, all copies are detached in one section under the lock of the filter.
 * So the copies have the members that the filter had at one instant. A merge publishes all
 * copies in one write section, so readers see the complete merge or none of it.
 */
#include <linux/err.h>
#include <linux/mm.h>

#include "filter/merge.h"
#include "filter/filter_internal.h"
#include "filter/sweep.h"

/*
 * Slack is the capacity of a merged layer beyond what its members need, in percent of the
 * number of members. A merge begins with slack 0. If a layer was too small, the merge tries
 * again with a third more slack, but at least KCUCKOO_MERGE_SLACK percentage points more.
 * The maximum is high for exact filters: if such a filter limits its searches to few
 * buckets, adds begin to fail when a few percent of the entries are used.
 */
#define KCUCKOO_MERGE_SLACK		25U
#define KCUCKOO_MERGE_SLACK_MAX		100
#define KCUCKOO_MERGE_SLACK_EXACT	10000

/*
 * If @unite is true, a member that the copy already has from the other filter of a merge is
 * not stored a second time. Returns the same as kcuckoo_layer_copy().
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

/* After a layer was copied, an add can still find that the copy is too small. */
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
 * @clone: the clone, or NULL; no reader can see the copies in it
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
 * @to: the filter to which the members of @from are added, NULL for a clone
 * @from: the filter whose layers are copied
 * @slack: capacity beyond what the members need, in percent of the number of members
 * @clone: in a merge the layers that replace layers of @to, and after the replacement
 *	the old layers of @to; otherwise the clone of @from
 */
struct kcuckoo_merge {
	struct kcuckoo_filter *to;
	struct kcuckoo_filter *from;
	unsigned int slack;
	struct kcuckoo_clone *clone;
};

/*
 * Packets add only to reserved capacity, which a merge must not reduce. So if packets are
 * allowed to add addresses to the filter, the new layer of full addresses (/32 or /128)
 * has at least the capacity of the present layer @to.
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

/* Returns true for a merge into a filter whose tables are not allowed to grow. */
static bool kcuckoo_merge_fixed(const struct kcuckoo_merge *merge)
{
	const struct kcuckoo_filter *filter = merge->to;

	return filter && (filter->config.traits & KCUCKOO_CREATE_FIXED ||
			  filter->config.fpr);
}

/*
 * Computes the layout of the layer that gets the members of the layers @from and @to.
 * @entries is the number of these members plus the slack. @to is NULL if only the filter
 * of @from has this layer, and for a clone. Tables of fingerprints can be merged only if
 * they had the same size before they were doubled. Returns 0, or -EINVAL if the tables
 * cannot be merged, or if a filter that must not grow would get a table with more
 * doublings than before.
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
	if (from->store.table.part_buckets != to->store.table.part_buckets)
		return -EINVAL;
	if (doublings > layout->params.doublings)
		*layout = to->store.layout;
	while (!fixed && kcuckoo_layout_room(layout) < entries &&
	       kcuckoo_layout_grow(&next, layout))
		*layout = next;
	return 0;
}

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
	clone->members[0] = filter->members[0];
	clone->members[1] = filter->members[1];
	kcuckoo_filter_unlock(filter);
	if (!err && kcuckoo_clone_failed(clone))
		err = -EAGAIN;
	return err;
}

/* A layer that @merge->from does not have is not copied: a merge does not change it. */
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

static void kcuckoo_merge_count(struct kcuckoo_merge *merge,
				u64 members[KCUCKOO_FAMILIES])
{
	unsigned int i;

	members[0] = merge->to->members[0];
	members[1] = merge->to->members[1];
	for (i = 0; i < KCUCKOO_LAYERS; i++) {
		struct kcuckoo_layer *new = merge->clone->copy[i].layer;
		struct kcuckoo_layer *old = kcuckoo_filter_layer(merge->to, i);
		u64 *count = &members[kcuckoo_family_number
				      (kcuckoo_layer_family(i))];

		if (!new)
			continue;
		*count += new->store.table.entries;
		if (old)
			*count -= old->store.table.entries;
	}
}

/*
 * The length indexes do not record the members of the new layers. Until new indexes are
 * built, look-ups probe all prefix lengths.
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

/* After the exchange, the old layers are in @merge->clone. */
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
		kcuckoo_filter_set_layer(filter, i, copy->layer);
		copy->layer = old;
	}
	write_seqcount_end(&filter->seq);
}

/*
 * Detaches the copies and, if @err is 0, replaces the layers of @merge->to by the copies.
 * Returns @err if it is not 0; else 0, -EAGAIN if a copy was too small, -ESTALE or -ENOSPC.
 */
static int kcuckoo_merge_publish(struct kcuckoo_merge *merge, int err)
{
	struct kcuckoo_filter *filter = merge->to;
	u64 members[KCUCKOO_FAMILIES];

	kcuckoo_filter_lock(filter);
	kcuckoo_clone_detach(filter);
	if (!err && kcuckoo_clone_failed(merge->clone))
		err = -EAGAIN;
	if (!err && filter->superseded)
		err = -ESTALE;
	kcuckoo_merge_count(merge, members);
	if (!err && kcuckoo_filter_exact(filter) &&
	    members[0] + members[1] > filter->config.capacity)
		err = -ENOSPC;
	if (!err) {
		kcuckoo_merge_unindex(filter);
		kcuckoo_merge_exchange(merge);
		filter->members[0] = members[0];
		filter->members[1] = members[1];
		filter->changes++;
	}
	kcuckoo_filter_unlock(filter);
	return err;
}

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

/* Takes the mutex with the lower address first, so that two merges do not deadlock. */
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
 * @filter: the filter to which the members are added
 * @from: the filter with the members, which also stay in @from;
 *	kcuckoo_filter_mergeable() must be true
 *
 * If capacity or memory is short, removes the expired members of both filters, and then
 * tries again.
 *
 * In an exact filter, a key that is a member of both filters has one entry afterwards. The
 * entry has the value that the key has in @filter, or in @from if the entry in @filter has
 * expired, and the later of the two expiries. An insert-only filter has one entry for
 * members with the same fingerprint and value. A multiset (README.md) has the entries of
 * both filters. A key that is deleted from @filter during the merge can be missing
 * afterwards although it is a member of @from: if the member was already copied, the
 * delete is repeated in the copy, and can remove the entry that came from @from.
 *
 * Context: process context, may sleep.
 * Return: 0; -EINVAL if the tables of the two filters cannot be merged, because they had
 * different sizes before they were doubled, or because @filter must not grow; -ENOSPC if
 * the members of both exceed the capacity of @filter, or do not fit into a table that
 * cannot grow; -EDQUOT, -ENOMEM, -EINTR on a fatal signal, or -ESTALE if @filter was
 * superseded. After an error no member was added.
 */
int kcuckoo_filter_merge(struct kcuckoo_filter *filter,
			 struct kcuckoo_filter *from)
{
	struct kcuckoo_merge merge = { .to = filter, .from = from };
	int err;

	err = kcuckoo_merge_fit(&merge);
	/* Expired members use capacity and entries. */
	if ((err == -ENOSPC || err == -EDQUOT || err == -ENOMEM) &&
	    filter->config.params.expiry_bits) {
		err = kcuckoo_filter_collect(filter);
		if (!err)
			err = kcuckoo_filter_collect(from);
		if (!err)
			err = kcuckoo_merge_fit(&merge);
	}
	/*
	 * The function does not know when the first of the new members expires. So it
	 * schedules a collection, which finds this time.
	 */
	if (!err)
		kcuckoo_filter_collect_at(filter, 0);
	return err;
}

/**
 * kcuckoo_clone_create() - copy all layers of a filter as they are at one instant
 * @filter: the filter
 *
 * Context: process context, may sleep.
 * Return: the clone, which the caller frees with kcuckoo_clone_free(); or
 * ERR_PTR(-EDQUOT), ERR_PTR(-ENOMEM), or ERR_PTR(-EINTR) on a fatal signal.
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
	/* -EAGAIN is not expected: each copy has the layout of its layer. */
	return ERR_PTR(err == -EAGAIN ? -ENOMEM : err);
}
