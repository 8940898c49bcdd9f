// SPDX-License-Identifier: GPL-2.0-only
/*
 * Connection tracking: what is dropped before it leaves no entry behind, and
 * its reassembly of fragments does not hide them.
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

/*
 * The raw table is before connection tracking. Of two that stand at the same
 * place the one that came last is asked first: that is ours.
 */
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

/* They are put together before our rules see them, and dropped all the same. */
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
	EXPECT_LE(2, counters(self->client.fd, 0).packets);
}

TEST_HARNESS_MAIN
