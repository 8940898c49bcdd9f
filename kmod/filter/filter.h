/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The interface of a filter: the structures and functions that net/ and dev/ use.
 *
 * @seq, @lock and @resize_mutex are fields of struct kcuckoo_filter; README.md says who
 * uses them. A writer moves an entry inside one write section of @seq. So a reader that
 * misses the entry during the move repeats its look-up, and finds the entry.
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
 * @traits: flags KCUCKOO_CREATE_*
 * @capacity: maximum number of members of an exact filter; for a filter of
 *	fingerprints the number of keys that each layer can store before it grows
 * @fpr: maximum rate of false positives, in units of 2^-32; 0 for no maximum
 * @search_limit: maximum number of buckets that a search for a free entry visits
 *	(core/search.h)
 * @timeout: default timeout in seconds; 0: a member without a timeout of its own never
 *	expires
 * @params: parameters that all tables of the filter share: entries per bucket, bits of
 *	fingerprints, values and expiry; whether tables are exact, and whether buckets
 *	are semi-sorted
 */
struct kcuckoo_config {
	u8 type;
	u32 traits;
	u64 capacity;
	u32 fpr;
	u32 search_limit;
	u32 timeout;
	struct kcuckoo_table_params params;
};

/**
 * struct kcuckoo_filter - a filter
 * @refs: one reference for the name, or for the descriptor that has staged the filter;
 *	and one for each call that works on the filter; packets are handled inside an RCU
 *	read section, without a reference
 * @free: work that frees the filter after a grace period
 * @account: account to which the memory of the filter is charged, constant
 * @config: configuration of the filter, constant
 * @secret: secret key of the hashes and permutations, constant
 * @mulhash: multiplicative hash functions made from @secret, constant
 * @resize_mutex: held to replace or remove layers, length indexes and the table set, to
 *	copy or sweep a layer, and for a search of several sections
 * @lock: held by writers, never across a call that sleeps; protects the fields that
 *	follow it in the structure
 * @seq: sequence count, with which readers detect writes
 * @table_set: the layers and length indexes; replaced under @resize_mutex and @lock
 * @new_index: the length index that is being built, or NULL
 * @retired_index: a length index that was taken out of @table_set, and that will be
 *	filled again once no reader can see it; or NULL
 * @index_outdated: true if an entry was freed since the last call of
 *	kcuckoo_filter_index_refresh_all()
 * @relocation_off: true while a sweep removes members. No entry is allowed to move
 *	then: the sweep would miss an entry that moves to a place that the sweep has
 *	passed
 * @search: memory of a search for a free entry. If @search->open is set when @lock is
 *	released, a task that holds @resize_mutex continues the search, and no other
 *	search can begin
 * @packet_pause: for each family, the last jiffy in which packets must not add new
 *	addresses, because a search for a packet was given up; also read without @lock
 * @serial: the last serial number that was given to a layer of the filter
 * @move_seq: incremented when members move (in a search), when a layer is added or
 *	replaced, and when the table set is replaced; the first value is random
 * @full_families: set of KCUCKOO_FAMILY_* in which an add by a packet found no free
 *	entry, or found that the filter has reached its capacity; cleared when an entry
 *	is freed, when a layer is added or replaced, and when the table set is replaced;
 *	also read without @lock
 * @members: number of members of IPv4 or byte strings (element 0) and of IPv6 (element
 *	1), including members that have expired and are not removed yet
 * @next_expiry: second of the earliest expiry of a member, or an earlier second; U32_MAX
 *	if no expiry is known. An add, a merge and a restore lower the field in a later
 *	section (kcuckoo_filter_collect_at()), so until then it can be too high. During a
 *	collection (expiry.c), the field covers only members that the collection has
 *	read, or that were added since it began
 * @last_collect: second in which the last collection ended, modulo 2^32
 * @searches: number of searches for adds; a search of several sections counts once
 * @moves: number of entries that searches moved
 * @growths: number of times that an add made a layer grow
 * @refused: number of keys of batches that could not be added: because no capacity, no
 *	free entry or no memory is left, or because entries with the fingerprint of the
 *	key fill both buckets of the key
 * @collect_work: delayed work that removes members that have expired
 * @id: number of the filter, never 0 and never used for another filter; constant
 * @changes: number of changes of members; a merge, and a flush that replaces the table
 *	set, count once; the removal of an expired member does not count
 * @superseded: true if another filter has replaced this filter, on the condition that
 *	@changes had a certain value. Writers no longer change this filter: a writer
 *	returns -ESTALE, and its caller finds the new filter by the name.
 *	kcuckoo_filter_supersede() names two exceptions
 * @name: the name of the filter, for events; all zero while the filter has no name. A
 *	filter without a name emits no events
 */
struct kcuckoo_filter {
	refcount_t refs;
	struct rcu_work free;
	struct kcuckoo_account *account;
	struct kcuckoo_config config;
	struct kcuckoo_hash_key secret;
	struct kcuckoo_mulhash mulhash[KCUCKOO_MULHASHES];
	struct delayed_work collect_work;
	struct mutex resize_mutex;	/* to replace layers; taken before @lock */

