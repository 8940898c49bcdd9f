// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions find the lower devices of a network device, see lower.h.
 *
 * The functions read the devices over netlink. /sys/class/net shows the same relations,
 * but only of the network namespace in which /sys was mounted. With the option -n, this
 * command runs in another namespace.
 */
#include <errno.h>
#include <net/if.h>	/* first, so that kernel headers omit the same definitions */
#include <linux/if_arp.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "rules/lower.h"

/*
 * Size of the receive buffer in bytes, larger than the messages of a list of devices,
 * which have up to 32 KB.
 */
#define MESSAGE_BYTES	(64 << 10)

/*
 * Maximum number of requests. If devices are added or removed while the list is read,
 * the list is inconsistent, and the request is repeated.
 */
#define TRIES		100

/* Maximum of @depth of struct lower. The kernel stacks at most 8 devices. */
#define MAX_DEPTH	16

/*
 * The kinds of devices that have lower devices. With @link, the lower device is the
 * device of the attribute IFLA_LINK. With @ports, the lower devices are the ports of
 * the device. @has_other_input: see struct lower.
 */
static const struct kind {
	const char *name;
	bool link;
	bool ports;
	bool has_other_input;
} kinds[] = {
	{ .name = "vlan", .link = true },
	{ .name = "macvlan", .link = true, .has_other_input = true },
	{ .name = "macvtap", .link = true, .has_other_input = true },
	{ .name = "ipvlan", .link = true, .has_other_input = true },
	{ .name = "ipvtap", .link = true, .has_other_input = true },
	{ .name = "bond", .ports = true },
	{ .name = "bridge", .ports = true },
	{ .name = "team", .ports = true },
	{ .name = "vrf", .ports = true },
	/*
	 * Devices without a kind: drivers of hypervisors make a device a port of
	 * another device.
	 */
	{ .name = "", .ports = true, .has_other_input = true },
};

static void set_kind(struct lower *lower, const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (strcmp(kinds[i].name, name))
			continue;
		lower->ports = kinds[i].ports;
		lower->has_other_input = kinds[i].has_other_input;
		if (kinds[i].link)
			return;
	}
	lower->link = 0;
	lower->link_in_other_netns = false;
}

static const char *kind_name(const struct rtattr *information)
{
	const struct rtattr *attr = RTA_DATA(information);
	int length = RTA_PAYLOAD(information);

	for (; RTA_OK(attr, length); attr = RTA_NEXT(attr, length))
		if (attr->rta_type == IFLA_INFO_KIND)
			return RTA_DATA(attr);
	return "";
}

static int read_device(struct lowers *lowers, const struct nlmsghdr *header)
{
	const struct ifinfomsg *info = NLMSG_DATA(header);
	const struct rtattr *attr = IFLA_RTA(info);
	int length = IFLA_PAYLOAD(header);
	const char *kind = "";
	struct lower *lower;

	/* The array is full if the count is 0 or a power of two: double its size. */
	if (!(lowers->count & (lowers->count - 1))) {
		lower = realloc(lowers->list, sizeof(*lower) *
				(lowers->count ? 2 * lowers->count : 1));
		if (!lower)
			return -ENOMEM;
		lowers->list = lower;
	}
	lower = &lowers->list[lowers->count++];
	*lower = (struct lower){ .index = info->ifi_index, .depth = -1 };
	for (; RTA_OK(attr, length); attr = RTA_NEXT(attr, length)) {
		if (attr->rta_type == IFLA_IFNAME)
			snprintf(lower->name, IF_NAMESIZE, "%s",
				 (const char *)RTA_DATA(attr));
		else if (attr->rta_type == IFLA_LINK)
			memcpy(&lower->link, RTA_DATA(attr), sizeof(lower->link));
		else if (attr->rta_type == IFLA_MASTER)
			memcpy(&lower->master, RTA_DATA(attr), sizeof(lower->master));
		else if (attr->rta_type == IFLA_LINK_NETNSID)
			lower->link_in_other_netns = true;
		else if (attr->rta_type == IFLA_LINKINFO)
			kind = kind_name(attr);
	}
	set_kind(lower, kind);
	lower->ppp = info->ifi_type == ARPHRD_PPP;
	lower->has_other_input |= lower->ppp;
	return 0;
}

static int request(int fd)
{
	const struct {
		struct nlmsghdr header;
		struct ifinfomsg info;
		struct rtattr attr;
		__u32 mask;
	} message = {
		.header = {
			.nlmsg_len = sizeof(message),
			.nlmsg_type = RTM_GETLINK,
			.nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP,
		},
		.attr = {
			.rta_len = RTA_LENGTH(sizeof(__u32)),
			.rta_type = IFLA_EXT_MASK,
		},
		.mask = RTEXT_FILTER_SKIP_STATS,
	};
	const struct sockaddr_nl kernel = { .nl_family = AF_NETLINK };

	return sendto(fd, &message, sizeof(message), 0,
		      (const struct sockaddr *)&kernel, sizeof(kernel)) < 0 ? -errno : 0;
}

/*
 * Receive one datagram, and append the devices in its messages to @lowers. Return: 1 if
 * more datagrams follow; 0 after the last datagram; -EINTR if the list is inconsistent;
 * or another -errno.
 */
