// SPDX-License-Identifier: GPL-2.0-only
/*
 * kcuckoo: load
 *
 * First all lists are read: the keys are kept, in few bytes each, and counted
 * by prefix length, so that the kernel can make room once instead of growing
 * its tables again and again. Then they are added, batch by batch. Lists too
 * long to be kept are only counted, and read a second time.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "collect.h"
#include "guard.h"
#include "json.h"
#include "message.h"
#include "range.h"

/* Keys are kept up to so many bytes: 6.7 million of IPv4. */
#define KEPT_BYTES	(32 << 20)

/* Fewer members of a length than this are not worth a call to make room. */
#define RESERVE_LEAST	64

/*
 * A filter that fills less of its tables than this is compacted, unless it is
 * too small to matter. Room is made for keys that turn out to be there twice.
 */
#define COMPACT_BELOW	0.75
#define COMPACT_LEAST	4096

#define LENGTHS		129

/**
 * struct load - one load on its way
 * @cli: the run
 * @name: the filter
 * @strict: --strict: all or nothing
 * @input: the lists
 * @progress: the bar
 * @keys: all keys, while they fit
 * @streaming: they do not fit: @keys holds the batch at hand only
 * @lengths: keys by family (- 1) and prefix length; where the filter has
 *	members already, only those that are new to it
 * @count: all keys, ranges as prefixes
 * @sum: what was done
 * @batch: room for the batch at hand
 * @results: what the kernel says of it
 * @start: when it began
 */
struct load {
	struct cli *cli;
	const char *name;
	bool strict;
	struct input input;
	struct progress progress;
	struct keyset keys;
	bool streaming;
	__u64 lengths[2][LENGTHS];
	__u64 count;
	struct kcuckoo_count sum;
	struct kcuckoo_prefix *batch;
	uint8_t *results;
	double start;
};

static void count_key(struct load *load, const struct kcuckoo_prefix *key)
{
	load->lengths[key->family - 1][key->plen]++;
	load->count++;
}

static void count_line(struct load *load, const struct line *line)
{
	struct kcuckoo_prefix prefixes[RANGE_MOST];
	int i, count;

	if (line->kind != LINE_RANGE) {
		count_key(load, &line->key);
		return;
	}
	count = range_split(&line->key, &line->last, prefixes);
	for (i = 0; i < count; i++)
		count_key(load, &prefixes[i]);
}

/* The first look at a line: count it, and keep it as long as there is room. */
static int first_look(void *context, const struct line *line,
		      const struct place *place)
{
	struct load *load = context;

	(void)place;
	count_line(load, line);
	if (load->streaming)
		return 0;
	if (collect_line(&load->keys, line))
		return -1;
	/* Repeats are only found among keys that are all there. */
	if (!load->strict && keyset_bytes(&load->keys) > KEPT_BYTES) {
		detail(load->cli, "the lists are too long to be kept: reading them twice");
		load->streaming = true;
		keyset_free(&load->keys);
	}
	return 0;
}

/* Of the keys kept, count only those that are no members yet. */
static int count_new(struct load *load)
{
	struct kcuckoo_batch part = { load->batch, .results = load->results };
	size_t i, at, count;
	int ret;

	memset(load->lengths, 0, sizeof(load->lengths));
	load->count = 0;
	for (at = 0; (count = keyset_read(&load->keys, at, load->batch, BATCH));
	     at += count) {
		part.count = count;
		ret = kcuckoo_test(load->cli->handle, load->name,
				   KCUCKOO_TEST_MEMBER, &part, NULL);
		if (ret)
			return filter_error(load->cli, ret, load->name,
					    "look into");
		for (i = 0; i < count; i++)
			if (load->results[i] == KCUCKOO_RESULT_ABSENT)
				count_key(load, &load->batch[i]);
	}
	load->count = keyset_count(&load->keys);
	return 0;
}

/*
 * Make room. Without it the filter grows while keys are added, so a refusal
 * is no error here.
 */
static void reserve_all(struct load *load)
{
	int family, plen, ret;

	for (family = 0; family < 2; family++) {
		for (plen = 0; plen < LENGTHS; plen++) {
			__u64 count = load->lengths[family][plen];

			if (count < RESERVE_LEAST)
				continue;
			ret = kcuckoo_reserve(load->cli->handle, load->name,
					      family + 1, plen, count);
			detail(load->cli, "reserve IPv%d /%d for %llu: %s",
			       family ? 6 : 4, plen, count,
			       ret ? kcuckoo_strerror(ret) : "done");
		}
	}
}

static int make_room(struct load *load)
{
	struct kcuckoo_ioc_info info = { .size = sizeof(info) };
	int ret;

	ret = kcuckoo_info(load->cli->handle, load->name, &info);
	if (ret)
		return filter_error(load->cli, ret, load->name, "load into");
	if (info.entries) {
		/* A list loaded again must not need room for two. */
		if (load->streaming)
			return 0;
		if (count_new(load))
			return -1;
	}
	reserve_all(load);
	return 0;
}

static int add_batch(struct load *load, size_t count)
{
	const struct kcuckoo_batch keys = { load->batch, .count = count };
	struct kcuckoo_count part;
	int ret;

	ret = kcuckoo_add(load->cli->handle, load->name, 0, &keys, &part);
	load->sum.done += part.done;
	load->sum.added += part.added;
	load->sum.existed += part.existed;
	if (ret) {
		progress_clear(&load->progress);
		return add_error(load->cli, ret, load->name, load->sum.added,
				 load->count);
	}
	progress_show(&load->progress, load->sum.done, load->count,
		      load->sum.done);
	return 0;
}

