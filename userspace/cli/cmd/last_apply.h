/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions keep when a configuration was applied last, and whether that
 * succeeded, in the file "apply" of the folder of the running system.
 */
#ifndef KCUCKOO_CLI_LAST_APPLY_H
#define KCUCKOO_CLI_LAST_APPLY_H

#include <time.h>

#include "cli.h"

/* Write the result of an attempt that ends now. A failure is a warning. */
void last_apply_write(const struct cli *cli, bool success);

/*
 * Read the last attempt. Return: true; or false if there was none since the
 * system started.
 */
bool last_apply_read(const struct cli *cli, time_t *when, bool *success);

#endif /* KCUCKOO_CLI_LAST_APPLY_H */
