// SPDX-License-Identifier: GPL-2.0-only
/*
 * config_check() reads a configuration and prints a summary. The kernel module need not
 * be loaded.
 */
#include <stdio.h>
#include <string.h>

#include "conf/check.h"
#include "conf/config.h"
#include "conf/report.h"
#include "json.h"
#include "keywords.h"
#include "message.h"

static void print_texts(const char *word, const struct config_texts *texts)
{
	size_t i;

	if (texts->count)
		fputs(word, stdout);
	for (i = 0; i < texts->count; i++)
		printf(" %s", texts->items[i].text);
}

static void print_sources(const char *word, const struct config_sources *sources)
{
	size_t i;

	if (sources->count)
		fputs(word, stdout);
	for (i = 0; i < sources->count; i++)
		printf("%s %s", i ? "," : "", sources->items[i].text);
}

static void print_filter(const struct config_filter *filter)
{
	printf("filter %s:", filter->name);
	if (!filter->lists.count)
		fputs(" no list, members of other programs", stdout);
	print_sources(" lists", &filter->lists);
	print_sources("; exclude", &filter->excludes);
	if (filter->create.flags & KCUCKOO_CREATE_TIMEOUT)
		printf("; timeout %u s", filter->create.timeout);
	puts(filter->keep ? "; kept" : "");
}

static const char *rule_action(const struct config_rule *rule, char *buf)
{
	const struct kcuckoo_rule same = {
		.action = rule->action,
		.mark = rule->mark,
	};

	return action_text(&same, buf);
}

static void print_log(const struct config_rule *rule)
{
	const struct kcuckoo_rule same = {
		.log = rule->log_group < 0 ? KCUCKOO_LOG_SYSLOG :
					     KCUCKOO_LOG_NFLOG,
		.log_group = rule->log_group,
		.log_limit = rule->log_limit,
	};
	char text[LOG_TEXT];

	if (rule->log)
		fputs(log_text(&same, text), stdout);
}

static void print_rule(const struct config_rule *rule)
{
	char action[ACTION_TEXT];

	printf("rule %s:", rule->name);
	print_texts(" filter", &rule->filters);
	printf(" hook %s", keyword_name(hook_keywords, rule->hook));
	print_texts(" dev", &rule->devs);
	printf(" family %s match %s action %s",
	       keyword_name(family_keywords, rule->family),
	       keyword_name(match_keywords, rule->match),
	       rule_action(rule, action));
	print_log(rule);
	if (*rule->allow)
		printf(" allow %s", rule->allow);
	putchar('\n');
}

static json_t *json_of_texts(const struct config_texts *texts)
{
	json_t *array = json_array();
	size_t i;

	for (i = 0; i < texts->count; i++)
		json_array_append_new(array, json_string(texts->items[i].text));
	return array;
}

static json_t *json_of_sources(const struct config_sources *sources)
{
	json_t *array = json_array();
	size_t i;

	for (i = 0; i < sources->count; i++)
		json_array_append_new(array,
				      json_string(sources->items[i].text));
	return array;
}

static json_t *json_of_config_filter(const struct config_filter *filter)
{
	return json_pack("{s:s, s:o, s:o, s:b}", "name", filter->name,
			 "lists", json_of_sources(&filter->lists),
			 "exclude", json_of_sources(&filter->excludes),
			 "keep", filter->keep);
}

static json_t *json_of_config_rule(const struct config_rule *rule)
{
	char action[ACTION_TEXT];
	json_t *object;

	object = json_pack("{s:s, s:o, s:s, s:o}", "name", rule->name,
			   "filters", json_of_texts(&rule->filters), "hook",
			   keyword_name(hook_keywords, rule->hook), "devs",
			   json_of_texts(&rule->devs));
	json_object_set_new(object, "family",
			    json_string(keyword_name(family_keywords,
						     rule->family)));
	json_object_set_new(object, "match",
			    json_string(keyword_name(match_keywords,
						     rule->match)));
	json_object_set_new(object, "action",
			    json_string(rule_action(rule, action)));
	if (object && *rule->allow)
		json_object_set_new(object, "allow", json_string(rule->allow));
	return object;
}

static int print_json(const struct config *config)
{
	json_t *filters = json_array(), *rules = json_array();
	size_t i;

	for (i = 0; i < config->filter_count; i++)
		json_array_append_new(filters,
				      json_of_config_filter(config->filters[i]));
	for (i = 0; i < config->rule_count; i++)
		json_array_append_new(rules,
				      json_of_config_rule(config->rules[i]));
	return json_print(json_pack("{s:o, s:o}", "filters", filters,
				    "rules", rules));
}

static void print_config(const struct config *config)
{
	size_t i;

	for (i = 0; i < config->filter_count; i++)
		print_filter(config->filters[i]);
	for (i = 0; i < config->rule_count; i++)
		print_rule(config->rules[i]);
}

/* Systemd units of kcuckoo cannot read some folders: they set ProtectHome= and PrivateTmp=. */
static void warn_hidden(const struct config_list *list)
{
	static const char * const hidden[] = {
		"/home/", "/root/", "/run/user/", "/tmp/", "/var/tmp/",
	};
	char where[PLACE_TEXT];
	const char *path;
	size_t i, j;

	for (i = 0; i < list->files.count; i++) {
		/* Skip the name of a format before the path, as in json:/PATH. */
		path = strchr(list->files.items[i].text, '/');
		for (j = 0; path && j < sizeof(hidden) / sizeof(*hidden); j++)
			if (!strncmp(path, hidden[j], strlen(hidden[j])))
				warn("%s: the services of kcuckoo cannot read files below %s, so only their last good copy counts there",
				     place_text(&list->files.items[i].place, where),
				     hidden[j]);
	}
}

int config_check(const struct cli *cli, const struct args *args)
{
	char folder[CONFIG_FOLDER_TEXT];
	struct config config;
	size_t i;
	int ret;

	if (config_folder(cli->netns, args->config, folder))
		return -1;
	ret = config_read(&config, folder, config_feeds_folder());
	for (i = 0; !ret && i < config.list_count; i++)
		warn_hidden(config.lists[i]);
	if (!ret && cli->json)
		ret = print_json(&config);
	else if (!ret)
		print_config(&config);
	config_free(&config);
	return ret ? -1 : EXIT_YES;
}
