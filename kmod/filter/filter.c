// SPDX-License-Identifier: GPL-2.0-only
/*
 * Create and free filters, report their parameters, counters and memory, and check
 * whether packets are allowed to add addresses to filters.
 */
#include <linux/atomic.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/overflow.h>
#include <linux/random.h>
#include <linux/string.h>

#include "filter/filter_internal.h"
#include "filter/workqueue.h"

#ifdef KCUCKOO_LOCK_BUDGET_CHECKED
DEFINE_PER_CPU(struct kcuckoo_lock_budget, kcuckoo_lock_budget);
#endif

static atomic64_t kcuckoo_last_id = ATOMIC64_INIT(0);

/**
 * kcuckoo_filter_table_set_create() - create an empty table set for a filter
 * @filter: the filter
 * @with_bytes_layer: true to create the layer of a filter of byte strings, too; has no
 *	effect on a filter of addresses
 *
 * Context: process context, may sleep.
 * Return: the table set, ERR_PTR(-EDQUOT) if the memory limit of the account would be
 * exceeded, or ERR_PTR(-ENOMEM).
 */
struct kcuckoo_table_set *
kcuckoo_filter_table_set_create(struct kcuckoo_filter *filter,
				bool with_bytes_layer)
{
	const struct kcuckoo_config *config = &filter->config;
	struct kcuckoo_table_set *table_set;
	struct kcuckoo_layout layout;
	struct kcuckoo_layer *layer;

	table_set = kcuckoo_table_set_create(filter->account);
	if (IS_ERR(table_set) || !with_bytes_layer ||
	    config->type != KCUCKOO_TYPE_BYTES)
		return table_set;
	kcuckoo_layout_fit(&layout, &config->params, 0, config->capacity);
	layer = kcuckoo_layer_create(filter->account, &layout, &filter->secret);
	if (IS_ERR(layer)) {
		kcuckoo_table_set_free(table_set);
		return ERR_CAST(layer);
	}
	/* No other process can see the layer yet, but the lock protects filter->serial. */
	kcuckoo_filter_lock(filter);
	layer->serial = ++filter->serial;
	kcuckoo_filter_unlock(filter);
	RCU_INIT_POINTER(table_set->layer[KCUCKOO_BYTES_LAYER], layer);
	return table_set;
}

static u64 kcuckoo_filter_search_bytes(const struct kcuckoo_config *config)
{
	return kcuckoo_search_bytes(config->search_limit);
}

static int kcuckoo_filter_alloc_parts(struct kcuckoo_filter *filter,
				      bool with_bytes_layer)
{
	struct kcuckoo_table_set *table_set;
	u64 bytes = kcuckoo_filter_search_bytes(&filter->config);
	unsigned int i;

	filter->search = kcuckoo_account_alloc(filter->account, bytes);
	if (IS_ERR(filter->search))
		return PTR_ERR(filter->search);
	filter->search->limit = filter->config.search_limit;
	for (i = 0; i < KCUCKOO_FAMILIES; i++)
		filter->packet_pause[i] = jiffies - 1;
	table_set = kcuckoo_filter_table_set_create(filter, with_bytes_layer);
	if (IS_ERR(table_set)) {
		kcuckoo_account_free(filter->account, filter->search, bytes);
		return PTR_ERR(table_set);
	}
	RCU_INIT_POINTER(filter->table_set, table_set);
	return 0;
}

static void kcuckoo_filter_wipe_secret(struct kcuckoo_filter *filter)
{
	memzero_explicit(&filter->secret, sizeof(filter->secret));
	memzero_explicit(filter->mulhash, sizeof(filter->mulhash));
}

/**
 * kcuckoo_filter_create() - create an empty filter
 * @account: account to charge
 * @config: configuration of the filter, already checked by kcuckoo_config_check()
 * @secret: secret key of the hashes and permutations of the filter
 * @with_bytes_layer: true to create the layer of a filter of byte strings, too; a restore
 *	passes false and creates this layer later
 *
 * Context: process context, may sleep.
 * Return: the filter with one reference, ERR_PTR(-EDQUOT) if the memory limit of the
 * account would be exceeded, or ERR_PTR(-ENOMEM).
 */
