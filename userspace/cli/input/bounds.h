/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bounds_apply() combines an address in a JSON object with its mask, its prefix length or
 * the last address of its range, which the object has under other keys. selection.c calls
 * the functions.
 */
#ifndef KCUCKOO_CLI_BOUNDS_H
#define KCUCKOO_CLI_BOUNDS_H

#include <jansson.h>

#include "input/reader.h"

/* Size in bytes of the buffer @combined of bounds_apply(). */
#define BOUNDS_TEXT	160

/**
 * struct bounds - the place of an address
 * @reader: reader of the text
 * @keys: JSON keys that have addresses, with commas between them
 * @object: the object with the address, if the address is the value of @key; NULL if the
 *	address is in an array
 * @key: JSON key of the address in @object
 * @masked: the innermost object around the address that has a key such as "netmask", or
 *	NULL
 */
struct bounds {
	const struct reader *reader;
	const char *keys;
	const json_t *object;
	const char *key;
	const json_t *masked;
};

/* Return: true if the object has a key such as "netmask", with or without a value. */
bool bounds_has_mask(const json_t *object);

/* Return: true if @text is an address or network and nothing else. */
bool bounds_is_address(const char *text);

/*
 * Combine the address @text with the mask, prefix length and last address that its object
 * has, and write the network or range to @combined. Write an empty string to @combined if
 * @text needs no change. Return: NULL; or an error text if one of them is not valid, or if
 * two of them, or one of them and a prefix length in @text, are not for the same network.
 */
const char *bounds_apply(const struct bounds *bounds, const char *text,
			 char combined[BOUNDS_TEXT]);

/*
 * Return: true if the value of @key in @object is a mask or prefix length and not an
 * address. If @key is in @keys, the object must also have an address under another key in
 * @keys.
 */
bool bounds_is_mask(const struct bounds *bounds);

/*
 * Check whether the address is the last address of a range whose first address is under
 * another key of the object. Return: 1 if bounds_apply() uses it for an address under a
 * key in @keys; 0 for another address; or -1 if the first address is not under a key in
 * @keys.
 */
int bounds_is_last(const struct bounds *bounds);

#endif /* KCUCKOO_CLI_BOUNDS_H */
