/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcuckoo: the keys of a request, from the command line and from files
 */
#ifndef KCUCKOO_CLI_COLLECTION_H
#define KCUCKOO_CLI_COLLECTION_H

#include "args.h"
#include "input/input.h"
#include "keys/byteset.h"
#include "keys/keyset.h"

/* Keys of one call of the library: enough to forget what a call costs. */
#define BATCH	65536

/* So many bytes of keys are enough, too. */
#define BATCH_BYTES	(4 << 20)

/**
 * struct collection - keys on their way to the kernel
 * @syntax: how they are written
 * @note: of keys that have none of their own
 * @valued: there are keys with a value
 * @unvalued: there are keys without one: members keep theirs
 * @old_value: to be updated, all must have this value now, if
 * @old_named: it was named
 * @partitions: only a part of the keys is kept, of so many into which their hashes sort
 *	them; 0: all are kept
 * @partition: which, the first is 0
 * @numbered: the value of the note of each prefix is the number of its key or range
 * @number: the next one
 * @keys: addresses and prefixes, ranges as prefixes
 * @strings: or byte strings
 * @read: keys and ranges as they were written
 * @ranges: of these, ranges
 * @host_bits: of these, keys whose host bits were cleared
 * @notes: what was not taken as it stands in files
 * @columns: how the columns of lists were understood
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

/* Number the keys and ranges, of addresses, in a collection that is empty yet. */
void collection_number(struct collection *collection);

/* Forget the keys. */
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
 * Take all keys of a request: words behind the name, then files. One that is
 * bad spoils the request. Return: 0, or -1 after an error message.
 */
int collection_read(const struct args *args, struct collection *collection);

/* Read a word of the command line as a key. */
void syntax_parse_operand(const struct syntax *syntax, const char *word,
			  struct line *line);

#endif /* KCUCKOO_CLI_COLLECTION_H */