static int add_kept(struct load *load)
{
	size_t at, count;

	for (at = 0; (count = keyset_read(&load->keys, at, load->batch, BATCH));
	     at += count)
		if (add_batch(load, count))
			return -1;
	return 0;
}

static int flush_stream(struct load *load)
{
	int ret = add_kept(load);

	load->keys.parts[0].count = 0;
	load->keys.parts[1].count = 0;
	return ret;
}

/* The second look at a line that could not be kept. */
static int second_look(void *context, const struct line *line,
		       const struct place *place)
{
	struct load *load = context;

	(void)place;
	if (collect_line(&load->keys, line))
		return -1;
	return keyset_count(&load->keys) < BATCH ? 0 : flush_stream(load);
}

static int add_streaming(struct load *load)
{
	__u64 bad = load->input.bad;
	int ret;

	load->input.silent = true;
	ret = input_run(&load->input, second_look, load);
	if (!ret)
		ret = flush_stream(load);
	else
		error("%llu of %llu were added, the others were not",
		      load->sum.added, load->count);
	if (load->input.bad != bad)
		warn("the lists changed while they were read");
	return ret;
}

static void compact(struct load *load, struct kcuckoo_ioc_info *info)
{
	int ret;

	if (info->slots < COMPACT_LEAST ||
	    info->slots_used >= COMPACT_BELOW * info->slots)
		return;
	ret = kcuckoo_compact(load->cli->handle, load->name);
	detail(load->cli, "give memory back: %s", ret ? kcuckoo_strerror(ret) : "done");
	kcuckoo_info(load->cli->handle, load->name, info);
}

static json_t *summary(const struct load *load,
		       const struct kcuckoo_ioc_info *info, double seconds)
{
	return json_pack("{s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:f, s:I, s:I}",
		"name", load->name,
		"read", (json_int_t)load->input.keys,
		"ranges", (json_int_t)load->input.ranges,
		"keys", (json_int_t)load->sum.done,
		"added", (json_int_t)load->sum.added,
		"existed", (json_int_t)load->sum.existed,
		"bad_lines", (json_int_t)load->input.bad,
		"host_bits", (json_int_t)load->input.host_bits,
		"seconds", seconds,
		"entries", (json_int_t)info->entries,
		"memory_bytes", (json_int_t)info->memory_bytes);
}

static int finish(struct load *load)
{
	struct kcuckoo_ioc_info info = { .size = sizeof(info) };
	struct cli *cli = load->cli;
	int ret, exit_code = EXIT_YES;
	double seconds;
	char room[32];

	ret = kcuckoo_info(cli->handle, load->name, &info);
	if (ret)
		return filter_error(cli, ret, load->name, "read the state of");
	compact(load, &info);
	seconds = clock_seconds() - load->start;

	say(cli, "%s: %llu read, %llu added, %llu already %s, %.2f s",
	    load->name, load->input.keys, load->sum.added, load->sum.existed,
	    plural(load->sum.existed, "a member", "members"), seconds);
	say(cli, "%s: %llu bad %s, %llu with host bits cleared", load->name,
	    load->input.bad, plural(load->input.bad, "line", "lines"),
	    load->input.host_bits);
	if (load->input.ranges)
		say(cli, "%s: ranges among them: %llu; with these %llu prefixes in all",
		    load->name, load->input.ranges, load->sum.done);
	say(cli, "%s: %llu %s now, %s of kernel memory", load->name,
	    info.entries, plural(info.entries, "member", "members"),
	    human_bytes(info.memory_bytes, room, sizeof(room)));
	if (cli->json)
		exit_code = json_print(summary(load, &info, seconds));
	if (info.rules)
		guard_filter(cli, load->name, NULL);
	return exit_code;
}

/* Nothing may be changed before this has returned 0. */
static int check_strict(struct load *load)
{
	if (load->input.bad)
		return error("--strict: %llu bad %s; nothing was changed",
			     load->input.bad,
			     plural(load->input.bad, "line", "lines"));
	return collect_check(load->cli, load->name, &load->keys, false);
}

static int run(struct load *load)
{
	struct kcuckoo_ioc_info info = { .size = sizeof(info) };
	int ret;

	/* A wrong name is better told before the lists are read. */
	ret = kcuckoo_info(load->cli->handle, load->name, &info);
	if (ret)
		return filter_error(load->cli, ret, load->name, "load into");
	load->batch = malloc(BATCH * sizeof(*load->batch));
	load->results = malloc(BATCH);
	if (!load->batch || !load->results)
		return error("not enough memory");

	progress_begin(&load->progress, "reading");
	if (input_run(&load->input, first_look, load))
		return error("nothing was added");
	if (load->strict && check_strict(load))
		return -1;
	progress_begin(&load->progress, "adding");
	if (make_room(load))
		return -1;
	ret = load->streaming ? add_streaming(load) : add_kept(load);
	progress_clear(&load->progress);
	return ret ? ret : finish(load);
}

int verb_load(struct cli *cli, const struct args *args)
{
	struct load load = {
		.cli = cli,
		.name = args->words[0],
		.strict = args->strict,
		.start = clock_seconds(),
	};
	int ret;

	if (cli_open(cli))
		return -1;
	progress_init(&load.progress, cli);
	keyset_init(&load.keys);
	ret = input_init(&load.input, args->words + 1, args->word_count - 1,
			 !args->strict);
	load.input.progress = &load.progress;
	if (!ret)
		ret = run(&load);
	progress_clear(&load.progress);
	input_free(&load.input);
	keyset_free(&load.keys);
	free(load.results);
	free(load.batch);
	return ret;
}
