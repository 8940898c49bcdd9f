// SPDX-License-Identifier: GPL-2.0-only
/*
 * These checks find limits of the namespace that are nearly reached, and filters that
 * are nearly full.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/sysinfo.h>

#include "describe.h"
#include "doctor/doctor.h"
#include "keywords.h"
#include "message.h"

/* Folder of the parameters of the module. */
#define PARAMETERS	"/sys/module/kcuckoo/parameters/"

/*
 * Percentage at which a limit of the namespace (NEAR_LIMIT) or of a filter (NEAR_FULL)
 * is nearly reached.
 */
#define NEAR_LIMIT	80
#define NEAR_FULL	95

/* Default of the module parameter max_filters. */
#define MAX_FILTERS	1024

/*
 * Assumed maximum load of the tables of an exact filter, in percent, for adds of packets,
 * which cannot enlarge a table.
 */
#define EXACT_LOAD	90

static bool is_near_limit(__u64 used, __u64 limit, int percent)
{
	return (double)used * 100 >= (double)limit * percent;
}

static __u64 machine_bytes(void)
{
	struct sysinfo info;

	return sysinfo(&info) ? 0 : (__u64)info.totalram * info.mem_unit;
}

static __u64 max(__u64 a, __u64 b)
{
	return a > b ? a : b;
}

static void check_bytes(struct doctor *doctor)
{
	const struct kcuckoo_ioc_stats *stats = &doctor->stats;
	/* The use exceeds the limit if the limit was set below the present use. */
	__u64 needed = max(stats->memory_bytes, stats->max_bytes);
	char used[32], limit[32];

	if (!is_near_limit(stats->memory_bytes, stats->max_bytes, NEAR_LIMIT))
		return;
	if (needed <= machine_bytes() / 4)
		doctor_command(doctor, "echo %llu >" PARAMETERS "max_bytes", needed * 2);
	else
		doctor_advice(doctor, "this is much of the memory of this machine: remove filters, or members");
	doctor_find(doctor, "the filters use %s of kernel memory, and the limit max_bytes is %s",
		    human_bytes(stats->memory_bytes, used, sizeof(used)),
		    human_bytes(stats->max_bytes, limit, sizeof(limit)));
}

static void check_rules_max(struct doctor *doctor)
{
	__u32 rules = doctor->stats.rules;

	if (!is_near_limit(rules, KCUCKOO_RULES_MAX, NEAR_LIMIT))
		return;
	doctor_advice(doctor, "this limit is fixed, and a rule with a pattern counts once for each device: detach rules");
	doctor_find(doctor, "there are %u rules, and the limit is %u", rules,
		    KCUCKOO_RULES_MAX);
}

void check_memory(struct doctor *doctor)
{
	const struct kcuckoo_ioc_stats *stats = &doctor->stats;
	__u32 names = stats->filters + stats->waiting;

	if (!doctor_has_device(doctor))
		return;
	check_bytes(doctor);
	check_rules_max(doctor);
	if (!is_near_limit(names, stats->max_filters, NEAR_LIMIT))
		return;
	/* For a limit of 0, suggest at least the default. */
	doctor_command(doctor, "echo %llu >" PARAMETERS "max_filters",
		       stats->max_filters ? 2 * max(names, stats->max_filters) :
					    max(2 * names, MAX_FILTERS));
	doctor_find(doctor, "there are %u filters and names that rules wait for, and the limit max_filters is %u",
		    names, stats->max_filters);
}

static void suggest_capacity(struct doctor *doctor, const char *name,
			     const struct kcuckoo_ioc_info *info)
{
	char value[32] = "", timeout[32] = "", more[KCUCKOO_NAME_SIZE];
	const char *self = doctor->self;

	snprintf(more, sizeof(more), "%.26s.more", name);
	if (info->value_bits)
		snprintf(value, sizeof(value), " value %u", info->value_bits);
	if (info->create_flags & KCUCKOO_CREATE_TIMEOUT)
		snprintf(timeout, sizeof(timeout), " timeout %u", info->timeout);
	doctor_command(doctor, "%s create %s capacity %llu hash %s%s%s && %s merge %s %s && %s swap %s %s && %s destroy %s",
		       self, more, info->capacity * 2,
		       keyword_name(hash_keywords, info->hash), value, timeout,
		       self, more, name, self, name, more, self, more);
}

static bool is_full(const struct kcuckoo_ioc_info *info)
{
	/* The module reports no maximum load for exact filters. */
	unsigned int load = info->max_load ? info->max_load : EXACT_LOAD;

	return is_near_limit(info->table_entries_used * 100,
			     info->table_entries * load, NEAR_FULL);
}

/* Return: true if packets can add addresses to a filter, by a rule of iptables. */
static bool packets_add(const struct kcuckoo_ioc_info *info)
{
	return info->info_flags & KCUCKOO_INFO_PACKETS &&
	       info->type == KCUCKOO_TYPE_INET && info->hash == KCUCKOO_HASH_SIPHASH;
}

static void check_filter(struct doctor *doctor, const char *name,
			 const struct kcuckoo_ioc_info *info)
{
	bool managed = info->info_flags & KCUCKOO_INFO_MANAGED;

	if (!info->tag_bits && is_near_limit(info->members, info->capacity, NEAR_FULL)) {
		if (managed)
			doctor_advice(doctor, "set a larger capacity in its section of the configuration, then run 'kcuckoo apply'");
		else
			suggest_capacity(doctor, name, info);
		doctor_find(doctor, "filter %s has %llu members, and its capacity is %llu",
			    name, info->members, info->capacity);
	} else if (packets_add(info) && is_full(info)) {
		doctor_command(doctor, "%s reserve %s %llu", doctor->self, name,
			       info->members < 1024 ? 1024 : info->members);
		doctor_find(doctor, "filter %s has no room for addresses of packets, which iptables adds",
			    name);
	} else if (info->tag_bits && !info_grows(info) && info->members && is_full(info)) {
		doctor_advice(doctor, "create a filter with a larger capacity, load its lists, and swap both");
		doctor_find(doctor, "filter %s, whose tables do not grow, is nearly full with %llu members",
			    name, info->members);
	}
}

void check_filters(struct doctor *doctor)
{
	struct kcuckoo_list_entry *entries;
	int i, count;

	/* check_memory() reports a device that cannot be opened. */
	if (doctor->open_error)
		return;
	count = kcuckoo_list(doctor->cli->handle, &entries);
	if (count < 0) {
		doctor_skip(doctor, "cannot list the filters: %s",
			    kcuckoo_strerror(count));
		return;
	}
	for (i = 0; i < count; i++) {
		struct kcuckoo_ioc_info info = { .size = sizeof(info) };
		const char *name = (const char *)entries[i].name;

		if (!kcuckoo_info(doctor->cli->handle, name, &info))
			check_filter(doctor, name, &info);
	}
	free(entries);
}
