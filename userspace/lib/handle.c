// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * These functions of libkcuckoo open the device, in any network namespace, and
 * send requests to the device.
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "handle.h"

#define NETNS_FOLDER	"/run/netns"

int kcuckoo_handle_call(const struct kcuckoo *handle, unsigned long request, void *arg)
{
	int ret = ioctl(handle->fd, request, arg);

	return ret < 0 ? -errno : ret;
}

int kcuckoo_handle_name(__u8 field[KCUCKOO_NAME_SIZE], const char *name)
{
	size_t length;

	if (!name)
		name = "";
	length = strlen(name);
	if (length >= KCUCKOO_NAME_SIZE)
		return -EINVAL;
	memset(field, 0, KCUCKOO_NAME_SIZE);
	memcpy(field, name, length);
	return 0;
}

#define SAME_SIZE(a, b)	\
	(sizeof(struct kcuckoo_ioc_##a) == sizeof(struct kcuckoo_ioc_##b))
static_assert(SAME_SIZE(destroy, flush) && SAME_SIZE(destroy, compact),
	      "the requests that take one name must have one layout");
static_assert(SAME_SIZE(rename, swap) && SAME_SIZE(rename, merge) &&
	      sizeof(struct kcuckoo_ioc_rename) ==
	      offsetof(struct kcuckoo_ioc_replace, filter_id),
	      "the requests that take two names must begin with one layout");
static_assert(offsetof(struct kcuckoo_ioc_rules, rule_size) ==
	      sizeof(struct kcuckoo_ioc_list),
	      "struct kcuckoo_ioc_rules must begin as struct kcuckoo_ioc_list");

int kcuckoo_handle_call_name(const struct kcuckoo *handle, unsigned long request,
			     const char *name)
{
	struct kcuckoo_ioc_destroy arg = { .size = sizeof(arg) };
	int ret = kcuckoo_handle_name(arg.name, name);

	return ret ? ret : kcuckoo_handle_call(handle, request, &arg);
}

int kcuckoo_handle_call_names(const struct kcuckoo *handle, unsigned long request,
			      const char *name, const char *other)
{
	struct kcuckoo_ioc_rename arg = { .size = sizeof(arg) };
	int ret = kcuckoo_handle_name(arg.name, name);

	if (!ret)
		ret = kcuckoo_handle_name(arg.new_name, other);
	return ret ? ret : kcuckoo_handle_call(handle, request, &arg);
}

int kcuckoo_handle_list(const struct kcuckoo *handle, unsigned long request,
			size_t width, void **list)
{
	struct kcuckoo_ioc_rules arg = { .size = sizeof(arg) };

	if (request == KCUCKOO_IOC_RULES)
		arg.rule_size = width;
	return kcuckoo_handle_list_by(handle, request, &arg, width, list);
}

int kcuckoo_handle_list_by(const struct kcuckoo *handle, unsigned long request,
			   struct kcuckoo_ioc_rules *arg, size_t width, void **list)
{
	void *entries = NULL, *larger;
	int ret;

	*list = NULL;
	for (;;) {
		arg->rules = (uintptr_t)entries;
		ret = kcuckoo_handle_call(handle, request, arg);
		if (ret)
			break;
		if (arg->total <= arg->count) {
			*list = entries;
			return arg->total;
		}
		/* Other programs can add filters or rules before the next call. */
		arg->count = arg->total + 16;
		larger = realloc(entries, arg->count * width);
		if (!larger) {
			ret = -ENOMEM;
			break;
		}
		entries = larger;
	}
	free(entries);
	return ret;
}

static int device_open(void)
{
	int fd = open(KCUCKOO_DEVICE, O_RDWR | O_CLOEXEC);

	if (fd >= 0)
		return fd;
	/* kcuckoo_open() returns -ENOENT only if the network namespace is missing. */
	if (errno == ENOENT || errno == ENODEV)
		return -ENXIO;
	return -errno;
}

KCUCKOO_PUBLIC int kcuckoo_netns_enter(const char *netns)
{
	char *path = NULL;
	int fd, ret = 0;

	if (!strchr(netns, '/')) {
		if (asprintf(&path, "%s/%s", NETNS_FOLDER, netns) < 0)
			return -ENOMEM;
		netns = path;
	}
	fd = open(netns, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || setns(fd, CLONE_NEWNET))
		ret = -errno;
	if (fd >= 0)
		close(fd);
	free(path);
	return ret;
}

struct opener {
	const char *netns;
	int fd;
};

/*
 * kcuckoo_open() runs this function in a temporary thread, because setns() changes the
 * namespace of the calling thread.
 */
static void *open_inside(void *arg)
{
	struct opener *opener = arg;

	opener->fd = kcuckoo_netns_enter(opener->netns);
	if (!opener->fd)
		opener->fd = device_open();
	return NULL;
}

static int device_open_in(const char *netns)
{
	struct opener opener = { .netns = netns };
	pthread_t thread;

	/* In this library the EAGAIN of pthread_create() has another meaning: return -ENOMEM. */
	if (pthread_create(&thread, NULL, open_inside, &opener))
		return -ENOMEM;
	pthread_join(thread, NULL);
	return opener.fd;
}

KCUCKOO_PUBLIC int kcuckoo_open(struct kcuckoo **handle, const char *netns)
{
	struct kcuckoo *new;
	int fd;

	*handle = NULL;
	new = malloc(sizeof(*new));
	if (!new)
		return -ENOMEM;
	fd = netns ? device_open_in(netns) : device_open();
	if (fd < 0) {
		free(new);
		return fd;
	}
	new->fd = fd;
	*handle = new;
	return 0;
}

KCUCKOO_PUBLIC void kcuckoo_close(struct kcuckoo *handle)
{
	if (!handle)
		return;
	close(handle->fd);
	free(handle);
}

KCUCKOO_PUBLIC int kcuckoo_fd(const struct kcuckoo *handle)
{
	return handle->fd;
}
