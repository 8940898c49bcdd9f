// SPDX-License-Identifier: GPL-2.0-only
/*
 * Add, delete and update the keys of a batch in a filter.
 *
 * The keys of a batch are hashed without a lock, and then processed in sections under the
 * lock of the filter. A search for a free entry for a key of a batch reads at most
 * KCUCKOO_SEARCH_READS buckets per section. A longer search begins again with resize_mutex
 * held, and goes on in as many sections as it needs; during this time no other search can
 * begin.
 */
#include "filter/event.h"
#include "filter/filter_internal.h"
#include "filter/trace.h"

/* Number of steps for reading the two buckets of a key. */
#define KCUCKOO_PROBE_STEPS	2

/**
 * kcuckoo_member_probe() - compute the buckets and the tag of a key
 * @member: the key, after kcuckoo_filter_prepare(); out: its @probe and @serial
 * @layer: the present layer of the key
 */
void kcuckoo_member_probe(struct kcuckoo_member *member,
			  const struct kcuckoo_layer *layer)
{
	kcuckoo_store_probe(&layer->store, &member->key, &member->probe);
	member->serial = layer->serial;
}

/**
 * kcuckoo_member_prepare() - set the value and the expiry of a key
 * @member: the key; out: the value, the expiry and @now in its @probe; its @serial is set
 *	to 0
 * @now: the current time, in seconds of the clock of expiry; 0 in a filter without expiry
 */
void kcuckoo_member_prepare(struct kcuckoo_member *member, u32 now)
{
	struct kcuckoo_probe *probe = &member->probe;

	member->serial = 0;
	probe->value = member->value;
	probe->now = now;
	/* The present second is partly over: add 1, so that no timeout is cut short. */
	probe->expiry = member->timeout ? now + member->timeout + 1 : 0;
}

static void kcuckoo_batch_prepare(struct kcuckoo_filter *filter,
				  struct kcuckoo_batch *batch)
{
	const struct kcuckoo_table_set *table_set;
	const struct kcuckoo_layer *layer;
	unsigned int i;

	batch->now = kcuckoo_filter_now(filter);
	rcu_read_lock();
	table_set = rcu_dereference(filter->table_set);
	for (i = 0; i < batch->count; i++) {
		struct kcuckoo_member *member = &batch->member[i];

		kcuckoo_filter_prepare(filter, member->index, &member->key);
		kcuckoo_member_prepare(member, batch->now);
		layer = rcu_dereference(table_set->layer[member->index]);
		if (!layer)
			continue;
		kcuckoo_member_probe(member, layer);
		kcuckoo_store_prefetch(&layer->store, &member->key,
				       &member->probe);
	}
	rcu_read_unlock();
}

/*
 * Returns the place of the entry of a key, or KCUCKOO_NO_PLACE. If @valued is true, and
 * always in a filter of fingerprints, the entry must also have the value of the key.
 */
static u64 kcuckoo_member_find(const struct kcuckoo_filter *filter,
			       struct kcuckoo_member *member,
			       const struct kcuckoo_layer *layer, bool valued)
{
	if (member->serial != layer->serial)
		kcuckoo_member_probe(member, layer);
	if (valued || !kcuckoo_filter_exact(filter))
		return kcuckoo_store_find_value(&layer->store, &member->key,
						&member->probe);
	return kcuckoo_store_find(&layer->store, &member->key, &member->probe);
}

static u64 *kcuckoo_member_count(struct kcuckoo_filter *filter,
				 const struct kcuckoo_member *member)
{
	unsigned int family = kcuckoo_layer_family(member->index);

	return &filter->members[kcuckoo_family_number(family)];
}

