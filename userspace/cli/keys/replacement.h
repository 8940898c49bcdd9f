/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcuckoo: build a filter under a temporary name, and replace another one with
 * it
 */
#ifndef KCUCKOO_CLI_REPLACEMENT_H
#define KCUCKOO_CLI_REPLACEMENT_H

#include <signal.h>

#include "keys/keyset.h"

/**
 * struct replacement - a filter that replaces another one
 * @cli: the run
 * @name: the filter that is replaced
 * @info: state of that filter; after replacement_commit(), of the new one
 * @spare: temporary name of the new filter, until replacement_commit()
 * @signals: signal mask to restore
 */
struct replacement {
	struct cli *cli;
	const char *name;
	struct kcuckoo_ioc_info info;
	char spare[KCUCKOO_NAME_SIZE];
	sigset_t signals;
};

/*
 * Create an empty filter like @name, with the same reserve for packets that
 * add. Signals are blocked until replacement_end(), so that none ends the
 * command and leaves the new filter. Return: 0, or -1 after an error message.
 * End with replacement_end() after 0.
 */
int replacement_begin(struct replacement *replacement, struct cli *cli,
		      const char *name, const struct kcuckoo_ioc_info *info);

/*
 * Add keys with their notes. Unless @valued, members keep their values. Return:
 * 0, or -1 after an error message.
 */
int replacement_add(struct replacement *replacement, const struct keyset *set,
		    bool valued);

/* Replace the other filter. Return: 0, or -1 after an error message. */
int replacement_commit(struct replacement *replacement);

/* Destroy the new filter if it was not committed, and unblock signals. */
void replacement_end(struct replacement *replacement);

#endif /* KCUCKOO_CLI_REPLACEMENT_H */
