// SPDX-License-Identifier: GPL-2.0-only
/*
 * libkcuckoo against the kernel: namespaces, batches beyond the kernel's own
 * limit, partial results, walks, snapshots.
 */
#include "client.h"

#include <math.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>

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

static int prefixes_add(struct kcuckoo *handle, const char *name,
			const struct kcuckoo_prefix *keys, size_t count,
			uint8_t *results, struct kcuckoo_counts *sum)
{
	const struct kcuckoo_batch batch = {
		.prefixes = keys,
		.count = count,
		.results = results,
	};

	return kcuckoo_add(handle, name, 0, &batch, sum);
}

static int prefixes_del(struct kcuckoo *handle, const char *name,
			const struct kcuckoo_prefix *keys, size_t count,
			uint8_t *results, struct kcuckoo_counts *sum)
{
	const struct kcuckoo_batch batch = {
		.prefixes = keys,
		.count = count,
		.results = results,
	};

	return kcuckoo_del(handle, name, &batch, sum);
}

static int prefixes_test(struct kcuckoo *handle, const char *name,
			 unsigned int flags, const struct kcuckoo_prefix *keys,
			 size_t count, uint8_t *results,
			 struct kcuckoo_counts *sum)
{
	const struct kcuckoo_batch batch = {
		.prefixes = keys,
		.count = count,
		.results = results,
	};

