/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A datagram in two fragments, from the peer to the host.
 */
#ifndef KCUCKOO_FRAGMENT_H
#define KCUCKOO_FRAGMENT_H

#include "link.h"

/* 64 bytes over IPv4; @which: 1 sends the first fragment, 2 the last. */
static inline bool fragments_ipv4(const char *src, unsigned int which)
{
	struct frame whole, frame;
	struct iphdr *header;
	__u32 id = ++net.id;
	const size_t first = sizeof(struct udphdr) + 24, last = 40;
	const __u8 *data;

	frame_plain(&whole, MAC_P0, MAC_H0, src, HOST4, id, 64);
	data = whole.bytes + whole.network + sizeof(*header);

	frame_begin(&frame, ETH_P_IP, MAC_P0, MAC_H0);
	header = frame_ipv4(&frame, src, HOST4, 0);
	header->id = id;
	header->frag_off = htons(0x2000);
	memcpy(frame_push(&frame, first), data, first);
	frame_ipv4_end(&frame, header);
	if (which & 1)
		frame_send(&frame);

	frame_begin(&frame, ETH_P_IP, MAC_P0, MAC_H0);
	header = frame_ipv4(&frame, src, HOST4, 0);
	header->id = id;
	header->frag_off = htons(first / 8);
	memcpy(frame_push(&frame, last), data + first, last);
	frame_ipv4_end(&frame, header);
	if (which & 2)
		frame_send(&frame);
	settle();
	return arrived(HOST, id) == 1;
}

/* The same over IPv6. */
static inline bool fragments_ipv6(const char *src, unsigned int which)
{
	struct frame whole, frame;
	struct ip6_hdr *header;
	__u32 id = ++net.id;
	const size_t first = sizeof(struct udphdr) + 24, last = 40;
	const __u8 *data;

	frame_plain(&whole, MAC_P0, MAC_H0, src, HOST6, id, 64);
	data = whole.bytes + whole.network + sizeof(*header);

	frame_begin(&frame, ETH_P_IPV6, MAC_P0, MAC_H0);
	header = frame_ipv6(&frame, src, HOST6, IPPROTO_FRAGMENT);
	frame_fragment(&frame, IPPROTO_UDP, 0, true, id);
	memcpy(frame_push(&frame, first), data, first);
	frame_ipv6_end(&frame, header);
	if (which & 1)
		frame_send(&frame);

	frame_begin(&frame, ETH_P_IPV6, MAC_P0, MAC_H0);
	header = frame_ipv6(&frame, src, HOST6, IPPROTO_FRAGMENT);
	frame_fragment(&frame, IPPROTO_UDP, first, false, id);
	memcpy(frame_push(&frame, last), data + first, last);
	frame_ipv6_end(&frame, header);
	if (which & 2)
		frame_send(&frame);
	settle();
	return arrived(HOST, id) == 1;
}

#endif /* KCUCKOO_FRAGMENT_H */
