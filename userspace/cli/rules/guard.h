/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcuckoo: warnings before a rule locks its author out
 */
#ifndef KCUCKOO_CLI_GUARD_H
#define KCUCKOO_CLI_GUARD_H

#include "keys/keyset.h"

/* Warn if @rule, with the members that its filter has now, would do so. */
void guard_rule(struct cli *cli, const struct kcuckoo_rule *rule);

/* What became of a filter's members. */
enum guard_change {
	GUARD_MORE = 1,		/* some came: its own rules drop more */
	GUARD_LESS = 2,		/* some went: rules that allow it spare less */
};

/*
 * The same for all rules that use the filter @name and may do so by that @change, one
 * of these or both. With @only, for what these keys have done by coming or going, and
 * not for what was there before.
 */
void guard_filter(struct cli *cli, const char *name, enum guard_change change,
		  const struct keyset *only);

#endif /* KCUCKOO_CLI_GUARD_H */
