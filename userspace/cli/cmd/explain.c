// SPDX-License-Identifier: GPL-2.0-only
/*
 * The verb explain finds which filters cover an address, what rules do with packets
 * from or to the address, and which entries of lists cover the address. This file reads the
 * filters and rules; cmd/explain.h names the other files of the verb.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "cmd/configured.h"
#include "cmd/explain.h"
#include "cmd/present.h"
#include "cmd/unconfirmed.h"
#include "input/line.h"
#include "keywords.h"
#include "message.h"
#include "rules/critical.h"
#include "rules/device.h"
#include "rules/flowtable.h"
#include "rules/rules.h"
#include "rules/xdp.h"

const struct explained *explain_filter(const struct explain *explain,
				       const __u8 *name)
{
	int i;

	for (i = 0; i < explain->filter_count; i++)
		if (!strcmp((const char *)explain->filters[i].info.name,
			    (const char *)name))
			return &explain->filters[i];
	return NULL;
}

static int parse_address(struct explain *explain, const char *text)
{
	const struct syntax syntax = {
		.kind = SYNTAX_INET,
		.no_ranges = "a range is not one address; 'explain' takes a single address",
	};
	struct line line;
	char buf[96];

	line_parse_key(text, &syntax, &line);
	escape(text, strlen(text), buf, sizeof(buf));
	if (line.kind != LINE_KEY)
		return error("address '%s': %s", buf,
			     line.kind == LINE_BAD ? line.why : "it is empty");
	if (line.key.plen < (line.key.family == KCUCKOO_FAMILY_IPV4 ? 32 : 128))
		return hint(error("'%s' is a network, and packets have single addresses: explain one of them",
				  buf), "'kcuckoo test NAME %s' looks up a network", buf);
	explain->address = line.key;
	kcuckoo_prefix_format(&line.key, explain->text);
	return 0;
}

static int parse_words(struct explain *explain, const struct args *args)
{
	char buf[DEVICE_TEXT];
	int i, match;

	for (i = 1; i < args->operand_count; i++) {
		const char *word = args->operands[i];

		if (!strcmp(word, "dev")) {
			if (explain->dev)
				return error("'dev' was given twice");
			if (++i == args->operand_count)
				return error("'dev' needs the name of a device: see 'kcuckoo help explain'");
			explain->dev = args->operands[i];
			if (!*explain->dev || strlen(explain->dev) >= KCUCKOO_DEV_SIZE)
				return error("'%s' is not a valid name of a network device",
					     device_text(explain->dev, buf));
			continue;
		}
		match = !strcmp(word, "src") ? KCUCKOO_MATCH_SRC :
			!strcmp(word, "dst") ? KCUCKOO_MATCH_DST : -1;
		if (match < 0)
			return hint(error("unknown argument '%s' for 'explain'",
					  escape(word, strlen(word), buf, sizeof(buf))),
				    "see 'kcuckoo help explain'");
		if (explain->matches)
			return error("only one of 'src' and 'dst' can be given: without them, both are explained");
		explain->matches = 1 << match;
	}
	return 0;
}

/*
 * Return: 0; -ENOENT without a message if the filter was destroyed; or another negative
 * number after an error message.
 */
static int look_up(struct explain *explain, struct explained *filter)
{
	const char *name = (const char *)filter->info.name;
	uint32_t values[KCUCKOO_VALUES_MAX] = { 0 };
	uint8_t result = 0, count = 0;
	const struct kcuckoo_batch batch = {
		.prefixes = &explain->address,
		.count = 1,
		.results = &result,
		.max_values = filter->info.value_bits ? KCUCKOO_VALUES_MAX : 0,
		.found = filter->info.value_bits ? values : NULL,
		.found_counts = filter->info.value_bits ? &count : NULL,
	};
	int ret = kcuckoo_test(explain->cli->handle, name, 0, &batch, NULL);

	filter->present = result == KCUCKOO_RESULT_PRESENT;
	filter->value = values[0];
	if (!ret && filter->present)
		ret = cover_find(explain->cli, name, &filter->info,
				 &explain->address, &filter->cover);
	if (!ret || ret == -ENOENT)
		return ret;
	filter_error(explain->cli, ret, name, "look up the address in");
	return -EIO;
}

