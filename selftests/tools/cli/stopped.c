// SPDX-License-Identifier: GPL-2.0-only
/*
 * Stops a command with LD_PRELOAD, by SIGSTOP, once it has opened the file STOP_AT for the first
 * time, so that a test can change something before the command goes on.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

int open64(const char *path, int flags, ...)
{
	typeof(open64) *next = dlsym(RTLD_NEXT, "open64");
	const char *at = getenv("STOP_AT");
	static bool stopped;
	va_list list;
	mode_t mode;
	int fd;

	va_start(list, flags);
	mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0;
	va_end(list);
	fd = next(path, flags, mode);
	if (fd >= 0 && at && !strcmp(path, at) && !stopped) {
		stopped = true;
		raise(SIGSTOP);
	}
	return fd;
}
