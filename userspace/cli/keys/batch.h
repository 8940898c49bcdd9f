/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A batch holds keys in the arrays that one call of the library takes. batch_read() fills
 * a batch from a collection (collection.h). Other callers fill the arrays themselves.
 */
#ifndef KCUCKOO_CLI_BATCH_H
#define KCUCKOO_CLI_BATCH_H

#include "keys/collection.h"

/**
 * struct batch - keys for one call of the library
 * @keys: argument of a call of the library: the keys, their values and timeouts, and
 *	buffers for results
 * @prefixes: addresses and prefixes of the batch
 * @notes: values and timeouts of the keys, if the collection keeps notes
 * @values: values of the keys, in the array that the library reads
 * @old_values: with the option --old: for each key, the value that the member must have
 *	before the update
 * @timeouts: timeouts of the keys in seconds, in the array that the library reads
 * @results: the result for each key
 * @found: buffer for the values of the members that kcuckoo_test() finds, or NULL
 * @found_counts: buffer for the number of values in @found of each key, or NULL
 * @plens: buffer for the prefix lengths of members that cover the keys, see
 *	batch_want_plens(); or NULL
 * @valued: the keys of this batch have values. If only some keys of the collection have
 *	a value, batch_read() returns batches of keys without a value first, then
 *	batches of keys with a value
 * @next: index in the collection of the first key after this batch
 * @bytes_at: offset in @strings.bytes of the collection at which the byte strings of this
 *	batch begin
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
	size_t bytes_at;
};

/*
 * Allocate the buffers of a batch. The caller calls batch_free() even after an error. Return: 0,
 * or -1 after an error message.
 */
int batch_init(struct batch *batch);

void batch_free(struct batch *batch);

/*
 * Allocate @found and @found_counts, and make kcuckoo_test() fill these buffers. Return:
 * 0, or -1 after an error message.
 */
int batch_want_values(struct batch *batch);

/*
 * Allocate @plens, for exact filters only. kcuckoo_test() with KCUCKOO_TEST_COVERED then
 * writes to @plens, for each present key, the prefix length of the longest member that
 * covers the key. Other elements of @plens have no meaning. Return: 0, or -1 after an
 * error message.
 */
int batch_want_plens(struct batch *batch);

/*
 * Return: the member that covers key number @i of the batch. kcuckoo_test() must have
 * written the prefix length of this member to @plens.
 */
struct kcuckoo_prefix batch_member(const struct batch *batch, size_t i);

/* Let the next batch_read() start at the first key of the collection. */
void batch_rewind(struct batch *batch);

/*
 * Read the next keys of a collection to the batch, at most BATCH keys, and set @keys of
 * @batch. Byte strings are not copied, so a change of the collection makes the batch
 * invalid. After a change, the caller calls batch_rewind() before the next batch_read().
 * Return: the number of keys, 0 at the end.
 */
size_t batch_read(struct batch *batch, const struct collection *collection);

/*
 * Write key number @i of the batch as text to @buf, a buffer of @size bytes. escape()
 * (message.h) escapes the text, and shortens it if it does not fit. Return: @buf.
 */
const char *batch_text(const struct batch *batch, size_t i, char *buf,
		       size_t size);

/**
 * struct tally - sum of the results of all batches of an add, delete or update
 * @sum: number of keys with each result. @present, a result of kcuckoo_test(), is not used
 * @maybe_changed: number of keys that were already members, in batches with values or timeouts:
 *	the add can have changed the values and timeouts of these members
 * @refused: text of the first key that the filter refused. A filter refuses a key if
 *	copies of its fingerprint fill both buckets of the key
 */
struct tally {
	struct kcuckoo_counts sum;
	__u64 maybe_changed;
	char refused[128];
};

/* Add @result, the result of an add, delete or update of @batch, to @tally. */
void tally_add(struct tally *tally, const struct batch *batch,
	       const struct kcuckoo_counts *result);

/*
 * Print an error if the filter @name refused keys. Return: -1 after an error message,
 * or 0 if the filter refused no key.
 */
int tally_error(const struct tally *tally, const char *name);

#endif /* KCUCKOO_CLI_BATCH_H */
