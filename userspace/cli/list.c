// SPDX-License-Identifier: GPL-2.0-only
/*
 * kcuckoo: list
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "args.h"
#include "json.h"
#include "keyset.h"
#include "message.h"
#include "progress.h"

/*
 * A filter that is being added to moves its members, and a walk must begin
 * again. It hurries after the first time: it asks for all that the kernel
 * tells in one call. Its luck is tried for so many seconds.
 */
#define PATIENCE	20
#define ROOM		65536

static int list_names(struct cli *cli)
{
	struct kcuckoo_list_entry *entries;
	struct json_stream stream;
	int i, count;

	count = kcuckoo_list(cli->handle, &entries);
	if (count < 0)
		return plain_error(count, "list the filters");
	if (cli->json)
		json_stream_begin(&stream);
	for (i = 0; i < count; i++) {
		const char *name = (const char *)entries[i].name;

		if (cli->json)
			json_stream_element(&stream, json_string(name));
		else
			puts(name);
	}
	if (cli->json)
		json_stream_end(&stream);
	free(entries);
	return 0;
}

/* One walk. Return: enum kcuckoo_walk_state, or -errno. */
static int walk(struct cli *cli, const char *name, struct keyset *set,
		struct kcuckoo_prefix *keys, size_t room)
{
	const struct kcuckoo_members members = { keys, .count = room };
	struct kcuckoo_cursor cursor = { .generation = 0 };
	size_t i, done;
	int state;

	keyset_free(set);
	do {
		state = kcuckoo_walk(cli->handle, name, &cursor, &members,
				     &done);
		for (i = 0; i < done; i++)
			if (keyset_add(set, &keys[i]))
				return -ENOMEM;
	} while (state == KCUCKOO_WALK_MORE);
	return state;
}

/* A walk hurries if it has room for all that one call may tell. */
static void more_room(struct kcuckoo_prefix **keys, size_t *room)
{
	struct kcuckoo_prefix *larger;

	larger = realloc(*keys, KCUCKOO_BATCH_MAX * sizeof(*larger));
	if (!larger)
		return;
	*keys = larger;
	*room = KCUCKOO_BATCH_MAX;
}

static int gather(struct cli *cli, const char *name, struct keyset *set)
{
	double end = clock_seconds() + PATIENCE;
	struct kcuckoo_prefix *keys;
	int state, attempts = 1;
	size_t room = ROOM;

	keys = malloc(room * sizeof(*keys));
	if (!keys)
		return error("not enough memory");
	while ((state = walk(cli, name, set, keys, room)) ==
	       KCUCKOO_WALK_RESTART && clock_seconds() < end) {
		attempts++;
		more_room(&keys, &room);
	}
	free(keys);
	detail(cli, "attempts to list the members: %d", attempts);
	if (state == KCUCKOO_WALK_RESTART)
		return hint(error("'%s' changes too fast to be listed: %d attempts in %d s",
				  name, attempts, PATIENCE),
			    "try again when nothing is being added to it");
	if (state == -ENOMEM)
		return error("not enough memory to list '%s'", name);
	return state < 0 ? filter_error(cli, state, name, "list") : 0;
}

static int print_members(struct cli *cli, const struct keyset *set)
{
	struct kcuckoo_prefix keys[256];
	char text[KCUCKOO_PREFIX_TEXT];
	struct json_stream stream;
	size_t i, at, count;
	int length;

	if (cli->json)
		json_stream_begin(&stream);
	for (at = 0; (count = keyset_read(set, at, keys, 256)); at += count) {
		for (i = 0; i < count; i++) {
			length = kcuckoo_prefix_format(&keys[i], text);
			if (length < 0)
				return error("the kernel told a member that is none");
			if (cli->json) {
				json_stream_element(&stream, json_string(text));
				continue;
			}
			text[length++] = '\n';
			fwrite(text, 1, length, stdout);
		}
	}
	if (cli->json)
		json_stream_end(&stream);
	return 0;
}

static int list_members(struct cli *cli, const char *name)
{
	struct keyset set;
	int ret;

	keyset_init(&set);
	ret = gather(cli, name, &set);
	if (!ret) {
		keyset_sort(&set);
		ret = print_members(cli, &set);
	}
	keyset_free(&set);
	return ret;
}

int verb_list(struct cli *cli, const struct args *args)
{
	if (cli_open(cli))
		return -1;
	if (args->word_count)
		return list_members(cli, args->words[0]);
	return list_names(cli);
}
