/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcuckoo: what --strict demands
 */
#ifndef KCUCKOO_CLI_STRICT_H
#define KCUCKOO_CLI_STRICT_H

#include "keys/collection.h"
#include "keys/key_op.h"

/*
 * No key may be there twice; to be added, none may be a member, and otherwise
 * all must be, with the values that they are said to have. Sorts the keys. Of a
 * part of the keys it is said that there are at least so many. Return: 0, or -1
 * after an error message.
 */
int strict_check(struct cli *cli, const char *name, enum key_op op,
		 struct collection *collection);

/*
 * The same for keys of which members are asked for: none may be there twice, and of
 * @members, sorted, each key or range must cover one. Sorts the keys, which are
 * numbered. Return: 0, or -1 after an error message.
 */
int strict_check_covered(const char *name, struct collection *collection,
			 const struct keyset *members);

#endif /* KCUCKOO_CLI_STRICT_H */
