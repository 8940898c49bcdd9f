// SPDX-License-Identifier: GPL-2.0-only
/*
 * Replacements on the condition that a filter is unchanged, while other threads change
 * it: no change that a call has reported is lost.
 */

#include "crew.h"
#include "staged.h"

#include <linux/userfaultfd.h>
#include <poll.h>
#include <sys/syscall.h>

#define PAGE		4096
#define CHUNK		128	/* keys that the module copies in together */
#define REST		100	/* keys after the first chunk, all in one page */
#define COUNT		(CHUNK + REST)
#define VALUE		7

/**
 * struct paused - a batch that waits in the middle for the memory of its keys
 * @fd: descriptor of the device
 * @faults: reports accesses to the second page
 * @pages: two pages; the second one is missing until page_give()
 * @keys: the keys: the first chunk is in the first page, the rest in the second one
 * @copy: content of the second page
 * @request: the operation
 * @done: keys that the call has done
 * @hits: keys that the call has added, deleted or updated
 * @error: 0 or a negative errno
 */
struct paused {
	int fd;
	int faults;
	__u8 *pages;
	struct kcuckoo_prefix *keys;
	__u8 copy[PAGE];
	unsigned long request;
	__u32 done;
	__u32 hits;
	int error;
};

static_assert(CHUNK * sizeof(struct kcuckoo_prefix) <= PAGE &&
	      REST * sizeof(struct kcuckoo_prefix) <= PAGE, "pages hold the keys");

static struct kcuckoo_prefix all[COUNT];

FIXTURE(paused)
{
	struct client client;
	struct paused paused;
};

FIXTURE_VARIANT(paused)
{
	unsigned long request;
};

FIXTURE_VARIANT_ADD(paused, add) {
	.request = KCUCKOO_IOC_ADD,
};

FIXTURE_VARIANT_ADD(paused, del) {
	.request = KCUCKOO_IOC_DEL,
};

FIXTURE_VARIANT_ADD(paused, update) {
	.request = KCUCKOO_IOC_UPDATE,
};

static int page_withhold(struct paused *paused)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register range = { .mode = UFFDIO_REGISTER_MODE_MISSING };

	paused->faults = syscall(__NR_userfaultfd, O_CLOEXEC | O_NONBLOCK);
	paused->pages = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (paused->faults < 0 || paused->pages == MAP_FAILED)
		return -errno;
	paused->keys = (struct kcuckoo_prefix *)(paused->pages + PAGE) - CHUNK;
	memcpy(paused->keys, all, CHUNK * sizeof(*all));
	memcpy(paused->copy, all + CHUNK, REST * sizeof(*all));
	range.range.start = (uintptr_t)paused->pages + PAGE;
	range.range.len = PAGE;
	if (ioctl(paused->faults, UFFDIO_API, &api) ||
	    ioctl(paused->faults, UFFDIO_REGISTER, &range))
		return -errno;
	return 0;
}

static int page_give(struct paused *paused)
{
	struct uffdio_copy copy = {
		.dst = (uintptr_t)paused->pages + PAGE,
		.src = (uintptr_t)paused->copy,
		.len = PAGE,
	};

	return ioctl(paused->faults, UFFDIO_COPY, &copy);
}

/* Waits until the call wants the second page. */
static bool page_wanted(struct paused *paused)
{
	struct pollfd wait = { .fd = paused->faults, .events = POLLIN };

	return poll(&wait, 1, 60000) == 1;
}

static int create(int fd, const char *name, int value_bits)
{
	struct kcuckoo_ioc_create create = {
		.size = sizeof(create),
		.type = KCUCKOO_TYPE_INET,
		.value_bits = value_bits,
		.capacity = 1 << 20,
	};

	if (!*name)
		create.flags = KCUCKOO_CREATE_STAGED;
	set_name(create.name, name);
	return call(fd, KCUCKOO_IOC_CREATE, &create);
}

FIXTURE_SETUP(paused)
{
	struct paused *paused = &self->paused;
	int i;

	for (i = 0; i < COUNT; i++)
		all[i] = ipv4(0x0a000000 + i, 32);
	ASSERT_EQ(0, client_begin(&self->client));
	paused->fd = self->client.fd;
	paused->request = variant->request;
	ASSERT_EQ(0, page_withhold(paused));
	ASSERT_EQ(0, create(paused->fd, "a", 8));
	if (variant->request != KCUCKOO_IOC_ADD)
		ASSERT_EQ(COUNT, keys_add(paused->fd, "a", all, COUNT));
}

FIXTURE_TEARDOWN(paused)
{
	munmap(self->paused.pages, 2 * PAGE);
	close(self->paused.faults);
	EXPECT_EQ(0, client_end(&self->client));
}

