/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Functions of the tests of events: they subscribe descriptors, and read events.
 */
#ifndef KCUCKOO_EVENT_TEST_H
#define KCUCKOO_EVENT_TEST_H

#include "staged.h"

#include <poll.h>

#define CAPACITY	100
#define PATIENCE	60000	/* milliseconds in which an event has to come */

/* Subscribes with a queue of @length events, 0 for the default. */
static inline int subscribe(int fd, __u64 types, __u32 length)
{
	struct kcuckoo_ioc_subscribe arg = {
		.size = sizeof(arg),
		.types = types,
		.event_size = sizeof(struct kcuckoo_event),
		.length = length,
	};

	return call(fd, KCUCKOO_IOC_SUBSCRIBE, &arg);
}

/* Return: a nonblocking descriptor with a subscription, or a negative errno. */
static inline int subscriber(__u64 types, __u32 length)
{
	int fd = open(KCUCKOO_DEVICE, O_RDWR | O_CLOEXEC | O_NONBLOCK);
	int error;

	if (fd < 0)
		return -errno;
	error = subscribe(fd, types, length);
	if (!error)
		return fd;
	close(fd);
	return error;
}

/* Return: the result of poll() with a timeout of @timeout milliseconds, or -errno. */
static inline int polled(int fd, int timeout)
{
	struct pollfd poller = { .fd = fd, .events = POLLIN };

	return poll(&poller, 1, timeout) < 0 ? -errno : poller.revents;
}

/* Read one event. Return: its type, or a negative errno. */
static inline int next(int fd, struct kcuckoo_event *event)
{
	ssize_t length;

	memset(event, POISON, sizeof(*event));
	length = read(fd, event, sizeof(*event));
	if (length < 0)
		return -errno;
	return length == sizeof(*event) ? (int)event->type : -EPROTO;
}

/* Read and discard all events in the queue. */
static inline void drain(int fd)
{
	struct kcuckoo_event event;

	while (next(fd, &event) >= 0)
		;
}

/* Wait for the next event, at most PATIENCE, and read it. Return: as next(), or -ETIME. */
static inline int next_wait(int fd, struct kcuckoo_event *event)
{
	if (polled(fd, PATIENCE) != POLLIN)
		return -ETIME;
	return next(fd, event);
}

static inline bool named(const struct kcuckoo_event *event, const char *name, const char *other)
{
	return !strcmp((const char *)event->name, name) &&
	       !strcmp((const char *)event->other, other);
}

static inline __u64 id_of(int fd, const char *name)
{
	struct kcuckoo_ioc_info info;

	return filter_info(fd, name, &info) ? 0 : info.filter_id;
}

static inline struct kcuckoo_prefix key(unsigned int number)
{
	return ipv4(0x0a000000 + number, 32);
}

/* Add @count keys from number @first on, at most 1000. Return: the same as keys_add(). */
static inline long long add(int fd, const char *name, unsigned int first, unsigned int count)
{
	struct kcuckoo_prefix keys[1000];
	unsigned int i;

	for (i = 0; i < count; i++)
		keys[i] = key(first + i);
	return keys_add(fd, name, keys, count);
}

#endif /* KCUCKOO_EVENT_TEST_H */
