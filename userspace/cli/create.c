// SPDX-License-Identifier: GPL-2.0-only
/*
 * kcuckoo: create
 */
#include <errno.h>
#include <string.h>

#include "args.h"
#include "json.h"
#include "message.h"
#include "number.h"
#include "words.h"

static int set_type(struct kcuckoo_ioc_create *create, const char *value)
{
	int type = word_value(type_words, "type", value);

	create->type = type;
	return type < 0 ? -1 : 0;
}

static int set_hash(struct kcuckoo_ioc_create *create, const char *value)
{
	int hash = word_value(hash_words, "hash", value);

	create->hash = hash;
	return hash < 0 ? -1 : 0;
}

static int set_capacity(struct kcuckoo_ioc_create *create, const char *value)
{
	__u64 capacity;

	if (parse_capacity(value, &capacity))
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

/* Rows of the table below. */
#define SETTINGS	13

/* What may stand behind the name. A word without @set is for later versions. */
static const struct setting {
	const char *word;
	int (*set)(struct kcuckoo_ioc_create *create, const char *value);
} settings[SETTINGS] = {
	{ "type",	set_type },
	{ "capacity",	set_capacity },
	{ "bucket",	set_bucket },
	{ "hash",	set_hash },
	{ "fpr",	NULL },
	{ "bits",	NULL },
	{ "semisort",	NULL },
	{ "insert-only", NULL },
	{ "fixed",	NULL },
	{ "value",	NULL },
	{ "timeout",	NULL },
	{ "steps",	NULL },
	{ "like",	NULL },
};

/* Return: the row of a word, or -1, told. */
static int find_setting(const char *word)
{
	int i;

	for (i = 0; i < SETTINGS; i++) {
		if (strcmp(settings[i].word, word))
			continue;
		if (!settings[i].set)
			return later_error("", word);
		return i;
	}
	for (i = 0; i < SETTINGS; i++)
		if (is_near(word, settings[i].word))
			return error("create does not know '%s': did you mean '%s'?",
				     word, settings[i].word);
	return hint(error("create does not know '%s'", word),
		    "see 'kcuckoo help create'");
}

static int parse_settings(struct kcuckoo_ioc_create *create,
			  const struct args *args)
{
	bool seen[SETTINGS] = { false };
	int i, row;

	for (i = 1; i < args->word_count; i += 2) {
		row = find_setting(args->words[i]);
		if (row < 0)
			return -1;
		if (seen[row])
			return error("'%s' was given twice", args->words[i]);
		seen[row] = true;
		if (i + 1 == args->word_count)
			return error("'%s' needs a value behind it: see 'kcuckoo help create'",
				     args->words[i]);
		if (settings[row].set(create, args->words[i + 1]))
			return -1;
	}
	return 0;
}

/* What the kernel made of it. */
static int show(struct cli *cli, const char *name)
{
	struct kcuckoo_ioc_info info = { .size = sizeof(info) };
	char room[64];
	int ret;

	ret = kcuckoo_info(cli->handle, name, &info);
	if (ret)
		return filter_error(cli, ret, name, "read the state of");
	if (info.capacity == KCUCKOO_CAPACITY_MAX)
		strcpy(room, "no limit on members");
	else
		snprintf(room, sizeof(room), "at most %llu members",
			 info.capacity);
	say(cli, "created %s: IPv4 and IPv6 addresses and prefixes, exact", name);
	say(cli, "%s, %d entries per bucket, hash %s, grows on demand", room,
	    info.bucket_size, word_of(hash_words, info.hash));
	return cli->json ? json_print(json_of_info(name, &info)) : EXIT_YES;
}

int verb_create(struct cli *cli, const struct args *args)
{
	struct kcuckoo_ioc_create options = {
		.size = sizeof(options),
		.type = KCUCKOO_TYPE_INET,
		.capacity = KCUCKOO_CAPACITY_MAX,
	};
	const char *name = args->words[0];
	int ret;

	if (check_name(name) || parse_settings(&options, args) ||
	    cli_open(cli))
		return -1;
	ret = kcuckoo_create(cli->handle, name, &options);
	if (ret == -EEXIST)
		return hint(error("there is a filter '%s' already", name),
			    "'kcuckoo info %s' shows it, 'kcuckoo destroy %s' ends it",
			    name, name);
	if (ret)
		return filter_error(cli, ret, name, "create");
	return show(cli, name);
}
