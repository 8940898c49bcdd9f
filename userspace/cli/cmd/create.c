// SPDX-License-Identifier: GPL-2.0-only
/*
 * The verb create creates an empty filter with parameters such as "capacity 1M",
 * and prints the type, the capacity and other properties of the filter.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "args.h"
#include "describe.h"
#include "json.h"
#include "keywords.h"
#include "message.h"
#include "number.h"
#include "parameters.h"
#include "rules/existing.h"
#include "rules/lockout.h"

/*
 * With --exist: maximum number of attempts to create a filter that other processes
 * create and destroy at the same time.
 */
#define CREATE_TRIES	64

static int set_type(struct kcuckoo_ioc_create *create, const char *value)
{
	int type = keyword_value(type_keywords, "type", value);

	create->type = type;
	return type < 0 ? -1 : 0;
}

static int set_hash(struct kcuckoo_ioc_create *create, const char *value)
{
	int hash = keyword_value(hash_keywords, "hash", value);

	create->hash = hash;
	return hash < 0 ? -1 : 0;
}

static int set_capacity(struct kcuckoo_ioc_create *create, const char *value)
{
	__u64 capacity;

	if (parse_capacity("capacity", value, &capacity))
		return -1;
	create->capacity = capacity;
	return 0;
}

static int set_bucket(struct kcuckoo_ioc_create *create, const char *value)
{
	if (strlen(value) != 1 || !strchr("1248", *value))
		return error("bucket '%s': a bucket has 1, 2, 4 or 8 entries",
			     value);
	create->bucket_size = *value - '0';
	return 0;
}

static int set_fpr(struct kcuckoo_ioc_create *create, const char *value)
{
	const char *why = rate_scan(value, &create->fpr);

	return why ? error("fpr '%s': %s", value, why) : 0;
}

static int set_bits(struct kcuckoo_ioc_create *create, const char *value)
{
	__u64 bits;

	if (parse_number("bits", value, 1, 32, &bits))
		return -1;
	create->tag_bits = bits;
	return 0;
}

static int set_value(struct kcuckoo_ioc_create *create, const char *value)
{
	__u64 bits;

	if (parse_number("value", value, 1, 32, &bits))
		return -1;
	create->value_bits = bits;
	return 0;
}

static int set_timeout(struct kcuckoo_ioc_create *create, const char *value)
{
	create->flags |= KCUCKOO_CREATE_TIMEOUT;
	return parse_duration("timeout", value, &create->timeout);
}

static int set_steps(struct kcuckoo_ioc_create *create, const char *value)
{
	__u64 steps;

	if (parse_number("steps", value, 2, 1024, &steps))
		return -1;
	create->search_limit = steps;
	return 0;
}

static int set_like(struct kcuckoo_ioc_create *create, const char *value)
{
	if (check_name(value))
		return -1;
	create->flags |= KCUCKOO_CREATE_LIKE;
	strcpy((char *)create->like, value);
	return 0;
}

/*
 * The parameters that can follow the name of the filter. If @set is not NULL, the
 * parameter is the keyword @word with a value, which @set parses. Otherwise the
 * parameter is the keyword alone, and sets @flag.
 */
static const struct setting {
	const char *word;
	int (*set)(struct kcuckoo_ioc_create *create, const char *value);
	__u32 flag;
} settings[] = {
	{ "type",	set_type,	0 },
	{ "capacity",	set_capacity,	0 },
	{ "fpr",	set_fpr,	0 },
	{ "bits",	set_bits,	0 },
	{ "bucket",	set_bucket,	0 },
	{ "semisort",	NULL,		KCUCKOO_CREATE_SORTED },
	{ "insert-only", NULL,		KCUCKOO_CREATE_INSERT_ONLY },
	{ "fixed",	NULL,		KCUCKOO_CREATE_FIXED },
	{ "hash",	set_hash,	0 },
	{ "value",	set_value,	0 },
	{ "timeout",	set_timeout,	0 },
	{ "steps",	set_steps,	0 },
	{ "like",	set_like,	0 },
};

#define SETTINGS	((int)(sizeof(settings) / sizeof(*settings)))

