// SPDX-License-Identifier: GPL-2.0-only
/*
 * These checks find rules that match no packet, and rules that packets bypass. A flowtable of
 * nf_tables forwards packets past the rules of most hooks, see rules/flowtable.h.
 */
#include <stdio.h>
#include <string.h>

#include "doctor/doctor.h"
#include "keywords.h"
#include "rules/flowtable.h"
#include "rules/xdp.h"

/* The kernel lists a rule with a pattern of device names once for each of its devices. */
static bool is_repeated(const struct doctor *doctor, int i)
{
	char text[RULE_TEXT], other[RULE_TEXT];
	int j;

	rule_text(&doctor->rules[i], text);
	for (j = 0; j < i; j++)
		if (!strcmp((const char *)doctor->rules[j].name,
			    (const char *)doctor->rules[i].name) &&
		    !strcmp(rule_text(&doctor->rules[j], other), text))
			return true;
	return false;
}

/* @missing: name of the filter, or allow filter, that does not exist. */
static void report_missing_filter(struct doctor *doctor, const struct kcuckoo_rule *rule,
				  const char *missing)
{
	char text[RULE_TEXT];

	if (*rule->label && doctor->configured)
		doctor_config_command(doctor, "apply", "");
	else
		doctor_command(doctor, "%s create %s", doctor->self, missing);
	doctor_find(doctor, "the rule '%s %s' matches nothing: there is no filter of addresses '%s'",
		    (const char *)rule->name, rule_text(rule, text), missing);
}

static void report_missing_device(struct doctor *doctor, const struct kcuckoo_rule *rule)
{
	char text[RULE_TEXT], buf[DEVICE_TEXT];

	/*
	 * Do not propose to detach the rule: the rule will apply to a device that
	 * appears later.
	 */
	doctor_advice(doctor, "'ip link' lists the devices");
	doctor_find(doctor, "the rule '%s %s' matches nothing until there is a device %s",
		    (const char *)rule->name, rule_text(rule, text),
		    device_text((const char *)rule->pattern, buf));
}

static void report_xdp_rule(struct doctor *doctor, const struct kcuckoo_rule *rule,
			    const char *why)
{
	char text[RULE_TEXT], word[WORD_TEXT];

	doctor_command(doctor, "%s detach %s hook xdp dev %s", doctor->self,
		       (const char *)rule->name,
		       doctor_word((const char *)rule->dev, word));
	doctor_find(doctor, "the rule '%s %s' matches nothing: %s",
		    (const char *)rule->name, rule_text(rule, text), why);
}

static void check_rule(struct doctor *doctor, const struct kcuckoo_rule *rule)
{
	if (rule->flags & RULE_SLOT_MISSING)
		report_xdp_rule(doctor, rule, "its filter is not in this network namespace");
	else if (rule->flags & RULE_NO_ETHERNET)
		report_xdp_rule(doctor, rule, "packets of the device have no Ethernet header");
	if (rule->flags & KCUCKOO_RULE_WAITING)
		report_missing_filter(doctor, rule, (const char *)rule->name);
	if (rule->flags & KCUCKOO_RULE_ALLOW_WAITING)
		report_missing_filter(doctor, rule, (const char *)rule->allow);
	if (rule->flags & KCUCKOO_RULE_DEV_WAITING)
		report_missing_device(doctor, rule);
}

void check_rules(struct doctor *doctor)
{
	int i;

	for (i = 0; i < doctor->rule_count; i++)
		if (!is_repeated(doctor, i))
			check_rule(doctor, &doctor->rules[i]);
}

/* Return: true if two rules have the same filters, match, action and mark. */
static bool is_alike(const struct kcuckoo_rule *a, const struct kcuckoo_rule *b)
{
	return !strcmp((const char *)a->name, (const char *)b->name) &&
	       !strcmp((const char *)a->allow, (const char *)b->allow) &&
	       a->match == b->match && a->action == b->action &&
	       a->mark == b->mark;
}

/*
 * Return: true if, for each family of @rule, a rule like @rule (see is_alike()) applies to the
 * packets from @dev before a flowtable forwards these packets.
 */
static bool has_rule_before_flowtables(const struct doctor *doctor,
				       const struct flowtables *found,
				       const struct kcuckoo_rule *rule, const char *dev)
{
	__u8 families = 0;
	int i;

	for (i = 0; i < doctor->rule_count; i++)
		if (rule_precedes_flowtables(found, &doctor->rules[i]) &&
		    is_alike(&doctor->rules[i], rule) &&
		    !strcmp((const char *)doctor->rules[i].dev, dev))
			families |= doctor->rules[i].family;
	return !(rule->family & ~families);
}

/*
 * Return: true if hook ingress of @dev has a rule with the filter, the match and a family of
 * @rule, so that @rule cannot be attached there. A rule with --wait does not prevent this.
 */
