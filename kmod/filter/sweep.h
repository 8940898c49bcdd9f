/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sweeps: go through a filter in many bounded sections under its lock.
 *
 * Between two sections other writers get the lock, the scheduler can run other tasks, and a
 * fatal signal can end the sweep.
 */
#ifndef _KCUCKOO_SWEEP_H
#define _KCUCKOO_SWEEP_H

#include <linux/types.h>

struct kcuckoo_filter;
struct kcuckoo_layer;
struct kcuckoo_rehash;

/**
 * typedef kcuckoo_sweep_step - do the work of one section under the lock
 * @filter: the filter
 * @context: the context of the sweep
 *
 * Return: true if work is left.
 */
typedef bool (*kcuckoo_sweep_step)(struct kcuckoo_filter *filter, void *context);

/**
 * typedef kcuckoo_sweep_visit - process the entries of one bucket, or a part of them
 * @filter: the filter
 * @context: the context of the sweep
 * @place: the place of the first entry to process
 * @end: the place after the bucket
 * @steps: steps of this section so far; out: plus one for each entry that took as long
 *	as a one-bucket operation
 *
 * Return: the place after the last entry that was processed, greater than @place.
 */
typedef u64 (*kcuckoo_sweep_visit)(struct kcuckoo_filter *filter, void *context,
				   u64 place, u64 end, unsigned int *steps);

int kcuckoo_filter_sweep(struct kcuckoo_filter *filter, kcuckoo_sweep_step step,
			 void *context, bool killable);
int kcuckoo_layer_sweep(struct kcuckoo_filter *filter,
			const struct kcuckoo_layer *layer,
			kcuckoo_sweep_visit visit, void *context, bool killable);
u64 kcuckoo_layer_entries(struct kcuckoo_filter *filter,
			  const struct kcuckoo_layer *layer);
int kcuckoo_layer_copy(struct kcuckoo_filter *filter, struct kcuckoo_layer *from,
		       struct kcuckoo_rehash *rehash);

#endif /* _KCUCKOO_SWEEP_H */
