// SPDX-License-Identifier: GPL-2.0-only
/*
 * Packets of every form: fragments, options, extension headers, headers that
 * are cut off or false. Addresses are where they are, whatever follows them.
 */

#include "fragment.h"

FIXTURE(form)
{
	struct client client;
};

FIXTURE_SETUP(form)
{
	ASSERT_EQ(0, link_begin(&self->client));
	ASSERT_EQ(0, rule_attach(self->client.fd, "bad", KCUCKOO_HOOK_PREROUTING,
				 KCUCKOO_FAMILY_BOTH, KCUCKOO_MATCH_SRC,
				 KCUCKOO_ACTION_DROP));
}

FIXTURE_TEARDOWN(form)
{
	EXPECT_EQ(0, link_end(&self->client));
}

static __u64 matched(int fd)
{
	return counters(fd, 0).packets;
}

TEST_F(form, fragments_of_ipv4)
{
	int fd = self->client.fd;

	EXPECT_TRUE(fragments_ipv4(GOOD4, 3));
	EXPECT_EQ(0, matched(fd));
	EXPECT_FALSE(fragments_ipv4(BAD4, 1));
	EXPECT_EQ(1, matched(fd));
	EXPECT_FALSE(fragments_ipv4(BAD4, 2));
	EXPECT_EQ(2, matched(fd));
	EXPECT_FALSE(fragments_ipv4(BADNET4, 3));
	EXPECT_EQ(4, matched(fd));
}

TEST_F(form, fragments_of_ipv6)
{
	int fd = self->client.fd;

	EXPECT_TRUE(fragments_ipv6(GOOD6, 3));
	EXPECT_EQ(0, matched(fd));
	EXPECT_FALSE(fragments_ipv6(BAD6, 1));
	EXPECT_EQ(1, matched(fd));
	EXPECT_FALSE(fragments_ipv6(BAD6, 2));
	EXPECT_EQ(2, matched(fd));
	EXPECT_FALSE(fragments_ipv6(BADNET6, 3));
	EXPECT_EQ(4, matched(fd));
}

/* Without connection tracking, IPv4 reassembles before input and IPv6 behind it. */
TEST_F(form, fragments_at_input)
{
	int fd = self->client.fd;

	ASSERT_EQ(1, rule_detach(fd, NULL));
	ASSERT_EQ(0, rule_attach(fd, "bad", KCUCKOO_HOOK_INPUT, KCUCKOO_FAMILY_BOTH,
				 KCUCKOO_MATCH_SRC, KCUCKOO_ACTION_DROP));
	EXPECT_TRUE(fragments_ipv4(GOOD4, 3));
	EXPECT_TRUE(fragments_ipv6(GOOD6, 3));
	EXPECT_EQ(0, matched(fd));
	EXPECT_FALSE(fragments_ipv4(BAD4, 3));
	EXPECT_EQ(1, matched(fd));
	EXPECT_FALSE(fragments_ipv6(BAD6, 3));
	EXPECT_EQ(3, matched(fd));
}

TEST_F(form, options_of_ipv4)
{
	struct iphdr *header;
	struct frame frame;
	size_t options;

	for (options = 0; options <= 40; options += 4) {
		frame_begin(&frame, ETH_P_IP, MAC_P0, MAC_H0);
		header = frame_ipv4(&frame, GOOD4, HOST4, options);
		frame_udp(&frame, NULL, ++net.id, PAYLOAD);
		frame_ipv4_end(&frame, header);
		frame_send(&frame);
		settle();
		EXPECT_EQ(1, arrived(HOST, net.id))
			TH_LOG("%zu bytes of options", options);

		frame_begin(&frame, ETH_P_IP, MAC_P0, MAC_H0);
		header = frame_ipv4(&frame, BAD4, HOST4, options);
		frame_udp(&frame, NULL, ++net.id, PAYLOAD);
		frame_ipv4_end(&frame, header);
		frame_send(&frame);
		settle();
		EXPECT_EQ(0, arrived(HOST, net.id))
			TH_LOG("%zu bytes of options, listed", options);
	}
	EXPECT_EQ(11, matched(self->client.fd));
}

