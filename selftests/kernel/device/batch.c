// SPDX-License-Identifier: GPL-2.0-only
/*
 * Batches: add, del and test. Every call does some leading items and says how
 * many, or fails and has done none.
 */

#include "client.h"

#include <signal.h>

#define KEYS	4096

FIXTURE(batch)
{
	struct client client;
	struct kcuckoo_prefix *keys;	/* KEYS, then a wall */
	__u8 *results;			/* KEYS, then a wall */
};

static void *walled(size_t size)
{
	size_t round = (size + 4095) & ~4095UL;
	__u8 *pages = mmap(NULL, round + 4096, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (pages == MAP_FAILED || mprotect(pages + round, 4096, PROT_NONE))
		return NULL;
	return pages + round - size;
}

FIXTURE_SETUP(batch)
{
	size_t i;

	self->keys = walled(KEYS * sizeof(*self->keys));
	self->results = walled(KEYS);
	ASSERT_NE(NULL, self->keys);
	ASSERT_NE(NULL, self->results);
	for (i = 0; i < KEYS; i++)
		self->keys[i] = i % 2 ? ipv4(0x0c000000 + i * 31, 32) :
			ipv6(0x20010db800000000ULL + i * 31, 0, 64);
	ASSERT_EQ(0, client_begin(&self->client));
	ASSERT_EQ(0, filter_create(self->client.fd, "a", 1 << 20));
}

FIXTURE_TEARDOWN(batch)
{
	EXPECT_EQ(0, client_end(&self->client));
}

static const unsigned long requests[] = {
	KCUCKOO_IOC_ADD, KCUCKOO_IOC_TEST, KCUCKOO_IOC_DEL,
};

TEST_F(batch, results_of_each_key)
{
	struct batch batch;
	int fd = self->client.fd;
	size_t i;

	/* Every second key is a member; then all are asked for. */
	for (i = 0; i < KEYS; i += 2) {
		ASSERT_EQ(1, keys_add(fd, "a", self->keys + i, 1));
	}

	batch = batch_of("a", self->keys, self->results, KEYS);
	ASSERT_EQ(0, call(fd, KCUCKOO_IOC_TEST, &batch));
	ASSERT_EQ(KEYS, batch.done);
	EXPECT_EQ(KEYS / 2, batch.hits);
	for (i = 0; i < KEYS; i++) {
		ASSERT_EQ(i % 2 ? KCUCKOO_RESULT_ABSENT : KCUCKOO_RESULT_PRESENT,
			  self->results[i]);
	}

	batch = batch_of("a", self->keys, self->results, KEYS);
	ASSERT_EQ(0, call(fd, KCUCKOO_IOC_ADD, &batch));
	ASSERT_EQ(KEYS, batch.done);
	EXPECT_EQ(KEYS / 2, batch.hits);
	EXPECT_EQ(KEYS / 2, batch.misses);
	for (i = 0; i < KEYS; i++) {
		ASSERT_EQ(i % 2 ? KCUCKOO_RESULT_ADDED : KCUCKOO_RESULT_EXISTS,
			  self->results[i]);
	}

	for (i = 0; i < KEYS; i += 4) {
		ASSERT_EQ(1, keys_del(fd, "a", self->keys + i, 1));
	}
	batch = batch_of("a", self->keys, self->results, KEYS);
	ASSERT_EQ(0, call(fd, KCUCKOO_IOC_DEL, &batch));
	ASSERT_EQ(KEYS, batch.done);
	EXPECT_EQ(KEYS / 4 * 3, batch.hits);
	EXPECT_EQ(KEYS / 4, batch.misses);
	for (i = 0; i < KEYS; i++) {
		ASSERT_EQ(i % 4 ? KCUCKOO_RESULT_DELETED : KCUCKOO_RESULT_ABSENT,
			  self->results[i]);
	}
	EXPECT_EQ(0, filter_entries(fd, "a"));
}

TEST_F(batch, the_same_key_twice_in_one_call)
{
	struct batch batch;
	int fd = self->client.fd;
	size_t i;

	for (i = 0; i < 600; i++)
		self->keys[i] = ipv4(0x0a000000 + i / 2, 32);
	batch = batch_of("a", self->keys, self->results, 600);
	ASSERT_EQ(0, call(fd, KCUCKOO_IOC_ADD, &batch));
	EXPECT_EQ(600, batch.done);
	EXPECT_EQ(300, batch.hits);
	EXPECT_EQ(300, batch.misses);
	for (i = 0; i < 600; i++) {
		ASSERT_EQ(i % 2 ? KCUCKOO_RESULT_EXISTS : KCUCKOO_RESULT_ADDED,
			  self->results[i]);
	}
	EXPECT_EQ(300, filter_entries(fd, "a"));
	batch = batch_of("a", self->keys, self->results, 600);
	ASSERT_EQ(0, call(fd, KCUCKOO_IOC_DEL, &batch));
	EXPECT_EQ(300, batch.hits);
	EXPECT_EQ(300, batch.misses);
	EXPECT_EQ(0, filter_entries(fd, "a"));
}

TEST_F(batch, count_zero)
{
	struct batch batch;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(requests); i++) {
		batch = batch_of("a", NULL, NULL, 0);
		batch.done = POISON;
		batch.hits = POISON;
		EXPECT_EQ(0, call(self->client.fd, requests[i], &batch));
		EXPECT_EQ(0, batch.done);
		EXPECT_EQ(0, batch.hits);
	}
}

