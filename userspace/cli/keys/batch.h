/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcuckoo: split a collection of keys into batches for the library
 */
#ifndef KCUCKOO_CLI_BATCH_H
#define KCUCKOO_CLI_BATCH_H

#include "keys/collection.h"

/**
 * struct batch - some keys of a collection
 * @keys: what the library takes: the keys, with the values and timeouts of the
 *	collection, and buffers for results
 * @prefixes: addresses and prefixes of the batch
 * @notes: their values and timeouts
 * @values: their values
 * @old_values: the values that they have now
 * @timeouts: their timeouts
 * @results: the result for each key
 * @found: buffer for the values of keys that are found, or NULL
 * @found_counts: buffer for the numbers of these values, or NULL
 * @plens: buffer for the lengths of members that cover the keys, or NULL
 * @valued: the keys have values; where there are keys of both kinds, those with
 *	a value come last
 * @next: number of the first key after the batch
 * @bytes: offset of its bytes, in a collection of byte strings
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
 * Have kcuckoo_test() return the values of keys in @keys.found. Return: 0, or
 * -1 after an error message.
 */
int batch_want_values(struct batch *batch);

/*
 * Have kcuckoo_test() with KCUCKOO_TEST_COVERED return the lengths of members that
 * cover keys. Return: 0, or -1 after an error message.
 */
int batch_want_plens(struct batch *batch);

/* The member that covers key number @i. */
struct kcuckoo_prefix batch_member(const struct batch *batch, size_t i);

/* Start again at the first key. */
void batch_rewind(struct batch *batch);

/* Read the next keys. The collection keeps them. Return: how many. */
size_t batch_read(struct batch *batch, const struct collection *collection);

/* Write key number @i of the batch as text, with control characters escaped. */
const char *batch_text(const struct batch *batch, size_t i, char *buf,
		       size_t size);

/**
 * struct tally - sum of the results of all batches
 * @sum: keys by result
 * @renewed: members that existed before, in batches with values or timeouts
 * @refused: the first key that was refused for too many copies, as text
 */
struct tally {
	struct kcuckoo_counts sum;
	__u64 renewed;
	char refused[128];
};

/* Add the result of @batch. */
void tally_add(struct tally *tally, const struct batch *batch,
	       const struct kcuckoo_counts *result);

/*
 * Print an error if the filter refused keys. Return: -1, or 0 if it refused
 * none.
 */
int tally_error(const struct tally *tally, const char *name);

#endif /* KCUCKOO_CLI_BATCH_H */
