// SPDX-License-Identifier: GPL-2.0-only
/*
 * What rules do to packets: each hook, family, match and action.
 */

#include "sources.h"

FIXTURE(verdict)
{
	struct client client;
};

FIXTURE_SETUP(verdict)
{
	ASSERT_EQ(0, link_begin(&self->client));
}

FIXTURE_TEARDOWN(verdict)
{
	EXPECT_EQ(0, link_end(&self->client));
}

static int drop(int fd, int hook, int match)
{
	return rule_attach(fd, "bad", hook, KCUCKOO_FAMILY_BOTH, match,
			   KCUCKOO_ACTION_DROP);
}

TEST_F(verdict, without_rules_everything_passes)
{
	sources(_metadata, true, true);
	EXPECT_TRUE(leaves(PEER4));
	EXPECT_TRUE(leaves(PEER6));
}

TEST_F(verdict, prerouting)
{
	ASSERT_EQ(0, drop(self->client.fd, KCUCKOO_HOOK_PREROUTING, KCUCKOO_MATCH_SRC));
	sources(_metadata, false, false);
	EXPECT_EQ(8, counters(self->client.fd, 0).packets);
}

TEST_F(verdict, input)
{
	ASSERT_EQ(0, drop(self->client.fd, KCUCKOO_HOOK_INPUT, KCUCKOO_MATCH_SRC));
	sources(_metadata, false, true);
	EXPECT_EQ(4, counters(self->client.fd, 0).packets);
}

TEST_F(verdict, forward)
{
	ASSERT_EQ(0, drop(self->client.fd, KCUCKOO_HOOK_FORWARD, KCUCKOO_MATCH_SRC));
	sources(_metadata, true, false);
	EXPECT_EQ(4, counters(self->client.fd, 0).packets);
}

TEST_F(verdict, output)
{
	struct kcuckoo_prefix keys[] = { key_of(PEER4), key_of(PEER6) };
	int fd = self->client.fd;

	ASSERT_EQ(2, keys_add(fd, "bad", keys, 2));
	ASSERT_EQ(0, drop(fd, KCUCKOO_HOOK_OUTPUT, KCUCKOO_MATCH_DST));
	EXPECT_FALSE(leaves(PEER4));
	EXPECT_FALSE(leaves(PEER6));
	EXPECT_TRUE(leaves(OTHER4));
	EXPECT_TRUE(leaves(OTHER6));
	EXPECT_EQ(2, counters(fd, 0).packets);
	sources(_metadata, true, true);
}

TEST_F(verdict, output_by_source)
{
	struct kcuckoo_prefix keys[] = { key_of(HOST4), key_of(HOST6) };
	int fd = self->client.fd;

	ASSERT_EQ(0, drop(fd, KCUCKOO_HOOK_OUTPUT, KCUCKOO_MATCH_SRC));
	EXPECT_TRUE(leaves(PEER4));
	EXPECT_TRUE(leaves(PEER6));
	ASSERT_EQ(2, keys_add(fd, "bad", keys, 2));
	EXPECT_FALSE(leaves(PEER4));
	EXPECT_FALSE(leaves(PEER6));
}

TEST_F(verdict, destination)
{
	struct kcuckoo_prefix keys[] = { key_of(FAR4), key_of("fd02::/64") };
	int fd = self->client.fd;

	ASSERT_EQ(2, keys_add(fd, "bad", keys, 2));
	ASSERT_EQ(0, drop(fd, KCUCKOO_HOOK_PREROUTING, KCUCKOO_MATCH_DST));
	EXPECT_TRUE(passes(BAD4, HOST4));
	EXPECT_TRUE(passes(BAD6, HOST6));
	EXPECT_FALSE(passes(GOOD4, FAR4));
	EXPECT_FALSE(passes(GOOD6, FAR6));
	EXPECT_EQ(1, rule_detach(fd, NULL));
	ASSERT_EQ(0, drop(fd, KCUCKOO_HOOK_FORWARD, KCUCKOO_MATCH_DST));
	EXPECT_FALSE(passes(GOOD4, FAR4));
	EXPECT_FALSE(passes(GOOD6, FAR6));
	EXPECT_EQ(1, rule_detach(fd, NULL));
	ASSERT_EQ(0, drop(fd, KCUCKOO_HOOK_INPUT, KCUCKOO_MATCH_DST));
	EXPECT_TRUE(passes(GOOD4, FAR4));
	EXPECT_TRUE(passes(GOOD6, HOST6));
	keys[0] = key_of(HOST4);
	keys[1] = key_of(HOST6);
	ASSERT_EQ(2, keys_add(fd, "bad", keys, 2));
	EXPECT_FALSE(passes(GOOD4, HOST4));
	EXPECT_FALSE(passes(GOOD6, HOST6));
}

