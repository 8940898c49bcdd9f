// SPDX-License-Identifier: GPL-2.0-only
/*
 * Walks: every member exactly once, whatever its length and wherever the calls
 * are cut; cursors from elsewhere do no harm.
 */

#include "client.h"

/* More than two calls of the least room tell. */
#define MEMBERS	(client_slow() ? 9000 : client_soak(9000, 30000))

FIXTURE(walk)
{
	struct client client;
	struct kcuckoo_prefix *keys;
	size_t count;
};

/* Members of every length, and sorted as keys_walk() sorts them. */
FIXTURE_SETUP(walk)
{
	__u64 state = 42;
	size_t i;
	int plen;

	ASSERT_EQ(0, client_begin(&self->client));
	self->keys = calloc(30000 + 512, sizeof(*self->keys));
	ASSERT_NE(NULL, self->keys);
	for (plen = 0; plen <= 32; plen++)
		self->keys[self->count++] = ipv4(0xffffffff, plen);
	for (plen = 0; plen <= 128; plen++)
		self->keys[self->count++] = ipv6(~0ULL, ~0ULL, plen);
	for (i = 0; self->count < MEMBERS; i++)
		self->keys[self->count++] = i % 2 ?
			ipv4(i * 2654435761U, 32) :
			ipv6(i, random_next(&state), i % 4 ? 128 : 64);
	ASSERT_EQ(0, filter_create(self->client.fd, "a", 1 << 20));
	ASSERT_EQ(self->count, keys_add(self->client.fd, "a", self->keys, self->count));
	keys_sort(self->keys, self->count);
}

FIXTURE_TEARDOWN(walk)
{
	EXPECT_EQ(0, client_end(&self->client));
}

TEST_F(walk, tells_every_member_once)
{
	const __u32 rooms[] = {
		1, 7, KCUCKOO_WALK_BATCH, KCUCKOO_WALK_BATCH + 1, 10000, MEMBERS - 1, MEMBERS,
		MEMBERS + 1, KCUCKOO_BATCH_MAX,
	};
	struct kcuckoo_prefix *members;
	unsigned long restarts = 0;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rooms); i++) {
		ASSERT_EQ(self->count, keys_walk(self->client.fd, "a", rooms[i],
						 &members, &restarts));
		EXPECT_EQ(0, memcmp(members, self->keys,
				    self->count * sizeof(*members)))
			TH_LOG("room for %u", rooms[i]);
		free(members);
	}
	EXPECT_EQ(0, restarts);
}

TEST_F(walk, after_deletes)
{
	struct kcuckoo_prefix *members;
	size_t half = self->count / 2;

	ASSERT_EQ(half, keys_del(self->client.fd, "a", self->keys, half));
	ASSERT_EQ(self->count - half, keys_walk(self->client.fd, "a", 5000, &members,
						NULL));
	EXPECT_EQ(0, memcmp(members, self->keys + half,
			    (self->count - half) * sizeof(*members)));
	free(members);
}

TEST_F(walk, room_out_of_bounds)
{
	static const __u32 rooms[] = {
		0, KCUCKOO_BATCH_MAX + 1, 1U << 31, ~0U,
	};
	struct kcuckoo_ioc_walk request = {
		.size = sizeof(request),
		.keys = (uintptr_t)self->keys,
	};
	size_t i;

	set_name(request.name, "a");
	for (i = 0; i < ARRAY_SIZE(rooms); i++) {
		request.count = rooms[i];
		EXPECT_EQ(-EINVAL, call(self->client.fd, KCUCKOO_IOC_WALK, &request))
			TH_LOG("room for %u", rooms[i]);
	}
}

TEST_F(walk, writes_only_what_it_tells)
{
	struct kcuckoo_ioc_walk request = { .size = sizeof(request), .count = 8192 };
	__u8 *space = malloc(8192 * sizeof(struct kcuckoo_prefix) + 64);
	size_t byte;

	ASSERT_NE(NULL, space);
	set_name(request.name, "a");
	request.keys = (uintptr_t)space;
	do {
		memset(space, POISON, 8192 * sizeof(struct kcuckoo_prefix) + 64);
		ASSERT_EQ(0, call(self->client.fd, KCUCKOO_IOC_WALK, &request));
		ASSERT_LE(request.done, 8192);
		for (byte = request.done * sizeof(struct kcuckoo_prefix);
		     byte < 8192 * sizeof(struct kcuckoo_prefix) + 64; byte++) {
			ASSERT_EQ(POISON, space[byte])
				TH_LOG("%u told, byte %zu", request.done, byte);
		}
		EXPECT_EQ(8192, request.count);
		EXPECT_EQ(0, request.reserved);
	} while (request.state == KCUCKOO_WALK_MORE);
	EXPECT_EQ(KCUCKOO_WALK_END, request.state);
}