static int read_filters(struct explain *explain)
{
	struct kcuckoo_list_entry *entries;
	int i, ret = 0, count = kcuckoo_list(explain->cli->handle, &entries);

	if (count < 0)
		return plain_error(count, "list the filters");
	explain->filters = calloc(count + 1, sizeof(*explain->filters));
	if (!explain->filters)
		ret = error("not enough memory");
	for (i = 0; !ret && i < count; i++) {
		struct explained *filter = &explain->filters[explain->filter_count];
		const char *name = (const char *)entries[i].name;

		if (entries[i].type != KCUCKOO_TYPE_INET)
			continue;
		filter->info.size = sizeof(filter->info);
		ret = kcuckoo_info(explain->cli->handle, name, &filter->info);
		/* Leave out a filter that does not exist any more. */
		if (ret == -ENOENT) {
			ret = 0;
			continue;
		}
		if (ret) {
			filter_error(explain->cli, ret, name, "read the state of");
			break;
		}
		memcpy(filter->info.name, entries[i].name, sizeof(filter->info.name));
		filter->managed = entries[i].flags & KCUCKOO_LIST_MANAGED;
		ret = look_up(explain, filter);
		/* The filter was destroyed during the look-up: reuse its element of the array. */
		if (ret == -ENOENT) {
			memset(filter, 0, sizeof(*filter));
			ret = 0;
			continue;
		}
		explain->filter_count++;
	}
	free(entries);
	return ret ? -1 : 0;
}

/*
 * The kernel does not keep the labels of rules of hook xdp, so read them from the file xdp,
 * see cmd/present.h.
 */
static int label_xdp(struct explain *explain)
{
	struct own_xdps own;
	size_t j;
	int i;

	if (own_xdps_read(explain->cli, &own))
		return -1;
	for (i = 0; i < explain->rule_count; i++) {
		struct kcuckoo_rule *rule = &explain->rules[i];

		for (j = 0; rule->hook == HOOK_XDP && j < own.count; j++)
			if (!strcmp(own.items[j].filter, (const char *)rule->name) &&
			    !strcmp(own.items[j].dev, (const char *)rule->dev))
				memcpy(rule->label, own.items[j].label, sizeof(rule->label));
	}
	free(own.items);
	return 0;
}

static int read_rules(struct explain *explain)
{
	explain->rule_count = rules_list(explain->cli, &explain->rules, true);
	if (explain->rule_count < 0)
		return plain_error(explain->rule_count, "list the rules");
	return label_xdp(explain);
}

/*
 * rules_list() lists a rule with a pattern of devices once for each device that the
 * rule applies to. If two elements of the list have the same filter, hook, match and
 * pattern, and a family in common, they are the same rule.
 */
static bool is_same_rule(const struct kcuckoo_rule *a, const struct kcuckoo_rule *b)
{
	return *a->pattern && a->hook == b->hook && a->match == b->match &&
	       a->family & b->family &&
	       !strcmp((const char *)a->name, (const char *)b->name) &&
	       !strcmp((const char *)a->pattern, (const char *)b->pattern);
}

static bool is_repeated(const struct explain *explain, int i)
{
	int j;

	for (j = 0; j < i; j++)
		if (is_same_rule(&explain->rules[j], &explain->rules[i]))
			return true;
	return false;
}

/*
 * The kernel counts a rule as one user of its filter, and as one user of its allow filter,
 * regardless of the number of devices that the rule applies to.
 */
