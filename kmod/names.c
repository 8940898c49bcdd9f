// SPDX-License-Identifier: GPL-2.0-only
/*
 * Operations of the device on filters as wholes.
 *
 * Arguments are checked in the order of their fields.
 */
#include <linux/err.h>
#include <linux/log2.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "device.h"

static bool kcuckoo_name_character(u8 c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || (c && strchr("_.:-", c));
}

/**
 * kcuckoo_name_valid() - is this a name?
 * @name: KCUCKOO_NAME_SIZE bytes
 *
 * Return: true if it is not empty, ends in time, has only the characters that
 * a name may have, and nothing but zeroes behind its end.
 */
bool kcuckoo_name_valid(const u8 *name)
{
	unsigned int length = strnlen((const char *)name, KCUCKOO_NAME_SIZE);
	unsigned int i;

	if (!length || length == KCUCKOO_NAME_SIZE)
		return false;
	for (i = 0; i < length; i++)
		if (!kcuckoo_name_character(name[i]))
			return false;
	return !memchr_inv(name + length, 0, KCUCKOO_NAME_SIZE - length);
}

static int kcuckoo_create_check(const struct kcuckoo_ioc_create *create)
{
	if (create->flags || !kcuckoo_name_valid(create->name))
		return -EINVAL;
	if (create->type == KCUCKOO_TYPE_BYTES ||
	    create->hash == KCUCKOO_HASH_SIPHASH)
		return -EOPNOTSUPP;
	if (create->type != KCUCKOO_TYPE_INET ||
	    create->hash > KCUCKOO_HASH_JHASH)
		return -EINVAL;
	if (create->bucket_size &&
	    (create->bucket_size > KCUCKOO_BUCKET_SIZE_MAX ||
	     !is_power_of_2(create->bucket_size)))
		return -EINVAL;
	if (memchr_inv(create->reserved, 0, sizeof(create->reserved)))
		return -EINVAL;
	if (!create->capacity || create->capacity > KCUCKOO_CAPACITY_MAX)
		return -EINVAL;
	return 0;
}

/**
 * kcuckoo_ioc_create() - KCUCKOO_IOC_CREATE
 * @net: the descriptor's namespace
 * @arg: struct kcuckoo_ioc_create
 *
 * Return: 0 or a negative errno, as <linux/kcuckoo.h> says.
 */
int kcuckoo_ioc_create(struct kcuckoo_net *net, union kcuckoo_argument *arg)
{
	const struct kcuckoo_ioc_create *create = &arg->create;
	unsigned int bucket_size = create->bucket_size;
	int err;

	err = kcuckoo_create_check(create);
	if (err)
		return err;
	if (!bucket_size)
		bucket_size = KCUCKOO_BUCKET_SIZE_DEFAULT;
	return kcuckoo_registry_create(net, create->name, create->type,
				       KCUCKOO_HASH_JHASH, ilog2(bucket_size),
				       create->capacity);
}

/**
 * kcuckoo_ioc_destroy() - KCUCKOO_IOC_DESTROY
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
	return kcuckoo_registry_destroy(net, destroy->name);
}

/**
 * kcuckoo_ioc_rename() - KCUCKOO_IOC_RENAME
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
	return kcuckoo_registry_rename(net, rename->name, rename->new_name);
}

/**
 * kcuckoo_ioc_swap() - KCUCKOO_IOC_SWAP
 * @net: the descriptor's namespace
 * @arg: struct kcuckoo_ioc_swap
 *
 * Return: 0 or a negative errno, as <linux/kcuckoo.h> says.
 */
int kcuckoo_ioc_swap(struct kcuckoo_net *net, union kcuckoo_argument *arg)
{
	const struct kcuckoo_ioc_swap *swap = &arg->swap;

	if (swap->flags || !kcuckoo_name_valid(swap->name) ||
	    !kcuckoo_name_valid(swap->with))
		return -EINVAL;
	return kcuckoo_registry_swap(net, swap->name, swap->with);
}

/**
 * kcuckoo_ioc_replace() - KCUCKOO_IOC_REPLACE
 * @net: the descriptor's namespace
 * @arg: struct kcuckoo_ioc_replace
 *
 * Return: 0 or a negative errno, as <linux/kcuckoo.h> says.
 */
int kcuckoo_ioc_replace(struct kcuckoo_net *net, union kcuckoo_argument *arg)
{
	const struct kcuckoo_ioc_replace *replace = &arg->replace;

	if (replace->flags || !kcuckoo_name_valid(replace->name) ||
	    !kcuckoo_name_valid(replace->with))
		return -EINVAL;
	return kcuckoo_registry_replace(net, replace->name, replace->with);
}

