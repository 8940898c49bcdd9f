/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tables to test: in memory that ends where they do, with what a filter does
 * to them, and with pictures to compare them with later.
 */
#ifndef _SELFTESTS_CORE_FIXTURE_H
#define _SELFTESTS_CORE_FIXTURE_H

#include "core/rehash.h"
#include "number.h"
#include "core/semisort.h"
#include "tap.h"

/* A random secret. */
static inline struct kcuckoo_hash_key fixture_key(void)
{
	struct kcuckoo_hash_key key = {};
	int i;

	for (i = 0; i < 3; i++)
		key.seed[i] = random_word();
	return key;
}

/* The same for siphash. */
static inline struct kcuckoo_hash_key fixture_strong_key(void)
{
	struct kcuckoo_hash_key key = fixture_key();

	key.strong = true;
	key.sip.key[0] = random_word();
	key.sip.key[1] = random_word();
	return key;
}

/* What the module does when it is loaded. */
static inline void fixture_decode(const struct kcuckoo_table_params *params)
{
	static bool done;

	if (params->sorted && !done)
		kcuckoo_semisort_init();
	done |= params->sorted;
}

/* Room for a search of as many buckets as there may be. */
static inline struct kcuckoo_search *fixture_search(void)
{
	struct kcuckoo_search *search;

	search = tap_zalloc(kcuckoo_search_bytes(KCUCKOO_SEARCH_VISITS));
	search->limit = KCUCKOO_SEARCH_VISITS;
	return search;
}

/* A random secret, one for all tables, by which tests make hashes, too. */
static inline const struct kcuckoo_hash_key *fixture_secret(void)
{
	static struct kcuckoo_hash_key secret;
	static bool made;

	if (!made)
		secret = fixture_key();
	made = true;
	return &secret;
}

/* An empty table. */
static inline void fixture_table(struct kcuckoo_table *table,
				 const struct kcuckoo_table_params *params)
{
	u64 *tags = tap_zalloc(kcuckoo_table_params_tag_words(params) * 8);
	u64 *aux = tap_zalloc(kcuckoo_table_params_aux_words(params) * 8);

	fixture_decode(params);
	kcuckoo_table_init(table, params, tags, aux, fixture_secret());
}

static inline void fixture_table_free(struct kcuckoo_table *table)
{
	tap_free(table->tags);
	tap_free(table->aux);
}

/* The smallest layout of an exact store. */
static inline void fixture_fit(struct kcuckoo_layout *layout, unsigned int plen,
			       unsigned int bucket_shift, u64 entries)
{
	const struct kcuckoo_table_params params = {
		.bucket_shift = bucket_shift,
		.exact = true,
	};

	kcuckoo_layout_fit(layout, &params, plen, entries);
}

/* An empty table of prefixes. */
static inline void fixture_inet(struct kcuckoo_store *table,
				const struct kcuckoo_layout *layout,
				const struct kcuckoo_hash_key *key)
{
	u64 *tags = tap_zalloc(kcuckoo_layout_tag_words(layout) * 8);
	u64 *aux = tap_zalloc(kcuckoo_layout_aux_words(layout) * 8);

	fixture_decode(&layout->params);
	kcuckoo_store_init(table, layout, tags, aux, key);
}

static inline void fixture_inet_free(struct kcuckoo_store *table)
{
	fixture_table_free(&table->table);
}

/*
 * The layout of a table of so many buckets, told from what store.h says about
 * it: the tags are 1 to 2 * ceil(2^L / m).
 */
static inline struct kcuckoo_layout fixture_layout(unsigned int plen,
						   unsigned int bucket_shift,
						   u32 nbuckets)
{
	unsigned int bits = plen < 64 ? plen : 64;
	__uint128_t numbers = (__uint128_t)1 << bits;
	__uint128_t tags = 2 * ((numbers + nbuckets - 1) / nbuckets);
	struct kcuckoo_layout layout = {
		.bits = plen,
		.params = {
			.nbuckets = nbuckets,
			.bucket_shift = bucket_shift,
			.aux_bits = plen - bits,
			.exact = true,
		},
	};

	while (tags >> layout.params.tag_bits)
		layout.params.tag_bits++;
	return layout;
}

static inline struct kcuckoo_layout fixture_bitmap(unsigned int plen)
{
	struct kcuckoo_layout layout = fixture_layout(plen, 2, 16);

	layout.bitmap = true;
	return layout;
}

/* A search that reads as many buckets as it needs, in one section. */
static inline bool fixture_search_find(struct kcuckoo_search *search,
				       const struct kcuckoo_table *table,
				       const struct kcuckoo_probe *probe)
{
	u32 reads = ~0U;

	search->open = false;
	return kcuckoo_search_find(search, table, probe, &reads);
}

/*
 * Stores a key as a filter does: at a free place, else by a search. Returns its
 * place, or KCUCKOO_NO_PLACE.
 */
static inline u64 fixture_add(struct kcuckoo_table *table,
			      const struct kcuckoo_probe *probe,
			      struct kcuckoo_search *search)
{
	u64 place = kcuckoo_table_bucket_vacant(table, probe->bucket[0]);

