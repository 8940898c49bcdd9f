// SPDX-License-Identifier: GPL-2.0-only
/*
 * Capacity, load factor and memory: how much goes in, how densely, and what a
 * refused add leaves behind.
 */

#include "client.h"

#include <limits.h>
#include <math.h>

FIXTURE(capacity)
{
	struct client client;
	struct kcuckoo_prefix *keys;
};

#define KEYS	client_soak(65536, 600000)

FIXTURE_SETUP(capacity)
{
	size_t i;

	ASSERT_EQ(0, client_begin(&self->client));
	self->keys = calloc(KEYS, sizeof(*self->keys));
	ASSERT_NE(NULL, self->keys);
	for (i = 0; i < KEYS; i++)
		self->keys[i] = ipv4(i * 2654435761U, 32);
}

FIXTURE_TEARDOWN(capacity)
{
	EXPECT_EQ(0, client_end(&self->client));
}

/* The filter "a" holds exactly the @count @keys, by walk and by lookup. */
static void holds(struct __test_metadata *_metadata, int fd,
		  const struct kcuckoo_prefix *keys, size_t count)
{
	struct kcuckoo_prefix *members, *sorted = malloc(count * sizeof(*sorted) + 1);

	ASSERT_NE(NULL, sorted);
	memcpy(sorted, keys, count * sizeof(*sorted));
	keys_sort(sorted, count);
	EXPECT_EQ(count, filter_entries(fd, "a"));
	EXPECT_EQ(count, keys_members(fd, "a", keys, count));
	ASSERT_EQ(count, keys_walk(fd, "a", 65536, &members, NULL));
	EXPECT_EQ(0, memcmp(sorted, members, count * sizeof(*sorted)));
	free(members);
	free(sorted);
}

TEST_F(capacity, refused_beyond_it)
{
	static const size_t capacities[] = { 1, 2, 5, 100, 1000, 4096, 10000 };
	struct kcuckoo_ioc_info before, after;
	int fd = self->client.fd;
	size_t i, n;

	for (i = 0; i < ARRAY_SIZE(capacities); i++) {
		n = capacities[i];
		ASSERT_EQ(0, filter_create(fd, "a", n));
		ASSERT_EQ(n, keys_add(fd, "a", self->keys, n))
			TH_LOG("capacity %zu", n);
		ASSERT_EQ(0, filter_info(fd, "a", &before));
		EXPECT_EQ(-ENOSPC, keys_add(fd, "a", self->keys + n, 1));
		EXPECT_EQ(-ENOSPC, keys_add(fd, "a", self->keys + n, 5000));
		ASSERT_EQ(0, filter_info(fd, "a", &after));
		EXPECT_EQ(before.refused + 2, after.refused);
		EXPECT_EQ(before.memory_bytes, after.memory_bytes);
		EXPECT_EQ(before.table_entries, after.table_entries);
		EXPECT_EQ(before.moves, after.moves);
		EXPECT_EQ(before.growths, after.growths);
		EXPECT_EQ(before.plens_ipv6[2], after.plens_ipv6[2]);
		holds(_metadata, fd, self->keys, n);
		EXPECT_EQ(0, filter_destroy(fd, "a"));
	}
}

/* A refusal by another length or family than those that are there. */
TEST_F(capacity, refused_for_a_new_length)
{
	const struct kcuckoo_prefix others[] = {
		key_of("0.0.0.0/0"), key_of("10.0.0.0/8"), key_of("10.0.0.0/24"),
		key_of("::/0"), key_of("2001:db8::/32"), key_of("2001:db8::1"),
	};
	struct kcuckoo_ioc_info before, after;
	int fd = self->client.fd;
	size_t i;

	ASSERT_EQ(0, filter_create(fd, "a", 2000));
	ASSERT_EQ(2000, keys_add(fd, "a", self->keys, 2000));
	ASSERT_EQ(0, filter_info(fd, "a", &before));
	for (i = 0; i < ARRAY_SIZE(others); i++) {
		EXPECT_EQ(-ENOSPC, keys_add(fd, "a", &others[i], 1));
	}
	ASSERT_EQ(0, filter_info(fd, "a", &after));
	EXPECT_EQ(before.memory_bytes, after.memory_bytes);
	EXPECT_EQ(0, keys_covered(fd, "a", self->keys + 2000, 2000));
	holds(_metadata, fd, self->keys, 2000);
}

