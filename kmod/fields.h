/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is done under one hold of a filter's lock, counted.
 *
 * Whoever holds the lock keeps others waiting and this processor's softirqs
 * from running, so a hold has a bound (KCUCKOO_HOLD_FIELDS). Kernels that prove
 * locking count the fields of tables that a hold reads and writes, and warn when
 * they are more; in others nothing of it is left. With PREEMPT_RT a hold can go
 * from one processor to another, so it is not counted there.
 */
#ifndef _KCUCKOO_FIELDS_H
#define _KCUCKOO_FIELDS_H

#include <linux/types.h>

#include "limits.h"

#if defined(CONFIG_PROVE_LOCKING) && !defined(CONFIG_PREEMPT_RT)

#define KCUCKOO_FIELDS_COUNTED

#include <linux/bug.h>
#include <linux/irqflags.h>
#include <linux/percpu.h>

DECLARE_PER_CPU(u32, kcuckoo_fields);

/**
 * kcuckoo_fields_count() - a field is read or written
 *
 * Context: any; counts only where a hold is under way on this processor.
 */
static inline void kcuckoo_fields_count(void)
{
	this_cpu_inc(kcuckoo_fields);
}

/**
 * kcuckoo_fields_begin() - a lock was taken
 *
 * Context: under the lock, with softirqs disabled.
 */
static inline void kcuckoo_fields_begin(void)
{
	this_cpu_write(kcuckoo_fields, 0);
}

/**
 * kcuckoo_fields_end() - the lock is about to be let go
 *
 * Context: as kcuckoo_fields_begin().
 */
static inline void kcuckoo_fields_end(void)
{
	u32 fields = this_cpu_read(kcuckoo_fields);

	WARN_ONCE(fields > KCUCKOO_HOLD_FIELDS, "%u fields under one hold",
		  fields);
}

#else

static inline void kcuckoo_fields_count(void) {}
static inline void kcuckoo_fields_begin(void) {}
static inline void kcuckoo_fields_end(void) {}

#endif

#endif /* _KCUCKOO_FIELDS_H */
