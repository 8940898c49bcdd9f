/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * keyset_exclude() removes addresses from a set of prefixes, for example addresses that must not
 * be blocked.
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
 * Remove all addresses of @excluded from @set, a sorted set without repeats. Each key
 * that includes excluded addresses is replaced by the smallest number of prefixes that
 * cover its other addresses. These prefixes get the note of the replaced key. A prefix is
 * left out if another key of @set, longer than the replaced key, covers the prefix: the
 * note of this other key applies there. All other keys stay. The result is again sorted
 * and without repeats.
 *
 * @excluded: a set that keyset_outermost() made. @exclusion: receives the numbers of keys
 * that were removed or replaced. Return: 0, or -ENOMEM. After -ENOMEM, the contents of
 * @set are undefined, and the caller may only free @set.
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
