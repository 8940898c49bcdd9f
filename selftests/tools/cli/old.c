// SPDX-License-Identifier: GPL-2.0-only
/*
 * A module of version 0.5.0, for a command with LD_PRELOAD: it cannot subscribe to
 * events, and reports its version.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <sys/ioctl.h>

#include <linux/kcuckoo.h>

int ioctl(int fd, unsigned long request, ...)
{
	typeof(ioctl) *next = dlsym(RTLD_NEXT, "ioctl");
	struct kcuckoo_ioc_stats *stats;
	va_list list;
	int ret;

	va_start(list, request);
	stats = va_arg(list, void *);
	va_end(list);
	if (request == KCUCKOO_IOC_SUBSCRIBE) {
		errno = ENOTTY;
		return -1;
	}
	ret = next(fd, request, stats);
	if (!ret && request == KCUCKOO_IOC_STATS)
		stats->version = KCUCKOO_VERSION(0, 5, 0);
	return ret;
}
