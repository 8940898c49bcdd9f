// SPDX-License-Identifier: GPL-2.0-only
/*
 * libkcuckoo against the kernel: namespaces, batches beyond the kernel's own
 * limit, partial results, walks.
 */
#include "client.h"

#include <sys/mount.h>

#include "kcuckoo.h"

/* Names of namespaces are files in this folder; each program has its own. */
#define NETNS_FOLDER	"/run/netns"

static struct kcuckoo_prefix ipv4_key(__u32 addr, int plen)
{
	struct kcuckoo_prefix key = {
		.family = KCUCKOO_FAMILY_IPV4,
		.plen = plen,
	};

	addr = htonl(addr);
	memcpy(key.addr, &addr, 4);
	return key;
}

/* So many different addresses. */
static struct kcuckoo_prefix *some_keys(size_t count)
{
	struct kcuckoo_prefix *keys = calloc(count, sizeof(*keys));
	size_t i;

	for (i = 0; keys && i < count; i++)
		keys[i] = ipv4_key(i * 2654435761U, 32);
	return keys;
}

FIXTURE(library)
{
	struct kcuckoo *handle;
};

FIXTURE_SETUP(library)
{
	ASSERT_EQ(0, unshare(CLONE_NEWNET | CLONE_NEWNS));
	ASSERT_EQ(0, mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL));
	ASSERT_GE(client_open(), 0);
	ASSERT_EQ(0, kcuckoo_open(&self->handle, NULL));
}

FIXTURE_TEARDOWN(library)
{
	kcuckoo_close(self->handle);
}

/* Keep the namespace that the caller is in under a name. */
static int name_netns(const char *path)
{
	int fd = open(path, O_RDONLY | O_CREAT | O_CLOEXEC, 0600);

	if (fd < 0)
		return -errno;
	close(fd);
	return mount("/proc/thread-self/ns/net", path, NULL, MS_BIND, NULL) ?
	       -errno : 0;
}

static ino_t netns_inode(void)
{
	struct stat st;

	return stat("/proc/thread-self/ns/net", &st) ? 0 : st.st_ino;
}

static int filter_count(struct kcuckoo *handle)
{
	struct kcuckoo_list_entry *entries;
	int count = kcuckoo_list(handle, &entries);

	free(entries);
	return count;
}

TEST_F(library, open_enters_a_namespace_and_the_caller_stays)
{
	struct kcuckoo *named, *path;
	ino_t here;

	mkdir(NETNS_FOLDER, 0755);
	ASSERT_EQ(0, mount("tmpfs", NETNS_FOLDER, "tmpfs", 0, NULL));
	ASSERT_EQ(0, name_netns(NETNS_FOLDER "/first"));
	ASSERT_EQ(0, kcuckoo_create(self->handle, "a", NULL));
	ASSERT_EQ(0, unshare(CLONE_NEWNET));
	here = netns_inode();

	ASSERT_EQ(0, kcuckoo_open(&named, "first"));
	EXPECT_EQ(1, filter_count(named));
	ASSERT_EQ(0, kcuckoo_open(&path, NETNS_FOLDER "/first"));
	EXPECT_EQ(1, filter_count(path));
	EXPECT_EQ(here, netns_inode());
	kcuckoo_close(named);
	ASSERT_EQ(0, kcuckoo_open(&named, NULL));
	EXPECT_EQ(0, filter_count(named));
	kcuckoo_close(named);
	kcuckoo_close(path);

	ASSERT_EQ(0, kcuckoo_netns_enter("first"));
	EXPECT_NE(here, netns_inode());
	ASSERT_EQ(0, kcuckoo_open(&named, NULL));
	EXPECT_EQ(1, filter_count(named));
	kcuckoo_close(named);
	EXPECT_EQ(0, umount2(NETNS_FOLDER, MNT_DETACH));
}

TEST_F(library, open_tells_what_is_missing)
{
	struct kcuckoo *handle = (void *)1;

	EXPECT_EQ(-ENOENT, kcuckoo_open(&handle, "no-such-namespace"));
	EXPECT_EQ(NULL, handle);
	EXPECT_EQ(-ENOENT, kcuckoo_open(&handle, "/no/such/path"));
	EXPECT_EQ(-EINVAL, kcuckoo_open(&handle, "/dev/null"));
	EXPECT_EQ(-ENOENT, kcuckoo_netns_enter("no-such-namespace"));
	kcuckoo_close(NULL);

	/* Without a node, and with one that has no driver. */
	ASSERT_EQ(0, mount("tmpfs", "/dev", "tmpfs", 0, NULL));
	EXPECT_EQ(-ENXIO, kcuckoo_open(&handle, NULL));
	ASSERT_EQ(0, mknod(KCUCKOO_DEVICE, S_IFCHR | 0600, 0xff00));
	EXPECT_EQ(-ENXIO, kcuckoo_open(&handle, NULL));
	EXPECT_EQ(0, umount("/dev"));
}

