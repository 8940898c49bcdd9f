// SPDX-License-Identifier: GPL-2.0-only
/*
 * The verbs attach, detach and rules add, remove and list rules, which drop,
 * count or mark packets.
 */
#include <errno.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "describe.h"
#include "json.h"
#include "keywords.h"
#include "message.h"
#include "number.h"
#include "rules/device.h"
#include "rules/existing.h"
#include "rules/flowtable.h"
#include "rules/lockout.h"
#include "rules/rules.h"
#include "rules/xdp.h"

/*
 * Fields of a rule: indexes of @fields. The verb detach has only those before
 * DETACH_FIELDS, the verb attach has all.
 */
enum {
	HOOK,
	FAMILY,
	MATCH,
	DEV,
	DETACH_FIELDS,
	ACTION = DETACH_FIELDS,
	ALLOW,
	MODE,
	FIELDS,
};

/*
 * Maximum number of attempts of --exist, if other processes attach and detach
 * the rule at the same time.
 */
#define ATTACH_TRIES	64

static const struct keyword mode_keywords[] = {
	{ "native",	XDP_MODE_NATIVE },
	{ "generic",	XDP_MODE_GENERIC },
	{ NULL, 0 }
};

/*
 * The fields of a rule, which follow the name of the filter. A field without
 * @keywords takes any value.
 */
static const struct field {
	const char *name;
	const struct keyword *keywords;
} fields[FIELDS] = {
	[HOOK]	= { "hook",	hook_keywords },
	[FAMILY] = { "family", family_keywords },
	[MATCH] = { "match",	match_keywords },
	[DEV] = { "dev",	NULL },
	[ACTION] = { "action", action_keywords },
	[ALLOW] = { "allow",	NULL },
	[MODE]	= { "mode",	mode_keywords },
};

/*
 * Return: the index of a field among the first @count fields, or -1 after an
 * error message.
 */
static int find_field(const struct cli *cli, const char *name, int count)
{
	int i;

	for (i = 0; i < count; i++)
		if (!strcmp(fields[i].name, name))
			return i;
	for (i = 0; i < count; i++)
		if (is_near(name, fields[i].name))
			return error("%s does not know '%s': did you mean '%s'?",
				     cli->verb->name, name, fields[i].name);
	error("%s does not know '%s'", cli->verb->name, name);
	return hint(-1, "see 'kcuckoo help %s'", cli->verb->name);
}

/*
 * Parse the action "mark=N", where N is any number. Return: 1; 0 for another
 * action, such as the keyword "mark=value"; or -1 after an error message.
 */
static int parse_mark(struct kcuckoo_rule *rule, const char *text)
{
	__u64 mark;

	if (strncmp(text, "mark", 4) || !strcmp(text, "mark=value"))
		return 0;
	if (!text[4])
		return error("action 'mark' needs a number or 'value': mark=5");
	if (text[4] != '=')
		return 0;
	if (parse_number("mark", text + 5, 0, UINT32_MAX, &mark))
		return -1;
	rule->action = KCUCKOO_ACTION_MARK;
	rule->mark = mark;
	return 1;
}

static int parse_allow(struct kcuckoo_rule *rule, const char *text)
{
	if (check_name(text))
		return -1;
	strcpy((char *)rule->allow, text);
	return 0;
}

/*
 * Parse the name of a device. The kernel checks later whether the device
 * exists.
 */
static int parse_dev(struct kcuckoo_rule *rule, const char *text)
{
	char buf[DEVICE_TEXT];

	if (!*text || strlen(text) >= sizeof(rule->dev))
		return error("'%s' is not a valid name of a network device",
			     device_text(text, buf));
	strcpy((char *)rule->dev, text);
	return 0;
}

