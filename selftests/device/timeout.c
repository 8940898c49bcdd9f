// SPDX-License-Identifier: GPL-2.0-only
/*
 * Keys that expire: at once for look-ups, later for memory; renewed, never
 * shortened.
 */

#include "bytes.h"

#define COUNT	2000

FIXTURE(timeout)
{
	struct client client;
	struct kcuckoo_prefix keys[COUNT];
	struct strings strings;
};

FIXTURE_SETUP(timeout)
{
	size_t i;

	ASSERT_EQ(0, client_begin(&self->client));
	for (i = 0; i < COUNT; i++)
		self->keys[i] = i % 5 == 0 ? ipv4((i / 5 + 1) << 16, 16) :
			i % 5 == 1 ? ipv4(i / 5 << 20, 12) :
			i % 2 ? ipv4(0x0b000000 + i * 17, 32) :
			ipv6(0x20010db800000000ULL + i, i * 17, 128);
	self->strings = strings_make("key", 0, COUNT);
}

FIXTURE_TEARDOWN(timeout)
{
	strings_free(&self->strings);
	EXPECT_EQ(0, client_end(&self->client));
}

static int inet_create(int fd, const char *name, __u32 timeout, __u64 capacity)
{
	struct kcuckoo_ioc_create create = {
		.size = sizeof(create),
		.flags = KCUCKOO_CREATE_TIMEOUT,
		.type = KCUCKOO_TYPE_INET,
		.timeout = timeout,
		.capacity = capacity,
	};

	set_name(create.name, name);
	return call(fd, KCUCKOO_IOC_CREATE, &create);
}

/* Adds keys, all with one timeout. How many became members, or -errno. */
static long long add(int fd, const char *name, const void *keys, const __u16 *lengths,
		     __u32 timeout, __u32 count)
{
	__u32 *timeouts = numbers_make(timeout, 0, count);
	struct kcuckoo_ioc_add request = {
		.size = sizeof(request),
		.keys = (uintptr_t)keys,
		.lengths = (uintptr_t)lengths,
		.timeouts = (uintptr_t)timeouts,
		.count = count,
	};
	int error;

	set_name(request.name, name);
	error = call(fd, KCUCKOO_IOC_ADD, &request);
	free(timeouts);
	return error ? error : (long long)request.added;
}

static long long expiring(int fd, const char *name)
{
	struct kcuckoo_ioc_info info;
	int error = filter_info(fd, name, &info);

	return error ? error : (long long)info.expiring;
}

/* Waits for the collection of all that has expired. */
static long long wait_for_entries(int fd, const char *name, long long entries)
{
	int tries;

	for (tries = 0; tries < 600 && filter_entries(fd, name) != entries; tries++)
		client_sleep(0.1);
	return filter_entries(fd, name);
}

TEST_F(timeout, expire)
{
	int fd = self->client.fd;

	ASSERT_EQ(0, inet_create(fd, "a", 0, COUNT));
	ASSERT_EQ(1000, keys_add(fd, "a", self->keys, 1000));
	EXPECT_EQ(0, expiring(fd, "a"));
	EXPECT_EQ(1000, add(fd, "a", self->keys + 1000, NULL, 2, 1000));
	EXPECT_EQ(1000, keys_members(fd, "a", self->keys + 1000, 1000));
	client_sleep(3.1);
	EXPECT_EQ(0, keys_members(fd, "a", self->keys + 1000, 1000));
	EXPECT_EQ(1000, keys_members(fd, "a", self->keys, 1000));
	EXPECT_EQ(1000, wait_for_entries(fd, "a", 1000));
	EXPECT_EQ(0, expiring(fd, "a"));
	EXPECT_EQ(1000, keys_members(fd, "a", self->keys, 1000));
}

