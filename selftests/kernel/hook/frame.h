/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Frames made by hand: UDP over IPv4 and IPv6 with any header a test wants.
 */
#ifndef KCUCKOO_FRAME_H
#define KCUCKOO_FRAME_H

#include "client.h"

#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <netinet/ip.h>
#include <netinet/ip6.h>
#include <netinet/udp.h>

#define PORT		7000
#define FRAME_SIZE	9014
#define PAYLOAD		32

/* What the receivers listen for, so that one is told from another. */
#define ETH_P_MARKER	0x88b5

/**
 * struct frame - a frame under construction
 * @length: bytes so far
 * @network: where the IP header begins
 * @bytes: from the Ethernet header on
 */
struct frame {
	size_t length;
	size_t network;
	__u8 bytes[FRAME_SIZE];
};

static inline void *frame_push(struct frame *frame, size_t length)
{
	void *place = frame->bytes + frame->length;

	memset(place, 0, length);
	frame->length += length;
	return place;
}

static inline __u32 sum_add(__u32 sum, const void *data, size_t length)
{
	const __u8 *bytes = data;
	size_t i;

	for (i = 0; i < length; i++)
		sum += i % 2 ? bytes[i] : bytes[i] << 8;
	return sum;
}

static inline __u16 sum_fold(__u32 sum)
{
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return htons(~sum & 0xffff);
}

/* Both ends of a veth pair have the same address: 02:00:00:00:00:NUMBER. */
static inline void frame_begin(struct frame *frame, __u16 type, int from, int to)
{
	struct ethhdr *header;

	frame->length = 0;
	header = frame_push(frame, sizeof(*header));
	header->h_dest[0] = 2;
	header->h_dest[5] = to;
	header->h_source[0] = 2;
	header->h_source[5] = from;
	header->h_proto = htons(type);
	frame->network = frame->length;
}

/* An IPv4 header with @options bytes of no-operation options. */
static inline struct iphdr *frame_ipv4(struct frame *frame, const char *src,
				       const char *dst, size_t options)
{
	struct iphdr *header = frame_push(frame, sizeof(*header));

	memset(frame_push(frame, options), 1, options);
	header->version = 4;
	header->ihl = (sizeof(*header) + options) / 4;
	header->ttl = 64;
	header->protocol = IPPROTO_UDP;
	if (inet_pton(AF_INET, src, &header->saddr) != 1 ||
	    inet_pton(AF_INET, dst, &header->daddr) != 1)
		abort();
	return header;
}

/* Length and checksum of the IPv4 header, once the rest of the frame is there. */
static inline void frame_ipv4_end(struct frame *frame, struct iphdr *header)
{
	header->tot_len = htons(frame->length - frame->network);
	header->check = 0;
	header->check = sum_fold(sum_add(0, header, header->ihl * 4));
}

static inline struct ip6_hdr *frame_ipv6(struct frame *frame, const char *src,
					 const char *dst, int next)
{
	struct ip6_hdr *header = frame_push(frame, sizeof(*header));

	header->ip6_vfc = 0x60;
	header->ip6_nxt = next;
	header->ip6_hlim = 64;
	if (inet_pton(AF_INET6, src, &header->ip6_src) != 1 ||
	    inet_pton(AF_INET6, dst, &header->ip6_dst) != 1)
		abort();
	return header;
}

static inline void frame_ipv6_end(struct frame *frame, struct ip6_hdr *header)
{
	header->ip6_plen = htons(frame->length - frame->network - sizeof(*header));
}

/* A hop-by-hop or destination options header that only pads. */
static inline void frame_options(struct frame *frame, int next)
{
	__u8 *header = frame_push(frame, 8);

	header[0] = next;
	header[2] = 1;
	header[3] = 4;
}

/* A routing header of which nothing is left to do. */
static inline void frame_routing(struct frame *frame, int next)
{
	__u8 *header = frame_push(frame, 24);

	header[0] = next;
	header[1] = 2;
	header[2] = 2;
}

static inline void frame_fragment(struct frame *frame, int next, int offset, bool more,
				  __u32 id)
{
	struct ip6_frag *header = frame_push(frame, sizeof(*header));

	header->ip6f_nxt = next;
	header->ip6f_offlg = htons(offset | more);
	header->ip6f_ident = id;
}

/*
 * A UDP datagram of @length bytes that begin with @id. The checksum of IPv4 is
 * left out; that of IPv6 is made from the addresses in @header.
 */
static inline void frame_udp(struct frame *frame, const struct ip6_hdr *header, __u32 id,
			     size_t length)
{
	struct udphdr *udp = frame_push(frame, sizeof(*udp));
	__u8 *payload = frame_push(frame, length);
	__u32 sum;

	udp->source = htons(PORT);
	udp->dest = htons(PORT);
	udp->len = htons(sizeof(*udp) + length);
	memcpy(payload, &id, sizeof(id));
	if (!header)
		return;
	sum = sum_add(0, &header->ip6_src, 32);
	sum += IPPROTO_UDP + sizeof(*udp) + length;
	udp->check = sum_fold(sum_add(sum, udp, sizeof(*udp) + length));
}

static inline bool is_ipv6(const char *address)
{
	return strchr(address, ':');
}

/* A plain UDP packet of either family. */
static inline void frame_plain(struct frame *frame, int from, int to, const char *src,
			       const char *dst, __u32 id, size_t length)
{
	if (is_ipv6(dst)) {
		struct ip6_hdr *header;

		frame_begin(frame, ETH_P_IPV6, from, to);
		header = frame_ipv6(frame, src, dst, IPPROTO_UDP);
		frame_udp(frame, header, id, length);
		frame_ipv6_end(frame, header);
	} else {
		struct iphdr *header;

		frame_begin(frame, ETH_P_IP, from, to);
		header = frame_ipv4(frame, src, dst, 0);
		frame_udp(frame, NULL, id, length);
		frame_ipv4_end(frame, header);
	}
}

#endif /* KCUCKOO_FRAME_H */
