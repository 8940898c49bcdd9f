/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule_changes() computes the steps that restore earlier rules of filters.
 */
#ifndef KCUCKOO_CLI_CHANGES_H
#define KCUCKOO_CLI_CHANGES_H

#include <linux/kcuckoo.h>

/* RULE_REPLACE replaces the action, mark and other parameters of an attached rule. */
enum rule_step {
	RULE_DETACH,
	RULE_ATTACH,
	RULE_REPLACE,
};

/**
 * struct rule_change - one step of the changes that restore earlier rules
 * @step: action of the step
 * @rule: the rule to detach or attach; with RULE_REPLACE, the rule with its new
 *	parameters
 */
struct rule_change {
	enum rule_step step;
	const struct kcuckoo_rule *rule;
};

/*
 * Return: the operand "dev" with which a rule was attached: the name of a
 * device, a pattern of names, or an empty text.
 */
const char *rule_dev(const struct kcuckoo_rule *rule);

/*
 * Compute the steps from the rules @present to the rules @wanted:
 *
 * - A wanted rule that is already present with the same parameters needs no step.
 * - A present rule with the filter, hook, match, device and family of a wanted rule, but
 *   with other parameters, is replaced. Rules of hook xdp cannot be replaced.
 * - A present rule that prevents a wanted rule from being attached is detached just
 *   before the wanted rule is attached. A rule prevents another one if both have the same
 *   filter, hook, match and device, and a family in common; or if both are rules of hook
 *   xdp on one device.
 * - All other present rules that are not wanted are detached last, so that they still
 *   apply until all wanted rules are attached.
 *
 * A rule with a pattern of device names is in @present or @wanted once for each device,
 * but gets only one step. @changes: out: the steps in order. The caller allocates
 * @present_count + @wanted_count elements. Return: the number of steps.
 */
int rule_changes(const struct kcuckoo_rule *present, int present_count,
		 const struct kcuckoo_rule *wanted, int wanted_count,
		 struct rule_change *changes);

#endif /* KCUCKOO_CLI_CHANGES_H */
