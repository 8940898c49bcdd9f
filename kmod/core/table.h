/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Defines the cuckoo table, which stores the keys of members in buckets of packed
 * entries.
 *
 * A table has m buckets of b entries. Each entry has a tag, a number of w bits that
 * stands for a key; the tag 0 means that the entry is free. Tags are packed without
 * gaps, bucket after bucket, in one array, the hot plane. All other fields of entries are
 * in another array, the second plane. A look-up reads the second plane only for entries
 * that have the tag of the key (Fan et al., section 6: "associated values stored external
 * to the filter"). The second plane has up to three fields for each entry, in this order:
 *
 *	identity bits	the bits of an exact key that its bucket and tag do not give
 *	value		a number that a program stores with the key
 *	expiry		the second in which the entry expires, 0 for never
 *
 * A place is the index of an entry, which is the same in both planes.
 *
 * A key can be in either of two buckets. Each of the two is the alternate of the other
 * bucket. The alternate is computed from the bucket and the tag, without the key
 * (partial-key cuckoo hashing, section 3.1), with a hash function H:
 *
 *	alternate = (H(tag) - bucket) mod m
 *
 * This computation is its own inverse for every m, not only for powers of two. If m is
 * even, H(tag) is made odd: then the sum of the numbers of the two buckets is odd, so
 * the two buckets are never the same bucket.
 *
 * A table has one of two kinds of tags:
 *
 *	plain	a fingerprint, that is, a hash of the key: 1..2^w - 1, the same in
 *		both buckets;
 *	exact	2q + side + 1, for a key that is a number. The permuted number
 *		(permutation.h) is divided by m: the remainder is the first bucket,
 *		and q is the quotient. The side is 0 in the first bucket and 1 in the
 *		alternate, so that the key can be computed from place and tag. H
 *		hashes only q, which is the same in both buckets.
 *
 * A table of fingerprints can be doubled without its keys. After k doublings it has
 * 2^k parts, each as large as the original table. Both buckets of a key are in the same
 * part. The lowest k bits of its tag are the number of this part.
 *
 * Buckets of four fingerprints can be semi-sorted (semisort.h). Their entries have no
 * fixed places: a place is valid only until the bucket is written to.
 *
 * Readers can read a mixture of old and new content (bits.h). So they have to check
 * afterwards with the filter's sequence count that no write overlapped.
 */
#ifndef _KCUCKOO_TABLE_H
#define _KCUCKOO_TABLE_H

#include "core/bits.h"
#include "core/hash.h"
#include "core/limits.h"

/* Returned instead of a place if no entry is free, or no entry agrees with a probe. */
#define KCUCKOO_NO_PLACE	(~0ULL)

/**
 * struct kcuckoo_table_params - the parameters of a table
 * @nbuckets: number of buckets, 1..KCUCKOO_BUCKETS_MAX; a multiple of
 *	2^@doublings
 * @bucket_shift: log2 of the number of entries per bucket, 0..3
 * @tag_bits: bits of a tag, 1..64; at most 32 if @sorted is set
 * @aux_bits: identity bits of an entry, 0..64
 * @value_bits: bits of an entry's value, 0..32
 * @expiry_bits: bits of an entry's expiry, 0 or 32
 * @doublings: number of times that the table has been doubled; 0 if @exact is set
 * @exact: true if tags are exact, false if tags are plain
 * @sorted: true if buckets are semi-sorted. A semi-sorted bucket has four plain tags of
 *	5 bits or more, and its table has no second plane
 */
struct kcuckoo_table_params {
	u32 nbuckets;
	u8 bucket_shift;
	u8 tag_bits;
	u8 aux_bits;
	u8 value_bits;
	u8 expiry_bits;
	u8 doublings;
	bool exact;
	bool sorted;
};

/**
 * struct kcuckoo_table - a table
 * @params: parameters of the table
 * @tags: hot plane; changed by the writer
 * @aux: second plane, or NULL; changed by the writer
 * @entries: number of entries in use; read and written by the writer
 * @expiring: number of entries in use whose expiry is not 0; read and written by the
 *	writer
 * @bucket_bits: number of bits of a bucket in the hot plane
 * @part_buckets: number of buckets of a part; all buckets if the table was not doubled
 * @part_mask: mask of the bits of a tag that are the number of its part
 * @odd_sum: 1 if @part_buckets is even, else 0; ORed into H
 * @aux_stride: number of bits of an entry in the second plane, 0..128
 * @tags_per_word: number of tags that are loaded and compared together: all tags of a
 *	bucket or, if they do not fit into a word and the bucket is not semi-sorted, the
 *	largest power of two that fits
 * @load_bits: number of bits that kcuckoo_table_load() reads: of @tags_per_word tags or,
 *	for semi-sorted buckets, of a bucket
 * @lsb_mask: mask of the lowest bit of each of @tags_per_word tags or, for semi-sorted
 *	buckets, of each rest (the bits of a tag that are not in the code, semisort.h)
 * @msb_mask: mask of the highest bit of each tag or, for semi-sorted buckets, of each
 *	rest
 * @fits_word: true if a bucket has at most 64 bits
 * @tags_only: true if the tags alone decide whether a key is a member: the table has no
 *	semi-sorted buckets, no identity bits and no expiry
 * @prefetch_span: distance in bytes: kcuckoo_table_params_span()
 * @nr_direct: number of direct buckets: kcuckoo_table_params_nr_direct()
 * @bucket_bytes: number of bytes of a bucket; valid only if @nr_direct is not 0
 * @side_bits: @lsb_mask for exact tags, 0 for plain tags. The sum of @side_bits and a word
 *	with copies of the tag for the first bucket has copies of the tag for the second
 *	bucket
 * @inverse: floor(2^16 / w) + 1, where w is the number of bits of a tag or, for
 *	semi-sorted buckets, of a rest; bit n is in the tag with the index n * @inverse
 *	>> 16
 * @tag_max: the largest number of @params.tag_bits bits, which is the largest plain tag
 * @reciprocal: floor((2^64 - 1) / nbuckets), to divide by the number of buckets
 * @alternate: hash function H, by which the alternate bucket is computed
 *
 * After kcuckoo_table_init() only the content of the planes, @entries and @expiring
 * change.
 */
struct kcuckoo_table {
	struct kcuckoo_table_params params;
	u64 *tags;
	u64 *aux;
	u64 entries;
	u64 expiring;
	u32 bucket_bits;
	u32 inverse;
	u32 part_buckets;
	u32 part_mask;
	u32 odd_sum;
	u32 aux_stride;
	u32 tags_per_word;
	u32 load_bits;
	bool fits_word;
	bool tags_only;
	u16 prefetch_span;
	u32 nr_direct;
	u64 bucket_bytes;
	u64 lsb_mask;
	u64 msb_mask;
	u64 side_bits;
	u64 tag_max;
	u64 reciprocal;
	struct kcuckoo_mulhash alternate;
};

/**
 * struct kcuckoo_probe - the buckets and tags of a key in one table, and the content to
 *	store with the key
 * @bucket: the key's two buckets; they can be the same bucket if the number of
 *	buckets is odd
 * @tag: the key's tag in each of the two buckets
 * @aux: the key's identity bits
 * @value: value of the key, for tables with values
 * @expiry: second in which the key expires, for tables with expiry; 0 for never
 * @now: the present time, in seconds since boot, for tables with expiry: a look-up does
 *	not find entries that expire in this second or before. If @now is 0, a look-up
 *	finds all entries, expired or not
 */
struct kcuckoo_probe {
	u32 bucket[2];
	u64 tag[2];
	u64 aux;
	u32 value;
	u32 expiry;
	u32 now;
};

/**
 * struct kcuckoo_entry - content of an entry
 * @tag: tag, 0 if the entry is free
 * @aux: identity bits
 * @value: value
 * @expiry: second in which the entry expires; 0 for never
 */
struct kcuckoo_entry {
	u64 tag;
	u64 aux;
	u32 value;
	u32 expiry;
};

unsigned int
kcuckoo_table_params_bucket_bits(const struct kcuckoo_table_params *params);
u64 kcuckoo_table_params_aux_stride(const struct kcuckoo_table_params *params);
u64 kcuckoo_table_params_tag_words(const struct kcuckoo_table_params *params);
u64 kcuckoo_table_params_aux_words(const struct kcuckoo_table_params *params);
u32 kcuckoo_table_params_nr_direct(const struct kcuckoo_table_params *params);
u32 kcuckoo_table_params_span(const struct kcuckoo_table_params *params);

void kcuckoo_table_init(struct kcuckoo_table *table,
			const struct kcuckoo_table_params *params, u64 *tags,
			u64 *aux, const struct kcuckoo_hash_key *key);
u32 kcuckoo_table_alternate(const struct kcuckoo_table *table, u32 bucket,
			    u64 tag);
void kcuckoo_table_probe_hash(const struct kcuckoo_table *table, u64 hash,
			      struct kcuckoo_probe *probe);
void kcuckoo_table_probe_number(const struct kcuckoo_table *table, u64 number,
				u64 aux, struct kcuckoo_probe *probe);
void kcuckoo_table_probe_entry(const struct kcuckoo_table *table,
			       const struct kcuckoo_table *from, u64 place,
			       struct kcuckoo_probe *probe);
void kcuckoo_table_prefetch(const struct kcuckoo_table *table,
			    const struct kcuckoo_probe *probe);
u64 kcuckoo_table_next(const struct kcuckoo_table *table,
		       const struct kcuckoo_probe *probe, u64 after);
u64 kcuckoo_table_find(const struct kcuckoo_table *table,
		       const struct kcuckoo_probe *probe);
u64 kcuckoo_table_find_value(const struct kcuckoo_table *table,
			     const struct kcuckoo_probe *probe);
bool kcuckoo_table_contains(const struct kcuckoo_table *table,
			    const struct kcuckoo_probe *probe);
bool kcuckoo_table_saturated(const struct kcuckoo_table *table,
			     const struct kcuckoo_probe *probe);
void kcuckoo_table_bucket_tags(const struct kcuckoo_table *table, u32 bucket,
			       u64 tags[KCUCKOO_BUCKET_SIZE_MAX]);
u64 kcuckoo_table_bucket_vacant(const struct kcuckoo_table *table, u32 bucket);
u64 kcuckoo_table_tag(const struct kcuckoo_table *table, u64 place);
u32 kcuckoo_table_value(const struct kcuckoo_table *table, u64 place);
u32 kcuckoo_table_expiry(const struct kcuckoo_table *table, u64 place);
void kcuckoo_table_get(const struct kcuckoo_table *table, u64 place,
		       struct kcuckoo_entry *entry);
bool kcuckoo_table_sorted_valid(const struct kcuckoo_table *table, u32 bucket);
void kcuckoo_table_put(struct kcuckoo_table *table, u64 place,
		       const struct kcuckoo_probe *probe);
void kcuckoo_table_split(struct kcuckoo_table *table,
			 const struct kcuckoo_table *from, u32 bucket, u32 end);
void kcuckoo_table_set_value(struct kcuckoo_table *table, u64 place, u32 value);
void kcuckoo_table_set_expiry(struct kcuckoo_table *table, u64 place,
			      u32 expiry);
void kcuckoo_table_move(struct kcuckoo_table *table, u64 from, u64 to);
void kcuckoo_table_clear(struct kcuckoo_table *table, u64 place);
u64 kcuckoo_table_number(const struct kcuckoo_table *table, u64 place,
			 u64 *aux);

/**
 * kcuckoo_table_places() - get the number of places of a table
 * @table: the table
 *
 * Return: the number of entries, free or not.
 */
static inline u64 kcuckoo_table_places(const struct kcuckoo_table *table)
{
	return (u64)table->params.nbuckets << table->params.bucket_shift;
}

/**
 * kcuckoo_table_bucket() - get the bucket of a place
 * @table: the table
 * @place: the place
 *
 * Return: number of the bucket.
 */
static inline u32 kcuckoo_table_bucket(const struct kcuckoo_table *table,
				       u64 place)
{
	return place >> table->params.bucket_shift;
}

#endif /* _KCUCKOO_TABLE_H */
