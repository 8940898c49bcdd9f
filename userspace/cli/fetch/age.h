/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * list_age_state() decides what the age of the last good copy of a list means.
 */
#ifndef KCUCKOO_CLI_AGE_H
#define KCUCKOO_CLI_AGE_H

#include <time.h>

#include "cli.h"

/*
 * A list whose last good copy is older than this number of seconds needs the
 * attention of an administrator: the unit fails.
 */
#define AGE_FAILED	(7 * 24 * 3600)

/* States of the last good copy, from the best to the worst. */
enum list_age {
	LIST_AGE_FRESH,		/* young enough */
	LIST_AGE_STALE,		/* older than "stale": a warning */
	LIST_AGE_FAILED,	/* older than AGE_FAILED and "stale": a failure */
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
 * canonical_open() has set; 0 if there is no copy. @now: the present time. A time
 * that a wrong clock gave never makes a list empty: a copy of the future is fresh,
 * and one from before the release of kcuckoo is stale.
 */
enum list_age list_age_state(const struct list_limits *limits, time_t confirmed,
			     time_t now);

#endif /* KCUCKOO_CLI_AGE_H */
