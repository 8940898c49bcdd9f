// SPDX-License-Identifier: GPL-2.0-only
/*
 * These checks find rules that match no packet, and packets that bypass rules.
 */
#include <stdio.h>
#include <string.h>

#include "doctor/doctor.h"
#include "keywords.h"
#include "rules/flowtable.h"
#include "rules/xdp.h"

/* Return: true if an earlier rule has the same filter and the same text. */
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

/* Report a rule whose filter, or allow filter, does not exist. */
static void find_filter(struct doctor *doctor, const struct kcuckoo_rule *rule,
			const char *missing)
{
	char text[RULE_TEXT];

	if (*rule->label && doctor->configured)
		doctor_command(doctor, "%s apply", doctor->self);
	else
		doctor_command(doctor, "%s create %s", doctor->self, missing);
	doctor_find(doctor, "the rule '%s %s' matches nothing: there is no filter of addresses '%s'",
		    (const char *)rule->name, rule_text(rule, text), missing);
}

/* Report a rule whose device does not exist. */
static void find_device(struct doctor *doctor, const struct kcuckoo_rule *rule)
{
	char text[RULE_TEXT], buf[DEVICE_TEXT], word[WORD_TEXT];

	doctor_advice(doctor, "'ip link' lists the devices");
	if (!*rule->label)
		doctor_command(doctor, "%s detach %s hook ingress dev %s",
			       doctor->self, (const char *)rule->name,
			       doctor_word((const char *)rule->pattern, word));
	doctor_find(doctor, "the rule '%s %s' matches nothing until there is a device %s",
		    (const char *)rule->name, rule_text(rule, text),
		    device_text((const char *)rule->pattern, buf));
}

/* Report a rule of hook xdp that matches nothing. */
static void find_xdp(struct doctor *doctor, const struct kcuckoo_rule *rule,
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
	if (rule->flags & RULE_DEAD)
		find_xdp(doctor, rule, "its filter is not in this network namespace");
	else if (rule->flags & RULE_NO_ETHERNET)
		find_xdp(doctor, rule, "packets of the device have no Ethernet header");
	if (rule->flags & KCUCKOO_RULE_WAITING)
		find_filter(doctor, rule, (const char *)rule->name);
	if (rule->flags & KCUCKOO_RULE_ALLOW_WAITING)
		find_filter(doctor, rule, (const char *)rule->allow);
	if (rule->flags & KCUCKOO_RULE_DEV_WAITING)
		find_device(doctor, rule);
}

void check_rules(struct doctor *doctor)
{
	int i;

	for (i = 0; i < doctor->rule_count; i++)
		if (!is_repeated(doctor, i))
			check_rule(doctor, &doctor->rules[i]);
}

/* Return: true if a rule of the filter @name sees the packets of @dev early. */
static bool has_early(const struct doctor *doctor, const __u8 *name,
		      const char *dev)
{
	int i;

	for (i = 0; i < doctor->rule_count; i++)
		if (flowtables_is_early(&doctor->rules[i]) &&
		    !strcmp((const char *)doctor->rules[i].name,
			    (const char *)name) &&
		    !strcmp((const char *)doctor->rules[i].dev, dev))
			return true;
	return false;
}

/* Return: true if an earlier rule of a late hook has the same filter. */
static bool has_earlier(const struct doctor *doctor, int i)
{
	int j;

	for (j = 0; j < i; j++)
		if (!flowtables_is_early(&doctor->rules[j]) &&
		    !strcmp((const char *)doctor->rules[j].name,
			    (const char *)doctor->rules[i].name))
			return true;
	return false;
}

/* Report a filter whose rules a flowtable bypasses on a device. */
static void find_bypass(struct doctor *doctor, const struct flowtables *found,
			const char *name, const char *dev)
{
	char buf[DEVICE_TEXT], word[WORD_TEXT];

	doctor_command(doctor, "%s attach %s hook ingress dev %s", doctor->self,
		       name, doctor_word(dev, word));
	doctor_find(doctor, "packets of connections that flowtable %s forwards from device %s bypass the rules of filter %s",
		    found->name, device_text(dev, buf), name);
}

void check_flowtables(struct doctor *doctor)
{
	struct flowtables found;
	int i, j;

	if (!doctor->rule_count)
		return;
	flowtables_read(&found);
	if (found.offloaded) {
		doctor_advice(doctor, "delete it, or create it without 'flags offload'");
		doctor_find(doctor, "packets of connections that flowtable %s forwards in hardware bypass all rules",
			    found.name);
	}
	for (i = 0; i < doctor->rule_count; i++) {
		const __u8 *name = doctor->rules[i].name;

		if (flowtables_is_early(&doctor->rules[i]) || has_earlier(doctor, i))
			continue;
		for (j = 0; j < found.device_count; j++)
			if (!has_early(doctor, name, found.devices[j]))
				find_bypass(doctor, &found, (const char *)name,
					    found.devices[j]);
	}
}
