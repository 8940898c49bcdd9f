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

#endif /* KCUCKOO_CLI_NFTSET_H */
