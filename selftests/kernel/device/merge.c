// SPDX-License-Identifier: GPL-2.0-only
/*
 * Filters made like another, and merging them.
 */

#include "bytes.h"

FIXTURE(merge)
{
	struct client client;
	struct strings ours;
	struct strings theirs;
};

FIXTURE_SETUP(merge)
{
	ASSERT_EQ(0, client_begin(&self->client));
	self->ours = strings_make("ours", 0, 1000);
	self->theirs = strings_make("theirs", 0, 1000);
}

FIXTURE_TEARDOWN(merge)
{
	strings_free(&self->ours);
	strings_free(&self->theirs);
	EXPECT_EQ(0, client_end(&self->client));
}

static int merge(int fd, const char *name, const char *from)
{
	return filter_pair(fd, KCUCKOO_IOC_MERGE, name, from);
}

TEST_F(merge, like)
{
	struct kcuckoo_ioc_create create = bytes_form("a", 1000, 17);
	struct kcuckoo_ioc_info first, second;
	int fd = self->client.fd;

	create.bucket_size = 8;
	create.search_limit = 77;
	create.value_bits = 3;
	create.hash = KCUCKOO_HASH_SIPHASH;
	ASSERT_EQ(0, call(fd, KCUCKOO_IOC_CREATE, &create));
	ASSERT_EQ(0, filter_create_like(fd, "b", "a"));
	ASSERT_EQ(0, filter_info(fd, "a", &first));
	ASSERT_EQ(0, filter_info(fd, "b", &second));
	set_name(second.name, "a");
	EXPECT_NE(first.filter_id, second.filter_id);
	second.filter_id = first.filter_id;
	EXPECT_EQ(0, memcmp(&first, &second, sizeof(first)));
	EXPECT_EQ(-ENOENT, filter_create_like(fd, "c", "none"));
	EXPECT_EQ(-EEXIST, filter_create_like(fd, "b", "a"));
	create.flags = KCUCKOO_CREATE_LIKE;
	set_name(create.name, "c");
	set_name(create.like, "a");
	EXPECT_EQ(-EINVAL, call(fd, KCUCKOO_IOC_CREATE, &create));
}

/* Fingerprints of both, in a table that grows for them. */
TEST_F(merge, byte_strings)
{
	static const __u32 flags[] = { 0, KCUCKOO_CREATE_SORTED, KCUCKOO_CREATE_INSERT_ONLY };
	int fd = self->client.fd;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(flags); i++) {
		bool once = flags[i] & KCUCKOO_CREATE_INSERT_ONLY;

		ASSERT_EQ(0, bytes_create(fd, "a", 1000, 20, flags[i]));
		ASSERT_EQ(0, filter_create_like(fd, "b", "a"));
		EXPECT_LT(990, strings_add(fd, "a", &self->ours));
		EXPECT_LT(990, strings_add(fd, "b", &self->theirs));
		EXPECT_EQ(0, merge(fd, "a", "b"));
		EXPECT_EQ(1000, strings_test(fd, "a", &self->ours));
		EXPECT_EQ(1000, strings_test(fd, "a", &self->theirs));
		EXPECT_EQ(1000, strings_test(fd, "b", &self->theirs));
		EXPECT_LT(1980, filter_entries(fd, "a"));
		/* Once more: copies, or nothing new. */
		EXPECT_EQ(0, merge(fd, "a", "b"));
		EXPECT_LT(once ? 1980 : 2980, filter_entries(fd, "a"));
		EXPECT_GE(once ? 2000 : 3000, filter_entries(fd, "a"));
		EXPECT_EQ(0, filter_destroy(fd, "a"));
		EXPECT_EQ(0, filter_destroy(fd, "b"));
	}
}

/* A filter that may not grow stays as it was. */
TEST_F(merge, too_many)
{
	int fd = self->client.fd;
	struct kcuckoo_ioc_info before, after;

	ASSERT_EQ(0, bytes_create(fd, "a", 1000, 20, KCUCKOO_CREATE_FIXED));
	ASSERT_EQ(0, filter_create_like(fd, "b", "a"));
	ASSERT_EQ(1000, strings_add(fd, "a", &self->ours));
	ASSERT_EQ(1000, strings_add(fd, "b", &self->theirs));
	ASSERT_EQ(0, filter_info(fd, "a", &before));
	EXPECT_EQ(-ENOSPC, merge(fd, "a", "b"));
	ASSERT_EQ(0, filter_info(fd, "a", &after));
	EXPECT_EQ(0, memcmp(&before, &after, sizeof(before)));
	EXPECT_EQ(1000, strings_test(fd, "a", &self->ours));
	EXPECT_GT(5, strings_test(fd, "a", &self->theirs));
}