static void count_users(struct explain *explain, struct explained *filter)
{
	const char *name = (const char *)filter->info.name;
	__u32 users = 0, uses;
	int i;

	for (i = 0; i < explain->rule_count; i++) {
		uses = !strcmp((const char *)explain->rules[i].name, name) +
		       !strcmp((const char *)explain->rules[i].allow, name);
		if (uses && !is_repeated(explain, i))
			users += uses;
	}
	if (filter->info.rules > users)
		filter->other_users = filter->info.rules - users;
}

/*
 * Read the configuration of --config, or without --config the copy of the configuration that
 * is in effect. Return: 0; 1 if the copy is missing or has errors; or -1 if the
 * configuration of --config cannot be read.
 */
static int read_config(struct explain *explain, const struct args *args,
		       struct config *config)
{
	if (args->config)
		return configured_read(explain->cli, args, false, config) ? -1 : 0;
	return unconfirmed_read(explain->cli, config) ? 1 : 0;
}

static int find_origins(struct explain *explain, const struct args *args)
{
	struct config config = { .file_count = 0 };
	int i, ret = read_config(explain, args, &config);
	bool known = !ret;

	for (i = 0; ret >= 0 && i < explain->filter_count; i++) {
		struct explained *filter = &explain->filters[i];

		if (!filter->present)
			continue;
		count_users(explain, filter);
		filter->origins.unread = !known && filter->managed;
		if (known && filter->managed)
			ret = origins_find(explain->cli,
					   config_filter(&config, (const char *)filter->info.name),
					   &explain->address, &filter->origins);
	}
	config_free(&config);
	return ret < 0 ? -1 : 0;
}

static int find_local(struct explain *explain)
{
	struct criticals *criticals = calloc(1, sizeof(*criticals));
	const __u8 *bytes = explain->address.addr;
	static const __u8 loopback[16] = { [15] = 1 };
	int i;

	if (!criticals)
		return error("not enough memory");
	criticals_find(explain->cli, criticals);
	explain->local = explain->address.family == KCUCKOO_FAMILY_IPV4 ?
			 bytes[0] == 127 : !memcmp(bytes, loopback, sizeof(loopback));
	for (i = 0; i < criticals->count; i++)
		if (criticals->list[i].roles & ROLE_LOCAL &&
		    criticals->list[i].key.family == explain->address.family &&
		    !memcmp(criticals->list[i].key.addr, bytes, sizeof(explain->address.addr)))
			explain->local = true;
	free(criticals);
	return 0;
}

static int check_dev(struct explain *explain)
{
	char buf[DEVICE_TEXT];
	__u32 index;
	int ret;

	if (!explain->dev)
		return 0;
	index = device_index(explain->dev);
	if (!index)
		return -1;
	if (device_is_loopback(explain->dev))
		return error("'%s' is a loopback device: no rule sees its packets",
			     device_text(explain->dev, buf));
	ret = lowers_read(index, &explain->lowers);
	if (ret)
		return ret == -ENODEV ? device_missing(explain->dev) :
		       error("cannot list the network devices: %s", strerror(-ret));
	/*
	 * If the user gave an alternative name of the device, use its main name
	 * instead, because rules have main names of devices.
	 */
	explain->dev = lowers_top(&explain->lowers)->name;
	return 0;
}

static bool file_begins_with(const char *path, char value)
{
	FILE *file = fopen(path, "re");
	int first = file ? getc(file) : EOF;

	if (file)
		fclose(file);
	return first == value;
}

/*
 * Return: true if frames that a bridge forwards traverse the hooks of IP, because of
 * the sysctl bridge-nf-call-iptables or bridge-nf-call-ip6tables.
 */
static bool bridges_filter(const struct explain *explain)
{
	return file_begins_with(explain->address.family == KCUCKOO_FAMILY_IPV4 ?
				"/proc/sys/net/bridge/bridge-nf-call-iptables" :
				"/proc/sys/net/bridge/bridge-nf-call-ip6tables", '1');
}

