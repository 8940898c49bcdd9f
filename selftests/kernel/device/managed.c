// SPDX-License-Identifier: GPL-2.0-only
/*
 * The mark "managed": who sets it, that it belongs to the name, and where it is listed.
 */

#include "staged.h"

FIXTURE(managed)
{
	struct client client;
};

FIXTURE_SETUP(managed)
{
	ASSERT_EQ(0, client_begin(&self->client));
}

FIXTURE_TEARDOWN(managed)
{
	EXPECT_EQ(0, client_end(&self->client));
}

static int create(int fd, const char *name, __u32 flags)
{
	struct kcuckoo_ioc_create create = {
		.size = sizeof(create),
		.flags = flags,
		.type = KCUCKOO_TYPE_INET,
		.capacity = 100,
	};

	set_name(create.name, name);
	return call(fd, KCUCKOO_IOC_CREATE, &create);
}

/* Is the name managed, as its information and the list agree? Else a negative errno. */
static int is_managed(int fd, const char *name)
{
	struct kcuckoo_list_entry entries[8] = {};
	struct kcuckoo_ioc_info info;
	int error = filter_info(fd, name, &info);
	int count, i;

	if (error)
		return error;
	count = filter_list(fd, entries, ARRAY_SIZE(entries));
	for (i = 0; i < count; i++) {
		if (strcmp((char *)entries[i].name, name))
			continue;
		if (entries[i].flags & ~KCUCKOO_LIST_MANAGED ||
		    info.info_flags & ~KCUCKOO_INFO_MANAGED)
			return -EPROTO;
		if (!(entries[i].flags & KCUCKOO_LIST_MANAGED) !=
		    !(info.info_flags & KCUCKOO_INFO_MANAGED))
			return -EPROTO;
		return !!(entries[i].flags & KCUCKOO_LIST_MANAGED);
	}
	return -ENOENT;
}

TEST_F(managed, by_create)
{
	struct kcuckoo_ioc_create like = {
		.size = sizeof(like),
		.flags = KCUCKOO_CREATE_LIKE | KCUCKOO_CREATE_MANAGED,
	};
	struct kcuckoo_ioc_info info;
	int fd = self->client.fd;

	ASSERT_EQ(0, create(fd, "a", KCUCKOO_CREATE_MANAGED | KCUCKOO_CREATE_TIMEOUT));
	ASSERT_EQ(0, create(fd, "b", 0));
	set_name(like.name, "c");
	set_name(like.like, "b");
	ASSERT_EQ(0, call(fd, KCUCKOO_IOC_CREATE, &like));
	EXPECT_EQ(1, is_managed(fd, "a"));
	EXPECT_EQ(0, is_managed(fd, "b"));
	EXPECT_EQ(1, is_managed(fd, "c"));
	ASSERT_EQ(0, filter_info(fd, "a", &info));
	EXPECT_EQ(KCUCKOO_CREATE_TIMEOUT, info.create_flags);
	EXPECT_EQ(-EEXIST, create(fd, "b", KCUCKOO_CREATE_MANAGED));
	EXPECT_EQ(0, is_managed(fd, "b"));
}

TEST_F(managed, by_rename_of_a_staged_filter)
{
	struct kcuckoo_ioc_rename named = {
		.size = sizeof(named),
		.flags = KCUCKOO_RENAME_MANAGED,
	};
	int fd = self->client.fd;

	ASSERT_EQ(0, staged_create(fd, 100));
	ASSERT_EQ(0, staged_publish(fd, "a", KCUCKOO_RENAME_MANAGED));
	ASSERT_EQ(0, staged_create(fd, 100));
	ASSERT_EQ(0, staged_publish(fd, "b", 0));
	EXPECT_EQ(1, is_managed(fd, "a"));
	EXPECT_EQ(0, is_managed(fd, "b"));
	set_name(named.name, "b");
	set_name(named.new_name, "c");
	EXPECT_EQ(-EINVAL, call(fd, KCUCKOO_IOC_RENAME, &named));
	EXPECT_EQ(0, is_managed(fd, "b"));
}

TEST_F(managed, stays_with_the_name)
{
	int fd = self->client.fd;

	ASSERT_EQ(0, create(fd, "a", KCUCKOO_CREATE_MANAGED));
	ASSERT_EQ(0, create(fd, "b", 0));
	ASSERT_EQ(0, filter_swap(fd, "a", "b"));
	EXPECT_EQ(1, is_managed(fd, "a"));
	EXPECT_EQ(0, is_managed(fd, "b"));
	ASSERT_EQ(0, filter_replace(fd, "a", "b"));
	EXPECT_EQ(1, is_managed(fd, "a"));
	ASSERT_EQ(0, create(fd, "b", 0));
	ASSERT_EQ(0, filter_replace(fd, "b", "a"));
	EXPECT_EQ(0, is_managed(fd, "b"));
	ASSERT_EQ(0, create(fd, "a", KCUCKOO_CREATE_MANAGED));
	ASSERT_EQ(0, staged_create(fd, 100));
	ASSERT_EQ(0, filter_replace(fd, "a", STAGED));
	EXPECT_EQ(1, is_managed(fd, "a"));
	ASSERT_EQ(0, filter_flush(fd, "a"));
	EXPECT_EQ(1, is_managed(fd, "a"));
}

TEST_F(managed, moves_with_a_rename)
{
	int fd = self->client.fd;

	ASSERT_EQ(0, create(fd, "a", KCUCKOO_CREATE_MANAGED));
	ASSERT_EQ(0, filter_rename(fd, "a", "b"));
	EXPECT_EQ(1, is_managed(fd, "b"));
	ASSERT_EQ(0, create(fd, "a", 0));
	EXPECT_EQ(0, is_managed(fd, "a"));
	/* To a name that waits, too. */
	ASSERT_EQ(0, rule_attach(fd, "waits", KCUCKOO_HOOK_INPUT, KCUCKOO_FAMILY_IPV4,
				 KCUCKOO_MATCH_SRC, KCUCKOO_ACTION_COUNT));
	ASSERT_EQ(0, filter_rename(fd, "b", "waits"));
	EXPECT_EQ(1, is_managed(fd, "waits"));
	EXPECT_EQ(-ENOENT, is_managed(fd, "b"));
	ASSERT_EQ(0, create(fd, "b", 0));
	EXPECT_EQ(0, is_managed(fd, "b"));
}

TEST_F(managed, ends_with_the_name)
{
	int fd = self->client.fd;

	ASSERT_EQ(0, create(fd, "a", KCUCKOO_CREATE_MANAGED));
	ASSERT_EQ(0, filter_destroy(fd, "a"));
	ASSERT_EQ(0, create(fd, "a", 0));
	EXPECT_EQ(0, is_managed(fd, "a"));
}

TEST_HARNESS_MAIN
