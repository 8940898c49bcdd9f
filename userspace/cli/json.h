/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions print results as JSON on standard output, for verbs with the
 * option -j.
 */
#ifndef KCUCKOO_CLI_JSON_H
#define KCUCKOO_CLI_JSON_H

#include <jansson.h>

#include "cli.h"

/*
 * Set the functions with which Jansson allocates memory; main() calls json_init(). After
 * a failed allocation, a value can lack keys, so json_print(), json_print_line() and
 * json_stream_element() then fail.
 */
void json_init(void);

/*
 * Print and free a JSON document; NULL means that memory is short. Return:
 * EXIT_YES, or -1 after an error message.
 */
int json_print(json_t *document);

/* Print and free a JSON object in one line. Return: 0, or -1 after an error message. */
int json_print_line(json_t *object);

/*
 * State of a JSON array that is printed one element after the other, because all elements
 * together can need too much memory. @started: an element was printed.
 * json_stream_element() prints and frees @element. It returns 0, or -1 after an error
 * message if memory is short, for instance if @element is NULL.
 */
struct json_stream {
	bool started;
};

void json_stream_begin(struct json_stream *stream);
int json_stream_element(struct json_stream *stream, json_t *element);
void json_stream_end(struct json_stream *stream);

/*
 * Set @key of a JSON object to the @length bytes at @text. JSON cannot
 * represent text that is not UTF-8: such text is written in hexadecimal, and
 * "_hex" is appended to @key. Return: 0, or -1 if memory is short.
 */
int json_set_text(json_t *object, const char *key, const char *text, size_t length);

/*
 * Set the key "refused" of the summary @object to @refused, the number of keys that the
 * filter refused, unless @refused is 0. A filter refuses a key if entries with the
 * fingerprint of the key fill both buckets of the key.
 */
void json_set_refused(json_t *object, __u64 refused);

/*
 * Set the key "carriage_returns" of the summary @object to @returns, the number of lines
 * from which a carriage return was removed, unless @returns is 0.
 */
void json_set_returns(json_t *object, __u64 returns);

/*
 * Return: a filter, a rule or the statistics of the namespace as a JSON object with
 * the keys that are documented in kcuckoo(8). If memory is short, return NULL, or an
 * object that lacks keys. The caller frees the object.
 */
json_t *json_of_info(const char *name, const struct kcuckoo_ioc_info *info);
json_t *json_of_rule(const struct kcuckoo_rule *rule);
json_t *json_of_stats(const struct kcuckoo_ioc_stats *stats);

#endif /* KCUCKOO_CLI_JSON_H */
