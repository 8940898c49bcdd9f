// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions print results as JSON on standard output, for verbs with the
 * option -j.
 *
 * The manual page kcuckoo(8) documents the keys of the JSON objects, and programs rely on
 * these keys. A new version may add keys, but must not change the meaning of a key.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "describe.h"
#include "json.h"
#include "keywords.h"
#include "message.h"
#include "rules/xdp.h"

/*
 * An allocation of Jansson has failed. Code that fills an object does not check each call,
 * so print() checks this variable instead.
 */
static bool memory_is_short;

static void *take_memory(size_t size)
{
	void *memory = malloc(size);

	if (!memory)
		memory_is_short = true;
	return memory;
}

void json_init(void)
{
	json_set_alloc_funcs(take_memory, free);
}

/* Print @before and @value, and free @value. */
static int print(const char *before, json_t *value, size_t flags)
{
	bool is_whole = value && !memory_is_short;

	/*
	 * main() checks standard output for write errors after the verb has run, so
	 * print() does not.
	 */
	if (is_whole) {
		fputs(before, stdout);
		json_dumpf(value, stdout, flags);
	}
	json_decref(value);
	return is_whole && !memory_is_short ? 0 : error("not enough memory");
}

int json_print(json_t *document)
{
	if (print("", document, JSON_REAL_PRECISION(12)))
		return -1;
	putchar('\n');
	return EXIT_YES;
}

int json_print_line(json_t *object)
{
	if (print("", object, JSON_COMPACT))
		return -1;
	putchar('\n');
	return 0;
}

void json_stream_begin(struct json_stream *stream)
{
	stream->started = false;
	putchar('[');
}

int json_stream_element(struct json_stream *stream, json_t *element)
{
	if (print(stream->started ? ",\n" : "\n", element, JSON_ENCODE_ANY))
		return -1;
	stream->started = true;
	return 0;
}

void json_stream_end(struct json_stream *stream)
{
	fputs(stream->started ? "\n]\n" : "]\n", stdout);
}

int json_set_text(json_t *object, const char *key, const char *text, size_t length)
{
	json_t *string = json_stringn(text, length);
	char name[32], *hex;
	size_t i;
	int ret;

	if (string)
		return json_object_set_new(object, key, string);
	hex = take_memory(2 * length + 1);
	if (!hex)
		return -1;
	for (i = 0; i < length; i++)
		sprintf(hex + 2 * i, "%02x", (unsigned char)text[i]);
	snprintf(name, sizeof(name), "%s_hex", key);
	json_object_del(object, key);
	ret = json_object_set_new(object, name, json_stringn(hex, 2 * length));
	free(hex);
	return ret;
}

static json_t *json_of_lengths(const __u64 *words, int max_plen)
{
	json_t *array = json_array();
	int i;

	for (i = 0; i <= max_plen; i++)
		if (words[i / 64] >> i % 64 & 1)
			json_array_append_new(array, json_integer(i));
	return array;
}

/* The integers of Jansson are signed: write INT64_MAX for a larger number. */
static void set_number(json_t *object, const char *key, __u64 value)
{
	if (value > INT64_MAX)
		value = INT64_MAX;
	json_object_set_new(object, key, json_integer(value));
}

static json_t *json_of_bits(const struct keyword *keywords, __u64 bits)
{
	json_t *array = json_array();

	for (; keywords->name; keywords++)
		if (bits & keywords->value)
			json_array_append_new(array,
					      json_string(keywords->name));
	return array;
}

void json_set_refused(json_t *object, __u64 refused)
{
	if (refused)
		set_number(object, "refused", refused);
}

void json_set_returns(json_t *object, __u64 returns)
{
	if (returns)
		set_number(object, "carriage_returns", returns);
}

/* Write a rate of 0, such as the rate of an exact filter, as 0, not as 0.0. */
static void set_rate(json_t *object, const char *key, double rate)
{
	json_object_set_new(object, key, rate > 0 ? json_real(rate) :
						    json_integer(0));
}

static void set_approximation(json_t *object,
			      const struct kcuckoo_ioc_info *info)
{
	set_number(object, "bits", info->tag_bits);
	set_number(object, "doublings", info->doublings);
	set_rate(object, "fpr", ldexp(info->fpr, -32));
	set_rate(object, "expected_fpr", kcuckoo_expected_fpr(info, 0));
	if (info->type == KCUCKOO_TYPE_INET)
		set_rate(object, "innocent_ipv4", kcuckoo_false_positives_ipv4(info));
	else
		json_object_set_new(object, "innocent_ipv4", json_null());
}