	if (place == KCUCKOO_NO_PLACE)
		place = kcuckoo_table_bucket_vacant(table, probe->bucket[1]);
	if (place == KCUCKOO_NO_PLACE) {
		if (!fixture_search_find(search, table, probe))
			return KCUCKOO_NO_PLACE;
		while (kcuckoo_search_hops(search))
			kcuckoo_search_hop(search, table);
		place = search->vacant;
	}
	kcuckoo_table_put(table, place, probe);
	return place;
}

/* The same for a table of prefixes; the key is permuted, and no member. */
static inline u64 fixture_inet_add(struct kcuckoo_store *table,
				   const struct kcuckoo_key *key,
				   struct kcuckoo_search *search)
{
	struct kcuckoo_probe probe;
	u64 place;

	kcuckoo_store_probe(table, key, &probe);
	if (!table->layout.bitmap)
		return fixture_add(&table->table, &probe, search);
	place = kcuckoo_store_vacant(table, key, &probe, 0);
	kcuckoo_store_put(table, place, &probe);
	return place;
}

static inline u64 fixture_inet_find(const struct kcuckoo_store *table,
				    const struct kcuckoo_key *key)
{
	struct kcuckoo_probe probe = {};

	kcuckoo_store_probe(table, key, &probe);
	return kcuckoo_store_find(table, key, &probe);
}

static inline bool fixture_inet_contains(const struct kcuckoo_store *table,
					 const struct kcuckoo_key *key)
{
	struct kcuckoo_probe probe = {};

	kcuckoo_store_probe(table, key, &probe);
	return kcuckoo_store_contains(table, key, &probe);
}

/**
 * struct fixture_picture - a table as it was
 * @tag_words: words of the hot plane
 * @aux_words: words of the second plane
 * @words: their content
 * @entries: entries in use
 */
struct fixture_picture {
	u64 tag_words;
	u64 aux_words;
	u64 *words;
	u64 entries;
};

static inline void fixture_picture_take(struct fixture_picture *picture,
					const struct kcuckoo_table *table,
					u64 tag_words, u64 aux_words)
{
	picture->tag_words = tag_words;
	picture->aux_words = aux_words;
	picture->entries = table->entries;
	picture->words = tap_zalloc((tag_words + aux_words) * 8);
	memcpy(picture->words, table->tags, tag_words * 8);
	if (aux_words)
		memcpy(picture->words + tag_words, table->aux, aux_words * 8);
}

static inline void fixture_picture_table(struct fixture_picture *picture,
					 const struct kcuckoo_table *table)
{
	const struct kcuckoo_table_params *params = &table->params;

	fixture_picture_take(picture, table,
			     kcuckoo_table_params_tag_words(params),
			     kcuckoo_table_params_aux_words(params));
}

static inline void fixture_picture_inet(struct fixture_picture *picture,
					const struct kcuckoo_store *table)
{
	fixture_picture_take(picture, &table->table,
			     kcuckoo_layout_tag_words(&table->layout),
			     kcuckoo_layout_aux_words(&table->layout));
}

/* Is the table as it was, to the last bit? */
static inline bool fixture_picture_same(const struct fixture_picture *picture,
					const struct kcuckoo_table *table)
{
	const u64 *words = picture->words;

	if (picture->entries != table->entries ||
	    memcmp(words, table->tags, picture->tag_words * 8))
		return false;
	words += picture->tag_words;
	return !picture->aux_words ||
	       !memcmp(words, table->aux, picture->aux_words * 8);
}

/* Places in use, counted. */
static inline u64 fixture_used(const struct kcuckoo_table *table)
{
	u64 used = 0;
	u64 place;

	for (place = 0; place < kcuckoo_table_places(table); place++)
		used += kcuckoo_table_tag(table, place) != 0;
	return used;
}

/*
 * Can each entry of a key's buckets leave them? Some have both of their own
 * buckets there.
 */
static inline bool fixture_movable(const struct kcuckoo_table *table,
				   const struct kcuckoo_probe *probe)
{
	unsigned int shift = table->params.bucket_shift;
	u32 i;

	for (i = 0; i < 2U << shift; i++) {
		u32 bucket = probe->bucket[i >> shift];
		u64 place = ((u64)bucket << shift) + (i & ((1U << shift) - 1));
		u64 tag = kcuckoo_table_tag(table, place);
		u32 other = kcuckoo_table_alternate(table, bucket, tag);

		if (tag && (other == probe->bucket[0] ||
			    other == probe->bucket[1]))
			return false;
	}
	return true;
}

static inline bool fixture_zero(const u64 *words, u64 count)
{
	u64 i;

	for (i = 0; i < count; i++)
		if (words[i])
			return false;
	return true;
}

/* Is there no bit set in either plane? */
static inline bool fixture_empty(const struct kcuckoo_table *table)
{
	const struct kcuckoo_table_params *params = &table->params;

	return fixture_zero(table->tags,
			    kcuckoo_table_params_tag_words(params)) &&
	       fixture_zero(table->aux,
			    kcuckoo_table_params_aux_words(params)) &&
	       !table->entries && !table->expiring;
}

/* The same for a store, which may be a bitmap. */
static inline bool fixture_store_empty(const struct kcuckoo_store *store)
{
	const struct kcuckoo_table *table = &store->table;

	return fixture_zero(table->tags,
			    kcuckoo_layout_tag_words(&store->layout)) &&
	       fixture_zero(table->aux,
			    kcuckoo_layout_aux_words(&store->layout)) &&
	       !table->entries && !table->expiring;
}

#endif /* _SELFTESTS_CORE_FIXTURE_H */
