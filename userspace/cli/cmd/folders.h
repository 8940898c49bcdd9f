/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions find the folders in which the command keeps what it must know
 * later, and take the lock of changes that a configuration makes.
 *
 *	/var/lib/kcuckoo/applied	the configuration that was applied last
 *	/var/lib/kcuckoo/needed		addresses that this host needed then
 *	/var/lib/kcuckoo/NAME.kcf	the members of a filter with keep = yes
 *	/run/kcuckoo/lock		the lock
 *	/run/kcuckoo/apply		when a configuration was applied last
 *	/run/kcuckoo/xdp		rules of hook xdp, see cmd/present.h
 *
 * With -n NETNS, all are in the folder netns/NETNS there. The environment
 * variables KCUCKOO_STATE and KCUCKOO_RUN replace /var/lib/kcuckoo and
 * /run/kcuckoo.
 */
#ifndef KCUCKOO_CLI_FOLDERS_H
#define KCUCKOO_CLI_FOLDERS_H

#include "cli.h"

/* Size of a buffer for a path. */
#define FOLDERS_PATH	512

/*
 * Write the path of @name in the folder of the state, or in that of the running
 * system, to @path. Return: 0, or -1 after an error message.
 */
int state_path(const struct cli *cli, const char *name, char path[FOLDERS_PATH]);
int run_path(const struct cli *cli, const char *name, char path[FOLDERS_PATH]);

/*
 * Create all folders above the file @path that are missing. Return: 0, or -1
 * after an error message.
 */
int make_parents(const char *path);

/*
 * Wait until no other command applies a configuration, and keep others from it.
 * Return: a descriptor, whose end is the end of the lock; or -1 after an error
 * message.
 */
int changes_lock(const struct cli *cli);

#endif /* KCUCKOO_CLI_FOLDERS_H */
