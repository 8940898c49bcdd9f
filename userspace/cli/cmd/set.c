// SPDX-License-Identifier: GPL-2.0-only
/*
 * The verbs merge, intersect and compare work on the members of two filters.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "args.h"
#include "describe.h"
#include "json.h"
#include "keys/key_op.h"
#include "keys/members.h"
#include "keys/staged.h"
#include "message.h"
#include "rules/lockout.h"

/* Maximum number of attempts of a verb while other programs change the first filter. */
#define ATTEMPTS	3

/**
 * struct pair - the two filters of a verb; merge and intersect change only the first
 *	filter, and compare changes none
 * @cli: state of the command
 * @names: names of the two filters
 * @infos: parameters and states of the two filters
 * @sets: members of the two filters, after pair_read(); otherwise empty
 */
struct pair {
	struct cli *cli;
	const char *names[2];
	struct kcuckoo_ioc_info infos[2];
	struct keyset sets[2];
};

static int pair_describe(struct pair *pair)
{
	struct cli *cli = pair->cli;
	int i, ret;

	for (i = 0; i < 2; i++) {
		pair->infos[i] = (struct kcuckoo_ioc_info){
			.size = sizeof(pair->infos[i]),
		};
		ret = kcuckoo_info(cli->handle, pair->names[i], &pair->infos[i]);
		if (ret)
			return filter_error(cli, ret, pair->names[i],
					    cli->verb->name);
	}
	return 0;
}

static int pair_init(struct pair *pair, struct cli *cli, const struct args *args)
{
	int i;

	memset(pair, 0, sizeof(*pair));
	pair->cli = cli;
	for (i = 0; i < 2; i++) {
		keyset_init(&pair->sets[i]);
		pair->names[i] = args->operands[i];
	}
	return cli_open(cli) ? -1 : pair_describe(pair);
}

/* The caller calls pair_free() even after an error. */
static int pair_read(struct pair *pair)
{
	int i, ret = 0;

	for (i = 0; i < 2 && !ret; i++)
		ret = members_read(pair->cli, pair->names[i],
				   pair->cli->verb->name, &pair->infos[i],
				   &pair->sets[i]);
	return ret;
}

static void pair_free(struct pair *pair)
{
	int i;

	for (i = 0; i < 2; i++) {
		keyset_free(&pair->sets[i]);
		keyset_init(&pair->sets[i]);
	}
}

/* @other_key: the JSON key for the name of the second filter. */
static int show(const struct pair *pair, const char *other_key,
		enum member_change change)
{
	struct kcuckoo_ioc_info info = { .size = sizeof(info) };
	struct cli *cli = pair->cli;
	const char *name = pair->names[0];
	int ret;

	ret = kcuckoo_info(cli->handle, name, &info);
	if (ret)
		return filter_error(cli, ret, name, "read the state of");
	say(cli, "%s: %llu %s before, %llu now", name, pair->infos[0].members,
	    plural(pair->infos[0].members, "member", "members"), info.members);
	say_managed(cli, name, &info);
	if (info.rules)
		lockout_check_filter(cli, name, change, NULL);
	if (!cli->json)
		return EXIT_YES;
	return json_print(json_pack("{s:s, s:s, s:I, s:I}",
		"name", name,
		other_key, pair->names[1],
		"entries_before", (json_int_t)pair->infos[0].members,
		"entries", (json_int_t)info.members));
}

/*
 * Types, parameters, hash secrets or initial sizes of tables differ; the kernel does not
 * report which of these differ. In a filter of addresses whose tables can grow, the first
 * list that is loaded determines the initial size.
 */
static int alike_error(const struct pair *pair)
{
	const char *name = pair->names[0], *other = pair->names[1];
	const struct kcuckoo_ioc_info *info = &pair->infos[0];

	if (info->type == KCUCKOO_TYPE_BYTES || pair->infos[1].type != info->type)
		return hint(error("cannot merge '%s' and '%s': neither was created with 'like' and the name of the other",
				  name, other),
			    "'kcuckoo create NAME like %s' creates a filter that can be merged",
			    name);
	error("cannot merge '%s' and '%s'", name, other);
	hint(-1, "neither was created with 'like' and the name of the other, or their tables differ in size");
	hint(-1, "'kcuckoo create NAME like %s' creates a filter that can be merged", name);
	if (!info_grows(info))
		return -1;
	hint(-1, "even with 'like', the first list that is loaded determines the table size:");
	return hint(-1, "create with 'fixed' or 'fpr', or load both lists into one filter");
}

/* Two approximate filters can be merged only if their hashes have the same secret. */
static int merge_alike(const struct pair *pair)
{
	int ret = kcuckoo_merge(pair->cli->handle, pair->names[0],
				pair->names[1]);

	if (ret == -EINVAL && !strcmp(pair->names[0], pair->names[1]))
		return error("'%s' cannot be merged with itself", pair->names[0]);
	if (ret == -EINVAL)
		return alike_error(pair);
	if (ret == -ENOSPC)
		return hint(error("the keys of '%s' do not fit into '%s', which has a capacity of %llu; nothing was changed",
				  pair->names[1], pair->names[0],
				  pair->infos[0].capacity),
			    "create a filter with a larger capacity, and load the lists of both into it");
	if (ret)
		return filter_error(pair->cli, ret, pair->names[0],
				    "merge into");
	return show(pair, "from", MEMBERS_ADDED);
}

