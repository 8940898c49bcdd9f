// SPDX-License-Identifier: GPL-2.0-only
/*
 * Staged filters: how long they exist, that every operation works on them, how they get
 * a name, and that an error leaves them as they are.
 */

#include "image.h"
#include "staged.h"

#include <pthread.h>
#include <signal.h>

#define KEYS		1000
#define RESERVED	1000000	/* entries: several megabytes */
#define TRIES		300	/* each waits 0.2 seconds */

static struct kcuckoo_prefix keys[KEYS];
static struct kcuckoo_prefix others[KEYS];

FIXTURE(staged)
{
	struct client client;
};

FIXTURE_SETUP(staged)
{
	int i;

	for (i = 0; i < KEYS; i++) {
		keys[i] = ipv4(0x0a000000 + i, 32);
		others[i] = ipv4(0x0b000000 + i, 32);
	}
	ASSERT_EQ(0, client_begin(&self->client));
}

FIXTURE_TEARDOWN(staged)
{
	EXPECT_EQ(0, client_end(&self->client));
}

/* Accounted bytes of the namespace, or -1. */
static long long bytes(int fd)
{
	struct kcuckoo_ioc_stats stats;

	return client_stats(fd, &stats) ? -1 : (long long)stats.memory_bytes;
}

/* Waits until the namespace has no more accounted bytes than @limit. */
static bool bytes_back(int fd, long long limit)
{
	int i;

	for (i = 0; i < TRIES && bytes(fd) > limit; i++)
		client_sleep(0.2);
	return bytes(fd) <= limit;
}

/* A staged filter that takes several megabytes. */
static int staged_large(int fd)
{
	return staged_create(fd, RESERVED) ?:
	       filter_reserve(fd, STAGED, KCUCKOO_FAMILY_IPV4, 32, RESERVED);
}

TEST_F(staged, one_for_each_descriptor)
{
	int fd = self->client.fd, other = client_open();
	struct kcuckoo_ioc_info info, second;

	ASSERT_LE(0, other);
	EXPECT_EQ(-ENOENT, filter_info(fd, STAGED, &info));
	ASSERT_EQ(0, staged_create(fd, KEYS));
	EXPECT_EQ(-EEXIST, staged_create(fd, KEYS));
	EXPECT_EQ(-ENOENT, filter_info(other, STAGED, &second));
	ASSERT_EQ(0, staged_create(other, 2 * KEYS));
	ASSERT_EQ(0, filter_info(fd, STAGED, &info));
	ASSERT_EQ(0, filter_info(other, STAGED, &second));
	EXPECT_EQ(KEYS, info.capacity);
	EXPECT_EQ(2 * KEYS, second.capacity);
	EXPECT_NE(0, info.filter_id);
	EXPECT_NE(info.filter_id, second.filter_id);
	EXPECT_EQ(0, info.create_flags);
	EXPECT_EQ(0, info.rules);
	EXPECT_EQ(0, info.info_flags);
	EXPECT_EQ(KEYS, keys_add(fd, STAGED, keys, KEYS));
	EXPECT_EQ(0, filter_entries(other, STAGED));
	close(other);
	EXPECT_EQ(KEYS, filter_entries(fd, STAGED));
}

TEST_F(staged, has_no_name)
{
	int fd = self->client.fd;
	struct kcuckoo_ioc_stats before, after;

	ASSERT_EQ(0, filter_create(fd, "a", KEYS));
	ASSERT_EQ(0, client_stats(fd, &before));
	ASSERT_EQ(0, staged_create(fd, KEYS));
	ASSERT_EQ(KEYS, keys_add(fd, STAGED, keys, KEYS));
	ASSERT_EQ(0, client_stats(fd, &after));
	EXPECT_EQ(1, filter_list(fd, NULL, 0));
	EXPECT_EQ(1, after.filters);
	EXPECT_EQ(before.members, after.members);
	EXPECT_LT(before.memory_bytes, after.memory_bytes);
	EXPECT_EQ(-EINVAL, filter_swap(fd, "a", STAGED));
	EXPECT_EQ(-EINVAL, filter_swap(fd, STAGED, "a"));
	EXPECT_EQ(-EINVAL, filter_rename(fd, "a", STAGED));
	EXPECT_EQ(-EINVAL, filter_replace(fd, STAGED, "a"));
	EXPECT_EQ(-EINVAL, rule_attach(fd, STAGED, KCUCKOO_HOOK_INPUT, KCUCKOO_FAMILY_IPV4,
				       KCUCKOO_MATCH_SRC, KCUCKOO_ACTION_DROP));
	EXPECT_EQ(-EINVAL, slot_request(fd, STAGED, KCUCKOO_SLOT_GET, 0, NULL));
	EXPECT_EQ(KEYS, filter_entries(fd, STAGED));
	EXPECT_EQ(0, filter_entries(fd, "a"));
}

