/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions read the elements of a set from the output of "nft -j list
 * set", for selection.c.
 */
#ifndef KCUCKOO_CLI_NFTSET_H
#define KCUCKOO_CLI_NFTSET_H

#include "input/selection.h"

/*
 * Select the elements of the set in @objects, the array "nftables" of the
 * output of nft. Return: 0, or -1 after an error message.
 */
int nftset_take(struct selection *selection, const json_t *objects);

/* The type of the elements of a set that are concatenations. */
#define NFTSET_CONCAT	"concat"

/*
 * Return: the type of the elements of a set, "ipv4_addr" or "ipv6_addr" also where nft
 * describes it as that of an expression; NFTSET_CONCAT; or NULL if it cannot be read.
 */
const char *nftset_type(const json_t *set);

#endif /* KCUCKOO_CLI_NFTSET_H */
