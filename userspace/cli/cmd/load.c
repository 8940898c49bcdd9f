// SPDX-License-Identifier: GPL-2.0-only
/*
 * kcuckoo: load
 *
 * First all lists are read: the keys are kept, in few bytes each, and counted
 * by prefix length, so that the kernel can make room once instead of growing
 * its tables again and again. Then they are added, batch by batch. Lists too
 * long to be kept are only counted, and read a second time; with --strict they
 * are read some more times before, for a part of the keys each.
 */
#include <string.h>

#include "facts.h"
#include "json.h"
#include "keys/batch.h"
#include "keys/check.h"
#include "keys/range.h"
#include "keys/room.h"
#include "message.h"
#include "rules/guard.h"

/* Keys are kept up to so many bytes: 6.7 million of IPv4. Tests ask for less. */
#ifndef KEPT_BYTES
#define KEPT_BYTES	(32 << 20)
#endif

/**
 * struct load - one load on its way
 * @cli: the run
 * @args: what was asked for
 * @name: the filter
 * @info: what it was before
 * @input: the lists
 * @progress: the bar
 * @collection: all keys, while they fit
 * @streaming: they do not fit: the collection has the batch at hand only
 * @filled: so many times they filled what is kept, where a part after the other
 *	will be looked at
 * @most: bytes of a part behind which keys must be there twice
 * @room: how many addresses and prefixes there are; where the filter has members
 *	already, only those that are new to it
 * @count: all keys, ranges as prefixes
 * @batch: the batch at hand
 * @tally: what was done
 * @stopped: there is no point in further keys, which has been told
 * @changed: the lists were others when they were read again
 * @start: when it began
 */
struct load {
	struct cli *cli;
	const struct args *args;
	const char *name;
	struct kcuckoo_ioc_info info;
	struct input input;
	struct progress progress;
	struct collection collection;
	bool streaming;
	unsigned int filled;
	size_t most;
	struct room room;
	__u64 count;
	struct batch batch;
	struct tally tally;
	bool stopped;
	bool changed;
	double start;
};

static bool is_strict(const struct load *load)
{
	return load->args->given & ARGS_STRICT;
}

static size_t kept_bytes(const struct load *load)
{
	return is_strict(load) ? collection_checked_bytes(&load->collection) :
				 collection_bytes(&load->collection);
}

static void count_line(struct load *load, const struct line *line)
{
	struct kcuckoo_prefix prefixes[RANGE_MOST];
	int i, count = 1;

	if (line->kind == LINE_KEY)
		room_count(&load->room, &line->key);
	if (line->kind == LINE_RANGE) {
		count = range_split(&line->key, &line->last, prefixes);
		for (i = 0; i < count; i++)
			room_count(&load->room, &prefixes[i]);
	}
	load->count += count;
}

/* There is no room for what came so far. */
static void forget(struct load *load)
{
	bool strict = is_strict(load);

	if (!load->streaming)
		detail(load->cli, "the lists are too long to be kept: reading them %s",
		       strict ? "several times" : "twice");
	load->streaming = true;
	load->filled++;
	if (strict) {
		collection_clear(&load->collection);
		return;
	}
	collection_free(&load->collection);
	request_begin(&load->collection, load->args, REQUEST_ADD, &load->info);
}

/*
 * The first look at a line: count it, and keep it as long as there is room. With
 * --strict it is also seen how often there is none.
 */
static int first_look(void *context, const struct line *line,
		      const struct place *place)
{
	struct load *load = context;

	(void)place;
	count_line(load, line);
	if (load->streaming && !is_strict(load))
		return 0;
	if (collection_add(&load->collection, line))
		return -1;
	if (kept_bytes(load) > KEPT_BYTES)
		forget(load);
	return 0;
}