static int find_setting(const char *word)
{
	int i;

	for (i = 0; i < SETTINGS; i++)
		if (!strcmp(settings[i].word, word))
			return i;
	for (i = 0; i < SETTINGS; i++)
		if (is_near(word, settings[i].word))
			return error("unknown argument '%s' for 'create': did you mean '%s'?",
				     word, settings[i].word);
	return hint(error("unknown argument '%s' for 'create'", word),
		    "see 'kcuckoo help create'");
}

/*
 * @seen: bit N is set if the keyword of row N of settings[] was parsed before. Return: the
 * number of operands that were parsed, or -1 after an error message.
 */
static int parse_setting(struct kcuckoo_ioc_create *create,
			 const struct args *args, int i, __u32 *seen)
{
	const char *word = args->operands[i];
	int row = find_setting(word);

	if (row < 0)
		return -1;
	if (*seen & 1U << row)
		return error("'%s' was given twice", word);
	*seen |= 1U << row;
	create->flags |= settings[row].flag;
	if (!settings[row].set)
		return 1;
	if (i + 1 == args->operand_count)
		return error("'%s' needs a value: see 'kcuckoo help create'",
			     word);
	return settings[row].set(create, args->operands[i + 1]) ? -1 : 2;
}

static int complete(struct kcuckoo_ioc_create *create, const struct args *args)
{
	if (create->flags & KCUCKOO_CREATE_LIKE) {
		if (args->operand_count == 3)
			return 0;
		return error("'like %s' sets all parameters: no other parameter may be given",
			     create->like);
	}
	if (create->fpr && create->tag_bits)
		return error("'fpr' and 'bits' cannot be combined: 'fpr' sets the bits");
	if (create->type == KCUCKOO_TYPE_BYTES && !create->capacity)
		return hint(error("a filter of byte strings needs 'capacity'"),
			    "the number of keys that fit: kcuckoo create %s type bytes capacity 1M",
			    args->operands[0]);
	parameters_complete(create);
	return 0;
}

static int parse_settings(struct kcuckoo_ioc_create *create,
			  const struct args *args)
{
	__u32 seen = 0;
	int i = 1, words;

	while (i < args->operand_count) {
		words = parse_setting(create, args, i, &seen);
		if (words < 0)
			return -1;
		i += words;
	}
	return complete(create, args);
}

/*
 * Return: 0; a negative errno; -EAGAIN if another process destroyed the filter before its
 * state could be read; or 1 after the error message that its state cannot be read.
 */
static int create_filter(struct cli *cli, const char *name, struct kcuckoo_ioc_create *create,
			 struct kcuckoo_ioc_info *info)
{
	int ret = kcuckoo_create(cli->handle, name, create);

	if (ret)
		return ret;
	ret = kcuckoo_info(cli->handle, name, info);
	if (!ret || ret == -ENOENT)
		return ret ? -EAGAIN : 0;
	error("'%s' was created, but its state cannot be read: %s", name,
	      kcuckoo_strerror(ret));
	return 1;
}

static int create_error(struct cli *cli, const char *name,
			const struct kcuckoo_ioc_create *create, int ret)
{
	const char *why = NULL;

	if (ret > 0)
		return -1;
	if (ret == -EAGAIN)
		return error("'%s' was created, but another process has destroyed it", name);
	if (ret == -EEXIST)
		return hint(error("there is a filter '%s' already", name),
			    "'kcuckoo info %s' shows it, 'kcuckoo destroy %s' removes it",
			    name, name);
	if (ret == -ENOENT)
		return filter_error(cli, ret, (const char *)create->like,
				    "read the parameters of");
	if (ret == -EOPNOTSUPP || ret == -EINVAL) {
		why = parameters_conflict(create);
		if (!why && create->type == KCUCKOO_TYPE_BYTES)
			why = "a table cannot hold that many keys: choose a smaller capacity";
	}
	if (why)
		return error("cannot create '%s': %s", name, why);
	return filter_error(cli, ret, name, "create");
}

/*
 * Warn if the load factor at which an approximate filter is full is less than 90 % of the load
 * factor that info_large_table_load() returns.
 */
static void warn_fill(const char *name, const struct kcuckoo_ioc_info *info)
{
	int wide = info_large_table_load(info);

	if (!info->tag_bits || !info->max_load ||
	    10 * info->max_load >= 9 * wide)
		return;
	warn("'%s' is full when %d %% of its entries are used; other parameters allow %d %%", name,
	     info->max_load, wide);
	hint(0, "with more bits or more entries per bucket, less memory stays empty");
}

