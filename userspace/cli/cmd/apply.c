// SPDX-License-Identifier: GPL-2.0-only
/*
 * The verb apply gives a filter the keys of lists as its members, see apply_lists().
 * Without operands, apply calls configured_apply(), which applies the configuration.
 *
 * apply_lists() compares the present filter with the lists. If the filter has to change,
 * apply_lists() builds a staged filter, which has no name yet, with the keys of the lists.
 * Then it replaces the present filter by the staged filter. The kernel refuses the
 * replacement if another program changed the present filter since the comparison began.
 * apply_lists() then compares again.
 */
#include <errno.h>
#include <string.h>

#include "cmd/apply.h"
#include "cmd/configured.h"
#include "conf/check.h"
#include "keys/batch.h"
#include "keys/key_op.h"
#include "keys/members.h"
#include "message.h"
#include "rules/confirm.h"
#include "rules/lockout.h"

/* Maximum number of comparisons of a filter with the lists. */
#define ATTEMPTS	3

/*
 * An exact filter needs hash siphash only for adds by packets. So an exact filter with this
 * hash is for packets, even if no rule of iptables adds members to it yet.
 */
static bool is_for_packets(const struct kcuckoo_ioc_info *info)
{
	return info->info_flags & KCUCKOO_INFO_PACKETS ||
	       (info->type == KCUCKOO_TYPE_INET && !info->tag_bits &&
		info->hash == KCUCKOO_HASH_SIPHASH);
}

/* Copy the parameters that determine how keys are parsed from @create to @info. */
static void set_parameters(struct kcuckoo_ioc_info *info,
			   const struct kcuckoo_ioc_create *create)
{
	info->type = create->type;
	info->tag_bits = create->tag_bits;
	info->value_bits = create->value_bits;
	info->create_flags = create->flags;
	info->timeout = create->timeout;
}

static void begin_keys(struct apply *apply)
{
	const struct apply_options *options = apply->options;
	struct kcuckoo_ioc_info kind = apply->info;

	if (options->create)
		set_parameters(&kind, options->create);
	key_op_begin(&apply->wanted.collection, options->args, KEY_OP_ADD, &kind);
}

/*
 * If the filter does not exist and @create of the options is NULL, accept values and timeouts
 * in all lines: create() later chooses the parameters of the filter.
 */
static int begin(struct apply *apply)
{
	const struct apply_options *options = apply->options;
	struct kcuckoo_ioc_info *info = &apply->info;
	int ret;

	info->size = sizeof(*info);
	ret = kcuckoo_info(apply->cli->handle, options->name, info);
	apply->exists = ret != -ENOENT;
	if (!apply->exists) {
		memset(info, 0, sizeof(*info));
		info->type = KCUCKOO_TYPE_INET;
		info->value_bits = 32;
		info->create_flags = KCUCKOO_CREATE_TIMEOUT;
		if (options->create)
			set_parameters(info, options->create);
	} else if (key_op_check(apply->cli, options->args, KEY_OP_ADD,
				"apply lists to", info)) {
		return -1;
	}
	if (apply->exists && is_for_packets(info) && !options->despite_packets)
		return hint(error("packets can add members to '%s' that are not in the lists: nothing was changed",
				  options->name),
			    "--yes removes these members and the entries that were reserved for more members");
	if (info->type == KCUCKOO_TYPE_BYTES && options->lists.excluded_count)
		return error("--exclude is for addresses, and '%s' holds byte strings",
			     options->name);
	if ((info->type == KCUCKOO_TYPE_BYTES || info->tag_bits) && options->diff)
		return hint(error("--diff: '%s' does not store its members",
				  options->name),
			    "it stores fingerprints, so the difference is unknown");
	begin_keys(apply);
	return 0;
}

static int read_wanted(struct apply *apply)
{
	const struct apply_options *options = apply->options;
	struct collection *collection = &apply->wanted.collection;

	if (wanted_read(&apply->wanted, &options->lists, &apply->progress))
		return -1;
	if (collection->syntax.kind == SYNTAX_INET &&
	    critical_policy_apply(apply->cli, &collection->keys, options->own,
				  options->earlier, &apply->own))
		return -1;
	wanted_finish(&apply->wanted, &options->lists);
	if (!collection_count(collection) &&
	    !(options->lists.given & ARGS_ALLOW_EMPTY))
		return hint(error("all addresses of the lists were left out: nothing was changed"),
			    "--allow-empty permits a filter without members");
	return 0;
}