struct kcuckoo_filter *
kcuckoo_filter_create(struct kcuckoo_account *account,
		      const struct kcuckoo_config *config,
		      const struct kcuckoo_hash_key *secret,
		      bool with_bytes_layer)
{
	struct kcuckoo_filter *filter;
	int err;

	filter = kcuckoo_account_alloc(account, sizeof(*filter));
	if (IS_ERR(filter))
		return filter;
	refcount_set(&filter->refs, 1);
	filter->account = account;
	filter->config = *config;
	filter->secret = *secret;
	kcuckoo_mulhash_init(&filter->mulhash[0], secret, 0);
	kcuckoo_mulhash_init(&filter->mulhash[1], secret, 1);
	kcuckoo_mulhash_init(&filter->mulhash[2], secret, 2);
	mutex_init(&filter->resize_mutex);
	spin_lock_init(&filter->lock);
	seqcount_spinlock_init(&filter->seq, &filter->lock);
	/*
	 * The cursor of a walk contains move_seq. The random first value makes it
	 * unlikely that this filter accepts the cursor of a walk through another filter.
	 */
	filter->move_seq = get_random_u64();
	filter->id = atomic64_inc_return(&kcuckoo_last_id);
	kcuckoo_filter_collect_init(filter);
	err = kcuckoo_filter_alloc_parts(filter, with_bytes_layer);
	if (err) {
		mutex_destroy(&filter->resize_mutex);
		kcuckoo_filter_wipe_secret(filter);
		kcuckoo_account_free(account, filter, sizeof(*filter));
		return ERR_PTR(err);
	}
	return filter;
}

static void kcuckoo_filter_release(struct work_struct *work)
{
	struct kcuckoo_filter *filter = container_of(to_rcu_work(work),
						     struct kcuckoo_filter,
						     free);
	struct kcuckoo_account *account = filter->account;

	kcuckoo_filter_collect_stop(filter);
	kcuckoo_table_set_free(rcu_dereference_protected(filter->table_set,
							 true));
	kcuckoo_account_free(account, filter->search,
			     kcuckoo_filter_search_bytes(&filter->config));
	mutex_destroy(&filter->resize_mutex);
	kcuckoo_filter_wipe_secret(filter);
	kcuckoo_account_free(account, filter, sizeof(*filter));
}

/**
 * kcuckoo_filter_get() - take a reference
 * @filter: the filter. The caller holds the lock under which the slot or the descriptor of
 *	the filter keeps its reference
 *
 * Context: any.
 */
void kcuckoo_filter_get(struct kcuckoo_filter *filter)
{
	refcount_inc(&filter->refs);
}

/**
 * kcuckoo_filter_tryget() - take a reference, unless the last reference was dropped
 * @filter: the filter; the caller read the pointer inside rcu_read_lock(), and has not left
 *	this read section
 *
 * Context: any.
 * Return: true if the caller got a reference.
 */
bool kcuckoo_filter_tryget(struct kcuckoo_filter *filter)
{
	return refcount_inc_not_zero(&filter->refs);
}

/**
 * kcuckoo_filter_put() - drop a reference
 * @filter: the filter
 *
 * Dropping the last reference frees the filter after a grace period.
 *
 * Context: any.
 */
void kcuckoo_filter_put(struct kcuckoo_filter *filter)
{
	if (refcount_dec_and_test(&filter->refs))
		kcuckoo_queue_rcu_free(&filter->free, kcuckoo_filter_release);
}

