// SPDX-License-Identifier: GPL-2.0-only
/*
 * Computes the buckets and tags of keys in a cuckoo table, and finds, reads, writes and
 * moves entries.
 *
 * An entry agrees with a probe if the entry has the tag and the identity bits of the probe
 * and has not expired. table.h explains tables, entries and tags.
 */
#include <linux/bitops.h>
#include <linux/string.h>

#include "core/bucket_stream.h"
#include "core/bucket_pair.h"
#include "core/semisort.h"

/**
 * kcuckoo_table_init() - initialize an empty table in zeroed memory
 * @table: the table
 * @params: parameters of the table, copied
 * @tags: kcuckoo_table_params_tag_words() zeroed words
 * @aux: kcuckoo_table_params_aux_words() zeroed words; NULL if the number of words is 0
 * @key: secret of the filter; not needed after the call
 */
void kcuckoo_table_init(struct kcuckoo_table *table,
			const struct kcuckoo_table_params *params, u64 *tags,
			u64 *aux, const struct kcuckoo_hash_key *key)
{
	unsigned int entries = 1U << params->bucket_shift;
	unsigned int width = params->tag_bits;
	unsigned int i;

	table->params = *params;
	table->tags = tags;
	table->aux = aux;
	table->entries = 0;
	table->expiring = 0;
	table->bucket_bits = kcuckoo_table_params_bucket_bits(params);
	table->aux_stride = kcuckoo_table_params_aux_stride(params);
	table->part_buckets = params->nbuckets >> params->doublings;
	table->part_mask = kcuckoo_bits_mask(params->doublings);
	table->odd_sum = ~table->part_buckets & 1;
	if (params->sorted)
		width -= KCUCKOO_SEMISORT_BITS;
	table->inverse = BIT(16) / width + 1;
	table->fits_word = table->bucket_bits <= 64;
	table->tags_per_word = entries;
	while (!params->sorted && table->tags_per_word * width > 64)
		table->tags_per_word /= 2;
	table->load_bits = params->sorted ? table->bucket_bits :
					    table->tags_per_word * width;
	table->lsb_mask = 0;
	for (i = 0; i < table->tags_per_word && i * width < 64; i++)
		table->lsb_mask |= 1ULL << i * width;
	table->msb_mask = table->lsb_mask << (width - 1);
	table->tags_only = !params->sorted && !params->aux_bits &&
		       !params->expiry_bits;
	table->side_bits = params->exact ? table->lsb_mask : 0;
	table->bucket_bytes = table->bucket_bits / 8;
	table->nr_direct = kcuckoo_table_params_nr_direct(params);
	table->prefetch_span = kcuckoo_table_params_span(params);
	table->tag_max = kcuckoo_bits_mask(params->tag_bits);
	table->reciprocal = ~0ULL / params->nbuckets;
	kcuckoo_mulhash_init(&table->alternate, key, 0);
}

/**
 * kcuckoo_table_alternate() - compute the alternate bucket of an entry
 * @table: the table
 * @bucket: the bucket of the entry
 * @tag: the tag of the entry
 *
 * Return: number of the alternate, which can be equal to @bucket if the number of buckets
 * of a part is odd.
 */
u32 kcuckoo_table_alternate(const struct kcuckoo_table *table, u32 bucket,
			    u64 tag)
{
	u32 first = 0;

	if (table->params.exact)
		tag = (tag - 1) >> 1;
	else
		first = (tag & table->part_mask) * table->part_buckets;
	return first +
	       kcuckoo_bucket_pair_alternate(table, bucket - first, tag);
}

static void kcuckoo_table_probe_pair(const struct kcuckoo_table *table,
				     const struct kcuckoo_bucket_pair *pair,
				     struct kcuckoo_probe *probe)
{
	probe->bucket[0] = pair->bucket[0];
	probe->bucket[1] = pair->bucket[1];
	probe->tag[0] = pair->tag;
	probe->tag[1] = pair->tag + table->params.exact;
}

/**
 * kcuckoo_table_probe_hash() - compute the buckets and the fingerprint of a key
 * @table: a table with plain tags
 * @hash: 64 hash bits of the key
 * @probe: out: buckets, tags and identity bits
 *
 * The upper log2(m) bits of the hash give the first bucket within a part of m buckets,
 * and the bits below them give the fingerprint of w bits, one of 2^w - 1 values. When a
 * table is doubled, the size of its parts does not change, so the fingerprint and the
 * bucket within the part stay the same.
 */
