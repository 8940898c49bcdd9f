// SPDX-License-Identifier: GPL-2.0-only
/*
 * Filters that change while rules use them: the next packet meets the change.
 */

#include "link.h"

FIXTURE(change)
{
	struct client client;
};

FIXTURE_SETUP(change)
{
	ASSERT_EQ(0, link_begin(&self->client));
	ASSERT_EQ(0, rule_attach(self->client.fd, "bad", KCUCKOO_HOOK_PREROUTING,
				 KCUCKOO_FAMILY_BOTH, KCUCKOO_MATCH_SRC,
				 KCUCKOO_ACTION_DROP));
}

FIXTURE_TEARDOWN(change)
{
	EXPECT_EQ(0, link_end(&self->client));
}

TEST_F(change, add_and_delete)
{
	struct kcuckoo_prefix key;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(good); i++) {
		key = key_of(good[i]);
		EXPECT_TRUE(passes(good[i], host_for(good[i])));
		ASSERT_EQ(1, keys_add(self->client.fd, "bad", &key, 1));
		EXPECT_FALSE(passes(good[i], host_for(good[i])));
		ASSERT_EQ(1, keys_del(self->client.fd, "bad", &key, 1));
		EXPECT_TRUE(passes(good[i], host_for(good[i])));
	}
}

TEST_F(change, flush)
{
	size_t i;

	EXPECT_FALSE(passes(BAD4, HOST4));
	ASSERT_EQ(0, filter_flush(self->client.fd, "bad"));
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		EXPECT_TRUE(passes(bad[i], host_for(bad[i])));
	}
}

/* An empty filter with a rule in every place changes nothing. */
TEST_F(change, empty_filter)
{
	int fd = self->client.fd;
	int hook, match, i;

	ASSERT_EQ(0, filter_create(fd, "empty", 1000));
	for (hook = KCUCKOO_HOOK_PREROUTING; hook <= KCUCKOO_HOOK_OUTPUT; hook++) {
		for (match = KCUCKOO_MATCH_SRC; match <= KCUCKOO_MATCH_DST; match++) {
			ASSERT_EQ(0, rule_attach(fd, "empty", hook, KCUCKOO_FAMILY_BOTH,
						 match, KCUCKOO_ACTION_DROP));
		}
	}
	for (i = 0; i < 50; i++) {
		const char *src = good[i % ARRAY_SIZE(good)];

		EXPECT_TRUE(passes(src, host_for(src)));
		EXPECT_TRUE(passes(src, far_for(src)));
		EXPECT_TRUE(leaves(i % 2 ? PEER4 : PEER6));
	}
}

/* A rule whose filter does not exist yet, or holds no addresses. */
TEST_F(change, waiting_rule)
{
	struct kcuckoo_ioc_create bytes = {
		.size = sizeof(bytes),
		.type = KCUCKOO_TYPE_BYTES,
		.tag_bits = 8,
		.capacity = 100,
	};
	struct kcuckoo_prefix keys[] = { key_of(GOOD4), key_of(GOOD6) };
	int fd = self->client.fd;

	ASSERT_EQ(0, rule_attach(fd, "later", KCUCKOO_HOOK_INPUT, KCUCKOO_FAMILY_BOTH,
				 KCUCKOO_MATCH_SRC, KCUCKOO_ACTION_DROP));
	EXPECT_TRUE(passes(GOOD4, HOST4));
	EXPECT_TRUE(passes(GOOD6, HOST6));
	ASSERT_EQ(0, filter_create(fd, "later", 1000));
	EXPECT_TRUE(passes(GOOD4, HOST4));
	ASSERT_EQ(2, keys_add(fd, "later", keys, 2));
	EXPECT_FALSE(passes(GOOD4, HOST4));
	EXPECT_FALSE(passes(GOOD6, HOST6));
	EXPECT_EQ(2, counters(fd, 1).packets);

	/* Filled before it gets the name: the next packet meets all of it. */
	ASSERT_EQ(0, filter_create_like(fd, "built", "later"));
	ASSERT_EQ(2, keys_add(fd, "built", keys, 2));
	EXPECT_EQ(1, rule_detach(fd, "later"));
	ASSERT_EQ(0, filter_destroy(fd, "later"));
	ASSERT_EQ(0, rule_attach(fd, "later", KCUCKOO_HOOK_INPUT, KCUCKOO_FAMILY_BOTH,
				 KCUCKOO_MATCH_SRC, KCUCKOO_ACTION_DROP));
	EXPECT_TRUE(passes(GOOD4, HOST4));
	ASSERT_EQ(0, filter_rename(fd, "built", "later"));
	EXPECT_FALSE(passes(GOOD4, HOST4));
	EXPECT_FALSE(passes(GOOD6, HOST6));

	ASSERT_EQ(0, rule_attach(fd, "words", KCUCKOO_HOOK_INPUT, KCUCKOO_FAMILY_BOTH,
				 KCUCKOO_MATCH_SRC, KCUCKOO_ACTION_DROP));
	set_name(bytes.name, "words");
	ASSERT_EQ(0, call(fd, KCUCKOO_IOC_CREATE, &bytes));
	EXPECT_TRUE(passes("203.0.113.6", HOST4));
	EXPECT_EQ(0, counters(fd, 2).packets);
}

