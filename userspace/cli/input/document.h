/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions read JSON documents from a stream of bytes. A stream is either one document,
 * or JSON lines: one document on each line.
 */
#ifndef KCUCKOO_CLI_DOCUMENT_H
#define KCUCKOO_CLI_DOCUMENT_H

#include <jansson.h>
#include <sys/types.h>

#include "cli.h"

/* Maximum size of a document in bytes. Tests set a smaller limit. */
#ifndef DOCUMENT_MAX
#define DOCUMENT_MAX	(32u << 20)
#endif

/*
 * Maximum memory of a parsed document in bytes. A text such as "[[],[],...]"
 * needs many times its own size.
 */
#ifndef DOCUMENT_MEMORY
#define DOCUMENT_MEMORY	(512u << 20)
#endif

/*
 * Function that reads bytes of the stream. Return: the number of bytes that were
 * written to @to; 0 at the end; or -1. After a return of 0, the function is not called
 * again.
 */
typedef ssize_t (*document_feed)(void *context, void *to, size_t size);

/**
 * struct documents - a stream of JSON documents
 * @feed: function that reads the stream
 * @context: first argument of @feed
 * @text: buffer for bytes of the stream
 * @size: size of @text in bytes
 * @at: offset in @text of the first byte that has not been parsed yet
 * @end: offset in @text of the end of the bytes in the buffer
 * @ended: the stream ends with the bytes in @text
 * @line: number of the line that contains the byte at @at
 * @count: number of documents that were read so far
 * @whole: the stream was read as one document
 * @number: number of the first line of the last document read; after an error, number of
 *	the line with the error
 * @feed_failed: @feed returned -1
 * @old_malloc: function with which jansson allocated memory before; or NULL
 * @old_free: function with which jansson freed memory before
 * @why: error text
 */
struct documents {
	document_feed feed;
	void *context;
	char *text;
	size_t size;
	size_t at;
	size_t end;
	bool ended;
	__u64 line;
	__u64 count;
	bool whole;
	__u64 number;
	bool feed_failed;
	json_malloc_t old_malloc;
	json_free_t old_free;
	char why[JSON_ERROR_TEXT_LENGTH];
};

/*
 * Return: true if the bytes begin like a JSON object, or like an array of strings, arrays or
 * objects.
 */
bool document_is_json(const char *bytes, size_t length);

/*
 * Begin to read documents from the stream that @feed reads. Until documents_end(),
 * functions of document.c allocate and count the memory of each document; other memory of
 * jansson is allocated by the function before.
 * Return: 0, or -1 if an allocation fails. The caller must call documents_end() even if
 * this function returns -1.
 */
int documents_begin(struct documents *documents, document_feed feed,
		    void *context);
/*
 * Free the buffer of @documents, and restore the functions with which jansson allocates memory.
 */
void documents_end(struct documents *documents);

/*
 * Read the next document. Return: 1, and the document in @document, which the caller
 * must free with json_decref(); 0 at the end; or -1 with @why and @number set, or with
 * @feed_failed set.
 */
int documents_next(struct documents *documents, json_t **document);

#endif /* KCUCKOO_CLI_DOCUMENT_H */
