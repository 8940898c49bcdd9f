// SPDX-License-Identifier: GPL-2.0-only
/*
 * explanation_print() prints the result of the verb explain, as text or as JSON.
 */
#include <stdio.h>
#include <string.h>

#include "cmd/explain.h"
#include "describe.h"
#include "json.h"
#include "keywords.h"
#include "message.h"

/* Size in bytes of a buffer for a sentence. */
#define SENTENCE	768

/* Size in bytes of a buffer for the result of rule_name(). */
#define RULE_NAME	128

/* Names of the values of enum rule_effect in JSON. */
static const char * const effect_names[] = {
	[EFFECT_DROP] = "drop",
	[EFFECT_COUNT] = "count",
	[EFFECT_MARK] = "mark",
	[EFFECT_ABSENT] = "absent",
	[EFFECT_ALLOWED] = "allowed",
	[EFFECT_WAITS] = "waits",
	[EFFECT_WAITS_ALLOW] = "waits_allow",
	[EFFECT_WAITS_DEV] = "waits_dev",
	[EFFECT_DEAD] = "dead",
	[EFFECT_NO_ETHERNET] = "no_ethernet",
	[EFFECT_UNREACHED] = "unreached",
};

/* Names of the values of enum verdict in JSON. */
static const char * const verdict_names[] = {
	[VERDICT_PASS] = "pass",
	[VERDICT_DROP] = "drop",
	[VERDICT_UNREACHED] = "unreached",
};

static const char *rule_name(const struct kcuckoo_rule *rule, char text[RULE_NAME])
{
	const char *label = (const char *)rule->label;

	if (*label)
		snprintf(text, RULE_NAME, "rule %s (filter %s)", label,
			 (const char *)rule->name);
	else
		snprintf(text, RULE_NAME, "the rule of filter %s",
			 (const char *)rule->name);
	return text;
}

/* Size in bytes of a buffer for the result of place_name(). */
#define PLACE_NAME	(DEVICE_TEXT + 32)

static const char *place_name(int hook, const char *dev, char text[PLACE_NAME])
{
	char buf[DEVICE_TEXT];

	snprintf(text, PLACE_NAME, "hook %s%s%s", keyword_name(hook_keywords, hook),
		 *dev ? " of " : "", device_text(dev, buf));
	return text;
}

/* Return: the predicate of a sentence whose subject is the rule: a constant string, or @text. */
static const char *effect_text(const struct traced *traced, char text[SENTENCE])
{
	const struct kcuckoo_rule *rule = traced->rule;
	const char *allow = (const char *)rule->allow;
	char dev[DEVICE_TEXT];

	switch (traced->effect) {
	case EFFECT_DROP:
		return "drops it";
	case EFFECT_COUNT:
		return "counts it, and lets it pass";
	case EFFECT_MARK:
		snprintf(text, SENTENCE, "marks it with %u, and lets it pass",
			 traced->mark);
		return text;
	case EFFECT_ABSENT:
		return "does not match: its filter does not cover the address";
	case EFFECT_ALLOWED:
		snprintf(text, SENTENCE, "does not match: allow filter %s covers the address",
			 allow);
		return text;
	case EFFECT_WAITS:
		snprintf(text, SENTENCE, "matches nothing: no filter of addresses has the name %s",
			 (const char *)rule->name);
		return text;
	case EFFECT_WAITS_ALLOW:
		snprintf(text, SENTENCE, "matches nothing: no filter of addresses has the name %s of its allow filter",
			 allow);
		return text;
	case EFFECT_WAITS_DEV:
		snprintf(text, SENTENCE, "matches nothing: it waits for device %s",
			 device_text((const char *)rule->pattern, dev));
		return text;
	case EFFECT_DEAD:
		return "matches nothing: its filter is in another network namespace";
	case EFFECT_NO_ETHERNET:
		return "matches nothing: packets of its device have no Ethernet header";
	default:
		return "does not see it: an earlier rule drops it";
	}
}

/* Return: the part of a sentence that describes which packets traverse a hook. */
static const char *of_hook(int hook)
{
	switch (hook) {
	case KCUCKOO_HOOK_INPUT:
		return " for this host";
	case KCUCKOO_HOOK_FORWARD:
		return " that this host forwards";
	case KCUCKOO_HOOK_OUTPUT:
		return " that this host sends";
	default:
		return "";
	}
}

static const char *direction(const struct trace *trace)
{
	return trace->match == KCUCKOO_MATCH_SRC ? "from" : "to";
}

