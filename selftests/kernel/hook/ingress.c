// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rules at the ingress of a device: packets behind VLAN tags or not, with true
 * headers and false ones; devices that go, move and change their name.
 */

#include "fragment.h"
#include "headers.h"
#include "pppoe.h"

/* VLANs on the host's end of the link, and on the peer's. */
#define VLAN		5
#define OUTER		8

FIXTURE(ingress)
{
	struct client client;
};

static int drop(int fd, const char *dev)
{
	return rule_attach_dev(fd, "bad", dev, KCUCKOO_MATCH_SRC, KCUCKOO_ACTION_DROP);
}

FIXTURE_SETUP(ingress)
{
	ASSERT_EQ(0, link_begin(&self->client));
	ASSERT_EQ(0, drop(self->client.fd, "h0"));
}

FIXTURE_TEARDOWN(ingress)
{
	EXPECT_EQ(0, link_end(&self->client));
}

static __u64 matched(int fd)
{
	return counters(fd, 0).packets;
}

TEST_F(ingress, sources)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		EXPECT_FALSE(passes(bad[i], host_for(bad[i])));
		EXPECT_FALSE(passes(bad[i], far_for(bad[i])));
	}
	for (i = 0; i < ARRAY_SIZE(good); i++) {
		EXPECT_TRUE(passes(good[i], host_for(good[i])));
		EXPECT_TRUE(passes(good[i], far_for(good[i])));
	}
	EXPECT_TRUE(leaves(PEER4));
	EXPECT_TRUE(leaves(PEER6));
	EXPECT_EQ(8, matched(self->client.fd));
}

/* Nothing that comes from elsewhere is looked at. */
TEST_F(ingress, other_device)
{
	int fd = self->client.fd;

	EXPECT_EQ(1, rule_detach_dev(fd, "h0"));
	EXPECT_TRUE(passes(BAD4, HOST4));
	ASSERT_EQ(0, drop(fd, "h1"));
	EXPECT_TRUE(passes(BAD4, HOST4));
	EXPECT_TRUE(passes(BAD6, FAR6));
	EXPECT_EQ(0, matched(fd));
}

TEST_F(ingress, destinations_and_families)
{
	struct kcuckoo_prefix keys[] = { key_of(FAR4), key_of(FAR6) };
	struct kcuckoo_ioc_attach attach = {
		.size = sizeof(attach),
		.name = "bad",
		.dev = "h0",
		.hook = KCUCKOO_HOOK_INGRESS,
		.family = KCUCKOO_FAMILY_IPV6,
		.match = KCUCKOO_MATCH_DST,
	};
	int fd = self->client.fd;

	EXPECT_EQ(1, rule_detach(fd, NULL));
	ASSERT_EQ(2, keys_add(fd, "bad", keys, 2));
	ASSERT_EQ(0, call(fd, KCUCKOO_IOC_ATTACH, &attach));
	EXPECT_TRUE(passes(GOOD4, FAR4));
	EXPECT_FALSE(passes(GOOD6, FAR6));
	EXPECT_TRUE(passes(BAD6, HOST6));
	EXPECT_EQ(1, matched(fd));
}

/* What the rule counts is what the one behind it, at a hook, counts. */
TEST_F(ingress, counters)
{
	static const size_t lengths[] = { 4, 100, 1400, 8900 };
	struct frame frame;
	int fd = self->client.fd;
	size_t i;

	EXPECT_EQ(1, rule_detach(fd, NULL));
	ASSERT_EQ(0, rule_attach_dev(fd, "bad", "h0", KCUCKOO_MATCH_SRC,
				     KCUCKOO_ACTION_COUNT));
	ASSERT_EQ(0, rule_attach(fd, "bad", KCUCKOO_HOOK_PREROUTING, KCUCKOO_FAMILY_BOTH,
				 KCUCKOO_MATCH_SRC, KCUCKOO_ACTION_DROP));
	for (i = 0; i < ARRAY_SIZE(lengths); i++) {
		frame_plain(&frame, MAC_P0, MAC_H0, BAD4, HOST4, 0, lengths[i]);
		frame_send(&frame);
		frame_plain(&frame, MAC_P0, MAC_H0, BAD6, HOST6, 0, lengths[i]);
		/* What fills a frame up is no part of the packet. */
		frame_push(&frame, 20);
		frame_send(&frame);
	}
	settle();
	EXPECT_EQ(2 * ARRAY_SIZE(lengths), matched(fd));
	EXPECT_EQ(counters(fd, 0).packets, counters(fd, 1).packets);
	EXPECT_EQ(counters(fd, 0).bytes, counters(fd, 1).bytes);
	EXPECT_STREQ("h0", (char *)counters(fd, 0).dev);
	EXPECT_STREQ("", (char *)counters(fd, 1).dev);
}

