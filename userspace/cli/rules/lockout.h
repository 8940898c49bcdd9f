/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions warn if a rule locks its author out of this host.
 */
#ifndef KCUCKOO_CLI_LOCKOUT_H
#define KCUCKOO_CLI_LOCKOUT_H

#include "keys/keyset.h"

/*
 * Warn if @rule would lock its author out, with the present members of its
 * filter.
 */
void lockout_check_rule(struct cli *cli, const struct kcuckoo_rule *rule);

/* How the members of a filter changed. */
enum member_change {
	MEMBERS_ADDED = 1,	/* rules of the filter may drop more packets */
	MEMBERS_REMOVED = 2,	/* rules that allow the filter may drop more */
};

/*
 * Warn if a rule locks its author out after members of the filter @name were
 * added or removed. Check all rules whose filter or allow filter it is.
 * @change: one or both of MEMBERS_ADDED and MEMBERS_REMOVED. With @only, warn
 * only about the effect of these keys.
 */
void lockout_check_filter(struct cli *cli, const char *name,
			  enum member_change change, const struct keyset *only);

#endif /* KCUCKOO_CLI_LOCKOUT_H */
