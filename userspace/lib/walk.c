// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * These functions of libkcuckoo list the members of an exact filter.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "handle.h"

/*
 * Minimum number of unused elements of the arrays that kcuckoo_members() passes to a call of
 * the kernel: with this number, the fixed cost of a call is negligible.
 */
#define STEP	4096

KCUCKOO_PUBLIC int kcuckoo_walk(struct kcuckoo *handle, const char *name,
				struct kcuckoo_cursor *cursor,
				const struct kcuckoo_members *members,
				size_t *done)
{
	struct kcuckoo_ioc_walk arg = {
		.size = sizeof(arg),
		.cursor = *cursor,
		.keys = (uintptr_t)members->keys,
		.count = members->count < KCUCKOO_BATCH_MAX ?
			 members->count : KCUCKOO_BATCH_MAX,
		.values = (uintptr_t)members->values,
		.timeouts = (uintptr_t)members->timeouts,
	};
	int ret = kcuckoo_handle_name(arg.name, name);

	*done = 0;
	if (!ret)
		ret = kcuckoo_handle_call(handle, KCUCKOO_IOC_WALK, &arg);
	if (ret)
		return ret;
	*cursor = arg.cursor;
	*done = arg.done;
	return arg.state;
}

static int resize_numbers(uint32_t **numbers, size_t count)
{
	uint32_t *larger = reallocarray(*numbers, count, sizeof(*larger));

	if (!larger)
		return -ENOMEM;
	*numbers = larger;
	return 0;
}

static int members_reserve(struct kcuckoo_members *members, size_t count,
			   const struct kcuckoo_ioc_info *info)
{
	struct kcuckoo_prefix *keys;

	keys = reallocarray(members->keys, count, sizeof(*keys));
	if (!keys)
		return -ENOMEM;
	members->keys = keys;
	if (info->value_bits && resize_numbers(&members->values, count))
		return -ENOMEM;
	if (info->create_flags & KCUCKOO_CREATE_TIMEOUT &&
	    resize_numbers(&members->timeouts, count))
		return -ENOMEM;
	return 0;
}

/* Return: the elements of the arrays after the first @count. @capacity: size of the arrays. */
static struct kcuckoo_members remaining(const struct kcuckoo_members *members,
					size_t count, size_t capacity)
{
	return (struct kcuckoo_members){
		.keys = members->keys + count,
		.values = members->values ? members->values + count : NULL,
		.timeouts = members->timeouts ? members->timeouts + count : NULL,
		.count = capacity - count,
	};
}

/* Return: KCUCKOO_WALK_END, KCUCKOO_WALK_RESTART or -errno. */
static int members_walk(struct kcuckoo *handle, const char *name,
			const struct kcuckoo_ioc_info *info,
			struct kcuckoo_members *members, size_t *capacity)
{
	struct kcuckoo_cursor cursor = { .move_seq = 0 };
	struct kcuckoo_members rest;
	size_t done;
	int state;

	members->count = 0;
	do {
		/* Grow by a half, so that the total cost of copying is linear. */
		if (*capacity - members->count < STEP) {
			*capacity += *capacity / 2 + STEP;
			if (members_reserve(members, *capacity, info))
				return -ENOMEM;
		}
		rest = remaining(members, members->count, *capacity);
		state = kcuckoo_walk(handle, name, &cursor, &rest, &done);
		members->count += done;
	} while (state == KCUCKOO_WALK_MORE);
	return state;
}

KCUCKOO_PUBLIC int kcuckoo_members(struct kcuckoo *handle, const char *name,
				   struct kcuckoo_members *members)
{
	struct kcuckoo_ioc_info info = { .size = sizeof(info) };
	int restarts, ret;
	size_t capacity;

	memset(members, 0, sizeof(*members));
	ret = kcuckoo_info(handle, name, &info);
	if (ret)
		return ret;
	/*
	 * Allocate memory for all members at once, so that the walk needs few
	 * calls. An add between two calls can force the walk to begin again.
	 */
	capacity = info.members + STEP;
	ret = members_reserve(members, capacity, &info);
	for (restarts = 0; !ret && restarts < KCUCKOO_MEMBERS_RESTARTS;
	     restarts++) {
		ret = members_walk(handle, name, &info, members, &capacity);
		if (ret == KCUCKOO_WALK_END)
			return 0;
		if (ret == KCUCKOO_WALK_RESTART)
			ret = 0;
	}
	kcuckoo_members_free(members);
	return ret ? ret : -EAGAIN;
}

KCUCKOO_PUBLIC void kcuckoo_members_free(struct kcuckoo_members *members)
{
	free(members->keys);
	free(members->values);
	free(members->timeouts);
	memset(members, 0, sizeof(*members));
}