/* The fast path decides for hosts alone; the counters are the same. */
TEST_F(ingress, hosts_alone)
{
	struct kcuckoo_prefix key = key_of(BAD4);
	int fd = self->client.fd;
	struct frame frame;
	__u64 bytes;

	frame_plain(&frame, MAC_P0, MAC_H0, BAD4, HOST4, 0, 100);
	frame_send(&frame);
	settle();
	bytes = counters(fd, 0).bytes;
	ASSERT_LT(100, bytes);
	EXPECT_EQ(1, rule_detach(fd, NULL));
	ASSERT_EQ(0, filter_create(fd, "hosts", 1000));
	ASSERT_EQ(1, keys_add(fd, "hosts", &key, 1));
	ASSERT_EQ(0, rule_attach_dev(fd, "hosts", "h0", KCUCKOO_MATCH_SRC,
				     KCUCKOO_ACTION_DROP));
	frame_send(&frame);
	settle();
	EXPECT_EQ(1, matched(fd));
	EXPECT_EQ(bytes, counters(fd, 0).bytes);
	EXPECT_FALSE(passes(BAD4, HOST4));
	EXPECT_TRUE(passes(GOOD4, HOST4));
	EXPECT_EQ(2, matched(fd));
}

TEST_F(ingress, marked)
{
	struct kcuckoo_ioc_attach attach = {
		.size = sizeof(attach),
		.name = "bad",
		.dev = "h0",
		.hook = KCUCKOO_HOOK_INGRESS,
		.family = KCUCKOO_FAMILY_BOTH,
		.action = KCUCKOO_ACTION_MARK,
		.mark = 7,
	};

	EXPECT_EQ(1, rule_detach(self->client.fd, NULL));
	ip_run(HOST, "rule add fwmark 7 blackhole pref 1\n");
	EXPECT_TRUE(passes(BAD4, FAR4));
	EXPECT_EQ(0, call(self->client.fd, KCUCKOO_IOC_ATTACH, &attach));
	EXPECT_FALSE(passes(BAD4, FAR4));
	EXPECT_TRUE(passes(GOOD4, FAR4));
	ip_run(HOST, "rule del fwmark 7 blackhole pref 1\n");
	EXPECT_TRUE(passes(BAD4, FAR4));
	EXPECT_EQ(2, matched(self->client.fd));
}

TEST_F(ingress, allowed)
{
	struct kcuckoo_ioc_attach attach = {
		.size = sizeof(attach),
		.name = "bad",
		.allow = "spared",
		.dev = "h0",
		.hook = KCUCKOO_HOOK_INGRESS,
		.family = KCUCKOO_FAMILY_BOTH,
	};
	struct kcuckoo_prefix key = key_of(BAD4);
	int fd = self->client.fd;

	EXPECT_EQ(1, rule_detach(fd, NULL));
	ASSERT_EQ(0, call(fd, KCUCKOO_IOC_ATTACH, &attach));
	EXPECT_TRUE(passes(BAD6, HOST6));
	ASSERT_EQ(0, filter_create(fd, "spared", 10));
	ASSERT_EQ(1, keys_add(fd, "spared", &key, 1));
	EXPECT_TRUE(passes(BAD4, HOST4));
	EXPECT_FALSE(passes(BAD6, HOST6));
}

TEST_F(ingress, fragments)
{
	int fd = self->client.fd;

	EXPECT_TRUE(fragments_ipv4(GOOD4, 3));
	EXPECT_TRUE(fragments_ipv6(GOOD6, 3));
	EXPECT_EQ(0, matched(fd));
	EXPECT_FALSE(fragments_ipv4(BADNET4, 3));
	EXPECT_EQ(2, matched(fd));
	EXPECT_FALSE(fragments_ipv6(BADNET6, 2));
	EXPECT_EQ(3, matched(fd));
}

/* A packet with so many tags of these VLANs; does it arrive at the host? */
static bool tagged_as(const char *src, const __u16 *types, const __u16 *ids, size_t count)
{
	struct frame frame;

	frame_plain(&frame, MAC_P0, MAC_H0, src, host_for(src), ++net.id, PAYLOAD);
	tag(&frame, types, ids, count);
	frame_send(&frame);
	settle();
	return arrived(HOST, net.id) == 1;
}

