// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writers of a filter: adding and deleting members.
 */
#include "filter.h"

/* One look at a key's two buckets. */
#define KCUCKOO_PROBE_STEPS	2

static void kcuckoo_member_probe(struct kcuckoo_member *member,
				 const struct kcuckoo_layer *layer)
{
	kcuckoo_inet_probe(&layer->table, &member->key, &member->probe);
	member->serial = layer->serial;
}

/*
 * Hashes all keys for the layers as they are now, and asks for their memory,
 * before the lock is taken.
 */
static void kcuckoo_batch_prepare(struct kcuckoo_filter *filter,
				  struct kcuckoo_batch *batch)
{
	const struct kcuckoo_generation *generation;
	const struct kcuckoo_layer *layer;
	unsigned int i;

	rcu_read_lock();
	generation = rcu_dereference(filter->generation);
	for (i = 0; i < batch->count; i++) {
		struct kcuckoo_member *member = &batch->member[i];

		kcuckoo_inet_key_permute(&member->key, &filter->secret,
					 kcuckoo_layer_plen(member->index));
		member->serial = 0;
		layer = rcu_dereference(generation->layer[member->index]);
		if (!layer)
			continue;
		kcuckoo_member_probe(member, layer);
		kcuckoo_inet_prefetch(&layer->table, &member->key,
				      &member->probe);
	}
	rcu_read_unlock();
}

/* Where the key is now; the probe is made anew if the layer has changed. */
static u64 kcuckoo_member_find(struct kcuckoo_member *member,
			       const struct kcuckoo_layer *layer)
{
	if (member->serial != layer->serial)
		kcuckoo_member_probe(member, layer);
	return kcuckoo_inet_find(&layer->table, &member->key, &member->probe);
}

static u64 *kcuckoo_member_count(struct kcuckoo_filter *filter,
				 const struct kcuckoo_member *member)
{
	unsigned int family = kcuckoo_layer_family(member->index);

	return &filter->entries[kcuckoo_family_number(family)];
}

/* Tells an index that is being made of a member that has been moved. */
static void kcuckoo_add_moved(struct kcuckoo_filter *filter,
			      const struct kcuckoo_layer *layer,
			      unsigned int index, u64 place)
{
	struct kcuckoo_inet_key key;

	if (!filter->building ||
	    !kcuckoo_inet_get(&layer->table, place, &key))
		return;
	kcuckoo_inet_key_restore(&key, &filter->secret,
				 kcuckoo_layer_plen(index));
	kcuckoo_filter_index_member(filter, index, &key.number);
}

/* Moves entries until one of the key's buckets has a free place. */
static u64 kcuckoo_add_search(struct kcuckoo_filter *filter,
			      struct kcuckoo_layer *layer,
			      const struct kcuckoo_member *member)
{
	struct kcuckoo_search *search = filter->search;
	struct kcuckoo_table *table = &layer->table.table;
	u64 to;

	lockdep_assert_held(&filter->lock);
	filter->searches++;
	if (!kcuckoo_search_find(search, table, &member->probe))
		return KCUCKOO_NO_PLACE;
	filter->layout++;
	while (kcuckoo_search_hops(search)) {
		to = search->vacant;
		write_seqcount_begin(&filter->seq);
		kcuckoo_search_hop(search, table);
		write_seqcount_end(&filter->seq);
		filter->moves++;
		kcuckoo_add_moved(filter, layer, member->index, to);
	}
	return search->vacant;
}

/*
 * Adds one key. Returns an enum kcuckoo_result, or
 *	-EAGAIN	to be called first in a hold: a search may be needed;
 *	-EXFULL	the layer is missing, or full, or growing and too full to wait;
 *	-ENOSPC	the capacity is reached.
 * @steps counts the hold's one-bucket operations.
 */
static int kcuckoo_add_one(struct kcuckoo_filter *filter,
			   struct kcuckoo_member *member, unsigned int *steps)
{
	struct kcuckoo_layer *layer = kcuckoo_filter_layer(filter,
							   member->index);
	struct kcuckoo_growth *growth = kcuckoo_filter_growth(filter,
							      member->index);
	bool first = !*steps;
	u64 place;

