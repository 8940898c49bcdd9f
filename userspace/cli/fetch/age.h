/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * list_age_state() finds out whether the last good copy of a list is fresh, stale,
 * failed, expired or missing.
 */
#ifndef KCUCKOO_CLI_AGE_H
#define KCUCKOO_CLI_AGE_H

#include <time.h>

#include "cli.h"

/*
 * A stale copy that is older than AGE_FAILED seconds is LIST_AGE_FAILED: an
 * administrator has to act, and the verb status prints "failed" instead of "stale".
 */
#define AGE_FAILED	(7 * 24 * 3600)

/*
 * States of the last good copy, from the best to the worst. "stale" and "expire" are
 * keys of the section [list] of the configuration.
 */
enum list_age {
	LIST_AGE_FRESH,		/* not older than "stale" */
	LIST_AGE_STALE,		/* older than "stale" */
	LIST_AGE_FAILED,	/* older than "stale" and older than AGE_FAILED */
	LIST_AGE_EXPIRED,	/* older than "expire": the list counts as empty */
	LIST_AGE_NONE,		/* the list has no copy */
};

/* Names of enum list_age, for messages and JSON. */
extern const char * const list_age_names[];

/**
 * struct list_limits - limits of a list of the configuration for the age of its
 *	copy
 * @stale: seconds after which the copy causes a warning; 0: never
 * @expire: seconds after which the list counts as empty; 0: never
 */
struct list_limits {
	__u32 stale;
	__u32 expire;
};

/**
 * list_age_state() - find out the state of the last good copy of a list
 * @limits: limits of the list
 * @confirmed: last time at which the copy was known to be up to date, from
 *	canonical_open(); 0 if there is no copy
 * @now: the present time
 *
 * A clock that was set back does not make a list empty: if @confirmed is after @now,
 * the copy is fresh. If @confirmed is before CLOCK_RELEASED (released.h), the clock was
 * wrong when the copy was confirmed: the copy is stale, or fresh if @now is before
 * CLOCK_RELEASED, too.
 *
 * Return: the state.
 */
enum list_age list_age_state(const struct list_limits *limits, time_t confirmed,
			     time_t now);

#endif /* KCUCKOO_CLI_AGE_H */
