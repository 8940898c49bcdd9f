// SPDX-License-Identifier: GPL-2.0-only
/*
 * parts_read() reads the parts of a list from the cache, and computes the members of
 * the list. It ignores values and timeouts in the list, and cuts exceptions out of the
 * members.
 */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "fetch/claims.h"
#include "fetch/copy.h"
#include "fetch/parts.h"
#include "input/input.h"
#include "keys/difference.h"
#include "keys/range.h"
#include "message.h"

/*
 * parts_read() rejects a part that has more than MANY_BAD bad lines, if more than a
 * tenth of all lines of the part are bad. It also rejects a part in which all lines are
 * bad.
 */
#define MANY_BAD	3

/**
 * struct reading - parts that are being read
 * @parts: the result
 * @input: the part that is being read, and the counts of all parts so far
 * @left_out: keys to remove from the members: exceptions, and also bogons unless the
 *	list is allowed to have bogons
 * @bad: number of bad lines in all earlier parts
 * @line: number of the first bad line of the current part, or 0
 * @reason: why line @line is bad
 */
struct reading {
	struct parts *parts;
	struct input input;
	struct keyset left_out;
	__u64 bad;
	__u64 line;
	char reason[128];
};

static int fail(struct reading *reading, const char *format, ...) PRINTF(2, 3);

static int fail(struct reading *reading, const char *format, ...)
{
	struct parts *parts = reading->parts;
	va_list args;

	va_start(args, format);
	vsnprintf(parts->why, sizeof(parts->why), format, args);
	va_end(args);
	return -1;
}

/*
 * Handle a list without members. The list can be broken, but some lists are empty for
 * months, which the configuration permits with min = 0.
 */
static int check_empty(struct reading *reading, const char *text)
{
	return reading->parts->list->guards.min ? fail(reading, "%s", text) : 0;
}

void parts_refuse(struct parts *parts, const char *format, ...)
{
	va_list args;

	if (*parts->refused)
		return;
	va_start(args, format);
	vsnprintf(parts->refused, sizeof(parts->refused), format, args);
	va_end(args);
}

void parts_init(struct parts *parts, const struct list *list,
		struct list_notes *notes)
{
	memset(parts, 0, sizeof(*parts));
	parts->list = list;
	parts->notes = notes;
	keyset_init(&parts->set);
}

void parts_free(struct parts *parts)
{
	keyset_free(&parts->set);
}

static int take_key(void *context, const struct line *line,
		    const struct place *place)
{
	struct kcuckoo_prefix prefixes[RANGE_PREFIXES_MAX];
	struct reading *reading = context;
	struct keyset *set = line->exception ? &reading->left_out :
			     &reading->parts->set;
	int i, count = 1;

	(void)place;
	prefixes[0] = line->key;
	if (line->kind == LINE_RANGE)
		count = range_split(&line->key, &line->last, prefixes);
	for (i = 0; i < count; i++)
		if (keyset_add(set, &prefixes[i]))
			return fail(reading, "there is not enough memory for its members");
	if (keyset_count(set) > PARTS_KEYS_MAX)
		return fail(reading, "it has more than %u members", PARTS_KEYS_MAX);
	reading->parts->notes->noted += line->has && !line->exception;
	return 0;
}

static void watch_line(void *context, const struct place *place, bool bad,
		       const char *why)
{
	struct reading *reading = context;

	if (!bad || reading->line)
		return;
	reading->line = place->entry ? place->entry : place->number;
	snprintf(reading->reason, sizeof(reading->reason), "%s", why);
}

/* input_run() calls @text of struct input_watch without a check for NULL. */
static void watch_text(void *context, const struct reader *reader)
{
	(void)context;
	(void)reader;
}

static int check_bad(struct reading *reading, __u64 lines)
{
	__u64 bad = reading->input.bad - reading->bad;

	if (bad && bad == lines)
		return fail(reading, "the server did not send a list: all %llu lines are bad; line %llu: %s",
			    lines, reading->line, reading->reason);
	if (bad > MANY_BAD && bad > lines / 10)
		return fail(reading, "%llu of %llu lines are bad: is it a list of another format? line %llu: %s",
			    bad, lines, reading->line, reading->reason);
	return 0;
}

static __u64 entries(const struct input *input)
{
	return input->keys + input->bad + input->columns.exceptions;
}

