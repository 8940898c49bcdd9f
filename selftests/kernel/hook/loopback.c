// SPDX-License-Identifier: GPL-2.0-only
/*
 * The host's talk with itself is never dropped, whatever is listed.
 */

#include "talk.h"

FIXTURE(loopback)
{
	struct client client;
};

FIXTURE_SETUP(loopback)
{
	ASSERT_EQ(0, link_begin(&self->client));
}

FIXTURE_TEARDOWN(loopback)
{
	EXPECT_EQ(0, link_end(&self->client));
}

static void everything(struct __test_metadata *_metadata, const char *name)
{
	static const char * const own[] = {
		"127.0.0.1", "127.8.9.10", "::1", HOST4, HOST6, "10.2.0.1", "fd02::1",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(own); i++) {
		EXPECT_TRUE(talks_between(own[i], NULL, own[i], NULL))
			TH_LOG("%s, %s", name, own[i]);
	}
}

static void rules_everywhere(struct __test_metadata *_metadata, int fd, const char *name)
{
	int hook, match;

	for (hook = KCUCKOO_HOOK_PREROUTING; hook <= KCUCKOO_HOOK_OUTPUT; hook++) {
		for (match = KCUCKOO_MATCH_SRC; match <= KCUCKOO_MATCH_DST; match++) {
			ASSERT_EQ(0, rule_attach(fd, name, hook, KCUCKOO_FAMILY_BOTH,
						 match, KCUCKOO_ACTION_DROP));
		}
	}
}

TEST_F(loopback, talks_without_rules)
{
	everything(_metadata, "no rules");
}

TEST_F(loopback, own_addresses_listed)
{
	struct kcuckoo_prefix keys[] = {
		key_of("127.0.0.0/8"), key_of("::1"), key_of(HOST4), key_of(HOST6),
		key_of("10.2.0.1"), key_of("fd02::/64"),
	};
	int fd = self->client.fd;

	ASSERT_EQ(ARRAY_SIZE(keys), keys_add(fd, "bad", keys, ARRAY_SIZE(keys)));
	rules_everywhere(_metadata, fd, "bad");
	everything(_metadata, "own addresses");
	EXPECT_FALSE(passes(GOOD4, HOST4));
	EXPECT_FALSE(passes(GOOD6, HOST6));
}

TEST_F(loopback, everything_listed)
{
	struct kcuckoo_prefix keys[] = { key_of("0.0.0.0/0"), key_of("::/0") };
	int fd = self->client.fd;

	ASSERT_EQ(ARRAY_SIZE(keys), keys_add(fd, "bad", keys, ARRAY_SIZE(keys)));
	rules_everywhere(_metadata, fd, "bad");
	everything(_metadata, "everything");
	EXPECT_FALSE(passes(GOOD4, HOST4));
	EXPECT_FALSE(leaves(PEER6));
}

/* An address of loopback that comes from outside is no loopback. */
TEST_F(loopback, outside_is_not_loopback)
{
	struct kcuckoo_prefix keys[] = { key_of("127.0.0.0/8"), key_of("::1") };
	struct frame frame;
	int fd = self->client.fd;

	ASSERT_EQ(2, keys_add(fd, "bad", keys, 2));
	ASSERT_EQ(0, rule_attach(fd, "bad", KCUCKOO_HOOK_PREROUTING, KCUCKOO_FAMILY_BOTH,
				 KCUCKOO_MATCH_SRC, KCUCKOO_ACTION_DROP));
	frame_plain(&frame, MAC_P0, MAC_H0, "127.0.0.1", HOST4, 0, PAYLOAD);
	frame_send(&frame);
	settle();
	EXPECT_EQ(1, counters(fd, 0).packets);
	EXPECT_TRUE(talks_between("127.0.0.1", NULL, "127.0.0.1", NULL));
	EXPECT_EQ(1, counters(fd, 0).packets);
}

static const char * const all[] = {
	"239.1.2.3", "224.0.0.99", "10.1.0.255", "255.255.255.255",
	"ff02::1234", "ff05::1234",
};

/* Lists what such packets have as a source, and what as a destination. */
static void list_all(struct __test_metadata *_metadata, int fd, int match)
{
	struct kcuckoo_prefix keys[ARRAY_SIZE(all)] = { key_of(HOST4), key_of(HOST6) };
	size_t count = 2, i;

	for (i = 0; match == KCUCKOO_MATCH_DST && i < ARRAY_SIZE(all); i++) {
		keys[i] = key_of(all[i]);
		count = i + 1;
	}
	ASSERT_EQ(0, filter_create(fd, "all", 20));
	ASSERT_EQ(count, keys_add(fd, "all", keys, count));
}

