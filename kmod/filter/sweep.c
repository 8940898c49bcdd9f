// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sweep a filter or a layer, copy a layer, and count its members, in bounded sections
 * under the lock.
 */
#include <linux/sched/signal.h>

#include "filter/filter_internal.h"
#include "filter/sweep.h"

/**
 * kcuckoo_filter_sweep() - call a function repeatedly, each time in a section under the
 *	lock
 * @filter: the filter
 * @step: does the work of one section, at most as much as core/lock_budget.h allows; is
 *	called until it returns false
 * @context: argument of @step
 * @killable: true to end early on a fatal signal
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
 * @place: the place of the next entry to process
 * @visit: processes entries of one bucket
 * @context: argument of @visit
 */
struct kcuckoo_layer_sweep {
	const struct kcuckoo_store *store;
	u64 place;
	kcuckoo_sweep_visit visit;
	void *context;
};

static bool kcuckoo_layer_sweep_step(struct kcuckoo_filter *filter,
				     void *context)
{
	struct kcuckoo_layer_sweep *sweep = context;
	u64 places = kcuckoo_store_places(sweep->store);
	unsigned int steps = 0;

	while (sweep->place < places && kcuckoo_section_goes_on(filter, steps)) {
		u64 end = kcuckoo_store_next_bucket(sweep->store, sweep->place);

		steps++;
		sweep->place = sweep->visit(filter, sweep->context,
					    sweep->place, end, &steps);
	}
	return sweep->place < places;
}

/**
 * kcuckoo_layer_sweep() - process all entries of a layer, in the order of their places
 * @filter: the filter
 * @layer: a layer of the filter
 * @visit: processes the entries of one bucket
 * @context: argument of @visit
 * @killable: true to end early on a fatal signal
 *
 * Between two sections an add can move an entry to a place that the sweep has passed;
 * the sweep then misses the entry. A caller that must not miss any entry sets
 * @filter->relocation_off.
 *
 * Context: process context, under @filter->resize_mutex, may sleep.
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
	unsigned int steps = 0;
	bool more;

	do {
		steps += kcuckoo_rehash_copy(rehash, filter->search,
					     KCUCKOO_SECTION_STEPS_MIN);
		more = !rehash->failed && !kcuckoo_rehash_done(rehash);
	} while (more && kcuckoo_section_goes_on(filter, steps));
	return more;
}

/**
 * kcuckoo_layer_copy() - copy a layer while it is in use
 * @filter: the filter
 * @from: the layer
 * @rehash: the rehash, initialised with the store of @from and the store of the copy,
 *	which readers do not see
 *
 * Writers repeat each change of @from in the copy until the caller sets @from->rehash to
 * NULL, under the lock. The caller must do this also after an error. After this function
 * has returned, an add can still find the copy too small. So the caller must check
 * @rehash->failed again: in the section that sets @from->rehash to NULL, or later.
 *
 * Context: process context, under @filter->resize_mutex, may sleep.
 * Return: 0; -EAGAIN if the store of the copy was too small; -EINTR on a fatal signal.
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
	kcuckoo_filter_lock(filter);
	/*
	 * A search can still be open after an error, or if the member for which the
	 * search began was deleted.
	 */
	filter->search->open = false;
	failed = rehash->failed;
	kcuckoo_filter_unlock(filter);
	if (!err && failed)
		err = -EAGAIN;
	return err;
}

/**
 * kcuckoo_layer_entries() - get the number of members of a layer
 * @filter: the filter of the layer
 * @layer: the layer, or NULL
 *
 * Context: process context, under @filter->resize_mutex; takes @filter->lock.
 * Return: the number of members, which other writers can change at any time; 0 if @layer
 * is NULL.
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
