// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rules and a VRF: what the host says to itself inside the VRF is never dropped;
 * what comes from outside, or leaves, through a device of the VRF is.
 */

#include "talk.h"

#define VRF	"red"
#define VRF4	"10.9.0.1"	/* the VRF's own; HOST4 and HOST6 are its device's */
#define VRF6	"fd09::1"

FIXTURE(vrf)
{
	struct client client;
};

/* h0 goes into a VRF, and loses most of what it had; after link_start(). */
static void __attribute__((constructor)) vrf_start(void)
{
	ip_run(HOST,
	       "link add " VRF " type vrf table 10\n"
	       "link set " VRF " up\n"
	       "addr add " VRF4 "/32 dev " VRF "\naddr add " VRF6 "/128 dev " VRF " nodad\n"
	       "link set h0 master " VRF "\n"
	       "addr replace " HOST6 "/64 dev h0 nodad\n"
	       "neigh replace " PEER4 " lladdr 02:00:00:00:00:02 dev h0\n"
	       "neigh replace " PEER6 " lladdr 02:00:00:00:00:02 dev h0\n"
	       /* From other routing tables to the VRF's own addresses. */
	       "route add " VRF4 "/32 dev " VRF "\n"
	       "route add " VRF6 "/128 dev " VRF "\n"
	       "route add 239.0.0.0/8 dev " VRF " table 10\n");
	/* Sockets without a device receive what comes through the VRF. */
	setting(HOST, "ipv4/udp_l3mdev_accept", "1");
	setting(HOST, "ipv4/conf/all/accept_local", "1");
	mark_first(net.wire_p0, net.wire_h0, MAC_P0, MAC_H0);
	mark_first(net.wire_h0, net.wire_p0, MAC_H0, MAC_P0);
}

FIXTURE_SETUP(vrf)
{
	ASSERT_EQ(0, link_begin(&self->client));
}

FIXTURE_TEARDOWN(vrf)
{
	EXPECT_EQ(0, link_end(&self->client));
}

static const char * const own[] = { VRF4, VRF6, HOST4, HOST6 };
static const char * const all[] = {
	"239.1.2.3", "224.0.0.99", "10.1.0.255", "255.255.255.255",
	"ff02::1234", "ff05::1234",
};

static void list_own(struct __test_metadata *_metadata, int fd)
{
	size_t i;

	ASSERT_EQ(0, filter_create(fd, "own", 30));
	for (i = 0; i < ARRAY_SIZE(own); i++) {
		struct kcuckoo_prefix key = key_of(own[i]);

		ASSERT_EQ(1, keys_add(fd, "own", &key, 1));
	}
	for (i = 0; i < ARRAY_SIZE(all); i++) {
		struct kcuckoo_prefix key = key_of(all[i]);

		ASSERT_EQ(1, keys_add(fd, "own", &key, 1));
	}
}

/* Every address of the VRF with every other one of the same family. */
static void talk_to_own(struct __test_metadata *_metadata, const char *where)
{
	size_t i, j;

	for (i = 0; i < ARRAY_SIZE(own); i++) {
		for (j = i % 2; j < ARRAY_SIZE(own); j += 2) {
			EXPECT_TRUE(talks_between(own[i], VRF, own[j], VRF))
				TH_LOG("%s, from %s to %s", where, own[i], own[j]);
		}
	}
	EXPECT_TRUE(talks_between("10.2.0.1", NULL, VRF4, VRF))
		TH_LOG("%s, into the VRF", where);
	EXPECT_TRUE(talks_between("fd02::1", NULL, VRF6, VRF))
		TH_LOG("%s, into the VRF", where);
}

static void talk_to_all(struct __test_metadata *_metadata, bool heard, const char *where,
			const char *device)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(all); i++) {
		EXPECT_EQ(heard, talks_to_all(all[i], device))
			TH_LOG("%s, to %s by %s", where, all[i], device);
	}
}

static void quiet(struct __test_metadata *_metadata, int fd, int hook, int match,
		  const char *where)
{
	ASSERT_EQ(0, rule_attach(fd, "own", hook, KCUCKOO_FAMILY_BOTH, match,
				 KCUCKOO_ACTION_DROP));
	talk_to_own(_metadata, where);
	/* At output the kernel may have sent reports of groups by itself. */
	if (hook != KCUCKOO_HOOK_OUTPUT)
		EXPECT_EQ(0, counters(fd, 0).packets)
			TH_LOG("%s", where);
	/* At output a packet to a group is one packet yet, which leaves. */
	talk_to_all(_metadata, hook != KCUCKOO_HOOK_OUTPUT, where, "h0");
	if (hook == KCUCKOO_HOOK_OUTPUT) {
		EXPECT_LE(ARRAY_SIZE(all), counters(fd, 0).packets)
			TH_LOG("%s", where);
	} else {
		EXPECT_EQ(0, counters(fd, 0).packets)
			TH_LOG("%s", where);
	}
	ASSERT_EQ(1, rule_detach(fd, NULL));
}

