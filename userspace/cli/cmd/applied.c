// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions write, compare and read two copies of configurations: the configuration
 * that was applied last, and an unconfirmed configuration. A copy is a folder with the
 * files of the configuration.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/applied.h"
#include "cmd/folder_copy.h"
#include "cmd/folders.h"
#include "fetch/files.h"
#include "message.h"

/* Size in bytes of the buffer with which is_equal() reads a file. */
#define PIECE	4096

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static bool is_equal(const struct config_file *file, int folder, const char *name)
{
	int fd = openat(folder, name,
			O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	FILE *old = fd < 0 ? NULL : fdopen(fd, "r");
	size_t at = 0, length = 1;
	bool equal = old;
	char piece[PIECE];

	while (equal && length) {
		length = fread(piece, 1, PIECE, old);
		equal = length <= file->length - at &&
			!memcmp(piece, file->bytes + at, length);
		at += length;
	}
	if (old)
		fclose(old);
	return equal && at == file->length;
}

static int is_file(const struct dirent *entry)
{
	return *entry->d_name != '.';
}

static size_t count_files(const char *path)
{
	struct dirent **entries;
	int i, count = scandir(path, &entries, is_file, NULL);

	for (i = 0; i < count; i++)
		free(entries[i]);
	if (count >= 0)
		free(entries);
	return count < 0 ? 0 : count;
}

static bool is_kept(const char *path, const struct config *config)
{
	int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bool kept = folder >= 0;
	size_t i, count = 0;

	for (i = 0; kept && i < config->file_count; i++) {
		const struct config_file *file = &config->files[i];

		if (file->feeds)
			continue;
		kept = is_equal(file, folder, base_name(file->path));
		count++;
	}
	if (folder >= 0)
		close(folder);
	return kept && count_files(path) == count;
}

/*
 * Write the bytes that config_read() has checked, and do not read the file again, because
 * its content can have changed.
 */
static int copy_file(const struct config_file *file, int folder)
{
	struct file_update update;
	int ret = file_begin(&update, folder, base_name(file->path));

	if (ret)
		return ret;
	return file_finish(&update, file_write(update.fd, file->bytes,
					       file->length));
}

static int copy_files(const char *path, const struct config *config)
{
	int folder, ret = 0;
	size_t i;

	folder_remove(path);
	/*
	 * Only the owner may enter the folder, because URLs in the configuration can
	 * contain secrets, such as passwords.
	 */
	if (mkdir(path, 0700))
		return -errno;
	folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (folder < 0)
		return -errno;
	/*
	 * Do not copy the catalogue of feeds: read_copy() combines the copy with the
	 * installed catalogue.
	 */
	for (i = 0; !ret && i < config->file_count; i++)
		if (!config->files[i].feeds)
			ret = copy_file(&config->files[i], folder);
	if (!ret && fsync(folder))
		ret = -errno;
	close(folder);
	return ret;
}

static int keep_copy(const struct cli *cli, const char *name, const struct config *config)
{
	char path[FOLDERS_PATH], next[FOLDERS_PATH];
	int ret;

	if (state_path(cli, name, path) ||
	    state_path(cli, "applied.new", next) || make_parents(path))
		return -1;
	if (is_kept(path, config)) {
		/* Remove an incomplete folder that a killed process has left. */
		folder_remove(next);
		return 0;
	}
	ret = copy_files(next, config);
	if (!ret)
		ret = folder_replace(next, path);
	return ret ? error("cannot keep a copy of the configuration in %s: %s",
			   path, strerror(-ret)) : 0;
}

int applied_keep(const struct cli *cli, const struct config *config)
{
	return keep_copy(cli, APPLIED, config);
}

int applied_keep_unconfirmed(const struct cli *cli, const struct config *config)
{
	return keep_copy(cli, APPLIED_UNCONFIRMED, config);
}

bool applied_is_unconfirmed(const struct cli *cli, const struct config *config)
{
	char path[FOLDERS_PATH], other[FOLDERS_PATH];

	return has_folders(cli) && !state_path(cli, APPLIED, path) &&
	       !state_path(cli, APPLIED_UNCONFIRMED, other) &&
	       is_kept(other, config) && !is_kept(path, config);
}

bool applied_exists(const struct cli *cli)
{
	char path[FOLDERS_PATH];

	return has_folders(cli) && !state_path(cli, APPLIED, path) && !access(path, F_OK);
}

/* Mute warnings, because they would name files of the copy, which the user does not edit. */
static int read_copy(const struct cli *cli, const char *name, struct config *config)
{
	char path[FOLDERS_PATH];
	int ret;

	memset(config, 0, sizeof(*config));
	if (!has_folders(cli))
		return 1;
	if (state_path(cli, name, path))
		return -1;
	if (access(path, F_OK))
		return 1;
	warn_mute(true);
	ret = config_read(config, path, config_feeds_folder());
	warn_mute(false);
	return ret;
}

int applied_read(const struct cli *cli, struct config *config)
{
	return read_copy(cli, APPLIED, config);
}

int applied_read_unconfirmed(const struct cli *cli, struct config *config)
{
	return read_copy(cli, APPLIED_UNCONFIRMED, config);
}
