/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcuckoo: a filter that is built aside, to take the place of another at once
 */
#ifndef KCUCKOO_CLI_ASIDE_H
#define KCUCKOO_CLI_ASIDE_H

#include <signal.h>

#include "keys/keyset.h"

/**
 * struct aside - a filter that is built
 * @cli: the run
 * @name: the filter whose place it takes
 * @info: what that is; from aside_take() on, what it is itself
 * @spare: its own name until then
 * @signals: those that were blocked before
 */
struct aside {
	struct cli *cli;
	const char *name;
	struct kcuckoo_ioc_info info;
	char spare[KCUCKOO_NAME_SIZE];
	sigset_t signals;
};

/*
 * Begin with an empty filter like @name, with the room that this has for packets to
 * add. Until aside_end() signals wait, so that
 * none leaves it behind. Return: 0, or -1, told. End with aside_end() after 0.
 */
int aside_begin(struct aside *aside, struct cli *cli, const char *name,
		const struct kcuckoo_ioc_info *info);

/*
 * Add keys, with their notes; where these are not @valued, keys that are there keep
 * their values. Return: 0, or -1, told.
 */
int aside_add(struct aside *aside, const struct keyset *set, bool valued);

/* Let it take the other's place. Return: 0, or -1, told. */
int aside_take(struct aside *aside);

/* Destroy it where it took no place. */
void aside_end(struct aside *aside);

#endif /* KCUCKOO_CLI_ASIDE_H */
