// SPDX-License-Identifier: GPL-2.0-only
/*
 * libkcuckoo and a module that is older than it: what the module does not know is zero
 * afterwards, whatever was in memory before.
 */
#include "client.h"

#include <stdarg.h>
#include <sys/syscall.h>

#include "kcuckoo.h"

FIXTURE(older)
{
	struct kcuckoo *handle;
	struct kcuckoo_ioc_stats stats;
};

FIXTURE_SETUP(older)
{
	ASSERT_EQ(0, unshare(CLONE_NEWNET));
	ASSERT_GE(client_open(), 0);
	ASSERT_EQ(0, kcuckoo_open(&self->handle, NULL));
	memset(&self->stats, 0xa5, sizeof(self->stats));
	self->stats.size = sizeof(self->stats);
}

FIXTURE_TEARDOWN(older)
{
	kcuckoo_close(self->handle);
}

static bool old_module;

/* In the place of the C library's: a module that does not know the version may answer. */
int ioctl(int fd, unsigned long request, ...)
{
	struct kcuckoo_ioc_stats *stats;
	va_list list;

	va_start(list, request);
	stats = va_arg(list, void *);
	va_end(list);
	if (!old_module || request != KCUCKOO_IOC_STATS)
		return syscall(SYS_ioctl, fd, request, stats);
	errno = stats->version || stats->reserved || stats->features ? E2BIG : 0;
	return errno ? -1 : 0;
}

TEST_F(older, no_version_of_an_old_module)
{
	old_module = true;
	EXPECT_EQ(0, kcuckoo_stats(self->handle, &self->stats));
	EXPECT_EQ(0, self->stats.version);
	EXPECT_EQ(0, self->stats.features);
}

TEST_F(older, version_of_this_module)
{
	EXPECT_EQ(0, kcuckoo_stats(self->handle, &self->stats));
	EXPECT_EQ(KCUCKOO_VERSION(0, 6, 0), self->stats.version);
	EXPECT_EQ(KCUCKOO_FEATURE_RULES_PIN_MODULE,
		  self->stats.features & KCUCKOO_FEATURE_RULES_PIN_MODULE);
}

TEST_HARNESS_MAIN
