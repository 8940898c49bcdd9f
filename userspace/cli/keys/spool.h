/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcuckoo: keys in a temporary file
 */
#ifndef KCUCKOO_CLI_SPOOL_H
#define KCUCKOO_CLI_SPOOL_H

#include <stdio.h>

#include "keys/collection.h"

/**
 * struct spool - keys in a temporary file, in the order in which they came; all zero: none
 * @file: the file, NULL before the first spool_write()
 * @writes: how often keys were written
 */
struct spool {
	FILE *file;
	unsigned int writes;
};

void spool_free(struct spool *spool);

/*
 * Move all keys of a collection to the end of the spool. Return: 0, or -1 after an error
 * message.
 */
int spool_write(struct spool *spool, struct collection *collection);

/* Go to the first key. After this only spool_read() may follow. */
void spool_rewind(struct spool *spool);

/*
 * Add the next keys to a collection with the same settings, until it has more than @limit
 * bytes. Return: 1 if keys may be left, 0 at the end, -1 after an error message.
 */
int spool_read(struct spool *spool, struct collection *collection, size_t limit);

#endif /* KCUCKOO_CLI_SPOOL_H */
