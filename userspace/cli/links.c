// SPDX-License-Identifier: GPL-2.0-only
/*
 * kcuckoo: the network devices, and which XDP programs they have
 *
 * All of them are read by one request, and one of them by another. libbpf tells
 * the programs of one device by reading all, which for each of n devices is n
 * times n.
 */
#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "links.h"

/* More than the kernel sends at a time, which is 32 KB or one device with its names. */
#define MESSAGE_BYTES	(128 << 10)

/* Devices that come and go spoil a list; so often one is tried. */
#define TRIES		100

static void read_programs(struct link *link, const struct nlattr *programs)
{
	const struct nlattr *attr;

	mnl_attr_for_each_nested(attr, programs) {
		switch (mnl_attr_get_type(attr)) {
		case IFLA_XDP_DRV_PROG_ID:
			link->native = mnl_attr_get_u32(attr);
			break;
		case IFLA_XDP_SKB_PROG_ID:
			link->generic = mnl_attr_get_u32(attr);
			break;
		case IFLA_XDP_HW_PROG_ID:
			link->offloaded = mnl_attr_get_u32(attr);
			break;
		}
	}
}

/* Append the device of a message. */
static int append_link(const struct nlmsghdr *message, void *context)
{
	const struct ifinfomsg *header = mnl_nlmsg_get_payload(message);
	struct links *links = context;
	const struct nlattr *attr;
	struct link *link;

	/* Room is doubled when it is full. */
	if (!(links->count & (links->count - 1))) {
		int room = links->count ? 2 * links->count : 1;

		link = realloc(links->list, room * sizeof(*link));
		if (!link)
			return MNL_CB_ERROR;
		links->list = link;
	}
	link = &links->list[links->count++];
	*link = (struct link){ .index = header->ifi_index };
	mnl_attr_for_each(attr, message, sizeof(*header)) {
		if (mnl_attr_get_type(attr) == IFLA_IFNAME)
			snprintf(link->name, sizeof(link->name), "%s",
				 mnl_attr_get_str(attr));
		if (mnl_attr_get_type(attr) == IFLA_XDP)
			read_programs(link, attr);
	}
	return MNL_CB_OK;
}

/* Ask for the device @index, or for all: 0. Return: 0 or -1, with errno. */
static int ask(struct mnl_socket *socket, __u32 index)
{
	char buffer[256];
	struct nlmsghdr *message = mnl_nlmsg_put_header(buffer);
	struct ifinfomsg *header;

	message->nlmsg_type = RTM_GETLINK;
	message->nlmsg_flags = NLM_F_REQUEST | (index ? NLM_F_ACK : NLM_F_DUMP);
	header = mnl_nlmsg_put_extra_header(message, sizeof(*header));
	header->ifi_index = index;
	mnl_attr_put_u32(message, IFLA_EXT_MASK, RTEXT_FILTER_SKIP_STATS);
	return mnl_socket_sendto(socket, message, message->nlmsg_len) < 0 ? -1 : 0;
}

/* Return: 0 or -1, with errno; EINTR where the answer shows no one instant. */
static int receive(struct mnl_socket *socket, struct links *links)
{
	char buffer[MESSAGE_BYTES];
	ssize_t length;
	int ret;

	do {
		length = mnl_socket_recvfrom(socket, buffer, sizeof(buffer));
		if (length < 0)
			return -1;
		ret = mnl_cb_run(buffer, length, 0, 0, append_link, links);
	} while (ret > 0);
	return ret;
}

/* Return: 0 or -errno. */
static int read_once(struct links *links, __u32 index)
{
	struct mnl_socket *socket = mnl_socket_open2(NETLINK_ROUTE, SOCK_CLOEXEC);
	int ret;

	*links = (struct links){ .list = NULL };
	if (!socket)
		return -errno;
	ret = ask(socket, index) || receive(socket, links) ? -errno : 0;
	mnl_socket_close(socket);
	if (ret)
		links_free(links);
	return ret;
}

static int read_links(struct links *links, __u32 index)
{
	int ret, tries = 0;

	do
		ret = read_once(links, index);
	while (ret == -EINTR && ++tries < TRIES);
	return ret;
}

int links_read(struct links *links)
{
	return read_links(links, 0);
}

void links_free(struct links *links)
{
	free(links->list);
	*links = (struct links){ .list = NULL };
}

int link_refresh(struct link *link)
{
	struct links links;
	int ret = read_links(&links, link->index);

	link->native = 0;
	link->generic = 0;
	link->offloaded = 0;
	if (!ret && links.count) {
		link->native = links.list->native;
		link->generic = links.list->generic;
		link->offloaded = links.list->offloaded;
	}
	links_free(&links);
	return ret == -ENODEV ? 0 : ret;
}
