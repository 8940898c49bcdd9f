/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcuckoo: warn before a rule locks its author out
 */
#ifndef KCUCKOO_CLI_LOCKOUT_H
#define KCUCKOO_CLI_LOCKOUT_H

#include "keys/keyset.h"

/*
 * Warn if @rule would lock its author out, with the members that its filter has
 * now.
 */
void lockout_check_rule(struct cli *cli, const struct kcuckoo_rule *rule);

/* How the members of a filter changed. */
enum member_change {
	MEMBERS_ADDED = 1,	/* some were added: rules of the filter drop more */
	MEMBERS_REMOVED = 2,	/* some were removed: rules that allow it drop more */
};

/*
 * The same for all rules of the filter @name, or that allow it, after @change:
 * one or both of these. With @only, warn only about the effect of adding or
 * removing these keys.
 */
void lockout_check_filter(struct cli *cli, const char *name,
			  enum member_change change, const struct keyset *only);

#endif /* KCUCKOO_CLI_LOCKOUT_H */
