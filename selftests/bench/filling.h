/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tables of fingerprints that are filled until an insert fails, by one of two
 * rules for making room:
 *
 *	search	the module's own: breadth first, at most KCUCKOO_SEARCH_VISITS
 *	kicks	Fan et al., algorithm 1: at most 500 random entries change places
 *	kicks0	the same, and fingerprints are drawn from 2^f values, of which 0,
 *		which stands for a free entry, becomes 1
 *
 * Keys are 64-bit numbers, all different, that can be told from their numbers.
 */
#ifndef _BENCH_FILLING_H
#define _BENCH_FILLING_H

#include <time.h>

#include "random.h"
#include "core/search.h"
#include "core/semisort.h"

/* As many keys are hashed and prefetched together in the module. */
#define FILLING_CHUNK	KCUCKOO_CHUNK

/* "Full" in both papers: a single insert relocates more often than this. */
#define FILLING_KICKS	500

/**
 * struct filling - a table, and what is needed to fill it
 * @table: the table
 * @secret: of the hash, and of the table
 * @search: room for the module's search, NULL for random kicks
 * @keys: added to a key's number; tells the keys of one run from another's
 * @zero: fingerprints are drawn from 2^f values, not from 2^f - 1
 * @added: keys that were added: those with the numbers below it
 */
struct filling {
	struct kcuckoo_table table;
	struct kcuckoo_hash_key secret;
	struct kcuckoo_search *search;
	u64 keys;
	bool zero;
	u64 added;
};

void filling_seed(u64 seed);
void *bench_memory(u64 bytes);
struct kcuckoo_hash_key bench_secret(bool strong);

bool filling_create(struct filling *filling,
		    const struct kcuckoo_table_params *params, bool kicks,
		    bool strong);
void filling_free(struct filling *filling);
bool filling_add(struct filling *filling, const struct kcuckoo_probe *probe);
u64 filling_fill(struct filling *filling, u64 most);
u64 filling_count(const struct filling *filling, u64 first, u64 count);

/* No key that is added has such a number: these are for false positives. */
#define FILLING_OTHERS	0x4000000000000000ULL

/*
 * Seconds of this process alone: other work on the machine, and there is some
 * where benchmarks run unattended, is not what is measured.
 */
static inline double bench_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Random numbers are a file's own, so there are two to begin. */
static inline void bench_seed(u64 seed)
{
	random_seed(seed);
	filling_seed(~seed);
}

/* The key with a number: different numbers, different keys. */
static inline u64 bench_key(u64 keys, u64 number)
{
	return random_mix(keys + number);
}

/* The bits of memory that a table's fingerprints take. */
static inline u64 filling_bits(const struct filling *filling)
{
	return kcuckoo_table_params_tag_words(&filling->table.params) * 64;
}

#endif /* _BENCH_FILLING_H */