void kcuckoo_table_probe_hash(const struct kcuckoo_table *table, u64 hash,
			      struct kcuckoo_probe *probe)
{
	struct kcuckoo_bucket_pair pair;

	pair = kcuckoo_bucket_pair_of_hash(table, hash);

	kcuckoo_table_probe_pair(table, &pair, probe);
	probe->aux = 0;
}

/**
 * kcuckoo_table_probe_number() - compute the buckets and tags of an exact key
 * @table: a table with exact tags
 * @number: the lower 64 bits of the permuted number
 * @aux: the upper bits of the permuted number, which are the identity bits
 * @probe: out: buckets, tags and identity bits
 */
void kcuckoo_table_probe_number(const struct kcuckoo_table *table, u64 number,
				u64 aux, struct kcuckoo_probe *probe)
{
	struct kcuckoo_bucket_pair pair;

	pair = kcuckoo_bucket_pair_of_number(table, number);

	kcuckoo_table_probe_pair(table, &pair, probe);
	probe->aux = aux;
}

/* Returns the index of the tag with the lowest mark (kcuckoo_table_compare()). */
static inline unsigned int
kcuckoo_table_lowest(const struct kcuckoo_table *table, u64 marks)
{
	return __builtin_ctzll(marks) * table->inverse >> 16;
}

/* Returns the first bit of the rest of a tag in a semi-sorted bucket (semisort.h). */
static inline u64 kcuckoo_table_rest_bit(const struct kcuckoo_table *table,
					 u32 bucket, unsigned int entry)
{
	unsigned int width = table->params.tag_bits - KCUCKOO_SEMISORT_BITS;

	return (u64)bucket * table->bucket_bits + KCUCKOO_SEMISORT_CODE_BITS +
	       entry * width;
}

static unsigned int kcuckoo_table_code(const struct kcuckoo_table *table,
				       u32 bucket)
{
	return kcuckoo_bits_get(table->tags, (u64)bucket * table->bucket_bits,
				KCUCKOO_SEMISORT_CODE_BITS);
}

/**
 * kcuckoo_table_bucket_tags() - read all tags of a bucket
 * @table: the table
 * @bucket: the bucket
 * @tags: out: the tag of each entry of the bucket
 */
void kcuckoo_table_bucket_tags(const struct kcuckoo_table *table, u32 bucket,
			       u64 tags[KCUCKOO_BUCKET_SIZE_MAX])
{
	unsigned int entries = 1U << table->params.bucket_shift;
	unsigned int width = table->params.tag_bits;
	unsigned int code;
	unsigned int i;
	u64 bit;

	bit = (u64)bucket * table->bucket_bits;
	if (!table->params.sorted && table->fits_word) {
		u64 word = kcuckoo_table_load(table, bit);

		for (i = 0; i < entries; i++)
			tags[i] = word >> i * width & table->tag_max;
		return;
	}
	if (!table->params.sorted) {
		for (i = 0; i < entries; i++)
			tags[i] = kcuckoo_bits_get(table->tags,
						   bit + i * width, width);
		return;
	}
	width -= KCUCKOO_SEMISORT_BITS;
	code = kcuckoo_table_code(table, bucket);
	for (i = 0; i < entries; i++) {
		bit = kcuckoo_table_rest_bit(table, bucket, i);
		tags[i] = kcuckoo_bits_get(table->tags, bit, width)
				<< KCUCKOO_SEMISORT_BITS |
			  kcuckoo_semisort_low(code, i);
	}
}

/* Sorts all tags of a semi-sorted bucket, and writes them to the bucket. */
static void kcuckoo_table_sorted_write(struct kcuckoo_table *table, u32 bucket,
				       u64 tags[KCUCKOO_SEMISORT_ENTRIES])
{
	unsigned int width = table->params.tag_bits - KCUCKOO_SEMISORT_BITS;
	unsigned int code = kcuckoo_semisort_encode(tags);
	unsigned int i;

	kcuckoo_bits_put(table->tags, (u64)bucket * table->bucket_bits,
			 KCUCKOO_SEMISORT_CODE_BITS, code);
	for (i = 0; i < KCUCKOO_SEMISORT_ENTRIES; i++)
		kcuckoo_bits_put(table->tags,
				 kcuckoo_table_rest_bit(table, bucket, i),
				 width, tags[i] >> KCUCKOO_SEMISORT_BITS);
}

