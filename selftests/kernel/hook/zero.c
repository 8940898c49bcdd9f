// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counters of rules that are zeroed as they are listed.
 */

#include "sources.h"

FIXTURE(zero)
{
	struct client client;
};

FIXTURE_SETUP(zero)
{
	ASSERT_EQ(0, link_begin(&self->client));
}

FIXTURE_TEARDOWN(zero)
{
	EXPECT_EQ(0, link_end(&self->client));
}

/* Lists the rules of @name, or all, into @room places, and zeroes their counters. */
static int list_zero(int fd, const char *name, struct kcuckoo_rule *rules, __u32 room)
{
	struct kcuckoo_ioc_rules list = {
		.size = sizeof(list),
		.flags = KCUCKOO_RULES_ZERO,
		.rules = (uintptr_t)rules,
		.count = room,
		.rule_size = sizeof(*rules),
	};
	int error;

	if (name)
		set_name(list.name, name);
	error = call(fd, KCUCKOO_IOC_RULES, &list);
	return error ? error : (int)list.total;
}

static int drop(int fd, const char *name, int hook)
{
	return rule_attach(fd, name, hook, KCUCKOO_FAMILY_BOTH, KCUCKOO_MATCH_SRC,
			   KCUCKOO_ACTION_COUNT);
}

static void send_bad(int count)
{
	while (count--)
		passes(BAD4, HOST4);
}

TEST_F(zero, counts_begin_again)
{
	int fd = self->client.fd;
	struct kcuckoo_rule rules[2];
	__u64 bytes;

	ASSERT_EQ(0, drop(fd, "bad", KCUCKOO_HOOK_PREROUTING));
	send_bad(3);
	bytes = counters(fd, 0).bytes;
	EXPECT_LT(0, bytes);
	ASSERT_EQ(1, list_zero(fd, NULL, rules, 2));
	EXPECT_EQ(3, rules[0].packets);
	EXPECT_EQ(bytes, rules[0].bytes);
	EXPECT_EQ(0, counters(fd, 0).packets);
	EXPECT_EQ(0, counters(fd, 0).bytes);
	send_bad(6);
	EXPECT_EQ(6, counters(fd, 0).packets);
	EXPECT_EQ(2 * bytes, counters(fd, 0).bytes);
	ASSERT_EQ(1, list_zero(fd, NULL, rules, 1));
	EXPECT_EQ(6, rules[0].packets);
	EXPECT_EQ(0, counters(fd, 0).packets);
}

/* Only the rules of a name are listed and zeroed. */
TEST_F(zero, by_name)
{
	struct kcuckoo_prefix key = key_of(BAD4);
	int fd = self->client.fd;
	struct kcuckoo_rule rules[4];

	ASSERT_EQ(0, filter_create(fd, "two", 100));
	ASSERT_EQ(1, keys_add(fd, "two", &key, 1));
	ASSERT_EQ(0, drop(fd, "bad", KCUCKOO_HOOK_PREROUTING));
	ASSERT_EQ(0, drop(fd, "two", KCUCKOO_HOOK_PREROUTING));
	ASSERT_EQ(0, drop(fd, "bad", KCUCKOO_HOOK_INPUT));
	send_bad(2);
	EXPECT_EQ(0, list_zero(fd, "none", rules, 4));
	ASSERT_EQ(1, list_zero(fd, "two", rules, 4));
	EXPECT_STREQ("two", (char *)rules[0].name);
	EXPECT_EQ(2, rules[0].packets);
	EXPECT_EQ(2, counters(fd, 0).packets);
	EXPECT_EQ(0, counters(fd, 1).packets);
	ASSERT_EQ(2, list_zero(fd, "bad", rules, 4));
	EXPECT_EQ(KCUCKOO_HOOK_INPUT, rules[1].hook);
	EXPECT_EQ(2, rules[1].packets);
	EXPECT_EQ(0, counters(fd, 0).packets);
	EXPECT_EQ(0, counters(fd, 2).packets);
}

