// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions find out which limit of a network namespace an operation has exceeded.
 * The kernel returns EDQUOT for all of them. Functions that print errors call them.
 */
#include <errno.h>
#include <net/if.h>
#include <stdio.h>
#include <string.h>

#include "limit.h"
#include "message.h"

/* Folder of the parameters of the module. */
#define PARAMETERS	"/sys/module/kcuckoo/parameters/"

/* Maximum number of functions at a hook (MAX_HOOK_COUNT of the kernel's netfilter). */
#define HOOK_FUNCTIONS_MAX	1024

/* Return: true if an operation on @name has needed a new name, and no name is left. */
static bool lacks_name(struct cli *cli, const char *name,
		       const struct kcuckoo_ioc_stats *stats)
{
	struct kcuckoo_ioc_info info = { .size = sizeof(info) };

	return *name && stats->filters + stats->waiting >= stats->max_filters &&
	       kcuckoo_info(cli->handle, name, &info) == -ENOENT;
}

static void set_names(struct limit *limit, const struct kcuckoo_ioc_stats *stats)
{
	limit->kind = LIMIT_NAMES;
	snprintf(limit->text, LIMIT_TEXT,
		 "there are %u filters and names that rules wait for, and the limit max_filters is %u",
		 stats->filters + stats->waiting, stats->max_filters);
}

static void set_memory(struct limit *limit, const struct kcuckoo_ioc_stats *stats)
{
	char used[32], max[32];

	limit->kind = LIMIT_MEMORY;
	snprintf(limit->text, LIMIT_TEXT,
		 "it needs more kernel memory than the limit max_bytes allows, %s; the filters use %s now",
		 human_bytes(stats->max_bytes, max, sizeof(max)),
		 human_bytes(stats->memory_bytes, used, sizeof(used)));
}

/*
 * Read the statistics of the namespace to @stats. Return: true; or false after @limit was
 * set to LIMIT_UNKNOWN.
 */
static bool read_stats(struct cli *cli, struct kcuckoo_ioc_stats *stats,
		       struct limit *limit)
{
	if (!kcuckoo_stats(cli->handle, stats))
		return true;
	limit->kind = LIMIT_UNKNOWN;
	snprintf(limit->text, LIMIT_TEXT, "%s", kcuckoo_strerror(EDQUOT));
	return false;
}

void limit_of_filter(struct cli *cli, const char *name, struct limit *limit)
{
	struct kcuckoo_ioc_stats stats = { .size = sizeof(stats) };

	if (!read_stats(cli, &stats, limit))
		return;
	if (lacks_name(cli, name, &stats))
		set_names(limit, &stats);
	else
		set_memory(limit, &stats);
}

/*
 * Return: the number of rules as which the kernel counts @rule: a rule with a pattern
 * counts once for each device that matches the pattern, but at least once.
 */
static unsigned int count_rules(const struct kcuckoo_rule *rule)
{
	struct if_nameindex *devices, *device;
	const char *pattern = (const char *)rule->pattern;
	const char *star = strchr(pattern, '*');
	unsigned int count = 0;

	devices = star ? if_nameindex() : NULL;
	for (device = devices; device && device->if_name; device++)
		count += !strncmp(device->if_name, pattern, star - pattern);
	if (devices)
		if_freenameindex(devices);
	return count ? count : 1;
}

static void set_rules(struct limit *limit, const struct kcuckoo_ioc_stats *stats,
		      unsigned int needed)
{
	limit->kind = LIMIT_RULES;
	snprintf(limit->text, LIMIT_TEXT,
		 "there are %u rules, this one counts as %u, and the limit is %u",
		 stats->rules, needed, KCUCKOO_RULES_MAX);
}

void limit_of_rule(struct cli *cli, const struct kcuckoo_rule *rule, struct limit *limit)
{
	struct kcuckoo_ioc_stats stats = { .size = sizeof(stats) };
	unsigned int needed = count_rules(rule);

	if (!read_stats(cli, &stats, limit))
		return;
	if (lacks_name(cli, (const char *)rule->name, &stats) ||
	    lacks_name(cli, (const char *)rule->allow, &stats)) {
		set_names(limit, &stats);
	} else if (stats.rules + needed > KCUCKOO_RULES_MAX) {
		set_rules(limit, &stats, needed);
	} else {
		limit->kind = LIMIT_HOOKS;
		snprintf(limit->text, LIMIT_TEXT,
			 "the kernel calls at most %u functions of all programs at one hook",
			 HOOK_FUNCTIONS_MAX);
	}
}

int limit_hint(const struct limit *limit)
{
	switch (limit->kind) {
	case LIMIT_NAMES:
		return hint(-1, "'echo NUMBER >" PARAMETERS "max_filters' raises the limit until the module is unloaded");
	case LIMIT_MEMORY:
		return hint(-1, "'echo BYTES >" PARAMETERS "max_bytes' raises the limit until the module is unloaded");
	case LIMIT_RULES:
		hint(-1, "this limit is fixed; a rule with a pattern counts once for each of its devices,");
		return hint(-1, "and so does each filter that a program uses; 'kcuckoo rules' shows the rules");
	case LIMIT_HOOKS:
		return hint(-1, "this limit is fixed; 'nft list hooks' shows the functions");
	default:
		return hint(-1, "'kcuckoo stats' shows the limits");
	}
}

int limit_rule_error(struct cli *cli, const struct kcuckoo_rule *rule)
{
	struct limit limit;

	limit_of_rule(cli, rule, &limit);
	error("cannot attach '%s': %s", (const char *)rule->name, limit.text);
	return limit_hint(&limit);
}

int limit_slot_error(struct cli *cli, const char *name)
{
	struct kcuckoo_ioc_stats stats = { .size = sizeof(stats) };
	struct limit limit;

	if (read_stats(cli, &stats, &limit)) {
		if (lacks_name(cli, name, &stats))
			set_names(&limit, &stats);
		else
			set_rules(&limit, &stats, 1);
	}
	error("cannot attach '%s': %s", name, limit.text);
	return limit_hint(&limit);
}

int limit_capacity_hint(const char *name, bool managed)
{
	if (managed)
		return hint(-1, "set a larger capacity in its section of the configuration, then run 'kcuckoo apply'");
	hint(-1, "delete members, or create a filter with a larger capacity: kcuckoo create");
	return hint(-1, "NAME2 capacity N, load it, then kcuckoo swap %s NAME2", name);
}