/* A filter of millions: of hosts alone, then with a network, then again without. */
TEST_F(verdict, millions)
{
	struct kcuckoo_prefix host = key_of(BAD4), net = key_of("198.51.100.0/24");
	int fd = self->client.fd;
	int i;

	ASSERT_EQ(0, filter_create(fd, "many", 1 << 23));
	ASSERT_EQ(0, filter_reserve(fd, "many", KCUCKOO_FAMILY_IPV4, 32, 5000000));
	ASSERT_EQ(1, keys_add(fd, "many", &host, 1));
	ASSERT_EQ(0, rule_attach(fd, "many", KCUCKOO_HOOK_PREROUTING, KCUCKOO_FAMILY_BOTH,
				 KCUCKOO_MATCH_SRC, KCUCKOO_ACTION_DROP));
	for (i = 0; i < 3; i++) {
		EXPECT_FALSE(passes(BAD4, HOST4));
		EXPECT_TRUE(passes(GOOD4, HOST4));
		EXPECT_TRUE(passes("198.51.99.255", HOST4));
		EXPECT_EQ(i != 1, passes(BADNET4, HOST4));
		ASSERT_EQ(i < 2, i ? keys_del(fd, "many", &net, 1) :
				     keys_add(fd, "many", &net, 1));
		ASSERT_EQ(0, filter_compact(fd, "many"));
		ASSERT_EQ(0, filter_reserve(fd, "many", KCUCKOO_FAMILY_IPV4, 32,
					    5000000));
	}
}

TEST_F(verdict, count_lets_pass)
{
	int fd = self->client.fd;

	ASSERT_EQ(0, rule_attach(fd, "bad", KCUCKOO_HOOK_PREROUTING, KCUCKOO_FAMILY_BOTH,
				 KCUCKOO_MATCH_SRC, KCUCKOO_ACTION_COUNT));
	sources(_metadata, true, true);
	EXPECT_EQ(8, counters(fd, 0).packets);
}

/* One of two listed sources of each family is allowed; then neither is. */
TEST_F(verdict, allowed)
{
	struct kcuckoo_prefix keys[] = { key_of(BAD4), key_of("2001:db8:bad:1::/64") };
	int fd = self->client.fd;

	ASSERT_EQ(0, filter_create(fd, "spared", 1000));
	ASSERT_EQ(2, keys_add(fd, "spared", keys, 2));
	ASSERT_EQ(0, rule_attach_allow(fd, "bad", "spared"));
	EXPECT_TRUE(passes(BAD4, HOST4));
	EXPECT_FALSE(passes(BADNET4, HOST4));
	EXPECT_FALSE(passes(BAD6, HOST6));
	EXPECT_TRUE(passes(BADNET6, HOST6));
	EXPECT_TRUE(passes(GOOD4, HOST4));
	EXPECT_EQ(2, counters(fd, 0).packets);
	/* It is spared by this rule, and not by others. */
	ASSERT_EQ(0, drop(fd, KCUCKOO_HOOK_INPUT, KCUCKOO_MATCH_SRC));
	EXPECT_FALSE(passes(BAD4, HOST4));
	EXPECT_TRUE(passes(BAD4, FAR4));
	ASSERT_EQ(0, filter_flush(fd, "spared"));
	EXPECT_FALSE(passes(BAD4, FAR4));
	EXPECT_FALSE(passes(BADNET6, FAR6));
	EXPECT_EQ(4, counters(fd, 0).packets);
}

