// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rules that mark packets: with one mark, or with the member's value. What is
 * marked with 7 is dropped by the host's routing, so that marks can be seen.
 */

#include "link.h"

FIXTURE(mark)
{
	struct client client;
};

FIXTURE_SETUP(mark)
{
	ASSERT_EQ(0, link_begin(&self->client));
	ip_run(HOST, "rule add fwmark 7 blackhole pref 1\n");
}

FIXTURE_TEARDOWN(mark)
{
	ip_run(HOST, "rule del fwmark 7 blackhole pref 1\n");
	EXPECT_EQ(0, link_end(&self->client));
}

static int attach(int fd, const char *name, int action, __u32 mark)
{
	struct kcuckoo_ioc_attach request = {
		.size = sizeof(request),
		.family = KCUCKOO_FAMILY_BOTH,
		.action = action,
		.mark = mark,
	};

	set_name(request.name, name);
	return call(fd, KCUCKOO_IOC_ATTACH, &request);
}

TEST_F(mark, one_mark)
{
	int fd = self->client.fd;
	struct kcuckoo_rule rule;

	EXPECT_TRUE(passes(BAD4, far_for(BAD4)));
	ASSERT_EQ(0, attach(fd, "bad", KCUCKOO_ACTION_MARK, 7));
	EXPECT_FALSE(passes(BAD4, far_for(BAD4)));
	EXPECT_TRUE(passes(good[0], far_for(good[0])));
	ASSERT_EQ(1, rule_list(fd, &rule, 1));
	EXPECT_EQ(1, rule.packets);
	ASSERT_EQ(1, rule_detach(fd, "bad"));
	ASSERT_EQ(0, attach(fd, "bad", KCUCKOO_ACTION_MARK, 8));
	EXPECT_TRUE(passes(BAD4, far_for(BAD4)));
	ASSERT_EQ(1, rule_list(fd, &rule, 1));
	EXPECT_EQ(1, rule.packets);
}

/* The value of the longest member counts; rules in a row, the last one. */
TEST_F(mark, values)
{
	struct kcuckoo_ioc_create create = {
		.size = sizeof(create),
		.type = KCUCKOO_TYPE_INET,
		.value_bits = 32,
		.capacity = 10,
	};
	struct kcuckoo_prefix keys[] = { key_of("0.0.0.0/0"), key_of(BAD4) };
	__u32 values[] = { 1, 7 };
	struct kcuckoo_ioc_add add = {
		.size = sizeof(add),
		.keys = (uintptr_t)keys,
		.values = (uintptr_t)values,
		.count = 2,
	};
	int fd = self->client.fd;

	set_name(create.name, "v");
	set_name(add.name, "v");
	ASSERT_EQ(0, call(fd, KCUCKOO_IOC_CREATE, &create));
	ASSERT_EQ(0, call(fd, KCUCKOO_IOC_ADD, &add));
	ASSERT_EQ(0, attach(fd, "v", KCUCKOO_ACTION_VALUE, 0));
	EXPECT_FALSE(passes(BAD4, far_for(BAD4)));
	EXPECT_TRUE(passes(good[0], far_for(good[0])));
	values[0] = 7;
	values[1] = 0xffffffff;
	ASSERT_EQ(0, call(fd, KCUCKOO_IOC_ADD, &add));
	EXPECT_TRUE(passes(BAD4, far_for(BAD4)));
	EXPECT_FALSE(passes(good[0], far_for(good[0])));
	ASSERT_EQ(0, attach(fd, "bad", KCUCKOO_ACTION_MARK, 7));
	EXPECT_FALSE(passes(BAD4, far_for(BAD4)));
}

#define CHAIN(table, priority)						\
	"nft 'table ip " table " { chain c { "				\
	"type filter hook prerouting priority " priority "; "		\
	"meta mark 9 drop; }; }'"

/* Rules of others see the mark, be they loaded before ours or after it. */
TEST_F(mark, nft)
{
	int fd = self->client.fd;

	ASSERT_EQ(0, system(CHAIN("before", "raw")));
	EXPECT_TRUE(passes(BAD4, far_for(BAD4)));
	ASSERT_EQ(0, attach(fd, "bad", KCUCKOO_ACTION_MARK, 9));
	EXPECT_FALSE(passes(BAD4, far_for(BAD4)));
	ASSERT_EQ(0, system("nft delete table ip before"));
	EXPECT_TRUE(passes(BAD4, far_for(BAD4)));
	ASSERT_EQ(0, system(CHAIN("after", "raw")));
	EXPECT_FALSE(passes(BAD4, far_for(BAD4)));
	EXPECT_TRUE(passes(good[0], far_for(good[0])));
	ASSERT_EQ(0, system("nft delete table ip after"));
}

/* A raw table may stand before defragmentation, and sees the mark there. */
TEST_F(mark, raw_before_defragmentation)
{
	int fd = self->client.fd;

	ASSERT_EQ(0, system(CHAIN("before", "-450")));
	ASSERT_EQ(0, attach(fd, "bad", KCUCKOO_ACTION_MARK, 9));
	EXPECT_FALSE(passes(BAD4, far_for(BAD4)));
	ASSERT_EQ(0, system("nft delete table ip before"));
	ASSERT_EQ(0, system(CHAIN("after", "-450")));
	EXPECT_FALSE(passes(BAD4, far_for(BAD4)));
	EXPECT_TRUE(passes(good[0], far_for(good[0])));
	ASSERT_EQ(0, system("nft delete table ip after"));
}

TEST_HARNESS_MAIN