static int check_notes(const struct pair *pair)
{
	const struct kcuckoo_ioc_info *to = &pair->infos[0];
	const struct kcuckoo_ioc_info *from = &pair->infos[1];

	if (from->value_bits && !to->value_bits)
		return error("cannot merge '%s' into '%s': only the keys of '%s' have values",
			     pair->names[1], pair->names[0], pair->names[1]);
	if (from->value_bits > to->value_bits)
		return error("cannot merge '%s' into '%s': the values of '%s' have %d bits, those of '%s' only %d",
			     pair->names[1], pair->names[0], pair->names[1],
			     from->value_bits, pair->names[0], to->value_bits);
	if (from->create_flags & ~to->create_flags & KCUCKOO_CREATE_TIMEOUT)
		return error("cannot merge '%s' into '%s': only the keys of '%s' can expire",
			     pair->names[1], pair->names[0], pair->names[1]);
	return 0;
}

static int fill(const struct pair *pair, struct staged *staged,
		const struct keyset *sets, int count)
{
	const struct kcuckoo_ioc_info *info = &pair->infos[0];
	struct progress progress;
	int i, ret = 0;

	progress_init(&progress, pair->cli);
	for (i = 0; i < count && !ret; i++) {
		const struct collection collection = {
			.syntax.max_value = max_value(info),
			.syntax.timeouts = info->create_flags & KCUCKOO_CREATE_TIMEOUT,
			/* Keys of a filter without values do not change values of members. */
			.valued = pair->infos[i].value_bits,
			.keys = sets[i],
		};

		ret = staged_add(staged, &collection, &progress);
	}
	return ret;
}

/*
 * Return: 0; 1 if another program changed the first filter since pair_describe(); or -1 after
 * an error message.
 */
static int rebuild(const struct pair *pair, const struct keyset *sets,
		   int count)
{
	struct staged staged = { .cli = pair->cli, .name = pair->names[0] };
	int ret = staged_create_empty(&staged, &pair->infos[0]);

	if (!ret)
		ret = fill(pair, &staged, sets, count);
	if (!ret)
		ret = staged_replace(&staged, &pair->infos[0]);
	staged_end(&staged);
	return ret;
}

static int merge_once(struct pair *pair)
{
	int ret = check_notes(pair);

	if (!ret)
		ret = pair_read(pair);
	if (!ret)
		ret = rebuild(pair, pair->sets, 2);
	pair_free(pair);
	return ret;
}

static int intersect_once(struct pair *pair)
{
	struct keyset_match match;
	struct keyset common;
	int ret = pair_read(pair);

	keyset_init(&common);
	if (keyset_has_notes(&pair->sets[0]))
		keyset_keep_notes(&common);
	if (!ret && keyset_compare(&pair->sets[0], &pair->sets[1], &match,
				   &common))
		ret = error("not enough memory");
	pair_free(pair);
	if (!ret)
		ret = rebuild(pair, &common, 1);
	keyset_free(&common);
	return ret;
}

/*
 * If another program changed the first filter during the call, @once returns 1 and has changed
 * nothing. Then read the state of the filters again and repeat the call.
 */
static int repeat(struct pair *pair, int (*once)(struct pair *pair))
{
	int ret = once(pair), i;

	for (i = 1; i < ATTEMPTS && ret > 0; i++)
		ret = pair_describe(pair) ? -1 : once(pair);
	if (ret > 0)
		return hint(error("other programs changed '%s' during each of %d attempts; this command changed nothing",
				  pair->names[0], ATTEMPTS),
			    "try again when they have finished");
	return ret;
}

int verb_merge(struct cli *cli, const struct args *args)
{
	struct pair pair;

	if (pair_init(&pair, cli, args))
		return -1;
	if (pair.infos[0].tag_bits)
		return merge_alike(&pair);
	return repeat(&pair, merge_once) ? -1 : show(&pair, "from", MEMBERS_ADDED);
}

int verb_intersect(struct cli *cli, const struct args *args)
{
	struct pair pair;

	if (pair_init(&pair, cli, args) || repeat(&pair, intersect_once))
		return -1;
	return show(&pair, "with", MEMBERS_ADDED | MEMBERS_REMOVED);
}

static int show_match(const struct pair *pair, const struct keyset_match *match)
{
	bool equal = !match->only_a && !match->only_b && !match->values;
	int code = equal ? EXIT_YES : EXIT_NO;

	if (!pair->cli->json) {
		printf("only in '%s'\t%llu\n", pair->names[0], match->only_a);
		printf("only in '%s'\t%llu\n", pair->names[1], match->only_b);
		printf("in both\t%llu\n", match->both);
		printf("in both, with different values\t%llu\n", match->values);
		return code;
	}
	return json_print(json_pack("{s:s, s:s, s:b, s:I, s:I, s:I, s:I}",
		"name", pair->names[0],
		"with", pair->names[1],
		"equal", equal,
		"only_name", (json_int_t)match->only_a,
		"only_with", (json_int_t)match->only_b,
		"both", (json_int_t)match->both,
		"other_value", (json_int_t)match->values)) ? -1 : code;
}

int verb_compare(struct cli *cli, const struct args *args)
{
	struct keyset_match match;
	struct pair pair;
	int ret;

	if (pair_init(&pair, cli, args))
		return -1;
	ret = pair_read(&pair);
	if (!ret)
		ret = keyset_compare(&pair.sets[0], &pair.sets[1], &match, NULL);
	/*
	 * Ignore values unless both filters have values: the value of a member
	 * is 0 in a filter without values.
	 */
	if (!pair.infos[0].value_bits || !pair.infos[1].value_bits)
		match.values = 0;
	pair_free(&pair);
	return ret ? ret : show_match(&pair, &match);
}
