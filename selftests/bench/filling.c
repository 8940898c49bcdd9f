// SPDX-License-Identifier: GPL-2.0-only
/* Filling tables of fingerprints. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "filling.h"

#define CACHE_LINE	64

/* Begins the random numbers of secrets, keys and kicks. */
void filling_seed(u64 seed)
{
	random_seed(seed);
}

/* Zeroed memory, written to at once: page faults are not what is measured. */
void *bench_memory(u64 bytes)
{
	void *memory;

	if (posix_memalign(&memory, CACHE_LINE, bytes)) {
		perror("memory");
		exit(1);
	}
	memset(memory, 0, bytes);
	return memory;
}

/* A random secret of a filter. */
struct kcuckoo_hash_key bench_secret(bool strong)
{
	struct kcuckoo_hash_key key = { .strong = strong };
	int i;

	for (i = 0; i < 3; i++)
		key.seed[i] = (u32)random_word();
	for (i = 0; i < 2; i++)
		key.sip.key[i] = random_word();
	return key;
}

/* Makes an empty table; @kicks and @strong choose the rule and the hash. */
bool filling_create(struct filling *filling,
		    const struct kcuckoo_table_params *params, bool kicks,
		    bool strong)
{
	u64 bytes = kcuckoo_table_params_tag_words(params) * 8;

	kcuckoo_semisort_init();
	memset(filling, 0, sizeof(*filling));
	filling->secret = bench_secret(strong);
	kcuckoo_table_init(&filling->table, params, bench_memory(bytes),
			   NULL, &filling->secret);
	filling->keys = random_word();
	if (kicks)
		return true;
	filling->search = calloc(1, kcuckoo_search_bytes(KCUCKOO_SEARCH_VISITS));
	if (!filling->search)
		return false;
	filling->search->limit = KCUCKOO_SEARCH_VISITS;
	return true;
}

void filling_free(struct filling *filling)
{
	free(filling->table.tags);
	free(filling->search);
}

/* Puts a tag into a bucket that has room. */
static void put(struct kcuckoo_table *table, u64 place, u64 tag)
{
	u32 bucket = kcuckoo_table_bucket(table, place);
	const struct kcuckoo_probe probe = {
		.bucket = { bucket, bucket },
		.tag = { tag, tag },
	};

	kcuckoo_table_put(table, place, &probe);
}

/*
 * Algorithm 1 of Fan et al.: an entry chosen at random gives way, goes to its
 * other bucket, and so on. Where that has no end, the last one is lost, and the
 * table has as many as before.
 */
static bool kick(struct kcuckoo_table *table, const struct kcuckoo_probe *probe)
{
	unsigned int shift = table->params.bucket_shift;
	u32 bucket = probe->bucket[random_below(2)];
	u64 tag = probe->tag[0];
	unsigned int n;

	for (n = 0; n < FILLING_KICKS; n++) {
		u64 place = ((u64)bucket << shift) + random_below(1U << shift);
		u64 kicked = kcuckoo_table_tag(table, place);

		kcuckoo_table_clear(table, place);
		put(table, place, tag);
		tag = kicked;
		bucket = kcuckoo_table_alternate(table, bucket, tag);
		place = kcuckoo_table_bucket_vacant(table, bucket);
		if (place != KCUCKOO_NO_PLACE) {
			put(table, place, tag);
			return true;
		}
	}
	return false;
}

/* Adds a key by the filling's rule. Returns false where the rule gives up. */
bool filling_add(struct filling *filling, const struct kcuckoo_probe *probe)
{
	struct kcuckoo_table *table = &filling->table;
	struct kcuckoo_search *search = filling->search;
	u64 place = kcuckoo_table_bucket_vacant(table, probe->bucket[0]);
	u32 reads = ~0U;

	if (place == KCUCKOO_NO_PLACE)
		place = kcuckoo_table_bucket_vacant(table, probe->bucket[1]);
	if (place == KCUCKOO_NO_PLACE) {
		if (!search)
			return kick(table, probe);
		if (kcuckoo_table_saturated(table, probe) ||
		    !kcuckoo_search_find(search, table, probe, &reads))
			return false;
		while (kcuckoo_search_hops(search))
			kcuckoo_search_hop(search, table);
		place = search->vacant;
	}
	kcuckoo_table_put(table, place, probe);
	return true;
}

/* As if the fingerprint 0 had become 1, which is then twice as likely. */
static void fold(const struct kcuckoo_table *table, u64 hash,
		 struct kcuckoo_probe *probe)
{
	u64 tags = 1ULL << table->params.tag_bits;
	u64 tag = kcuckoo_hash_scale(kcuckoo_hash_rest(hash, table->part_buckets), tags);

	probe->tag[0] = tag ? tag : 1;
	probe->tag[1] = probe->tag[0];
	probe->bucket[1] = kcuckoo_table_alternate(table, probe->bucket[0],
						   probe->tag[0]);
}

/* Hashes some keys and asks for the memory of their buckets. */
static unsigned int prepare(const struct filling *filling, u64 first, u64 count,
			    struct kcuckoo_probe probes[FILLING_CHUNK])
{
	const struct kcuckoo_table *table = &filling->table;
	unsigned int i;

	if (count > FILLING_CHUNK)
		count = FILLING_CHUNK;
	for (i = 0; i < count; i++) {
		u64 key = bench_key(filling->keys, first + i);
		u64 hash = kcuckoo_hash_bytes(&filling->secret, (const u8 *)&key,
					      sizeof(key));

		memset(&probes[i], 0, sizeof(probes[i]));
		kcuckoo_table_probe_hash(table, hash, &probes[i]);
		if (filling->zero)
			fold(table, hash, &probes[i]);
		kcuckoo_table_prefetch(table, &probes[i]);
	}
	return (unsigned int)count;
}

/*
 * Adds keys up to the first that fails, or until there are @most entries.
 * Returns how many there are.
 */
u64 filling_fill(struct filling *filling, u64 most)
{
	struct kcuckoo_probe probes[FILLING_CHUNK];
	unsigned int count;
	unsigned int i;

	while (filling->added < most) {
		count = prepare(filling, filling->added, most - filling->added,
				probes);
		for (i = 0; i < count; i++) {
			if (!filling_add(filling, &probes[i]))
				return filling->added;
			filling->added++;
		}
	}
	return filling->added;
}

/* Of the keys with numbers from @first on, counts those that are in. */
u64 filling_count(const struct filling *filling, u64 first, u64 count)
{
	struct kcuckoo_probe probes[FILLING_CHUNK];
	u64 found = 0;
	unsigned int some;
	unsigned int i;

	for (; count; first += some, count -= some) {
		some = prepare(filling, first, count, probes);
		for (i = 0; i < some; i++)
			found += kcuckoo_table_contains(&filling->table,
							&probes[i]);
	}
	return found;
}