TEST_F(walk, keys_nowhere)
{
	struct kcuckoo_ioc_walk request = {
		.size = sizeof(request),
		.count = KCUCKOO_WALK_BATCH,
	};
	struct kcuckoo_prefix *members;

	set_name(request.name, "a");
	EXPECT_EQ(-EFAULT, call(self->client.fd, KCUCKOO_IOC_WALK, &request));
	request.keys = 0xffff888000000000ULL;
	EXPECT_EQ(-EFAULT, call(self->client.fd, KCUCKOO_IOC_WALK, &request));
	EXPECT_EQ(self->count, keys_walk(self->client.fd, "a", 5000, &members, NULL));
	free(members);
}

/* A cursor is only a hint: any bytes at all end in an answer, never in harm. */
TEST_F(walk, cursors_of_garbage)
{
	struct kcuckoo_ioc_walk request = {
		.size = sizeof(request),
		.count = KCUCKOO_WALK_BATCH,
	};
	struct kcuckoo_prefix *space = calloc(KCUCKOO_WALK_BATCH, sizeof(*space));
	__u64 state = 7, move_seq;
	int round, error;

	ASSERT_NE(NULL, space);
	set_name(request.name, "a");
	request.keys = (uintptr_t)space;
	ASSERT_EQ(0, call(self->client.fd, KCUCKOO_IOC_WALK, &request));
	move_seq = request.cursor.move_seq;
	for (round = 0; round < client_sample(400, 2000); round++) {
		request.cursor.move_seq = round % 2 ? move_seq : random_next(&state);
		request.cursor.position = random_next(&state) >> (round % 64);
		error = call(self->client.fd, KCUCKOO_IOC_WALK, &request);
		ASSERT_TRUE(!error || error == -EINVAL)
			TH_LOG("position %#llx: %d", request.cursor.position, error);
		ASSERT_GE(KCUCKOO_WALK_RESTART, request.state);
	}
	request.cursor.move_seq = move_seq;
	request.cursor.position = ~0ULL;
	error = call(self->client.fd, KCUCKOO_IOC_WALK, &request);
	EXPECT_TRUE(!error || error == -EINVAL);
}

/* What happens between two calls is noticed, or does not matter. */
TEST_F(walk, restarts_after_growth_and_flush)
{
	struct kcuckoo_ioc_walk request = {
		.size = sizeof(request),
		.count = KCUCKOO_WALK_BATCH,
	};
	struct kcuckoo_prefix *space = calloc(KCUCKOO_WALK_BATCH, sizeof(*space));
	struct kcuckoo_prefix *more = calloc(MEMBERS, sizeof(*more));
	struct kcuckoo_ioc_info before, after;
	int fd = self->client.fd;
	size_t i;

	ASSERT_NE(NULL, space);
	ASSERT_NE(NULL, more);
	set_name(request.name, "a");
	request.keys = (uintptr_t)space;
	ASSERT_EQ(0, call(fd, KCUCKOO_IOC_WALK, &request));
	EXPECT_EQ(KCUCKOO_WALK_MORE, request.state);
	for (i = 0; i < MEMBERS; i++)
		more[i] = ipv4(0xc0000000 + i * 5, 32);
	ASSERT_EQ(0, filter_info(fd, "a", &before));
	ASSERT_EQ(MEMBERS, keys_add(fd, "a", more, MEMBERS));
	ASSERT_EQ(0, filter_info(fd, "a", &after));
	ASSERT_LT(before.growths, after.growths);
	ASSERT_EQ(0, call(fd, KCUCKOO_IOC_WALK, &request));
	EXPECT_EQ(KCUCKOO_WALK_RESTART, request.state);

	memset(&request.cursor, 0, sizeof(request.cursor));
	ASSERT_EQ(0, call(fd, KCUCKOO_IOC_WALK, &request));
	EXPECT_EQ(KCUCKOO_WALK_MORE, request.state);
	ASSERT_EQ(0, filter_flush(fd, "a"));
	while (request.state == KCUCKOO_WALK_MORE) {
		ASSERT_EQ(0, call(fd, KCUCKOO_IOC_WALK, &request));
		EXPECT_EQ(0, request.done);
	}
}

