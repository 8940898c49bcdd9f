/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions warn if a rule drops packets that this host needs, because the user
 * could lose access to the host.
 */
#ifndef KCUCKOO_CLI_LOCKOUT_H
#define KCUCKOO_CLI_LOCKOUT_H

#include "keys/keyset.h"

/*
 * Warn if @rule, which is not attached yet, would drop packets that this host needs.
 * The check uses the present members of the filter of the rule.
 */
void lockout_check_rule(struct cli *cli, const struct kcuckoo_rule *rule);

/* How the members of a filter changed. */
enum member_change {
	MEMBERS_ADDED = 1,	/* rules of the filter can drop more packets */
	MEMBERS_REMOVED = 2,	/* rules with this allow filter can drop more packets */
};

/*
 * Warn if a rule drops packets that this host needs, after members of the filter @name
 * were added or removed. Check all rules that have @name as filter or as allow filter.
 * @change: one or both of MEMBERS_ADDED and MEMBERS_REMOVED. @only: the members that
 * were added or removed, to warn only about the effect of these members; or NULL to
 * check all members.
 */
void lockout_check_filter(struct cli *cli, const char *name,
			  enum member_change change, const struct keyset *only);

#endif /* KCUCKOO_CLI_LOCKOUT_H */
