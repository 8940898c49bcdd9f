/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A spool holds keys in a temporary file. The verb load moves keys to a spool if the
 * keys take too much memory.
 */
#ifndef KCUCKOO_CLI_SPOOL_H
#define KCUCKOO_CLI_SPOOL_H

#include <stdio.h>

#include "keys/collection.h"

/**
 * struct spool - keys in a temporary file, in the order in which they were
 *	written. A structure that is all zero is an empty spool
 * @file: the file; NULL before the first spool_write()
 * @writes: number of calls of spool_write()
 */
struct spool {
	FILE *file;
	unsigned int writes;
};

/* Close the temporary file. The kernel then deletes the file. */
void spool_free(struct spool *spool);

/*
 * Move all keys of a collection to the end of the spool. Return: 0, or -1 after
 * an error message.
 */
int spool_write(struct spool *spool, struct collection *collection);

/*
 * Let the next spool_read() start at the first key. The caller must not call
 * spool_write() after this function. The spool must not be empty.
 */
void spool_rewind(struct spool *spool);

/*
 * Add the next keys of the spool to a collection, until the keys of the collection take
 * more than @limit bytes. The collection must have the same syntax as the collection
 * from which the keys were written, and must keep notes if that collection kept notes.
 * Return: 1 if the spool can have more keys; 0 at the end; or -1 after an error
 * message.
 */
int spool_read(struct spool *spool, struct collection *collection, size_t limit);

#endif /* KCUCKOO_CLI_SPOOL_H */