/* Of the keys kept, count only those that are no members yet. */
static int count_new(struct load *load)
{
	struct batch *batch = &load->batch;
	size_t i;
	int ret;

	memset(&load->room, 0, sizeof(load->room));
	while (batch_read(batch, &load->collection)) {
		ret = kcuckoo_test(load->cli->handle, load->name,
				   KCUCKOO_TEST_MEMBER, &batch->keys, NULL);
		if (ret)
			return filter_error(load->cli, ret, load->name,
					    "look into");
		for (i = 0; i < batch->keys.count; i++)
			if (batch->results[i] == KCUCKOO_RESULT_ABSENT)
				room_count(&load->room, &batch->prefixes[i]);
	}
	batch_rewind(batch);
	return 0;
}

static int make_room(struct load *load)
{
	/*
	 * A table that cannot grow is made for all that the filter may have, and
	 * must not be made for this list only.
	 */
	if (load->info.type == KCUCKOO_TYPE_BYTES || !facts_grows(&load->info))
		return 0;
	if (load->info.entries) {
		/* A list loaded again must not need room for two. */
		if (load->streaming)
			return 0;
		if (count_new(load))
			return -1;
	}
	room_make(&load->room, load->cli, load->name);
	return 0;
}

static int add_batch(struct load *load)
{
	const struct kcuckoo_count *sum = &load->tally.sum;
	struct kcuckoo_count part;
	int ret;

	ret = kcuckoo_add(load->cli->handle, load->name, 0, &load->batch.keys,
			  &part);
	tally_add(&load->tally, &load->batch, &part);
	if (ret) {
		progress_clear(&load->progress);
		load->stopped = true;
		return add_error(load->cli, ret, load->name, sum->added,
				 load->tally.renewed, load->count);
	}
	progress_show(&load->progress, sum->done, load->count, sum->done);
	return 0;
}

static int add_kept(struct load *load)
{
	while (batch_read(&load->batch, &load->collection))
		if (add_batch(load))
			return -1;
	return 0;
}

static int flush_stream(struct load *load)
{
	int ret = add_kept(load);

	collection_clear(&load->collection);
	batch_rewind(&load->batch);
	return ret;
}

/* Are the lists others than they were when so many keys and bad lines were found? */
static bool is_changed(const struct load *load, __u64 keys, __u64 bad)
{
	return load->input.changed || load->input.keys != keys ||
	       load->input.bad != bad;
}

/* The second look at a line that could not be kept. */
static int second_look(void *context, const struct line *line,
		       const struct place *place)
{
	struct load *load = context;

	(void)place;
	if (collection_add(&load->collection, line))
		return -1;
	return collection_count(&load->collection) < BATCH &&
	       collection_bytes(&load->collection) < BATCH_BYTES ?
	       0 : flush_stream(load);
}

static int add_streaming(struct load *load)
{
	__u64 keys = load->input.keys;
	__u64 bad = load->input.bad;
	int ret;

	load->input.silent = true;
	ret = input_run(&load->input, second_look, load);
	if (!ret)
		ret = flush_stream(load);
	else if (!load->stopped)
		added_error(load->tally.sum.added, load->tally.renewed,
			    load->count);
	load->changed = is_changed(load, keys, bad);
	return ret;
}

static int changed_error(const struct load *load)
{
	if (!load->changed)
		return 0;
	return hint(error("the lists changed while they were read: keys may be missing in '%s'",
			  load->name), "'kcuckoo load' once more adds those");
}