	*steps += KCUCKOO_PROBE_STEPS;
	if (layer && kcuckoo_member_find(member, layer) != KCUCKOO_NO_PLACE)
		return KCUCKOO_RESULT_EXISTS;
	if (filter->entries[0] + filter->entries[1] >= filter->capacity)
		return -ENOSPC;
	if (!layer)
		return -EXFULL;
	place = kcuckoo_inet_vacant(&layer->table, &member->key,
				    &member->probe, growth ? growth->cursor : 0);
	if (growth) {
		if (place == KCUCKOO_NO_PLACE)
			return -EXFULL;
		if (place < growth->cursor && !first)
			return -EAGAIN;
		kcuckoo_growth_add(growth, place, &member->key, filter->search);
	} else if (place == KCUCKOO_NO_PLACE) {
		if (!first)
			return -EAGAIN;
		place = kcuckoo_add_search(filter, layer, member);
		if (place == KCUCKOO_NO_PLACE)
			return -EXFULL;
		*steps = KCUCKOO_HOLD_STEPS;
	}
	kcuckoo_filter_index_member(filter, member->index, &member->key.number);
	write_seqcount_begin(&filter->seq);
	kcuckoo_inet_put(&layer->table, place, &member->probe);
	write_seqcount_end(&filter->seq);
	(*kcuckoo_member_count(filter, member))++;
	return KCUCKOO_RESULT_ADDED;
}

/* Adds keys under one hold of the lock. */
static int kcuckoo_add_hold(struct kcuckoo_filter *filter,
			    struct kcuckoo_batch *batch)
{
	unsigned int steps = 0;
	int ret = 0;

	spin_lock_bh(&filter->lock);
	while (batch->done < batch->count && steps < KCUCKOO_HOLD_STEPS) {
		ret = kcuckoo_add_one(filter, &batch->member[batch->done],
				      &steps);
		if (ret < 0)
			break;
		batch->result[batch->done++] = ret;
	}
	spin_unlock_bh(&filter->lock);
	return ret == -EAGAIN || ret > 0 ? 0 : ret;
}

/**
 * kcuckoo_filter_add() - add a batch
 * @filter: the filter
 * @batch: the keys; out: results, and how many leading ones were done
 *
 * Grows layers as needed. A key that cannot be added ends the batch, and
 * changes nothing.
 *
 * Context: process context, may sleep; memory is charged to the caller.
 * Return: 0 if all were done, else -ENOSPC at the capacity, -EDQUOT beyond the
 * limit on bytes, -ENOMEM, or -EINTR on a fatal signal.
 */
int kcuckoo_filter_add(struct kcuckoo_filter *filter,
		       struct kcuckoo_batch *batch)
{
	int err = 0;

	batch->done = 0;
	kcuckoo_batch_prepare(filter, batch);
	while (batch->done < batch->count) {
		struct kcuckoo_member *member;

		err = kcuckoo_add_hold(filter, batch);
		if (err == -EXFULL) {
			member = &batch->member[batch->done];
			err = kcuckoo_filter_grow(filter, member->index,
						  member->serial);
		}
		if (err)
			break;
	}
	if (err && err != -EINTR) {
		spin_lock_bh(&filter->lock);
		filter->refused++;
		spin_unlock_bh(&filter->lock);
	}
	return err;
}

/* Deletes one key. */
static enum kcuckoo_result kcuckoo_del_one(struct kcuckoo_filter *filter,
					   struct kcuckoo_member *member)
{
	struct kcuckoo_layer *layer = kcuckoo_filter_layer(filter,
							   member->index);
	struct kcuckoo_growth *growth = kcuckoo_filter_growth(filter,
							      member->index);
	u64 place;

	if (!layer)
		return KCUCKOO_RESULT_ABSENT;
	place = kcuckoo_member_find(member, layer);
	if (place == KCUCKOO_NO_PLACE)
		return KCUCKOO_RESULT_ABSENT;
	write_seqcount_begin(&filter->seq);
	kcuckoo_inet_clear(&layer->table, place);
	write_seqcount_end(&filter->seq);
	if (growth)
		kcuckoo_growth_clear(growth, place, &member->key);
	(*kcuckoo_member_count(filter, member))--;
	return KCUCKOO_RESULT_DELETED;
}

/* A delete may also look at the two buckets of a growing layer's new table. */
static_assert(KCUCKOO_CHUNK / 2 * 2 * KCUCKOO_PROBE_STEPS <=
	      KCUCKOO_HOLD_STEPS);

/**
 * kcuckoo_filter_del() - delete a batch
 * @filter: the filter
 * @batch: the keys; out: results, and all of them done
 *
 * Context: process context.
 */
void kcuckoo_filter_del(struct kcuckoo_filter *filter,
			struct kcuckoo_batch *batch)
{
	unsigned int end;
	unsigned int i;

	batch->done = 0;
	kcuckoo_batch_prepare(filter, batch);
	while (batch->done < batch->count) {
		end = min_t(unsigned int, batch->count,
			    batch->done + KCUCKOO_CHUNK / 2);
		spin_lock_bh(&filter->lock);
		for (i = batch->done; i < end; i++)
			batch->result[i] = kcuckoo_del_one(filter,
							   &batch->member[i]);
		batch->done = end;
		spin_unlock_bh(&filter->lock);
	}
}
