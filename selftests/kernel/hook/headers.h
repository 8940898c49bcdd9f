/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Packets of listed sources whose IP headers are valid, or not.
 */
#ifndef KCUCKOO_HEADERS_H
#define KCUCKOO_HEADERS_H

#include "link.h"

/* Bytes of the packets that frame_plain() makes, and of the payload of IPv6. */
#define IPV4_BYTES	((int)(sizeof(struct iphdr) + sizeof(struct udphdr) + PAYLOAD))
#define IPV6_PAYLOAD	((int)(sizeof(struct udphdr) + PAYLOAD))

static inline void send_ipv4(int version, int ihl, int length)
{
	struct iphdr *header;
	struct frame frame;

	frame_plain(&frame, MAC_P0, MAC_H0, BAD4, HOST4, 0, PAYLOAD);
	header = (struct iphdr *)(frame.bytes + frame.network);
	header->version = version;
	header->ihl = ihl;
	header->tot_len = htons(length);
	frame_send(&frame);
}

static inline void send_ipv6(int version, int next, int length)
{
	struct ip6_hdr *header;
	struct frame frame;

	frame_plain(&frame, MAC_P0, MAC_H0, BAD6, HOST6, 0, PAYLOAD);
	header = (struct ip6_hdr *)(frame.bytes + frame.network);
	header->ip6_vfc = version << 4;
	header->ip6_nxt = next;
	header->ip6_plen = htons(length);
	frame_send(&frame);
}

/* Versions and lengths that no packet has. */
static inline void send_invalid_headers(void)
{
	int value;

	for (value = 0; value < 16; value++) {
		if (value != 4)
			send_ipv4(value, 5, IPV4_BYTES);
		if (value != 6)
			send_ipv6(value, IPPROTO_UDP, IPV6_PAYLOAD);
	}
	for (value = 0; value < 5; value++)
		send_ipv4(4, value, IPV4_BYTES);
	for (value = 0; value < 20; value++)
		send_ipv4(4, 5, value);
	send_ipv4(4, 15, 59);
	send_ipv4(4, 5, IPV4_BYTES + 1);
	send_ipv4(4, 5, 65535);
	send_ipv6(6, IPPROTO_UDP, IPV6_PAYLOAD + 1);
	send_ipv6(6, IPPROTO_UDP, 65535);
	settle();
}

/* Such as are unusual, but valid. Returns how many. */
static inline int send_valid_headers(void)
{
	send_ipv4(4, 5, 20);
	send_ipv4(4, 15, IPV4_BYTES);
	send_ipv4(4, 5, IPV4_BYTES);
	send_ipv6(6, IPPROTO_UDP, 0);
	send_ipv6(6, IPPROTO_HOPOPTS, 0);
	send_ipv6(6, IPPROTO_UDP, IPV6_PAYLOAD);
	settle();
	return 6;
}

#endif /* KCUCKOO_HEADERS_H */