/**
 * kcuckoo_ioc_flush() - KCUCKOO_IOC_FLUSH
 * @net: the descriptor's namespace
 * @arg: struct kcuckoo_ioc_flush
 *
 * Return: 0 or a negative errno, as <linux/kcuckoo.h> says.
 */
int kcuckoo_ioc_flush(struct kcuckoo_net *net, union kcuckoo_argument *arg)
{
	const struct kcuckoo_ioc_flush *flush = &arg->flush;
	struct kcuckoo_filter *filter;

	if (flush->flags || !kcuckoo_name_valid(flush->name))
		return -EINVAL;
	filter = kcuckoo_registry_filter(net, flush->name, NULL);
	if (IS_ERR(filter))
		return PTR_ERR(filter);
	kcuckoo_filter_flush(filter);
	kcuckoo_filter_put(filter);
	return 0;
}

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

/**
 * kcuckoo_ioc_reserve() - KCUCKOO_IOC_RESERVE
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
	filter = kcuckoo_registry_filter(net, reserve->name, NULL);
	if (IS_ERR(filter))
		return PTR_ERR(filter);
	if (reserve->count)
		err = kcuckoo_filter_reserve(filter,
					     kcuckoo_layer_index(reserve->family,
								 reserve->plen),
					     reserve->count);
	kcuckoo_filter_put(filter);
	return err;
}

/**
 * kcuckoo_ioc_compact() - KCUCKOO_IOC_COMPACT
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
	filter = kcuckoo_registry_filter(net, compact->name, NULL);
	if (IS_ERR(filter))
		return PTR_ERR(filter);
	err = kcuckoo_filter_compact(filter);
	kcuckoo_filter_put(filter);
	return err;
}

/**
 * kcuckoo_ioc_info() - KCUCKOO_IOC_INFO
 * @net: the descriptor's namespace
 * @arg: struct kcuckoo_ioc_info
 *
 * Return: 0 or a negative errno, as <linux/kcuckoo.h> says.
 */
int kcuckoo_ioc_info(struct kcuckoo_net *net, union kcuckoo_argument *arg)
{
	struct kcuckoo_ioc_info *info = &arg->info;
	struct kcuckoo_filter *filter;

	if (info->flags || !kcuckoo_name_valid(info->name) || info->reserved)
		return -EINVAL;
	memset_after(info, 0, name);
	filter = kcuckoo_registry_filter(net, info->name, &info->rules);
	if (IS_ERR(filter))
		return PTR_ERR(filter);
	kcuckoo_filter_info(filter, info);
	kcuckoo_filter_put(filter);
	return 0;
}

/**
 * kcuckoo_ioc_list() - KCUCKOO_IOC_LIST
 * @net: the descriptor's namespace
 * @arg: struct kcuckoo_ioc_list
 *
 * Return: 0 or a negative errno, as <linux/kcuckoo.h> says.
 */
int kcuckoo_ioc_list(struct kcuckoo_net *net, union kcuckoo_argument *arg)
{
	struct kcuckoo_ioc_list *list = &arg->list;
	struct kcuckoo_list_entry *entries;
	unsigned int room;
	int err = 0;

	if (list->flags || list->count > KCUCKOO_BATCH_MAX)
		return -EINVAL;
	room = min(list->count, kcuckoo_registry_list(net, NULL, 0));
	entries = kvcalloc(room, sizeof(*entries), GFP_KERNEL_ACCOUNT);
	if (!entries)
		return -ENOMEM;
	list->total = kcuckoo_registry_list(net, entries, room);
	if (copy_to_user(u64_to_user_ptr(list->entries), entries,
			 min(room, list->total) * sizeof(*entries)))
		err = -EFAULT;
	kvfree(entries);
	return err;
}

/**
 * kcuckoo_ioc_stats() - KCUCKOO_IOC_STATS
 * @net: the descriptor's namespace
 * @arg: struct kcuckoo_ioc_stats
 *
 * Return: 0 or a negative errno, as <linux/kcuckoo.h> says.
 */
int kcuckoo_ioc_stats(struct kcuckoo_net *net, union kcuckoo_argument *arg)
{
	struct kcuckoo_ioc_stats *stats = &arg->stats;

	if (stats->flags || stats->reserved)
		return -EINVAL;
	memset_after(stats, 0, flags);
	kcuckoo_registry_stats(net, stats);
	return 0;
}
