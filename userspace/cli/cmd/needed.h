/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * needed_write() keeps the addresses that this host needs for the next boot,
 * where lists are applied before the network has any.
 */
#ifndef KCUCKOO_CLI_NEEDED_H
#define KCUCKOO_CLI_NEEDED_H

#include "cmd/folders.h"

/*
 * Write the path of the file to @path. Return: 0, or -1 after an error message.
 */
int needed_path(const struct cli *cli, char path[FOLDERS_PATH]);

/*
 * Write the addresses that this host needs now to the file, unless it has them
 * already. If the network is not up, keep the file as it is. Return: 0, or -1
 * after an error message.
 */
int needed_write(const struct cli *cli);

#endif /* KCUCKOO_CLI_NEEDED_H */
