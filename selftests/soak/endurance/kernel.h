/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the kernel gives the filters of kmod/, for threads of a process. RCU is told by
 * readers when they hold nothing (reclaim_quiescent()).
 */
#ifndef _SELFTESTS_ENDURANCE_KERNEL_H
#define _SELFTESTS_ENDURANCE_KERNEL_H

#include <pthread.h>

#include "../../unit/shim/filters.h"

/* Locks: who waits sleeps, as there may be more threads than processors. */
struct mutex {
	pthread_mutex_t lock;
};

typedef struct mutex spinlock_t;

#define mutex_init(mutex)	pthread_mutex_init(&(mutex)->lock, NULL)
#define mutex_destroy(mutex)	pthread_mutex_destroy(&(mutex)->lock)
#define mutex_lock(mutex)	pthread_mutex_lock(&(mutex)->lock)
#define mutex_lock_killable(mutex) pthread_mutex_lock(&(mutex)->lock)
#define mutex_unlock(mutex)	pthread_mutex_unlock(&(mutex)->lock)
#define spin_lock_init(spinlock) mutex_init(spinlock)
#define spin_lock_bh(spinlock)	mutex_lock(spinlock)
#define spin_unlock_bh(spinlock) mutex_unlock(spinlock)
#define lockdep_is_held(lock)	true
#define lockdep_assert_held(lock) ((void)(lock))

#define local_softirq_pending()	false
#define need_resched()		false
#define spin_is_contended(lock)	((void)(lock), false)

#define cond_resched()		((void)0)
#define fatal_signal_pending(task) false

/* Only for what has expired, and here nothing does. */
#define synchronize_rcu()	abort()
#define ktime_get_boottime_seconds() 1

#endif /* _SELFTESTS_ENDURANCE_KERNEL_H */
