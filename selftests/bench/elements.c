// SPDX-License-Identifier: GPL-2.0-only
/*
 * Add the IPv4 addresses of LIST to a set; ipset's may have IPv6 and networks.
 *
 *	elements nft TABLE SET <LIST
 *	elements ipset SET <LIST
 *
 * The same messages as those of `nft add element`, a quarter of a million elements
 * in one transaction, and of `ipset restore`, thousands to a message; but a list of
 * ten million takes megabytes and seconds, for which nft would need gigabytes, and
 * both minutes. What the kernel holds afterwards is the same.
 */
#include <arpa/inet.h>
#include <err.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <linux/netfilter/ipset/ip_set.h>
#include <linux/netfilter/nf_tables.h>
#include <linux/netfilter/nfnetlink.h>
#include <linux/netlink.h>

/* Attributes tell their length in 16 bits, so elements come in many messages. */
#define MESSAGE_BYTES		64000
#define BATCH_MESSAGES		64
#define BATCH_ROOM		(BATCH_MESSAGES * (MESSAGE_BYTES + 512) + 512)

/**
 * struct key - an address, or a network
 * @family: AF_INET or AF_INET6
 * @address: its bytes, in network order
 * @plen: length of its prefix, 0 where none is given
 */
struct key {
	int family;
	unsigned char address[16];
	unsigned char plen;
};

static char *batch;
static size_t used;
static unsigned int sequence;

static struct nlattr *put(unsigned short type, const void *data, size_t length)
{
	struct nlattr *attribute = (struct nlattr *)(batch + used);

	attribute->nla_type = type;
	attribute->nla_len = NLA_HDRLEN + length;
	memset(attribute + 1, 0, NLA_ALIGN(length));
	if (length)
		memcpy(attribute + 1, data, length);
	used += NLA_HDRLEN + NLA_ALIGN(length);
	return attribute;
}

/* Begins an attribute of attributes, which end() ends. */
static struct nlattr *nest(unsigned short type)
{
	return put(type | NLA_F_NESTED, NULL, 0);
}

static void end(struct nlattr *attribute)
{
	attribute->nla_len = batch + used - (char *)attribute;
}

static struct nlmsghdr *message(unsigned short type, unsigned short flags,
				unsigned char family, unsigned short resource)
{
	struct nlmsghdr *header = (struct nlmsghdr *)(batch + used);
	struct nfgenmsg *general = NLMSG_DATA(header);

	header->nlmsg_type = type;
	header->nlmsg_flags = NLM_F_REQUEST | flags;
	header->nlmsg_seq = ++sequence;
	header->nlmsg_pid = 0;
	header->nlmsg_len = NLMSG_LENGTH(sizeof(*general));
	general->nfgen_family = family;
	general->version = NFNETLINK_V0;
	general->res_id = htons(resource);
	used += header->nlmsg_len;
	return header;
}

static size_t key_size(const struct key *key)
{
	return key->family == AF_INET ? 4 : 16;
}

static bool next_key(struct key *key)
{
	static char line[64];
	char *slash;

	if (!fgets(line, sizeof(line), stdin))
		return false;
	line[strcspn(line, "\n")] = '\0';
	slash = strchr(line, '/');
	if (slash)
		*slash = '\0';
	key->plen = slash ? atoi(slash + 1) : 0;
	key->family = strchr(line, ':') ? AF_INET6 : AF_INET;
	if (inet_pton(key->family, line, key->address) != 1)
		errx(2, "'%s' is no address", line);
	return true;
}

static void nft_element(const struct key *address)
{
	struct nlattr *element = nest(NFTA_LIST_ELEM);
	struct nlattr *key = nest(NFTA_SET_ELEM_KEY);

	if (address->family != AF_INET || address->plen)
		errx(2, "nft sets are filled with IPv4 addresses alone");
	put(NFTA_DATA_VALUE, address->address, key_size(address));
	end(key);
	end(element);
}

static void ipset_element(const struct key *address)
{
	const unsigned short type = address->family == AF_INET ?
				    IPSET_ATTR_IPADDR_IPV4 : IPSET_ATTR_IPADDR_IPV6;
	struct nlattr *element = nest(IPSET_ATTR_DATA);
	struct nlattr *key = nest(IPSET_ATTR_IP);

	put(type | NLA_F_NET_BYTEORDER, address->address, key_size(address));
	end(key);
	if (address->plen)
		put(IPSET_ATTR_CIDR, &address->plen, sizeof(address->plen));
	end(element);
}