/* A rule drops nothing while it is not known what to spare. */
TEST_F(verdict, allow_filter_missing)
{
	struct kcuckoo_ioc_create bytes = {
		.size = sizeof(bytes),
		.type = KCUCKOO_TYPE_BYTES,
		.tag_bits = 8,
		.capacity = 100,
	};
	struct kcuckoo_prefix key = key_of(BAD4);
	int fd = self->client.fd;

	ASSERT_EQ(0, rule_attach_allow(fd, "bad", "spared"));
	sources(_metadata, true, true);
	ASSERT_EQ(0, filter_create(fd, "spared", 1000));
	EXPECT_FALSE(passes(BAD4, HOST4));
	ASSERT_EQ(1, keys_add(fd, "spared", &key, 1));
	EXPECT_TRUE(passes(BAD4, HOST4));
	EXPECT_FALSE(passes(BAD6, HOST6));
	EXPECT_EQ(2, counters(fd, 0).packets);

	EXPECT_EQ(1, rule_detach(fd, NULL));
	ASSERT_EQ(0, rule_attach_allow(fd, "bad", "words"));
	set_name(bytes.name, "words");
	ASSERT_EQ(0, call(fd, KCUCKOO_IOC_CREATE, &bytes));
	sources(_metadata, true, true);
	EXPECT_EQ(0, counters(fd, 0).packets);
}

TEST_F(verdict, one_family_only)
{
	int fd = self->client.fd;
	int family, hook;

	ASSERT_EQ(0, filter_create(fd, "empty", 10));
	for (family = KCUCKOO_FAMILY_IPV4; family <= KCUCKOO_FAMILY_IPV6; family++) {
		for (hook = KCUCKOO_HOOK_PREROUTING; hook <= KCUCKOO_HOOK_INPUT; hook++) {
			bool four = family == KCUCKOO_FAMILY_IPV4;

			/* The other family has a rule there as well. */
			ASSERT_EQ(0, rule_attach(fd, "bad", hook, family,
						 KCUCKOO_MATCH_SRC, KCUCKOO_ACTION_DROP));
			ASSERT_EQ(0, rule_attach(fd, "empty", hook, KCUCKOO_FAMILY_BOTH,
						 KCUCKOO_MATCH_SRC, KCUCKOO_ACTION_DROP));
			EXPECT_EQ(!four, passes(BAD4, HOST4));
			EXPECT_EQ(!four, passes(BADNET4, HOST4));
			EXPECT_EQ(four, passes(BAD6, HOST6));
			EXPECT_EQ(four, passes(BADNET6, HOST6));
			EXPECT_EQ(2, counters(fd, 0).packets);
			EXPECT_EQ(2, rule_detach(fd, NULL));
		}
	}
}

TEST_F(verdict, detach_restores)
{
	int fd = self->client.fd;
	int hook;

	for (hook = KCUCKOO_HOOK_PREROUTING; hook <= KCUCKOO_HOOK_FORWARD; hook++) {
		ASSERT_EQ(0, drop(fd, hook, KCUCKOO_MATCH_SRC));
	}
	EXPECT_FALSE(passes(BAD4, HOST4));
	EXPECT_FALSE(passes(BAD6, FAR6));
	EXPECT_EQ(3, rule_detach(fd, "bad"));
	sources(_metadata, true, true);
}

TEST_F(verdict, counters_of_packets_and_bytes)
{
	const size_t four = sizeof(struct iphdr) + sizeof(struct udphdr);
	const size_t six = sizeof(struct ip6_hdr) + sizeof(struct udphdr);
	static const size_t lengths[] = { 4, 100, 1400, 8900 };
	struct kcuckoo_rule rule;
	struct frame frame;
	int fd = self->client.fd;
	__u64 bytes = 0;
	size_t i;

	ASSERT_EQ(0, drop(fd, KCUCKOO_HOOK_PREROUTING, KCUCKOO_MATCH_SRC));
	for (i = 0; i < ARRAY_SIZE(lengths); i++) {
		frame_plain(&frame, MAC_P0, MAC_H0, BAD4, HOST4, 0, lengths[i]);
		frame_send(&frame);
		frame_plain(&frame, MAC_P0, MAC_H0, BAD6, HOST6, 0, lengths[i]);
		frame_send(&frame);
		/* Not these, and not what fills a frame up. */
		frame_plain(&frame, MAC_P0, MAC_H0, GOOD4, HOST4, 0, lengths[i]);
		frame_send(&frame);
		frame_plain(&frame, MAC_P0, MAC_H0, BAD4, HOST4, 0, 4);
		frame_push(&frame, 30);
		frame_send(&frame);
		bytes += four + six + 2 * lengths[i] + four + 4;
	}
	settle();
	rule = counters(fd, 0);
	EXPECT_EQ(3 * ARRAY_SIZE(lengths), rule.packets);
	EXPECT_EQ(bytes, rule.bytes);
	EXPECT_EQ(1, rule_detach(fd, NULL));
	ASSERT_EQ(0, drop(fd, KCUCKOO_HOOK_PREROUTING, KCUCKOO_MATCH_SRC));
	EXPECT_EQ(0, counters(fd, 0).packets);
	EXPECT_EQ(0, counters(fd, 0).bytes);
}