/* Size in bytes of a buffer for the result of lower_text(). */
#define LOWER_TEXT	(2 * DEVICE_TEXT + 80)

/* Size in bytes of a buffer for the result of rest_text(). */
#define REST		(LOWER_TEXT + 128)

/*
 * Write the condition under which a rule at a lower device drops the packet before @stage.
 * Return: @text, which is empty if trace_lower_drop() finds no stage.
 */
static const char *lower_text(const struct explain *explain, const struct trace *trace,
			      const struct stage *stage, char text[LOWER_TEXT])
{
	const struct stage *lower = NULL, *shown[2] = { NULL };
	char first[DEVICE_TEXT], second[DEVICE_TEXT];
	int count = 0;

	*text = 0;
	while ((lower = trace_lower_drop(explain, trace, stage, lower))) {
		if (count < 2)
			shown[count] = lower;
		count++;
	}
	if (count)
		device_text(shown[0]->dev, first);
	if (count > 1)
		device_text(shown[1]->dev, second);
	if (count == 1)
		snprintf(text, LOWER_TEXT, "it arrives at %s", first);
	else if (count == 2)
		snprintf(text, LOWER_TEXT, "it arrives at %s or %s", first, second);
	else if (count)
		snprintf(text, LOWER_TEXT, "it arrives at %s, %s or %d more devices that drop it",
			 first, second, count - 2);
	return text;
}

/* Write the end of a sentence about a packet that passes a stage. Return: @text. */
static const char *rest_text(const struct explain *explain, const struct trace *trace,
			     const struct stage *stage, char text[REST])
{
	char mark[32] = "", lower[LOWER_TEXT];
	const char *other = "";

	if (stage->marked)
		snprintf(mark, sizeof(mark), ", and it has mark %u", stage->mark);
	lower_text(explain, trace, stage, lower);
	if (stage->other_drops)
		other = trace->match == KCUCKOO_MATCH_SRC ?
			"a rule with action drop matches its destination" :
			"a rule with action drop matches its source";
	snprintf(text, REST, "no rule drops it%s%s%s%s%s", mark,
		 *lower || *other ? ", unless " : "", lower,
		 *lower && *other ? ", or " : "", other);
	return text;
}

static const char *verdict_text(const struct explain *explain,
				const struct trace *trace,
				const struct stage *stage, char text[SENTENCE])
{
	char packet[KCUCKOO_PREFIX_TEXT + 64], place[PLACE_NAME], before[PLACE_NAME];
	const struct stage *lower = trace_lower_drop(explain, trace, stage, NULL);
	char by[RULE_NAME] = "", rest[REST];

	snprintf(packet, sizeof(packet), "a packet %s %s%s", direction(trace),
		 explain->text, of_hook(stage->hook));
	place_name(stage->hook, stage->dev, place);
	if (stage->drop_rule)
		rule_name(stage->drop_rule, by);
	if (stage->verdict == VERDICT_DROP)
		snprintf(text, SENTENCE, "%s is dropped at %s by %s", packet, place, by);
	else if (stage->verdict == VERDICT_UNREACHED && lower &&
		 lower->drop_rule == stage->drop_rule)
		snprintf(text, SENTENCE, "%s does not reach %s: a rule drops it at each lower device",
			 packet, place);
	else if (stage->verdict == VERDICT_UNREACHED)
		snprintf(text, SENTENCE, "%s does not reach %s: %s drops it at %s", packet,
			 place, by, place_name(stage->drop_rule->hook,
					       (const char *)stage->drop_rule->dev, before));
	else
		snprintf(text, SENTENCE, "%s passes %s: %s", packet, place,
			 rest_text(explain, trace, stage, rest));
	return text;
}

static bool is_idle(const struct trace *trace, const struct stage *stage)
{
	int i;

	for (i = stage->first; i < stage->first + stage->count; i++)
		if (trace->rules[i].effect != EFFECT_WAITS_DEV)
			return false;
	return stage->count && !stage->others;
}

static void print_member(const struct cover_member *member)
{
	char text[KCUCKOO_PREFIX_TEXT];
	int i;

	kcuckoo_prefix_format(&member->key, text);
	printf("  member %s", text);
	for (i = 0; i < member->value_count; i++)
		printf("%s%u", i ? "," : " value ", member->values[i]);
	if (member->time == COVER_EXPIRES)
		printf(" timeout %u", member->timeout);
	putchar('\n');
}

static void print_doubt(const struct explain *explain, const struct explained *filter)
{
	double rate = kcuckoo_expected_fpr(&filter->info, explain->address.family);
	char buf[DESCRIBE_TEXT];

	printf("  this may be a false positive: an address that was not added matches with a probability of %s\n",
	       describe_fpr(rate, buf));
}

