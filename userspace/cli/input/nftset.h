/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This function reads the elements of a set from the output of "nft -j list
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

#endif /* KCUCKOO_CLI_NFTSET_H */
