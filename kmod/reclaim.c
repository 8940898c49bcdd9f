// SPDX-License-Identifier: GPL-2.0-only
/*
 * Freeing what readers may still see.
 */
#include <linux/rcupdate.h>

#include "reclaim.h"

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
 * The barrier waits for the grace periods, which queue the work; the queue's
 * end waits for the work. Work never hands in further work.
 */
void kcuckoo_reclaim_exit(void)
{
	rcu_barrier();
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
