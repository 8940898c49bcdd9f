// SPDX-License-Identifier: GPL-2.0-only
/*
 * Implements the operations of the device on whole filters: create, destroy, rename, swap,
 * replace, flush, reserve, compact, merge, information, list, statistics.
 */
#include <linux/err.h>
#include <linux/log2.h>
#include <linux/random.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "compat.h"
#include "core/rate.h"
#include "dev/device.h"

/* Flags of KCUCKOO_IOC_CREATE that concern the name, and are not stored in the filter. */
#define KCUCKOO_CREATE_OF_NAME	(KCUCKOO_CREATE_STAGED | KCUCKOO_CREATE_MANAGED)

static bool kcuckoo_create_name_valid(const struct kcuckoo_ioc_create *create)
{
	if (create->flags & KCUCKOO_CREATE_STAGED)
		return kcuckoo_target_staged(create->name) &&
		       !(create->flags & KCUCKOO_CREATE_MANAGED);
	return kcuckoo_name_valid(create->name);
}

/*
 * With KCUCKOO_CREATE_LIKE the new filter gets all parameters from another filter, so all
 * parameters in the argument must be zero.
 */
static bool kcuckoo_create_like_valid(const struct kcuckoo_ioc_create *create)
{
	const struct kcuckoo_ioc_create like = { .size = create->size };

	return !(create->flags & ~(KCUCKOO_CREATE_LIKE | KCUCKOO_CREATE_OF_NAME)) &&
	       kcuckoo_name_valid(create->like) &&
	       !memcmp(&create->type, &like.type,
		       offsetof(struct kcuckoo_ioc_create, like) -
		       offsetof(struct kcuckoo_ioc_create, type));
}

/* Checks the fields of the argument that kcuckoo_config_check() does not check. */
static bool kcuckoo_create_valid(const struct kcuckoo_ioc_create *create)
{
	return create->hash <= KCUCKOO_HASH_SIPHASH &&
	       (!create->bucket_size || is_power_of_2(create->bucket_size)) &&
	       !(create->fpr && create->tag_bits) &&
	       !memchr_inv(create->reserved, 0, sizeof(create->reserved)) &&
	       !create->reserved2 &&
	       !memchr_inv(create->like, 0, sizeof(create->like));
}

/*
 * Checks the capacity of a filter of byte strings, whose members have to fit into one table.
 * The members of a filter of addresses can be in several tables, one for each prefix length,
 * so the function accepts every capacity.
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
 * Makes the config of a new filter and checks it. If the program has set a maximum rate
 * of false positives (@fpr), kcuckoo_rate_fit() chooses the number of bits of a tag, and
 * the bucket size if @bucket_size is 0.
 */
