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
 * it, and rename it. After a crash, @file is the old one or the new one. The
 * temporary file has a name only when it is complete, and always the same, so the
 * next save removes what a crash has left; but on a file system without
 * O_TMPFILE it has a random name. Return: 0, or -1 after an error message.
 */
int snapshot_save(struct cli *cli, const char *name, const char *file);

/*
 * Open a snapshot of a folder of snapshots. It must be a regular file: nobody may
 * be there to write to a pipe. @flags: further flags of open(). Return: its
 * descriptor; -ENOENT without a message if it does not exist; or another negative
 * errno after an error message.
 */
int snapshot_open(const char *file, int flags);

#endif /* KCUCKOO_CLI_SNAPSHOT_FILE_H */
