/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions work on the records of a keyset. A record is one key, and its
 * note if the keyset keeps notes.
 *
 * Only files that implement operations on keysets use this header: keyset.c,
 * aggregate.c, difference.c and exclude.c. All other files use keyset.h.
 */
#ifndef KCUCKOO_CLI_RECORD_H
#define KCUCKOO_CLI_RECORD_H

#include "keys/keyset.h"

/* Maximum length of a record without a note, in bytes. */
#define RECORD_KEY	17

/*
 * Append a record to an array. The bytes of the record are not initialized. Return: the
 * record, or NULL if memory is short.
 */
uint8_t *array_append(struct record_array *array);

/*
 * Append a copy of @record, a record of the array @from, to the array @to. If only one
 * of the two arrays has notes, copy only the key; a note in @to is then not initialized.
 * Return: 0 or -ENOMEM.
 */
int array_copy(struct record_array *to, const struct record_array *from,
	       const uint8_t *record);

/* Read the key of a record. @family: KCUCKOO_FAMILY_* - 1. */
void record_read(const uint8_t *record, int family,
		 struct kcuckoo_prefix *key);

/*
 * Write a key to @record, without a note. The record needs @bytes + 1 bytes.
 * @bytes: length of an address of the family, 4 or 16.
 */
void record_write(uint8_t *record, const struct kcuckoo_prefix *key,
		  size_t bytes);

/*
 * Return: true if the key of the record @outer covers the key of @inner, a record of the same
 * family. @bytes: length of an address of the family, 4 or 16.
 */
bool record_covers(const uint8_t *outer, const uint8_t *inner, size_t bytes);

/*
 * Return: the number of records of a sorted array whose first @length bytes sort before
 * the first @length bytes of @record.
 */
size_t array_lower_bound(const struct record_array *array,
			 const uint8_t *record, size_t length);

#endif /* KCUCKOO_CLI_RECORD_H */