static void *batch(void *argument)
{
	struct paused *paused = argument;
	__u32 values[COUNT];
	struct kcuckoo_ioc_update update = {
		.size = sizeof(update),
		.keys = (uintptr_t)paused->keys,
		.values = (uintptr_t)values,
		.count = COUNT,
	};
	struct batch plain = batch_of("a", paused->keys, NULL, COUNT);
	int i;

	for (i = 0; i < COUNT; i++)
		values[i] = VALUE;
	set_name(update.name, "a");
	if (paused->request == KCUCKOO_IOC_UPDATE) {
		paused->error = call(paused->fd, paused->request, &update);
		paused->done = update.done;
		paused->hits = update.updated;
		return NULL;
	}
	paused->error = call(paused->fd, paused->request, &plain);
	paused->done = plain.done;
	paused->hits = plain.hits;
	return NULL;
}

/* How many of the keys are as the call makes them? */
static int applied(const struct paused *paused)
{
	__u32 values[COUNT] = {};
	struct kcuckoo_ioc_test test = {
		.size = sizeof(test),
		.keys = (uintptr_t)all,
		.count = COUNT,
		.values = (uintptr_t)values,
		.max_values = 1,
	};
	int count = 0, i;

	set_name(test.name, "a");
	if (paused->request == KCUCKOO_IOC_ADD)
		return keys_members(paused->fd, "a", all, COUNT);
	if (paused->request == KCUCKOO_IOC_DEL)
		return COUNT - keys_members(paused->fd, "a", all, COUNT);
	if (call(paused->fd, KCUCKOO_IOC_TEST, &test))
		return -EPROTO;
	for (i = 0; i < COUNT; i++)
		count += values[i] == VALUE;
	return count;
}

/* A staged filter with the members of "a" at this moment. */
static int stage_copy(int fd, struct kcuckoo_ioc_info *info)
{
	return filter_info(fd, "a", info) ?: staged_create_like(fd, "a") ?:
	       filter_pair(fd, KCUCKOO_IOC_MERGE, STAGED, "a");
}

TEST_F(paused, goes_on_in_the_new_filter)
{
	struct paused *paused = &self->paused;
	pthread_t thread = crew_start(batch, paused);
	struct kcuckoo_ioc_info info, after;

	ASSERT_TRUE(page_wanted(paused));
	ASSERT_EQ(0, stage_copy(paused->fd, &info));
	EXPECT_EQ(0, filter_replace_known(paused->fd, "a", STAGED, &info));
	EXPECT_EQ(CHUNK, applied(paused));
	ASSERT_EQ(0, page_give(paused));
	pthread_join(thread, NULL);
	EXPECT_EQ(0, paused->error);
	EXPECT_EQ(COUNT, paused->done);
	EXPECT_EQ(COUNT, paused->hits);
	EXPECT_EQ(COUNT, applied(paused));
	ASSERT_EQ(0, filter_info(paused->fd, "a", &after));
	EXPECT_NE(info.filter_id, after.filter_id);
}

/* It makes the next replacement fail, as each change does. */
TEST_F(paused, is_found_by_the_next_replacement)
{
	struct paused *paused = &self->paused;
	pthread_t thread = crew_start(batch, paused);
	struct kcuckoo_ioc_info info;

	ASSERT_TRUE(page_wanted(paused));
	ASSERT_EQ(0, stage_copy(paused->fd, &info));
	ASSERT_EQ(0, filter_replace_known(paused->fd, "a", STAGED, &info));
	ASSERT_EQ(0, stage_copy(paused->fd, &info));
	ASSERT_EQ(0, page_give(paused));
	pthread_join(thread, NULL);
	EXPECT_EQ(-ESTALE, filter_replace_known(paused->fd, "a", STAGED, &info));
	EXPECT_EQ(COUNT, applied(paused));
}

/* The keys that are done count, and the next call has the reason for the others. */
TEST_F(paused, ends_where_the_name_is_gone)
{
	struct paused *paused = &self->paused;
	pthread_t thread = crew_start(batch, paused);
	struct kcuckoo_ioc_info info;

	ASSERT_TRUE(page_wanted(paused));
	ASSERT_EQ(0, stage_copy(paused->fd, &info));
	ASSERT_EQ(0, filter_replace_known(paused->fd, "a", STAGED, &info));
	ASSERT_EQ(0, filter_destroy(paused->fd, "a"));
	ASSERT_EQ(0, page_give(paused));
	pthread_join(thread, NULL);
	EXPECT_EQ(0, paused->error);
	EXPECT_EQ(CHUNK, paused->done);
	EXPECT_EQ(CHUNK, paused->hits);
}

/* An update that the new filter does not support ends in the same way. */
TEST_F(paused, ends_where_the_new_filter_is_of_another_kind)
{
	struct paused *paused = &self->paused;
	pthread_t thread = crew_start(batch, paused);
	struct kcuckoo_ioc_info info;
	__u32 expected = variant->request == KCUCKOO_IOC_UPDATE ? CHUNK : COUNT;

	ASSERT_TRUE(page_wanted(paused));
	ASSERT_EQ(0, filter_info(paused->fd, "a", &info));
	ASSERT_EQ(0, create(paused->fd, STAGED, 0));
	ASSERT_EQ(0, filter_replace_known(paused->fd, "a", STAGED, &info));
	ASSERT_EQ(0, page_give(paused));
	pthread_join(thread, NULL);
	EXPECT_EQ(0, paused->error);
	EXPECT_EQ(expected, paused->done);
	EXPECT_EQ(variant->request == KCUCKOO_IOC_ADD ? REST : 0,
		  filter_entries(paused->fd, "a"));
}

