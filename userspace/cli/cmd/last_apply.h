/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions store and read the time at which apply ran last for the configuration,
 * and whether it succeeded. The verb apply writes the time and the result to the file
 * "apply", see cmd/folders.h. metrics.c and the verb status read this file.
 */
#ifndef KCUCKOO_CLI_LAST_APPLY_H
#define KCUCKOO_CLI_LAST_APPLY_H

#include <time.h>

#include "cli.h"

/*
 * Write the present time, and @success, which is true if apply succeeded. If the file
 * cannot be written, print a message.
 */
void last_apply_write(const struct cli *cli, bool success);

/*
 * Read the time and the result of the last apply to @when and @success. Return: true; or
 * false if the file cannot be read, for example because apply did not run since the system
 * started.
 */
bool last_apply_read(const struct cli *cli, time_t *when, bool *success);

#endif /* KCUCKOO_CLI_LAST_APPLY_H */