/*
 * With @convert of the options, the present members are the wanted keys. Each attempt reads
 * the members, because packets or programs can change them between two attempts.
 */
static int read_members(struct apply *apply)
{
	wanted_free(&apply->wanted);
	wanted_init(&apply->wanted);
	begin_keys(apply);
	return read_wanted(apply);
}

/* Compare by look-ups, because the members of an approximate filter cannot be read. */
static int compare_fingerprints(struct apply *apply, bool *equal)
{
	const struct collection *collection = &apply->wanted.collection;
	const struct kcuckoo_ioc_info *info = &apply->info;
	struct kcuckoo_counts counts = { .done = 0 };
	struct batch batch;
	int ret;

	/* Look-ups cannot compare values and timeouts. */
	*equal = info->members == collection_count(collection) &&
		 !info->value_bits && !(info->create_flags & KCUCKOO_CREATE_TIMEOUT);
	if (!*equal)
		return 0;
	ret = batch_init(&batch);
	while (!ret && *equal && batch_read(&batch, collection)) {
		ret = kcuckoo_test(apply->cli->handle, apply->options->name,
				   KCUCKOO_TEST_MEMBER, &batch.keys, &counts);
		*equal = counts.present == batch.keys.count;
		if (ret)
			filter_error(apply->cli, ret, apply->options->name,
				     "look up keys in");
	}
	batch_free(&batch);
	return ret ? -1 : 0;
}

static int compare_members(struct apply *apply, struct measure *now, bool *equal)
{
	struct difference *difference = &apply->difference;

	keyset_free(&apply->members);
	if (apply->exists &&
	    members_read(apply->cli, apply->options->name, "apply lists to",
			 &apply->info, &apply->members))
		return -1;
	measure_set(&apply->members, now);
	keyset_difference(&apply->members, &apply->wanted.collection.keys, NULL,
			  difference);
	/* All keys of a new filter are added; keyset_difference() does not count byte strings. */
	if (!apply->exists)
		difference->added = collection_count(&apply->wanted.collection);
	apply->known = true;
	*equal = apply->exists && !difference->added && !difference->removed &&
		 !difference->changed;
	if (!apply->options->diff)
		keyset_free(&apply->members);
	return 0;
}

/* A timeout that has to start again does not set @equal to false, see @renewed in attempt(). */
static int compare(struct apply *apply, bool *equal)
{
	const struct guards *guards = &apply->options->guards;
	struct measure now = { .keys = 0 }, next;
	const struct collection *collection = &apply->wanted.collection;
	enum guard_result result;
	int ret;

	measure_set(&collection->keys, &next);
	next.keys = collection_count(collection);
	if (apply->exists && apply->info.tag_bits) {
		/*
		 * The number of addresses that an approximate filter covers is unknown.
		 * Assume the maximum, so that guard_check() finds no increase.
		 */
		now.keys = apply->info.members;
		now.covered.ipv4 = UINT64_MAX;
		now.covered.ipv6 = UINT64_MAX;
		ret = compare_fingerprints(apply, equal);
	} else {
		ret = compare_members(apply, &now, equal);
	}
	if (ret)
		return -1;
	result = guard_check(guards, &now, &next);
	/* Do not refuse keys that are members already. */
	if (*equal && result == GUARD_TOO_LARGE)
		result = GUARD_PASSED;
	return result == GUARD_PASSED ? 0 :
	       guard_error(result, guards, &now, &next);
}

static int value_bits(const struct keyset *set)
{
	struct note notes[256];
	__u32 largest = 0;
	size_t i, at, count;

	for (at = 0; (count = keyset_read_notes(set, at, notes, 256)); at += count)
		for (i = 0; i < count; i++)
			if (notes[i].value > largest)
				largest = notes[i].value;
	return largest > UINT16_MAX ? 32 : largest > UINT8_MAX ? 16 : 8;
}

/*
 * Return: 0; 1 if another program has created a filter with this name; or -1 after an error
 * message.
 */
