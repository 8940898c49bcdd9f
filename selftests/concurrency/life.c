// SPDX-License-Identifier: GPL-2.0-only
/*
 * Several threads make, change, name, attach and destroy the same few filters.
 * Every call gives an answer that the contract has for it, and in the end the
 * books balance.
 */

#include "crew.h"

#define NAMES	5

FIXTURE(life)
{
	struct client client;
};

FIXTURE_SETUP(life)
{
	crew_keys();
	ASSERT_EQ(0, client_begin(&self->client));
	atomic_store(&working, true);
}

FIXTURE_TEARDOWN(life)
{
	EXPECT_EQ(0, client_end(&self->client));
}

static atomic_ullong calls, strange;
static const char * const names[NAMES] = { "a", "b", "c", "d", "e" };

/* Is @result of @what one of the errors that a thread may run into? */
static void check(const char *what, long long result)
{
	atomic_fetch_add(&calls, 1);
	if (result >= 0 || result == -ENOENT || result == -EEXIST || result == -EBUSY ||
	    result == -ENOSPC)
		return;
	fprintf(stderr, "# %s: %lld\n", what, result);
	atomic_fetch_add(&strange, 1);
}

static const char *some_name(__u64 *random)
{
	return names[random_next(random) % NAMES];
}

static void *namer(void *argument)
{
	int fd = *(int *)argument;
	__u64 random = 11;

	while (atomic_load(&working)) {
		check("create", filter_create(fd, some_name(&random), 30000));
		check("rename", filter_rename(fd, some_name(&random), some_name(&random)));
		check("create", filter_create(fd, some_name(&random), 100));
		check("destroy", filter_destroy(fd, some_name(&random)));
	}
	return NULL;
}

static void *swapper(void *argument)
{
	int fd = *(int *)argument;
	__u64 random = 12;
	int first, second;

	while (atomic_load(&working)) {
		first = random_next(&random) % NAMES;
		second = (first + 1 + random_next(&random) % (NAMES - 1)) % NAMES;
		check("swap", filter_swap(fd, names[first], names[second]));
		if (random_next(&random) % 8 == 0)
			check("replace", filter_replace(fd, names[first], names[second]));
	}
	return NULL;
}

static void *attacher(void *argument)
{
	int fd = *(int *)argument;
	__u64 random = 13, draw;

	while (atomic_load(&working)) {
		draw = random_next(&random);
		check("attach", rule_attach(fd, some_name(&random), draw % 4,
					    1 + draw / 4 % 3, draw / 16 % 2, draw / 32 % 2));
		if (draw / 64 % 4 == 0)
			check("detach", rule_detach(fd, some_name(&random)));
		if (draw / 256 % 64 == 0)
			check("detach", rule_detach(fd, NULL));
	}
	return NULL;
}

static void *writer(void *argument)
{
	int fd = *(int *)argument;
	__u64 random = 14, draw;

	while (atomic_load(&working)) {
		draw = random_next(&random) % 100;
		check("add", keys_add(fd, some_name(&random), passing + draw * 100, 2000));
		check("del", keys_del(fd, some_name(&random), passing + draw * 50, 1000));
		if (draw < 5)
			check("flush", filter_flush(fd, some_name(&random)));
		if (draw < 10)
			check("compact", filter_compact(fd, some_name(&random)));
		if (draw < 10)
			check("reserve", filter_reserve(fd, some_name(&random),
							KCUCKOO_FAMILY_IPV4, 32,
							draw * 1000));
	}
	return NULL;
}

