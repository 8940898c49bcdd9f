// SPDX-License-Identifier: GPL-2.0-only
/*
 * Operations of the device on whole filters: create, destroy, rename, swap, replace,
 * flush, reserve, compact, merge, information, list, statistics.
 *
 * device.c calls the kcuckoo_ioc_*() functions. Each checks its argument, and calls net/ or
 * filter/, which take the locks.
 */
#include <linux/err.h>
#include <linux/log2.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "compat.h"
#include "core/rate.h"
#include "dev/device.h"

/*
 * Checks the argument of a create with KCUCKOO_CREATE_LIKE, which takes all parameters
 * from another filter: every other parameter in the argument must be zero.
 */
static bool kcuckoo_create_like_valid(const struct kcuckoo_ioc_create *create)
{
	const struct kcuckoo_ioc_create like = { .size = create->size };

	return create->flags == KCUCKOO_CREATE_LIKE &&
	       kcuckoo_name_valid(create->like) &&
	       !memcmp(&create->type, &like.type,
		       offsetof(struct kcuckoo_ioc_create, like) -
		       offsetof(struct kcuckoo_ioc_create, type));
}

/* Checks the fields of a create that kcuckoo_config_check() does not check. */
static bool kcuckoo_create_valid(const struct kcuckoo_ioc_create *create)
{
	return kcuckoo_name_valid(create->name) &&
	       create->hash <= KCUCKOO_HASH_SIPHASH &&
	       (!create->bucket_size || is_power_of_2(create->bucket_size)) &&
	       !(create->fpr && create->tag_bits) &&
	       !memchr_inv(create->reserved, 0, sizeof(create->reserved)) &&
	       !create->reserved2 &&
	       !memchr_inv(create->like, 0, sizeof(create->like));
}

/*
 * Checks whether the largest possible table has room for the capacity of a filter of byte
 * strings, which has only one table. A filter of addresses always passes: it has a table
 * for each prefix length.
 */
static bool kcuckoo_create_fits(const struct kcuckoo_config *config)
{
	struct kcuckoo_layout layout;

	if (config->type != KCUCKOO_TYPE_BYTES)
		return true;
	kcuckoo_layout_fit(&layout, &config->params, 0, config->capacity);
	return kcuckoo_layout_room(&layout) >= config->capacity;
}

/*
 * Makes the config of a new filter and checks it. If the program has set a maximum rate of
 * false positives (@fpr), kcuckoo_rate_fit() chooses the bits of a tag and, unless the
 * program has set it, the bucket size.
 */
static int kcuckoo_create_config(const struct kcuckoo_ioc_create *create,
				 struct kcuckoo_config *config)
{
	unsigned int size = create->bucket_size;
	const struct kcuckoo_config asked = {
		.type = create->type,
		.traits = create->flags,
		.capacity = create->capacity,
		.fpr = create->fpr,
		.steps = create->search_limit ?: KCUCKOO_SEARCH_VISITS,
		.timeout = create->timeout,
		.params = {
			.bucket_shift = ilog2(size ?: KCUCKOO_BUCKET_SIZE_DEFAULT),
			.tag_bits = create->fpr ? KCUCKOO_FINGERPRINT_MAX :
						  create->tag_bits,
			.value_bits = create->value_bits,
			.expiry_bits = create->flags & KCUCKOO_CREATE_TIMEOUT ?
				       KCUCKOO_EXPIRY_BITS : 0,
			.exact = !create->fpr && !create->tag_bits,
			.sorted = create->flags & KCUCKOO_CREATE_SORTED,
		},
	};
	int err;

	*config = asked;
	err = kcuckoo_config_check(config);
	if (!err && create->fpr &&
	    !kcuckoo_rate_fit(&config->params, create->fpr, size,
			      create->capacity))
		err = -EINVAL;
	if (!err && !kcuckoo_create_fits(config))
		err = -EINVAL;
	return err;
}

/**
 * kcuckoo_ioc_create() - create an empty filter (KCUCKOO_IOC_CREATE)
 * @net: the descriptor's namespace
 * @arg: struct kcuckoo_ioc_create
 *
 * Return: 0 or a negative errno, as <linux/kcuckoo.h> says.
 */
