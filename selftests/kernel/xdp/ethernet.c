// SPDX-License-Identifier: GPL-2.0-only
/*
 * Hook xdp reads Ethernet frames alone: packets of a device whose type changes in
 * place and packets that the host loops back to itself have no Ethernet header, and
 * match nothing. The filter lists every address.
 */
#include "frame.h"

#include "bpf.h"
#include "command.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <linux/if_arp.h>
#include <linux/if_link.h>
#include <linux/if_tun.h>

/* The device, and what it is set to. */
#define DEVICE		"t0"
#define MTU		"65000"

FIXTURE(ethernet)
{
	struct client client;
	int tap;
};

FIXTURE_VARIANT(ethernet)
{
	const char *mode;
	bool generic;
};

FIXTURE_VARIANT_ADD(ethernet, native)
{
	.mode = "native",
};

FIXTURE_VARIANT_ADD(ethernet, generic)
{
	.mode = "generic",
	.generic = true,
};

/*
 * A new device of this namespace; a descriptor, or -1. What would have to wait goes to
 * programs in the driver by way of the generic hook.
 */
static int tun_open(int flags)
{
	struct ifreq request = { .ifr_name = DEVICE, .ifr_flags = flags | IFF_NO_PI };
	int fd = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0 || ioctl(fd, TUNSETIFF, &request))
		return -1;
	return fd;
}

static int tun_up(void)
{
	return system("ip link set " DEVICE " mtu " MTU " up");
}

/* As some modems and bonds do. */
static int tun_retype(int tun, long type)
{
	return system("ip link set " DEVICE " down") || ioctl(tun, TUNSETLINK, type) ||
	       tun_up();
}

/* Programs have seen it when this returns. */
static bool tun_put(int tun, const void *bytes, size_t length)
{
	return write(tun, bytes, length) == (ssize_t)length;
}

static bool frame_put(int tun, const char *src, const char *dst)
{
	struct frame frame;

	frame_plain(&frame, 2, 1, src, dst, 1, PAYLOAD);
	return tun_put(tun, frame.bytes, frame.length);
}

FIXTURE_SETUP(ethernet)
{
	struct kcuckoo_prefix keys[] = { key_of("0.0.0.0/0"), key_of("::/0") };

	ASSERT_EQ(0, client_begin(&self->client));
	self->tap = tun_open(IFF_TAP);
	ASSERT_LE(0, self->tap);
	ASSERT_EQ(0, tun_up());
	ASSERT_EQ(0, filter_create(self->client.fd, "all", 10));
	ASSERT_EQ(2, keys_add(self->client.fd, "all", keys, 2));
}

FIXTURE_TEARDOWN(ethernet)
{
	system("kcuckoo -q detach --all 2>/dev/null");
	close(self->tap);
	EXPECT_EQ(0, client_end(&self->client));
}

TEST_F(ethernet, a_device_of_another_type_matches_nothing)
{
	ASSERT_EQ(0, command("attach all hook xdp dev " DEVICE " mode %s", variant->mode));
	EXPECT_TRUE(frame_put(self->tap, "192.0.2.1", "192.0.2.2"));
	EXPECT_TRUE(frame_put(self->tap, "2001:db8::1", "2001:db8::2"));
	EXPECT_EQ(2, matched(NULL));
	EXPECT_NE(0, system("kcuckoo rules | grep -q 'no Ethernet$'"));
	ASSERT_EQ(0, tun_retype(self->tap, ARPHRD_NONE));
	EXPECT_TRUE(frame_put(self->tap, "192.0.2.1", "192.0.2.2"));
	EXPECT_TRUE(frame_put(self->tap, "2001:db8::1", "2001:db8::2"));
	EXPECT_EQ(2, matched(NULL));
	EXPECT_EQ(0, system("kcuckoo rules | grep -q 'dev " DEVICE "  no Ethernet$'"));
	EXPECT_EQ(0, system("kcuckoo -j rules | grep -q '\"no_ethernet\": true'"));
	ASSERT_EQ(0, tun_retype(self->tap, ARPHRD_ETHER));
	EXPECT_TRUE(frame_put(self->tap, "192.0.2.1", "192.0.2.2"));
	EXPECT_EQ(3, matched(NULL));
	EXPECT_NE(0, system("kcuckoo rules | grep -q 'no Ethernet$'"));
	ASSERT_EQ(0, tun_retype(self->tap, ARPHRD_NONE));
	EXPECT_EQ(0, command("detach all hook xdp dev " DEVICE, NULL));
	EXPECT_NE(0, command("attach all hook xdp dev " DEVICE " mode %s 2>/dev/null",
			     variant->mode));
}

