// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * libkcuckoo: operations on whole filters
 */
#include <errno.h>
#include <stdlib.h>

#include "handle.h"

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
	ret = handle_name(options->name, name);
	return ret ? ret : handle_call(handle, KCUCKOO_IOC_CREATE, options);
}

KCUCKOO_PUBLIC int kcuckoo_destroy(struct kcuckoo *handle, const char *name)
{
	struct kcuckoo_ioc_destroy arg = { .size = sizeof(arg) };
	int ret = handle_name(arg.name, name);

	return ret ? ret : handle_call(handle, KCUCKOO_IOC_DESTROY, &arg);
}

KCUCKOO_PUBLIC int kcuckoo_rename(struct kcuckoo *handle, const char *name,
				  const char *new_name)
{
	struct kcuckoo_ioc_rename arg = { .size = sizeof(arg) };
	int ret = handle_name(arg.name, name);

	if (!ret)
		ret = handle_name(arg.new_name, new_name);
	return ret ? ret : handle_call(handle, KCUCKOO_IOC_RENAME, &arg);
}

KCUCKOO_PUBLIC int kcuckoo_swap(struct kcuckoo *handle, const char *name,
				const char *with)
{
	struct kcuckoo_ioc_swap arg = { .size = sizeof(arg) };
	int ret = handle_name(arg.name, name);

	if (!ret)
		ret = handle_name(arg.with, with);
	return ret ? ret : handle_call(handle, KCUCKOO_IOC_SWAP, &arg);
}

KCUCKOO_PUBLIC int kcuckoo_replace(struct kcuckoo *handle, const char *name,
				   const char *with)
{
	struct kcuckoo_ioc_replace arg = { .size = sizeof(arg) };
	int ret = handle_name(arg.name, name);

	if (!ret)
		ret = handle_name(arg.with, with);
	return ret ? ret : handle_call(handle, KCUCKOO_IOC_REPLACE, &arg);
}

KCUCKOO_PUBLIC int kcuckoo_flush(struct kcuckoo *handle, const char *name)
{
	struct kcuckoo_ioc_flush arg = { .size = sizeof(arg) };
	int ret = handle_name(arg.name, name);

	return ret ? ret : handle_call(handle, KCUCKOO_IOC_FLUSH, &arg);
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
	int ret = handle_name(arg.name, name);

	if (family > UINT8_MAX || plen > UINT8_MAX)
		return -EINVAL;
	return ret ? ret : handle_call(handle, KCUCKOO_IOC_RESERVE, &arg);
}

KCUCKOO_PUBLIC int kcuckoo_compact(struct kcuckoo *handle, const char *name)
{
	struct kcuckoo_ioc_compact arg = { .size = sizeof(arg) };
	int ret = handle_name(arg.name, name);

	return ret ? ret : handle_call(handle, KCUCKOO_IOC_COMPACT, &arg);
}

KCUCKOO_PUBLIC int kcuckoo_info(struct kcuckoo *handle, const char *name,
				struct kcuckoo_ioc_info *info)
{
	int ret;

	info->flags = 0;
	ret = handle_name(info->name, name);
	return ret ? ret : handle_call(handle, KCUCKOO_IOC_INFO, info);
}

KCUCKOO_PUBLIC int kcuckoo_list(struct kcuckoo *handle,
				struct kcuckoo_list_entry **entries)
{
	struct kcuckoo_ioc_list arg = { .size = sizeof(arg) };
	struct kcuckoo_list_entry *room = NULL, *larger;
	int ret;

	*entries = NULL;
	for (;;) {
		arg.entries = (uintptr_t)room;
		ret = handle_call(handle, KCUCKOO_IOC_LIST, &arg);
		if (ret)
			break;
		if (arg.total <= arg.count) {
			*entries = room;
			return arg.total;
		}
		/* New ones may come between two calls. */
		arg.count = arg.total + 16;
		larger = realloc(room, arg.count * sizeof(*room));
		if (!larger) {
			ret = -ENOMEM;
			break;
		}
		room = larger;
	}
	free(room);
	return ret;
}

KCUCKOO_PUBLIC int kcuckoo_stats(struct kcuckoo *handle,
				 struct kcuckoo_ioc_stats *stats)
{
	stats->flags = 0;
	return handle_call(handle, KCUCKOO_IOC_STATS, stats);
}
