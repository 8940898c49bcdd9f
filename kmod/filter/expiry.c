// SPDX-License-Identifier: GPL-2.0-only
/*
 * Collection: removal of members that have expired.
 *
 * A member stops matching in the second in which it expires. Its entry is freed later: by
 * an add that finds no free entry, and from time to time by delayed work, which runs only
 * as long as the filter has members that expire.
 */
#include "filter/filter_internal.h"
#include "filter/sweep.h"
#include "filter/workqueue.h"

/* Minimum time between a collection and the next by the work: each reads all tables. */
#define KCUCKOO_COLLECT_MIN_SECONDS	10

/**
 * struct kcuckoo_collect - a collection, of one layer
 * @layer: the layer
 * @family: kcuckoo_family_number() of its family
 * @now: the present time, in seconds
 */
struct kcuckoo_collect {
	struct kcuckoo_layer *layer;
	unsigned int family;
	u32 now;
};

/* Removes expired members of a bucket, and updates the time of the next expiry. */
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
		filter->entries[collect->family]--;
	}
	return place;
}

/* Removes expired members of all layers. Returns 0, or -EINTR on a fatal signal. */
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
 * Returns the second in which the first member expires, U32_MAX if no member expires. In
 * the second case it resets a time that was set for members that are gone or were never
 * added. Otherwise no member would expire earlier, and the work would not run again.
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

/* Returns the minimum delay of the work, in seconds. */
static u32 kcuckoo_collect_min_delay(const struct kcuckoo_filter *filter,
				     u32 now)
{
	u32 since = now - filter->last_collect;

	return since < KCUCKOO_COLLECT_MIN_SECONDS ?
	       KCUCKOO_COLLECT_MIN_SECONDS - since : 1;
}

/*
 * Schedules the work for the next expiry. The lock makes sure that an older time does not
 * replace a newer one.
 */
static void kcuckoo_collect_again(struct kcuckoo_filter *filter)
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
 * Each collection also schedules the work: during a collection no other caller knows the
 * time of the next expiry.
 *
 * Context: process context, may sleep.
 * Return: 0 or -EINTR on a fatal signal.
 */
int kcuckoo_filter_collect(struct kcuckoo_filter *filter)
{
	u32 next_expiry;
	int err;

	/* No layer may be copied: removals would have to be repeated in the copy. */
	if (mutex_lock_killable(&filter->resize_mutex))
		return -EINTR;
	kcuckoo_filter_lock(filter);
	next_expiry = filter->next_expiry;
	filter->next_expiry = U32_MAX;
	/* The sweep could miss the expiry of a member that is moved. */
	filter->relocation_off = true;
	kcuckoo_filter_unlock(filter);
	err = kcuckoo_collect_layers(filter);
	kcuckoo_filter_lock(filter);
	filter->relocation_off = false;
	if (err)
		filter->next_expiry = min(filter->next_expiry, next_expiry);
	filter->last_collect = kcuckoo_filter_now(filter);
	kcuckoo_collect_again(filter);
	kcuckoo_filter_unlock(filter);
	if (!err)
		kcuckoo_filter_index_rebuild(filter);
	mutex_unlock(&filter->resize_mutex);
	return err;
}

/**
 * kcuckoo_filter_has_expired() - check whether a member has expired
 * @filter: the filter
 * @now: the present, in seconds
 *
 * Context: under @filter->lock, in the section that found no free entry: others may
 * collect as soon as it ends.
 * Return: true if a member has expired; it may have been deleted since.
 */
bool kcuckoo_filter_has_expired(struct kcuckoo_filter *filter, u32 now)
{
	/* Reads all layers only if the time has come. */
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
 * kcuckoo_filter_collect_init() - initialise collection
 * @filter: a new filter
 */
void kcuckoo_filter_collect_init(struct kcuckoo_filter *filter)
{
	filter->next_expiry = U32_MAX;
	filter->last_collect = kcuckoo_filter_now(filter) -
			       KCUCKOO_COLLECT_MIN_SECONDS;
	INIT_DELAYED_WORK(&filter->collect_work, kcuckoo_collect_work_fn);
}

/**
 * kcuckoo_filter_collect_stop() - stop collection
 * @filter: a filter without other references
 *
 * Context: process context, may sleep.
 */
void kcuckoo_filter_collect_stop(struct kcuckoo_filter *filter)
{
	cancel_delayed_work_sync(&filter->collect_work);
}

/**
 * kcuckoo_filter_collect_at() - schedule the collection of a member
 * @filter: a filter with expiry
 * @expiry: second in which the member expires
 *
 * Context: any but hard interrupts.
 */
void kcuckoo_filter_collect_at(struct kcuckoo_filter *filter, u32 expiry)
{
	kcuckoo_filter_lock(filter);
	if (expiry < filter->next_expiry) {
		filter->next_expiry = expiry;
		kcuckoo_collect_again(filter);
	}
	kcuckoo_filter_unlock(filter);
}