/**
 * kcuckoo_table_sorted_valid() - check whether a semi-sorted bucket is well-formed
 * @table: a semi-sorted table
 * @bucket: the bucket
 *
 * Return: true if the code of the bucket is the number of a combination (semisort.h),
 * and the tags of the bucket are in order.
 */
bool kcuckoo_table_sorted_valid(const struct kcuckoo_table *table, u32 bucket)
{
	unsigned int code = kcuckoo_table_code(table, bucket);
	u64 tags[KCUCKOO_BUCKET_SIZE_MAX];
	u64 sorted[KCUCKOO_SEMISORT_ENTRIES];

	if (code >= KCUCKOO_SEMISORT_CODES)
		return false;
	kcuckoo_table_bucket_tags(table, bucket, tags);
	memcpy(sorted, tags, sizeof(sorted));
	kcuckoo_semisort_encode(sorted);
	return !memcmp(sorted, tags, sizeof(sorted));
}

/* Writes tags to an empty bucket of a table that is not semi-sorted. */
static void kcuckoo_table_plain_write(struct kcuckoo_table *table, u32 bucket,
				      const u64 tags[KCUCKOO_BUCKET_SIZE_MAX])
{
	unsigned int entries = 1U << table->params.bucket_shift;
	unsigned int width = table->params.tag_bits;
	u64 bit = (u64)bucket * table->bucket_bits;
	unsigned int i;
	u64 word = 0;

	if (!table->fits_word) {
		for (i = 0; i < entries; i++)
			kcuckoo_bits_put(table->tags, bit + i * width, width,
					 tags[i]);
		return;
	}
	for (i = 0; i < entries; i++)
		word |= tags[i] << i * width;
	kcuckoo_bits_put(table->tags, bit, table->bucket_bits, word);
}

/*
 * Writes @tag to a free entry of the semi-sorted bucket that has @place. If @tag is 0,
 * frees the entry at @place instead.
 */
static void kcuckoo_table_sorted_store(struct kcuckoo_table *table, u64 place,
				       u64 tag)
{
	u32 bucket = kcuckoo_table_bucket(table, place);
	u64 tags[KCUCKOO_BUCKET_SIZE_MAX];
	/* If an entry is free, entry 0 is: free entries of a sorted bucket come first. */
	unsigned int entry = 0;

	if (!tag)
		entry = place & (KCUCKOO_SEMISORT_ENTRIES - 1);
	kcuckoo_table_bucket_tags(table, bucket, tags);
	tags[entry] = tag;
	kcuckoo_table_sorted_write(table, bucket, tags);
}

/**
 * kcuckoo_table_tag() - read the tag at a place
 * @table: the table
 * @place: the place
 *
 * Return: the tag, 0 if the place is free.
 */
u64 kcuckoo_table_tag(const struct kcuckoo_table *table, u64 place)
{
	unsigned int width = table->params.tag_bits;
	unsigned int entry = place & (KCUCKOO_SEMISORT_ENTRIES - 1);
	u32 bucket = kcuckoo_table_bucket(table, place);
	u64 rest;

	if (!table->params.sorted)
		return kcuckoo_bits_get(table->tags, place * width, width);
	rest = kcuckoo_bits_get(table->tags,
				kcuckoo_table_rest_bit(table, bucket, entry),
				width - KCUCKOO_SEMISORT_BITS);
	return rest << KCUCKOO_SEMISORT_BITS |
	       kcuckoo_semisort_low(kcuckoo_table_code(table, bucket), entry);
}

/* Reads a field of an entry in the second plane; returns 0 if the field has no bits. */
static u64 kcuckoo_table_field(const struct kcuckoo_table *table, u64 place,
			       unsigned int first, unsigned int width)
{
	return width ? kcuckoo_bits_get(table->aux,
					place * table->aux_stride + first,
					width) : 0;
}

static u64 kcuckoo_table_aux(const struct kcuckoo_table *table, u64 place)
{
	return kcuckoo_table_field(table, place, 0, table->params.aux_bits);
}