int kcuckoo_ioc_create(struct kcuckoo_net *net, union kcuckoo_argument *arg)
{
	const struct kcuckoo_ioc_create *create = &arg->create;
	struct kcuckoo_config config;
	int err;

	if (create->flags & KCUCKOO_CREATE_LIKE) {
		if (!kcuckoo_name_valid(create->name) ||
		    !kcuckoo_create_like_valid(create))
			return -EINVAL;
		return kcuckoo_net_create_filter_like(net, create->name,
						      create->like);
	}
	if (!kcuckoo_create_valid(create))
		return -EINVAL;
	err = kcuckoo_create_config(create, &config);
	if (err)
		return err;
	return kcuckoo_net_create_filter(net, create->name, &config,
					 create->hash == KCUCKOO_HASH_SIPHASH);
}

/**
 * kcuckoo_ioc_destroy() - destroy a filter (KCUCKOO_IOC_DESTROY)
 * @net: the descriptor's namespace
 * @arg: struct kcuckoo_ioc_destroy
 *
 * Return: 0 or a negative errno, as <linux/kcuckoo.h> says.
 */
int kcuckoo_ioc_destroy(struct kcuckoo_net *net, union kcuckoo_argument *arg)
{
	const struct kcuckoo_ioc_destroy *destroy = &arg->destroy;

	if (destroy->flags || !kcuckoo_name_valid(destroy->name))
		return -EINVAL;
	return kcuckoo_net_destroy_filter(net, destroy->name);
}

/**
 * kcuckoo_ioc_rename() - give a filter another name (KCUCKOO_IOC_RENAME)
 * @net: the descriptor's namespace
 * @arg: struct kcuckoo_ioc_rename
 *
 * Return: 0 or a negative errno, as <linux/kcuckoo.h> says.
 */
int kcuckoo_ioc_rename(struct kcuckoo_net *net, union kcuckoo_argument *arg)
{
	const struct kcuckoo_ioc_rename *rename = &arg->rename;

	if (rename->flags || !kcuckoo_name_valid(rename->name) ||
	    !kcuckoo_name_valid(rename->new_name))
		return -EINVAL;
	return kcuckoo_net_rename_filter(net, rename->name, rename->new_name);
}

/**
 * kcuckoo_ioc_swap() - exchange the filters of two names (KCUCKOO_IOC_SWAP)
 * @net: the descriptor's namespace
 * @arg: struct kcuckoo_ioc_swap
 *
 * Return: 0 or a negative errno, as <linux/kcuckoo.h> says.
 */
int kcuckoo_ioc_swap(struct kcuckoo_net *net, union kcuckoo_argument *arg)
{
	const struct kcuckoo_ioc_swap *swap = &arg->swap;

	if (swap->flags || !kcuckoo_name_valid(swap->name) ||
	    !kcuckoo_name_valid(swap->other))
		return -EINVAL;
	return kcuckoo_net_swap_filters(net, swap->name, swap->other);
}

/**
 * kcuckoo_ioc_replace() - replace the filter of a name (KCUCKOO_IOC_REPLACE)
 * @net: the descriptor's namespace
 * @arg: struct kcuckoo_ioc_replace
 *
 * Return: 0 or a negative errno, as <linux/kcuckoo.h> says.
 */
int kcuckoo_ioc_replace(struct kcuckoo_net *net, union kcuckoo_argument *arg)
{
	const struct kcuckoo_ioc_replace *replace = &arg->replace;

	if (replace->flags || !kcuckoo_name_valid(replace->name) ||
	    !kcuckoo_name_valid(replace->other))
		return -EINVAL;
	return kcuckoo_net_replace_filter(net, replace->name, replace->other);
}

/**
 * kcuckoo_ioc_flush() - remove all members of a filter (KCUCKOO_IOC_FLUSH)
 * @net: the descriptor's namespace
 * @arg: struct kcuckoo_ioc_flush
 *
 * Return: 0 or a negative errno, as <linux/kcuckoo.h> says.
 */
int kcuckoo_ioc_flush(struct kcuckoo_net *net, union kcuckoo_argument *arg)
{
	const struct kcuckoo_ioc_flush *flush = &arg->flush;
	struct kcuckoo_filter *filter;
	int err;

	if (flush->flags || !kcuckoo_name_valid(flush->name))
		return -EINVAL;
	filter = kcuckoo_net_get_filter(net, flush->name, NULL);
	if (IS_ERR(filter))
		return PTR_ERR(filter);
	err = kcuckoo_filter_flush(filter);
	kcuckoo_filter_put(filter);
	return err;
}

