// SPDX-License-Identifier: GPL-2.0-only
/*
 * Another process that destroys the first filter which a command creates, for a command with
 * LD_PRELOAD.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>
#include <sys/ioctl.h>

#include <linux/kcuckoo.h>

int ioctl(int fd, unsigned long request, ...)
{
	typeof(ioctl) *next = dlsym(RTLD_NEXT, "ioctl");
	struct kcuckoo_ioc_destroy destroy = { .size = sizeof(destroy) };
	const struct kcuckoo_ioc_create *create;
	static bool destroyed;
	va_list list;
	int ret;

	va_start(list, request);
	create = va_arg(list, void *);
	va_end(list);
	ret = next(fd, request, create);
	if (ret || request != KCUCKOO_IOC_CREATE || destroyed)
		return ret;
	destroyed = true;
	memcpy(destroy.name, create->name, sizeof(destroy.name));
	return next(fd, KCUCKOO_IOC_DESTROY, &destroy);
}
