/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions keep a copy of the configuration that was applied last, see
 * cmd/folders.h. apply writes the copy. At boot, apply uses it if the
 * configuration has errors. down and explain read it, too, to find out what a
 * configuration made.
 */
#ifndef KCUCKOO_CLI_APPLIED_H
#define KCUCKOO_CLI_APPLIED_H

#include "conf/config.h"

/*
 * Make the copy equal to the files of @config. After a crash, the copy is the
 * old or the new one. Return: 0, or -1 after an error message.
 */
int applied_keep(const struct cli *cli, const struct config *config);

/* Return: true if the copy exists. */
bool applied_exists(const struct cli *cli);

/*
 * Read the copy to @config. Return: 0; 1 if no copy exists; or -1 after error
 * messages. The caller calls config_free() in any case.
 */
int applied_read(const struct cli *cli, struct config *config);

#endif /* KCUCKOO_CLI_APPLIED_H */