	return kcuckoo_test(handle, name, flags, &batch, sum);
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

/* Before any other thread: of one that has ended the C library keeps the stack. */
TEST_F(library, open_without_room_for_a_thread)
{
	struct kcuckoo *handle = (void *)1;
	struct rlimit limit, none;
	int ret;

	ASSERT_EQ(0, getrlimit(RLIMIT_AS, &limit));
	none = limit;
	none.rlim_cur = 0;
	ASSERT_EQ(0, setrlimit(RLIMIT_AS, &none));
	ret = kcuckoo_open(&handle, "no-such-namespace");
	ASSERT_EQ(0, setrlimit(RLIMIT_AS, &limit));
	EXPECT_EQ(-ENOMEM, ret);
	EXPECT_EQ(NULL, handle);
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

TEST_F(library, room_is_for_members_that_can_be)
{
	struct kcuckoo_ioc_create bytes = {
		.size = sizeof(bytes),
		.type = KCUCKOO_TYPE_BYTES,
		.tag_bits = 16,
		.capacity = 1000,
	};

	ASSERT_EQ(0, kcuckoo_create(self->handle, "a", NULL));
	ASSERT_EQ(0, kcuckoo_create(self->handle, "b", &bytes));
	EXPECT_EQ(0, kcuckoo_reserve(self->handle, "a", KCUCKOO_FAMILY_IPV6, 128, 100));
	EXPECT_EQ(-EINVAL, kcuckoo_reserve(self->handle, "a", KCUCKOO_FAMILY_BOTH, 32, 100));
	EXPECT_EQ(-EINVAL, kcuckoo_reserve(self->handle, "a", KCUCKOO_FAMILY_IPV4, 33, 100));
	EXPECT_EQ(-EINVAL, kcuckoo_reserve(self->handle, "a", KCUCKOO_FAMILY_IPV4, 32,
					   KCUCKOO_CAPACITY_MAX + 1));
	EXPECT_EQ(-EOPNOTSUPP, kcuckoo_reserve(self->handle, "b", KCUCKOO_FAMILY_IPV4, 32, 100));
	EXPECT_EQ(-ENOENT, kcuckoo_reserve(self->handle, "c", KCUCKOO_FAMILY_IPV4, 32, 100));
}

TEST_F(library, rename_swap_replace_flush)
{
	struct kcuckoo_prefix key = ipv4_key(0x01020304, 32);
	struct kcuckoo_ioc_info info = { .size = sizeof(info) };
	struct kcuckoo_counts sum;

	ASSERT_EQ(0, kcuckoo_create(self->handle, "a", NULL));
	ASSERT_EQ(0, kcuckoo_create(self->handle, "b", NULL));
	ASSERT_EQ(0, prefixes_add(self->handle, "a", &key, 1, NULL, &sum));
	EXPECT_EQ(-EEXIST, kcuckoo_rename(self->handle, "a", "b"));
	EXPECT_EQ(-ENOENT, kcuckoo_rename(self->handle, "x", "y"));
	ASSERT_EQ(0, kcuckoo_rename(self->handle, "a", "c"));
	ASSERT_EQ(0, kcuckoo_swap(self->handle, "c", "b"));
	ASSERT_EQ(0, kcuckoo_info(self->handle, "b", &info));
	EXPECT_EQ(1, info.members);
	EXPECT_EQ(-ENOENT, kcuckoo_swap(self->handle, "c", "x"));
	ASSERT_EQ(0, kcuckoo_replace(self->handle, "c", "b"));
	EXPECT_EQ(-ENOENT, kcuckoo_info(self->handle, "b", &info));
	ASSERT_EQ(0, kcuckoo_info(self->handle, "c", &info));
	EXPECT_EQ(1, info.members);
	ASSERT_EQ(0, kcuckoo_flush(self->handle, "c"));
	ASSERT_EQ(0, kcuckoo_info(self->handle, "c", &info));
	EXPECT_EQ(0, info.members);
	EXPECT_EQ(-ENOENT, kcuckoo_flush(self->handle, "b"));
}

TEST_F(library, batches_of_any_length)
{
	size_t count = client_scale(KCUCKOO_BATCH_MAX + 123456), i;
	struct kcuckoo_prefix *keys = some_keys(count);
	uint8_t *results = calloc(count, 1);
	struct kcuckoo_counts sum;

	ASSERT_NE(NULL, keys);
	ASSERT_NE(NULL, results);
	ASSERT_EQ(0, kcuckoo_create(self->handle, "a", NULL));
	ASSERT_EQ(0, kcuckoo_reserve(self->handle, "a", KCUCKOO_FAMILY_IPV4,
				     32, count));
	ASSERT_EQ(0, prefixes_add(self->handle, "a", keys, count, results,
				  &sum));
	EXPECT_EQ(count, sum.done);
	EXPECT_EQ(count, sum.added);
	EXPECT_EQ(0, sum.existed);
	for (i = 0; i < count; i++)
		ASSERT_EQ(KCUCKOO_RESULT_ADDED, results[i]);
	ASSERT_EQ(0, prefixes_test(self->handle, "a", 0, keys, count, results,
				   &sum));
	EXPECT_EQ(count, sum.present);
	for (i = 0; i < count; i++)
		ASSERT_EQ(KCUCKOO_RESULT_PRESENT, results[i]);
	ASSERT_EQ(0, prefixes_del(self->handle, "a", keys, count / 2, NULL,
				  NULL));
	ASSERT_EQ(0, prefixes_del(self->handle, "a", keys, count, results,
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
	struct kcuckoo_counts sum;

	ASSERT_NE(NULL, keys);
	ASSERT_EQ(0, kcuckoo_create(self->handle, "a", &options));
	EXPECT_EQ(-ENOSPC, prefixes_add(self->handle, "a", keys, most + 500,
					NULL, &sum));
	EXPECT_EQ(most, sum.done);
	EXPECT_EQ(most, sum.added);

	/* A key with host bits in the middle of a batch. */
	keys[100].plen = 8;
	keys[100].addr[3] = 1;
	EXPECT_EQ(-EINVAL, prefixes_test(self->handle, "a", 0, keys, 200, NULL,
					 &sum));
	EXPECT_EQ(100, sum.done);
	free(keys);
}

TEST_F(library, an_empty_batch_still_finds_the_filter)
{
	struct kcuckoo_counts sum = { .done = 1, .added = 1 };

	EXPECT_EQ(-ENOENT, prefixes_add(self->handle, "a", NULL, 0, NULL, NULL));
	ASSERT_EQ(0, kcuckoo_create(self->handle, "a", NULL));
	EXPECT_EQ(0, prefixes_add(self->handle, "a", NULL, 0, NULL, &sum));
	EXPECT_EQ(0, sum.done);
	EXPECT_EQ(0, sum.added);
	EXPECT_EQ(0, prefixes_del(self->handle, "a", NULL, 0, NULL, &sum));
	EXPECT_EQ(0, prefixes_test(self->handle, "a", 0, NULL, 0, NULL, &sum));
}

static int by_address(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(struct kcuckoo_prefix));
}

TEST_F(library, members_are_all_members)
{
	size_t count = client_scale(200000);
	struct kcuckoo_prefix *keys = some_keys(count);
	struct kcuckoo_members members;

	ASSERT_NE(NULL, keys);
	EXPECT_EQ(-ENOENT, kcuckoo_members(self->handle, "a", &members));
	EXPECT_EQ(NULL, members.keys);
	ASSERT_EQ(0, kcuckoo_create(self->handle, "a", NULL));
	ASSERT_EQ(0, kcuckoo_members(self->handle, "a", &members));
	EXPECT_EQ(0, members.count);
	kcuckoo_members_free(&members);
	ASSERT_EQ(0, prefixes_add(self->handle, "a", keys, count, NULL, NULL));
	ASSERT_EQ(0, kcuckoo_members(self->handle, "a", &members));
	ASSERT_EQ(count, members.count);
	EXPECT_EQ(NULL, members.values);
	EXPECT_EQ(NULL, members.timeouts);
	qsort(keys, count, sizeof(*keys), by_address);
	qsort(members.keys, count, sizeof(*keys), by_address);
	EXPECT_EQ(0, memcmp(keys, members.keys, count * sizeof(*keys)));
	kcuckoo_members_free(&members);
	EXPECT_EQ(NULL, members.keys);
	free(keys);
}

TEST_F(library, members_have_values_and_timeouts)
{
	struct kcuckoo_ioc_create options = {
		.size = sizeof(options),
		.flags = KCUCKOO_CREATE_TIMEOUT,
		.type = KCUCKOO_TYPE_INET,
		.value_bits = 20,
		.capacity = 1 << 20,
	};
	size_t count = client_scale(10000), i;
	struct kcuckoo_prefix *keys = some_keys(count);
	uint32_t *values = calloc(count, sizeof(*values));
	uint32_t *timeouts = calloc(count, sizeof(*timeouts));
	struct kcuckoo_batch batch = {
		.prefixes = keys,
		.count = count,
		.values = values,
		.timeouts = timeouts,
	};
	struct kcuckoo_members members;

	ASSERT_NE(NULL, keys);
	for (i = 0; i < count; i++) {
		values[i] = keys[i].addr[0] | keys[i].addr[1] << 8;
		timeouts[i] = i % 2 ? 100000 : 0;
	}
	ASSERT_EQ(0, kcuckoo_create(self->handle, "a", &options));
	ASSERT_EQ(0, kcuckoo_add(self->handle, "a", 0, &batch, NULL));
	ASSERT_EQ(0, kcuckoo_members(self->handle, "a", &members));
	ASSERT_EQ(count, members.count);
	for (i = 0; i < count; i++) {
		const __u8 *addr = members.keys[i].addr;

		ASSERT_EQ(addr[0] | addr[1] << 8, members.values[i]);
		if (members.timeouts[i])
			ASSERT_GE(100000, members.timeouts[i]);
	}
	kcuckoo_members_free(&members);
	free(timeouts);
	free(values);
	free(keys);
}

TEST_F(library, walk_goes_step_by_step)
{
	struct kcuckoo_prefix *keys = some_keys(1000), step[64];
	struct kcuckoo_members room = { .keys = step, .count = 64 };
	struct kcuckoo_cursor cursor = { .move_seq = 0 };
	size_t found = 0, done;
	int state, steps = 0;

	ASSERT_EQ(0, kcuckoo_create(self->handle, "a", NULL));
	ASSERT_EQ(0, prefixes_add(self->handle, "a", keys, 1000, NULL, NULL));
	do {
		state = kcuckoo_walk(self->handle, "a", &cursor, &room, &done);
		ASSERT_TRUE(state == KCUCKOO_WALK_MORE ||
			    state == KCUCKOO_WALK_END);
		ASSERT_GE(64, done);
		found += done;
		steps++;
	} while (state == KCUCKOO_WALK_MORE);
	EXPECT_EQ(1000, found);
	EXPECT_GE(steps, 1000 / 64);
	room.count = 0;
	EXPECT_EQ(-EINVAL, kcuckoo_walk(self->handle, "a", &cursor, &room,
					&done));
	EXPECT_EQ(0, done);
	free(keys);
}

/* A filter of byte strings of 24 bits, with a capacity of @capacity. */
static int create_bytes(struct kcuckoo *handle, const char *name,
			__u64 capacity, __u32 flags, int value_bits)
{
	struct kcuckoo_ioc_create options = {
		.size = sizeof(options),
		.flags = flags,
		.type = KCUCKOO_TYPE_BYTES,
		.tag_bits = 24,
		.value_bits = value_bits,
		.capacity = capacity,
	};

	return kcuckoo_create(handle, name, &options);
}

/* Numbers as text of different lengths, number 0 being the empty one. */
struct strings {
	char *bytes;
	uint16_t *lengths;
	uint32_t *values;
	size_t count;
};

static void some_strings(struct strings *strings, size_t count)
{
	size_t i, at = 0;

	strings->bytes = malloc(count * 16);
	strings->lengths = calloc(count, sizeof(*strings->lengths));
	strings->values = calloc(count, sizeof(*strings->values));
	strings->count = count;
	for (i = 1; i < count; i++) {
		strings->lengths[i] = sprintf(strings->bytes + at, "%zu",
					      i * i);
		at += strings->lengths[i];
		strings->values[i] = i & 0xffff;
	}
}

static void free_strings(struct strings *strings)
{
	free(strings->bytes);
	free(strings->lengths);
	free(strings->values);
}

TEST_F(library, batches_of_byte_strings)
{
	size_t count = client_scale(KCUCKOO_BATCH_MAX) + 1000, i;
	struct kcuckoo_counts sum;
	struct kcuckoo_batch batch;
	struct strings strings;
	uint32_t *found;
	uint8_t *counts;

	some_strings(&strings, count);
	found = calloc(count, 4 * sizeof(*found));
	counts = calloc(count, 1);
	batch = (struct kcuckoo_batch){
		.bytes = strings.bytes,
		.lengths = strings.lengths,
		.count = count,
		.values = strings.values,
		.max_values = 4,
		.found = found,
		.found_counts = counts,
	};
	ASSERT_EQ(0, create_bytes(self->handle, "a", count, 0, 16));
	ASSERT_EQ(0, kcuckoo_add(self->handle, "a", 0, &batch, &sum));
	EXPECT_EQ(count, sum.done);
	EXPECT_EQ(count, sum.added + sum.refused);
	ASSERT_EQ(0, kcuckoo_test(self->handle, "a", 0, &batch, &sum));
	EXPECT_EQ(count, sum.present);
	for (i = 0; i < count; i++) {
		const uint32_t *values = found + 4 * i;

		ASSERT_LE(1, counts[i]);
		ASSERT_TRUE(values[0] == strings.values[i] || counts[i] > 1);
	}
	ASSERT_EQ(0, kcuckoo_del(self->handle, "a", &batch, &sum));
	EXPECT_EQ(count, sum.deleted);
	batch.values = NULL;
	EXPECT_EQ(-EINVAL, kcuckoo_del(self->handle, "a", &batch, &sum));
	EXPECT_EQ(0, sum.done);
	free(counts);
	free(found);
	free_strings(&strings);
}

TEST_F(library, update_names_the_old_value)
{
	uint32_t one = 1, two = 2, found = 0;
	uint16_t length = 3;
	uint8_t result;
	struct kcuckoo_batch batch = {
		.bytes = "key",
		.lengths = &length,
		.count = 1,
		.values = &one,
		.results = &result,
		.max_values = 1,
		.found = &found,
	};
	struct kcuckoo_counts sum;

	ASSERT_EQ(0, create_bytes(self->handle, "a", 100, 0, 8));
	ASSERT_EQ(0, kcuckoo_add(self->handle, "a", 0, &batch, NULL));
	batch.values = &two;
	EXPECT_EQ(-EINVAL, kcuckoo_update(self->handle, "a", &batch, NULL));
	batch.old_values = &two;
	ASSERT_EQ(0, kcuckoo_update(self->handle, "a", &batch, &sum));
	EXPECT_EQ(1, sum.absent);
	EXPECT_EQ(KCUCKOO_RESULT_ABSENT, result);
	batch.old_values = &one;
	ASSERT_EQ(0, kcuckoo_update(self->handle, "a", &batch, &sum));
	EXPECT_EQ(1, sum.updated);
	EXPECT_EQ(KCUCKOO_RESULT_UPDATED, result);
	ASSERT_EQ(0, kcuckoo_test(self->handle, "a", 0, &batch, &sum));
	EXPECT_EQ(1, sum.present);
	EXPECT_EQ(2, found);
}

TEST_F(library, copies_are_refused_and_counted)
{
	uint16_t lengths[12] = { 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3 };
	uint8_t results[12];
	const struct kcuckoo_batch batch = {
		.bytes = "keykeykeykeykeykeykeykeykeykeykeykey",
		.lengths = lengths,
		.count = 12,
		.results = results,
	};
	struct kcuckoo_counts sum;

	ASSERT_EQ(0, create_bytes(self->handle, "a", 1000000, 0, 0));
	ASSERT_EQ(0, kcuckoo_add(self->handle, "a", 0, &batch, &sum));
	EXPECT_EQ(8, sum.added);
	EXPECT_EQ(4, sum.refused);
	EXPECT_EQ(KCUCKOO_RESULT_REFUSED, results[11]);
	EXPECT_EQ(-EOPNOTSUPP, kcuckoo_add(self->handle, "a",
					   KCUCKOO_ADD_ABSENT, &batch, NULL));
}

TEST_F(library, filters_created_alike_are_merged)
{
	struct kcuckoo_counts sum;
	struct strings strings;
	struct kcuckoo_batch batch;

	some_strings(&strings, 1000);
	batch = (struct kcuckoo_batch){
		.bytes = strings.bytes,
		.lengths = strings.lengths,
		.count = 1000,
	};
	ASSERT_EQ(0, create_bytes(self->handle, "a", 5000, 0, 0));
	ASSERT_EQ(0, create_bytes(self->handle, "other", 5000, 0, 0));
	EXPECT_EQ(-ENOENT, kcuckoo_create_like(self->handle, "b", "x"));
	ASSERT_EQ(0, kcuckoo_create_like(self->handle, "b", "a"));
	EXPECT_EQ(-EEXIST, kcuckoo_create_like(self->handle, "b", "a"));
	ASSERT_EQ(0, kcuckoo_add(self->handle, "b", 0, &batch, NULL));
	EXPECT_EQ(-EINVAL, kcuckoo_merge(self->handle, "a", "other"));
	EXPECT_EQ(-EINVAL, kcuckoo_merge(self->handle, "a", "a"));
	EXPECT_EQ(-ENOENT, kcuckoo_merge(self->handle, "a", "x"));
	ASSERT_EQ(0, kcuckoo_merge(self->handle, "a", "b"));
	ASSERT_EQ(0, kcuckoo_test(self->handle, "a", 0, &batch, &sum));
	EXPECT_EQ(1000, sum.present);
	free_strings(&strings);
}

TEST_F(library, snapshots_come_back)
{
	char name[KCUCKOO_NAME_SIZE] = "";
	struct kcuckoo_batch batch;
	struct kcuckoo_counts sum;
	struct strings strings;
	const char *why;
	int fd = memfd_create("snapshot", MFD_CLOEXEC);

	ASSERT_LE(0, fd);
	some_strings(&strings, 1000);
	batch = (struct kcuckoo_batch){
		.bytes = strings.bytes,
		.lengths = strings.lengths,
		.count = 1000,
	};
	ASSERT_EQ(0, create_bytes(self->handle, "a", client_scale(1000000), 0,
				  0));
	ASSERT_EQ(0, kcuckoo_add(self->handle, "a", 0, &batch, NULL));
	EXPECT_EQ(-ENOENT, kcuckoo_save(self->handle, "x", fd, &why));
	EXPECT_EQ(NULL, why);
	ASSERT_EQ(0, kcuckoo_save(self->handle, "a", fd, &why));

	lseek(fd, 0, SEEK_SET);
	EXPECT_EQ(-EEXIST, kcuckoo_restore(self->handle, name, 0, fd, &why));
	EXPECT_STREQ("a", name);
	EXPECT_EQ(NULL, why);
	lseek(fd, 0, SEEK_SET);
	strcpy(name, "b");
	ASSERT_EQ(0, kcuckoo_restore(self->handle, name, 0, fd, &why));
	ASSERT_EQ(0, kcuckoo_test(self->handle, "b", 0, &batch, &sum));
	EXPECT_EQ(1000, sum.present);

	ASSERT_EQ(0, kcuckoo_flush(self->handle, "a"));
	ASSERT_EQ(0, kcuckoo_destroy(self->handle, "b"));
	*name = 0;
	lseek(fd, 0, SEEK_SET);
	ASSERT_EQ(0, kcuckoo_restore(self->handle, name,
				     KCUCKOO_RESTORE_REPLACE, fd, &why));
	ASSERT_EQ(0, kcuckoo_test(self->handle, "a", 0, &batch, &sum));
	EXPECT_EQ(1000, sum.present);
	ASSERT_EQ(0, kcuckoo_destroy(self->handle, "a"));
	lseek(fd, 0, SEEK_SET);
	ASSERT_EQ(0, kcuckoo_restore(self->handle, name,
				     KCUCKOO_RESTORE_REPLACE, fd, NULL));
	EXPECT_EQ(1, filter_count(self->handle));
	free_strings(&strings);
	close(fd);
}

TEST_F(library, damaged_snapshots_change_nothing)
{
	char name[KCUCKOO_NAME_SIZE] = "a";
	const char *why = NULL;
	int fd = memfd_create("snapshot", MFD_CLOEXEC);
	off_t length, at;
	char byte;

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, create_bytes(self->handle, "a", 1000, 0, 0));
	ASSERT_EQ(0, kcuckoo_save(self->handle, "a", fd, NULL));
	length = lseek(fd, 0, SEEK_CUR);
	for (at = 0; at < length; at += 1 + length / 50) {
		ASSERT_EQ(1, pread(fd, &byte, 1, at));
		byte ^= 0x10;
		ASSERT_EQ(1, pwrite(fd, &byte, 1, at));
		lseek(fd, 0, SEEK_SET);
		EXPECT_EQ(-EBADMSG, kcuckoo_restore(self->handle, name,
						    KCUCKOO_RESTORE_REPLACE,
						    fd, &why));
		EXPECT_NE(NULL, why);
		byte ^= 0x10;
		ASSERT_EQ(1, pwrite(fd, &byte, 1, at));
	}
	ASSERT_EQ(0, ftruncate(fd, length - 1));
	lseek(fd, 0, SEEK_SET);
	EXPECT_EQ(-EBADMSG, kcuckoo_restore(self->handle, name,
					    KCUCKOO_RESTORE_REPLACE, fd, &why));
	EXPECT_NE(NULL, why);
	/* It was not the file. */
	EXPECT_EQ(-EINVAL, kcuckoo_restore(self->handle, name, ~0U, fd, &why));
	EXPECT_EQ(NULL, why);
	EXPECT_EQ(1, filter_count(self->handle));
	close(fd);
}

/* Is that much memory taken in the end? Some of it is released a little later. */
static bool memory_becomes(struct kcuckoo *handle, __u64 bytes)
{
	struct kcuckoo_ioc_stats stats = { .size = sizeof(stats) };
	int i;

	for (i = 0; i < 500; i++) {
		if (!kcuckoo_stats(handle, &stats) && stats.memory_bytes == bytes)
			return true;
		client_sleep(0.02);
	}
	fprintf(stderr, "# %llu bytes are taken, not %llu\n", stats.memory_bytes, bytes);
	return false;
}

/* Of a snapshot of several parts, of which the kernel has sent or has got some. */
TEST_F(library, failed_snapshots_keep_no_memory)
{
	struct kcuckoo_ioc_info info = { .size = sizeof(info) };
	struct kcuckoo_prefix key = ipv4_key(0x01020304, 32);
	int fd = memfd_create("snapshot", MFD_CLOEXEC);
	char name[KCUCKOO_NAME_SIZE] = "b";
	const char *why;
	off_t length;

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, kcuckoo_create(self->handle, "a", NULL));
	ASSERT_EQ(0, kcuckoo_reserve(self->handle, "a", KCUCKOO_FAMILY_IPV4, 32, 2000000));
	ASSERT_EQ(0, prefixes_add(self->handle, "a", &key, 1, NULL, NULL));
	ASSERT_EQ(0, kcuckoo_save(self->handle, "a", fd, NULL));
	length = lseek(fd, 0, SEEK_CUR);
	ASSERT_EQ(0, kcuckoo_info(self->handle, "a", &info));
	ASSERT_TRUE(memory_becomes(self->handle, info.memory_bytes));
	ASSERT_LT(3 << 20, info.memory_bytes);

	EXPECT_EQ(-EBADF, kcuckoo_save(self->handle, "a", -1, &why));
	EXPECT_NE(NULL, why);
	EXPECT_TRUE(memory_becomes(self->handle, info.memory_bytes));

	ASSERT_EQ(0, ftruncate(fd, length - 1));
	lseek(fd, 0, SEEK_SET);
	EXPECT_EQ(-EBADMSG, kcuckoo_restore(self->handle, name, 0, fd, &why));
	EXPECT_NE(NULL, why);
	EXPECT_TRUE(memory_becomes(self->handle, info.memory_bytes));
	EXPECT_EQ(1, filter_count(self->handle));
	close(fd);
}

TEST_F(library, rates_of_false_positives)
{
	struct kcuckoo_ioc_info info = {
		.tag_bits = 12,
		.fingerprints_compared = { 8 << 16, 4 << 16 },
	};
	double one = 1 - 1.0 / 4095, little = ldexp(1, -30);

	EXPECT_TRUE(fabs(kcuckoo_fpr(12, 8) - (1 - pow(one, 8))) < little);
	EXPECT_TRUE(kcuckoo_fpr(0, 8) == 0);
	EXPECT_TRUE(kcuckoo_fpr(12, 0) == 0);
	EXPECT_TRUE(kcuckoo_fpr(1, 0) == 0);
	EXPECT_TRUE(kcuckoo_fpr(1, 2) == 1);
	/* So small that 1 - (1 - x)^c would have few digits left. */
	EXPECT_TRUE(fabs(kcuckoo_fpr(32, 1) * 4294967295.0 - 1) < little);
	EXPECT_TRUE(kcuckoo_expected_fpr(&info, 0) == kcuckoo_fpr(12, 8));
	EXPECT_TRUE(kcuckoo_expected_fpr(&info, KCUCKOO_FAMILY_IPV6) ==
		    kcuckoo_fpr(12, 4));
	EXPECT_TRUE(fabs(kcuckoo_false_positives_ipv4(&info) / 4294967296.0 -
			 kcuckoo_fpr(12, 8)) < little);
	info.tag_bits = 0;
	EXPECT_TRUE(kcuckoo_expected_fpr(&info, 0) == 0);
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
	EXPECT_EQ(0, kcuckoo_attach(self->handle, "other", &rule));

	ASSERT_EQ(50, kcuckoo_list(self->handle, &entries));
	ASSERT_EQ(51, kcuckoo_rules(self->handle, &rules));
	for (i = 0; i < 50; i++) {
		snprintf(name, sizeof(name), "filter-%d", i);
		EXPECT_STREQ(name, (char *)entries[i].name);
		EXPECT_STREQ(name, (char *)rules[i].name);
		EXPECT_EQ(KCUCKOO_FAMILY_BOTH, rules[i].family);
		EXPECT_EQ(0, rules[i].flags);
	}
	EXPECT_STREQ("other", (char *)rules[50].name);
	EXPECT_EQ(KCUCKOO_RULE_WAITING, rules[50].flags);
	free(entries);
	free(rules);
	ASSERT_EQ(0, kcuckoo_stats(self->handle, &stats));
	EXPECT_EQ(50, stats.filters);
	EXPECT_EQ(1, stats.waiting);
	EXPECT_EQ(51, stats.rules);
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
	EXPECT_EQ(1, kcuckoo_detach(self->handle, "a", &pattern));
	/* The same structure again: no name of the call before is in its way. */
	EXPECT_EQ(1, kcuckoo_detach(self->handle, NULL, &pattern));
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
	EXPECT_NE(NULL, strstr(kcuckoo_strerror(-EPERM), "CAP_NET_ADMIN"));
	EXPECT_EQ(NULL, strstr(kcuckoo_strerror(-EACCES), "CAP_NET_ADMIN"));
	EXPECT_NE(NULL, strstr(kcuckoo_strerror(-EACCES), KCUCKOO_DEVICE));
	/* It has two meanings, and nothing else says which. */
	EXPECT_NE(NULL, strstr(kcuckoo_strerror(-ENXIO), "network device"));
	EXPECT_NE(NULL, strstr(kcuckoo_strerror(-ENXIO), "not loaded"));
	EXPECT_NE(NULL, strstr(kcuckoo_strerror(-EPROTONOSUPPORT), "logger"));
	EXPECT_STREQ("unknown error", kcuckoo_strerror(99999));
	EXPECT_GE(kcuckoo_fd(self->handle), 0);
}

TEST_HARNESS_MAIN