static json_t *summary(const struct load *load,
		       const struct kcuckoo_ioc_info *info, double seconds)
{
	const struct kcuckoo_count *sum = &load->tally.sum;
	const struct input_columns *columns = &load->input.columns;
	json_t *object = json_pack("{s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:f, s:I, s:I}",
		"name", load->name,
		"read", (json_int_t)load->input.keys,
		"ranges", (json_int_t)load->input.ranges,
		"keys", (json_int_t)sum->done,
		"added", (json_int_t)sum->added,
		"existed", (json_int_t)sum->existed,
		"bad_lines", (json_int_t)load->input.bad,
		"host_bits", (json_int_t)load->input.host_bits,
		"seconds", seconds,
		"entries", (json_int_t)info->entries,
		"memory_bytes", (json_int_t)info->memory_bytes);
	json_set_refused(object, sum->refused);
	json_set_returns(object, load->input.notes.returns);
	json_object_set_new(object, "lines", json_integer(load->input.lines));
	json_object_set_new(object, "second_addresses", json_integer(columns->seconds));
	json_object_set_new(object, "ignored_numbers", json_integer(columns->numbers));
	json_object_set_new(object, "allowed_ranges", json_integer(columns->allowed));
	json_object_set_new(object, "mapped", json_integer(columns->mapped));
	return object;
}

static void say_summary(const struct load *load,
			const struct kcuckoo_ioc_info *info, double seconds)
{
	const struct kcuckoo_count *sum = &load->tally.sum;
	struct cli *cli = load->cli;
	char room[32];

	say(cli, "%s: %llu read, %llu added, %llu already %s, %.2f s",
	    load->name, load->input.keys, sum->added, sum->existed,
	    plural(sum->existed, "a member", "members"), seconds);
	say(cli, "%s: %llu bad %s, %llu with host bits cleared", load->name,
	    load->input.bad, plural(load->input.bad, "line", "lines"),
	    load->input.host_bits);
	input_say_notes(cli, load->name, &load->input.notes);
	input_say_columns(cli, load->name, &load->input.columns);
	if (load->input.ranges)
		say(cli, "%s: ranges among them: %llu; with these %llu prefixes in all",
		    load->name, load->input.ranges, sum->done);
	say(cli, "%s: %llu %s now, %s of kernel memory", load->name,
	    info->entries, plural(info->entries, "member", "members"),
	    human_bytes(info->memory_bytes, room, sizeof(room)));
}

static int finish(struct load *load)
{
	struct kcuckoo_ioc_info info = { .size = sizeof(info) };
	struct cli *cli = load->cli;
	int ret, exit_code = EXIT_YES;
	double seconds;

	ret = kcuckoo_info(cli->handle, load->name, &info);
	if (ret)
		return filter_error(cli, ret, load->name, "read the state of");
	room_trim(cli, load->name, load->tally.sum.added, &info);
	seconds = clock_seconds() - load->start;
	say_summary(load, &info, seconds);
	if (cli->json)
		exit_code = json_print(summary(load, &info, seconds));
	if (info.rules)
		guard_filter(cli, load->name, GUARD_MORE, NULL);
	if (changed_error(load) || tally_error(&load->tally, load->name))
		return -1;
	return exit_code;
}

static int check_kept(struct load *load)
{
	progress_clear(&load->progress);
	return check_strict(load->cli, load->name, REQUEST_ADD,
			    &load->collection);
}

/*
 * A look at a line for one part of the keys. Parts are half of what can be kept, but
 * for keys that are there twice.
 */
static int part_look(void *context, const struct line *line,
		     const struct place *place)
{
	struct load *load = context;

	(void)place;
	if (collection_add(&load->collection, line))
		return -1;
	if (kept_bytes(load) <= load->most)
		return 0;
	load->most *= 2;
	load->stopped = check_kept(load);
	return load->stopped ? -1 : 0;
}

static int check_part(struct load *load, __u64 keys)
{
	struct input *input = &load->input;

	collection_clear(&load->collection);
	load->most = KEPT_BYTES;
	if (input_run(input, part_look, load))
		return load->stopped ? -1 : error("nothing was added");
	if (is_changed(load, keys, 0))
		return error("the lists changed while they were read: nothing was added");
	return check_kept(load);
}

