// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions parse the values of keys of lists, of the keys "list" and "exclude" of
 * filters, and of keys that several kinds of sections have.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "conf/texts.h"
#include "conf/values.h"
#include "input/csv.h"
#include "keywords.h"
#include "number.h"

#define FORMAT_CHARS	"abcdefghijklmnopqrstuvwxyz0123456789"

#define PERCENT_MAX	1000000

static const struct keyword yes_keywords[] = {
	{ "yes",	1 },
	{ "no",		0 },
	{ NULL, 0 }
};

int value_check_name(struct config *config, const struct config_place *place,
		     const char *text, size_t length)
{
	char name[CONFIG_LINE_MAX + 1];

	memcpy(name, text, length);
	name[length] = 0;
	/*
	 * The command names some files after sections, so reject names of hidden files,
	 * and "..".
	 */
	if (is_valid_name(name) && *name != '.')
		return 0;
	return config_error(config, place,
			    "'%s' is not a valid name: a name has 1 to %d letters, digits and _ . : - and does not begin with a dot",
			    name, KCUCKOO_NAME_SIZE - 1);
}

int value_text(const struct field *field, const char *value)
{
	char **to = field->to;

	*to = strdup(value);
	return *to ? 0 : config_no_memory(field->config);
}

int value_name(const struct field *field, const char *value)
{
	if (value_check_name(field->config, &field->place, value,
			     strlen(value)))
		return -1;
	return value_text(field, value);
}

int value_yes(const struct field *field, const char *value)
{
	int yes = keyword_value(yes_keywords, field->what, value);

	if (yes < 0)
		return config_failed(field->config);
	*(bool *)field->to = yes;
	return 0;
}

int value_duration(const struct field *field, const char *value)
{
	if (parse_duration(field->what, value, field->to))
		return config_failed(field->config);
	return 0;
}

int value_percent(const struct field *field, const char *value)
{
	size_t length = strlen(value);
	__u64 number;

	if (value[length - 1] == '%')
		length--;
	if (!number_scan(value, length, PERCENT_MAX, &number))
		return config_error(field->config, &field->place,
				    "%s '%s' is not a percentage, such as 50%%",
				    field->key, value);
	*(__u32 *)field->to = number;
	return 0;
}

int value_entries(const struct field *field, const char *value)
{
	if (parse_number(field->what, value, 0, KCUCKOO_CAPACITY_MAX,
			 field->to))
		return config_failed(field->config);
	return 0;
}

int value_column(const struct field *field, const char *value)
{
	size_t first = strcspn(value, ",");
	struct config_list *list = field->section;
	char text[CONFIG_LINE_MAX + 1];
	__u64 column, last = 0;

	memcpy(text, value, first);
	text[first] = 0;
	if (parse_number(field->what, text, 1, CSV_COLUMN_MAX, &column) ||
	    (value[first] &&
	     parse_number(field->what, value + first + 1, 1, CSV_COLUMN_MAX, &last)))
		return config_failed(field->config);
	if (column == last)
		return config_error(field->config, &field->place,
				    "column '%s' names one column twice", value);
	list->column = column;
	list->column_last = last;
	return 0;
}

static int add_text(const struct field *field, const char *value)
{
	struct config_texts *texts = field->to;
	const struct config_text *other;
	char where[PLACE_TEXT];

	other = texts_find(texts, value, strlen(value));
	if (other)
		return config_error(field->config, &field->place,
				    "%s '%s' is already in %s", field->key,
				    value, place_text(&other->place, where));
	if (texts_add(texts, value, strlen(value), &field->place))
		return config_no_memory(field->config);
	return 0;
}

int value_url(const struct field *field, const char *value)
{
	static const char secure[] = "https://";
	size_t length = sizeof(secure) - 1, host;

	if (!strncmp(value, "http://", 7))
		return config_error(field->config, &field->place,
				    "url '%s' is not encrypted: lists are fetched only from https://",
				    value);
	if (strncmp(value, secure, length))
		return config_error(field->config, &field->place,
				    "url '%s' does not begin with https://",
				    value);
	host = strcspn(value + length, "/?#");
	if (!host || strpbrk(value, " \t"))
		return config_error(field->config, &field->place,
				    "'%s' is not a URL", value);
	if (memchr(value + length, '@', host))
		return config_error(field->config, &field->place,
				    "the url has a password: put it into a file, see 'credential'");
	return add_text(field, value);
}

/* The name of a format can precede an absolute path, as in json:/PATH?QUERY. */
static bool is_path(const char *value)
{
	size_t format = strspn(value, FORMAT_CHARS);

	if (format && value[format] == ':')
		value += format + 1;
	return *value == '/';
}

int value_path(const struct field *field, const char *value)
{
	if (!is_path(value))
		return config_error(field->config, &field->place,
				    "%s '%s' is not an absolute path, such as /etc/kcuckoo/mine.txt or mmdb:/PATH?QUERY",
				    field->key, value);
	return add_text(field, value);
}

int value_format(const struct field *field, const char *value)
{
	struct config_list *list = field->section;

	list->layout = keyword_value(layout_keywords, field->what, value);
	if (list->layout < 0)
		return config_failed(field->config);
	return value_text(field, value);
}

static int check_source(const struct field *field, const char *value)
{
	if (is_path(value))
		return 0;
	if (strpbrk(value, " \t,"))
		return config_error(field->config, &field->place,
				    "%s '%s' is not one name: write one line for each list",
				    field->key, value);
	if (strchr(value, '/'))
		return config_error(field->config, &field->place,
				    "%s '%s' is neither a name nor an absolute path",
				    field->key, value);
	return value_check_name(field->config, &field->place, value,
				strlen(value));
}

int value_source(const struct field *field, const char *value)
{
	struct config_sources *sources = field->to;
	struct config_source *items;
	char where[PLACE_TEXT];
	size_t i;

	if (check_source(field, value))
		return -1;
	for (i = 0; i < sources->count; i++)
		if (!strcmp(sources->items[i].text, value))
			return config_error(field->config, &field->place,
					    "%s '%s' is already in %s",
					    field->key, value,
					    place_text(&sources->items[i].place,
						       where));
	items = array_grow(sources->items, sources->count, sizeof(*items));
	if (!items)
		return config_no_memory(field->config);
	sources->items = items;
	items += sources->count;
	items->list = NULL;
	items->place = field->place;
	items->text = strdup(value);
	if (!items->text)
		return config_no_memory(field->config);
	sources->count++;
	return 0;
}
