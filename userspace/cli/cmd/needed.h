/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * needed_write() saves the addresses that this host needs, such as its own addresses and
 * the addresses of gateways. If apply of a configuration leaves needed addresses out of
 * lists, apply also leaves out the saved addresses: at boot, apply can run before the
 * network is up, and then cannot find all needed addresses.
 */
#ifndef KCUCKOO_CLI_NEEDED_H
#define KCUCKOO_CLI_NEEDED_H

#include "cmd/folders.h"

/*
 * Write the path of the file that has the saved addresses to @path. Return: 0, or -1
 * after an error message.
 */
int needed_path(const struct cli *cli, char path[FOLDERS_PATH]);

/*
 * Write the addresses that this host needs at present to the file of needed_path(). Keep
 * addresses of other hosts in the file if this host needed them in the last
 * CRITICAL_AGE_MAX seconds (rules/critical.h). If this host has only loopback and link-local
 * addresses, the network is not up, and the file does not change. Return: 0, or -1 after an
 * error message.
 */
int needed_write(const struct cli *cli);

#endif /* KCUCKOO_CLI_NEEDED_H */
