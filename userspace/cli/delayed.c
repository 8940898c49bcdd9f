// SPDX-License-Identifier: GPL-2.0-only
/*
 * This file starts a program after a delay, for rules/confirm.c: from a transient
 * unit of systemd, or from a child process with a session of its own.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "delayed.h"
#include "message.h"

extern char **environ;

/* This folder exists while systemd is process 1. */
#define SYSTEMD		"/run/systemd/system"

/* Maximum number of arguments of the program. */
#define MAX_ARGUMENTS	16

/* Run a program without its output. Return: true if the program exited with code 0. */
static bool run_program(char *const argv[])
{
	posix_spawn_file_actions_t actions;
	int status, ret;
	pid_t pid;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null",
					 O_WRONLY, 0);
	posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null",
					 O_WRONLY, 0);
	ret = posix_spawnp(&pid, argv[0], &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	if (ret)
		return false;
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return false;
	return WIFEXITED(status) && !WEXITSTATUS(status);
}

static bool start_unit(const char *unit, unsigned int seconds,
		       char *const argv[])
{
	char *run[MAX_ARGUMENTS + 8] = {
		"systemd-run", "--quiet", "--collect",
		"--timer-property=AccuracySec=100ms",
	};
	char active[48], name[80];
	int count = 4;

	snprintf(active, sizeof(active), "--on-active=%u", seconds);
	snprintf(name, sizeof(name), "--unit=%s", unit);
	run[count++] = active;
	run[count++] = name;
	run[count++] = "--";
	while (*argv)
		run[count++] = *argv++;
	return run_program(run);
}

static void enter_first_netns(void)
{
	int fd = open("/proc/1/ns/net", O_RDONLY | O_CLOEXEC);

	/* If the process cannot enter this namespace, the program still starts. */
	if (fd >= 0 && !setns(fd, CLONE_NEWNET))
		close(fd);
}

static _Noreturn void wait_and_exec(const struct timespec *until, bool leave_netns,
				    char *const argv[])
{
	int null = open("/dev/null", O_RDWR), fd;

	for (fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		dup2(null, fd);
	if (leave_netns)
		enter_first_netns();
	/* Close all other descriptors: a handle of the device would keep the module loaded. */
	close_range(STDERR_FILENO + 1, ~0U, 0);
	signal(SIGHUP, SIG_IGN);
	if (!chdir("/"))
		while (clock_nanosleep(CLOCK_BOOTTIME, TIMER_ABSTIME, until,
				       NULL) == EINTR)
			;
	execv(argv[0], argv);
	_exit(127);
}

static int start_child(unsigned int seconds, bool leave_netns, char *const argv[])
{
	struct timespec until;
	int status;
	pid_t pid;

	clock_gettime(CLOCK_BOOTTIME, &until);
	until.tv_sec += seconds;
	pid = fork();
	if (pid < 0)
		return error("cannot start a process: %s", strerror(errno));
	if (!pid) {
		/*
		 * The first child leads a new session and exits. The second child
		 * is not a session leader, so it cannot get a terminal.
		 */
		setsid();
		pid = fork();
		if (!pid)
			wait_and_exec(&until, leave_netns, argv);
		_exit(pid < 0);
	}
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return error("cannot wait for a process: %s",
				     strerror(errno));
	if (!WIFEXITED(status) || WEXITSTATUS(status))
		return error("cannot start a process");
	return 0;
}

int delayed_start(const char *unit, unsigned int seconds, bool leave_netns,
		  char *const argv[])
{
	int count = 0;

	while (argv[count])
		count++;
	if (count > MAX_ARGUMENTS)
		return error("too many arguments for %s", argv[0]);
	if (unit && !access(SYSTEMD, F_OK) && start_unit(unit, seconds, argv))
		return 0;
	return start_child(seconds, leave_netns, argv);
}

void delayed_stop(const char *unit)
{
	char timer[80];
	char * const argv[] = { "systemctl", "--quiet", "stop", timer, NULL };

	if (access(SYSTEMD, F_OK))
		return;
	snprintf(timer, sizeof(timer), "%s.timer", unit);
	run_program(argv);
}
