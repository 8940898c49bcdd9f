// SPDX-License-Identifier: GPL-2.0-only
/*
 * This file has the verbs compact, destroy, flush, rename and swap for whole
 * filters, and stats for the module.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "cmd/metrics.h"
#include "json.h"
#include "keywords.h"
#include "message.h"
#include "rules/lockout.h"
#include "rules/rules.h"
#include "rules/xdp.h"

/*
 * Return: true if a rule uses the filter @name, as its filter or as its allow filter.
 * The filters of a rule with RULE_SLOT_MISSING are in another network namespace.
 */
static bool uses(const struct kcuckoo_rule *rule, const char *name)
{
	return !(rule->flags & RULE_SLOT_MISSING) &&
	       (!strcmp((const char *)rule->name, name) ||
		!strcmp((const char *)rule->allow, name));
}

/*
 * Print the command that removes @rules[@i], a rule that uses the filter @name as its
 * filter or as its allow filter. The command "kcuckoo detach FILTER" removes all rules
 * of FILTER, so print the command only for the first rule of FILTER in @rules.
 */
static void hint_detach(const struct kcuckoo_rule *rules, int i,
			const char *name)
{
	const char *owner = (const char *)rules[i].name;
	int j;

	for (j = 0; j < i; j++)
		if (uses(&rules[j], name) &&
		    !strcmp((const char *)rules[j].name, owner))
			return;
	if (strcmp(owner, name))
		hint(-1, "'kcuckoo detach %s' removes the rules of '%s' that use it as allow filter",
		     owner, owner);
	else
		hint(-1, "'kcuckoo detach %s' removes them", name);
}

/*
 * If the filter @name has users that rules_list() does not list, such as BPF programs,
 * print how to find these users. @listed: number of users that rules_list() lists.
 * Return: -1.
 */
static int hint_other_users(struct cli *cli, const char *name, __u32 listed)
{
	struct kcuckoo_ioc_info info = { .size = sizeof(info) };
	__u32 others;

	if (kcuckoo_info(cli->handle, name, &info) || info.rules <= listed)
		return -1;
	others = info.rules - listed;
	hint(-1, "%u more %s: iptables, BPF programs or other modules; to list iptables rules:",
	     others, plural(others, "user", "users"));
	hint(-1, "iptables-save | grep -iw kcuckoo");
	hint(-1, "ip6tables-save | grep -iw kcuckoo");
	hint(-1, "if an XDP program of kcuckoo was removed by other means,");
	return hint(-1, "'kcuckoo detach %s hook xdp dev DEV' releases the filter", name);
}

/*
 * Return: true if @rules[@i] has a pattern of devices, and an earlier element of @rules is
 * the same rule. rules_list() lists a rule with a pattern once for each of its devices, but
 * the kernel counts the rule as one user of its filter.
 */
static bool is_repeated(const struct kcuckoo_rule *rules, int i)
{
	int j;

	for (j = 0; *rules[i].pattern && j < i; j++)
		if (rules[j].match == rules[i].match &&
		    rules[j].family == rules[i].family &&
		    !strcmp((const char *)rules[j].name,
			    (const char *)rules[i].name) &&
		    !strcmp((const char *)rules[j].pattern,
			    (const char *)rules[i].pattern))
			return true;
	return false;
}

/*
 * Print an error, the rules that use the filter @name, and the commands that remove
 * these rules. @what: the operation that failed, such as "destroy". Return: -1.
 */
static int busy_error(struct cli *cli, const char *name, const char *what)
{
	struct kcuckoo_rule *rules;
	char text[RULE_TEXT];
	__u32 listed = 0;
	int i, count;

	error("cannot %s '%s' while rules use it:", what, name);
	count = rules_list(cli, &rules, true);
	if (count < 0)
		return -1;
	for (i = 0; i < count; i++) {
		if (!uses(&rules[i], name) || is_repeated(rules, i))
			continue;
		hint(-1, "%s", rule_text(&rules[i], text));
		listed += !strcmp((const char *)rules[i].name, name);
		listed += !strcmp((const char *)rules[i].allow, name);
	}
	for (i = 0; i < count; i++)
		if (uses(&rules[i], name))
			hint_detach(rules, i, name);
	free(rules);
	return hint_other_users(cli, name, listed);
}

int verb_compact(struct cli *cli, const struct args *args)
{
	struct kcuckoo_ioc_info before = { .size = sizeof(before) };
	struct kcuckoo_ioc_info info = { .size = sizeof(info) };
	char from[32], to[32];
	const char *name = args->operands[0];
	int ret;

	if (cli_open(cli))
		return -1;
	ret = kcuckoo_info(cli->handle, name, &before);
	if (!ret)
		ret = kcuckoo_compact(cli->handle, name);
	if (!ret)
		ret = kcuckoo_info(cli->handle, name, &info);
	if (ret)
		return filter_error(cli, ret, name, "compact");
	say(cli, "%s: %s of kernel memory before, %s now", name,
	    human_bytes(before.memory_bytes, from, sizeof(from)),
	    human_bytes(info.memory_bytes, to, sizeof(to)));
	if (!cli->json)
		return EXIT_YES;
	return json_print(json_pack("{s:s, s:I, s:I}",
		"name", name,
		"memory_bytes_before", (json_int_t)before.memory_bytes,
		"memory_bytes", (json_int_t)info.memory_bytes));
}

