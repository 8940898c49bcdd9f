/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions find the files in which the command keeps its state between two runs,
 * and take the lock for changes by a configuration.
 *
 *	/var/lib/kcuckoo/applied	the configuration that was applied last
 *	/var/lib/kcuckoo/applied.unconfirmed	see cmd/unconfirmed.h
 *	/var/lib/kcuckoo/files		copies of lists with files, see cmd/file_copy.h
 *	/var/lib/kcuckoo/files.unconfirmed	see cmd/unconfirmed.h
 *	/var/lib/kcuckoo/needed		see cmd/needed.h
 *	/var/lib/kcuckoo/NAME.kcf	the members of a filter with keep = yes
 *	/run/kcuckoo/lock		the lock of changes_lock()
 *	/run/kcuckoo/apply		time and result of the last apply
 *	/run/kcuckoo/xdp		rules of hook xdp, see cmd/present.h
 *
 * /var/lib/kcuckoo is the folder of the state. /run/kcuckoo is the folder of the
 * running system, which is empty after a reboot. The environment variables
 * KCUCKOO_STATE and KCUCKOO_RUN replace the paths of these two folders. With -n NETNS,
 * the files are in the subfolder netns/NETNS of each of the two folders.
 */
#ifndef KCUCKOO_CLI_FOLDERS_H
#define KCUCKOO_CLI_FOLDERS_H

#include "cli.h"

/* Size in bytes of a buffer for a path. */
#define FOLDERS_PATH	512

/* Size in bytes of a buffer for the result of folders_text(). */
#define FOLDERS_TEXT	(3 * 4096)

/**
 * has_folders() - find out whether files are kept for the network namespace of -n
 * @cli: state of the command
 *
 * Return: false if the argument of -n is a path, or a name that begins with a dot;
 * otherwise true, also without -n.
 */
bool has_folders(const struct cli *cli);

/**
 * state_path() - write the path of a file in the folder of the state
 * @cli: state of the command
 * @name: name of the file, such as "applied"
 * @path: out: the path
 *
 * Return: 0, or -1 after an error message.
 */
int state_path(const struct cli *cli, const char *name, char path[FOLDERS_PATH]);

/**
 * run_path() - write the path of a file in the folder of the running system
 * @cli: state of the command
 * @name: name of the file, such as "lock"
 * @path: out: the path
 *
 * Return: 0, or -1 after an error message.
 */
int run_path(const struct cli *cli, const char *name, char path[FOLDERS_PATH]);

/**
 * folders_text() - describe the folders of this process as text
 * @cli: state of the command
 * @text: out: the folder of the state, the folder of the running system, and the
 *	network namespace of -n
 *
 * A process with another environment uses the same folders after a call of folders_use()
 * with this text.
 *
 * Return: 0, or -1 after an error message.
 */
int folders_text(const struct cli *cli, char text[FOLDERS_TEXT]);

/**
 * folders_use() - use the folders that folders_text() described
 * @cli: state of the command; the function sets its @netns to a part of @text, or to
 *	NULL
 * @text: the description, which the function changes, and which must stay in memory
 *
 * Return: 0; or -1 without a message if the text is damaged or memory is short.
 */
int folders_use(struct cli *cli, char text[FOLDERS_TEXT]);

/**
 * make_parents() - create all missing folders in the path of a file
 * @path: path of the file
 *
 * Return: 0, or -1 after an error message.
 */
int make_parents(const char *path);

/**
 * changes_lock() - take the lock for changes by a configuration
 * @cli: state of the command
 *
 * The function waits until no other process holds the lock. The lock is released when the
 * caller closes the returned descriptor. The function fails if this process is known to be
 * in another network namespace than process 1, unless -n or KCUCKOO_STATE selects other
 * folders.
 *
 * Return: a descriptor, or -1 after an error message.
 */
int changes_lock(const struct cli *cli);

#endif /* KCUCKOO_CLI_FOLDERS_H */
