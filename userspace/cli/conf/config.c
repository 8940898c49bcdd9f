// SPDX-License-Identifier: GPL-2.0-only
/*
 * config_read() reads all files of a folder into the structures of a
 * configuration.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <limits.h>
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

/* The section that is being read. Only one configuration is read at a time. */
static struct section section;

/* The sections that a folder may have. */
static bool reading_feeds;

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
 * The functions new_*() append an empty section, and make it the section that
 * is read. Return: the room for its name, or NULL after an error message.
 */
static char *new_list(struct config *config, const struct config_place *place)
{
	section.list = config_new_list(config, place);
	return section.list ? section.list->name : NULL;
}

static char *new_feed(struct config *config, const struct config_place *place)
{
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
	section.list = feed;
	return feed->name;
}

static char *new_filter(struct config *config, const struct config_place *place)
{
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
	section.filter = filter;
	return filter->name;
}

static char *new_rule(struct config *config, const struct config_place *place)
{
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
	rules[config->rule_count++] = rule;
	section.rule = rule;
	return rule->name;
}

/* Return: the place of a section with this kind and name, or NULL. */
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

/*
 * Check the kind and the name of a section. Return: the kind, or SECTION_NONE
 * after an error message.
 */
static enum section_kind check_section(struct config *config, const char *word,
				       const char *name,
				       const struct config_place *place)
{
	enum section_kind kind = section_kind(word);
	const struct config_place *other;
	char where[PLACE_TEXT];

	if (kind == SECTION_NONE || (kind == SECTION_FEED) != reading_feeds) {
		config_error(config, place,
			     reading_feeds ?
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
		config_error(config, place, "[%s %s] stands in %s already", word,
			     name, place_text(other, where));
		return SECTION_NONE;
	}
	return kind;
}

static void begin_section(struct config *config, const char *word,
			  const char *name, const struct config_place *place)
{
	static char *(*const make[])(struct config *config,
				     const struct config_place *place) = {
		[SECTION_LIST]	= new_list,
		[SECTION_FEED]	= new_feed,
		[SECTION_FILTER] = new_filter,
		[SECTION_RULE]	= new_rule,
	};
	char *room;

	section.kind = check_section(config, word, name, place);
	if (section.kind == SECTION_NONE)
		return;
	room = make[section.kind](config, place);
	if (room)
		strcpy(room, name);
	else
		section.kind = SECTION_NONE;
}

static void set_key(struct config *config, const char *key, const char *value,
		    const struct config_place *place)
{
	fields_set(config, &section, key, value, place);
}

static const struct ini_handler handler = {
	.section = begin_section,
	.key = set_key,
};

/*
 * Return: 1 if a file of this name is part of a configuration: its name ends in
 * .conf, and it is not hidden. Copies such as a.conf~, a.conf.bak and
 * a.conf.dpkg-old have other endings.
 */
static int is_config(const struct dirent *entry)
{
	size_t length = strlen(entry->d_name), suffix = sizeof(SUFFIX) - 1;

	return *entry->d_name != '.' && length > suffix &&
	       !strcmp(entry->d_name + length - suffix, SUFFIX);
}

/* Compare names by bytes, whatever the language of the user is. */
static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

/* Read one file of a folder. */
static void read_file(struct config *config, const char *folder,
		      const char *name)
{
	char **files, *path;

	files = array_grow(config->files, config->file_count, sizeof(*files));
	if (files)
		config->files = files;
	if (!files || asprintf(&path, "%s/%s", folder, name) < 0) {
		config_no_memory(config);
		return;
	}
	files[config->file_count++] = path;
	section.kind = SECTION_NONE;
	ini_read(config, path, &handler);
}

/*
 * Read all files of a folder. Return: 0, or -1 after an error message.
 */
static int read_folder(struct config *config, const char *folder)
{
	struct dirent **entries;
	int i, count;

	count = scandir(folder, &entries, is_config, by_name);
	if (count < 0) {
		error("cannot read the folder %s: %s", folder, strerror(errno));
		return config_failed(config);
	}
	for (i = 0; i < count; i++) {
		if (!config_is_full(config))
			read_file(config, folder, entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
	if (!count) {
		error("%s has no file *.conf", folder);
		return config_failed(config);
	}
	return config->errors ? -1 : 0;
}

int config_read_feeds(struct config *config, const char *folder)
{
	reading_feeds = true;
	read_folder(config, folder);
	reading_feeds = false;
	return config->errors ? -1 : 0;
}

/*
 * Read the catalogue of feeds if a list names one. Return: 0, or -1 after an
 * error message.
 */
static int read_needed_feeds(struct config *config, const char *folder)
{
	size_t i;

	for (i = 0; i < config->list_count; i++)
		if (config->lists[i]->feed)
			return config_read_feeds(config, folder);
	return 0;
}

int config_read(struct config *config, const char *folder, const char *feeds)
{
	memset(config, 0, sizeof(*config));
	if (read_folder(config, folder) && !config->file_count)
		return -1;
	if (config_is_full(config))
		return -1;
	read_needed_feeds(config, feeds);
	config_verify(config);
	return config->errors ? -1 : 0;
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
	for (i = 0; i < config->file_count; i++)
		free(config->files[i]);
	free(config->lists);
	free(config->feeds);
	free(config->filters);
	free(config->rules);
	free(config->files);
	memset(config, 0, sizeof(*config));
}
