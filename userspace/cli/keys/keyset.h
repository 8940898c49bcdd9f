/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcuckoo: many keys in little memory
 *
 * A key is kept as its address in network byte order and its prefix length:
 * 5 bytes for IPv4, 17 for IPv6. As byte strings these sort the way a person
 * expects a list of prefixes to be sorted. Where keys have values or timeouts,
 * a note of 8 bytes stands behind each.
 */
#ifndef KCUCKOO_CLI_KEYSET_H
#define KCUCKOO_CLI_KEYSET_H

#include "cli.h"

/**
 * struct note - what belongs to a key
 * @value: its value
 * @timeout: its timeout, which is no longer than KCUCKOO_TIMEOUT_MAX
 * @valued: it was given the value; another one keeps what it has
 */
struct note {
	__u32 value;
	__u32 timeout : 31;
	__u32 valued : 1;
};

/* One family: records of @width bytes, of which the first @key are the key. */
struct record_array {
	uint8_t *data;
	size_t key;
	size_t width;
	size_t count;
	size_t capacity;
};

/**
 * struct keyset - keys, those of IPv4 first
 * @families: by family, KCUCKOO_FAMILY_* - 1
 */
struct keyset {
	struct record_array families[2];
};

void keyset_init(struct keyset *set);
void keyset_free(struct keyset *set);

/* Keep a note with each key; for an empty set. */
void keyset_keep_notes(struct keyset *set);
bool keyset_has_notes(const struct keyset *set);

/* Forget the keys; their memory is used again. */
void keyset_clear(struct keyset *set);

/* Return: 0 or -ENOMEM. */
int keyset_add(struct keyset *set, const struct kcuckoo_prefix *key);

/* The same with a note, which is kept where the set keeps notes. */
int keyset_add_noted(struct keyset *set, const struct kcuckoo_prefix *key,
		     const struct note *note);

size_t keyset_count(const struct keyset *set);
size_t keyset_bytes(const struct keyset *set);

/* Write up to @count keys from number @first on. Return: how many. */
size_t keyset_read(const struct keyset *set, size_t first,
		   struct kcuckoo_prefix *keys, size_t count);

/* The same for their notes, of a set that keeps notes. */
size_t keyset_read_notes(const struct keyset *set, size_t first,
			 struct note *notes, size_t count);

/* IPv4 before IPv6, by address, then the shorter prefix first. */
void keyset_sort(struct keyset *set);

/* In a sorted set, how many keys are equal to the one before; @first: a key
 * that is there twice, if any.
 */
size_t keyset_repeats(const struct keyset *set, struct kcuckoo_prefix *first);

/* Whether a key is there; looks at all of its family. */
bool keyset_has(const struct keyset *set, const struct kcuckoo_prefix *key);

/*
 * Of a sorted set, write those keys that no other one covers into an empty set
 * without notes. Return: 0 or -ENOMEM.
 */
int keyset_outermost(const struct keyset *set, struct keyset *outermost);

/* Does a key of a set that keyset_outermost() has made cover all of @key? */
bool keyset_covers(const struct keyset *outermost,
		   const struct kcuckoo_prefix *key);

/* Does @key cover all of a key of a sorted set? */
bool keyset_has_within(const struct keyset *set,
		       const struct kcuckoo_prefix *key);

/**
 * struct keyset_match - what two sets have in common
 * @only_a: keys that only the first has
 * @only_b: keys that only the second has
 * @both: keys that both have
 * @values: of these, those whose values differ
 */
struct keyset_match {
	__u64 only_a;
	__u64 only_b;
	__u64 both;
	__u64 values;
};

/*
 * Compare two sorted sets without repeats. @common: where the keys of both go,
 * with the notes of the first; or NULL. Return: 0 or -ENOMEM.
 */
int keyset_compare(const struct keyset *a, const struct keyset *b,
		   struct keyset_match *match, struct keyset *common);

#endif /* KCUCKOO_CLI_KEYSET_H */
