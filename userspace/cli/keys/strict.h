/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions check keys for the option --strict. The verbs add, del, update and
 * load call these functions before they change the filter.
 */
#ifndef KCUCKOO_CLI_STRICT_H
#define KCUCKOO_CLI_STRICT_H

#include "keys/collection.h"
#include "keys/key_op.h"

/*
 * Check that no key is given twice. For KEY_OP_ADD, a key must not be a member of the
 * filter @name. For other operations, each key must be a member. If the keys of a delete
 * have values, or if the option --old gives a value, the members must have these values.
 * The function sorts addresses and prefixes. If @partitions of @collection is set, the
 * collection has only some of the keys, so messages say "at least". Return: 0, or -1
 * after an error message.
 */
int strict_check(struct cli *cli, const char *name, enum key_op op,
		 struct collection *collection);

/*
 * Check keys for "del --covered", which deletes all members that a key covers. A key
 * must not be given twice, and each key or range must cover at least one key of @members,
 * a sorted set. The caller must call collection_number() before it adds the keys. The
 * function sorts the keys. Return: 0, or -1 after an error message.
 */
int strict_check_covered(const char *name, struct collection *collection,
			 const struct keyset *members);

#endif /* KCUCKOO_CLI_STRICT_H */