static void kcuckoo_member_set(struct kcuckoo_filter *filter,
			       struct kcuckoo_layer *layer,
			       const struct kcuckoo_member *member, u64 place,
			       u32 value, u32 expiry)
{
	struct kcuckoo_table *table = &layer->store.table;
	struct kcuckoo_probe old = member->probe;

	lockdep_assert_held(&filter->lock);
	old.value = kcuckoo_table_value(table, place);
	old.expiry = kcuckoo_table_expiry(table, place);
	if (old.value == value && old.expiry == expiry)
		return;
	if (layer->rehash)
		kcuckoo_rehash_set(layer->rehash, place, &member->key, &old,
				   value, expiry);
	write_seqcount_begin(&filter->seq);
	kcuckoo_table_set_value(table, place, value);
	kcuckoo_table_set_expiry(table, place, expiry);
	write_seqcount_end(&filter->seq);
	filter->changes++;
}

/*
 * Adds a key that already has an entry. An entry that has expired is used like a free
 * entry. An entry that has not expired never gets an earlier expiry.
 */
static int kcuckoo_add_again(struct kcuckoo_filter *filter,
			     struct kcuckoo_layer *layer,
			     struct kcuckoo_member *member, u64 place,
			     const struct kcuckoo_add_opts *opts)
{
	struct kcuckoo_table *table = &layer->store.table;
	u32 old = kcuckoo_table_expiry(table, place);
	u32 value = kcuckoo_table_value(table, place);
	u32 expiry = member->probe.expiry;
	bool alive = !old || old > opts->now;

	if (alive && opts->only_absent)
		return KCUCKOO_RESULT_EXISTS;
	if (alive && expiry)
		expiry = old ? max(old, expiry) : 0;
	if (opts->valued || !alive)
		value = member->probe.value;
	kcuckoo_member_set(filter, layer, member, place, value, expiry);
	return alive ? KCUCKOO_RESULT_EXISTS : KCUCKOO_RESULT_ADDED;
}

/*
 * Adds the member at @place to the length index that is being built, if any. The member has
 * just moved to @place, which the sweep that fills the index can already have passed.
 */
static void kcuckoo_add_moved(struct kcuckoo_filter *filter,
			      const struct kcuckoo_layer *layer,
			      unsigned int index, u64 place)
{
	struct kcuckoo_key key;

	if (!filter->new_index || !kcuckoo_store_get(&layer->store, place, &key))
		return;
	kcuckoo_key_restore(&key, &filter->secret, kcuckoo_layer_bits(index));
	kcuckoo_filter_index_member(filter, index, &key.number);
}

/*
 * Begins or continues a search for a path of moves. Returns true if the search finds a
 * path. If @filter->search->open is true afterwards, the search has not ended.
 *
 * If @opts->exclusive is false, the search does not stop when other work waits: it could
 * only begin again with resize_mutex held, and another task can hold resize_mutex for a
 * long time, for instance to copy another layer.
 */
static bool kcuckoo_add_find_path(struct kcuckoo_filter *filter,
				  const struct kcuckoo_table *table,
				  const struct kcuckoo_probe *probe,
				  const struct kcuckoo_add_opts *opts)
{
	u32 left = opts->once ? KCUCKOO_SEARCH_READS_ONCE : KCUCKOO_SEARCH_READS;
	u32 reads;

	do {
		reads = KCUCKOO_SEARCH_READS_CHECK;
		left -= reads;
		if (kcuckoo_search_find(filter->search, table, probe, &reads))
			return true;
	} while (filter->search->open && left &&
		 !(opts->exclusive && kcuckoo_filter_wanted(filter)));
	return false;
}

