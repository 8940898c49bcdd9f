/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The pair of buckets of a key, as far as a look-up computes and reads it.
 *
 * All functions are inline, because a look-up waits for memory: the fewer
 * instructions it has, the more look-ups the processor executes at a time.
 * Functions that gcc would still call, with the pair in memory, are always
 * inline. For the same reason no branch depends on a value that cannot be
 * predicted.
 */
#ifndef _KCUCKOO_BUCKET_PAIR_H
#define _KCUCKOO_BUCKET_PAIR_H

#include <linux/prefetch.h>

#include "core/table.h"

/**
 * struct kcuckoo_bucket_pair - buckets and tag of a key
 * @bucket: its two buckets; in an odd number of buckets they may be the same one
 * @tag: its tag in the first; in the second one more if tags are exact
 */
struct kcuckoo_bucket_pair {
	u32 bucket[2];
	u64 tag;
};

/**
 * kcuckoo_bucket_pair_other() - compute the other bucket, within a part
 * @table: the table
 * @bucket: number of a bucket in its part
 * @hash: hash of the tag, without its side
 *
 * Return: number of the other bucket, in the same part.
 */
static inline u32 kcuckoo_bucket_pair_other(const struct kcuckoo_table *table,
					    u32 bucket, u64 hash)
{
	u32 sum = kcuckoo_hash_scale(hash, table->part) | table->odd_sum;
	u32 other = sum - bucket;

	return sum < bucket ? other + table->part : other;
}

/**
 * kcuckoo_bucket_pair_alternate() - compute the other bucket from a tag, within
 *	a part
 * @table: the table
 * @bucket: number of a bucket in its part
 * @tag: the tag, without its side
 *
 * Tags are made from keyed hashes of keys, so an attacker cannot choose them
 * without the secret.
 *
 * Return: number of the other bucket, in the same part.
 */
static inline u32
kcuckoo_bucket_pair_alternate(const struct kcuckoo_table *table, u32 bucket,
			      u64 tag)
{
	u64 hash = kcuckoo_mulhash(&table->alternate, tag);

	return kcuckoo_bucket_pair_other(table, bucket, hash);
}

/**
 * kcuckoo_bucket_pair_of_tag() - compute the pair of a fingerprint in a bucket
 * @table: a table with plain tags
 * @bucket: number of a bucket in its part
 * @tag: the fingerprint
 *
 * Return: the pair.
 */
static inline struct kcuckoo_bucket_pair
kcuckoo_bucket_pair_of_tag(const struct kcuckoo_table *table, u32 bucket,
			   u64 tag)
{
	struct kcuckoo_bucket_pair pair = {
		.bucket[0] = bucket,
		.bucket[1] = kcuckoo_bucket_pair_alternate(table, bucket, tag),
		.tag = tag,
	};

	if (unlikely(table->part_mask)) {
		u32 first = (tag & table->part_mask) * table->part;

		pair.bucket[0] += first;
		pair.bucket[1] += first;
	}
	return pair;
}

/**
 * kcuckoo_bucket_pair_of_hash() - compute the pair of a fingerprint
 * @table: a table with plain tags
 * @hash: 64 hash bits of the key
 *
 * See kcuckoo_table_probe_hash().
 *
 * Return: the pair.
 */
static inline struct kcuckoo_bucket_pair
kcuckoo_bucket_pair_of_hash(const struct kcuckoo_table *table, u64 hash)
{
	u64 rest;
	u32 bucket = kcuckoo_hash_split(hash, table->part, &rest);
	u64 tag = kcuckoo_hash_scale(rest, table->tag_max) + 1;

	return kcuckoo_bucket_pair_of_tag(table, bucket, tag);
}

/**
 * kcuckoo_bucket_pair_of_word() - kcuckoo_bucket_pair_of_number() with
 *	functions at hand
 * @table: a table with exact tags
 * @mulhash: the first function of the table's secret
 * @number: the lower 64 bits of the permuted key
 *
 * The number is divided by the number of buckets. The reciprocal is less than 1
 * below 2^64 / m, so the estimate is the quotient or one less.
 *
 * Return: the pair.
 */
