// SPDX-License-Identifier: GPL-2.0-only
/*
 * Connection tracking: what is dropped before it leaves no entry behind, and no
 * fragments wait in its reassembly.
 */

#include "fragment.h"

FIXTURE(conntrack)
{
	struct client client;
};

static int each_variant(const char *action)
{
	static const char * const variants[] = { "iptables", "ip6tables" };
	char command[100];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(variants); i++) {
		snprintf(command, sizeof(command),
			 "%s -w %s INPUT -m conntrack --ctstate NEW", variants[i], action);
		if (system(command))
			return -EPROTO;
	}
	return 0;
}

FIXTURE_SETUP(conntrack)
{
	ASSERT_EQ(0, link_begin(&self->client));
	/* A rule that asks for the state of connections has them tracked. */
	ASSERT_EQ(0, each_variant("-A"));
	/* All the time, for they are counted. */
	setting(HOST, "netfilter/nf_conntrack_udp_timeout", "3600");
}

FIXTURE_TEARDOWN(conntrack)
{
	EXPECT_EQ(0, each_variant("-D"));
	EXPECT_EQ(0, link_end(&self->client));
}

static long tracked(void)
{
	FILE *file = fopen("/proc/sys/net/netfilter/nf_conntrack_count", "r");
	long count = -1;

	if (!file)
		fail("nf_conntrack_count");
	if (fscanf(file, "%ld", &count) != 1)
		fail("nf_conntrack_count");
	fclose(file);
	return count;
}

TEST_F(conntrack, no_entry_for_what_is_dropped)
{
	long before = tracked();
	size_t i;

	ASSERT_EQ(0, rule_attach(self->client.fd, "bad", KCUCKOO_HOOK_PREROUTING,
				 KCUCKOO_FAMILY_BOTH, KCUCKOO_MATCH_SRC,
				 KCUCKOO_ACTION_DROP));
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		EXPECT_FALSE(passes(bad[i], host_for(bad[i])));
	}
	EXPECT_EQ(before, tracked());
	for (i = 0; i < ARRAY_SIZE(good); i++) {
		EXPECT_TRUE(passes(good[i], host_for(good[i])));
	}
	EXPECT_EQ(before + ARRAY_SIZE(good), tracked());
	EXPECT_EQ(1, rule_detach(self->client.fd, NULL));
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		EXPECT_TRUE(passes(bad[i], host_for(bad[i])));
	}
	EXPECT_EQ(before + ARRAY_SIZE(good) + ARRAY_SIZE(bad), tracked());
}

/* Packets that a rule of iptables in the raw table has seen. */
static long raw_packets(void)
{
	FILE *pipe = popen("iptables -w -t raw -vnxL PREROUTING", "r");
	char line[300];
	long packets = -1;

	while (pipe && fgets(line, sizeof(line), pipe)) {
		if (strstr(line, BAD4))
			packets = atol(line);
	}
	pclose(pipe);
	return packets;
}

/* The raw table is before connection tracking, and rules are before both. */
TEST_F(conntrack, dropped_before_it_is_asked)
{
	ASSERT_EQ(0, system("iptables -w -t raw -A PREROUTING -s " BAD4));
	EXPECT_TRUE(passes(BAD4, HOST4));
	EXPECT_EQ(1, raw_packets());
	ASSERT_EQ(0, rule_attach(self->client.fd, "bad", KCUCKOO_HOOK_PREROUTING,
				 KCUCKOO_FAMILY_IPV4, KCUCKOO_MATCH_SRC,
				 KCUCKOO_ACTION_DROP));
	EXPECT_FALSE(passes(BAD4, HOST4));
	EXPECT_EQ(1, raw_packets());
	EXPECT_EQ(0, system("iptables -w -t raw -F PREROUTING"));
}

TEST_F(conntrack, other_hooks_beside_it)
{
	int hook;

	for (hook = KCUCKOO_HOOK_INPUT; hook <= KCUCKOO_HOOK_OUTPUT; hook++) {
		ASSERT_EQ(0, rule_attach(self->client.fd, "bad", hook,
					 KCUCKOO_FAMILY_BOTH, KCUCKOO_MATCH_SRC,
					 KCUCKOO_ACTION_DROP));
	}
	EXPECT_FALSE(passes(BAD4, HOST4));
	EXPECT_FALSE(passes(BAD6, FAR6));
	EXPECT_TRUE(passes(GOOD4, FAR4));
	EXPECT_TRUE(passes(GOOD6, HOST6));
	EXPECT_TRUE(leaves(PEER4));
}

/* Rules of prerouting see fragments, and reassembly those that pass. */
TEST_F(conntrack, fragments)
{
	ASSERT_EQ(0, rule_attach(self->client.fd, "bad", KCUCKOO_HOOK_PREROUTING,
				 KCUCKOO_FAMILY_BOTH, KCUCKOO_MATCH_SRC,
				 KCUCKOO_ACTION_DROP));
	EXPECT_TRUE(fragments_ipv4(GOOD4, 3));
	EXPECT_TRUE(fragments_ipv6(GOOD6, 3));
	EXPECT_EQ(0, counters(self->client.fd, 0).packets);
	EXPECT_FALSE(fragments_ipv4(BAD4, 3));
	EXPECT_FALSE(fragments_ipv6(BADNET6, 3));
	EXPECT_EQ(4, counters(self->client.fd, 0).packets);
}

