// SPDX-License-Identifier: GPL-2.0-only
/*
 * The workqueue of the module: run work after a grace period, or after a delay.
 */
#include <linux/jiffies.h>
#include <linux/minmax.h>
#include <linux/rcupdate.h>

#include "filter/workqueue.h"

static struct workqueue_struct *kcuckoo_workqueue;

/**
 * kcuckoo_workqueue_init() - create the workqueue
 *
 * Return: 0 or -ENOMEM.
 */
int kcuckoo_workqueue_init(void)
{
	kcuckoo_workqueue = alloc_workqueue("kcuckoo", WQ_UNBOUND, 0);
	return kcuckoo_workqueue ? 0 : -ENOMEM;
}

/**
 * kcuckoo_workqueue_exit() - wait until all memory is freed, and destroy the workqueue
 *
 * When this function is called, no filter has references any more. rcu_barrier() waits for
 * grace periods, after which the work that frees memory is queued. flush_workqueue() waits
 * until this work has freed all filters. Freeing a filter cancels its delayed work, which
 * must be done before destroy_workqueue(): a workqueue that is being destroyed accepts no
 * work from a timer, so cancel_delayed_work_sync() would wait for ever.
 */
void kcuckoo_workqueue_exit(void)
{
	rcu_barrier();
	flush_workqueue(kcuckoo_workqueue);
	destroy_workqueue(kcuckoo_workqueue);
}

/**
 * kcuckoo_queue_rcu_free() - free an object after a grace period
 * @work: work embedded in the object
 * @release: frees the object, in process context
 *
 * Context: any.
 */
void kcuckoo_queue_rcu_free(struct rcu_work *work, work_func_t release)
{
	INIT_RCU_WORK(work, release);
	queue_rcu_work(kcuckoo_workqueue, work);
}

/**
 * kcuckoo_queue_delayed() - run delayed work after a number of seconds
 * @work: the work; if the work is queued already, its time is replaced
 * @seconds: delay in seconds; a delay of more than MAX_JIFFY_OFFSET jiffies is shortened
 *	to MAX_JIFFY_OFFSET jiffies
 *
 * Context: any.
 */
void kcuckoo_queue_delayed(struct delayed_work *work, u32 seconds)
{
	mod_delayed_work(kcuckoo_workqueue, work,
			 min_t(u64, (u64)seconds * HZ, MAX_JIFFY_OFFSET));
}
