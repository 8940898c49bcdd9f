/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcuckoo: a filter that is built aside, to take the place of another at once
 */
#ifndef KCUCKOO_CLI_REPLACEMENT_H
#define KCUCKOO_CLI_REPLACEMENT_H

#include <signal.h>

#include "keys/keyset.h"

/**
 * struct replacement - a filter that is built
 * @cli: the run
 * @name: the filter whose place it takes
 * @info: what that is; from replacement_commit() on, what it is itself
 * @spare: its own name until then
 * @signals: those that were blocked before
 */
struct replacement {
	struct cli *cli;
	const char *name;
	struct kcuckoo_ioc_info info;
	char spare[KCUCKOO_NAME_SIZE];
	sigset_t signals;
};

/*
 * Begin with an empty filter like @name, with the room that this has for
 * packets to add. Until replacement_end() signals wait, so that none leaves it
 * behind. Return: 0, or -1 after an error message. End with replacement_end()
 * after 0.
 */
int replacement_begin(struct replacement *replacement, struct cli *cli,
		      const char *name, const struct kcuckoo_ioc_info *info);

/*
 * Add keys, with their notes; where these are not @valued, keys that are there
 * keep their values. Return: 0, or -1 after an error message.
 */
int replacement_add(struct replacement *replacement, const struct keyset *set,
		    bool valued);

/* Let it take the other's place. Return: 0, or -1 after an error message. */
int replacement_commit(struct replacement *replacement);

/* Destroy it where it took no place. */
void replacement_end(struct replacement *replacement);

#endif /* KCUCKOO_CLI_REPLACEMENT_H */
