/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions create temporary files, for archives from a pipe (input/source.c), for
 * keys (keys/spool.c), and for the verb import.
 */
#ifndef KCUCKOO_CLI_TEMPFILE_H
#define KCUCKOO_CLI_TEMPFILE_H

#include <stddef.h>

/*
 * Create a temporary file in the folder $TMPDIR, or in /tmp if this variable is unset
 * or empty. The file has no name, so it disappears when this process ends. From
 * this call on, the process ignores SIGXFSZ: a write that exceeds the limit on file
 * sizes fails with EFBIG, and does not end the process. Return: the descriptor of
 * the file, or -errno.
 */
int tempfile_open(void);

/*
 * Write the error message for a temporary file that could not be created or written to
 * @why, a buffer of @size bytes. @error: the errno of the failure.
 */
void tempfile_why(int error, char *why, size_t size);

#endif /* KCUCKOO_CLI_TEMPFILE_H */