static int parse_field(struct kcuckoo_rule *rule, int *mode, int field,
		       const char *text)
{
	int value = field == ACTION ? parse_mark(rule, text) : 0;

	if (field == ALLOW)
		return parse_allow(rule, text);
	if (field == DEV)
		return parse_dev(rule, text);
	if (value)
		return value < 0 ? -1 : 0;
	value = keyword_value(fields[field].keywords, fields[field].name, text);
	if (value < 0)
		return -1;
	switch (field) {
	case HOOK:
		rule->hook = value;
		break;
	case FAMILY:
		rule->family = value;
		break;
	case MATCH:
		rule->match = value;
		break;
	case MODE:
		*mode = value;
		break;
	default:
		rule->action = value;
	}
	return 0;
}

/*
 * Parse pairs of a field and its value into @rule and @mode, which keep the
 * values of fields that are not given. @count: number of fields that the verb
 * has. Return: a bit for each field that was given, or -1 after an error
 * message.
 */
static int parse_fields(const struct cli *cli, const struct args *args,
			struct kcuckoo_rule *rule, int *mode, int count)
{
	int i, field, given = 0;

	for (i = 1; i < args->operand_count; i += 2) {
		field = find_field(cli, args->operands[i], count);
		if (field < 0)
			return -1;
		if (given & 1 << field)
			return error("'%s' was given twice", args->operands[i]);
		if (i + 1 == args->operand_count)
			return error("'%s' needs a value: see 'kcuckoo help %s'",
				     args->operands[i], cli->verb->name);
		if (parse_field(rule, mode, field, args->operands[i + 1]))
			return -1;
		given |= 1 << field;
	}
	return given;
}

/*
 * Warn that a rule waits because no filter is named @name. This is not an
 * error: a filter may be created after its rules, for instance at boot.
 */
static void warn_waiting(struct cli *cli, const char *name)
{
	char *near = near_filter(cli, name);

	if (near)
		warn("there is no filter '%s', did you mean '%s'? The rule waits:",
		     name, near);
	else
		warn("there is no filter '%s'. The rule waits:", name);
	hint(0, "it matches nothing until 'kcuckoo create %s'", name);
	free(near);
}

/*
 * Read the parameters of the filter @name, which a rule uses, to @info. Return:
 * 0; the flag @waiting if no filter has this name, so that the rule matches
 * nothing yet; or -1 after an error message.
 */
static int find_filter(struct cli *cli, const char *name, __u32 waiting,
		       struct kcuckoo_ioc_info *info)
{
	int ret = kcuckoo_info(cli->handle, name, info);

	if (ret == -ENOENT)
		return waiting;
	if (ret)
		return filter_error(cli, ret, name, "attach");
	if (info->type == KCUCKOO_TYPE_BYTES)
		return hint(error("'%s' holds byte strings", name),
			    "packets have addresses: rules need a filter of addresses");
	return 0;
}

/*
 * Read the parameters of the filter of @rule to @info. Set the flags of @rule
 * that show that its filter or its allow filter does not exist. Return: 0, or
 * -1 after an error message.
 */
static int find_filters(struct cli *cli, struct kcuckoo_rule *rule,
			struct kcuckoo_ioc_info *info)
{
	struct kcuckoo_ioc_info allow = { .size = sizeof(allow) };
	const char *name = (const char *)rule->name;
	int ret;

	ret = find_filter(cli, name, KCUCKOO_RULE_WAITING, info);
	if (ret < 0)
		return -1;
	rule->flags |= ret;
	if (!*rule->allow)
		return 0;
	if (!strcmp(name, (const char *)rule->allow))
		return error("a rule of '%s' that allows '%s' would never match",
			     name, name);
	ret = find_filter(cli, (const char *)rule->allow,
			  KCUCKOO_RULE_ALLOW_WAITING, &allow);
	if (ret < 0)
		return -1;
	rule->flags |= ret;
	return 0;
}

/*
 * Print an error if the device @dev of a rule is the cause of the negative
 * errno @ret. Return: -1, or 0 without a message for another cause.
 */