static int dropping(const struct explain *explain, struct kcuckoo_rule *rules)
{
	int i, j, count = 0;

	for (i = 0; i < explain->trace_count; i++)
		for (j = 0; j < explain->traces[i].stage_count; j++)
			if (explain->traces[i].stages[j].verdict == VERDICT_DROP)
				rules[count++] = *explain->traces[i].stages[j].drop_rule;
	return count;
}

/* The rules at a lower device in another network namespace cannot be read. */
static void warn_far(const struct explain *explain)
{
	char buf[DEVICE_TEXT];
	int i;

	for (i = 0; i < explain->lowers.count; i++) {
		if (!explain->lowers.list[i].link_in_other_netns)
			continue;
		warn("%s gets its packets from a device of another network namespace:",
		     device_text(explain->lowers.list[i].name, buf));
		hint(0, "rules of hooks ingress and xdp of that device are not explained");
	}
}

static int warn_unseen(const struct explain *explain)
{
	char bridge[IF_NAMESIZE], buf[DEVICE_TEXT];
	struct kcuckoo_rule *rules = calloc(2 * explain->rule_count + 1, sizeof(*rules));
	int i, count, early = 0;

	if (!rules)
		return error("not enough memory");
	count = dropping(explain, rules);
	for (i = 0; i < count; i++)
		early += rules[i].hook == HOOK_XDP ||
			 rules[i].hook == KCUCKOO_HOOK_INGRESS;
	flowtable_warn(rules, count);
	free(rules);
	if (count > early && device_find_bridge(bridge) && !bridges_filter(explain)) {
		warn("frames that bridge %s forwards from port to port traverse only hooks ingress and xdp",
		     device_text(bridge, buf));
		hint(0, "of its ports: see WHAT A RULE SEES in kcuckoo(8)");
	}
	if (count && explain->local)
		warn("%s belongs to this host: no rule sees packets that the host sends to itself",
		     explain->text);
	return 0;
}

static int follow(struct explain *explain)
{
	int i, match;

	for (i = 0; !explain->matches && i < explain->rule_count; i++)
		if (explain->rules[i].match == KCUCKOO_MATCH_DST &&
		    explain->rules[i].family & explain->address.family)
			explain->matches = 1 << KCUCKOO_MATCH_SRC | 1 << KCUCKOO_MATCH_DST;
	if (!explain->matches)
		explain->matches = 1 << KCUCKOO_MATCH_SRC;
	for (match = KCUCKOO_MATCH_SRC; match <= KCUCKOO_MATCH_DST; match++)
		if (explain->matches & 1 << match &&
		    trace_make(explain, match, &explain->traces[explain->trace_count++]))
			return -1;
	return 0;
}

static int run(struct explain *explain, const struct args *args)
{
	int i;

	if (check_dev(explain) || read_filters(explain) ||
	    read_rules(explain) || find_local(explain) ||
	    find_origins(explain, args) || follow(explain) ||
	    explanation_print(explain) || warn_unseen(explain))
		return -1;
	warn_far(explain);
	for (i = 0; i < explain->filter_count; i++)
		if (explain->filters[i].present)
			return EXIT_YES;
	return EXIT_NO;
}

int verb_explain(struct cli *cli, const struct args *args)
{
	struct explain explain = { .cli = cli };
	int i, ret;

	if (parse_address(&explain, args->operands[0]) ||
	    parse_words(&explain, args) || cli_open(cli))
		return -1;
	ret = run(&explain, args);
	for (i = 0; i < explain.trace_count; i++)
		trace_free(&explain.traces[i]);
	for (i = 0; i < explain.filter_count; i++)
		origins_free(&explain.filters[i].origins);
	free(explain.filters);
	lowers_free(&explain.lowers);
	if (explain.rule_count > 0)
		free(explain.rules);
	return ret;
}
