// SPDX-License-Identifier: GPL-2.0-only
/*
 * These tests check what the XDP program of hook xdp does to packets: it drops and counts
 * exactly the listed packets.
 */
#include "bytes.h"
#include "sources.h"

#include "bpf.h"
#include "command.h"

FIXTURE(verdict)
{
	struct client client;
};

FIXTURE_VARIANT(verdict)
{
	const char *mode;
};

FIXTURE_VARIANT_ADD(verdict, native)
{
	.mode = "native",
};

FIXTURE_VARIANT_ADD(verdict, generic)
{
	.mode = "generic",
};

FIXTURE_SETUP(verdict)
{
	ASSERT_EQ(0, link_begin(&self->client));
}

FIXTURE_TEARDOWN(verdict)
{
	system("kcuckoo -q detach --all 2>/dev/null");
	EXPECT_EQ(0, link_end(&self->client));
}

TEST_F(verdict, exactly_the_listed_sources_are_dropped)
{
	long long bytes = 0;

	sources(_metadata, true, true);
	ASSERT_EQ(0, command("attach bad hook xdp dev h0 mode %s", variant->mode));
	sources(_metadata, false, false);
	EXPECT_EQ(8, matched(&bytes));
	EXPECT_EQ(4 * (20 + 8 + PAYLOAD) + 4 * (40 + 8 + PAYLOAD), bytes);
	ASSERT_EQ(0, command("detach bad hook xdp dev h0", NULL));
	sources(_metadata, true, true);
	EXPECT_EQ(-1, matched(NULL));
}

TEST_F(verdict, counting)
{
	ASSERT_EQ(0, command("attach bad hook xdp dev h0 action count mode %s",
			     variant->mode));
	sources(_metadata, true, true);
	EXPECT_EQ(8, matched(NULL));
}

TEST_F(verdict, destinations)
{
	struct kcuckoo_prefix keys[] = { key_of(FAR4), key_of("fd02::/64") };

	ASSERT_EQ(2, keys_add(self->client.fd, "bad", keys, 2));
	ASSERT_EQ(0, command("attach bad hook xdp dev h0 match dst mode %s",
			     variant->mode));
	EXPECT_TRUE(passes(BAD4, HOST4));
	EXPECT_TRUE(passes(BAD6, HOST6));
	EXPECT_FALSE(passes(GOOD4, FAR4));
	EXPECT_FALSE(passes(GOOD6, FAR6));
	EXPECT_EQ(2, matched(NULL));
}

TEST_F(verdict, one_family)
{
	ASSERT_EQ(0, command("attach bad hook xdp dev h0 family ipv4 mode %s",
			     variant->mode));
	EXPECT_FALSE(passes(BAD4, HOST4));
	EXPECT_TRUE(passes(BAD6, HOST6));
	ASSERT_EQ(0, command("detach bad", NULL));
	ASSERT_EQ(0, command("attach bad hook xdp dev h0 family ipv6 mode %s",
			     variant->mode));
	EXPECT_TRUE(passes(BAD4, HOST4));
	EXPECT_FALSE(passes(BAD6, HOST6));
}

TEST_F(verdict, a_swap_takes_effect)
{
	int fd = self->client.fd;

	ASSERT_EQ(0, filter_create(fd, "other", 1000));
	ASSERT_EQ(0, command("attach other hook xdp dev h0 mode %s", variant->mode));
	EXPECT_TRUE(passes(BAD4, HOST4));
	ASSERT_EQ(0, filter_swap(fd, "bad", "other"));
	EXPECT_FALSE(passes(BAD4, HOST4));
	EXPECT_TRUE(passes(GOOD4, HOST4));
	ASSERT_EQ(0, filter_swap(fd, "bad", "other"));
	EXPECT_TRUE(passes(BAD4, HOST4));
}

