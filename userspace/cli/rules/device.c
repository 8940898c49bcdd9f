// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions look up network devices, by index or kind, for rules and for the verb
 * explain.
 */
#include <errno.h>
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if_arp.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "keywords.h"
#include "message.h"
#include "rules/device.h"

int device_missing(const char *dev)
{
	char buf[DEVICE_TEXT];

	return hint(error("there is no network device '%s'",
			  device_text(dev, buf)), "'ip link' shows all");
}

int device_never_drops(const char *dev)
{
	char buf[DEVICE_TEXT];

	return hint(error(DEVICE_NEVER_DROPS, device_text(dev, buf)),
		    "for a VRF, name a device that belongs to it");
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

static int device_ioctl(const char *device, unsigned long number,
			struct ifreq *request)
{
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), ret;

	if (fd < 0)
		return -errno;
	strncpy(request->ifr_name, device, IF_NAMESIZE - 1);
	ret = ioctl(fd, number, request) ? -errno : 0;
	close(fd);
	return ret;
}

bool device_is_loopback(const char *device)
{
	struct ifreq request = { .ifr_flags = 0 };

	return !device_ioctl(device, SIOCGIFFLAGS, &request) &&
	       request.ifr_flags & IFF_LOOPBACK;
}

static bool has_driver(const char *device, const char *driver)
{
	struct ethtool_drvinfo info = { .cmd = ETHTOOL_GDRVINFO };
	struct ifreq request = { .ifr_data = (char *)&info };

	return !device_ioctl(device, SIOCETHTOOL, &request) &&
	       !strcmp(info.driver, driver);
}

static bool is_bridge(const char *device)
{
	return has_driver(device, "bridge");
}

bool device_is_upper(const char *device)
{
	struct ifreq request = { .ifr_flags = 0 };

	if (is_bridge(device) || has_driver(device, "802.1Q VLAN Support"))
		return true;
	if (device_ioctl(device, SIOCGIFHWADDR, &request))
		return false;
	switch (request.ifr_hwaddr.sa_family) {
	case ARPHRD_PPP:
	case ARPHRD_TUNNEL:
	case ARPHRD_TUNNEL6:
		return true;
	default:
		return false;
	}
}

bool device_find_bridge(char name[IF_NAMESIZE])
{
	struct if_nameindex *devices = if_nameindex(), *device;
	bool found = false;

	for (device = devices; device && device->if_index && !found; device++) {
		found = is_bridge(device->if_name);
		if (found)
			strcpy(name, device->if_name);
	}
	if (devices)
		if_freenameindex(devices);
	return found;
}
