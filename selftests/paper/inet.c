// SPDX-License-Identifier: GPL-2.0-only
/*
 * inet uniform|clustered COUNT SEED - exact tables of IPv4 addresses
 *
 * Makes the table that the module would make for so many addresses, fills it,
 * and asks for all of them and for as many others. Addresses are drawn without
 * repetition, or blocks of 1,024 are.
 *
 * A line: the word inet, kind, addresses, bits of memory, members that were not
 * found, look-ups of others, false positives, seconds to fill.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "filling.h"
#include "core/store.h"

#define ADDRESS_BITS	32
#define BLOCK_BITS	10

/**
 * struct crowd - addresses: the first so many are members
 * @secret: of the permutation that draws them
 * @table_secret: of the table that they are members of
 * @block_bits: addresses of a block, as a power of two
 */
struct crowd {
	struct kcuckoo_hash_key secret;
	struct kcuckoo_hash_key table_secret;
	unsigned int block_bits;
};

/* The address with number @i: different numbers, different addresses. */
static u64 address(const struct crowd *crowd, u64 i)
{
	unsigned int bits = ADDRESS_BITS - crowd->block_bits;
	struct kcuckoo_number block = { 0, i >> crowd->block_bits };

	block = kcuckoo_permute(&crowd->secret, block, bits);
	return block.lo << crowd->block_bits |
	       (i & kcuckoo_bits_mask(crowd->block_bits));
}

/* Prepares the probes of some addresses. */
static u64 prepare(const struct kcuckoo_store *store, const struct crowd *crowd,
		   u64 first, u64 count,
		   struct kcuckoo_probe probes[FILLING_CHUNK])
{
	u64 i;

	if (count > FILLING_CHUNK)
		count = FILLING_CHUNK;
	for (i = 0; i < count; i++) {
		struct kcuckoo_key key = {};

		key.number.lo = address(crowd, first + i);
		kcuckoo_key_permute(&key, &crowd->table_secret, ADDRESS_BITS);
		kcuckoo_store_probe(store, &key, &probes[i]);
		kcuckoo_table_prefetch(&store->table, &probes[i]);
	}
	return count;
}

static void fill(struct filling *filling, struct kcuckoo_store *store,
		 const struct crowd *crowd, u64 count)
{
	struct kcuckoo_probe probes[FILLING_CHUNK] = {};
	u64 done = 0;

	filling->table = store->table;
	while (done < count) {
		u64 some = prepare(store, crowd, done, count - done, probes);
		u64 i;

		for (i = 0; i < some; i++)
			if (!filling_add(filling, &probes[i])) {
				fprintf(stderr, "inet: full at %llu\n",
					(unsigned long long)(done + i));
				exit(1);
			}
		done += some;
	}
	store->table = filling->table;
}

static u64 found(const struct kcuckoo_store *store, const struct crowd *crowd,
		 u64 first, u64 count)
{
	struct kcuckoo_probe probes[FILLING_CHUNK] = {};
	u64 hits = 0;
	u64 some;
	u64 i;

	for (; count; first += some, count -= some) {
		some = prepare(store, crowd, first, count, probes);
		for (i = 0; i < some; i++)
			hits += kcuckoo_table_contains(&store->table,
						       &probes[i]);
	}
	return hits;
}

int main(int argc, char **argv)
{
	const struct kcuckoo_table_params params = { .bucket_shift = 2,
						     .exact = true };
	const struct kcuckoo_table_params any = { .nbuckets = 64, .tag_bits = 8 };
	struct kcuckoo_layout layout;
	struct kcuckoo_store store;
	struct filling filling;
	struct crowd crowd = {};
	double seconds;
	u64 count;

	if (argc != 4)
		return 2;
	bench_seed(strtoull(argv[3], NULL, 0));
	count = strtoull(argv[2], NULL, 0);
	crowd.secret = bench_secret(true);
	crowd.block_bits = strcmp(argv[1], "clustered") ? 0 : BLOCK_BITS;
	kcuckoo_layout_fit(&layout, &params, ADDRESS_BITS, count);
	if (layout.bitmap || !filling_create(&filling, &any, false, false))
		return 1;
	crowd.table_secret = bench_secret(false);
	kcuckoo_store_init(&store, &layout,
			   bench_memory(kcuckoo_layout_tag_words(&layout) * 8),
			   NULL, &crowd.table_secret);
	seconds = bench_clock();
	fill(&filling, &store, &crowd, count);
	seconds = bench_clock() - seconds;
	printf("inet\t%s\t%llu\t%llu\t%llu\t%llu\t%llu\t%.3f\n", argv[1],
	       (unsigned long long)count,
	       (unsigned long long)kcuckoo_layout_tag_words(&layout) * 64,
	       (unsigned long long)(count - found(&store, &crowd, 0, count)),
	       (unsigned long long)count,
	       (unsigned long long)found(&store, &crowd, count, count), seconds);
	return 0;
}
