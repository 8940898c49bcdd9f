/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcuckoo: the network devices, what they are, and which XDP programs they have
 */
#ifndef KCUCKOO_CLI_LINKS_H
#define KCUCKOO_CLI_LINKS_H

#include <linux/types.h>
#include <net/if.h>
#include <stdbool.h>

/* Bytes of the name of a kind of device ("vrf", "wireguard"). */
#define KIND_BYTES	32

/**
 * struct link - a network device
 * @index: its index
 * @name: its name
 * @kind: its kind, empty where it is hardware
 * @type: ARPHRD_*, what its packets begin with
 * @loopback: whether it is a loopback device
 * @headless: whether its packets have no Ethernet header, though its type says so
 * @gone: whether there is no device of that index, so that the type is unknown
 * @native: number of the program in its driver, or 0
 * @generic: of the one behind it
 * @offloaded: of the one in the hardware
 */
struct link {
	__u32 index;
	char name[IF_NAMESIZE];
	char kind[KIND_BYTES];
	__u16 type;
	bool loopback;
	bool headless;
	bool gone;
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
 * Read again what the device of @link's index is, and which programs it has; one
 * that has gone has none. Return: 0 or -errno.
 */
int link_refresh(struct link *link);

/* Do packets at hook xdp of a device begin with an Ethernet header? */
bool link_has_ethernet(const struct link *link);

/* The type of a device in words: "tunnel, ipip". Return: @text. */
#define LINK_TEXT	(KIND_BYTES + 32)
const char *link_text(const struct link *link, char text[LINK_TEXT]);

#endif /* KCUCKOO_CLI_LINKS_H */
