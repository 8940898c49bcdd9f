/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bounds_apply() combines an address in a JSON object with a mask, a prefix length or the last
 * address of a range under another key of the object. The mask can also be in an outer object.
 */
#ifndef KCUCKOO_CLI_BOUNDS_H
#define KCUCKOO_CLI_BOUNDS_H

#include <jansson.h>

#include "input/reader.h"

/* Size in bytes of the buffer @combined of bounds_apply(). */
#define BOUNDS_TEXT	160

/**
 * struct bounds - the position of an address in a JSON document
 * @reader: reader of the document
 * @keys: the JSON keys whose addresses are read: those that the user named, or else the known
 *	ones; with commas between them
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

/* Return: true if the object has a key such as "netmask", even if the value is null or empty. */
bool bounds_has_mask(const json_t *object);

/* Return: true if @text is an address or network and nothing else. */
bool bounds_is_address(const char *text);

/*
 * Combine the address @text with the masks, prefix lengths and last addresses under other keys of
 * @object and @masked, and write the network or range to @combined. Write an empty string to
 * @combined if @text needs no change. Return: NULL; or an error text, for example if two values
 * contradict each other.
 */
const char *bounds_apply(const struct bounds *bounds, const char *text,
			 char combined[BOUNDS_TEXT]);

/*
 * Return: true if the value of @key is a mask or prefix length, and not an address. The value of
 * a key in @keys is an address, unless another key in @keys has an address without a prefix
 * length.
 */
bool bounds_is_mask(const struct bounds *bounds);

/*
 * Return: 1 if the value of @key is the last address of a range whose first address is under a
 * key in @keys; -1 if it is the last address of a range whose first address is under a key that
 * is not in @keys; or 0 if it is not known to be the last address of a range.
 */
int bounds_is_last(const struct bounds *bounds);

#endif /* KCUCKOO_CLI_BOUNDS_H */
