// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions replace files so that, after a crash or a power cut, each file has
 * its old or its new content.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fetch/files.h"

static void temporary_name(const char *name, char text[FILE_NAME + 8])
{
	snprintf(text, FILE_NAME + 8, ".%s.tmp", name);
}

int file_begin(struct file_update *update, int folder, const char *name)
{
	char temporary[FILE_NAME + 8];

	temporary_name(name, temporary);
	update->folder = folder;
	update->name = name;
	/*
	 * Never use an existing file: a file that a killed process left can
	 * belong to another user.
	 */
	if (unlinkat(folder, temporary, 0) && errno != ENOENT)
		return -errno;
	update->fd = openat(folder, temporary, O_RDWR | O_CREAT | O_EXCL |
			    O_NOFOLLOW | O_CLOEXEC, 0644);
	return update->fd < 0 ? -errno : 0;
}

int file_finish(struct file_update *update, int ret)
{
	char temporary[FILE_NAME + 8];

	temporary_name(update->name, temporary);
	/*
	 * Let all users read the file. apply runs as root, but can lack the
	 * capability to read files that only their owner can read.
	 */
	if (!ret && (fchmod(update->fd, 0644) || fsync(update->fd)))
		ret = -errno;
	if (close(update->fd) && !ret)
		ret = -errno;
	if (!ret && renameat(update->folder, temporary, update->folder, update->name))
		ret = -errno;
	if (ret)
		unlinkat(update->folder, temporary, 0);
	else if (fsync(update->folder))
		ret = -errno;
	return ret;
}

int file_write(int fd, const void *bytes, size_t length)
{
	const char *at = bytes;

	while (length) {
		ssize_t done = write(fd, at, length);

		if (done < 0 && errno != EINTR)
			return -errno;
		if (done > 0) {
			at += done;
			length -= done;
		}
	}
	return 0;
}

int file_remove(int folder, const char *name)
{
	if (!unlinkat(folder, name, 0))
		return fsync(folder) ? -errno : 0;
	return errno == ENOENT ? 0 : -errno;
}

int file_replace(const char *path, const void *bytes, size_t length)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	char *parent = slash ? strndup(path, slash - path + 1) : strdup(".");
	struct file_update update = { .fd = -1 };
	int folder, ret;

	if (!parent)
		return -ENOMEM;
	folder = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ret = folder < 0 ? -errno : 0;
	free(parent);
	if (!ret && (!*name || strlen(name) >= FILE_NAME))
		ret = *name ? -ENAMETOOLONG : -EISDIR;
	if (!ret)
		ret = file_begin(&update, folder, name);
	if (!ret)
		ret = file_finish(&update, file_write(update.fd, bytes, length));
	if (folder >= 0)
		close(folder);
	return ret;
}
