// SPDX-License-Identifier: GPL-2.0-only
/*
 * libkcuckoo and signals: a restore that a signal ends leaves the filter that it would
 * have replaced, and no memory of the new filter.
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
		kill(getpid(), SIGKILL);
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

/*
 * Restore in a process of its own, which opens the device itself: the staged filter
 * belongs to a descriptor. Return: the signal that ended the process, or 0.
 */
static int restore_ended_by(int fd, unsigned int alarm_after)
{
	char name[KCUCKOO_NAME_SIZE] = "a";
	struct kcuckoo *handle;
	pid_t pid = fork();
	int status = 0;

	if (!pid) {
		signal(SIGALRM, SIG_DFL);
		alarm(alarm_after);
		if (!kcuckoo_open(&handle, NULL))
			kcuckoo_restore(handle, name, KCUCKOO_RESTORE_REPLACE, fd, NULL);
		_exit(0);
	}
	waitpid(pid, &status, 0);
	return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

/* Is that much memory in use in the end? Some is released a little later. */
static bool memory_becomes(struct kcuckoo *handle, __u64 bytes)
{
	struct kcuckoo_ioc_stats stats = { .size = sizeof(stats) };
	int i;

	for (i = 0; i < 500; i++) {
		if (!kcuckoo_stats(handle, &stats) && stats.memory_bytes == bytes)
			return true;
		client_sleep(0.02);
	}
	return false;
}

TEST_F(signal, ends_a_restore_before_the_replacement)
{
	struct kcuckoo_ioc_stats stats = { .size = sizeof(stats) };

	ASSERT_EQ(0, kcuckoo_stats(self->handle, &stats));
	lseek(self->fd, 0, SEEK_SET);
	signal_comes = true;
	EXPECT_EQ(SIGKILL, restore_ended_by(self->fd, 0));
	signal_comes = false;
	EXPECT_EQ(1, members(self->handle));
	EXPECT_TRUE(memory_becomes(self->handle, stats.memory_bytes));
}

TEST_F(signal, ends_a_restore_from_a_silent_pipe)
{
	char part[80];
	int ends[2];

	ASSERT_EQ(0, pipe(ends));
	ASSERT_EQ(sizeof(part), pread(self->fd, part, sizeof(part), 0));
	ASSERT_EQ(sizeof(part), write(ends[1], part, sizeof(part)));
	EXPECT_EQ(SIGALRM, restore_ended_by(ends[0], 1));
	EXPECT_EQ(1, members(self->handle));
	close(ends[0]);
	close(ends[1]);
}

TEST_HARNESS_MAIN
