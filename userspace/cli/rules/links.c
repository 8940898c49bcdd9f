// SPDX-License-Identifier: GPL-2.0-only
/*
 * These functions read the network devices, their types and their XDP programs.
 *
 * These functions do not use libbpf, because libbpf reads all devices to find the
 * programs of one device. To find the programs of all n devices, libbpf would read n
 * times n devices.
 */
#include <errno.h>
#include <net/if.h>	/* first, so that kernel headers omit the same definitions */
#include <libmnl/libmnl.h>
#include <linux/if_arp.h>
#include <linux/if_link.h>
#include <linux/if_tun.h>
#include <linux/rtnetlink.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rules/links.h"

/*
 * Size of the receive buffer in bytes. A message with a list of devices has up to 32 KB;
 * a message about one device with many names can be larger.
 */
#define MESSAGE_BYTES	(128 << 10)

/*
 * Maximum number of requests for a list of devices. If devices are added or removed
 * while the list is read, the list is inconsistent, and the request is repeated.
 */
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

/*
 * A device of the driver tun carries IP packets (tun) or Ethernet frames (tap). The type
 * of the device does not show this, because the ioctl TUNSETLINK can set any type.
 */
static void read_tun(struct link *link, const struct nlattr *data)
{
	const struct nlattr *attr;

	mnl_attr_for_each_nested(attr, data)
		if (mnl_attr_get_type(attr) == IFLA_TUN_TYPE)
			link->no_ethernet_header = mnl_attr_get_u8(attr) == IFF_TUN;
}

/* A vxlan device has no attribute IFLA_LINK. */
static void read_vxlan(struct link *link, const struct nlattr *data)
{
	const struct nlattr *attr;

	mnl_attr_for_each_nested(attr, data)
		if (mnl_attr_get_type(attr) == IFLA_VXLAN_LINK)
			link->below = mnl_attr_get_u32(attr);
}

/*
 * In the message, the kind precedes its data, so @kind is set when the data is read. The
 * IP layer passes packets to a VRF without the Ethernet header.
 */
static void read_kind(struct link *link, const struct nlattr *information)
{
	const struct nlattr *attr;

	mnl_attr_for_each_nested(attr, information) {
		switch (mnl_attr_get_type(attr)) {
		case IFLA_INFO_KIND:
			snprintf(link->kind, sizeof(link->kind), "%s",
				 mnl_attr_get_str(attr));
			link->no_ethernet_header = !strcmp(link->kind, "vrf");
			break;
		case IFLA_INFO_DATA:
			if (!strcmp(link->kind, "tun"))
				read_tun(link, attr);
			else if (!strcmp(link->kind, "vxlan"))
				read_vxlan(link, attr);
			break;
		}
	}
}

static void read_attribute(struct link *link, const struct nlattr *attr)
{
	switch (mnl_attr_get_type(attr)) {
	case IFLA_IFNAME:
		snprintf(link->name, sizeof(link->name), "%s",
			 mnl_attr_get_str(attr));
		break;
	case IFLA_LINK:
		link->below = mnl_attr_get_u32(attr);
		break;
	case IFLA_LINK_NETNSID:
		link->below_elsewhere = true;
		break;
	case IFLA_MASTER:
		link->master = mnl_attr_get_u32(attr);
		break;
	case IFLA_LINKINFO:
		read_kind(link, attr);
		break;
	case IFLA_XDP:
		read_programs(link, attr);
		break;
	}
}

static int append_link(const struct nlmsghdr *message, void *context)
{
	const struct ifinfomsg *header = mnl_nlmsg_get_payload(message);
	struct links *links = context;
	const struct nlattr *attr;
	struct link *link;

	/* The array is full if the count is 0 or a power of two: double its size. */
	if (!(links->count & (links->count - 1))) {
		int capacity = links->count ? 2 * links->count : 1;

		link = realloc(links->list, capacity * sizeof(*link));
		if (!link)
			return MNL_CB_ERROR;
		links->list = link;
	}
	link = &links->list[links->count++];
	*link = (struct link){
		.index = header->ifi_index,
		.type = header->ifi_type,
		.loopback = header->ifi_flags & IFF_LOOPBACK,
	};
	mnl_attr_for_each(attr, message, sizeof(*header))
		read_attribute(link, attr);
	return MNL_CB_OK;
}