/**
 * kcuckoo_table_value() - read the value of an entry
 * @table: the table
 * @place: place of the entry
 *
 * Return: the value, 0 if the table has no values.
 */
u32 kcuckoo_table_value(const struct kcuckoo_table *table, u64 place)
{
	const struct kcuckoo_table_params *params = &table->params;

	return kcuckoo_table_field(table, place, params->aux_bits,
				   params->value_bits);
}

/**
 * kcuckoo_table_expiry() - read the expiry of an entry
 * @table: the table
 * @place: place of the entry
 *
 * Return: the second in which the entry expires; 0 for never.
 */
u32 kcuckoo_table_expiry(const struct kcuckoo_table *table, u64 place)
{
	const struct kcuckoo_table_params *params = &table->params;

	return kcuckoo_table_field(table, place,
				   params->aux_bits + params->value_bits,
				   params->expiry_bits);
}

/**
 * kcuckoo_table_get() - read an entry
 * @table: the table
 * @place: place of the entry
 * @entry: out: content of the entry
 */
void kcuckoo_table_get(const struct kcuckoo_table *table, u64 place,
		       struct kcuckoo_entry *entry)
{
	entry->tag = kcuckoo_table_tag(table, place);
	entry->aux = kcuckoo_table_aux(table, place);
	entry->value = kcuckoo_table_value(table, place);
	entry->expiry = kcuckoo_table_expiry(table, place);
}

/* Finds the first entry with a given tag in a semi-sorted bucket of more than 64 bits. */
static u64 kcuckoo_table_scan(const struct kcuckoo_table *table, u32 bucket,
			      u64 tag)
{
	unsigned int entries = 1U << table->params.bucket_shift;
	u64 tags[KCUCKOO_BUCKET_SIZE_MAX];
	unsigned int i;

	kcuckoo_table_bucket_tags(table, bucket, tags);
	for (i = 0; i < entries; i++)
		if (tags[i] == tag)
			return ((u64)bucket << table->params.bucket_shift) + i;
	return KCUCKOO_NO_PLACE;
}

/*
 * Finds the first entry with a given tag in a semi-sorted bucket of at most 64 bits.
 *
 * The function compares the rests of all four tags with the rest of @tag, and decodes the
 * code only for tags with an equal rest. If @tag is not in the bucket, another tag seldom
 * has the same rest.
 *
 * An equal rest is 0 after an XOR with the rest of @tag. To find the rests that are 0,
 * the function clears the highest bit of each rest, and adds a number in which all bits
 * but the highest are set. The highest bit of the sum is set, unless all lower bits of the
 * rest are 0. An OR with the rest adds the highest bit of the rest itself. The highest bit
 * is now 0 only if the rest is 0; its inverse is the mark. No sum overflows into the next
 * rest, so every mark is right, unlike in kcuckoo_table_marks().
 */
static u64 kcuckoo_table_sorted_first(const struct kcuckoo_table *table,
				      u32 bucket, u64 tag)
{
	u64 word = kcuckoo_table_load(table, (u64)bucket * table->bucket_bits);
	u64 carry = table->msb_mask - table->lsb_mask;
	u64 rests = word >> KCUCKOO_SEMISORT_CODE_BITS ^
		    (tag >> KCUCKOO_SEMISORT_BITS) * table->lsb_mask;
	u64 marks = ~(((rests & carry) + carry) | rests) & table->msb_mask;

	for (; marks; marks &= marks - 1) {
		unsigned int entry = kcuckoo_table_lowest(table, marks);

		if (kcuckoo_semisort_low(word & KCUCKOO_SEMISORT_CODE_MASK,
					 entry) == (tag & 15))
			return (u64)bucket * KCUCKOO_SEMISORT_ENTRIES + entry;
	}
	return KCUCKOO_NO_PLACE;
}

static inline u64 kcuckoo_table_first(const struct kcuckoo_table *table,
				      u32 bucket, u64 tag)
{
	u64 place = (u64)bucket << table->params.bucket_shift;
	u64 bit = (u64)bucket * table->bucket_bits;
	u64 end = bit + table->bucket_bits;
	u64 marks;

	if (table->params.sorted && table->fits_word)
		return kcuckoo_table_sorted_first(table, bucket, tag);
	if (table->params.sorted)
		return kcuckoo_table_scan(table, bucket, tag);
	for (; bit < end;
	     bit += table->load_bits, place += table->tags_per_word) {
		marks = kcuckoo_table_compare(table, bit, tag);
		if (marks)
			return place + kcuckoo_table_lowest(table, marks);
	}
	return KCUCKOO_NO_PLACE;
}

