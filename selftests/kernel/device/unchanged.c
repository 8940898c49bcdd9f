// SPDX-License-Identifier: GPL-2.0-only
/*
 * Replacements on a condition: which calls count as a change of a filter, that any change
 * makes a replacement fail, and that a failure changes nothing.
 */

#include "staged.h"

#define KEYS	1000

static struct kcuckoo_prefix keys[KEYS];
static struct kcuckoo_prefix others[KEYS];

FIXTURE(unchanged)
{
	struct client client;
};

/* A filter with values and timeouts, and a staged one that is to replace it. */
FIXTURE_SETUP(unchanged)
{
	struct kcuckoo_ioc_create create = {
		.size = sizeof(create),
		.flags = KCUCKOO_CREATE_TIMEOUT,
		.type = KCUCKOO_TYPE_INET,
		.value_bits = 8,
		.capacity = 100 * KEYS,
	};
	int i;

	for (i = 0; i < KEYS; i++) {
		keys[i] = ipv4(0x0a000000 + i, 32);
		others[i] = ipv4(0x0b000000 + i, 32);
	}
	ASSERT_EQ(0, client_begin(&self->client));
	set_name(create.name, "a");
	ASSERT_EQ(0, call(self->client.fd, KCUCKOO_IOC_CREATE, &create));
	ASSERT_EQ(KEYS, keys_add(self->client.fd, "a", keys, KEYS));
	ASSERT_EQ(0, staged_create_like(self->client.fd, "a"));
	ASSERT_EQ(1, keys_add(self->client.fd, STAGED, others, 1));
}

FIXTURE_TEARDOWN(unchanged)
{
	EXPECT_EQ(0, client_end(&self->client));
}

/* Adds the first key again with a value and a timeout, in seconds. */
static int add_again(int fd, __u32 value, __u32 timeout)
{
	struct kcuckoo_ioc_add add = {
		.size = sizeof(add),
		.keys = (uintptr_t)keys,
		.values = (uintptr_t)&value,
		.timeouts = (uintptr_t)&timeout,
		.count = 1,
	};

	set_name(add.name, "a");
	return call(fd, KCUCKOO_IOC_ADD, &add);
}

static int update(int fd, __u32 value)
{
	struct kcuckoo_ioc_update update = {
		.size = sizeof(update),
		.keys = (uintptr_t)keys,
		.values = (uintptr_t)&value,
		.count = 1,
	};

	set_name(update.name, "a");
	return call(fd, KCUCKOO_IOC_UPDATE, &update);
}

TEST_F(unchanged, changes_are_counted)
{
	struct kcuckoo_ioc_info info;
	int fd = self->client.fd;

#define CHANGES(number)	do {						\
	ASSERT_EQ(0, filter_info(fd, "a", &info));			\
	EXPECT_EQ(number, info.changes);				\
} while (0)
	CHANGES(KEYS);
	EXPECT_EQ(0, keys_add(fd, "a", keys, KEYS));
	CHANGES(KEYS);
	EXPECT_EQ(0, keys_del(fd, "a", others, KEYS));
	CHANGES(KEYS);
	EXPECT_EQ(0, update(fd, 0));
	CHANGES(KEYS);
	EXPECT_EQ(0, update(fd, 1));
	CHANGES(KEYS + 1);
	EXPECT_EQ(0, add_again(fd, 1, 0));
	CHANGES(KEYS + 1);
	EXPECT_EQ(0, add_again(fd, 2, 0));
	CHANGES(KEYS + 2);
	EXPECT_EQ(10, keys_del(fd, "a", keys, 10));
	CHANGES(KEYS + 12);
	EXPECT_EQ(0, add_again(fd, 2, 1000));
	CHANGES(KEYS + 13);
	EXPECT_EQ(0, add_again(fd, 2, 2000));
	CHANGES(KEYS + 14);
	EXPECT_EQ(0, add_again(fd, 2, 1000));
	CHANGES(KEYS + 14);
	EXPECT_EQ(0, filter_reserve(fd, "a", KCUCKOO_FAMILY_IPV4, 32, 10 * KEYS));
	EXPECT_EQ(0, filter_compact(fd, "a"));
	EXPECT_EQ(KEYS - 9, keys_members(fd, "a", keys, KEYS));
	CHANGES(KEYS + 14);
	EXPECT_EQ(0, filter_pair(fd, KCUCKOO_IOC_MERGE, "a", STAGED));
	CHANGES(KEYS + 15);
	EXPECT_EQ(0, filter_flush(fd, "a"));
	CHANGES(KEYS + 16);
#undef CHANGES
}

TEST_F(unchanged, replaced)
{
	struct kcuckoo_ioc_info info, staged, after;
	int fd = self->client.fd;

	ASSERT_EQ(0, filter_info(fd, "a", &info));
	ASSERT_EQ(0, filter_info(fd, STAGED, &staged));
	ASSERT_EQ(0, filter_replace_known(fd, "a", STAGED, &info));
	ASSERT_EQ(0, filter_info(fd, "a", &after));
	EXPECT_EQ(staged.filter_id, after.filter_id);
	EXPECT_EQ(staged.changes, after.changes);
	EXPECT_EQ(1, keys_members(fd, "a", others, KEYS));
	EXPECT_EQ(0, keys_members(fd, "a", keys, KEYS));
	/* The new filter can be changed. */
	EXPECT_EQ(KEYS, keys_add(fd, "a", keys, KEYS));
	EXPECT_EQ(-ENOENT, filter_replace_known(fd, "a", STAGED, &after));
}

