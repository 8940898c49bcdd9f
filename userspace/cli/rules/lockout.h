/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcuckoo: warnings before a rule locks its author out
 */
#ifndef KCUCKOO_CLI_LOCKOUT_H
#define KCUCKOO_CLI_LOCKOUT_H

#include "keys/keyset.h"

/* Warn if @rule, with the members that its filter has now, would do so. */
void lockout_check_rule(struct cli *cli, const struct kcuckoo_rule *rule);

/* What became of a filter's members. */
enum member_change {
	MEMBERS_ADDED = 1,	/* some came: its own rules drop more */
	MEMBERS_REMOVED = 2,	/* some went: rules that allow it spare less */
};

/*
 * The same for all rules that use the filter @name and may do so by that @change, one
 * of these or both. With @only, for what these keys have done by coming or going, and
 * not for what was there before.
 */
void lockout_check_filter(struct cli *cli, const char *name,
			  enum member_change change, const struct keyset *only);

#endif /* KCUCKOO_CLI_LOCKOUT_H */
