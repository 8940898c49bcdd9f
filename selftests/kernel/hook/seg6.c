// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rules and SRv6: the inner packets of End.DX4 and End.DX6 pass prerouting only with the
 * sysctl nf_hooks_lwtunnel, and some kernels then pass no input device to the hook.
 */

#include "link.h"

#define SEGMENT4	"fd01:5::4"
#define SEGMENT6	"fd01:5::6"

/* The sysctl belongs to the first namespace, and cannot be set back to 0. */
#define SYSCTL		"nsenter -t 1 -n sysctl -n net.netfilter.nf_hooks_lwtunnel"

FIXTURE(seg6)
{
	struct client client;
};

FIXTURE_SETUP(seg6)
{
	ASSERT_EQ(0, link_begin(&self->client));
}

FIXTURE_TEARDOWN(seg6)
{
	EXPECT_EQ(0, link_end(&self->client));
}

/* A packet to the far namespace within one to a segment of the host: does it arrive? */
static bool decapsulated(const char *src)
{
	bool six = is_ipv6(src);
	struct frame inner, frame;
	struct ip6_hdr *header;
	__u32 id = ++net.id;
	size_t length;

	frame_plain(&inner, MAC_P0, MAC_H0, src, far_for(src), id, PAYLOAD);
	length = inner.length - inner.network;
	frame_begin(&frame, ETH_P_IPV6, MAC_P0, MAC_H0);
	header = frame_ipv6(&frame, PEER6, six ? SEGMENT6 : SEGMENT4,
			    six ? IPPROTO_IPV6 : IPPROTO_IPIP);
	memcpy(frame_push(&frame, length), inner.bytes + inner.network, length);
	frame_ipv6_end(&frame, header);
	frame_send(&frame);
	settle();
	return arrived(FAR, id) == 1;
}

static bool has_segments(void)
{
	return !system("ip route replace " SEGMENT4 "/128 encap seg6local action End.DX4 nh4 "
		       FAR4 " dev h1 2>/dev/null") &&
	       !system("ip route replace " SEGMENT6 "/128 encap seg6local action End.DX6 nh6 "
		       FAR6 " dev h1 2>/dev/null");
}

/* Listed inner packets are dropped, and others pass. */
static void dropped(struct __test_metadata *_metadata, int fd, int hook)
{
	ASSERT_EQ(0, rule_attach(fd, "bad", hook, KCUCKOO_FAMILY_BOTH, KCUCKOO_MATCH_SRC,
				 KCUCKOO_ACTION_DROP));
	EXPECT_FALSE(decapsulated(BAD4));
	EXPECT_FALSE(decapsulated(BAD6));
	EXPECT_EQ(2, counters(fd, 0).packets)
		TH_LOG("hook %d", hook);
	EXPECT_TRUE(decapsulated(GOOD4));
	EXPECT_TRUE(decapsulated(GOOD6));
	EXPECT_EQ(2, counters(fd, 0).packets)
		TH_LOG("hook %d", hook);
	ASSERT_EQ(1, rule_detach(fd, NULL));
}

TEST_F(seg6, inner_packets)
{
	int fd = self->client.fd;

	if (!has_segments())
		SKIP(return, "the kernel has no SRv6");
	EXPECT_TRUE(decapsulated(GOOD4));
	EXPECT_TRUE(decapsulated(GOOD6));
	dropped(_metadata, fd, KCUCKOO_HOOK_FORWARD);
	if (!system("modprobe nf_conntrack; test \"$(" SYSCTL ")\" = 0")) {
		ASSERT_EQ(0, rule_attach(fd, "bad", KCUCKOO_HOOK_PREROUTING,
					 KCUCKOO_FAMILY_BOTH, KCUCKOO_MATCH_SRC,
					 KCUCKOO_ACTION_DROP));
		EXPECT_TRUE(decapsulated(BAD4));
		EXPECT_TRUE(decapsulated(BAD6));
		EXPECT_EQ(0, counters(fd, 0).packets);
		ASSERT_EQ(1, rule_detach(fd, NULL));
	}
	if (system(SYSCTL "=1 >/dev/null"))
		SKIP(return, "the kernel has no nf_hooks_lwtunnel");
	dropped(_metadata, fd, KCUCKOO_HOOK_PREROUTING);
	dropped(_metadata, fd, KCUCKOO_HOOK_FORWARD);
}

TEST_HARNESS_MAIN
