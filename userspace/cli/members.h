/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcuckoo: the members of an exact filter
 */
#ifndef KCUCKOO_CLI_MEMBERS_H
#define KCUCKOO_CLI_MEMBERS_H

#include "keyset.h"

/*
 * Read all members of the filter that @info is about, with notes where it has
 * values or timeouts, in order. @set: where they go; end it with keyset_free() in
 * any case. @what completes "cannot ...". Return: 0, or -1, told.
 */
int members_read(struct cli *cli, const char *name, const char *what,
		 const struct kcuckoo_ioc_info *info, struct keyset *set);

#endif /* KCUCKOO_CLI_MEMBERS_H */