static bool kcuckoo_table_agrees(const struct kcuckoo_table *table, u64 place,
				 const struct kcuckoo_probe *probe)
{
	u32 expiry = kcuckoo_table_expiry(table, place);

	return kcuckoo_table_aux(table, place) == probe->aux &&
	       (!expiry || expiry > probe->now);
}

/* Finds the first entry with @tag that agrees with a probe, from @place to the end of @bucket. */
static u64 kcuckoo_table_bucket_next(const struct kcuckoo_table *table,
				     u64 place, u32 bucket, u64 tag,
				     const struct kcuckoo_probe *probe)
{
	u64 end = ((u64)bucket + 1) << table->params.bucket_shift;

	for (; place < end; place++)
		if (kcuckoo_table_tag(table, place) == tag &&
		    kcuckoo_table_agrees(table, place, probe))
			return place;
	return KCUCKOO_NO_PLACE;
}

/* Finds the first entry that agrees with a probe, in bucket @side (0 or 1) of the probe. */
static inline u64 kcuckoo_table_side(const struct kcuckoo_table *table,
				     const struct kcuckoo_probe *probe,
				     unsigned int side)
{
	u64 place = kcuckoo_table_first(table, probe->bucket[side],
					probe->tag[side]);

	if (!table->aux || place == KCUCKOO_NO_PLACE)
		return place;
	return kcuckoo_table_bucket_next(table, place, probe->bucket[side],
					 probe->tag[side], probe);
}

/**
 * kcuckoo_table_find() - find the first entry of a key
 * @table: the table
 * @probe: the key's probe for this table
 *
 * Return: the place of the first entry that agrees with the probe, or KCUCKOO_NO_PLACE.
 */
u64 kcuckoo_table_find(const struct kcuckoo_table *table,
		       const struct kcuckoo_probe *probe)
{
	u64 place = kcuckoo_table_side(table, probe, 0);

	if (place == KCUCKOO_NO_PLACE)
		place = kcuckoo_table_side(table, probe, 1);
	return place;
}

/**
 * kcuckoo_table_next() - find the next entry of a key, after a given entry
 * @table: the table
 * @probe: the key's probe for this table
 * @after: place of the previous entry of the key
 *
 * Return: the place, or KCUCKOO_NO_PLACE if the key has no further entry.
 */
u64 kcuckoo_table_next(const struct kcuckoo_table *table,
		       const struct kcuckoo_probe *probe, u64 after)
{
	u32 bucket = kcuckoo_table_bucket(table, after);
	unsigned int side = bucket != probe->bucket[0];
	u64 place;

	place = kcuckoo_table_bucket_next(table, after + 1, bucket,
					  probe->tag[side], probe);
	if (place == KCUCKOO_NO_PLACE && !side &&
	    probe->bucket[0] != probe->bucket[1])
		place = kcuckoo_table_side(table, probe, 1);
	return place;
}

/**
 * kcuckoo_table_find_value() - find the first entry with a given key and value
 * @table: the table
 * @probe: the key's probe for this table, with the value
 *
 * Return: the place of the first entry that agrees with the probe and has @probe->value,
 * or KCUCKOO_NO_PLACE. In a table without values the value is not compared.
 */
u64 kcuckoo_table_find_value(const struct kcuckoo_table *table,
			     const struct kcuckoo_probe *probe)
{
	u64 place = kcuckoo_table_find(table, probe);

	if (!table->params.value_bits)
		return place;
	while (place != KCUCKOO_NO_PLACE &&
	       kcuckoo_table_value(table, place) != probe->value)
		place = kcuckoo_table_next(table, probe, place);
	return place;
}

/**
 * kcuckoo_table_contains() - check whether a key is in the table
 * @table: the table
 * @probe: the key's probe for this table
 *
 * Context: readers without a lock have to check that no write overlapped.
 * Return: true if an entry agrees with the probe.
 */
