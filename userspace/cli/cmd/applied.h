/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions keep a copy of the configuration that was applied last.
 */
#ifndef KCUCKOO_CLI_APPLIED_H
#define KCUCKOO_CLI_APPLIED_H

#include "conf/config.h"

/*
 * Make the copy equal to the files of @config. After a crash it is the old or the
 * new one. Return: 0, or -1 after an error message.
 */
int applied_keep(const struct cli *cli, const struct config *config);

/* Return: true if there is a copy. */
bool applied_exists(const struct cli *cli);

/*
 * Read the copy. Return: 0; 1 if there is none; or -1 after error messages. The
 * caller ends with config_free() in any case.
 */
int applied_read(const struct cli *cli, struct config *config);

#endif /* KCUCKOO_CLI_APPLIED_H */
