/* SPDX-License-Identifier: GPL-2.0-only */
/* These functions find the meanings of the keys of JSON objects. name.c has the words. */
#ifndef KCUCKOO_CLI_JSONKEY_H
#define KCUCKOO_CLI_JSONKEY_H

#include <stdbool.h>

/* What the value of a JSON key can say about an address in the same object. */
enum jsonkey_bound {
	JSONKEY_OTHER,	/* nothing */
	JSONKEY_KEY,	/* a network or range, such as "network" */
	JSONKEY_MASK,	/* mask or prefix length, such as "netmask" */
	JSONKEY_LENGTH,	/* possibly a mask or prefix length, such as "length" */
	JSONKEY_COUNT,	/* number of addresses, such as "num_ips" */
	JSONKEY_TOTAL,	/* possibly a number of addresses, such as "size" */
	JSONKEY_START,	/* first address of a range, such as "start" or "from" */
	JSONKEY_END,	/* last address of a range, such as "end_ip" */
	JSONKEY_TO,	/* last address of a range, only together with a first address */
};

enum jsonkey_bound jsonkey_bound(const char *key);

/* Return: true if @key is in @list, a list of keys with commas between them. */
bool jsonkey_is_listed(const char *list, const char *key);

/*
 * Return: true if the addresses under @key must not be blocked, as under "except",
 * "allow_list" or "excludedCidrs".
 */
bool jsonkey_is_exception(const char *key);

/*
 * Return: true if @key says with a value such as true that its object must not be
 * blocked, as in "isWhitelisted": true.
 */
bool jsonkey_is_flag(const char *key);

#endif /* KCUCKOO_CLI_JSONKEY_H */
