// SPDX-License-Identifier: GPL-2.0-only
/*
 * The verb rules lists rules, which drop, count or mark packets.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "describe.h"
#include "json.h"
#include "keywords.h"
#include "message.h"
#include "rules/flowtable.h"
#include "rules/rules.h"
#include "rules/xdp.h"

/* Make the width of a column at least the length of a text, in characters. */
static void widen(int *width, const char *text)
{
	int length = strlen(text);

	if (length > *width)
		*width = length;
}

/* Print the name or pattern of devices to which a rule belongs. */
static void print_wait(const struct kcuckoo_rule *rule)
{
	char buf[DEVICE_TEXT];

	device_text((const char *)rule->pattern, buf);
	if (rule->flags & KCUCKOO_RULE_DEV_WAITING)
		printf("  waits for device %s", buf);
	else if (strcmp((const char *)rule->dev, (const char *)rule->pattern))
		printf(" (%s)", buf);
}

/* Print the fields that only few rules have, after the columns. */
static void print_rest(const struct kcuckoo_rule *rule)
{
	char buf[DEVICE_TEXT];

	if (*rule->dev)
		printf("  dev %s", device_text((const char *)rule->dev, buf));
	if (*rule->pattern)
		print_wait(rule);
	if (*rule->allow)
		printf("  allow %s", (const char *)rule->allow);
	if (rule->flags & KCUCKOO_RULE_WAITING)
		printf("  waits");
	if (rule->flags & KCUCKOO_RULE_ALLOW_WAITING)
		printf("  waits for %s", (const char *)rule->allow);
	if (rule->flags & RULE_DEAD)
		printf("  dead");
	if (rule->flags & RULE_NO_ETHERNET)
		printf("  no Ethernet");
	if (*rule->label)
		printf("  label %s", (const char *)rule->label);
	putchar('\n');
}

static void print_rules(const struct kcuckoo_rule *rules, int count)
{
	int i, name = strlen("FILTER"), action = strlen("ACTION");
	char text[ACTION_TEXT];

	for (i = 0; i < count; i++) {
		widen(&name, (const char *)rules[i].name);
		widen(&action, action_text(&rules[i], text));
	}
	printf("%-*s  %-10s  %-6s  %-5s  %-*s  %12s  %14s\n", name, "FILTER",
	       "HOOK", "FAMILY", "MATCH", action, "ACTION", "PACKETS", "BYTES");
	for (i = 0; i < count; i++) {
		printf("%-*s  %-10s  %-6s  %-5s  %-*s  %12llu  %14llu",
		       name, (const char *)rules[i].name,
		       keyword_name(hook_keywords, rules[i].hook),
		       keyword_name(family_keywords, rules[i].family),
		       keyword_name(match_keywords, rules[i].match),
		       action, action_text(&rules[i], text),
		       rules[i].packets, rules[i].bytes);
		print_rest(&rules[i]);
	}
}

static int stream_rules(const struct kcuckoo_rule *rules, int count)
{
	struct json_stream stream;
	int i, ret = 0;

	json_stream_begin(&stream);
	for (i = 0; i < count && !ret; i++)
		ret = json_stream_element(&stream, json_of_rule(&rules[i]));
	json_stream_end(&stream);
	return ret;
}

int verb_rules(struct cli *cli, const struct args *args)
{
	struct kcuckoo_rule *rules;
	int count, ret = EXIT_YES;

	(void)args;
	if (cli_open(cli))
		return -1;
	count = rules_list(cli, &rules, true);
	if (count < 0)
		return plain_error(count, "list the rules");
	if (cli->json)
		ret = stream_rules(rules, count);
	else if (count)
		print_rules(rules, count);
	else
		say(cli, "there are no rules: 'kcuckoo attach NAME' adds one");
	flowtable_warn(rules, count);
	free(rules);
	return ret;
}
