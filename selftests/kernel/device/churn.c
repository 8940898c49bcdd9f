// SPDX-License-Identifier: GPL-2.0-only
/*
 * Filters that come and go in great numbers: all memory comes back.
 */

#include "bytes.h"
#include "slab.h"
#include "table.h"

#define FILTERS		2000
#define WARM		100

/* So many live at a time. */
#define ALIVE		8

#define MEMBERS		60

/* Names with a rule, and what the counters of one rule weigh at least. */
#define NAMES		500
#define COUNTERS	16

FIXTURE(churn)
{
	struct client client;
	struct kcuckoo_prefix keys[MEMBERS];
	struct strings strings;
};

FIXTURE_SETUP(churn)
{
	size_t i;

	ASSERT_EQ(0, system("modprobe -qa ip_tables; modprobe xt_kcuckoo"));
	/* Else the kernel would patch its code for nearly every rule. */
	ASSERT_EQ(0, hooks_hold());
	ASSERT_EQ(0, client_begin(&self->client));
	ASSERT_EQ(0, percpu_begin());
	for (i = 0; i < MEMBERS; i++)
		self->keys[i] = i % 2 ? ipv4(0x0b000000 + i * 0x10101, 32 - i % 8) :
			ipv6(0x20010db800000000ULL + i, i * 17, 128 - i % 12);
	self->strings = strings_make("churn", 0, MEMBERS);
}

FIXTURE_TEARDOWN(churn)
{
	strings_free(&self->strings);
	EXPECT_EQ(0, client_end(&self->client));
}

static const char *name_of(size_t number)
{
	static char name[32];

	snprintf(name, sizeof(name), "f%zu", number % ALIVE);
	return name;
}

static bool ruled(size_t number)
{
	return number % 4 == 2;
}

/* Is there to be a rule of iptables? One of them lives at a time. */
static bool matched(size_t number)
{
	return number % ALIVE == 5;
}

static int rule_add(int fd, const char *name)
{
	return rule_attach(fd, name, KCUCKOO_HOOK_INPUT, KCUCKOO_FAMILY_BOTH,
			   KCUCKOO_MATCH_SRC, KCUCKOO_ACTION_DROP);
}

static int match_add(const char *name)
{
	struct xt_kcuckoo_mtinfo match = { .flags = 0 };
	const struct table_rule rule = { .match = &match };

	set_name(match.name, name);
	return table_replace(&rule);
}

/* Filters of all kinds: empty, with members of many lengths, of strings. */
static long long begin(int fd, const char *name, size_t number,
		       const struct kcuckoo_prefix *keys, const struct strings *strings)
{
	long long result;

	if (number % 4 == 3) {
		result = bytes_create(fd, name, 1000, 12, 0);
		return result ?: strings_add(fd, name, strings) - MEMBERS;
	}
	result = filter_create(fd, name, 1000);
	if (!result && ruled(number))
		result = rule_add(fd, name);
	if (!result && matched(number))
		result = match_add(name);
	if (!result && number % 4)
		result = keys_add(fd, name, keys, MEMBERS) - MEMBERS;
	return result;
}

static long long end(int fd, const char *name, size_t number)
{
	if (ruled(number) && rule_detach(fd, name) != 1)
		return -EPROTO;
	if (matched(number) && table_replace(NULL))
		return -EPROTO;
	return filter_destroy(fd, name);
}

static void churn(struct __test_metadata *_metadata, int fd, size_t count,
		  const struct kcuckoo_prefix *keys, const struct strings *strings)
{
	size_t i;

	for (i = 0; i < count + ALIVE; i++) {
		if (i >= ALIVE) {
			ASSERT_EQ(0, end(fd, name_of(i), i - ALIVE));
		}
		if (i < count) {
			ASSERT_EQ(0, begin(fd, name_of(i), i, keys, strings));
		}
	}
}

/* That the counters of rules are seen, or nothing said of them would mean anything. */
static void see_counters(struct __test_metadata *_metadata, int fd)
{
	char name[32];
	int i;

	EXPECT_EQ(0, percpu_bytes());
	for (i = 0; i < NAMES; i++) {
		snprintf(name, sizeof(name), "n%d", i);
		ASSERT_EQ(0, rule_add(fd, name));
	}
	EXPECT_TRUE(percpu_becomes(NAMES / 2 * COUNTERS, NAMES * COUNTERS * 1024));
	ASSERT_EQ(NAMES, rule_detach(fd, NULL));
	EXPECT_TRUE(percpu_becomes(0, 0));
}

TEST_F(churn, memory_comes_back)
{
	const size_t count = client_count("FILTERS", client_scale(FILTERS));
	int fd = self->client.fd;
	struct kcuckoo_ioc_stats stats;
	struct holding middle;
	struct memory before;

	if (percpu_is_exact())
		see_counters(_metadata, fd);
	churn(_metadata, fd, WARM, self->keys, &self->strings);
	before = memory_rest();
	churn(_metadata, fd, count - count / 2, self->keys, &self->strings);
	holding_rest(&middle);
	churn(_metadata, fd, count / 2, self->keys, &self->strings);
	TH_LOG("%zu filters", WARM + count);
	EXPECT_EQ(0, before.vmalloc);
	EXPECT_TRUE(holding_back(&middle, count / 2));
	EXPECT_TRUE(memory_back(before));
	EXPECT_TRUE(percpu_becomes(0, 0));
	ASSERT_EQ(0, client_stats(fd, &stats));
	EXPECT_EQ(0, stats.filters);
}

TEST_HARNESS_MAIN
