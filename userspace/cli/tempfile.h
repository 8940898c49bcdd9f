/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcuckoo: temporary files without a name
 */
#ifndef KCUCKOO_CLI_TEMPFILE_H
#define KCUCKOO_CLI_TEMPFILE_H

#include <stddef.h>

/*
 * Make a file in TMPDIR, or in /tmp, that is gone when this process is. A write that exceeds
 * the limit on file sizes fails afterwards instead of ending the process.
 * Return: its descriptor, or -errno.
 */
int tempfile_open(void);

/* Write to @why why a temporary file could not be made or written, by its @error, an errno. */
void tempfile_why(int error, char *why, size_t size);

#endif /* KCUCKOO_CLI_TEMPFILE_H */