static inline struct kcuckoo_bucket_pair
kcuckoo_bucket_pair_of_word(const struct kcuckoo_table *table,
			    const struct kcuckoo_mulhash *mulhash, u64 number)
{
	u64 quotient = kcuckoo_hash_scale(number, table->reciprocal);
	u64 rest = number - quotient * table->params.nbuckets;
	u64 more = rest >= table->params.nbuckets;
	struct kcuckoo_bucket_pair pair;
	u64 hash;

	quotient += more;
	rest -= more ? table->params.nbuckets : 0;
	hash = kcuckoo_mulhash(mulhash, quotient);
	pair.bucket[0] = rest;
	pair.bucket[1] = kcuckoo_bucket_pair_other(table, rest, hash);
	pair.tag = 2 * quotient + 1;
	return pair;
}

/**
 * kcuckoo_bucket_pair_of_number() - compute the pair of an exact key
 * @table: a table with exact tags
 * @number: the lower 64 bits of the permuted key
 *
 * Return: the pair.
 */
static inline struct kcuckoo_bucket_pair
kcuckoo_bucket_pair_of_number(const struct kcuckoo_table *table, u64 number)
{
	return kcuckoo_bucket_pair_of_word(table, &table->alternate, number);
}

/**
 * kcuckoo_bucket_pair_of_ipv4() - kcuckoo_bucket_pair_of_number() where it has
 *	to be fast
 * @table: a table with exact tags, of two buckets at least
 * @mulhash: the first function of the table's secret
 * @number: a permuted key of at most 32 bits
 *
 * For such a number the next reciprocal gives the quotient itself.
 *
 * Return: the pair.
 */
static inline struct kcuckoo_bucket_pair
kcuckoo_bucket_pair_of_ipv4(const struct kcuckoo_table *table,
			    const struct kcuckoo_mulhash *mulhash, u32 number)
{
	u64 quotient = kcuckoo_hash_scale(number, table->reciprocal + 1);
	u64 hash = kcuckoo_mulhash(mulhash, quotient);
	struct kcuckoo_bucket_pair pair;

	pair.bucket[0] = number - quotient * table->params.nbuckets;
	pair.bucket[1] = kcuckoo_bucket_pair_other(table, pair.bucket[0], hash);
	pair.tag = 2 * quotient + 1;
	return pair;
}

/* Returns the first byte of a bucket that is read. */
static inline const u8 *
kcuckoo_table_bucket_start(const struct kcuckoo_table *table, u32 bucket)
{
	return (const u8 *)table->tags +
	       ((u64)bucket * table->bucket_bits >> 3);
}

/**
 * kcuckoo_table_prefetch_bucket() - prefetch a bucket
 * @table: the table
 * @bucket: the bucket
 *
 * Packed buckets straddle cache lines. So do the words in which one load reads
 * a bucket, some of which extend beyond it. So the first and the last byte that
 * is read are prefetched. Always inline: gcc takes a function that only
 * prefetches for one without effect, and drops its calls.
 */
static __always_inline void
kcuckoo_table_prefetch_bucket(const struct kcuckoo_table *table, u32 bucket)
{
	const u8 *first = kcuckoo_table_bucket_start(table, bucket);

	prefetch(first);
	prefetch(first + table->prefetch_span);
}

/**
 * kcuckoo_bucket_pair_prefetch() - prefetch the buckets of a pair
 * @table: the table
 * @pair: the pair
 */
static __always_inline void
kcuckoo_bucket_pair_prefetch(const struct kcuckoo_table *table,
			     const struct kcuckoo_bucket_pair *pair)
{
	kcuckoo_table_prefetch_bucket(table, pair->bucket[0]);
	kcuckoo_table_prefetch_bucket(table, pair->bucket[1]);
}

/**
 * kcuckoo_bucket_pair_prefetch_once() - prefetch without keeping the lines in
 *	caches
 * @table: a table that is larger than the caches
 * @pair: the pair
 *
 * On x86 prefetch() does the same, but not in user-mode Linux nor on other
 * architectures.
 */
static __always_inline void
kcuckoo_bucket_pair_prefetch_once(const struct kcuckoo_table *table,
				  const struct kcuckoo_bucket_pair *pair)
{
	unsigned int i;

	for (i = 0; i < 2; i++) {
		const u8 *first = kcuckoo_table_bucket_start(table,
							     pair->bucket[i]);

		__builtin_prefetch(first, 0, 0);
		__builtin_prefetch(first + table->prefetch_span, 0, 0);
	}
}

/**
 * kcuckoo_table_load() - load some tags as a word
 * @table: the table
 * @bit: their first bit
 *
 * Reads the words of the first and of the last bit, which may be the same one:
 * whether they are cannot be predicted, and a branch would cost more.
 *
 * Return: a word whose lowest @table->load_bits bits are the tags; the others
 * are undefined.
 */
