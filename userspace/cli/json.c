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

json_t *json_of_info(const char *name, const struct kcuckoo_ioc_info *info)
{
	double load = info->slots ? (double)info->slots_used / info->slots : 0;

	return json_pack("{s:s, s:s, s:I, s:I, s:I, s:I, s:f, s:I, s:I, s:I,"
			 " s:i, s:s, s:i, s:i, s:o, s:o, s:I, s:I, s:I, s:I}",
		"name", name,
		"type", word_of(type_words, info->type),
		"entries", (json_int_t)info->entries,
		"entries_ipv4", (json_int_t)info->entries_ipv4,
		"entries_ipv6", (json_int_t)info->entries_ipv6,
		"capacity", (json_int_t)info->capacity,
		"load_factor", load,
		"slots", (json_int_t)info->slots,
		"slots_used", (json_int_t)info->slots_used,
		"memory_bytes", (json_int_t)info->memory_bytes,
		"expected_fpr", 0,
		"hash", word_of(hash_words, info->hash),
		"bucket_size", info->bucket_size,
		"rules", (int)info->rules,
		"lengths_ipv4", json_of_lengths(&info->lengths_ipv4, 32),
		"lengths_ipv6", json_of_lengths(info->lengths_ipv6, 128),
		"searches", (json_int_t)info->searches,
		"moves", (json_int_t)info->moves,
		"growths", (json_int_t)info->growths,
		"refused", (json_int_t)info->refused);
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
	return json_pack("{s:i, s:i, s:i, s:I, s:I, s:I}",
		"filters", (int)stats->filters,
		"max_filters", (int)stats->max_filters,
		"rules", (int)stats->rules,
		"entries", (json_int_t)stats->entries,
		"memory_bytes", (json_int_t)stats->memory_bytes,
		"max_bytes", (json_int_t)stats->max_bytes);
}