TEST_F(batch, count_too_large)
{
	static const __u32 counts[] = { KCUCKOO_BATCH_MAX + 1, 1U << 31, ~0U };
	struct batch batch;
	size_t i, j;

	for (i = 0; i < ARRAY_SIZE(requests); i++) {
		for (j = 0; j < ARRAY_SIZE(counts); j++) {
			batch = batch_of("a", self->keys, NULL, counts[j]);
			EXPECT_EQ(-EINVAL, call(self->client.fd, requests[i], &batch))
				TH_LOG("request %zu, count %u", i, counts[j]);
		}
	}
	EXPECT_EQ(0, filter_entries(self->client.fd, "a"));
}

TEST_F(batch, out_fields_are_ignored_on_the_way_in)
{
	struct batch batch;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(requests); i++) {
		batch = batch_of("a", self->keys, NULL, 100);
		batch.done = ~0U;
		batch.hits = ~0U;
		if (requests[i] != KCUCKOO_IOC_TEST)
			batch.misses = ~0U;
		EXPECT_EQ(0, call(self->client.fd, requests[i], &batch));
		EXPECT_EQ(100, batch.done);
		EXPECT_EQ(100, batch.hits);
		EXPECT_EQ(0, batch.misses);
	}
}

TEST_F(batch, keys_nowhere)
{
	static const __u64 places[] = {
		0, 8, 0xffff888000000000ULL, 0x8000000000000000ULL, ~0ULL - 10,
		0x00007ffffffff000ULL,
	};
	struct batch batch;
	size_t i, j;

	for (i = 0; i < ARRAY_SIZE(requests); i++) {
		for (j = 0; j < ARRAY_SIZE(places); j++) {
			batch = batch_of("a", NULL, NULL, 1000);
			batch.keys = places[j];
			EXPECT_EQ(-EFAULT, call(self->client.fd, requests[i], &batch))
				TH_LOG("request %zu, place %#llx", i, places[j]);
		}
	}
	EXPECT_EQ(0, filter_entries(self->client.fd, "a"));
}

TEST_F(batch, results_nowhere)
{
	static const __u64 places[] = {
		8, 0xffff888000000000ULL, 0x8000000000000000ULL, ~0ULL - 10,
	};
	struct batch batch;
	size_t i, j;

	for (i = 0; i < ARRAY_SIZE(requests); i++) {
		for (j = 0; j < ARRAY_SIZE(places); j++) {
			batch = batch_of("a", self->keys, NULL, 1000);
			batch.results = places[j];
			EXPECT_EQ(-EFAULT, call(self->client.fd, requests[i], &batch))
				TH_LOG("request %zu, place %#llx", i, places[j]);
			EXPECT_EQ(0, filter_entries(self->client.fd, "a"))
				TH_LOG("request %zu did something", i);
		}
	}
}

/*
 * Calls with what is left until an errno comes. Each must do something and no
 * more than @limit in total. The number done, with the errno in @error.
 */
static size_t until_error(struct __test_metadata *_metadata, int fd,
			  unsigned long request, struct kcuckoo_prefix *keys,
			  __u8 *results, size_t count, size_t limit, int *error)
{
	struct batch batch;
	size_t done = 0;

	while (done < count) {
		batch = batch_of("a", keys + done, results ? results + done : NULL,
				 count - done);
		*error = call(fd, request, &batch);
		if (*error)
			break;
		EXPECT_LT(0, batch.done);
		EXPECT_EQ(batch.done, batch.hits + batch.misses);
		done += batch.done;
		EXPECT_LE(done, limit);
		if (!batch.done || done > limit)
			break;
	}
	return done;
}

