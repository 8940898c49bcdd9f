// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program that is started later: it is, whatever becomes of who wanted it.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "delayed.h"
#include "tap.h"

static char folder[] = "/tmp/delayed.XXXXXX";

/* How often a file is looked for, each time after 10 ms. */
#define TRIES	1500

static bool appears(const char *path)
{
	int i;

	for (i = 0; i < TRIES && access(path, F_OK); i++)
		usleep(10000);
	return !access(path, F_OK);
}

/*
 * Let a process start "mkdir PATH" in two seconds, and leave its session, with
 * SIGNAL for its group, when it has.
 */
static void start_in_session(const char *path, int signal)
{
	char * const argv[] = { "/bin/mkdir", (char *)path, NULL };
	int ready[2], status;
	char byte;
	pid_t pid;

	tap_require(!pipe2(ready, O_CLOEXEC), "no pipe");
	pid = fork();
	if (!pid) {
		setsid();
		byte = delayed_start(NULL, 2, false, argv) ? 'n' : 'y';
		if (write(ready[1], &byte, 1) == 1)
			pause();
		_exit(1);
	}
	tap_require(read(ready[0], &byte, 1) == 1 && byte == 'y',
		    "it is not started");
	kill(-pid, signal);
	tap_require(waitpid(pid, &status, 0) == pid && WIFSIGNALED(status),
		    "the process did not die");
	close(ready[0]);
	close(ready[1]);
}

static void after_signal(const char *name, int signal)
{
	char path[100];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	start_in_session(path, signal);
	tap_require(access(path, F_OK), "it began at once");
	tap_require(appears(path), "it did not begin");
	tap_require(!rmdir(path), "no folder");
}

static void test_kill(void)
{
	after_signal("kill", SIGKILL);
}

static void test_hangup(void)
{
	after_signal("hangup", SIGHUP);
}

/* The program must not hold what this process has open: the device, a lock. */
static void test_descriptors(void)
{
	char * const argv[] = { "/bin/true", NULL };
	int ends[2];
	char byte;

	tap_require(!pipe(ends), "no pipe");
	tap_require(!delayed_start(NULL, 20, false, argv), "it is not started");
	close(ends[1]);
	tap_require(read(ends[0], &byte, 1) == 0, "the pipe has a writer");
	close(ends[0]);
}

static const struct tap_test tests[] = {
	{ "delayed.kill: it starts after a kill of the command", test_kill },
	{ "delayed.hangup: it starts after the end of the session", test_hangup },
	{ "delayed.descriptors: it holds no descriptor open", test_descriptors },
};

int main(int argc, char **argv)
{
	int ret;

	if (!mkdtemp(folder))
		return 1;
	ret = tap_main(argc, argv, tests, TAP_COUNT(tests));
	rmdir(folder);
	return ret;
}
