/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions find lists that are probably wrong: a list that was cut off, that has become
 * too large, or that has very wide prefixes. guard_add_bogons() lists the networks that the
 * internet does not route.
 */
#ifndef KCUCKOO_CLI_GUARD_H
#define KCUCKOO_CLI_GUARD_H

#include "keys/aggregate.h"

/* Default of @max_shrink of struct guards, in percent. */
#define GUARD_SHRINK	50

/* Value of @max_grow of struct guards if the user gave no limit. */
#define GUARD_GROW_DEFAULT	UINT64_MAX

/**
 * struct guards - limits for the keys of a filter
 * @min: minimum number of keys
 * @max_shrink: percentage by which the number of members is allowed to decrease, 0 to
 *	100. The limit applies to filters with more than 100 members, and only if the
 *	number of covered IPv4 addresses or of covered IPv6 networks decreases, too
 * @max_grow: percentage by which the number of members, and the number of covered
 *	addresses, are allowed to increase. With GUARD_GROW_DEFAULT, the number of
 *	members is not limited, and the number of covered addresses is allowed to double,
 *	or to increase by 2^22 IPv4 addresses and 2^22 IPv6 networks of length /48
 * @wide: permit wide keys (see guard_is_wide()), any number of covered IPv4 addresses,
 *	and, if @max_grow is GUARD_GROW_DEFAULT, any increase
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
 * @covered: number of addresses that the keys cover
 */
struct measure {
	__u64 keys;
	struct coverage covered;
};

/* Set @measure to the size of @set, which must be sorted. */
void measure_set(const struct keyset *set, struct measure *measure);

/* Results of guard_check(). @min, @max_shrink and @max_grow are in struct guards. */
enum guard_result {
	GUARD_PASSED,
	GUARD_TOO_FEW,		/* fewer keys than @min */
	GUARD_SHRUNK,		/* a decrease by more than @max_shrink */
	GUARD_GROWN,		/* an increase by more than @max_grow */
	GUARD_TOO_LARGE,	/* covers too many IPv4 addresses, see IPV4_PART_MAX in guard.c */
};

/*
 * Check whether @next, the size of a new set of keys, is within the limits in @guards.
 * @now: size of the set of the present members, with which @next is compared. If @now has
 * no keys, the increase is not limited. Return: the first limit that @next violates, in
 * the order of enum guard_result; or GUARD_PASSED.
 */
enum guard_result guard_check(const struct guards *guards,
			      const struct measure *now,
			      const struct measure *next);

/* Print why guard_check() has returned @result, which is not GUARD_PASSED. Return: -1. */
int guard_error(enum guard_result result, const struct guards *guards,
		const struct measure *now, const struct measure *next);

/*
 * Check the number and the addresses of the new members @next of a list. @good: members
 * of the last good copy of the list, with which @next is compared. Both sets are
 * sorted. Return: true if @next is outside of a limit, with the reason as text in @why, a
 * buffer of @size bytes; otherwise false.
 */
bool guard_check_list(const struct guards *guards, const struct keyset *good,
		      const struct keyset *next, char *why, size_t size);

/*
 * Return: true if a key is wide: wider than /6 in IPv4, or than /12 in IPv6. A wide key
 * in a list or in a ban of a daemon is probably a mistake.
 */
static inline bool guard_is_wide(const struct kcuckoo_prefix *key)
{
	return key->plen < (key->family == KCUCKOO_FAMILY_IPV4 ? 6 : 12);
}

/*
 * Find the first wide key of @set, see guard_is_wide(), that the keys of @excluded together
 * do not cover. @excluded: a set that keyset_outermost() made. Return: true, with @key set to
 * this key; or false if @set has no such key.
 */
bool guard_find_wide(const struct keyset *set, const struct keyset *excluded,
		     struct kcuckoo_prefix *key);

/*
 * Add the bogons to @set: networks that the internet does not route, such as private
 * networks and multicast. Return: 0 or -ENOMEM.
 */
int guard_add_bogons(struct keyset *set);

#endif /* KCUCKOO_CLI_GUARD_H */
