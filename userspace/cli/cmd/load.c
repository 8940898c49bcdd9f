// SPDX-License-Identifier: GPL-2.0-only
/*
 * The verb load adds the keys of lists to a filter.
 *
 * load reads each list once, keeps the keys and counts them by prefix length. With these
 * counts, load reserves table entries in the kernel, so that tables need not grow while keys
 * are added. Then load adds the keys, batch by batch.
 *
 * If the keys take more than KEY_BYTES_MAX, load moves them to a temporary file, the spool.
 */
#include <string.h>

#include "describe.h"
#include "json.h"
#include "keys/batch.h"
#include "keys/length_counts.h"
#include "keys/list_check.h"
#include "keys/range.h"
#include "keys/spool.h"
#include "keys/strict.h"
#include "message.h"
#include "rules/lockout.h"

/*
 * Maximum number of bytes of keys in memory. The default, 32 MiB, is enough for 6.7
 * million IPv4 keys without values and timeouts, because each of these keys takes 5
 * bytes. Tests set a smaller limit.
 */
#ifndef KEY_BYTES_MAX
#define KEY_BYTES_MAX	(32 << 20)
#endif

/**
 * struct load - state of the verb load
 * @cli: state of the command
 * @args: options and operands of the verb
 * @name: name of the filter
 * @info: state of the filter before any key is added
 * @input: the lists
 * @progress: the progress bar
 * @collection: the keys in memory. Without a spool, these are all keys. With a spool,
 *	these are keys that load will move to @spool, or has read back from @spool
 * @spool: all keys, if they take more than KEY_BYTES_MAX; otherwise empty
 * @counts: number of addresses and prefixes to add, by prefix length. If the
 *	filter has members, reserve_tables() counts again, without keys that are members
 * @count: number of all keys; a range counts as its prefixes
 * @batch: the current batch
 * @tally: results of the batches that were added
 * @stopped: an error message for a batch was printed
 * @start: time at which the verb began
 */
struct load {
	struct cli *cli;
	const struct args *args;
	const char *name;
	struct kcuckoo_ioc_info info;
	struct input input;
	struct progress progress;
	struct collection collection;
	struct spool spool;
	struct length_counts counts;
	__u64 count;
	struct batch batch;
	struct tally tally;
	bool stopped;
	double start;
};

static void count_line(struct load *load, const struct line *line)
{
	struct kcuckoo_prefix prefixes[RANGE_PREFIXES_MAX];
	int i, count = 1;

	if (line->kind == LINE_KEY)
		length_counts_add(&load->counts, &line->key);
	if (line->kind == LINE_RANGE) {
		count = range_split(&line->key, &line->last, prefixes);
		for (i = 0; i < count; i++)
			length_counts_add(&load->counts, &prefixes[i]);
	}
	load->count += count;
}

static int spool_keys(struct load *load)
{
	if (!load->spool.file)
		detail(load->cli, "the keys take more than %u MiB: keeping them in a temporary file",
		       KEY_BYTES_MAX >> 20);
	return spool_write(&load->spool, &load->collection);
}

static int add_line(void *context, const struct line *line,
		    const struct place *place)
{
	struct load *load = context;

	(void)place;
	count_line(load, line);
	if (collection_add(&load->collection, line))
		return -1;
	return collection_bytes(&load->collection) > KEY_BYTES_MAX ?
	       spool_keys(load) : 0;
}

static int read_lists(struct load *load)
{
	progress_begin(&load->progress, "reading");
	if (input_run(&load->input, add_line, load) ||
	    (load->spool.file && spool_keys(load)))
		return error("nothing was added");
	return 0;
}

static int each_batch_in_memory(struct load *load, int (*work)(struct load *load))
{
	batch_rewind(&load->batch);
	while (batch_read(&load->batch, &load->collection))
		if (work(load))
			return -1;
	return 0;
}

/* Call @work for each batch of all keys, in memory or in the spool. */
static int each_batch(struct load *load, int (*work)(struct load *load))
{
	int more, ret;

	if (!load->spool.file)
		return each_batch_in_memory(load, work);
	spool_rewind(&load->spool);
	do {
		collection_clear(&load->collection);
		more = spool_read(&load->spool, &load->collection, BATCH_BYTES);
		ret = more < 0 ? -1 : each_batch_in_memory(load, work);
	} while (!ret && more);
	return ret;
}

static int count_new(struct load *load)
{
	const struct batch *batch = &load->batch;
	size_t i;
	int ret;

	ret = kcuckoo_test(load->cli->handle, load->name, KCUCKOO_TEST_MEMBER,
			   &batch->keys, NULL);
	if (ret)
		return filter_error(load->cli, ret, load->name, "look up keys in");
	for (i = 0; i < batch->keys.count; i++)
		if (batch->results[i] == KCUCKOO_RESULT_ABSENT)
			length_counts_add(&load->counts, &batch->prefixes[i]);
	return 0;
}

