// SPDX-License-Identifier: GPL-2.0-only
/*
 * Collect expired members: remove them, and schedule the next removal.
 *
 * A look-up finds a member only before the second in which the member expires. A
 * collection frees the entry of the member later. Delayed work starts collections. A batch
 * of adds or a merge that lacks space starts a collection, too. Times are seconds of the
 * clock of expiry: seconds since boot.
 */
#include "filter/filter_internal.h"
#include "filter/sweep.h"
#include "filter/workqueue.h"

/*
 * The delayed work runs at the earliest this number of seconds after the last collection: a
 * collection reads all tables, so a collection for each member would cost too much.
 */
#define KCUCKOO_COLLECT_MIN_SECONDS	10

/**
 * struct kcuckoo_collect - the collection of the expired members of one layer
 * @layer: the layer
 * @family: kcuckoo_family_number() of the family of the layer
 * @now: second of the clock of expiry in which the collection began
 */
struct kcuckoo_collect {
	struct kcuckoo_layer *layer;
	unsigned int family;
	u32 now;
};

static u64 kcuckoo_collect_bucket(struct kcuckoo_filter *filter, void *context,
				  u64 place, u64 end, unsigned int *steps)
{
	const struct kcuckoo_collect *collect = context;
	struct kcuckoo_store *store = &collect->layer->store;

	for (; place < end; place++) {
		u32 expiry = kcuckoo_store_used(store, place) ?
			     kcuckoo_table_expiry(&store->table, place) : 0;

		if (!expiry)
			continue;
		if (expiry > collect->now) {
			filter->next_expiry = min(filter->next_expiry, expiry);
			continue;
		}
		kcuckoo_filter_clear(filter, collect->layer, place);
		filter->members[collect->family]--;
		(*steps)++;
	}
	return place;
}

static int kcuckoo_collect_layers(struct kcuckoo_filter *filter)
{
	struct kcuckoo_collect collect = { .now = kcuckoo_filter_now(filter) };
	unsigned int i;
	int err = 0;

	for (i = 0; i < KCUCKOO_LAYERS && !err; i++) {
		collect.layer = kcuckoo_filter_layer(filter, i);
		collect.family = kcuckoo_family_number(kcuckoo_layer_family(i));
		if (collect.layer)
			err = kcuckoo_layer_sweep(filter, collect.layer,
						  kcuckoo_collect_bucket,
						  &collect, true);
	}
	return err;
}

/*
 * Returns filter->next_expiry. If the filter has no members that expire, first sets
 * filter->next_expiry to U32_MAX: the old value can be the expiry of a member that was
 * deleted, or of a key that was not added. With the old value,
 * kcuckoo_filter_collect_at() would not schedule the work for a member that expires later.
 */
static u32 kcuckoo_collect_next_expiry(struct kcuckoo_filter *filter)
{
	u64 expiring = 0;
	unsigned int i;

	lockdep_assert_held(&filter->lock);
	for (i = 0; i < KCUCKOO_LAYERS; i++) {
		struct kcuckoo_layer *layer = kcuckoo_filter_layer(filter, i);

		if (layer)
			expiring += layer->store.table.expiring;
	}
	if (!expiring)
		filter->next_expiry = U32_MAX;
	return filter->next_expiry;
}

static u32 kcuckoo_collect_min_delay(const struct kcuckoo_filter *filter,
				     u32 now)
{
	u32 since = now - filter->last_collect;

	return since < KCUCKOO_COLLECT_MIN_SECONDS ?
	       KCUCKOO_COLLECT_MIN_SECONDS - since : 1;
}

/*
 * Schedules the next collection. The caller holds filter->lock: without the lock, a process
 * could compute a time, and then overwrite a newer time that another process has scheduled
 * in between.
 */
static void kcuckoo_collect_schedule(struct kcuckoo_filter *filter)
{
	u32 next_expiry = kcuckoo_collect_next_expiry(filter);
	u32 now = kcuckoo_filter_now(filter);

	if (next_expiry == U32_MAX)
		return;
	next_expiry = next_expiry > now ? next_expiry - now : 0;
	kcuckoo_queue_delayed(&filter->collect_work,
			      max(next_expiry,
				  kcuckoo_collect_min_delay(filter, now)));
}

