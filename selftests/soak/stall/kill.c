// SPDX-License-Identifier: GPL-2.0-only
/*
 * A process that is killed ends at once, whatever it has the module do: the longest
 * operations there are, each killed at several moments.
 */

#include "work.h"

#include <signal.h>

#define ROUNDS		5
#define TRIES		10	/* as a busy host may keep the whole machine waiting */
#define OUTWEIGH	2	/* quick ones for each that is late, and not by the host's doing */

/* Milliseconds until it has ended; a kernel that checks each access needs more. */
#define ALLOWED		size_from("KCUCKOO_STALL_KILLED", client_slow() ? 3000 : 100)

/*
 * The same for what gets or gives back whole tables: the kernel takes and frees all
 * of their pages in one go.
 */
#define ALLOWED_TABLES	size_from("KCUCKOO_STALL_KILLED_TABLES", ALLOWED)

/* What a child does, time and again; shared with it, so that its end is quick. */
static struct kcuckoo_prefix *keys;
static __u8 *image;

/* Was one killed too slowly, too often? */
static bool too_late;

FIXTURE(kill)
{
	struct client client;
};

static struct kcuckoo_prefix *shared(size_t bytes)
{
	void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
			    -1, 0);

	return memory == MAP_FAILED ? NULL : memory;
}

static size_t batch_keys(void)
{
	return work_keys() < KCUCKOO_BATCH_MAX ? work_keys() : KCUCKOO_BATCH_MAX;
}

FIXTURE_SETUP(kill)
{
	struct spent before = spent_now();
	size_t i;

	work_on_one_processor();
	ASSERT_EQ(0, client_begin(&self->client));
	ASSERT_EQ(0, work_allow());
	keys = shared(batch_keys() * sizeof(*keys));
	image = (__u8 *)shared(16 << 20);
	ASSERT_NE(NULL, keys);
	ASSERT_NE(NULL, image);
	for (i = 0; i < batch_keys(); i++)
		keys[i] = ipv4(i * 2654435761U, 32);
	ASSERT_EQ(0, filter_create(self->client.fd, "a", KCUCKOO_CAPACITY_MAX));
	ASSERT_EQ(0, filter_create_like(self->client.fd, "b", "a"));
	ASSERT_EQ(batch_keys(), keys_add(self->client.fd, "a", keys, batch_keys()));
	ASSERT_EQ(0, work_large(self->client.fd, work_bytes()));
	/* Ticks are counted, by which the host's doing is told from the guest's. */
	ASSERT_LT(before.busy, spent_now().busy);
}

FIXTURE_TEARDOWN(kill)
{
	munmap(keys, batch_keys() * sizeof(*keys));
	munmap(image, 16 << 20);
	client_clear(self->client.fd);
	EXPECT_EQ(0, client_end(&self->client));
	EXPECT_EQ(0, work_second_processor(1));
	client_late(_metadata, too_late);
}

static int do_add(int fd)
{
	return keys_add(fd, "b", keys, batch_keys()) < 0 || filter_flush(fd, "b");
}

static int do_test(int fd)
{
	return keys_members(fd, "a", keys, batch_keys()) < 0;
}

static int do_del(int fd)
{
	return keys_del(fd, "b", keys, batch_keys()) < 0;
}

static int do_walk(int fd)
{
	struct kcuckoo_ioc_walk walk = {
		.size = sizeof(walk),
		.keys = (uintptr_t)image,
		.count = KCUCKOO_WALK_BATCH,
	};

	set_name(walk.name, "large");
	return call(fd, KCUCKOO_IOC_WALK, &walk);
}

/* Grows and shrinks; a reservation is at least a step. */
static int do_grow(int fd)
{
	return filter_reserve(fd, "large", KCUCKOO_FAMILY_IPV4, 32,
			      MEMBERS_OF(work_bytes()) / 4 * 5) ||
	       filter_compact(fd, "large") ||
	       filter_reserve(fd, "large", KCUCKOO_FAMILY_IPV4, 32,
			      MEMBERS_OF(work_bytes()));
}

static int do_create(int fd)
{
	return filter_create(fd, "c", KCUCKOO_CAPACITY_MAX) ||
	       filter_reserve(fd, "c", KCUCKOO_FAMILY_IPV4, 32, MEMBERS_OF(work_bytes())) ||
	       filter_destroy(fd, "c");
}

static int do_merge(int fd)
{
	return filter_pair(fd, KCUCKOO_IOC_MERGE, "b", "a") || filter_flush(fd, "b");
}

