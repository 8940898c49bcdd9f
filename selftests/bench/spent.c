// SPDX-License-Identifier: GPL-2.0-only
/*
 * spent COMMAND...: run it, and print what it took, to descriptor 3:
 *
 *	WALL USER SYSTEM PEAK FAULTS
 *
 * Seconds, kilobytes of memory at most, and page faults. Exit status: the
 * command's.
 */
#include <err.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds(const struct timeval *time)
{
	return time->tv_sec + time->tv_usec / 1e6;
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec + time.tv_nsec / 1e9;
}

int main(int argc, char *argv[])
{
	double start = now();
	struct rusage usage;
	pid_t child;
	int status;

	if (argc < 2)
		errx(2, "no command");
	child = fork();
	if (child < 0)
		err(2, "fork");
	if (!child) {
		close(3);
		execvp(argv[1], argv + 1);
		err(127, "%s", argv[1]);
	}
	if (wait4(child, &status, 0, &usage) < 0)
		err(2, "wait4");
	dprintf(3, "%.6f %.6f %.6f %ld %ld\n", now() - start,
		seconds(&usage.ru_utime), seconds(&usage.ru_stime),
		usage.ru_maxrss, usage.ru_minflt);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
