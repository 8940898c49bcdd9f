// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions parse the values of keys that only sections [filter] and [rule] have.
 */
#include <ctype.h>
#include <string.h>

#include "conf/fields.h"
#include "conf/texts.h"
#include "conf/values.h"
#include "keywords.h"
#include "number.h"
#include "rules/log.h"
#include "rules/xdp.h"

static const struct keyword mode_keywords[] = {
	{ "native",	XDP_MODE_NATIVE },
	{ "generic",	XDP_MODE_GENERIC },
	{ NULL, 0 }
};

static int keyword(const struct field *field, const struct keyword *keywords,
		   const char *value)
{
	int found = keyword_value(keywords, field->what, value);

	return found < 0 ? config_failed(field->config) : found;
}

int value_type(const struct field *field, const char *value)
{
	struct config_filter *filter = field->section;
	int type = keyword(field, type_keywords, value);

	filter->create.type = type;
	return type < 0 ? -1 : 0;
}

int value_hash(const struct field *field, const char *value)
{
	struct config_filter *filter = field->section;
	int hash = keyword(field, hash_keywords, value);

	filter->create.hash = hash;
	return hash < 0 ? -1 : 0;
}

int value_capacity(const struct field *field, const char *value)
{
	struct config_filter *filter = field->section;
	__u64 capacity;

	if (parse_capacity(field->what, value, &capacity))
		return config_failed(field->config);
	filter->create.capacity = capacity;
	return 0;
}

int value_rate(const struct field *field, const char *value)
{
	struct config_filter *filter = field->section;
	const char *why = rate_scan(value, &filter->create.fpr);

	if (why)
		return config_error(field->config, &field->place, "%s '%s': %s",
				    field->key, value, why);
	return 0;
}

static int bits(const struct field *field, const char *value)
{
	__u64 number;

	if (parse_number(field->what, value, 1, 32, &number))
		return config_failed(field->config);
	return number;
}

int value_bits(const struct field *field, const char *value)
{
	struct config_filter *filter = field->section;
	int number = bits(field, value);

	filter->create.tag_bits = number;
	return number < 0 ? -1 : 0;
}

int value_value_bits(const struct field *field, const char *value)
{
	struct config_filter *filter = field->section;
	int number = bits(field, value);

	filter->create.value_bits = number;
	return number < 0 ? -1 : 0;
}

int value_timeout(const struct field *field, const char *value)
{
	struct config_filter *filter = field->section;

	filter->create.flags |= KCUCKOO_CREATE_TIMEOUT;
	if (parse_duration(field->what, value, &filter->create.timeout))
		return config_failed(field->config);
	return 0;
}

bool value_is_dev(const char *text, size_t length)
{
	const char *star = memchr(text, '*', length);
	size_t i;

	for (i = 0; i < length; i++)
		if (isspace((unsigned char)text[i]) || iscntrl((unsigned char)text[i]))
			return false;
	return length && length < KCUCKOO_DEV_SIZE && !memchr(text, '/', length) &&
	       !memchr(text, ':', length) && *text != '.' &&
	       (!star || star == text + length - 1);
}

bool value_dev_matches(const char *pattern, const char *dev)
{
	size_t length = strcspn(pattern, "*");

	return pattern[length] ? !strncmp(pattern, dev, length) : !strcmp(pattern, dev);
}

static int check_dev(struct config *config, const struct config_place *place,
		     const char *text, size_t length)
{
	const char *star = memchr(text, '*', length);

	if (star && star != text + length - 1)
		return config_error(config, place,
				    "dev '%.*s': only the last character may be an asterisk",
				    (int)length, text);
	if (value_is_dev(text, length))
		return 0;
	return config_error(config, place,
			    "dev '%.*s' is not a valid name of a network device",
			    (int)length, text);
}

