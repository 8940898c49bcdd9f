// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * These functions of libkcuckoo subscribe to events, and read them.
 */
#include <errno.h>
#include <unistd.h>

#include "handle.h"

KCUCKOO_PUBLIC int kcuckoo_subscribe(struct kcuckoo *handle, __u64 types,
				     unsigned int length)
{
	struct kcuckoo_ioc_subscribe arg = {
		.size = sizeof(arg),
		.types = types,
		.event_size = sizeof(struct kcuckoo_event),
		.length = length,
	};

	return kcuckoo_handle_call(handle, KCUCKOO_IOC_SUBSCRIBE, &arg);
}

KCUCKOO_PUBLIC int kcuckoo_read_event(struct kcuckoo *handle,
				      struct kcuckoo_event *event)
{
	ssize_t ret = read(handle->fd, event, sizeof(*event));

	if (ret < 0)
		return -errno;
	/* The kernel returns whole events only. */
	return ret == sizeof(*event) ? 0 : -EIO;
}
