/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions read the network devices, their types and their XDP programs.
 */
#ifndef KCUCKOO_CLI_LINKS_H
#define KCUCKOO_CLI_LINKS_H

#include <linux/types.h>
#include <net/if.h>
#include <stdbool.h>

/* Size of a buffer for the kind of a device, such as "vrf", in bytes. */
#define KIND_BYTES	32

/**
 * struct link - a network device
 * @index: index of the device
 * @name: name of the device
 * @kind: kind of the device, from IFLA_INFO_KIND; empty for most hardware
 * @type: ARPHRD_*, the type of the header with which packets of the device begin
 * @loopback: the device is a loopback device
 * @below: index of the device of the attribute IFLA_LINK or IFLA_VXLAN_LINK, such as the
 *	device on which a VLAN is created; or 0
 * @below_elsewhere: @below is in another network namespace
 * @master: index of the bridge, or similar device, of which the device is a port; or 0
 * @no_ethernet_header: packets have no Ethernet header, even if @type is ARPHRD_ETHER
 * @gone: the device no longer exists, so its type is unknown
 * @native: id of the XDP program in the driver of the device, or 0
 * @generic: id of the XDP program that the kernel runs after the driver, or 0
 * @offloaded: id of the XDP program in the hardware, or 0
 */
struct link {
	__u32 index;
	char name[IF_NAMESIZE];
	char kind[KIND_BYTES];
	__u16 type;
	__u32 below;
	bool below_elsewhere;
	__u32 master;
	bool loopback;
	bool no_ethernet_header;
	bool gone;
	__u32 native;
	__u32 generic;
	__u32 offloaded;
};

/**
 * struct links - network devices of the namespace
 * @list: the devices
 * @count: number of devices
 */
struct links {
	struct link *list;
	int count;
};

/*
 * Read all network devices of the namespace. The caller calls links_free() even
 * after an error. Return: 0 or -errno.
 */
int links_read(struct links *links);
void links_free(struct links *links);

/*
 * Read the device with the index of @link again. The name in @link does not change. A
 * device that no longer exists is not an error: this function then sets @gone, and sets
 * all ids of programs to 0. Return: 0 or -errno.
 */
int link_refresh(struct link *link);

/* Return: the id of an XDP program of a device, or 0 without a program. */
__u32 link_program(const struct link *link);

/*
 * Return: true if packets of a device begin with an Ethernet header at hook
 * xdp.
 */
bool link_has_ethernet(const struct link *link);

/*
 * Write the type and kind of a device to @text, such as "IPv4 tunnel, ipip". LINK_TEXT:
 * size of @text in bytes. Return: @text.
 */
#define LINK_TEXT	(KIND_BYTES + 32)
const char *link_text(const struct link *link, char text[LINK_TEXT]);

#endif /* KCUCKOO_CLI_LINKS_H */
