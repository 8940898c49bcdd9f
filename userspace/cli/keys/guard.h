/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions find lists that are probably wrong: that were cut off, have
 * become too large, or name addresses that no network of the internet has.
 */
#ifndef KCUCKOO_CLI_GUARD_H
#define KCUCKOO_CLI_GUARD_H

#include "keys/aggregate.h"

/* Limit of @max_shrink, in percent, unless the user names another one. */
#define GUARD_SHRINK	50

/* Value of @max_grow if the user names no limit. */
#define GUARD_GROW_DEFAULT	UINT64_MAX

/**
 * struct guards - limits for the keys of a filter
 * @min: minimum number of keys
 * @max_shrink: percent of the members by which their number may decrease, 0 to
 *	100. The limit applies to filters with more than 100 members
 * @max_grow: percent by which the number of members and of covered addresses may
 *	increase; or GUARD_GROW_DEFAULT: the number of covered addresses may
 *	double, or increase by 2^22 IPv4 addresses or IPv6 networks of length /48
 * @wide: skip the check of @max_grow if it is GUARD_GROW_DEFAULT, and the limits
 *	for wide keys and for the part of all IPv4 addresses
 */
struct guards {
	__u64 min;
	__u64 max_shrink;
	__u64 max_grow;
	bool wide;
};

/**
 * struct measure - size of a set of keys
 * @keys: number of keys
 * @covered: addresses that they cover
 */
struct measure {
	__u64 keys;
	struct coverage covered;
};

/* Measure a sorted set. */
void measure_set(const struct keyset *set, struct measure *measure);

enum guard_result {
	GUARD_PASSED,
	GUARD_TOO_FEW,		/* fewer keys than @min */
	GUARD_SHRUNK,		/* more than @max_shrink fewer */
	GUARD_GROWN,		/* more than @max_grow more */
	GUARD_TOO_LARGE,	/* too large a part of all IPv4 addresses */
};

/*
 * Check a new set of keys against the present members. Without present members,
 * there is no limit for the increase.
 */
enum guard_result guard_check(const struct guards *guards,
			      const struct measure *now,
			      const struct measure *next);

/*
 * Print why guard_check() has returned @result, which is not GUARD_PASSED.
 * Return: -1.
 */
int guard_error(enum guard_result result, const struct guards *guards,
		const struct measure *now, const struct measure *next);

/*
 * Find a key that is wider than a list should have: IPv4 wider than /6, IPv6
 * wider than /12. Skip keys that @excluded, made by keyset_outermost(), covers.
 * Return: true if there is one, and set @key to the first.
 */
bool guard_find_wide(const struct keyset *set, const struct keyset *excluded,
		     struct kcuckoo_prefix *key);

/*
 * Add to @set the networks whose addresses have no owner in the internet, such
 * as those of private networks and multicast. Return: 0 or -ENOMEM.
 */
int guard_add_bogons(struct keyset *set);

#endif /* KCUCKOO_CLI_GUARD_H */
