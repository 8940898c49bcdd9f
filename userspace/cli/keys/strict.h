/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcuckoo: the checks of --strict
 */
#ifndef KCUCKOO_CLI_STRICT_H
#define KCUCKOO_CLI_STRICT_H

#include "keys/collection.h"
#include "keys/key_op.h"

/*
 * Check that no key is given twice. Keys to be added must not be members; all
 * others must be, with the expected values. Sorts the keys. For one partition
 * of the keys, messages say "at least". Return: 0, or -1 after an error
 * message.
 */
int strict_check(struct cli *cli, const char *name, enum key_op op,
		 struct collection *collection);

/*
 * The same for --covered: no key may be given twice, and each key or range must
 * cover one of @members, which are sorted. Sorts the keys, which are numbered.
 * Return: 0, or -1 after an error message.
 */
int strict_check_covered(const char *name, struct collection *collection,
			 const struct keyset *members);

#endif /* KCUCKOO_CLI_STRICT_H */
