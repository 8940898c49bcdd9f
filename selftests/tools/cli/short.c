// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory is short, for a command with LD_PRELOAD: call number SHORT_AT of malloc() fails.
 * The failure creates the file SHORT_SEEN, if the environment has this variable.
 */
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>

void *__libc_malloc(size_t size);

static long left;

__attribute__((constructor)) static void begin(void)
{
	const char *at = getenv("SHORT_AT");

	left = at ? atol(at) : 0;
}

void *malloc(size_t size)
{
	const char *seen;

	if (left <= 0 || --left)
		return __libc_malloc(size);
	seen = getenv("SHORT_SEEN");
	if (seen)
		creat(seen, 0600);
	errno = ENOMEM;
	return NULL;
}