static int reserve_tables(struct load *load)
{
	/*
	 * Do not reserve entries in tables that cannot grow: a reservation would
	 * allocate tables that are large enough only for this list. Without a
	 * reservation, the first add allocates tables for the capacity of the
	 * filter. Tables of byte strings are allocated when the filter is created.
	 */
	if (load->info.type == KCUCKOO_TYPE_BYTES || !info_grows(&load->info))
		return 0;
	/*
	 * Loading the same list again must not reserve entries for keys that
	 * are members already.
	 */
	if (load->info.members) {
		memset(&load->counts, 0, sizeof(load->counts));
		if (each_batch(load, count_new))
			return -1;
	}
	length_counts_reserve(&load->counts, load->cli, load->name);
	return 0;
}

static int recheck(const struct load *load, struct kcuckoo_ioc_info *info)
{
	const struct collection *keys = &load->collection;
	/*
	 * The verb needs at least two batches if only some of the keys have a value, or if the
	 * keys are in a spool.
	 */
	bool several = (keys->valued && keys->unvalued) || load->spool.file;

	return key_op_recheck(load->cli, load->name, &load->info,
			      several ? UINT64_MAX : load->count, info);
}

static int stopped(const struct load *load, int ret)
{
	return add_error(load->cli, ret, load->name, load->tally.sum.added,
			 load->tally.maybe_changed, load->count);
}

static int add_batch(struct load *load)
{
	const struct kcuckoo_counts *sum = &load->tally.sum;
	struct kcuckoo_counts result;
	struct kcuckoo_ioc_info info;
	int ret;

	ret = kcuckoo_add(load->cli->handle, load->name, 0, &load->batch.keys,
			  &result);
	tally_add(&load->tally, &load->batch, &result);
	if (!ret)
		ret = recheck(load, &info);
	if (ret) {
		progress_clear(&load->progress);
		load->stopped = true;
		return stopped(load, ret);
	}
	progress_show(&load->progress, sum->done, load->count, sum->done);
	return 0;
}

static int add_keys(struct load *load)
{
	int ret = each_batch(load, add_batch);

	if (ret && !load->stopped)
		added_error(load->tally.sum.added, load->tally.maybe_changed,
			    load->count);
	return ret;
}

static json_t *summary(const struct load *load,
		       const struct kcuckoo_ioc_info *info, double seconds)
{
	const struct kcuckoo_counts *sum = &load->tally.sum;
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
		"entries", (json_int_t)info->members,
		"memory_bytes", (json_int_t)info->memory_bytes);
	json_set_refused(object, sum->refused);
	json_set_returns(object, load->input.notes.carriage_returns);
	json_object_set_new(object, "lines", json_integer(load->input.lines));
	json_object_set_new(object, "second_addresses", json_integer(columns->seconds));
	json_object_set_new(object, "ignored_numbers", json_integer(columns->numbers));
	json_object_set_new(object, "allowed_ranges", json_integer(columns->allowed));
	json_object_set_new(object, "mapped", json_integer(columns->mapped));
	json_object_set_new(object, "other_addresses",
			    json_integer(load->input.notes.others.total));
	json_object_set_new(object, "skipped_lines", json_integer(columns->skipped));
	json_object_set_new(object, "lost_timeouts", json_integer(columns->timeouts));
	json_object_set_new(object, "lost_values", json_integer(columns->values));
	return object;
}

static void say_summary(const struct load *load,
			const struct kcuckoo_ioc_info *info, double seconds)
{
	const struct kcuckoo_counts *sum = &load->tally.sum;
	struct cli *cli = load->cli;
	char buf[32];

	say(cli, "%s: %llu read, %llu added, %llu already %s, %.2f s",
	    load->name, load->input.keys, sum->added, sum->existed,
	    plural(sum->existed, "a member", "members"), seconds);
	say(cli, "%s: %llu bad %s, %llu with host bits cleared", load->name,
	    load->input.bad, plural(load->input.bad, "line", "lines"),
	    load->input.host_bits);
	input_say_notes(cli, load->name, &load->input.notes);
	input_say_columns(cli, load->name, &load->input.columns);
	if (load->input.ranges)
		say(cli, "%s: %llu of the keys read are ranges; %llu prefixes in total",
		    load->name, load->input.ranges, sum->done);
	say(cli, "%s: %llu %s now, %s of kernel memory", load->name,
	    info->members, plural(info->members, "member", "members"),
	    human_bytes(info->memory_bytes, buf, sizeof(buf)));
}