/* The same with tags of VLANs that vlans_open() has made. */
static bool tagged(const char *src, const __u16 *types, size_t count)
{
	static const __u16 one[] = { VLAN }, two[] = { OUTER, VLAN };

	return tagged_as(src, types, count == 1 ? one : two, count);
}

/* Devices that take tagged packets. */
static void vlans_open(enum place place, const char *dev)
{
	char commands[600];

	snprintf(commands, sizeof(commands),
		 "link add link %s name v%d type vlan id %d\n"
		 "link add link %s name q%d type vlan proto 802.1ad id %d\n"
		 "link add link q%d name q%d.%d type vlan id %d\n"
		 "link set v%d up\nlink set q%d up\nlink set q%d.%d up\n",
		 dev, VLAN, VLAN, dev, OUTER, OUTER, OUTER, OUTER, VLAN, VLAN, VLAN, OUTER,
		 OUTER, VLAN);
	ip_run(place, commands);
}

static void vlans_close(enum place place)
{
	char commands[100];

	snprintf(commands, sizeof(commands), "link del v%d\nlink del q%d\n", VLAN, OUTER);
	ip_run(place, commands);
}

/* Tags in the packet: the kernel takes the first one out before it asks us. */
TEST_F(ingress, tags_in_the_packet)
{
	static const __u16 types[][2] = {
		{ ETH_P_8021Q }, { ETH_P_8021AD, ETH_P_8021Q },
	};
	int fd = self->client.fd;
	size_t count, i;

	vlans_open(HOST, "h0");
	for (count = 1; count <= 2; count++) {
		for (i = 0; i < ARRAY_SIZE(good); i++) {
			EXPECT_TRUE(tagged(good[i], types[count - 1], count))
				TH_LOG("%s behind %zu tags", good[i], count);
		}
		EXPECT_EQ((count - 1) * ARRAY_SIZE(bad), matched(fd));
		for (i = 0; i < ARRAY_SIZE(bad); i++) {
			EXPECT_FALSE(tagged(bad[i], types[count - 1], count))
				TH_LOG("%s behind %zu tags", bad[i], count);
		}
		EXPECT_EQ(count * ARRAY_SIZE(bad), matched(fd));
	}
	EXPECT_EQ(1, rule_detach(fd, NULL));
	EXPECT_TRUE(tagged(BAD4, types[0], 1));
	EXPECT_TRUE(tagged(BAD6, types[1], 2));
	vlans_close(HOST);
}

static long long count_matched(void *context)
{
	return matched(*(int *)context);
}

/* As selftests/kernel/xdp/frames.c expects it of the other hook of devices. */
TEST_F(ingress, tags_are_looked_behind)
{
	tags_expect(_metadata, count_matched, &self->client.fd);
}

TEST_F(ingress, pppoe_sessions_are_looked_into)
{
	pppoe_expect(_metadata, count_matched, &self->client.fd);
}

/* Tags of VLAN 0 are a priority: the kernel takes off any number of them. */
TEST_F(ingress, tags_of_priority)
{
	static const __u16 types[TAGS_MAX] = { [0 ... TAGS_MAX - 1] = ETH_P_8021Q };
	static const __u16 none[TAGS_MAX] = {}, first[] = { VLAN, 0, 0, 0 };
	static const size_t counts[] = { 1, 2, 3, TAGS_MAX };
	int fd = self->client.fd;
	size_t i;

	vlans_open(HOST, "h0");
	for (i = 0; i < ARRAY_SIZE(counts); i++) {
		EXPECT_TRUE(tagged_as(GOOD4, types, none, counts[i]))
			TH_LOG("%zu tags, not listed", counts[i]);
		EXPECT_FALSE(tagged_as(BAD4, types, none, counts[i]))
			TH_LOG("%zu tags, listed", counts[i]);
		EXPECT_FALSE(tagged_as(BAD6, types, none, counts[i]))
			TH_LOG("%zu tags, IPv6, listed", counts[i]);
	}
	EXPECT_TRUE(tagged_as(GOOD4, types, first, ARRAY_SIZE(first)));
	EXPECT_FALSE(tagged_as(BAD4, types, first, ARRAY_SIZE(first)));
	EXPECT_EQ(2 * ARRAY_SIZE(counts) + 1, matched(fd));
	EXPECT_EQ(1, rule_detach(fd, NULL));
	EXPECT_TRUE(tagged_as(BAD4, types, none, 3));
	EXPECT_TRUE(tagged_as(BAD4, types, first, ARRAY_SIZE(first)));
	vlans_close(HOST);
}

