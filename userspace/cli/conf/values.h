/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions parse the values of keys of the configuration, one function
 * for each kind of value.
 */
#ifndef KCUCKOO_CLI_CONF_VALUES_H
#define KCUCKOO_CLI_CONF_VALUES_H

#include "conf/config.h"
#include "conf/report.h"

/* Size of a buffer for FILE:LINE and a key, in bytes. */
#define WHAT_TEXT	(PLACE_TEXT + CONFIG_LINE_MAX)

/**
 * struct field - a key whose value is parsed
 * @config: the configuration, which counts errors
 * @key: the key
 * @place: file and line of the key
 * @what: FILE:LINE and the key, for messages
 * @section: the structure of the section
 * @to: address of the value in this structure
 */
struct field {
	struct config *config;
	const char *key;
	struct config_place place;
	char what[WHAT_TEXT];
	void *section;
	void *to;
};

/*
 * A function that parses @value, and stores the result at @to of @field. The
 * functions below have this type. The comment after a function has the type at @to,
 * or the structure at @section in which the function sets fields. Return: 0, or -1
 * after an error message, which is counted in @config of @field.
 */
typedef int value_parser(const struct field *field, const char *value);

value_parser value_text;	/* char *: any text */
value_parser value_name;	/* char *: a name */
value_parser value_yes;		/* bool: yes or no */
value_parser value_duration;	/* __u32: seconds */
value_parser value_percent;	/* __u32: a percentage, such as 50 or 50% */
value_parser value_entries;	/* __u64: a number of entries */
value_parser value_column;	/* @column and @column_last of struct config_list */
value_parser value_url;		/* struct config_texts: appends a URL */
value_parser value_path;	/* struct config_texts: appends a path */
value_parser value_format;	/* struct config_list: sets @format and @layout */
value_parser value_source;	/* struct config_sources: appends a list */
value_parser value_type;	/* value_type to value_timeout: struct config_filter */
value_parser value_hash;
value_parser value_capacity;
value_parser value_rate;
value_parser value_bits;
value_parser value_value_bits;
value_parser value_timeout;
value_parser value_filters;	/* struct config_texts: appends names of filters */
value_parser value_devs;	/* struct config_texts: appends names of devices */
value_parser value_hook;	/* value_hook to value_log_limit: struct config_rule */
value_parser value_family;
value_parser value_match;
value_parser value_action;
value_parser value_mark;
value_parser value_mode;
value_parser value_allow;
value_parser value_log_group;
value_parser value_log_limit;

/*
 * Check that a text of @length bytes is a valid name of a section. @place: file and
 * line of the text. Return: 0, or -1 after an error message.
 */
int value_check_name(struct config *config, const struct config_place *place,
		     const char *text, size_t length);

/*
 * Return: true if a text of @length bytes can be the name of a network device, or a
 * pattern that ends in an asterisk. The device need not exist.
 */
bool value_is_dev(const char *text, size_t length);

/*
 * Return: true if @dev equals @pattern; or if @pattern ends in an asterisk, and @dev
 * begins with the text before the asterisk. fnmatch() is not suitable: it also gives
 * a meaning to brackets and other characters, which names of devices can contain.
 */
bool value_dev_matches(const char *pattern, const char *dev);

#endif /* KCUCKOO_CLI_CONF_VALUES_H */
