// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions read lists, and compute the wanted keys: the keys that the filter
 * will have after the command. The wanted keys are the keys of the lists, without
 * repeats and without the excluded addresses.
 */
#include <stdio.h>
#include <string.h>

#include "args.h"
#include "keys/difference.h"
#include "keys/list_check.h"
#include "keys/range.h"
#include "keys/wanted.h"
#include "message.h"

void wanted_init(struct wanted *wanted)
{
	memset(&wanted->input, 0, sizeof(wanted->input));
	memset(&wanted->excluded, 0, sizeof(wanted->excluded));
	memset(&wanted->bogons, 0, sizeof(wanted->bogons));
	keyset_init(&wanted->exceptions);
	wanted->timed = false;
	wanted->different = 0;
}

void wanted_free(struct wanted *wanted)
{
	collection_free(&wanted->collection);
	keyset_free(&wanted->exceptions);
}

static int add_exception(struct wanted *wanted, const struct line *line)
{
	struct kcuckoo_prefix prefixes[RANGE_PREFIXES_MAX];
	int i, count = 1;

	prefixes[0] = line->key;
	if (line->kind == LINE_RANGE)
		count = range_split(&line->key, &line->last, prefixes);
	for (i = 0; i < count; i++)
		if (keyset_add(&wanted->exceptions, &prefixes[i]))
			return error("not enough memory");
	return 0;
}

static int take_line(void *context, const struct line *line,
		     const struct place *place)
{
	struct wanted *wanted = context;

	(void)place;
	if (line->exception)
		return add_exception(wanted, line);
	wanted->timed |= line->has & LINE_TIMEOUT;
	return collection_add(&wanted->collection, line);
}

static int take_excluded(void *context, const struct line *line,
			 const struct place *place)
{
	(void)place;
	return add_exception(context, line);
}

/*
 * Read a list of excluded addresses. A bad line is an error: if the line were skipped, an
 * address could be blocked that must not be blocked.
 */
static int read_excluded(struct wanted *wanted, char *const *file, int given)
{
	struct input input;

	input_init(&input, file, 1);
	input.syntax.recognize = true;
	if (input_run(&input, take_excluded, wanted))
		return error("nothing was changed");
	if (input.bad)
		return error("--exclude %s: %llu bad %s; nothing was changed",
			     *file, input.bad, plural(input.bad, "line", "lines"));
	if (!input.keys && !(given & ARGS_ALLOW_EMPTY))
		return hint(error("--exclude %s: the list contains no address; nothing was changed",
				  *file), "--allow-empty permits it");
	return 0;
}

static int read_lists(struct wanted *wanted,
		      const struct wanted_options *options,
		      struct progress *progress)
{
	struct input *input = &wanted->input;
	int ret;

	progress_begin(progress, "reading");
	input_init(input, options->files, options->file_count);
	input->syntax = wanted->collection.syntax;
	input->syntax.exceptions = input->syntax.kind == SYNTAX_INET;
	input->progress = progress;
	ret = input_run(input, take_line, wanted);
	progress_clear(progress);
	if (ret)
		return error("nothing was changed");
	return list_check(input, collection_count(&wanted->collection),
			  options->given);
}

static int wide_error(const struct kcuckoo_prefix *key,
		      const struct wanted_options *options)
{
	char text[KCUCKOO_PREFIX_TEXT];

	kcuckoo_prefix_format(key, text);
	return hint(error("the lists contain %s, which is very wide: nothing was changed",
			  text), "is it a mistake? %s permits it",
		    options->configured ? "'wide = yes' in a section [list]" : "--wide");
}

/* Check that no key is too wide, except keys that @outermost covers: these will be left out. */
static int check_wide(const struct wanted *wanted,
		      const struct wanted_options *options,
		      const struct keyset *outermost)
{
	struct kcuckoo_prefix key;

	return guard_find_wide(&wanted->collection.keys, outermost, &key) ?
	       wide_error(&key, options) : 0;
}

/*
 * Remove the addresses of @excluded from the wanted keys, and add the numbers of changed keys to
 * @exclusion. wanted_add() may have added the numbers of single lists before.
 */
static int exclude(struct wanted *wanted, struct keyset *excluded,
		   struct exclusion *exclusion)
{
	struct exclusion changed = { .left_out = 0 };
	struct keyset outermost;
	int ret;

	keyset_sort(excluded);
	keyset_init(&outermost);
	ret = keyset_outermost(excluded, &outermost);
	if (!ret)
		ret = keyset_exclude(&wanted->collection.keys, &outermost,
				     &changed);
	keyset_free(&outermost);
	exclusion->left_out += changed.left_out;
	exclusion->cut += changed.cut;
	return ret ? error("not enough memory") : 0;
}

/*
 * Unless @wide of @options is set, check that no key is too wide, except keys that @bogons and
 * the exceptions cover, also together.
 */
static int check_widths(struct wanted *wanted,
			const struct wanted_options *options,
			const struct keyset *bogons)
{
	struct keyset all, outermost;
	struct kcuckoo_prefix key;
	size_t at;
	int ret = 0;

	if (options->wide)
		return 0;
	keyset_init(&all);
	keyset_init(&outermost);
	for (at = 0; !ret && keyset_read(bogons, at, &key, 1); at++)
		ret = keyset_add(&all, &key);
	for (at = 0; !ret && keyset_read(&wanted->exceptions, at, &key, 1); at++)
		ret = keyset_add(&all, &key);
	keyset_sort(&all);
	if (!ret)
		ret = keyset_outermost(&all, &outermost);
	ret = ret ? error("not enough memory") : check_wide(wanted, options, &outermost);
	keyset_free(&outermost);
	keyset_free(&all);
	return ret;
}

