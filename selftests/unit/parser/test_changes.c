// SPDX-License-Identifier: GPL-2.0-only
/*
 * Steps that bring back the rules of filters: no rule is missing in between.
 */
#include "kcuckoo.h"
#include "rules/changes.h"
#include "rules/xdp.h"
#include "tap.h"

#define ROOM	16

static struct kcuckoo_rule rule_of(const char *name, int hook, const char *dev)
{
	struct kcuckoo_rule rule = {
		.hook = hook,
		.family = KCUCKOO_FAMILY_BOTH,
		.match = KCUCKOO_MATCH_SRC,
		.action = KCUCKOO_ACTION_DROP,
	};

	strcpy((char *)rule.name, name);
	strcpy((char *)rule.dev, dev);
	return rule;
}

static struct kcuckoo_rule waiting(const char *pattern, const char *dev)
{
	struct kcuckoo_rule rule = rule_of("bl", KCUCKOO_HOOK_INGRESS, dev);

	strcpy((char *)rule.pattern, pattern);
	return rule;
}

/*
 * Require that the steps are @expected: "d0" detaches the present rule 0, "a1"
 * attaches and "r1" replaces the wanted rule 1.
 */
static void require_steps(const struct kcuckoo_rule *present, int present_count,
			  const struct kcuckoo_rule *wanted, int wanted_count,
			  const char *expected)
{
	struct rule_change changes[ROOM];
	char text[3 * ROOM + 1] = "";
	int i, count;

	tap_require(present_count + wanted_count <= ROOM, "room");
	count = rule_changes(present, present_count, wanted, wanted_count, changes);
	tap_require(count <= present_count + wanted_count, "%d", count);
	for (i = 0; i < count; i++) {
		const struct kcuckoo_rule *rule = changes[i].rule;
		bool detach = changes[i].step == RULE_DETACH;

		sprintf(text + strlen(text), "%s%c%d", i ? " " : "",
			"dar"[changes[i].step],
			(int)(rule - (detach ? present : wanted)));
	}
	tap_require(!strcmp(text, expected), "'%s', not '%s'", text, expected);
}

static void test_equal(void)
{
	struct kcuckoo_rule rules[] = {
		rule_of("bl", KCUCKOO_HOOK_INPUT, ""),
		waiting("ppp*", "ppp0"), waiting("ppp*", "ppp1"),
		rule_of("bl", HOOK_XDP, "eth0"),
	};
	struct kcuckoo_rule later[TAP_COUNT(rules)];

	require_steps(rules, 4, rules, 4, "");
	/* Other devices have the pattern now, and packets were counted. */
	memcpy(later, rules, sizeof(rules));
	later[0].packets = 7;
	later[1].flags = KCUCKOO_RULE_DEV_WAITING;
	memset(later[1].dev, 0, sizeof(later[1].dev));
	later[2] = later[3];
	require_steps(later, 3, rules, 4, "");
	require_steps(rules, 4, later, 3, "");
}

static void test_order(void)
{
	struct kcuckoo_rule present[] = {
		rule_of("bl", KCUCKOO_HOOK_FORWARD, ""),
		waiting("ppp*", "ppp0"), waiting("ppp*", "ppp1"),
	};
	struct kcuckoo_rule wanted[] = {
		rule_of("bl", KCUCKOO_HOOK_INPUT, ""),
		waiting("eth*", "eth0"), waiting("eth*", "eth1"),
	};

	require_steps(present, 3, wanted, 3, "a0 a1 d0 d1");
	require_steps(present, 3, wanted, 0, "d0 d1");
	require_steps(present, 0, wanted, 3, "a0 a1");
}

static void test_replace(void)
{
	struct kcuckoo_rule wanted = waiting("ppp0", "ppp0"), present = wanted;

	present.action = KCUCKOO_ACTION_COUNT;
	require_steps(&present, 1, &wanted, 1, "r0");
	present = wanted;
	present.mark = 1;
	require_steps(&present, 1, &wanted, 1, "r0");
	present = wanted;
	present.allow[0] = 'a';
	require_steps(&present, 1, &wanted, 1, "r0");
	present = wanted;
	present.label[0] = 'a';
	require_steps(&present, 1, &wanted, 1, "r0");
	/* A rule that waits is another one than a rule of a device. */
	present = rule_of("bl", KCUCKOO_HOOK_INGRESS, "ppp0");
	require_steps(&present, 1, &wanted, 1, "a0 d0");
}

static void test_prevented(void)
{
	struct kcuckoo_rule wanted = rule_of("bl", KCUCKOO_HOOK_INPUT, "");
	struct kcuckoo_rule present[] = { wanted, wanted };

	present[0].family = KCUCKOO_FAMILY_IPV4;
	present[1].family = KCUCKOO_FAMILY_IPV6;
	require_steps(present, 2, &wanted, 1, "d0 d1 a0");
	require_steps(&wanted, 1, present, 2, "d0 a0 a1");
	wanted = rule_of("bl", HOOK_XDP, "eth0");
	present[0] = rule_of("new", HOOK_XDP, "eth0");
	require_steps(present, 1, &wanted, 1, "d0 a0");
	/* Its program is replaced, too. */
	present[0] = wanted;
	present[0].action = KCUCKOO_ACTION_COUNT;
	require_steps(present, 1, &wanted, 1, "d0 a0");
	present[0] = wanted;
	present[0].flags = RULE_SLOT_MISSING;
	require_steps(present, 1, &wanted, 1, "d0 a0");
}

int main(int argc, char **argv)
{
	static const struct tap_test tests[] = {
		{ "changes.equal_rules_stay", test_equal },
		{ "changes.rules_are_attached_before_others_are_detached", test_order },
		{ "changes.a_rule_with_another_effect_is_replaced", test_replace },
		{ "changes.what_prevents_a_rule_is_detached_first", test_prevented },
	};

	return tap_main(argc, argv, tests, TAP_COUNT(tests));
}