static bool is_taken(const struct doctor *doctor,
		     const struct kcuckoo_rule *rule, const char *dev)
{
	const struct kcuckoo_rule *other = doctor->rules;

	for (; other < doctor->rules + doctor->rule_count; other++)
		if (other->hook == KCUCKOO_HOOK_INGRESS && !*other->pattern &&
		    other->match == rule->match && other->family & rule->family &&
		    !strcmp((const char *)other->name, (const char *)rule->name) &&
		    !strcmp((const char *)other->dev, dev))
			return true;
	return false;
}

/* Return: true if the findings on an earlier rule of the list also apply to rule number @i. */
static bool shares_findings(const struct doctor *doctor,
			    const struct flowtables *found, int i)
{
	const struct kcuckoo_rule *rule = &doctor->rules[i];
	int j;

	for (j = 0; j < i; j++)
		if (flowtables_bypass_rule(found, &doctor->rules[j]) &&
		    !*doctor->rules[j].dev &&
		    is_alike(&doctor->rules[j], rule) &&
		    !(rule->family & ~doctor->rules[j].family))
			return true;
	return false;
}

/*
 * Set a command or advice on how to attach a rule like @rule at hook ingress of @dev, which
 * precedes the flowtables.
 */
static void suggest_ingress_rule(struct doctor *doctor, const struct kcuckoo_rule *rule,
				 const char *dev)
{
	char buf[DEVICE_TEXT], word[WORD_TEXT], text[RULE_TEXT];
	struct kcuckoo_rule early = *rule;

	if (*rule->label) {
		doctor_advice(doctor, "add a section like [rule %s], with hook = ingress and dev = %s, to the configuration",
			      (const char *)rule->label, device_text(dev, buf));
	} else if (rule->hook == KCUCKOO_HOOK_FORWARD) {
		doctor_advice(doctor, "a rule of hook ingress sees them, and also packets for this host");
	} else if (is_taken(doctor, rule, dev)) {
		doctor_advice(doctor, "the rule of hook ingress for this device has another action, mark, allow filter or family");
	} else {
		early.hook = KCUCKOO_HOOK_INGRESS;
		doctor_command(doctor, "%s attach %s %s dev %s", doctor->self,
			       (const char *)rule->name, rule_text(&early, text),
			       doctor_word(dev, word));
	}
}

static void report_bypass(struct doctor *doctor, const struct flowtables *found,
			  const struct kcuckoo_rule *rule, const char *dev)
{
	char buf[DEVICE_TEXT], text[RULE_TEXT];

	suggest_ingress_rule(doctor, rule, dev);
	doctor_find(doctor, "packets of connections that flowtable %s forwards from device %s bypass the rule '%s %s'",
		    found->name, device_text(dev, buf),
		    (const char *)rule->name, rule_text(rule, text));
}

/*
 * Report @rule, a rule on an upper device such as a bridge: a flowtable may forward packets at
 * the lower device, past @rule. Do not report @rule if a rule like @rule precedes the flowtables
 * at one of their devices, which may be the lower device.
 */
static void report_upper(struct doctor *doctor, const struct flowtables *found,
			 const struct kcuckoo_rule *rule)
{
	char buf[DEVICE_TEXT], text[RULE_TEXT];
	int i;

	for (i = 0; i < found->device_count; i++)
		if (has_rule_before_flowtables(doctor, found, rule, found->devices[i]))
			return;
	doctor_advice(doctor, "a rule of hook ingress on the device below %s sees them",
		      device_text((const char *)rule->dev, buf));
	doctor_find(doctor, "packets of connections that flowtable %s forwards at the device below may bypass the rule '%s %s'",
		    found->name, (const char *)rule->name,
		    rule_text(rule, text));
}

static void report_bypasses(struct doctor *doctor, const struct flowtables *found,
			    const struct kcuckoo_rule *rule)
{
	int i;

	for (i = 0; i < found->device_count; i++)
		if (!has_rule_before_flowtables(doctor, found, rule, found->devices[i]))
			report_bypass(doctor, found, rule, found->devices[i]);
}

static bool has_rule_for_forwarded(const struct doctor *doctor)
{
	int i;

	for (i = 0; i < doctor->rule_count; i++)
		if (flowtables_concern(&doctor->rules[i]))
			return true;
	return false;
}

void check_flowtables(struct doctor *doctor)
{
	struct flowtables found;
	int i;

	if (!has_rule_for_forwarded(doctor))
		return;
	flowtables_read(&found);
	if (found.offloaded) {
		doctor_advice(doctor, "delete it, or create it without 'flags offload'");
		doctor_find(doctor, "packets of connections that flowtable %s forwards in hardware bypass all rules",
			    found.name);
	}
	for (i = 0; found.count && i < doctor->rule_count; i++) {
		const struct kcuckoo_rule *rule = &doctor->rules[i];

		if (!flowtables_bypass_rule(&found, rule) ||
		    shares_findings(doctor, &found, i))
			continue;
		if (*rule->dev)
			report_upper(doctor, &found, rule);
		else
			report_bypasses(doctor, &found, rule);
	}
}
