/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions classify the keys of JSON objects by their words. Case and the signs
 * between words do not matter: "allow_list", "allow-list", "allowList" and "ALLOWLIST"
 * are equal. selection.c calls the functions.
 */
#ifndef KCUCKOO_CLI_JSONKEY_H
#define KCUCKOO_CLI_JSONKEY_H

#include <stdbool.h>

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

/*
 * Return: true if the value @text of a JSON key such as "action" says that its object
 * must not be blocked, as in "action": "allow" or "list": "Allow list".
 */
bool jsonkey_is_allowing(const char *text);

#endif /* KCUCKOO_CLI_JSONKEY_H */