/* What a tag or the header of PPPoE carries does not count as bytes of the packet. */
TEST_F(ingress, bytes_behind_tags)
{
	static const __u16 types[] = { ETH_P_8021AD, ETH_P_8021Q };
	const size_t bytes = sizeof(struct iphdr) + sizeof(struct udphdr) + PAYLOAD;
	int fd = self->client.fd;

	tagged(BAD4, types, 2);
	EXPECT_EQ(bytes, counters(fd, 0).bytes);
	tagged(BAD4, types + 1, 1);
	EXPECT_EQ(2 * bytes, counters(fd, 0).bytes);
	send_pppoe(BAD4, 1);
	EXPECT_EQ(3 * bytes, counters(fd, 0).bytes);
}

/* A packet of the peer itself, by one of its devices; does it arrive? */
static bool sent_by(const char *dev, const char *src)
{
	struct sockaddr_ll address = {
		.sll_family = AF_PACKET,
		.sll_halen = ETH_ALEN,
		.sll_addr = { 2, 0, 0, 0, 0, MAC_H0 },
	};
	struct frame frame;
	int fd;

	enter(PEER);
	address.sll_protocol = htons(is_ipv6(src) ? ETH_P_IPV6 : ETH_P_IP);
	address.sll_ifindex = if_nametoindex(dev);
	fd = socket(AF_PACKET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	enter(HOST);
	frame_plain(&frame, MAC_P0, MAC_H0, src, host_for(src), ++net.id, PAYLOAD);
	if (fd < 0 || sendto(fd, frame.bytes + frame.network,
			     frame.length - frame.network, 0, (struct sockaddr *)&address,
			     sizeof(address)) < 0)
		fail(dev);
	close(fd);
	settle();
	return arrived(HOST, net.id) == 1;
}

/* Tags beside the packet, as devices that know of VLANs hand them over. */
TEST_F(ingress, tags_beside_the_packet)
{
	int fd = self->client.fd;
	size_t i;

	vlans_open(HOST, "h0");
	vlans_open(PEER, "p0");
	for (i = 0; i < ARRAY_SIZE(good); i++) {
		EXPECT_TRUE(sent_by("v5", good[i]))
			TH_LOG("%s", good[i]);
		EXPECT_TRUE(sent_by("q8.5", good[i]))
			TH_LOG("%s behind two", good[i]);
	}
	EXPECT_EQ(0, matched(fd));
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		EXPECT_FALSE(sent_by("v5", bad[i]))
			TH_LOG("%s", bad[i]);
		EXPECT_FALSE(sent_by("q8.5", bad[i]))
			TH_LOG("%s behind two", bad[i]);
	}
	EXPECT_EQ(2 * ARRAY_SIZE(bad), matched(fd));
	/* The device behind the tag has rules of its own. */
	EXPECT_EQ(1, rule_detach(fd, NULL));
	ASSERT_EQ(0, drop(fd, "v5"));
	EXPECT_FALSE(sent_by("v5", BAD4));
	EXPECT_TRUE(sent_by("q8.5", BAD4));
	EXPECT_TRUE(passes(BAD4, HOST4));
	EXPECT_EQ(1, matched(fd));
	vlans_close(PEER);
	vlans_close(HOST);
	EXPECT_EQ(0, rule_list(fd, NULL, 0));
}

/* One more tag of the peer's device comes next to a frame that it sends as it is. */
TEST_F(ingress, a_tag_beside_the_packet_counts)
{
	struct sockaddr_ll address = { .sll_family = AF_PACKET };
	int fd, tags;

	vlans_open(PEER, "p0");
	enter(PEER);
	address.sll_ifindex = if_nametoindex("v5");
	fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
	enter(HOST);
	ASSERT_LE(0, fd);
	for (tags = TAGS_MAX - 1; tags <= TAGS_MAX; tags++) {
		struct frame frame;

		frame_tagged(&frame, BAD4, tags, TAGS_PRIORITY);
		EXPECT_EQ(frame.length, sendto(fd, frame.bytes, frame.length, 0,
					       (struct sockaddr *)&address,
					       sizeof(address)));
		settle();
		/* Only the frame with one tag less. */
		EXPECT_EQ(1, matched(self->client.fd))
			TH_LOG("%d tags in the packet", tags);
	}
	close(fd);
	vlans_close(PEER);
}

