// SPDX-License-Identifier: GPL-2.0-only
/*
 * program_run() runs another program for a check of the verb doctor.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "doctor/program.h"

extern char **environ;

/* Exit code of a program that could not be run, as in the shell. */
#define NOT_FOUND	127

static int start(const char * const argv[], const int fds[2], pid_t *pid)
{
	posix_spawn_file_actions_t actions;
	int ret = posix_spawn_file_actions_init(&actions);

	if (ret)
		return ret;
	ret = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null",
					       O_RDONLY, 0);
	if (!ret)
		ret = posix_spawn_file_actions_adddup2(&actions, fds[1],
						       STDOUT_FILENO);
	if (!ret)
		ret = posix_spawn_file_actions_adddup2(&actions, fds[1],
						       STDERR_FILENO);
	if (!ret)
		ret = posix_spawnp(pid, argv[0], &actions, NULL,
				   (char * const *)argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	return ret;
}

/* Read the pipe to its end, and keep the first @size - 1 bytes, without newlines at the end. */
static void read_output(int fd, char *output, size_t size)
{
	char rest[512];
	size_t length = 0;
	ssize_t got;

	do {
		if (length < size - 1)
			got = read(fd, output + length, size - 1 - length);
		else
			got = read(fd, rest, sizeof(rest));
		if (got > 0 && length < size - 1)
			length += got;
	} while (got > 0 || (got < 0 && errno == EINTR));
	while (length && output[length - 1] == '\n')
		length--;
	output[length] = 0;
}

int program_run(const char * const argv[], char *output, size_t size)
{
	int fds[2], status, ret;
	pid_t pid;

	*output = 0;
	if (pipe2(fds, O_CLOEXEC))
		return -1;
	ret = start(argv, fds, &pid);
	close(fds[1]);
	if (!ret)
		read_output(fds[0], output, size);
	close(fds[0]);
	if (ret)
		return -1;
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	if (!WIFEXITED(status) || WEXITSTATUS(status) == NOT_FOUND)
		return -1;
	return WEXITSTATUS(status);
}