/* Returns a free place, or KCUCKOO_NO_PLACE if the search finds no path or has not ended. */
static u64 kcuckoo_add_search(struct kcuckoo_filter *filter,
			      struct kcuckoo_layer *layer,
			      const struct kcuckoo_member *member,
			      const struct kcuckoo_add_opts *opts)
{
	struct kcuckoo_search *search = filter->search;
	struct kcuckoo_table *table = &layer->store.table;
	u64 to;

	lockdep_assert_held(&filter->lock);
	if (!kcuckoo_add_find_path(filter, table, &member->probe, opts)) {
		/* An open search is counted when it ends. */
		filter->searches += !search->open || opts->once;
		return KCUCKOO_NO_PLACE;
	}
	filter->searches++;
	filter->move_seq++;
	while (kcuckoo_search_hops(search)) {
		to = search->vacant;
		write_seqcount_begin(&filter->seq);
		kcuckoo_search_hop(search, table);
		write_seqcount_end(&filter->seq);
		filter->moves++;
		trace_kcuckoo_move(filter, member->index, search->vacant, to);
		kcuckoo_add_moved(filter, layer, member->index, to);
	}
	return search->vacant;
}

static bool kcuckoo_add_at_capacity(const struct kcuckoo_filter *filter)
{
	return kcuckoo_filter_exact(filter) &&
	       filter->members[0] + filter->members[1] >=
	       filter->config.capacity;
}

/*
 * Stores a key at a free place. Returns KCUCKOO_RESULT_ADDED; or -EXFULL, with
 * @member->serial 0, if neither bucket of the key in the copy of the layer has a free
 * entry, and a search in the copy would take too long or is impossible because another
 * search is open.
 */
static int kcuckoo_add_put(struct kcuckoo_filter *filter,
			   struct kcuckoo_layer *layer,
			   struct kcuckoo_member *member, u64 place,
			   const struct kcuckoo_add_opts *opts,
			   unsigned int *steps)
{
	if (layer->rehash &&
	    !kcuckoo_rehash_add(layer->rehash, place, &member->key,
				&member->probe, filter->search)) {
		if (opts->once && !filter->search->open)
			WRITE_ONCE(*kcuckoo_packet_pause(filter, member->index),
				   jiffies);
		member->serial = 0;
		return -EXFULL;
	}
	*steps += kcuckoo_filter_index_member(filter, member->index,
					      &member->key.number);
	write_seqcount_begin(&filter->seq);
	kcuckoo_store_put(&layer->store, place, &member->probe);
	write_seqcount_end(&filter->seq);
	(*kcuckoo_member_count(filter, member))++;
	filter->changes++;
	return KCUCKOO_RESULT_ADDED;
}

/*
 * Returns true if all entries of both buckets of a key have the fingerprint of the key,
 * so that no search can free an entry. In a filter with expiry, returns false if members
 * have expired, or while a sweep removes members: the removal can free one of the entries.
 */
static bool kcuckoo_add_saturated(struct kcuckoo_filter *filter,
				  const struct kcuckoo_layer *layer,
				  const struct kcuckoo_member *member, u32 now)
{
	return !kcuckoo_filter_exact(filter) &&
	       kcuckoo_table_saturated(&layer->store.table, &member->probe) &&
	       !(filter->config.params.expiry_bits &&
		 (filter->relocation_off ||
		  kcuckoo_filter_has_expired(filter, now)));
}

/*
 * Returns true if no search is allowed to begin or continue at present: the layer is being
 * copied or a sweep removes members, so no entry is allowed to move; or the search of
 * another task, which holds resize_mutex, is open.
 */
static bool kcuckoo_add_must_wait(const struct kcuckoo_filter *filter,
				  const struct kcuckoo_layer *layer,
				  const struct kcuckoo_add_opts *opts)
{
	return layer->rehash || filter->relocation_off ||
	       (filter->search->open && !opts->exclusive);
}

/* Frees a place for a key by a search. Returns 0 or an errno of kcuckoo_add_one(). */
static int kcuckoo_add_make_place(struct kcuckoo_filter *filter,
				  struct kcuckoo_layer *layer,
				  struct kcuckoo_member *member,
				  const struct kcuckoo_add_opts *opts,
				  u64 *place)
{
	*place = kcuckoo_add_search(filter, layer, member, opts);
	if (*place != KCUCKOO_NO_PLACE)
		return 0;
	if (!filter->search->open)
		return -EXFULL;
	if (opts->exclusive)
		return -EINPROGRESS;
	filter->search->open = false;
	member->serial = 0;
	return -EXFULL;
}