/* Cut off anywhere before the end of the IP header: no packet, and no match. */
TEST_F(ingress, cut_off)
{
	static const __u16 types[] = { ETH_P_8021AD, ETH_P_8021Q };
	static const __u16 ids[] = { OUTER, VLAN };
	struct frame whole, frame;
	size_t tags, length, i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		for (tags = 0; tags <= 2; tags++) {
			frame_plain(&whole, MAC_P0, MAC_H0, bad[i], host_for(bad[i]), 0,
				    PAYLOAD);
			tag(&whole, types + 2 - tags, ids + 2 - tags, tags);
			for (length = 14; length < whole.length; length++) {
				frame = whole;
				frame.length = length;
				frame_send(&frame);
			}
		}
	}
	settle();
	EXPECT_EQ(0, matched(self->client.fd));
	EXPECT_FALSE(passes(BAD4, HOST4));
	EXPECT_TRUE(passes(GOOD6, HOST6));
}

/* Versions and lengths that lie; the last bytes of the longest packets are there. */
TEST_F(ingress, false_headers)
{
	send_invalid_headers();
	EXPECT_EQ(0, matched(self->client.fd));
	EXPECT_EQ(send_valid_headers(), matched(self->client.fd));
}

/* Tagged packets with some bytes changed at random do no harm. */
TEST_F(ingress, noise)
{
	static const __u16 types[] = { ETH_P_8021AD, ETH_P_8021Q, ETH_P_8021Q };
	static const __u16 ids[] = { OUTER, VLAN, VLAN };
	size_t round, rounds = client_scale(5000), changes;
	__u64 random = 0x6e6f697365;
	struct frame frame;

	for (round = 0; round < rounds; round++) {
		const char *src = good[random_next(&random) % ARRAY_SIZE(good)];

		frame_plain(&frame, MAC_P0, MAC_H0, src, host_for(src), 0,
			    4 + random_next(&random) % 100);
		tag(&frame, types, ids, random_next(&random) % 4);
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
	EXPECT_FALSE(passes(BAD6, HOST6));
}

/* First what comes from devices, in the order in which they got rules. */
TEST_F(ingress, order_of_rules)
{
	struct kcuckoo_rule rules[8];
	int fd = self->client.fd;

	EXPECT_EQ(1, rule_detach(fd, NULL));
	ASSERT_EQ(0, rule_attach(fd, "bad", KCUCKOO_HOOK_PREROUTING, KCUCKOO_FAMILY_BOTH,
				 0, 0));
	ASSERT_EQ(0, drop(fd, "h1"));
	ASSERT_EQ(0, drop(fd, "h0"));
	EXPECT_EQ(-EEXIST, drop(fd, "h0"));
	ASSERT_EQ(0, rule_attach_dev(fd, "bad", "h1", KCUCKOO_MATCH_DST, 0));
	ASSERT_EQ(4, rule_list(fd, rules, 8));
	EXPECT_STREQ("h1", (char *)rules[0].dev);
	EXPECT_EQ(KCUCKOO_HOOK_INGRESS, rules[0].hook);
	EXPECT_STREQ("h1", (char *)rules[1].dev);
	EXPECT_EQ(KCUCKOO_MATCH_DST, rules[1].match);
	EXPECT_STREQ("h0", (char *)rules[2].dev);
	EXPECT_STREQ("", (char *)rules[3].dev);
	EXPECT_EQ(2, rule_detach_dev(fd, "h1"));
	EXPECT_EQ(-ENOENT, rule_detach_dev(fd, "h1"));
	EXPECT_EQ(2, rule_list(fd, rules, 8));
	EXPECT_FALSE(passes(BAD4, HOST4));
	EXPECT_EQ(1, matched(fd));
	EXPECT_EQ(2, rule_detach(fd, "bad"));
	EXPECT_EQ(0, filter_destroy(fd, "bad"));
}

/* The names that it waits for go with a device, too. */
TEST_F(ingress, device_goes)
{
	struct kcuckoo_ioc_stats stats;
	int fd = self->client.fd, i;

	EXPECT_EQ(1, rule_detach(fd, NULL));
	for (i = 0; i < 3; i++) {
		ip_run(HOST, "link add d0 type dummy\nlink set d0 up\n");
		ASSERT_EQ(0, drop(fd, "d0"));
		ASSERT_EQ(0, rule_attach_dev(fd, "missing", "d0", KCUCKOO_MATCH_DST, 0));
		ASSERT_EQ(0, drop(fd, "h0"));
		EXPECT_EQ(3, rule_list(fd, NULL, 0));
		ip_run(HOST, "link del d0\n");
		EXPECT_EQ(1, rule_list(fd, NULL, 0));
		ASSERT_EQ(0, client_stats(fd, &stats));
		EXPECT_EQ(0, stats.waiting);
		EXPECT_EQ(-ENXIO, drop(fd, "d0"));
		EXPECT_FALSE(passes(BAD4, HOST4));
		EXPECT_EQ(1, rule_detach_dev(fd, "h0"));
	}
	EXPECT_EQ(0, filter_destroy(fd, "bad"));
}

TEST_F(ingress, device_gets_another_name)
{
	static const __u16 types[] = { ETH_P_8021Q };
	int fd = self->client.fd;

	EXPECT_EQ(1, rule_detach(fd, NULL));
	vlans_open(HOST, "h0");
	ASSERT_EQ(0, drop(fd, "v5"));
	ip_run(HOST, "link set v5 down\nlink set v5 name w5\nlink set w5 up\n");
	EXPECT_STREQ("w5", (char *)counters(fd, 0).dev);
	EXPECT_EQ(-EEXIST, drop(fd, "w5"));
	EXPECT_EQ(-ENXIO, drop(fd, "v5"));
	EXPECT_EQ(-ENXIO, rule_detach_dev(fd, "v5"));
	EXPECT_FALSE(tagged(BAD4, types, 1));
	EXPECT_TRUE(tagged(GOOD4, types, 1));
	EXPECT_EQ(1, rule_detach_dev(fd, "w5"));
	EXPECT_TRUE(tagged(BAD4, types, 1));
	ip_run(HOST, "link set w5 down\nlink set w5 name v5\n");
	vlans_close(HOST);
}

/* Nothing of a longer one is left behind a name, which serves to detach as it is. */
TEST_F(ingress, device_gets_a_shorter_name)
{
	struct kcuckoo_ioc_detach detach = {
		.size = sizeof(detach),
		.flags = KCUCKOO_DETACH_DEV,
	};
	static const __u8 zeroes[KCUCKOO_DEV_SIZE];
	int fd = self->client.fd, i;
	struct kcuckoo_rule rule;

	EXPECT_EQ(1, rule_detach(fd, NULL));
	for (i = 0; i < 2; i++) {
		ip_run(HOST, "link add long0123456789 type dummy\n");
		if (!i)
			ASSERT_EQ(0, drop(fd, "long0123456789"));
		ip_run(HOST, "link set long0123456789 name d0\n");
		if (i)
			ASSERT_EQ(0, drop(fd, "d0"));
		rule = counters(fd, 0);
		EXPECT_STREQ("d0", (char *)rule.dev);
		EXPECT_EQ(0, memcmp(rule.dev + 2, zeroes, sizeof(rule.dev) - 2));
		memcpy(detach.dev, rule.dev, sizeof(detach.dev));
		EXPECT_EQ(0, call(fd, KCUCKOO_IOC_DETACH, &detach));
		ip_run(HOST, "link del d0\n");
	}
}

/* Its rules stay behind, and that is their end; the new namespace has its own. */
TEST_F(ingress, device_moves)
{
	char commands[100];
	int fd = self->client.fd, away, i;

	snprintf(commands, sizeof(commands), "link set d0 netns %d\n", getpid());
	ip_run(HOST, "link add d0 type dummy\n");
	for (i = 0; i < 3; i++) {
		enter(HOST);
		ASSERT_EQ(0, drop(fd, "d0"));
		EXPECT_EQ(2, rule_list(fd, NULL, 0));
		/* The process is where the device goes. */
		enter(FAR);
		ip_run(HOST, commands);
		EXPECT_EQ(1, rule_list(fd, NULL, 0));
		EXPECT_EQ(-ENXIO, drop(fd, "d0"));
		away = client_open();
		ASSERT_LE(0, away);
		EXPECT_EQ(0, rule_list(away, NULL, 0));
		ASSERT_EQ(0, drop(away, "d0"));
		enter(HOST);
		ip_run(FAR, commands);
		EXPECT_EQ(0, rule_list(away, NULL, 0));
		EXPECT_EQ(-ENXIO, drop(away, "d0"));
		close(away);
	}
	ip_run(HOST, "link del d0\n");
	EXPECT_FALSE(passes(BAD4, HOST4));
}

TEST_HARNESS_MAIN
