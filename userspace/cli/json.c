// SPDX-License-Identifier: GPL-2.0-only
/*
 * kcuckoo: JSON on standard output
 *
 * The keys are part of the interface and documented in kcuckoo(8): new ones
 * may come, none changes its meaning.
 */
#include <stdio.h>

#include "json.h"
#include "message.h"
#include "words.h"

int json_print(json_t *document)
{
	if (!document)
		return error("not enough memory");
	/* Whether all arrived is asked once, at the end. */
	json_dumpf(document, stdout, JSON_REAL_PRECISION(12));
	putchar('\n');
	json_decref(document);
	return EXIT_YES;
}

void json_stream_begin(struct json_stream *stream)
{
	stream->started = false;
	putchar('[');
}

int json_stream_element(struct json_stream *stream, json_t *element)
{
	if (!element)
		return error("not enough memory");
	fputs(stream->started ? ",\n" : "\n", stdout);
	stream->started = true;
	json_dumpf(element, stdout, JSON_ENCODE_ANY);
	json_decref(element);
	return 0;
}

void json_stream_end(struct json_stream *stream)
{
	fputs(stream->started ? "\n]\n" : "]\n", stdout);
}

static json_t *json_of_lengths(const __u64 *words, int most)
{
	json_t *array = json_array();
	int i;

	for (i = 0; i <= most; i++)
		if (words[i / 64] >> i % 64 & 1)
			json_array_append_new(array, json_integer(i));
	return array;
}

static void set_number(json_t *object, const char *key, __u64 value)
{
	json_object_set_new(object, key, json_integer(value));
}

json_t *json_of_info(const char *name, const struct kcuckoo_ioc_info *info)
{
	double load = info->slots ? (double)info->slots_used / info->slots : 0;
	json_t *object = json_pack("{s:s, s:s, s:s, s:f, s:i}",
		"name", name,
		"type", word_of(type_words, info->type),
		"hash", word_of(hash_words, info->hash),
		"load_factor", load,
		"expected_fpr", 0);

	set_number(object, "entries", info->entries);
	set_number(object, "entries_ipv4", info->entries_ipv4);
	set_number(object, "entries_ipv6", info->entries_ipv6);
	set_number(object, "capacity", info->capacity);
	set_number(object, "memory_bytes", info->memory_bytes);
	set_number(object, "rules", info->rules);
	set_number(object, "bucket_size", info->bucket_size);
	set_number(object, "slots", info->slots);
	set_number(object, "slots_used", info->slots_used);
	set_number(object, "searches", info->searches);
	set_number(object, "moves", info->moves);
	set_number(object, "growths", info->growths);
	set_number(object, "refused", info->refused);
	json_object_set_new(object, "lengths_ipv4",
			    json_of_lengths(&info->lengths_ipv4, 32));
	json_object_set_new(object, "lengths_ipv6",
			    json_of_lengths(info->lengths_ipv6, 128));
	return object;
}

json_t *json_of_rule(const struct kcuckoo_rule *rule)
{
	return json_pack("{s:s, s:s, s:s, s:s, s:s, s:n, s:I, s:I}",
		"filter", (const char *)rule->name,
		"hook", word_of(hook_words, rule->hook),
		"family", word_of(family_words, rule->family),
		"match", word_of(match_words, rule->match),
		"action", word_of(action_words, rule->action),
		"dev",
		"packets", (json_int_t)rule->packets,
		"bytes", (json_int_t)rule->bytes);
}

json_t *json_of_stats(const struct kcuckoo_ioc_stats *stats)
{
	json_t *object = json_object();

	set_number(object, "filters", stats->filters);
	set_number(object, "max_filters", stats->max_filters);
	set_number(object, "rules", stats->rules);
	set_number(object, "entries", stats->entries);
	set_number(object, "memory_bytes", stats->memory_bytes);
	set_number(object, "max_bytes", stats->max_bytes);
	return object;
}
