/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The cuckoo table: buckets of packed entries.
 *
 * A table has m buckets of b entries. An entry is a tag of w bits; the tag 0
 * means that the entry is free. Tags are packed without gaps, bucket after
 * bucket, in the hot plane. If a key has more than its tag, the rest is in a
 * second plane at the same place, and is read only when the tag agrees:
 * "associated values stored external to the filter", Fan et al., section 6. The
 * second plane has, in this order and if the table has them: identity bits,
 * which complete the key; a value; and the second in which the entry expires, 0
 * for never.
 *
 * A key can be in one of two buckets. The other bucket can be computed from one
 * bucket and the tag alone (partial-key cuckoo hashing, section 3.1):
 *
 *	alternate = (H(tag) - bucket) mod m
 *
 * which is its own inverse for every m, not only for powers of two. If m is
 * even, H(tag) is made odd: then one of the two buckets is odd and the other
 * one even, and no key has only one bucket.
 *
 * Tags come in two kinds:
 *
 *	plain	a fingerprint, 1..2^w - 1, the same in both buckets;
 *	exact	2q + side + 1: q is the quotient of an exact table, and side
 *		says in which of the key's two buckets the entry is, so that
 *		the key can be computed from the place. H depends on q alone.
 *
 * A table of fingerprints can be doubled without its keys. It then has 2^k
 * parts, each as large as the first table. The lowest k bits of a tag are the
 * number of the part that has its two buckets.
 *
 * Buckets of four fingerprints can be semi-sorted (semisort.h). Their entries
 * have no fixed places: a place is valid only until the bucket is written to.
 *
 * Nothing here allocates, locks or sleeps. There is one writer at a time.
 * Readers may run concurrently; each word that they read was there at some time
 * (bits.h), and they have to check afterwards that no write overlapped.
 */
#ifndef _KCUCKOO_TABLE_H
#define _KCUCKOO_TABLE_H

#include "core/bits.h"
#include "core/hash.h"
#include "core/limits.h"

/* No place: every entry that was read is in use, or none agrees. */
#define KCUCKOO_NO_PLACE	(~0ULL)

/**
 * struct kcuckoo_table_params - the parameters of a table
 * @nbuckets: number of buckets, 1..KCUCKOO_BUCKETS_MAX; a multiple of
 *	2^@doublings
 * @bucket_shift: log2 of the entries per bucket, 0..3
 * @tag_bits: bits of a tag, 1..64; at most 32 where @sorted
 * @aux_bits: identity bits of an entry, 0..64
 * @value_bits: bits of an entry's value, 0..32
 * @expiry_bits: bits of the time at which an entry expires, 0 or 32
 * @doublings: how often the table has been doubled; 0 where @exact
 * @exact: tags are exact
 * @sorted: buckets are semi-sorted: four plain tags of 5 bits or more, and no
 *	second plane
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
 * struct kcuckoo_table - a table; all but the content of the planes, @entries
 * and
 *	@expiring is constant after kcuckoo_table_init()
 * @params: its parameters
 * @tags: hot plane, changed by the writer
 * @aux: second plane, or NULL; changed by the writer
 * @entries: entries in use; only for the writer
 * @expiring: entries in use that expire; only for the writer
 * @bucket_bits: bits of a bucket
 * @part: buckets of a part; all where the table has not been doubled
 * @part_mask: the bits of a tag that are the number of its part
 * @odd_sum: 1 if @part is even, which makes the sum of a key's buckets odd; or
 *	0
 * @aux_stride: bits of an entry in the second plane, 0..128
 * @tags_per_word: tags that are loaded and compared together, as many as go
 *	into a word, a power of two; a bucket has all of its tags in one word,
 *	or in several
 * @load_bits: their bits
 * @lsb_mask: a word with the lowest bit of each of them set; of semi-sorted
 *	tags those that do not go into the combination
 * @msb_mask: the same with the topmost bits
 * @fits_word: the tags of a bucket fit into a word
 * @tags_only: tags alone decide whether a key is a member, and one read has them all
 * @prefetch_span: kcuckoo_table_params_span()
 * @nr_direct: kcuckoo_table_params_nr_direct()
 * @bucket_bytes: bytes of a bucket, if @nr_direct is not 0
 * @side_bits: a word of @tags_per_word tags of a key's second bucket less one of
 *	its first
 * @inverse: 2^16 / @params.tag_bits, for division
 * @tag_max: the largest plain tag
 * @reciprocal: floor((2^64 - 1) / nbuckets), for exact division
 * @alternate: hash function for the other bucket of a key
 */
struct kcuckoo_table {
	struct kcuckoo_table_params params;
	u64 *tags;
	u64 *aux;
	u64 entries;
	u64 expiring;
	u32 bucket_bits;
	u32 inverse;
	u32 part;
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
 * struct kcuckoo_probe - buckets and tags of a key in one table
 * @bucket: its two buckets; in an odd number of buckets they may be the same one
 * @tag: its tag in each of them
 * @aux: its identity bits
 * @value: its value, of tables with values
 * @expiry: when it expires, of tables with expiry, in seconds; 0 for never
 * @now: the present, of tables with expiry, in seconds
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
 * @tag: its tag, 0 if the entry is free
 * @aux: its identity bits
 * @value: its value
 * @expiry: when it expires, in seconds; 0 for never
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
bool kcuckoo_table_copied(const struct kcuckoo_table *table,
			  const struct kcuckoo_probe *probe);
void kcuckoo_table_bucket_tags(const struct kcuckoo_table *table, u32 bucket,
			       u64 tags[KCUCKOO_BUCKET_SIZE_MAX]);
u64 kcuckoo_table_bucket_vacant(const struct kcuckoo_table *table, u32 bucket);
u64 kcuckoo_table_tag(const struct kcuckoo_table *table, u64 place);
u32 kcuckoo_table_value(const struct kcuckoo_table *table, u64 place);
u32 kcuckoo_table_expiry(const struct kcuckoo_table *table, u64 place);
void kcuckoo_table_get(const struct kcuckoo_table *table, u64 place,
		       struct kcuckoo_entry *entry);
bool kcuckoo_table_sorted_sound(const struct kcuckoo_table *table, u32 bucket);
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
 * kcuckoo_table_places() - get the number of places for entries
 * @table: the table
 *
 * Return: the number; places are counted from 0, bucket after bucket.
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
