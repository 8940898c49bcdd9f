/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One filter: its layers, its writers' lock, its lifetime.
 *
 * Readers hold rcu_read_lock() and take no lock. The sequence count of the filter
 * validates each look-up in a layer. After KCUCKOO_READ_TRIES look-ups that a write
 * overlapped, the reader takes the lock. Writers change one entry per write section, so
 * readers never miss an entry that is moved.
 *
 * Lock order: @resize_mutex, then @lock.
 *
 * Files: config.c (valid parameters), filter.c (lifetime, information),
 * lookup.c (readers), update.c (add, delete, update), update_packet.c (the
 * same by packets), resize.c (growth, compaction, flush), merge.c (merging and
 * cloning), expiry.c (collecting what has expired), index.c (length indexes),
 * walk.c (listing), snapshot_save.c and snapshot_restore.c (snapshots).
 */
#ifndef _KCUCKOO_FILTER_H
#define _KCUCKOO_FILTER_H

#include <linux/ktime.h>
#include <linux/mutex.h>
#include <linux/refcount.h>
#include <linux/seqlock.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/workqueue.h>

#include "filter/table_set.h"

struct kcuckoo_limit;

/**
 * struct kcuckoo_config - configuration of a filter
 * @type: enum kcuckoo_type
 * @traits: KCUCKOO_CREATE_*
 * @capacity: maximum number of members of an exact filter; for a filter of
 *	fingerprints the number of keys that fit before it grows first
 * @fpr: maximum rate of false positives, in 2^-32, or 0
 * @steps: maximum number of buckets that a search visits
 * @timeout: seconds until a member expires, 0 for never
 * @params: parameters that all tables of the filter share: entries per bucket, bits of
 *	fingerprints, values and expiry; whether they are exact, and sorted
 */
struct kcuckoo_config {
	u8 type;
	u32 traits;
	u64 capacity;
	u32 fpr;
	u32 steps;
	u32 timeout;
	struct kcuckoo_table_params params;
};

/**
 * struct kcuckoo_filter - a filter
 * @refs: one reference for the name and one for each call that works on the filter;
 *	packets hold none, they run inside an RCU read section
 * @free: frees the filter after a grace period
 * @account: account to which its memory is charged, constant
 * @config: its configuration, constant
 * @secret: key of the hashes, constant
 * @mulhash: multiplicative hash functions made from @secret, constant
 * @resize_mutex: held to replace or remove layers
 * @lock: held by writers, never across a call that sleeps; protects all members below
 * @seq: sequence count with which readers validate; odd while an entry is written
 * @table_set: the layers and indexes; replaced under @resize_mutex and @lock
 * @new_index: the length index that is being built, or NULL
 * @retired_index: a length index that is rebuilt once no reader can see it, or NULL
 * @index_outdated: a member was removed since the length indexes were built
 * @relocation_off: a sweep removes members from one end of the tables to the other, so
 *	no member may move to a place that the sweep has passed
 * @search: the queue of a search, used in one section under @lock
 * @serial: serial number of the last published layer
 * @move_seq: changes whenever members move: by a search, a growth or a flush
 * @full_families: families in which an add by a packet found no free entry; cleared when
 *	an entry is freed or a layer is replaced; also read without @lock
 * @entries: members, IPv4 (or byte strings) and IPv6
 * @next_expiry: no member expires before this second; U32_MAX if no member expires,
 *	and during a collection, which then sets it and schedules @collect_work again
 * @last_collect: second of the last collection, modulo 2^32
 * @searches: adds that needed a search
 * @moves: entries moved
 * @growths: layers replaced by larger ones
 * @refused: adds refused because the capacity, the memory or the entries for copies of
 *	one key were used up
 * @collect_work: removes members that have expired
 */
struct kcuckoo_filter {
	refcount_t refs;
	struct rcu_work free;
	struct kcuckoo_account *account;
	struct kcuckoo_config config;
	struct kcuckoo_hash_key secret;
	struct kcuckoo_mulhash mulhash[KCUCKOO_MULHASHES];
	struct delayed_work collect_work;
	struct mutex resize_mutex;	/* replaces layers; outside @lock */

