/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions keep in the cache what servers sent, so that servers do not
 * send an unchanged list again. list.c and parts.c call them.
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
 * @etag: entity tag of the body, or empty
 * @modified: date of the modification of the body, or empty
 */
struct copy {
	char body[FILE_NAME];
	char meta[FILE_NAME];
	char etag[DOWNLOAD_ETAG];
	char modified[DOWNLOAD_DATE];
};

/*
 * Find the copy of @url of the list @name. If the copy is missing or damaged,
 * @etag and @modified are empty.
 */
void copy_find(const struct state *state, const char *name, const char *url,
	       struct copy *copy);

/*
 * Begin to replace the body. The caller writes the new one to the descriptor of
 * @update. Return: 0 or a negative errno.
 */
int copy_begin(const struct state *state, const struct copy *copy,
	       struct file_update *update);

/*
 * Keep the new body, for which the server sent the validators of @result.
 * Return: 0 or a negative errno.
 */
int copy_finish(const struct state *state, struct copy *copy,
		struct file_update *update, const struct download_result *result);

#endif /* KCUCKOO_CLI_COPY_H */
