/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One filter: its layers, its writers' lock, its lifetime.
 *
 * Readers hold rcu_read_lock() and take no lock; each look at a layer is
 * validated by the filter's sequence count, and after KCUCKOO_READ_TRIES looks
 * that a write overlapped, the reader takes the lock. Writers change one entry
 * per write section, so an entry that is moved is never missed.
 *
 * Lock order: @growing, then @lock.
 *
 * Files: filter.c (lifetime, information), lookup.c (readers), members.c (add
 * and delete), resize.c (growth, compaction, flush), indexing.c (length
 * indexes), walk.c (listing).
 */
#ifndef _KCUCKOO_FILTER_H
#define _KCUCKOO_FILTER_H

#include <linux/mutex.h>
#include <linux/refcount.h>
#include <linux/seqlock.h>
#include <linux/spinlock.h>

#include "layer.h"

/**
 * struct kcuckoo_filter - a filter
 * @refs: one for the name, one for each call that works on it; packets hold
 *	none, they run inside an RCU read section
 * @free: to free it after a grace period
 * @account: what its memory is charged to, constant
 * @capacity: most members, constant
 * @type: enum kcuckoo_type, constant
 * @hash: enum kcuckoo_hash, constant
 * @bucket_shift: log2 of the entries per bucket, constant
 * @secret: keys the hashes, constant
 * @growing: held by whoever replaces or removes layers
 * @lock: held by writers, never across anything that sleeps; protects all below
 * @seq: readers validate against it; odd while an entry is written
 * @generation: the layers; replaced under @growing and @lock
 * @growth: the growth under way, or NULL
 * @growth_index: number of the layer that grows
 * @building: the length index that is being made, or NULL
 * @building_family: its family
 * @search: room for a search, within one hold
 * @serial: serial of the layer published last
 * @layout: changes whenever members move: by a search, a growth or a flush
 * @entries: members, IPv4 and IPv6
 * @searches: adds that needed a search
 * @moves: entries moved
 * @growths: layers replaced by larger ones
 * @refused: adds refused for want of capacity or memory
 */
struct kcuckoo_filter {
	refcount_t refs;
	struct rcu_work free;
	struct kcuckoo_account *account;
	u64 capacity;
	u8 type;
	u8 hash;
	u8 bucket_shift;
	struct kcuckoo_hash_key secret;
	struct mutex growing;	/* who replaces layers; outside @lock */

	spinlock_t lock;	/* writers; all of the following */
	seqcount_spinlock_t seq;
	struct kcuckoo_generation __rcu *generation;
	struct kcuckoo_growth *growth;
	unsigned int growth_index;
	struct kcuckoo_index *building;
	unsigned int building_family;
	struct kcuckoo_search *search;
	u64 serial;
	u64 layout;
	u64 entries[KCUCKOO_FAMILIES];
	u64 searches;
	u64 moves;
	u64 growths;
	u64 refused;
};

/**
 * struct kcuckoo_member - a key of a batch
 * @index: number of its layer
 * @key: its address bits
 * @serial: serial of the layer that @probe is for, 0 for none
 * @probe: where it belongs there
 */
struct kcuckoo_member {
	unsigned int index;
	struct kcuckoo_inet_key key;
	u64 serial;
	struct kcuckoo_probe probe;
};

/**
 * struct kcuckoo_batch - keys that are worked on together
 * @count: number of keys, at most KCUCKOO_CHUNK
 * @done: out: how many leading keys were done
 * @member: the keys
 * @result: out: enum kcuckoo_result of each that was done
 */
struct kcuckoo_batch {
	unsigned int count;
	unsigned int done;
	struct kcuckoo_member member[KCUCKOO_CHUNK];
	u8 result[KCUCKOO_CHUNK];
};

/* Members that one step of a walk tells at most. */
#define KCUCKOO_WALK_ROOM	1024

/**
 * struct kcuckoo_told - a member as a walk finds it
 * @key: its address bits, or their permutation
 * @index: number of its layer
 * @permuted: it is the permutation
 */
struct kcuckoo_told {
	struct kcuckoo_inet_key key;
	u32 index;
	bool permuted;
};

/**
 * struct kcuckoo_walk_buffer - room for a step of a walk
 * @told: members as they are found
 * @prefix: members as they are told
 */