/*
 * Finds a free place for a key in a layer. Returns 0 and the place in @place;
 * KCUCKOO_RESULT_REFUSED if kcuckoo_add_saturated() returns true; or an errno of
 * kcuckoo_add_one().
 */
static int kcuckoo_add_place(struct kcuckoo_filter *filter,
			     struct kcuckoo_layer *layer,
			     struct kcuckoo_member *member,
			     const struct kcuckoo_add_opts *opts,
			     unsigned int *steps, u64 *place)
{
	struct kcuckoo_rehash *rehash = layer->rehash;
	bool first = *steps == KCUCKOO_PROBE_STEPS;

	*place = kcuckoo_store_vacant(&layer->store, &member->key,
				      &member->probe,
				      rehash ? rehash->cursor : 0);
	if (*place != KCUCKOO_NO_PLACE) {
		if (!rehash || *place >= rehash->cursor)
			return 0;
		if (!first)
			return -EAGAIN;
		/*
		 * The rehash has passed this place, so kcuckoo_add_put() also adds the
		 * key to the copy. The add to the copy can need a search, so the section
		 * ends after this key.
		 */
		*steps = KCUCKOO_SECTION_STEPS;
		return 0;
	}
	if (kcuckoo_add_saturated(filter, layer, member, opts->now))
		return KCUCKOO_RESULT_REFUSED;
	if (kcuckoo_add_must_wait(filter, layer, opts)) {
		/*
		 * Only a search can find out whether the layer is full, so the caller has
		 * to repeat the add later.
		 */
		member->serial = 0;
		return -EXFULL;
	}
	if (!first)
		return -EAGAIN;
	*steps = KCUCKOO_SECTION_STEPS;
	return kcuckoo_add_make_place(filter, layer, member, opts, place);
}

/**
 * kcuckoo_add_one() - add one key
 * @filter: the filter
 * @member: the key
 * @opts: options for a key that is a member, and for a search
 * @steps: number of steps (operations on one bucket) of this section under the lock before
 *	this call, 0 for the first call; out: number of steps including this call
 *
 * If an add fails with -EXFULL or -ENOSPC, but can succeed when it is repeated with
 * @filter->resize_mutex held, @member->serial is set to 0. -EXFULL: if no search was
 * possible, because the layer is copied, a sweep removes members or another search is open;
 * or if a search in the layer or in its copy has not ended and @opts->exclusive is false.
 * -ENOSPC: while a sweep removes members, because the sweep can free capacity.
 *
 * Context: under @filter->lock.
 * Return: enum kcuckoo_result, or an errno:
 * -EAGAIN if the add can need a search, and this was not the first call in the section;
 * -EINPROGRESS if a search has not ended and @opts->exclusive is true; the caller has to
 * repeat the call for the same key in another section;
 * -EXFULL if the layer does not exist, or no free entry for the key was found;
 * -ENOSPC if the capacity of the filter is reached.
 */
int kcuckoo_add_one(struct kcuckoo_filter *filter,
		    struct kcuckoo_member *member,
		    const struct kcuckoo_add_opts *opts, unsigned int *steps)
{
	struct kcuckoo_layer *layer = kcuckoo_filter_layer(filter,
							   member->index);
	u64 place;
	int ret;

	*steps += KCUCKOO_PROBE_STEPS;
	if (layer && kcuckoo_filter_multiset(filter)) {
		if (member->serial != layer->serial)
			kcuckoo_member_probe(member, layer);
	} else if (layer) {
		/* Find an expired entry, too: a key must not have two entries. */
		member->probe.now = 0;
		place = kcuckoo_member_find(filter, member, layer, false);
		if (place != KCUCKOO_NO_PLACE)
			return kcuckoo_add_again(filter, layer, member, place,
						 opts);
	}
	if (kcuckoo_add_at_capacity(filter)) {
		if (filter->relocation_off)
			member->serial = 0;
		return -ENOSPC;
	}
	if (!layer)
		return -EXFULL;
	ret = kcuckoo_add_place(filter, layer, member, opts, steps, &place);
	if (ret == KCUCKOO_RESULT_REFUSED)
		filter->refused++;
	if (ret)
		return ret;
	return kcuckoo_add_put(filter, layer, member, place, opts, steps);
}