/* Checks the fields of a reserve. */
static bool kcuckoo_reserve_valid(const struct kcuckoo_ioc_reserve *reserve)
{
	unsigned int bits = reserve->family == KCUCKOO_FAMILY_IPV4 ? 32 : 128;

	return !reserve->flags && kcuckoo_name_valid(reserve->name) &&
	       (reserve->family == KCUCKOO_FAMILY_IPV4 ||
		reserve->family == KCUCKOO_FAMILY_IPV6) &&
	       reserve->plen <= bits &&
	       !memchr_inv(reserve->reserved, 0, sizeof(reserve->reserved)) &&
	       reserve->count <= KCUCKOO_CAPACITY_MAX;
}

/*
 * Reserves entries in the layer of a family and prefix length. Some prefix lengths of
 * IPv6 have two layers: one for prefixes in 2000::/3 and one for all others. Nearly all
 * IPv6 networks are in 2000::/3, so the entries are reserved in the former.
 */
static int kcuckoo_reserve_layer(struct kcuckoo_filter *filter,
				 const struct kcuckoo_ioc_reserve *reserve)
{
	unsigned int index = kcuckoo_layer_index(reserve->family, reserve->plen,
						 kcuckoo_filter_exact(filter));

	return kcuckoo_filter_reserve(filter, index, reserve->count);
}

/**
 * kcuckoo_ioc_reserve() - reserve entries for a prefix length (KCUCKOO_IOC_RESERVE)
 * @net: the descriptor's namespace
 * @arg: struct kcuckoo_ioc_reserve
 *
 * Return: 0 or a negative errno, as <linux/kcuckoo.h> says.
 */
int kcuckoo_ioc_reserve(struct kcuckoo_net *net, union kcuckoo_argument *arg)
{
	const struct kcuckoo_ioc_reserve *reserve = &arg->reserve;
	struct kcuckoo_filter *filter;
	int err = 0;

	if (!kcuckoo_reserve_valid(reserve))
		return -EINVAL;
	filter = kcuckoo_net_get_filter(net, reserve->name, NULL);
	if (IS_ERR(filter))
		return PTR_ERR(filter);
	if (filter->config.type != KCUCKOO_TYPE_INET)
		err = -EOPNOTSUPP;
	else if (reserve->count)
		err = kcuckoo_reserve_layer(filter, reserve);
	kcuckoo_filter_put(filter);
	return err;
}

/**
 * kcuckoo_ioc_compact() - free memory that the members do not need (KCUCKOO_IOC_COMPACT)
 * @net: the descriptor's namespace
 * @arg: struct kcuckoo_ioc_compact
 *
 * Return: 0 or a negative errno, as <linux/kcuckoo.h> says.
 */
int kcuckoo_ioc_compact(struct kcuckoo_net *net, union kcuckoo_argument *arg)
{
	const struct kcuckoo_ioc_compact *compact = &arg->compact;
	struct kcuckoo_filter *filter;
	int err;

	if (compact->flags || !kcuckoo_name_valid(compact->name))
		return -EINVAL;
	filter = kcuckoo_net_get_filter(net, compact->name, NULL);
	if (IS_ERR(filter))
		return PTR_ERR(filter);
	err = kcuckoo_filter_compact(filter);
	kcuckoo_filter_put(filter);
	return err;
}

/**
 * kcuckoo_ioc_merge() - add all keys of a filter to another filter (KCUCKOO_IOC_MERGE)
 * @net: the descriptor's namespace
 * @arg: struct kcuckoo_ioc_merge
 *
 * Return: 0 or a negative errno, as <linux/kcuckoo.h> says.
 */
int kcuckoo_ioc_merge(struct kcuckoo_net *net, union kcuckoo_argument *arg)
{
	const struct kcuckoo_ioc_merge *merge = &arg->merge;
	struct kcuckoo_filter *filter;
	struct kcuckoo_filter *from;
	int err = -EINVAL;

	if (merge->flags || !kcuckoo_name_valid(merge->name) ||
	    !kcuckoo_name_valid(merge->from))
		return -EINVAL;
	filter = kcuckoo_net_get_filter(net, merge->name, NULL);
	if (IS_ERR(filter))
		return PTR_ERR(filter);
	from = kcuckoo_net_get_filter(net, merge->from, NULL);
	if (IS_ERR(from)) {
		kcuckoo_filter_put(filter);
		return PTR_ERR(from);
	}
	if (kcuckoo_filter_mergeable(filter, from))
		err = kcuckoo_filter_merge(filter, from);
	kcuckoo_filter_put(from);
	kcuckoo_filter_put(filter);
	return err;
}

