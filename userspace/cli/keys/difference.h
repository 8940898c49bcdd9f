/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * keyset_difference() compares the present members of a filter with the keys
 * that the filter will have, for the verb apply. keyset_unify() removes
 * repeated keys.
 */
#ifndef KCUCKOO_CLI_DIFFERENCE_H
#define KCUCKOO_CLI_DIFFERENCE_H

#include "keys/keyset.h"

/**
 * struct difference - number of keys with each kind of change
 * @added: keys that become members
 * @removed: members that are removed
 * @changed: members that get another value, get a timeout, or lose their
 *	timeout
 * @unchanged: members that keep their value, and do not get or lose a timeout; including
 *	the members that @renewed counts
 * @renewed: unchanged members whose timeout starts again. The timeouts are not
 *	compared, because the remaining time of a member does not show the timeout that
 *	the list gave before
 */
struct difference {
	__u64 added;
	__u64 removed;
	__u64 changed;
	__u64 unchanged;
	__u64 renewed;
};

/* What happens to a key that changes, see struct difference. */
enum key_change {
	KEY_ADDED,
	KEY_REMOVED,
	KEY_CHANGED,
};

/**
 * struct difference_sink - function that receives each key that changes
 * @take: the function. @note of the function: the new note of the key; for KEY_REMOVED,
 *	the old note
 * @context: first argument of @take
 */
struct difference_sink {
	void (*take)(void *context, enum key_change change,
		     const struct kcuckoo_prefix *key, const struct note *note);
	void *context;
};

/*
 * Compare two sorted sets without repeats: the present members @old, and the keys @new that will
 * be members. Write the counts to @difference. A key without a note has the value 0 and never
 * expires. Unless @sink is NULL, call @take of @sink for each key that changes, in the order of
 * the keys.
 */
void keyset_difference(const struct keyset *old, const struct keyset *new,
		       const struct difference_sink *sink,
		       struct difference *difference);

/*
 * Remove the repeats of a sorted set. If equal keys have different notes, the remaining key gets
 * the largest value and the longest timeout; a timeout of 0, which means never, is the longest.
 * Return: the number of remaining keys whose values or timeouts were different.
 */
__u64 keyset_unify(struct keyset *set);

#endif /* KCUCKOO_CLI_DIFFERENCE_H */
