// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions save the members of kept filters at shutdown, and restore the members
 * at boot, see cmd/kept.h. A kept filter has no lists: programs, users or packets add
 * its members.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/folders.h"
#include "cmd/kept.h"
#include "keys/staged.h"
#include "message.h"
#include "snapshot_file.h"

/* Maximum number of further names for snapshots of a filter, see keep_other_version(). */
#define VERSIONS_MAX	99

static int snapshot_path(const struct cli *cli, const char *name,
			 char path[FOLDERS_PATH])
{
	char file[KCUCKOO_NAME_SIZE + 4];

	snprintf(file, sizeof(file), "%s.kcf", name);
	return state_path(cli, file, path);
}

static bool is_kept(const struct config_filter *filter)
{
	return filter->keep && !filter->lists.count;
}

/* Return: 1 if the filter exists, 0 if not, or -1 after an error message. */
static int exists(struct cli *cli, const char *name)
{
	struct kcuckoo_ioc_info info = { .size = sizeof(info) };
	int ret = kcuckoo_info(cli->handle, name, &info);

	if (ret && ret != -ENOENT)
		return filter_error(cli, ret, name, "read the state of");
	return !ret;
}

/*
 * Rename the damaged snapshot @path, so that the next boot does not fail again. Do not
 * delete the snapshot, because the user can possibly recover some members.
 */
static void rename_damaged(const char *path)
{
	char new_path[FOLDERS_PATH + sizeof(".damaged")];

	snprintf(new_path, sizeof(new_path), "%s.damaged", path);
	if (!rename(path, new_path))
		hint(-1, "the file is renamed to %s", new_path);
}

static bool is_same_file(const char *path, const char *other)
{
	struct stat a, b;

	return !stat(path, &a) && !stat(other, &b) && a.st_dev == b.st_dev &&
	       a.st_ino == b.st_ino;
}

/*
 * Give the snapshot @path, whose format version is not read, a second name: 'kcuckoo down
 * --save' replaces the file under its first name. The first name stays, because the version of
 * kcuckoo that saved the file looks for it if it runs again before that.
 */
static void keep_other_version(const char *path)
{
	char copy[FOLDERS_PATH + 24];
	int i, ret = -1;

	for (i = 1; ret && i <= VERSIONS_MAX; i++) {
		snprintf(copy, sizeof(copy), "%s.version%d", path, i);
		ret = link(path, copy);
		if (ret && errno != EEXIST)
			break;
		if (ret && is_same_file(path, copy))
			ret = 0;
	}
	if (ret)
		hint(-1, "the version of kcuckoo that saved the file can restore it, until 'kcuckoo down --save' replaces the file");
	else
		hint(-1, "the version of kcuckoo that saved the file can restore it, also from %s",
		     copy);
}

/* @name: out: the name in the snapshot. */
static int stage(struct cli *cli, int fd, const char *path,
		 char name[KCUCKOO_NAME_SIZE])
{
	const char *why;
	int ret;

	*name = 0;
	ret = kcuckoo_restore(cli->handle, name, KCUCKOO_RESTORE_STAGED, fd, &why);
	if (!ret)
		return 0;
	error("cannot restore from %s: %s", path, snapshot_error_text(ret, why));
	if (snapshot_has_other_version(ret, why))
		keep_other_version(path);
	else if (ret == -EBADMSG)
		rename_damaged(path);
	return -1;
}

/* @name: the name in the snapshot @path. */
static int publish(struct cli *cli, const struct config_filter *filter,
		   const char *path, const char *name)
{
	struct kcuckoo_ioc_info info = { .size = sizeof(info) };
	struct staged staged = { .cli = cli, .name = filter->name, .exists = true };
	int ret = kcuckoo_info(cli->handle, STAGED_NAME, &info);
	char text[KCUCKOO_NAME_SIZE * 4];

	if (strcmp(name, filter->name))
		ret = error("%s is a snapshot of the filter '%s', not of %s", path,
			    escape(name, strlen(name), text, sizeof(text)),
			    filter->name);
	else if (ret)
		ret = error("cannot read the state of the filter that was restored from %s: %s",
			    path, kcuckoo_strerror(ret));
	else if (info.type != filter->create.type)
		ret = error("the snapshot %s and the filter %s have different types",
			    path, filter->name);
	else
		ret = staged_name(&staged, true);
	if (ret > 0)
		error("another program created the filter %s, so %s is not restored",
		      filter->name, path);
	staged_end(&staged);
	if (!ret)
		say(cli, "%s: restored %llu %s", filter->name, info.members,
		    plural(info.members, "member", "members"));
	return ret ? -1 : 0;
}

/*
 * Return: 1; 0 if the filter exists already or has no snapshot; or -1 after an error
 * message.
 */
static int restore(struct cli *cli, const struct config_filter *filter)
{
	char path[FOLDERS_PATH], name[KCUCKOO_NAME_SIZE];
	int fd, ret = exists(cli, filter->name);

	if (ret)
		return ret < 0 ? -1 : 0;
	if (snapshot_path(cli, filter->name, path))
		return -1;
	fd = snapshot_open(path, O_NOFOLLOW);
	if (fd < 0)
		return fd == -ENOENT ? 0 : -1;
	ret = stage(cli, fd, path, name);
	close(fd);
	if (!ret)
		ret = publish(cli, filter, path, name);
	return ret ? -1 : 1;
}

int kept_restore(struct cli *cli, const struct config *config, size_t *failed)
{
	int restored = 0, ret;
	size_t i;

	for (i = 0; i < config->filter_count; i++) {
		const struct config_filter *filter = config->filters[i];

		if (!is_kept(filter))
			continue;
		ret = restore(cli, filter);
		if (ret < 0 && !exists(cli, filter->name))
			hint(-1, "filter %s begins without members", filter->name);
		*failed += ret < 0;
		restored += ret > 0;
	}
	return restored;
}

static int save(struct cli *cli, const char *name)
{
	char path[FOLDERS_PATH];
	int ret = exists(cli, name);

	if (ret <= 0)
		return ret;
	return snapshot_path(cli, name, path) || make_parents(path) ||
	       snapshot_save(cli, name, path) ? -1 : 0;
}

int kept_save(struct cli *cli, const struct config *config,
	      const struct config *saved)
{
	const struct config_filter *other;
	int ret = 0;
	size_t i;

	for (i = 0; i < config->filter_count; i++) {
		const char *name = config->filters[i]->name;

		other = config_filter(saved, name);
		if (!is_kept(config->filters[i]) || (other && is_kept(other)))
			continue;
		if (save(cli, name))
			ret = -1;
	}
	return ret;
}