static int kcuckoo_create_config(const struct kcuckoo_ioc_create *create,
				 struct kcuckoo_config *config)
{
	unsigned int size = create->bucket_size;
	const struct kcuckoo_config requested = {
		.type = create->type,
		.traits = create->flags & ~KCUCKOO_CREATE_OF_NAME,
		.capacity = create->capacity,
		.fpr = create->fpr,
		.search_limit = create->search_limit ?: KCUCKOO_SEARCH_VISITS,
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

	*config = requested;
	err = kcuckoo_config_check(config);
	if (!err && create->fpr &&
	    !kcuckoo_rate_fit(&config->params, create->fpr, size,
			      create->capacity))
		err = -EINVAL;
	if (!err && !kcuckoo_create_fits(config))
		err = -EINVAL;
	return err;
}

/* Creates an empty filter with a new secret; @strong selects siphash. */
static struct kcuckoo_filter *
kcuckoo_create_new(struct kcuckoo_net *net, const struct kcuckoo_config *config,
		   bool strong)
{
	struct kcuckoo_filter *filter;
	struct kcuckoo_hash_key secret;

	get_random_bytes(&secret, sizeof(secret));
	secret.strong = strong;
	filter = kcuckoo_filter_create(net->account, config, &secret, true);
	memzero_explicit(&secret, sizeof(secret));
	return filter;
}

/*
 * Creates an empty filter with the config and the secret of the filter @like. Both filters
 * hash a key in the same way, which is necessary to merge the filters.
 */
static struct kcuckoo_filter *kcuckoo_create_like(struct kcuckoo_net *net,
						  const u8 *like)
{
	struct kcuckoo_filter *filter;
	struct kcuckoo_filter *other;

	other = kcuckoo_net_get_filter(net, like, NULL);
	if (IS_ERR(other))
		return other;
	filter = kcuckoo_filter_create(net->account, &other->config,
				       &other->secret, true);
	kcuckoo_filter_put(other);
	return filter;
}

/*
 * Creates a filter while no lock is held, because the allocation of a large table takes
 * long. If the lock of the namespace were held during this time, a process that holds RTNL
 * could wait for the lock, and all other processes that need RTNL would wait, too.
 */
static int kcuckoo_create_run(struct kcuckoo_descriptor *descriptor,
			      const struct kcuckoo_ioc_create *create,
			      const struct kcuckoo_config *config)
{
	bool staged = create->flags & KCUCKOO_CREATE_STAGED;
	struct kcuckoo_net *net = descriptor->net;
	struct kcuckoo_filter *filter;
	int err;

	err = staged ? kcuckoo_staged_check(descriptor) :
		       kcuckoo_net_check_name(net, create->name);
	if (err)
		return err;
	if (create->flags & KCUCKOO_CREATE_LIKE)
		filter = kcuckoo_create_like(net, create->like);
	else
		filter = kcuckoo_create_new(net, config, create->hash ==
						 KCUCKOO_HASH_SIPHASH);
	if (IS_ERR(filter))
		return PTR_ERR(filter);
	if (staged)
		err = kcuckoo_staged_set(descriptor, filter);
	else
		err = kcuckoo_net_publish_filter(net, create->name, filter,
						 create->flags &
						 KCUCKOO_CREATE_MANAGED);
	if (err)
		kcuckoo_filter_put(filter);
	return err;
}

/**
 * kcuckoo_ioc_create() - create an empty filter (KCUCKOO_IOC_CREATE)
 * @descriptor: the descriptor
 * @arg: struct kcuckoo_ioc_create
 *
 * Return: 0 or a negative errno, as documented in <linux/kcuckoo.h>.
 */
int kcuckoo_ioc_create(struct kcuckoo_descriptor *descriptor,
		       union kcuckoo_argument *arg)
{
	const struct kcuckoo_ioc_create *create = &arg->create;
	struct kcuckoo_config config;
	int err;

	if (!kcuckoo_create_name_valid(create))
		return -EINVAL;
	if (create->flags & KCUCKOO_CREATE_LIKE)
		err = kcuckoo_create_like_valid(create) ? 0 : -EINVAL;
	else if (kcuckoo_create_valid(create))
		err = kcuckoo_create_config(create, &config);
	else
		err = -EINVAL;
	return err ? err : kcuckoo_create_run(descriptor, create, &config);
}

/**
 * kcuckoo_ioc_destroy() - destroy a filter (KCUCKOO_IOC_DESTROY)
 * @descriptor: the descriptor
 * @arg: struct kcuckoo_ioc_destroy
 *
 * Return: 0 or a negative errno, as documented in <linux/kcuckoo.h>.
 */
int kcuckoo_ioc_destroy(struct kcuckoo_descriptor *descriptor,
			union kcuckoo_argument *arg)
{
	const struct kcuckoo_ioc_destroy *destroy = &arg->destroy;

	if (destroy->flags || !kcuckoo_target_valid(destroy->name))
		return -EINVAL;
	if (kcuckoo_target_staged(destroy->name))
		return kcuckoo_staged_destroy(descriptor);
	return kcuckoo_net_destroy_filter(descriptor->net, destroy->name);
}

/**
 * kcuckoo_ioc_rename() - give a filter another name (KCUCKOO_IOC_RENAME)
 * @descriptor: the descriptor
 * @arg: struct kcuckoo_ioc_rename
 *
 * Return: 0 or a negative errno, as documented in <linux/kcuckoo.h>.
 */
int kcuckoo_ioc_rename(struct kcuckoo_descriptor *descriptor,
		       union kcuckoo_argument *arg)
{
	const struct kcuckoo_ioc_rename *rename = &arg->rename;
	bool managed = rename->flags & KCUCKOO_RENAME_MANAGED;
	bool staged = kcuckoo_target_staged(rename->name);

	if (rename->flags & ~(staged ? KCUCKOO_RENAME_MANAGED : 0U) ||
	    !kcuckoo_target_valid(rename->name) ||
	    !kcuckoo_name_valid(rename->new_name))
		return -EINVAL;
	if (staged)
		return kcuckoo_staged_publish(descriptor, rename->new_name,
					      managed);
	return kcuckoo_net_rename_filter(descriptor->net, rename->name,
					 rename->new_name);
}

/**
 * kcuckoo_ioc_swap() - exchange the filters of two names (KCUCKOO_IOC_SWAP)
 * @net: the descriptor's namespace
 * @arg: struct kcuckoo_ioc_swap
 *
 * Return: 0 or a negative errno, as documented in <linux/kcuckoo.h>.
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
 * @descriptor: the descriptor
 * @arg: struct kcuckoo_ioc_replace
 *
 * Return: 0 or a negative errno, as documented in <linux/kcuckoo.h>.
 */
int kcuckoo_ioc_replace(struct kcuckoo_descriptor *descriptor,
			union kcuckoo_argument *arg)
{
	const struct kcuckoo_ioc_replace *replace = &arg->replace;
	const struct kcuckoo_expected condition = {
		.id = replace->filter_id,
		.changes = replace->changes,
	};
	bool conditional = replace->flags & KCUCKOO_REPLACE_IF_UNCHANGED;
	const struct kcuckoo_expected *expected = conditional ? &condition : NULL;

