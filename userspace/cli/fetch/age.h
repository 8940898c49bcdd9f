/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * list_age_state() returns a state for the age of the last good copy of a list,
 * for the verbs apply, fetch, stats and status.
 */
#ifndef KCUCKOO_CLI_AGE_H
#define KCUCKOO_CLI_AGE_H

#include <time.h>

#include "cli.h"

/*
 * If a stale last good copy is older than this number of seconds, an administrator
 * has to act: the verb status then prints "failed" in place of "stale".
 */
#define AGE_FAILED	(7 * 24 * 3600)

/* States of the last good copy, from the best to the worst. */
enum list_age {
	LIST_AGE_FRESH,		/* not older than "stale" */
	LIST_AGE_STALE,		/* older than "stale" */
	LIST_AGE_FAILED,	/* older than "stale" and than AGE_FAILED */
	LIST_AGE_EXPIRED,	/* older than "expire": the list counts as empty */
	LIST_AGE_NONE,		/* there is no copy */
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

/*
 * Return: the state of a copy that was up to date at the time @confirmed, which
 * canonical_open() has set; @confirmed is 0 without a copy. @now: the present
 * time. A time from a wrong clock never makes a list empty: a copy from the future
 * is fresh. A copy from before the release of kcuckoo is stale; it is fresh if
 * @now is before the release, too.
 */
enum list_age list_age_state(const struct list_limits *limits, time_t confirmed,
			     time_t now);

#endif /* KCUCKOO_CLI_AGE_H */
