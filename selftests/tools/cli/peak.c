// SPDX-License-Identifier: GPL-2.0-only
/*
 * peak FILE COMMAND...: run a command, and write to a file how much memory it had at
 * most, resident, in KiB. Ends as the command does.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static int write_peak(const char *path)
{
	struct rusage usage;
	FILE *file = fopen(path, "w");

	if (!file)
		return -1;
	getrusage(RUSAGE_CHILDREN, &usage);
	fprintf(file, "%ld\n", usage.ru_maxrss);
	return fclose(file);
}

int main(int argc, char **argv)
{
	pid_t child;
	int status;

	if (argc < 3)
		return 125;
	child = fork();
	if (!child) {
		execvp(argv[2], argv + 2);
		_exit(127);
	}
	if (child < 0 || waitpid(child, &status, 0) != child || write_peak(argv[1]))
		return 125;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