TEST_F(vrf, own_addresses_and_groups)
{
	int fd = self->client.fd;

	talk_to_own(_metadata, "no rules");
	talk_to_all(_metadata, true, "no rules", "h0");
	list_own(_metadata, fd);
	quiet(_metadata, fd, KCUCKOO_HOOK_PREROUTING, KCUCKOO_MATCH_SRC, "prerouting src");
	quiet(_metadata, fd, KCUCKOO_HOOK_PREROUTING, KCUCKOO_MATCH_DST, "prerouting dst");
	quiet(_metadata, fd, KCUCKOO_HOOK_INPUT, KCUCKOO_MATCH_SRC, "input src");
	quiet(_metadata, fd, KCUCKOO_HOOK_INPUT, KCUCKOO_MATCH_DST, "input dst");
	quiet(_metadata, fd, KCUCKOO_HOOK_FORWARD, KCUCKOO_MATCH_SRC, "forward src");
	quiet(_metadata, fd, KCUCKOO_HOOK_FORWARD, KCUCKOO_MATCH_DST, "forward dst");
	quiet(_metadata, fd, KCUCKOO_HOOK_OUTPUT, KCUCKOO_MATCH_SRC, "output src");
	quiet(_metadata, fd, KCUCKOO_HOOK_OUTPUT, KCUCKOO_MATCH_DST, "output dst");
}

/* The VRF's device itself sends to a group, which IPv6 refuses, and receives that. */
TEST_F(vrf, groups_of_the_vrf)
{
	int fd = self->client.fd, hook, match;

	list_own(_metadata, fd);
	for (hook = KCUCKOO_HOOK_PREROUTING; hook <= KCUCKOO_HOOK_INPUT; hook++) {
		for (match = KCUCKOO_MATCH_SRC; match <= KCUCKOO_MATCH_DST; match++) {
			ASSERT_EQ(0, rule_attach(fd, "own", hook, KCUCKOO_FAMILY_BOTH,
						 match, KCUCKOO_ACTION_DROP));
			EXPECT_TRUE(talks_to_all("239.1.2.3", VRF));
			EXPECT_EQ(0, counters(fd, 0).packets)
				TH_LOG("hook %d, match %d", hook, match);
			ASSERT_EQ(1, rule_detach(fd, NULL));
		}
	}
}

/* A packet of the peer that may say that it is the host's own. */
static void put(const char *src, const char *dst)
{
	struct frame frame;

	frame_plain(&frame, MAC_P0, MAC_H0, src, dst, 0, PAYLOAD);
	frame_send(&frame);
	settle();
}

static void from_outside(struct __test_metadata *_metadata, int fd, const char *where)
{
	__u64 before = counters(fd, 0).packets;
	size_t i;

	EXPECT_FALSE(passes(BAD4, HOST4));
	EXPECT_FALSE(passes(BAD4, VRF4));
	EXPECT_FALSE(passes(BAD6, HOST6));
	EXPECT_FALSE(passes(BAD6, VRF6));
	EXPECT_TRUE(passes(GOOD4, HOST4));
	EXPECT_TRUE(passes(GOOD4, VRF4));
	EXPECT_TRUE(passes(GOOD6, HOST6));
	EXPECT_TRUE(passes(GOOD6, VRF6));
	EXPECT_EQ(before + 4, counters(fd, 0).packets)
		TH_LOG("%s", where);
	put(BAD4, "10.1.0.255");
	put(BAD6, "ff02::1");
	EXPECT_EQ(before + 6, counters(fd, 0).packets)
		TH_LOG("groups, %s", where);
	for (i = 0; i < ARRAY_SIZE(own); i++)
		put(own[i], own[(i + 2) % ARRAY_SIZE(own)]);
	EXPECT_EQ(before + 6 + ARRAY_SIZE(own), counters(fd, 0).packets)
		TH_LOG("forged, %s", where);
	put(HOST6, "ff02::1");
	EXPECT_EQ(before + 7 + ARRAY_SIZE(own), counters(fd, 0).packets)
		TH_LOG("forged group, %s", where);
}