/**
 * struct looped - a datagram to a group of which the host itself is a member
 * @src: the host's address, with its length
 * @dst: the group, or the network's broadcast address
 * @length: bytes of the datagram
 * @type: what bytes 12 and 13 of the packet are to an Ethernet header
 */
struct looped {
	const char *src;
	const char *dst;
	size_t length;
	__u16 type;
};

/* What follows these 14 bytes is a valid header for most of them. */
static const struct looped looped[] = {
	{ "8.0.0.1/24", "224.0.0.251", 100, ETH_P_IP },
	{ "8.0.69.1/24", "224.0.0.251", 60000, ETH_P_IP },
	{ "134.221.96.1/24", "239.1.0.20", 100, ETH_P_IPV6 },
	{ "134.221.96.1/24", "134.221.96.255", 26000, ETH_P_IPV6 },
	{ "129.0.0.1/24", "239.1.0.20", 100, ETH_P_8021Q },
	{ "2001:db8:800:4500:1c::1/64", "ff15::1234", 100, ETH_P_IP },
	{ "2001:db8:86dd:6000:0:8:0:1/64", "ff15::1234", 100, ETH_P_IPV6 },
	{ "2001:db8:8100:5:800:4500:1c:1/64", "ff15::1234", 100, ETH_P_8021Q },
};

static int run(const char *format, const char *argument)
{
	char line[200];

	snprintf(line, sizeof(line), format, argument);
	return system(line);
}

/* A socket that gets what is sent to the group; -1 on errors. */
static int group_open(const char *dst, __u16 port)
{
	struct sockaddr_in6 address = { .sin6_family = AF_INET6, .sin6_port = htons(port) };
	struct ipv6_mreq six = { .ipv6mr_interface = if_nametoindex(DEVICE) };
	struct ip_mreqn four = { .imr_ifindex = if_nametoindex(DEVICE) };
	struct timeval patience = { .tv_sec = 10 };
	int fd = socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0), ret = 0;

	if (is_ipv6(dst)) {
		inet_pton(AF_INET6, dst, &six.ipv6mr_multiaddr);
		ret = setsockopt(fd, IPPROTO_IPV6, IPV6_ADD_MEMBERSHIP, &six, sizeof(six));
	} else if (atoi(dst) >= 224) {
		inet_pton(AF_INET, dst, &four.imr_multiaddr);
		ret = setsockopt(fd, IPPROTO_IP, IP_ADD_MEMBERSHIP, &four, sizeof(four));
	}
	if (fd < 0 || ret || bind(fd, (struct sockaddr *)&address, sizeof(address)) ||
	    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience)))
		return -1;
	return fd;
}

/* An IPv6 address, or an IPv4 address as one; a length after it does not count. */
static struct sockaddr_in6 address_of(const char *text, __u16 port)
{
	struct sockaddr_in6 address = { .sin6_family = AF_INET6, .sin6_port = htons(port) };
	char copy[80];

	snprintf(copy, sizeof(copy), "%s%s", is_ipv6(text) ? "" : "::ffff:", text);
	*strchrnul(copy, '/') = 0;
	if (inet_pton(AF_INET6, copy, &address.sin6_addr) != 1)
		abort();
	return address;
}

/* Does a datagram from an address of the host to the group come back to it? */
static bool comes_back(const struct looped *datagram)
{
	static __u8 bytes[65536];
	struct sockaddr_in6 src = address_of(datagram->src, 0);
	struct sockaddr_in6 dst = address_of(datagram->dst, PORT);
	struct ip_mreqn four = { .imr_ifindex = if_nametoindex(DEVICE) };
	int receiver = group_open(datagram->dst, PORT), on = 1;
	int sender = socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	bool sent;

	/* Length, checksum and ports of an embedded header are these bytes. */
	memset(bytes, 0, datagram->length);
	setsockopt(sender, SOL_SOCKET, SO_BROADCAST, &on, sizeof(on));
	setsockopt(sender, IPPROTO_IP, IP_MULTICAST_IF, &four, sizeof(four));
	setsockopt(sender, IPPROTO_IPV6, IPV6_MULTICAST_IF, &four.imr_ifindex, sizeof(int));
	sent = !bind(sender, (struct sockaddr *)&src, sizeof(src)) &&
	       sendto(sender, bytes, datagram->length, 0, (struct sockaddr *)&dst,
		      sizeof(dst)) == datagram->length &&
	       recv(receiver, bytes, sizeof(bytes), 0) == datagram->length;
	close(sender);
	close(receiver);
	return sent;
}

