// SPDX-License-Identifier: GPL-2.0-only
/*
 * config_read() reads all files of a folder into the structures of a
 * configuration.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conf/fields.h"
#include "conf/ini.h"
#include "conf/report.h"
#include "conf/texts.h"
#include "conf/values.h"
#include "conf/verify.h"
#include "rules/xdp.h"

#define SUFFIX	".conf"

/**
 * struct folder - a folder that is being read
 * @config: the configuration
 * @path: path of the folder
 * @feeds: the folder is a catalogue, which has only sections [feed]
 * @section: the section that is being read
 */
struct folder {
	struct config *config;
	const char *path;
	bool feeds;
	struct section section;
};

struct config_list *config_list(const struct config *config, const char *name)
{
	size_t i;

	for (i = 0; *name && i < config->list_count; i++)
		if (!strcmp(config->lists[i]->name, name))
			return config->lists[i];
	return NULL;
}

struct config_filter *config_filter(const struct config *config,
				    const char *name)
{
	size_t i;

	for (i = 0; i < config->filter_count; i++)
		if (!strcmp(config->filters[i]->name, name))
			return config->filters[i];
	return NULL;
}

struct config_rule *config_rule(const struct config *config, const char *name)
{
	size_t i;

	for (i = 0; i < config->rule_count; i++)
		if (!strcmp(config->rules[i]->name, name))
			return config->rules[i];
	return NULL;
}

struct config_list *config_feed(const struct config *config, const char *name)
{
	size_t i;

	for (i = 0; i < config->feed_count; i++)
		if (!strcmp(config->feeds[i]->name, name))
			return config->feeds[i];
	return NULL;
}

struct config_list *config_new_list(struct config *config,
				    const struct config_place *place)
{
	struct config_list **lists, *list = calloc(1, sizeof(*list));

	lists = array_grow(config->lists, config->list_count, sizeof(*lists));
	if (lists)
		config->lists = lists;
	if (!lists || !list) {
		free(list);
		config_no_memory(config);
		return NULL;
	}
	list->place = *place;
	list->layout = -1;
	lists[config->list_count++] = list;
	return list;
}

/*
 * new_list(), new_feed(), new_filter() and new_rule() append an empty section to the
 * configuration, and make it the current section of @folder. Return: the buffer for the
 * name of the section, or NULL after an error message.
 */
static char *new_list(struct folder *folder, const struct config_place *place)
{
	folder->section.list = config_new_list(folder->config, place);
	return folder->section.list ? folder->section.list->name : NULL;
}

static char *new_feed(struct folder *folder, const struct config_place *place)
{
	struct config *config = folder->config;
	struct config_list **feeds, *feed = calloc(1, sizeof(*feed));

	feeds = array_grow(config->feeds, config->feed_count, sizeof(*feeds));
	if (feeds)
		config->feeds = feeds;
	if (!feeds || !feed) {
		free(feed);
		config_no_memory(config);
		return NULL;
	}
	feed->place = *place;
	feed->layout = -1;
	feeds[config->feed_count++] = feed;
	folder->section.list = feed;
	return feed->name;
}

static char *new_filter(struct folder *folder, const struct config_place *place)
{
	struct config *config = folder->config;
	struct config_filter **filters, *filter = calloc(1, sizeof(*filter));

	filters = array_grow(config->filters, config->filter_count,
			     sizeof(*filters));
	if (filters)
		config->filters = filters;
	if (!filters || !filter) {
		free(filter);
		config_no_memory(config);
		return NULL;
	}
	filter->place = *place;
	filter->create.size = sizeof(filter->create);
	filters[config->filter_count++] = filter;
	folder->section.filter = filter;
	return filter->name;
}

static char *new_rule(struct folder *folder, const struct config_place *place)
{
	struct config *config = folder->config;
	struct config_rule **rules, *rule = calloc(1, sizeof(*rule));

	rules = array_grow(config->rules, config->rule_count, sizeof(*rules));
	if (rules)
		config->rules = rules;
	if (!rules || !rule) {
		free(rule);
		config_no_memory(config);
		return NULL;
	}
	rule->place = *place;
	rule->hook = KCUCKOO_HOOK_PREROUTING;
	rule->family = KCUCKOO_FAMILY_BOTH;
	rule->match = KCUCKOO_MATCH_SRC;
	rule->action = KCUCKOO_ACTION_DROP;
	rule->mode = XDP_MODE_ANY;
	rule->log_group = -1;
	rules[config->rule_count++] = rule;
	folder->section.rule = rule;
	return rule->name;
}