/* A listed source, and the host's own addresses, which are as good as any. */
TEST_F(vrf, dropped_from_outside)
{
	int fd = self->client.fd;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(own); i++) {
		struct kcuckoo_prefix key = key_of(own[i]);

		ASSERT_EQ(1, keys_add(fd, "bad", &key, 1));
	}
	ASSERT_EQ(0, rule_attach(fd, "bad", KCUCKOO_HOOK_PREROUTING, KCUCKOO_FAMILY_BOTH,
				 KCUCKOO_MATCH_SRC, KCUCKOO_ACTION_DROP));
	from_outside(_metadata, fd, "prerouting");
	ASSERT_EQ(1, rule_detach(fd, NULL));
	ASSERT_EQ(0, rule_attach(fd, "bad", KCUCKOO_HOOK_INPUT, KCUCKOO_FAMILY_BOTH,
				 KCUCKOO_MATCH_SRC, KCUCKOO_ACTION_DROP));
	from_outside(_metadata, fd, "input");
	ASSERT_EQ(1, rule_detach(fd, NULL));
	ASSERT_EQ(0, rule_attach_dev(fd, "bad", "h0", KCUCKOO_MATCH_SRC,
				     KCUCKOO_ACTION_DROP));
	from_outside(_metadata, fd, "ingress");
}

#define SPI	"0x100"

/* What the peer sends in an ESP packet of tunnel mode, which encrypts nothing. */
static void put_in_esp(const char *src, const char *dst)
{
	static const __u8 trailer[] = { 1, 2, 2, IPPROTO_IPIP };
	struct frame inner, frame;
	struct iphdr *header;
	size_t length;
	__be32 *esp;

	frame_plain(&inner, MAC_P0, MAC_H0, src, dst, 0, PAYLOAD);
	length = inner.length - inner.network;
	frame_begin(&frame, ETH_P_IP, MAC_P0, MAC_H0);
	header = frame_ipv4(&frame, PEER4, HOST4, 0);
	header->protocol = IPPROTO_ESP;
	esp = frame_push(&frame, 2 * sizeof(*esp));
	esp[0] = htonl(strtoul(SPI, NULL, 0));
	esp[1] = htonl(1);
	memcpy(frame_push(&frame, length), inner.bytes + inner.network, length);
	memcpy(frame_push(&frame, sizeof(trailer)), trailer, sizeof(trailer));
	frame_ipv4_end(&frame, header);
	frame_send(&frame);
	settle();
}

/* IPsec gives the inner packet to the VRF itself, as if the VRF had received it. */
TEST_F(vrf, dropped_out_of_ipsec)
{
	int fd = self->client.fd, hook;

	if (system("ip xfrm state add src " PEER4 " dst " HOST4 " proto esp spi " SPI
		   " mode tunnel enc cipher_null ''"))
		SKIP(return, "the kernel has no IPsec");
	for (hook = KCUCKOO_HOOK_PREROUTING; hook <= KCUCKOO_HOOK_INPUT; hook++) {
		ASSERT_EQ(0, rule_attach(fd, "bad", hook, KCUCKOO_FAMILY_BOTH,
					 KCUCKOO_MATCH_SRC, KCUCKOO_ACTION_DROP));
		put_in_esp(GOOD4, HOST4);
		EXPECT_EQ(0, counters(fd, 0).packets)
			TH_LOG("hook %d", hook);
		put_in_esp(BAD4, HOST4);
		EXPECT_EQ(1, counters(fd, 0).packets)
			TH_LOG("hook %d", hook);
		ASSERT_EQ(1, rule_detach(fd, NULL));
	}
	EXPECT_EQ(0, system("ip xfrm state flush"));
}

/* Link addresses of the VRF do not make a packet the host's own. */
TEST_F(vrf, forged_link_addresses)
{
	struct kcuckoo_prefix key = key_of(HOST6);
	int fd = self->client.fd;
	struct frame frame;

	ip_run(HOST, "link set " VRF " address 02:00:00:00:00:01\n");
	ASSERT_EQ(1, keys_add(fd, "bad", &key, 1));
	ASSERT_EQ(0, rule_attach(fd, "bad", KCUCKOO_HOOK_INPUT, KCUCKOO_FAMILY_BOTH,
				 KCUCKOO_MATCH_SRC, KCUCKOO_ACTION_DROP));
	EXPECT_TRUE(talks_between(HOST6, VRF, HOST6, VRF));
	EXPECT_EQ(0, counters(fd, 0).packets);
	frame_plain(&frame, MAC_H0, MAC_H0, HOST6, HOST6, 0, PAYLOAD);
	frame_send(&frame);
	settle();
	EXPECT_EQ(1, counters(fd, 0).packets);
	ip_run(HOST, "link set " VRF " address 02:00:00:00:00:99\n");
}

/* Has the first rule counted so many packets, now or soon? */
static bool counts(int fd, __u64 packets)
{
	double end = client_clock() + 10;

	while (counters(fd, 0).packets < packets && client_clock() < end)
		client_sleep(0.01);
	return counters(fd, 0).packets == packets;
}

/*
 * Nor do they if IPsec decrypts the packet in transport mode, after which it holds a
 * reference to its route. The kernel decrypts it later than settle() waits for.
 */
