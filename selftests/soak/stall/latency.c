// SPDX-License-Identifier: GPL-2.0-only
/*
 * How long a processor is kept from everything else: while the largest batches,
 * growth, flush and destruction of a large filter are under way, a thread of the
 * highest priority on the same processor wants to run twice a millisecond, and
 * measures how late it is. That is at least as long as the longest hold of a lock
 * and the longest stretch without preemption.
 *
 * Where the kernel can be told how to preempt, both ways are measured: at scheduling
 * points alone, and wherever no lock is held.
 */

#include "work.h"

#include <pthread.h>
#include <stdatomic.h>

#define INTERVAL	500000		/* nanoseconds */

/*
 * Later than this, something was held for too long: milliseconds. An emulated
 * processor stands still now and then, so it gets more than it needs.
 */
#define ALLOWED		size_from("KCUCKOO_STALL_ALLOWED", client_slow() ? 2000 : 300)

#define TRIES		7	/* as a busy host may keep the whole machine waiting */
#define OUTWEIGH	2	/* of them in time for each that was late */

/* As long as this, it is worth a look at how busy the processor was: seconds. */
#define LONG		0.05

/* So often it is looked at how busy it is, in any case: seconds. */
#define LOOK		0.1

/*
 * Number of keys: as in kill.c in `make soak`, in `make endurance` and on a debug kernel.
 * With fewer keys, too, one hold of the lock for all of them would take more than ALLOWED.
 */
static size_t latency_keys(void)
{
	size_t count = work_keys();

	return getenv("KCUCKOO_STALL_KEYS") || client_slow() ? count :
	       client_soak(1 << 17, count);
}

static atomic_bool watching;
static atomic_ullong longest;	/* nanoseconds late */
static atomic_ullong longest_busy;	/* nanoseconds late, and busy meanwhile */
static atomic_ullong wakings;

/* Was the watcher too late, too often? */
static bool too_late;

/**
 * struct look - how busy the processor was
 * @at: when that was looked at, in seconds
 * @busy: seconds until then
 */
struct look {
	double at;
	double busy;
};

static struct look look_now(void)
{
	struct look look = { .at = client_clock() };

	look.busy = spent_now().busy;
	return look;
}

static void raise_to(atomic_ullong *most, double seconds)
{
	if (seconds * 1e9 > atomic_load(most))
		atomic_store(most, seconds * 1e9);
}

/*
 * Late by so much now: at least how long was the processor busy meanwhile? Before that,
 * it may have been so all the time since it was looked at last.
 */
static double busy_late(const struct look *last, const struct look *now, double late)
{
	return now->busy - last->busy - (now->at - late - last->at);
}

static void *watch(void *argument)
{
	struct sched_param priority = { .sched_priority = 50 };
	struct look last = look_now(), now;
	struct timespec at;
	double late;

	if (pthread_setschedparam(pthread_self(), SCHED_FIFO, &priority))
		return (void *)1L;
	clock_gettime(CLOCK_MONOTONIC, &at);
	while (atomic_load(&watching)) {
		at.tv_nsec += INTERVAL;
		at.tv_sec += at.tv_nsec / 1000000000;
		at.tv_nsec %= 1000000000;
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
		late = client_clock() - at.tv_sec - at.tv_nsec / 1e9;
		raise_to(&longest, late);
		atomic_fetch_add(&wakings, 1);
		if (late > LONG || client_clock() - last.at > LOOK) {
			now = look_now();
			if (late > LONG)
				raise_to(&longest_busy, busy_late(&last, &now, late));
			last = now;
			clock_gettime(CLOCK_MONOTONIC, &at);
		} else if (late > 0.001) {
			clock_gettime(CLOCK_MONOTONIC, &at);
		}
	}
	return NULL;
}

FIXTURE(latency)
{
	struct client client;
	struct kcuckoo_prefix *keys;
	pthread_t watcher;
};

FIXTURE_SETUP(latency)
{
	int i;

	work_on_one_processor();
	atomic_store(&wakings, 0);
	ASSERT_EQ(0, client_begin(&self->client));
	ASSERT_EQ(0, work_allow());
	self->keys = work_addresses(latency_keys());
	ASSERT_NE(NULL, self->keys);
	atomic_store(&watching, true);
	ASSERT_EQ(0, pthread_create(&self->watcher, NULL, watch, NULL));
	/* Before, it is a thread like others. */
	for (i = 0; i < 1000 && !atomic_load(&wakings); i++)
		client_sleep(0.01);
	ASSERT_LT(0, atomic_load(&wakings));
}

FIXTURE_TEARDOWN(latency)
{
	void *failed;

	atomic_store(&watching, false);
	pthread_join(self->watcher, &failed);
	EXPECT_EQ(NULL, failed);
	free(self->keys);
	EXPECT_EQ(0, client_end(&self->client));
	EXPECT_EQ(0, work_second_processor(1));
	client_late(_metadata, too_late);
}

static const char *step_name;
static double step_start;

static void step_begin(const char *name)
{
	step_name = name;
	step_start = client_clock();
	atomic_store(&longest, 0);
	atomic_store(&longest_busy, 0);
	atomic_store(&wakings, 0);
}

/**
 * struct lateness - how late the watcher was at most, in milliseconds
 * @late: in all
 * @busy: of one time, so long the processor was busy
 */
struct lateness {
	double late;
	double busy;
};

