// SPDX-License-Identifier: GPL-2.0-only
/*
 * rule_changes() computes the steps that restore earlier rules of filters. If possible,
 * the order of the steps ensures that no packet passes between two steps because a
 * wanted rule is missing.
 */
#include <stdbool.h>
#include <string.h>

#include "rules/changes.h"
#include "rules/log.h"
#include "rules/xdp.h"

const char *rule_dev(const struct kcuckoo_rule *rule)
{
	return (const char *)(*rule->pattern ? rule->pattern : rule->dev);
}

static bool same_except_family(const struct kcuckoo_rule *a, const struct kcuckoo_rule *b)
{
	return !strcmp((const char *)a->name, (const char *)b->name) &&
	       a->hook == b->hook && a->match == b->match &&
	       !*a->pattern == !*b->pattern && !strcmp(rule_dev(a), rule_dev(b));
}

/* Return: true if two rules have the same filter, hook, match, device and family. */
static bool same_rule(const struct kcuckoo_rule *a, const struct kcuckoo_rule *b)
{
	return same_except_family(a, b) && a->family == b->family;
}

static bool exclusive(const struct kcuckoo_rule *a, const struct kcuckoo_rule *b)
{
	if (a->hook == HOOK_XDP && b->hook == HOOK_XDP)
		return !strcmp(rule_dev(a), rule_dev(b));
	return same_except_family(a, b) && a->family & b->family;
}

/* The caller has checked that @present and @wanted are the same rule. */
static bool same_effect(const struct kcuckoo_rule *present,
			const struct kcuckoo_rule *wanted)
{
	return present->action == wanted->action &&
	       present->mark == wanted->mark && log_same(present, wanted) &&
	       !memcmp(present->allow, wanted->allow, sizeof(wanted->allow)) &&
	       !memcmp(present->label, wanted->label, sizeof(wanted->label)) &&
	       !(present->flags & RULE_SLOT_MISSING) &&
	       !((present->flags ^ wanted->flags) & RULE_NATIVE);
}

static const struct kcuckoo_rule *find(const struct kcuckoo_rule *rules, int count,
				       const struct kcuckoo_rule *rule)
{
	int i;

	for (i = 0; i < count; i++)
		if (same_rule(&rules[i], rule))
			return &rules[i];
	return NULL;
}

/*
 * Append a step to @changes, unless the step detaches a rule that an earlier step
 * detaches.
 */
static int append(struct rule_change *changes, int count, enum rule_step step,
		  const struct kcuckoo_rule *rule)
{
	int i;

	for (i = 0; step == RULE_DETACH && i < count; i++)
		if (changes[i].step == step && same_rule(changes[i].rule, rule))
			return count;
	changes[count] = (struct rule_change){ step, rule };
	return count + 1;
}

int rule_changes(const struct kcuckoo_rule *present, int present_count,
		 const struct kcuckoo_rule *wanted, int wanted_count,
		 struct rule_change *changes)
{
	const struct kcuckoo_rule *same;
	int i, j, count = 0;

	for (i = 0; i < wanted_count; i++) {
		if (find(wanted, i, &wanted[i]))
			continue;
		same = find(present, present_count, &wanted[i]);
		if (same && same_effect(same, &wanted[i]))
			continue;
		if (same && same->hook != HOOK_XDP) {
			count = append(changes, count, RULE_REPLACE, &wanted[i]);
			continue;
		}
		for (j = 0; j < present_count; j++)
			if (exclusive(&present[j], &wanted[i]))
				count = append(changes, count, RULE_DETACH,
					       &present[j]);
		count = append(changes, count, RULE_ATTACH, &wanted[i]);
	}
	for (i = 0; i < present_count; i++)
		if (!find(wanted, wanted_count, &present[i]))
			count = append(changes, count, RULE_DETACH, &present[i]);
	return count;
}
