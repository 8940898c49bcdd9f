// SPDX-License-Identifier: GPL-2.0-only
/*
 * batch ROUNDS KILOBYTES... - what the core does a second, by the limit of memory
 *
 * Fills tables of 12-bit fingerprints, b = 4, of these sizes to 95 %, and looks
 * keys up that are not in, one by one and in groups. The limit is two
 * random lines of the same table for each key, asked for in groups as the batch
 * asks. Then entries are deleted and added again, from 95 % down to 90 and back,
 * but no more than half a million: one by one, and in chunks as the module does.
 * All take turns. A line for each size, millions/s, medians, by processor time:
 *
 *	core KILOBYTES single batch limit delete-single add-single delete-batch
 *		add-batch fill
 *
 * where fill is the rate from the empty table to 95 %, in chunks.
 */
#include <stdio.h>
#include <stdlib.h>

#include "filling.h"
#include "core/table_batch.h"

#define QUERIES		2097152U
#define CHANGES		524288U
#define ROUNDS_MOST	99
#define LINE_WORDS	8
#define GROUP		KCUCKOO_TABLE_BATCH_GROUP

/* What is measured; returns something that depends on all that was read. */
typedef u64 (*measured)(const struct filling *filling, const u64 *keys);

/* All keys are of one size, and hashed with jhash. */
static __always_inline struct kcuckoo_bucket_pair
pair_of(const struct filling *filling, const u64 *key)
{
	return kcuckoo_bucket_pair_of_hash(&filling->table,
					   kcuckoo_hash_eight(&filling->secret,
							      (const u8 *)key));
}

static u64 single(const struct filling *filling, const u64 *keys)
{
	const struct kcuckoo_table *table = &filling->table;
	struct kcuckoo_bucket_pair pair;
	u64 found = 0;
	u64 i;

	for (i = 0; i < QUERIES; i++) {
		pair = pair_of(filling, &keys[i]);
		found += kcuckoo_bucket_pair_contained(table, &pair);
	}
	return found;
}

/* Keys that are looked up in a filling, and how many were there. */
struct queries {
	const struct filling *filling;
	const u64 *keys;
	u64 found;
};

static __always_inline struct kcuckoo_bucket_pair queries_pair(const void *context,
							       u64 number)
{
	const struct queries *queries = context;

	return pair_of(queries->filling, &queries->keys[number]);
}

static __always_inline void queries_take(void *context, u64 number, bool found)
{
	struct queries *queries = context;

	(void)number;
	queries->found += found;
}

static u64 batch(const struct filling *filling, const u64 *keys)
{
	struct queries queries = { .filling = filling, .keys = keys };

	kcuckoo_table_batch(&filling->table, QUERIES, queries_pair, queries_take,
			    &queries);
	return queries.found;
}

/* Keys are random numbers as they are: halves of one tell the lines. */
static __always_inline const u64 *line_of(const u64 *tags, u64 lines, u64 half)
{
	return tags + (half * lines >> 32) * LINE_WORDS;
}

/* Asks for the lines of a group while those of the one before are on their way. */
static u64 limit(const struct filling *filling, const u64 *keys)
{
	const u64 *tags = filling->table.tags;
	u64 count = kcuckoo_table_params_tag_words(&filling->table.params) /
		    LINE_WORDS;
	const u64 *group[2][GROUP][2];
	u64 sum = 0;
	u64 i, n;

	for (i = 0; i <= QUERIES; i += GROUP) {
		const u64 *(*lines)[2] = group[i / GROUP % 2];

		for (n = 0; n < GROUP && i < QUERIES; n++) {
			lines[n][0] = line_of(tags, count, keys[i + n] >> 32);
			lines[n][1] = line_of(tags, count, (u32)keys[i + n]);
			__builtin_prefetch(lines[n][0]);
			__builtin_prefetch(lines[n][1]);
		}
		lines = group[(i / GROUP + 1) % 2];
		for (n = 0; n < GROUP && i; n++)
			sum += READ_ONCE(*lines[n][0]) + READ_ONCE(*lines[n][1]);
	}
	return sum;
}

