/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A collection holds the keys of a command, which come from operands and files. Verbs
 * fill a collection, and read the keys in batches (batch.h).
 */
#ifndef KCUCKOO_CLI_COLLECTION_H
#define KCUCKOO_CLI_COLLECTION_H

#include "args.h"
#include "input/input.h"
#include "keys/byteset.h"
#include "keys/keyset.h"

/*
 * Maximum number of keys in one call of the library. With this number of keys, the cost
 * of the call itself is negligible.
 */
#define BATCH	65536

/*
 * When the keys in memory take this number of bytes, callers process these keys before
 * they read more keys.
 */
#define BATCH_BYTES	(4 << 20)

/**
 * struct collection - the keys of a command
 * @syntax: syntax of the keys in operands and files
 * @note: value of keys that are given without a value, and timeout of keys that are
 *	given without a timeout
 * @valued: some keys have a value. Keys that were skipped because of @partitions count,
 *	too
 * @unvalued: some keys have no value, see @valued of struct note; skipped keys count, too
 * @old_value: with @old_named, update only members that have this value
 * @old_named: the option --old was given
 * @partitions: number of partitions, or 0 to add all keys. A hash of a key gives the
 *	number of its partition; keys of other partitions than @partition are not added
 * @partition: number of the partition whose keys are added, from 0
 * @numbered: each key or range gets a number. @value in the note of a prefix is then the
 *	number of the key or range to which the prefix belongs
 * @number: number of the next key or range
 * @keys: addresses and prefixes; ranges are split into prefixes
 * @strings: byte strings
 * @read: number of keys and ranges that collection_read() has read
 * @ranges: number of ranges among @read
 * @host_bits: number of keys among @read whose host bits were cleared
 * @notes: counts of changes to the content of files before parsing, see struct
 *	input_notes
 * @columns: counts of lines and keys for messages, see struct input_columns
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

/*
 * Initialize an empty collection for keys in @syntax. @note: see @note of struct
 * collection. The caller frees the collection with collection_free().
 */
void collection_init(struct collection *collection, const struct syntax *syntax,
		     const struct note *note);

/* Free the keys. A collection whose bytes are all zero is also permitted. */
void collection_free(struct collection *collection);

/* Set @numbered, and keep a note with each key. Call before the first key is added. */
void collection_number(struct collection *collection);

/*
 * Remove all keys, and clear @valued and @unvalued. Keep the memory for new keys, and
 * all counts.
 */
void collection_clear(struct collection *collection);

/* Return: the number of prefixes and byte strings. A range counts as its prefixes. */
size_t collection_count(const struct collection *collection);

/*
 * Return: the number of bytes of memory that the keys take, including the memory that a search
 * for repeated byte strings needs.
 */
size_t collection_bytes(const struct collection *collection);

/*
 * Add the key of @line, or the prefixes of its range, without keys of other partitions (see
 * @partitions of struct collection). Return: 0, or -1 after an error message.
 */
int collection_add(struct collection *collection, const struct line *line);

/*
 * Add one prefix with the note @note, or one byte string, unless the key is of another
 * partition. Return: 0, or -1 after an error message.
 */
int collection_add_prefix(struct collection *collection,
			  const struct kcuckoo_prefix *key,
			  const struct note *note);
int collection_add_string(struct collection *collection, const void *bytes,
			  size_t length);

/*
 * Read all keys of a command: first the operands after the name of the filter, then
 * the files. A bad key is an error. @adds: the command adds keys, so the hint after this
 * error suggests the verb load. Return: 0, or -1 after an error message.
 */
int collection_read(const struct args *args, struct collection *collection,
		    bool adds);

/*
 * Parse the operand @word as a key into @line. If the key is invalid, @line has the kind
 * LINE_BAD, with the reason in @why of @line.
 */
void syntax_parse_operand(const struct syntax *syntax, const char *word,
			  struct line *line);

#endif /* KCUCKOO_CLI_COLLECTION_H */
