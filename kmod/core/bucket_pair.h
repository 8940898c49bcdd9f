/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Computes and prefetches the two buckets of a key, and compares their tags with the
 * tag of the key, in inline functions for fast look-ups.
 *
 * A look-up mostly waits for memory, and the processor overlaps more look-ups if each of
 * them has fewer instructions. So the functions are inline, and avoid branches that the
 * processor cannot predict.
 */
#ifndef _KCUCKOO_BUCKET_PAIR_H
#define _KCUCKOO_BUCKET_PAIR_H

#include <linux/prefetch.h>

#include "core/table.h"

/**
 * struct kcuckoo_bucket_pair - buckets and tag of a key
 * @bucket: the key's first and second bucket; they can be the same bucket if the
 *	number of buckets is odd
 * @tag: the key's tag in the first bucket; the tag in the second bucket is @tag + 1
 *	if tags are exact, else @tag
 */
struct kcuckoo_bucket_pair {
	u32 bucket[2];
	u64 tag;
};

/**
 * kcuckoo_bucket_pair_other() - compute the alternate of a bucket from a hash of its tag
 * @table: the table
 * @bucket: number of the bucket, counted within its part
 * @hash: hash of the fingerprint, or of the quotient
 *
 * The alternate is (H - @bucket) mod m, where m is the number of buckets of a part. H is
 * @hash, scaled to 0..m - 1 and, if m is even, made odd (table.h).
 *
 * Return: number of the alternate, counted within the same part.
 */
static inline u32 kcuckoo_bucket_pair_other(const struct kcuckoo_table *table,
					    u32 bucket, u64 hash)
{
	u32 sum = kcuckoo_hash_scale(hash, table->part_buckets) | table->odd_sum;
	u32 other = sum - bucket;

	return sum < bucket ? other + table->part_buckets : other;
}

/**
 * kcuckoo_bucket_pair_alternate() - compute the alternate of a bucket from a tag
 * @table: the table
 * @bucket: number of the bucket, counted within its part
 * @tag: the fingerprint, or the quotient
 *
 * A simple hash is enough: without the secret an attacker cannot choose tags.
 *
 * Return: number of the alternate, counted within the same part.
 */
static inline u32
kcuckoo_bucket_pair_alternate(const struct kcuckoo_table *table, u32 bucket,
			      u64 tag)
{
	u64 hash = kcuckoo_mulhash(&table->alternate, tag);

	return kcuckoo_bucket_pair_other(table, bucket, hash);
}

/**
 * kcuckoo_bucket_pair_of_tag() - compute the pair from a bucket and a fingerprint
 * @table: a table with plain tags
 * @bucket: number of the first bucket, counted within its part
 * @tag: the fingerprint
 *
 * In a doubled table, the lowest bits of the fingerprint are the number of its part.
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
		u32 first = (tag & table->part_mask) * table->part_buckets;

		pair.bucket[0] += first;
		pair.bucket[1] += first;
	}
	return pair;
}

/**
 * kcuckoo_bucket_pair_of_hash() - compute the pair from the hash of a key
 * @table: a table with plain tags
 * @hash: 64 hash bits of the key
 *
 * kcuckoo_table_probe_hash() explains which bits of the hash are used.
 *
 * Return: the pair.
 */
static inline struct kcuckoo_bucket_pair
kcuckoo_bucket_pair_of_hash(const struct kcuckoo_table *table, u64 hash)
{
	u64 rest;
	u32 bucket = kcuckoo_hash_split(hash, table->part_buckets, &rest);
	u64 tag = kcuckoo_hash_scale(rest, table->tag_max) + 1;

	return kcuckoo_bucket_pair_of_tag(table, bucket, tag);
}

