// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * These functions of libkcuckoo save a filter to a file and restore it. A file has a header
 * and an image: the bytes that the kernel returns for KCUCKOO_IOC_SAVE, and takes for
 * KCUCKOO_IOC_RESTORE.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>

#include "snapshot.h"

/**
 * struct image - transfer of the image of a filter between a file and the
 *	kernel
 * @handle: the device
 * @name: name of the filter
 * @snapshot: header of the file
 * @done: number of bytes that were transferred so far
 */
struct image {
	struct kcuckoo *handle;
	const char *name;
	struct snapshot snapshot;
	__u64 done;
};

static long save_chunk(void *context, void *chunk, size_t size)
{
	struct image *image = context;
	struct kcuckoo_ioc_save arg = {
		.size = sizeof(arg),
		.offset = image->done,
		.buffer = (uintptr_t)chunk,
		.length = size,
	};
	int ret = kcuckoo_handle_name(arg.name, image->name);

	if (!ret)
		ret = kcuckoo_handle_call(image->handle, KCUCKOO_IOC_SAVE, &arg);
	if (ret)
		return ret;
	image->snapshot.bytes = arg.total;
	image->done += arg.done;
	return arg.done;
}

/*
 * End a save early. While the handle is open, the kernel keeps the snapshot until a call
 * reads up to the end of the snapshot. So read zero bytes at the end.
 */
static void save_give_up(struct image *image)
{
	image->done = image->snapshot.bytes;
	save_chunk(image, NULL, 0);
}

KCUCKOO_PUBLIC int kcuckoo_save(struct kcuckoo *handle, const char *name,
				int fd, const char **why)
{
	struct image image = { .handle = handle, .name = name };
	const char *reason;
	int ret;

	if (name)
		strncpy(image.snapshot.name, name,
			sizeof(image.snapshot.name) - 1);
	ret = kcuckoo_snapshot_write(fd, &image.snapshot, save_chunk, &image,
				     &reason);
	if (ret && image.snapshot.bytes)
		save_give_up(&image);
	if (why)
		*why = reason;
	return ret;
}

static int restore_chunk(void *context, const void *chunk, size_t length)
{
	struct image *image = context;
	struct kcuckoo_ioc_restore arg = {
		.size = sizeof(arg),
		.total = image->snapshot.bytes,
	};
	int ret = kcuckoo_handle_name(arg.name, image->name);

	while (length && !ret) {
		arg.offset = image->done;
		arg.buffer = (uintptr_t)chunk;
		arg.length = length;
		ret = kcuckoo_handle_call(image->handle, KCUCKOO_IOC_RESTORE, &arg);
		if (!ret && (!arg.done || arg.done > length))
			ret = -EIO;
		if (ret)
			break;
		image->done += arg.done;
		chunk = (const char *)chunk + arg.done;
		length -= arg.done;
	}
	return ret;
}

/*
 * End a restore early. While the handle is open, the kernel keeps the bytes of the
 * incomplete snapshot. After a request with a @total of 0, the kernel discards the bytes,
 * and returns EBADMSG.
 */
static void restore_give_up(struct image *image)
{
	struct kcuckoo_ioc_restore arg = { .size = sizeof(arg) };

	if (!kcuckoo_handle_name(arg.name, image->name))
		kcuckoo_handle_call(image->handle, KCUCKOO_IOC_RESTORE, &arg);
}

/*
 * Check that no filter has the name, so that the library does not read a long file in
 * vain. The kernel checks the name again when it creates the filter.
 */
static int check_free(struct kcuckoo *handle, const char *name)
{
	struct kcuckoo_ioc_info info = { .size = sizeof(info) };
	int ret = kcuckoo_info(handle, name, &info);

	if (ret == -ENOENT)
		return 0;
	return ret ? ret : -EEXIST;
}

/* Give the staged filter the name @name. Destroy the staged filter after an error. */
static int take_place(struct kcuckoo *handle, const char *name)
{
	int ret = kcuckoo_replace_staged(handle, name, NULL);

	if (ret == -ENOENT)
		ret = kcuckoo_publish(handle, name, 0);
	if (ret)
		kcuckoo_destroy(handle, NULL);
	return ret;
}

KCUCKOO_PUBLIC int kcuckoo_restore(struct kcuckoo *handle,
				   char name[KCUCKOO_NAME_SIZE],
				   unsigned int flags, int fd, const char **why)
{
	struct image image = { .handle = handle, .name = name };
	struct snapshot_reader reader;
	int ret;

	/* Callers read @why after any error. */
	if (why)
		*why = NULL;
	if (flags & ~(KCUCKOO_RESTORE_REPLACE | KCUCKOO_RESTORE_STAGED) ||
	    flags == (KCUCKOO_RESTORE_REPLACE | KCUCKOO_RESTORE_STAGED))
		return -EINVAL;
	ret = kcuckoo_snapshot_read_header(&reader, fd);
	if (!ret && !*name)
		memcpy(name, reader.snapshot.name, KCUCKOO_NAME_SIZE);
	/* For the kernel, an empty name means the staged filter. */
	if (!ret && !*name && !(flags & KCUCKOO_RESTORE_STAGED)) {
		reader.why = "the filter in it had no name when it was saved";
		ret = -EINVAL;
	}
	if (flags)
		image.name = NULL;
	else if (!ret)
		ret = check_free(handle, name);
	image.snapshot = reader.snapshot;
	if (!ret)
		ret = kcuckoo_snapshot_read_image(&reader, restore_chunk,
						  &image);
	if (ret && image.done)
		restore_give_up(&image);
	if (!ret && flags & KCUCKOO_RESTORE_REPLACE)
		ret = take_place(handle, name);
	if (why)
		*why = reader.why;
	return ret;
}
