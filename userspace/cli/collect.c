// SPDX-License-Identifier: GPL-2.0-only
/*
 * kcuckoo: the keys of a request, from the command line and from files
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "collect.h"
#include "message.h"
#include "range.h"

int collect_line(struct keyset *keys, const struct line *line)
{
	struct kcuckoo_prefix prefixes[RANGE_MOST];
	int i, count, ret = 0;

	if (line->kind != LINE_RANGE) {
		ret = keyset_add(keys, &line->key);
	} else {
		count = range_split(&line->key, &line->last, prefixes);
		for (i = 0; i < count && !ret; i++)
			ret = keyset_add(keys, &prefixes[i]);
	}
	return ret ? error("not enough memory") : 0;
}

static int collect_words(struct collection *collection, char **words, int count)
{
	struct line line;
	char room[96];
	int i, bad = 0;

	for (i = 0; i < count; i++) {
		line_parse_key(words[i], &line);
		if (line.kind == LINE_BAD) {
			error("key '%s': %s",
			      escape(words[i], strlen(words[i]), room,
				     sizeof(room)), line.why);
			bad++;
			continue;
		}
		collection->read++;
		collection->ranges += line.kind == LINE_RANGE;
		collection->host_bits += line.host_bits;
		if (collect_line(&collection->keys, &line))
			return -1;
	}
	return bad ? error("nothing was changed") : 0;
}

static int take(void *context, const struct line *line,
		const struct place *place)
{
	struct collection *collection = context;

	(void)place;
	return collect_line(&collection->keys, line);
}

static int collect_files(struct collection *collection, char *const *files,
			 int count)
{
	struct input input;
	int ret;

	ret = input_init(&input, files, count, false);
	if (!ret)
		ret = input_run(&input, take, collection);
	if (!ret && input.bad)
		ret = hint(error("%llu bad %s: nothing was changed", input.bad,
				 plural(input.bad, "line", "lines")),
			   "mend them, or use 'kcuckoo load', which skips them");
	collection->read += input.keys;
	collection->ranges += input.ranges;
	collection->host_bits += input.host_bits;
	input_free(&input);
	return ret;
}

int collect(const struct args *args, struct collection *collection)
{
	memset(collection, 0, sizeof(*collection));
	keyset_init(&collection->keys);
	if (args->word_count < 2 && !args->file_count)
		return error("no keys: give some behind the name, or a file of them with -f");
	if (collect_words(collection, args->words + 1, args->word_count - 1))
		return -1;
	return collect_files(collection, args->files, args->file_count);
}

static int check_repeats(struct keyset *keys)
{
	char text[KCUCKOO_PREFIX_TEXT];
	struct kcuckoo_prefix first;
	size_t repeats;

	keyset_sort(keys);
	repeats = keyset_repeats(keys, &first);
	if (!repeats)
		return 0;
	kcuckoo_prefix_format(&first, text);
	error("--strict: %zu %s given more than once, such as %s", repeats,
	      plural(repeats, "key was", "keys were"), text);
	return error("nothing was changed");
}

int collect_check(struct cli *cli, const char *name, struct keyset *keys,
		  bool members)
{
	const uint8_t wrong = members ? KCUCKOO_RESULT_ABSENT :
					KCUCKOO_RESULT_PRESENT;
	char text[KCUCKOO_PREFIX_TEXT];
	struct kcuckoo_prefix *batch;
	struct kcuckoo_batch part;
	size_t i, at, count, found = 0;
	uint8_t *results;
	int ret = 0;

	if (check_repeats(keys))
		return -1;
	batch = malloc(BATCH * sizeof(*batch));
	results = malloc(BATCH);
	if (!batch || !results)
		ret = error("not enough memory");
	for (at = 0; !ret && (count = keyset_read(keys, at, batch, BATCH));
	     at += count) {
		part = (struct kcuckoo_batch){ batch, .count = count,
					       .results = results };
		ret = kcuckoo_test(cli->handle, name, KCUCKOO_TEST_MEMBER,
				   &part, NULL);
		if (ret)
			ret = filter_error(cli, ret, name, "look into");
		for (i = 0; !ret && i < count; i++)
			if (results[i] == wrong && !found++)
				kcuckoo_prefix_format(&batch[i], text);
	}
	if (found) {
		error("--strict: %zu %s %s of '%s', such as %s", found,
		      plural(found, "key is", "keys are"),
		      members ? "no member" : "already a member", name, text);
		ret = error("nothing was changed");
	}
	free(results);
	free(batch);
	return ret;
}
