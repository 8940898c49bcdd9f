/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions look up the network devices of rules.
 */
#ifndef KCUCKOO_CLI_DEVICE_H
#define KCUCKOO_CLI_DEVICE_H

#include <linux/types.h>

/* Print an error for a network device that does not exist. Return: -1. */
int device_missing(const char *dev);

/* Return: the index of a network device, or 0 after an error message. */
__u32 device_index(const char *device);

#endif /* KCUCKOO_CLI_DEVICE_H */