static const struct config_place *find_section(const struct config *config,
					       enum section_kind kind,
					       const char *name)
{
	struct config_filter *filter = config_filter(config, name);
	struct config_rule *rule = config_rule(config, name);
	struct config_list *list;

	if (kind == SECTION_FILTER)
		return filter ? &filter->place : NULL;
	if (kind == SECTION_RULE)
		return rule ? &rule->place : NULL;
	list = kind == SECTION_LIST ? config_list(config, name) :
				      config_feed(config, name);
	return list ? &list->place : NULL;
}

/* Return: the kind of the section, or SECTION_NONE after an error message. */
static enum section_kind check_section(struct folder *folder, const char *word,
				       const char *name,
				       const struct config_place *place)
{
	struct config *config = folder->config;
	enum section_kind kind = section_kind(word);
	bool feed = kind == SECTION_FEED;
	const struct config_place *other;
	char where[PLACE_TEXT];

	if (kind == SECTION_NONE || folder->feeds != feed) {
		config_error(config, place,
			     folder->feeds ?
			     "a section begins with [feed NAME], not '[%s'" :
			     "a section begins with [list NAME], [filter NAME] or [rule NAME], not '[%s'",
			     word);
		return SECTION_NONE;
	}
	if (!*name) {
		config_error(config, place, "a [%s] needs a name: [%s NAME]",
			     word, word);
		return SECTION_NONE;
	}
	if (value_check_name(config, place, name, strlen(name)))
		return SECTION_NONE;
	other = find_section(config, kind, name);
	if (other) {
		config_error(config, place, "[%s %s] is already in %s", word,
			     name, place_text(other, where));
		return SECTION_NONE;
	}
	return kind;
}

static void begin_section(void *context, const char *word, const char *name,
			  const struct config_place *place)
{
	static char *(*const make[])(struct folder *folder,
				     const struct config_place *place) = {
		[SECTION_LIST]	= new_list,
		[SECTION_FEED]	= new_feed,
		[SECTION_FILTER] = new_filter,
		[SECTION_RULE]	= new_rule,
	};
	struct folder *folder = context;
	enum section_kind kind = check_section(folder, word, name, place);
	char *name_buf = kind == SECTION_NONE ? NULL : make[kind](folder, place);

	folder->section.kind = name_buf ? kind : SECTION_NONE;
	if (name_buf)
		strcpy(name_buf, name);
}

static void set_key(void *context, const char *key, const char *value,
		    const struct config_place *place)
{
	struct folder *folder = context;

	fields_set(folder->config, &folder->section, key, value, place);
}

static const struct ini_handler handler = {
	.section = begin_section,
	.key = set_key,
};

/* Copies that editors and dpkg make have other endings: a.conf~, a.conf.bak, a.conf.dpkg-old. */
static int is_config(const struct dirent *entry)
{
	size_t length = strlen(entry->d_name), suffix = sizeof(SUFFIX) - 1;

	return *entry->d_name != '.' && length > suffix &&
	       !strcmp(entry->d_name + length - suffix, SUFFIX);
}

/* Compare names by bytes, so that the order is the same in every locale. */
static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static void read_file(struct folder *folder, const char *name)
{
	struct config *config = folder->config;
	struct config_file *files;
	char *path;

	files = array_grow(config->files, config->file_count, sizeof(*files));
	if (files)
		config->files = files;
	if (!files || asprintf(&path, "%s/%s", folder->path, name) < 0) {
		config_no_memory(config);
		return;
	}
	files[config->file_count] = (struct config_file){
		.path = path,
		.feeds = folder->feeds,
	};
	folder->section.kind = SECTION_NONE;
	ini_read(config, &files[config->file_count++], &handler, folder);
}

static void folder_missing(const struct folder *folder)
{
	if (folder->feeds)
		hint(-1, "the catalogue of feeds is installed with the command");
	else
		hint(-1, "kcuckoo.conf(5) shows how to write a configuration");
	config_failed(folder->config);
}

