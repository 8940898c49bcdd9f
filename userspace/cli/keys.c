// SPDX-License-Identifier: GPL-2.0-only
/*
 * kcuckoo: add and del
 */
#include <errno.h>
#include <stdlib.h>

#include "collect.h"
#include "guard.h"
#include "json.h"
#include "message.h"

/* One call of the library on a batch. */
typedef int (*batch_call)(struct kcuckoo *handle, const char *name,
			  const struct kcuckoo_batch *batch,
			  struct kcuckoo_count *sum);

static int call_add(struct kcuckoo *handle, const char *name,
		    const struct kcuckoo_batch *batch,
		    struct kcuckoo_count *sum)
{
	return kcuckoo_add(handle, name, 0, batch, sum);
}

/* Return: 0, or -errno with @sum telling how far it went. */
static int run(struct cli *cli, const char *name, const struct keyset *keys,
	       batch_call call, struct kcuckoo_count *sum)
{
	size_t all = keyset_count(keys), room = all < BATCH ? all : BATCH;
	struct kcuckoo_prefix *batch;
	struct kcuckoo_batch part_keys;
	struct kcuckoo_count part;
	int ret;

	*sum = (struct kcuckoo_count){ .done = 0 };
	batch = malloc((room + 1) * sizeof(*batch));
	if (!batch)
		return -ENOMEM;
	part_keys = (struct kcuckoo_batch){ .prefixes = batch };
	/* Once without keys, so that a filter that is not there is told. */
	do {
		part_keys.count = keyset_read(keys, sum->done, batch, room);
		ret = call(cli->handle, name, &part_keys, &part);
		sum->done += part.done;
		sum->added += part.added;
		sum->existed += part.existed;
		sum->deleted += part.deleted;
		sum->absent += part.absent;
	} while (!ret && sum->done < all);
	free(batch);
	return ret;
}

static int show_added(struct cli *cli, const char *name,
		      const struct collection *collection,
		      const struct kcuckoo_count *sum,
		      const struct kcuckoo_ioc_info *info)
{
	say(cli, "%s: %llu added, %llu already %s; %llu %s now", name,
	    sum->added, sum->existed,
	    plural(sum->existed, "a member", "members"), info->entries,
	    plural(info->entries, "member", "members"));
	say_host_bits(cli, name, collection->host_bits);
	if (!cli->json)
		return EXIT_YES;
	return json_print(json_pack("{s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:I}",
		"name", name,
		"read", (json_int_t)collection->read,
		"ranges", (json_int_t)collection->ranges,
		"keys", (json_int_t)sum->done,
		"added", (json_int_t)sum->added,
		"existed", (json_int_t)sum->existed,
		"host_bits", (json_int_t)collection->host_bits,
		"entries", (json_int_t)info->entries));
}

static int add(struct cli *cli, const struct args *args,
	       struct collection *collection)
{
	struct kcuckoo_ioc_info info = { .size = sizeof(info) };
	const char *name = args->words[0];
	struct kcuckoo_count sum;
	int ret;

	if (args->strict && collect_check(cli, name, &collection->keys, false))
		return -1;
	ret = run(cli, name, &collection->keys, call_add, &sum);
	if (ret)
		return add_error(cli, ret, name, sum.added,
				 keyset_count(&collection->keys));
	ret = kcuckoo_info(cli->handle, name, &info);
	if (ret)
		return filter_error(cli, ret, name, "read the state of");
	ret = show_added(cli, name, collection, &sum, &info);
	if (info.rules)
		guard_filter(cli, name, &collection->keys);
	return ret;
}

int verb_add(struct cli *cli, const struct args *args)
{
	struct collection collection;
	int ret;

	ret = collect(args, &collection);
	if (!ret)
		ret = cli_open(cli);
	if (!ret)
		ret = add(cli, args, &collection);
	keyset_free(&collection.keys);
	return ret;
}

static int show_deleted(struct cli *cli, const char *name,
			const struct collection *collection,
			const struct kcuckoo_count *sum,
			const struct kcuckoo_ioc_info *info)
{
	say(cli, "%s: %llu deleted, %llu not %s; %llu %s now", name,
	    sum->deleted, sum->absent,
	    plural(sum->absent, "a member", "members"), info->entries,
	    plural(info->entries, "member", "members"));
	say_host_bits(cli, name, collection->host_bits);
	if (!cli->json)
		return EXIT_YES;
	return json_print(json_pack("{s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:I}",
		"name", name,
		"read", (json_int_t)collection->read,
		"ranges", (json_int_t)collection->ranges,
		"keys", (json_int_t)sum->done,
		"deleted", (json_int_t)sum->deleted,
		"absent", (json_int_t)sum->absent,
		"host_bits", (json_int_t)collection->host_bits,
		"entries", (json_int_t)info->entries));
}

static int del(struct cli *cli, const struct args *args,
	       struct collection *collection)
{
	struct kcuckoo_ioc_info info = { .size = sizeof(info) };
	const char *name = args->words[0];
	struct kcuckoo_count sum;
	int ret;

	if (args->strict && collect_check(cli, name, &collection->keys, true))
		return -1;
	ret = run(cli, name, &collection->keys, kcuckoo_del, &sum);
	if (ret) {
		filter_error(cli, ret, name, "delete from");
		return error("%llu of %zu keys were deleted, the others were not",
			     sum.deleted, keyset_count(&collection->keys));
	}
	ret = kcuckoo_info(cli->handle, name, &info);
	if (ret)
		return filter_error(cli, ret, name, "read the state of");
	return show_deleted(cli, name, collection, &sum, &info);
}

int verb_del(struct cli *cli, const struct args *args)
{
	struct collection collection;
	int ret;

	ret = collect(args, &collection);
	if (!ret)
		ret = cli_open(cli);
	if (!ret)
		ret = del(cli, args, &collection);
	keyset_free(&collection.keys);
	return ret;
}