static int receive(int fd, struct lowers *lowers)
{
	union {
		struct nlmsghdr header;
		char bytes[MESSAGE_BYTES];
	} buffer;
	const struct nlmsghdr *header = &buffer.header;
	ssize_t length = recv(fd, &buffer, sizeof(buffer), 0);
	int ret = 0;

	if (length < 0)
		return -errno;
	for (; !ret && NLMSG_OK(header, length); header = NLMSG_NEXT(header, length)) {
		if (header->nlmsg_flags & NLM_F_DUMP_INTR)
			return -EINTR;
		if (header->nlmsg_type == NLMSG_ERROR)
			return ((const struct nlmsgerr *)NLMSG_DATA(header))->error;
		if (header->nlmsg_type == NLMSG_DONE)
			return header->nlmsg_len < NLMSG_LENGTH(sizeof(int)) ? 0 :
			       *(const int *)NLMSG_DATA(header);
		if (header->nlmsg_type == RTM_NEWLINK)
			ret = read_device(lowers, header);
	}
	return ret ? ret : 1;
}

static int read_once(struct lowers *lowers)
{
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
	int ret;

	lowers->count = 0;
	if (fd < 0)
		return -errno;
	ret = request(fd);
	if (!ret)
		do
			ret = receive(fd, lowers);
		while (ret > 0);
	close(fd);
	return ret;
}

static void read_sessions(struct lowers *lowers)
{
	FILE *file = fopen("/proc/self/net/pppoe", "re");
	char line[256], name[IF_NAMESIZE];
	int i;

	while (file && fgets(line, sizeof(line), file)) {
		/* A line has the number, the address and then the device of a session. */
		if (sscanf(line, "%*8x %*s %15s", name) != 1)
			continue;
		for (i = 0; i < lowers->count; i++)
			if (!strcmp(lowers->list[i].name, name))
				lowers->list[i].pppoe = true;
	}
	if (file)
		fclose(file);
}

static bool is_below(const struct lower *lower, const struct lower *upper)
{
	return (upper->link == lower->index && !upper->link_in_other_netns) ||
	       (lower->master == upper->index && upper->ports) ||
	       (upper->ppp && lower->pppoe && lower != upper);
}

/*
 * Set the depth of each device directly below a device of depth @depth to @depth + 1,
 * unless its depth is that large already. Return: the number of depths that were set.
 */
static int descend(struct lowers *lowers, int depth)
{
	int i, j, found = 0;

	for (i = 0; i < lowers->count; i++) {
		if (lowers->list[i].depth != depth)
			continue;
		for (j = 0; j < lowers->count; j++)
			/* If the list has a cycle, the top device stays the top device. */
			if (lowers->list[j].depth < depth + 1 && lowers->list[j].depth &&
			    is_below(&lowers->list[j], &lowers->list[i])) {
				lowers->list[j].depth = depth + 1;
				found++;
			}
	}
	return found;
}

static void keep_stack(struct lowers *lowers)
{
	int i, kept = 0;

	for (i = 0; i < lowers->count; i++)
		if (lowers->list[i].depth >= 0)
			lowers->list[kept++] = lowers->list[i];
	lowers->count = kept;
}

int lowers_read(__u32 top, struct lowers *lowers)
{
	int i, depth = 0, tries = 0, ret;

	*lowers = (struct lowers){ .list = NULL };
	do
		ret = read_once(lowers);
	while (ret == -EINTR && ++tries < TRIES);
	if (ret)
		return ret;
	read_sessions(lowers);
	for (i = 0; i < lowers->count; i++)
		if (lowers->list[i].index == top)
			lowers->list[i].depth = 0;
	while (depth < MAX_DEPTH && descend(lowers, depth))
		depth++;
	keep_stack(lowers);
	if (!lowers->count)
		return -ENODEV;
	for (i = 0; i < lowers->count; i++)
		lowers->list[i].share = lowers_share(lowers, &lowers->list[i],
						     lowers_top(lowers));
	return 0;
}

void lowers_free(struct lowers *lowers)
{
	free(lowers->list);
	*lowers = (struct lowers){ .list = NULL };
}

const struct lower *lowers_top(const struct lowers *lowers)
{
	const struct lower *lower = lowers->list;

	while (lower->depth)
		lower++;
	return lower;
}

const struct lower *lowers_find(const struct lowers *lowers, const char *name)
{
	int i;

	for (i = 0; i < lowers->count; i++)
		if (!strcmp(lowers->list[i].name, name))
			return &lowers->list[i];
	return NULL;
}

/*
 * The depth of the returned device is greater than the depth of @upper. So a function
 * that goes down from device to device ends, even if the list has a cycle because
 * devices changed while the list was read.
 */
const struct lower *lowers_next(const struct lowers *lowers, const struct lower *upper,
				const struct lower *after)
{
	const struct lower *lower = after ? after + 1 : lowers->list;

	for (; lower < lowers->list + lowers->count; lower++)
		if (lower->depth > upper->depth && is_below(lower, upper))
			return lower;
	return NULL;
}

/*
 * All packets of @upper arrive at @lower first if @has_other_input of @upper is false,
 * and if all packets of each device directly below @upper arrive at @lower first.
 */
enum lower_share lowers_share(const struct lowers *lowers, const struct lower *lower,
			      const struct lower *upper)
{
	const struct lower *below = NULL;
	bool all = true, some = false;
	enum lower_share share;

	if (!upper)
		return lower->share;
	if (lower == upper)
		return LOWER_ALL;
	if (lower->depth <= upper->depth)
		return LOWER_NONE;
	while ((below = lowers_next(lowers, upper, below))) {
		share = lowers_share(lowers, lower, below);
		all = all && share == LOWER_ALL;
		some = some || share != LOWER_NONE;
	}
	if (!some)
		return LOWER_NONE;
	return all && !upper->has_other_input ? LOWER_ALL : LOWER_SOME;
}