/* Rules are met in their order; what one drops, the next does not see. */
TEST_F(verdict, order_of_rules)
{
	struct kcuckoo_prefix key = key_of("203.0.113.0/24");
	int fd = self->client.fd;

	ASSERT_EQ(0, filter_create(fd, "wide", 10));
	ASSERT_EQ(1, keys_add(fd, "wide", &key, 1));
	ASSERT_EQ(0, rule_attach(fd, "wide", KCUCKOO_HOOK_PREROUTING, KCUCKOO_FAMILY_IPV4,
				 KCUCKOO_MATCH_SRC, KCUCKOO_ACTION_COUNT));
	ASSERT_EQ(0, drop(fd, KCUCKOO_HOOK_PREROUTING, KCUCKOO_MATCH_SRC));
	ASSERT_EQ(0, rule_attach(fd, "wide", KCUCKOO_HOOK_PREROUTING, KCUCKOO_FAMILY_IPV4,
				 KCUCKOO_MATCH_DST, KCUCKOO_ACTION_COUNT));
	ASSERT_EQ(0, rule_attach(fd, "wide", KCUCKOO_HOOK_INPUT, KCUCKOO_FAMILY_BOTH,
				 KCUCKOO_MATCH_SRC, KCUCKOO_ACTION_COUNT));
	EXPECT_FALSE(passes(BAD4, HOST4));
	EXPECT_FALSE(passes(BAD4, FAR4));
	EXPECT_TRUE(passes(GOOD4, HOST4));
	EXPECT_TRUE(passes(GOOD4, FAR4));
	EXPECT_EQ(4, counters(fd, 0).packets);
	EXPECT_EQ(2, counters(fd, 1).packets);
	EXPECT_EQ(0, counters(fd, 2).packets);
	EXPECT_EQ(1, counters(fd, 3).packets);
}

TEST_F(verdict, filter_that_has_everything)
{
	struct kcuckoo_prefix all[] = { key_of("0.0.0.0/0"), key_of("::/0") };
	int fd = self->client.fd;
	size_t i;

	ASSERT_EQ(0, filter_create(fd, "all", 10));
	ASSERT_EQ(0, rule_attach(fd, "all", KCUCKOO_HOOK_PREROUTING, KCUCKOO_FAMILY_BOTH,
				 KCUCKOO_MATCH_SRC, KCUCKOO_ACTION_DROP));
	sources(_metadata, true, true);
	ASSERT_EQ(1, keys_add(fd, "all", &all[0], 1));
	EXPECT_FALSE(passes(GOOD4, HOST4));
	EXPECT_TRUE(passes(GOOD6, HOST6));
	ASSERT_EQ(1, keys_add(fd, "all", &all[1], 1));
	for (i = 0; i < ARRAY_SIZE(good); i++) {
		EXPECT_FALSE(passes(good[i], host_for(good[i])));
	}
	ASSERT_EQ(2, keys_del(fd, "all", all, 2));
	sources(_metadata, true, true);
}

TEST_F(verdict, rules_of_another_namespace)
{
	int far;

	ASSERT_EQ(0, drop(self->client.fd, KCUCKOO_HOOK_INPUT, KCUCKOO_MATCH_SRC));
	enter(FAR);
	far = client_open();
	enter(HOST);
	ASSERT_LE(0, far);
	EXPECT_EQ(0, filter_create(far, "bad", 1000));
	EXPECT_EQ(0, drop(far, KCUCKOO_HOOK_INPUT, KCUCKOO_MATCH_SRC));
	EXPECT_FALSE(passes(BAD4, HOST4));
	EXPECT_TRUE(passes(BAD4, FAR4));
	EXPECT_EQ(0, counters(far, 0).packets);
	client_clear(far);
	EXPECT_EQ(0, list_bad(far));
	EXPECT_EQ(0, drop(far, KCUCKOO_HOOK_INPUT, KCUCKOO_MATCH_SRC));
	EXPECT_FALSE(passes(BAD4, FAR4));
	EXPECT_EQ(1, counters(far, 0).packets);
	client_clear(far);
	EXPECT_TRUE(passes(BAD4, FAR4));
	EXPECT_FALSE(passes(BAD4, HOST4));
	close(far);
}

TEST_HARNESS_MAIN
