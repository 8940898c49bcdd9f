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
#include "rules/users.h"

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
	if (ret)
		return filter_error(cli, ret, name, "compact");
	ret = kcuckoo_info(cli->handle, name, &info);
	if (ret)
		return error("'%s' was compacted, but its state cannot be read: %s", name,
			     kcuckoo_strerror(ret));
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
		return users_error(cli, name, "destroy");
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
	if (kcuckoo_info(cli->handle, name, &info))
		return EXIT_YES;
	say_managed(cli, name, &info);
	/*
	 * If the filter is the allow filter of rules, these rules match more
	 * packets from now on.
	 */
	if (info.rules)
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
		return users_error(cli, name, "rename");
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
	if (!kcuckoo_info(cli->handle, name, &info))
		say_managed(cli, name, &info);
	if (!kcuckoo_info(cli->handle, with, &info))
		say_managed(cli, with, &info);
	return EXIT_YES;
}

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
	printf("rules    %u of at most %u\n"
	       "members  %llu\n"
	       "memory   %s of at most %s\n",
	       stats.rules, KCUCKOO_RULES_MAX, stats.members,
	       human_bytes(stats.memory_bytes, used, sizeof(used)),
	       human_bytes(stats.max_bytes, max_memory, sizeof(max_memory)));
	print_module(&stats);
	return EXIT_YES;
}
