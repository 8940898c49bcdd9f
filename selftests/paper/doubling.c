// SPDX-License-Identifier: GPL-2.0-only
/*
 * doubling BITS BUCKETS SEED - growth without keys against rebuilding from keys
 *
 * Fills a table of b = 4 to 95 %, doubles it as the module does, and makes one of
 * twice as many buckets from the keys, which lie ready in memory and are taken
 * 128 at a time.
 *
 * A line: the word doubling, f, buckets, entries, seconds to double, seconds to
 * rebuild, keys that are missing afterwards, look-ups, false positives before
 * doubling, after it, and of the rebuilt table.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "filling.h"
#include "core/rehash.h"

#define QUERIES		16777216U
#define LOAD		95

static void store_create(struct kcuckoo_store *store,
			 const struct kcuckoo_layout *layout,
			 const struct kcuckoo_hash_key *secret)
{
	kcuckoo_store_init(store, layout,
			   bench_memory(kcuckoo_layout_tag_words(layout) * 8),
			   NULL, secret);
}

static double double_it(struct kcuckoo_store *from, struct kcuckoo_store *to,
			const struct filling *filling)
{
	struct kcuckoo_rehash rehash;
	double seconds = bench_clock();

	kcuckoo_rehash_init(&rehash, from, to, &filling->secret);
	while (!rehash.failed && !kcuckoo_rehash_done(&rehash))
		kcuckoo_rehash_copy(&rehash, filling->search,
				    KCUCKOO_SECTION_STEPS);
	if (rehash.failed)
		exit(1);
	return bench_clock() - seconds;
}

/* Adds keys that lie in an array; returns the seconds. */
static double rebuild(struct filling *filling, const u64 *keys, u64 count)
{
	struct kcuckoo_probe probes[FILLING_CHUNK] = {};
	struct kcuckoo_table *table = &filling->table;
	double seconds = bench_clock();
	u64 done = 0;

	while (done < count) {
		u64 some = count - done < FILLING_CHUNK ?
			   count - done : FILLING_CHUNK;
		u64 i;

		for (i = 0; i < some; i++) {
			const u8 *key = (const u8 *)&keys[done + i];
			u64 hash = kcuckoo_hash_bytes(&filling->secret, key,
						      sizeof(*keys));

			kcuckoo_table_probe_hash(table, hash, &probes[i]);
			kcuckoo_table_prefetch(table, &probes[i]);
		}
		for (i = 0; i < some; i++)
			if (!filling_add(filling, &probes[i]))
				exit(1);
		done += some;
	}
	return bench_clock() - seconds;
}

static u64 count_in(struct filling *filling, const struct kcuckoo_table *table,
		    u64 first, u64 count)
{
	filling->table = *table;
	return filling_count(filling, first, count);
}

int main(int argc, char **argv)
{
	struct kcuckoo_table_params params = { .bucket_shift = 2 };
	struct kcuckoo_store small, grown, fresh;
	struct kcuckoo_layout layout, larger;
	struct filling filling;
	double doubled, rebuilt;
	u64 before, missing;
	u64 count, i;
	u64 *keys;

	if (argc != 4)
		return 2;
	params.tag_bits = (u8)atoi(argv[1]);
	params.nbuckets = (u32)strtoull(argv[2], NULL, 0);
	bench_seed(strtoull(argv[3], NULL, 0));
	if (!filling_create(&filling, &params, false, false) ||
	    !kcuckoo_layout_make(&layout, &params, 0, params.nbuckets, 0) ||
	    !kcuckoo_layout_grow(&larger, &layout))
		return 1;
	count = filling_fill(&filling, kcuckoo_table_places(&filling.table) *
				       LOAD / 100);
	small.layout = layout;
	small.table = filling.table;
	before = filling_count(&filling, FILLING_OTHERS, QUERIES);
	keys = bench_memory(count * sizeof(*keys));
	for (i = 0; i < count; i++)
		keys[i] = bench_key(filling.keys, i);
	store_create(&grown, &larger, &filling.secret);
	doubled = double_it(&small, &grown, &filling);
	kcuckoo_layout_make(&larger, &params, 0, 2 * params.nbuckets, 0);
	store_create(&fresh, &larger, &filling.secret);
	filling.table = fresh.table;
	rebuilt = rebuild(&filling, keys, count);
	fresh.table = filling.table;
	missing = count - count_in(&filling, &grown.table, 0, count);
	printf("doubling\t%u\t%u\t%llu\t%.4f\t%.4f\t%llu\t%u\t%llu\t%llu\t%llu\n",
	       params.tag_bits, params.nbuckets, (unsigned long long)count,
	       doubled, rebuilt, (unsigned long long)missing, QUERIES,
	       (unsigned long long)before,
	       (unsigned long long)count_in(&filling, &grown.table,
					    FILLING_OTHERS, QUERIES),
	       (unsigned long long)count_in(&filling, &fresh.table,
					    FILLING_OTHERS, QUERIES));
	return 0;
}