TEST_F(vrf, forged_link_addresses_in_ipsec)
{
	static const __u8 trailer[] = { 1, 2, 2, IPPROTO_UDP };
	struct kcuckoo_prefix key = key_of(PEER6);
	int fd = self->client.fd;
	struct ip6_hdr *header;
	struct frame frame;
	__be32 *esp;

	if (system("ip xfrm state add src " PEER6 " dst " VRF6 " proto esp spi " SPI
		   " mode transport enc cipher_null ''"))
		SKIP(return, "the kernel has no IPsec");
	ip_run(HOST, "link set " VRF " address 02:00:00:00:00:01\n");
	ASSERT_EQ(1, keys_add(fd, "bad", &key, 1));
	ASSERT_EQ(0, rule_attach(fd, "bad", KCUCKOO_HOOK_INPUT, KCUCKOO_FAMILY_IPV6,
				 KCUCKOO_MATCH_SRC, KCUCKOO_ACTION_COUNT));
	frame_begin(&frame, ETH_P_IPV6, MAC_H0, MAC_H0);
	header = frame_ipv6(&frame, PEER6, VRF6, IPPROTO_ESP);
	esp = frame_push(&frame, 2 * sizeof(*esp));
	esp[0] = htonl(strtoul(SPI, NULL, 0));
	esp[1] = htonl(1);
	frame_udp(&frame, header, ++net.id, PAYLOAD);
	memcpy(frame_push(&frame, sizeof(trailer)), trailer, sizeof(trailer));
	frame_ipv6_end(&frame, header);
	frame_send(&frame);
	settle();
	/* The packet with ESP, and that without. */
	EXPECT_TRUE(counts(fd, 2));
	ip_run(HOST, "link set " VRF " address 02:00:00:00:00:99\n");
	EXPECT_EQ(0, system("ip xfrm state flush"));
}

/* From the VRF to the peer; does it arrive? */
static bool gets_out(const char *dst)
{
	int family = is_ipv6(dst) ? AF_INET6 : AF_INET;
	union talk_address here = talk_address(family, is_ipv6(dst) ? VRF6 : VRF4, 0);
	union talk_address there = talk_address(family, dst, PORT);
	int fd = talk_open(&here, VRF);

	talk_send(fd, &there);
	close(fd);
	return arrived(PEER, net.id) == 1;
}

static void leaving(struct __test_metadata *_metadata, int fd)
{
	int match;

	EXPECT_TRUE(gets_out(PEER4));
	EXPECT_TRUE(gets_out(PEER6));
	for (match = KCUCKOO_MATCH_SRC; match <= KCUCKOO_MATCH_DST; match++) {
		ASSERT_EQ(0, rule_attach(fd, "out", KCUCKOO_HOOK_OUTPUT,
					 KCUCKOO_FAMILY_BOTH, match,
					 KCUCKOO_ACTION_COUNT));
		EXPECT_TRUE(gets_out(PEER4));
		EXPECT_TRUE(gets_out(PEER6));
		/* Once each, though netfilter has it twice: of the VRF, of h0. */
		EXPECT_EQ(2, counters(fd, 0).packets);
		ASSERT_EQ(1, rule_detach(fd, NULL));
		ASSERT_EQ(0, rule_attach(fd, "out", KCUCKOO_HOOK_OUTPUT,
					 KCUCKOO_FAMILY_BOTH, match,
					 KCUCKOO_ACTION_DROP));
		EXPECT_FALSE(gets_out(PEER4));
		EXPECT_FALSE(gets_out(PEER6));
		EXPECT_EQ(2, counters(fd, 0).packets);
		talk_to_own(_metadata, "output");
		EXPECT_EQ(2, counters(fd, 0).packets);
		ASSERT_EQ(1, rule_detach(fd, NULL));
	}
}

TEST_F(vrf, dropped_on_the_way_out)
{
	struct kcuckoo_prefix keys[] = {
		key_of(VRF4), key_of(VRF6), key_of(PEER4), key_of(PEER6),
	};
	int fd = self->client.fd;

	ASSERT_EQ(0, filter_create(fd, "out", 10));
	ASSERT_EQ(ARRAY_SIZE(keys), keys_add(fd, "out", keys, ARRAY_SIZE(keys)));
	leaving(_metadata, fd);
	/* With a queue the VRF's device sends packets as any other one does. */
	ASSERT_EQ(0, system("tc qdisc replace dev " VRF " root pfifo"));
	leaving(_metadata, fd);
	EXPECT_EQ(0, system("tc qdisc del dev " VRF " root"));
}

/* A device that receives the host's own packets alone has no rules. */
TEST_F(vrf, no_ingress)
{
	EXPECT_EQ(-EINVAL, rule_attach_dev(self->client.fd, "bad", VRF, KCUCKOO_MATCH_SRC,
					   KCUCKOO_ACTION_DROP));
}

TEST_HARNESS_MAIN
