/* SPDX-License-Identifier: GPL-2.0-only */
/* ethernet_check() checks whether a rule of hook xdp can work on a device. */
#ifndef KCUCKOO_CLI_ETHERNET_H
#define KCUCKOO_CLI_ETHERNET_H

#include "rules/links.h"

/*
 * Read the state of @device again, and check that its packets are Ethernet frames, and
 * that it is neither a loopback device nor a VRF. @name: name of the filter of the
 * rule, for hints. Return: 0, or -1 after an error message.
 */
int ethernet_check(const char *name, struct link *device);

/* Print an error for a device that was just removed. Return: -1. */
int device_gone_error(const char *device);

#endif /* KCUCKOO_CLI_ETHERNET_H */
