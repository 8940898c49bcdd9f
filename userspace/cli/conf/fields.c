// SPDX-License-Identifier: GPL-2.0-only
/*
 * fields_set() parses the value of a key of the configuration into the
 * structure of its section.
 *
 * The table of keys has the offset of each value in the structure, so that keys
 * with the same kind of value share one function.
 */
#include <assert.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "conf/fields.h"
#include "conf/values.h"
#include "keywords.h"

static const struct keyword section_words[] = {
	{ "list",	SECTION_LIST },
	{ "feed",	SECTION_FEED },
	{ "filter",	SECTION_FILTER },
	{ "rule",	SECTION_RULE },
	{ NULL, 0 }
};

/* Bits for sets of enum section_kind. */
enum {
	IN_LIST		= 1 << SECTION_LIST,
	IN_FEED		= 1 << SECTION_FEED,
	IN_FILTER	= 1 << SECTION_FILTER,
	IN_RULE		= 1 << SECTION_RULE,
};

/**
 * struct config_key - a key that sections can have
 * @name: name of the key
 * @sections: IN_* of each kind of section that can have the key
 * @repeats: a section can have the key several times
 * @parse: function that parses the value
 * @offset: offset of the value in the structure of the section
 */
static const struct config_key {
	const char *name;
	int sections;
	bool repeats;
	value_parser *parse;
	size_t offset;
} keys[] = {
#define LIST(field)	offsetof(struct config_list, field)
	{ "url", IN_LIST | IN_FEED, true, value_url, LIST(urls) },
	{ "file", IN_LIST, true, value_path, LIST(files) },
	{ "feed", IN_LIST, false, value_name, LIST(feed) },
	{ "format", IN_LIST | IN_FEED, false, value_format, LIST(format) },
	{ "column", IN_LIST | IN_FEED, false, value_column, LIST(column) },
	{ "ranges", IN_LIST | IN_FEED, false, value_yes, LIST(ranges) },
	{ "member", IN_LIST | IN_FEED, false, value_text, LIST(member) },
	{ "json-key", IN_LIST | IN_FEED, false, value_text, LIST(json_key) },
	{ "where", IN_LIST | IN_FEED, false, value_text, LIST(where) },
	{ "refresh", IN_LIST | IN_FEED, false, value_duration, LIST(refresh) },
	{ "refresh-min", IN_LIST, false, value_duration, LIST(refresh_min) },
	{ "min", IN_LIST | IN_FEED, false, value_entries, LIST(min) },
	{ "max-shrink", IN_LIST, false, value_percent, LIST(max_shrink) },
	{ "max-grow", IN_LIST, false, value_percent, LIST(max_grow) },
	{ "stale", IN_LIST, false, value_duration, LIST(stale) },
	{ "expire", IN_LIST, false, value_duration, LIST(expire) },
	{ "wide", IN_LIST, false, value_yes, LIST(wide) },
	{ "bogons", IN_LIST, false, value_yes, LIST(bogons) },
	{ "credential", IN_LIST, false, value_name, LIST(credential) },
	{ "licence", IN_FEED, false, value_text, LIST(licence) },
	{ "about", IN_FEED, false, value_text, LIST(about) },
#undef LIST
#define FILTER(field)	offsetof(struct config_filter, field)
	{ "list", IN_FILTER, true, value_source, FILTER(lists) },
	{ "exclude", IN_FILTER, true, value_source, FILTER(excludes) },
	{ "type", IN_FILTER, false, value_type, FILTER(create) },
	{ "capacity", IN_FILTER, false, value_capacity, FILTER(create) },
	{ "fpr", IN_FILTER, false, value_rate, FILTER(create) },
	{ "bits", IN_FILTER, false, value_bits, FILTER(create) },
	{ "hash", IN_FILTER, false, value_hash, FILTER(create) },
	{ "value", IN_FILTER, false, value_value_bits, FILTER(create) },
	{ "timeout", IN_FILTER, false, value_timeout, FILTER(create) },
	{ "keep", IN_FILTER, false, value_yes, FILTER(keep) },
#undef FILTER
#define RULE(field)	offsetof(struct config_rule, field)
	{ "filter", IN_RULE, true, value_filters, RULE(filters) },
	{ "dev", IN_RULE, true, value_devs, RULE(devs) },
	{ "hook", IN_RULE, false, value_hook, RULE(hook) },
	{ "family", IN_RULE, false, value_family, RULE(family) },
	{ "match", IN_RULE, false, value_match, RULE(match) },
	{ "action", IN_RULE, false, value_action, RULE(action) },
	{ "mark", IN_RULE, false, value_mark, RULE(mark) },
	{ "allow", IN_RULE, false, value_allow, RULE(allow) },
	{ "mode", IN_RULE, false, value_mode, RULE(mode) },
	{ "log", IN_RULE, false, value_yes, RULE(log) },
	{ "log-group", IN_RULE, false, value_log_group, RULE(log_group) },
	{ "log-limit", IN_RULE, false, value_log_limit, RULE(log_limit) },
#undef RULE
};