static int device_error(const char *dev, int ret)
{
	char buf[DEVICE_TEXT];

	switch (*dev ? -ret : 0) {
	case ENXIO:
		return device_missing(dev);
	case EINVAL:
		return hint(error("packets of '%s', a loopback device or a VRF, are never dropped",
				  device_text(dev, buf)),
			    "for a VRF, name a device that belongs to it");
	case EOPNOTSUPP:
		return hint(error("this kernel has no hook ingress"),
			    "it was built without CONFIG_NETFILTER_INGRESS");
	default:
		return 0;
	}
}

/* Print an error for a rule that exists already. Return: -1. */
static int same_rule(const struct kcuckoo_rule *rule)
{
	const char *name = (const char *)rule->name;
	char buf[DEVICE_TEXT];

	if (*rule->dev)
		error("'%s' has a rule of this hook, match and family on '%s' already",
		      name, device_text((const char *)rule->dev, buf));
	else
		error("'%s' has a rule of this hook, match and family already",
		      name);
	return hint(-1, "'kcuckoo rules' shows it");
}

static int attach_error(struct cli *cli, const struct kcuckoo_rule *rule,
			const struct kcuckoo_ioc_info *info, int ret)
{
	const char *name = (const char *)rule->name;

	if (ret == -EEXIST)
		return same_rule(rule);
	if (ret == -EOPNOTSUPP && rule->action == KCUCKOO_ACTION_VALUE &&
	    !info->value_bits)
		return hint(error("action mark=value: the keys of '%s' have no values",
				  name),
			    "'kcuckoo create NAME value BITS' creates a filter whose keys have values");
	if (device_error((const char *)rule->dev, ret))
		return -1;
	return filter_error(cli, ret, name, "attach");
}

/*
 * Attach a rule of any hook but xdp. Return: 0; -1 after an error message; or
 * -EEXIST without a message, with @exist and if the rule exists.
 */
static int attach_rule(struct cli *cli, const struct kcuckoo_rule *rule,
		       const struct kcuckoo_ioc_info *info, bool exist)
{
	struct kcuckoo_ioc_attach arg = {
		.size = sizeof(arg),
		.hook = rule->hook,
		.family = rule->family,
		.match = rule->match,
		.action = rule->action,
		.mark = rule->mark,
	};
	int ret;

	memcpy(arg.allow, rule->allow, sizeof(arg.allow));
	memcpy(arg.dev, rule->dev, sizeof(arg.dev));
	ret = kcuckoo_attach(cli->handle, (const char *)rule->name, &arg);
	if (ret == -EEXIST && exist)
		return ret;
	return ret ? attach_error(cli, rule, info, ret) : 0;
}

/* Attach a rule of any hook, and print it. Returns as attach_rule(). */
static int attach_any(struct cli *cli, const struct kcuckoo_rule *rule, int mode,
		      const struct kcuckoo_ioc_info *info, bool exist)
{
	char text[RULE_TEXT];
	int ret;

	if (rule->hook == HOOK_XDP)
		ret = xdp_attach(cli, rule, mode);
	else
		ret = attach_rule(cli, rule, info, exist);
	if (!ret)
		say(cli, "attached %s: %s", (const char *)rule->name,
		    rule_text(rule, text));
	return ret;
}

/*
 * Attach @rule. With @exist, do nothing if existing rules have the same effect.
 * Other processes may attach and detach rules at any time. Return: 0; 1 if
 * rules existed; or -1 after an error message.
 */
static int attach_absent(struct cli *cli, struct kcuckoo_rule *rule, int mode,
			 const struct kcuckoo_ioc_info *info, bool exist)
{
	int tries, ret = exist ? existing_rule_check(cli, rule, mode) : 0;

	if (ret)
		return ret;
	/*
	 * Print warnings before attaching: the rule may cut off the connection
	 * of the terminal.
	 */
	lockout_check_rule(cli, rule);
	say_rate(cli, (const char *)rule->name, info);
	for (tries = 0; tries < ATTACH_TRIES; tries++) {
		ret = attach_any(cli, rule, mode, info, exist);
		if (ret != -EEXIST)
			return ret;
		ret = existing_rule_check(cli, rule, mode);
		if (ret)
			return ret;
	}
	return same_rule(rule);
}

