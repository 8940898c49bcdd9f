// SPDX-License-Identifier: GPL-2.0-only
/*
 * metrics_show() writes the state of filters, rules, lists and the configuration
 * as metrics for Prometheus.
 *
 * Labels have names of filters, rules, lists and devices, versions, and keywords such as
 * "drop", but no addresses of packets or members, and no URLs. With -n, each metric also has
 * the label "netns": otherwise the metrics of several namespaces would have the same labels,
 * and Prometheus refuses such metrics.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/applied.h"
#include "cmd/configured.h"
#include "cmd/exposition.h"
#include "cmd/folders.h"
#include "cmd/last_apply.h"
#include "cmd/list_metrics.h"
#include "cmd/metrics.h"
#include "cmd/present.h"
#include "fetch/files.h"
#include "keywords.h"
#include "message.h"
#include "rules/rules.h"
#include "rules/xdp.h"

/*
 * Counters of keys that could not be added to a filter, or that packets could not delete.
 * @reason: value of the label "reason". @offset: offset in struct kcuckoo_ioc_info.
 */
static const struct counter {
	const char *reason;
	size_t offset;
} refusals[] = {
	{ "add", offsetof(struct kcuckoo_ioc_info, refused) },
	{ "packet_full", offsetof(struct kcuckoo_ioc_info, packet_full) },
	{ "packet_limited", offsetof(struct kcuckoo_ioc_info, packet_limited) },
	{ "packet_unsuitable", offsetof(struct kcuckoo_ioc_info, packet_refused) },
};

static void write_members(struct exposition *to,
			  const struct kcuckoo_ioc_info *infos, int count)
{
	int i;

	exposition_metric(to, "filter_members", "gauge", "Members of a filter.");
	for (i = 0; i < count; i++) {
		const char *name = (const char *)infos[i].name;

		if (infos[i].type != KCUCKOO_TYPE_INET) {
			exposition_value(to, infos[i].members, "filter", name,
					 "family", "bytes", NULL);
			continue;
		}
		exposition_value(to, infos[i].members_ipv4, "filter", name,
				 "family", "ipv4", NULL);
		exposition_value(to, infos[i].members_ipv6, "filter", name,
				 "family", "ipv6", NULL);
	}
}

static void write_infos(struct exposition *to,
			const struct kcuckoo_ioc_info *infos, int count)
{
	size_t j;
	int i;

	if (!count)
		return;
	write_members(to, infos, count);
	exposition_metric(to, "filter_memory_bytes", "gauge",
			  "Memory of a filter.");
	for (i = 0; i < count; i++)
		exposition_value(to, infos[i].memory_bytes, "filter",
				 (const char *)infos[i].name, NULL);
	exposition_metric(to, "filter_refused_total", "counter",
			  "Keys that could not be added to a filter, or deleted by packets.");
	for (i = 0; i < count; i++)
		for (j = 0; j < sizeof(refusals) / sizeof(*refusals); j++)
			exposition_value(to, *(const __u64 *)((const char *)&infos[i] +
							      refusals[j].offset),
					 "filter", (const char *)infos[i].name,
					 "reason", refusals[j].reason, NULL);
}

static int write_filters(struct exposition *to, struct cli *cli)
{
	struct kcuckoo_list_entry *entries;
	struct kcuckoo_ioc_info *infos;
	int i, ret = 0, known = 0, count = kcuckoo_list(cli->handle, &entries);

	if (count < 0)
		return plain_error(count, "list the filters");
	infos = calloc(count + 1, sizeof(*infos));
	if (!infos)
		ret = -ENOMEM;
	for (i = 0; !ret && i < count; i++) {
		infos[known].size = sizeof(*infos);
		ret = kcuckoo_info(cli->handle, (const char *)entries[i].name, &infos[known]);
		if (!ret)
			known++;
		/* Leave out a filter that was destroyed since the list was read. */
		else if (ret == -ENOENT)
			ret = 0;
	}
	free(entries);
	if (!ret)
		write_infos(to, infos, known);
	free(infos);
	return ret ? plain_error(ret, "read the filters") : 0;
}