/* Reads the whole of it, a piece at a time. */
static int do_save(int fd)
{
	struct kcuckoo_ioc_save save = {
		.size = sizeof(save),
		.buffer = (uintptr_t)image,
		.length = 16 << 20,
	};
	int error;

	set_name(save.name, "large");
	do {
		error = call(fd, KCUCKOO_IOC_SAVE, &save);
		save.offset += save.done;
	} while (!error && save.offset < save.total);
	return error;
}

static const struct {
	const char *name;
	int (*work)(int fd);
	bool tables;
} works[] = {
	{ "add", do_add, false },
	{ "test", do_test, false },
	{ "del", do_del, false },
	{ "walk", do_walk, false },
	{ "grow and compact", do_grow, true },
	{ "create and reserve", do_create, true },
	{ "merge", do_merge, false },
	{ "save", do_save, true },
};

/**
 * struct killed - how long a process took to end
 * @took: seconds, or -1 if it ended by itself
 * @spent: seconds of these that the processor was busy, and those in which it had nothing
 *	to do; what is missing it was kept waiting for
 */
struct killed {
	double took;
	struct spent spent;
};

/* Has it work, and kills it after @delay seconds. */
static struct killed kill_once(int fd, int (*work)(int fd), double delay)
{
	struct killed killed = { .took = -1 };
	struct spent before, after;
	double start;
	pid_t child;
	int status;

	/* What the one before left. */
	filter_destroy(fd, "c");
	child = fork();
	if (!child) {
		while (!work(fd))
			;
		_exit(1);
	}
	client_sleep(delay);
	before = spent_now();
	start = client_clock();
	kill(child, SIGKILL);
	if (waitpid(child, &status, 0) != child || !WIFSIGNALED(status))
		return killed;
	killed.took = client_clock() - start;
	after = spent_now();
	killed.spent.busy = after.busy - before.busy;
	killed.spent.idle = after.idle - before.idle;
	return killed;
}

/*
 * Kills it at one moment, again where that took too long, until those that were quick
 * outweigh it. That the processor was kept waiting for so long is the host's doing; what
 * the guest takes for work may be, too. Raises @most to the milliseconds of the slowest
 * of the quick ones.
 */
static void kill_in_time(struct __test_metadata *_metadata, int fd, int (*work)(int fd),
			 double delay, size_t allowed, double *most)
{
	int quick = 0, late = 0;

	while (quick + late < TRIES && quick <= OUTWEIGH * late) {
		struct killed killed = kill_once(fd, work, delay);
		double took = killed.took * 1000, busy = killed.spent.busy * 1000;
		double idle = killed.spent.idle * 1000;

		ASSERT_LE(0, took)
			TH_LOG("it ended by itself");
		if (took >= allowed) {
			fprintf(stderr, "# late: %.0f ms, busy for %.0f, idle for %.0f\n",
				took, busy, idle);
			took = busy + idle;
		}
		if (took >= allowed) {
			late++;
			continue;
		}
		quick++;
		*most = took > *most ? took : *most;
	}
	if (OUTWEIGH * late >= quick) {
		TH_LOG("%d of %d were late", late, quick + late);
		too_late = true;
	}
}

TEST_F(kill, ends_at_once)
{
	int fd = self->client.fd, round;
	double most;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(works); i++) {
		size_t allowed = works[i].tables ? ALLOWED_TABLES : ALLOWED;

		for (round = 0, most = 0; round < ROUNDS; round++)
			kill_in_time(_metadata, fd, works[i].work, 0.05 + 0.03 * round,
				     allowed, &most);
		fprintf(stderr, "# stall\tkill\t%s\t%.3f ms at most\n", works[i].name,
			most);
		/* It left everything as it was, or done in part. */
		EXPECT_EQ(batch_keys(), keys_members(fd, "a", keys, batch_keys()));
		EXPECT_EQ(1, filter_entries(fd, "large"));
	}
}

static int do_flush(int fd)
{
	return filter_flush(fd, "large");
}

/* Even while it waits for others, who are at work on the same filter. */
TEST_F(kill, ends_while_it_waits)
{
	int fd = self->client.fd, status, round;
	double most = 0;
	pid_t grower = fork();

	if (!grower) {
		while (!do_grow(fd))
			;
		_exit(1);
	}
	for (round = 0; round < ROUNDS; round++)
		kill_in_time(_metadata, fd, do_flush, 0.05 + 0.07 * round, ALLOWED, &most);
	fprintf(stderr, "# stall\tkill\tflush behind growth\t%.3f ms at most\n", most);
	kill(grower, SIGKILL);
	EXPECT_EQ(grower, waitpid(grower, &status, 0));
	EXPECT_TRUE(WIFSIGNALED(status));
}

TEST_HARNESS_MAIN