/* Where the memory of keys or results ends, so do the items. */
TEST_F(batch, keys_end_at_wall)
{
	int fd = self->client.fd;
	size_t known, done;
	int error = 0;

	for (known = 0; known < KEYS; known = known * 3 + 1) {
		struct kcuckoo_prefix *keys = self->keys + KEYS - known;

		done = until_error(_metadata, fd, KCUCKOO_IOC_ADD, keys, NULL,
				   known + 1000, known, &error);
		EXPECT_EQ(-EFAULT, error)
			TH_LOG("%zu keys known", known);
		EXPECT_EQ(done, filter_entries(fd, "a"));
		EXPECT_EQ(done, keys_members(fd, "a", keys, known));
		EXPECT_EQ(done, keys_del(fd, "a", keys, known));
	}
}

TEST_F(batch, results_end_at_wall)
{
	int fd = self->client.fd;
	size_t known, done, i;
	int error = 0;

	for (known = 0; known < KEYS; known = known * 3 + 1) {
		__u8 *results = self->results + KEYS - known;

		done = until_error(_metadata, fd, KCUCKOO_IOC_ADD, self->keys, results,
				   KEYS, known, &error);
		EXPECT_EQ(-EFAULT, error)
			TH_LOG("%zu results known", known);
		EXPECT_EQ(done, filter_entries(fd, "a"));
		for (i = 0; i < done && i < known; i++) {
			ASSERT_EQ(KCUCKOO_RESULT_ADDED, results[i]);
		}
		ASSERT_EQ(0, filter_flush(fd, "a"));
	}
}

/* An argument that can be read and not written: EFAULT has changed nothing. */
TEST_F(batch, argument_read_only)
{
	struct batch *batch = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	ASSERT_NE(MAP_FAILED, batch);
	*batch = batch_of("a", self->keys, NULL, 10);
	ASSERT_EQ(0, mprotect(batch, 4096, PROT_READ));
	EXPECT_EQ(-EFAULT, call(self->client.fd, KCUCKOO_IOC_ADD, batch));
	EXPECT_EQ(0, filter_entries(self->client.fd, "a"));
}

TEST_F(batch, malformed_keys)
{
	const struct kcuckoo_prefix bad[] = {
		{ .family = 0, .plen = 32 },
		{ .family = KCUCKOO_FAMILY_BOTH, .plen = 32 },
		{ .family = 4, .plen = 32 },
		{ .family = 255, .plen = 32 },
		{ .family = KCUCKOO_FAMILY_IPV4, .plen = 33 },
		{ .family = KCUCKOO_FAMILY_IPV4, .plen = 128 },
		{ .family = KCUCKOO_FAMILY_IPV6, .plen = 129 },
		{ .family = KCUCKOO_FAMILY_IPV6, .plen = 255 },
		{ .family = KCUCKOO_FAMILY_IPV4, .plen = 0, .addr = { 0x80 } },
		{ .family = KCUCKOO_FAMILY_IPV4, .plen = 0, .addr = { 0, 0, 0, 1 } },
		{ .family = KCUCKOO_FAMILY_IPV4, .plen = 8, .addr = { 10, 0, 0, 1 } },
		{ .family = KCUCKOO_FAMILY_IPV4, .plen = 31, .addr = { 10, 0, 0, 1 } },
		{ .family = KCUCKOO_FAMILY_IPV4, .plen = 32, .addr = { [4] = 1 } },
		{ .family = KCUCKOO_FAMILY_IPV4, .plen = 32, .addr = { [15] = 1 } },
		{ .family = KCUCKOO_FAMILY_IPV6, .plen = 0, .addr = { 0x80 } },
		{ .family = KCUCKOO_FAMILY_IPV6, .plen = 64, .addr = { [8] = 0x80 } },
		{ .family = KCUCKOO_FAMILY_IPV6, .plen = 127, .addr = { [15] = 1 } },
		{ .family = KCUCKOO_FAMILY_IPV6, .plen = 63, .addr = { [7] = 1 } },
		{ .family = KCUCKOO_FAMILY_IPV4, .plen = 32, .reserved = { 1 } },
		{ .family = KCUCKOO_FAMILY_IPV6, .plen = 128, .reserved = { [5] = 1 } },
	};
	struct batch batch;
	size_t i, j;

	for (i = 0; i < ARRAY_SIZE(requests); i++) {
		for (j = 0; j < ARRAY_SIZE(bad); j++) {
			batch = batch_of("a", &bad[j], NULL, 1);
			EXPECT_EQ(-EINVAL, call(self->client.fd, requests[i], &batch))
				TH_LOG("request %zu, key %zu", i, j);
		}
	}
	EXPECT_EQ(0, filter_entries(self->client.fd, "a"));
}