/* Insert-only filters of byte strings expire, too. */
TEST_F(timeout, byte_strings)
{
	struct kcuckoo_ioc_create create = bytes_form("a", COUNT, 24);
	int fd = self->client.fd;

	create.flags = KCUCKOO_CREATE_TIMEOUT | KCUCKOO_CREATE_INSERT_ONLY;
	create.timeout = 2;
	ASSERT_EQ(0, call(fd, KCUCKOO_IOC_CREATE, &create));
	EXPECT_LT(COUNT - 10, strings_add(fd, "a", &self->strings));
	EXPECT_EQ(COUNT, strings_test(fd, "a", &self->strings));
	client_sleep(3.1);
	EXPECT_EQ(0, strings_test(fd, "a", &self->strings));
	/* What has expired is added anew, whether it was collected or not. */
	EXPECT_LT(COUNT - 10, strings_add(fd, "a", &self->strings));
	EXPECT_EQ(COUNT, strings_test(fd, "a", &self->strings));
	EXPECT_EQ(0, wait_for_entries(fd, "a", 0));
}

/* Renewal: the later time counts, and never the earlier one. */
TEST_F(timeout, renew)
{
	__u32 timeouts[4] = {};
	struct kcuckoo_prefix told[4];
	struct kcuckoo_ioc_walk walk = {
		.size = sizeof(walk),
		.keys = (uintptr_t)told,
		.timeouts = (uintptr_t)timeouts,
		.count = 4,
	};
	struct kcuckoo_prefix key = ipv4(0x0b000001, 32);
	int fd = self->client.fd;
	static const struct {
		__u32 add, least, most;
	} steps[] = {
		{ 100, 98, 100 }, { 50, 98, 100 }, { 200, 198, 200 },
		{ KCUCKOO_TIMEOUT_MAX, KCUCKOO_TIMEOUT_MAX - 2, KCUCKOO_TIMEOUT_MAX },
		{ 0, 0, 0 }, { 100, 0, 0 },
	};
	size_t i;

	ASSERT_EQ(0, inet_create(fd, "a", 0, 10));
	set_name(walk.name, "a");
	for (i = 0; i < ARRAY_SIZE(steps); i++) {
		EXPECT_EQ(!i, add(fd, "a", &key, NULL, steps[i].add, 1));
		memset(&walk.cursor, 0, sizeof(walk.cursor));
		ASSERT_EQ(0, call(fd, KCUCKOO_IOC_WALK, &walk));
		ASSERT_EQ(1, walk.done);
		EXPECT_LE(steps[i].least, timeouts[0]);
		EXPECT_GE(steps[i].most, timeouts[0]);
		EXPECT_EQ(!!steps[i].most, expiring(fd, "a"));
	}
	EXPECT_EQ(-EINVAL, add(fd, "a", &key, NULL, KCUCKOO_TIMEOUT_MAX + 1, 1));
}

/* A filter's own timeout, and one that is full of what has expired. */
TEST_F(timeout, room_again)
{
	int fd = self->client.fd;
	size_t i;

	for (i = 0; i < COUNT; i++)
		self->keys[i] = ipv4(0x0b000000 + i * 3, 32);
	ASSERT_EQ(0, inet_create(fd, "a", 1, 100));
	EXPECT_EQ(100, keys_add(fd, "a", self->keys, 100));
	EXPECT_EQ(-ENOSPC, keys_add(fd, "a", self->keys + 100, 1));
	client_sleep(2.1);
	EXPECT_EQ(100, keys_add(fd, "a", self->keys + 100, 100));
	EXPECT_EQ(100, filter_entries(fd, "a"));
	EXPECT_EQ(0, keys_members(fd, "a", self->keys, 100));
	EXPECT_EQ(0, wait_for_entries(fd, "a", 0));
}

/* Filters without timeouts take none. */
TEST_F(timeout, refused)
{
	int fd = self->client.fd;

	ASSERT_EQ(0, filter_create(fd, "a", 100));
	EXPECT_EQ(-EOPNOTSUPP, add(fd, "a", self->keys, NULL, 5, 1));
	EXPECT_EQ(0, filter_entries(fd, "a"));
}

/* A filter that ends while its members expire. */
TEST_F(timeout, destroyed_meanwhile)
{
	int fd = self->client.fd;
	size_t i;

	for (i = 0; i < client_scale(50); i++) {
		ASSERT_EQ(0, inet_create(fd, "a", 1, COUNT));
		EXPECT_LT(0, keys_add(fd, "a", self->keys, COUNT));
		if (i % 10 == 9)
			client_sleep(1.2);
		EXPECT_EQ(0, filter_destroy(fd, "a"));
	}
}

TEST_HARNESS_MAIN