static int compare(const void *a, const void *b)
{
	double difference = *(const double *)a - *(const double *)b;

	return (difference > 0) - (difference < 0);
}

/* Hashes keys, and asks for the memory of their buckets if there are several. */
static void prepare(const struct filling *filling, u64 first, u64 count,
		    struct kcuckoo_probe *probes)
{
	const struct kcuckoo_table *table = &filling->table;
	u64 i;

	for (i = 0; i < count; i++) {
		u64 key = bench_key(filling->keys, first + i);
		u64 hash = kcuckoo_hash_bytes(&filling->secret,
					      (const u8 *)&key, sizeof(key));

		kcuckoo_table_probe_hash(table, hash, &probes[i]);
		if (count > 1)
			kcuckoo_table_prefetch(table, &probes[i]);
	}
}

/* Deletes the last keys, or adds them again. Returns millions a second. */
static double change(struct filling *filling, u64 count, u64 chunk, bool add)
{
	struct kcuckoo_probe probes[FILLING_CHUNK] = {};
	u64 end = filling->added;
	double seconds = bench_clock();
	u64 first, i, some, place;

	for (first = end - count; first < end; first += some) {
		some = end - first < chunk ? end - first : chunk;
		prepare(filling, first, some, probes);
		for (i = 0; i < some; i++) {
			if (add) {
				if (!filling_add(filling, &probes[i]))
					exit(1);
				continue;
			}
			place = kcuckoo_table_find(&filling->table, &probes[i]);
			if (place == KCUCKOO_NO_PLACE)
				exit(1);
			kcuckoo_table_clear(&filling->table, place);
		}
	}
	return (double)count / (bench_clock() - seconds) / 1e6;
}

static double median(double *samples, unsigned int count)
{
	qsort(samples, count, sizeof(*samples), compare);
	return samples[count / 2];
}

static void look_up(const struct filling *filling, const u64 *keys,
		    unsigned int rounds)
{
	static const measured ways[3] = { single, batch, limit };
	double samples[3][ROUNDS_MOST];
	unsigned int round, way;
	u64 read = 0;
	double seconds;

	for (round = 0; round < rounds; round++) {
		for (way = 0; way < 3; way++) {
			seconds = bench_clock();
			read += ways[way](filling, keys);
			seconds = bench_clock() - seconds;
			samples[way][round] = QUERIES / seconds / 1e6;
		}
	}
	/* Nothing of it is left out, because it counts. */
	if (!read)
		exit(1);
	for (way = 0; way < 3; way++)
		printf("\t%.2f", median(samples[way], rounds));
}

static void change_keys(struct filling *filling, unsigned int rounds)
{
	u64 count = filling->added / 19;
	double samples[4][ROUNDS_MOST];
	unsigned int round, way;

	if (count > CHANGES)
		count = CHANGES;
	for (round = 0; round < rounds; round++)
		for (way = 0; way < 4; way++)
			samples[way][round] =
				change(filling, count,
				       way < 2 ? 1 : FILLING_CHUNK, way % 2);
	for (way = 0; way < 4; way++)
		printf("\t%.2f", median(samples[way], rounds));
}

static void size(u64 kilobytes, unsigned int rounds, const u64 *keys)
{
	struct kcuckoo_table_params params = {
		.nbuckets = (u32)((kilobytes << 13) / 48),
		.bucket_shift = 2,
		.tag_bits = 12,
	};
	struct filling filling;
	double seconds;
	u64 count;

	if (!filling_create(&filling, &params, false, false))
		exit(1);
	count = kcuckoo_table_places(&filling.table) * 95 / 100;
	seconds = bench_clock();
	if (filling_fill(&filling, count) < count)
		exit(1);
	seconds = bench_clock() - seconds;
	printf("core\t%llu", (unsigned long long)kilobytes);
	look_up(&filling, keys, rounds);
	change_keys(&filling, rounds);
	printf("\t%.2f\n", (double)count / seconds / 1e6);
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
		fprintf(stderr, "usage: batch ROUNDS KILOBYTES...\n");
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
