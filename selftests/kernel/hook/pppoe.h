/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Frames of PPPoE sessions, and which of them the hooks of devices look into.
 */
#ifndef KCUCKOO_PPPOE_H
#define KCUCKOO_PPPOE_H

#include <linux/ppp_defs.h>

#include "tags.h"

/* The header of PPPoE, and the protocol of PPP. */
struct pppoe {
	__u8 version_type;
	__u8 code;
	__be16 session;
	__be16 length;
	__be16 protocol;
};

/* Puts the header before the IP header of a frame without tags. */
static inline struct pppoe *pppoe(struct frame *frame, __u16 protocol)
{
	struct pppoe *header = (struct pppoe *)(frame->bytes + frame->network);
	const __be16 type = htons(ETH_P_PPP_SES);
	size_t length = frame->length - frame->network;

	memmove(header + 1, header, length);
	memcpy(frame->bytes + 12, &type, sizeof(type));
	frame->network += sizeof(*header);
	frame->length += sizeof(*header);
	header->version_type = 0x11;
	header->code = 0;
	header->session = htons(9);
	header->length = htons(sizeof(header->protocol) + length);
	header->protocol = htons(protocol);
	return header;
}

/* A frame from @src to the host in a session, with @count tags before the header. */
static inline void frame_pppoe(struct frame *frame, const char *src, size_t count)
{
	__u16 types[TAGS_MANY], ids[TAGS_MANY];
	size_t i;

	for (i = 0; i < count; i++) {
		types[i] = ETH_P_8021Q;
		ids[i] = 5;
	}
	frame_plain(frame, MAC_P0, MAC_H0, src, host_for(src), ++net.id, PAYLOAD);
	pppoe(frame, is_ipv6(src) ? PPP_IPV6 : PPP_IP);
	tag(frame, types, ids, count);
}

static inline void send_pppoe(const char *src, size_t count)
{
	struct frame frame;

	frame_pppoe(&frame, src, count);
	frame_send(&frame);
	settle();
}

/* Frames of listed sources whose headers are not those of an IP packet in a session. */
static inline void send_no_session(const char *src)
{
	static const __u16 protocols[] = {
		0, 1, PPP_IP << 8, PPP_COMP, PPP_IPCP, PPP_IPV6CP, PPP_LCP, PPP_MPLS_UC,
		ETH_P_IP, ETH_P_IPV6, 0xffff,
	};
	struct pppoe *header;
	struct frame frame;
	size_t i;
	int bit;

	for (bit = 0; bit < 8; bit++) {
		frame_plain(&frame, MAC_P0, MAC_H0, src, host_for(src), 0, PAYLOAD);
		header = pppoe(&frame, is_ipv6(src) ? PPP_IPV6 : PPP_IP);
		header->version_type ^= 1 << bit;
		frame_send(&frame);
		header->version_type ^= 1 << bit;
		header->code ^= 1 << bit;
		frame_send(&frame);
	}
	for (i = 0; i < ARRAY_SIZE(protocols); i++) {
		frame_plain(&frame, MAC_P0, MAC_H0, src, host_for(src), 0, PAYLOAD);
		pppoe(&frame, protocols[i]);
		frame_send(&frame);
	}
	/* The protocol of the other family. */
	frame_plain(&frame, MAC_P0, MAC_H0, src, host_for(src), 0, PAYLOAD);
	pppoe(&frame, is_ipv6(src) ? PPP_IP : PPP_IPV6);
	frame_send(&frame);
	settle();
}

/* Cut off anywhere before the end of the IP packet. */
static inline void send_cut_off(const char *src, size_t count)
{
	struct frame whole, frame;
	size_t length;

	frame_pppoe(&whole, src, count);
	for (length = ETH_HLEN + 1; length < whole.length; length++) {
		frame = whole;
		frame.length = length;
		frame_send(&frame);
	}
	settle();
}

/*
 * Exactly listed packets in a session, behind at most TAGS_MAX tags, match, which
 * @matched counts. The rule on the host's end of the link is the caller's.
 */
static inline void pppoe_expect(struct __test_metadata *_metadata,
				long long (*matched)(void *context), void *context)
{
	static const size_t counts[] = { 0, 1, 2, TAGS_MAX, TAGS_MAX + 1 };
	long long before = matched(context);
	size_t i;

	for (i = 0; i < ARRAY_SIZE(counts); i++) {
		send_pppoe(BAD4, counts[i]);
		send_pppoe(BAD6, counts[i]);
		send_pppoe(GOOD4, counts[i]);
		send_pppoe(GOOD6, counts[i]);
		before += counts[i] <= TAGS_MAX ? 2 : 0;
		EXPECT_EQ(before, matched(context))
			TH_LOG("%zu tags", counts[i]);
	}
	for (i = 0; i <= 2; i++) {
		send_cut_off(BAD4, i);
		send_cut_off(BAD6, i);
		EXPECT_EQ(before, matched(context))
			TH_LOG("cut off, %zu tags", i);
	}
	send_no_session(BAD4);
	EXPECT_EQ(before, matched(context));
	send_no_session(BAD6);
	EXPECT_EQ(before, matched(context));
}

#endif /* KCUCKOO_PPPOE_H */
