/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcuckoo: read the members of an exact filter
 */
#ifndef KCUCKOO_CLI_MEMBERS_H
#define KCUCKOO_CLI_MEMBERS_H

#include "keys/keyset.h"

/*
 * Read all members of the filter that @info is about, with notes if it has
 * values or timeouts, and sort them. @set: gets the members; end it with
 * keyset_free() in any case. @what completes "cannot ...". Return: 0, or -1
 * after an error message.
 */
int members_read(struct cli *cli, const char *name, const char *what,
		 const struct kcuckoo_ioc_info *info, struct keyset *set);

/**
 * struct pick - selects members
 * @within: members that one of these keys covers; made by keyset_outermost()
 * @valued: only members with @value
 * @value: the value
 */
struct pick {
	const struct keyset *within;
	bool valued;
	__u32 value;
};

/* The same for members that @pick selects, without notes. */
int members_pick(struct cli *cli, const char *name, const char *what,
		 const struct kcuckoo_ioc_info *info, const struct pick *pick,
		 struct keyset *set);

#endif /* KCUCKOO_CLI_MEMBERS_H */