static void print_origin(const struct origin *origin)
{
	char file[256], text[256], list[160];

	printf("  %s %s: %s:%llu: ", origin->exception ? "exception of list" : "list",
	       escape(origin->list, strlen(origin->list), list, sizeof(list)),
	       escape(origin->file, strlen(origin->file), file, sizeof(file)),
	       origin->line);
	if (origin->entry)
		printf("entry %llu: ", origin->entry);
	puts(escape(origin->text, strlen(origin->text), text, sizeof(text)));
}

static void print_origins(const struct explained *filter)
{
	const struct origins *origins = &filter->origins;
	char list[160], why[512];
	size_t i;

	if (!filter->managed)
		puts("  no configuration made the filter, so its lists are not known");
	else if (origins->unread)
		puts("  the configuration that made it cannot be read, so its lists are not known: see --config");
	else if (!origins->known)
		puts("  the configuration has no list for it: programs or users added the member");
	for (i = 0; i < origins->count; i++)
		print_origin(&origins->items[i]);
	if (origins->more)
		printf("  and %llu further entries\n", origins->more);
	for (i = 0; i < origins->gap_count; i++)
		printf("  list %s was not searched completely: %s\n",
		       escape(origins->gaps[i].list, strlen(origins->gaps[i].list),
			      list, sizeof(list)),
		       escape(origins->gaps[i].why, strlen(origins->gaps[i].why),
			      why, sizeof(why)));
	if (origins->known && !origins->count && !origins->gap_count)
		puts("  no entry of its lists covers the address now");
}

static void print_filter(const struct explain *explain, const struct explained *filter)
{
	char type[DESCRIBE_TEXT];
	int i;

	printf("filter %s: %s\n", (const char *)filter->info.name,
	       describe_type(&filter->info, type));
	for (i = 0; i < filter->cover.count; i++)
		print_member(&filter->cover.members[i]);
	if (filter->info.tag_bits)
		print_doubt(explain, filter);
	print_origins(filter);
	if (filter->other_users)
		printf("  %u further %s of it, such as rules of iptables or BPF programs, are not explained\n",
		       filter->other_users, plural(filter->other_users, "user", "users"));
}

static void print_stage(const struct trace *trace, const struct stage *stage)
{
	char place[PLACE_NAME], name[RULE_NAME], text[SENTENCE];
	int i;

	for (i = stage->first; i < stage->first + stage->count; i++)
		if (trace->rules[i].effect != EFFECT_ABSENT)
			printf("%s: %s %s\n", place_name(stage->hook, stage->dev, place),
			       rule_name(trace->rules[i].rule, name),
			       effect_text(&trace->rules[i], text));
}

static void print_trace(const struct explain *explain, const struct trace *trace)
{
	char text[SENTENCE];
	int i;

	for (i = 0; i < trace->stage_count; i++)
		print_stage(trace, &trace->stages[i]);
	for (i = 0; i < trace->stage_count; i++)
		if (!is_idle(trace, &trace->stages[i]))
			puts(verdict_text(explain, trace, &trace->stages[i], text));
	if (!trace->stage_count)
		printf("no rule looks up packets %s %s\n", direction(trace), explain->text);
}

static json_t *json_of_member(const struct cover_member *member)
{
	json_t *object = json_object(), *values = json_array();
	char text[KCUCKOO_PREFIX_TEXT];
	int i;

	kcuckoo_prefix_format(&member->key, text);
	for (i = 0; i < member->value_count; i++)
		json_array_append_new(values, json_integer(member->values[i]));
	json_object_set_new(object, "member", json_string(text));
	json_object_set_new(object, "values", values);
	json_object_set_new(object, "timeout", member->time == COVER_EXPIRES ?
			    json_integer(member->timeout) : json_null());
	json_object_set_new(object, "timeout_known",
			    json_boolean(member->time != COVER_UNKNOWN));
	return object;
}

static json_t *json_of_origin(const struct origin *origin)
{
	json_t *object = json_pack("{s:I, s:I, s:b}", "line", (json_int_t)origin->line,
				   "entry", (json_int_t)origin->entry,
				   "exception", origin->exception);

	json_set_text(object, "list", origin->list, strlen(origin->list));
	json_set_text(object, "file", origin->file, strlen(origin->file));
	json_set_text(object, "text", origin->text, strlen(origin->text));
	return object;
}

