// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions replace, duplicate and remove folders that have only files, see
 * cmd/folder_copy.h.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/folder_copy.h"
#include "cmd/folders.h"

void folder_remove(const char *path)
{
	DIR *folder = opendir(path);
	struct dirent *entry;

	while (folder && (entry = readdir(folder)))
		if (unlinkat(dirfd(folder), entry->d_name, 0) &&
		    strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
			unlinkat(dirfd(folder), entry->d_name, AT_REMOVEDIR);
	if (folder)
		closedir(folder);
	else
		unlink(path);
	rmdir(path);
}

static int sync_parent(const char *path)
{
	char parent[FOLDERS_PATH];
	int folder, ret = 0;

	snprintf(parent, sizeof(parent), "%s", path);
	*strrchr(parent, '/') = 0;
	folder = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (folder < 0 || fsync(folder))
		ret = -errno;
	if (folder >= 0)
		close(folder);
	return ret;
}

int folder_replace(const char *from, const char *to)
{
	if (!renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_EXCHANGE)) {
		folder_remove(from);
		return sync_parent(to);
	}
	if (errno != ENOENT)
		folder_remove(to);
	return rename(from, to) ? -errno : sync_parent(to);
}

static int link_files(DIR *from, int to)
{
	struct dirent *entry;

	while ((entry = readdir(from)))
		if (*entry->d_name != '.' &&
		    linkat(dirfd(from), entry->d_name, to, entry->d_name, 0))
			return -errno;
	return fsync(to) ? -errno : 0;
}

int folder_link(const char *from, const char *to)
{
	DIR *old = opendir(from);
	int new, ret = old || errno == ENOENT ? 0 : -errno;

	folder_remove(to);
	if (!ret && mkdir(to, 0700))
		ret = -errno;
	new = ret ? -1 : open(to, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (!ret && new < 0)
		ret = -errno;
	if (!ret && old)
		ret = link_files(old, new);
	if (new >= 0)
		close(new);
	if (old)
		closedir(old);
	return ret;
}