/* Both filters list the same source: no packet of it may slip through a swap. */
TEST_F(change, swap_leaves_no_gap)
{
	struct kcuckoo_prefix keys[] = { key_of(BAD4), key_of(BAD6) };
	int fd = self->client.fd;
	size_t i;

	ASSERT_EQ(0, filter_create(fd, "next", 1000));
	ASSERT_EQ(2, keys_add(fd, "next", keys, 2));
	for (i = 0; i < client_scale(200); i++) {
		ASSERT_EQ(0, filter_swap(fd, "bad", "next"));
		EXPECT_FALSE(passes(BAD4, HOST4));
		EXPECT_FALSE(passes(BAD6, HOST6));
		EXPECT_EQ(i % 2 == 0, passes(BADNET4, HOST4));
		EXPECT_TRUE(passes(GOOD6, HOST6));
	}
}

TEST_F(change, replace)
{
	struct kcuckoo_prefix keys[] = { key_of(GOOD4), key_of(GOOD6) };
	int fd = self->client.fd;

	ASSERT_EQ(0, filter_create(fd, "next", 1000));
	ASSERT_EQ(2, keys_add(fd, "next", keys, 2));
	ASSERT_EQ(0, filter_replace(fd, "bad", "next"));
	EXPECT_FALSE(passes(GOOD4, HOST4));
	EXPECT_FALSE(passes(GOOD6, HOST6));
	EXPECT_TRUE(passes(BAD4, HOST4));
	EXPECT_TRUE(passes(BADNET6, HOST6));
	EXPECT_EQ(2, counters(fd, 0).packets);
}

/* Many more members, new lengths, fewer again: listed stays listed. */
TEST_F(change, growth_and_compaction)
{
	size_t count = client_scale(40000), i, step = count / 40;
	struct kcuckoo_prefix *keys = calloc(count, sizeof(*keys));
	int fd = self->client.fd;
	__u64 random = 3;

	ASSERT_NE(NULL, keys);
	ASSERT_EQ(0, filter_create(fd, "next", 1 << 20));
	ASSERT_EQ(0, filter_replace(fd, "bad", "next"));
	keys[0] = key_of(BAD4);
	keys[1] = key_of(BAD6);
	ASSERT_EQ(2, keys_add(fd, "bad", keys, 2));
	for (i = 0; i < count; i++)
		keys[i] = i % 2 ? ipv4(0x0b000000 | random_next(&random), 24 + i % 9) :
			ipv6(0x3000000000000000 | random_next(&random) >> 8, 0,
			     20 + i % 45);
	for (i = 0; i < 40; i++) {
		ASSERT_LE(0, keys_add(fd, "bad", keys + i * step, step));
		EXPECT_FALSE(passes(BAD4, HOST4));
		EXPECT_FALSE(passes(BAD6, HOST6));
		EXPECT_TRUE(passes(GOOD6, HOST6));
	}
	ASSERT_LE(0, keys_del(fd, "bad", keys, 40 * step));
	EXPECT_FALSE(passes(BAD4, HOST4));
	ASSERT_EQ(0, filter_compact(fd, "bad"));
	EXPECT_FALSE(passes(BAD4, HOST4));
	EXPECT_FALSE(passes(BAD6, HOST6));
	EXPECT_TRUE(passes(GOOD4, HOST4));
	EXPECT_EQ(2, filter_entries(fd, "bad"));
}

/* A rule lives as long as it is attached, not as long as a descriptor. */
TEST_F(change, closing_the_descriptor)
{
	close(self->client.fd);
	EXPECT_FALSE(passes(BAD4, HOST4));
	EXPECT_FALSE(passes(BAD6, FAR6));
	EXPECT_TRUE(passes(GOOD4, HOST4));
	self->client.fd = client_open();
	ASSERT_LE(0, self->client.fd);
	EXPECT_EQ(2, counters(self->client.fd, 0).packets);
}

/* As many as netfilter has at one place. */
#define HOOKS	1024
#define CHAIN	"type filter hook input priority"

/* Gives its input of IPv6 hooks of others; 0, or what failed. */
static int hooks_fill(void)
{
	FILE *nft = popen("nft -f -", "w");
	int i;

	if (!nft)
		return -errno;
	fprintf(nft, "add table ip6 full\n");
	for (i = 0; i < HOOKS; i++)
		fprintf(nft, "add chain ip6 full c%d { " CHAIN " %d; }\n", i, i);
	return pclose(nft);
}

/* Others have left no room for one of the hooks of a rule: it is told, and not there. */
TEST_F(change, no_room_for_a_hook)
{
	int fd = self->client.fd;

	ASSERT_EQ(0, hooks_fill());
	EXPECT_EQ(-EDQUOT, rule_attach(fd, "bad", KCUCKOO_HOOK_INPUT, KCUCKOO_FAMILY_BOTH,
				       KCUCKOO_MATCH_DST, KCUCKOO_ACTION_DROP));
	EXPECT_EQ(1, rule_list(fd, NULL, 0));
	EXPECT_FALSE(passes(BAD4, HOST4));
	EXPECT_TRUE(passes(GOOD6, HOST6));
	EXPECT_EQ(0, rule_attach(fd, "bad", KCUCKOO_HOOK_INPUT, KCUCKOO_FAMILY_IPV4,
				 KCUCKOO_MATCH_DST, KCUCKOO_ACTION_DROP));
	ASSERT_EQ(0, system("nft delete chain ip6 full c0"));
	EXPECT_EQ(0, rule_attach(fd, "bad", KCUCKOO_HOOK_INPUT, KCUCKOO_FAMILY_IPV6,
				 KCUCKOO_MATCH_DST, KCUCKOO_ACTION_DROP));
	ASSERT_EQ(0, system("nft delete table ip6 full"));
}

TEST_HARNESS_MAIN
