// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions find, create and lock the folders in which lists are kept.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fetch/state.h"
#include "message.h"

/* Default folders, see state.h. */
#define STATE		"/var/lib/kcuckoo"
#define CACHE		"/var/cache/kcuckoo"

#define PATH		STATE_PATH

static const char *folder_of(const char *variable, const char *usual)
{
	const char *path = getenv(variable);

	return path && *path ? path : usual;
}

static int lists_path(char path[PATH])
{
	return snprintf(path, PATH, "%s/lists", folder_of("KCUCKOO_STATE", STATE)) <
	       PATH ? 0 : -ENAMETOOLONG;
}

static int append_netns(char path[PATH], const char *netns)
{
	size_t length = strlen(path);

	if (strchr(netns, '/') || *netns == '.')
		return -EINVAL;
	return snprintf(path + length, PATH - length, "/netns/%s", netns) <
	       (int)(PATH - length) ? 0 : -ENAMETOOLONG;
}

static int open_folder(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

/*
 * Open a folder, and create it if it is missing. If the folder belongs to root, give it to
 * @user, unless @user is NULL. With a @user, the parent folder must belong to root, so that
 * no other user can put a link in place of the folder.
 */
static int make_folder(const char *path, mode_t mode, const struct passwd *user)
{
	struct stat st;
	int fd;

	if (mkdir(path, mode) && errno != EEXIST)
		return error("cannot create the folder %s: %s", path, strerror(errno));
	fd = open_folder(path);
	if (fd < 0)
		return error("cannot open the folder %s: %s", path, strerror(-fd));
	if (user && !fstat(fd, &st) && !st.st_uid &&
	    fchown(fd, user->pw_uid, user->pw_gid)) {
		error("cannot give the folder %s to the user " FILES_USER ": %s",
		      path, strerror(errno));
		close(fd);
		return -1;
	}
	return fd;
}

static int open_lock(int folder)
{
	return openat(folder, ".lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
}

/* Only its owner can open the lock file, so that no other user can hold the lock. */
static int take_lock(struct state *state)
{
	state->lock = open_lock(state->lists);
	/*
	 * If root created the file before the user _kcuckoo existed, _kcuckoo cannot
	 * open the file. In this case, create the file again.
	 */
	if (state->lock < 0 && errno == EACCES && !unlinkat(state->lists, ".lock", 0))
		state->lock = open_lock(state->lists);
	if (state->lock < 0)
		return error("cannot lock the folder of lists: %s", strerror(errno));
	if (!flock(state->lock, LOCK_EX | LOCK_NB))
		return 0;
	if (errno == EWOULDBLOCK)
		return error("another kcuckoo fetches or accepts lists at this moment");
	return error("cannot lock the folder of lists: %s", strerror(errno));
}

/*
 * Make @user the user of this process. If @user is NULL, only make sure that this process
 * gains no privileges when it executes a program.
 */
static int drop_privileges(const struct passwd *user)
{
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return error("cannot give up privileges: %s", strerror(errno));
	/* setresuid() of root to another user also clears all capabilities. */
	if (user && (setgroups(0, NULL) ||
		     setresgid(user->pw_gid, user->pw_gid, user->pw_gid) ||
		     setresuid(user->pw_uid, user->pw_uid, user->pw_uid)))
		return error("cannot change to the user " FILES_USER ": %s",
			     strerror(errno));
	return 0;
}

/*
 * Open the folders of lists and of the cache, and create missing ones. Give folders that
 * belong to root to @user, unless @user is NULL. @path: out: path of the folder of lists.
 */
static int open_folders(struct state *state, const struct passwd *user,
			char path[PATH])
{
	const char *parent = folder_of("KCUCKOO_STATE", STATE);

	if (lists_path(path) ||
	    snprintf(state->cache_path, PATH, "%s",
		     folder_of("KCUCKOO_CACHE", CACHE)) >= PATH)
		return error("the path of a folder of lists is too long");
	if (mkdir(parent, 0755) && errno != EEXIST)
		return error("cannot create the folder %s: %s", parent,
			     strerror(errno));
	state->lists = make_folder(path, 0755, user);
	if (state->lists < 0)
		return -1;
	state->cache = make_folder(state->cache_path, 0700, user);
	return state->cache < 0 ? -1 : 0;
}

/* Replace @folder and @path by the descriptor and the path of the subfolder of @netns. */
static int enter_netns(int *folder, char path[PATH], const char *netns, mode_t mode)
{
	int ret;

	if (mkdirat(*folder, "netns", mode) && errno != EEXIST)
		return error("cannot create the folder %s/netns: %s", path,
			     strerror(errno));
	ret = append_netns(path, netns);
	if (ret)
		return error("the namespace '%s' has no folder of lists: %s", netns,
			     strerror(-ret));
	close(*folder);
	*folder = make_folder(path, mode, NULL);
	return *folder < 0 ? -1 : 0;
}

static int open_all(const struct cli *cli, struct state *state)
{
	const struct passwd *user = geteuid() ? NULL : getpwnam(FILES_USER);
	const char *netns = cli->netns;
	char path[PATH];

	if (!geteuid() && !user)
		detail(cli, "there is no user " FILES_USER ": fetching as root");
	if (open_folders(state, user, path) || drop_privileges(user))
		return -1;
	/*
	 * Create these folders without privileges: their parents belong to @user, who
	 * could put links into the parents.
	 */
	if (netns && (enter_netns(&state->lists, path, netns, 0755) ||
		      enter_netns(&state->cache, state->cache_path, netns, 0700)))
		return -1;
	return take_lock(state);
}

int state_open(const struct cli *cli, struct state *state)
{
	*state = (struct state){ .lists = -1, .cache = -1, .lock = -1 };
	if (!open_all(cli, state))
		return 0;
	state_close(state);
	return -1;
}

void state_close(struct state *state)
{
	if (state->cache >= 0)
		close(state->cache);
	if (state->lock >= 0)
		close(state->lock);
	if (state->lists >= 0)
		close(state->lists);
}

int state_lists_path(const char *netns, char path[PATH])
{
	int ret = lists_path(path);

	return ret || !netns ? ret : append_netns(path, netns);
}

int state_open_lists(const char *netns)
{
	char path[PATH];
	int ret = state_lists_path(netns, path);

	return ret ? ret : open_folder(path);
}

int state_open_cache(const char *netns)
{
	char path[PATH];
	int ret = 0;

	if (snprintf(path, PATH, "%s", folder_of("KCUCKOO_CACHE", CACHE)) >= PATH)
		return -ENAMETOOLONG;
	if (netns)
		ret = append_netns(path, netns);
	return ret ? ret : open_folder(path);
}

const char *state_file(const char *name, const char *suffix, char text[FILE_NAME])
{
	snprintf(text, FILE_NAME, "%s.%s", name, suffix);
	return text;
}