static u64 kcuckoo_batch_layer_entries(struct kcuckoo_filter *filter,
				       const struct kcuckoo_batch *batch)
{
	const struct kcuckoo_member *member = &batch->member[batch->done];
	struct kcuckoo_layer *layer = kcuckoo_filter_layer(filter,
							   member->index);

	return layer ? layer->store.table.entries : 0;
}

/*
 * Adds the next keys of a batch in one section. @exclusive is true if the caller holds
 * resize_mutex. Returns 0; -ESTALE if the filter was superseded; or the errno of
 * kcuckoo_add_one() for key number @batch->done, but 0 instead of -EAGAIN, because the next
 * section can search.
 */
static int kcuckoo_add_under_lock(struct kcuckoo_filter *filter,
				  struct kcuckoo_batch *batch, bool exclusive)
{
	const struct kcuckoo_add_opts opts = {
		.only_absent = batch->only_absent,
		.valued = batch->valued,
		.now = batch->now,
		.exclusive = exclusive,
	};
	unsigned int steps = 0;
	int ret = 0;

	kcuckoo_filter_lock(filter);
	if (filter->superseded)
		ret = -ESTALE;
	while (ret >= 0 && batch->done < batch->count &&
	       kcuckoo_section_goes_on(filter, steps)) {
		ret = kcuckoo_add_one(filter, &batch->member[batch->done],
				      &opts, &steps);
		if (ret >= 0)
			batch->result[batch->done++] = ret;
	}
	if (ret == -EAGAIN || ret > 0)
		ret = 0;
	/*
	 * The key needs no search any more. The search is still open if another writer
	 * has freed an entry since the search began, and the key was added to this entry.
	 */
	if (exclusive && ret != -EINPROGRESS)
		filter->search->open = false;
	batch->has_expired = ret &&
			     kcuckoo_filter_has_expired(filter, batch->now);
	batch->full_entries = ret == -EXFULL ?
			      kcuckoo_batch_layer_entries(filter, batch) : 0;
	kcuckoo_filter_unlock(filter);
	return ret;
}

/*
 * Adds the next keys of a batch with @filter->resize_mutex held. While the mutex is held,
 * no layer is copied, no sweep removes members, and no other search is open. So a search
 * can go on in several sections and, if the search finds no free entry, the layer is full.
 */
static int kcuckoo_add_exclusive(struct kcuckoo_filter *filter,
				 struct kcuckoo_batch *batch)
{
	int err;

	if (mutex_lock_killable(&filter->resize_mutex))
		return -EINTR;
	do {
		err = kcuckoo_add_under_lock(filter, batch, true);
		cond_resched();
	} while (err == -EINPROGRESS);
	mutex_unlock(&filter->resize_mutex);
	return err;
}

/*
 * Makes space after an add failed with @err: removes expired members or, if no member has
 * expired, replaces a full layer by a larger one. Returns 0 if the add can be repeated.
 */
static int kcuckoo_add_make_space(struct kcuckoo_filter *filter,
				  const struct kcuckoo_batch *batch, int err)
{
	const struct kcuckoo_member *member = &batch->member[batch->done];

	if (batch->has_expired)
		return kcuckoo_filter_collect(filter);
	if (err == -EXFULL)
		return kcuckoo_filter_grow(filter, member->index,
					   member->serial, batch->full_entries);
	return err;
}

static bool kcuckoo_add_lacks_space(int err)
{
	return err && err != -EINTR && err != -ESTALE;
}

