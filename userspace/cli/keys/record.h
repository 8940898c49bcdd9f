/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions work on the records of a keyset: a record is one key, and its
 * note if the keyset keeps notes.
 *
 * They are for the files that implement sets of keys. All other files use
 * keyset.h.
 */
#ifndef KCUCKOO_CLI_RECORD_H
#define KCUCKOO_CLI_RECORD_H

#include "keys/keyset.h"

/* Maximum length of a record without a note. */
#define RECORD_KEY	17

/* Append a record, which is not initialized. Return: the record, or NULL. */
uint8_t *array_append(struct record_array *array);

/*
 * Append a copy of @record of the array @from. If only one of the arrays has
 * notes, copy only the key. Return: 0 or -ENOMEM.
 */
int array_copy(struct record_array *to, const struct record_array *from,
	       const uint8_t *record);

/* Read the key of a record. @family: KCUCKOO_FAMILY_* - 1. */
void record_read(const uint8_t *record, int family,
		 struct kcuckoo_prefix *key);

/*
 * Write a key as a record, without a note: at most RECORD_KEY bytes. @bytes:
 * length of an address.
 */
void record_write(uint8_t *record, const struct kcuckoo_prefix *key,
		  size_t bytes);

/*
 * Does the record @outer cover the record @inner of the same family? @bytes:
 * length of an address.
 */
bool record_covers(const uint8_t *outer, const uint8_t *inner, size_t bytes);

/*
 * Return: the number of records of a sorted array that come before @record, if
 * only the first @length bytes are compared.
 */
size_t array_lower_bound(const struct record_array *array,
			 const uint8_t *record, size_t length);

#endif /* KCUCKOO_CLI_RECORD_H */