	if (replace->flags & ~KCUCKOO_REPLACE_IF_UNCHANGED ||
	    !kcuckoo_name_valid(replace->name) ||
	    !kcuckoo_target_valid(replace->other))
		return -EINVAL;
	if (!conditional && (replace->filter_id || replace->changes))
		return -EINVAL;
	if (kcuckoo_target_staged(replace->other))
		return kcuckoo_staged_replace(descriptor, replace->name,
					      expected);
	return kcuckoo_net_replace_filter(descriptor->net, replace->name,
					  replace->other, expected);
}

/*
 * Waits until the name of a superseded filter has its new filter. A conditional
 * replacement sets kcuckoo_filter.superseded, so that the old filter accepts no further
 * change, and holds the lock of the namespace until the name has the new filter. Returns
 * -ESTALE, so that the caller repeats its work; or -EINTR if a fatal signal is pending.
 */
static int kcuckoo_superseded_wait(struct kcuckoo_net *net)
{
	if (fatal_signal_pending(current))
		return -EINTR;
	mutex_lock(&net->lock);
	mutex_unlock(&net->lock);
	return -ESTALE;
}

/**
 * kcuckoo_ioc_flush() - remove all members of a filter (KCUCKOO_IOC_FLUSH)
 * @descriptor: the descriptor
 * @arg: struct kcuckoo_ioc_flush
 *
 * Return: 0 or a negative errno, as documented in <linux/kcuckoo.h>.
 */
int kcuckoo_ioc_flush(struct kcuckoo_descriptor *descriptor,
		      union kcuckoo_argument *arg)
{
	const struct kcuckoo_ioc_flush *flush = &arg->flush;
	struct kcuckoo_filter *filter;
	int err;

	if (flush->flags || !kcuckoo_target_valid(flush->name))
		return -EINVAL;
	do {
		filter = kcuckoo_target_get(descriptor, flush->name, NULL);
		if (IS_ERR(filter))
			return PTR_ERR(filter);
		err = kcuckoo_filter_flush(filter);
		kcuckoo_filter_put(filter);
		if (err == -ESTALE)
			err = kcuckoo_superseded_wait(descriptor->net);
	} while (err == -ESTALE);
	return err;
}

static bool kcuckoo_reserve_valid(const struct kcuckoo_ioc_reserve *reserve)
{
	unsigned int bits = reserve->family == KCUCKOO_FAMILY_IPV4 ? 32 : 128;

	return !reserve->flags && kcuckoo_target_valid(reserve->name) &&
	       (reserve->family == KCUCKOO_FAMILY_IPV4 ||
		reserve->family == KCUCKOO_FAMILY_IPV6) &&
	       reserve->plen <= bits &&
	       !memchr_inv(reserve->reserved, 0, sizeof(reserve->reserved)) &&
	       reserve->count <= KCUCKOO_CAPACITY_MAX;
}

/*
 * In an exact filter, some prefix lengths of IPv6 have two layers: one for prefixes in
 * 2000::/3 and one for all other prefixes. Nearly all IPv6 networks are in 2000::/3, so the
 * entries are reserved in the layer for 2000::/3.
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
 * @descriptor: the descriptor
 * @arg: struct kcuckoo_ioc_reserve
 *
 * Return: 0 or a negative errno, as documented in <linux/kcuckoo.h>.
 */
int kcuckoo_ioc_reserve(struct kcuckoo_descriptor *descriptor,
			union kcuckoo_argument *arg)
{
	const struct kcuckoo_ioc_reserve *reserve = &arg->reserve;
	struct kcuckoo_filter *filter;
	int err = 0;

	if (!kcuckoo_reserve_valid(reserve))
		return -EINVAL;
	filter = kcuckoo_target_get(descriptor, reserve->name, NULL);
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
 * @descriptor: the descriptor
 * @arg: struct kcuckoo_ioc_compact
 *
 * Return: 0 or a negative errno, as documented in <linux/kcuckoo.h>.
 */
int kcuckoo_ioc_compact(struct kcuckoo_descriptor *descriptor,
			union kcuckoo_argument *arg)
{
	const struct kcuckoo_ioc_compact *compact = &arg->compact;
	struct kcuckoo_filter *filter;
	int err;