/* UDP behind the extension headers that the bits of @which name. */
static bool extended(const char *src, unsigned int which)
{
	static const int number[] = {
		IPPROTO_HOPOPTS, IPPROTO_DSTOPTS, IPPROTO_ROUTING, IPPROTO_FRAGMENT,
	};
	struct ip6_hdr *header;
	struct frame frame;
	int chain[5], length = 0, i;

	for (i = 0; i < 4; i++) {
		if (which & 1 << i)
			chain[length++] = number[i];
	}
	chain[length] = IPPROTO_UDP;

	frame_begin(&frame, ETH_P_IPV6, MAC_P0, MAC_H0);
	header = frame_ipv6(&frame, src, HOST6, chain[0]);
	for (i = 0; i < length; i++) {
		if (chain[i] == IPPROTO_ROUTING)
			frame_routing(&frame, chain[i + 1]);
		else if (chain[i] == IPPROTO_FRAGMENT)
			frame_fragment(&frame, chain[i + 1], 0, false, net.id);
		else
			frame_options(&frame, chain[i + 1]);
	}
	frame_udp(&frame, header, ++net.id, PAYLOAD);
	frame_ipv6_end(&frame, header);
	frame_send(&frame);
	settle();
	return arrived(HOST, net.id) == 1;
}

TEST_F(form, extension_headers)
{
	unsigned int which;

	for (which = 0; which < 16; which++) {
		/* Linux takes no routing header of type 2 unless asked to. */
		EXPECT_TRUE(extended(GOOD6, which) || which & 4)
			TH_LOG("headers %#x", which);
		EXPECT_EQ(which, matched(self->client.fd));
		EXPECT_FALSE(extended(BAD6, which))
			TH_LOG("headers %#x, listed", which);
		EXPECT_EQ(which + 1, matched(self->client.fd));
	}
}

/* More than a page: the packet's data is not in one piece. */
TEST_F(form, data_in_pages)
{
	struct frame frame;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(good); i++) {
		frame_plain(&frame, MAC_P0, MAC_H0, good[i], host_for(good[i]), ++net.id,
			    8000);
		frame_send(&frame);
		settle();
		EXPECT_EQ(1, arrived(HOST, net.id))
			TH_LOG("%s", good[i]);
	}
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		frame_plain(&frame, MAC_P0, MAC_H0, bad[i], host_for(bad[i]), ++net.id,
			    8000);
		frame_send(&frame);
		settle();
		EXPECT_EQ(0, arrived(HOST, net.id))
			TH_LOG("%s", bad[i]);
	}
	EXPECT_EQ(ARRAY_SIZE(bad), matched(self->client.fd));
}

/* Cut off anywhere before the end of the IP header: no packet, and no match. */
TEST_F(form, cut_off)
{
	struct frame frame;
	size_t length, i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		size_t header = is_ipv6(bad[i]) ? sizeof(struct ip6_hdr) :
						  sizeof(struct iphdr);

		for (length = 0; length < header; length++) {
			frame_plain(&frame, MAC_P0, MAC_H0, bad[i], host_for(bad[i]), 0,
				    PAYLOAD);
			frame.length = frame.network + length;
			frame_send(&frame);
		}
	}
	settle();
	EXPECT_EQ(0, matched(self->client.fd));
	EXPECT_TRUE(passes(GOOD4, HOST4));
	EXPECT_TRUE(passes(GOOD6, HOST6));
	EXPECT_FALSE(passes(BAD4, HOST4));
	EXPECT_FALSE(passes(BAD6, HOST6));
}

/* Lengths and versions that lie. */
TEST_F(form, false_headers)
{
	struct iphdr *four;
	struct ip6_hdr *six;
	struct frame frame;
	int value;

	for (value = 0; value < 16; value++) {
		if (value != 5) {
			frame_plain(&frame, MAC_P0, MAC_H0, BAD4, HOST4, 0, 4);
			four = (struct iphdr *)(frame.bytes + frame.network);
			four->ihl = value;
			four->check = 0;
			four->check = sum_fold(sum_add(0, four, 20));
			frame_send(&frame);
		}
		if (value != 4) {
			frame_plain(&frame, MAC_P0, MAC_H0, BAD4, HOST4, 0, 4);
			four = (struct iphdr *)(frame.bytes + frame.network);
			four->version = value;
			four->check = 0;
			four->check = sum_fold(sum_add(0, four, 20));
			frame_send(&frame);
		}
		if (value != 6) {
			frame_plain(&frame, MAC_P0, MAC_H0, BAD6, HOST6, 0, 4);
			six = (struct ip6_hdr *)(frame.bytes + frame.network);
			six->ip6_vfc = value << 4;
			frame_send(&frame);
		}
	}
	for (value = 0; value < 20; value++) {
		frame_plain(&frame, MAC_P0, MAC_H0, BAD4, HOST4, 0, PAYLOAD);
		four = (struct iphdr *)(frame.bytes + frame.network);
		four->tot_len = htons(value);
		four->check = 0;
		four->check = sum_fold(sum_add(0, four, 20));
		frame_send(&frame);
	}
	settle();
	/* A shorter header length than 5 words is none; a longer one is cut off. */
	EXPECT_EQ(0, matched(self->client.fd));

	frame_plain(&frame, MAC_P0, MAC_H0, BAD4, HOST4, 0, PAYLOAD);
	four = (struct iphdr *)(frame.bytes + frame.network);
	four->tot_len = htons(65535);
	four->check = 0;
	four->check = sum_fold(sum_add(0, four, 20));
	frame_send(&frame);
	frame_plain(&frame, MAC_P0, MAC_H0, BAD6, HOST6, 0, PAYLOAD);
	six = (struct ip6_hdr *)(frame.bytes + frame.network);
	six->ip6_plen = htons(65535);
	frame_send(&frame);
	settle();
	EXPECT_EQ(0, matched(self->client.fd));
	EXPECT_TRUE(passes(GOOD4, HOST4));
	EXPECT_FALSE(passes(BAD4, HOST4));
}