bool kcuckoo_table_contains(const struct kcuckoo_table *table,
			    const struct kcuckoo_probe *probe)
{
	const struct kcuckoo_bucket_pair pair = {
		.bucket = { probe->bucket[0], probe->bucket[1] },
		.tag = probe->tag[0],
	};

	if (table->tags_only)
		return kcuckoo_bucket_pair_contained(table, &pair);
	return kcuckoo_table_find(table, probe) != KCUCKOO_NO_PLACE;
}

/**
 * kcuckoo_table_saturated() - check whether copies of a key fill both of its buckets
 * @table: a table with plain tags
 * @probe: the key's probe for this table
 *
 * Copies, which are entries with the fingerprint of the key, can only move between its two
 * buckets. So if copies fill both buckets, no search can free an entry for another copy.
 *
 * Return: true if every entry of both buckets has the tag of the key.
 */
bool kcuckoo_table_saturated(const struct kcuckoo_table *table,
			     const struct kcuckoo_probe *probe)
{
	unsigned int entries = 1U << table->params.bucket_shift;
	u64 tags[KCUCKOO_BUCKET_SIZE_MAX];
	unsigned int side;
	unsigned int i;

	for (side = 0; side < 2; side++) {
		kcuckoo_table_bucket_tags(table, probe->bucket[side], tags);
		for (i = 0; i < entries; i++)
			if (tags[i] != probe->tag[side])
				return false;
	}
	return true;
}

/**
 * kcuckoo_table_probe_entry() - compute the probe of an entry for another table
 * @table: the table for which the probe is computed
 * @from: the table of the entry, with the same secret and the same kind of tags as
 *	@table; if tags are plain, the parts of both tables have the same size
 * @place: place of the entry in @from, in use
 * @probe: out: the probe of the entry for @table, without @now
 */
void kcuckoo_table_probe_entry(const struct kcuckoo_table *table,
			       const struct kcuckoo_table *from, u64 place,
			       struct kcuckoo_probe *probe)
{
	u32 bucket = kcuckoo_table_bucket(from, place);
	struct kcuckoo_entry entry;
	struct kcuckoo_bucket_pair pair;

	kcuckoo_table_get(from, place, &entry);
	if (table->params.exact) {
		u64 aux;
		u64 number = kcuckoo_table_number(from, place, &aux);

		kcuckoo_table_probe_number(table, number, aux, probe);
	} else {
		bucket -= (entry.tag & from->part_mask) * from->part_buckets;
		pair = kcuckoo_bucket_pair_of_tag(table, bucket, entry.tag);
		kcuckoo_table_probe_pair(table, &pair, probe);
		probe->aux = entry.aux;
	}
	probe->value = entry.value;
	probe->expiry = entry.expiry;
}

/**
 * kcuckoo_table_prefetch() - prefetch the buckets of a probe
 * @table: the table
 * @probe: the probe
 */
void kcuckoo_table_prefetch(const struct kcuckoo_table *table,
			    const struct kcuckoo_probe *probe)
{
	kcuckoo_table_prefetch_bucket(table, probe->bucket[0]);
	kcuckoo_table_prefetch_bucket(table, probe->bucket[1]);
}

/**
 * kcuckoo_table_bucket_vacant() - find a free entry in a bucket
 * @table: the table
 * @bucket: the bucket
 *
 * Return: the place, or KCUCKOO_NO_PLACE if the bucket is full.
 */
u64 kcuckoo_table_bucket_vacant(const struct kcuckoo_table *table, u32 bucket)
{
	return kcuckoo_table_first(table, bucket, 0);
}

/* Writes a field of an entry in the second plane; does nothing if the field has no bits. */
static void kcuckoo_table_set_field(struct kcuckoo_table *table, u64 place,
				    unsigned int first, unsigned int width,
				    u64 content)
{
	if (width)
		kcuckoo_bits_put(table->aux, place * table->aux_stride + first,
				 width, content);
}

/**
 * kcuckoo_table_set_value() - change the value of an entry
 * @table: the table; without values the function does nothing
 * @place: place of an entry in use
 * @value: the value
 *
 * Context: the writer, in a write section if readers can see the table.
 */
void kcuckoo_table_set_value(struct kcuckoo_table *table, u64 place, u32 value)
{
	const struct kcuckoo_table_params *params = &table->params;

	kcuckoo_table_set_field(table, place, params->aux_bits,
				params->value_bits, value);
}

