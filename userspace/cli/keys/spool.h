/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A spool holds keys in a temporary file. The verb load uses it for lists whose
 * keys take too much memory.
 */
#ifndef KCUCKOO_CLI_SPOOL_H
#define KCUCKOO_CLI_SPOOL_H

#include <stdio.h>

#include "keys/collection.h"

/**
 * struct spool - keys in a temporary file, in the order in which they were
 *	written. A spool that is all zero is empty
 * @file: the file, NULL before the first spool_write()
 * @writes: number of calls of spool_write()
 */
struct spool {
	FILE *file;
	unsigned int writes;
};

void spool_free(struct spool *spool);

/*
 * Move all keys of a collection to the end of the spool. Return: 0, or -1 after
 * an error message.
 */
int spool_write(struct spool *spool, struct collection *collection);

/*
 * Go to the first key. After this call, keys can be read but no longer written.
 */
void spool_rewind(struct spool *spool);

/*
 * Add the next keys to a collection, until its keys take more than @limit
 * bytes. The collection must have the settings with which the keys were
 * written. Return: 1 if keys may be left; 0 at the end; or -1 after an error
 * message.
 */
int spool_read(struct spool *spool, struct collection *collection, size_t limit);

#endif /* KCUCKOO_CLI_SPOOL_H */
