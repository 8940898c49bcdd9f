/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares the functions that import_nft.c and import_nft_rule.c share. The
 * two files read the output of nft for the verb import. See cmd/import.h.
 */
#ifndef KCUCKOO_CLI_IMPORT_NFT_H
#define KCUCKOO_CLI_IMPORT_NFT_H

#include <jansson.h>

#include "cmd/import.h"

/* Return: the string that @object has for the JSON key @key; or "" without such a string. */
const char *import_nft_text(const json_t *object, const char *key);

/* Write the table of @object, a set or rule, to @table, as "FAMILY TABLE". */
void import_nft_table(const json_t *object, char table[IMPORT_NAME]);

/*
 * Return: true if @object, a set or table, has the flag @flag. nft prints several flags as
 * an array, and can print a single flag as a string.
 */
bool import_nft_flag(const json_t *object, const char *flag);

/**
 * import_nft_rules() - take over the rules of nft that use sets
 * @import: state of the verb, with the sets
 * @objects: the objects in the output of nft
 *
 * Return: 0, or -1 after an error message.
 */
int import_nft_rules(struct import *import, const json_t *objects);

#endif /* KCUCKOO_CLI_IMPORT_NFT_H */
