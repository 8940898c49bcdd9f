/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sweeps: go through a filter or a layer in many bounded sections under the lock.
 *
 * A section ends after about KCUCKOO_SECTION_STEPS steps; a step is an operation on one
 * bucket. A section ends earlier if a softirq, another task or another writer waits.
 * Between two sections other writers can take the lock, softirqs and other tasks can
 * run, and a fatal signal can end the sweep. A caller that sweeps or copies a layer holds
 * resize_mutex, so that the layer is not replaced between two sections.
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
 * @context: the context that the caller passed to kcuckoo_filter_sweep()
 *
 * Return: true if another section is needed.
 */
typedef bool (*kcuckoo_sweep_step)(struct kcuckoo_filter *filter, void *context);

/**
 * typedef kcuckoo_sweep_visit - process the entries of one bucket, or only the first ones
 * @filter: the filter
 * @context: the context that the caller passed to kcuckoo_layer_sweep()
 * @place: the place of the first entry to process
 * @end: the first place after the bucket
 * @steps: in: number of steps of this section, including one step for this bucket; out:
 *	this number plus the steps that processing the entries took
 *
 * Return: the place of the next entry to process. If it is less than @end, the next call,
 * in another section, continues there.
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