static void read_folder(struct folder *folder)
{
	struct config *config = folder->config;
	struct dirent **entries;
	int i, count;

	count = scandir(folder->path, &entries, is_config, by_name);
	if (count < 0) {
		error("cannot read the folder %s: %s", folder->path,
		      strerror(errno));
		folder_missing(folder);
		return;
	}
	for (i = 0; i < count; i++) {
		if (!config_is_full(config))
			read_file(folder, entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
	if (!count) {
		error("the folder %s has no file whose name ends in " SUFFIX,
		      folder->path);
		folder_missing(folder);
	}
}

int config_read_feeds(struct config *config, const char *folder)
{
	struct folder feeds = {
		.config = config,
		.path = folder,
		.feeds = true,
	};

	read_folder(&feeds);
	if (!config->errors)
		config_verify_feeds(config);
	return config->errors ? -1 : 0;
}

static bool needs_feeds(const struct config *config)
{
	size_t i;

	for (i = 0; i < config->list_count; i++)
		if (config->lists[i]->feed)
			return true;
	return false;
}

int config_read(struct config *config, const char *folder, const char *feeds)
{
	struct folder own = {
		.config = config,
		.path = folder,
	};

	memset(config, 0, sizeof(*config));
	read_folder(&own);
	/*
	 * Do not check the sections after an error. If the line of a key has an error,
	 * the section lacks the key, and a check would report the missing key as a
	 * second error.
	 */
	if (config->errors)
		return -1;
	if (needs_feeds(config) && config_read_feeds(config, feeds))
		return -1;
	config_verify(config);
	return config->errors ? -1 : 0;
}

int config_folder(const char *netns, const char *given, char *folder)
{
	int length;

	if (given)
		length = snprintf(folder, CONFIG_FOLDER_TEXT, "%s", given);
	else if (!netns)
		length = snprintf(folder, CONFIG_FOLDER_TEXT, CONFIG_FOLDER);
	else if (strchr(netns, '/') || *netns == '.')
		return hint(error("the namespace '%s' has no folder below "
				  CONFIG_FOLDER, netns),
			    "give it a name: 'ip netns attach NAME PID'; apply --check also takes --config");
	else
		length = snprintf(folder, CONFIG_FOLDER_TEXT,
				  CONFIG_FOLDER "/netns/%s", netns);
	if (length >= CONFIG_FOLDER_TEXT)
		return error("the name of the folder is too long");
	return 0;
}

bool config_exists(const char *folder)
{
	struct dirent **entries;
	int i, count = scandir(folder, &entries, is_config, NULL);

	if (count < 0)
		return errno != ENOENT;
	for (i = 0; i < count; i++)
		free(entries[i]);
	free(entries);
	return count;
}

const char *config_feeds_folder(void)
{
	return FEEDS_FOLDER;
}

static void free_list(struct config_list *list)
{
	texts_free(&list->urls);
	texts_free(&list->files);
	free(list->feed);
	free(list->format);
	free(list->member);
	free(list->json_key);
	free(list->where);
	free(list->credential);
	free(list->licence);
	free(list->about);
	free(list);
}

static void free_sources(struct config_sources *sources)
{
	size_t i;

	for (i = 0; i < sources->count; i++)
		free(sources->items[i].text);
	free(sources->items);
}

static void free_filter(struct config_filter *filter)
{
	free_sources(&filter->lists);
	free_sources(&filter->excludes);
	free(filter);
}

static void free_rule(struct config_rule *rule)
{
	texts_free(&rule->filters);
	texts_free(&rule->devs);
	free(rule);
}

void config_free(struct config *config)
{
	size_t i;

	for (i = 0; i < config->list_count; i++)
		free_list(config->lists[i]);
	for (i = 0; i < config->feed_count; i++)
		free_list(config->feeds[i]);
	for (i = 0; i < config->filter_count; i++)
		free_filter(config->filters[i]);
	for (i = 0; i < config->rule_count; i++)
		free_rule(config->rules[i]);
	for (i = 0; i < config->file_count; i++) {
		free(config->files[i].path);
		free(config->files[i].bytes);
	}
	free(config->lists);
	free(config->feeds);
	free(config->filters);
	free(config->rules);
	free(config->files);
	memset(config, 0, sizeof(*config));
}
