// SPDX-License-Identifier: GPL-2.0-only
/*
 * The verbs add, del and update change the members of a filter.
 */
#include "json.h"
#include "keys/batch.h"
#include "keys/key_op.h"
#include "keys/members.h"
#include "keys/still_covered.h"
#include "keys/strict.h"
#include "message.h"
#include "rules/lockout.h"

/**
 * struct change - state of the verb add, del or update
 * @cli: state of the command
 * @args: options and operands of the verb
 * @ops: operations of the verb
 * @name: name of the filter
 * @info: state of the filter before any key is changed
 * @collection: all keys
 * @batch: the current batch
 * @tally: sum of the results of all batches
 * @user_keys: with --covered, the keys that the user gave; @collection then has members
 *	that the keys in @user_keys cover
 * @still_covered: deleted keys, or with --covered keys in @user_keys, that members still
 *	cover
 */
struct change {
	struct cli *cli;
	const struct args *args;
	const struct verb_ops *ops;
	const char *name;
	struct kcuckoo_ioc_info info;
	struct collection collection;
	struct batch batch;
	struct tally tally;
	struct keyset user_keys;
	struct still_covered still_covered;
};

/**
 * struct verb_ops - how add, del and update differ
 * @op: the operation
 * @what: the words after "cannot" in messages
 * @done: word for a key that was changed, in messages and in JSON
 * @unchanged: word in JSON for the other result: the key of an add was already a
 *	member, or the key of a delete or update was not a member
 * @one: text in messages for the other result, if one key has this result
 * @many: text in messages for the other result, if no key or several keys have this result
 * @call: passes the current batch to the library. Return: 0 or -errno
 * @done_count: offset of the counter of changed keys in struct kcuckoo_counts
 * @unchanged_count: offset of the counter of the other result
 * @effect: how the verb changes the members, for lockout_check_filter(); 0 if the verb
 *	cannot make rules drop more packets
 */
struct verb_ops {
	enum key_op op;
	const char *what;
	const char *done;
	const char *unchanged;
	const char *one;
	const char *many;
	int (*call)(const struct change *change, struct kcuckoo_counts *result);
	size_t done_count;
	size_t unchanged_count;
	enum member_change effect;
};

#define COUNT(field)	offsetof(struct kcuckoo_counts, field)

static int call_add(const struct change *change, struct kcuckoo_counts *result)
{
	unsigned int flags = change->args->given & ARGS_ABSENT ?
			     KCUCKOO_ADD_ABSENT : 0;

	return kcuckoo_add(change->cli->handle, change->name, flags,
			   &change->batch.keys, result);
}

static const struct verb_ops add_ops = {
	.op = KEY_OP_ADD,
	.what = "add to",
	.done = "added",
	.unchanged = "existed",
	.one = "already a member",
	.many = "already members",
	.call = call_add,
	.done_count = COUNT(added),
	.unchanged_count = COUNT(existed),
	.effect = MEMBERS_ADDED,
};

static int call_del(const struct change *change, struct kcuckoo_counts *result)
{
	return kcuckoo_del(change->cli->handle, change->name,
			   &change->batch.keys, result);
}

static const struct verb_ops del_ops = {
	.op = KEY_OP_DEL,
	.what = "delete from",
	.done = "deleted",
	.unchanged = "absent",
	.one = "not a member",
	.many = "not members",
	.call = call_del,
	.done_count = COUNT(deleted),
	.unchanged_count = COUNT(absent),
	.effect = MEMBERS_REMOVED,
};

static int call_update(const struct change *change,
		       struct kcuckoo_counts *result)
{
	return kcuckoo_update(change->cli->handle, change->name,
			      &change->batch.keys, result);
}

static const struct verb_ops update_ops = {
	.op = KEY_OP_UPDATE,
	.what = "update",
	.done = "updated",
	.unchanged = "absent",
	.one = "not a member",
	.many = "not members",
	.call = call_update,
	.done_count = COUNT(updated),
	.unchanged_count = COUNT(absent),
};

/* @count: offset of the counter in struct kcuckoo_counts. */
static __u64 count_of(const struct change *change, size_t count)
{
	return *(const __u64 *)((const char *)&change->tally.sum + count);
}

static json_t *summary(const struct change *change,
		       const struct kcuckoo_ioc_info *info)
{
	const struct collection *collection = &change->collection;
	const struct verb_ops *ops = change->ops;
	const struct kcuckoo_counts *sum = &change->tally.sum;
	json_t *object = json_pack("{s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:I}",
		"name", change->name,
		"read", (json_int_t)collection->read,
		"ranges", (json_int_t)collection->ranges,
		"keys", (json_int_t)sum->done,
		ops->done, (json_int_t)count_of(change, ops->done_count),
		ops->unchanged, (json_int_t)count_of(change, ops->unchanged_count),
		"host_bits", (json_int_t)collection->host_bits,
		"entries", (json_int_t)info->members);
	json_set_refused(object, sum->refused);
	json_set_returns(object, collection->notes.carriage_returns);
	if (!change->batch.plens)
		return object;
	json_object_set_new(object, "covered",
			    json_integer(change->still_covered.count));
	json_object_set_new(object, "covering",
			    json_of_still_covered(&change->still_covered));
	return object;
}

