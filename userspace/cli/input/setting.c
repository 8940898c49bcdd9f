// SPDX-License-Identifier: GPL-2.0-only
/*
 * setting_text() replaces the options in a message about a list of the configuration by
 * keys of the section [list].
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "input/setting.h"

/* Options that are also keys of the section [list]. */
static const char * const settings[] = {
	"column", "format", "json-key", "member", "ranges",
};

/* Return: the setting with the name of the option at @text, which is after "--"; or NULL. */
static const char *find_setting(const char *text)
{
	size_t i, length = strspn(text, "abcdefghijklmnopqrstuvwxyz-");

	for (i = 0; i < sizeof(settings) / sizeof(*settings); i++)
		if (strlen(settings[i]) == length && !strncmp(settings[i], text, length))
			return settings[i];
	return NULL;
}

/*
 * Return: the length of the argument @text of an option in a message; or 0 if @text is not
 * an argument, but continues the sentence. Messages have these arguments: the name of a
 * format, numbers of columns, and the word KEY.
 */
static size_t argument_length(const char *name, const char *text)
{
	size_t length = 0;

	if (!strcmp(name, "format"))
		length = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-");
	else if (!strcmp(name, "column"))
		while (isdigit((unsigned char)text[length]) ||
		       (text[length] == ',' && isdigit((unsigned char)text[length + 1])))
			length++;
	else if (!strncmp(text, "KEY ", 4))
		length = 3;
	return length;
}

static void append(char text[SETTING_TEXT], const char *bytes, size_t length)
{
	size_t end = strlen(text);

	snprintf(text + end, SETTING_TEXT - end, "%.*s", (int)length, bytes);
}

/*
 * Append the setting @name to @text, with the argument of the option. @after: the rest of the
 * message after the name of the option. Return: the rest after the argument.
 */
static const char *append_setting(char text[SETTING_TEXT], const char *name,
				  const char *after)
{
	size_t length = *after == ' ' ? argument_length(name, after + 1) : 0;

	append(text, "'", 1);
	append(text, name, strlen(name));
	if (length) {
		append(text, " = ", 3);
		append(text, after + 1, length);
		after += length + 1;
	} else if (!strcmp(name, "ranges")) {
		append(text, " = yes", 6);
	}
	append(text, "'", 1);
	return after;
}

const char *setting_text(const struct syntax *syntax, const char *message,
			 char text[SETTING_TEXT])
{
	const char *at = message, *option, *name;

	if (!syntax->configured)
		return message;
	*text = 0;
	while ((option = strstr(at, "--"))) {
		append(text, at, option - at);
		at = option + 2;
		name = find_setting(at);
		if (name)
			at = append_setting(text, name, at + strlen(name));
		else
			append(text, "--", 2);
	}
	append(text, at, strlen(at));
	return text;
}
