// SPDX-License-Identifier: GPL-2.0-only
/*
 * The verb list prints the names of all filters, or the members of one filter.
 */
#include <stdio.h>
#include <stdlib.h>

#include "args.h"
#include "input/line.h"
#include "json.h"
#include "keys/members.h"
#include "message.h"

/* Maximum number of reads of the members, if the name gets another filter during each read. */
#define READ_TRIES	16

static json_t *json_of_name(const char *name, bool managed)
{
	if (!managed)
		return json_string(name);
	return json_pack("{s:s, s:b}", "name", name, "managed", 1);
}

static int list_names(struct cli *cli)
{
	struct kcuckoo_list_entry *entries;
	struct json_stream stream;
	int i, count, ret = 0;

	count = kcuckoo_list(cli->handle, &entries);
	if (count < 0)
		return plain_error(count, "list the filters");
	if (cli->json)
		json_stream_begin(&stream);
	for (i = 0; i < count && !ret; i++) {
		const char *name = (const char *)entries[i].name;
		bool managed = entries[i].flags & KCUCKOO_LIST_MANAGED;

		if (cli->json)
			ret = json_stream_element(&stream, json_of_name(name, managed));
		else
			printf("%s%s\n", name, managed ? " managed" : "");
	}
	if (cli->json)
		json_stream_end(&stream);
	free(entries);
	return ret;
}

static json_t *json_of_member(const struct line *line)
{
	char text[KCUCKOO_PREFIX_TEXT];
	json_t *object;

	kcuckoo_prefix_format(&line->key, text);
	if (!line->has)
		return json_string(text);
	object = json_pack("{s:s}", "key", text);
	if (line->has & LINE_VALUE)
		json_object_set_new(object, "value", json_integer(line->value));
	if (line->has & LINE_TIMEOUT)
		json_object_set_new(object, "timeout",
				    json_integer(line->timeout));
	return object;
}

static int print_member(struct json_stream *stream, const struct line *line)
{
	char text[LINE_TEXT];
	int length = line_format(line, text);

	if (length < 0)
		return error("the kernel returned an invalid prefix");
	if (stream)
		return json_stream_element(stream, json_of_member(line));
	text[length++] = '\n';
	fwrite(text, 1, length, stdout);
	return 0;
}

/* @stream: NULL to print lines. @has: LINE_VALUE and LINE_TIMEOUT, if the members have these. */
static int print_members(struct json_stream *stream, const struct keyset *set,
			 int has)
{
	struct kcuckoo_prefix keys[256];
	struct line line = { .has = has };
	struct note notes[256];
	size_t i, at, count;

	for (at = 0; (count = keyset_read(set, at, keys, 256)); at += count) {
		if (has)
			keyset_read_notes(set, at, notes, 256);
		for (i = 0; i < count; i++) {
			line.key = keys[i];
			if (has) {
				line.value = notes[i].value;
				line.timeout = notes[i].timeout;
			}
			if (print_member(stream, &line))
				return -1;
		}
	}
	return 0;
}

/*
 * If the name got another filter during the read, read again, because the other filter can
 * have other parameters. The caller calls keyset_free() for @set even after an error.
 */
static int read_filter(struct cli *cli, const char *name, struct kcuckoo_ioc_info *info,
		       struct keyset *set)
{
	struct kcuckoo_ioc_info after = { .size = sizeof(after) };
	int ret, tries;

	keyset_init(set);
	*info = (struct kcuckoo_ioc_info){ .size = sizeof(*info) };
	ret = kcuckoo_info(cli->handle, name, info);
	for (tries = 0; !ret && tries < READ_TRIES; tries++) {
		keyset_free(set);
		if (members_read(cli, name, "list", info, set))
			return -1;
		ret = kcuckoo_info(cli->handle, name, &after);
		if (!ret && after.filter_id == info->filter_id)
			return 0;
		*info = after;
	}
	if (ret)
		return filter_error(cli, ret, name, "list");
	return error("cannot list '%s': the name gets other filters all the time", name);
}

static int list_members(struct cli *cli, const char *name)
{
	struct kcuckoo_ioc_info info;
	struct json_stream stream;
	struct keyset set;
	int ret, has = 0;

	if (read_filter(cli, name, &info, &set)) {
		keyset_free(&set);
		return -1;
	}
	if (info.value_bits)
		has |= LINE_VALUE;
	if (info.create_flags & KCUCKOO_CREATE_TIMEOUT)
		has |= LINE_TIMEOUT;
	if (cli->json)
		json_stream_begin(&stream);
	ret = print_members(cli->json ? &stream : NULL, &set, has);
	if (cli->json)
		json_stream_end(&stream);
	keyset_free(&set);
	return ret;
}

int verb_list(struct cli *cli, const struct args *args)
{
	if (cli_open(cli))
		return -1;
	if (args->operand_count)
		return list_members(cli, args->operands[0]);
	return list_names(cli);
}
