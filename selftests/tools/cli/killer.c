// SPDX-License-Identifier: GPL-2.0-only
/*
 * killer N COMMAND...: run a command, and kill it with SIGKILL before the Nth system call
 * that changes something: a file, the module, a rule of hook xdp. Exit 137 if it was killed;
 * otherwise as the command does. With 0 for N it is not killed, and standard output ends
 * with the number of such calls.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/kcuckoo.h>
#include <linux/ptrace.h>

/* O_TMPFILE contains O_DIRECTORY. */
#define TMPFILE_BIT (O_TMPFILE & ~O_DIRECTORY)

/* Does the request change something in the module? */
static bool request_changes(unsigned long request)
{
	switch (request) {
	case KCUCKOO_IOC_TEST:
	case KCUCKOO_IOC_WALK:
	case KCUCKOO_IOC_INFO:
	case KCUCKOO_IOC_LIST:
	case KCUCKOO_IOC_RULES:
	case KCUCKOO_IOC_STATS:
	case KCUCKOO_IOC_SAVE:
		return false;
	default:
		return (request >> 8 & 0xff) == KCUCKOO_IOC_MAGIC;
	}
}

static bool call_changes(const struct ptrace_syscall_info *info)
{
	switch (info->entry.nr) {
	case SYS_ioctl:
		return request_changes(info->entry.args[1]);
	case SYS_openat:
		return info->entry.args[2] & (O_CREAT | O_TRUNC | TMPFILE_BIT);
	case SYS_write:
	case SYS_pwrite64:
	case SYS_writev:
		return info->entry.args[0] > STDERR_FILENO;
	case SYS_bpf:
	case SYS_chmod:
	case SYS_fchmod:
	case SYS_fork:
	case SYS_clone:
	case SYS_clone3:
	case SYS_vfork:
	case SYS_ftruncate:
	case SYS_link:
	case SYS_linkat:
	case SYS_mkdir:
	case SYS_mkdirat:
	case SYS_rename:
	case SYS_renameat:
	case SYS_renameat2:
	case SYS_rmdir:
	case SYS_sendmsg:
	case SYS_sendto:
	case SYS_unlink:
	case SYS_unlinkat:
	case SYS_utimensat:
		return true;
	default:
		return false;
	}
}

/* Is the child at the entry of a system call that changes something? */
static bool is_change(pid_t child)
{
	struct ptrace_syscall_info info = { .op = PTRACE_SYSCALL_INFO_NONE };

	return ptrace(PTRACE_GET_SYSCALL_INFO, child, sizeof(info), &info) > 0 &&
	       info.op == PTRACE_SYSCALL_INFO_ENTRY && call_changes(&info);
}

/* Return: the exit code, 128 + N after signal N. */
static int run(pid_t child, long last)
{
	int status, number = 0;
	long changes = 0;

	if (waitpid(child, &status, 0) != child || !WIFSTOPPED(status) ||
	    ptrace(PTRACE_SETOPTIONS, child, 0,
		   PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL))
		return 125;
	while (!ptrace(PTRACE_SYSCALL, child, 0, number)) {
		if (waitpid(child, &status, 0) != child)
			return 125;
		if (!WIFSTOPPED(status))
			break;
		number = WSTOPSIG(status);
		if (number != (SIGTRAP | 0x80))
			continue;
		number = 0;
		if (is_change(child) && ++changes == last) {
			kill(child, SIGKILL);
			while (waitpid(child, &status, 0) == child && WIFSTOPPED(status))
				;
			break;
		}
	}
	if (!last)
		printf("%ld\n", changes);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int main(int argc, char **argv)
{
	pid_t child;

	if (argc < 3)
		return 125;
	child = fork();
	if (!child) {
		if (ptrace(PTRACE_TRACEME, 0, 0, 0))
			_exit(125);
		execvp(argv[2], argv + 2);
		_exit(127);
	}
	return child < 0 ? 125 : run(child, atol(argv[1]));
}
