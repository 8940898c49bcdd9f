// SPDX-License-Identifier: GPL-2.0-only
/*
 * A sandbox is a child process that reads an untrusted file. The child gives up the
 * privileges of root, cannot open files and has little memory. unarchive.c and mmdb.c
 * call these functions in the child; extract.c runs in the parent.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <grp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "input/sandbox.h"

/*
 * With the address sanitizer, the child has no memory limit and keeps standard error: the
 * sanitizer reserves more address space than the machine has memory, and writes to standard
 * error.
 */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define SANITIZED
#endif

/* Id of the user nobody and the group nogroup. */
#define NOBODY		65534

/* Write @length bytes to the parent. If this fails, exit. */
static void put(const void *bytes, size_t length)
{
	const char *at = bytes;

	while (length) {
		ssize_t done = write(STDOUT_FILENO, at, length);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			_exit(EXIT_ERROR);
		at += done;
		length -= done;
	}
}

void sandbox_send(enum frame_kind kind, const void *bytes, size_t length)
{
	struct frame frame = { .kind = kind, .length = length };

	put(&frame, sizeof(frame));
	put(bytes, length);
}

void sandbox_fail(const char *format, ...)
{
	char text[1024];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	sandbox_send(FRAME_ERROR, text, strlen(text));
	_exit(EXIT_ERROR);
}

static void set_limit(int resource, __u64 value)
{
	struct rlimit limit = { .rlim_cur = value, .rlim_max = value };

	if (setrlimit(resource, &limit))
		sandbox_fail("cannot set a resource limit for reading it: %s", strerror(errno));
}

void sandbox_limit(__u64 bytes)
{
#ifdef SANITIZED
	(void)bytes;
#else
	unsigned long pages = 0;
	FILE *file = fopen("/proc/self/statm", "re");

	/* RLIMIT_AS also counts the memory that the process has already mapped. */
	if (file) {
		if (fscanf(file, "%lu", &pages) != 1)
			pages = 0;
		fclose(file);
	}
	set_limit(RLIMIT_AS, bytes + (__u64)pages * sysconf(_SC_PAGESIZE));
#endif
}

void sandbox_begin(int socket, int file)
{
#ifdef SANITIZED
	int fd = STDERR_FILENO + 1;
#else
	int fd = STDERR_FILENO;
#endif
	int max = sysconf(_SC_OPEN_MAX);

	if (file < 0)
		close(STDIN_FILENO);
	else
		dup2(file, STDIN_FILENO);
	dup2(socket, STDOUT_FILENO);
#ifdef SYS_close_range
	if (!syscall(SYS_close_range, fd, ~0U, 0))
		return;
#endif
	for (; fd < max; fd++)
		close(fd);
}

/*
 * An attacker who takes over the process does not gain the privileges of root. Without the right
 * to change the ids, as in some user namespaces, the resource limits still apply.
 */
void sandbox_enter(void)
{
	if (!geteuid()) {
		/* Make all three calls, even if one of them fails. */
		int failed = setgroups(0, NULL);

		failed |= setresgid(NOBODY, NOBODY, NOBODY);
		failed |= setresuid(NOBODY, NOBODY, NOBODY);
		if (failed)
			errno = 0;
	}
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	set_limit(RLIMIT_CORE, 0);
	set_limit(RLIMIT_FSIZE, 0);
	set_limit(RLIMIT_NPROC, 0);
	set_limit(RLIMIT_NOFILE, 0);
}

void sandbox_end(void)
{
	sandbox_send(FRAME_DONE, NULL, 0);
	_exit(EXIT_YES);
}
