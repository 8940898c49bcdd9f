// SPDX-License-Identifier: GPL-2.0-only
/*
 * In the place of the C library's ioctl(): KCUCKOO_IOC_STATS answers as a module does
 * that XDP programs may not call, or, where STATS is "old", as one that does not know
 * the version and what comes after it.
 */
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../../../uapi/linux/kcuckoo.h"

static int stats_old(int fd, struct kcuckoo_ioc_stats *stats)
{
	const __u32 size = stats->size;
	int ret;

	if (stats->version || stats->reserved || stats->features) {
		errno = E2BIG;
		return -1;
	}
	stats->size = offsetof(struct kcuckoo_ioc_stats, version);
	ret = syscall(SYS_ioctl, fd, KCUCKOO_IOC_STATS, stats);
	stats->size = size;
	return ret;
}

int ioctl(int fd, unsigned long request, ...)
{
	const char *which = getenv("STATS");
	void *argument;
	va_list list;
	int ret;

	va_start(list, request);
	argument = va_arg(list, void *);
	va_end(list);
	if (request == KCUCKOO_IOC_STATS && which && !strcmp(which, "old"))
		return stats_old(fd, argument);
	ret = syscall(SYS_ioctl, fd, request, argument);
	if (request == KCUCKOO_IOC_STATS && !ret)
		((struct kcuckoo_ioc_stats *)argument)->features &=
			~((__u64)KCUCKOO_FEATURE_XDP |
			  (which ? (__u64)KCUCKOO_FEATURE_TC : 0));
	return ret;
}
