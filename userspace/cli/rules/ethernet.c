// SPDX-License-Identifier: GPL-2.0-only
/*
 * ethernet_check() checks whether a rule of hook xdp can work on a device.
 */
#include <string.h>

#include "keywords.h"
#include "message.h"
#include "rules/ethernet.h"

int device_gone_error(const char *device)
{
	char buf[DEVICE_TEXT];

	return error("the network device '%s' was just removed",
		     device_text(device, buf));
}

/*
 * A packet arrives at a device in the VRF. After hook xdp of this device, the IP layer
 * passes the packet to the VRF.
 */
static int vrf_error(const char *name, const char *device)
{
	char buf[DEVICE_TEXT];

	error("'%s' is a VRF: packets reach it after hook xdp and without the Ethernet header",
	      device_text(device, buf));
	return hint(-1, "a rule can be on a device in the VRF: 'kcuckoo attach %s hook ingress dev DEV'",
		    name);
}

int ethernet_check(const char *name, struct link *device)
{
	int ret = link_refresh(device);
	char text[DEVICE_TEXT], type[LINK_TEXT];

	device_text(device->name, text);
	if (ret)
		return error("cannot inspect the network device '%s': %s", text,
			     strerror(-ret));
	if (device->gone)
		return device_gone_error(device->name);
	if (device->loopback)
		return error("packets of '%s', a loopback device, are never dropped",
			     text);
	if (!strcmp(device->kind, "vrf"))
		return vrf_error(name, device->name);
	if (link_has_ethernet(device))
		return 0;
	error("packets of '%s' (%s) have no Ethernet header, which hook xdp reads",
	      text, link_text(device, type));
	return hint(-1, "hook ingress works there: 'kcuckoo attach %s hook ingress dev %s'",
		    name, text);
}
