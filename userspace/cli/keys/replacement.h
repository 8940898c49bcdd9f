/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A replacement is a new filter that is built under a temporary name, and then
 * replaces an existing filter.
 */
#ifndef KCUCKOO_CLI_REPLACEMENT_H
#define KCUCKOO_CLI_REPLACEMENT_H

#include <signal.h>

#include "keys/keyset.h"

/**
 * struct replacement - a filter that replaces another one
 * @cli: state of the command
 * @name: name of the filter that is replaced
 * @info: state of the filter @name; after replacement_commit(), state of the
 *	new filter
 * @spare: temporary name of the new filter; empty after replacement_commit()
 * @signals: signal mask that replacement_end() restores
 */
struct replacement {
	struct cli *cli;
	const char *name;
	struct kcuckoo_ioc_info info;
	char spare[KCUCKOO_NAME_SIZE];
	sigset_t signals;
};

/*
 * Create an empty filter like @name, with the same tables reserved for packets
 * that add keys. Block signals until replacement_end(), because a signal that
 * ends the command would leave the new filter. Return: 0, and the caller must
 * call replacement_end() later; or -1 after an error message.
 */
int replacement_begin(struct replacement *replacement, struct cli *cli,
		      const char *name, const struct kcuckoo_ioc_info *info);

/*
 * Add keys with their notes to the new filter. Without @valued, keys get no
 * value, and members keep their values. Return: 0, or -1 after an error
 * message.
 */
int replacement_add(struct replacement *replacement, const struct keyset *set,
		    bool valued);

/*
 * Replace the filter @name by the new filter. Return: 0, or -1 after an error
 * message.
 */
int replacement_commit(struct replacement *replacement);

/* Destroy the new filter if it was not committed, and unblock signals. */
void replacement_end(struct replacement *replacement);

#endif /* KCUCKOO_CLI_REPLACEMENT_H */
