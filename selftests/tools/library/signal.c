// SPDX-License-Identifier: GPL-2.0-only
/*
 * libkcuckoo and signals: none leaves a filter behind that was to take the place of
 * another one.
 */
#include "client.h"

#include <signal.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "kcuckoo.h"

/* A signal comes when the kernel has all of a snapshot. */
static bool signal_comes;

/* The library's calls go through here, in place of the C library's own. */
int ioctl(int fd, unsigned long request, ...)
{
	const struct kcuckoo_ioc_restore *arg;
	va_list list;
	int ret;

	va_start(list, request);
	arg = va_arg(list, const void *);
	va_end(list);
	ret = syscall(SYS_ioctl, fd, request, arg);
	if (signal_comes && request == KCUCKOO_IOC_RESTORE && !ret &&
	    arg->offset + arg->done == arg->total)
		kill(getpid(), SIGTERM);
	return ret;
}

FIXTURE(signal)
{
	struct kcuckoo *handle;
	int fd;
};

/* A filter "a" of one member, and a snapshot from when it had none. */
FIXTURE_SETUP(signal)
{
	struct kcuckoo_prefix key = {
		.family = KCUCKOO_FAMILY_IPV4,
		.plen = 32,
		.addr = { 192, 0, 2, 1 },
	};
	const struct kcuckoo_batch batch = { .prefixes = &key, .count = 1 };

	ASSERT_EQ(0, unshare(CLONE_NEWNET));
	ASSERT_GE(client_open(), 0);
	ASSERT_EQ(0, kcuckoo_open(&self->handle, NULL));
	self->fd = memfd_create("snapshot", MFD_CLOEXEC);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, kcuckoo_create(self->handle, "a", NULL));
	ASSERT_EQ(0, kcuckoo_save(self->handle, "a", self->fd, NULL));
	ASSERT_EQ(0, kcuckoo_add(self->handle, "a", 0, &batch, NULL));
}

FIXTURE_TEARDOWN(signal)
{
	close(self->fd);
	kcuckoo_close(self->handle);
}

/* Return: how many members "a" has, or -1 where it is not the only filter. */
static long long members(struct kcuckoo *handle)
{
	struct kcuckoo_ioc_info info = { .size = sizeof(info) };
	struct kcuckoo_list_entry *entries;
	int count = kcuckoo_list(handle, &entries);

	free(entries);
	if (count != 1 || kcuckoo_info(handle, "a", &info))
		return -1;
	return info.members;
}

/* Restore in a process of its own. Return: the signal that ended it, or 0. */
static int restore_ended_by(struct kcuckoo *handle, int fd, unsigned int alarm_after)
{
	char name[KCUCKOO_NAME_SIZE] = "a";
	pid_t pid = fork();
	int status = 0;

	if (!pid) {
		signal(SIGALRM, SIG_DFL);
		alarm(alarm_after);
		kcuckoo_restore(handle, name, KCUCKOO_RESTORE_REPLACE, fd, NULL);
		_exit(0);
	}
	waitpid(pid, &status, 0);
	return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

TEST_F(signal, waits_until_a_filter_has_its_place)
{
	lseek(self->fd, 0, SEEK_SET);
	signal_comes = true;
	EXPECT_EQ(SIGTERM, restore_ended_by(self->handle, self->fd, 0));
	signal_comes = false;
	EXPECT_EQ(0, members(self->handle));
}

TEST_F(signal, does_not_wait_for_a_silent_pipe)
{
	char part[80];
	int ends[2];

	ASSERT_EQ(0, pipe(ends));
	ASSERT_EQ(sizeof(part), pread(self->fd, part, sizeof(part), 0));
	ASSERT_EQ(sizeof(part), write(ends[1], part, sizeof(part)));
	EXPECT_EQ(SIGALRM, restore_ended_by(self->handle, ends[0], 1));
	EXPECT_EQ(1, members(self->handle));
	close(ends[0]);
	close(ends[1]);
}

TEST_F(signal, comes_again_whatever_the_restore_came_to)
{
	char name[KCUCKOO_NAME_SIZE] = "a b";
	sigset_t mask;

	lseek(self->fd, 0, SEEK_SET);
	EXPECT_EQ(-EINVAL, kcuckoo_restore(self->handle, name, KCUCKOO_RESTORE_REPLACE,
					   self->fd, NULL));
	ASSERT_EQ(0, sigprocmask(SIG_BLOCK, NULL, &mask));
	EXPECT_EQ(0, sigismember(&mask, SIGTERM));
	EXPECT_EQ(1, members(self->handle));
	lseek(self->fd, 0, SEEK_SET);
	strcpy(name, "a");
	EXPECT_EQ(0, kcuckoo_restore(self->handle, name, KCUCKOO_RESTORE_REPLACE, self->fd,
				     NULL));
	ASSERT_EQ(0, sigprocmask(SIG_BLOCK, NULL, &mask));
	EXPECT_EQ(0, sigismember(&mask, SIGTERM));
	EXPECT_EQ(0, members(self->handle));
}

TEST_HARNESS_MAIN
