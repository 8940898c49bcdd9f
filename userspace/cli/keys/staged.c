// SPDX-License-Identifier: GPL-2.0-only
/*
 * A staged filter is built without a name, and then gets the name of a filter that it replaces,
 * or a new name.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "keys/batch.h"
#include "keys/length_counts.h"
#include "keys/staged.h"
#include "limit.h"
#include "message.h"

/* Prefix lengths of full addresses, by family: KCUCKOO_FAMILY_* - 1. */
static const int host_plens[2] = { 32, 128 };

/*
 * staged_measure() reserves more and more entries: each number is larger than the number before
 * by 1, plus the part 1 / ROOM_STEP. So the result is too small by at most this part.
 */
#define ROOM_STEP	512

/*
 * For a large table with 4 entries per bucket, the kernel adds a spare bucket to each 48
 * (KCUCKOO_LAYOUT_SPARE in kmod/core/layout.c). find_room() also finds the spare buckets of the
 * old table, and subtracts one part in ROOM_SPARE. Without the subtraction, the filter would grow
 * at each apply. A table is large if at least ROOM_LARGE members fit: 97 percent of the entries of
 * 65536 buckets.
 */
#define ROOM_LARGE	254279
#define ROOM_SPARE	50

/*
 * Reserve table entries for all keys of an exact filter, so that no table grows while the keys
 * are added.
 */
static void reserve_tables(const struct staged *staged,
			   const struct keyset *set)
{
	struct kcuckoo_prefix keys[256];
	struct length_counts counts = { { { 0 } } };
	size_t i, at, count;

	for (at = 0; (count = keyset_read(set, at, keys, 256)); at += count)
		for (i = 0; i < count; i++)
			length_counts_add(&counts, &keys[i]);
	length_counts_reserve(&counts, staged->cli, STAGED_NAME);
}

/*
 * Print that the keys do not fit into the staged filter. @info: its state. A filter with
 * the name need not exist if a configuration creates the filter. Return: -1.
 */
static int full_error(const struct staged *staged, const struct kcuckoo_ioc_info *info)
{
	struct kcuckoo_ioc_info old = { .size = sizeof(old) };
	bool managed = kcuckoo_info(staged->cli->handle, staged->name, &old) ||
		       old.info_flags & KCUCKOO_INFO_MANAGED;

	if (info->tag_bits)
		error("the keys do not fit into '%s', which has a capacity of %llu",
		      staged->name, info->capacity);
	else
		error("'%s' holds at most %llu members, and the result would have more",
		      staged->name, info->capacity);
	return limit_capacity_hint(staged->name, managed);
}

static int build_error(const struct staged *staged, int ret,
		       const struct kcuckoo_ioc_info *info)
{
	if (ret == -ENOSPC)
		full_error(staged, info);
	else
		filter_error(staged->cli, ret, staged->name, "rebuild");
	return error("nothing was changed");
}

static int add_keys(const struct staged *staged, struct batch *batch,
		    const struct collection *collection,
		    struct progress *progress, struct tally *tally)
{
	__u64 count = collection_count(collection);
	struct kcuckoo_counts result;
	int ret = 0;

	while (!ret && batch_read(batch, collection)) {
		ret = kcuckoo_add(staged->cli->handle, STAGED_NAME, 0,
				  &batch->keys, &result);
		tally_add(tally, batch, &result);
		progress_show(progress, tally->sum.done, count, tally->sum.done);
	}
	return ret;
}

int staged_add(struct staged *staged, const struct collection *collection,
	       struct progress *progress)
{
	struct kcuckoo_ioc_info info = { .size = sizeof(info) };
	struct tally tally = { .maybe_changed = 0 };
	struct cli *cli = staged->cli;
	struct batch batch;
	int ret;

	ret = kcuckoo_info(cli->handle, STAGED_NAME, &info);
	if (ret)
		return build_error(staged, ret, &info);
	progress_begin(progress, "adding");
	if (info.type == KCUCKOO_TYPE_INET && !info.tag_bits)
		reserve_tables(staged, &collection->keys);
	if (batch_init(&batch)) {
		batch_free(&batch);
		return -1;
	}
	ret = add_keys(staged, &batch, collection, progress, &tally);
	batch_free(&batch);
	progress_clear(progress);
	if (ret)
		return build_error(staged, ret, &info);
	if (tally_error(&tally, staged->name))
		return error("nothing was changed");
	if (!kcuckoo_info(cli->handle, STAGED_NAME, &info))
		length_counts_trim(cli, STAGED_NAME, tally.sum.added, &info);
	return 0;
}

bool staged_supported(struct cli *cli)
{
	struct kcuckoo_ioc_stats stats = { .size = sizeof(stats) };

	return kcuckoo_stats(cli->handle, &stats) ||
	       stats.features & KCUCKOO_FEATURE_STAGED;
}

/* Packets add members only to entries that were reserved. */
static int reserve_room(const struct staged *staged)
{
	int i, ret = 0;

	for (i = 0; i < 2 && !ret; i++)
		if (staged->room[i])
			ret = kcuckoo_reserve(staged->cli->handle, STAGED_NAME, i + 1,
					      host_plens[i], staged->room[i]);
	if (!ret)
		return 0;
	filter_error(staged->cli, ret, staged->name, "keep the reserved entries of");
	return error("nothing was changed");
}

static int create_error(const struct staged *staged, int ret, const char *what)
{
	if (ret == -EINVAL && !staged_supported(staged->cli))
		return hint(error("cannot %s '%s': the module is too old",
				  what, staged->name),
			    "install the same version of the command and the module");
	return filter_error(staged->cli, ret, staged->name, what);
}

