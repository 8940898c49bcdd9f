/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A collection holds the keys of a command, which come from operands and files.
 */
#ifndef KCUCKOO_CLI_COLLECTION_H
#define KCUCKOO_CLI_COLLECTION_H

#include "args.h"
#include "input/input.h"
#include "keys/byteset.h"
#include "keys/keyset.h"

/*
 * Keys per call of the library: enough to make the cost of a call negligible.
 */
#define BATCH	65536

/* Number of bytes after which no more byte strings are added to a batch. */
#define BATCH_BYTES	(4 << 20)

/**
 * struct collection - the keys of a command
 * @syntax: how the keys are written
 * @note: value and timeout of keys without their own
 * @valued: some keys have a value
 * @unvalued: some keys have no value; if such a key is a member already, it keeps
 *	its value in the filter
 * @old_value: with @old_named, update only members that have this value
 * @old_named: --old was given
 * @partitions: if not 0, keys are divided into this number of partitions by
 *	their hash, and only keys of one partition are added
 * @partition: the number of that partition, from 0
 * @numbered: each key or range gets a number, which is the value in the note of
 *	each prefix that is made from it
 * @number: number of the next key or range
 * @keys: addresses and prefixes; ranges are split into prefixes
 * @strings: byte strings
 * @read: number of keys and ranges that were read
 * @ranges: number of ranges among these
 * @host_bits: number of keys among these whose host bits were cleared
 * @notes: what was changed in the input, such as its compression, to be reported
 * @columns: for each meaning of columns, how many lines were read in that way
 */
struct collection {
	struct syntax syntax;
	struct note note;
	bool valued;
	bool unvalued;
	__u32 old_value;
	bool old_named;
	unsigned int partitions;
	unsigned int partition;
	bool numbered;
	__u32 number;
	struct keyset keys;
	struct byteset strings;
	__u64 read;
	__u64 ranges;
	__u64 host_bits;
	struct input_notes notes;
	struct input_columns columns;
};

/* Begin an empty collection. Release it with collection_free(). */
void collection_init(struct collection *collection, const struct syntax *syntax,
		     const struct note *note);
void collection_free(struct collection *collection);

/*
 * Set @numbered, and keep a note with each key. The collection must be empty.
 */
void collection_number(struct collection *collection);

/* Remove all keys. */
void collection_clear(struct collection *collection);

size_t collection_count(const struct collection *collection);

/*
 * Return: the number of bytes that the keys take, including the bytes that a
 * search for repeated keys needs.
 */
size_t collection_bytes(const struct collection *collection);

/*
 * Add the key of a line, or the prefixes of its range. With @partitions, skip
 * keys of other partitions. Return: 0, or -1 after an error message.
 */
int collection_add(struct collection *collection, const struct line *line);

/*
 * Add one prefix with its note, or one byte string. Return: 0, or -1 after an error
 * message.
 */
int collection_add_prefix(struct collection *collection,
			  const struct kcuckoo_prefix *key,
			  const struct note *note);
int collection_add_string(struct collection *collection, const void *bytes,
			  size_t length);

/*
 * Read all keys of a command: first the operands after the name of the filter,
 * then the files. One bad key is an error. Return: 0, or -1 after an error
 * message.
 */
int collection_read(const struct args *args, struct collection *collection);

/* Parse the operand @word as a key into @line. */
void syntax_parse_operand(const struct syntax *syntax, const char *word,
			  struct line *line);

#endif /* KCUCKOO_CLI_COLLECTION_H */
