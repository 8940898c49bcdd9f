// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions look up the network devices of rules.
 */
#include <errno.h>
#include <net/if.h>
#include <string.h>

#include "keywords.h"
#include "message.h"
#include "rules/device.h"

int device_missing(const char *dev)
{
	char buf[DEVICE_TEXT];

	return hint(error("there is no network device '%s'",
			  device_text(dev, buf)), "'ip link' shows all");
}

__u32 device_index(const char *device)
{
	__u32 index = if_nametoindex(device);
	char buf[DEVICE_TEXT];

	if (!index && errno == ENODEV)
		device_missing(device);
	else if (!index)
		error("cannot look up the network device '%s': %s",
		      device_text(device, buf), strerror(errno));
	return index;
}
