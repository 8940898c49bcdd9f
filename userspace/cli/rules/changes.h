/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule_changes() computes how to bring back the rules that filters had.
 */
#ifndef KCUCKOO_CLI_CHANGES_H
#define KCUCKOO_CLI_CHANGES_H

#include <linux/kcuckoo.h>

/* RULE_REPLACE: the same rule exists, with another action, mark and so on. */
enum rule_step {
	RULE_DETACH,
	RULE_ATTACH,
	RULE_REPLACE,
};

/**
 * struct rule_change - one step
 * @step: what to do
 * @rule: the rule to detach, or to attach
 */
struct rule_change {
	enum rule_step step;
	const struct kcuckoo_rule *rule;
};

/*
 * Return: the text of the device that a rule was attached with: a name, a
 * pattern, or an empty text.
 */
const char *rule_dev(const struct kcuckoo_rule *rule);

/*
 * Compute the steps from the rules @present to the rules @wanted. A rule is
 * detached after the wanted ones are attached, so that no packet passes in
 * between; only a rule that prevents a wanted one from being attached, because
 * their families differ or because hook xdp has one rule for a device, is
 * detached before it. A rule with a pattern, which is listed once for each
 * device, has one step. @changes: out: the steps in order, with room for as many
 * as there are rules in both lists. Return: the number of steps.
 */
int rule_changes(const struct kcuckoo_rule *present, int present_count,
		 const struct kcuckoo_rule *wanted, int wanted_count,
		 struct rule_change *changes);

#endif /* KCUCKOO_CLI_CHANGES_H */
