/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions find, create and lock the folders in which lists are kept, for the
 * verbs that fetch lists or read them.
 *
 * /var/lib/kcuckoo/lists has the lists from which the verb apply makes filters:
 *
 *	NAME.list	the last good copy of a list, in its canonical form (canonical.h)
 *	NAME.refused	a newer copy that a check has refused, and the reason
 *
 * /var/cache/kcuckoo has files that can be removed at any time:
 *
 *	NAME.status	results of the last attempts to fetch the list
 *	NAME.ID.body	what a server sent for a URL; ID is a hash of the URL
 *	NAME.ID.meta	the description of this body
 *
 * With -n NETNS, the files are in the subfolder netns/NETNS of each of the two folders.
 * The environment variables KCUCKOO_STATE and KCUCKOO_CACHE replace /var/lib/kcuckoo
 * and /var/cache/kcuckoo.
 */
#ifndef KCUCKOO_CLI_STATE_H
#define KCUCKOO_CLI_STATE_H

#include "cli.h"
#include "fetch/files.h"

/* Size of a buffer for the path of a folder, in bytes. */
#define STATE_PATH	256

/**
 * struct state - the folders of lists
 * @lists: descriptor of the folder of lists
 * @cache: descriptor of the folder of the cache
 * @lock: descriptor of the lock
 * @cache_path: path of the folder of the cache
 */
struct state {
	int lists;
	int cache;
	int lock;
	char cache_path[STATE_PATH];
};

/**
 * state_open() - open and lock the folders for a verb that changes lists
 * @cli: state of the command
 * @state: out: the folders; the caller calls state_close() after success
 *
 * Creates missing folders. The lock keeps other processes from changing the lists; if
 * another process holds the lock, state_open() fails. If this process runs as root and
 * the user _kcuckoo exists, state_open() gives folders that belong to root to _kcuckoo,
 * makes _kcuckoo the user of the process, and drops all privileges.
 *
 * Return: 0, or -1 after an error message.
 */
int state_open(const struct cli *cli, struct state *state);
/**
 * state_close() - close the folders, and release the lock
 * @state: the folders, from state_open()
 */
void state_close(struct state *state);

/**
 * state_lists_path() - write the path of the folder of lists
 * @netns: argument of -n, or NULL
 * @path: out: the path
 *
 * Return: 0 or a negative errno.
 */
int state_lists_path(const char *netns, char path[STATE_PATH]);

/**
 * state_open_lists() - open the folder of lists for reading, without a lock
 * @netns: argument of -n, or NULL
 *
 * Return: a descriptor, or a negative errno.
 */
int state_open_lists(const char *netns);

/**
 * state_open_cache() - open the folder of the cache for reading, without a lock
 * @netns: argument of -n, or NULL
 *
 * Only root and the owner of the folder are allowed to read the folder.
 *
 * Return: a descriptor, or a negative errno.
 */
int state_open_cache(const char *netns);

/**
 * state_file() - write the name of a file of a list
 * @name: name of the list
 * @suffix: part of the name after the dot, such as "list" or "refused"
 * @text: out: the name of the file
 *
 * Return: @text.
 */
const char *state_file(const char *name, const char *suffix, char text[FILE_NAME]);

#endif /* KCUCKOO_CLI_STATE_H */
