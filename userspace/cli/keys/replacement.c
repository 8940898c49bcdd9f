// SPDX-License-Identifier: GPL-2.0-only
/*
 * A replacement is a new filter that is built under a temporary name, and then
 * replaces an existing filter.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "keys/batch.h"
#include "keys/key_op.h"
#include "keys/length_counts.h"
#include "keys/replacement.h"
#include "message.h"
#include "signals.h"

/*
 * Write a snapshot of the filter to @fd, and restore it as a new filter. Set @why
 * to the text of an error in the snapshot or in its file; without a text, the
 * caller reports an errno as an error of the filter.
 */
static int copy_by_snapshot(struct replacement *replacement, int fd,
			    const char **why)
{
	struct kcuckoo *handle = replacement->cli->handle;
	int ret = kcuckoo_save(handle, replacement->name, fd, why);

	if (!ret && lseek(fd, 0, SEEK_SET) < 0)
		ret = -errno;
	return ret ? ret : kcuckoo_restore(handle, replacement->spare, 0, fd,
					   why);
}

/*
 * Create an empty filter with the reserved tables of the old one: packets add
 * members only to reserved tables. The module does not report reservations. So
 * copy the filter by a snapshot, which includes the tables, and flush the copy: a
 * flush removes the members and keeps the tables.
 */
static int create_with_capacity(struct replacement *replacement,
				const char **why)
{
	struct kcuckoo *handle = replacement->cli->handle;
	int ret, fd = memfd_create("kcuckoo", MFD_CLOEXEC);

	if (fd < 0)
		return -errno;
	ret = copy_by_snapshot(replacement, fd, why);
	close(fd);
	if (ret)
		return ret;
	ret = kcuckoo_flush(handle, replacement->spare);
	if (ret)
		kcuckoo_destroy(handle, replacement->spare);
	return ret;
}

int replacement_begin(struct replacement *replacement, struct cli *cli,
		      const char *name, const struct kcuckoo_ioc_info *info)
{
	const char *why = NULL;
	int ret;

	memset(replacement, 0, sizeof(*replacement));
	replacement->cli = cli;
	replacement->name = name;
	replacement->info = *info;
	signals_block(&replacement->signals);
	kcuckoo_temporary_name(replacement->spare);
	if (info->hash == KCUCKOO_HASH_SIPHASH)
		ret = create_with_capacity(replacement, &why);
	else
		ret = kcuckoo_create_like(cli->handle, replacement->spare,
					  name);
	if (!ret)
		return 0;
	signals_restore(&replacement->signals);
	if (why)
		return error("cannot copy '%s' through a file in memory: %s", name, why);
	return filter_error(cli, ret, name, "create a filter like");
}

static void reserve_tables(struct replacement *replacement,
			   const struct keyset *set)
{
	struct kcuckoo_prefix keys[256];
	struct length_counts counts = { { { 0 } } };
	size_t i, at, count;

	for (at = 0; (count = keyset_read(set, at, keys, 256)); at += count)
		for (i = 0; i < count; i++)
			length_counts_add(&counts, &keys[i]);
	length_counts_reserve(&counts, replacement->cli, replacement->spare);
}

static int replacement_error(struct replacement *replacement, int ret)
{
	if (ret == -ENOSPC)
		error("'%s' holds at most %llu members, and the result would have more",
		      replacement->name, replacement->info.capacity);
	else
		filter_error(replacement->cli, ret, replacement->name,
			     "rebuild");
	return error("nothing was changed");
}

int replacement_add(struct replacement *replacement, const struct keyset *set,
		    bool valued)
{
	const struct kcuckoo_ioc_info *info = &replacement->info;
	const struct collection collection = {
		.syntax.max_value = max_value(info),
		.syntax.timeouts = info->create_flags & KCUCKOO_CREATE_TIMEOUT,
		.valued = valued,
		.keys = *set,
	};
	struct batch batch;
	int ret;

	reserve_tables(replacement, set);
	ret = batch_init(&batch);
	while (!ret && batch_read(&batch, &collection)) {
		ret = kcuckoo_add(replacement->cli->handle, replacement->spare,
				  0, &batch.keys, NULL);
		if (ret)
			ret = replacement_error(replacement, ret);
	}
	batch_free(&batch);
	return ret;
}

int replacement_commit(struct replacement *replacement)
{
	struct kcuckoo *handle = replacement->cli->handle;
	int ret;

	ret = kcuckoo_info(handle, replacement->spare, &replacement->info);
	if (ret)
		return replacement_error(replacement, ret);
	trim_tables(replacement->cli, replacement->spare,
		    replacement->info.members, &replacement->info);
	ret = kcuckoo_replace(handle, replacement->name, replacement->spare);
	if (ret)
		return replacement_error(replacement, ret);
	*replacement->spare = 0;
	return 0;
}

void replacement_end(struct replacement *replacement)
{
	if (*replacement->spare)
		kcuckoo_destroy(replacement->cli->handle, replacement->spare);
	signals_restore(&replacement->signals);
}