	spinlock_t lock;	/* writers; all of the following */
	seqcount_spinlock_t seq;
	struct kcuckoo_table_set __rcu *table_set;
	struct kcuckoo_index *new_index;
	struct kcuckoo_index *retired_index;
	bool index_outdated;
	bool relocation_off;
	struct kcuckoo_search *search;
	u64 serial;
	u64 move_seq;
	u8 full_families;
	u64 entries[KCUCKOO_FAMILIES];
	u32 next_expiry;
	u32 last_collect;
	u64 searches;
	u64 moves;
	u64 growths;
	u64 refused;
};

/**
 * struct kcuckoo_member - a key of a batch
 * @index: number of its layer
 * @key: its number in this layer, or its hash
 * @value: its value; for an update or delete by value, the present value
 * @new_value: the value that an update sets
 * @timeout: seconds until it expires, 0 for never
 * @serial: serial number of the layer that @probe is for; 0 for none, or if no entry was
 *	free while the layer was copied or swept
 * @probe: its buckets and fingerprint in this layer
 */
struct kcuckoo_member {
	unsigned int index;
	struct kcuckoo_key key;
	u32 value;
	u32 new_value;
	u32 timeout;
	u64 serial;
	struct kcuckoo_probe probe;
};

/**
 * struct kcuckoo_values - the values of a key
 * @count: number of values
 * @value: the values
 */
struct kcuckoo_values {
	u32 count;
	u32 value[KCUCKOO_VALUES_MAX];
};

/**
 * struct kcuckoo_query - key of a look-up: an address, or a byte string
 * @family: KCUCKOO_FAMILY_IPV4 or KCUCKOO_FAMILY_IPV6; 0 for a byte string
 * @address: the address, 32 or 128 bits
 * @bytes: the byte string
 * @length: its length, in bytes
 * @value: out: value of the longest member that covers the address, or one value of
 *	the byte string; or NULL
 */
struct kcuckoo_query {
	unsigned int family;
	struct kcuckoo_number address;
	const void *bytes;
	u32 length;
	u32 *value;
};

/**
 * struct kcuckoo_batch - keys that are processed together
 * @count: number of keys, up to KCUCKOO_CHUNK
 * @done: out: number of leading keys that were processed
 * @absent: add: do not change keys that are members
 * @valued: the keys have values; otherwise the values of members are ignored
 * @now: present time of a filter with expiry, in seconds
 * @has_expired: add: no free entry for the next key, but a member has expired
 * @full_entries: add: members of the next key's layer when it was found full; 0
 *	without a layer
 * @values: test: buffer for the values of each key, or NULL
 * @plen: test with KCUCKOO_TEST_COVERED, out: length of the longest member that covers
 *	each key that is present
 * @member: the keys
 * @result: out: enum kcuckoo_result of each key that was processed
 */
struct kcuckoo_batch {
	unsigned int count;
	unsigned int done;
	bool absent;
	bool valued;
	u32 now;
	bool has_expired;
	u64 full_entries;
	struct kcuckoo_values *values;
	struct kcuckoo_member member[KCUCKOO_CHUNK];
	u8 result[KCUCKOO_CHUNK];
	u8 plen[KCUCKOO_CHUNK];
};

/* Maximum number of members that one step of a walk returns. */
#define KCUCKOO_WALK_ITEMS_MAX	1024

/**
 * struct kcuckoo_walk_item - a member as a walk finds it
 * @key: its number in the layer, or the permuted number
 * @index: number of its layer
 * @permuted: @key is the permuted number
 * @value: its value
 * @expiry: second in which it expires, 0 for never
 */
struct kcuckoo_walk_item {
	struct kcuckoo_key key;
	u32 index;
	bool permuted;
	u32 value;
	u32 expiry;
};

/**
 * struct kcuckoo_walk_buffer - results of a step of a walk
 * @item: members as they are found
 * @prefix: members as callers read them
 * @value: their values
 * @timeout: seconds until they expire, 0 for never
 */
struct kcuckoo_walk_buffer {
	struct kcuckoo_walk_item item[KCUCKOO_WALK_ITEMS_MAX];
	struct kcuckoo_prefix prefix[KCUCKOO_WALK_ITEMS_MAX];
	u32 value[KCUCKOO_WALK_ITEMS_MAX];
	u32 timeout[KCUCKOO_WALK_ITEMS_MAX];
};

