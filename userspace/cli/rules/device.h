/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions look up network devices, by index or kind, for rules and for the verb
 * explain.
 */
#ifndef KCUCKOO_CLI_DEVICE_H
#define KCUCKOO_CLI_DEVICE_H

#include <linux/types.h>
#include <net/if.h>
#include <stdbool.h>

/* Format of an error for a device on which the kernel permits no rule. */
#define DEVICE_NEVER_DROPS	"'%s' is a loopback device or a VRF, whose packets are never dropped"

/* Print an error for a network device that does not exist. Return: -1. */
int device_missing(const char *dev);

/*
 * Print an error for a device on which the kernel permits no rule of hook ingress. Return:
 * -1.
 */
int device_never_drops(const char *dev);

/* Return: the index of a network device, or 0 after an error message. */
__u32 device_index(const char *device);

/* Return: true if a network device exists and is a loopback device. */
bool device_is_loopback(const char *device);

/*
 * Return: true if a network device exists and is a VLAN, bridge, PPP or IP tunnel
 * device. A flowtable (flowtable.h) can forward the packets of such a device at its
 * lower device.
 */
bool device_is_upper(const char *device);

/*
 * Find a bridge among the network devices of the namespace. Return: true with @name set
 * to the name of a bridge; or false if the namespace has no bridge, or if the devices
 * cannot be listed.
 */
bool device_find_bridge(char name[IF_NAMESIZE]);

#endif /* KCUCKOO_CLI_DEVICE_H */