/* What is enough for a random run, and keys that writers add at most. */
#define WRITERS		3
#define UNIQUE		100000
#define BATCH		100
#define REPLACED	client_scale(20)
#define STALE		client_scale(5)

static struct kcuckoo_prefix *unique[WRITERS];
static size_t added[WRITERS];
static atomic_ullong replaced, stale, failures;

/* Microseconds that the last try to replace took. */
static atomic_ullong round_time;

FIXTURE(writers)
{
	struct client client;
};

FIXTURE_SETUP(writers)
{
	int writer, i;

	ASSERT_EQ(0, client_begin(&self->client));
	ASSERT_EQ(0, filter_create(self->client.fd, "a", 10 * UNIQUE));
	for (writer = 0; writer < WRITERS; writer++) {
		unique[writer] = malloc(UNIQUE * sizeof(**unique));
		for (i = 0; i < UNIQUE; i++)
			unique[writer][i] = ipv4((writer + 1) << 24 | i * 19, 32);
		added[writer] = 0;
	}
	atomic_store(&replaced, 0);
	atomic_store(&stale, 0);
	atomic_store(&failures, 0);
	atomic_store(&round_time, 1000);
	atomic_store(&working, true);
}

FIXTURE_TEARDOWN(writers)
{
	int writer;

	for (writer = 0; writer < WRITERS; writer++)
		free(unique[writer]);
	EXPECT_EQ(0, client_end(&self->client));
}

struct writer {
	int fd;
	int number;
};

/*
 * Adds keys that no other thread adds. The pauses are so long that in about every other
 * try to replace no writer adds a key, however slow the machine is.
 */
static void *adder(void *argument)
{
	struct writer *writer = argument;
	struct kcuckoo_prefix *keys = unique[writer->number];
	size_t *done = &added[writer->number];
	__u64 random = writer->number + 1;

	while (atomic_load(&working) && *done + BATCH < UNIQUE) {
		__u32 count = 1 + random_next(&random) % BATCH;
		long long ret = keys_add(writer->fd, "a", keys + *done, count);

		if (ret != count)
			atomic_fetch_add(&failures, 1);
		*done += count;
		client_sleep(random_next(&random) %
			     (1 + 3 * WRITERS * atomic_load(&round_time)) / 1e6);
	}
	return NULL;
}

/* The members of "a" in a new staged filter, by a walk or by a merge. */
static int stage_members(int fd, bool walk)
{
	struct kcuckoo_prefix *members;
	long long count;
	int error;

	if (!walk)
		return staged_create_like(fd, "a") ?:
		       filter_pair(fd, KCUCKOO_IOC_MERGE, STAGED, "a");
	count = keys_walk(fd, "a", KCUCKOO_WALK_BATCH, &members, NULL);
	if (count < 0)
		return count;
	error = staged_create(fd, 10 * UNIQUE);
	if (!error && count && keys_add(fd, STAGED, members, count) != count)
		error = -EPROTO;
	free(members);
	return error;
}

static void *replacer(void *argument)
{
	int fd = client_open(), round, error;
	struct kcuckoo_ioc_info info;
	double start;

	for (round = 0; atomic_load(&working); round++) {
		start = client_clock();
		error = filter_info(fd, "a", &info) ?:
			stage_members(fd, round % 4 == 0) ?:
			filter_replace_known(fd, "a", STAGED, &info);
		if (!error)
			atomic_fetch_add(&replaced, 1);
		else if (error == -ESTALE)
			atomic_fetch_add(&stale, 1);
		else
			atomic_fetch_add(&failures, 1);
		if (error)
			filter_destroy(fd, STAGED);
		atomic_store(&round_time, (client_clock() - start) * 1e6);
	}
	close(fd);
	return NULL;
}

static bool writers_enough(void)
{
	return atomic_load(&replaced) >= REPLACED && atomic_load(&stale) >= STALE;
}

TEST_F(writers, lose_no_key)
{
	struct writer writers[WRITERS];
	pthread_t threads[WRITERS + 1];
	int fd = self->client.fd, i;

	for (i = 0; i < WRITERS; i++) {
		writers[i] = (struct writer){ fd, i };
		threads[i] = crew_start(adder, &writers[i]);
	}
	threads[WRITERS] = crew_start(replacer, NULL);
	crew_run(threads, WRITERS + 1, writers_enough);
	for (i = 0; i < WRITERS; i++) {
		EXPECT_EQ(added[i], keys_members(fd, "a", unique[i], added[i]))
			TH_LOG("writer %d", i);
	}
	TH_LOG("%zu keys, %llu replacements, %llu refused", added[0] + added[1] + added[2],
	       atomic_load(&replaced), atomic_load(&stale));
	EXPECT_EQ(0, atomic_load(&failures));
	EXPECT_TRUE(writers_enough());
}

TEST_HARNESS_MAIN
