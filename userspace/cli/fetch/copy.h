/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions keep the last body that a server sent for each URL in the cache, so that
 * servers need not send an unchanged list again.
 */
#ifndef KCUCKOO_CLI_COPY_H
#define KCUCKOO_CLI_COPY_H

#include "fetch/canonical.h"
#include "fetch/download.h"
#include "fetch/state.h"

/**
 * struct cached_body - the body that a server sent for a URL of a list, in the cache
 * @body: name of the file with the body
 * @meta: name of the file that describes the body
 * @etag: entity tag of the body (header ETag), or empty
 * @modified: date of the modification of the body (header Last-Modified), or empty
 */
struct cached_body {
	char body[FILE_NAME];
	char meta[FILE_NAME];
	char etag[DOWNLOAD_ETAG];
	char modified[DOWNLOAD_DATE];
};

/**
 * cached_body_find() - find the cached body of a URL
 * @state: the folders of lists, from state_open()
 * @name: name of the list
 * @url: the URL
 * @cached: out: the cached body. If one of its files is missing or damaged, @etag and
 *	@modified of @cached are empty, so that the server sends the body again
 */
void cached_body_find(const struct state *state, const char *name, const char *url,
		      struct cached_body *cached);

/**
 * cached_body_begin() - begin to replace the cached body of a URL
 * @state: the folders of lists, from state_open()
 * @cached: the cached body, from cached_body_find()
 * @update: out: state of the replacement. The caller writes the new body to @fd of
 *	@update, and then calls cached_body_finish(); or file_finish() with an error, to
 *	keep the old body
 *
 * Return: 0 or a negative errno.
 */
int cached_body_begin(const struct state *state, const struct cached_body *cached,
		      struct file_update *update);

/**
 * cached_body_finish() - replace the old body by the new body, and write its description
 * @state: the folders of lists, from state_open()
 * @cached: the cached body, from cached_body_find()
 * @update: state of the replacement, from cached_body_begin()
 * @result: the answer of the server, with @size, @etag and @modified of the new body
 *
 * Return: 0; -EIO if the size of the file is not @size of @result; or another negative
 * errno.
 */
int cached_body_finish(const struct state *state, struct cached_body *cached,
		       struct file_update *update, const struct download_result *result);

#endif /* KCUCKOO_CLI_COPY_H */