static int attach(struct cli *cli, struct kcuckoo_rule *rule, int mode,
		  bool exist)
{
	struct kcuckoo_ioc_info info = { .size = sizeof(info) };
	const char *name = (const char *)rule->name;
	bool lock = exist && rule->hook == HOOK_XDP;
	int ret;

	if (find_filters(cli, rule, &info) || (lock && xdp_lock(cli)))
		return -1;
	ret = attach_absent(cli, rule, mode, &info, exist);
	if (lock)
		xdp_unlock(cli);
	if (ret < 0)
		return -1;
	if (rule->flags & KCUCKOO_RULE_WAITING)
		warn_waiting(cli, name);
	if (rule->flags & KCUCKOO_RULE_ALLOW_WAITING)
		warn_waiting(cli, (const char *)rule->allow);
	flowtable_warn(rule, 1);
	return cli->json ? json_print(json_of_rule(rule)) : EXIT_YES;
}

static bool has_device(const struct kcuckoo_rule *rule)
{
	return rule->hook == KCUCKOO_HOOK_INGRESS || rule->hook == HOOK_XDP;
}

/*
 * Check that hooks ingress and xdp have a device, and no other hook; and that a
 * mode is given only for hook xdp. Return: 0, or -1 after an error message.
 */
static int check_dev(const struct kcuckoo_rule *rule, int mode)
{
	const char *hook = keyword_name(hook_keywords, rule->hook);
	char buf[DEVICE_TEXT];

	if (has_device(rule) && !*rule->dev)
		return hint(error("hook %s needs a device", hook),
			    "for instance: hook %s dev eth0", hook);
	if (!has_device(rule) && *rule->dev)
		return hint(error("hook %s has no device: dev is for hook ingress and hook xdp",
				  hook),
			    "use: hook ingress dev %s",
			    device_text((const char *)rule->dev, buf));
	if (rule->hook != HOOK_XDP && mode != XDP_MODE_ANY)
		return error("hook %s has no modes: mode is for hook xdp", hook);
	return 0;
}

int verb_attach(struct cli *cli, const struct args *args)
{
	struct kcuckoo_rule rule = {
		.hook = KCUCKOO_HOOK_PREROUTING,
		.family = KCUCKOO_FAMILY_BOTH,
		.match = KCUCKOO_MATCH_SRC,
		.action = KCUCKOO_ACTION_DROP,
	};

	int mode = XDP_MODE_ANY;

	if (parse_fields(cli, args, &rule, &mode, FIELDS) < 0 ||
	    check_dev(&rule, mode) || check_name(args->operands[0]) ||
	    cli_open(cli))
		return -1;
	strcpy((char *)rule.name, args->operands[0]);
	return attach(cli, &rule, mode, args->given & ARGS_EXIST);
}

static bool has_rules(struct cli *cli, const char *name)
{
	struct kcuckoo_rule *rules;
	bool found = false;
	int i, count = rules_list(cli, &rules, false);

	for (i = 0; i < count && !found; i++)
		found = !strcmp((const char *)rules[i].name, name);
	if (count >= 0)
		free(rules);
	return found;
}

/* Return: true if a filter has this name, or a rule waits for it. */
static bool is_known(struct cli *cli, const char *name)
{
	struct kcuckoo_ioc_info info = { .size = sizeof(info) };

	return !kcuckoo_info(cli->handle, name, &info) || has_rules(cli, name);
}

static int detach_error(struct cli *cli, const char *name, const char *dev,
			int ret)
{
	if (ret == -ENOENT && !name)
		return error("there are no rules");
	if (device_error(dev, ret))
		return -1;
	if (ret == -ENOENT && is_known(cli, name))
		return hint(error("'%s' has no such rule", name),
			    "'kcuckoo rules' shows all rules");
	return name ? filter_error(cli, ret, name, "detach") :
		      plain_error(ret, "detach");
}

