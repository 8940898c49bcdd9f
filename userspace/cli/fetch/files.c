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
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fetch/files.h"

/* Maximum number of processes that can replace the same file at the same time. */
#define WRITERS		16

/*
 * The name of a temporary file contains at most this number of bytes of the name of the
 * file. If these bytes are the same for two files, file_begin() tries further temporary names.
 */
#define TEMPORARY_STEM	200

static void temporary_name(struct file_update *update, int number)
{
	if (number)
		snprintf(update->temporary, sizeof(update->temporary), ".%.*s.%d.tmp",
			 TEMPORARY_STEM, update->name, number);
	else
		snprintf(update->temporary, sizeof(update->temporary), ".%.*s.tmp",
			 TEMPORARY_STEM, update->name);
}

/* Return: 0; -EEXIST if the temporary file exists; or another negative errno. */
static int create_temporary(struct file_update *update)
{
	struct stat st;
	int fd, ret = 0;

	/*
	 * Never use an existing file: a file that a killed process left can
	 * belong to another user.
	 */
	fd = openat(update->folder, update->temporary, O_RDWR | O_CREAT | O_EXCL |
		    O_NOFOLLOW | O_CLOEXEC, 0644);
	if (fd < 0)
		return -errno;
	/*
	 * Before this process has the lock, another process can take the file for a
	 * leftover, and remove it.
	 */
	if (flock(fd, LOCK_EX | LOCK_NB))
		ret = errno == EWOULDBLOCK ? -EEXIST : -errno;
	else if (fstat(fd, &st))
		ret = -errno;
	else if (!st.st_nlink)
		ret = -EEXIST;
	if (ret)
		close(fd);
	else
		update->fd = fd;
	return ret;
}

/*
 * Remove the temporary file if no process holds its lock, as after its process was killed.
 * Only the holder of the lock removes or renames the file. So if @temporary is the name of
 * the locked file after flock(), it stays the name until unlinkat().
 */
static void remove_leftover(const struct file_update *update)
{
	struct stat opened, named;
	int fd = openat(update->folder, update->temporary,
			O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0)
		return;
	if (!flock(fd, LOCK_EX | LOCK_NB) && !fstat(fd, &opened) &&
	    !fstatat(update->folder, update->temporary, &named, AT_SYMLINK_NOFOLLOW) &&
	    opened.st_dev == named.st_dev && opened.st_ino == named.st_ino)
		unlinkat(update->folder, update->temporary, 0);
	close(fd);
}

int file_begin(struct file_update *update, int folder, const char *name)
{
	int number, ret = -EEXIST;

	update->folder = folder;
	update->name = name;
	for (number = 0; ret == -EEXIST && number < WRITERS; number++) {
		temporary_name(update, number);
		ret = create_temporary(update);
		if (ret == -EEXIST) {
			remove_leftover(update);
			ret = create_temporary(update);
		}
	}
	return ret == -EEXIST ? -EBUSY : ret;
}

int file_finish(struct file_update *update, int ret)
{
	/*
	 * Let all users read the file. apply runs as root, but can lack the
	 * capability to read files that only their owner can read.
	 */
	if (!ret && (fchmod(update->fd, 0644) || fsync(update->fd) ||
		     renameat(update->folder, update->temporary, update->folder,
			      update->name)))
		ret = -errno;
	if (ret)
		unlinkat(update->folder, update->temporary, 0);
	else if (fsync(update->folder))
		ret = -errno;
	/* Close the file last, because this releases its lock. */
	close(update->fd);
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
	if (!ret && !*name)
		ret = -EISDIR;
	if (!ret)
		ret = file_begin(&update, folder, name);
	if (!ret)
		ret = file_finish(&update, file_write(update.fd, bytes, length));
	if (folder >= 0)
		close(folder);
	return ret;
}