static inline u64 kcuckoo_table_load(const struct kcuckoo_table *table, u64 bit)
{
	u64 last = bit + table->load_bits - 1;

	kcuckoo_lock_budget_count();
	return READ_ONCE(table->tags[bit >> 6]) >> (bit & 63) |
	       READ_ONCE(table->tags[last >> 6]) << 1 << (~bit & 63);
}

/**
 * kcuckoo_table_marks() - find the tags of a word that are 0
 * @table: a table that is not semi-sorted
 * @word: @table->tags_per_word tags
 *
 * Tags above one that is 0 can be marked wrongly, by the borrow. The lowest
 * mark is always right, and there is one if and only if a tag is 0.
 *
 * Return: a word with the highest bit of each tag that is 0 set; other bits are
 * undefined.
 */
static inline u64 kcuckoo_table_marks(const struct kcuckoo_table *table,
				      u64 word)
{
	return (word - table->lsb_mask) & ~word;
}

/**
 * kcuckoo_table_compare() - compare some tags with one
 * @table: a table that is not semi-sorted
 * @bit: the first bit of @table->tags_per_word tags
 * @tag: the tag
 *
 * Return: a word with the highest bit of each tag that is equal; see
 * kcuckoo_table_marks() for those above the lowest.
 */
static inline u64 kcuckoo_table_compare(const struct kcuckoo_table *table,
					u64 bit, u64 tag)
{
	u64 word = kcuckoo_table_load(table, bit) ^ tag * table->lsb_mask;

	return kcuckoo_table_marks(table, word) & table->msb_mask;
}

/**
 * kcuckoo_bucket_pair_is_direct() - check whether one load reads each bucket
 * @table: a table with @tags_only set
 * @pair: the pair
 *
 * Return: true if so.
 */
static __always_inline bool
kcuckoo_bucket_pair_is_direct(const struct kcuckoo_table *table,
			      const struct kcuckoo_bucket_pair *pair)
{
	return likely(pair->bucket[0] < table->nr_direct) &&
	       likely(pair->bucket[1] < table->nr_direct);
}

/* kcuckoo_bucket_pair_contained() where kcuckoo_bucket_pair_is_direct(). */
static __always_inline bool
kcuckoo_bucket_pair_contained_direct(const struct kcuckoo_table *table,
				     const struct kcuckoo_bucket_pair *pair)
{
	u64 first = (u64)pair->bucket[0] * table->bucket_bytes;
	u64 second = (u64)pair->bucket[1] * table->bucket_bytes;
	u64 tags = pair->tag * table->lsb_mask;

	first = kcuckoo_bits_word(table->tags, first) ^ tags;
	second = kcuckoo_bits_word(table->tags, second) ^
		 (tags + table->side_bits);
	return (kcuckoo_table_marks(table, first) |
		kcuckoo_table_marks(table, second)) & table->msb_mask;
}

/* kcuckoo_bucket_pair_contained() for any pair. */
static __always_inline bool
kcuckoo_bucket_pair_contained_packed(const struct kcuckoo_table *table,
				     const struct kcuckoo_bucket_pair *pair)
{
	u64 first = (u64)pair->bucket[0] * table->bucket_bits;
	u64 second = (u64)pair->bucket[1] * table->bucket_bits;
	u64 end = first + table->bucket_bits;
	u64 other = pair->tag + table->params.exact;
	u64 marks = 0;

	do {
		marks |= kcuckoo_table_compare(table, first, pair->tag) |
			 kcuckoo_table_compare(table, second, other);
		first += table->load_bits;
		second += table->load_bits;
	} while (first < end);
	return marks;
}

/**
 * kcuckoo_bucket_pair_contained() - check whether a bucket of a pair has its
 *	tag
 * @table: a table with @tags_only set
 * @pair: the pair
 *
 * Context: readers without a lock have to check that no write overlapped.
 * Return: true if one of the two has.
 */
static __always_inline bool
kcuckoo_bucket_pair_contained(const struct kcuckoo_table *table,
			      const struct kcuckoo_bucket_pair *pair)
{
	if (kcuckoo_bucket_pair_is_direct(table, pair))
		return kcuckoo_bucket_pair_contained_direct(table, pair);
	return kcuckoo_bucket_pair_contained_packed(table, pair);
}

#endif /* _KCUCKOO_BUCKET_PAIR_H */
