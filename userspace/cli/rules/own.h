/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * critical_policy_apply() handles those keys of a list that cover critical addresses:
 * addresses that this host needs (critical.h). Depending on the policy, it fails with an
 * error, removes the critical addresses from the keys, or keeps the keys.
 */
#ifndef KCUCKOO_CLI_OWN_H
#define KCUCKOO_CLI_OWN_H

#include "keys/exclude.h"

/* Policies for keys that cover addresses that this host needs. */
enum critical_policy {
	CRITICAL_REFUSE,	/* fail with an error message */
	CRITICAL_LEAVE_OUT,	/* remove the addresses from the keys, and warn */
	CRITICAL_KEEP,		/* keep the keys */
};

/*
 * Choose the policy for the filter @name if the user did not choose one. If rules use
 * the filter only as allow filter, packets of its addresses pass, and the policy is
 * CRITICAL_KEEP. For all other filters, the policy is CRITICAL_REFUSE if standard error
 * is a terminal. If standard error is not a terminal, no user can correct the lists, and
 * the policy is CRITICAL_LEAVE_OUT, so that the other keys take effect.
 */
enum critical_policy critical_default_policy(struct cli *cli, const char *name);

/*
 * Apply the policy to @set, a sorted set without repeats. @earlier: path of a file of
 * addresses that this host needed earlier, which are treated like addresses that this
 * host needs at present; or NULL. @exclusion: out: the changes of @set, see struct
 * exclusion. Return: 0, or -1 after an error message.
 */
int critical_policy_apply(const struct cli *cli, struct keyset *set,
			  enum critical_policy policy, const char *earlier,
			  struct exclusion *exclusion);

/*
 * Warn about keys of @set, a sorted set without repeats, that cover addresses that this
 * host needs. @place: name of the set in these warnings. Return: the number of addresses
 * that are covered, or -1 after an error message.
 */
int critical_mention(const struct cli *cli, const struct keyset *set, const char *place);

#endif /* KCUCKOO_CLI_OWN_H */