static int create(struct apply *apply)
{
	struct collection *collection = &apply->wanted.collection;
	struct kcuckoo_ioc_create options = {
		.size = sizeof(options),
		.type = KCUCKOO_TYPE_INET,
		.capacity = KCUCKOO_CAPACITY_MAX,
	};

	if (apply->options->create) {
		options = *apply->options->create;
	} else {
		if (collection->valued)
			options.value_bits = value_bits(&collection->keys);
		else
			collection->syntax.max_value = 0;
		collection->syntax.timeouts = apply->wanted.timed ||
					      apply->options->args->timeout;
		if (collection->syntax.timeouts)
			options.flags |= KCUCKOO_CREATE_TIMEOUT;
	}
	if (staged_build_new(&apply->staged, &options, collection,
			     &apply->progress))
		return -1;
	apply->outcome = APPLY_CREATED;
	return staged_name(&apply->staged, apply->options->managed);
}

/*
 * Return: true if the new filter keeps the entries that were reserved for packets. With
 * --yes, apply of lists on the command line removes these entries.
 */
static bool keeps_reserve(const struct apply *apply)
{
	const struct kcuckoo_ioc_info *info = &apply->info;
	const struct kcuckoo_ioc_create *create = apply->options->create;
	bool packets = info->type == KCUCKOO_TYPE_INET && !info->tag_bits &&
		       info->hash == KCUCKOO_HASH_SIPHASH;

	if (apply->options->rebuild)
		packets &= !create->tag_bits && !create->fpr &&
			   create->hash == KCUCKOO_HASH_SIPHASH;
	return packets && apply->options->managed;
}

/*
 * Return: 0; 1 if another program changed the filter since attempt() read its state; or -1
 * after an error message.
 */
static int replace(struct apply *apply)
{
	if (keeps_reserve(apply) && !apply->staged.exists &&
	    staged_measure(&apply->staged, &apply->info))
		return -1;
	if (apply->options->rebuild) {
		struct kcuckoo_ioc_create options = *apply->options->create;

		if (staged_build_new(&apply->staged, &options,
				     &apply->wanted.collection, &apply->progress))
			return -1;
	} else if (staged_build_like(&apply->staged, &apply->info,
			      &apply->wanted.collection, &apply->progress))
		return -1;
	apply->outcome = APPLY_REPLACED;
	return staged_replace(&apply->staged, &apply->info);
}

static int change(struct apply *apply)
{
	struct before_filter filter = { .rules_only = false };
	const struct confirm_change waiting = {
		.seconds = apply->options->confirm,
		.filters = &filter,
		.count = 1,
	};
	int ret;

	/*
	 * Another program can change or create the filter after attempt() has read its state,
	 * but before confirm_arm() saves the filter. replace() or create() notices this
	 * change, returns 1, and changes nothing.
	 */
	strcpy(filter.name, apply->options->name);
	if (waiting.seconds && confirm_arm(apply->cli, &waiting))
		return -1;
	ret = apply->exists ? replace(apply) : create(apply);
	if (ret && waiting.seconds && confirm_keep(NULL) < 0)
		return -1;
	return ret;
}

/* If the filters are of the same kind, keys that were parsed for @a are also valid for @b. */
static bool is_same_kind(const struct kcuckoo_ioc_info *a,
			 const struct kcuckoo_ioc_info *b)
{
	return a->type == b->type && a->tag_bits == b->tag_bits &&
	       a->value_bits == b->value_bits &&
	       a->create_flags == b->create_flags && a->hash == b->hash;
}

/*
 * Return: 0; 1 if another program changed or created the filter; or -1 after an error
 * message.
 */
static int attempt(struct apply *apply)
{
	struct kcuckoo_ioc_info info = { .size = sizeof(info) };
	const char *name = apply->options->name;
	bool equal;
	int ret;

	ret = kcuckoo_info(apply->cli->handle, name, &info);
	if (ret && ret != -ENOENT)
		return filter_error(apply->cli, ret, name, "read the state of");
	if (!ret != apply->exists || (!ret && !is_same_kind(&info, &apply->info)))
		return error("another program created, destroyed or replaced '%s'; this command changed nothing",
			     name);
	if (!ret)
		apply->info = info;
	if (apply->options->convert && read_members(apply))
		return -1;
	if (compare(apply, &equal))
		return -1;
	equal &= !apply->options->rebuild;
	apply->outcome = equal ? APPLY_NOTHING : APPLY_DIFFERENT;
	if (apply->options->dry_run || (equal && !apply->difference.renewed))
		return 0;
	return change(apply);
}

