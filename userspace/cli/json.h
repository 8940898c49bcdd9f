/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcuckoo: print JSON on standard output
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
 * Print an array element by element, because it may be too long for memory:
 * begin, any number of elements, end.
 */
struct json_stream {
	bool started;
};

void json_stream_begin(struct json_stream *stream);
int json_stream_element(struct json_stream *stream, json_t *element);
void json_stream_end(struct json_stream *stream);

/*
 * Set a member of an object to text of any bytes. JSON cannot represent text
 * that is not UTF-8: it is printed in hexadecimal, with "_hex" appended to the
 * name @key. Return: 0, or -1 without memory.
 */
int json_set_text(json_t *object, const char *key, const char *text, size_t length);

/*
 * Add the number of keys that were refused for too many copies to a summary, if
 * any.
 */
void json_set_refused(json_t *object, __u64 refused);

/*
 * Add the number of lines whose carriage return was removed to a summary, if
 * any.
 */
void json_set_returns(json_t *object, __u64 returns);

/* Return: objects of the documented schema. */
json_t *json_of_info(const char *name, const struct kcuckoo_ioc_info *info);
json_t *json_of_rule(const struct kcuckoo_rule *rule);
json_t *json_of_stats(const struct kcuckoo_ioc_stats *stats);

#endif /* KCUCKOO_CLI_JSON_H */
