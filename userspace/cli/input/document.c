// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions read JSON documents from a stream of bytes. A stream is either one
 * document, or JSON lines: one document on each line.
 *
 * If the first line of a stream, not counting blank lines, is a whole document, the
 * stream counts as JSON lines. If a document begins on this line and does not end there,
 * the stream counts as one document. JSON lines are read one by one, so a stream of JSON
 * lines can be larger than memory.
 */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/document.h"

/* Initial size of the buffer @text of struct documents, in bytes. */
#define BUFFER_MIN	(64u << 10)

/*
 * @used: memory that jansson uses, in bytes. @limit: maximum of @used. @failed: an
 * allocation has failed since the start of the current document. @outer: while no document is
 * parsed, the function that allocates memory: the caller can depend on it, as json.c does.
 *
 * jansson passes no context to the functions that allocate memory, so these variables
 * are global.
 */
static size_t used, limit = SIZE_MAX;
static bool failed;
static json_malloc_t outer;

static void *take_memory(size_t size)
{
	void *memory;

	if (limit == SIZE_MAX)
		return outer(size);
	memory = used > limit || size > limit - used ? NULL : malloc(size);
	if (memory)
		used += malloc_usable_size(memory);
	else
		failed = true;
	return memory;
}

static void free_memory(void *memory)
{
	size_t size = malloc_usable_size(memory);

	/* @used does not count memory that was allocated while no document was parsed. */
	used -= size < used ? size : used;
	free(memory);
}

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

bool document_is_json(const char *bytes, size_t length)
{
	const char *at = bytes, *end = bytes + length;
	char first;

	while (at < end && is_space(*at))
		at++;
	if (at == end || (*at != '{' && *at != '['))
		return false;
	first = *at++;
	while (at < end && is_space(*at))
		at++;
	if (at == end)
		return true;
	/* A plain list can begin with "[name]" or "[2001:db8::1]:80", which is not JSON. */
	if (first == '{')
		return *at == '"' || *at == '}';
	return *at == '"' || *at == '{' || *at == '[' || *at == ']';
}

int documents_begin(struct documents *documents, document_feed feed,
		    void *context)
{
	memset(documents, 0, sizeof(*documents));
	documents->feed = feed;
	documents->context = context;
	documents->line = 1;
	documents->size = BUFFER_MIN;
	documents->text = malloc(documents->size);
	if (!documents->text)
		return -1;
	json_get_alloc_funcs(&documents->old_malloc, &documents->old_free);
	outer = documents->old_malloc;
	json_set_alloc_funcs(take_memory, free_memory);
	return 0;
}

void documents_end(struct documents *documents)
{
	free(documents->text);
	documents->text = NULL;
	limit = SIZE_MAX;
	if (documents->old_malloc)
		json_set_alloc_funcs(documents->old_malloc, documents->old_free);
	documents->old_malloc = NULL;
}

static int fail(struct documents *documents, __u64 number, const char *why)
{
	documents->number = number;
	snprintf(documents->why, sizeof(documents->why), "%s", why);
	return -1;
}

static int ensure_space(struct documents *documents)
{
	char *text;

	if (documents->at) {
		memmove(documents->text, documents->text + documents->at,
			documents->end - documents->at);
		documents->end -= documents->at;
		documents->at = 0;
	}
	if (documents->end < documents->size)
		return 0;
	text = realloc(documents->text, 2 * documents->size);
	if (!text)
		return fail(documents, documents->line, "not enough memory");
	documents->text = text;
	documents->size *= 2;
	return 0;
}

static int read_more(struct documents *documents)
{
	ssize_t done;

	if (documents->end - documents->at > DOCUMENT_MAX) {
		fail(documents, documents->line, "");
		snprintf(documents->why, sizeof(documents->why),
			 "a JSON document has at most %u MiB; JSON lines, with one document on each line, may have any size",
			 DOCUMENT_MAX >> 20);
		return -1;
	}
	if (ensure_space(documents))
		return -1;
	done = documents->feed(documents->context,
			       documents->text + documents->end,
			       documents->size - documents->end);
	documents->feed_failed = done < 0;
	if (done < 0)
		return -1;
	documents->ended = !done;
	documents->end += done;
	return 0;
}