static json_t *json_of_gap(const struct origin_gap *gap)
{
	json_t *object = json_object();

	json_set_text(object, "list", gap->list, strlen(gap->list));
	json_set_text(object, "why", gap->why, strlen(gap->why));
	return object;
}

static json_t *json_of_filter(const struct explain *explain,
			      const struct explained *filter)
{
	json_t *members = json_array(), *entries = json_array(), *gaps = json_array();
	double rate = kcuckoo_expected_fpr(&filter->info, explain->address.family);
	const struct origins *origins = &filter->origins;
	size_t i;
	int j;

	for (j = 0; j < filter->cover.count; j++)
		json_array_append_new(members, json_of_member(&filter->cover.members[j]));
	for (i = 0; i < origins->count; i++)
		json_array_append_new(entries, json_of_origin(&origins->items[i]));
	for (i = 0; i < origins->gap_count; i++)
		json_array_append_new(gaps, json_of_gap(&origins->gaps[i]));
	return json_pack("{s:s, s:b, s:o, s:b, s:o, s:b, s:b, s:o, s:I, s:o, s:I}",
			 "filter", (const char *)filter->info.name,
			 "exact", !filter->info.tag_bits,
			 "expected_fpr", rate > 0 ? json_real(rate) : json_integer(0),
			 "managed", filter->managed, "members", members,
			 "configuration_read", filter->managed && !origins->unread,
			 "lists_known", origins->known, "entries", entries,
			 "more_entries", (json_int_t)origins->more,
			 "not_searched", gaps, "other_users",
			 (json_int_t)filter->other_users);
}

static json_t *json_of_lower_drops(const struct explain *explain,
				   const struct trace *trace,
				   const struct stage *stage)
{
	json_t *drops = json_array(), *drop;
	const struct stage *lower = NULL;

	while ((lower = trace_lower_drop(explain, trace, stage, lower))) {
		drop = json_object();
		json_set_text(drop, "dev", lower->dev, strlen(lower->dev));
		json_array_append_new(drops, drop);
	}
	return drops;
}

static json_t *json_of_stage(const struct explain *explain, const struct trace *trace,
			     const struct stage *stage)
{
	json_t *rules = json_array(), *object;
	char text[SENTENCE];
	int i;

	for (i = stage->first; i < stage->first + stage->count; i++) {
		json_t *rule = json_of_rule(trace->rules[i].rule);

		json_object_set_new(rule, "effect",
				    json_string(effect_names[trace->rules[i].effect]));
		json_array_append_new(rules, rule);
	}
	verdict_text(explain, trace, stage, text);
	object = json_pack("{s:s, s:s, s:s, s:I, s:o, s:b, s:o, s:o}", "match",
			   keyword_name(match_keywords, trace->match), "hook",
			   keyword_name(hook_keywords, stage->hook), "verdict",
			   verdict_names[stage->verdict], "other_rules",
			   (json_int_t)stage->others, "mark", stage->marked ?
			   json_integer(stage->mark) : json_null(), "device_waiting",
			   is_idle(trace, stage), "lower_drops",
			   json_of_lower_drops(explain, trace, stage), "rules", rules);
	if (object && *stage->dev)
		json_set_text(object, "dev", stage->dev, strlen(stage->dev));
	if (object)
		json_set_text(object, "text", text, strlen(text));
	return object;
}

static int print_json(const struct explain *explain)
{
	json_t *filters = json_array(), *hooks = json_array();
	int i, j;

	for (i = 0; i < explain->filter_count; i++)
		if (explain->filters[i].present)
			json_array_append_new(filters,
					      json_of_filter(explain, &explain->filters[i]));
	for (i = 0; i < explain->trace_count; i++)
		for (j = 0; j < explain->traces[i].stage_count; j++)
			json_array_append_new(hooks,
					      json_of_stage(explain, &explain->traces[i],
							    &explain->traces[i].stages[j]));
	return json_print(json_pack("{s:s, s:b, s:b, s:o, s:o}", "address", explain->text,
				    "covered", json_array_size(filters) > 0, "local",
				    explain->local, "filters", filters, "hooks", hooks));
}

int explanation_print(const struct explain *explain)
{
	bool covered = false;
	int i;

	if (explain->cli->json)
		return print_json(explain);
	for (i = 0; i < explain->filter_count; i++) {
		if (!explain->filters[i].present)
			continue;
		print_filter(explain, &explain->filters[i]);
		covered = true;
	}
	if (!covered)
		printf("no filter of addresses covers %s\n", explain->text);
	for (i = 0; i < explain->trace_count; i++)
		print_trace(explain, &explain->traces[i]);
	return 0;
}
