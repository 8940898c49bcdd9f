/* SPDX-License-Identifier: GPL-2.0-only */
/* These functions find the meanings of the keys of JSON objects. name.c lists their words. */
#ifndef KCUCKOO_CLI_JSONKEY_H
#define KCUCKOO_CLI_JSONKEY_H

#include <stdbool.h>

/*
 * Meanings of the value of a JSON key for an address in the same object. JSONKEY_MASK also
 * applies to addresses in inner objects.
 */
enum jsonkey_bound {
	JSONKEY_OTHER,		/* none */
	JSONKEY_KEY,		/* address, network or range, such as "ip" or "network" */
	JSONKEY_MASK,		/* mask or prefix length, such as "netmask" */
	JSONKEY_MAYBE_MASK,	/* possibly a mask or prefix length, such as "length" */
	JSONKEY_COUNT,		/* number of addresses, such as "num_ips" */
	JSONKEY_MAYBE_COUNT,	/* possibly a number of addresses, such as "size" */
	JSONKEY_START,		/* first address of a range, such as "start" or "from" */
	JSONKEY_END,		/* last address of a range, such as "end_ip" */
	JSONKEY_TO,		/* last address of a range, only together with a first address */
	JSONKEY_UNSURE,		/* possibly a prefix length, under a key that is seldom for one */
};

/* Return: the meaning of the value of @key. */
enum jsonkey_bound jsonkey_bound(const char *key);

/* Return: true if @key is in @list, a list of keys with commas between them. */
bool jsonkey_is_listed(const char *list, const char *key);

/* Return: the meanings of @key, as name_kinds() returns them. */
unsigned int jsonkey_kinds(const char *key);

#endif /* KCUCKOO_CLI_JSONKEY_H */