/*
 * Skip blanks and newlines. Return: 1 if text follows; 0 at the end; or -1 with @why or
 * @feed_failed set.
 */
static int skip_space(struct documents *documents)
{
	for (;;) {
		while (documents->at < documents->end &&
		       is_space(documents->text[documents->at]))
			documents->line += documents->text[documents->at++] == '\n';
		if (documents->at < documents->end)
			return 1;
		if (documents->ended)
			return 0;
		if (read_more(documents))
			return -1;
	}
}

static int find_line(struct documents *documents, size_t *length)
{
	size_t searched = 0;

	for (;;) {
		char *at = documents->text + documents->at;
		size_t available = documents->end - documents->at;
		char *newline = memchr(at + searched, '\n', available - searched);

		*length = newline ? (size_t)(newline - at) : available;
		if (newline || documents->ended)
			return 0;
		searched = available;
		if (read_more(documents))
			return -1;
	}
}

/* Some texts of jansson are clear only to programmers, and are replaced. */
static const char *error_text(const json_error_t *error)
{
	switch (json_error_code(error)) {
	case json_error_invalid_utf8:
		return "the text is not UTF-8";
	case json_error_null_character:
	case json_error_null_byte_in_key:
		return "a string contains a zero byte";
	case json_error_stack_overflow:
		return "arrays and objects are nested too deep";
	default:
		return error->text;
	}
}

/*
 * Return: the number of the line with a zero byte at or before the error, or 0. jansson takes a
 * zero byte outside of strings for the end of the file.
 */
static __u64 find_zero(const struct documents *documents, size_t length,
		       const json_error_t *error)
{
	const char *text = documents->text + documents->at;
	const char *zero = memchr(text, 0, length), *at;
	__u64 number = documents->line;

	if (!zero || zero - text > error->position)
		return 0;
	for (at = text; at < zero; at++)
		number += *at == '\n';
	return number;
}

/* Set @why for an error of jansson in the @length bytes at @at of @documents. Return: -1. */
static int fail_parse(struct documents *documents, size_t length,
		      const json_error_t *error)
{
	__u64 zero = find_zero(documents, length, error);
	__u64 number = documents->line + (error->line > 0 ? error->line - 1 : 0);

	/* jansson does not always report a failed allocation, so check @failed. */
	if (!failed && zero)
		return fail(documents, zero, "the text contains a zero byte");
	if (!failed)
		return fail(documents, number, error_text(error));
	fail(documents, documents->line, "");
	snprintf(documents->why, sizeof(documents->why),
		 "the JSON document takes more than %u MiB of memory", DOCUMENT_MEMORY >> 20);
	return -1;
}

static json_t *parse(const struct documents *documents, size_t length,
		     json_error_t *error)
{
	json_t *document;

	limit = used + DOCUMENT_MEMORY;
	failed = false;
	memset(error, 0, sizeof(*error));
	document = json_loadb(documents->text + documents->at, length,
			      JSON_REJECT_DUPLICATES, error);
	limit = SIZE_MAX;
	return document;
}

static int read_whole(struct documents *documents, json_t **document)
{
	json_error_t error;

	while (!documents->ended)
		if (read_more(documents))
			return -1;
	*document = parse(documents, documents->end - documents->at, &error);
	if (!*document)
		return fail_parse(documents, documents->end - documents->at, &error);
	documents->whole = true;
	documents->count++;
	return 1;
}

int documents_next(struct documents *documents, json_t **document)
{
	json_error_t error;
	size_t length;
	int ret;

	if (documents->whole)
		return 0;
	ret = skip_space(documents);
	if (ret <= 0)
		return ret;
	documents->number = documents->line;
	if (find_line(documents, &length))
		return -1;
	*document = parse(documents, length, &error);
	if (!*document && !documents->count &&
	    json_error_code(&error) == json_error_premature_end_of_input)
		return read_whole(documents, document);
	if (!*document)
		return fail_parse(documents, length, &error);
	documents->count++;
	documents->at += length;
	return 1;
}
