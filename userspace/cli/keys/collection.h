/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcuckoo: collect the keys of a command, from operands and from files
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

/* The same limit in bytes. */
#define BATCH_BYTES	(4 << 20)

/**
 * struct collection - keys on their way to the kernel
 * @syntax: how they are written
 * @note: value and timeout of keys without their own
 * @valued: there are keys with a value
 * @unvalued: there are keys without a value: members keep theirs
 * @old_value: only keys with this value now are updated, if @old_named
 * @old_named: --old was given
 * @partitions: number of partitions that keys are divided into by their hash;
 *	one of them is kept. 0: all keys are kept
 * @partition: the partition that is kept, from 0
 * @numbered: the value of the note of each prefix is the number of its key or
 *	range
 * @number: the next number
 * @keys: addresses and prefixes, ranges as prefixes
 * @strings: byte strings
 * @read: keys and ranges as they were written
 * @ranges: ranges among @read
 * @host_bits: keys among @read whose host bits were cleared
 * @notes: how files differ from what was read
 * @columns: how the columns of lists were interpreted
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

/* Begin a collection without keys. End with collection_free(). */
void collection_init(struct collection *collection, const struct syntax *syntax,
		     const struct note *note);
void collection_free(struct collection *collection);

/* Number the keys and ranges of addresses. The collection must be empty. */
void collection_number(struct collection *collection);

/* Remove all keys. */
void collection_clear(struct collection *collection);

size_t collection_count(const struct collection *collection);

/* Bytes that the keys take, with those that it takes to find repeated keys. */
size_t collection_bytes(const struct collection *collection);

/*
 * Add a line's key, or the prefixes of its range, if they belong to the part that is kept.
 * Return: 0, or -1 after an error message.
 */
int collection_add(struct collection *collection, const struct line *line);

/* The same for one prefix, with its note, and for one byte string. */
int collection_add_prefix(struct collection *collection,
			  const struct kcuckoo_prefix *key,
			  const struct note *note);
int collection_add_string(struct collection *collection, const void *bytes,
			  size_t length);

/*
 * Read all keys of a command: operands after the name, then files. One bad key
 * is an error. Return: 0, or -1 after an error message.
 */
int collection_read(const struct args *args, struct collection *collection);

/* Parse an operand as a key. */
void syntax_parse_operand(const struct syntax *syntax, const char *word,
			  struct line *line);

#endif /* KCUCKOO_CLI_COLLECTION_H */