TEST_F(library, names_that_cannot_be)
{
	char longest[KCUCKOO_NAME_SIZE + 1];

	memset(longest, 'x', sizeof(longest));
	longest[KCUCKOO_NAME_SIZE - 1] = 0;
	EXPECT_EQ(0, kcuckoo_create(self->handle, longest, NULL));
	EXPECT_EQ(0, kcuckoo_destroy(self->handle, longest));
	longest[KCUCKOO_NAME_SIZE - 1] = 'x';
	longest[KCUCKOO_NAME_SIZE] = 0;
	EXPECT_EQ(-EINVAL, kcuckoo_create(self->handle, longest, NULL));
	EXPECT_EQ(-EINVAL, kcuckoo_destroy(self->handle, longest));
	EXPECT_EQ(-EINVAL, kcuckoo_create(self->handle, "", NULL));
	EXPECT_EQ(-EINVAL, kcuckoo_create(self->handle, "a b", NULL));
}

TEST_F(library, create_with_and_without_options)
{
	struct kcuckoo_ioc_create options = {
		.size = sizeof(options),
		.type = KCUCKOO_TYPE_INET,
		.bucket_size = 8,
		.capacity = 1000,
	};
	struct kcuckoo_ioc_info info = { .size = sizeof(info) };

	ASSERT_EQ(0, kcuckoo_create(self->handle, "a", NULL));
	ASSERT_EQ(0, kcuckoo_info(self->handle, "a", &info));
	EXPECT_EQ(KCUCKOO_CAPACITY_MAX, info.capacity);
	EXPECT_EQ(-EEXIST, kcuckoo_create(self->handle, "a", NULL));
	ASSERT_EQ(0, kcuckoo_create(self->handle, "b", &options));
	/* The same structure again, whatever the last call left in it. */
	ASSERT_EQ(0, kcuckoo_info(self->handle, "b", &info));
	EXPECT_EQ(1000, info.capacity);
	EXPECT_EQ(8, info.bucket_size);
	info.size = 4;
	EXPECT_EQ(-EINVAL, kcuckoo_info(self->handle, "b", &info));
	EXPECT_EQ(-ENOENT, kcuckoo_destroy(self->handle, "c"));
}

TEST_F(library, rename_swap_replace_flush)
{
	struct kcuckoo_prefix key = ipv4_key(0x01020304, 32);
	struct kcuckoo_ioc_info info = { .size = sizeof(info) };
	struct kcuckoo_count sum;

	ASSERT_EQ(0, kcuckoo_create(self->handle, "a", NULL));
	ASSERT_EQ(0, kcuckoo_create(self->handle, "b", NULL));
	ASSERT_EQ(0, kcuckoo_add(self->handle, "a", &key, 1, NULL, &sum));
	EXPECT_EQ(-EEXIST, kcuckoo_rename(self->handle, "a", "b"));
	EXPECT_EQ(-ENOENT, kcuckoo_rename(self->handle, "x", "y"));
	ASSERT_EQ(0, kcuckoo_rename(self->handle, "a", "c"));
	ASSERT_EQ(0, kcuckoo_swap(self->handle, "c", "b"));
	ASSERT_EQ(0, kcuckoo_info(self->handle, "b", &info));
	EXPECT_EQ(1, info.entries);
	EXPECT_EQ(-ENOENT, kcuckoo_swap(self->handle, "c", "x"));
	ASSERT_EQ(0, kcuckoo_replace(self->handle, "c", "b"));
	EXPECT_EQ(-ENOENT, kcuckoo_info(self->handle, "b", &info));
	ASSERT_EQ(0, kcuckoo_info(self->handle, "c", &info));
	EXPECT_EQ(1, info.entries);
	ASSERT_EQ(0, kcuckoo_flush(self->handle, "c"));
	ASSERT_EQ(0, kcuckoo_info(self->handle, "c", &info));
	EXPECT_EQ(0, info.entries);
	EXPECT_EQ(-ENOENT, kcuckoo_flush(self->handle, "b"));
}

