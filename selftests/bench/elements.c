// SPDX-License-Identifier: GPL-2.0-only
/*
 * elements TABLE SET <LIST: add the IPv4 addresses of LIST to a set of nft.
 *
 * The same messages as those of `nft add element`, a quarter of a million elements
 * in one transaction; but a list of ten million takes megabytes and seconds, for
 * which nft would need gigabytes and minutes. What the kernel holds afterwards is
 * the same.
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

#include <linux/netfilter/nf_tables.h>
#include <linux/netfilter/nfnetlink.h>
#include <linux/netlink.h>

/* Attributes tell their length in 16 bits, so elements come in many messages. */
#define MESSAGE_ELEMENTS	4000
#define BATCH_MESSAGES		64
#define ELEMENT_SIZE		(3 * NLA_HDRLEN + sizeof(__be32))
#define BATCH_ROOM		(BATCH_MESSAGES * (MESSAGE_ELEMENTS * \
						   ELEMENT_SIZE + 512) + 512)

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

static bool next_address(__be32 *address)
{
	static char line[64];

	if (!fgets(line, sizeof(line), stdin))
		return false;
	line[strcspn(line, "\n")] = '\0';
	if (inet_pton(AF_INET, line, address) != 1)
		errx(2, "'%s' is no IPv4 address", line);
	return true;
}

static void element(const __be32 *address)
{
	struct nlattr *element = nest(NFTA_LIST_ELEM);
	struct nlattr *key = nest(NFTA_SET_ELEM_KEY);

	put(NFTA_DATA_VALUE, address, sizeof(*address));
	end(key);
	end(element);
}

/* A message of elements; returns whether the list may have more. */
static bool elements(const char *table, const char *set)
{
	struct nlmsghdr *header;
	struct nlattr *list;
	unsigned int count;
	__be32 address;

	header = message(NFNL_SUBSYS_NFTABLES << 8 | NFT_MSG_NEWSETELEM,
			 NLM_F_CREATE | NLM_F_ACK, AF_INET, 0);
	put(NFTA_SET_ELEM_LIST_TABLE, table, strlen(table) + 1);
	put(NFTA_SET_ELEM_LIST_SET, set, strlen(set) + 1);
	list = nest(NFTA_SET_ELEM_LIST_ELEMENTS);
	for (count = 0; count < MESSAGE_ELEMENTS; count++) {
		if (!next_address(&address))
			break;
		element(&address);
	}
	end(list);
	header->nlmsg_len = batch + used - (char *)header;
	return count == MESSAGE_ELEMENTS;
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
				err(2, "nf_tables");
		}
	}
}

/* One transaction. */
static bool send_batch(int netlink, const char *table, const char *set)
{
	bool more = true;
	unsigned int count;

	used = 0;
	message(NFNL_MSG_BATCH_BEGIN, 0, AF_UNSPEC, NFNL_SUBSYS_NFTABLES);
	for (count = 0; more && count < BATCH_MESSAGES; count++)
		more = elements(table, set);
	message(NFNL_MSG_BATCH_END, 0, AF_UNSPEC, NFNL_SUBSYS_NFTABLES);
	if (send(netlink, batch, used, 0) < 0)
		err(2, "send");
	answers(netlink, count);
	return more;
}

int main(int argc, char *argv[])
{
	int room = 2 * BATCH_ROOM;
	int netlink;

	if (argc != 3)
		errx(2, "usage: elements TABLE SET <LIST");
	netlink = socket(AF_NETLINK, SOCK_RAW, NETLINK_NETFILTER);
	if (netlink < 0)
		err(2, "socket");
	if (setsockopt(netlink, SOL_SOCKET, SO_SNDBUFFORCE, &room, sizeof(room)))
		err(2, "setsockopt");
	batch = malloc(BATCH_ROOM);
	if (!batch)
		err(2, "malloc");
	while (send_batch(netlink, argv[1], argv[2]))
		;
	return 0;
}
