/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A datagram in two fragments, from the peer to the host.
 */
#ifndef KCUCKOO_FRAGMENT_H
#define KCUCKOO_FRAGMENT_H

#include "link.h"

#define FRAGMENT_FIRST	(sizeof(struct udphdr) + 24)
#define FRAGMENT_LAST	40

/* The first or last fragment of 64 bytes over IPv4. */
static inline void fragment_ipv4(const char *src, __u32 id, bool last)
{
	const size_t offset = last ? FRAGMENT_FIRST : 0;
	const size_t length = last ? FRAGMENT_LAST : FRAGMENT_FIRST;
	struct frame whole, frame;
	struct iphdr *header;

	frame_plain(&whole, MAC_P0, MAC_H0, src, HOST4, id, 64);
	frame_begin(&frame, ETH_P_IP, MAC_P0, MAC_H0);
	header = frame_ipv4(&frame, src, HOST4, 0);
	header->id = id;
	header->frag_off = htons(last ? offset / 8 : 0x2000);
	memcpy(frame_push(&frame, length),
	       whole.bytes + whole.network + sizeof(*header) + offset, length);
	frame_ipv4_end(&frame, header);
	frame_send(&frame);
}

/* The same over IPv6. */
static inline void fragment_ipv6(const char *src, __u32 id, bool last)
{
	const size_t offset = last ? FRAGMENT_FIRST : 0;
	const size_t length = last ? FRAGMENT_LAST : FRAGMENT_FIRST;
	struct frame whole, frame;
	struct ip6_hdr *header;

	frame_plain(&whole, MAC_P0, MAC_H0, src, HOST6, id, 64);
	frame_begin(&frame, ETH_P_IPV6, MAC_P0, MAC_H0);
	header = frame_ipv6(&frame, src, HOST6, IPPROTO_FRAGMENT);
	frame_fragment(&frame, IPPROTO_UDP, offset, !last, id);
	memcpy(frame_push(&frame, length),
	       whole.bytes + whole.network + sizeof(*header) + offset, length);
	frame_ipv6_end(&frame, header);
	frame_send(&frame);
}

/* Does a datagram arrive? @which: 1 sends the first fragment, 2 the last. */
static inline bool fragments_ipv4(const char *src, unsigned int which)
{
	__u32 id = ++net.id;

	if (which & 1)
		fragment_ipv4(src, id, false);
	if (which & 2)
		fragment_ipv4(src, id, true);
	settle();
	return arrived(HOST, id) == 1;
}

/* The same over IPv6. */
static inline bool fragments_ipv6(const char *src, unsigned int which)
{
	__u32 id = ++net.id;

	if (which & 1)
		fragment_ipv6(src, id, false);
	if (which & 2)
		fragment_ipv6(src, id, true);
	settle();
	return arrived(HOST, id) == 1;
}

#endif /* KCUCKOO_FRAGMENT_H */