static int read_file(struct reading *reading, char *path)
{
	const struct input_watch watch = {
		.context = reading, .text = watch_text, .left_out = watch_line,
	};
	struct parts *parts = reading->parts;
	struct input *input = &reading->input;
	__u64 lines = input->lines, found = entries(input);
	char why[CANONICAL_REASON];
	struct claims claims;
	int ret;

	if (claims_read(path, &parts->list->syntax, &claims, parts->why))
		return -1;
	/*
	 * Even a list without entries has a comment, so an empty answer means that
	 * the server failed.
	 */
	if (claims.empty)
		return fail(reading, "what the server sent is empty");
	reading->bad = input->bad;
	reading->line = 0;
	input->files = &path;
	input->watch = &watch;
	error_capture(why, sizeof(why));
	ret = input_run(input, take_key, reading);
	error_capture(NULL, 0);
	if (ret)
		return *parts->why ? -1 : fail(reading, "%s", why);
	if (check_bad(reading, input->lines - lines))
		return -1;
	found = entries(input) - found;
	if (claims.given && claims.entries != found)
		parts_refuse(parts, "it is cut off or damaged: it claims %llu entries and has %llu",
			     claims.entries, found);
	return 0;
}

static int read_part(struct reading *reading, const struct state *state, int i)
{
	const struct list *list = reading->parts->list;
	char path[sizeof(state->cache_path) + FILE_NAME];
	struct cached_body cached;
	char label[32];

	cached_body_find(state, list->name, list->urls[i], &cached);
	snprintf(path, sizeof(path), "%s/%s", state->cache_path, cached.body);
	if (list->url_count > 1)
		snprintf(label, sizeof(label), "answer %d", i + 1);
	else
		strcpy(label, "the answer");
	reading->input.label = label;
	return read_file(reading, path);
}

/*
 * Refuse the list if a member is too wide, see guard_is_wide(). @outermost: the exceptions
 * and bogons. A wide member that they cover is permitted, because leave_out() removes it.
 */
static void check_wide(struct parts *parts, const struct keyset *outermost)
{
	char text[KCUCKOO_PREFIX_TEXT];
	struct kcuckoo_prefix key;

	if (parts->list->guards.wide ||
	    !guard_find_wide(&parts->set, outermost, &key))
		return;
	kcuckoo_prefix_format(&key, text);
	parts_refuse(parts, "its member %s is too wide; wide = yes permits it",
		     text);
}

static int leave_out(struct reading *reading)
{
	struct parts *parts = reading->parts;
	struct keyset outermost;
	int ret = 0;

	if (!parts->list->bogons)
		ret = guard_add_bogons(&reading->left_out);
	keyset_sort(&reading->left_out);
	keyset_init(&outermost);
	if (!ret)
		ret = keyset_outermost(&reading->left_out, &outermost);
	if (!ret) {
		check_wide(parts, &outermost);
		ret = keyset_exclude(&parts->set, &outermost,
				     &parts->notes->left_out);
	}
	keyset_free(&outermost);
	return ret ? fail(reading, "there is not enough memory for its members") : 0;
}

static int read_all(struct reading *reading, const struct state *state)
{
	struct parts *parts = reading->parts;
	int i;

	for (i = 0; i < parts->list->url_count; i++)
		if (read_part(reading, state, i))
			return -1;
	if (!keyset_count(&parts->set))
		return check_empty(reading, "what the server sent has no address");
	keyset_sort(&parts->set);
	keyset_unify(&parts->set);
	if (leave_out(reading))
		return -1;
	return keyset_count(&parts->set) ? 0 :
	       check_empty(reading, "all of its addresses are exceptions, private or reserved addresses");
}

int parts_read(struct parts *parts, const struct state *state)
{
	struct reading reading = { .parts = parts };
	struct list_notes *notes = parts->notes;
	int ret;

	input_init(&reading.input, NULL, 0);
	reading.input.count = 1;
	reading.input.silent = true;
	reading.input.syntax = parts->list->syntax;
	reading.input.syntax.exceptions = true;
	/*
	 * Parse values and timeouts: valid values and timeouts are ignored, and an
	 * invalid value or timeout makes a line bad.
	 */
	reading.input.syntax.max_value = UINT32_MAX;
	reading.input.syntax.timeouts = true;
	keyset_init(&reading.left_out);
	ret = read_all(&reading, state);
	keyset_free(&reading.left_out);
	notes->bad = reading.input.bad;
	notes->host_bits = reading.input.host_bits;
	notes->input = reading.input.notes;
	notes->columns = reading.input.columns;
	return ret;
}
