// SPDX-License-Identifier: GPL-2.0-only
/*
 * This library kills a program before the call with the number in the variable CRASH, of
 * all calls that change files.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static void step(void)
{
	static int calls;

	if (++calls == atoi(getenv("CRASH")))
		kill(getpid(), SIGKILL);
}

/* WRAP(type, name, parameters, arguments): the function of the C library, after a step. */
#define WRAP(type, name, parameters, arguments)			\
type name parameters						\
{								\
	type (*next) parameters = dlsym(RTLD_NEXT, #name);	\
								\
	step();							\
	return next arguments;					\
}

WRAP(ssize_t, write, (int fd, const void *bytes, size_t length), (fd, bytes, length))
WRAP(int, fsync, (int fd), (fd))
WRAP(int, fchmod, (int fd, mode_t mode), (fd, mode))
WRAP(int, unlinkat, (int folder, const char *name, int flags), (folder, name, flags))
WRAP(int, renameat, (int from, const char *name, int to, const char *new), (from, name, to, new))
