// SPDX-License-Identifier: GPL-2.0-only
/*
 * batch ROUNDS MEGABYTES... - the core's look-ups against the limit of memory
 *
 * Fills tables of 12-bit fingerprints, b = 4, of these sizes to 95 %, and looks
 * keys up that are not in, one by one and through the pipeline. The limit is two
 * random lines of the same table for each key, asked for as early as the pipeline
 * asks. All three take turns. A line for each size, medians, by processor time:
 *
 *	core MEGABYTES single batch limit	millions/s
 */
#include <stdio.h>
#include <stdlib.h>

#include "filling.h"
#include "pipeline.h"

#define QUERIES		2097152U
#define ROUNDS_MOST	99
#define LINE_WORDS	8
#define DEPTH		KCUCKOO_PIPELINE_DEPTH

/* What is measured; returns something that depends on all that was read. */
typedef u64 (*measured)(const struct kcuckoo_table *table, const u64 *keys);

static struct kcuckoo_pair pair_of(const struct kcuckoo_table *table,
				   const u64 *key)
{
	return kcuckoo_pair_of_hash(table,
				    kcuckoo_hash_bytes(&table->key,
						       (const u8 *)key,
						       sizeof(*key)));
}

static u64 single(const struct kcuckoo_table *table, const u64 *keys)
{
	struct kcuckoo_pair pair;
	u64 found = 0;
	u64 i;

	for (i = 0; i < QUERIES; i++) {
		pair = pair_of(table, &keys[i]);
		found += kcuckoo_pair_contained(table, &pair);
	}
	return found;
}

static u64 batch(const struct kcuckoo_table *table, const u64 *keys)
{
	struct kcuckoo_pipeline pipeline;
	u64 found = 0;
	u64 i;

	kcuckoo_pipeline_begin(&pipeline, table);
	for (i = 0; i < QUERIES; i++) {
		if (kcuckoo_pipeline_full(&pipeline))
			found += kcuckoo_pipeline_pop(&pipeline);
		kcuckoo_pipeline_push(&pipeline, pair_of(table, &keys[i]));
	}
	while (!kcuckoo_pipeline_empty(&pipeline))
		found += kcuckoo_pipeline_pop(&pipeline);
	return found;
}

/* Keys are random numbers as they are: halves of one tell the lines. */
static u64 limit(const struct kcuckoo_table *table, const u64 *keys)
{
	u64 lines = kcuckoo_geometry_tag_words(&table->geometry) / LINE_WORDS;
	const u64 *ahead[DEPTH][2];
	u64 sum = 0;
	u64 i;

	for (i = 0; i < QUERIES + DEPTH; i++) {
		const u64 **line = ahead[i % DEPTH];

		if (i >= DEPTH)
			sum += READ_ONCE(*line[0]) + READ_ONCE(*line[1]);
		if (i >= QUERIES)
			continue;
		line[0] = table->tags + ((keys[i] >> 32) * lines >> 32) *
					LINE_WORDS;
		line[1] = table->tags + ((keys[i] & 0xffffffff) * lines >> 32) *
					LINE_WORDS;
		__builtin_prefetch(line[0]);
		__builtin_prefetch(line[1]);
	}
	return sum;
}

static int compare(const void *a, const void *b)
{
	double difference = *(const double *)a - *(const double *)b;

	return (difference > 0) - (difference < 0);
}

static void measure(const struct kcuckoo_table *table, const u64 *keys,
		    unsigned int rounds, double rate[3])
{
	static const measured ways[3] = { single, batch, limit };
	double samples[3][ROUNDS_MOST];
	u64 read = 0;
	unsigned int round, way;
	double seconds;

	for (round = 0; round < rounds; round++) {
		for (way = 0; way < 3; way++) {
			seconds = bench_clock();
			read += ways[way](table, keys);
			seconds = bench_clock() - seconds;
			samples[way][round] = QUERIES / seconds / 1e6;
		}
	}
	/* Nothing of it is left out, because it counts. */
	if (!read)
		exit(1);
	for (way = 0; way < 3; way++) {
		qsort(samples[way], rounds, sizeof(double), compare);
		rate[way] = samples[way][rounds / 2];
	}
}

static void size(u64 megabytes, unsigned int rounds, const u64 *keys)
{
	struct kcuckoo_geometry geometry = {
		.nbuckets = (u32)((megabytes << 23) / 48),
		.bucket_shift = 2,
		.tag_bits = 12,
	};
	struct filling filling;
	double rate[3];

	if (!filling_create(&filling, &geometry, false, false))
		exit(1);
	filling_fill(&filling, kcuckoo_table_places(&filling.table) * 95 / 100);
	measure(&filling.table, keys, rounds, rate);
	printf("core\t%llu\t%.2f\t%.2f\t%.2f\n", (unsigned long long)megabytes,
	       rate[0], rate[1], rate[2]);
	fflush(stdout);
	filling_free(&filling);
}

int main(int argc, char **argv)
{
	unsigned int rounds = argc < 3 ? 0 : (unsigned int)atoi(argv[1]);
	u64 *keys;
	u64 i;
	int n;

	if (rounds < 1 || rounds > ROUNDS_MOST) {
		fprintf(stderr, "usage: batch ROUNDS MEGABYTES...\n");
		return 2;
	}
	bench_seed(rounds);
	keys = bench_memory(QUERIES * sizeof(*keys));
	for (i = 0; i < QUERIES; i++)
		keys[i] = random_word();
	for (n = 2; n < argc; n++)
		size(strtoull(argv[n], NULL, 0), rounds, keys);
	return 0;
}
