/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions find, create and lock the folders in which lists are kept, for
 * the verbs that fetch lists or read them.
 *
 * /var/lib/kcuckoo/lists has the state that a boot depends on:
 *
 *	NAME.list	the last good copy of a list, in its canonical form
 *	NAME.refused	a newer copy that a check has refused, and the reason
 *
 * /var/cache/kcuckoo can be emptied at any time:
 *
 *	NAME.status	results of the last attempts to fetch the list
 *	NAME.ID.body	what a server sent; the number ID stands for a URL
 *	NAME.ID.meta	the description of this body
 *
 * With -n NETNS, both have a folder netns/NETNS that is used instead.
 *
 * The environment variables KCUCKOO_STATE and KCUCKOO_CACHE replace
 * /var/lib/kcuckoo and /var/cache/kcuckoo.
 */
#ifndef KCUCKOO_CLI_STATE_H
#define KCUCKOO_CLI_STATE_H

#include "cli.h"
#include "fetch/files.h"

/* Size of a buffer for the path of a folder. */
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

/*
 * Create the folders if they are missing, open them, and take the lock that
 * keeps others from changing them. If this process runs as root and the user
 * _kcuckoo exists, the folders get this user, and the process changes to it and
 * loses all privileges. Return: 0, or -1 after an error message.
 */
int state_open(const struct cli *cli, struct state *state);
void state_close(struct state *state);

/*
 * Write the path of the folder of lists of the network namespace @netns to
 * @path; @netns is the argument of -n, or NULL. Return: 0 or a negative errno.
 */
int state_lists_path(const char *netns, char path[STATE_PATH]);

/*
 * Open the folder of lists of the network namespace @netns for reading, without
 * a lock; @netns is the argument of -n, or NULL. Return: a descriptor, or a
 * negative errno.
 */
int state_open_lists(const char *netns);

/*
 * Open the folder of the cache of the network namespace @netns, in the same way.
 * Only the owner of the folder and root may read it.
 */
int state_open_cache(const char *netns);

/* Write the name of a file of the list @name to @text. Return: @text. */
const char *state_file(const char *name, const char *suffix, char text[FILE_NAME]);

#endif /* KCUCKOO_CLI_STATE_H */