/* A number of a line of /proc/net/@file: "@line: inuse 0 memory 0". */
static long statistic(const char *file, const char *line, const char *name)
{
	char path[100], text[200];
	const char *found;
	long number = -1;
	FILE *stream;

	snprintf(path, sizeof(path), "/proc/thread-self/net/%s", file);
	stream = fopen(path, "r");
	if (!stream)
		fail(path);
	while (number < 0 && fgets(text, sizeof(text), stream)) {
		if (strncmp(text, line, strlen(line)))
			continue;
		found = strstr(text, name);
		if (found)
			number = atol(found + strlen(name));
	}
	fclose(stream);
	return number;
}

static long waiting(const char *name)
{
	return statistic("sockstat", "FRAG:", name);
}

#define FRAGMENTS	300

/* First fragments of listed sources, whose rests never come. */
TEST_F(conntrack, fragments_that_never_end)
{
	int fd = self->client.fd, i;

	ASSERT_EQ(0, rule_attach(fd, "bad", KCUCKOO_HOOK_PREROUTING,
				 KCUCKOO_FAMILY_BOTH, KCUCKOO_MATCH_SRC,
				 KCUCKOO_ACTION_DROP));
	/* The first of an unlisted source waits for its rest. */
	fragment_ipv4(GOOD4, ++net.id, false);
	settle();
	EXPECT_EQ(1, waiting("inuse "));
	EXPECT_LT(0, waiting("memory "));
	fragment_ipv4(GOOD4, net.id, true);
	settle();
	EXPECT_EQ(1, arrived(HOST, net.id));
	for (i = 0; i < FRAGMENTS; i++)
		fragment_ipv4(BAD4, ++net.id, false);
	settle();
	EXPECT_EQ(0, waiting("inuse "));
	EXPECT_EQ(0, waiting("memory "));
	EXPECT_EQ(FRAGMENTS, counters(fd, 0).packets);

	/* Reassembly of IPv6 by connection tracking has no statistics. */
	for (i = 0; i < FRAGMENTS; i++)
		fragment_ipv6(BAD6, ++net.id, false);
	settle();
	EXPECT_EQ(0, statistic("sockstat6", "FRAG6:", "memory "));
	EXPECT_EQ(2 * FRAGMENTS, counters(fd, 0).packets);
}

/* Input sees what reassembly has made of the fragments. */
TEST_F(conntrack, reassembled_at_input)
{
	int fd = self->client.fd;

	ASSERT_EQ(0, rule_attach(fd, "bad", KCUCKOO_HOOK_INPUT, KCUCKOO_FAMILY_BOTH,
				 KCUCKOO_MATCH_SRC, KCUCKOO_ACTION_DROP));
	EXPECT_FALSE(fragments_ipv4(BAD4, 1));
	EXPECT_FALSE(fragments_ipv6(BAD6, 1));
	EXPECT_EQ(0, counters(fd, 0).packets);
	EXPECT_FALSE(fragments_ipv4(BAD4, 3));
	EXPECT_FALSE(fragments_ipv6(BAD6, 3));
	EXPECT_EQ(2, counters(fd, 0).packets);
}

static int attach_mark(int fd, __u32 mark)
{
	struct kcuckoo_ioc_attach attach = {
		.size = sizeof(attach),
		.name = "bad",
		.family = KCUCKOO_FAMILY_BOTH,
		.action = KCUCKOO_ACTION_MARK,
		.mark = mark,
	};

	return call(fd, KCUCKOO_IOC_ATTACH, &attach);
}

/* Two fragments in both orders, of each family: their packets arrive @times. */
static void send_marked(struct __test_metadata *_metadata, int times)
{
	int order;

	for (order = 0; order < 2; order++) {
		fragment_ipv4(BAD4, ++net.id, order);
		fragment_ipv4(BAD4, net.id, !order);
		settle();
		EXPECT_EQ(times, arrived(HOST, net.id));
		fragment_ipv6(BAD6, ++net.id, order);
		fragment_ipv6(BAD6, net.id, !order);
		settle();
		EXPECT_EQ(times, arrived(HOST, net.id));
	}
}

/* Fragments are marked one by one; the packet made of them has the mark. */
TEST_F(conntrack, mark_survives_reassembly)
{
	int fd = self->client.fd;

	ASSERT_EQ(0, attach_mark(fd, 9));
	send_marked(_metadata, 1);
	EXPECT_EQ(8, counters(fd, 0).packets);
	ASSERT_EQ(0, system("nft 'table inet marks { chain c { "
			    "type filter hook prerouting priority raw; "
			    "meta mark 9 drop; }; }'"));
	send_marked(_metadata, 0);
	EXPECT_EQ(16, counters(fd, 0).packets);
	EXPECT_TRUE(fragments_ipv4(GOOD4, 3));
	EXPECT_TRUE(fragments_ipv6(GOOD6, 3));
	EXPECT_EQ(0, system("nft delete table inet marks"));
}

TEST_HARNESS_MAIN