/* Exact filters: the union, each member once, of all lengths at once. */
TEST_F(merge, addresses)
{
	static struct kcuckoo_prefix ours[3000], theirs[3000];
	struct kcuckoo_prefix *members;
	int fd = self->client.fd;
	long long count, mine, other;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(ours); i++) {
		ours[i] = ipv4(i * 2654435761U, 8 + i % 25);
		theirs[i] = i % 3 ? ipv6(i * 0x9e3779b97f4a7c15ULL, i, 20 + i % 109) : ours[i];
	}
	ASSERT_EQ(0, filter_create(fd, "a", 6000));
	ASSERT_EQ(0, filter_create_like(fd, "b", "a"));
	mine = keys_add(fd, "a", ours, ARRAY_SIZE(ours));
	other = keys_add(fd, "b", theirs, ARRAY_SIZE(theirs));
	ASSERT_LT(2000, mine);
	ASSERT_LT(2000, other);
	EXPECT_EQ(0, merge(fd, "a", "b"));
	EXPECT_EQ(ARRAY_SIZE(ours), keys_members(fd, "a", ours, ARRAY_SIZE(ours)));
	EXPECT_EQ(ARRAY_SIZE(theirs), keys_members(fd, "a", theirs, ARRAY_SIZE(theirs)));
	count = keys_walk(fd, "a", 4096, &members, NULL);
	EXPECT_EQ(filter_entries(fd, "a"), count);
	EXPECT_GT(mine + other, count);
	for (i = 1; i < count; i++)
		ASSERT_NE(0, memcmp(&members[i - 1], &members[i], sizeof(*members)));
	free(members);
	for (i = 0; i < ARRAY_SIZE(theirs); i++)
		ASSERT_EQ(1, keys_covered(fd, "a", &theirs[i], 1));
}

TEST_F(merge, capacity)
{
	struct kcuckoo_prefix keys[20];
	int fd = self->client.fd;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(keys); i++)
		keys[i] = ipv4(0x0b000000 + i, 32);
	ASSERT_EQ(0, filter_create(fd, "a", 15));
	ASSERT_EQ(0, filter_create_like(fd, "b", "a"));
	ASSERT_EQ(10, keys_add(fd, "a", keys, 10));
	ASSERT_EQ(10, keys_add(fd, "b", keys + 10, 10));
	EXPECT_EQ(-ENOSPC, merge(fd, "a", "b"));
	EXPECT_EQ(10, keys_members(fd, "a", keys, 20));
	EXPECT_EQ(5, keys_del(fd, "b", keys + 10, 5));
	EXPECT_EQ(0, merge(fd, "a", "b"));
	EXPECT_EQ(15, keys_members(fd, "a", keys, 20));
}

/* Packets add only where somebody made room: it is there afterwards, too. */
TEST_F(merge, room_for_packets)
{
	struct kcuckoo_prefix keys[] = { ipv4(0x0a000001, 32), ipv4(0x0a000002, 32) };
	struct kcuckoo_ioc_create create = {
		.size = sizeof(create),
		.type = KCUCKOO_TYPE_INET,
		.hash = KCUCKOO_HASH_SIPHASH,
		.capacity = KCUCKOO_CAPACITY_MAX,
	};
	struct kcuckoo_ioc_info before, after;
	int fd = self->client.fd;

	set_name(create.name, "a");
	ASSERT_EQ(0, call(fd, KCUCKOO_IOC_CREATE, &create));
	ASSERT_EQ(0, filter_create_like(fd, "b", "a"));
	ASSERT_EQ(0, filter_reserve(fd, "a", KCUCKOO_FAMILY_IPV4, 32, 100000));
	ASSERT_EQ(1, keys_add(fd, "a", &keys[0], 1));
	ASSERT_EQ(1, keys_add(fd, "b", &keys[1], 1));
	ASSERT_EQ(0, filter_info(fd, "a", &before));
	ASSERT_EQ(0, merge(fd, "a", "b"));
	ASSERT_EQ(0, filter_info(fd, "a", &after));
	EXPECT_LE(100000, after.table_entries);
	EXPECT_EQ(before.table_entries, after.table_entries);
	EXPECT_EQ(2, keys_members(fd, "a", keys, 2));
}

