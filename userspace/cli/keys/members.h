/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcuckoo: the members of an exact filter
 */
#ifndef KCUCKOO_CLI_MEMBERS_H
#define KCUCKOO_CLI_MEMBERS_H

#include "keys/keyset.h"

/*
 * Read all members of the filter that @info is about, with notes where it has
 * values or timeouts, in order. @set: where they go; end it with keyset_free()
 * in any case. @what completes "cannot ...". Return: 0, or -1 after an error
 * message.
 */
int members_read(struct cli *cli, const char *name, const char *what,
		 const struct kcuckoo_ioc_info *info, struct keyset *set);

/**
 * struct pick - which members are wanted
 * @within: those that one of these keys covers, from keyset_outermost()
 * @valued: and that have the value
 * @value: the value
 */
struct pick {
	const struct keyset *within;
	bool valued;
	__u32 value;
};

/* The same for some members, without notes. */
int members_pick(struct cli *cli, const char *name, const char *what,
		 const struct kcuckoo_ioc_info *info, const struct pick *pick,
		 struct keyset *set);

#endif /* KCUCKOO_CLI_MEMBERS_H */