static int run(struct apply *apply)
{
	const char *name = apply->options->name;
	int ret = 1, i;

	if (begin(apply) || (!apply->options->convert && read_wanted(apply)))
		return -1;
	for (i = 0; i < ATTEMPTS && ret > 0; i++) {
		ret = attempt(apply);
		if (ret >= 0)
			detail(apply->cli, "comparison %d: %s", i + 1,
			       ret > 0 ? "the filter was changed" : "done");
	}
	if (ret > 0)
		return hint(error("other programs changed '%s' during each of %d comparisons; this command changed nothing",
				  name, ATTEMPTS),
			    "try again when they have finished");
	if (ret)
		return -1;
	ret = apply_report(apply);
	if (apply->options->confirm && apply->outcome >= APPLY_CREATED)
		say(apply->cli, "unless 'kcuckoo confirm' follows within %u s, the change of '%s' will be undone",
		    apply->options->confirm, name);
	if (apply->outcome == APPLY_REPLACED && apply->info.rules)
		lockout_check_filter(apply->cli, name,
				     MEMBERS_ADDED | MEMBERS_REMOVED, NULL);
	return ret;
}

int apply_lists(struct cli *cli, const struct apply_options *options,
		enum apply_outcome *outcome)
{
	struct apply apply = {
		.cli = cli,
		.options = options,
		.staged = { .cli = cli, .name = options->name },
		.start = clock_seconds(),
	};
	int ret;

	wanted_init(&apply.wanted);
	keyset_init(&apply.members);
	progress_init(&apply.progress, cli);
	ret = run(&apply);
	if (outcome)
		*outcome = apply.outcome;
	progress_clear(&apply.progress);
	staged_end(&apply.staged);
	keyset_free(&apply.members);
	wanted_free(&apply.wanted);
	return ret;
}

static int apply_operands(struct cli *cli, const struct args *args)
{
	const struct apply_args *given = &args->apply;
	struct apply_options options = {
		.name = args->operands[0],
		.args = args,
		.lists = {
			.files = args->operands + 1,
			.file_count = args->operand_count - 1,
			.excluded = given->excluded,
			.excluded_count = given->excluded_count,
			.given = args->given,
			.bogons = given->given & APPLY_BOGONS,
			.wide = given->given & APPLY_WIDE,
			.optimize = given->given & APPLY_OPTIMIZE,
		},
		.guards = {
			.min = given->min,
			.max_shrink = given->given & APPLY_MAX_SHRINK ?
				      given->max_shrink : GUARD_SHRINK,
			.max_grow = given->given & APPLY_MAX_GROW ?
				    given->max_grow : GUARD_GROW_DEFAULT,
			.wide = given->given & APPLY_WIDE,
		},
		.dry_run = given->given & APPLY_DRY_RUN,
		.diff = given->given & APPLY_DIFF,
		.despite_packets = given->given & APPLY_YES,
		.confirm = given->confirm,
	};

	if (check_name(options.name) || cli_open(cli))
		return -1;
	options.own = critical_default_policy(cli, options.name);
	if (options.own == CRITICAL_KEEP)
		options.lists.bogons = true;
	if (given->given & APPLY_SKIP_OWN)
		options.own = CRITICAL_LEAVE_OUT;
	if (given->given & APPLY_KEEP_OWN)
		options.own = CRITICAL_KEEP;
	return apply_lists(cli, &options, NULL);
}

int verb_apply(struct cli *cli, const struct args *args)
{
	if (args->given & ARGS_CHECK && args->operand_count)
		return error("--check reads the configuration, not lists: kcuckoo apply --check");
	if (args->given & ARGS_CHECK)
		return config_check(cli, args);
	if (!args->operand_count)
		return configured_apply(cli, args);
	if (args->given & ARGS_CONFIG)
		return error("--config cannot be combined with a filter and lists");
	if (args->apply.given & (APPLY_BOOT | APPLY_DEVICE))
		return error("--boot and --device apply the configuration, not lists");
	if (args->operand_count < 2)
		return error("'apply' needs more arguments after a filter: kcuckoo apply NAME LIST...");
	return apply_operands(cli, args);
}
