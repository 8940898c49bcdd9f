// SPDX-License-Identifier: GPL-2.0-only
/*
 * kcuckoo: a filter that is built aside, to take the place of another at once
 */
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "keys/aside.h"
#include "keys/batch.h"
#include "keys/request.h"
#include "keys/room.h"
#include "message.h"
#include "signals.h"

/*
 * Write a snapshot of the filter to @fd, and make another one from it. @why: what is
 * wrong with the file, or NULL: an errno of it would be worded as one of a filter.
 */
static int copy_through(struct aside *aside, int fd, const char **why)
{
	struct kcuckoo *handle = aside->cli->handle;
	int ret = kcuckoo_save(handle, aside->name, fd, why);

	if (!ret && lseek(fd, 0, SEEK_SET) < 0)
		ret = -errno;
	return ret ? ret : kcuckoo_restore(handle, aside->spare, 0, fd, why);
}

/*
 * What packets add goes where somebody made room, and that must be there afterwards, too.
 * Of which family it is no call tells; a snapshot has it, and flushing leaves it.
 */
static int create_roomy(struct aside *aside, const char **why)
{
	struct kcuckoo *handle = aside->cli->handle;
	int ret, fd = memfd_create("kcuckoo", MFD_CLOEXEC);

	if (fd < 0)
		return -errno;
	ret = copy_through(aside, fd, why);
	close(fd);
	if (ret)
		return ret;
	ret = kcuckoo_flush(handle, aside->spare);
	if (ret)
		kcuckoo_destroy(handle, aside->spare);
	return ret;
}

int aside_begin(struct aside *aside, struct cli *cli, const char *name,
		const struct kcuckoo_ioc_info *info)
{
	const char *why = NULL;
	int ret;

	memset(aside, 0, sizeof(*aside));
	aside->cli = cli;
	aside->name = name;
	aside->info = *info;
	signals_hold(&aside->signals);
	kcuckoo_temporary_name(aside->spare);
	if (info->hash == KCUCKOO_HASH_SIPHASH)
		ret = create_roomy(aside, &why);
	else
		ret = kcuckoo_create_like(cli->handle, aside->spare, name);
	if (!ret)
		return 0;
	signals_release(&aside->signals);
	if (why)
		return error("cannot copy '%s' through a file in memory: %s", name, why);
	return filter_error(cli, ret, name, "make a filter like");
}

static void make_room(struct aside *aside, const struct keyset *set)
{
	struct kcuckoo_prefix keys[256];
	struct room room = { { { 0 } } };
	size_t i, at, count;

	for (at = 0; (count = keyset_read(set, at, keys, 256)); at += count)
		for (i = 0; i < count; i++)
			room_count(&room, &keys[i]);
	room_make(&room, aside->cli, aside->spare);
}

static int aside_error(struct aside *aside, int ret)
{
	if (ret == -ENOSPC)
		error("'%s' takes no more than %llu members, and there would be more",
		      aside->name, aside->info.capacity);
	else
		filter_error(aside->cli, ret, aside->name, "build anew");
	return error("nothing was changed");
}

int aside_add(struct aside *aside, const struct keyset *set, bool valued)
{
	const struct kcuckoo_ioc_info *info = &aside->info;
	const struct collection collection = {
		.form.most_value = most_value(info),
		.form.timeouts = info->create_flags & KCUCKOO_CREATE_TIMEOUT,
		.valued = valued,
		.keys = *set,
	};
	struct batch batch;
	int ret;

	make_room(aside, set);
	ret = batch_init(&batch);
	while (!ret && batch_read(&batch, &collection)) {
		ret = kcuckoo_add(aside->cli->handle, aside->spare, 0,
				  &batch.keys, NULL);
		if (ret)
			ret = aside_error(aside, ret);
	}
	batch_free(&batch);
	return ret;
}

int aside_take(struct aside *aside)
{
	struct kcuckoo *handle = aside->cli->handle;
	int ret;

	ret = kcuckoo_info(handle, aside->spare, &aside->info);
	if (ret)
		return aside_error(aside, ret);
	room_trim(aside->cli, aside->spare, aside->info.members, &aside->info);
	ret = kcuckoo_replace(handle, aside->name, aside->spare);
	if (ret)
		return aside_error(aside, ret);
	*aside->spare = 0;
	return 0;
}

void aside_end(struct aside *aside)
{
	if (*aside->spare)
		kcuckoo_destroy(aside->cli->handle, aside->spare);
	signals_release(&aside->signals);
}
