// SPDX-License-Identifier: GPL-2.0-only
/*
 * Another process that changes the filter "bl" while a command with LD_PRELOAD changes its
 * keys: after call number SWAP_AFTER that adds, deletes or updates keys, it swaps "bl" with
 * the filter "other", or destroys "bl" if there is no other filter.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/ioctl.h>

#include <linux/kcuckoo.h>

static int (*next)(int fd, unsigned long request, ...);

static void change(int fd)
{
	struct kcuckoo_ioc_swap swap = {
		.size = sizeof(swap), .name = "bl", .other = "other",
	};
	struct kcuckoo_ioc_destroy destroy = { .size = sizeof(destroy), .name = "bl" };

	if (next(fd, KCUCKOO_IOC_SWAP, &swap))
		next(fd, KCUCKOO_IOC_DESTROY, &destroy);
}

int ioctl(int fd, unsigned long request, ...)
{
	const char *after = getenv("SWAP_AFTER");
	static int calls;
	va_list list;
	void *arg;
	int ret;

	next = dlsym(RTLD_NEXT, "ioctl");
	va_start(list, request);
	arg = va_arg(list, void *);
	va_end(list);
	ret = next(fd, request, arg);
	if ((request == KCUCKOO_IOC_ADD || request == KCUCKOO_IOC_DEL ||
	     request == KCUCKOO_IOC_UPDATE) && after && ++calls == atoi(after))
		change(fd);
	return ret;
}