TEST_F(capacity, batch_across_it)
{
	struct batch batch;
	__u8 results[1500];
	int fd = self->client.fd;
	size_t i;

	ASSERT_EQ(0, filter_create(fd, "a", 1000));
	batch = batch_of("a", self->keys, results, 1500);
	ASSERT_EQ(0, call(fd, KCUCKOO_IOC_ADD, &batch));
	EXPECT_EQ(1000, batch.done);
	EXPECT_EQ(1000, batch.hits);
	EXPECT_EQ(0, batch.misses);
	for (i = 0; i < 1000; i++) {
		ASSERT_EQ(KCUCKOO_RESULT_ADDED, results[i]);
	}
	holds(_metadata, fd, self->keys, 1000);
}

TEST_F(capacity, members_are_no_new_members)
{
	struct batch batch;
	int fd = self->client.fd;

	ASSERT_EQ(0, filter_create(fd, "a", 1000));
	ASSERT_EQ(1000, keys_add(fd, "a", self->keys, 1000));
	batch = batch_of("a", self->keys, NULL, 1000);
	ASSERT_EQ(0, call(fd, KCUCKOO_IOC_ADD, &batch));
	EXPECT_EQ(1000, batch.done);
	EXPECT_EQ(1000, batch.misses);
}

TEST_F(capacity, room_after_delete)
{
	int fd = self->client.fd;
	int round;

	ASSERT_EQ(0, filter_create(fd, "a", 1000));
	ASSERT_EQ(1000, keys_add(fd, "a", self->keys, 1000));
	for (round = 0; round < 50; round++) {
		struct kcuckoo_prefix *old = self->keys + round * 100;

		ASSERT_EQ(100, keys_del(fd, "a", old, 100));
		ASSERT_EQ(100, keys_add(fd, "a", old + 1000, 100));
		ASSERT_EQ(-ENOSPC, keys_add(fd, "a", old, 1));
	}
	holds(_metadata, fd, self->keys + 5000, 1000);
}

/*
 * Tables of 1,024 buckets and more are at least 95 % full before they grow, by a
 * quarter and what goes into the memory's last page. The index of few hosts doubles,
 * to four bytes for each at most, and 64 KB. Keys come a few at a time where a growth is
 * near or would be too early, so the fill just before a growth is seen.
 */
TEST_F(capacity, load_before_growth)
{
	struct kcuckoo_ioc_info last = {}, info;
	int fd = self->client.fd;
	size_t count = client_scale(client_soak(60000, 150000));
	const size_t few = 16;
	size_t step, i, index, seen = 0;
	double load;

	ASSERT_EQ(0, filter_create(fd, "a", 1 << 20));
	for (i = 0; i < count; i += step) {
		/* Up to 92 % at once: a growth before that is too early at any load. */
		step = few;
		if (last.table_entries_used + few < last.table_entries * 92 / 100)
			step = last.table_entries * 92 / 100 - last.table_entries_used;
		step = step < count - i ? step : count - i;
		ASSERT_EQ(step, keys_add(fd, "a", self->keys + i, step));
		ASSERT_EQ(0, filter_info(fd, "a", &info));
		if (info.growths != last.growths && last.table_entries >= 4096) {
			load = (last.table_entries_used + step) / (double)last.table_entries;
			EXPECT_LE(0.95, load)
				TH_LOG("grew at %.4f of %llu entries", load, last.table_entries);
			index = info.table_entries < 1 << 14 ? 2 * info.table_entries : 1 << 15;
			EXPECT_GE(last.memory_bytes * 1.26 + 4096 + index,
				  info.memory_bytes);
			seen++;
		}
		last = info;
	}
	EXPECT_LT(client_slow() ? 3 : 8, seen);
	EXPECT_EQ(i, keys_members(fd, "a", self->keys, i));
}

/*
 * With room reserved, as loading a list does, 593,480 addresses need at most
 * 18.5 bits each; fewer need longer tags. Without, a growth may just have been.
 */