TEST_F(ethernet, looped_packets_pass)
{
	size_t i;

	ASSERT_EQ(0, command("attach all hook xdp dev " DEVICE " mode %s", variant->mode));
	for (i = 0; i < ARRAY_SIZE(looped); i++) {
		bool six = is_ipv6(looped[i].src);

		ASSERT_EQ(0, run(six ? "ip addr add %s dev " DEVICE " nodad" :
				 "ip addr add %s brd + dev " DEVICE, looped[i].src));
		EXPECT_TRUE(comes_back(&looped[i]))
			TH_LOG("%s to %s", looped[i].src, looped[i].dst);
		EXPECT_EQ(0, run("ip addr del %s dev " DEVICE, looped[i].src));
	}
	EXPECT_EQ(0, matched(NULL));
	EXPECT_TRUE(frame_put(self->tap, "192.0.2.1", "192.0.2.2"));
	EXPECT_EQ(1, matched(NULL));
}

/*
 * A frame that reads as such a packet: its Ethernet header is the first half of the
 * header of an IPv4 packet to a group, and what follows is a packet of IPv6.
 */
static bool pretender_put(int tap, const char *src)
{
	struct frame frame = { .length = 0 };
	struct iphdr *outer = frame_ipv4(&frame, src, "239.1.0.20", 0);

	frame_udp(&frame, NULL, 0, 72);
	frame_ipv4_end(&frame, outer);
	return frame.length == 100 && tun_put(tap, frame.bytes, frame.length);
}

TEST_F(ethernet, a_frame_like_a_looped_packet_does_not_pass)
{
	ASSERT_EQ(0, command("attach all hook xdp dev " DEVICE " mode %s", variant->mode));
	EXPECT_TRUE(pretender_put(self->tap, "134.221.96.1"));
	EXPECT_EQ(1, matched(NULL));
	/* Looped packets do not come to drivers. */
	ASSERT_EQ(0, system("ip addr add 134.221.96.1/24 dev " DEVICE));
	EXPECT_TRUE(pretender_put(self->tap, "134.221.96.1"));
	EXPECT_EQ(variant->generic ? 1 : 2, matched(NULL));
}

/* What bpf_xdp_kcuckoo_ethernet() returns for a packet of a device. */
static int answer(int tun, const void *bytes, size_t length, bool generic)
{
	struct bpf_object *object = bpf_object__open_file("kfunc.bpf.o", NULL);
	__u32 flags = generic ? XDP_FLAGS_SKB_MODE : XDP_FLAGS_DRV_MODE;
	int ret = -1, device = if_nametoindex(DEVICE);
	struct bpf_program *program;
	__u32 zero = 0;

	bpf_object__for_each_program(program, object)
		bpf_program__set_autoload(program, !strcmp(bpf_program__name(program),
							   "ask_ethernet"));
	if (bpf_object__load(object))
		return -1;
	program = bpf_object__find_program_by_name(object, "ask_ethernet");
	if (bpf_xdp_attach(device, bpf_program__fd(program), flags, NULL) ||
	    !tun_put(tun, bytes, length) ||
	    bpf_map_lookup_elem(bpf_object__find_map_fd_by_name(object, ".data"), &zero,
				&ret) ||
	    bpf_xdp_detach(device, flags, NULL))
		return -1;
	bpf_object__close(object);
	return ret;
}

/* A tun device has no Ethernet header, whatever type it is given, nor XDP in the driver. */
TEST_F(ethernet, programs_see_what_a_device_is)
{
	struct frame frame;
	int tun;

	frame_plain(&frame, 2, 1, "192.0.2.1", "192.0.2.2", 1, PAYLOAD);
	EXPECT_EQ(1, answer(self->tap, frame.bytes, frame.length, variant->generic));
	ASSERT_EQ(0, tun_retype(self->tap, ARPHRD_PPP));
	EXPECT_EQ(0, answer(self->tap, frame.bytes, frame.length, variant->generic));
	close(self->tap);
	self->tap = tun_open(IFF_TUN);
	tun = self->tap;
	ASSERT_LE(0, tun);
	ASSERT_EQ(0, tun_up());
	EXPECT_EQ(0, answer(tun, frame.bytes + 14, frame.length - 14, true));
	ASSERT_EQ(0, tun_retype(tun, ARPHRD_ETHER));
	EXPECT_EQ(0, answer(tun, frame.bytes + 14, frame.length - 14, true));
	EXPECT_NE(0, command("attach all hook xdp dev " DEVICE " mode %s 2>/dev/null",
			     variant->mode));
}

TEST_HARNESS_MAIN
