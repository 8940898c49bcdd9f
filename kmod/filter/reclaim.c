// SPDX-License-Identifier: GPL-2.0-only
/*
 * Giving back: what readers may still see, and what has expired.
 */
#include <linux/jiffies.h>
#include <linux/minmax.h>
#include <linux/rcupdate.h>

#include "filter/reclaim.h"

static struct workqueue_struct *kcuckoo_reclaim_queue;

/**
 * kcuckoo_reclaim_init() - get ready
 *
 * Return: 0 or -ENOMEM.
 */
int kcuckoo_reclaim_init(void)
{
	kcuckoo_reclaim_queue = alloc_workqueue("kcuckoo", WQ_UNBOUND, 0);
	return kcuckoo_reclaim_queue ? 0 : -ENOMEM;
}

/**
 * kcuckoo_reclaim_exit() - wait until everything has been freed
 *
 * The barrier waits for the grace periods, which queue the work. A filter collects
 * until that work is done, and a queue that is being destroyed takes none from a
 * timer: whoever cancels it would wait for ever. So all work is done before.
 */
void kcuckoo_reclaim_exit(void)
{
	rcu_barrier();
	flush_workqueue(kcuckoo_reclaim_queue);
	destroy_workqueue(kcuckoo_reclaim_queue);
}

/**
 * kcuckoo_reclaim() - free something after a grace period
 * @work: embedded in what is to be freed
 * @release: frees it, in process context
 *
 * Context: any.
 */
void kcuckoo_reclaim(struct rcu_work *work, work_func_t release)
{
	INIT_RCU_WORK(work, release);
	queue_rcu_work(kcuckoo_reclaim_queue, work);
}

/**
 * kcuckoo_reclaim_later() - give back what is not needed any more, later
 * @work: the work; another time that it was to run at is forgotten
 * @seconds: when
 *
 * Context: any.
 */
void kcuckoo_reclaim_later(struct delayed_work *work, u32 seconds)
{
	mod_delayed_work(kcuckoo_reclaim_queue, work,
			 min_t(u64, (u64)seconds * HZ, MAX_JIFFY_OFFSET));
}