TEST_F(capacity, bits_for_each_address)
{
	size_t count = client_sample(60000, 593480);
	double limit = 18.5 + log2(593480.0 / count);
	struct kcuckoo_ioc_info empty, info;
	int fd = self->client.fd;
	__u64 state = 99;
	size_t i;
	double bits;

	for (i = 0; i < count; i++)
		self->keys[i] = ipv4(random_next(&state), 32);
	ASSERT_EQ(0, filter_create(fd, "a", 1 << 20));
	ASSERT_EQ(0, filter_info(fd, "a", &empty));
	/* What every filter has weighs more with few members; these have an index. */
	if (count < 131072)
		limit += (empty.memory_bytes + (64 << 10)) * 8.0 / count;
	ASSERT_EQ(0, filter_reserve(fd, "a", KCUCKOO_FAMILY_IPV4, 32, count));
	ASSERT_LT(count * 0.99, keys_add(fd, "a", self->keys, count));
	ASSERT_EQ(0, filter_info(fd, "a", &info));
	bits = info.memory_bytes * 8.0 / info.members;
	TH_LOG("%llu addresses, %.2f bits each", info.members, bits);
	EXPECT_GE(limit, bits);
	EXPECT_EQ(count, keys_members(fd, "a", self->keys, count));

	ASSERT_EQ(0, filter_create(fd, "b", 1 << 20));
	ASSERT_EQ(info.members, keys_add(fd, "b", self->keys, count));
	ASSERT_EQ(0, filter_info(fd, "b", &info));
	bits = info.memory_bytes * 8.0 / info.members;
	TH_LOG("%llu addresses grown, %.2f bits each", info.members, bits);
	EXPECT_GE(limit * 1.25, bits);
}

/* Room beyond the capacity is of use where that does not limit the members. */
TEST_F(capacity, reserved_beyond_it)
{
	struct kcuckoo_ioc_create create = {
		.size = sizeof(create),
		.flags = KCUCKOO_CREATE_FIXED,
		.type = KCUCKOO_TYPE_INET,
		.tag_bits = 20,
		.capacity = 1000,
	};
	const size_t count = 10000;
	struct kcuckoo_ioc_info info;
	int fd = self->client.fd;

	ASSERT_EQ(0, filter_create(fd, "exact", create.capacity));
	ASSERT_EQ(0, filter_reserve(fd, "exact", KCUCKOO_FAMILY_IPV4, 32, count));
	ASSERT_EQ(0, filter_info(fd, "exact", &info));
	EXPECT_LE(create.capacity, info.table_entries);
	EXPECT_GT(count / 5, info.table_entries);

	set_name(create.name, "a");
	ASSERT_EQ(0, call(fd, KCUCKOO_IOC_CREATE, &create));
	ASSERT_EQ(0, filter_reserve(fd, "a", KCUCKOO_FAMILY_IPV4, 32, count));
	ASSERT_EQ(0, filter_info(fd, "a", &info));
	EXPECT_LE(count, info.table_entries);
	/* Some may be taken for others. */
	EXPECT_LT(count * 0.99, keys_add(fd, "a", self->keys, count));
	EXPECT_EQ(count, keys_covered(fd, "a", self->keys, count));
	/* All there is: so much more would be another table. */
	EXPECT_EQ(-ENOSPC, keys_add(fd, "a", self->keys + count, count));
}

/*
 * What vmalloc has given out, in KB, when that is @most or less, and does not become
 * less: an area is off the kernel's list before its pages are given back.
 */
static long vmalloc_rest(long most)
{
	long now = memory_line("VmallocUsed"), last = now;
	int same = 0, tries;

	for (tries = 0; tries < 600 && (same < 5 || now > most); tries++) {
		client_sleep(0.1);
		now = memory_line("VmallocUsed");
		same = now < last ? 0 : same + 1;
		last = now;
	}
	return now;
}

/* What large tables are said to take is what they take, in huge pages, too. */
TEST_F(capacity, large)
{
	const __u64 last = client_slow() ? 1 << 25 : client_soak(1 << 23, 1 << 25);
	const long others = 512;
	int fd = self->client.fd;
	__u64 members;
	long rest;

	/* What was another test's goes with its namespace, a little later. */
	ASSERT_EQ(0, memory_rest().vmalloc);
	ASSERT_EQ(0, filter_create(fd, "a", 1 << 30));
	rest = vmalloc_rest(LONG_MAX);
	for (members = 1 << 20; members <= last; members = members * 7 / 4) {
		struct kcuckoo_ioc_info empty, info;
		long before = vmalloc_rest(rest + others / 2), taken;

		ASSERT_EQ(0, filter_info(fd, "a", &empty));
		ASSERT_EQ(0, filter_reserve(fd, "a", KCUCKOO_FAMILY_IPV4, 32, members));
		ASSERT_EQ(0, filter_info(fd, "a", &info));
		taken = memory_line("VmallocUsed") - before;
		info.memory_bytes -= empty.memory_bytes;
		/*
		 * The array of pointers to pages is not in that line, and the stacks of
		 * all threads that begin and end meanwhile are.
		 */
		EXPECT_LE(info.memory_bytes * 0.99 / 1024, taken + others);
		EXPECT_GE(info.memory_bytes / 1024, taken - others);
		ASSERT_EQ(0, filter_flush(fd, "a"));
	}
}

TEST_HARNESS_MAIN