/* Those before a malformed key are done, it and those behind are not. */
TEST_F(batch, malformed_key_among_others)
{
	static const size_t places[] = { 0, 1, 2, 255, 256, 257, 1000, KEYS - 1 };
	int fd = self->client.fd;
	size_t i, j, done;
	int error = 0;

	for (i = 0; i < ARRAY_SIZE(places); i++) {
		struct kcuckoo_prefix good = self->keys[places[i]];

		self->keys[places[i]].plen = 200;
		for (j = 0; j < ARRAY_SIZE(requests); j++) {
			done = until_error(_metadata, fd, requests[j], self->keys,
					   self->results, KEYS, places[i], &error);
			EXPECT_EQ(places[i], done)
				TH_LOG("request %zu, bad key at %zu", j, places[i]);
			EXPECT_EQ(-EINVAL, error);
			EXPECT_EQ(j < 2 ? done : 0, filter_entries(fd, "a"));
		}
		self->keys[places[i]] = good;
	}
}

TEST_F(batch, nothing_written_behind_results)
{
	static const size_t counts[] = { 1, 7, 8, 9, 255, 256, 257, 1000 };
	struct batch batch;
	int fd = self->client.fd;
	size_t i, j, byte;

	for (i = 0; i < ARRAY_SIZE(requests); i++) {
		for (j = 0; j < ARRAY_SIZE(counts); j++) {
			memset(self->results, POISON, KEYS);
			batch = batch_of("a", self->keys, self->results, counts[j]);
			ASSERT_EQ(0, call(fd, requests[i], &batch));
			ASSERT_EQ(counts[j], batch.done);
			for (byte = 0; byte < counts[j]; byte++) {
				ASSERT_GE(KCUCKOO_RESULT_PRESENT, self->results[byte]);
			}
			for (; byte < KEYS; byte++) {
				ASSERT_EQ(POISON, self->results[byte])
					TH_LOG("request %zu, count %zu, byte %zu", i,
					       counts[j], byte);
			}
		}
	}
}

/* Keys that were not reached have no results, however far the call came. */
TEST_F(batch, results_of_keys_not_reached)
{
	static const size_t places[] = { 1, 100, 128, 500, 900 };
	struct batch batch;
	size_t i, j, key;

	for (i = 0; i < ARRAY_SIZE(places); i++) {
		struct kcuckoo_prefix good = self->keys[places[i]];

		self->keys[places[i]].family = 77;
		for (j = 0; j < ARRAY_SIZE(requests); j++) {
			memset(self->results, POISON, KEYS);
			batch = batch_of("a", self->keys, self->results, 1000);
			ASSERT_EQ(0, call(self->client.fd, requests[j], &batch));
			EXPECT_EQ(places[i], batch.done);
			for (key = 0; key < KEYS; key++) {
				ASSERT_EQ(key >= 1000, self->results[key] == POISON)
					TH_LOG("request %zu, bad key at %zu, result %zu is %u",
					       j, places[i], key, self->results[key]);
				ASSERT_EQ(key >= places[i] && key < 1000,
					  self->results[key] == KCUCKOO_RESULT_NONE)
					TH_LOG("request %zu, bad key at %zu, result %zu is %u",
					       j, places[i], key, self->results[key]);
			}
		}
		self->keys[places[i]] = good;
	}
}

TEST_F(batch, one_call_of_65536_keys)
{
	const size_t count = 65536;
	struct kcuckoo_prefix *keys = calloc(count, sizeof(*keys));
	__u8 *results = malloc(count);
	struct batch batch;
	size_t i;

	ASSERT_NE(NULL, keys);
	ASSERT_NE(NULL, results);
	for (i = 0; i < count; i++)
		keys[i] = ipv4(i * 2654435761U, 32);
	batch = batch_of("a", keys, results, count);
	ASSERT_EQ(0, call(self->client.fd, KCUCKOO_IOC_ADD, &batch));
	EXPECT_EQ(count, batch.done);
	EXPECT_EQ(count, batch.hits);
	batch = batch_of("a", keys, results, count);
	ASSERT_EQ(0, call(self->client.fd, KCUCKOO_IOC_TEST, &batch));
	EXPECT_EQ(count, batch.done);
	EXPECT_EQ(count, batch.hits);
	EXPECT_EQ(NULL, memchr(results, KCUCKOO_RESULT_ABSENT, count));
	batch = batch_of("a", keys, results, count);
	ASSERT_EQ(0, call(self->client.fd, KCUCKOO_IOC_DEL, &batch));
	EXPECT_EQ(count, batch.done);
	EXPECT_EQ(count, batch.hits);
	EXPECT_EQ(0, filter_entries(self->client.fd, "a"));
}

