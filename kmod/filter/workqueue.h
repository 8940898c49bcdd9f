/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The workqueue of the module: run work after a grace period, or after a delay.
 *
 * Freeing or sweeping a large table takes long, so this work runs in process context.
 */
#ifndef _KCUCKOO_WORKQUEUE_H
#define _KCUCKOO_WORKQUEUE_H

#include <linux/types.h>
#include <linux/workqueue.h>

int kcuckoo_workqueue_init(void);
void kcuckoo_workqueue_exit(void);
void kcuckoo_queue_delayed(struct delayed_work *work, u32 seconds);
void kcuckoo_queue_rcu_free(struct rcu_work *work, work_func_t release);

#endif /* _KCUCKOO_WORKQUEUE_H */