/**
 * kcuckoo_filter_collect() - remove all members that have expired
 * @filter: a filter with expiry
 *
 * Schedules the next collection.
 *
 * Context: process context, may sleep.
 * Return: 0, or -EINTR on a fatal signal; the function can have removed some of the
 * members before the signal.
 */
int kcuckoo_filter_collect(struct kcuckoo_filter *filter)
{
	u32 next_expiry;
	int err;

	/*
	 * While the mutex is held, no layer is copied. Otherwise each removal would
	 * have to be repeated in the copy.
	 */
	if (mutex_lock_killable(&filter->resize_mutex))
		return -EINTR;
	kcuckoo_filter_lock(filter);
	next_expiry = filter->next_expiry;
	filter->next_expiry = U32_MAX;
	filter->relocation_off = true;
	kcuckoo_filter_unlock(filter);
	err = kcuckoo_collect_layers(filter);
	kcuckoo_filter_lock(filter);
	filter->relocation_off = false;
	if (err)
		filter->next_expiry = min(filter->next_expiry, next_expiry);
	filter->last_collect = kcuckoo_filter_now(filter);
	kcuckoo_collect_schedule(filter);
	kcuckoo_filter_unlock(filter);
	if (!err)
		kcuckoo_filter_index_rebuild(filter);
	mutex_unlock(&filter->resize_mutex);
	return err;
}

/**
 * kcuckoo_filter_has_expired() - check whether a collection can free entries
 * @filter: the filter
 * @now: the present second of the clock of expiry
 *
 * An add that found no space calls this function before it releases the lock. After the
 * release another process can collect the expired members; the function would then return
 * false, although the add would find space.
 *
 * Context: under @filter->lock.
 * Return: true if @filter->next_expiry is not after @now, and the filter has members that
 * expire. Can be true although no member has expired, if the member with the earliest
 * expiry was deleted. Can be false while another collection runs.
 */
bool kcuckoo_filter_has_expired(struct kcuckoo_filter *filter, u32 now)
{
	/* Read the counters of all layers only if next_expiry is not in the future. */
	return filter->next_expiry <= now &&
	       kcuckoo_collect_next_expiry(filter) <= now;
}

static void kcuckoo_collect_work_fn(struct work_struct *work)
{
	struct kcuckoo_filter *filter = container_of(to_delayed_work(work),
						     struct kcuckoo_filter,
						     collect_work);

	kcuckoo_filter_collect(filter);
}

/**
 * kcuckoo_filter_collect_init() - initialise the fields of a filter for collections
 * @filter: a new filter
 *
 * Sets @filter->last_collect so that the first collection does not have to wait for
 * KCUCKOO_COLLECT_MIN_SECONDS.
 */
void kcuckoo_filter_collect_init(struct kcuckoo_filter *filter)
{
	filter->next_expiry = U32_MAX;
	filter->last_collect = kcuckoo_filter_now(filter) -
			       KCUCKOO_COLLECT_MIN_SECONDS;
	INIT_DELAYED_WORK(&filter->collect_work, kcuckoo_collect_work_fn);
}

/**
 * kcuckoo_filter_collect_stop() - cancel the delayed work, and wait for it if it runs
 * @filter: a filter that has no references and is about to be freed
 *
 * Context: process context, may sleep.
 */
void kcuckoo_filter_collect_stop(struct kcuckoo_filter *filter)
{
	cancel_delayed_work_sync(&filter->collect_work);
}

/**
 * kcuckoo_filter_collect_at() - schedule the delayed work for a member
 * @filter: the filter
 * @expiry: second in which the member expires; 0 to run the work soon, if the caller
 *	does not know when members expire
 *
 * Does nothing if @filter->next_expiry is not later than @expiry: then the work is
 * scheduled already, or the collection that is running schedules the work at its end.
 *
 * Context: any but hard interrupts.
 */
void kcuckoo_filter_collect_at(struct kcuckoo_filter *filter, u32 expiry)
{
	kcuckoo_filter_lock(filter);
	if (expiry < filter->next_expiry) {
		filter->next_expiry = expiry;
		kcuckoo_collect_schedule(filter);
	}
	kcuckoo_filter_unlock(filter);
}