TEST_F(verdict, a_rule_waits_for_its_filter)
{
	struct kcuckoo_prefix key = key_of(GOOD4);
	int fd = self->client.fd;

	ASSERT_EQ(0, command("attach new hook xdp dev h0 mode %s 2>/dev/null", variant->mode));
	sources(_metadata, true, true);
	ASSERT_EQ(0, filter_create(fd, "new", 1000));
	ASSERT_EQ(1, keys_add(fd, "new", &key, 1));
	EXPECT_FALSE(passes(GOOD4, HOST4));
	EXPECT_TRUE(passes(BAD4, HOST4));
	EXPECT_EQ(-EBUSY, filter_destroy(fd, "new"));
}

TEST_F(verdict, what_is_allowed_is_spared)
{
	struct kcuckoo_prefix keys[] = { key_of(BADNET4), key_of(BAD6) };
	int fd = self->client.fd;

	ASSERT_EQ(0, command("attach bad hook xdp dev h0 allow spared mode %s 2>/dev/null",
			     variant->mode));
	/* Without the filter the rule is inactive. */
	sources(_metadata, true, true);
	ASSERT_EQ(0, filter_create(fd, "spared", 1000));
	ASSERT_EQ(2, keys_add(fd, "spared", keys, 2));
	EXPECT_FALSE(passes(BAD4, HOST4));
	EXPECT_TRUE(passes(BADNET4, HOST4));
	EXPECT_TRUE(passes(BAD6, HOST6));
	EXPECT_FALSE(passes(BADNET6, HOST6));
	EXPECT_EQ(2, matched(NULL));
}

/* A filter of byte strings, which are those of the listed addresses. */
static int bytes_bad(int fd, const char *name)
{
	struct strings strings = { .count = 1 };
	int ret = bytes_create(fd, name, 1000, 32, 0);
	struct kcuckoo_prefix key;
	__u16 length;
	size_t i;

	for (i = 0; !ret && i < ARRAY_SIZE(bad); i++) {
		key = key_of(bad[i]);
		length = is_ipv6(bad[i]) ? 16 : 4;
		strings.bytes = key.addr;
		strings.lengths = &length;
		ret = strings_add(fd, name, &strings) == 1 ? 0 : -EPROTO;
	}
	return ret;
}

/* An address is no byte string, whatever its bytes are. */
TEST_F(verdict, byte_strings_match_nothing)
{
	int fd = self->client.fd;

	ASSERT_EQ(0, command("attach new hook xdp dev h0 mode %s 2>/dev/null", variant->mode));
	ASSERT_EQ(0, bytes_bad(fd, "new"));
	sources(_metadata, true, true);
	EXPECT_EQ(0, matched(NULL));
	/* No filter of another type comes there while a rule is. */
	EXPECT_EQ(-EINVAL, filter_swap(fd, "bad", "new"));
	EXPECT_EQ(-EBUSY, filter_destroy(fd, "new"));
	ASSERT_EQ(0, command("detach new", NULL));
	ASSERT_EQ(0, filter_destroy(fd, "new"));
	ASSERT_EQ(0, command("attach bad hook xdp dev h0 mode %s", variant->mode));
	sources(_metadata, false, false);
	EXPECT_EQ(8, matched(NULL));
}

TEST_F(verdict, byte_strings_spare_nobody_and_stop_the_rule)
{
	struct kcuckoo_prefix key = key_of(BAD6);
	int fd = self->client.fd;

	ASSERT_EQ(0, command("attach bad hook xdp dev h0 allow spared mode %s 2>/dev/null",
			     variant->mode));
	ASSERT_EQ(0, bytes_create(fd, "spared", 1000, 32, 0));
	sources(_metadata, true, true);
	EXPECT_EQ(0, matched(NULL));
	ASSERT_EQ(0, command("detach bad", NULL));
	ASSERT_EQ(0, filter_destroy(fd, "spared"));
	ASSERT_EQ(0, filter_create(fd, "spared", 1000));
	ASSERT_EQ(1, keys_add(fd, "spared", &key, 1));
	ASSERT_EQ(0, command("attach bad hook xdp dev h0 allow spared mode %s", variant->mode));
	EXPECT_FALSE(passes(BAD4, HOST4));
	EXPECT_TRUE(passes(BAD6, HOST6));
	EXPECT_EQ(1, matched(NULL));
}

TEST_HARNESS_MAIN