/* The elements of a message; returns whether the list may have more. */
static bool elements(struct nlmsghdr *header, unsigned short type,
		     void (*element)(const struct key *key))
{
	struct nlattr *list = nest(type);
	bool more = true;
	struct key key;

	while (more && batch + used - (char *)list < MESSAGE_BYTES) {
		more = next_key(&key);
		if (more)
			element(&key);
	}
	end(list);
	header->nlmsg_len = batch + used - (char *)header;
	return more;
}

static bool nft_message(const char *table, const char *set)
{
	struct nlmsghdr *header;

	header = message(NFNL_SUBSYS_NFTABLES << 8 | NFT_MSG_NEWSETELEM,
			 NLM_F_CREATE | NLM_F_ACK, AF_INET, 0);
	put(NFTA_SET_ELEM_LIST_TABLE, table, strlen(table) + 1);
	put(NFTA_SET_ELEM_LIST_SET, set, strlen(set) + 1);
	return elements(header, NFTA_SET_ELEM_LIST_ELEMENTS, nft_element);
}

static bool ipset_message(const char *set)
{
	const unsigned char protocol = IPSET_PROTOCOL;
	const __u32 line = 1;
	struct nlmsghdr *header;

	header = message(NFNL_SUBSYS_IPSET << 8 | IPSET_CMD_ADD,
			 NLM_F_EXCL | NLM_F_ACK, AF_INET, 0);
	put(IPSET_ATTR_PROTOCOL, &protocol, sizeof(protocol));
	put(IPSET_ATTR_SETNAME, set, strlen(set) + 1);
	put(IPSET_ATTR_LINENO, &line, sizeof(line));
	return elements(header, IPSET_ATTR_ADT, ipset_element);
}

/* An answer for each message, errors among them. */
static void answers(int netlink, unsigned int count)
{
	char room[16384];
	struct nlmsghdr *header;
	ssize_t length;

	while (count) {
		length = recv(netlink, room, sizeof(room), 0);
		if (length < 0)
			err(2, "recv");
		for (header = (void *)room; NLMSG_OK(header, length);
		     header = NLMSG_NEXT(header, length), count--) {
			errno = -((struct nlmsgerr *)NLMSG_DATA(header))->error;
			if (errno)
				err(2, "the kernel");
		}
	}
}

static void send_all(int netlink, unsigned int count)
{
	if (send(netlink, batch, used, 0) < 0)
		err(2, "send");
	answers(netlink, count);
}

/* One transaction. */
static bool nft_batch(int netlink, const char *table, const char *set)
{
	bool more = true;
	unsigned int count;

	used = 0;
	message(NFNL_MSG_BATCH_BEGIN, 0, AF_UNSPEC, NFNL_SUBSYS_NFTABLES);
	for (count = 0; more && count < BATCH_MESSAGES; count++)
		more = nft_message(table, set);
	message(NFNL_MSG_BATCH_END, 0, AF_UNSPEC, NFNL_SUBSYS_NFTABLES);
	send_all(netlink, count);
	return more;
}

/* One message. */
static bool ipset_batch(int netlink, const char *set)
{
	bool more;

	used = 0;
	more = ipset_message(set);
	send_all(netlink, 1);
	return more;
}

int main(int argc, char *argv[])
{
	int room = 2 * BATCH_ROOM;
	int netlink;
	bool nft = argc == 4 && !strcmp(argv[1], "nft");

	if (!nft && !(argc == 3 && !strcmp(argv[1], "ipset")))
		errx(2, "usage: elements nft TABLE SET|ipset SET <LIST");
	netlink = socket(AF_NETLINK, SOCK_RAW, NETLINK_NETFILTER);
	if (netlink < 0)
		err(2, "socket");
	if (setsockopt(netlink, SOL_SOCKET, SO_SNDBUFFORCE, &room, sizeof(room)))
		err(2, "setsockopt");
	batch = malloc(BATCH_ROOM);
	if (!batch)
		err(2, "malloc");
	while (nft ? nft_batch(netlink, argv[2], argv[3]) :
		     ipset_batch(netlink, argv[2]))
		;
	return 0;
}
