/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bounds_apply() combines an address in a JSON object with its mask, its prefix length or the
 * last address of its range, which the object has under other keys.
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
 * Combine the address @text with the mask, prefix length and last address that its object has,
 * and write the network or range to @combined. Write an empty string to @combined if @text needs
 * no change. Return: NULL; or an error text, for example if two values contradict each other.
 */
const char *bounds_apply(const struct bounds *bounds, const char *text,
			 char combined[BOUNDS_TEXT]);

/*
 * Return: true if the value of @key is a mask or prefix length, and not an address. A key in
 * @keys counts only if another key in @keys has an address without a prefix length.
 */
bool bounds_is_mask(const struct bounds *bounds);

/*
 * Check whether the address is the last address of a range. Return: 1 if the first address is
 * under another key in @keys; -1 if the first address is under a key such as "start" that is not
 * in @keys; otherwise 0.
 */
int bounds_is_last(const struct bounds *bounds);

#endif /* KCUCKOO_CLI_BOUNDS_H */
