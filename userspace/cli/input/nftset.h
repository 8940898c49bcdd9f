/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions read the elements of a set from the output of "nft -j list set", for
 * selection.c and the verb import.
 */
#ifndef KCUCKOO_CLI_NFTSET_H
#define KCUCKOO_CLI_NFTSET_H

#include "input/selection.h"

/*
 * Select the elements of the set in @objects, the array "nftables" of the
 * output of nft. Return: 0, or -1 after an error message.
 */
int nftset_take(struct selection *selection, const json_t *objects);

/*
 * Result of nftset_type() for a set whose elements are concatenations, such as an
 * address and a port.
 */
#define NFTSET_CONCAT	"concat"

/*
 * Return: the type of the elements of a set, such as "ipv4_addr"; NFTSET_CONCAT; or
 * NULL if the type cannot be read. nft can name an expression instead of a type: for
 * addresses of packets, as in "typeof ip saddr", this also gives "ipv4_addr" or
 * "ipv6_addr".
 */
const char *nftset_type(const json_t *set);

/*
 * Return: the first JSON key of @object that is not in @keys, an array that ends with
 * NULL; or NULL if @keys has all keys of @object. The readers of the output of nft use
 * this function to refuse what they do not understand.
 */
const char *nftset_unknown_key(const json_t *object, const char * const *keys);

/* Size of a buffer for a reason of nftset_check(). */
#define NFTSET_WHY	160

/*
 * Check that the set is a list of its elements, and nothing else. The statements of a
 * set, such as a quota, decide for each packet whether an element matches. A filter
 * has no such statements. Return: true; or false with the reason in @why.
 */
bool nftset_check(const json_t *set, char why[NFTSET_WHY]);

#endif /* KCUCKOO_CLI_NFTSET_H */
