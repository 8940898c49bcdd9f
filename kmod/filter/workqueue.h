/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The workqueue of the module: run work after a grace period, or after a delay.
 *
 * The files of this folder use the workqueue for two purposes: to free an object after a
 * grace period, when no reader can see the object any more, and to remove members that
 * have expired. This work runs in process context, because freeing or sweeping a large
 * table takes long. net/event.c uses the workqueue for the events of packets, because
 * the code that emits these events takes a mutex. main.c creates and destroys the
 * workqueue.
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
