/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is done under one hold of a filter's lock, counted.
 *
 * Whoever holds the lock keeps others waiting and this processor's softirqs
 * from running, so a hold has a bound (KCUCKOO_HOLD_FIELDS), and a higher one if it
 * has a search. Kernels that prove locking count the fields of tables that a hold reads
 * and writes, and warn when they are more; in others nothing of it is left. With
 * PREEMPT_RT a hold can go from one processor to another, so it is not counted there.
 */
#ifndef _KCUCKOO_FIELDS_H
#define _KCUCKOO_FIELDS_H

#include <linux/types.h>

#include "core/limits.h"

#if defined(CONFIG_PROVE_LOCKING) && !defined(CONFIG_PREEMPT_RT)

#define KCUCKOO_FIELDS_COUNTED

#include <linux/bug.h>
#include <linux/irqflags.h>
#include <linux/percpu.h>

/**
 * struct kcuckoo_fields - what is known of the hold that is under way on a CPU
 * @count: fields that it has read and written
 * @search: how many its search may read, 0 until there is one; a hold has one
 */
struct kcuckoo_fields {
	u32 count;
	u32 search;
};

DECLARE_PER_CPU(struct kcuckoo_fields, kcuckoo_fields);

/**
 * kcuckoo_fields_count() - a field is read or written
 *
 * Context: any; counts only where a hold is under way on this processor.
 */
static inline void kcuckoo_fields_count(void)
{
	this_cpu_inc(kcuckoo_fields.count);
}

/**
 * kcuckoo_fields_search() - a search begins
 * @entries: entries of a bucket
 *
 * It reads each tag of the buckets it visits, and the tags of that one's alternate.
 *
 * Context: under the lock, with softirqs disabled.
 */
static inline void kcuckoo_fields_search(unsigned int entries)
{
	this_cpu_write(kcuckoo_fields.search,
		       KCUCKOO_SEARCH_VISITS * entries * (entries + 1));
}

/**
 * kcuckoo_fields_begin() - a lock was taken
 *
 * Context: under the lock, with softirqs disabled.
 */
static inline void kcuckoo_fields_begin(void)
{
	this_cpu_write(kcuckoo_fields.count, 0);
	this_cpu_write(kcuckoo_fields.search, 0);
}

/**
 * kcuckoo_fields_end() - the lock is about to be let go
 * @entries: entries of a bucket
 *
 * Context: as kcuckoo_fields_begin().
 */
static inline void kcuckoo_fields_end(unsigned int entries)
{
	u32 count = this_cpu_read(kcuckoo_fields.count);
	u32 search = this_cpu_read(kcuckoo_fields.search);

	WARN_ONCE(count > KCUCKOO_HOLD_FIELDS(entries) + search,
		  "%u fields under one hold, %s search, buckets of %u\n",
		  count, search ? "with a" : "no", entries);
}

#else

static inline void kcuckoo_fields_count(void) {}
static inline void kcuckoo_fields_search(unsigned int entries)
{
	(void)entries;
}

static inline void kcuckoo_fields_begin(void) {}

static inline void kcuckoo_fields_end(unsigned int entries)
{
	(void)entries;
}

#endif

#endif /* _KCUCKOO_FIELDS_H */