/* Each of them changes the filter a little. */
static int change(int fd, int which)
{
	switch (which) {
	case 0:
		return keys_add(fd, "a", others, 1) == 1 ? 0 : -EPROTO;
	case 1:
		return keys_del(fd, "a", keys, 1) == 1 ? 0 : -EPROTO;
	case 2:
		return update(fd, 7);
	case 3:
		return add_again(fd, 9, 0);
	case 4:
		return filter_pair(fd, KCUCKOO_IOC_MERGE, "a", STAGED);
	case 5:
		return filter_flush(fd, "a");
	/* The number of changes is the same: a delete and an add are two. */
	case 6:
		return filter_swap(fd, "a", "other");
	}
	return -ENOENT;
}

TEST_F(unchanged, any_change_is_found)
{
	struct kcuckoo_ioc_info info, after;
	int fd = self->client.fd, which;

	ASSERT_EQ(0, filter_create(fd, "other", 100 * KEYS));
	ASSERT_EQ(KEYS, keys_add(fd, "other", keys, KEYS));
	for (which = 0; which < 7; which++) {
		ASSERT_EQ(0, filter_flush(fd, "a"));
		ASSERT_EQ(KEYS, keys_add(fd, "a", keys, KEYS));
		ASSERT_EQ(0, filter_info(fd, "a", &info));
		ASSERT_EQ(0, change(fd, which));
		EXPECT_EQ(-ESTALE, filter_replace_known(fd, "a", STAGED, &info))
			TH_LOG("change %d", which);
		EXPECT_EQ(1, filter_entries(fd, STAGED));
		ASSERT_EQ(0, filter_info(fd, "a", &after));
		/* A failure leaves the filter as it is: more changes can be made. */
		ASSERT_EQ(1, keys_add(fd, "a", others + 1, 1));
	}
	ASSERT_EQ(0, filter_info(fd, "a", &info));
	EXPECT_EQ(0, filter_replace_known(fd, "a", STAGED, &info));
}

/* A filter of the same name and with the same number of changes is not the same. */
TEST_F(unchanged, another_filter_is_found)
{
	struct kcuckoo_ioc_info info, after;
	int fd = self->client.fd;

	ASSERT_EQ(0, filter_info(fd, "a", &info));
	ASSERT_EQ(0, filter_destroy(fd, "a"));
	EXPECT_EQ(-ENOENT, filter_replace_known(fd, "a", STAGED, &info));
	ASSERT_EQ(0, filter_create(fd, "a", 100 * KEYS));
	ASSERT_EQ(KEYS, keys_add(fd, "a", keys, KEYS));
	ASSERT_EQ(0, filter_info(fd, "a", &after));
	EXPECT_EQ(info.changes, after.changes);
	EXPECT_EQ(-ESTALE, filter_replace_known(fd, "a", STAGED, &info));
	EXPECT_EQ(KEYS, keys_members(fd, "a", keys, KEYS));
	EXPECT_EQ(0, filter_replace_known(fd, "a", STAGED, &after));
}

TEST_F(unchanged, expiry_is_no_change)
{
	struct kcuckoo_ioc_info info, after;
	int fd = self->client.fd, i;

	ASSERT_EQ(1, keys_del(fd, "a", keys, 1));
	ASSERT_EQ(0, add_again(fd, 1, 1));
	ASSERT_EQ(0, filter_info(fd, "a", &info));
	ASSERT_EQ(KEYS, info.members);
	for (i = 0; i < 300 && filter_entries(fd, "a") == KEYS; i++)
		client_sleep(0.2);
	ASSERT_EQ(0, filter_info(fd, "a", &after));
	EXPECT_EQ(KEYS - 1, after.members);
	EXPECT_EQ(info.changes, after.changes);
	EXPECT_EQ(0, filter_replace_known(fd, "a", STAGED, &info));
}

/* By a filter that has a name, and the refusals that a replacement has anyway. */
TEST_F(unchanged, named)
{
	struct kcuckoo_ioc_replace replace = { .size = sizeof(replace), .changes = KEYS };
	struct kcuckoo_ioc_info info, wrong;
	int fd = self->client.fd;

	ASSERT_EQ(0, filter_create(fd, "b", KEYS));
	ASSERT_EQ(0, filter_info(fd, "a", &info));
	set_name(replace.name, "a");
	set_name(replace.other, "b");
	EXPECT_EQ(-EINVAL, call(fd, KCUCKOO_IOC_REPLACE, &replace));
	replace.changes = 0;
	replace.filter_id = info.filter_id;
	EXPECT_EQ(-EINVAL, call(fd, KCUCKOO_IOC_REPLACE, &replace));
	wrong = info;
	wrong.changes--;
	EXPECT_EQ(-ESTALE, filter_replace_known(fd, "a", "b", &wrong));
	EXPECT_EQ(2, filter_list(fd, NULL, 0));
	EXPECT_EQ(0, filter_replace_known(fd, "a", "b", &info));
	EXPECT_EQ(1, filter_list(fd, NULL, 0));
	EXPECT_EQ(0, filter_entries(fd, "a"));
	ASSERT_EQ(0, filter_info(fd, "a", &info));
	EXPECT_EQ(-EINVAL, filter_replace_known(fd, "a", "a", &info));
	EXPECT_EQ(-ENOENT, filter_replace_known(fd, "a", "b", &info));
	EXPECT_EQ(KEYS, keys_add(fd, "a", keys, KEYS));
}

TEST_HARNESS_MAIN
