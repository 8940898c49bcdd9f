/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A pipeline of look-ups: the memory of a key's buckets is asked for when the
 * key goes in, and read when so many more have gone in as the pipeline is deep.
 *
 *	kcuckoo_pipeline_begin(&pipeline, table);
 *	for (each key) {
 *		if (kcuckoo_pipeline_full(&pipeline))
 *			take(kcuckoo_pipeline_pop(&pipeline));
 *		kcuckoo_pipeline_push(&pipeline, kcuckoo_pair_of_hash(...));
 *	}
 *	while (!kcuckoo_pipeline_empty(&pipeline))
 *		take(kcuckoo_pipeline_pop(&pipeline));
 *
 * Keys come out in the order in which they went in.
 */
#ifndef _KCUCKOO_PIPELINE_H
#define _KCUCKOO_PIPELINE_H

#include "pair.h"

/*
 * A power of two. Measured with 8 to 128, in tables of 16 MB to 1 GB: from 16 on
 * it makes no difference, and 128 are a little slower.
 */
#define KCUCKOO_PIPELINE_DEPTH	32

/**
 * struct kcuckoo_pipeline - look-ups under way
 * @table: the table
 * @in: keys that went in
 * @out: keys that came out
 * @pair: those between them, at their number modulo the depth
 */
struct kcuckoo_pipeline {
	const struct kcuckoo_table *table;
	unsigned int in;
	unsigned int out;
	struct kcuckoo_pair pair[KCUCKOO_PIPELINE_DEPTH];
};

/**
 * kcuckoo_pipeline_begin() - make an empty pipeline
 * @pipeline: the pipeline
 * @table: a quick table
 */
static inline void kcuckoo_pipeline_begin(struct kcuckoo_pipeline *pipeline,
					  const struct kcuckoo_table *table)
{
	pipeline->table = table;
	pipeline->in = 0;
	pipeline->out = 0;
}

/**
 * kcuckoo_pipeline_full() - has a key to come out before one can go in?
 * @pipeline: the pipeline
 *
 * Return: true if so.
 */
static inline bool
kcuckoo_pipeline_full(const struct kcuckoo_pipeline *pipeline)
{
	return pipeline->in - pipeline->out == KCUCKOO_PIPELINE_DEPTH;
}

/**
 * kcuckoo_pipeline_empty() - have all keys come out?
 * @pipeline: the pipeline
 *
 * Return: true if so.
 */
static inline bool
kcuckoo_pipeline_empty(const struct kcuckoo_pipeline *pipeline)
{
	return pipeline->in == pipeline->out;
}

/**
 * kcuckoo_pipeline_push() - begin a look-up
 * @pipeline: a pipeline that is not full
 * @pair: where the key can be
 */
static __always_inline void
kcuckoo_pipeline_push(struct kcuckoo_pipeline *pipeline,
		      struct kcuckoo_pair pair)
{
	kcuckoo_pair_prefetch(pipeline->table, &pair);
	pipeline->pair[pipeline->in++ % KCUCKOO_PIPELINE_DEPTH] = pair;
}

/**
 * kcuckoo_pipeline_pop() - finish the oldest look-up
 * @pipeline: a pipeline that is not empty
 *
 * Context: readers without a lock have to check that no write overlapped.
 * Return: true if the key is in the table.
 */
static __always_inline bool
kcuckoo_pipeline_pop(struct kcuckoo_pipeline *pipeline)
{
	unsigned int oldest = pipeline->out++ % KCUCKOO_PIPELINE_DEPTH;

	return kcuckoo_pair_contained(pipeline->table, &pipeline->pair[oldest]);
}

#endif /* _KCUCKOO_PIPELINE_H */