struct kcuckoo_walk_buffer {
	struct kcuckoo_told told[KCUCKOO_WALK_ROOM];
	struct kcuckoo_prefix prefix[KCUCKOO_WALK_ROOM];
};

struct kcuckoo_filter *
kcuckoo_filter_create(struct kcuckoo_account *account, u8 type, u8 hash,
		      unsigned int bucket_shift, u64 capacity);
bool kcuckoo_filter_get(struct kcuckoo_filter *filter);
void kcuckoo_filter_put(struct kcuckoo_filter *filter);
u64 kcuckoo_filter_entries(struct kcuckoo_filter *filter);
void kcuckoo_filter_info(struct kcuckoo_filter *filter,
			 struct kcuckoo_ioc_info *info);

bool kcuckoo_filter_contains(struct kcuckoo_filter *filter, unsigned int family,
			     const struct kcuckoo_number *address);
void kcuckoo_filter_test(struct kcuckoo_filter *filter,
			 struct kcuckoo_batch *batch, bool member);

int kcuckoo_filter_add(struct kcuckoo_filter *filter,
		       struct kcuckoo_batch *batch);
void kcuckoo_filter_del(struct kcuckoo_filter *filter,
			struct kcuckoo_batch *batch);

int kcuckoo_filter_grow(struct kcuckoo_filter *filter, unsigned int index,
			u64 serial);
void kcuckoo_filter_index(struct kcuckoo_filter *filter, unsigned int family);
void kcuckoo_filter_index_member(struct kcuckoo_filter *filter,
				 unsigned int index,
				 const struct kcuckoo_number *number);
int kcuckoo_filter_reserve(struct kcuckoo_filter *filter, unsigned int index,
			   u64 count);
int kcuckoo_filter_compact(struct kcuckoo_filter *filter);
void kcuckoo_filter_flush(struct kcuckoo_filter *filter);

u32 kcuckoo_filter_walk(struct kcuckoo_filter *filter,
			struct kcuckoo_cursor *cursor,
			struct kcuckoo_walk_buffer *buffer, unsigned int room,
			unsigned int *count);

/**
 * kcuckoo_filter_generation() - the layers, for a writer
 * @filter: the filter
 *
 * Context: under @filter->lock or @filter->growing.
 * Return: the generation.
 */
static inline struct kcuckoo_generation *
kcuckoo_filter_generation(struct kcuckoo_filter *filter)
{
	return rcu_dereference_protected(filter->generation,
					 lockdep_is_held(&filter->lock) ||
					 lockdep_is_held(&filter->growing));
}

/**
 * kcuckoo_filter_layer() - a layer, for a writer
 * @filter: the filter
 * @index: number of the layer
 *
 * Context: under @filter->lock or @filter->growing.
 * Return: the layer, NULL where there is none.
 */
static inline struct kcuckoo_layer *
kcuckoo_filter_layer(struct kcuckoo_filter *filter, unsigned int index)
{
	struct kcuckoo_generation *generation;

	generation = kcuckoo_filter_generation(filter);
	return rcu_dereference_protected(generation->layer[index],
					 lockdep_is_held(&filter->lock) ||
					 lockdep_is_held(&filter->growing));
}

/**
 * kcuckoo_filter_length_index() - a length index, for a writer
 * @filter: the filter
 * @family: kcuckoo_family_number() of its family
 *
 * Context: under @filter->lock or @filter->growing.
 * Return: the index, NULL where there is none.
 */
static inline struct kcuckoo_index *
kcuckoo_filter_length_index(struct kcuckoo_filter *filter, unsigned int family)
{
	struct kcuckoo_generation *generation;

	generation = kcuckoo_filter_generation(filter);
	return rcu_dereference_protected(generation->index[family],
					 lockdep_is_held(&filter->lock) ||
					 lockdep_is_held(&filter->growing));
}

/**
 * kcuckoo_filter_growth() - the growth of a layer
 * @filter: the filter
 * @index: number of the layer
 *
 * Context: under @filter->lock.
 * Return: the growth, NULL where the layer is not growing.
 */
static inline struct kcuckoo_growth *
kcuckoo_filter_growth(struct kcuckoo_filter *filter, unsigned int index)
{
	lockdep_assert_held(&filter->lock);
	return filter->growth_index == index ? filter->growth : NULL;
}

#endif /* _KCUCKOO_FILTER_H */