/**
 * kcuckoo_table_set_expiry() - change the expiry of an entry
 * @table: the table; without expiry the function does nothing
 * @place: place of an entry in use
 * @expiry: the second in which the entry expires, or 0 for never
 *
 * Context: the writer, in a write section if readers can see the table.
 */
void kcuckoo_table_set_expiry(struct kcuckoo_table *table, u64 place,
			      u32 expiry)
{
	const struct kcuckoo_table_params *params = &table->params;

	if (!params->expiry_bits)
		return;
	if (kcuckoo_table_expiry(table, place))
		table->expiring--;
	if (expiry)
		table->expiring++;
	kcuckoo_table_set_field(table, place,
				params->aux_bits + params->value_bits,
				params->expiry_bits, expiry);
}

static void kcuckoo_table_store(struct kcuckoo_table *table, u64 place,
				const struct kcuckoo_entry *entry)
{
	unsigned int width = table->params.tag_bits;

	if (table->params.sorted) {
		kcuckoo_table_sorted_store(table, place, entry->tag);
		return;
	}
	kcuckoo_bits_put(table->tags, place * width, width, entry->tag);
	if (!table->aux)
		return;
	kcuckoo_table_set_field(table, place, 0, table->params.aux_bits,
				entry->aux);
	kcuckoo_table_set_value(table, place, entry->value);
	kcuckoo_table_set_expiry(table, place, entry->expiry);
}

/*
 * Writes @tags to an empty bucket. For each tag other than 0, copies the fields of the
 * second plane, too: from the entry at the same position of the bucket of @from that
 * begins at @place.
 */
static void kcuckoo_table_write(struct kcuckoo_table *table, u32 bucket,
				u64 tags[KCUCKOO_BUCKET_SIZE_MAX],
				const struct kcuckoo_table *from, u64 place)
{
	unsigned int shift = table->params.bucket_shift;
	struct kcuckoo_entry entry;
	unsigned int i;

	for (i = 0; i < 1U << shift; i++) {
		if (!tags[i])
			continue;
		table->entries++;
		if (!table->aux)
			continue;
		kcuckoo_table_get(from, place + i, &entry);
		kcuckoo_table_store(table, ((u64)bucket << shift) + i, &entry);
	}
	if (table->params.sorted)
		kcuckoo_table_sorted_write(table, bucket, tags);
	else
		kcuckoo_table_plain_write(table, bucket, tags);
}

/*
 * Copies unsorted buckets of at most 64 bits in tables without a second plane, all tags
 * of a bucket at the same time. If @table has one doubling more than @from, the stream
 * "upper" writes the tags that go to the second of the new buckets.
 */
static void kcuckoo_table_split_words(struct kcuckoo_table *table,
				      const struct kcuckoo_table *from,
				      u32 bucket, u32 end)
{
	unsigned int width = from->bucket_bits;
	u64 carry = from->msb_mask - from->lsb_mask;
	u64 split = table->part_mask != from->part_mask ? from->lsb_mask : 0;
	struct kcuckoo_bucket_stream lower, upper;
	u64 entries = 0;

	kcuckoo_bucket_stream_begin(&lower, table, bucket);
	kcuckoo_bucket_stream_begin(&upper, table,
				    (u64)bucket + from->params.nbuckets);
	for (; bucket < end; bucket++) {
		u64 all = kcuckoo_table_load(from, (u64)bucket * width) &
			  kcuckoo_bits_mask(width);
		u64 moved = all >> from->params.doublings & split;

		moved = all & moved * from->tag_max;
		kcuckoo_bucket_stream_put(&lower, width, all & ~moved);
		if (split)
			kcuckoo_bucket_stream_put(&upper, width, moved);
		entries += hweight64((((all & carry) + carry) | all) &
				     from->msb_mask);
	}
	kcuckoo_bucket_stream_flush(&lower);
	kcuckoo_bucket_stream_flush(&upper);
	table->entries += entries;
}