TEST_F(batch, one_call_of_the_most_keys)
{
	const size_t count = KCUCKOO_BATCH_MAX;
	struct kcuckoo_prefix *keys = calloc(count, sizeof(*keys));
	struct batch batch;
	size_t i;

	/* A few members, often: the filter stays small, the batch does not. */
	ASSERT_NE(NULL, keys);
	for (i = 0; i < count; i++)
		keys[i] = ipv4(i % 5000, 32);
	batch = batch_of("a", keys, NULL, count);
	ASSERT_EQ(0, call(self->client.fd, KCUCKOO_IOC_ADD, &batch));
	EXPECT_EQ(count, batch.done);
	EXPECT_EQ(5000, batch.hits);
	EXPECT_EQ(count - 5000, batch.misses);
	EXPECT_EQ(5000, filter_entries(self->client.fd, "a"));
}

/* A fatal signal ends a batch; what was done stays, what was not, did not begin. */
TEST_F(batch, killed_in_the_middle)
{
	const size_t count = KCUCKOO_BATCH_MAX;
	struct kcuckoo_prefix *keys = calloc(count, sizeof(*keys));
	struct kcuckoo_prefix *members;
	struct kcuckoo_ioc_info info;
	int fd = self->client.fd;
	bool middle = false;
	int status, round;
	pid_t child;
	size_t i;

	ASSERT_NE(NULL, keys);
	for (i = 0; i < count; i++)
		keys[i] = ipv4(i * 2654435761U, 32);
	for (round = 0; round < 40 && (round < 4 || !middle); round++) {
		child = fork();
		ASSERT_LE(0, child);
		if (!child) {
			for (;;)
				keys_add(fd, "a", keys, count);
		}
		client_sleep(0.05 + 0.15 * (round % 4));
		kill(child, SIGKILL);
		ASSERT_EQ(child, waitpid(child, &status, 0));
		EXPECT_TRUE(WIFSIGNALED(status));
		ASSERT_EQ(0, filter_info(fd, "a", &info));
		middle |= info.members && info.members < count;
		EXPECT_EQ(info.members, keys_members(fd, "a", keys, info.members));
		EXPECT_EQ(info.members, keys_walk(fd, "a", 65536, &members, NULL));
		free(members);
		ASSERT_EQ(0, filter_flush(fd, "a"));
	}
	EXPECT_TRUE(middle)
		TH_LOG("no batch ended before its end");
}

TEST_F(batch, member_flag)
{
	struct kcuckoo_prefix members[] = {
		key_of("10.0.0.0/8"), key_of("10.1.0.0/16"), key_of("2001:db8::/32"),
		key_of("192.0.2.1"),
	};
	const struct {
		struct kcuckoo_prefix key;
		bool covered;
		bool member;
	} cases[] = {
		{ key_of("10.0.0.0/8"), true, true },
		{ key_of("10.1.0.0/16"), true, true },
		{ key_of("10.2.0.0/16"), false, false },
		{ key_of("10.0.0.0/9"), false, false },
		{ key_of("10.0.0.0/31"), false, false },
		{ key_of("10.2.3.4"), true, false },
		{ key_of("10.0.0.0"), true, false },
		{ key_of("11.0.0.0"), false, false },
		{ key_of("9.255.255.255"), false, false },
		{ key_of("192.0.2.1"), true, true },
		{ key_of("192.0.2.0"), false, false },
		{ key_of("192.0.2.0/31"), false, false },
		{ key_of("2001:db8::/32"), true, true },
		{ key_of("2001:db8::/33"), false, false },
		{ key_of("2001:db8::1"), true, false },
		{ key_of("2001:db8::/127"), false, false },
		{ key_of("2001:db9::"), false, false },
		{ key_of("::ffff:10.0.0.0"), false, false },
	};
	int fd = self->client.fd;
	size_t i;

	ASSERT_EQ(ARRAY_SIZE(members), keys_add(fd, "a", members, ARRAY_SIZE(members)));
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		EXPECT_EQ(cases[i].covered, keys_covered(fd, "a", &cases[i].key, 1))
			TH_LOG("case %zu", i);
		EXPECT_EQ(cases[i].member, keys_members(fd, "a", &cases[i].key, 1))
			TH_LOG("case %zu as a member", i);
	}
}

TEST_HARNESS_MAIN
