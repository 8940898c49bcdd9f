/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions classify names, which are the titles of columns in CSV and the keys of objects
 * in JSON. The same name has the same meaning in both. Case, remarks in brackets, and the signs
 * and blanks between words do not matter: "prefix_len", "Prefix-Length" and "prefixLength" are
 * equal.
 */
#ifndef KCUCKOO_CLI_NAME_H
#define KCUCKOO_CLI_NAME_H

#include <stdbool.h>
#include <stddef.h>

/* Meanings of names, for name_kinds(). */
#define NAME_KEY	0x001	/* keys, such as "ip"; JSON has a list of its own */
#define NAME_SIZE	0x002	/* masks or prefix lengths, such as "netmask" */
#define NAME_END	0x004	/* last addresses of ranges, such as "last_ip" */
#define NAME_TO		0x008	/* last addresses, if there are first ones, such as "to" */
#define NAME_START	0x010	/* first addresses of ranges, such as "start_ip" */
#define NAME_FLAG	0x020	/* whether the key is an exception, such as "whitelisted" */
#define NAME_EXCEPTION	0x040	/* addresses that are exceptions, such as "allow_list" in JSON */
#define NAME_IDS	0x080	/* "to_ids" of MISP: whether the key can be blocked */

/* With NAME_SIZE, NAME_TO, NAME_END or NAME_COUNT: can also mean something else, as "length" */
#define NAME_LOOSE	0x100

/* With NAME_SIZE: can also be for networks, as "cidr" */
#define NAME_NETWORK	0x200

/* Numbers of addresses, such as "num_ips" */
#define NAME_COUNT	0x400

/*
 * Flags of entries that are in force ("active"), or that are not ("simulated"). With NAME_LOOSE,
 * numbers of packets can have the same name, as in "blocked".
 */
#define NAME_ON		0x800
#define NAME_OFF	0x1000

/*
 * One of several addresses, such as "attacker_ip", or a name that is often one, such as "host".
 * With NAME_LOOSE, the name alone shows no address, as in "source".
 */
#define NAME_HOST	0x2000

/* Numbers of other things, such as "port" and "score". */
#define NAME_NUMBER	0x4000

/* Names that can be for prefix lengths, such as "CIDR notation". */
#define NAME_UNSURE	0x8000

/* Names of actions and kinds, such as "action" and "policy": their value can be "allow". */
#define NAME_ACTION	0x10000

/* Names that say whether the key is an exception, or is in force. */
#define NAME_FLAGS	(NAME_FLAG | NAME_EXCEPTION | NAME_IDS | NAME_ON | NAME_OFF)

/* Return: the meanings of a name, the @length bytes at @at, as bits NAME_*. */
unsigned int name_kinds(const char *at, size_t length);

/*
 * Return: true if the name, the @length bytes at @at, equals the @size bytes at @other, without
 * regard to case, blanks, '-' and '_'. Other signs count.
 */
bool name_equals(const char *at, size_t length, const char *other, size_t size);

/* Return: true if the value of a flag, the @length bytes at @text, is a word for yes or no. */
bool name_value_is_yes(const char *text, size_t length);
bool name_value_is_no(const char *text, size_t length);

/* Return: true if the value stands for no value, as in "-" and "NULL", or is empty. */
bool name_value_is_empty(const char *text, size_t length);

/*
 * Return: true if the text is a word, without dots and blanks, with "whitelist" or the like in
 * it, such as "whitelisted_by_admin" and "allow-list".
 */
bool name_is_list(const char *at, size_t length);

/*
 * Return: true if the text is a phrase such as "do_not_block" or "never ban", without regard
 * to case, signs and blanks.
 */
bool name_forbids(const char *at, size_t length);

/*
 * Return: true if the @length bytes at @text, the value of a name such as "action", say that
 * the key is an exception, as in "action": "allow" or "list": "Allow list".
 */
bool name_value_allows(const char *text, size_t length);

#endif /* KCUCKOO_CLI_NAME_H */