/* Copies one bucket of any size and kind, tag by tag. */
static void kcuckoo_table_split_tags(struct kcuckoo_table *table,
				     const struct kcuckoo_table *from,
				     u32 bucket)
{
	unsigned int entries = 1U << from->params.bucket_shift;
	u64 place = (u64)bucket << from->params.bucket_shift;
	u64 bit = table->part_mask & ~from->part_mask;
	u64 tags[2][KCUCKOO_BUCKET_SIZE_MAX] = {};
	u64 all[KCUCKOO_BUCKET_SIZE_MAX];
	unsigned int i;

	kcuckoo_table_bucket_tags(from, bucket, all);
	for (i = 0; i < entries; i++)
		tags[!!(all[i] & bit)][i] = all[i];
	kcuckoo_table_write(table, bucket, tags[0], from, place);
	if (bit)
		kcuckoo_table_write(table, bucket + from->params.nbuckets,
				    tags[1], from, place);
}

/**
 * kcuckoo_table_split() - copy buckets into a mirror: a table of the same size or doubled
 * @table: the mirror; the buckets to write are empty
 * @from: the table to copy from, with the size of @table or, if tags are plain, with
 *	one doubling less than @table
 * @bucket: the first bucket of @from to copy
 * @end: the bucket after the last bucket to copy
 *
 * If @table has one doubling more than @from, bucket n of @from becomes two buckets of
 * @table: n, and n plus the number of buckets of @from. After k doublings, the lowest k
 * bits of a tag are the number of its part in @from, and the next bit selects one of
 * the two buckets.
 *
 * Context: the writer; no reader sees @table.
 */
void kcuckoo_table_split(struct kcuckoo_table *table,
			 const struct kcuckoo_table *from, u32 bucket, u32 end)
{
	if (from->fits_word && from->tags_only && !from->aux) {
		kcuckoo_table_split_words(table, from, bucket, end);
		return;
	}
	for (; bucket < end; bucket++)
		kcuckoo_table_split_tags(table, from, bucket);
}

/**
 * kcuckoo_table_put() - store a key in a free entry
 * @table: the table
 * @place: a free place in one of the probe's buckets; in a semi-sorted bucket, the tag
 *	can get another place of the bucket
 * @probe: the key's probe for this table
 *
 * Context: the writer, in a write section if readers can see the table.
 */
void kcuckoo_table_put(struct kcuckoo_table *table, u64 place,
		       const struct kcuckoo_probe *probe)
{
	bool side = kcuckoo_table_bucket(table, place) != probe->bucket[0];
	const struct kcuckoo_entry entry = {
		.tag = probe->tag[side],
		.aux = probe->aux,
		.value = probe->value,
		.expiry = probe->expiry,
	};

	kcuckoo_table_store(table, place, &entry);
	table->entries++;
}

/**
 * kcuckoo_table_move() - move an entry to its alternate bucket
 * @table: the table
 * @from: the entry's place
 * @to: a free place in the entry's alternate bucket, which must differ from the bucket
 *	of @from
 *
 * The copy is written before the original is freed. In an exact tag the function inverts the
 * side (table.h).
 *
 * Context: the writer, in a write section if readers can see the table.
 */
void kcuckoo_table_move(struct kcuckoo_table *table, u64 from, u64 to)
{
	const struct kcuckoo_entry nothing = {};
	struct kcuckoo_entry entry;

	kcuckoo_table_get(table, from, &entry);
	if (table->params.exact)
		entry.tag = ((entry.tag - 1) ^ 1) + 1;
	kcuckoo_table_store(table, to, &entry);
	kcuckoo_table_store(table, from, &nothing);
}

/**
 * kcuckoo_table_clear() - free an entry
 * @table: the table
 * @place: place of an entry in use
 *
 * Context: the writer, in a write section if readers can see the table.
 */
void kcuckoo_table_clear(struct kcuckoo_table *table, u64 place)
{
	const struct kcuckoo_entry nothing = {};

	kcuckoo_table_store(table, place, &nothing);
	table->entries--;
}

/**
 * kcuckoo_table_number() - compute the permuted number of an entry
 * @table: a table with exact tags
 * @place: place of an entry in use
 * @aux: out: the upper bits of the permuted number
 *
 * Return: the lower 64 bits of the permuted number.
 */
u64 kcuckoo_table_number(const struct kcuckoo_table *table, u64 place, u64 *aux)
{
	u64 tag = kcuckoo_table_tag(table, place);
	u32 bucket = kcuckoo_table_bucket(table, place);

	if ((tag - 1) & 1)
		bucket = kcuckoo_table_alternate(table, bucket, tag);
	*aux = kcuckoo_table_aux(table, place);
	return ((tag - 1) >> 1) * table->params.nbuckets + bucket;
}
