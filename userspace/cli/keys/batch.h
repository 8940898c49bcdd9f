/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcuckoo: a collection, batch by batch, as the library takes it
 */
#ifndef KCUCKOO_CLI_BATCH_H
#define KCUCKOO_CLI_BATCH_H

#include "keys/collection.h"

/**
 * struct batch - some keys of a collection
 * @keys: what the library takes: the keys, with the values and timeouts that the
 *	collection has, and room for results
 * @prefixes: room for the addresses and prefixes of a batch
 * @notes: room for what belongs to them
 * @values: room for their values
 * @old_values: room for the values that they have now
 * @timeouts: room for their timeouts
 * @results: room for what becomes of them
 * @found: room for the values that keys are found to have, or NULL
 * @found_counts: and for their numbers
 * @plens: room for the lengths of members that cover them, or NULL
 * @valued: the keys have values; where there are keys of both kinds, those that
 *	have one come behind all others
 * @next: number of the first key behind the batch
 * @bytes: where its bytes begin, in a collection of byte strings
 */
struct batch {
	struct kcuckoo_batch keys;
	struct kcuckoo_prefix *prefixes;
	struct note *notes;
	__u32 *values;
	__u32 *old_values;
	__u32 *timeouts;
	uint8_t *results;
	__u32 *found;
	uint8_t *found_counts;
	uint8_t *plens;
	bool valued;
	size_t next;
	size_t bytes;
};

/*
 * Return: 0, or -1 after an error message. End with batch_free() in any case.
 */
int batch_init(struct batch *batch);
void batch_free(struct batch *batch);

/*
 * Have kcuckoo_test() tell the values of keys, in @keys.found. Return: 0, or -1
 * after an error message.
 */
int batch_want_values(struct batch *batch);

/*
 * Have kcuckoo_test() with KCUCKOO_TEST_COVERED return the lengths of members that
 * cover keys. Return: 0, or -1 after an error message.
 */
int batch_want_plens(struct batch *batch);

/* The member that covers key number @i. */
struct kcuckoo_prefix batch_member(const struct batch *batch, size_t i);

/* Begin at the first key again. */
void batch_rewind(struct batch *batch);

/* Take the keys that follow, which stay where they are. Return: how many. */
size_t batch_read(struct batch *batch, const struct collection *collection);

/* Key number @i of the batch as text that no terminal obeys. */
const char *batch_text(const struct batch *batch, size_t i, char *buf,
		       size_t size);

/**
 * struct tally - what became of all batches
 * @sum: so many keys
 * @renewed: of the members that existed, those of batches with values or timeouts
 * @refused: the first key that was refused because of copies, as text
 */
struct tally {
	struct kcuckoo_counts sum;
	__u64 renewed;
	char refused[128];
};

/* Count what became of @batch. */
void tally_add(struct tally *tally, const struct batch *batch,
	       const struct kcuckoo_counts *result);

/* Tell of keys that the filter refused. Return: -1, or 0 if there are none. */
int tally_error(const struct tally *tally, const char *name);

#endif /* KCUCKOO_CLI_BATCH_H */