/* Flags and names of a create that contradict each other. */
TEST_F(staged, create_refused)
{
	struct kcuckoo_ioc_create create = {
		.size = sizeof(create),
		.type = KCUCKOO_TYPE_INET,
		.capacity = KEYS,
	};
	struct kcuckoo_ioc_info info;
	int fd = self->client.fd;

	EXPECT_EQ(-EINVAL, call(fd, KCUCKOO_IOC_CREATE, &create));
	create.flags = KCUCKOO_CREATE_STAGED | KCUCKOO_CREATE_MANAGED;
	EXPECT_EQ(-EINVAL, call(fd, KCUCKOO_IOC_CREATE, &create));
	create.flags = KCUCKOO_CREATE_STAGED;
	set_name(create.name, "a");
	EXPECT_EQ(-EINVAL, call(fd, KCUCKOO_IOC_CREATE, &create));
	memset(create.name, 0, sizeof(create.name));
	create.capacity = 0;
	EXPECT_EQ(-EINVAL, call(fd, KCUCKOO_IOC_CREATE, &create));
	EXPECT_EQ(-ENOENT, staged_create_like(fd, "a"));
	EXPECT_EQ(-EINVAL, staged_create_like(fd, STAGED));
	EXPECT_EQ(-ENOENT, filter_info(fd, STAGED, &info));
	EXPECT_EQ(0, filter_list(fd, NULL, 0));
}

TEST_F(staged, ends_with_the_descriptor)
{
	int other = client_open(), copy;
	long long before = bytes(other);

	ASSERT_LE(0, other);
	ASSERT_EQ(0, staged_large(self->client.fd));
	EXPECT_LT(before + RESERVED, bytes(other));
	copy = dup(self->client.fd);
	close(self->client.fd);
	EXPECT_EQ(0, filter_entries(copy, STAGED));
	EXPECT_LT(before + RESERVED, bytes(other));
	close(copy);
	EXPECT_TRUE(bytes_back(other, before));
	self->client.fd = other;
}

TEST_F(staged, ends_with_the_last_process)
{
	int other = client_open(), status;
	long long before = bytes(other);
	int pipes[2];
	pid_t child;
	char byte;

	ASSERT_LE(0, other);
	ASSERT_EQ(0, pipe(pipes));
	ASSERT_EQ(0, staged_large(self->client.fd));
	child = fork();
	if (!child) {
		close(pipes[1]);
		/* Until the parent has closed its own copy. */
		if (read(pipes[0], &byte, 1))
			_exit(1);
		_exit(keys_add(self->client.fd, STAGED, keys, KEYS) != KEYS ||
		      filter_entries(self->client.fd, STAGED) != KEYS);
	}
	close(self->client.fd);
	self->client.fd = other;
	EXPECT_LT(before + RESERVED, bytes(other));
	close(pipes[0]);
	close(pipes[1]);
	waitpid(child, &status, 0);
	EXPECT_EQ(0, status);
	EXPECT_TRUE(bytes_back(other, before));
}