/* Good packets with some bytes changed at random: no harm is all that is asked. */
TEST_F(form, noise)
{
	size_t round, rounds = client_scale(10000), changes;
	__u64 random = 0x6e6f697365;
	struct frame frame;

	for (round = 0; round < rounds; round++) {
		const char *src = good[random_next(&random) % ARRAY_SIZE(good)];

		frame_plain(&frame, MAC_P0, MAC_H0, src, host_for(src), 0,
			    4 + random_next(&random) % 100);
		for (changes = random_next(&random) % 6; changes; changes--) {
			size_t place = 12 + random_next(&random) % (frame.length - 12);

			frame.bytes[place] = random_next(&random);
		}
		if (random_next(&random) % 3 == 0)
			frame.length = 14 + random_next(&random) % (frame.length - 14);
		frame_send(&frame);
	}
	drain();
	EXPECT_TRUE(passes(GOOD4, HOST4));
	EXPECT_TRUE(passes(GOOD6, HOST6));
	EXPECT_FALSE(passes(BAD4, HOST4));
	EXPECT_FALSE(passes(BAD6, HOST6));
}

/* Raw sockets may hand down headers of their own making. */
TEST_F(form, false_headers_on_the_way_out)
{
	struct sockaddr_in to4 = { .sin_family = AF_INET };
	struct sockaddr_in6 to6 = { .sin6_family = AF_INET6 };
	int raw4 = socket(AF_INET, SOCK_RAW, IPPROTO_RAW);
	int raw6 = socket(AF_INET6, SOCK_RAW, IPPROTO_RAW);
	int on = 1, value;
	struct frame frame;

	ASSERT_LE(0, raw4);
	ASSERT_LE(0, raw6);
	ASSERT_EQ(0, setsockopt(raw6, IPPROTO_IPV6, IPV6_HDRINCL, &on, sizeof(on)));
	inet_pton(AF_INET, PEER4, &to4.sin_addr);
	inet_pton(AF_INET6, PEER6, &to6.sin6_addr);
	ASSERT_EQ(0, rule_attach(self->client.fd, "bad", KCUCKOO_HOOK_OUTPUT,
				 KCUCKOO_FAMILY_BOTH, KCUCKOO_MATCH_SRC,
				 KCUCKOO_ACTION_DROP));
	for (value = 0; value < 256; value++) {
		frame_plain(&frame, MAC_H0, MAC_P0, GOOD4, PEER4, 0, PAYLOAD);
		frame.bytes[frame.network] = value;
		sendto(raw4, frame.bytes + frame.network,
		       value % 2 ? frame.length - frame.network : 20, 0,
		       (struct sockaddr *)&to4, sizeof(to4));
		frame_plain(&frame, MAC_H0, MAC_P0, GOOD6, PEER6, 0, PAYLOAD);
		frame.bytes[frame.network] = value;
		sendto(raw6, frame.bytes + frame.network,
		       value % 2 ? frame.length - frame.network : 40, 0,
		       (struct sockaddr *)&to6, sizeof(to6));
	}
	EXPECT_EQ(0, counters(self->client.fd, 1).packets);
	frame_plain(&frame, MAC_H0, MAC_P0, BAD4, PEER4, 0, PAYLOAD);
	EXPECT_EQ(-1, sendto(raw4, frame.bytes + frame.network,
			     frame.length - frame.network, 0, (struct sockaddr *)&to4,
			     sizeof(to4)));
	EXPECT_EQ(EPERM, errno);
	EXPECT_EQ(1, counters(self->client.fd, 1).packets);
	EXPECT_TRUE(leaves(PEER4));
	EXPECT_TRUE(leaves(PEER6));
	close(raw4);
	close(raw6);
}

TEST_HARNESS_MAIN
