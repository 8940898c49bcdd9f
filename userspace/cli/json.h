/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcuckoo: JSON on standard output
 */
#ifndef KCUCKOO_CLI_JSON_H
#define KCUCKOO_CLI_JSON_H

#include <jansson.h>

#include "cli.h"

/*
 * Print one document and end it. Return: EXIT_YES, or -1 after an error
 * message.
 */
int json_print(json_t *document);

/*
 * An array that may be too long for memory, printed element by element: begin,
 * any number of elements, end.
 */
struct json_stream {
	bool started;
};

void json_stream_begin(struct json_stream *stream);
int json_stream_element(struct json_stream *stream, json_t *element);
void json_stream_end(struct json_stream *stream);

/*
 * Into an object, text of any bytes: what is no UTF-8 cannot stand in JSON, and is told
 * in hexadecimal, under the name @key with "_hex" behind it. Return: 0, or -1 without
 * memory.
 */
int json_set_text(json_t *object, const char *key, const char *text, size_t length);

/* Into a summary of an add, where keys were refused because of copies. */
void json_set_refused(json_t *object, __u64 refused);

/* Into a summary, where carriage returns at the end of lines were left out. */
void json_set_returns(json_t *object, __u64 returns);

/* The objects of the documented schema. */
json_t *json_of_info(const char *name, const struct kcuckoo_ioc_info *info);
json_t *json_of_rule(const struct kcuckoo_rule *rule);
json_t *json_of_stats(const struct kcuckoo_ioc_stats *stats);

#endif /* KCUCKOO_CLI_JSON_H */