/* Keys that are there twice are found in one part, whichever that is. */
static int check_parts(struct load *load)
{
	struct collection *collection = &load->collection;
	__u64 keys = load->input.keys;
	int ret = 0;

	load->input.silent = true;
	collection->parts = 2 * (load->filled + 1);
	for (collection->part = 0; !ret && collection->part < collection->parts;
	     collection->part++) {
		progress_begin(&load->progress, "checking");
		ret = check_part(load, keys);
	}
	collection->parts = 0;
	collection_clear(collection);
	return ret;
}

/* Nothing may be changed before this has returned 0. */
static int check(struct load *load)
{
	if (load->input.bad)
		return error("--strict: %llu bad %s; nothing was changed",
			     load->input.bad,
			     plural(load->input.bad, "line", "lines"));
	return load->streaming ? check_parts(load) : check_kept(load);
}

/* More bad lines than these, and more than one in ten, are no slips: it is no list. */
#define MANY_BAD	3

/*
 * What a server that fails sends is no list, and must not take the place of one. Nothing
 * was changed before.
 */
static int check_list(const struct load *load)
{
	const struct input *input = &load->input;
	int given = load->args->given;
	__u64 bad = input->bad;

	if (bad && !load->count && !(given & ARGS_FORCE && given & ARGS_ALLOW_EMPTY))
		return hint(error("%llu bad %s and no key: nothing was changed",
				  bad, plural(bad, "line", "lines")),
			    "is it a list? --allow-empty and --force together take it as an empty one");
	if (!load->count && !(given & ARGS_ALLOW_EMPTY))
		return empty_error(input->form.kind != FORM_INET);
	if (bad > MANY_BAD && bad > input->lines / 10 && !(given & ARGS_FORCE))
		return hint(error("%llu of %llu lines are bad: nothing was changed",
				  bad, input->lines),
			    "is it a list of another format? --force loads the other lines");
	return 0;
}

/* The room for keys that did not come, which memory may be short of just now. */
static void give_back(const struct load *load)
{
	struct kcuckoo_ioc_info info = { .size = sizeof(info) };
	struct cli *cli = load->cli;

	if (!kcuckoo_info(cli->handle, load->name, &info))
		room_trim(cli, load->name, load->tally.sum.added, &info);
}

static int run(struct load *load)
{
	int ret;

	progress_begin(&load->progress, "reading");
	/* What cannot be read twice must not come to light behind the first key. */
	if (input_run(&load->input, first_look, load) ||
	    (load->streaming && input_check_again(&load->input)))
		return error("nothing was added");
	if (is_strict(load) && check(load))
		return -1;
	progress_clear(&load->progress);
	if (check_list(load))
		return -1;
	progress_begin(&load->progress, "adding");
	if (make_room(load))
		return -1;
	ret = load->streaming ? add_streaming(load) : add_kept(load);
	progress_clear(&load->progress);
	if (!ret)
		return finish(load);
	give_back(load);
	/* What came before it stopped is there. */
	if (load->tally.sum.added)
		guard_filter(load->cli, load->name, GUARD_MORE, NULL);
	return ret;
}

int verb_load(struct cli *cli, const struct args *args)
{
	struct load load = {
		.cli = cli,
		.args = args,
		.name = args->words[0],
		.start = clock_seconds(),
	};
	int ret;

	/* A wrong name is better told before the lists are read. */
	if (cli_open(cli) ||
	    request_check(cli, args, REQUEST_ADD, "load into", &load.info))
		return -1;
	progress_init(&load.progress, cli);
	request_begin(&load.collection, args, REQUEST_ADD, &load.info);
	ret = input_init(&load.input, args->words + 1, args->word_count - 1,
			 true);
	load.input.form = load.collection.form;
	load.input.progress = &load.progress;
	if (!ret)
		ret = batch_init(&load.batch);
	if (!ret)
		ret = run(&load);
	progress_clear(&load.progress);
	input_free(&load.input);
	batch_free(&load.batch);
	collection_free(&load.collection);
	return ret;
}
