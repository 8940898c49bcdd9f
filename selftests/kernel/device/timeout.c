// SPDX-License-Identifier: GPL-2.0-only
/*
 * Keys that expire: at once for look-ups, later for memory; renewed, never
 * shortened.
 */

#include "bytes.h"
#include "image.h"

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

	return error ? error : (long long)info.members_with_timeout;
}

/* Waits for the collection of all that has expired. */
static long long wait_for_entries(int fd, const char *name, long long entries)
{
	int tries;

	for (tries = 0; tries < 600 && filter_entries(fd, name) != entries; tries++)
		client_sleep(0.1);
	return filter_entries(fd, name);
}

/*
 * Keys have to be there for some calls, and a machine may be too slow for that:
 * then the calls are made again, with keys that live twice as long.
 */
static bool too_late(double start, __u32 life)
{
	return client_clock() - start >= life && life < 60;
}

/* The seconds of the first try on a fast or a slow kernel, then twice as many each time. */
static __u32 longer(__u32 life)
{
	return life ? 2 * life : client_slow() ? 2 : 1;
}

TEST_F(timeout, expire)
{
	int fd = self->client.fd;
	long long found;
	__u32 life = 0;
	double start;

	ASSERT_EQ(0, inet_create(fd, "a", 0, COUNT));
	do {
		life = longer(life);
		ASSERT_EQ(0, filter_flush(fd, "a"));
		ASSERT_EQ(1000, keys_add(fd, "a", self->keys, 1000));
		EXPECT_EQ(0, expiring(fd, "a"));
		start = client_clock();
		EXPECT_EQ(1000, add(fd, "a", self->keys + 1000, NULL, life, 1000));
		found = keys_members(fd, "a", self->keys + 1000, 1000);
	} while (too_late(start, life));
	EXPECT_EQ(1000, found);
	client_sleep(life + 1.1);
	EXPECT_EQ(0, keys_members(fd, "a", self->keys + 1000, 1000));
	EXPECT_EQ(1000, keys_members(fd, "a", self->keys, 1000));
	EXPECT_EQ(1000, wait_for_entries(fd, "a", 1000));
	EXPECT_EQ(0, expiring(fd, "a"));
	EXPECT_EQ(1000, keys_members(fd, "a", self->keys, 1000));
}

/*
 * The shortest prefixes lie in a bitmap. They expire when the collection has just
 * been, so that it is the look-up that knows.
 */
TEST_F(timeout, short_prefixes)
{
	struct kcuckoo_prefix prefixes[100];
	int fd = self->client.fd;
	long long found;
	__u32 life = 0;
	double start;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(prefixes); i++)
		prefixes[i] = ipv4((20 + i) << 24, 8);
	ASSERT_EQ(0, inet_create(fd, "a", 0, COUNT));
	do {
		life = longer(life);
		ASSERT_EQ(0, filter_flush(fd, "a"));
		start = client_clock();
		EXPECT_EQ(1, add(fd, "a", self->keys + 2, NULL, life, 1));
		EXPECT_EQ(100, add(fd, "a", prefixes, NULL, life + 2, 100));
		found = keys_members(fd, "a", prefixes, 100);
	} while (too_late(start, life));
	EXPECT_EQ(100, found);
	client_sleep(life + 3.1);
	EXPECT_EQ(0, keys_members(fd, "a", prefixes, 100));
}