/*
 * Write a snapshot of the filter @staged->name to @fd, and restore the snapshot as the staged
 * filter. Return: 0 or a negative errno. For an error in the snapshot or its file, set @why.
 */
static int copy_by_snapshot(const struct staged *staged, int fd, const char **why)
{
	struct kcuckoo *handle = staged->cli->handle;
	char name[KCUCKOO_NAME_SIZE] = STAGED_NAME;
	int ret = kcuckoo_save(handle, staged->name, fd, why);

	if (!ret && lseek(fd, 0, SEEK_SET) < 0)
		ret = -errno;
	return ret ? ret : kcuckoo_restore(handle, name, KCUCKOO_RESTORE_STAGED,
					   fd, why);
}

/*
 * Create an empty staged filter with tables as large as those of the filter @staged->name. The
 * module does not report which entries were reserved. So copy the filter by a snapshot, which
 * includes the tables, and flush the copy: a flush removes the members and keeps the tables.
 */
static int create_with_capacity(struct staged *staged, const char **why)
{
	int ret, fd = memfd_create("kcuckoo", MFD_CLOEXEC);

	if (fd < 0)
		return -errno;
	ret = copy_by_snapshot(staged, fd, why);
	close(fd);
	if (ret)
		return ret;
	staged->exists = true;
	return kcuckoo_flush(staged->cli->handle, STAGED_NAME);
}

int staged_create_empty(struct staged *staged,
			const struct kcuckoo_ioc_info *info)
{
	const char *why = NULL;
	int ret;

	staged_end(staged);
	if (info->hash == KCUCKOO_HASH_SIPHASH)
		ret = create_with_capacity(staged, &why);
	else
		ret = kcuckoo_create_staged_like(staged->cli->handle, staged->name);
	if (why)
		return error("cannot copy '%s' through a file in memory: %s",
			     staged->name, why);
	if (ret)
		return create_error(staged, ret, "create a filter like");
	staged->exists = true;
	staged->like = info->filter_id;
	return 0;
}

/*
 * Find how many full addresses of @family fit into the tables of the staged filter, which has no
 * members. A reservation for more members replaces the table, which changes the number of
 * entries.
 */
static __u64 find_room(const struct staged *staged, int family)
{
	struct kcuckoo *handle = staged->cli->handle;
	struct kcuckoo_ioc_info info = { .size = sizeof(info) };
	__u64 room = 0, next = 1, entries;

	if (kcuckoo_info(handle, STAGED_NAME, &info))
		return 0;
	entries = info.table_entries;
	while (next <= entries &&
	       !kcuckoo_reserve(handle, STAGED_NAME, family, host_plens[family - 1], next) &&
	       !kcuckoo_info(handle, STAGED_NAME, &info) && info.table_entries == entries) {
		room = next;
		next += 1 + next / ROOM_STEP;
	}
	if (info.bucket_size == 4 && room >= ROOM_LARGE)
		room -= room / ROOM_SPARE;
	return room;
}

int staged_measure(struct staged *staged, const struct kcuckoo_ioc_info *info)
{
	int i;

	if (staged_create_empty(staged, info))
		return error("nothing was changed");
	for (i = 0; i < 2; i++)
		staged->room[i] = find_room(staged, i + 1);
	staged_end(staged);
	return 0;
}

int staged_build_like(struct staged *staged, const struct kcuckoo_ioc_info *info,
		      const struct collection *collection,
		      struct progress *progress)
{
	int ret;

	/*
	 * If the filter @staged->name was replaced after the staged filter was created, the
	 * parameters of the two filters can differ.
	 */
	if (staged->exists && staged->like != info->filter_id)
		staged_end(staged);
	if (staged->exists)
		return 0;
	ret = kcuckoo_create_staged_like(staged->cli->handle, staged->name);
	if (ret)
		return create_error(staged, ret, "create a filter like");
	staged->exists = true;
	staged->like = info->filter_id;
	return reserve_room(staged) ? -1 : staged_add(staged, collection, progress);
}

int staged_build_new(struct staged *staged, struct kcuckoo_ioc_create *options,
		     const struct collection *collection,
		     struct progress *progress)
{
	int ret;

	staged_end(staged);
	ret = kcuckoo_create_staged(staged->cli->handle, options);
	if (ret)
		return create_error(staged, ret, "create");
	staged->exists = true;
	staged->like = 0;
	return reserve_room(staged) ? -1 : staged_add(staged, collection, progress);
}

int staged_replace(struct staged *staged, const struct kcuckoo_ioc_info *info)
{
	int ret = kcuckoo_replace_staged(staged->cli->handle, staged->name, info);

	if (ret == -ESTALE || ret == -ENOENT)
		return 1;
	if (ret) {
		filter_error(staged->cli, ret, staged->name, "replace");
		return error("nothing was changed");
	}
	staged->exists = false;
	return 0;
}

int staged_name(struct staged *staged, bool managed)
{
	int ret = kcuckoo_publish(staged->cli->handle, staged->name,
				  managed ? KCUCKOO_RENAME_MANAGED : 0);

	if (ret == -EEXIST)
		return 1;
	if (ret)
		return filter_error(staged->cli, ret, staged->name, "create");
	staged->exists = false;
	return 0;
}

void staged_end(struct staged *staged)
{
	if (staged->exists)
		kcuckoo_destroy(staged->cli->handle, STAGED_NAME);
	staged->exists = false;
}
