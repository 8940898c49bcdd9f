// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kernel cannot report the state of a filter, for a command with LD_PRELOAD: from call
 * number INFO_FAILS on, KCUCKOO_IOC_INFO fails with ENOMEM.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/ioctl.h>

#include <linux/kcuckoo.h>

int ioctl(int fd, unsigned long request, ...)
{
	typeof(ioctl) *next = dlsym(RTLD_NEXT, "ioctl");
	const char *from = getenv("INFO_FAILS");
	static int calls;
	va_list list;
	void *arg;

	va_start(list, request);
	arg = va_arg(list, void *);
	va_end(list);
	if (request != KCUCKOO_IOC_INFO || !from || ++calls < atoi(from))
		return next(fd, request, arg);
	errno = ENOMEM;
	return -1;
}
