/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A step that has a packet come from a device: rules look at it before the call that
 * hands it over returns.
 */
#ifndef _SELFTESTS_FUZZ_PACKET_H
#define _SELFTESTS_FUZZ_PACKET_H

#include <linux/if_ether.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <netinet/ip.h>
#include <netinet/ip6.h>

#include "machine.h"

/* The device of this namespace; a descriptor, or -1. */
static inline int packet_device(void)
{
	struct ifreq request = { .ifr_name = "tap0", .ifr_flags = IFF_TAP | IFF_NO_PI };
	int fd = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0 || ioctl(fd, TUNSETIFF, &request) || system("ip link set tap0 up"))
		return -1;
	return fd;
}

static inline __u16 packet_sum(const void *header, size_t size)
{
	const __u16 *word = header;
	__u32 sum = 0;

	while (size >= sizeof(*word)) {
		sum += *word++;
		size -= sizeof(*word);
	}
	sum = (sum & 0xffff) + (sum >> 16);
	return ~(sum + (sum >> 16));
}

/* The network header, with addresses of two of the keys. */
static inline size_t packet_header(struct worker *worker, const struct step *step,
				   __u8 *to, bool six)
{
	const struct kcuckoo_prefix *keys = (void *)worker->rooms[ROOM_KEYS];
	const struct kcuckoo_prefix *from = &keys[step->values[4] % 64];
	struct ip6_hdr ip6 = { .ip6_plen = htons(8), .ip6_nxt = 17, .ip6_hlim = 9 };
	struct iphdr ip4 = {
		.version = 4, .ihl = 5, .tot_len = htons(28), .ttl = 9, .protocol = 17,
	};

	if (six) {
		ip6.ip6_vfc = step->values[5] < STEP_HOSTILE ? 0x60 : step->values[5];
		memcpy(&ip6.ip6_src, from->addr, 16);
		memcpy(&ip6.ip6_dst, keys[step->values[6] % 64].addr, 16);
		memcpy(to, &ip6, sizeof(ip6));
		return sizeof(ip6);
	}
	if (step->values[5] >= STEP_HOSTILE)
		ip4.ihl = step->values[5];
	memcpy(&ip4.saddr, from->addr, 4);
	memcpy(&ip4.daddr, keys[step->values[6] % 64].addr, 4);
	ip4.check = packet_sum(&ip4, sizeof(ip4));
	memcpy(to, &ip4, sizeof(ip4));
	return sizeof(ip4);
}

static inline int packet_step(struct worker *worker, const struct step *step)
{
	static const __u16 tags[] = { 0, 0, ETH_P_8021Q, ETH_P_8021AD };
	__u8 frame[200] = { 255, 255, 255, 255, 255, 255 };
	__u16 type = htons(step->values[0] % 2 ? ETH_P_IPV6 : ETH_P_IP);
	size_t size = 2 * ETH_ALEN;
	unsigned int i;

	rooms_fill(worker, step->keys, 64);
	for (i = 1; i < 4; i++) {
		__u16 tag = htons(tags[step->values[i] % 4]);

		if (tag) {
			memcpy(frame + size, &tag, 2);
			size += 4;
		}
	}
	memcpy(frame + size, &type, 2);
	size += 2;
	size += packet_header(worker, step, frame + size, step->values[0] % 2) + 8;
	if (step->values[7] >= STEP_HOSTILE)
		size -= step->values[7] - STEP_HOSTILE;
	return write(worker->tap, frame, size) < 0 ? errno : 0;
}

#endif /* _SELFTESTS_FUZZ_PACKET_H */
