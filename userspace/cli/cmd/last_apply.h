/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions store and read the result of the verb apply with a configuration: the time at
 * which apply ended, and whether apply succeeded. The result is in the file "apply", see
 * cmd/folders.h.
 */
#ifndef KCUCKOO_CLI_LAST_APPLY_H
#define KCUCKOO_CLI_LAST_APPLY_H

#include <time.h>

#include "cli.h"

/*
 * Write the present time, and @success, which is true if apply succeeded. Print an error or a
 * warning if the file cannot be written.
 */
void last_apply_write(const struct cli *cli, bool success);

/*
 * Read what the last last_apply_write() wrote: the time to @when, and @success. Return: true; or
 * false if the file is missing or cannot be read.
 */
bool last_apply_read(const struct cli *cli, time_t *when, bool *success);

#endif /* KCUCKOO_CLI_LAST_APPLY_H */
