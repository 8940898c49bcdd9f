/* SPDX-License-Identifier: GPL-2.0-only */
/* These functions read the members of an exact filter to a keyset. */
#ifndef KCUCKOO_CLI_MEMBERS_H
#define KCUCKOO_CLI_MEMBERS_H

#include "keys/keyset.h"

/*
 * Initialize @set, read all members of the filter @name to @set, and sort @set. An
 * approximate filter is an error. @info: parameters of the filter. If the filter has
 * values or timeouts, @set has a note with each member.
 * @what: the operation in the error message "cannot @what NAME". The caller calls
 * keyset_free() for @set even after an error. Return: 0, or -1 after an error message.
 */
int members_read(struct cli *cli, const char *name, const char *what,
		 const struct kcuckoo_ioc_info *info, struct keyset *set);

/**
 * struct pick - conditions that select members
 * @within: select only members that a key of this set covers; a set that
 *	keyset_outermost() made
 * @valued: select only members with the value @value; the filter must have values
 * @value: the value, with @valued
 */
struct pick {
	const struct keyset *within;
	bool valued;
	__u32 value;
};

/*
 * Read only the members that @pick selects, without notes. All other arguments and the
 * return value are the same as for members_read().
 */
int members_pick(struct cli *cli, const char *name, const char *what,
		 const struct kcuckoo_ioc_info *info, const struct pick *pick,
		 struct keyset *set);

#endif /* KCUCKOO_CLI_MEMBERS_H */
