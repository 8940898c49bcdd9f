/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcuckoo: warnings before a rule locks its author out
 */
#ifndef KCUCKOO_CLI_GUARD_H
#define KCUCKOO_CLI_GUARD_H

#include "keyset.h"

/* Warn if @rule, with the members that its filter has now, would do so. */
void guard_rule(struct cli *cli, const struct kcuckoo_rule *rule);

/*
 * The same for all rules that the filter @name has. With @only, for what these
 * keys have done, and not for what was there before.
 */
void guard_filter(struct cli *cli, const char *name,
		  const struct keyset *only);

#endif /* KCUCKOO_CLI_GUARD_H */
