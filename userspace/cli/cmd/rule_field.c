// SPDX-License-Identifier: GPL-2.0-only
/*
 * rule_fields_parse() parses the words after the name of the filter in command lines
 * of the verbs attach and detach, such as "hook input match dst".
 */
#include <stdio.h>
#include <string.h>

#include "args.h"
#include "cmd/rule_field.h"
#include "keywords.h"
#include "message.h"
#include "number.h"
#include "rules/log.h"
#include "rules/xdp.h"

static const struct keyword mode_keywords[] = {
	{ "native",	XDP_MODE_NATIVE },
	{ "generic",	XDP_MODE_GENERIC },
	{ NULL, 0 }
};

/*
 * The fields of a rule. If a field has @keywords, the value of the field is one of these
 * keywords; an action can also be "mark=N".
 */
static const struct field {
	const char *name;
	const struct keyword *keywords;
} fields[FIELD_COUNT] = {
	[FIELD_HOOK]	= { "hook",	hook_keywords },
	[FIELD_FAMILY] = { "family", family_keywords },
	[FIELD_MATCH] = { "match",	match_keywords },
	[FIELD_DEV] = { "dev",	NULL },
	[FIELD_LABEL] = { "label",	NULL },
	[FIELD_ACTION] = { "action", action_keywords },
	[FIELD_ALLOW] = { "allow",	NULL },
	[FIELD_MODE]	= { "mode",	mode_keywords },
	[FIELD_LOG] = { "log",	NULL },
	[FIELD_GROUP] = { "group",	NULL },
	[FIELD_LIMIT] = { "limit",	NULL },
};

static int find_field(const struct cli *cli, const char *name, int known)
{
	int i;

	for (i = 0; i < FIELD_COUNT; i++)
		if (known & 1 << i && !strcmp(fields[i].name, name))
			return i;
	for (i = 0; i < FIELD_COUNT; i++)
		if (known & 1 << i && is_near(name, fields[i].name))
			return error("unknown argument '%s' for '%s': did you mean '%s'?",
				     name, cli->verb->name, fields[i].name);
	error("unknown argument '%s' for '%s'", name, cli->verb->name);
	return hint(-1, "see 'kcuckoo help %s'", cli->verb->name);
}

/* Return: 1 for "mark=N"; 0 for another action, such as "mark=value"; or -1 after an error. */
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

/* Names of filters and labels have the same form. */
static int parse_name(__u8 *name, const char *text)
{
	if (check_name(text))
		return -1;
	strcpy((char *)name, text);
	return 0;
}

/* The kernel checks later whether the device exists. */
static int parse_dev(struct kcuckoo_rule *rule, const char *text)
{
	char buf[DEVICE_TEXT];

	if (!*text || strlen(text) >= sizeof(rule->dev))
		return error("'%s' is not a valid name of a network device",
			     device_text(text, buf));
	strcpy((char *)rule->dev, text);
	return 0;
}

static int parse_group(struct kcuckoo_rule *rule, const char *text)
{
	__u64 group;

	if (parse_number("group", text, 0, UINT16_MAX, &group))
		return -1;
	rule->log = KCUCKOO_LOG_NFLOG;
	rule->log_group = group;
	return 0;
}

static int parse_limit(struct kcuckoo_rule *rule, const char *text)
{
	rule->log_limit = log_limit_scan(text);
	if (!rule->log_limit)
		return error("limit '%s' is not " LOG_LIMIT_FORM, text,
			     KCUCKOO_LOG_LIMIT_MAX);
	return 0;
}

static int check_log(const struct kcuckoo_rule *rule, int given)
{
	char action[ACTION_TEXT];

	if (!(given & 1 << FIELD_LOG)) {
		if (given & (1 << FIELD_GROUP | 1 << FIELD_LIMIT))
			return hint(error("%s is for rules that log",
					  given & 1 << FIELD_GROUP ? "group" : "limit"),
				    "use: action drop log");
		return 0;
	}
	if (rule->action != KCUCKOO_ACTION_DROP &&
	    rule->action != KCUCKOO_ACTION_COUNT)
		return error("action %s does not log: log is for the actions drop and count",
			     action_text(rule, action));
	if (rule->hook == HOOK_XDP)
		return hint(error("hook xdp does not log: an XDP program cannot call the loggers"),
			    "use another hook, such as ingress");
	return 0;
}

static int parse_field(struct kcuckoo_rule *rule, int *mode, int field,
		       const char *text)
{
	int value = field == FIELD_ACTION ? parse_mark(rule, text) : 0;

	if (field == FIELD_ALLOW || field == FIELD_LABEL)
		return parse_name(field == FIELD_ALLOW ? rule->allow : rule->label,
				  text);
	if (field == FIELD_DEV)
		return parse_dev(rule, text);
	if (field == FIELD_GROUP)
		return parse_group(rule, text);
	if (field == FIELD_LIMIT)
		return parse_limit(rule, text);
	if (value)
		return value < 0 ? -1 : 0;
	value = keyword_value(fields[field].keywords, fields[field].name, text);
	if (value < 0)
		return -1;
	switch (field) {
	case FIELD_HOOK:
		rule->hook = value;
		break;
	case FIELD_FAMILY:
		rule->family = value;
		break;
	case FIELD_MATCH:
		rule->match = value;
		break;
	case FIELD_MODE:
		*mode = value;
		break;
	default:
		rule->action = value;
	}
	return 0;
}

int rule_fields_parse(const struct cli *cli, const struct args *args,
		      struct kcuckoo_rule *rule, int *mode, int known)
{
	int i, field, given = 0;

	for (i = 1; i < args->operand_count; i += 2) {
		field = find_field(cli, args->operands[i], known);
		if (field < 0)
			return -1;
		if (given & 1 << field)
			return error("'%s' was given twice", args->operands[i]);
		given |= 1 << field;
		if (field == FIELD_LOG) {
			/* A field "group" that precedes "log" has set @log already. */
			if (!rule->log)
				rule->log = KCUCKOO_LOG_SYSLOG;
			i--;
			continue;
		}
		if (i + 1 == args->operand_count)
			return error("'%s' needs a value: see 'kcuckoo help %s'",
				     args->operands[i], cli->verb->name);
		if (parse_field(rule, mode, field, args->operands[i + 1]))
			return -1;
	}
	return check_log(rule, given) ? -1 : given;
}