int verb_destroy(struct cli *cli, const struct args *args)
{
	const char *name = args->operands[0];
	int ret;

	if (cli_open(cli))
		return -1;
	ret = kcuckoo_destroy(cli->handle, name);
	if (ret == -EBUSY)
		return busy_error(cli, name, "destroy");
	if (ret == -ENOENT && args->given & ARGS_IF_EXISTS)
		return EXIT_YES;
	return ret ? filter_error(cli, ret, name, "destroy") : EXIT_YES;
}

int verb_flush(struct cli *cli, const struct args *args)
{
	struct kcuckoo_ioc_info info = { .size = sizeof(info) };
	const char *name = args->operands[0];
	int ret;

	if (cli_open(cli))
		return -1;
	ret = kcuckoo_flush(cli->handle, name);
	if (ret)
		return filter_error(cli, ret, name, "flush");
	/*
	 * If the filter is the allow filter of rules, these rules match more
	 * packets from now on.
	 */
	if (!kcuckoo_info(cli->handle, name, &info) && info.rules)
		lockout_check_filter(cli, name, MEMBERS_REMOVED, NULL);
	return EXIT_YES;
}

int verb_rename(struct cli *cli, const struct args *args)
{
	const char *name = args->operands[0], *new_name = args->operands[1];
	int ret;

	if (check_name(new_name) || cli_open(cli))
		return -1;
	ret = kcuckoo_rename(cli->handle, name, new_name);
	if (ret == -EEXIST)
		return hint(error("there is a filter '%s' already", new_name),
			    "'kcuckoo swap %s %s' exchanges the two", name,
			    new_name);
	if (ret == -EBUSY)
		return busy_error(cli, name, "rename");
	if (ret)
		return filter_error(cli, ret, name, "rename");
	/* Rules that waited for a filter with the new name match packets from now on. */
	lockout_check_filter(cli, new_name, MEMBERS_ADDED | MEMBERS_REMOVED,
			     NULL);
	return EXIT_YES;
}

int verb_swap(struct cli *cli, const struct args *args)
{
	struct kcuckoo_ioc_info info = { .size = sizeof(info) };
	const char *name = args->operands[0], *with = args->operands[1];
	int ret;

	/*
	 * Check the names first: the kernel returns EINVAL both for an invalid
	 * name and for different types.
	 */
	if (check_name(name) || check_name(with) || cli_open(cli))
		return -1;
	ret = kcuckoo_swap(cli->handle, name, with);
	if (ret == -EINVAL)
		return hint(error("cannot swap '%s' and '%s'", name, with),
			    "the filters have different types: one holds addresses, the other byte strings");
	/* Find out which of the two filters does not exist. */
	if (ret == -ENOENT && !kcuckoo_info(cli->handle, name, &info))
		name = with;
	if (ret)
		return filter_error(cli, ret, name, "swap");
	/*
	 * Rules refer to filters by name. After the swap, each rule with one of the two
	 * names uses the other of the two filters, as its filter or as its allow filter.
	 */
	lockout_check_filter(cli, name, MEMBERS_ADDED | MEMBERS_REMOVED, NULL);
	lockout_check_filter(cli, with, MEMBERS_ADDED | MEMBERS_REMOVED, NULL);
	return EXIT_YES;
}

/* Print the version and the features of the module. */
static void print_module(const struct kcuckoo_ioc_stats *stats)
{
	const struct keyword *feature;
	char version[VERSION_TEXT];

	printf("module   %s\nfeatures", version_text(stats->version, version));
	for (feature = feature_keywords; feature->name; feature++)
		if (stats->features & feature->value)
			printf(" %s", feature->name);
	puts(stats->features ? "" : " none");
}

int verb_stats(struct cli *cli, const struct args *args)
{
	struct kcuckoo_ioc_stats stats = { .size = sizeof(stats) };
	char used[32], max_memory[32];
	int ret;

	if (args->given & ARGS_PROMETHEUS)
		return metrics_show(cli, args);
	if (args->operand_count || args->given)
		return error("a file and --config belong to --prometheus");
	if (cli_open(cli))
		return -1;
	ret = kcuckoo_stats(cli->handle, &stats);
	if (ret)
		return plain_error(ret, "read the statistics");
	if (cli->json)
		return json_print(json_of_stats(&stats));
	printf("filters  %u of at most %u\n", stats.filters,
	       stats.max_filters);
	if (stats.waiting)
		printf("waiting  %u %s without a filter, which count as filters\n",
		       stats.waiting, plural(stats.waiting, "name", "names"));
	printf("rules    %u\n"
	       "members  %llu\n"
	       "memory   %s of at most %s\n",
	       stats.rules, stats.members,
	       human_bytes(stats.memory_bytes, used, sizeof(used)),
	       human_bytes(stats.max_bytes, max_memory, sizeof(max_memory)));
	print_module(&stats);
	return EXIT_YES;
}
