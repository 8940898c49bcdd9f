// SPDX-License-Identifier: GPL-2.0-only
/*
 * The cuckoo table: addressing, comparing and storing entries.
 */
#include <linux/bitops.h>

#include "table.h"

/* Third word of the hash of tags; the permutation's rounds use 0, 1, 2. */
#define KCUCKOO_TAG_HASH	0x746167

/**
 * kcuckoo_geometry_tag_words() - size of the hot plane
 * @geometry: form of the table
 *
 * Return: number of 64-bit words.
 */
u64 kcuckoo_geometry_tag_words(const struct kcuckoo_geometry *geometry)
{
	u64 places = (u64)geometry->nbuckets << geometry->bucket_shift;

	return kcuckoo_bits_words(places * geometry->tag_bits);
}

/**
 * kcuckoo_geometry_aux_words() - size of the second plane
 * @geometry: form of the table
 *
 * Return: number of 64-bit words, 0 where there is no second plane.
 */
u64 kcuckoo_geometry_aux_words(const struct kcuckoo_geometry *geometry)
{
	u64 places = (u64)geometry->nbuckets << geometry->bucket_shift;

	return kcuckoo_bits_words(places * geometry->aux_bits);
}

/**
 * kcuckoo_table_init() - make an empty table from zeroed memory
 * @table: the table
 * @geometry: its form
 * @tags: kcuckoo_geometry_tag_words() zeroed words
 * @aux: kcuckoo_geometry_aux_words() zeroed words, NULL where these are 0
 * @key: secret of the filter, copied
 */
void kcuckoo_table_init(struct kcuckoo_table *table,
			const struct kcuckoo_geometry *geometry, u64 *tags,
			u64 *aux, const struct kcuckoo_hash_key *key)
{
	unsigned int width = geometry->tag_bits;
	unsigned int entries = 1U << geometry->bucket_shift;
	unsigned int i;

	table->geometry = *geometry;
	table->tags = tags;
	table->aux = aux;
	table->entries = 0;
	table->bucket_bits = entries * width;
	table->inverse = BIT(16) / width + 1;
	table->ones = 0;
	if (table->bucket_bits <= 64)
		for (i = 0; i < entries; i++)
			table->ones |= 1ULL << i * width;
	table->tops = table->ones << (width - 1);
	table->reciprocal = ~0ULL / geometry->nbuckets;
	table->key = *key;
}

/*
 * Exact division by the number of buckets. The reciprocal is less than 1
 * below 2^64 / m, so the estimate is the quotient or one less.
 */
static u64 kcuckoo_table_divide(const struct kcuckoo_table *table, u64 number,
				u32 *remainder)
{
	u64 quotient = kcuckoo_hash_scale(number, table->reciprocal);
	u64 rest = number - quotient * table->geometry.nbuckets;

	if (rest >= table->geometry.nbuckets) {
		rest -= table->geometry.nbuckets;
		quotient++;
	}
	*remainder = rest;
	return quotient;
}

/**
 * kcuckoo_table_alternate() - the other bucket of an entry
 * @table: the table
 * @bucket: one of its buckets
 * @tag: its tag there
 *
 * Return: number of the bucket, which can be @bucket itself.
 */
u32 kcuckoo_table_alternate(const struct kcuckoo_table *table, u32 bucket,
			    u64 tag)
{
	u32 nbuckets = table->geometry.nbuckets;
	u64 hash;
	u32 sum;

	if (table->geometry.sided)
		tag = (tag - 1) >> 1;
	hash = kcuckoo_hash_words(&table->key, tag, tag >> 32,
				  KCUCKOO_TAG_HASH);
	sum = kcuckoo_hash_scale(hash, nbuckets);
	return sum >= bucket ? sum - bucket : sum + (nbuckets - bucket);
}

/**
 * kcuckoo_table_probe_hash() - where a fingerprint belongs
 * @table: a table with plain tags
 * @hash: 64 hash bits of the key
 * @probe: out: buckets and tag
 *
 * The first bucket takes the hash's upper log2(m) bits, the fingerprint the
 * bits below. The fingerprint is never 0, so there are 2^w - 1 of them.
 */
void kcuckoo_table_probe_hash(const struct kcuckoo_table *table, u64 hash,
			      struct kcuckoo_probe *probe)
{
	u32 nbuckets = table->geometry.nbuckets;
	u64 tags = kcuckoo_bits_mask(table->geometry.tag_bits);
	u64 rest = kcuckoo_hash_rest(hash, nbuckets);

	probe->bucket[0] = kcuckoo_hash_scale(hash, nbuckets);
	probe->tag[0] = kcuckoo_hash_scale(rest, tags) + 1;
	probe->tag[1] = probe->tag[0];
	probe->bucket[1] = kcuckoo_table_alternate(table, probe->bucket[0],
						   probe->tag[0]);
	probe->aux = 0;
}

