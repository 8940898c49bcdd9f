/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * On debug kernels, checks that the work in one section is bounded.
 *
 * During a section other writers wait, and softirqs do not run on the processor that holds
 * the lock. So the number of table fields that are read and written in a section has a
 * bound (KCUCKOO_SECTION_FIELDS), which is higher if the section includes a search. Several
 * tags that are loaded together count as one field.
 *
 * Kernels with CONFIG_PROVE_LOCKING count the fields and warn if the number exceeds the
 * bound. On other kernels the functions are empty, and also with PREEMPT_RT, because there
 * the holder of the lock can migrate to another processor.
 */
#ifndef _KCUCKOO_LOCK_BUDGET_H
#define _KCUCKOO_LOCK_BUDGET_H

#include <linux/types.h>

#include "core/limits.h"

#if defined(CONFIG_PROVE_LOCKING) && !defined(CONFIG_PREEMPT_RT)

/* Defined if this kernel counts the fields; filter/ then defines the counters. */
#define KCUCKOO_LOCK_BUDGET_CHECKED

#include <linux/bug.h>
#include <linux/irqflags.h>
#include <linux/percpu.h>

/**
 * struct kcuckoo_lock_budget - the work in the present section of one processor
 * @count: fields that the section has read and written so far
 * @search: fields that the searches of the section are allowed to read; 0 before a search
 */
struct kcuckoo_lock_budget {
	u32 count;
	u32 search;
};

DECLARE_PER_CPU(struct kcuckoo_lock_budget, kcuckoo_lock_budget);

/**
 * kcuckoo_lock_budget_count() - count one field that is read or written
 *
 * Context: any; the count matters only while this processor holds the lock of a filter.
 */
static inline void kcuckoo_lock_budget_count(void)
{
	this_cpu_inc(kcuckoo_lock_budget.count);
}

/**
 * kcuckoo_lock_budget_search() - raise the bound of this section for searches
 * @reads: maximum number of buckets that all searches of the section read
 * @entries: entries of a bucket
 *
 * A search reads buckets of @entries fields each. To visit one of these buckets, the search
 * reads the @entries fields again, and queues up to @entries other buckets to be read. There
 * is about one visit for @entries reads, so a read costs one more field on average.
 *
 * Context: under the lock, with softirqs disabled.
 */
static inline void kcuckoo_lock_budget_search(unsigned int reads,
					      unsigned int entries)
{
	this_cpu_write(kcuckoo_lock_budget.search, reads * (entries + 1));
}

/**
 * kcuckoo_lock_budget_begin() - reset the count, after the lock was taken
 *
 * Context: under the lock, with softirqs disabled.
 */
static inline void kcuckoo_lock_budget_begin(void)
{
	this_cpu_write(kcuckoo_lock_budget.count, 0);
	this_cpu_write(kcuckoo_lock_budget.search, 0);
}

/**
 * kcuckoo_lock_budget_end() - check the count, before the lock is released
 * @entries: entries of a bucket
 *
 * Context: under the lock, with softirqs disabled.
 */
static inline void kcuckoo_lock_budget_end(unsigned int entries)
{
	u32 count = this_cpu_read(kcuckoo_lock_budget.count);
	u32 search = this_cpu_read(kcuckoo_lock_budget.search);

	WARN_ONCE(count > KCUCKOO_SECTION_FIELDS(entries) + search,
		  "%u fields in one section, %s search, buckets of %u\n",
		  count, search ? "with a" : "no", entries);
}

#else

static inline void kcuckoo_lock_budget_count(void) {}
static inline void kcuckoo_lock_budget_search(unsigned int reads,
					      unsigned int entries)
{
	(void)reads;
	(void)entries;
}

static inline void kcuckoo_lock_budget_begin(void) {}

static inline void kcuckoo_lock_budget_end(unsigned int entries)
{
	(void)entries;
}

#endif

#endif /* _KCUCKOO_LOCK_BUDGET_H */