/**
 * kcuckoo_ioc_info() - get the parameters and the state of a filter (KCUCKOO_IOC_INFO)
 * @net: the descriptor's namespace
 * @arg: struct kcuckoo_ioc_info
 *
 * Return: 0 or a negative errno, as <linux/kcuckoo.h> says.
 */
int kcuckoo_ioc_info(struct kcuckoo_net *net, union kcuckoo_argument *arg)
{
	struct kcuckoo_ioc_info *info = &arg->info;
	struct kcuckoo_filter *filter;

	if (info->flags || !kcuckoo_name_valid(info->name))
		return -EINVAL;
	memset_after(info, 0, name);
	filter = kcuckoo_net_get_filter(net, info->name, &info->rules);
	if (IS_ERR(filter))
		return PTR_ERR(filter);
	kcuckoo_filter_info(filter, info);
	kcuckoo_net_get_packet_stats(net, info);
	kcuckoo_filter_put(filter);
	return 0;
}

/**
 * kcuckoo_ioc_list() - list the names that have a filter (KCUCKOO_IOC_LIST)
 * @net: the descriptor's namespace
 * @arg: struct kcuckoo_ioc_list
 *
 * Return: 0 or a negative errno, as <linux/kcuckoo.h> says.
 */
int kcuckoo_ioc_list(struct kcuckoo_net *net, union kcuckoo_argument *arg)
{
	struct kcuckoo_ioc_list *list = &arg->list;
	struct kcuckoo_list_entry *entries = NULL;
	unsigned int capacity = 0;
	int err = 0;

	if (list->flags || list->count > KCUCKOO_BATCH_MAX)
		return -EINVAL;
	list->total = kcuckoo_net_list_filters(net, NULL, 0);
	/* Repeat with a larger array if names were added since they were counted. */
	while (capacity < min(list->count, list->total)) {
		kvfree(entries);
		capacity = min(list->count, list->total);
		entries = kvcalloc(capacity, sizeof(*entries), GFP_KERNEL_ACCOUNT);
		if (!entries)
			return -ENOMEM;
		list->total = kcuckoo_net_list_filters(net, entries, capacity);
	}
	if (copy_to_user(u64_to_user_ptr(list->entries), entries,
			 min(capacity, list->total) * sizeof(*entries)))
		err = -EFAULT;
	kvfree(entries);
	return err;
}

/* Returns the bits of enum kcuckoo_feature for this module on this kernel. */
static u64 kcuckoo_features(void)
{
	u64 features = KCUCKOO_FEATURE_RULES_PIN_MODULE;

	if (IS_ENABLED(CONFIG_NETFILTER_INGRESS))
		features |= KCUCKOO_FEATURE_INGRESS;
	if (!IS_ENABLED(CONFIG_BPF_SYSCALL))
		return features;
	if (kcuckoo_xdp_has_rxq())
		features |= KCUCKOO_FEATURE_XDP;
	return features | KCUCKOO_FEATURE_TC;
}

/**
 * kcuckoo_ioc_stats() - get the statistics of the namespace (KCUCKOO_IOC_STATS)
 * @net: the descriptor's namespace
 * @arg: struct kcuckoo_ioc_stats
 *
 * Return: 0 or a negative errno, as <linux/kcuckoo.h> says.
 */
int kcuckoo_ioc_stats(struct kcuckoo_net *net, union kcuckoo_argument *arg)
{
	struct kcuckoo_ioc_stats *stats = &arg->stats;

	if (stats->flags)
		return -EINVAL;
	memset_after(stats, 0, flags);
	kcuckoo_net_get_stats(net, stats);
	stats->rules = kcuckoo_rules_list(net, NULL, 0);
	stats->version = KCUCKOO_VERSION(0, 4, 0);
	stats->features = kcuckoo_features();
	return 0;
}
