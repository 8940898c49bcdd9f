/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Datagrams of the host to itself: to an address of its own, or a multicast or
 * broadcast packet whose copy the kernel loops back.
 */
#ifndef KCUCKOO_TALK_H
#define KCUCKOO_TALK_H

#include "link.h"

#define TALK_PORT	7001

union talk_address {
	struct sockaddr any;
	struct sockaddr_in four;
	struct sockaddr_in6 six;
};

static inline socklen_t talk_length(const union talk_address *address)
{
	return address->any.sa_family == AF_INET ? sizeof(address->four) :
						   sizeof(address->six);
}

/* An address and a port of the host; without an address, any of @family's. */
static inline union talk_address talk_address(int family, const char *text, int port)
{
	union talk_address address = { .six.sin6_family = family };

	address.six.sin6_port = htons(port);
	if (text && inet_pton(family, text,
			      family == AF_INET ? (void *)&address.four.sin_addr :
						  (void *)&address.six.sin6_addr) != 1)
		abort();
	return address;
}

static inline int talk_open(const union talk_address *address, const char *device)
{
	int fd = socket(address->any.sa_family, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK,
			0);
	int on = 1;

	if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_BROADCAST, &on, sizeof(on)) ||
	    (device && setsockopt(fd, SOL_SOCKET, SO_BINDTODEVICE, device,
				  strlen(device))) ||
	    bind(fd, &address->any, talk_length(address)))
		fail("talk");
	return fd;
}

/* The socket joins the group @to, and sends to it, by @device. */
static inline void talk_join(int fd, const union talk_address *to, const char *device)
{
	int index = if_nametoindex(device), ret;

	if (to->any.sa_family == AF_INET) {
		struct ip_mreqn group = {
			.imr_multiaddr = to->four.sin_addr,
			.imr_ifindex = index,
		};

		ret = setsockopt(fd, IPPROTO_IP, IP_ADD_MEMBERSHIP, &group,
				 sizeof(group)) |
		      setsockopt(fd, IPPROTO_IP, IP_MULTICAST_IF, &group, sizeof(group));
	} else {
		struct ipv6_mreq group = {
			.ipv6mr_multiaddr = to->six.sin6_addr,
			.ipv6mr_interface = index,
		};

		ret = setsockopt(fd, IPPROTO_IPV6, IPV6_JOIN_GROUP, &group,
				 sizeof(group)) |
		      setsockopt(fd, IPPROTO_IPV6, IPV6_MULTICAST_IF, &index,
				 sizeof(index));
	}
	if (ret)
		fail("a group");
}

/* How many datagrams with @id the socket has; others are dropped. */
static inline int talk_heard(int fd, __u32 id)
{
	int count = 0;
	__u32 found;

	while (recv(fd, &found, sizeof(found), MSG_TRUNC) >= 0)
		count += found == id;
	return count;
}

static inline void talk_send(int fd, const union talk_address *to)
{
	net.id++;
	if (sendto(fd, &net.id, sizeof(net.id), 0, &to->any, talk_length(to)) < 0 &&
	    errno != EPERM)
		fail("talk");
	settle();
}

/*
 * From the host's address @src to its address @dst; does it arrive? The sender is
 * bound to the device @from, the receiver to @to; NULL is no device.
 */
static inline bool talks_between(const char *src, const char *from, const char *dst,
				 const char *to)
{
	int family = is_ipv6(dst) ? AF_INET6 : AF_INET;
	union talk_address here = talk_address(family, src, 0);
	union talk_address there = talk_address(family, dst, TALK_PORT);
	int receiver = talk_open(&there, to);
	int sender = talk_open(&here, from);
	bool heard;

	talk_send(sender, &there);
	heard = talk_heard(receiver, net.id) == 1;
	close(sender);
	close(receiver);
	return heard;
}

/* To a group or broadcast address @dst by @device; does the sender's copy arrive? */
static inline bool talks_to_all(const char *dst, const char *device)
{
	int family = is_ipv6(dst) ? AF_INET6 : AF_INET;
	union talk_address here = talk_address(family, NULL, TALK_PORT);
	union talk_address there = talk_address(family, dst, TALK_PORT);
	int fd = talk_open(&here, device);
	bool heard;

	if (family == AF_INET6 || IN_MULTICAST(ntohl(there.four.sin_addr.s_addr)))
		talk_join(fd, &there, device);
	talk_send(fd, &there);
	/* What is sent by a VRF itself is looped back twice. */
	heard = talk_heard(fd, net.id) > 0;
	close(fd);
	return heard;
}

#endif /* KCUCKOO_TALK_H */
