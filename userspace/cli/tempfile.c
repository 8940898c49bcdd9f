// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions create temporary files, for archives from a pipe (input/source.c), for
 * keys (keys/spool.c), and for the verb import.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tempfile.h"

static const char *folder(void)
{
	const char *named = getenv("TMPDIR");

	return named && *named ? named : "/tmp";
}

/* For file systems without O_TMPFILE: create a file with a name, and remove the name. */
static int open_named(void)
{
	char *path;
	int fd;

	if (asprintf(&path, "%s/kcuckoo.XXXXXX", folder()) < 0)
		return -ENOMEM;
	fd = mkostemp(path, O_CLOEXEC);
	if (fd < 0)
		fd = -errno;
	else
		unlink(path);
	free(path);
	return fd;
}

int tempfile_open(void)
{
	int fd = open(folder(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	signal(SIGXFSZ, SIG_IGN);
	if (fd >= 0)
		return fd;
	switch (errno) {
	case EOPNOTSUPP:
	case EISDIR:
	case EINVAL:
		return open_named();
	default:
		return -errno;
	}
}

void tempfile_why(int error, char *why, size_t size)
{
	snprintf(why, size, "cannot write a temporary file in %.100s (%s): set TMPDIR",
		 folder(), strerror(error));
}