#define KEYS	((int)(sizeof(keys) / sizeof(*keys)))

/* The fields @keys of the structures in conf/config.h have a bit for each element of keys[]. */
static_assert(KEYS <= 64, "too many keys");

enum section_kind section_kind(const char *word)
{
	const struct keyword *k;

	for (k = section_words; k->name; k++)
		if (!strcmp(k->name, word))
			return k->value;
	return SECTION_NONE;
}

const char *section_word(enum section_kind kind)
{
	return keyword_name(section_words, kind);
}

/*
 * @given: the field @keys of a section. No two elements of keys[] have the same name, so
 * the kind of the section does not matter.
 */
static bool has(__u64 given, const char *key)
{
	int i;

	for (i = 0; i < KEYS; i++)
		if (!strcmp(keys[i].name, key))
			return given >> i & 1;
	return false;
}

bool list_has(const struct config_list *list, const char *key)
{
	return has(list->keys, key);
}

bool filter_has(const struct config_filter *filter, const char *key)
{
	return has(filter->keys, key);
}

bool rule_has(const struct config_rule *rule, const char *key)
{
	return has(rule->keys, key);
}

static void unknown_key(struct config *config, enum section_kind kind,
			const char *key, const struct config_place *place)
{
	const char *word = section_word(kind);
	int i;

	for (i = 0; i < KEYS; i++) {
		if (keys[i].sections & 1 << kind && is_near(key, keys[i].name)) {
			config_error(config, place,
				     "a [%s] has no key '%s': did you mean '%s'?",
				     word, key, keys[i].name);
			return;
		}
	}
	for (i = 0; i < KEYS; i++) {
		if (!strcmp(key, keys[i].name)) {
			config_error(config, place,
				     "a [%s] has no key '%s': see kcuckoo.conf(5)",
				     word, key);
			return;
		}
	}
	config_error(config, place, "unknown key '%s': see kcuckoo.conf(5)",
		     key);
}

/* Set @base to the structure of the section. Return: the address of its field @keys. */
static __u64 *section_keys(const struct section *section, void **base)
{
	switch (section->kind) {
	case SECTION_FILTER:
		*base = section->filter;
		return &section->filter->keys;
	case SECTION_RULE:
		*base = section->rule;
		return &section->rule->keys;
	default:
		*base = section->list;
		return &section->list->keys;
	}
}

void fields_set(struct config *config, const struct section *section,
		const char *key, const char *value,
		const struct config_place *place)
{
	struct field field = {
		.config = config,
		.key = key,
		.place = *place,
	};
	char where[PLACE_TEXT];
	__u64 *given;
	int i = 0;

	if (section->kind == SECTION_NONE)
		return;
	while (i < KEYS && (strcmp(keys[i].name, key) ||
			    !(keys[i].sections & 1 << section->kind)))
		i++;
	if (i == KEYS) {
		unknown_key(config, section->kind, key, place);
		return;
	}
	given = section_keys(section, &field.section);
	if (*given >> i & 1 && !keys[i].repeats) {
		config_error(config, place, "'%s' was given twice", key);
		return;
	}
	snprintf(field.what, sizeof(field.what), "%s: %s",
		 place_text(place, where), key);
	field.to = (char *)field.section + keys[i].offset;
	keys[i].parse(&field, value);
	*given |= 1ULL << i;
}
