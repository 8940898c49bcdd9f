/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A keyset holds addresses and prefixes in little memory: first all IPv4 keys, then all
 * IPv6 keys. Keys of one family are in the order in which they were added, until
 * keyset_sort() sorts them. A key can occur several times. A "repeat" is a key that is
 * equal to the previous key of a sorted set.
 *
 * Each key is one record: its address in network byte order, followed by its prefix
 * length; 5 bytes for IPv4, 17 for IPv6. A set can also keep notes. Then each record ends
 * with a note of 8 bytes, the value and the timeout of the key.
 */
#ifndef KCUCKOO_CLI_KEYSET_H
#define KCUCKOO_CLI_KEYSET_H

#include "cli.h"

/**
 * struct note - value and timeout of a key
 * @value: value of the key
 * @timeout: timeout of the key in seconds, at most KCUCKOO_TIMEOUT_MAX; 0 if the key
 *	never expires
 * @valued: a value was given. If no value was given, a key that is already a member of an
 *	exact filter keeps its value, and any other key gets the value 0
 */
struct note {
	__u32 value;
	__u32 timeout : 31;
	__u32 valued : 1;
};

/*
 * The keys of one family, as @count records of @width bytes at @data. The first @key_size bytes
 * of a record are the key; a note can follow. @capacity: number of records for which memory is
 * allocated.
 */
struct record_array {
	uint8_t *data;
	size_t key_size;
	size_t width;
	size_t count;
	size_t capacity;
};

/**
 * struct keyset - addresses and prefixes
 * @families: the keys of each family; the index is KCUCKOO_FAMILY_* - 1
 */
struct keyset {
	struct record_array families[2];
};

/* Initialize an empty set whose keys have no notes. */
void keyset_init(struct keyset *set);

/* Free the memory of the keys. The set is then empty and without notes. */
void keyset_free(struct keyset *set);

/*
 * Let a set keep a note with each key. The set must be initialized, and no key may have
 * been added yet: the function does not free memory.
 */
void keyset_keep_notes(struct keyset *set);

bool keyset_has_notes(const struct keyset *set);

/* Remove all keys, but keep the memory for new keys. */
void keyset_clear(struct keyset *set);

/* Add a key. If the set keeps notes, the note of the key is all zero. Return: 0 or -ENOMEM. */
int keyset_add(struct keyset *set, const struct kcuckoo_prefix *key);

/* Add a key with a note, which is ignored unless the set keeps notes. Return: 0 or -ENOMEM. */
int keyset_add_noted(struct keyset *set, const struct kcuckoo_prefix *key,
		     const struct note *note);

/* Return: the number of keys. A key that was added twice counts twice. */
size_t keyset_count(const struct keyset *set);

/* Return: the number of bytes of all records, without memory for further keys. */
size_t keyset_bytes(const struct keyset *set);

/*
 * Copy at most @count keys to @keys, starting with key number @first, from 0. Return: the
 * number of keys that were copied.
 */
size_t keyset_read(const struct keyset *set, size_t first,
		   struct kcuckoo_prefix *keys, size_t count);

/*
 * Copy at most @count notes to @notes, starting with the note of key number @first. The
 * set must keep notes. Return: the number of notes that were copied.
 */
size_t keyset_read_notes(const struct keyset *set, size_t first,
			 struct note *notes, size_t count);

/*
 * Sort the keys: IPv4 before IPv6, then by address, then the shorter prefix first. The
 * order of equal keys with different notes is unspecified.
 */
void keyset_sort(struct keyset *set);

/*
 * Return: the number of repeats in a sorted set. If the set has repeats, set @first to
 * the first repeat.
 */
size_t keyset_repeats(const struct keyset *set, struct kcuckoo_prefix *first);

/*
 * Return: true if the set, which need not be sorted, has @key. The function compares all keys of
 * the family.
 */
bool keyset_has(const struct keyset *set, const struct kcuckoo_prefix *key);

/*
 * Copy to @outermost each key of a sorted set that no other key of the set covers; equal
 * keys are copied once. @outermost: an empty set without notes. Return: 0 or -ENOMEM.
 */
int keyset_outermost(const struct keyset *set, struct keyset *outermost);

/*
 * Return: true if a key of @outermost, a set that keyset_outermost() made, covers all of @key.
 */
bool keyset_covers(const struct keyset *outermost,
		   const struct kcuckoo_prefix *key);

/* Return: true if @key covers at least one key of @set, a sorted set. */
bool keyset_has_within(const struct keyset *set,
		       const struct kcuckoo_prefix *key);

/**
 * struct keyset_match - numbers of equal and different keys of two sets
 * @only_a: number of keys only in the first set
 * @only_b: number of keys only in the second set
 * @both: number of keys in both sets
 * @values: number of keys in both sets whose values differ; 0 if a set keeps no notes
 */
struct keyset_match {
	__u64 only_a;
	__u64 only_b;
	__u64 both;
	__u64 values;
};

/*
 * Compare two sorted sets without repeats, and write the counts to @match. Unless
 * @common is NULL, add the keys that are in both sets to @common, with the notes of @a if
 * @a and @common keep notes. If @a keeps no notes, @common must keep no notes either.
 * Return: 0 or -ENOMEM.
 */
int keyset_compare(const struct keyset *a, const struct keyset *b,
		   struct keyset_match *match, struct keyset *common);

#endif /* KCUCKOO_CLI_KEYSET_H */
