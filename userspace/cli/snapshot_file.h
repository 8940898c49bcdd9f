/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions save filters to snapshot files, and open snapshot files for
 * restore.
 */
#ifndef KCUCKOO_CLI_SNAPSHOT_FILE_H
#define KCUCKOO_CLI_SNAPSHOT_FILE_H

#include "cli.h"

/*
 * Write a snapshot of the filter @name to the descriptor @fd. @file: name of the file,
 * for messages. Return: 0, or -1 after an error message.
 */
int snapshot_write(struct cli *cli, const char *name, int fd, const char *file);

/*
 * Save the filter @name to @file, with mode 0600: write a temporary file, sync it, and
 * rename it to @file. After a crash, @file is either the old file or the new file. If the
 * old file is not a regular file, or if other users than its owner have access to it,
 * snapshot_save() fails. Several processes are allowed to save to @file at the same time.
 *
 * The temporary file gets a name only when its content is complete. The temporary name is
 * always the same for @file, so the next save removes a temporary file that stayed after
 * a crash. On a file system without O_TMPFILE, the temporary file has a random name from
 * the start, and stays after a crash. Return: 0, or -1 after an error message.
 */
int snapshot_save(struct cli *cli, const char *name, const char *file);

/*
 * Open the snapshot @file for reading. @file must be a regular file. @flags: further flags
 * of open(). Return: the descriptor; -ENOENT without a message if the file does not exist;
 * or another negative errno after an error message.
 */
int snapshot_open(const char *file, int flags);

/*
 * Return: true if kcuckoo_restore() has failed because the library or the module does not
 * read the format version of the snapshot. @ret: what kcuckoo_restore() has returned.
 * @why: the text that kcuckoo_restore() has set, or NULL.
 */
bool snapshot_has_other_version(int ret, const char *why);

/* Return: a text for the error @ret. @why: as for snapshot_has_other_version(). */
const char *snapshot_error_text(int ret, const char *why);

#endif /* KCUCKOO_CLI_SNAPSHOT_FILE_H */