/**
 * kcuckoo_filter_supersede() - refuse further changes of a filter that is being replaced
 * @filter: the filter
 * @changes: the number of changes that the caller expects
 *
 * The comparison with @changes and the write are in one section under the lock. So if the
 * function returns true, each change was counted before the comparison, or fails with
 * -ESTALE. There are two exceptions: expired members are still removed; and a flush that
 * removes members bucket by bucket runs to its end, and only then returns -ESTALE.
 *
 * Context: any but hard interrupts, under the binding_lock of the namespace. After the
 * function has returned true, the caller gives the name another filter before it releases
 * binding_lock.
 * Return: true if @filter->changes is equal to @changes, so that @filter refuses further
 * changes; else false.
 */
bool kcuckoo_filter_supersede(struct kcuckoo_filter *filter, u64 changes)
{
	bool unchanged;

	kcuckoo_filter_lock(filter);
	unchanged = filter->changes == changes;
	if (unchanged)
		filter->superseded = true;
	kcuckoo_filter_unlock(filter);
	return unchanged;
}

/**
 * kcuckoo_filter_members() - get the number of members
 * @filter: the filter
 *
 * Context: process context.
 * Return: the number of members, including members that have expired and are not removed
 * yet.
 */
u64 kcuckoo_filter_members(struct kcuckoo_filter *filter)
{
	u64 members;

	kcuckoo_filter_lock(filter);
	members = filter->members[0] + filter->members[1];
	kcuckoo_filter_unlock(filter);
	return members;
}

/*
 * Returns how many fingerprints a look-up compares on average, in units of 2^-16. A look-up
 * compares the fingerprints of two buckets. Each doubling of a table takes one bit from its
 * fingerprints and doubles the probability of a false positive. So in a table that was
 * doubled k times, each fingerprint counts 2^k times.
 */
static u64 kcuckoo_layer_compared(const struct kcuckoo_table *table)
{
	return mul_u64_u64_div_u64(table->entries << table->params.doublings,
				   2ULL << 16, table->params.nbuckets);
}

static u64 kcuckoo_layer_copy_bytes(const struct kcuckoo_layer *layer)
{
	if (!layer->rehash)
		return 0;
	return kcuckoo_layer_bytes(container_of(layer->rehash->to,
						struct kcuckoo_layer, store));
}

static void kcuckoo_filter_info_layer(struct kcuckoo_ioc_info *info,
				      unsigned int index,
				      const struct kcuckoo_layer *layer)
{
	unsigned int family = kcuckoo_layer_family(index);
	const struct kcuckoo_layout *layout = &layer->store.layout;
	unsigned int plen = kcuckoo_layer_plen(index), fill;

	info->memory_bytes += kcuckoo_layer_bytes(layer);
	info->memory_bytes += kcuckoo_layer_copy_bytes(layer);
	if (family == KCUCKOO_FAMILY_IPV6)
		info->plens_ipv6[plen / 64] |= 1ULL << plen % 64;
	else if (index != KCUCKOO_BYTES_LAYER)
		info->plens_ipv4 |= 1ULL << plen;
	info->members_with_timeout += layer->store.table.expiring;
	if (layout->bitmap)
		return;
	info->table_entries += kcuckoo_table_places(&layer->store.table);
	info->table_entries_used += layer->store.table.entries;
	if (kcuckoo_store_exact(&layer->store))
		return;
	info->fingerprints_compared[kcuckoo_family_number(family)] +=
		kcuckoo_layer_compared(&layer->store.table);
	if (layout->params.doublings < info->doublings)
		return;
	/* Report the load that all tables with the maximum number of doublings reach. */
	fill = kcuckoo_layout_fill(layout);
	if (!info->max_load || layout->params.doublings > info->doublings ||
	    fill < info->max_load)
		info->max_load = fill;
	info->doublings = layout->params.doublings;
}

static void kcuckoo_filter_info_config(const struct kcuckoo_filter *filter,
				       struct kcuckoo_ioc_info *info)
{
	const struct kcuckoo_config *config = &filter->config;

