/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions read the elements of a set from the output of "nft -j list set", for
 * selection.c and the verb import.
 */
#ifndef KCUCKOO_CLI_NFTSET_H
#define KCUCKOO_CLI_NFTSET_H

#include "input/selection.h"

/*
 * Find a set in @objects, the array "nftables" of the output of nft: the set that the
 * user chose, or else the only set. Pass its elements to the reader of @selection.
 * Return: 0; -1 after an error message; or -1 if the sink of the reader returned -1.
 */
int nftset_take(struct selection *selection, const json_t *objects);

/*
 * Result of nftset_type() for elements that are concatenations, such as an address and a port.
 */
#define NFTSET_CONCAT	"concat"

/*
 * Return: the type of the elements of a set, such as "ipv4_addr"; NFTSET_CONCAT; or NULL if the
 * type cannot be read. nft can print an expression instead of a type. For an expression that is
 * an address of a packet, as in "typeof ip saddr", the result is "ipv4_addr" or "ipv6_addr".
 */
const char *nftset_type(const json_t *set);

/*
 * Return: the first JSON key of @object that is not in @keys, an array that ends with
 * NULL; or NULL if @keys has all keys of @object. The readers of the output of nft
 * reject an object with an unknown key, because the key could change the meaning of the
 * object.
 */
const char *nftset_unknown_key(const json_t *object, const char * const *keys);

/* Size in bytes of the buffer @why of nftset_check(). */
#define NFTSET_WHY	160

/*
 * Check that a filter can replace the set. A statement of the set, such as a quota, can decide
 * which packets match; a filter has no statements. Return: true; or false, and the reason in
 * @why.
 */
bool nftset_check(const json_t *set, char why[NFTSET_WHY]);

#endif /* KCUCKOO_CLI_NFTSET_H */
