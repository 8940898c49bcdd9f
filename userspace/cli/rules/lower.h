/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions find the lower devices of a network device: for example the device of
 * a VLAN, or the ports of a bridge. Hooks xdp and ingress of a lower device see a packet
 * before those of the upper device.
 *
 * A device is no lower device if the packets that it receives contain those of the upper
 * device inside a tunnel, or encrypted: rules do not look up these inner addresses.
 */
#ifndef KCUCKOO_CLI_LOWER_H
#define KCUCKOO_CLI_LOWER_H

#include <linux/types.h>
#include <net/if.h>
#include <stdbool.h>

/* Which packets of an upper device arrive at a lower device first. */
enum lower_share {
	LOWER_NONE,
	LOWER_SOME,
	LOWER_ALL,
};

/**
 * struct lower - a network device
 * @name: name of the device
 * @index: index of the device
 * @link: index of the lower device that a VLAN or similar device names, or 0
 * @far: @link is in another network namespace
 * @master: index of the bridge, or similar device, that the device is a port of; or 0
 * @ports: ports of the device are its lower devices
 * @ppp: the device is a PPP device
 * @pppoe: the device has sessions of PPPoE, which may be those of PPP devices
 * @shared: packets of the device may arrive at no lower device, for example from another
 *	macvlan device
 * @depth: number of devices above, up to the top device of struct lowers; or -1 if the
 *	top device is not above
 * @share: which packets of the top device arrive at this device first
 */
struct lower {
	char name[IF_NAMESIZE];
	__u32 index;
	__u32 link;
	bool far;
	__u32 master;
	bool ports;
	bool ppp;
	bool pppoe;
	bool shared;
	int depth;
	enum lower_share share;
};

/**
 * struct lowers - a top device, and all devices below it
 * @list: the devices
 * @count: number of devices
 */
struct lowers {
	struct lower *list;
	int count;
};

/**
 * lowers_read() - find the devices below a device
 * @top: index of the device
 * @lowers: out: this device, and those below it; the caller calls lowers_free() even
 *	after an error
 *
 * Return: 0; -ENODEV if the device does not exist; or another -errno.
 */
int lowers_read(__u32 top, struct lowers *lowers);

/* Free the list of devices. */
void lowers_free(struct lowers *lowers);

/* Return: the top device. */
const struct lower *lowers_top(const struct lowers *lowers);

/* Return: the device with a name; or NULL if it is neither the top device nor below it. */
const struct lower *lowers_find(const struct lowers *lowers, const char *name);

/**
 * lowers_next() - iterate over the devices directly below a device
 * @lowers: the devices
 * @upper: a device of @lowers
 * @after: the device that the last call returned; or NULL for the first call
 *
 * Return: the next device, or NULL.
 */
const struct lower *lowers_next(const struct lowers *lowers, const struct lower *upper,
				const struct lower *after);

/**
 * lowers_share() - find out which packets of a device arrive at another one first
 * @lowers: the devices
 * @lower: a device of @lowers
 * @upper: a device of @lowers; or NULL for the top device
 *
 * Return: LOWER_ALL if both are the same device; LOWER_NONE if @lower is not below @upper.
 */
enum lower_share lowers_share(const struct lowers *lowers, const struct lower *lower,
			      const struct lower *upper);

#endif /* KCUCKOO_CLI_LOWER_H */
