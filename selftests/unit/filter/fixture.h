/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Filters in a process, and two threads that work on them in turns: the one that tests,
 * and another one, which comes where the first lets go of a filter's lock. Where that one
 * has to wait for a mutex it goes on as soon as the mutex is free.
 *
 * A claim of the other one that is not true ends the program: from there no way leads
 * back into the test.
 */
#ifndef _SELFTESTS_FILTER_FIXTURE_H
#define _SELFTESTS_FILTER_FIXTURE_H

#include <pthread.h>
#include <semaphore.h>

#include "filter/filter_internal.h"
#include "filter/workqueue.h"
#include "tap.h"

/* The work runs so late, at most. */
#define TIMER_SECONDS	10

bool kernel_atomic;
bool kernel_wanted;
bool kernel_contended;
unsigned long kernel_jiffies;
u32 kernel_now;

/* Memory of the test, counted. One in so many allocations fails, none where it is 0. */

static struct kcuckoo_account account;
static unsigned int scarce;

u64 kcuckoo_account_size(u64 bytes)
{
	return bytes;
}

void *kcuckoo_account_alloc(struct kcuckoo_account *to, u64 bytes)
{
	assert(!kernel_atomic);
	if (scarce && !random_below(scarce))
		return ERR_PTR(-ENOMEM);
	to->bytes.count += bytes;
	return tap_zalloc(bytes);
}

void kcuckoo_account_free(struct kcuckoo_account *to, void *memory, u64 bytes)
{
	if (!memory)
		return;
	tap_free(memory);
	to->bytes.count -= bytes;
}

u64 get_random_u64(void)
{
	return random_word();
}

/* At once: nobody reads where one thread waits for the other one. */
void kcuckoo_queue_rcu_free(struct rcu_work *work, work_func_t release)
{
	release(&work->work);
}

void kcuckoo_queue_delayed(struct delayed_work *work, u32 seconds)
{
	work->queued = true;
	work->due = (u64)kernel_now + seconds;
}

/* The other thread. */

enum turn {
	TEST,
	OTHER,
};

/**
 * struct other - the other thread
 * @turn: to go on, for each of the two
 * @work: what it does, NULL where it has nothing to do
 * @mutex: what it waits for, or NULL
 */
static struct other {
	sem_t turn[2];
	void (*work)(void);
	struct mutex *mutex;	/* see above */
} other;

/* What is done where the test lets go of a lock, by the test; or NULL. */
static void (*between)(void);

/* It is being done, or the other thread is at work. */
static bool between_sections;

/* What is done where one of the two takes a lock; or NULL. */
static void (*locked)(void);

/* Other work waits at one in two sections, at random. */
static bool busy;

/* One in so many looks finds that the test is killed, none where it is 0. */
static unsigned int deadly;
static bool killed;

static void other_turn(enum turn to)
{
	bool running = tap_running;

	tap_running = running && to == TEST;
	sem_post(&other.turn[to]);
	sem_wait(&other.turn[!to]);
	tap_running = running;
}

static void *other_thread(void *unused)
{
	sem_wait(&other.turn[OTHER]);
	for (;;) {
		other.work();
		other.work = NULL;
		other_turn(TEST);
	}
	return unused;
}

/* Has the other thread do something, until it is done or has to wait. */
static inline void other_begin(void (*work)(void))
{
	static pthread_t thread;

	if (!thread) {
		sem_init(&other.turn[TEST], 0, 0);
		sem_init(&other.turn[OTHER], 0, 0);
		if (pthread_create(&thread, NULL, other_thread, NULL))
			abort();
	}
	other.work = work;
	other_turn(OTHER);
}

void kernel_between(void)
{
	if (busy)
		kernel_wanted = random_below(2);
	if (!between || between_sections)
		return;
	between_sections = true;
	between();
	between_sections = false;
}

void kernel_locked(void)
{
	if (locked)
		locked();
}

void kernel_wait(struct mutex *mutex)
{
	/* The test has nobody to wait for. */
	assert(between_sections && !other.mutex);
	other.mutex = mutex;
	other_turn(TEST);
}

void kernel_wake(struct mutex *mutex)
{
	if (other.mutex != mutex || between_sections)
		return;
	other.mutex = NULL;
	between_sections = true;
	other_turn(OTHER);
	between_sections = false;
}

bool kernel_killed(void)
{
	if (deadly && !between_sections)
		killed |= !random_below(deadly);
	return killed && !between_sections;
}

/* Filters. */

static struct kcuckoo_filter *filter;

/*
 * A filter of addresses, exact unless it is to have tags, whatever was left by a test
 * that failed.
 */
static inline void filter_begin(struct kcuckoo_config config, bool strong)
{
	struct kcuckoo_hash_key secret = { .strong = strong };
	unsigned int i;

	assert(!other.work);
	account.bytes.count = 0;
	kernel_atomic = false;
	kernel_wanted = false;
	kernel_contended = false;
	busy = false;
	between = NULL;
	between_sections = false;
	locked = NULL;
	scarce = 0;
	deadly = 0;
	killed = false;
	for (i = 0; i < ARRAY_SIZE(secret.seed); i++)
		secret.seed[i] = random_word();
	secret.sip.key[0] = random_word();
	secret.sip.key[1] = random_word();
	config.type = KCUCKOO_TYPE_INET;
	config.params.exact = !config.params.tag_bits;
	if (config.params.expiry_bits)
		config.traits |= KCUCKOO_CREATE_TIMEOUT;
	tap_require(!kcuckoo_config_check(&config), "no such filter");
	filter = kcuckoo_filter_create(&account, &config, &secret, true);
	tap_require(!IS_ERR(filter), "no filter");
}

static inline void filter_end(void)
{
	kcuckoo_filter_put(filter);
	tap_require(!account.bytes.count, "%lld bytes are left",
		    account.bytes.count);
}

/* What is queued runs, early or late. */
static inline void filter_work(void)
{
	struct delayed_work *work = &filter->collect_work;

	work->queued = false;
	work->work.work(&work->work);
}

/*
 * As long as a member has a timeout, work is to run soon after the first of them expires,
 * at @first or later.
 */
static inline void filter_require_timer(u32 first)
{
	const struct delayed_work *work = &filter->collect_work;
	struct kcuckoo_ioc_info info = {};

	kcuckoo_filter_info(filter, &info);
	if (!info.members_with_timeout)
		return;
	tap_require(work->queued, "%llu expire, and no work is queued",
		    info.members_with_timeout);
	tap_require(filter->next_expiry <= first, "%u is taken for the first, not %u",
		    filter->next_expiry, first);
	tap_require(work->due <= max(first, kernel_now + TIMER_SECONDS),
		    "the first expires at %u, the work runs at %llu", first,
		    work->due);
}

#endif /* _SELFTESTS_FILTER_FIXTURE_H */