/* Sleeps until so much of a second of the clock by which members expire is over. */
static void sleep_until_late(double part)
{
	struct timespec now;

	clock_gettime(CLOCK_BOOTTIME, &now);
	client_sleep(part - now.tv_nsec / 1e9 + (now.tv_nsec / 1e9 > part));
}

/*
 * A member that has expired is none, as long as its entry may stay: where the other
 * filter has it, it has that one's value. The entry is seen before it is collected,
 * which an idle machine needs one try for.
 */
TEST_F(merge, expired)
{
	const struct kcuckoo_prefix keys[] = { ipv4(0x0a000001, 32), ipv4(0x14000000, 8) };
	__u32 ours[] = { 5, 5 }, second[] = { 1, 1 }, theirs[] = { 7, 7 }, values[2];
	struct kcuckoo_ioc_create create = {
		.size = sizeof(create),
		.flags = KCUCKOO_CREATE_TIMEOUT,
		.type = KCUCKOO_TYPE_INET,
		.value_bits = 8,
		.capacity = 10,
	};
	struct kcuckoo_ioc_add add = {
		.size = sizeof(add),
		.keys = (uintptr_t)keys,
		.count = ARRAY_SIZE(keys),
	};
	struct kcuckoo_ioc_test test = {
		.size = sizeof(test),
		.keys = (uintptr_t)keys,
		.count = ARRAY_SIZE(keys),
		.values = (uintptr_t)values,
		.max_values = 1,
	};
	int fd = self->client.fd, tries;
	bool held;

	set_name(create.name, "a");
	set_name(test.name, "a");
	for (tries = 0; tries < 20; tries++) {
		ASSERT_EQ(0, call(fd, KCUCKOO_IOC_CREATE, &create));
		ASSERT_EQ(0, filter_create_like(fd, "b", "a"));
		set_name(add.name, "b");
		add.values = (uintptr_t)theirs;
		add.timeouts = 0;
		ASSERT_EQ(0, call(fd, KCUCKOO_IOC_ADD, &add));
		set_name(add.name, "a");
		add.values = (uintptr_t)ours;
		add.timeouts = (uintptr_t)second;
		sleep_until_late(0.9);
		ASSERT_EQ(0, call(fd, KCUCKOO_IOC_ADD, &add));
		client_sleep(1.3);
		held = !keys_members(fd, "a", keys, ARRAY_SIZE(keys)) &&
		       filter_entries(fd, "a") == ARRAY_SIZE(keys);
		ASSERT_EQ(0, merge(fd, "a", "b"));
		if (held)
			break;
		ASSERT_EQ(0, filter_destroy(fd, "a"));
		ASSERT_EQ(0, filter_destroy(fd, "b"));
	}
	TH_LOG("%d tries", tries + 1);
	ASSERT_TRUE(held);
	ASSERT_EQ(0, call(fd, KCUCKOO_IOC_TEST, &test));
	EXPECT_EQ(ARRAY_SIZE(keys), test.present);
	EXPECT_EQ(7, values[0]);
	EXPECT_EQ(7, values[1]);
	EXPECT_EQ(ARRAY_SIZE(keys), filter_entries(fd, "a"));
}

/* Members that have expired take no room, whether they have been collected or not. */
TEST_F(merge, expired_and_full)
{
	enum { MOST = 100, OURS = 60 };
	struct kcuckoo_prefix keys[2 * OURS];
	__u32 second[OURS];
	struct kcuckoo_ioc_create create = {
		.size = sizeof(create),
		.flags = KCUCKOO_CREATE_TIMEOUT,
		.type = KCUCKOO_TYPE_INET,
		.capacity = MOST,
	};
	struct kcuckoo_ioc_add add = {
		.size = sizeof(add),
		.keys = (uintptr_t)keys,
		.timeouts = (uintptr_t)second,
		.count = 1,
	};
	int fd = self->client.fd;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(keys); i++)
		keys[i] = ipv4(0x0b000000 + i, 32);
	for (i = 0; i < OURS; i++)
		second[i] = 1;
	set_name(create.name, "a");
	ASSERT_EQ(0, call(fd, KCUCKOO_IOC_CREATE, &create));
	ASSERT_EQ(0, filter_create_like(fd, "b", "a"));
	set_name(add.name, "a");
	/* What has just been collected is not collected again so soon, unless for room. */
	ASSERT_EQ(0, call(fd, KCUCKOO_IOC_ADD, &add));
	for (i = 0; i < 300 && filter_entries(fd, "a"); i++)
		client_sleep(0.1);
	add.count = OURS;
	ASSERT_EQ(0, call(fd, KCUCKOO_IOC_ADD, &add));
	ASSERT_EQ(OURS, keys_add(fd, "b", keys + OURS, OURS));
	client_sleep(2.1);
	ASSERT_EQ(0, merge(fd, "a", "b"));
	EXPECT_EQ(OURS, filter_entries(fd, "a"));
	EXPECT_EQ(OURS, keys_members(fd, "a", keys, ARRAY_SIZE(keys)));
}

