/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions find the files in which the command keeps its state between
 * two runs, and take the lock for changes that a configuration makes.
 *
 *	/var/lib/kcuckoo/applied	the configuration that was applied last
 *	/var/lib/kcuckoo/files		last good copies of lists with files
 *	/var/lib/kcuckoo/needed		addresses that this host needed then
 *	/var/lib/kcuckoo/NAME.kcf	the members of a filter with keep = yes
 *	/run/kcuckoo/lock		the lock
 *	/run/kcuckoo/apply		when a configuration was applied last
 *	/run/kcuckoo/xdp		rules of hook xdp, see cmd/present.h
 *
 * With -n NETNS, the files are in the subfolders netns/NETNS of these two
 * folders. The environment variables KCUCKOO_STATE and KCUCKOO_RUN replace
 * /var/lib/kcuckoo, the folder of the state, and /run/kcuckoo, the folder of
 * the running system, which is empty after a reboot.
 */
#ifndef KCUCKOO_CLI_FOLDERS_H
#define KCUCKOO_CLI_FOLDERS_H

#include "cli.h"

/* Size of a buffer for a path. */
#define FOLDERS_PATH	512

/*
 * Return: true if files are kept for the network namespace of -n. A namespace that -n
 * names by a path has none, nor has one whose name begins with a dot.
 */
bool has_folders(const struct cli *cli);

/*
 * Write the path of the file @name to @path: state_path() in the folder of the
 * state, run_path() in the folder of the running system. Return: 0, or -1 after
 * an error message.
 */
int state_path(const struct cli *cli, const char *name, char path[FOLDERS_PATH]);
int run_path(const struct cli *cli, const char *name, char path[FOLDERS_PATH]);

/*
 * Create the missing folders of the file @path. Return: 0, or -1 after an error
 * message.
 */
int make_parents(const char *path);

/*
 * Wait until no other command applies or removes a configuration, and take the
 * lock that makes other commands wait. The lock is refused in a network namespace
 * other than that of process 1, unless -n or KCUCKOO_STATE names other folders.
 * Return: a descriptor, which the caller closes to release the lock; or -1 after
 * an error message.
 */
int changes_lock(const struct cli *cli);

#endif /* KCUCKOO_CLI_FOLDERS_H */
