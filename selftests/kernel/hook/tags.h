/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Frames with VLAN tags, and up to how many tags the hooks of devices look behind.
 */
#ifndef KCUCKOO_TAGS_H
#define KCUCKOO_TAGS_H

#include "link.h"

/* What both hooks of devices look behind, whatever VLANs the tags name. */
#define TAGS_MAX	8

/* A frame with more tags than any rule looks behind. */
#define TAGS_MANY	40

/* What tags of a frame name: a VLAN, VLAN 0 (a priority), or both by turns. */
enum tags_vlan { TAGS_NAMED, TAGS_PRIORITY, TAGS_MIXED, TAGS_VLANS };

/* Puts tags between the Ethernet header and what follows it, the outermost first. */
static inline void tag(struct frame *frame, const __u16 *types, const __u16 *ids, size_t count)
{
	__u8 *place = frame->bytes + 12;
	size_t i;

	memmove(place + 4 * count, place, frame->length - 12);
	frame->length += 4 * count;
	for (i = 0; i < count; i++, place += 4) {
		__be16 field[] = { htons(types[i]), htons(ids[i]) };

		memcpy(place, field, sizeof(field));
	}
}

/* A frame from @src to the host with @count tags, 802.1Q within 802.1ad. */
static inline void frame_tagged(struct frame *frame, const char *src, size_t count,
				enum tags_vlan vlan)
{
	__u16 types[TAGS_MANY], ids[TAGS_MANY];
	size_t i;

	for (i = 0; i < count; i++) {
		types[i] = i + 1 < count ? ETH_P_8021AD : ETH_P_8021Q;
		ids[i] = vlan == TAGS_NAMED || (vlan == TAGS_MIXED && i % 2) ? 5 : 0;
	}
	frame_plain(frame, MAC_P0, MAC_H0, src, host_for(src), ++net.id, PAYLOAD);
	tag(frame, types, ids, count);
}

static inline void send_tagged(const char *src, size_t count, enum tags_vlan vlan)
{
	struct frame frame;

	frame_tagged(&frame, src, count, vlan);
	frame_send(&frame);
	settle();
}

/*
 * Exactly listed packets behind at most TAGS_MAX tags match, which @matched counts.
 * The rule on the host's end of the link is the caller's.
 */
static inline void tags_expect(struct __test_metadata *_metadata,
			       long long (*matched)(void *context), void *context)
{
	static const size_t counts[] = {
		1, 2, 3, TAGS_MAX, TAGS_MAX + 1, TAGS_MANY,
	};
	long long before = matched(context);
	enum tags_vlan vlan;
	size_t i;

	for (vlan = 0; vlan < TAGS_VLANS; vlan++) {
		for (i = 0; i < ARRAY_SIZE(counts); i++) {
			send_tagged(BAD4, counts[i], vlan);
			send_tagged(BAD6, counts[i], vlan);
			send_tagged(GOOD4, counts[i], vlan);
			send_tagged(GOOD6, counts[i], vlan);
			before += counts[i] <= TAGS_MAX ? 2 : 0;
			EXPECT_EQ(before, matched(context))
				TH_LOG("%zu tags (%d)", counts[i], vlan);
		}
	}
}

#endif /* KCUCKOO_TAGS_H */
