// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions find the files in which the command keeps its state between two runs,
 * and take the lock for changes by a configuration.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/folders.h"
#include "message.h"

bool has_folders(const struct cli *cli)
{
	return !cli->netns || (!strchr(cli->netns, '/') && *cli->netns != '.');
}

/* The two folders of cmd/folders.h, and the environment variables that replace their paths. */
#define STATE_VARIABLE	"KCUCKOO_STATE"
#define STATE		"/var/lib/kcuckoo"
#define RUN_VARIABLE	"KCUCKOO_RUN"
#define RUN		"/run/kcuckoo"

static const char *folder_of(const char *variable, const char *usual)
{
	const char *folder = getenv(variable);

	return folder && *folder ? folder : usual;
}

static int folder_path(const struct cli *cli, const char *variable,
		       const char *usual, const char *name,
		       char path[FOLDERS_PATH])
{
	const char *netns = cli->netns;
	int length;

	if (!has_folders(cli))
		return hint(error("the namespace '%s' has no name, so no state is kept for it",
				  netns),
			    "give it a name: 'ip netns attach NAME PID'");
	length = snprintf(path, FOLDERS_PATH, "%s%s%s/%s",
			  folder_of(variable, usual),
			  netns ? "/netns/" : "", netns ? netns : "", name);
	return length < FOLDERS_PATH ? 0 :
	       error("the path in %s is too long", variable);
}

int state_path(const struct cli *cli, const char *name, char path[FOLDERS_PATH])
{
	return folder_path(cli, STATE_VARIABLE, STATE, name, path);
}

int run_path(const struct cli *cli, const char *name, char path[FOLDERS_PATH])
{
	return folder_path(cli, RUN_VARIABLE, RUN, name, path);
}

static const char *full_folder(const char *variable, const char *usual,
			       char buf[PATH_MAX])
{
	const char *folder = folder_of(variable, usual);

	return realpath(folder, buf) ? buf : folder;
}

int folders_text(const struct cli *cli, char text[FOLDERS_TEXT])
{
	char state[PATH_MAX], run[PATH_MAX];

	if (snprintf(text, FOLDERS_TEXT, "%s\n%s\n%s\n",
		     full_folder(STATE_VARIABLE, STATE, state),
		     full_folder(RUN_VARIABLE, RUN, run),
		     cli->netns ?: "") < FOLDERS_TEXT)
		return 0;
	return error("the paths in " STATE_VARIABLE " and " RUN_VARIABLE " are too long");
}

int folders_use(struct cli *cli, char text[FOLDERS_TEXT])
{
	char *rest = text;
	const char *state = strsep(&rest, "\n"), *run = strsep(&rest, "\n");
	const char *netns = strsep(&rest, "\n");

	if (!rest || *rest || setenv(STATE_VARIABLE, state, true) ||
	    setenv(RUN_VARIABLE, run, true))
		return -1;
	cli->netns = *netns ? netns : NULL;
	return 0;
}

int make_parents(const char *path)
{
	char folder[FOLDERS_PATH];
	char *slash = folder;

	snprintf(folder, sizeof(folder), "%s", path);
	while ((slash = strchr(slash + 1, '/'))) {
		*slash = 0;
		if (mkdir(folder, 0755) && errno != EEXIST)
			return error("cannot create the folder %s: %s", folder,
				     strerror(errno));
		*slash = '/';
	}
	return 0;
}

/*
 * Return: true if this process runs in the network namespace of process 1, or if this
 * namespace is unknown, because the sandbox of a systemd unit hides process 1.
 */
static bool in_first_netns(void)
{
	struct stat first, own;

	return stat("/proc/1/ns/net", &first) || stat("/proc/self/ns/net", &own) ||
	       (first.st_dev == own.st_dev && first.st_ino == own.st_ino);
}

/*
 * Without -n and KCUCKOO_STATE, the files belong to the network namespace of process 1. Under
 * 'ip netns exec', the command would write the state of another namespace to the files from
 * which the next boot restores the filters of the host.
 */
static int check_netns(const struct cli *cli)
{
	const char *folder = getenv("KCUCKOO_STATE");

	if (cli->netns || (folder && *folder) || in_first_netns())
		return 0;
	error("the files in /var/lib/kcuckoo belong to the network namespace of process 1, but this is another network namespace");
	return hint(-1, "'kcuckoo -n NAME' has other files for the namespace NAME; KCUCKOO_STATE and KCUCKOO_RUN name other folders");
}

int changes_lock(const struct cli *cli)
{
	char path[FOLDERS_PATH];
	int fd;

	if (check_netns(cli) || run_path(cli, "lock", path) || make_parents(path))
		return -1;
	fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd >= 0 && !flock(fd, LOCK_EX))
		return fd;
	error("cannot lock %s: %s", path, strerror(errno));
	if (fd >= 0)
		close(fd);
	return -1;
}