/*
 * Detach rules of any hook but xdp. Return: the number of rules that were
 * removed, or -1 after an error message.
 */
static int detach_rules(struct cli *cli, const char *name,
			struct kcuckoo_ioc_detach *pattern)
{
	int ret;

	if (pattern->flags & KCUCKOO_DETACH_HOOK && pattern->hook == HOOK_XDP)
		return 0;
	ret = kcuckoo_detach(cli->handle, name, pattern);
	if (ret == -ENOENT)
		return 0;
	return ret < 0 ? detach_error(cli, name, (const char *)pattern->dev, ret) :
			 ret;
}

/*
 * Detach rules of hook xdp. @removed: in and out, the number of rules that the
 * command has removed. Return: 0, or -1 after an error message.
 */
static int detach_programs(struct cli *cli, const char *name,
			   const struct kcuckoo_ioc_detach *pattern, int *removed)
{
	if (pattern->flags & KCUCKOO_DETACH_HOOK && pattern->hook != HOOK_XDP)
		return 0;
	if (!xdp_detach(cli, name, pattern, removed))
		return 0;
	if (*removed)
		hint(-1, "%d %s removed before; 'kcuckoo rules' shows the remaining ones",
		     *removed, plural(*removed, "rule was", "rules were"));
	return -1;
}

static int detach(struct cli *cli, const char *name,
		  struct kcuckoo_ioc_detach *pattern)
{
	int removed = detach_rules(cli, name, pattern);

	if (removed < 0 || detach_programs(cli, name, pattern, &removed))
		return -1;
	if (!removed)
		return detach_error(cli, name, (const char *)pattern->dev,
				    -ENOENT);
	say(cli, "%d %s removed", removed, plural(removed, "rule", "rules"));
	if (!cli->json)
		return EXIT_YES;
	return json_print(json_pack("{s:i}", "removed", removed));
}

int verb_detach(struct cli *cli, const struct args *args)
{
	struct kcuckoo_ioc_detach pattern = { .size = sizeof(pattern) };
	struct kcuckoo_rule rule = { .hook = 0 };
	bool all = args->given & ARGS_ALL;
	int given = 0, mode;

	if (all && args->operand_count)
		return error("detach takes a name or --all, not both");
	if (!all && !args->operand_count)
		return error("'detach' needs more arguments: kcuckoo detach %s",
			     cli->verb->usage);
	if (!all)
		given = parse_fields(cli, args, &rule, &mode, DETACH_FIELDS);
	/*
	 * Check the name here: the kernel returns EINVAL for an invalid name,
	 * and device_error() would report a loopback device.
	 */
	if (given < 0 || (!all && check_name(args->operands[0])) ||
	    cli_open(cli))
		return -1;
	pattern.hook = rule.hook;
	pattern.family = rule.family;
	pattern.match = rule.match;
	if (given & 1 << HOOK)
		pattern.flags |= KCUCKOO_DETACH_HOOK;
	if (given & 1 << FAMILY)
		pattern.flags |= KCUCKOO_DETACH_FAMILY;
	if (given & 1 << MATCH)
		pattern.flags |= KCUCKOO_DETACH_MATCH;
	if (given & 1 << DEV) {
		pattern.flags |= KCUCKOO_DETACH_DEV;
		memcpy(pattern.dev, rule.dev, sizeof(pattern.dev));
	}
	return detach(cli, all ? NULL : args->operands[0], &pattern);
}

/* Make the width of a column at least the length of a text, in characters. */
static void widen(int *width, const char *text)
{
	int length = strlen(text);

	if (length > *width)
		*width = length;
}

/* Print the fields that only few rules have, after the columns. */
static void print_rest(const struct kcuckoo_rule *rule)
{
	char buf[DEVICE_TEXT];

	if (*rule->dev)
		printf("  dev %s", device_text((const char *)rule->dev, buf));
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