/* A list without room for all, or without memory, zeroes nothing. */
TEST_F(zero, all_or_none)
{
	int fd = self->client.fd;
	struct kcuckoo_rule rules[2];

	ASSERT_EQ(0, drop(fd, "bad", KCUCKOO_HOOK_PREROUTING));
	ASSERT_EQ(0, drop(fd, "bad", KCUCKOO_HOOK_INPUT));
	send_bad(1);
	EXPECT_EQ(2, list_zero(fd, NULL, rules, 1));
	EXPECT_EQ(2, list_zero(fd, NULL, NULL, 0));
	EXPECT_EQ(-EFAULT, list_zero(fd, NULL, (struct kcuckoo_rule *)8, 2));
	EXPECT_EQ(1, counters(fd, 0).packets);
	EXPECT_EQ(1, counters(fd, 1).packets);
	EXPECT_EQ(2, list_zero(fd, NULL, rules, 2));
	EXPECT_EQ(1, rules[1].packets);
	EXPECT_EQ(0, counters(fd, 1).packets);
}

/* A rule that is replaced goes on from zero; so does one that waits for its device. */
TEST_F(zero, replaced_and_waiting)
{
	struct kcuckoo_ioc_attach attach = {
		.size = sizeof(attach),
		.flags = KCUCKOO_ATTACH_REPLACE | KCUCKOO_ATTACH_WAIT,
		.hook = KCUCKOO_HOOK_INGRESS,
		.family = KCUCKOO_FAMILY_BOTH,
		.action = KCUCKOO_ACTION_COUNT,
		.dev = "h0",
	};
	int fd = self->client.fd;
	struct kcuckoo_rule rules[2];

	set_name(attach.name, "bad");
	ASSERT_EQ(0, call(fd, KCUCKOO_IOC_ATTACH, &attach));
	send_bad(3);
	ASSERT_EQ(1, list_zero(fd, NULL, rules, 2));
	EXPECT_EQ(3, rules[0].packets);
	send_bad(1);
	ASSERT_EQ(0, call(fd, KCUCKOO_IOC_ATTACH, &attach));
	EXPECT_EQ(1, counters(fd, 0).packets);
	send_bad(1);
	ip_run(HOST, "link set h0 down\nlink set h0 name hx\n");
	EXPECT_EQ(KCUCKOO_RULE_DEV_WAITING, counters(fd, 0).flags);
	EXPECT_EQ(2, counters(fd, 0).packets);
	ASSERT_EQ(1, list_zero(fd, NULL, rules, 2));
	EXPECT_EQ(2, rules[0].packets);
	EXPECT_EQ(0, counters(fd, 0).packets);
	ip_run(HOST, "link set hx name h0 up\n");
	mark_first(net.wire_p0, net.wire_h0, MAC_P0, MAC_H0);
	send_bad(1);
	EXPECT_EQ(1, counters(fd, 0).packets);
	EXPECT_EQ(1, rule_detach(fd, NULL));
}

/* Packets that are counted while another processor zeroes: none is lost, none counts twice. */
TEST_F(zero, loses_nothing)
{
	int fd = self->client.fd, count = client_soak(300, 5000), status = -1;
	struct kcuckoo_rule rules[1];
	__u64 packets = 0;
	int lists = 0;
	cpu_set_t cpus;
	pid_t child;

	ASSERT_EQ(0, drop(fd, "bad", KCUCKOO_HOOK_PREROUTING));
	child = fork();
	if (!child) {
		send_bad(count);
		_exit(0);
	}
	ASSERT_LT(0, child);
	CPU_ZERO(&cpus);
	CPU_SET(1, &cpus);
	sched_setaffinity(0, sizeof(cpus), &cpus);
	while (!waitpid(child, &status, WNOHANG)) {
		ASSERT_EQ(1, list_zero(fd, NULL, rules, 1));
		packets += rules[0].packets;
		lists++;
	}
	ASSERT_EQ(1, list_zero(fd, NULL, rules, 1));
	packets += rules[0].packets;
	EXPECT_EQ(0, status);
	EXPECT_EQ(count, packets);
	TH_LOG("%d packets in %d lists", count, lists);
}

TEST_HARNESS_MAIN
