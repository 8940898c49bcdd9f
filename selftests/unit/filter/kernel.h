/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the kernel gives the filters of kmod/, for two threads that take turns: one goes
 * on only where the other one lets go of a lock or waits for one. So what comes between
 * two sections of a filter is the same each time. fixture.h has the rest.
 *
 * Whatever is done in one section is counted, as on kernels that prove
 * locking.
 */
#ifndef _SELFTESTS_FILTER_KERNEL_H
#define _SELFTESTS_FILTER_KERNEL_H

#define CONFIG_PROVE_LOCKING

/* Time passes where somebody takes a lock. */
extern unsigned long kernel_jiffies;
#define jiffies			kernel_jiffies

#include "../shim/filters.h"

struct mutex {
	bool held;
};

typedef struct mutex spinlock_t;

/* Nobody may sleep now. */
extern bool kernel_atomic;
extern u32 kernel_now;

/* Others may come now. */
void kernel_between(void);

/* A filter's lock has been taken. */
void kernel_locked(void);

/* The other thread goes on until the mutex is free; whoever waits for it goes on. */
void kernel_wait(struct mutex *mutex);
void kernel_wake(struct mutex *mutex);

/* Has the caller been killed? */
bool kernel_killed(void);

#define mutex_init(mutex)	((mutex)->held = false)
#define mutex_destroy(mutex)	assert(!(mutex)->held)
#define spin_lock_init(lock)	mutex_init(lock)
#define lockdep_is_held(lock)	((lock)->held)
#define lockdep_assert_held(lock) assert((lock)->held)

static inline int mutex_lock_killable(struct mutex *mutex)
{
	assert(!kernel_atomic);
	if (mutex->held)
		kernel_wait(mutex);
	mutex->held = true;
	return 0;
}

#define mutex_lock(mutex)	((void)mutex_lock_killable(mutex))
#define mutex_lock_killable_nested(mutex, class) mutex_lock_killable(mutex)

static inline void mutex_unlock(struct mutex *mutex)
{
	assert(mutex->held && !kernel_atomic);
	mutex->held = false;
	kernel_wake(mutex);
}

static inline void spin_lock_bh(spinlock_t *lock)
{
	assert(!lock->held && !kernel_atomic);
	lock->held = true;
	kernel_atomic = true;
	kernel_jiffies++;
	kernel_locked();
}

static inline void spin_unlock_bh(spinlock_t *lock)
{
	assert(lock->held);
	lock->held = false;
	kernel_atomic = false;
	kernel_between();
}

/* A softirq or another task waits; another writer waits. */
extern bool kernel_wanted;
extern bool kernel_contended;
#define local_softirq_pending()	kernel_wanted
#define need_resched()		false
#define spin_is_contended(lock)	((void)(lock), kernel_contended)

#define cond_resched()		assert(!kernel_atomic)
#define fatal_signal_pending(task) kernel_killed()
#define ktime_get_boottime_seconds() kernel_now

/* Readers are through before the other thread goes on; that one may come. */
static inline void synchronize_rcu(void)
{
	cond_resched();
	kernel_between();
}

#define DECLARE_PER_CPU(type, name) extern type name
#define DEFINE_PER_CPU(type, name) type name
#define this_cpu_inc(variable)	((variable)++)
#define this_cpu_write(variable, to) ((variable) = (to))
#define this_cpu_read(variable)	(variable)
#define WARN_ONCE(condition, ...) assert(!(condition))

#endif /* _SELFTESTS_FILTER_KERNEL_H */