/**
 * kcuckoo_table_probe_number() - where an exact key belongs
 * @table: a table with sided tags
 * @number: the lower 64 bits of the permuted key
 * @aux: its upper bits
 * @probe: out: buckets and tags
 */
void kcuckoo_table_probe_number(const struct kcuckoo_table *table, u64 number,
				u64 aux, struct kcuckoo_probe *probe)
{
	u64 quotient = kcuckoo_table_divide(table, number, &probe->bucket[0]);

	probe->tag[0] = 2 * quotient + 1;
	probe->tag[1] = 2 * quotient + 2;
	probe->bucket[1] = kcuckoo_table_alternate(table, probe->bucket[0],
						   probe->tag[0]);
	probe->aux = aux;
}

/* A word that begins with the bucket; the bits behind it are any. */
static inline u64 kcuckoo_table_load(const struct kcuckoo_table *table, u32 bucket)
{
	u64 bit = (u64)bucket * table->bucket_bits;
	const u64 *words = table->tags + (bit >> 6);
	unsigned int shift = bit & 63;
	u64 word = READ_ONCE(words[0]) >> shift;

	if (shift + table->bucket_bits > 64)
		word |= READ_ONCE(words[1]) << (64 - shift);
	return word;
}

/*
 * Compares all tags of a bucket at once: the topmost bit of each tag that is
 * equal is set in the result. Tags above an equal one can be marked wrongly,
 * by the borrow; that one is equal, and which is the lowest, is always right.
 */
static inline u64 kcuckoo_table_compare(const struct kcuckoo_table *table,
					u32 bucket, u64 tag)
{
	u64 word = kcuckoo_table_load(table, bucket) ^ tag * table->ones;

	return (word - table->ones) & ~word & table->tops;
}

/* Which entry of its bucket the lowest mark of a comparison stands for. */
static inline unsigned int
kcuckoo_table_lowest(const struct kcuckoo_table *table, u64 marks)
{
	return __builtin_ctzll(marks) * table->inverse >> 16;
}

/* The first entry of a bucket with a tag, one by one; for wide buckets. */
static u64 kcuckoo_table_scan(const struct kcuckoo_table *table, u32 bucket,
			      u64 tag)
{
	u64 place = (u64)bucket << table->geometry.bucket_shift;
	u64 end = place + (1U << table->geometry.bucket_shift);

	for (; place < end; place++)
		if (kcuckoo_table_tag(table, place) == tag)
			return place;
	return KCUCKOO_NO_PLACE;
}

/* The first entry of a bucket with a tag. */
static inline u64 kcuckoo_table_first(const struct kcuckoo_table *table,
				      u32 bucket, u64 tag)
{
	u64 marks;

	if (!table->ones)
		return kcuckoo_table_scan(table, bucket, tag);
	marks = kcuckoo_table_compare(table, bucket, tag);
	if (!marks)
		return KCUCKOO_NO_PLACE;
	return ((u64)bucket << table->geometry.bucket_shift) +
	       kcuckoo_table_lowest(table, marks);
}

static u64 kcuckoo_table_aux(const struct kcuckoo_table *table, u64 place)
{
	unsigned int width = table->geometry.aux_bits;

	return kcuckoo_bits_get(table->aux, place * width, width);
}

/* The entry of a bucket with a tag and identity bits. */
static inline u64
kcuckoo_table_bucket_find(const struct kcuckoo_table *table, u32 bucket,
			  u64 tag, u64 aux)
{
	u64 place = kcuckoo_table_first(table, bucket, tag);
	u64 end;

	if (!table->aux || place == KCUCKOO_NO_PLACE)
		return place;
	end = ((u64)bucket + 1) << table->geometry.bucket_shift;
	for (; place < end; place++)
		if (kcuckoo_table_tag(table, place) == tag &&
		    kcuckoo_table_aux(table, place) == aux)
			return place;
	return KCUCKOO_NO_PLACE;
}

/**
 * kcuckoo_table_find() - find a key's entry
 * @table: the table
 * @probe: the key's probe for this table
 *
 * Return: the entry's place, or KCUCKOO_NO_PLACE.
 */
u64 kcuckoo_table_find(const struct kcuckoo_table *table,
		       const struct kcuckoo_probe *probe)
{
	u64 place;

	place = kcuckoo_table_bucket_find(table, probe->bucket[0],
					  probe->tag[0], probe->aux);
	if (place == KCUCKOO_NO_PLACE)
		place = kcuckoo_table_bucket_find(table, probe->bucket[1],
						  probe->tag[1], probe->aux);
	return place;
}

