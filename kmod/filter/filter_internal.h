/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Functions that only the files of kmod/filter/ share. net/ and dev/ include filter.h
 * instead.
 */
#ifndef _KCUCKOO_FILTER_INTERNAL_H
#define _KCUCKOO_FILTER_INTERNAL_H

#include <linux/interrupt.h>
#include <linux/jiffies.h>
#include <linux/sched.h>

#include "filter/filter.h"

/**
 * struct kcuckoo_add_opts - options of an add
 * @only_absent: true to leave a key that already is a member as it is
 * @valued: true to give a key that already is a member the new value; false to keep its
 *	present value
 * @now: present second of the clock of expiry (README.md), 0 in a filter without expiry.
 *	A key whose entry expires in this second or before does not count as a member;
 *	the add reuses the entry
 * @once: true for a packet: a search reads at most KCUCKOO_SEARCH_READS_ONCE buckets, and
 *	is given up if it has not ended then
 * @exclusive: true if the caller holds @resize_mutex, and can continue a search in another
 *	section
 */
struct kcuckoo_add_opts {
	bool only_absent;
	bool valued;
	u32 now;
	bool once;
	bool exclusive;
};

void kcuckoo_member_probe(struct kcuckoo_member *member,
			  const struct kcuckoo_layer *layer);
void kcuckoo_member_prepare(struct kcuckoo_member *member, u32 now);
int kcuckoo_add_one(struct kcuckoo_filter *filter,
		    struct kcuckoo_member *member,
		    const struct kcuckoo_add_opts *opts, unsigned int *steps);
enum kcuckoo_result kcuckoo_del_one(struct kcuckoo_filter *filter,
				    struct kcuckoo_member *member, bool valued);

struct kcuckoo_table_set *
kcuckoo_filter_table_set_create(struct kcuckoo_filter *filter,
				bool with_bytes_layer);
int kcuckoo_filter_grow(struct kcuckoo_filter *filter, unsigned int index,
			u64 serial, u64 full_entries);
void kcuckoo_filter_set_layer(struct kcuckoo_filter *filter,
			      unsigned int index, struct kcuckoo_layer *layer);
void kcuckoo_filter_publish(struct kcuckoo_filter *filter, unsigned int index,
			    struct kcuckoo_layer *layer);
void kcuckoo_filter_index_refresh(struct kcuckoo_filter *filter,
				  unsigned int family);
void kcuckoo_filter_index_rebuild(struct kcuckoo_filter *filter);
void kcuckoo_filter_index_refresh_all(struct kcuckoo_filter *filter);
unsigned int kcuckoo_filter_index_member(struct kcuckoo_filter *filter,
					 unsigned int index,
					 const struct kcuckoo_number *number);

void kcuckoo_filter_collect_init(struct kcuckoo_filter *filter);
void kcuckoo_filter_collect_stop(struct kcuckoo_filter *filter);
void kcuckoo_filter_collect_at(struct kcuckoo_filter *filter, u32 expiry);
bool kcuckoo_filter_has_expired(struct kcuckoo_filter *filter, u32 now);
int kcuckoo_filter_collect(struct kcuckoo_filter *filter);

/**
 * kcuckoo_filter_exact_inet() - check whether a filter is exact and of addresses
 * @filter: the filter
 *
 * Return: true for an exact filter of addresses.
 */
static inline bool
kcuckoo_filter_exact_inet(const struct kcuckoo_filter *filter)
{
	return filter->config.type == KCUCKOO_TYPE_INET &&
	       kcuckoo_filter_exact(filter);
}

/**
 * kcuckoo_filter_prepare() - permute a key for an exact filter, or hash an address for a
 *	filter of fingerprints
 * @filter: the filter
 * @index: number of the layer of the key
 * @key: the key, with its @number set; out: its @permuted or @hash. The @hash of a byte
 *	string is already set, and stays as it is
 */
static inline void kcuckoo_filter_prepare(const struct kcuckoo_filter *filter,
					  unsigned int index,
					  struct kcuckoo_key *key)
{
	if (kcuckoo_filter_exact(filter))
		kcuckoo_key_permute(key, &filter->secret,
				    kcuckoo_layer_bits(index));
	else if (filter->config.type == KCUCKOO_TYPE_INET)
		kcuckoo_key_hash(key, &filter->secret,
				 kcuckoo_layer_bits(index));
}

/**
 * kcuckoo_packet_pause() - get the element of @filter->packet_pause for the family of a
 *	layer
 * @filter: the filter
 * @index: number of the layer
 *
 * Return: pointer to the element.
 */
static inline unsigned long *kcuckoo_packet_pause(struct kcuckoo_filter *filter,
						  unsigned int index)
{
	unsigned int family = kcuckoo_layer_family(index);

	return &filter->packet_pause[kcuckoo_family_number(family)];
}

/**
 * kcuckoo_filter_now() - get the present second of the clock of expiry
 * @filter: the filter
 *
 * Return: seconds since boot; 0 for a filter without expiry.
 */
static inline u32 kcuckoo_filter_now(const struct kcuckoo_filter *filter)
{
	return filter->config.params.expiry_bits ?
	       ktime_get_boottime_seconds() : 0;
}

/**
 * kcuckoo_filter_table_set() - get the table set under a lock that prevents its
 *	replacement
 * @filter: the filter
 *
 * Context: under @filter->lock or @filter->resize_mutex.
 * Return: the table set.
 */
static inline struct kcuckoo_table_set *
kcuckoo_filter_table_set(struct kcuckoo_filter *filter)
{
	return rcu_dereference_protected(filter->table_set,
					 lockdep_is_held(&filter->lock) ||
					 lockdep_is_held(&filter->resize_mutex));
}

