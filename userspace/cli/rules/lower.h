/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These functions find the lower devices of a network device: for example the device on
 * which a VLAN is created, or the ports of a bridge. A packet passes hooks xdp and ingress
 * of a lower device before it passes these hooks of the upper device.
 *
 * A tunnel device sends its packets encrypted, or inside other packets, through another
 * device. The other device is not a lower device of the tunnel device, because its rules
 * do not look up the addresses of the inner packets.
 */
#ifndef KCUCKOO_CLI_LOWER_H
#define KCUCKOO_CLI_LOWER_H

#include <linux/types.h>
#include <net/if.h>
#include <stdbool.h>

/* Which packets of an upper device arrive at a lower device first: none, some or all. */
enum lower_share {
	LOWER_NONE,
	LOWER_SOME,
	LOWER_ALL,
};

/**
 * struct lower - a network device, with its relations to the devices below it
 * @name: name of the device
 * @index: index of the device
 * @link: index of the lower device on which a VLAN or similar device is created
 *	(IFLA_LINK), or 0
 * @link_in_other_netns: @link is in another network namespace
 * @master: index of the bridge, or similar device, of which the device is a port; or 0
 * @ports: the ports of the device are its lower devices
 * @ppp: the device is a PPP device
 * @pppoe: the device has PPPoE sessions, which PPP devices can use
 * @has_other_input: the device can receive packets that no lower device receives, for
 *	example packets from another macvlan device
 * @depth: number of steps down from the top device of struct lowers, on the longest
 *	way; 0 for the top device. While lowers_read() runs, -1 if no way was found
 * @share: which packets of the top device arrive at this device first
 */
struct lower {
	char name[IF_NAMESIZE];
	__u32 index;
	__u32 link;
	bool link_in_other_netns;
	__u32 master;
	bool ports;
	bool ppp;
	bool pppoe;
	bool has_other_input;
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
 * @lowers: out: this device, and all devices below it; the caller calls lowers_free()
 *	even after an error
 *
 * Return: 0; -ENODEV if the device does not exist; or another -errno.
 */
int lowers_read(__u32 top, struct lowers *lowers);

void lowers_free(struct lowers *lowers);

const struct lower *lowers_top(const struct lowers *lowers);

/*
 * Return: the device with the name @name; or NULL if neither the top device nor a
 * device below it has this name.
 */
const struct lower *lowers_find(const struct lowers *lowers, const char *name);

/**
 * lowers_next() - iterate over the devices directly below a device
 * @lowers: a top device and all devices below it
 * @upper: a device of @lowers
 * @after: the device that the last call returned; or NULL for the first call
 *
 * Return: the next device, or NULL.
 */
const struct lower *lowers_next(const struct lowers *lowers, const struct lower *upper,
				const struct lower *after);

/**
 * lowers_share() - find out which packets of @upper arrive at @lower first
 * @lowers: a top device and all devices below it
 * @lower: a device of @lowers
 * @upper: a device of @lowers; or NULL for the top device
 *
 * Return: enum lower_share, which is LOWER_ALL if @lower and @upper are the same device,
 * and LOWER_NONE if @lower is not below @upper.
 */
enum lower_share lowers_share(const struct lowers *lowers, const struct lower *lower,
			      const struct lower *upper);

#endif /* KCUCKOO_CLI_LOWER_H */