	info->type = config->type;
	info->hash = filter->secret.strong ? KCUCKOO_HASH_SIPHASH :
					     KCUCKOO_HASH_JHASH;
	info->bucket_size = 1U << config->params.bucket_shift;
	info->tag_bits = config->params.tag_bits;
	info->value_bits = config->params.value_bits;
	info->capacity = config->capacity;
	info->create_flags = config->traits;
	info->fpr = config->fpr;
	info->search_limit = config->search_limit;
	info->timeout = config->timeout;
	info->memory_bytes = kcuckoo_account_size(sizeof(*filter)) +
		kcuckoo_account_size(kcuckoo_filter_search_bytes(config)) +
		kcuckoo_account_size(sizeof(struct kcuckoo_table_set));
}

/*
 * Sets the maximum load of a filter of fingerprints that has no table yet: that of a
 * table for its capacity.
 */
static void kcuckoo_filter_info_max_load(const struct kcuckoo_filter *filter,
					 struct kcuckoo_ioc_info *info)
{
	const struct kcuckoo_config *config = &filter->config;
	struct kcuckoo_layout layout;

	kcuckoo_layout_fit(&layout, &config->params, 0, config->capacity);
	info->max_load = kcuckoo_layout_fill(&layout);
}

static void kcuckoo_filter_info_indexes(struct kcuckoo_filter *filter,
					struct kcuckoo_ioc_info *info)
{
	const struct kcuckoo_index *index[] = {
		kcuckoo_filter_length_index(filter, 0),
		kcuckoo_filter_length_index(filter, 1),
		filter->new_index,
		filter->retired_index,
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(index); i++)
		if (index[i])
			info->memory_bytes += kcuckoo_index_bytes(index[i]);
}

/**
 * kcuckoo_filter_info() - get information about a filter
 * @filter: the filter
 * @info: in: all zero, except @size, @flags, @name, @rules and @info_flags, which the
 *	function neither reads nor writes; out: all other fields, except @packet_*
 *
 * Context: process context.
 */
void kcuckoo_filter_info(struct kcuckoo_filter *filter,
			 struct kcuckoo_ioc_info *info)
{
	struct kcuckoo_layer *layer;
	unsigned int i;

	kcuckoo_filter_info_config(filter, info);
	kcuckoo_filter_lock(filter);
	for (i = 0; i < KCUCKOO_LAYERS; i++) {
		layer = kcuckoo_filter_layer(filter, i);
		if (layer)
			kcuckoo_filter_info_layer(info, i, layer);
	}
	kcuckoo_filter_info_indexes(filter, info);
	if (filter->config.type == KCUCKOO_TYPE_INET) {
		info->members_ipv4 = filter->members[0];
		info->members_ipv6 = filter->members[1];
	}
	info->members = filter->members[0] + filter->members[1];
	info->searches = filter->searches;
	info->moves = filter->moves;
	info->growths = filter->growths;
	info->refused = filter->refused;
	info->filter_id = filter->id;
	info->changes = filter->changes;
	kcuckoo_filter_unlock(filter);
	if (!info->max_load && !kcuckoo_filter_exact(filter))
		kcuckoo_filter_info_max_load(filter, info);
}

/**
 * kcuckoo_filter_check_packets() - check whether packets can add addresses to a filter
 * @filter: the filter
 * @timeout: seconds until the addresses expire, 0 for never
 *
 * Untrusted senders choose the addresses, so the filter needs siphash, whose secret the
 * senders cannot find out. A filter of fingerprints is not suitable. In a multiset
 * (README.md), each packet of a source would add another entry, and a delete could remove
 * the entry of another source with the same fingerprint. An insert-only filter refuses
 * deletes, and sources that share a fingerprint share an entry.
 *
 * Context: any.
 * Return: 0; -EOPNOTSUPP if the filter is not exact, not of addresses or without siphash;
 * -EINVAL if @timeout is not 0 and members of the filter cannot have timeouts.
 */
int kcuckoo_filter_check_packets(const struct kcuckoo_filter *filter,
				 u32 timeout)
{
	if (!kcuckoo_filter_exact_inet(filter) || !filter->secret.strong)
		return -EOPNOTSUPP;
	return timeout && !filter->config.params.expiry_bits ? -EINVAL : 0;
}
