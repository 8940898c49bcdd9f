// SPDX-License-Identifier: GPL-2.0-only
/*
 * kcuckoo: attach, detach and rules
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "guard.h"
#include "json.h"
#include "message.h"
#include "words.h"

enum {
	HOOK,
	FAMILY,
	MATCH,
	ACTION,
	FIELDS,		/* those above are in this version */
	ALL_FIELDS = 7,
};

/* What may stand behind the name; without words, not in this version. */
static const struct field {
	const char *name;
	const struct word *words;
} fields[ALL_FIELDS] = {
	[HOOK]	= { "hook",	hook_words },
	[FAMILY] = { "family", family_words },
	[MATCH] = { "match",	match_words },
	[ACTION] = { "action", action_words },
	{ "allow",	NULL },
	{ "dev",	NULL },
	{ "mode",	NULL },
};

/* Return: the number of a field that @verb has, or -1, told. */
static int find_field(const struct cli *cli, const char *name, int count)
{
	int i;

	for (i = 0; i < ALL_FIELDS; i++) {
		if (strcmp(fields[i].name, name))
			continue;
		if (!fields[i].words)
			return later_error("", name);
		if (i >= count)
			break;
		return i;
	}
	for (i = 0; i < count; i++)
		if (is_near(name, fields[i].name))
			return error("%s does not know '%s': did you mean '%s'?",
				     cli->verb->name, name, fields[i].name);
	error("%s does not know '%s'", cli->verb->name, name);
	return hint(-1, "see 'kcuckoo help %s'", cli->verb->name);
}

/*
 * Read pairs of a field and its value. @values: by field; those not given are
 * left alone. @count: how many fields the verb has. Return: a bit for every
 * field given, or -1, told.
 */
static int parse_fields(const struct cli *cli, const struct args *args,
			int *values, int count)
{
	int i, field, value, given = 0;

	for (i = 1; i < args->word_count; i += 2) {
		field = find_field(cli, args->words[i], count);
		if (field < 0)
			return -1;
		if (given & 1 << field)
			return error("'%s' was given twice", args->words[i]);
		if (i + 1 == args->word_count)
			return error("'%s' needs a value behind it: see 'kcuckoo help %s'",
				     args->words[i], cli->verb->name);
		value = word_value(fields[field].words, fields[field].name,
				   args->words[i + 1]);
		if (value < 0)
			return -1;
		values[field] = value;
		given |= 1 << field;
	}
	return given;
}

static void describe(const int *values, char *text, size_t size)
{
	snprintf(text, size, "hook %s family %s match %s action %s",
		 word_of(hook_words, values[HOOK]),
		 word_of(family_words, values[FAMILY]),
		 word_of(match_words, values[MATCH]),
		 word_of(action_words, values[ACTION]));
}

static int attach(struct cli *cli, const char *name, const int *values)
{
	struct kcuckoo_ioc_attach arg = {
		.size = sizeof(arg),
		.hook = values[HOOK],
		.family = values[FAMILY],
		.match = values[MATCH],
		.action = values[ACTION],
	};
	struct kcuckoo_rule rule = {
		.hook = arg.hook,
		.family = arg.family,
		.match = arg.match,
		.action = arg.action,
	};
	char text[96];
	int ret;

	if (check_name(name))
		return -1;
	strcpy((char *)rule.name, name);
	/* Words first: afterwards nobody may be there to read them. */
	guard_rule(cli, &rule);
	ret = kcuckoo_attach(cli->handle, name, &arg);
	if (ret == -EEXIST)
		return hint(error("'%s' has a rule of this hook, match and family already",
				  name), "'kcuckoo rules' shows it");
	if (ret)
		return filter_error(cli, ret, name, "attach");
	describe(values, text, sizeof(text));
	say(cli, "attached %s: %s", name, text);
	return cli->json ? json_print(json_of_rule(&rule)) : EXIT_YES;
}

