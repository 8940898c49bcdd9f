// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sweeps: go through a filter, or copy a layer, in bounded sections under the lock.
 */
#include <linux/sched/signal.h>

#include "filter/filter_internal.h"
#include "filter/sweep.h"

/**
 * kcuckoo_filter_sweep() - repeat a step, each time in its own section under the lock
 * @filter: the filter
 * @step: does the work of one section, at most what lock_budget.h allows
 * @context: argument of @step
 * @killable: end on a fatal signal
 *
 * Context: process context, may sleep.
 * Return: 0, or -EINTR on a fatal signal.
 */
int kcuckoo_filter_sweep(struct kcuckoo_filter *filter, kcuckoo_sweep_step step,
			 void *context, bool killable)
{
	bool more;

	do {
		kcuckoo_filter_lock(filter);
		more = step(filter, context);
		kcuckoo_filter_unlock(filter);
		cond_resched();
		if (killable && fatal_signal_pending(current))
			return -EINTR;
	} while (more);
	return 0;
}

/**
 * struct kcuckoo_layer_sweep - a sweep of one layer
 * @store: store of the layer
 * @place: the place of the next entry
 * @visit: processes entries of one bucket
 * @context: argument of @visit
 */
struct kcuckoo_layer_sweep {
	const struct kcuckoo_store *store;
	u64 place;
	kcuckoo_sweep_visit visit;
	void *context;
};

/* Processes KCUCKOO_HOLD_STEPS buckets, fewer if their entries take steps. */
static bool kcuckoo_layer_sweep_step(struct kcuckoo_filter *filter,
				     void *context)
{
	struct kcuckoo_layer_sweep *sweep = context;
	u64 places = kcuckoo_store_places(sweep->store);
	unsigned int steps = 0;

	while (sweep->place < places && steps < KCUCKOO_HOLD_STEPS) {
		u64 end = kcuckoo_store_next_bucket(sweep->store, sweep->place);

		steps++;
		sweep->place = sweep->visit(filter, sweep->context,
					    sweep->place, end, &steps);
	}
	return sweep->place < places;
}

/**
 * kcuckoo_layer_sweep() - visit all entries of a layer, in ascending order
 * @filter: the filter
 * @layer: a layer that is not replaced meanwhile: the caller holds @filter->resize_mutex
 * @visit: processes the entries of one bucket
 * @context: argument of @visit
 * @killable: end on a fatal signal
 *
 * An entry that is moved to a place before the sweep is missed: the caller prevents
 * relocation if that matters.
 *
 * Context: process context, may sleep.
 * Return: 0, or -EINTR on a fatal signal.
 */
int kcuckoo_layer_sweep(struct kcuckoo_filter *filter,
			const struct kcuckoo_layer *layer,
			kcuckoo_sweep_visit visit, void *context, bool killable)
{
	struct kcuckoo_layer_sweep sweep = {
		.store = &layer->store,
		.visit = visit,
		.context = context,
	};

	lockdep_assert_held(&filter->resize_mutex);
	return kcuckoo_filter_sweep(filter, kcuckoo_layer_sweep_step, &sweep,
				    killable);
}

static bool kcuckoo_layer_copy_step(struct kcuckoo_filter *filter, void *context)
{
	struct kcuckoo_rehash *rehash = context;

	kcuckoo_rehash_copy(rehash, filter->search);
	return !rehash->failed && !kcuckoo_rehash_done(rehash);
}

/**
 * kcuckoo_layer_copy() - copy a layer while it is in use
 * @filter: the filter
 * @from: the layer
 * @rehash: initialized with the store of @from and a store that readers do not see
 *
 * Until the caller sets @from->rehash to NULL under the lock, also after an error, changes
 * of @from are repeated in the copy, and can set @rehash->failed.
 *
 * Context: process context, under @filter->resize_mutex, may sleep.
 * Return: 0, -EAGAIN if the store of the copy was too small, or -EINTR.
 */
int kcuckoo_layer_copy(struct kcuckoo_filter *filter, struct kcuckoo_layer *from,
		       struct kcuckoo_rehash *rehash)
{
	bool failed;
	int err;

	lockdep_assert_held(&filter->resize_mutex);
	kcuckoo_filter_lock(filter);
	from->rehash = rehash;
	kcuckoo_filter_unlock(filter);
	err = kcuckoo_filter_sweep(filter, kcuckoo_layer_copy_step, rehash, true);
	if (err)
		return err;
	kcuckoo_filter_lock(filter);
	failed = rehash->failed;
	kcuckoo_filter_unlock(filter);
	return failed ? -EAGAIN : 0;
}

/**
 * kcuckoo_layer_entries() - count the members of a layer
 * @filter: its filter
 * @layer: a layer that @filter->resize_mutex, held by the caller, protects; or NULL
 *
 * Context: takes the lock.
 * Return: the number of members, which may change at any time; 0 without a layer.
 */
u64 kcuckoo_layer_entries(struct kcuckoo_filter *filter,
			  const struct kcuckoo_layer *layer)
{
	u64 entries;

	if (!layer)
		return 0;
	kcuckoo_filter_lock(filter);
	entries = layer->store.table.entries;
	kcuckoo_filter_unlock(filter);
	return entries;
}
