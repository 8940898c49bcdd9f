// SPDX-License-Identifier: GPL-2.0-only
/*
 * Filters of fingerprints while they are in use: readers ask for permanent keys
 * and never miss one, while tables double and halve, filters are merged, saved
 * and restored, values are changed and other keys expire.
 */

#include "crew.h"

#include "bytes.h"
#include "image.h"

#define KEEP	4000
#define COME	30000

FIXTURE(fingerprint)
{
	struct client client;
};

FIXTURE_VARIANT(fingerprint)
{
	__u32 flags;
	__u8 values;
};

FIXTURE_VARIANT_ADD(fingerprint, plain) {};

FIXTURE_VARIANT_ADD(fingerprint, sorted)
{
	.flags = KCUCKOO_CREATE_SORTED,
};

FIXTURE_VARIANT_ADD(fingerprint, values)
{
	.values = 32,
};

FIXTURE_VARIANT_ADD(fingerprint, timeouts)
{
	.flags = KCUCKOO_CREATE_INSERT_ONLY | KCUCKOO_CREATE_TIMEOUT,
	.values = 5,
};

static struct strings keep, come;
static __u32 *nothing, *seconds;
static atomic_ullong lookups, misses, failures, turns;

FIXTURE_SETUP(fingerprint)
{
	struct kcuckoo_ioc_create create = bytes_form("a", KEEP, 20);

	keep = strings_make("keep", 0, KEEP);
	come = strings_make("come", 0, COME);
	nothing = numbers_make(0, 0, COME);
	/* Enough for all of them to be there at once. */
	seconds = numbers_make(client_slow() ? 3 : 1, 0, COME);
	ASSERT_EQ(0, client_begin(&self->client));
	create.flags = variant->flags;
	create.value_bits = variant->values;
	ASSERT_EQ(0, call(self->client.fd, KCUCKOO_IOC_CREATE, &create));
	ASSERT_EQ(0, filter_create_like(self->client.fd, "like", "a"));
	ASSERT_LT(KEEP - 40, strings_add(self->client.fd, "a", &keep));
	atomic_store(&lookups, 0);
	atomic_store(&misses, 0);
	atomic_store(&failures, 0);
	atomic_store(&turns, 0);
	atomic_store(&working, true);
}

FIXTURE_TEARDOWN(fingerprint)
{
	strings_free(&keep);
	strings_free(&come);
	free(nothing);
	free(seconds);
	EXPECT_EQ(0, client_end(&self->client));
}

static void check(bool right, const char *what, long long result)
{
	if (right)
		return;
	fprintf(stderr, "# %s: %lld\n", what, result);
	atomic_fetch_add(&failures, 1);
	atomic_store(&working, false);
}

static void *reader(void *argument)
{
	int fd = *(int *)argument;

	while (atomic_load(&working)) {
		long long found = strings_test(fd, "a", &keep);

		check(found >= 0, "test", found);
		atomic_fetch_add(&misses, KEEP - found);
		atomic_fetch_add(&lookups, KEEP);
	}
	return NULL;
}

/* Adds the keys that come and go; those of insert-only filters go by themselves. */
static void come_and_go(int fd, const char *name)
{
	struct kcuckoo_ioc_info info;
	struct kcuckoo_ioc_add add = strings_adding(name, &come);
	struct kcuckoo_ioc_del del = {
		.size = sizeof(del),
		.keys = (uintptr_t)come.bytes,
		.lengths = (uintptr_t)come.lengths,
	};
	int error = filter_info(fd, name, &info);

	check(!error, "info", error);
	if (info.create_flags & KCUCKOO_CREATE_TIMEOUT)
		add.timeouts = (uintptr_t)seconds;
	error = call(fd, KCUCKOO_IOC_ADD, &add);
	check(!error, "add", error);
	if (info.create_flags & KCUCKOO_CREATE_INSERT_ONLY)
		return;
	del.count = add.done;
	del.values = info.value_bits ? (uintptr_t)nothing : 0;
	set_name(del.name, name);
	error = call(fd, KCUCKOO_IOC_DEL, &del);
	check(!error && del.deleted == add.added, "delete", error ? error : del.deleted);
}

static void *double_and_halve(void *argument)
{
	int fd = *(int *)argument;

	while (atomic_load(&working)) {
		come_and_go(fd, "a");
		check(!filter_compact(fd, "a"), "compact", 0);
		atomic_fetch_add(&turns, 1);
	}
	return NULL;
}

/* Merges the permanent keys into another filter, and that one back. */
static void *merge_and_flush(void *argument)
{
	int fd = *(int *)argument;
	long long found;
	int error;

	while (atomic_load(&working)) {
		error = filter_pair(fd, KCUCKOO_IOC_MERGE, "like", "a");
		check(!error, "adding all", error);
		found = strings_test(fd, "like", &keep);
		check(found == KEEP, "missed after that", KEEP - found);
		check(!filter_flush(fd, "like"), "flush", 0);
		error = filter_pair(fd, KCUCKOO_IOC_MERGE, "a", "like");
		check(!error, "adding nothing", error);
		atomic_fetch_add(&turns, 1);
	}
	return NULL;
}

/* Each snapshot has all permanent keys, whenever it was taken. */
static void *save_and_restore(void *argument)
{
	int fd = *(int *)argument;

	while (atomic_load(&working)) {
		__u64 total;
		__u8 *image;
		long long found;
		int error = image_save(fd, "a", 1 << 20, &image, &total);

		check(!error, "save", error);
		error = image_restore(fd, "new", image, total, total, 1 << 16);
		check(!error, "restore", error);
		free(image);
		found = strings_test(fd, "new", &keep);
		check(found == KEEP, "missed in a snapshot", KEEP - found);
		check(!filter_destroy(fd, "new"), "destroy", 0);
		atomic_fetch_add(&turns, 1);
	}
	return NULL;
}

static bool enough(void)
{
	return atomic_load(&turns) && atomic_load(&lookups) > KEEP;
}

static void run(struct __test_metadata *_metadata, int fd, void *(*first)(void *),
		void *(*second)(void *))
{
	pthread_t threads[] = {
		crew_start(reader, &fd), crew_start(reader, &fd), crew_start(first, &fd),
		second ? crew_start(second, &fd) : 0,
	};
	struct kcuckoo_ioc_info info;

	crew_run(threads, second ? 4 : 3, enough);
	EXPECT_EQ(0, filter_info(fd, "a", &info));
	TH_LOG("%llu lookups, %llu misses; %llu turns, %llu growths, %llu moves",
	       atomic_load(&lookups), atomic_load(&misses), atomic_load(&turns),
	       info.growths, info.moves);
	EXPECT_LT(0, atomic_load(&turns));
	EXPECT_LT(KEEP, atomic_load(&lookups));
	EXPECT_EQ(0, atomic_load(&misses));
	EXPECT_EQ(0, atomic_load(&failures));
	EXPECT_EQ(KEEP, strings_test(fd, "a", &keep));
}

TEST_F(fingerprint, doubling_and_halving)
{
	struct kcuckoo_ioc_info info;

	run(_metadata, self->client.fd, double_and_halve, NULL);
	EXPECT_EQ(0, filter_info(self->client.fd, "a", &info));
	EXPECT_LE(1, info.growths);
}

TEST_F(fingerprint, merging)
{
	run(_metadata, self->client.fd, merge_and_flush, double_and_halve);
}

TEST_F(fingerprint, saving)
{
	run(_metadata, self->client.fd, save_and_restore, double_and_halve);
}

TEST_HARNESS_MAIN