int verb_attach(struct cli *cli, const struct args *args)
{
	int values[FIELDS] = {
		[HOOK] = KCUCKOO_HOOK_PREROUTING,
		[FAMILY] = KCUCKOO_FAMILY_BOTH,
		[MATCH] = KCUCKOO_MATCH_SRC,
		[ACTION] = KCUCKOO_ACTION_DROP,
	};

	if (parse_fields(cli, args, values, FIELDS) < 0 || cli_open(cli))
		return -1;
	return attach(cli, args->words[0], values);
}

static int detach(struct cli *cli, const char *name,
		  struct kcuckoo_ioc_detach *pattern)
{
	struct kcuckoo_ioc_info info = { .size = sizeof(info) };
	int removed;

	removed = kcuckoo_detach(cli->handle, name, pattern);
	if (removed == -ENOENT && !name)
		return error("there are no rules");
	if (removed == -ENOENT && !kcuckoo_info(cli->handle, name, &info))
		return hint(error("'%s' has no such rule", name),
			    "'kcuckoo rules' shows those there are");
	if (removed < 0)
		return name ? filter_error(cli, removed, name, "detach") :
			      plain_error(removed, "detach");
	say(cli, "%d %s removed", removed, plural(removed, "rule", "rules"));
	if (!cli->json)
		return EXIT_YES;
	return json_print(json_pack("{s:i}", "removed", removed));
}

int verb_detach(struct cli *cli, const struct args *args)
{
	struct kcuckoo_ioc_detach pattern = { .size = sizeof(pattern) };
	int values[FIELDS] = { 0 };
	int given = 0;

	if (args->all && args->word_count)
		return error("detach takes a name or --all, not both");
	if (!args->all && !args->word_count)
		return error("'detach' needs more: kcuckoo detach %s",
			     cli->verb->usage);
	if (!args->all)
		given = parse_fields(cli, args, values, ACTION);
	if (given < 0 || cli_open(cli))
		return -1;
	pattern.hook = values[HOOK];
	pattern.family = values[FAMILY];
	pattern.match = values[MATCH];
	if (given & 1 << HOOK)
		pattern.flags |= KCUCKOO_DETACH_HOOK;
	if (given & 1 << FAMILY)
		pattern.flags |= KCUCKOO_DETACH_FAMILY;
	if (given & 1 << MATCH)
		pattern.flags |= KCUCKOO_DETACH_MATCH;
	return detach(cli, args->all ? NULL : args->words[0], &pattern);
}

static void print_rules(const struct kcuckoo_rule *rules, int count)
{
	int i, width = strlen("FILTER"), length;

	for (i = 0; i < count; i++) {
		length = strlen((const char *)rules[i].name);
		if (length > width)
			width = length;
	}
	printf("%-*s  %-10s  %-6s  %-5s  %-6s  %12s  %14s\n", width, "FILTER",
	       "HOOK", "FAMILY", "MATCH", "ACTION", "PACKETS", "BYTES");
	for (i = 0; i < count; i++)
		printf("%-*s  %-10s  %-6s  %-5s  %-6s  %12llu  %14llu\n",
		       width, (const char *)rules[i].name,
		       word_of(hook_words, rules[i].hook),
		       word_of(family_words, rules[i].family),
		       word_of(match_words, rules[i].match),
		       word_of(action_words, rules[i].action),
		       rules[i].packets, rules[i].bytes);
}

int verb_rules(struct cli *cli, const struct args *args)
{
	struct kcuckoo_rule *rules;
	struct json_stream stream;
	int i, count;

	(void)args;
	if (cli_open(cli))
		return -1;
	count = kcuckoo_rules(cli->handle, &rules);
	if (count < 0)
		return plain_error(count, "list the rules");
	if (cli->json) {
		json_stream_begin(&stream);
		for (i = 0; i < count; i++)
			json_stream_element(&stream, json_of_rule(&rules[i]));
		json_stream_end(&stream);
	} else if (count) {
		print_rules(rules, count);
	} else {
		say(cli, "there are no rules: 'kcuckoo attach NAME' adds one");
	}
	free(rules);
	return EXIT_YES;
}
