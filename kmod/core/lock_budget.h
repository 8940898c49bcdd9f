/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The budget of one hold of a filter's lock: how many fields of tables it may read
 * and write.
 *
 * While the lock is held, others wait and softirqs do not run on this
 * processor. So a hold has a bound (KCUCKOO_HOLD_FIELDS), and a higher one if
 * it has a search. Kernels with CONFIG_PROVE_LOCKING count the fields of tables
 * that a hold reads and writes, and warn if they exceed the bound; on others
 * these functions are empty. With PREEMPT_RT a hold can migrate to another
 * processor, so it is not counted there.
 */
#ifndef _KCUCKOO_LOCK_BUDGET_H
#define _KCUCKOO_LOCK_BUDGET_H

#include <linux/types.h>

#include "core/limits.h"

#if defined(CONFIG_PROVE_LOCKING) && !defined(CONFIG_PREEMPT_RT)

#define KCUCKOO_LOCK_BUDGET_CHECKED

#include <linux/bug.h>
#include <linux/irqflags.h>
#include <linux/percpu.h>

/**
 * struct kcuckoo_lock_budget - the present hold of the lock, by processor
 * @count: fields read and written so far
 * @search: fields that its one search may read; 0 before the search
 */
struct kcuckoo_lock_budget {
	u32 count;
	u32 search;
};

DECLARE_PER_CPU(struct kcuckoo_lock_budget, kcuckoo_lock_budget);

/**
 * kcuckoo_lock_budget_count() - count a field that is read or written
 *
 * Context: any; the count matters only while this processor holds a lock.
 */
static inline void kcuckoo_lock_budget_count(void)
{
	this_cpu_inc(kcuckoo_lock_budget.count);
}

/**
 * kcuckoo_lock_budget_search() - add the fields of a search to the budget
 * @entries: entries of a bucket
 *
 * A search reads each tag of the buckets that it visits, and all tags of the
 * alternate of each.
 *
 * Context: under the lock, with softirqs disabled.
 */
static inline void kcuckoo_lock_budget_search(unsigned int entries)
{
	this_cpu_write(kcuckoo_lock_budget.search,
		       KCUCKOO_SEARCH_VISITS * entries * (entries + 1));
}

/**
 * kcuckoo_lock_budget_begin() - begin to count, after the lock was taken
 *
 * Context: under the lock, with softirqs disabled.
 */
static inline void kcuckoo_lock_budget_begin(void)
{
	this_cpu_write(kcuckoo_lock_budget.count, 0);
	this_cpu_write(kcuckoo_lock_budget.search, 0);
}

/**
 * kcuckoo_lock_budget_end() - check the count before the lock is released
 * @entries: entries of a bucket
 *
 * Context: as kcuckoo_lock_budget_begin().
 */
static inline void kcuckoo_lock_budget_end(unsigned int entries)
{
	u32 count = this_cpu_read(kcuckoo_lock_budget.count);
	u32 search = this_cpu_read(kcuckoo_lock_budget.search);

	WARN_ONCE(count > KCUCKOO_HOLD_FIELDS(entries) + search,
		  "%u fields under one hold, %s search, buckets of %u\n",
		  count, search ? "with a" : "no", entries);
}

#else

static inline void kcuckoo_lock_budget_count(void) {}
static inline void kcuckoo_lock_budget_search(unsigned int entries)
{
	(void)entries;
}

static inline void kcuckoo_lock_budget_begin(void) {}

static inline void kcuckoo_lock_budget_end(unsigned int entries)
{
	(void)entries;
}

#endif

#endif /* _KCUCKOO_LOCK_BUDGET_H */
