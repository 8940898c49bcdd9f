/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fields_set() parses the value of a key of the configuration into the
 * structure of its section.
 */
#ifndef KCUCKOO_CLI_CONF_FIELDS_H
#define KCUCKOO_CLI_CONF_FIELDS_H

#include "conf/config.h"

enum section_kind {
	SECTION_NONE,		/* no section, or a section line with an error: skip keys */
	SECTION_LIST,
	SECTION_FEED,
	SECTION_FILTER,
	SECTION_RULE,
};

/**
 * struct section - the section that is being read
 * @kind: enum section_kind
 * @list: the list or feed, for SECTION_LIST and SECTION_FEED
 * @filter: the filter, for SECTION_FILTER
 * @rule: the rule, for SECTION_RULE
 */
struct section {
	enum section_kind kind;
	struct config_list *list;
	struct config_filter *filter;
	struct config_rule *rule;
};

/* Return: the kind of a section [@word NAME], or SECTION_NONE. */
enum section_kind section_kind(const char *word);

/* Return: the word for a kind of sections, such as "list" in [list NAME]. */
const char *section_word(enum section_kind kind);

/*
 * Parse @value, and store the result as the value of the key @key of @section. @place:
 * file and line of the key. Print errors, and count them in @config. Do nothing for
 * SECTION_NONE.
 */
void fields_set(struct config *config, const struct section *section,
		const char *key, const char *value,
		const struct config_place *place);

/*
 * Return: true if the section of @list has the key @key, or if the feed of @list has the
 * key and config_verify() has copied the values of the feed to @list.
 */
bool list_has(const struct config_list *list, const char *key);

/* Return: true if the section of @filter has the key @key. */
bool filter_has(const struct config_filter *filter, const char *key);

/* Return: true if the section of @rule has the key @key. */
bool rule_has(const struct config_rule *rule, const char *key);

#endif /* KCUCKOO_CLI_CONF_FIELDS_H */
