// SPDX-License-Identifier: GPL-2.0-only
/*
 * apply_report() prints what apply_lists() has changed in a filter, or would change
 * without --dry-run: counts, and with --diff also each key.
 */
#include <stdio.h>
#include <string.h>

#include "cmd/apply.h"
#include "input/line.h"
#include "json.h"
#include "message.h"

/* Size in bytes of the buffer of grouped(). */
#define GROUPED_TEXT	32

/* Write a number with commas between groups of three digits. Return: @buf. */
static const char *grouped(__u64 number, char buf[GROUPED_TEXT])
{
	char digits[GROUPED_TEXT];
	int i, at = 0, length = sprintf(digits, "%llu", number);

	for (i = 0; i < length; i++) {
		if (i && (length - i) % 3 == 0)
			buf[at++] = ',';
		buf[at++] = digits[i];
	}
	buf[at] = 0;
	return buf;
}

/* @context: pointer to the bits of note_bits(). */
static void print_change(void *context, enum key_change change,
			 const struct kcuckoo_prefix *key,
			 const struct note *note)
{
	const int *has = context;
	struct line line = {
		.key = *key,
		.value = note->value,
		.timeout = note->timeout,
		.has = *has,
	};
	char text[LINE_TEXT];

	if (line_format(&line, text) >= 0)
		printf("%c%s\n", "+-~"[change], text);
}

/* Return: LINE_VALUE if the filter will have values, and LINE_TIMEOUT for timeouts. */
static int note_bits(const struct apply *apply)
{
	const struct kcuckoo_ioc_create *create = apply->options->create;
	bool valued = apply->wanted.collection.valued;
	bool timed = apply->wanted.timed || apply->options->args->timeout;

	if (create) {
		valued = create->value_bits;
		timed = create->flags & KCUCKOO_CREATE_TIMEOUT;
	} else if (apply->exists) {
		valued = apply->info.value_bits;
		timed = apply->info.create_flags & KCUCKOO_CREATE_TIMEOUT;
	}
	return (valued ? LINE_VALUE : 0) | (timed ? LINE_TIMEOUT : 0);
}

/* With @terse, print the name of the filter, because a configuration can have several filters. */
static void print_diff(struct apply *apply)
{
	int has = note_bits(apply);
	const struct difference_sink sink = { print_change, &has };
	struct difference difference = apply->difference;

	if (apply->options->terse &&
	    (difference.added || difference.removed || difference.changed))
		printf("# %s\n", apply->options->name);
	keyset_difference(&apply->members, &apply->wanted.collection.keys, &sink,
			  &difference);
}

/* Return: true if the filter has no lists, and its members keep their remaining times. */
static bool keeps_times(const struct apply *apply)
{
	const struct kcuckoo_ioc_create *create = apply->options->create;

	return apply->options->convert &&
	       apply->info.create_flags & create->flags & KCUCKOO_CREATE_TIMEOUT;
}

static void say_difference(const struct apply *apply)
{
	const struct difference *difference = &apply->difference;
	const char *name = apply->options->name;
	char added[GROUPED_TEXT], removed[GROUPED_TEXT], unchanged[GROUPED_TEXT];
	char number[GROUPED_TEXT], changed[64] = "", renewed[96] = "";

	if (difference->changed)
		snprintf(changed, sizeof(changed), "changed %s, ",
			 grouped(difference->changed, number));
	if (keeps_times(apply) && apply->info.timeout != apply->options->create->timeout)
		strcpy(renewed, "; members keep their times, later ones get the new timeout");
	else if (difference->renewed && !keeps_times(apply))
		snprintf(renewed, sizeof(renewed), ", %s of these with a new timeout",
			 grouped(difference->renewed, number));
	say(apply->cli, "%s: added %s, removed %s, %sunchanged %s%s", name,
	    grouped(difference->added, added),
	    grouped(difference->removed, removed), changed,
	    grouped(difference->unchanged, unchanged), renewed);
}

static void say_result(const struct apply *apply)
{
	const char *name = apply->options->name;
	struct cli *cli = apply->cli;
	__u64 keys = collection_count(&apply->wanted.collection);
	char number[GROUPED_TEXT];

	if (apply->outcome == APPLY_NOTHING && apply->options->terse)
		return;
	wanted_say(cli, name, &apply->wanted, &apply->options->lists);
	if (apply->outcome == APPLY_NOTHING && !apply->difference.renewed) {
		say(cli, "%s: nothing to do", name);
		return;
	}
	if (apply->known)
		say_difference(apply);
	else
		say(cli, "%s: %s %s; the difference is unknown, because the filter does not store its members",
		    name, grouped(keys, number), plural(keys, "key", "keys"));
	if (apply->options->dry_run)
		say(cli, "%s: a dry run: nothing was changed", name);
	else
		say(cli, "%s: %s, %.2f s", name,
		    apply->outcome == APPLY_CREATED ? "created" : "exchanged",
		    clock_seconds() - apply->start);
	if (!apply->options->dry_run && !apply->options->managed)
		say_managed(cli, name, &apply->info);
}

static json_t *json_result(const struct apply *apply)
{
	static const char * const outcomes[] = {
		[APPLY_NOTHING] = "nothing",
		[APPLY_DIFFERENT] = "different",
		[APPLY_CREATED] = "created",
		[APPLY_REPLACED] = "replaced",
	};
	const struct difference *difference = &apply->difference;
	const struct wanted *wanted = &apply->wanted;
	json_t *object = json_pack("{s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:f}",
		"name", apply->options->name,
		"outcome", outcomes[apply->outcome],
		"keys", (json_int_t)collection_count(&wanted->collection),
		"read", (json_int_t)wanted->input.keys,
		"bad_lines", (json_int_t)wanted->input.bad,
		"excluded", (json_int_t)(wanted->excluded.left_out + wanted->excluded.cut),
		"bogons", (json_int_t)(wanted->bogons.left_out + wanted->bogons.cut),
		"own", (json_int_t)(apply->own.left_out + apply->own.cut),
		"seconds", clock_seconds() - apply->start);

	if (!apply->known)
		return object;
	json_object_set_new(object, "added", json_integer(difference->added));
	json_object_set_new(object, "removed", json_integer(difference->removed));
	json_object_set_new(object, "changed", json_integer(difference->changed));
	json_object_set_new(object, "unchanged", json_integer(difference->unchanged));
	json_object_set_new(object, "renewed", json_integer(difference->renewed));
	return object;
}

int apply_report(struct apply *apply)
{
	say_result(apply);
	if (apply->options->diff && !apply->cli->json)
		print_diff(apply);
	if (apply->cli->json && json_print(json_result(apply)))
		return -1;
	return apply->outcome == APPLY_DIFFERENT ? EXIT_NO : EXIT_YES;
}