static void kcuckoo_add_emit(struct kcuckoo_filter *filter, u64 count, int err)
{
	bool full = err == -ENOSPC || err == -EDQUOT;
	struct kcuckoo_event event = {
		.type = full ? KCUCKOO_EVENT_FULL : KCUCKOO_EVENT_REFUSED,
		.count = count,
		.error = -err,
	};

	if (count && kcuckoo_event_wanted(filter->account, event.type))
		kcuckoo_filter_emit(filter, &event);
}

static u64 kcuckoo_batch_saturated(const struct kcuckoo_batch *batch)
{
	u64 count = 0;
	unsigned int i;

	for (i = 0; i < batch->done; i++)
		count += batch->result[i] == KCUCKOO_RESULT_REFUSED;
	return count;
}

static u32 kcuckoo_batch_next_expiry(const struct kcuckoo_batch *batch)
{
	u32 next_expiry = 0;
	unsigned int i;

	for (i = 0; i < batch->done; i++) {
		u32 expiry = batch->member[i].probe.expiry;

		if (expiry && (!next_expiry || expiry < next_expiry))
			next_expiry = expiry;
	}
	return next_expiry;
}

/**
 * kcuckoo_filter_add() - add a batch
 * @filter: the filter
 * @batch: the keys; out: results, and the number of leading keys that were processed
 *
 * Layers grow as needed. Processing ends at the first key for which no space can be made;
 * the keys before this key stay added. A key with the result KCUCKOO_RESULT_REFUSED does
 * not end the processing.
 *
 * Context: process context, may sleep; memory is charged to the control group of the
 * calling process, too.
 * Return: 0 if all keys were processed; -ENOSPC if the capacity of an exact filter is
 * used up, or a table without a free entry for a key cannot grow; -EDQUOT if the limit of
 * the account would be exceeded; -ENOMEM; -EINTR on a fatal signal; -ESTALE if the filter
 * was superseded.
 */
int kcuckoo_filter_add(struct kcuckoo_filter *filter,
		       struct kcuckoo_batch *batch)
{
	u32 next_expiry;
	int err = 0;

	batch->done = 0;
	kcuckoo_batch_prepare(filter, batch);
	while (batch->done < batch->count) {
		err = kcuckoo_add_under_lock(filter, batch, false);
		cond_resched();
		if (kcuckoo_add_lacks_space(err) &&
		    !batch->member[batch->done].serial)
			err = kcuckoo_add_exclusive(filter, batch);
		if (kcuckoo_add_lacks_space(err))
			err = kcuckoo_add_make_space(filter, batch, err);
		if (err)
			break;
	}
	if (kcuckoo_add_lacks_space(err)) {
		kcuckoo_filter_lock(filter);
		filter->refused++;
		kcuckoo_filter_unlock(filter);
		kcuckoo_add_emit(filter, 1, err);
	}
	if (kcuckoo_event_wanted(filter->account, KCUCKOO_EVENT_REFUSED))
		kcuckoo_add_emit(filter, kcuckoo_batch_saturated(batch), -EEXIST);
	next_expiry = kcuckoo_batch_next_expiry(batch);
	if (next_expiry)
		kcuckoo_filter_collect_at(filter, next_expiry);
	return err;
}

/**
 * kcuckoo_del_one() - delete one key
 * @filter: the filter
 * @member: the key
 * @valued: true to delete the key only if it has the value @member->value. In a filter of
 *	fingerprints the key must always have this value
 *
 * Context: under @filter->lock.
 * Return: KCUCKOO_RESULT_DELETED or KCUCKOO_RESULT_ABSENT.
 */
enum kcuckoo_result kcuckoo_del_one(struct kcuckoo_filter *filter,
				    struct kcuckoo_member *member, bool valued)
{
	struct kcuckoo_layer *layer = kcuckoo_filter_layer(filter,
							   member->index);
	struct kcuckoo_probe old;
	u64 place;