json_t *json_of_info(const char *name, const struct kcuckoo_ioc_info *info)
{
	bool timeouts = info->create_flags & KCUCKOO_CREATE_TIMEOUT;
	json_t *object = json_pack("{s:s, s:s, s:s, s:f, s:f}",
		"name", name,
		"type", keyword_name(type_keywords, info->type),
		"hash", keyword_name(hash_keywords, info->hash),
		"load_factor", info_load(info),
		"fill", info->max_load / 100.0);

	set_approximation(object, info);
	json_object_set_new(object, "traits",
			    json_of_bits(trait_keywords, info->create_flags));
	set_number(object, "entries", info->members);
	set_number(object, "entries_ipv4", info->members_ipv4);
	set_number(object, "entries_ipv6", info->members_ipv6);
	set_number(object, "expiring", info->members_with_timeout);
	set_number(object, "capacity", info->capacity);
	set_number(object, "memory_bytes", info->memory_bytes);
	set_number(object, "rules", info->rules);
	json_object_set_new(object, "managed",
			    json_boolean(info->info_flags & KCUCKOO_INFO_MANAGED));
	json_object_set_new(object, "packets",
			    json_boolean(info->info_flags & KCUCKOO_INFO_PACKETS));
	set_number(object, "changes", info->changes);
	set_number(object, "bucket_size", info->bucket_size);
	set_number(object, "value_bits", info->value_bits);
	json_object_set_new(object, "timeout", timeouts ?
			    json_integer(info->timeout) : json_null());
	set_number(object, "steps", info->search_limit);
	set_number(object, "slots", info->table_entries);
	set_number(object, "slots_used", info->table_entries_used);
	set_number(object, "searches", info->searches);
	set_number(object, "moves", info->moves);
	set_number(object, "growths", info->growths);
	set_number(object, "refused", info->refused);
	set_number(object, "packet_added", info->packet_added);
	set_number(object, "packet_deleted", info->packet_deleted);
	set_number(object, "packet_full", info->packet_full);
	set_number(object, "packet_limited", info->packet_limited);
	set_number(object, "packet_refused", info->packet_refused);
	json_object_set_new(object, "lengths_ipv4",
			    json_of_lengths(&info->plens_ipv4, 32));
	json_object_set_new(object, "lengths_ipv6",
			    json_of_lengths(info->plens_ipv6, 128));
	return object;
}

static int set_device(json_t *object, const char *key, const __u8 *name)
{
	return *name ? json_set_text(object, key, (const char *)name,
				     strlen((const char *)name)) : 0;
}

static json_t *json_of_log(const struct kcuckoo_rule *rule)
{
	if (!rule->log)
		return json_null();
	return json_pack("{s:o, s:i, s:b}", "group",
			 rule->log == KCUCKOO_LOG_NFLOG ?
			 json_integer(rule->log_group) : json_null(),
			 "limit", rule->log_limit ? rule->log_limit :
						    KCUCKOO_LOG_LIMIT,
			 "off", rule->log_off);
}

json_t *json_of_rule(const struct kcuckoo_rule *rule)
{
	char action[ACTION_TEXT];
	json_t *object = json_pack("{s:s,s:s,s:s,s:s,s:s,s:s?,s:s?,s:n,s:n,s:b,s:b,s:b,s:b,s:b,s:I,s:I}",
		"filter", (const char *)rule->name,
		"hook", keyword_name(hook_keywords, rule->hook),
		"family", keyword_name(family_keywords, rule->family),
		"match", keyword_name(match_keywords, rule->match),
		"action", action_text(rule, action),
		"allow", *rule->allow ? (const char *)rule->allow : NULL,
		"label", *rule->label ? (const char *)rule->label : NULL,
		"dev",
		"wait_dev",
		"active", !rule->flags,
		"waiting", !!(rule->flags & KCUCKOO_RULE_WAITING),
		"dev_waiting", !!(rule->flags & KCUCKOO_RULE_DEV_WAITING),
		"dead", !!(rule->flags & RULE_SLOT_MISSING),
		"no_ethernet", !!(rule->flags & RULE_NO_ETHERNET),
		"packets", (json_int_t)rule->packets,
		"bytes", (json_int_t)rule->bytes);
	if (set_device(object, "dev", rule->dev) ||
	    set_device(object, "wait_dev", rule->pattern)) {
		json_decref(object);
		return NULL;
	}
	if (rule->action == KCUCKOO_ACTION_MARK)
		set_number(object, "mark", rule->mark);
	json_object_set_new(object, "log", json_of_log(rule));
	return object;
}

json_t *json_of_stats(const struct kcuckoo_ioc_stats *stats)
{
	json_t *object = json_object();
	char text[VERSION_TEXT];

	set_number(object, "filters", stats->filters);
	set_number(object, "waiting", stats->waiting);
	set_number(object, "max_filters", stats->max_filters);
	set_number(object, "rules", stats->rules);
	set_number(object, "entries", stats->members);
	set_number(object, "memory_bytes", stats->memory_bytes);
	set_number(object, "max_bytes", stats->max_bytes);
	json_object_set_new(object, "version", stats->version ?
			    json_string(version_text(stats->version, text)) :
			    json_null());
	json_object_set_new(object, "features",
			    json_of_bits(feature_keywords, stats->features));
	return object;
}
