// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * libkcuckoo: listing the members of a filter
 */
#include <errno.h>
#include <stdlib.h>

#include "handle.h"

KCUCKOO_PUBLIC int kcuckoo_walk(struct kcuckoo *handle, const char *name,
				struct kcuckoo_cursor *cursor,
				struct kcuckoo_prefix *keys, size_t room,
				size_t *done)
{
	struct kcuckoo_ioc_walk arg = {
		.size = sizeof(arg),
		.cursor = *cursor,
		.keys = (uintptr_t)keys,
		.count = room < KCUCKOO_BATCH_MAX ? room : KCUCKOO_BATCH_MAX,
	};
	int ret = handle_name(arg.name, name);

	*done = 0;
	if (!ret)
		ret = handle_call(handle, KCUCKOO_IOC_WALK, &arg);
	if (ret)
		return ret;
	*cursor = arg.cursor;
	*done = arg.done;
	return arg.state;
}

struct members {
	struct kcuckoo_prefix *keys;
	size_t count;
	size_t room;
};

/* Room for one more step; by halves, so that all copying stays linear. */
static int members_room(struct members *members)
{
	struct kcuckoo_prefix *larger;
	size_t room = members->room;

	if (room - members->count >= KCUCKOO_WALK_MIN)
		return 0;
	room += room / 2 + KCUCKOO_WALK_MIN;
	larger = realloc(members->keys, room * sizeof(*larger));
	if (!larger)
		return -ENOMEM;
	members->keys = larger;
	members->room = room;
	return 0;
}

/* One walk. Return: KCUCKOO_WALK_END or KCUCKOO_WALK_RESTART, or -errno. */
static int members_walk(struct kcuckoo *handle, const char *name,
			struct members *members)
{
	struct kcuckoo_cursor cursor = { .generation = 0 };
	size_t done;
	int state;

	members->count = 0;
	do {
		state = members_room(members);
		if (state)
			return state;
		state = kcuckoo_walk(handle, name, &cursor,
				     members->keys + members->count,
				     members->room - members->count, &done);
		members->count += done;
	} while (state == KCUCKOO_WALK_MORE);
	return state;
}

KCUCKOO_PUBLIC int kcuckoo_members(struct kcuckoo *handle, const char *name,
				   struct kcuckoo_prefix **keys, size_t *count)
{
	struct kcuckoo_ioc_info info = { .size = sizeof(info) };
	struct members members = { .keys = NULL };
	int restarts, ret;

	*keys = NULL;
	*count = 0;
	ret = kcuckoo_info(handle, name, &info);
	if (ret)
		return ret;
	/* In one step, if nothing is added meanwhile: fewest restarts. */
	members.room = info.entries + KCUCKOO_WALK_MIN;
	members.keys = calloc(members.room, sizeof(*members.keys));
	if (!members.keys)
		return -ENOMEM;

	for (restarts = 0; restarts < KCUCKOO_MEMBERS_RESTARTS; restarts++) {
		ret = members_walk(handle, name, &members);
		if (ret != KCUCKOO_WALK_RESTART)
			break;
		ret = -EAGAIN;
	}
	if (ret != KCUCKOO_WALK_END) {
		free(members.keys);
		return ret;
	}
	*keys = members.keys;
	*count = members.count;
	return 0;
}