/*
 * The more entries buckets have, and the fuller they are, the longer a merge looks for
 * each member of the other filter. A kernel that proves locking counts that.
 */
TEST_F(merge, full_buckets_of_eight)
{
	static struct kcuckoo_prefix keys[40000];
	struct kcuckoo_ioc_create create = {
		.size = sizeof(create),
		.flags = KCUCKOO_CREATE_TIMEOUT,
		.type = KCUCKOO_TYPE_INET,
		.bucket_size = 8,
		.value_bits = 8,
		.capacity = KCUCKOO_CAPACITY_MAX,
	};
	struct kcuckoo_ioc_info info = {};
	int fd = self->client.fd;
	size_t i, count = 10000;

	for (i = 0; i < ARRAY_SIZE(keys); i++)
		keys[i] = ipv6(0x20010db800000000 + i * 0x9e3779b97f4a7c15ULL, i, 128);
	set_name(create.name, "a");
	ASSERT_EQ(0, call(fd, KCUCKOO_IOC_CREATE, &create));
	ASSERT_EQ(0, filter_create_like(fd, "b", "a"));
	ASSERT_EQ(count, keys_add(fd, "a", keys, count));
	while (100 * count < 94 * info.table_entries || !info.table_entries) {
		ASSERT_GT(ARRAY_SIZE(keys) - 200, count);
		ASSERT_EQ(100, keys_add(fd, "a", keys + count, 100));
		count += 100;
		ASSERT_EQ(0, filter_info(fd, "a", &info));
	}
	ASSERT_EQ(1, keys_add(fd, "b", keys + count, 1));
	ASSERT_EQ(0, merge(fd, "a", "b"));
	EXPECT_EQ(count + 1, filter_entries(fd, "a"));
	EXPECT_EQ(count + 1, keys_members(fd, "a", keys, ARRAY_SIZE(keys)));
	/* The other way round nearly all are found. */
	ASSERT_EQ(0, merge(fd, "b", "a"));
	ASSERT_EQ(0, merge(fd, "a", "b"));
	EXPECT_EQ(count + 1, filter_entries(fd, "a"));
	EXPECT_EQ(count + 1, keys_members(fd, "b", keys, ARRAY_SIZE(keys)));
}

/* Tables that are hardly searched stay nearly empty, and grow for a merge, too. */
TEST_F(merge, few_steps)
{
	static struct kcuckoo_prefix keys[20000];
	const size_t half = ARRAY_SIZE(keys) / 2;
	struct kcuckoo_ioc_create create = {
		.size = sizeof(create),
		.type = KCUCKOO_TYPE_INET,
		.bucket_size = 1,
		.search_limit = 2,
		.capacity = KCUCKOO_CAPACITY_MAX,
	};
	int fd = self->client.fd;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(keys); i++)
		keys[i] = ipv4(i * 2654435761U, 32);
	set_name(create.name, "a");
	ASSERT_EQ(0, call(fd, KCUCKOO_IOC_CREATE, &create));
	ASSERT_EQ(0, filter_create_like(fd, "b", "a"));
	ASSERT_EQ(half, keys_add(fd, "a", keys, half));
	ASSERT_EQ(half, keys_add(fd, "b", keys + half, half));
	ASSERT_EQ(0, merge(fd, "a", "b"));
	EXPECT_EQ(ARRAY_SIZE(keys), keys_members(fd, "a", keys, ARRAY_SIZE(keys)));
}

/* Filters that do not share a secret, and other mistakes. */
TEST_F(merge, refused)
{
	int fd = self->client.fd;

	ASSERT_EQ(0, bytes_create(fd, "a", 1000, 20, 0));
	ASSERT_EQ(0, bytes_create(fd, "b", 1000, 20, 0));
	EXPECT_EQ(-EINVAL, merge(fd, "a", "b"));
	EXPECT_EQ(-EINVAL, merge(fd, "a", "a"));
	EXPECT_EQ(-ENOENT, merge(fd, "a", "c"));
	EXPECT_EQ(-ENOENT, merge(fd, "c", "a"));
	EXPECT_EQ(-EINVAL, merge(fd, "a", "/"));
}

TEST_HARNESS_MAIN