static void say_notes(const struct cli *cli, const struct kcuckoo_ioc_info *info)
{
	if (info->value_bits)
		say(cli, "keys have values of %d %s", info->value_bits,
		    plural(info->value_bits, "bit", "bits"));
	if (info->create_flags & KCUCKOO_CREATE_TIMEOUT && info->timeout)
		say(cli, "keys expire after %u s unless added with another timeout",
		    info->timeout);
	else if (info->create_flags & KCUCKOO_CREATE_TIMEOUT)
		say(cli, "keys expire only if added with a timeout");
}

static void say_users(const struct cli *cli, const char *name,
		      const struct kcuckoo_ioc_info *info)
{
	if (!info->rules)
		return;
	if (info->type == KCUCKOO_TYPE_BYTES) {
		warn("%u %s for '%s': this filter holds byte strings, so rules will match nothing",
		     info->rules, plural(info->rules, "rule or program waited",
					 "rules or programs waited"), name);
		hint(0, "packets have addresses: rules need a filter of addresses");
		return;
	}
	say(cli, "%u %s", info->rules,
	    plural(info->rules, "rule or program that waited for the filter uses it now",
		   "rules or programs that waited for the filter use it now"));
}

static int show(struct cli *cli, const char *name, const struct kcuckoo_ioc_info *info)
{
	char buf[DESCRIBE_TEXT], memory[32];

	say(cli, "created %s: %s", name, describe_type(info, buf));
	say(cli, "%s, %d %s per bucket, hash %s, %s",
	    describe_capacity(info, buf),
	    info->bucket_size, plural(info->bucket_size, "entry", "entries"),
	    keyword_name(hash_keywords, info->hash), describe_growth(info));
	say_notes(cli, info);
	if (info->tag_bits) {
		human_bytes(info->memory_bytes, memory, sizeof(memory));
		say(cli, "tables fill to %d %% and take %s now; false positives %s%s",
		    info->max_load, memory,
		    describe_fpr(info_full_fpr(info), buf),
		    info->type == KCUCKOO_TYPE_BYTES ? " at that capacity" :
		    " per prefix length in use, when full");
	}
	warn_fill(name, info);
	say_users(cli, name, info);
	/*
	 * If rules waited for this allow filter, they match packets from now on. The
	 * filter is empty, so it exempts no packet.
	 */
	if (info->rules)
		lockout_check_filter(cli, name, MEMBERS_REMOVED, NULL);
	return cli->json ? json_print(json_of_info(name, info)) : EXIT_YES;
}

/*
 * With --exist, create the filter unless a filter with this name exists. Begin again if
 * another process creates the filter after kcuckoo_info() did not find it, or destroys the
 * new filter.
 */
static int create_absent(struct cli *cli, const struct args *args,
			 struct kcuckoo_ioc_create *create)
{
	struct kcuckoo_ioc_info info = { .size = sizeof(info) };
	const char *name = args->operands[0];
	int tries, ret = -EEXIST;

	for (tries = 0; tries < CREATE_TRIES && (ret == -EEXIST || ret == -EAGAIN); tries++) {
		/*
		 * Call kcuckoo_info() before kcuckoo_create(): for parameters that the
		 * kernel does not support, kcuckoo_create() does not return EEXIST even
		 * if the filter exists.
		 */
		ret = kcuckoo_info(cli->handle, name, &info);
		if (ret && ret != -ENOENT)
			return filter_error(cli, ret, name, "read the state of");
		if (!ret && existing_filter_check(cli, args, create, &info))
			return -1;
		if (!ret)
			return cli->json ? json_print(json_of_info(name, &info)) :
					   EXIT_YES;
		ret = create_filter(cli, name, create, &info);
	}
	return ret ? create_error(cli, name, create, ret) : show(cli, name, &info);
}

int verb_create(struct cli *cli, const struct args *args)
{
	struct kcuckoo_ioc_create options = { .size = sizeof(options) };
	struct kcuckoo_ioc_info info = { .size = sizeof(info) };
	const char *name = args->operands[0];
	int ret;

	if (check_name(name) || parse_settings(&options, args) ||
	    cli_open(cli))
		return -1;
	if (args->given & ARGS_EXIST)
		return create_absent(cli, args, &options);
	ret = create_filter(cli, name, &options, &info);
	return ret ? create_error(cli, name, &options, ret) : show(cli, name, &info);
}