	if (!layer)
		return KCUCKOO_RESULT_ABSENT;
	place = kcuckoo_member_find(filter, member, layer, valued);
	if (place == KCUCKOO_NO_PLACE)
		return KCUCKOO_RESULT_ABSENT;
	old = member->probe;
	old.value = kcuckoo_table_value(&layer->store.table, place);
	kcuckoo_filter_clear(filter, layer, place);
	if (layer->rehash)
		kcuckoo_rehash_clear(layer->rehash, place, &member->key, &old);
	(*kcuckoo_member_count(filter, member))--;
	filter->changes++;
	return KCUCKOO_RESULT_DELETED;
}

/*
 * If @valued is true, and always in a filter of fingerprints, changes the value only if it
 * is @member->value.
 */
static enum kcuckoo_result kcuckoo_update_one(struct kcuckoo_filter *filter,
					      struct kcuckoo_member *member,
					      bool valued)
{
	struct kcuckoo_layer *layer = kcuckoo_filter_layer(filter,
							   member->index);
	u64 place;

	if (!layer)
		return KCUCKOO_RESULT_ABSENT;
	place = kcuckoo_member_find(filter, member, layer, valued);
	if (place == KCUCKOO_NO_PLACE)
		return KCUCKOO_RESULT_ABSENT;
	kcuckoo_member_set(filter, layer, member, place, member->new_value,
			   kcuckoo_table_expiry(&layer->store.table, place));
	return KCUCKOO_RESULT_UPDATED;
}

/* kcuckoo_del_one() or kcuckoo_update_one(). */
typedef enum kcuckoo_result (*kcuckoo_change)(struct kcuckoo_filter *filter,
					      struct kcuckoo_member *member,
					      bool valued);

/*
 * Each change counts as four steps: it reads the two buckets of the key in its layer and,
 * if the layer is being copied, two more buckets in the copy.
 */
static int kcuckoo_change_under_lock(struct kcuckoo_filter *filter,
				     struct kcuckoo_batch *batch,
				     kcuckoo_change change)
{
	unsigned int steps = 0;
	unsigned int i;
	bool superseded;

	kcuckoo_filter_lock(filter);
	superseded = filter->superseded;
	while (!superseded && batch->done < batch->count &&
	       kcuckoo_section_goes_on(filter, steps)) {
		i = batch->done++;
		batch->result[i] = change(filter, &batch->member[i],
					  batch->valued);
		steps += 2 * KCUCKOO_PROBE_STEPS;
	}
	kcuckoo_filter_unlock(filter);
	return superseded ? -ESTALE : 0;
}

static int kcuckoo_batch_change(struct kcuckoo_filter *filter,
				struct kcuckoo_batch *batch,
				kcuckoo_change change)
{
	int err = 0;

	batch->done = 0;
	kcuckoo_batch_prepare(filter, batch);
	while (!err && batch->done < batch->count) {
		err = kcuckoo_change_under_lock(filter, batch, change);
		cond_resched();
	}
	return err;
}

/**
 * kcuckoo_filter_del() - delete a batch
 * @filter: a filter that is not insert-only
 * @batch: the keys; out: results, and the number of leading keys that were processed
 *
 * Context: process context, may sleep.
 * Return: 0 if all keys were processed, or -ESTALE if the filter was superseded.
 */
int kcuckoo_filter_del(struct kcuckoo_filter *filter,
		       struct kcuckoo_batch *batch)
{
	return kcuckoo_batch_change(filter, batch, kcuckoo_del_one);
}

/**
 * kcuckoo_filter_update() - change the values of the keys of a batch
 * @filter: a filter with values that is not insert-only
 * @batch: the keys; out: results, and the number of leading keys that were processed
 *
 * Context: process context, may sleep.
 * Return: 0 if all keys were processed, or -ESTALE if the filter was superseded.
 */
int kcuckoo_filter_update(struct kcuckoo_filter *filter,
			  struct kcuckoo_batch *batch)
{
	return kcuckoo_batch_change(filter, batch, kcuckoo_update_one);
}