/* The cursor of one filter, used on another, is not taken for its own. */
TEST_F(walk, cursor_of_a_swapped_filter)
{
	struct kcuckoo_ioc_walk request = {
		.size = sizeof(request),
		.count = KCUCKOO_WALK_BATCH,
	};
	struct kcuckoo_prefix *space = calloc(KCUCKOO_WALK_BATCH, sizeof(*space));
	struct kcuckoo_prefix *keys = calloc(MEMBERS, sizeof(*keys));
	int fd = self->client.fd;
	size_t i, told = 0;

	ASSERT_NE(NULL, space);
	ASSERT_NE(NULL, keys);
	for (i = 0; i < MEMBERS; i++)
		keys[i] = ipv4(0xc0000000 + i * 5, 32);
	ASSERT_EQ(0, filter_create(fd, "b", 1 << 20));
	ASSERT_EQ(MEMBERS, keys_add(fd, "b", keys, MEMBERS));
	set_name(request.name, "a");
	request.keys = (uintptr_t)space;
	ASSERT_EQ(0, call(fd, KCUCKOO_IOC_WALK, &request));
	ASSERT_EQ(0, filter_swap(fd, "a", "b"));
	do {
		ASSERT_EQ(0, call(fd, KCUCKOO_IOC_WALK, &request));
		told = request.state == KCUCKOO_WALK_RESTART ? 0 : told + request.done;
	} while (request.state != KCUCKOO_WALK_END);
	EXPECT_EQ(MEMBERS, told)
		TH_LOG("a walk over a swap told %zu members as if they were all", told);
}

/* The same with a filter that has had the same life, and lies the same way. */
TEST_F(walk, cursor_of_a_twin)
{
	struct kcuckoo_ioc_walk request = {
		.size = sizeof(request),
		.count = KCUCKOO_WALK_BATCH,
	};
	struct kcuckoo_prefix *space = calloc(KCUCKOO_WALK_BATCH, sizeof(*space));
	struct kcuckoo_prefix *keys = calloc(65536, sizeof(*keys));
	struct kcuckoo_prefix *told = calloc(65536, sizeof(*told));
	int fd = self->client.fd;
	bool swapped = false;
	size_t i, count = 0;

	ASSERT_TRUE(space && keys && told);
	/* The even ones, then the odd ones. */
	for (i = 0; i < 65536; i++)
		keys[i] = ipv4((i % 32768 * 2 + i / 32768) << 16, 16);
	ASSERT_EQ(0, filter_create(fd, "even", 1 << 20));
	ASSERT_EQ(0, filter_create(fd, "odd", 1 << 20));
	ASSERT_EQ(0, filter_reserve(fd, "even", KCUCKOO_FAMILY_IPV4, 16, 32768));
	ASSERT_EQ(0, filter_reserve(fd, "odd", KCUCKOO_FAMILY_IPV4, 16, 32768));
	ASSERT_EQ(32768, keys_add(fd, "even", keys, 32768));
	ASSERT_EQ(32768, keys_add(fd, "odd", keys + 32768, 32768));
	set_name(request.name, "even");
	request.keys = (uintptr_t)space;
	do {
		ASSERT_EQ(0, call(fd, KCUCKOO_IOC_WALK, &request));
		if (request.state == KCUCKOO_WALK_RESTART)
			count = 0;
		memcpy(told + count, space, request.done * sizeof(*told));
		count += request.done;
		if (!swapped) {
			ASSERT_EQ(0, filter_swap(fd, "even", "odd"));
		}
		swapped = true;
	} while (request.state != KCUCKOO_WALK_END && count < 50000);
	for (i = 0; i < count; i++) {
		ASSERT_EQ(told[0].addr[1] & 1, told[i].addr[1] & 1)
			TH_LOG("a walk told members of two filters");
	}
}

TEST_HARNESS_MAIN
