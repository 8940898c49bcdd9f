/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions keep the last answer of a server for each URL in the cache, so that
 * servers need not send an unchanged list again. list.c and parts.c call them.
 */
#ifndef KCUCKOO_CLI_COPY_H
#define KCUCKOO_CLI_COPY_H

#include "fetch/canonical.h"
#include "fetch/download.h"
#include "fetch/state.h"

/**
 * struct copy - the body that a server sent for a URL of a list, in the cache
 * @body: name of the file with the body
 * @meta: name of the file that describes the body
 * @etag: entity tag of the body (header ETag), or empty
 * @modified: date of the modification of the body (header Last-Modified), or empty
 */
struct copy {
	char body[FILE_NAME];
	char meta[FILE_NAME];
	char etag[DOWNLOAD_ETAG];
	char modified[DOWNLOAD_DATE];
};

/**
 * copy_find() - find the copy of the body of a URL
 * @state: the folders
 * @name: name of the list
 * @url: the URL
 * @copy: out: the copy. If its files are missing or damaged, @etag and @modified are
 *	empty, so that the server sends the body again
 */
void copy_find(const struct state *state, const char *name, const char *url,
	       struct copy *copy);

/**
 * copy_begin() - begin to replace a body
 * @state: the folders
 * @copy: the copy, from copy_find()
 * @update: out: state of the replacement. The caller writes the new body to @fd of
 *	@update, and then calls copy_finish(); or file_finish() with an error, to keep
 *	the old body
 *
 * Return: 0 or a negative errno.
 */
int copy_begin(const struct state *state, const struct copy *copy,
	       struct file_update *update);

/**
 * copy_finish() - keep the new body, and write its description
 * @state: the folders
 * @copy: the copy, from copy_find()
 * @update: state of the replacement, from copy_begin()
 * @result: the answer of the server, with @etag and @modified of the new body
 *
 * Return: 0 or a negative errno.
 */
int copy_finish(const struct state *state, struct copy *copy,
		struct file_update *update, const struct download_result *result);

#endif /* KCUCKOO_CLI_COPY_H */
