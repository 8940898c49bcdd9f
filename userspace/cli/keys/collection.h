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
 * @syntax: syntax in which operands and files write the keys
 * @note: value and timeout of keys that are given without a value or timeout
 * @valued: some keys have a value
 * @unvalued: some keys have no value. If such a key is already a member of the filter,
 *	the member keeps its value
 * @old_value: with @old_named, update only members that have this value
 * @old_named: the option --old was given
 * @partitions: number of partitions, or 0 to add all keys. A hash of a key gives the
 *	number of its partition; keys of other partitions than @partition are not added
 * @partition: number of the partition whose keys are added, from 0
 * @numbered: each key or range gets a number. The note of each prefix then has the
 *	number of its key or range in @value
 * @number: number of the next key or range
 * @keys: addresses and prefixes; ranges are split into prefixes
 * @strings: byte strings
 * @read: number of keys and ranges that were read
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
 * Initialize an empty collection for keys in @syntax. @note: value and timeout of keys
 * that are given without a value or timeout. The caller frees the collection with
 * collection_free().
 */
void collection_init(struct collection *collection, const struct syntax *syntax,
		     const struct note *note);

/*
 * Free the keys. If all bytes of the collection are zero, no collection_init() is
 * needed before this call.
 */
void collection_free(struct collection *collection);

/*
 * Set @numbered, and keep a note with each key. The collection must be empty.
 */
void collection_number(struct collection *collection);

/*
 * Remove all keys, and clear @valued and @unvalued. Keep the memory for new keys, and
 * all counts.
 */
void collection_clear(struct collection *collection);

/*
 * Return: the number of prefixes and byte strings. For a range, the prefixes into which
 * the range was split are counted.
 */
size_t collection_count(const struct collection *collection);

/*
 * Return: the number of bytes of memory that the keys take, including the memory that a
 * search for repeated byte strings needs.
 */
size_t collection_bytes(const struct collection *collection);

/*
 * Add the key of a line, or the prefixes of its range. If @partitions of @collection is
 * not 0, skip keys of other partitions than @partition. Return: 0, or -1 after an error
 * message.
 */
int collection_add(struct collection *collection, const struct line *line);

/*
 * Add one prefix with its note, or one byte string, as collection_add() does. Return:
 * 0, or -1 after an error message.
 */
int collection_add_prefix(struct collection *collection,
			  const struct kcuckoo_prefix *key,
			  const struct note *note);
int collection_add_string(struct collection *collection, const void *bytes,
			  size_t length);

/*
 * Read all keys of a command: first the operands after the name of the filter, then
 * the files. A bad key is an error. @adds: the command adds the keys, so a hint can name
 * the verb load. Return: 0, or -1 after an error message.
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