static void *reader(void *argument)
{
	struct kcuckoo_list_entry entries[NAMES];
	struct kcuckoo_ioc_info info;
	struct kcuckoo_ioc_stats stats;
	struct kcuckoo_rule rules[100];
	struct kcuckoo_ioc_walk walk = { .size = sizeof(walk), .count = KCUCKOO_WALK_MIN };
	struct kcuckoo_prefix *space = calloc(KCUCKOO_WALK_MIN, sizeof(*space));
	__u64 random = 15;
	int fd;

	walk.keys = (uintptr_t)space;
	while (atomic_load(&working)) {
		fd = client_open();
		check("open", fd);
		check("list", filter_list(fd, entries, NAMES));
		check("rules", rule_list(fd, rules, 100));
		check("info", filter_info(fd, some_name(&random), &info));
		check("stats", client_stats(fd, &stats));
		check("test", keys_covered(fd, some_name(&random), permanent, 1000));
		set_name(walk.name, some_name(&random));
		check("walk", call(fd, KCUCKOO_IOC_WALK, &walk));
		close(fd);
	}
	free(space);
	return NULL;
}

/* Rules whose name has no filter now. */
static unsigned long long rules_waiting(int fd)
{
	struct kcuckoo_rule rules[100];
	unsigned long long waiting = 0;
	int count = rule_list(fd, rules, 100);
	int i;

	for (i = 0; i < count && i < 100; i++)
		waiting += !!(rules[i].flags & KCUCKOO_RULE_WAITING);
	return waiting;
}

/* What is left: the figures of each filter agree with what it holds. */
static void balance(struct __test_metadata *_metadata, int fd)
{
	struct kcuckoo_list_entry entries[NAMES];
	struct kcuckoo_prefix *members;
	struct kcuckoo_ioc_stats stats;
	struct kcuckoo_ioc_info info;
	unsigned long long total = 0, rules = 0, bytes = 0;
	int count, i;

	count = filter_list(fd, entries, NAMES);
	ASSERT_LE(0, count);
	ASSERT_GE(NAMES, count);
	for (i = 0; i < count; i++) {
		ASSERT_EQ(0, filter_info(fd, (char *)entries[i].name, &info));
		EXPECT_EQ(info.entries, info.entries_ipv4 + info.entries_ipv6);
		EXPECT_EQ(info.entries, keys_walk(fd, (char *)entries[i].name, 65536,
						  &members, NULL));
		EXPECT_EQ(info.entries, keys_members(fd, (char *)entries[i].name, members,
						     info.entries));
		free(members);
		total += info.entries;
		rules += info.rules;
		bytes += info.memory_bytes;
	}
	rules += rules_waiting(fd);
	ASSERT_EQ(0, client_stats(fd, &stats));
	EXPECT_EQ(count, stats.filters);
	EXPECT_EQ(total, stats.entries);
	EXPECT_EQ(rules, stats.rules);
	EXPECT_EQ(rules, rule_list(fd, NULL, 0));
	EXPECT_LE(bytes, stats.memory_bytes);
}

static bool enough(void)
{
	return atomic_load(&calls) > 100;
}

TEST_F(life, many_hands)
{
	int fd = self->client.fd;
	pthread_t threads[] = {
		crew_start(namer, &fd), crew_start(swapper, &fd),
		crew_start(attacher, &fd), crew_start(writer, &fd),
		crew_start(reader, &fd), crew_start(reader, &fd),
	};
	struct kcuckoo_ioc_stats stats;
	int i;

	crew_run(threads, ARRAY_SIZE(threads), enough);
	TH_LOG("%llu calls", atomic_load(&calls));
	EXPECT_LT(100, atomic_load(&calls));
	EXPECT_EQ(0, atomic_load(&strange));
	balance(_metadata, fd);

	client_clear(fd);
	for (i = 0; i < 600; i++) {
		ASSERT_EQ(0, client_stats(fd, &stats));
		if (!stats.memory_bytes)
			break;
		client_sleep(0.1);
	}
	EXPECT_EQ(0, stats.filters);
	EXPECT_EQ(0, stats.rules);
	EXPECT_EQ(0, stats.entries);
	EXPECT_EQ(0, stats.memory_bytes);
}

TEST_HARNESS_MAIN
