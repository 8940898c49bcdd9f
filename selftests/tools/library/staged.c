// SPDX-License-Identifier: GPL-2.0-only
/*
 * libkcuckoo: staged filters, replacements on a condition, and rules that wait for a
 * device, as <kcuckoo.h> describes them.
 */
#include "client.h"

#include <sys/mman.h>

#include "kcuckoo.h"

#define KEYS	1000

static struct kcuckoo_prefix keys[KEYS];

FIXTURE(staged)
{
	struct kcuckoo *handle;
	struct kcuckoo *other;
};

FIXTURE_SETUP(staged)
{
	int i;

	for (i = 0; i < KEYS; i++)
		keys[i] = ipv4(0x0a000000 + i, 32);
	ASSERT_EQ(0, unshare(CLONE_NEWNET));
	ASSERT_GE(client_open(), 0);
	ASSERT_EQ(0, kcuckoo_open(&self->handle, NULL));
	ASSERT_EQ(0, kcuckoo_open(&self->other, NULL));
}

FIXTURE_TEARDOWN(staged)
{
	kcuckoo_close(self->handle);
	kcuckoo_close(self->other);
}

/* Adds the first @count keys; returns how many were added, or a negative errno. */
static long long add(struct kcuckoo *handle, const char *name, size_t count)
{
	const struct kcuckoo_batch batch = { .prefixes = keys, .count = count };
	struct kcuckoo_counts sum;
	int ret = kcuckoo_add(handle, name, 0, &batch, &sum);

	return ret ? ret : (long long)sum.added;
}

/* How many of the keys are members, or a negative errno. */
static long long members(struct kcuckoo *handle, const char *name)
{
	const struct kcuckoo_batch batch = { .prefixes = keys, .count = KEYS };
	struct kcuckoo_counts sum;
	int ret = kcuckoo_test(handle, name, KCUCKOO_TEST_MEMBER, &batch, &sum);

	return ret ? ret : (long long)sum.present;
}

static bool managed(struct kcuckoo *handle, const char *name)
{
	struct kcuckoo_ioc_info info = { .size = sizeof(info) };

	return !kcuckoo_info(handle, name, &info) &&
	       info.info_flags & KCUCKOO_INFO_MANAGED;
}

TEST_F(staged, each_handle_has_its_own)
{
	struct kcuckoo_ioc_create options = {
		.size = sizeof(options),
		.type = KCUCKOO_TYPE_INET, .capacity = KEYS,
	};
	struct kcuckoo_ioc_info info = { .size = sizeof(info) };

	EXPECT_EQ(-ENOENT, kcuckoo_info(self->handle, NULL, &info));
	EXPECT_EQ(-ENOENT, add(self->handle, NULL, 1));
	ASSERT_EQ(0, kcuckoo_create_staged(self->handle, &options));
	EXPECT_EQ(-EEXIST, kcuckoo_create_staged(self->handle, NULL));
	EXPECT_EQ(-ENOENT, kcuckoo_info(self->other, "", &info));
	ASSERT_EQ(0, kcuckoo_create_staged(self->other, NULL));
	EXPECT_EQ(KEYS, add(self->handle, NULL, KEYS));
	EXPECT_EQ(KEYS, members(self->handle, ""));
	EXPECT_EQ(0, members(self->other, NULL));
	ASSERT_EQ(0, kcuckoo_info(self->handle, NULL, &info));
	EXPECT_EQ(KEYS, info.capacity);
	EXPECT_EQ(KEYS, info.members);
	EXPECT_EQ(0, kcuckoo_flush(self->handle, NULL));
	EXPECT_EQ(0, members(self->handle, NULL));
	EXPECT_EQ(0, kcuckoo_destroy(self->handle, NULL));
	EXPECT_EQ(-ENOENT, kcuckoo_destroy(self->handle, NULL));
	EXPECT_EQ(0, members(self->other, NULL));
}

TEST_F(staged, is_published)
{
	ASSERT_EQ(0, kcuckoo_create(self->handle, "a", NULL));
	EXPECT_EQ(-ENOENT, kcuckoo_publish(self->handle, "b", 0));
	ASSERT_EQ(0, kcuckoo_create_staged(self->handle, NULL));
	ASSERT_EQ(KEYS, add(self->handle, NULL, KEYS));
	EXPECT_EQ(-EEXIST, kcuckoo_publish(self->handle, "a", 0));
	EXPECT_EQ(-EINVAL, kcuckoo_publish(self->handle, "", 0));
	EXPECT_EQ(-EINVAL, kcuckoo_publish(self->handle, "b", ~0U));
	EXPECT_EQ(KEYS, members(self->handle, NULL));
	EXPECT_EQ(0, kcuckoo_publish(self->handle, "b", KCUCKOO_RENAME_MANAGED));
	EXPECT_EQ(KEYS, members(self->other, "b"));
	EXPECT_TRUE(managed(self->other, "b"));
	EXPECT_FALSE(managed(self->other, "a"));
	EXPECT_EQ(-ENOENT, members(self->handle, NULL));
}

