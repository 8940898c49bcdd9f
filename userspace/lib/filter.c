// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * These functions of libkcuckoo create, change, describe and list whole
 * filters, and get the statistics of the namespace.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "handle.h"

/*
 * Clear all fields of a structure that the kernel fills in, except @size, its first field.
 * @max_size: size of the structure in this version of the library. An older module does not
 * set the fields that it does not support, and rejects the structure if they are not zero.
 */
static void clear(void *argument, size_t max_size)
{
	__u32 size;

	memcpy(&size, argument, sizeof(size));
	if (size > max_size)
		size = max_size;
	if (size > sizeof(size))
		memset((char *)argument + sizeof(size), 0, size - sizeof(size));
}

KCUCKOO_PUBLIC int kcuckoo_create(struct kcuckoo *handle, const char *name,
				  struct kcuckoo_ioc_create *options)
{
	struct kcuckoo_ioc_create unlimited = {
		.size = sizeof(unlimited),
		.type = KCUCKOO_TYPE_INET,
		.capacity = KCUCKOO_CAPACITY_MAX,
	};
	int ret;

	if (!options)
		options = &unlimited;
	ret = kcuckoo_handle_name(options->name, name);
	return ret ? ret : kcuckoo_handle_call(handle, KCUCKOO_IOC_CREATE, options);
}

KCUCKOO_PUBLIC int kcuckoo_create_staged(struct kcuckoo *handle,
					 struct kcuckoo_ioc_create *options)
{
	struct kcuckoo_ioc_create unlimited = {
		.size = sizeof(unlimited),
		.type = KCUCKOO_TYPE_INET,
		.capacity = KCUCKOO_CAPACITY_MAX,
	};

	if (!options)
		options = &unlimited;
	options->flags |= KCUCKOO_CREATE_STAGED;
	return kcuckoo_create(handle, NULL, options);
}

KCUCKOO_PUBLIC int kcuckoo_create_staged_like(struct kcuckoo *handle,
					      const char *like)
{
	struct kcuckoo_ioc_create options = {
		.size = sizeof(options),
		.flags = KCUCKOO_CREATE_LIKE,
	};
	int ret = kcuckoo_handle_name(options.like, like);

	return ret ? ret : kcuckoo_create_staged(handle, &options);
}

KCUCKOO_PUBLIC int kcuckoo_create_like(struct kcuckoo *handle, const char *name,
				       const char *like)
{
	struct kcuckoo_ioc_create options = {
		.size = sizeof(options),
		.flags = KCUCKOO_CREATE_LIKE,
	};
	int ret = kcuckoo_handle_name(options.like, like);

	return ret ? ret : kcuckoo_create(handle, name, &options);
}

KCUCKOO_PUBLIC int kcuckoo_destroy(struct kcuckoo *handle, const char *name)
{
	return kcuckoo_handle_call_name(handle, KCUCKOO_IOC_DESTROY, name);
}

KCUCKOO_PUBLIC int kcuckoo_rename(struct kcuckoo *handle, const char *name,
				  const char *new_name)
{
	return kcuckoo_handle_call_names(handle, KCUCKOO_IOC_RENAME, name, new_name);
}

KCUCKOO_PUBLIC int kcuckoo_swap(struct kcuckoo *handle, const char *name,
				const char *other)
{
	return kcuckoo_handle_call_names(handle, KCUCKOO_IOC_SWAP, name, other);
}

KCUCKOO_PUBLIC int kcuckoo_replace(struct kcuckoo *handle, const char *name,
				   const char *other)
{
	return kcuckoo_handle_call_names(handle, KCUCKOO_IOC_REPLACE, name, other);
}

KCUCKOO_PUBLIC int kcuckoo_publish(struct kcuckoo *handle, const char *name,
				   unsigned int flags)
{
	struct kcuckoo_ioc_rename arg = {
		.size = sizeof(arg),
		.flags = flags,
	};
	int ret = kcuckoo_handle_name(arg.new_name, name);

	return ret ? ret : kcuckoo_handle_call(handle, KCUCKOO_IOC_RENAME, &arg);
}

KCUCKOO_PUBLIC int kcuckoo_replace_staged(struct kcuckoo *handle,
					  const char *name,
					  const struct kcuckoo_ioc_info *expected)
{
	struct kcuckoo_ioc_replace arg = { .size = sizeof(arg) };
	int ret = kcuckoo_handle_name(arg.name, name);

	if (expected) {
		arg.flags = KCUCKOO_REPLACE_IF_UNCHANGED;
		arg.filter_id = expected->filter_id;
		arg.changes = expected->changes;
	}
	return ret ? ret : kcuckoo_handle_call(handle, KCUCKOO_IOC_REPLACE, &arg);
}

KCUCKOO_PUBLIC int kcuckoo_merge(struct kcuckoo *handle, const char *name,
				 const char *from)
{
	return kcuckoo_handle_call_names(handle, KCUCKOO_IOC_MERGE, name, from);
}

KCUCKOO_PUBLIC int kcuckoo_flush(struct kcuckoo *handle, const char *name)
{
	return kcuckoo_handle_call_name(handle, KCUCKOO_IOC_FLUSH, name);
}

KCUCKOO_PUBLIC int kcuckoo_compact(struct kcuckoo *handle, const char *name)
{
	return kcuckoo_handle_call_name(handle, KCUCKOO_IOC_COMPACT, name);
}

KCUCKOO_PUBLIC int kcuckoo_reserve(struct kcuckoo *handle, const char *name,
				   unsigned int family, unsigned int plen,
				   __u64 count)
{
	struct kcuckoo_ioc_reserve arg = {
		.size = sizeof(arg),
		.family = family,
		.plen = plen,
		.count = count,
	};
	int ret = kcuckoo_handle_name(arg.name, name);

	if (family > UINT8_MAX || plen > UINT8_MAX)
		return -EINVAL;
	return ret ? ret : kcuckoo_handle_call(handle, KCUCKOO_IOC_RESERVE, &arg);
}

KCUCKOO_PUBLIC int kcuckoo_info(struct kcuckoo *handle, const char *name,
				struct kcuckoo_ioc_info *info)
{
	int ret;

	clear(info, sizeof(*info));
	ret = kcuckoo_handle_name(info->name, name);
	return ret ? ret : kcuckoo_handle_call(handle, KCUCKOO_IOC_INFO, info);
}

KCUCKOO_PUBLIC int kcuckoo_list(struct kcuckoo *handle,
				struct kcuckoo_list_entry **entries)
{
	return kcuckoo_handle_list(handle, KCUCKOO_IOC_LIST, sizeof(**entries),
				   (void **)entries);
}

KCUCKOO_PUBLIC int kcuckoo_stats(struct kcuckoo *handle,
				 struct kcuckoo_ioc_stats *stats)
{
	clear(stats, sizeof(*stats));
	return kcuckoo_handle_call(handle, KCUCKOO_IOC_STATS, stats);
}
