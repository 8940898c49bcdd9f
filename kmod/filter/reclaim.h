/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Freeing what readers may still see: after a grace period, in process
 * context, because large tables are slow to free.
 */
#ifndef _KCUCKOO_RECLAIM_H
#define _KCUCKOO_RECLAIM_H

#include <linux/types.h>
#include <linux/workqueue.h>

int kcuckoo_reclaim_init(void);
void kcuckoo_reclaim_exit(void);
void kcuckoo_reclaim_later(struct delayed_work *work, u32 seconds);
void kcuckoo_reclaim(struct rcu_work *work, work_func_t release);

#endif /* _KCUCKOO_RECLAIM_H */