TEST_F(library, batches_of_any_length)
{
	size_t count = client_scale(KCUCKOO_BATCH_MAX + 123456), i;
	struct kcuckoo_prefix *keys = some_keys(count);
	uint8_t *results = calloc(count, 1);
	struct kcuckoo_count sum;

	ASSERT_NE(NULL, keys);
	ASSERT_NE(NULL, results);
	ASSERT_EQ(0, kcuckoo_create(self->handle, "a", NULL));
	ASSERT_EQ(0, kcuckoo_reserve(self->handle, "a", KCUCKOO_FAMILY_IPV4,
				     32, count));
	ASSERT_EQ(0, kcuckoo_add(self->handle, "a", keys, count, results,
				 &sum));
	EXPECT_EQ(count, sum.done);
	EXPECT_EQ(count, sum.added);
	EXPECT_EQ(0, sum.existed);
	for (i = 0; i < count; i++)
		ASSERT_EQ(KCUCKOO_RESULT_ADDED, results[i]);
	ASSERT_EQ(0, kcuckoo_test(self->handle, "a", 0, keys, count, results,
				  &sum));
	EXPECT_EQ(count, sum.present);
	for (i = 0; i < count; i++)
		ASSERT_EQ(KCUCKOO_RESULT_PRESENT, results[i]);
	ASSERT_EQ(0, kcuckoo_del(self->handle, "a", keys, count / 2, NULL,
				 NULL));
	ASSERT_EQ(0, kcuckoo_del(self->handle, "a", keys, count, results,
				 &sum));
	EXPECT_EQ(count, sum.done);
	EXPECT_EQ(count / 2, sum.absent);
	EXPECT_EQ(count - count / 2, sum.deleted);
	EXPECT_EQ(KCUCKOO_RESULT_ABSENT, results[0]);
	EXPECT_EQ(KCUCKOO_RESULT_DELETED, results[count - 1]);
	ASSERT_EQ(0, kcuckoo_compact(self->handle, "a"));
	free(results);
	free(keys);
}

TEST_F(library, a_batch_that_stops_says_where)
{
	size_t most = client_scale(KCUCKOO_BATCH_MAX) + 1000;
	struct kcuckoo_ioc_create options = {
		.size = sizeof(options),
		.type = KCUCKOO_TYPE_INET,
		.capacity = most,
	};
	struct kcuckoo_prefix *keys = some_keys(most + 500);
	struct kcuckoo_count sum;

	ASSERT_NE(NULL, keys);
	ASSERT_EQ(0, kcuckoo_create(self->handle, "a", &options));
	EXPECT_EQ(-ENOSPC, kcuckoo_add(self->handle, "a", keys, most + 500,
				       NULL, &sum));
	EXPECT_EQ(most, sum.done);
	EXPECT_EQ(most, sum.added);

	/* A key with host bits in the middle of a batch. */
	keys[100].plen = 8;
	keys[100].addr[3] = 1;
	EXPECT_EQ(-EINVAL, kcuckoo_test(self->handle, "a", 0, keys, 200, NULL,
					&sum));
	EXPECT_EQ(100, sum.done);
	free(keys);
}

TEST_F(library, an_empty_batch_still_finds_the_filter)
{
	struct kcuckoo_count sum = { .done = 1, .added = 1 };

	EXPECT_EQ(-ENOENT, kcuckoo_add(self->handle, "a", NULL, 0, NULL, NULL));
	ASSERT_EQ(0, kcuckoo_create(self->handle, "a", NULL));
	EXPECT_EQ(0, kcuckoo_add(self->handle, "a", NULL, 0, NULL, &sum));
	EXPECT_EQ(0, sum.done);
	EXPECT_EQ(0, sum.added);
	EXPECT_EQ(0, kcuckoo_del(self->handle, "a", NULL, 0, NULL, &sum));
	EXPECT_EQ(0, kcuckoo_test(self->handle, "a", 0, NULL, 0, NULL, &sum));
}

static int by_address(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(struct kcuckoo_prefix));
}

TEST_F(library, members_are_all_members)
{
	size_t count = client_scale(200000), found;
	struct kcuckoo_prefix *keys = some_keys(count), *members;

	ASSERT_NE(NULL, keys);
	EXPECT_EQ(-ENOENT, kcuckoo_members(self->handle, "a", &members,
					   &found));
	EXPECT_EQ(NULL, members);
	ASSERT_EQ(0, kcuckoo_create(self->handle, "a", NULL));
	ASSERT_EQ(0, kcuckoo_members(self->handle, "a", &members, &found));
	EXPECT_EQ(0, found);
	free(members);
	ASSERT_EQ(0, kcuckoo_add(self->handle, "a", keys, count, NULL, NULL));
	ASSERT_EQ(0, kcuckoo_members(self->handle, "a", &members, &found));
	ASSERT_EQ(count, found);
	qsort(keys, count, sizeof(*keys), by_address);
	qsort(members, count, sizeof(*keys), by_address);
	EXPECT_EQ(0, memcmp(keys, members, count * sizeof(*keys)));
	free(members);
	free(keys);
}

