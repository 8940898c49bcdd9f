/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * keyset_exclude() removes addresses from a set of prefixes. wanted.c, fetch/parts.c
 * and other files call this function to remove addresses that must not be blocked.
 */
#ifndef KCUCKOO_CLI_EXCLUDE_H
#define KCUCKOO_CLI_EXCLUDE_H

#include "keys/keyset.h"

/**
 * struct exclusion - numbers of keys that keyset_exclude() has changed
 * @left_out: number of keys that were removed, because all their addresses are
 *	excluded
 * @cut: number of keys that were replaced by prefixes for the rest of their
 *	addresses
 */
struct exclusion {
	__u64 left_out;
	__u64 cut;
};

/*
 * Remove all addresses of @excluded from a sorted set without repeats. Replace each key
 * that includes excluded addresses by the smallest number of prefixes that cover its
 * other addresses. These prefixes get the note of the key. Leave out a prefix if a
 * longer key of the set covers all addresses of the prefix, because the note of the
 * longer key applies to these addresses. All other keys stay. The result is again
 * sorted and without repeats. @excluded: a set that keyset_outermost() made.
 * @exclusion: out: how many keys were removed or replaced.
 *
 * Return: 0; or -ENOMEM, and the set is then incomplete.
 */
int keyset_exclude(struct keyset *set, const struct keyset *excluded,
		   struct exclusion *exclusion);

/*
 * Find the widest key of a sorted set that covers all of @key, and write it to
 * @cover. Return: false if no key of the set covers @key.
 */
bool keyset_find_cover(const struct keyset *set, const struct kcuckoo_prefix *key,
		       struct kcuckoo_prefix *cover);

#endif /* KCUCKOO_CLI_EXCLUDE_H */