static int send_request(struct mnl_socket *socket, __u32 index)
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

/* Return: 0, or -1 with errno set; EINTR means that the answer is inconsistent. */
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

static int read_once(struct links *links, __u32 index)
{
	struct mnl_socket *socket = mnl_socket_open2(NETLINK_ROUTE, SOCK_CLOEXEC);
	int ret;

	*links = (struct links){ .list = NULL };
	if (!socket)
		return -errno;
	ret = send_request(socket, index) || receive(socket, links) ? -errno : 0;
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
	struct link found = { .index = link->index, .gone = true };

	if (!ret && links.count)
		found = *links.list;
	links_free(&links);
	/*
	 * Keep the name that the user wrote: a device can have several names.
	 */
	memcpy(found.name, link->name, sizeof(found.name));
	*link = found;
	return ret == -ENODEV ? 0 : ret;
}

__u32 link_program(const struct link *link)
{
	if (link->native)
		return link->native;
	return link->generic ? link->generic : link->offloaded;
}

bool link_has_ethernet(const struct link *link)
{
	return link->type == ARPHRD_ETHER && !link->no_ethernet_header;
}

/* Names of the types of devices (ARPHRD_*) in messages. */
static const struct {
	__u16 type;
	const char *text;
} types[] = {
	{ ARPHRD_ETHER,		"Ethernet" },
	{ ARPHRD_NONE,		"no link layer" },
	{ ARPHRD_RAWIP,		"raw IP" },
	{ ARPHRD_TUNNEL,	"IPv4 tunnel" },
	{ ARPHRD_TUNNEL6,	"IPv6 tunnel" },
	{ ARPHRD_SIT,		"IPv6 in IPv4" },
	{ ARPHRD_IPGRE,		"GRE over IPv4" },
	{ ARPHRD_IP6GRE,	"GRE over IPv6" },
	{ ARPHRD_PIMREG,	"PIM register" },
	{ ARPHRD_PPP,		"PPP" },
	{ ARPHRD_SLIP,		"SLIP" },
	{ ARPHRD_HDLC,		"HDLC" },
	{ ARPHRD_RAWHDLC,	"raw HDLC" },
	{ ARPHRD_FRAD,		"frame relay" },
	{ ARPHRD_DLCI,		"frame relay" },
	{ ARPHRD_X25,		"X.25" },
	{ ARPHRD_LOOPBACK,	"loopback" },
	{ ARPHRD_INFINIBAND,	"InfiniBand" },
	{ ARPHRD_FCFABRIC,	"Fibre Channel" },
	{ ARPHRD_FDDI,		"FDDI" },
	{ ARPHRD_IEEE1394,	"IEEE 1394" },
	{ ARPHRD_IEEE80211,	"IEEE 802.11" },
	{ ARPHRD_IEEE80211_PRISM, "IEEE 802.11" },
	{ ARPHRD_IEEE80211_RADIOTAP, "IEEE 802.11" },
	{ ARPHRD_IEEE802154,	"IEEE 802.15.4" },
	{ ARPHRD_IEEE802154_MONITOR, "IEEE 802.15.4" },
	{ ARPHRD_6LOWPAN,	"6LoWPAN" },
	{ ARPHRD_CAN,		"CAN" },
	{ ARPHRD_MCTP,		"MCTP" },
	{ ARPHRD_PHONET,	"Phonet" },
	{ ARPHRD_PHONET_PIPE,	"Phonet" },
	{ ARPHRD_CAIF,		"CAIF" },
	{ ARPHRD_NETLINK,	"netlink" },
	{ ARPHRD_VSOCKMON,	"vsock" },
};

static const char *type_text(__u16 type)
{
	size_t i;

	for (i = 0; i < sizeof(types) / sizeof(*types); i++)
		if (types[i].type == type)
			return types[i].text;
	return NULL;
}

const char *link_text(const struct link *link, char text[LINK_TEXT])
{
	const char *type = type_text(link->type);
	const char *comma = *link->kind ? ", " : "";

	if (type)
		snprintf(text, LINK_TEXT, "%s%s%s", type, comma, link->kind);
	else
		snprintf(text, LINK_TEXT, "ARPHRD type %u%s%s", link->type,
			 comma, link->kind);
	return text;
}
