/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcuckoo: the network devices, and which XDP programs they have
 */
#ifndef KCUCKOO_CLI_LINKS_H
#define KCUCKOO_CLI_LINKS_H

#include <linux/types.h>
#include <net/if.h>

/**
 * struct link - a network device
 * @index: its index
 * @name: its name
 * @native: number of the program in its driver, or 0
 * @generic: of the one behind it
 * @offloaded: of the one in the hardware
 */
struct link {
	__u32 index;
	char name[IF_NAMESIZE];
	__u32 native;
	__u32 generic;
	__u32 offloaded;
};

/**
 * struct links - all network devices of the namespace
 * @list: the devices
 * @count: how many
 */
struct links {
	struct link *list;
	int count;
};

/* Return: 0 or -errno. End with links_free() in any case. */
int links_read(struct links *links);
void links_free(struct links *links);

/*
 * Read anew which programs the device of @link's index has; one that has gone has
 * none. Return: 0 or -errno.
 */
int link_refresh(struct link *link);

#endif /* KCUCKOO_CLI_LINKS_H */