/**
 * kcuckoo_table_contains() - is a key in the table?
 * @table: the table
 * @probe: the key's probe for this table
 *
 * Context: readers without a lock have to check that no write overlapped.
 * Return: true if an entry agrees with the probe.
 */
bool kcuckoo_table_contains(const struct kcuckoo_table *table,
			    const struct kcuckoo_probe *probe)
{
	if (table->aux || !table->ones)
		return kcuckoo_table_find(table, probe) != KCUCKOO_NO_PLACE;
	return kcuckoo_table_compare(table, probe->bucket[0], probe->tag[0]) |
	       kcuckoo_table_compare(table, probe->bucket[1], probe->tag[1]);
}

/**
 * kcuckoo_table_prefetch() - ask for the memory of a probe
 * @table: the table
 * @probe: the probe
 *
 * Packed buckets straddle cache lines, so both ends of both are asked for.
 */
void kcuckoo_table_prefetch(const struct kcuckoo_table *table,
			    const struct kcuckoo_probe *probe)
{
	unsigned int i;

	for (i = 0; i < 2; i++) {
		u64 bit = (u64)probe->bucket[i] * table->bucket_bits;
		u64 end = bit + table->bucket_bits - 1;

		__builtin_prefetch(table->tags + (bit >> 6));
		__builtin_prefetch(table->tags + (end >> 6));
	}
}

/**
 * kcuckoo_table_bucket_vacant() - find a free entry in a bucket
 * @table: the table
 * @bucket: the bucket
 *
 * Return: its place, or KCUCKOO_NO_PLACE.
 */
u64 kcuckoo_table_bucket_vacant(const struct kcuckoo_table *table, u32 bucket)
{
	return kcuckoo_table_first(table, bucket, 0);
}

static void kcuckoo_table_store(struct kcuckoo_table *table, u64 place,
				u64 tag, u64 aux)
{
	unsigned int tag_bits = table->geometry.tag_bits;
	unsigned int aux_bits = table->geometry.aux_bits;

	kcuckoo_bits_put(table->tags, place * tag_bits, tag_bits, tag);
	if (table->aux)
		kcuckoo_bits_put(table->aux, place * aux_bits, aux_bits, aux);
}

/**
 * kcuckoo_table_put() - store a key in a free entry
 * @table: the table
 * @place: a free place in one of the probe's buckets
 * @probe: the key's probe for this table
 *
 * Context: the writer, in a write section of its own.
 */
void kcuckoo_table_put(struct kcuckoo_table *table, u64 place,
		       const struct kcuckoo_probe *probe)
{
	unsigned int side;

	side = kcuckoo_table_bucket(table, place) != probe->bucket[0];
	kcuckoo_table_store(table, place, probe->tag[side], probe->aux);
	table->entries++;
}

/**
 * kcuckoo_table_move() - move an entry to its alternate bucket
 * @table: the table
 * @from: the entry's place
 * @to: a free place in its alternate bucket
 *
 * The copy is there before the original goes, so the entry is in one of its
 * buckets at every instant. A sided tag changes sides.
 *
 * Context: the writer, in a write section of its own.
 */
void kcuckoo_table_move(struct kcuckoo_table *table, u64 from, u64 to)
{
	u64 tag = kcuckoo_table_tag(table, from);
	u64 aux = table->aux ? kcuckoo_table_aux(table, from) : 0;

	if (table->geometry.sided)
		tag = ((tag - 1) ^ 1) + 1;
	kcuckoo_table_store(table, to, tag, aux);
	kcuckoo_table_store(table, from, 0, 0);
}

/**
 * kcuckoo_table_clear() - free an entry
 * @table: the table
 * @place: place of an entry in use
 *
 * Context: the writer, in a write section of its own.
 */
void kcuckoo_table_clear(struct kcuckoo_table *table, u64 place)
{
	kcuckoo_table_store(table, place, 0, 0);
	table->entries--;
}

/**
 * kcuckoo_table_number() - the exact key behind an entry
 * @table: a table with sided tags
 * @place: place of an entry in use
 * @aux: out: the upper bits of the permuted key
 *
 * Return: the lower 64 bits of the permuted key.
 */
u64 kcuckoo_table_number(const struct kcuckoo_table *table, u64 place, u64 *aux)
{
	u64 tag = kcuckoo_table_tag(table, place);
	u32 bucket = kcuckoo_table_bucket(table, place);

	if ((tag - 1) & 1)
		bucket = kcuckoo_table_alternate(table, bucket, tag);
	*aux = table->aux ? kcuckoo_table_aux(table, place) : 0;
	return ((tag - 1) >> 1) * table->geometry.nbuckets + bucket;
}