/**
 * kcuckoo_filter_layer() - get a layer under a lock that prevents its replacement
 * @filter: the filter
 * @index: number of the layer
 *
 * Context: under @filter->lock or @filter->resize_mutex.
 * Return: the layer, or NULL if the filter has no layer of this number.
 */
static inline struct kcuckoo_layer *
kcuckoo_filter_layer(struct kcuckoo_filter *filter, unsigned int index)
{
	struct kcuckoo_table_set *table_set;

	table_set = kcuckoo_filter_table_set(filter);
	return rcu_dereference_protected(table_set->layer[index],
					 lockdep_is_held(&filter->lock) ||
					 lockdep_is_held(&filter->resize_mutex));
}

/**
 * kcuckoo_filter_length_index() - get a length index under a lock that prevents its
 *	replacement
 * @filter: the filter
 * @family: kcuckoo_family_number() of the family of the index
 *
 * Context: under @filter->lock or @filter->resize_mutex.
 * Return: the index, or NULL if the family has no index.
 */
static inline struct kcuckoo_index *
kcuckoo_filter_length_index(struct kcuckoo_filter *filter, unsigned int family)
{
	struct kcuckoo_table_set *table_set;

	table_set = kcuckoo_filter_table_set(filter);
	return rcu_dereference_protected(table_set->index[family],
					 lockdep_is_held(&filter->lock) ||
					 lockdep_is_held(&filter->resize_mutex));
}

/**
 * kcuckoo_filter_lock() - begin a section under the lock, with softirqs disabled
 * @filter: the filter
 *
 * Context: any but hard interrupts. The section must not sleep, and must not read and
 * write more fields of tables than core/lock_budget.h allows.
 */
static inline void kcuckoo_filter_lock(struct kcuckoo_filter *filter)
	__acquires(&filter->lock)
{
	spin_lock_bh(&filter->lock);
	kcuckoo_lock_budget_begin();
}

/**
 * kcuckoo_filter_unlock() - end a section under the lock
 * @filter: the filter
 */
static inline void kcuckoo_filter_unlock(struct kcuckoo_filter *filter)
	__releases(&filter->lock)
{
	kcuckoo_lock_budget_end(1U << filter->config.params.bucket_shift);
	spin_unlock_bh(&filter->lock);
}

/**
 * kcuckoo_processor_wanted() - check whether other work waits for this processor
 *
 * Context: under the lock of a filter.
 * Return: true if a softirq or another task waits for this processor.
 */
static inline bool kcuckoo_processor_wanted(void)
{
	return local_softirq_pending() || need_resched();
}

/**
 * kcuckoo_filter_wanted() - check whether a section should end early
 * @filter: the filter
 *
 * With PREEMPT_RT spin_is_contended() always returns false, so a section does not end early
 * for another writer. Instead, the holder of the lock gets the priority of that writer.
 *
 * Context: under @filter->lock.
 * Return: true if a softirq or another task waits for this processor, or another writer
 * waits for the lock.
 */
static inline bool kcuckoo_filter_wanted(struct kcuckoo_filter *filter)
{
	return kcuckoo_processor_wanted() || spin_is_contended(&filter->lock);
}

/**
 * kcuckoo_section_goes_on() - check whether a section is allowed to do more work
 * @filter: the filter
 * @steps: number of steps that the section has taken, each an operation on one bucket
 *
 * Context: under @filter->lock.
 * Return: true if the section is allowed to take another step (KCUCKOO_SECTION_STEPS and the
 * next two constants in core/limits.h).
 */
static inline bool kcuckoo_section_goes_on(struct kcuckoo_filter *filter,
					   unsigned int steps)
{
	if (steps < KCUCKOO_SECTION_STEPS_MIN)
		return true;
	if (steps < KCUCKOO_SECTION_STEPS_CONTENDED)
		return !kcuckoo_processor_wanted();
	return steps < KCUCKOO_SECTION_STEPS && !kcuckoo_filter_wanted(filter);
}

/**
 * kcuckoo_filter_read() - repeat a read of tables until no write overlaps it
 * @filter: the filter
 * @read: reads tables, and can store results where @context points; only the results of
 *	its last call are valid
 * @context: argument of @read
 *
 * After KCUCKOO_READ_TRIES tries the function calls @read under the lock, so that the time
 * of a read is bounded.
 *
 * Context: inside rcu_read_lock(); any context but hard interrupts; not under
 * @filter->lock.
 * Return: what the last call of @read returned.
 */
static __always_inline int kcuckoo_filter_read(struct kcuckoo_filter *filter,
					       int (*read)(const void *context),
					       const void *context)
{
	unsigned int tries;
	unsigned int seq;
	int result;

	for (tries = 0; tries < KCUCKOO_READ_TRIES; tries++) {
		seq = read_seqcount_begin(&filter->seq);
		result = read(context);
		if (!read_seqcount_retry(&filter->seq, seq))
			return result;
	}
	kcuckoo_filter_lock(filter);
	result = read(context);
	kcuckoo_filter_unlock(filter);
	return result;
}

/**
 * kcuckoo_filter_clear() - free the entry of a member that is removed
 * @filter: the filter
 * @layer: the layer of the member
 * @place: the place of the entry
 *
 * The caller subtracts the member from @filter->members. If @layer is being copied, the
 * caller also removes the member from the copy.
 *
 * Context: under @filter->lock.
 */
static inline void kcuckoo_filter_clear(struct kcuckoo_filter *filter,
					struct kcuckoo_layer *layer, u64 place)
{
	write_seqcount_begin(&filter->seq);
	kcuckoo_store_clear(&layer->store, place);
	write_seqcount_end(&filter->seq);
	WRITE_ONCE(filter->full_families, 0);
	filter->index_outdated = true;
}

#endif /* _KCUCKOO_FILTER_INTERNAL_H */