static void rule_value(struct exposition *to, const struct kcuckoo_rule *rule,
		       __u64 value)
{
	char action[ACTION_TEXT], dev[DEVICE_TEXT], pattern[DEVICE_TEXT];

	exposition_value(to, value, "rule", (const char *)rule->label,
			 "filter", (const char *)rule->name,
			 "hook", keyword_name(hook_keywords, rule->hook),
			 "family", keyword_name(family_keywords, rule->family),
			 "match", keyword_name(match_keywords, rule->match),
			 "action", action_text(rule, action),
			 "dev", device_text((const char *)rule->dev, dev),
			 "wait", device_text((const char *)rule->pattern, pattern),
			 NULL);
}

static void write_rule_values(struct exposition *to,
			      const struct kcuckoo_rule *rules, int count)
{
	int i;

	exposition_metric(to, "rule_packets_total", "counter",
			  "Packets that a rule matched.");
	for (i = 0; i < count; i++)
		rule_value(to, &rules[i], rules[i].packets);
	exposition_metric(to, "rule_bytes_total", "counter",
			  "Bytes of the packets that a rule matched.");
	for (i = 0; i < count; i++)
		rule_value(to, &rules[i], rules[i].bytes);
	exposition_metric(to, "rule_active", "gauge",
			  "0 if a rule matches nothing, for example because a filter or a device is missing.");
	for (i = 0; i < count; i++)
		rule_value(to, &rules[i], !(rules[i].flags & ~RULE_NATIVE));
}

static int write_rules(struct exposition *to, struct cli *cli)
{
	struct own_xdps own = { .count = 0 };
	struct kcuckoo_rule *rules;
	size_t j;
	int i, count = rules_list(cli, &rules, true);

	if (count < 0)
		return plain_error(count, "list the rules");
	if (own_xdps_read(cli, &own)) {
		free(rules);
		return -1;
	}
	/* The kernel keeps no labels of rules of hook xdp, see cmd/present.h. */
	for (i = 0; i < count; i++)
		for (j = 0; rules[i].hook == HOOK_XDP && j < own.count; j++)
			if (!strcmp(own.items[j].filter, (const char *)rules[i].name) &&
			    !strcmp(own.items[j].dev, (const char *)rules[i].dev))
				memcpy(rules[i].label, own.items[j].label,
				       sizeof(rules[i].label));
	if (count)
		write_rule_values(to, rules, count);
	free(own.items);
	free(rules);
	return 0;
}

static void write_stats(struct exposition *to,
			const struct kcuckoo_ioc_stats *stats)
{
	char version[VERSION_TEXT];

	exposition_metric(to, "build_info", "gauge",
			  "Versions of the command and the module.");
	exposition_value(to, 1, "version", VERSION, "module",
			 version_text(stats->version, version), NULL);
	exposition_metric(to, "filters", "gauge", "Filters.");
	exposition_value(to, stats->filters, NULL);
	exposition_metric(to, "filters_waiting", "gauge",
			  "Names that wait for a filter.");
	exposition_value(to, stats->waiting, NULL);
	exposition_metric(to, "filters_limit", "gauge",
			  "Limit for filters and for names that wait for a filter.");
	exposition_value(to, stats->max_filters, NULL);
	exposition_metric(to, "rules", "gauge", "Rules of the module.");
	exposition_value(to, stats->rules, NULL);
	exposition_metric(to, "memory_bytes", "gauge", "Memory of all filters.");
	exposition_value(to, stats->memory_bytes, NULL);
	exposition_metric(to, "memory_limit_bytes", "gauge",
			  "Limit for the memory of all filters.");
	exposition_value(to, stats->max_bytes, NULL);
}