static int finish(struct load *load)
{
	struct kcuckoo_ioc_info info;
	struct cli *cli = load->cli;
	int ret, exit_code = EXIT_YES;
	double seconds;

	ret = recheck(load, &info);
	if (ret)
		return stopped(load, ret);
	/* Do not compact another filter that has got the name while keys were added. */
	if (info.filter_id == load->info.filter_id)
		length_counts_trim(cli, load->name, load->tally.sum.added, &info);
	seconds = clock_seconds() - load->start;
	say_summary(load, &info, seconds);
	if (cli->json)
		exit_code = json_print(summary(load, &info, seconds));
	say_managed(cli, load->name, &info);
	if (info.rules)
		lockout_check_filter(cli, load->name, MEMBERS_ADDED, NULL);
	if (tally_error(&load->tally, load->name))
		return -1;
	return exit_code;
}

static int check_in_memory(struct load *load)
{
	progress_clear(&load->progress);
	return strict_check(load->cli, load->name, KEY_OP_ADD,
			    &load->collection);
}

/*
 * The hash of a key gives its partition, see @partitions of struct collection. The number of
 * partitions is twice the number of writes to the spool, so a partition takes about half of
 * KEY_BYTES_MAX. A partition is larger if one key is repeated many times. To find the repeats
 * before they fill the memory, spool_read() stops at a limit: check the keys that were read so
 * far, double the limit, and continue to read.
 */
static int check_partition(struct load *load)
{
	size_t limit = KEY_BYTES_MAX;
	int more, ret;

	collection_clear(&load->collection);
	spool_rewind(&load->spool);
	do {
		more = spool_read(&load->spool, &load->collection, limit);
		ret = more < 0 ? error("nothing was added") : check_in_memory(load);
		limit *= 2;
	} while (!ret && more);
	return ret;
}

/* Equal keys are in one partition, so each repeated key is found. */
static int check_partitions(struct load *load)
{
	struct collection *collection = &load->collection;
	int ret = 0;

	progress_begin(&load->progress, "checking");
	collection->partitions = 2 * load->spool.writes;
	for (collection->partition = 0; !ret &&
	     collection->partition < collection->partitions;
	     collection->partition++) {
		progress_show(&load->progress, collection->partition,
			      collection->partitions, 0);
		ret = check_partition(load);
	}
	collection->partitions = 0;
	return ret;
}

static int check(struct load *load)
{
	if (load->input.bad)
		return error("--strict: %llu bad %s; nothing was changed",
			     load->input.bad,
			     plural(load->input.bad, "line", "lines"));
	return load->spool.file ? check_partitions(load) : check_in_memory(load);
}

/*
 * Possibly the add failed because memory is short, so the reservation of reserve_tables() must
 * not stay.
 */
static void free_reservation(const struct load *load)
{
	struct kcuckoo_ioc_info info = { .size = sizeof(info) };
	struct cli *cli = load->cli;

	if (!kcuckoo_info(cli->handle, load->name, &info) &&
	    info.filter_id == load->info.filter_id)
		length_counts_trim(cli, load->name, load->tally.sum.added, &info);
}

static int run(struct load *load)
{
	struct kcuckoo_ioc_info info;
	int ret;

	if (read_lists(load))
		return -1;
	if (load->args->given & ARGS_STRICT && check(load))
		return -1;
	progress_clear(&load->progress);
	if (list_check(&load->input, load->count, load->args->given))
		return -1;
	/* Another program can have replaced the filter while the lists were read. */
	ret = recheck(load, &info);
	if (ret)
		return stopped(load, ret);
	progress_begin(&load->progress, "adding");
	if (reserve_tables(load))
		return -1;
	ret = add_keys(load);
	progress_clear(&load->progress);
	if (!ret)
		return finish(load);
	free_reservation(load);
	/* Keys that were added before the failure stay. */
	if (load->tally.sum.added)
		lockout_check_filter(load->cli, load->name, MEMBERS_ADDED,
				     NULL);
	return ret;
}

int verb_load(struct cli *cli, const struct args *args)
{
	struct load load = {
		.cli = cli,
		.args = args,
		.name = args->operands[0],
		.start = clock_seconds(),
	};
	int ret;

	/* Report a wrong name of a filter before the lists are read. */
	if (cli_open(cli) ||
	    key_op_check(cli, args, KEY_OP_ADD, "load into", &load.info))
		return -1;
	progress_init(&load.progress, cli);
	key_op_begin(&load.collection, args, KEY_OP_ADD, &load.info);
	input_init(&load.input, args->operands + 1, args->operand_count - 1);
	load.input.syntax = load.collection.syntax;
	load.input.progress = &load.progress;
	ret = batch_init(&load.batch);
	if (!ret)
		ret = run(&load);
	progress_clear(&load.progress);
	spool_free(&load.spool);
	batch_free(&load.batch);
	collection_free(&load.collection);
	return ret;
}