/**
 * kcuckoo_bucket_pair_of_word() - compute the pair of an exact key, with a given copy of
 *	the hash function H
 * @table: a table with exact tags
 * @mulhash: a copy of @table->alternate; a caller that has just permuted the key has this
 *	copy in registers
 * @number: the lower 64 bits of the permuted key (permutation.h)
 *
 * To divide @number by the number of buckets, the function multiplies it by the reciprocal.
 * The reciprocal is rounded down, so the quotient can be 1 too small. If it is, the
 * function corrects quotient and remainder.
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
 * kcuckoo_bucket_pair_of_ipv4() - compute the pair of an exact key of at most 32 bits
 * @table: a table with exact tags and at least two buckets; with one bucket, the
 *	reciprocal plus 1 would overflow
 * @mulhash: as for kcuckoo_bucket_pair_of_word()
 * @number: the permuted key
 *
 * Faster than kcuckoo_bucket_pair_of_word(): for 32 bits, a multiplication by the
 * reciprocal plus 1 gives the correct quotient.
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

/* Returns the address of the byte that has the first bit of a bucket. */
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
 * The bytes that a look-up reads for a bucket can be in two cache lines. So the function
 * prefetches the first and the last of these bytes.
 *
 * The function has to be always inline: gcc assumes that a function that only
 * prefetches has no effect, and removes the calls to this function.
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
 * kcuckoo_bucket_pair_prefetch_once() - prefetch the buckets of a pair for one use
 * @table: a table that is larger than the caches
 * @pair: the pair
 *
 * The last argument of __builtin_prefetch(), 0, hints to the processor that the cache lines
 * need not be kept after the use. On most architectures prefetch() gives no such hint.
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
 * kcuckoo_table_load() - load consecutive tags, or a semi-sorted bucket, into one word
 * @table: the table; a semi-sorted bucket must have at most 64 bits
 * @bit: the first bit of the first tag, or of the semi-sorted bucket
 *
 * Reads two words even if all bits are in one word. A branch that avoids the second read
 * would cost more than the read, because the processor could not predict the branch.
 *
 * Return: a word whose lowest @table->load_bits bits are the tags or the bucket; the
 * other bits are undefined.
 */
static inline u64 kcuckoo_table_load(const struct kcuckoo_table *table, u64 bit)
{
	u64 last = bit + table->load_bits - 1;

	kcuckoo_lock_budget_count();
	return READ_ONCE(table->tags[bit >> 6]) >> (bit & 63) |
	       READ_ONCE(table->tags[last >> 6]) << 1 << (~bit & 63);
}

/**
 * kcuckoo_table_marks() - mark the tags of a word that are 0
 * @table: a table that is not semi-sorted
 * @word: @table->tags_per_word tags
 *
 * Subtracts 1 from each tag. A tag that is 0 borrows, which sets its highest bit, the
 * mark. The borrow can set wrong marks in higher tags. But the lowest mark is right, and
 * the word has a mark if and only if a tag is 0.
 *
 * Return: a word in which the highest bit of each tag is its mark; the other bits
 * are undefined.
 */
static inline u64 kcuckoo_table_marks(const struct kcuckoo_table *table,
				      u64 word)
{
	return (word - table->lsb_mask) & ~word;
}

/**
 * kcuckoo_table_compare() - compare consecutive tags of a table with one tag
 * @table: a table that is not semi-sorted
 * @bit: the first bit of @table->tags_per_word tags
 * @tag: the tag
 *
 * Return: the marks of the tags that are equal to @tag, as kcuckoo_table_marks() returns
 * them; all other bits are 0.
 */
static inline u64 kcuckoo_table_compare(const struct kcuckoo_table *table,
					u64 bit, u64 tag)
{
	u64 word = kcuckoo_table_load(table, bit) ^ tag * table->lsb_mask;

	return kcuckoo_table_marks(table, word) & table->msb_mask;
}

/**
 * kcuckoo_bucket_pair_is_direct() - check whether both buckets of a pair are direct
 * @table: a table for which @table->tags_only is set
 * @pair: the pair
 *
 * Return: true if one load can read each of the buckets.
 */
static __always_inline bool
kcuckoo_bucket_pair_is_direct(const struct kcuckoo_table *table,
			      const struct kcuckoo_bucket_pair *pair)
{
	return likely(pair->bucket[0] < table->nr_direct) &&
	       likely(pair->bucket[1] < table->nr_direct);
}

/* Implements kcuckoo_bucket_pair_contained() for a pair of direct buckets. */
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

/*
 * Implements kcuckoo_bucket_pair_contained() for all pairs. @table->load_bits divides
 * @table->bucket_bits, so the loop compares no tag of the next bucket.
 */
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
 * kcuckoo_bucket_pair_contained() - check whether the buckets of a pair contain its tag
 * @table: a table for which @table->tags_only is set
 * @pair: the pair
 *
 * Context: readers without a lock have to check that no write overlapped.
 * Return: true if one of the buckets has the tag that the key has in this bucket.
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