/* The keys of --covered need not be members, so do not count absent keys. */
static void say_covered(const struct change *change,
			const struct kcuckoo_ioc_info *info)
{
	__u64 deleted = change->tally.sum.deleted;

	say(change->cli, "%s: %llu %s deleted; %llu %s now", change->name,
	    deleted, plural(deleted, "member", "members"), info->members,
	    plural(info->members, "member", "members"));
}

static int show(const struct change *change,
		const struct kcuckoo_ioc_info *info)
{
	const struct verb_ops *ops = change->ops;
	__u64 unchanged = count_of(change, ops->unchanged_count);
	struct input_columns columns = change->collection.columns;

	/* Ignored values and timeouts matter only for keys that are added. */
	if (ops != &add_ops) {
		columns.timeouts = 0;
		columns.values = 0;
	}
	if (change->args->given & ARGS_COVERED)
		say_covered(change, info);
	else
		say(change->cli, "%s: %llu %s, %llu %s%s; %llu %s now",
		    change->name, count_of(change, ops->done_count), ops->done,
		    unchanged, plural(unchanged, ops->one, ops->many),
		    change->collection.old_named ? " with the value of --old" : "",
		    info->members, plural(info->members, "member", "members"));
	still_covered_warn(change->name, &change->still_covered);
	say_host_bits(change->cli, change->name, change->collection.host_bits);
	input_say_notes(change->cli, change->name, &change->collection.notes);
	input_say_columns(change->cli, change->name, &columns);
	if (!change->cli->json)
		return EXIT_YES;
	return json_print(summary(change, info));
}

/* @ret: error of the kernel or of key_op_recheck() before all keys were processed. */
static int stopped(struct change *change, int ret)
{
	__u64 done = count_of(change, change->ops->done_count);
	size_t all = collection_count(&change->collection);
	bool absent = change->args->given & ARGS_ABSENT;

	if (change->ops == &add_ops)
		return add_error(change->cli, ret, change->name, done,
				 absent ? 0 : change->tally.maybe_changed, all);
	stop_error(change->cli, ret, change->name, change->ops->what, done);
	if (!done)
		return error("nothing was %s", change->ops->done);
	return error("%llu of %zu keys were %s", done, all, change->ops->done);
}

static void warn_lockout(const struct change *change)
{
	const struct verb_ops *ops = change->ops;

	if (ops->effect == MEMBERS_REMOVED &&
	    !count_of(change, ops->done_count))
		return;
	if (ops->effect)
		lockout_check_filter(change->cli, change->name, ops->effect,
				     &change->collection.keys);
}

/*
 * With --covered, do nothing, because find_user_keys() looks up the keys that the user gave
 * instead of the deleted keys.
 */
static int find_still_covered(struct change *change)
{
	if (!change->batch.plens || change->args->given & ARGS_COVERED)
		return 0;
	return still_covered_find(change->cli, change->name, &change->batch,
				  &change->still_covered);
}

static int recheck(const struct change *change, struct kcuckoo_ioc_info *info)
{
	const struct collection *keys = &change->collection;
	/* If only some of the keys have a value, the verb needs at least two batches. */
	__u64 count = keys->valued && keys->unvalued ? UINT64_MAX : collection_count(keys);

	return key_op_recheck(change->cli, change->name, &change->info, count, info);
}

/*
 * Return: 0; -errno without a message, if a batch failed; or 1 after an error message, if all
 * keys were processed but find_still_covered() failed.
 */
static int run_all(struct change *change)
{
	struct kcuckoo_counts result;
	struct kcuckoo_ioc_info info;
	int ret = 0, failed = 0;

	while (!ret && batch_read(&change->batch, &change->collection)) {
		ret = change->ops->call(change, &result);
		tally_add(&change->tally, &change->batch, &result);
		if (!ret)
			ret = recheck(change, &info);
		if (!ret && !failed)
			failed = find_still_covered(change);
	}
	return ret ? ret : !!failed;
}