	spinlock_t lock;	/* protects all following fields */
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
	unsigned long packet_pause[KCUCKOO_FAMILIES];
	u64 members[KCUCKOO_FAMILIES];
	u32 next_expiry;
	u32 last_collect;
	u64 searches;
	u64 moves;
	u64 growths;
	u64 refused;
	u64 id;
	u64 changes;
	bool superseded;
	u8 name[KCUCKOO_NAME_SIZE];
};

/**
 * struct kcuckoo_member - a key of a batch, with its layer and its buckets
 * @index: number of the layer of the key
 * @key: the address bits of the key that this layer stores, or the hash of a byte
 *	string
 * @value: for an add, the value of the key; for an update or a delete that requires a
 *	certain value, this value
 * @new_value: the value that an update sets
 * @timeout: seconds until the key expires, 0 for never
 * @serial: serial number of the layer for which @probe was computed; 0 if @probe is not
 *	computed, or if an add failed but can succeed with @resize_mutex held
 *	(kcuckoo_add_one())
 * @probe: the buckets and the tag of the key in the layer, with the value and the expiry
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
 * @value: the values, in the first @count elements
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
 * @length: length of the byte string, in bytes
 * @value: out: value of the longest member that covers the address, or one value of
 *	the byte string; NULL if the caller needs no value
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
 * @only_absent: add: true to leave keys that are members unchanged
 * @valued: add: true to also set the values of keys that already are members; delete
 *	and update: true to change a member only if it has the value of the key
 * @now: add, delete and update, out: second of the clock of expiry (README.md) in which
 *	the processing began
 * @has_expired: add, out: true if the key number @done could not be added, but the
 *	removal of expired members can free an entry
 * @full_entries: add, out: number of members in the layer of key number @done, if
 *	kcuckoo_add_one() has returned -EXFULL and the layer exists; else 0
 * @values: test: buffer for the values of each key, or NULL
 * @result: out: enum kcuckoo_result of each key that was processed
 * @plen: test with KCUCKOO_TEST_COVERED, out: length of the longest member that covers
 *	each key that is present
 * @member: the keys. The last field, so that a caller with fewer than KCUCKOO_CHUNK keys
 *	need not allocate memory for more
 */
struct kcuckoo_batch {
	unsigned int count;
	unsigned int done;
	bool only_absent;
	bool valued;
	u32 now;
	bool has_expired;
	u64 full_entries;
	struct kcuckoo_values *values;
	u8 result[KCUCKOO_CHUNK];
	u8 plen[KCUCKOO_CHUNK];
	struct kcuckoo_member member[KCUCKOO_CHUNK];
};

/* Maximum number of members that one call of kcuckoo_filter_walk() returns. */
#define KCUCKOO_WALK_ITEMS_MAX	1024

/**
 * struct kcuckoo_walk_item - a member in the form in which a walk reads it from a layer
 * @key: the address bits that the layer stores, or their permutation
 * @index: number of the layer
 * @permuted: true if @key is the permutation
 * @value: value of the member
 * @expiry: second in which the member expires, 0 for never
 */
struct kcuckoo_walk_item {
	struct kcuckoo_key key;
	u32 index;
	bool permuted;
	u32 value;
	u32 expiry;
};

/**
 * struct kcuckoo_walk_buffer - results of one call of kcuckoo_filter_walk()
 * @item: the members in the form in which the walk reads them; only
 *	kcuckoo_filter_walk() uses this array
 * @prefix: the members as prefixes, for the caller
 * @value: the values of the members
 * @timeout: seconds until the members expire, 0 for never
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
		      const struct kcuckoo_hash_key *secret,
		      bool with_bytes_layer);
void kcuckoo_filter_get(struct kcuckoo_filter *filter);
bool kcuckoo_filter_tryget(struct kcuckoo_filter *filter);
void kcuckoo_filter_put(struct kcuckoo_filter *filter);
bool kcuckoo_filter_supersede(struct kcuckoo_filter *filter, u64 changes);
u64 kcuckoo_filter_members(struct kcuckoo_filter *filter);
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
int kcuckoo_filter_del(struct kcuckoo_filter *filter,
		       struct kcuckoo_batch *batch);
int kcuckoo_filter_update(struct kcuckoo_filter *filter,
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
 * Return: true if the filter stores its keys completely.
 */
static inline bool kcuckoo_filter_exact(const struct kcuckoo_filter *filter)
{
	return filter->config.params.exact;
}

/**
 * kcuckoo_filter_mergeable() - check whether one filter can be merged into another
 * @filter: a filter
 * @other: another filter
 *
 * Both filters need the same secret, to compute the same tags and buckets. Secrets are
 * random, so two filters have the same secret only if KCUCKOO_CREATE_LIKE has copied the
 * secret, or if a filter was restored from a snapshot. A snapshot comes from user memory
 * and can have another configuration, so the function compares the configurations, too.
 *
 * Return: true if the filters can be merged; false also if they are the same filter.
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
 * kcuckoo_filter_multiset() - check whether each add stores an entry of its own
 * @filter: the filter
 *
 * Return: true for a filter of fingerprints that is not insert-only (a multiset).
 */
static inline bool kcuckoo_filter_multiset(const struct kcuckoo_filter *filter)
{
	return !kcuckoo_filter_exact(filter) &&
	       !(filter->config.traits & KCUCKOO_CREATE_INSERT_ONLY);
}

#endif /* _KCUCKOO_FILTER_H */
