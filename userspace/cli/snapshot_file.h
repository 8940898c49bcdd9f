/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions write a filter to a snapshot file.
 */
#ifndef KCUCKOO_CLI_SNAPSHOT_FILE_H
#define KCUCKOO_CLI_SNAPSHOT_FILE_H

#include "cli.h"

/*
 * Write a snapshot of the filter @name to @fd. @file: name of the file in
 * messages. Return: 0, or -1 after an error message.
 */
int snapshot_write(struct cli *cli, const char *name, int fd, const char *file);

/*
 * Save the filter @name to @file, with mode 0600: write a temporary file, sync
 * it, and rename it. After a crash, @file is the old one or the new one.
 * Return: 0, or -1 after an error message.
 */
int snapshot_save(struct cli *cli, const char *name, const char *file);

#endif /* KCUCKOO_CLI_SNAPSHOT_FILE_H */
