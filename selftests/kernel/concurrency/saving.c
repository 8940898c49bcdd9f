// SPDX-License-Identifier: GPL-2.0-only
/*
 * Adding while one snapshot after the other is taken: no entry is moved while a
 * layer is copied, and yet a table takes all that it has room for, and is replaced
 * by no larger one.
 */

#include "crew.h"

#include "bytes.h"

#define MEMBERS		client_scale(client_soak(20000, 50000))

/* Batches up to here, then key by key while snapshots are taken. */
#define FIRST		(MEMBERS / 5 * 4)

FIXTURE(saving)
{
	struct client client;
};

static atomic_ullong failures, saves;

FIXTURE_SETUP(saving)
{
	ASSERT_EQ(0, client_begin(&self->client));
	atomic_store(&working, true);
}

FIXTURE_TEARDOWN(saving)
{
	EXPECT_EQ(0, client_end(&self->client));
}

/* Only the taking: nothing of them is read. */
static void *saver(void *argument)
{
	struct kcuckoo_ioc_save save = { .size = sizeof(save) };

	set_name(save.name, "a");
	while (atomic_load(&working)) {
		if (call(*(int *)argument, KCUCKOO_IOC_SAVE, &save))
			atomic_fetch_add(&failures, 1);
		atomic_fetch_add(&saves, 1);
	}
	return NULL;
}

/* What came of it: everything is there, and the table is the first one. */
static void check(struct __test_metadata *_metadata, int fd, pthread_t thread)
{
	struct kcuckoo_ioc_info info;

	atomic_store(&working, false);
	pthread_join(thread, NULL);
	ASSERT_EQ(0, filter_info(fd, "a", &info));
	EXPECT_EQ(MEMBERS, info.members);
	EXPECT_EQ(0, info.growths);
	EXPECT_EQ(0, info.refused);
	EXPECT_LT(0, info.moves);
	EXPECT_LT(0, atomic_load(&saves));
	EXPECT_EQ(0, atomic_load(&failures));
	TH_LOG("%llu snapshots, %llu searches, %llu moves", atomic_load(&saves), info.searches,
	       info.moves);
}

static void check_strings(struct __test_metadata *_metadata, int fd, __u32 flags)
{
	struct strings all = strings_make("key", 0, MEMBERS);
	struct strings some = { all.bytes, all.lengths, FIRST };
	struct strings one = strings_from(&all, FIRST);
	pthread_t thread;
	size_t i;

	one.count = 1;
	ASSERT_EQ(0, bytes_create(fd, "a", MEMBERS, 24, flags));
	ASSERT_EQ(FIRST, strings_add(fd, "a", &some));
	thread = crew_start(saver, &fd);
	for (i = FIRST; i < MEMBERS; i++) {
		long long added = strings_add(fd, "a", &one);

		if (added != 1)
			EXPECT_EQ(1, added) TH_LOG("key %zu of %zu", i, MEMBERS);
		if (added != 1)
			break;
		one = strings_from(&one, 1);
		one.count = 1;
	}
	check(_metadata, fd, thread);
	EXPECT_EQ(MEMBERS, strings_test(fd, "a", &all));
	strings_free(&all);
}

TEST_F(saving, fixed)
{
	check_strings(_metadata, self->client.fd, KCUCKOO_CREATE_FIXED);
}

TEST_F(saving, byte_strings)
{
	check_strings(_metadata, self->client.fd, 0);
}

TEST_F(saving, addresses)
{
	struct kcuckoo_prefix *keys = calloc(MEMBERS, sizeof(*keys));
	int fd = self->client.fd;
	pthread_t thread;
	size_t i;

	for (i = 0; i < MEMBERS; i++)
		keys[i] = ipv4(i * 2654435761U, 32);
	ASSERT_EQ(0, filter_create(fd, "a", MEMBERS));
	ASSERT_EQ(0, filter_reserve(fd, "a", KCUCKOO_FAMILY_IPV4, 32, MEMBERS));
	ASSERT_EQ(FIRST, keys_add(fd, "a", keys, FIRST));
	thread = crew_start(saver, &fd);
	for (i = FIRST; i < MEMBERS; i++)
		ASSERT_EQ(1, keys_add(fd, "a", keys + i, 1)) TH_LOG("key %zu", i);
	check(_metadata, fd, thread);
	EXPECT_EQ(MEMBERS, keys_members(fd, "a", keys, MEMBERS));
	free(keys);
}

TEST_HARNESS_MAIN