/* Says how late the watcher was since step_begin(), and raises @most to that. */
static void step_end(const char *preemption, struct lateness *most)
{
	double took = client_clock() - step_start;
	struct lateness step;

	client_sleep(0.002);
	step.late = atomic_load(&longest) / 1e6;
	step.busy = atomic_load(&longest_busy) / 1e6;
	fprintf(stderr, "# stall\t%s\t%s\t%.3f s\t%.3f ms late at most, of %llu times\n",
		preemption, step_name, took, step.late, atomic_load(&wakings));
	most->late = step.late > most->late ? step.late : most->late;
	most->busy = step.busy > most->busy ? step.busy : most->busy;
}

#define STEP(what_, claim_)							\
	do {									\
		step_begin(what_);						\
		EXPECT_TRUE(claim_)						\
			TH_LOG("%s failed", step_name);				\
		step_end(preemption, most);					\
	} while (0)

/* All of the work; raises @most to how late the watcher was. */
static void work_through(struct __test_metadata *_metadata, const char *preemption,
			 struct kcuckoo_prefix *keys, int fd, struct lateness *most)
{
	const long long count = latency_keys();
	struct kcuckoo_prefix *members;

	STEP("nothing", !usleep(500000));
	ASSERT_EQ(0, filter_create(fd, "a", KCUCKOO_CAPACITY_MAX));
	STEP("add all keys, with growth", keys_add(fd, "a", keys, count) == count);
	STEP("look all up", keys_covered(fd, "a", keys, count) == count);
	STEP("list all", keys_walk(fd, "a", 65536, &members, NULL) == count);
	free(members);
	STEP("delete half", keys_del(fd, "a", keys, count / 2) == count / 2);
	STEP("compact", !filter_compact(fd, "a"));
	STEP("flush", !filter_flush(fd, "a"));
	STEP("destroy", !filter_destroy(fd, "a") && !work_freed(fd));
	STEP("make a large filter", !work_large(fd, work_bytes()));
	STEP("let it grow", !filter_reserve(fd, "large", KCUCKOO_FAMILY_IPV4, 32,
					    MEMBERS_OF(work_bytes()) / 4 * 5));
	STEP("list it", keys_walk(fd, "large", 4096, &members, NULL) == 1);
	free(members);
	STEP("flush it", !filter_flush(fd, "large"));
	STEP("free what it was", !usleep(500000));
	ASSERT_EQ(0, filter_destroy(fd, "large"));
	ASSERT_EQ(0, work_freed(fd));
	ASSERT_EQ(0, work_large(fd, work_bytes()));
	STEP("destroy a large filter", !filter_destroy(fd, "large") && !work_freed(fd));
}

/*
 * The same, again where the watcher was too late, until it was in time often enough to
 * outweigh that: what the host does and the guest takes for work is not there each time.
 */
static void work_in_time(struct __test_metadata *_metadata, const char *preemption,
			 struct kcuckoo_prefix *keys, int fd)
{
	int timely = 0, late = 0;

	while (timely + late < TRIES && timely <= OUTWEIGH * late) {
		struct lateness most = {};

		work_through(_metadata, preemption, keys, fd, &most);
		if (most.late >= ALLOWED)
			fprintf(stderr, "# late: %.0f ms, busy for %.0f\n", most.late,
				most.busy);
		/* With what else the host had it wait for. */
		if (most.late < ALLOWED || most.busy < ALLOWED)
			timely++;
		else
			late++;
	}
	if (OUTWEIGH * late >= timely) {
		TH_LOG("%d of %d were late", late, timely + late);
		too_late = true;
	}
}

static bool tell(const char *file, const char *what)
{
	int fd = open(file, O_WRONLY | O_CLOEXEC);
	bool told = fd >= 0 && write(fd, what, strlen(what)) > 0;

	close(fd);
	return told;
}

/* Tells the kernel how to preempt, where it can be told. */
static bool set_preemption(const char *how)
{
	return tell("/sys/kernel/debug/sched/preempt", how);
}

/* So many microseconds of each second are for threads with a priority; -1 for all. */
static bool set_share(const char *share)
{
	return tell("/proc/sys/kernel/sched_rt_runtime_us", share);
}

TEST_F(latency, between_scheduling_points)
{
	const char *how = set_preemption("voluntary") ? "voluntary" : "as ever";

	work_in_time(_metadata, how, self->keys, self->client.fd);
}

TEST_F(latency, wherever_no_lock_is_held)
{
	/* One that knows a single way has shown it above. */
	if (!set_preemption("full"))
		SKIP(return, "this kernel knows a single way to preempt");
	work_in_time(_metadata, "full", self->keys, self->client.fd);
	set_preemption("voluntary");
}

/* Keeps the processor for twice as long as is allowed, by its own ticks. */
static void *keep(void *argument)
{
	struct sched_param priority = { .sched_priority = 60 };
	double end;

	if (pthread_setschedparam(pthread_self(), SCHED_FIFO, &priority))
		return (void *)1L;
	end = spent_now().busy + 2 * ALLOWED / 1000.;
	while (spent_now().busy < end)
		;
	return NULL;
}

/* Or else nothing above could be late. */
TEST_F(latency, a_processor_that_is_kept)
{
	struct lateness most = {};
	pthread_t thread;
	void *failed;

	/* Or what one of them uses may be missing for the other. */
	ASSERT_TRUE(set_share("-1"));
	step_begin("somebody of a higher priority");
	ASSERT_EQ(0, pthread_create(&thread, NULL, keep, NULL));
	pthread_join(thread, &failed);
	step_end("as ever", &most);
	EXPECT_TRUE(set_share("950000"));
	EXPECT_EQ(NULL, failed);
	EXPECT_LE(ALLOWED, most.late);
	EXPECT_LE(ALLOWED, most.busy);
}

TEST_HARNESS_MAIN