static int add_words(const struct field *field, const char *value,
		     int (*check)(struct config *config,
				  const struct config_place *place,
				  const char *text, size_t length))
{
	struct config_texts *texts = field->to;
	size_t length;

	for (; *value; value += length + strspn(value + length, " \t")) {
		length = strcspn(value, " \t");
		if (check(field->config, &field->place, value, length))
			return -1;
		if (texts_find(texts, value, length))
			return config_error(field->config, &field->place,
					    "%s '%.*s' was given twice",
					    field->key, (int)length, value);
		if (texts_add(texts, value, length, &field->place))
			return config_no_memory(field->config);
	}
	return 0;
}

int value_filters(const struct field *field, const char *value)
{
	return add_words(field, value, value_check_name);
}

int value_devs(const struct field *field, const char *value)
{
	return add_words(field, value, check_dev);
}

int value_hook(const struct field *field, const char *value)
{
	struct config_rule *rule = field->section;
	int hook = keyword(field, hook_keywords, value);

	rule->hook = hook;
	return hook < 0 ? -1 : 0;
}

int value_family(const struct field *field, const char *value)
{
	struct config_rule *rule = field->section;
	int family = keyword(field, family_keywords, value);

	rule->family = family;
	return family < 0 ? -1 : 0;
}

int value_match(const struct field *field, const char *value)
{
	struct config_rule *rule = field->section;
	int match = keyword(field, match_keywords, value);

	rule->match = match;
	return match < 0 ? -1 : 0;
}

int value_mode(const struct field *field, const char *value)
{
	struct config_rule *rule = field->section;

	rule->mode = keyword(field, mode_keywords, value);
	return rule->mode < 0 ? -1 : 0;
}

/* @text: the mark as a number, or "value" for the value of the member. */
static int set_mark(const struct field *field, const char *text)
{
	struct config_rule *rule = field->section;
	__u64 mark;

	if (!strcmp(text, "value")) {
		rule->action = KCUCKOO_ACTION_VALUE;
		return 0;
	}
	if (!number_scan(text, strlen(text), UINT32_MAX, &mark))
		return config_error(field->config, &field->place,
				    "mark '%s' is neither 'value' nor a number from 0 to %u",
				    text, UINT32_MAX);
	rule->action = KCUCKOO_ACTION_MARK;
	rule->mark = mark;
	return 0;
}

int value_action(const struct field *field, const char *value)
{
	struct config_rule *rule = field->section;
	int action;

	if (rule_has(rule, "mark"))
		return config_error(field->config, &field->place,
				    "'action' and 'mark' cannot be combined: 'mark' is an action");
	if (!strncmp(value, "mark=", 5))
		return set_mark(field, value + 5);
	action = keyword(field, action_keywords, value);
	rule->action = action;
	return action < 0 ? -1 : 0;
}

int value_mark(const struct field *field, const char *value)
{
	struct config_rule *rule = field->section;

	if (rule_has(rule, "action"))
		return config_error(field->config, &field->place,
				    "'action' and 'mark' cannot be combined: 'mark' is an action");
	return set_mark(field, value);
}

int value_allow(const struct field *field, const char *value)
{
	struct config_rule *rule = field->section;

	if (value_check_name(field->config, &field->place, value,
			     strlen(value)))
		return -1;
	strcpy(rule->allow, value);
	return 0;
}

int value_log_group(const struct field *field, const char *value)
{
	struct config_rule *rule = field->section;
	__u64 group;

	if (parse_number(field->what, value, 0, UINT16_MAX, &group))
		return config_failed(field->config);
	rule->log_group = group;
	return 0;
}

int value_log_limit(const struct field *field, const char *value)
{
	struct config_rule *rule = field->section;

	rule->log_limit = log_limit_scan(value);
	if (rule->log_limit)
		return 0;
	return config_error(field->config, &field->place,
			    "log-limit '%s' is not " LOG_LIMIT_FORM, value,
			    KCUCKOO_LOG_LIMIT_MAX);
}