static void talk_to_all(struct __test_metadata *_metadata, bool heard, const char *where,
			int match)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(all); i++) {
		EXPECT_EQ(heard, talks_to_all(all[i], "h0"))
			TH_LOG("%s, match %d, %s", where, match, all[i]);
	}
}

/* The copy that the kernel makes for this host comes in by the device. */
TEST_F(loopback, own_multicast_and_broadcast)
{
	static const char * const names[] = { "prerouting", "input", "forward", "output" };
	int fd = self->client.fd, hook, match;

	talk_to_all(_metadata, true, "no rules", 0);
	for (match = KCUCKOO_MATCH_SRC; match <= KCUCKOO_MATCH_DST; match++) {
		list_all(_metadata, fd, match);
		for (hook = KCUCKOO_HOOK_PREROUTING; hook <= KCUCKOO_HOOK_OUTPUT; hook++) {
			/* At output it is one packet yet, which leaves. */
			bool leaves = hook == KCUCKOO_HOOK_OUTPUT;

			ASSERT_EQ(0, rule_attach(fd, "all", hook, KCUCKOO_FAMILY_BOTH,
						 match, KCUCKOO_ACTION_DROP));
			talk_to_all(_metadata, !leaves, names[hook], match);
			/* The kernel may have sent reports of groups by itself. */
			if (leaves) {
				EXPECT_LE(ARRAY_SIZE(all), counters(fd, 0).packets);
			} else {
				EXPECT_EQ(0, counters(fd, 0).packets);
			}
			ASSERT_EQ(1, rule_detach(fd, NULL));
		}
		ASSERT_EQ(0, rule_attach_dev(fd, "all", "h0", match, KCUCKOO_ACTION_DROP));
		talk_to_all(_metadata, true, "ingress", match);
		EXPECT_EQ(0, counters(fd, 0).packets);
		ASSERT_EQ(1, rule_detach(fd, NULL));
		ASSERT_EQ(0, filter_destroy(fd, "all"));
	}
}

/* A frame of the peer to a group, with an address of the host as its source. */
static void forge(const char *src, const char *dst)
{
	struct frame frame;

	frame_plain(&frame, MAC_P0, MAC_H0, src, dst, 0, PAYLOAD);
	frame_send(&frame);
	settle();
}

/* The same packets from outside are no loopback. */
TEST_F(loopback, forged_multicast)
{
	struct kcuckoo_prefix keys[] = { key_of(HOST4), key_of(HOST6) };
	int fd = self->client.fd;

	ASSERT_EQ(2, keys_add(fd, "bad", keys, 2));
	ASSERT_EQ(0, rule_attach(fd, "bad", KCUCKOO_HOOK_PREROUTING, KCUCKOO_FAMILY_BOTH,
				 KCUCKOO_MATCH_SRC, KCUCKOO_ACTION_DROP));
	forge(HOST4, "239.1.2.3");
	forge(HOST4, "10.1.0.255");
	forge(HOST6, "ff02::1");
	forge(HOST6, HOST6);
	EXPECT_EQ(4, counters(fd, 0).packets);
	ASSERT_EQ(1, rule_detach(fd, NULL));
	ASSERT_EQ(0, rule_attach_dev(fd, "bad", "h0", KCUCKOO_MATCH_SRC,
				     KCUCKOO_ACTION_DROP));
	forge(HOST4, "239.1.2.3");
	forge(HOST6, "ff02::1");
	EXPECT_EQ(2, counters(fd, 0).packets);
	ASSERT_EQ(1, rule_detach(fd, NULL));
	ASSERT_EQ(0, rule_attach(fd, "bad", KCUCKOO_HOOK_INPUT, KCUCKOO_FAMILY_BOTH,
				 KCUCKOO_MATCH_SRC, KCUCKOO_ACTION_DROP));
	/* Routing of IPv4 refuses such sources unless it may take them. */
	setting(HOST, "ipv4/conf/h0/accept_local", "1");
	forge(HOST4, HOST4);
	forge(HOST6, "ff02::1");
	forge(HOST6, HOST6);
	setting(HOST, "ipv4/conf/h0/accept_local", "0");
	EXPECT_EQ(3, counters(fd, 0).packets);
}

TEST_HARNESS_MAIN