int kcuckoo_config_check(const struct kcuckoo_config *config);

struct kcuckoo_filter *
kcuckoo_filter_create(struct kcuckoo_account *account,
		      const struct kcuckoo_config *config,
		      const struct kcuckoo_hash_key *secret, bool ready);
bool kcuckoo_filter_get(struct kcuckoo_filter *filter);
void kcuckoo_filter_put(struct kcuckoo_filter *filter);
u64 kcuckoo_filter_entries(struct kcuckoo_filter *filter);
void kcuckoo_filter_info(struct kcuckoo_filter *filter,
			 struct kcuckoo_ioc_info *info);
int kcuckoo_filter_check_packets(const struct kcuckoo_filter *filter,
				 u32 timeout);

bool kcuckoo_filter_contains(struct kcuckoo_filter *filter,
			     const struct kcuckoo_query *query);
void kcuckoo_filter_test(struct kcuckoo_filter *filter,
			 struct kcuckoo_batch *batch, u32 flags);

int kcuckoo_filter_add(struct kcuckoo_filter *filter,
		       struct kcuckoo_batch *batch);
void kcuckoo_filter_del(struct kcuckoo_filter *filter,
			struct kcuckoo_batch *batch);
void kcuckoo_filter_update(struct kcuckoo_filter *filter,
			   struct kcuckoo_batch *batch);

int kcuckoo_packet_add(struct kcuckoo_filter *filter,
		       const struct kcuckoo_query *query, u32 timeout,
		       struct kcuckoo_limit *limit);
int kcuckoo_packet_del(struct kcuckoo_filter *filter,
		       const struct kcuckoo_query *query);

int kcuckoo_filter_reserve(struct kcuckoo_filter *filter, unsigned int index,
			   u64 count);
int kcuckoo_filter_compact(struct kcuckoo_filter *filter);
int kcuckoo_filter_flush(struct kcuckoo_filter *filter);
int kcuckoo_filter_merge(struct kcuckoo_filter *filter,
			 struct kcuckoo_filter *from);

u32 kcuckoo_filter_walk(struct kcuckoo_filter *filter,
			struct kcuckoo_cursor *cursor,
			struct kcuckoo_walk_buffer *buffer,
			unsigned int max_items, unsigned int *count);

/**
 * kcuckoo_filter_exact() - check whether a filter is exact
 * @filter: the filter
 *
 * Return: true if it stores the keys themselves, false if it stores fingerprints.
 */
static inline bool kcuckoo_filter_exact(const struct kcuckoo_filter *filter)
{
	return filter->config.params.exact;
}

/**
 * kcuckoo_filter_mergeable() - check whether one filter can be merged into another
 * @filter: a filter
 * @other: another one
 *
 * Returns true if a key has the same place in both. Secrets are random. They are equal
 * only if one filter was created like the other, and then the config is equal, too; or if
 * both come from snapshots, and then the config may differ.
 *
 * Return: true if they can be merged; false if both are the same filter.
 */
static inline bool kcuckoo_filter_mergeable(const struct kcuckoo_filter *filter,
					    const struct kcuckoo_filter *other)
{
	const struct kcuckoo_hash_key *a = &filter->secret;
	const struct kcuckoo_hash_key *b = &other->secret;

	return filter != other && !memcmp(a, b, sizeof(*a)) &&
	       filter->config.type == other->config.type &&
	       filter->config.traits == other->config.traits &&
	       filter->config.params.bucket_shift ==
	       other->config.params.bucket_shift &&
	       filter->config.params.tag_bits ==
	       other->config.params.tag_bits &&
	       filter->config.params.value_bits ==
	       other->config.params.value_bits;
}

/**
 * kcuckoo_filter_multiset() - check whether every add takes an entry
 * @filter: the filter
 *
 * Return: true if keys that share a fingerprint have one entry each, so that one key can
 * be deleted without the other.
 */
static inline bool kcuckoo_filter_multiset(const struct kcuckoo_filter *filter)
{
	return !kcuckoo_filter_exact(filter) &&
	       !(filter->config.traits & KCUCKOO_CREATE_INSERT_ONLY);
}

#endif /* _KCUCKOO_FILTER_H */
