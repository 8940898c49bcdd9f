/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions store and read the time at which the verb apply last applied the
 * configuration, and whether apply succeeded. The file "apply", see cmd/folders.h, has the
 * time and the result.
 */
#ifndef KCUCKOO_CLI_LAST_APPLY_H
#define KCUCKOO_CLI_LAST_APPLY_H

#include <time.h>

#include "cli.h"

/*
 * Write the present time, and @success, which is true if apply succeeded. If the file
 * cannot be written, print an error or a warning.
 */
void last_apply_write(const struct cli *cli, bool success);

/*
 * Read the time and the result of the last apply to @when and @success. Return: true; or
 * false if the file is missing or cannot be read.
 */
bool last_apply_read(const struct cli *cli, time_t *when, bool *success);

#endif /* KCUCKOO_CLI_LAST_APPLY_H */