/* Leave out the exceptions and, unless @bogons of @options is set, the bogons. */
static int exclude_all(struct wanted *wanted,
		       const struct wanted_options *options)
{
	struct keyset bogons;
	int ret = 0;

	keyset_init(&bogons);
	if (!options->bogons && guard_add_bogons(&bogons))
		ret = error("not enough memory");
	if (!ret)
		ret = check_widths(wanted, options, &bogons);
	if (!ret)
		ret = exclude(wanted, &wanted->exceptions, &wanted->excluded);
	if (!ret)
		ret = exclude(wanted, &bogons, &wanted->bogons);
	keyset_free(&bogons);
	return ret;
}

static int read_all(struct wanted *wanted, const struct wanted_options *options,
		    struct progress *progress)
{
	int i;

	if (options->read)
		return options->read(options->context, wanted, progress);
	for (i = 0; i < options->excluded_count; i++)
		if (read_excluded(wanted, &options->excluded[i], options->given))
			return -1;
	return read_lists(wanted, options, progress);
}

static const char *bogons_setting(const struct wanted_options *options)
{
	return options->configured ? "'bogons = yes' in a section [list]" :
				     "--bogons";
}

/*
 * Check that a key remains after the removal of bogons. Lists without a key are no error here.
 */
static int check_bogons(const struct wanted *wanted,
			const struct wanted_options *options)
{
	if (collection_count(&wanted->collection) || !wanted->bogons.left_out ||
	    options->given & ARGS_ALLOW_EMPTY)
		return 0;
	return hint(error("the lists contain only bogons: nothing was changed"),
		    "%s permits them", bogons_setting(options));
}

int wanted_read(struct wanted *wanted, const struct wanted_options *options,
		struct progress *progress)
{
	struct collection *collection = &wanted->collection;

	if (read_all(wanted, options, progress))
		return -1;
	if (collection->syntax.kind != SYNTAX_INET)
		return byteset_unify(&collection->strings) ?
		       error("not enough memory") : 0;
	keyset_sort(&collection->keys);
	wanted->different = keyset_unify(&collection->keys);
	return exclude_all(wanted, options) || check_bogons(wanted, options) ? -1 : 0;
}

static int add_strings(struct collection *to, const struct collection *from)
{
	const struct byteset *strings = &from->strings;
	const uint8_t *at = strings->bytes;
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < strings->count; i++) {
		ret = collection_add_string(to, at, strings->lengths[i]);
		at += strings->lengths[i];
	}
	return ret;
}

static int add_prefixes(struct collection *to, const struct collection *from)
{
	bool noted = from->syntax.max_value || from->syntax.timeouts;
	struct kcuckoo_prefix keys[256];
	struct note notes[256];
	size_t i, at, count;
	int ret = 0;

	for (at = 0; (count = keyset_read(&from->keys, at, keys, 256)); at += count) {
		if (noted)
			keyset_read_notes(&from->keys, at, notes, 256);
		for (i = 0; !ret && i < count; i++)
			ret = collection_add_prefix(to, &keys[i], noted ?
						    &notes[i] : &to->note);
		if (ret)
			return -1;
	}
	return 0;
}

int wanted_add(struct wanted *wanted, const struct wanted *part)
{
	wanted->input.keys += part->input.keys;
	wanted->input.bad += part->input.bad;
	wanted->input.host_bits += part->input.host_bits;
	wanted->timed |= part->timed;
	wanted->different += part->different;
	wanted->excluded.left_out += part->excluded.left_out;
	wanted->excluded.cut += part->excluded.cut;
	wanted->bogons.left_out += part->bogons.left_out;
	wanted->bogons.cut += part->bogons.cut;
	if (wanted->collection.syntax.kind != SYNTAX_INET)
		return add_strings(&wanted->collection, &part->collection);
	return add_prefixes(&wanted->collection, &part->collection);
}

void wanted_finish(struct wanted *wanted, const struct wanted_options *options)
{
	if (options->optimize)
		keyset_aggregate(&wanted->collection.keys);
}

static void say_exclusion(const struct cli *cli, const char *name,
			  const struct exclusion *exclusion, const char *why)
{
	if (exclusion->left_out || exclusion->cut)
		say(cli, "%s: %llu %s left out, and parts of %llu, because %s",
		    name, exclusion->left_out,
		    plural(exclusion->left_out, "key was", "keys were"),
		    exclusion->cut, why);
}

void wanted_say(const struct cli *cli, const char *name,
		const struct wanted *wanted, const struct wanted_options *options)
{
	const struct input *input = &wanted->input;
	char why[128];

	if (input->bad)
		say(cli, "%s: %llu bad %s", name, input->bad,
		    plural(input->bad, "line", "lines"));
	say_host_bits(cli, name, input->host_bits);
	input_say_notes(cli, name, &input->notes);
	input_say_columns(cli, name, &input->columns);
	if (wanted->different)
		say(cli, "%s: %llu %s different values or timeouts: the largest counts",
		    name, wanted->different,
		    plural(wanted->different, "key has", "keys have"));
	say_exclusion(cli, name, &wanted->excluded, "they are excluded");
	snprintf(why, sizeof(why),
		 "they are private or reserved addresses; %s keeps them",
		 bogons_setting(options));
	say_exclusion(cli, name, &wanted->bogons, why);
}
