// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions parse the name of a list, which can have a format and options.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "input/spec.h"
#include "keywords.h"
#include "message.h"

static int layout_of(const char *name, size_t length)
{
	const struct keyword *k;

	for (k = layout_keywords; k->name; k++)
		if (strlen(k->name) == length && !memcmp(k->name, name, length))
			return k->value;
	return -1;
}

static int add_option(struct spec *spec, char *text)
{
	char *sign = strchr(text, '=');

	if (!sign || sign == text || !sign[1])
		return error("'%s': '%s' is no option: FILE?OPTION=VALUE",
			     spec->path, text);
	*sign = 0;
	if (spec_option(spec, text))
		return error("'%s': the option '%s' is given twice", spec->path,
			     text);
	if (spec->count == SPEC_OPTIONS)
		return error("'%s': a list has at most %d options", spec->path,
			     SPEC_OPTIONS);
	spec->names[spec->count] = text;
	spec->values[spec->count++] = sign + 1;
	return 0;
}

/*
 * Return: true if an option follows the question mark at @mark. Otherwise the question mark is
 * part of the path.
 */
static bool begins_options(const char *mark)
{
	size_t length = strspn(mark + 1, "abcdefghijklmnopqrstuvwxyz-");

	return length && mark[1 + length] == '=';
}

/*
 * Split @name into format, path and options. Return: 1 with the start of the options in
 * @options, 0 without options, or -1 if memory is short.
 */
static int split(struct spec *spec, const char *name, char **options)
{
	const char *colon;
	char *path, *mark;

	memset(spec, 0, sizeof(*spec));
	spec->layout = -1;
	spec->path = name;
	if (!access(name, F_OK))
		return 0;
	spec->text = strdup(name);
	if (!spec->text)
		return -1;
	path = spec->text;
	colon = strchr(path, ':');
	if (colon)
		spec->layout = layout_of(path, colon - path);
	if (spec->layout >= 0)
		path += colon - path + 1;
	spec->path = path;
	mark = strrchr(path, '?');
	if (!mark || !begins_options(mark))
		return 0;
	*mark = 0;
	*options = mark + 1;
	return 1;
}

bool spec_stat(const char *name, struct stat *st)
{
	struct spec spec;
	char *options;
	bool found = split(&spec, name, &options) >= 0 && !stat(spec.path, st);

	spec_free(&spec);
	return found;
}

int spec_parse(struct spec *spec, const char *name)
{
	char *mark, *next;
	int ret = split(spec, name, &mark);

	if (ret < 0)
		return error("not enough memory");
	if (!ret)
		return 0;
	for (; mark; mark = next) {
		next = strchr(mark, '&');
		if (next)
			*next++ = 0;
		if (add_option(spec, mark))
			return -1;
	}
	return 0;
}

void spec_free(struct spec *spec)
{
	free(spec->text);
	spec->text = NULL;
}

const char *spec_option(const struct spec *spec, const char *name)
{
	int i;

	for (i = 0; i < spec->count; i++)
		if (!strcmp(spec->names[i], name))
			return spec->values[i];
	return NULL;
}

static bool has_option(enum layout layout, const char *name)
{
	const char * const *option = layout_types[layout].options;

	for (; option && *option; option++)
		if (!strcmp(*option, name))
			return true;
	return false;
}

/* Print an error: @layout does not have option @i of the list. Return: -1. */
static int refuse_option(const struct spec *spec, enum layout layout, int i)
{
	const char *name = spec->names[i], *value = spec->values[i];
	int other, ret;

	ret = error("'%s': lists of format '%s' have no option '%s'", spec->path,
		    keyword_name(layout_keywords, layout), name);
	for (other = 0; other < LAYOUTS; other++)
		if (has_option(other, name))
			return hint(ret, "'%s:%s?%s=%s' names a format that has this option",
				    keyword_name(layout_keywords, other), spec->path,
				    name, value);
	return ret;
}

int spec_check(const struct spec *spec, enum layout layout)
{
	int i;

	for (i = 0; i < spec->count; i++)
		if (!has_option(layout, spec->names[i]))
			return refuse_option(spec, layout, i);
	return 0;
}
