/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * keyset_exclude() removes addresses from a set of prefixes.
 */
#ifndef KCUCKOO_CLI_EXCLUDE_H
#define KCUCKOO_CLI_EXCLUDE_H

#include "keys/keyset.h"

/**
 * struct exclusion - what keyset_exclude() has done
 * @left_out: number of keys that were removed, because all their addresses are
 *	excluded
 * @cut: number of keys that were replaced by the prefixes that remain of them
 */
struct exclusion {
	__u64 left_out;
	__u64 cut;
};

/*
 * Remove all addresses of @excluded from a sorted set without repeats. A key
 * that includes excluded addresses is replaced by the smallest number of
 * prefixes that cover its other addresses, with its note. Prefixes that would
 * lie in a longer key of the set are not added: there, that key and its note
 * count. All other keys stay. Afterwards the set is sorted, without repeats.
 *
 * @excluded: made by keyset_outermost(). Return: 0 or -ENOMEM; after an error
 * the set is incomplete.
 */
int keyset_exclude(struct keyset *set, const struct keyset *excluded,
		   struct exclusion *exclusion);

/*
 * Find the widest key of a sorted set that covers all of @key, and write it to
 * @cover. Return: false if no key does.
 */
bool keyset_find_cover(const struct keyset *set, const struct kcuckoo_prefix *key,
		       struct kcuckoo_prefix *cover);

#endif /* KCUCKOO_CLI_EXCLUDE_H */
