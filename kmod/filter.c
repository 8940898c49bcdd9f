// SPDX-License-Identifier: GPL-2.0-only
/*
 * Filters: lifetime and information.
 */
#include <linux/err.h>
#include <linux/random.h>
#include <linux/string.h>

#include "filter.h"
#include "reclaim.h"

/**
 * kcuckoo_filter_create() - make an empty filter
 * @account: what to charge
 * @type: enum kcuckoo_type
 * @hash: enum kcuckoo_hash
 * @bucket_shift: log2 of the entries per bucket, 0..3
 * @capacity: most members, at least 1
 *
 * Context: process context, may sleep.
 * Return: the filter with one reference, or ERR_PTR(-EDQUOT) beyond the
 * limit, or ERR_PTR(-ENOMEM).
 */
struct kcuckoo_filter *
kcuckoo_filter_create(struct kcuckoo_account *account, u8 type, u8 hash,
		      unsigned int bucket_shift, u64 capacity)
{
	struct kcuckoo_generation *generation;
	struct kcuckoo_filter *filter;
	int err;

	filter = kcuckoo_account_alloc(account, sizeof(*filter));
	if (IS_ERR(filter))
		return filter;
	filter->search = kcuckoo_account_alloc(account,
					       sizeof(*filter->search));
	if (IS_ERR(filter->search)) {
		err = PTR_ERR(filter->search);
		goto err_filter;
	}
	generation = kcuckoo_generation_create(account);
	if (IS_ERR(generation)) {
		err = PTR_ERR(generation);
		goto err_search;
	}
	refcount_set(&filter->refs, 1);
	filter->account = account;
	filter->capacity = capacity;
	filter->type = type;
	filter->hash = hash;
	filter->bucket_shift = bucket_shift;
	get_random_bytes(&filter->secret, sizeof(filter->secret));
	mutex_init(&filter->growing);
	spin_lock_init(&filter->lock);
	seqcount_spinlock_init(&filter->seq, &filter->lock);
	RCU_INIT_POINTER(filter->generation, generation);
	/* No cursor of another filter fits by chance. */
	filter->layout = get_random_u64();
	return filter;

err_search:
	kcuckoo_account_free(account, filter->search, sizeof(*filter->search));
err_filter:
	kcuckoo_account_free(account, filter, sizeof(*filter));
	return ERR_PTR(err);
}

static void kcuckoo_filter_release(struct work_struct *work)
{
	struct kcuckoo_filter *filter = container_of(to_rcu_work(work),
						     struct kcuckoo_filter,
						     free);
	struct kcuckoo_account *account = filter->account;

	kcuckoo_generation_free(rcu_dereference_protected(filter->generation,
							  true));
	kcuckoo_account_free(account, filter->search, sizeof(*filter->search));
	mutex_destroy(&filter->growing);
	memzero_explicit(&filter->secret, sizeof(filter->secret));
	kcuckoo_account_free(account, filter, sizeof(*filter));
}

/**
 * kcuckoo_filter_get() - take a reference, unless the last one is gone
 * @filter: a filter that was found under RCU or under the lock of its name
 *
 * Return: true if the caller holds a reference now.
 */
bool kcuckoo_filter_get(struct kcuckoo_filter *filter)
{
	return refcount_inc_not_zero(&filter->refs);
}

/**
 * kcuckoo_filter_put() - give a reference back
 * @filter: the filter
 *
 * The last one frees the filter after a grace period.
 *
 * Context: any.
 */
void kcuckoo_filter_put(struct kcuckoo_filter *filter)
{
	if (refcount_dec_and_test(&filter->refs))
		kcuckoo_reclaim(&filter->free, kcuckoo_filter_release);
}

/**
 * kcuckoo_filter_entries() - count the members
 * @filter: the filter
 *
 * Context: process context.
 * Return: their number.
 */
u64 kcuckoo_filter_entries(struct kcuckoo_filter *filter)
{
	u64 entries;

	spin_lock_bh(&filter->lock);
	entries = filter->entries[0] + filter->entries[1];
	spin_unlock_bh(&filter->lock);
	return entries;
}

/* Adds what one layer has to the information. */
static void kcuckoo_filter_info_layer(struct kcuckoo_ioc_info *info,
				      unsigned int index,
				      const struct kcuckoo_layer *layer)
{
	unsigned int plen = kcuckoo_layer_plen(index);

	info->memory_bytes += kcuckoo_layer_bytes(layer);
	if (kcuckoo_layer_family(index) == KCUCKOO_FAMILY_IPV4)
		info->lengths_ipv4 |= 1ULL << plen;
	else
		info->lengths_ipv6[plen / 64] |= 1ULL << plen % 64;
	if (layer->table.shape.bitmap)
		return;
	info->slots += kcuckoo_table_places(&layer->table.table);
	info->slots_used += layer->table.table.entries;
}

/**
 * kcuckoo_filter_info() - say what a filter is and holds
 * @filter: the filter
 * @info: out: all but its header and its number of rules
 *
 * Context: process context.
 */
void kcuckoo_filter_info(struct kcuckoo_filter *filter,
			 struct kcuckoo_ioc_info *info)
{
	const u64 fixed = kcuckoo_account_size(sizeof(*filter)) +
			  kcuckoo_account_size(sizeof(*filter->search)) +
			  kcuckoo_account_size(sizeof(*filter->generation));
	const struct kcuckoo_index *index;
	struct kcuckoo_layer *layer;
	unsigned int i;

	info->type = filter->type;
	info->hash = filter->hash;
	info->bucket_size = 1U << filter->bucket_shift;
	info->capacity = filter->capacity;
	info->memory_bytes = fixed;

	spin_lock_bh(&filter->lock);
	for (i = 0; i < KCUCKOO_LAYERS; i++) {
		layer = kcuckoo_filter_layer(filter, i);
		if (layer)
			kcuckoo_filter_info_layer(info, i, layer);
	}
	for (i = 0; i < KCUCKOO_FAMILIES; i++) {
		index = kcuckoo_filter_length_index(filter, i);
		if (index)
			info->memory_bytes += kcuckoo_index_bytes(index);
	}
	if (filter->building)
		info->memory_bytes += kcuckoo_index_bytes(filter->building);
	if (filter->growth) {
		layer = container_of(filter->growth->to, struct kcuckoo_layer,
				     table);
		info->memory_bytes += kcuckoo_layer_bytes(layer);
	}
	info->entries_ipv4 = filter->entries[0];
	info->entries_ipv6 = filter->entries[1];
	info->entries = filter->entries[0] + filter->entries[1];
	info->searches = filter->searches;
	info->moves = filter->moves;
	info->growths = filter->growths;
	info->refused = filter->refused;
	spin_unlock_bh(&filter->lock);
}