	if (compact->flags || !kcuckoo_target_valid(compact->name))
		return -EINVAL;
	filter = kcuckoo_target_get(descriptor, compact->name, NULL);
	if (IS_ERR(filter))
		return PTR_ERR(filter);
	err = kcuckoo_filter_compact(filter);
	kcuckoo_filter_put(filter);
	return err;
}

/* Merges once. Returns -ESTALE if the filter @merge->name was superseded. */
static int kcuckoo_merge_run(struct kcuckoo_descriptor *descriptor,
			     const struct kcuckoo_ioc_merge *merge)
{
	struct kcuckoo_filter *filter;
	struct kcuckoo_filter *from;
	int err = -EINVAL;

	filter = kcuckoo_target_get(descriptor, merge->name, NULL);
	if (IS_ERR(filter))
		return PTR_ERR(filter);
	from = kcuckoo_target_get(descriptor, merge->from, NULL);
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
 * kcuckoo_ioc_merge() - add all keys of a filter to another filter (KCUCKOO_IOC_MERGE)
 * @descriptor: the descriptor
 * @arg: struct kcuckoo_ioc_merge
 *
 * Return: 0 or a negative errno, as documented in <linux/kcuckoo.h>.
 */
int kcuckoo_ioc_merge(struct kcuckoo_descriptor *descriptor,
		      union kcuckoo_argument *arg)
{
	const struct kcuckoo_ioc_merge *merge = &arg->merge;
	int err;

	if (merge->flags || !kcuckoo_target_valid(merge->name) ||
	    !kcuckoo_target_valid(merge->from))
		return -EINVAL;
	do {
		err = kcuckoo_merge_run(descriptor, merge);
		if (err == -ESTALE)
			err = kcuckoo_superseded_wait(descriptor->net);
	} while (err == -ESTALE);
	return err;
}

/**
 * kcuckoo_ioc_info() - get the parameters and the state of a filter (KCUCKOO_IOC_INFO)
 * @descriptor: the descriptor
 * @arg: struct kcuckoo_ioc_info
 *
 * Return: 0 or a negative errno, as documented in <linux/kcuckoo.h>.
 */
int kcuckoo_ioc_info(struct kcuckoo_descriptor *descriptor,
		     union kcuckoo_argument *arg)
{
	struct kcuckoo_ioc_info *info = &arg->info;
	struct kcuckoo_filter *filter;

	if (info->flags || !kcuckoo_target_valid(info->name))
		return -EINVAL;
	memset_after(info, 0, name);
	filter = kcuckoo_target_get(descriptor, info->name, info);
	if (IS_ERR(filter))
		return PTR_ERR(filter);
	kcuckoo_filter_info(filter, info);
	kcuckoo_net_get_packet_stats(descriptor->net, info);
	kcuckoo_filter_put(filter);
	return 0;
}

/**
 * kcuckoo_ioc_list() - list the names that have a filter (KCUCKOO_IOC_LIST)
 * @net: the descriptor's namespace
 * @arg: struct kcuckoo_ioc_list
 *
 * Return: 0 or a negative errno, as documented in <linux/kcuckoo.h>.
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
	/* Repeat with a larger array if names were added since the last count. */
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
	u64 features = KCUCKOO_FEATURE_RULES_PIN_MODULE |
		       KCUCKOO_FEATURE_STAGED | KCUCKOO_FEATURE_WAIT |
		       KCUCKOO_FEATURE_EVENTS | KCUCKOO_FEATURE_LOG;

	if (IS_ENABLED(CONFIG_NETFILTER_INGRESS))
		features |= KCUCKOO_FEATURE_INGRESS;
	if (!KCUCKOO_KFUNCS)
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
 * Return: 0 or a negative errno, as documented in <linux/kcuckoo.h>.
 */
int kcuckoo_ioc_stats(struct kcuckoo_net *net, union kcuckoo_argument *arg)
{
	struct kcuckoo_ioc_stats *stats = &arg->stats;

	if (stats->flags)
		return -EINVAL;
	memset_after(stats, 0, flags);
	kcuckoo_net_get_stats(net, stats);
	stats->rules = kcuckoo_rules_list(net, NULL, NULL, 0, false);
	stats->version = KCUCKOO_VERSION(0, 6, 0);
	stats->features = kcuckoo_features();
	return 0;
}