TEST_F(library, walk_goes_step_by_step)
{
	size_t count = 3 * KCUCKOO_WALK_MIN + 5, found = 0, done;
	struct kcuckoo_prefix *keys = some_keys(count), *room;
	struct kcuckoo_cursor cursor = { .generation = 0 };
	int state, steps = 0;

	room = calloc(KCUCKOO_WALK_MIN, sizeof(*room));
	ASSERT_EQ(0, kcuckoo_create(self->handle, "a", NULL));
	ASSERT_EQ(0, kcuckoo_add(self->handle, "a", keys, count, NULL, NULL));
	do {
		state = kcuckoo_walk(self->handle, "a", &cursor, room,
				     KCUCKOO_WALK_MIN, &done);
		ASSERT_TRUE(state == KCUCKOO_WALK_MORE ||
			    state == KCUCKOO_WALK_END);
		found += done;
		steps++;
	} while (state == KCUCKOO_WALK_MORE);
	EXPECT_EQ(count, found);
	EXPECT_GE(steps, 4);
	EXPECT_EQ(-EINVAL, kcuckoo_walk(self->handle, "a", &cursor, room, 1,
					&done));
	EXPECT_EQ(0, done);
	free(room);
	free(keys);
}

TEST_F(library, lists_of_any_length)
{
	struct kcuckoo_ioc_stats stats = { .size = sizeof(stats) };
	struct kcuckoo_ioc_attach rule = {
		.size = sizeof(rule),
		.family = KCUCKOO_FAMILY_BOTH,
	};
	struct kcuckoo_list_entry *entries = (void *)1;
	struct kcuckoo_rule *rules = (void *)1;
	char name[KCUCKOO_NAME_SIZE];
	int i;

	EXPECT_EQ(0, kcuckoo_list(self->handle, &entries));
	EXPECT_EQ(NULL, entries);
	EXPECT_EQ(0, kcuckoo_rules(self->handle, &rules));
	EXPECT_EQ(NULL, rules);
	for (i = 0; i < 50; i++) {
		snprintf(name, sizeof(name), "filter-%d", i);
		ASSERT_EQ(0, kcuckoo_create(self->handle, name, NULL));
		ASSERT_EQ(0, kcuckoo_attach(self->handle, name, &rule));
	}
	EXPECT_EQ(-EEXIST, kcuckoo_attach(self->handle, name, &rule));
	EXPECT_EQ(-EBUSY, kcuckoo_destroy(self->handle, name));
	EXPECT_EQ(-ENOENT, kcuckoo_attach(self->handle, "other", &rule));

	ASSERT_EQ(50, kcuckoo_list(self->handle, &entries));
	ASSERT_EQ(50, kcuckoo_rules(self->handle, &rules));
	for (i = 0; i < 50; i++) {
		snprintf(name, sizeof(name), "filter-%d", i);
		EXPECT_STREQ(name, (char *)entries[i].name);
		EXPECT_EQ(KCUCKOO_FAMILY_BOTH, rules[i].family);
	}
	free(entries);
	free(rules);
	ASSERT_EQ(0, kcuckoo_stats(self->handle, &stats));
	EXPECT_EQ(50, stats.filters);
	EXPECT_EQ(50, stats.rules);
}

TEST_F(library, detach_by_name_pattern_or_all)
{
	struct kcuckoo_ioc_detach pattern = {
		.size = sizeof(pattern),
		.flags = KCUCKOO_DETACH_HOOK,
		.hook = KCUCKOO_HOOK_INPUT,
	};
	struct kcuckoo_ioc_attach rule = {
		.size = sizeof(rule),
		.family = KCUCKOO_FAMILY_IPV4,
	};
	int hook;

	ASSERT_EQ(0, kcuckoo_create(self->handle, "a", NULL));
	ASSERT_EQ(0, kcuckoo_create(self->handle, "b", NULL));
	for (hook = 0; hook <= KCUCKOO_HOOK_OUTPUT; hook++) {
		rule.hook = hook;
		ASSERT_EQ(0, kcuckoo_attach(self->handle, "a", &rule));
		ASSERT_EQ(0, kcuckoo_attach(self->handle, "b", &rule));
	}
	EXPECT_EQ(2, kcuckoo_detach(self->handle, NULL, &pattern));
	EXPECT_EQ(-ENOENT, kcuckoo_detach(self->handle, NULL, &pattern));
	EXPECT_EQ(3, kcuckoo_detach(self->handle, "a", NULL));
	EXPECT_EQ(-ENOENT, kcuckoo_detach(self->handle, "a", NULL));
	EXPECT_EQ(3, kcuckoo_detach(self->handle, NULL, NULL));
	EXPECT_EQ(-ENOENT, kcuckoo_detach(self->handle, NULL, NULL));
}

TEST_F(library, every_error_has_words)
{
	int error;

	for (error = 1; error < 134; error++) {
		EXPECT_NE(NULL, kcuckoo_strerror(error));
		EXPECT_STREQ(kcuckoo_strerror(error), kcuckoo_strerror(-error));
	}
	EXPECT_STREQ("unknown error", kcuckoo_strerror(99999));
	EXPECT_GE(kcuckoo_fd(self->handle), 0);
}

TEST_HARNESS_MAIN
