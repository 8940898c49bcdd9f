// SPDX-License-Identifier: GPL-2.0-only
/*
 * The verb rules lists rules, which drop, count or mark packets. With --zero, the verb also
 * sets the counters of rules of the module to zero.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "json.h"
#include "keywords.h"
#include "message.h"
#include "rules/flowtable.h"
#include "rules/log.h"
#include "rules/rules.h"
#include "rules/xdp.h"

static void widen(int *width, const char *text)
{
	int length = strlen(text);

	if (length > *width)
		*width = length;
}

static void print_wait(const struct kcuckoo_rule *rule)
{
	char buf[DEVICE_TEXT];

	device_text((const char *)rule->pattern, buf);
	if (rule->flags & KCUCKOO_RULE_DEV_WAITING)
		printf("  waits for device %s", buf);
	else if (strcmp((const char *)rule->dev, (const char *)rule->pattern))
		printf(" (%s)", buf);
}

static void print_rest(const struct kcuckoo_rule *rule)
{
	char buf[DEVICE_TEXT], log[LOG_TEXT];

	if (rule->log)
		printf(" %s", log_text(rule, log));
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
	if (rule->flags & RULE_SLOT_MISSING)
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

/**
 * struct listing - the rules that the verb prints
 * @rules: the rules
 * @count: number of rules
 */
struct listing {
	struct kcuckoo_rule *rules;
	int count;
};

static int append(struct listing *listing, const struct kcuckoo_rule *rules,
		  int count)
{
	struct kcuckoo_rule *larger;

	if (!count)
		return 0;
	larger = realloc(listing->rules,
			 (listing->count + count) * sizeof(*larger));
	if (!larger)
		return error("not enough memory");
	memcpy(larger + listing->count, rules, count * sizeof(*larger));
	listing->rules = larger;
	listing->count += count;
	return 0;
}

static bool is_named(const struct args *args, const struct kcuckoo_rule *rule)
{
	int i;

	for (i = 0; i < args->operand_count; i++)
		if (!strcmp(args->operands[i], (const char *)rule->name))
			return true;
	return !args->operand_count;
}

/* @xdp: append only rules of hook xdp. */
static int append_listed(struct cli *cli, const struct args *args, bool xdp,
			 struct listing *listing)
{
	struct kcuckoo_rule *rules;
	int i, ret = 0, count = rules_list(cli, &rules, true);

	if (count < 0)
		return plain_error(count, "list the rules");
	for (i = 0; i < count && !ret; i++)
		if (is_named(args, &rules[i]) &&
		    (!xdp || rules[i].hook == HOOK_XDP))
			ret = append(listing, &rules[i], 1);
	free(rules);
	return ret;
}

/*
 * Set the counters of rules to zero, and append the rules with their earlier counters. @name:
 * name of the filter of the rules; NULL for all rules of the module.
 */
static int append_zeroed(struct cli *cli, const char *name, struct listing *listing)
{
	struct kcuckoo_rule *rules;
	int ret, count = kcuckoo_rules_zero(cli->handle, name, &rules);

	if (count < 0)
		return plain_error(count, "zero the counters");
	ret = append(listing, rules, count);
	free(rules);
	return ret;
}

static bool is_repeated(const struct args *args, int operand)
{
	int i;

	for (i = 0; i < operand; i++)
		if (!strcmp(args->operands[i], args->operands[operand]))
			return true;
	return false;
}

static int list_zero(struct cli *cli, const struct args *args,
		     struct listing *listing)
{
	int i, counted, ret = 0;

	if (log_check_module(cli, "--zero"))
		return -1;
	for (i = 0; i < args->operand_count && !ret; i++)
		if (!is_repeated(args, i))
			ret = append_zeroed(cli, args->operands[i], listing);
	if (!args->operand_count)
		ret = append_zeroed(cli, NULL, listing);
	counted = listing->count;
	if (!ret)
		ret = append_listed(cli, args, true, listing);
	if (listing->count > counted)
		warn("the counters of rules of hook xdp are not set to zero: --zero is for the other hooks");
	return ret;
}

static int check_names(struct cli *cli, const struct args *args,
		       const struct listing *listing)
{
	struct kcuckoo_ioc_info info = { .size = sizeof(info) };
	int i, j, ret;

	for (i = 0; i < args->operand_count; i++) {
		const char *name = args->operands[i];

		for (j = 0; j < listing->count; j++)
			if (!strcmp(name, (const char *)listing->rules[j].name))
				break;
		ret = j < listing->count ? 0 :
		      kcuckoo_info(cli->handle, name, &info);
		if (ret)
			return filter_error(cli, ret, name, "list the rules of");
	}
	return 0;
}

static int show(struct cli *cli, const struct args *args,
		const struct listing *listing)
{
	const struct kcuckoo_rule *rules = listing->rules;
	int ret = check_names(cli, args, listing), count = listing->count;

	if (ret && !count)
		return -1;
	if (cli->json)
		ret |= stream_rules(rules, count);
	else if (count)
		print_rules(rules, count);
	else
		say(cli, "there are no rules: 'kcuckoo attach NAME' adds one");
	flowtable_warn(rules, count);
	log_warn_off(rules, count);
	return ret;
}

int verb_rules(struct cli *cli, const struct args *args)
{
	struct listing listing = { .rules = NULL };
	int i, ret;

	for (i = 0; i < args->operand_count; i++)
		if (check_name(args->operands[i]))
			return -1;
	if (cli_open(cli))
		return -1;
	if (args->given & ARGS_ZERO)
		ret = list_zero(cli, args, &listing);
	else
		ret = append_listed(cli, args, false, &listing);
	/*
	 * After an error, print the rules whose counters were set to zero: the
	 * listing has the only copy of these counters.
	 */
	if (!ret || listing.count)
		ret = show(cli, args, &listing) < 0 ? -1 : ret;
	free(listing.rules);
	return ret;
}