TEST_F(staged, replaces_what_is_unchanged)
{
	struct kcuckoo_ioc_info before = { .size = sizeof(before) };

	ASSERT_EQ(0, kcuckoo_create(self->handle, "a", NULL));
	ASSERT_EQ(10, add(self->handle, "a", 10));
	EXPECT_EQ(-ENOENT, kcuckoo_create_staged_like(self->handle, "b"));
	ASSERT_EQ(0, kcuckoo_create_staged_like(self->handle, "a"));
	ASSERT_EQ(0, kcuckoo_info(self->handle, "a", &before));
	ASSERT_EQ(0, kcuckoo_merge(self->handle, NULL, "a"));
	EXPECT_EQ(10, members(self->handle, NULL));
	EXPECT_EQ(-ENOENT, kcuckoo_replace_staged(self->handle, "b", NULL));
	EXPECT_EQ(-ENOENT, kcuckoo_replace_staged(self->other, "a", &before));

	/* A change by someone else. */
	ASSERT_EQ(KEYS - 10, add(self->other, "a", KEYS));
	EXPECT_EQ(-ESTALE, kcuckoo_replace_staged(self->handle, "a", &before));
	EXPECT_EQ(KEYS, members(self->handle, "a"));
	EXPECT_EQ(10, members(self->handle, NULL));
	ASSERT_EQ(0, kcuckoo_info(self->handle, "a", &before));
	EXPECT_EQ(0, kcuckoo_replace_staged(self->handle, "a", &before));
	EXPECT_EQ(10, members(self->handle, "a"));
	EXPECT_EQ(-ENOENT, members(self->handle, NULL));

	/* The filter that was expected is gone; without one any is replaced. */
	ASSERT_EQ(0, kcuckoo_create_staged(self->handle, NULL));
	EXPECT_EQ(-ESTALE, kcuckoo_replace_staged(self->handle, "a", &before));
	EXPECT_EQ(0, kcuckoo_replace_staged(self->handle, "a", NULL));
	EXPECT_EQ(0, members(self->handle, "a"));
}

TEST_F(staged, is_restored)
{
	char name[KCUCKOO_NAME_SIZE] = "";
	const char *why;
	int fd = memfd_create("snapshot", MFD_CLOEXEC);

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, kcuckoo_create(self->handle, "a", NULL));
	ASSERT_EQ(KEYS, add(self->handle, "a", KEYS));
	ASSERT_EQ(0, kcuckoo_save(self->handle, "a", fd, &why));
	lseek(fd, 0, SEEK_SET);
	EXPECT_EQ(-EINVAL, kcuckoo_restore(self->handle, name,
					   KCUCKOO_RESTORE_STAGED | KCUCKOO_RESTORE_REPLACE,
					   fd, &why));
	lseek(fd, 0, SEEK_SET);
	ASSERT_EQ(0, kcuckoo_restore(self->handle, name, KCUCKOO_RESTORE_STAGED, fd, &why));
	EXPECT_EQ(KEYS, members(self->handle, NULL));
	lseek(fd, 0, SEEK_SET);
	EXPECT_EQ(-EEXIST, kcuckoo_restore(self->handle, name, KCUCKOO_RESTORE_STAGED, fd,
					   &why));
	/* A restore that replaces uses the staged filter, too. */
	lseek(fd, 0, SEEK_SET);
	strcpy(name, "a");
	EXPECT_EQ(-EEXIST, kcuckoo_restore(self->handle, name, KCUCKOO_RESTORE_REPLACE, fd,
					   &why));
	EXPECT_EQ(KEYS, members(self->handle, NULL));
	EXPECT_EQ(KEYS, members(self->handle, "a"));

	/* What has no name can be saved, and has no name in the snapshot. */
	*name = 0;
	ASSERT_EQ(0, ftruncate(fd, 0));
	lseek(fd, 0, SEEK_SET);
	ASSERT_EQ(0, kcuckoo_save(self->handle, NULL, fd, &why));
	lseek(fd, 0, SEEK_SET);
	EXPECT_EQ(-EINVAL, kcuckoo_restore(self->other, name, 0, fd, &why));
	EXPECT_NE(NULL, why);
	lseek(fd, 0, SEEK_SET);
	EXPECT_EQ(-EINVAL, kcuckoo_restore(self->other, name, KCUCKOO_RESTORE_REPLACE, fd,
					   &why));
	EXPECT_EQ(-ENOENT, members(self->other, NULL));
	lseek(fd, 0, SEEK_SET);
	ASSERT_EQ(0, kcuckoo_restore(self->other, name, KCUCKOO_RESTORE_STAGED, fd, &why));
	EXPECT_EQ(KEYS, members(self->other, NULL));
	EXPECT_STREQ("", name);
	close(fd);
}

TEST_F(staged, rules_wait_and_are_replaced)
{
	struct kcuckoo_ioc_attach rule = {
		.size = sizeof(rule),
		.hook = KCUCKOO_HOOK_INGRESS,
		.family = KCUCKOO_FAMILY_BOTH,
		.action = KCUCKOO_ACTION_COUNT,
		.dev = "later*",
		.label = "one",
	};
	struct kcuckoo_rule *rules;

	EXPECT_EQ(-ENXIO, kcuckoo_attach(self->handle, "a", &rule));
	rule.flags = KCUCKOO_ATTACH_WAIT;
	ASSERT_EQ(0, kcuckoo_attach(self->handle, "a", &rule));
	EXPECT_EQ(-EEXIST, kcuckoo_attach(self->handle, "a", &rule));
	rule.flags |= KCUCKOO_ATTACH_REPLACE;
	rule.action = KCUCKOO_ACTION_DROP;
	strcpy((char *)rule.label, "two");
	EXPECT_EQ(0, kcuckoo_attach(self->handle, "a", &rule));
	ASSERT_EQ(1, kcuckoo_rules(self->handle, &rules));
	EXPECT_STREQ("later*", (char *)rules->pattern);
	EXPECT_STREQ("two", (char *)rules->label);
	EXPECT_EQ(KCUCKOO_ACTION_DROP, rules->action);
	EXPECT_EQ(KCUCKOO_RULE_WAITING | KCUCKOO_RULE_DEV_WAITING, rules->flags);
	free(rules);
	EXPECT_EQ(1, kcuckoo_detach(self->handle, "a", NULL));
}

TEST_HARNESS_MAIN