/* Without a chance to clean up: what is staged does not stay. */
TEST_F(staged, ends_with_a_killed_process)
{
	long long before = bytes(self->client.fd);
	int pipes[2], status;
	pid_t child;
	char byte;

	ASSERT_EQ(0, pipe(pipes));
	child = fork();
	if (!child) {
		int fd = client_open();

		byte = staged_large(fd);
		if (write(pipes[1], &byte, 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	ASSERT_EQ(1, read(pipes[0], &byte, 1));
	ASSERT_EQ(0, byte);
	EXPECT_LT(before + RESERVED, bytes(self->client.fd));
	kill(child, SIGKILL);
	waitpid(child, &status, 0);
	EXPECT_TRUE(bytes_back(self->client.fd, before));
	EXPECT_EQ(0, filter_list(self->client.fd, NULL, 0));
	close(pipes[0]);
	close(pipes[1]);
}

TEST_F(staged, ends_with_the_namespace)
{
	struct memory before = memory_rest();
	struct kcuckoo_ioc_info info;
	int fd, i;

	ASSERT_EQ(0, unshare(CLONE_NEWNET));
	fd = client_open();
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, staged_large(fd));
	EXPECT_LT(before.vmalloc, memory_now().vmalloc);
	ASSERT_EQ(0, setns(self->client.space, CLONE_NEWNET));
	for (i = 0; i < TRIES && bytes(fd) >= 0; i++)
		client_sleep(0.2);
	EXPECT_TRUE(memory_back(before));
	EXPECT_EQ(-ENODEV, filter_info(fd, STAGED, &info));
	EXPECT_EQ(-ENODEV, staged_create(fd, KEYS));
	EXPECT_EQ(-ENODEV, keys_add(fd, STAGED, keys, KEYS));
	EXPECT_EQ(-ENODEV, staged_publish(fd, "a", 0));
	EXPECT_EQ(-ENODEV, filter_destroy(fd, STAGED));
	close(fd);
}

TEST_F(staged, batches)
{
	int fd = self->client.fd;
	struct kcuckoo_prefix *members;

	ASSERT_EQ(0, staged_create(fd, 10 * KEYS));
	EXPECT_EQ(0, filter_reserve(fd, STAGED, KCUCKOO_FAMILY_IPV4, 32, KEYS));
	EXPECT_EQ(KEYS, keys_add(fd, STAGED, keys, KEYS));
	EXPECT_EQ(0, keys_add(fd, STAGED, keys, KEYS));
	EXPECT_EQ(KEYS, keys_members(fd, STAGED, keys, KEYS));
	EXPECT_EQ(0, keys_covered(fd, STAGED, others, KEYS));
	EXPECT_EQ(KEYS / 2, keys_del(fd, STAGED, keys, KEYS / 2));
	ASSERT_EQ(KEYS / 2, keys_walk(fd, STAGED, 100, &members, NULL));
	keys_sort(keys + KEYS / 2, KEYS / 2);
	EXPECT_EQ(0, memcmp(members, keys + KEYS / 2, KEYS / 2 * sizeof(*keys)));
	free(members);
	EXPECT_EQ(0, filter_compact(fd, STAGED));
	EXPECT_EQ(KEYS / 2, keys_members(fd, STAGED, keys, KEYS));
	EXPECT_EQ(0, filter_flush(fd, STAGED));
	EXPECT_EQ(0, filter_entries(fd, STAGED));
	EXPECT_EQ(0, filter_destroy(fd, STAGED));
	EXPECT_EQ(-ENOENT, filter_destroy(fd, STAGED));
	EXPECT_EQ(-ENOENT, keys_add(fd, STAGED, keys, KEYS));
}

TEST_F(staged, values)
{
	__u32 values[2] = { 3, 4 };
	struct kcuckoo_ioc_create create = {
		.size = sizeof(create),
		.flags = KCUCKOO_CREATE_STAGED | KCUCKOO_CREATE_TIMEOUT,
		.type = KCUCKOO_TYPE_INET,
		.hash = KCUCKOO_HASH_SIPHASH,
		.value_bits = 8,
		.timeout = 1000,
		.capacity = KEYS,
	};
	struct kcuckoo_ioc_update update = {
		.size = sizeof(update),
		.keys = (uintptr_t)keys,
		.values = (uintptr_t)values,
		.count = 2,
	};
	struct kcuckoo_ioc_info info;
	int fd = self->client.fd;

	ASSERT_EQ(0, call(fd, KCUCKOO_IOC_CREATE, &create));
	ASSERT_EQ(2, keys_add(fd, STAGED, keys, 2));
	EXPECT_EQ(0, call(fd, KCUCKOO_IOC_UPDATE, &update));
	EXPECT_EQ(2, update.updated);
	ASSERT_EQ(0, filter_info(fd, STAGED, &info));
	EXPECT_EQ(KCUCKOO_CREATE_TIMEOUT, info.create_flags);
	EXPECT_EQ(KCUCKOO_HASH_SIPHASH, info.hash);
	EXPECT_EQ(2, info.members_with_timeout);
	EXPECT_EQ(4, info.changes);
}

TEST_F(staged, merges)
{
	int fd = self->client.fd;

	ASSERT_EQ(0, filter_create(fd, "a", 10 * KEYS));
	ASSERT_EQ(0, staged_create_like(fd, "a"));
	ASSERT_EQ(KEYS, keys_add(fd, "a", keys, KEYS));
	ASSERT_EQ(KEYS, keys_add(fd, STAGED, others, KEYS));
	EXPECT_EQ(-EINVAL, filter_pair(fd, KCUCKOO_IOC_MERGE, STAGED, STAGED));
	EXPECT_EQ(0, filter_pair(fd, KCUCKOO_IOC_MERGE, STAGED, "a"));
	EXPECT_EQ(2 * KEYS, filter_entries(fd, STAGED));
	EXPECT_EQ(KEYS, filter_entries(fd, "a"));
	EXPECT_EQ(0, filter_pair(fd, KCUCKOO_IOC_MERGE, "a", STAGED));
	EXPECT_EQ(2 * KEYS, filter_entries(fd, "a"));
	EXPECT_EQ(0, filter_destroy(fd, STAGED));
	EXPECT_EQ(-ENOENT, filter_pair(fd, KCUCKOO_IOC_MERGE, "a", STAGED));
	EXPECT_EQ(-ENOENT, filter_pair(fd, KCUCKOO_IOC_MERGE, STAGED, "a"));
}

TEST_F(staged, snapshots)
{
	int fd = self->client.fd;
	__u64 total, again;
	__u8 *image, *copy;

	ASSERT_EQ(0, staged_create(fd, 10 * KEYS));
	ASSERT_EQ(KEYS, keys_add(fd, STAGED, keys, KEYS));
	ASSERT_EQ(0, image_save(fd, STAGED, 1000, &image, &total));
	EXPECT_EQ(-EEXIST, image_restore(fd, STAGED, image, total, total, 1000));
	EXPECT_EQ(KEYS, filter_entries(fd, STAGED));
	EXPECT_EQ(0, image_restore(fd, "a", image, total, total, 1000));
	EXPECT_EQ(KEYS, keys_members(fd, "a", keys, KEYS));
	ASSERT_EQ(0, filter_destroy(fd, STAGED));
	EXPECT_EQ(-EBADMSG, image_restore(fd, STAGED, image, total, total - 8, 1000));
	EXPECT_EQ(-ENOENT, filter_destroy(fd, STAGED));
	ASSERT_EQ(0, image_restore(fd, STAGED, image, total, total, 1000));
	EXPECT_EQ(1, filter_list(fd, NULL, 0));
	EXPECT_EQ(KEYS, keys_members(fd, STAGED, keys, KEYS));
	ASSERT_EQ(0, image_save(fd, STAGED, 1000, &copy, &again));
	EXPECT_EQ(total, again);
	free(copy);
	free(image);
}

TEST_F(staged, gets_a_name)
{
	struct kcuckoo_ioc_info before, after;
	int fd = self->client.fd;
	struct kcuckoo_rule rule;

	EXPECT_EQ(-ENOENT, staged_publish(fd, "a", 0));
	ASSERT_EQ(0, filter_create(fd, "b", KEYS));
	ASSERT_EQ(0, rule_attach(fd, "a", KCUCKOO_HOOK_INPUT, KCUCKOO_FAMILY_IPV4,
				 KCUCKOO_MATCH_SRC, KCUCKOO_ACTION_COUNT));
	ASSERT_EQ(0, staged_create(fd, KEYS));
	ASSERT_EQ(KEYS, keys_add(fd, STAGED, keys, KEYS));
	ASSERT_EQ(0, filter_info(fd, STAGED, &before));
	EXPECT_EQ(-EEXIST, staged_publish(fd, "b", 0));
	EXPECT_EQ(-EINVAL, staged_publish(fd, "a", 2));
	EXPECT_EQ(-EINVAL, staged_publish(fd, "a b", 0));
	EXPECT_EQ(KEYS, filter_entries(fd, STAGED));
	EXPECT_EQ(0, staged_publish(fd, "a", 0));
	ASSERT_EQ(0, filter_info(fd, "a", &after));
	EXPECT_EQ(before.filter_id, after.filter_id);
	EXPECT_EQ(before.changes, after.changes);
	EXPECT_EQ(1, after.rules);
	ASSERT_EQ(1, rule_list(fd, &rule, 1));
	EXPECT_EQ(0, rule.flags);
	EXPECT_EQ(-ENOENT, filter_info(fd, STAGED, &before));
	EXPECT_EQ(0, staged_create(fd, KEYS));
	EXPECT_EQ(2, filter_list(fd, NULL, 0));
}

TEST_F(staged, replaces)
{
	struct kcuckoo_ioc_create create = {
		.size = sizeof(create),
		.type = KCUCKOO_TYPE_BYTES,
		.tag_bits = 16,
		.capacity = KEYS,
	};
	struct kcuckoo_ioc_info before, after;
	int fd = self->client.fd;

	ASSERT_EQ(0, filter_create(fd, "a", KEYS));
	ASSERT_EQ(KEYS, keys_add(fd, "a", others, KEYS));
	EXPECT_EQ(-ENOENT, filter_replace(fd, "a", STAGED));
	ASSERT_EQ(0, rule_attach(fd, "a", KCUCKOO_HOOK_INPUT, KCUCKOO_FAMILY_IPV4,
				 KCUCKOO_MATCH_SRC, KCUCKOO_ACTION_COUNT));
	set_name(create.name, "bytes");
	ASSERT_EQ(0, call(fd, KCUCKOO_IOC_CREATE, &create));
	ASSERT_EQ(0, staged_create(fd, KEYS));
	ASSERT_EQ(KEYS, keys_add(fd, STAGED, keys, KEYS));
	EXPECT_EQ(-ENOENT, filter_replace(fd, "b", STAGED));
	EXPECT_EQ(-EINVAL, filter_replace(fd, "bytes", STAGED));
	ASSERT_EQ(0, filter_info(fd, STAGED, &before));
	EXPECT_EQ(0, filter_replace(fd, "a", STAGED));
	ASSERT_EQ(0, filter_info(fd, "a", &after));
	EXPECT_EQ(before.filter_id, after.filter_id);
	EXPECT_EQ(1, after.rules);
	EXPECT_EQ(KEYS, keys_members(fd, "a", keys, KEYS));
	EXPECT_EQ(0, keys_members(fd, "a", others, KEYS));
	EXPECT_EQ(-ENOENT, filter_info(fd, STAGED, &before));
	EXPECT_EQ(2, filter_list(fd, NULL, 0));
}

/* A test by the empty name is not disturbed by exchanges of names. */
static void *swapper(void *argument)
{
	int *fd = argument;

	while (__atomic_load_n(fd, __ATOMIC_RELAXED) >= 0)
		filter_swap(*fd, "a", "b");
	return NULL;
}

TEST_F(staged, found_while_names_are_exchanged)
{
	int fd = self->client.fd, work = fd, i;
	pthread_t thread;

	ASSERT_EQ(0, filter_create(fd, "a", KEYS));
	ASSERT_EQ(0, filter_create(fd, "b", KEYS));
	ASSERT_EQ(0, staged_create(fd, KEYS));
	ASSERT_EQ(KEYS, keys_add(fd, STAGED, keys, KEYS));
	ASSERT_EQ(0, pthread_create(&thread, NULL, swapper, &work));
	for (i = 0; i < 200; i++)
		EXPECT_EQ(KEYS, keys_members(fd, STAGED, keys, KEYS));
	__atomic_store_n(&work, -1, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
}

/* Threads that stage, fill, publish and destroy by one descriptor. */
static void *stager(void *argument)
{
	int fd = *(int *)argument, i;

	for (i = 0; i < (int)client_scale(60); i++) {
		staged_create(fd, 10 * KEYS);
		keys_add(fd, STAGED, keys, KEYS);
		if (i % 3 == 0)
			filter_destroy(fd, STAGED);
		else if (i % 3 == 1)
			staged_publish(fd, "a", 0);
		else
			filter_replace(fd, "a", STAGED);
		if (i % 7 == 0)
			filter_destroy(fd, "a");
	}
	return NULL;
}

TEST_F(staged, threads_on_one_descriptor)
{
	int fd = self->client.fd, i;
	pthread_t threads[4];
	long long before = bytes(fd);

	for (i = 0; i < 4; i++)
		ASSERT_EQ(0, pthread_create(&threads[i], NULL, stager, &fd));
	for (i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	filter_destroy(fd, STAGED);
	filter_destroy(fd, "a");
	EXPECT_TRUE(bytes_back(fd, before));
}

TEST_HARNESS_MAIN