/* Without --covered, @user_keys is empty. */
static int find_user_keys(struct change *change)
{
	struct batch *batch = &change->batch;
	size_t first = 0;
	int ret = 0;

	do {
		batch->keys.count = keyset_read(&change->user_keys, first,
						batch->prefixes, BATCH);
		batch->keys.prefixes = batch->prefixes;
		batch->keys.results = batch->results;
		if (batch->keys.count)
			ret = still_covered_find(change->cli, change->name,
						 batch, &change->still_covered);
		first += batch->keys.count;
	} while (!ret && batch->keys.count);
	return ret;
}

/*
 * The keys of --covered have neither values nor timeouts. Number the keys, so that --strict
 * finds keys that cover no member.
 */
static void begin_covered(struct change *change)
{
	struct collection *collection = &change->collection;

	collection->syntax.max_value = 0;
	collection->syntax.needs_value = false;
	collection->syntax.timeouts = false;
	collection_number(collection);
}

/* Move the given keys to @user_keys, and set @collection to members that these keys cover. */
static int find_covered(struct change *change,
			const struct kcuckoo_ioc_info *info)
{
	struct collection *collection = &change->collection;
	struct keyset outermost;
	struct pick pick = {
		.within = &outermost,
		.valued = change->args->given & ARGS_VALUE,
		.value = change->args->value,
	};
	struct keyset members;
	int ret = 0;

	keyset_sort(&collection->keys);
	keyset_init(&outermost);
	keyset_init(&members);
	if (keyset_outermost(&collection->keys, &outermost))
		ret = error("not enough memory");
	if (!ret)
		ret = members_pick(change->cli, change->name, change->ops->what,
				   info, &pick, &members);
	if (!ret && change->args->given & ARGS_STRICT)
		ret = strict_check_covered(change->name, collection, &members);
	keyset_free(&outermost);
	change->user_keys = collection->keys;
	collection->keys = members;
	collection->syntax.max_value = pick.valued ? max_value(info) : 0;
	collection->valued = pick.valued;
	collection->unvalued = !pick.valued;
	return ret;
}

static int prepare(struct change *change)
{
	struct collection *collection = &change->collection;
	bool covered = change->args->given & ARGS_COVERED;

	if (covered)
		begin_covered(change);
	if (collection_read(change->args, collection, change->ops == &add_ops))
		return -1;
	/*
	 * Files without any key are an error: a script that fills a new filter and then
	 * swaps it with the old filter must not swap in an empty filter.
	 */
	if (change->ops == &add_ops && !collection->read &&
	    !(change->args->given & ARGS_ALLOW_EMPTY))
		return empty_error(collection->syntax.kind != SYNTAX_INET);
	if (covered)
		return find_covered(change, &change->info);
	if (change->args->given & ARGS_STRICT)
		return strict_check(change->cli, change->name,
				    change->ops->op, collection);
	return 0;
}

static int run(struct change *change)
{
	struct kcuckoo_ioc_info info;
	struct cli *cli = change->cli;
	int ret, failed;

	if (prepare(change))
		return -1;
	ret = run_all(change);
	failed = ret > 0 || (!ret && find_user_keys(change));
	if (ret < 0) {
		stopped(change, ret);
		warn_lockout(change);
		return -1;
	}
	ret = recheck(change, &info);
	if (ret)
		return stopped(change, ret);
	ret = show(change, &info);
	/* A script that adds bans to a managed filter can suppress this message with -q. */
	say_managed(cli, change->name, &info);
	if (info.rules)
		warn_lockout(change);
	return tally_error(&change->tally, change->name) || failed ? -1 : ret;
}

static int change_keys(struct cli *cli, const struct args *args,
		       const struct verb_ops *ops)
{
	struct change change = {
		.cli = cli,
		.args = args,
		.ops = ops,
		.name = args->operands[0],
	};
	const struct kcuckoo_ioc_info *info = &change.info;
	int ret;

	if (args->operand_count < 2 && !args->file_count)
		return error("no keys: give keys after the name, or a file with -f");
	if (cli_open(cli) ||
	    key_op_check(cli, args, ops->op, ops->what, &change.info))
		return -1;
	key_op_begin(&change.collection, args, ops->op, info);
	keyset_init(&change.user_keys);
	ret = batch_init(&change.batch);
	if (!ret && ops == &del_ops && info->type == KCUCKOO_TYPE_INET &&
	    !info->tag_bits)
		ret = batch_want_plens(&change.batch);
	if (!ret)
		ret = run(&change);
	batch_free(&change.batch);
	still_covered_free(&change.still_covered);
	keyset_free(&change.user_keys);
	collection_free(&change.collection);
	return ret;
}

int verb_add(struct cli *cli, const struct args *args)
{
	return change_keys(cli, args, &add_ops);
}

int verb_del(struct cli *cli, const struct args *args)
{
	return change_keys(cli, args, &del_ops);
}

int verb_update(struct cli *cli, const struct args *args)
{
	return change_keys(cli, args, &update_ops);
}
