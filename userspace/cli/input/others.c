// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions count and print the addresses in JSON that are left out, because
 * their JSON key is not known to have addresses to block (selection.h).
 */
#include <stdio.h>
#include <string.h>

#include "input/input.h"
#include "message.h"

void input_count_others(struct input_others *others, const char *key,
			__u64 count)
{
	char name[sizeof(others->names[0])];
	int i;

	escape(key, strlen(key), name, sizeof(name));
	others->total += count;
	for (i = 0; i < INPUT_OTHERS_NAMED; i++) {
		if (!others->counts[i])
			strcpy(others->names[i], name);
		if (!strcmp(others->names[i], name)) {
			others->counts[i] += count;
			return;
		}
	}
}

void input_sum_others(struct input_others *to, const struct input_others *from)
{
	__u64 named = 0;
	int i;

	for (i = 0; i < INPUT_OTHERS_NAMED && from->counts[i]; i++) {
		input_count_others(to, from->names[i], from->counts[i]);
		named += from->counts[i];
	}
	to->total += from->total - named;
}

const char *input_name_others(const struct input_others *others, char *text)
{
	__u64 rest = others->total;
	size_t at = 0;
	int i;

	*text = 0;
	for (i = 0; i < INPUT_OTHERS_NAMED && others->counts[i]; i++) {
		at += snprintf(text + at, INPUT_OTHERS_TEXT - at, "%s%s (%llu)",
			       i ? ", " : "", others->names[i],
			       others->counts[i]);
		rest -= others->counts[i];
	}
	if (rest)
		snprintf(text + at, INPUT_OTHERS_TEXT - at, " and others");
	return text;
}

void input_say_others(const struct cli *cli, const char *name,
		      const struct input_others *others)
{
	char text[INPUT_OTHERS_TEXT];

	if (!others->total)
		return;
	say(cli, "%s: %llu %s under other keys of JSON %s left out: %s", name,
	    others->total, plural(others->total, "address", "addresses"),
	    plural(others->total, "was", "were"),
	    input_name_others(others, text));
}