/* Insert-only filters of byte strings expire, too. */
TEST_F(timeout, byte_strings)
{
	struct kcuckoo_ioc_create create = bytes_form("a", COUNT, 24);
	long long found, again = 0;
	int fd = self->client.fd;
	double start;

	create.flags = KCUCKOO_CREATE_TIMEOUT | KCUCKOO_CREATE_INSERT_ONLY;
	create.timeout = 0;
	do {
		if (create.timeout) {
			ASSERT_EQ(0, filter_destroy(fd, "a"));
		}
		create.timeout = longer(create.timeout);
		ASSERT_EQ(0, call(fd, KCUCKOO_IOC_CREATE, &create));
		start = client_clock();
		EXPECT_LT(COUNT - 10, strings_add(fd, "a", &self->strings));
		found = strings_test(fd, "a", &self->strings);
		if (too_late(start, create.timeout))
			continue;
		client_sleep(create.timeout + 1.1);
		EXPECT_EQ(0, strings_test(fd, "a", &self->strings));
		/* What has expired is added anew, whether it was collected or not. */
		start = client_clock();
		EXPECT_LT(COUNT - 10, strings_add(fd, "a", &self->strings));
		again = strings_test(fd, "a", &self->strings);
	} while (too_late(start, create.timeout));
	EXPECT_EQ(COUNT, found);
	EXPECT_EQ(COUNT, again);
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
		/* They may have run for a while. */
		{ 100, 51, 100 }, { 50, 51, 100 }, { 200, 151, 200 },
		{ KCUCKOO_TIMEOUT_MAX, KCUCKOO_TIMEOUT_MAX - 50, KCUCKOO_TIMEOUT_MAX },
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

/* Filters that have the same members: the later time counts, whichever has it. */
TEST_F(timeout, merged)
{
	static const __u32 ours[] = { 100, 200, 0, 100 }, theirs[] = { 200, 100, 100, 0 };
	static const __u32 later[] = { 200, 200, 0, 0 };
	/* In a table, and in a bitmap. */
	struct kcuckoo_prefix keys[8], told[8];
	__u32 timeouts[8] = {};
	struct kcuckoo_ioc_walk walk = {
		.size = sizeof(walk),
		.keys = (uintptr_t)told,
		.timeouts = (uintptr_t)timeouts,
		.count = 8,
	};
	int fd = self->client.fd;
	size_t i, j;

	ASSERT_EQ(0, inet_create(fd, "a", 0, COUNT));
	ASSERT_EQ(0, filter_create_like(fd, "b", "a"));
	for (i = 0; i < 8; i++) {
		keys[i] = i < 4 ? ipv4(0x0b000001 + i, 32) : ipv4((20 + i) << 24, 8);
		EXPECT_EQ(1, add(fd, "a", &keys[i], NULL, ours[i % 4], 1));
		EXPECT_EQ(1, add(fd, "b", &keys[i], NULL, theirs[i % 4], 1));
	}
	EXPECT_EQ(0, filter_pair(fd, KCUCKOO_IOC_MERGE, "a", "b"));
	set_name(walk.name, "a");
	ASSERT_EQ(0, call(fd, KCUCKOO_IOC_WALK, &walk));
	ASSERT_EQ(8, walk.done);
	for (i = 0; i < 8; i++) {
		for (j = 0; j < 8 && memcmp(&told[i], &keys[j], sizeof(*told)); j++)
			;
		ASSERT_LT(j, 8);
		/* They may have run for a while. */
		EXPECT_GE(later[j % 4], timeouts[i]);
		EXPECT_LE(later[j % 4], timeouts[i] + 49);
	}
}

/*
 * What expires is collected, however the filter came to have nothing before that
 * does: no add is needed that finds no room.
 */
TEST_F(timeout, collected_after_nothing_expired)
{
	int fd = self->client.fd, i;
	__u8 *image;
	__u64 size;

	/* Restored and merged while empty. */
	ASSERT_EQ(0, inet_create(fd, "a", 0, COUNT));
	ASSERT_EQ(0, image_save(fd, "a", 1 << 16, &image, &size));
	EXPECT_EQ(0, image_restore(fd, "b", image, size, size, 1 << 16));
	free(image);
	ASSERT_EQ(0, filter_create_like(fd, "c", "a"));
	EXPECT_EQ(0, filter_pair(fd, KCUCKOO_IOC_MERGE, "c", "a"));
	/* A key that never expires has been given a second, and kept its own. */
	ASSERT_EQ(0, inet_create(fd, "d", 0, COUNT));
	EXPECT_EQ(1, add(fd, "d", &self->keys[3], NULL, 0, 1));
	EXPECT_EQ(0, add(fd, "d", &self->keys[3], NULL, 1, 1));
	EXPECT_EQ(0, expiring(fd, "d"));
	client_sleep(1.1);
	for (i = 'b'; i <= 'd'; i++) {
		const char name[] = { i, 0 };

		EXPECT_EQ(1, add(fd, name, &self->keys[5], NULL, 1, 1));
	}
	EXPECT_EQ(0, wait_for_entries(fd, "b", 0));
	EXPECT_EQ(0, wait_for_entries(fd, "c", 0));
	EXPECT_EQ(1, wait_for_entries(fd, "d", 1));
	EXPECT_EQ(0, expiring(fd, "d"));
}

/* A filter's own timeout, and one that is full of what has expired. */
TEST_F(timeout, room_again)
{
	long long beyond, entries = 0;
	int fd = self->client.fd;
	__u32 life = 0;
	double start;
	size_t i;

	for (i = 0; i < COUNT; i++)
		self->keys[i] = ipv4(0x0b000000 + i * 3, 32);
	do {
		if (life) {
			ASSERT_EQ(0, filter_destroy(fd, "a"));
		}
		life = longer(life);
		ASSERT_EQ(0, inet_create(fd, "a", life, 100));
		start = client_clock();
		EXPECT_EQ(100, keys_add(fd, "a", self->keys, 100));
		beyond = keys_add(fd, "a", self->keys + 100, 1);
		if (too_late(start, life))
			continue;
		client_sleep(life + 1.1);
		start = client_clock();
		EXPECT_EQ(100, keys_add(fd, "a", self->keys + 100, 100));
		entries = filter_entries(fd, "a");
	} while (too_late(start, life));
	EXPECT_EQ(-ENOSPC, beyond);
	EXPECT_EQ(100, entries);
	EXPECT_EQ(0, keys_members(fd, "a", self->keys, 100));
	EXPECT_EQ(0, wait_for_entries(fd, "a", 0));
}

/* Fingerprints, of which both buckets are full: no key is refused for what has expired. */
TEST_F(timeout, copies)
{
	enum { COPIES = 2 * 4 };
	struct kcuckoo_ioc_create create = bytes_form("a", 100, 16);
	__u32 second[COPIES] = { 1, 1, 1, 1, 1, 1, 1, 1 };
	__u32 values[2 * COPIES] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 };
	__u16 lengths[COPIES] = { 1, 1, 1, 1, 1, 1, 1, 1 };
	struct kcuckoo_ioc_add add = {
		.size = sizeof(add),
		.keys = (uintptr_t)"aaaaaaaa",
		.lengths = (uintptr_t)lengths,
		.values = (uintptr_t)values,
		.timeouts = (uintptr_t)second,
		.count = 1,
	};
	int fd = self->client.fd;

	create.flags = KCUCKOO_CREATE_INSERT_ONLY | KCUCKOO_CREATE_TIMEOUT;
	create.value_bits = 8;
	ASSERT_EQ(0, call(fd, KCUCKOO_IOC_CREATE, &create));
	set_name(add.name, "a");
	/* What has just been collected is not collected again so soon, unless for room. */
	ASSERT_EQ(0, call(fd, KCUCKOO_IOC_ADD, &add));
	ASSERT_EQ(0, wait_for_entries(fd, "a", 0));
	add.count = COPIES;
	ASSERT_EQ(0, call(fd, KCUCKOO_IOC_ADD, &add));
	EXPECT_EQ(COPIES, add.added);
	client_sleep(2.1);
	add.values = (uintptr_t)(values + COPIES);
	add.timeouts = 0;
	ASSERT_EQ(0, call(fd, KCUCKOO_IOC_ADD, &add));
	EXPECT_EQ(COPIES, add.added);
	EXPECT_EQ(COPIES, filter_entries(fd, "a"));
	/* Another key with that fingerprint would have no entry, and would expire, too. */
	add.flags = KCUCKOO_ADD_ABSENT;
	EXPECT_EQ(-EOPNOTSUPP, call(fd, KCUCKOO_IOC_ADD, &add));
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

	for (i = 0; i < client_sample(20, 50); i++) {
		ASSERT_EQ(0, inet_create(fd, "a", 1, COUNT));
		EXPECT_LT(0, keys_add(fd, "a", self->keys, COUNT));
		if (i % 10 == 9)
			client_sleep(1.2);
		EXPECT_EQ(0, filter_destroy(fd, "a"));
	}
}

TEST_HARNESS_MAIN
