/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcuckoo: what --strict demands
 */
#ifndef KCUCKOO_CLI_CHECK_H
#define KCUCKOO_CLI_CHECK_H

#include "collect.h"
#include "request.h"

/*
 * No key may be there twice; to be added, none may be a member, and otherwise
 * all must be, with the values that they are said to have. Sorts the keys. Of a part
 * of the keys it is said that there are at least so many.
 * Return: 0, or -1, told.
 */
int check_strict(struct cli *cli, const char *name, enum request request,
		 struct collection *collection);

#endif /* KCUCKOO_CLI_CHECK_H */