static void write_last_apply(struct exposition *to, const struct cli *cli)
{
	bool success;
	time_t when;

	if (!last_apply_read(cli, &when, &success))
		return;
	exposition_metric(to, "config_last_apply_timestamp_seconds", "gauge",
			  "When the configuration was applied last, with or without success.");
	exposition_value(to, when, NULL);
	exposition_metric(to, "config_last_apply_success", "gauge",
			  "1 if the last apply of the configuration had no error.");
	exposition_value(to, success, NULL);
}

/* Return: 1 if the filters and rules are as the configuration says, 0 if not, or -1. */
static int in_sync(struct cli *cli, struct config *config)
{
	struct present present;
	int ret;

	if (configured_devices(config, NULL, NULL))
		return -1;
	ret = present_read(cli, &present);
	if (!ret)
		ret = configured_differs(config, &present);
	present_free(&present);
	return ret < 0 ? -1 : !ret;
}

/*
 * If the configuration has errors, write the metrics of the lists of the configuration that
 * was applied last.
 */
static int write_config(struct exposition *to, struct cli *cli,
			const struct args *args)
{
	struct config config;
	int old = configured_read(cli, args, true, &config);
	int synced = 0, ret = 0;

	write_last_apply(to, cli);
	if (!old)
		synced = in_sync(cli, &config);
	if (synced < 0)
		ret = -1;
	exposition_metric(to, "config_in_sync", "gauge",
			  "1 if filters and rules are as the configuration says, and it has no error.");
	exposition_value(to, synced > 0, NULL);
	if (!ret && old >= 0)
		ret = list_metrics(to, cli, &config);
	config_free(&config);
	return ret;
}

/* The folder alone is not a configuration, because packages create it empty. */
static bool has_config(const struct cli *cli, const struct args *args)
{
	char folder[CONFIG_FOLDER_TEXT];

	return args->config || (has_folders(cli) &&
				!config_folder(cli->netns, NULL, folder) &&
				(config_exists(folder) || applied_exists(cli)));
}

static int write_all(struct exposition *to, struct cli *cli,
		     const struct args *args)
{
	struct kcuckoo_ioc_stats stats = { .size = sizeof(stats) };
	int ret = kcuckoo_stats(cli->handle, &stats);

	if (ret)
		return plain_error(ret, "read the statistics");
	write_stats(to, &stats);
	if (write_filters(to, cli) || write_rules(to, cli))
		return -1;
	return has_config(cli, args) ? write_config(to, cli, args) : 0;
}

/*
 * file_replace() must not replace a device such as /dev/null, a pipe, or a link such as
 * /dev/stdout by a regular file.
 */
static int check_file(const char *path)
{
	struct stat st;

	/* file_replace() reports other errors. */
	if (lstat(path, &st) || S_ISREG(st.st_mode))
		return 0;
	return hint(error("cannot write %s: it exists, and is not a regular file", path),
		    "write to standard output: kcuckoo stats --prometheus > FILE");
}

static int write_file(const char *path, const char *text, size_t length)
{
	int ret;

	if (check_file(path))
		return -1;
	ret = file_replace(path, text, length);
	return ret ? error("cannot write %s: %s", path, strerror(-ret)) : 0;
}

int metrics_show(struct cli *cli, const struct args *args)
{
	struct exposition exposition = { .netns = cli->netns };
	char *text = NULL;
	size_t length = 0;
	int ret;

	if (cli->json)
		return error("-j and --prometheus cannot be combined");
	exposition.out = open_memstream(&text, &length);
	if (!exposition.out)
		return error("not enough memory");
	ret = cli_open(cli) ? -1 : write_all(&exposition, cli, args);
	if (fclose(exposition.out) && !ret)
		ret = error("not enough memory");
	if (!ret && args->operand_count)
		ret = write_file(args->operands[0], text, length);
	else if (!ret)
		fwrite(text, 1, length, stdout);
	free(text);
	return ret ? -1 : EXIT_YES;
}
