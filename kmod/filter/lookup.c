// SPDX-License-Identifier: GPL-2.0-only
/*
 * Look up addresses and byte strings in a filter, one at a time or in batches.
 *
 * An address is looked up for one prefix length after another, the longest first, until a
 * member is found. A length index (core/length_index.h) reduces the number of these
 * lengths.
 */
#include <linux/bitops.h>
#include <linux/string.h>

#include "core/table_batch.h"
#include "core/prefix.h"
#include "filter/filter_internal.h"

/**
 * struct kcuckoo_lookup - a look-up
 * @filter: the filter
 * @table_set: layers and indexes of the filter
 * @now: present second of the clock of expiry; 0 in a filter without expiry
 * @values: out: the values of the key, or NULL
 */
struct kcuckoo_lookup {
	struct kcuckoo_filter *filter;
	const struct kcuckoo_table_set *table_set;
	u32 now;
	struct kcuckoo_values *values;
};

static void kcuckoo_lookup_begin(struct kcuckoo_lookup *lookup,
				 struct kcuckoo_filter *filter,
				 struct kcuckoo_values *values)
{
	lookup->filter = filter;
	lookup->table_set = rcu_dereference(filter->table_set);
	lookup->now = kcuckoo_filter_now(filter);
	lookup->values = values;
}

/**
 * struct kcuckoo_candidate - a key that is looked up in one layer
 * @index: number of the layer of the key
 * @key: the key in this layer, hashed or permuted
 */
struct kcuckoo_candidate {
	unsigned int index;
	struct kcuckoo_key key;
};

static bool kcuckoo_lookup_store(const struct kcuckoo_lookup *lookup,
				 const struct kcuckoo_store *store,
				 const struct kcuckoo_key *key,
				 const struct kcuckoo_probe *probe)
{
	if (!lookup->values)
		return kcuckoo_store_contains(store, key, probe);
	lookup->values->count = kcuckoo_store_values(store, key, probe,
						     lookup->values->value);
	return lookup->values->count;
}

static const struct kcuckoo_layer *
kcuckoo_lookup_layer(const struct kcuckoo_lookup *lookup, unsigned int index)
{
	return rcu_dereference_check(lookup->table_set->layer[index],
				     lockdep_is_held(&lookup->filter->lock));
}

/* The result is valid only if no write overlapped. */
static bool __kcuckoo_lookup_candidate(const struct kcuckoo_lookup *lookup,
				       const struct kcuckoo_candidate *candidate)
{
	const struct kcuckoo_layer *layer;
	struct kcuckoo_probe probe;

	layer = kcuckoo_lookup_layer(lookup, candidate->index);
	if (!layer) {
		/* Discard the values that an earlier candidate or try has written. */
		if (lookup->values)
			lookup->values->count = 0;
		return false;
	}
	kcuckoo_store_probe(&layer->store, &candidate->key, &probe);
	probe.now = lookup->now;
	return kcuckoo_lookup_store(lookup, &layer->store, &candidate->key,
				    &probe);
}

struct kcuckoo_candidate_read {
	const struct kcuckoo_lookup *lookup;
	const struct kcuckoo_candidate *candidate;
};

static int kcuckoo_candidate_read(const void *context)
{
	const struct kcuckoo_candidate_read *read = context;

	return __kcuckoo_lookup_candidate(read->lookup, read->candidate);
}

/*
 * Repeats the look-up if a write overlapped, after a hit as well as after a miss. A write
 * can move the entry of the key during the look-up, so that the look-up misses the entry.
 * If a tag is in two words, the look-up can read one word before a write and the other
 * word after the write, and find a key that is not a member.
 */
static bool kcuckoo_lookup_candidate(const struct kcuckoo_lookup *lookup,
				     const struct kcuckoo_candidate *candidate)
{
	const struct kcuckoo_candidate_read read = { lookup, candidate };

	return kcuckoo_filter_read(lookup->filter, kcuckoo_candidate_read,
				   &read);
}

static const struct kcuckoo_length_index *
kcuckoo_lookup_length_index(const struct kcuckoo_lookup *lookup,
			    unsigned int family)
{
	const struct kcuckoo_index *index;

	family = kcuckoo_family_number(family);
	index = rcu_dereference(lookup->table_set->index[family]);
	return index ? &index->core : NULL;
}

static void kcuckoo_candidate_init(struct kcuckoo_candidate *candidate,
				   const struct kcuckoo_filter *filter,
				   unsigned int family, unsigned int plen,
				   const struct kcuckoo_number *address)
{
	unsigned int bits = kcuckoo_family_bits(family);

	candidate->key.number = kcuckoo_prefix_cut(address, bits, plen);
	candidate->index = kcuckoo_split_prefix(kcuckoo_filter_exact(filter),
						family, plen,
						&candidate->key.number);
	kcuckoo_filter_prepare(filter, candidate->index, &candidate->key);
}

/* The result is valid only if no write overlapped. */
static noinline bool
kcuckoo_lookup_length(const struct kcuckoo_lookup *lookup, unsigned int family,
		      const struct kcuckoo_number *address, unsigned int plen)
{
	struct kcuckoo_candidate candidate;

	kcuckoo_candidate_init(&candidate, lookup->filter, family, plen,
			       address);
	return __kcuckoo_lookup_candidate(lookup, &candidate);
}

/* kcuckoo_lookup_tags_only() must be true for @store. */
static struct kcuckoo_bucket_pair
kcuckoo_lookup_pair(const struct kcuckoo_lookup *lookup,
		    const struct kcuckoo_store *store, unsigned int family,
		    const struct kcuckoo_number *address, unsigned int plen)
{
	const struct kcuckoo_mulhash *mulhash = lookup->filter->mulhash;
	unsigned int bits = store->layout.bits;
	u64 number = family == KCUCKOO_FAMILY_IPV4 ?
		     address->lo >> (32 - plen) : address->hi >> (64 - plen);

	/* A layer for prefixes in 2000::/3 does not store the first three bits. */
	number &= kcuckoo_bits_mask(bits);
	number = kcuckoo_permute_word(mulhash, number, bits);
	return kcuckoo_bucket_pair_of_word(&store->table, mulhash, number);
}

/*
 * Returns true if a look-up in a store needs only the two buckets and the tag of the key
 * (core/bucket_pair.h). Keys of up to KCUCKOO_BITMAP_BITS bits are always in a bitmap, so
 * no shift in kcuckoo_lookup_pair() is as wide as a word.
 */
static bool kcuckoo_lookup_tags_only(const struct kcuckoo_lookup *lookup,
				     const struct kcuckoo_store *store)
{
	return !lookup->values &&
	       !store->layout.bitmap &&
	       store->table.tags_only && kcuckoo_store_exact(store) &&
	       store->layout.bits <= 64 && !lookup->filter->secret.strong;
}

/*
 * Looks an address up for the prefix lengths in the word @lengths, the longest first;
 * bit 0 stands for length @first. Prefetches the buckets for one length, and then reads
 * the buckets for the previous length. The function does not prefetch further ahead: if
 * one of the first look-ups hits, further prefetches are wasted. Returns the length of
 * the longest member that covers the address, or -1 if no member does. The result is
 * valid only if no write overlapped.
 */
static int kcuckoo_lookup_length_word(const struct kcuckoo_lookup *lookup,
				      unsigned int family,
				      const struct kcuckoo_number *address,
				      unsigned int first, u64 lengths)
{
	bool is_global = kcuckoo_filter_exact(lookup->filter) &&
			 kcuckoo_address_is_global(address->hi);
	const struct kcuckoo_table *table = NULL;
	struct kcuckoo_bucket_pair pair;
	int last = -1;

	while (lengths) {
		unsigned int bit = __fls(lengths);
		unsigned int plen = first + bit;
		const struct kcuckoo_layer *layer;
		struct kcuckoo_bucket_pair next;

		lengths &= ~BIT_ULL(bit);
		layer = kcuckoo_lookup_layer(lookup,
					     kcuckoo_layer_index(family, plen,
								 is_global));
		if (!layer)
			continue;
		if (!kcuckoo_lookup_tags_only(lookup, &layer->store)) {
			bool hit = kcuckoo_lookup_length(lookup, family,
							 address, plen);

			/* @table belongs to the previous length, which is longer. */
			if (table &&
			    kcuckoo_bucket_pair_contained(table, &pair))
				return last;
			if (hit)
				return plen;
			table = NULL;
			continue;
		}
		next = kcuckoo_lookup_pair(lookup, &layer->store, family,
					   address, plen);
		kcuckoo_bucket_pair_prefetch(&layer->store.table, &next);
		if (table && kcuckoo_bucket_pair_contained(table, &pair))
			return last;
		table = &layer->store.table;
		pair = next;
		last = plen;
	}
	return table && kcuckoo_bucket_pair_contained(table, &pair) ? last : -1;
}

static int kcuckoo_lookup_length_words(const struct kcuckoo_lookup *lookup,
				       unsigned int family,
				       const struct kcuckoo_number *address,
				       const u64 lengths[KCUCKOO_LENGTH_WORDS])
{
	int plen;

	if (family == KCUCKOO_FAMILY_IPV4)
		return kcuckoo_lookup_length_word(lookup, family, address, 0,
						  lengths[0]);
	plen = kcuckoo_lookup_length_word(lookup, family, address, 128,
					  lengths[3]);
	if (plen < 0)
		plen = kcuckoo_lookup_length_word(lookup, family, address, 64,
						  lengths[2]);
	if (plen < 0)
		plen = kcuckoo_lookup_length_word(lookup, family, address, 0,
						  lengths[1]);
	return plen;
}

/* Returns a mask of the lengths up to @max in word number @word of a set of lengths. */
static u64 kcuckoo_lookup_length_mask(unsigned int family, unsigned int max,
				      unsigned int word)
{
	unsigned int last = kcuckoo_length_word(family, max);

	if (word < last)
		return ~0ULL;
	return word == last ? ~0ULL >> (63 - max % 64) : 0;
}

/*
 * Returns the length of the longest member of at most @max bits that covers an address, or
 * -1 if no member does. The result is valid only if no write overlapped.
 */
static int __kcuckoo_lookup_lengths(const struct kcuckoo_lookup *lookup,
				    unsigned int family,
				    const struct kcuckoo_number *address,
				    unsigned int max)
{
	const struct kcuckoo_length_index *index =
		kcuckoo_lookup_length_index(lookup, family);
	u64 candidates[KCUCKOO_LENGTH_WORDS];
	u64 any = 0;
	unsigned int i;

	if (index)
		kcuckoo_length_index_candidates(index, address, candidates);
	for (i = kcuckoo_length_word(family, 0); i < KCUCKOO_LENGTH_WORDS; i++) {
		u64 used = READ_ONCE(lookup->table_set->lengths[i]) &
			   kcuckoo_lookup_length_mask(family, max, i);

		candidates[i] = index ? candidates[i] & used : used;
		any |= candidates[i];
	}
	/* Discard the values that an earlier try has written. */
	if (lookup->values)
		lookup->values->count = 0;
	return any ? kcuckoo_lookup_length_words(lookup, family, address,
						 candidates) : -1;
}

struct kcuckoo_lengths_read {
	const struct kcuckoo_lookup *lookup;
	unsigned int family;
	const struct kcuckoo_number *address;
	unsigned int max;
};

static int kcuckoo_lengths_read(const void *context)
{
	const struct kcuckoo_lengths_read *read = context;

	return __kcuckoo_lookup_lengths(read->lookup, read->family,
					read->address, read->max);
}

/*
 * If a write overlapped, repeats the whole look-up, including the read of the set of
 * lengths. Suppose that two members cover the address, and that a program adds the first
 * member and then removes the second member. Without the repetition, the look-up could
 * read the table of the first member before the add, and the table of the second member
 * after the removal, and miss both.
 *
 * The function is not inline, because some kernels clear the local variables of a function
 * on entry. If the function were inline, a look-up of one length would clear the variables
 * of this function, too.
 */
static noinline int
kcuckoo_lookup_lengths(const struct kcuckoo_lookup *lookup, unsigned int family,
		       const struct kcuckoo_number *address, unsigned int max)
{
	const struct kcuckoo_lengths_read read = {
		lookup, family, address, max,
	};

	return kcuckoo_filter_read(lookup->filter, kcuckoo_lengths_read, &read);
}

/*
 * Returns the only prefix length of a family that has a layer; -1 if no length, or more
 * than one, has a layer.
 */
static int kcuckoo_lookup_single_length(const struct kcuckoo_lookup *lookup,
					unsigned int family)
{
	const u64 *words = lookup->table_set->lengths;
	u64 lengths = READ_ONCE(words[0]);
	unsigned int first = 0;

	if (family != KCUCKOO_FAMILY_IPV4) {
		u64 middle = READ_ONCE(words[2]);
		u64 last = READ_ONCE(words[3]);

		lengths = READ_ONCE(words[1]);
		if (!!lengths + !!middle + !!last != 1)
			return -1;
		first = middle ? 64 : last ? 128 : 0;
		lengths |= middle | last;
	}
	return lengths && !(lengths & (lengths - 1)) ? first + __ffs(lengths) :
						       -1;
}

/*
 * Returns the length of the longest member of at most @max bits that covers an address,
 * or -1 if no member does.
 */
static int kcuckoo_lookup_address(const struct kcuckoo_lookup *lookup,
				  unsigned int family,
				  const struct kcuckoo_number *address,
				  unsigned int max)
{
	struct kcuckoo_filter *filter = lookup->filter;
	unsigned int seq = raw_seqcount_begin(&filter->seq);
	int only = -1;
	bool hit;

	if (!kcuckoo_lookup_length_index(lookup, family))
		only = kcuckoo_lookup_single_length(lookup, family);
	if (only >= 0 && only <= (int)max) {
		hit = kcuckoo_lookup_length(lookup, family, address, only);
		if (!read_seqcount_retry(&filter->seq, seq))
			return hit ? only : -1;
	}
	return kcuckoo_lookup_lengths(lookup, family, address, max);
}

static bool kcuckoo_lookup_bytes(const struct kcuckoo_lookup *lookup,
				 const struct kcuckoo_query *query)
{
	const struct kcuckoo_candidate candidate = {
		.index = KCUCKOO_BYTES_LAYER,
		.key.hash = kcuckoo_hash_bytes(&lookup->filter->secret,
					       query->bytes, query->length),
	};

	return kcuckoo_lookup_candidate(lookup, &candidate);
}

static bool kcuckoo_lookup_query(struct kcuckoo_filter *filter,
				 const struct kcuckoo_query *query,
				 struct kcuckoo_values *values)
{
	bool bytes = filter->config.type == KCUCKOO_TYPE_BYTES;
	struct kcuckoo_lookup lookup;

	if (bytes != !query->family)
		return false;
	kcuckoo_lookup_begin(&lookup, filter, values);
	return bytes ? kcuckoo_lookup_bytes(&lookup, query) :
		       kcuckoo_lookup_address(&lookup, query->family,
					      &query->address,
					      kcuckoo_family_bits(query->family)) >= 0;
}

static noinline bool kcuckoo_lookup_value(struct kcuckoo_filter *filter,
					  const struct kcuckoo_query *query)
{
	struct kcuckoo_values values;

	if (!kcuckoo_lookup_query(filter, query, &values))
		return false;
	*query->value = values.value[0];
	return true;
}

/**
 * kcuckoo_filter_contains() - look up an address or a byte string
 * @filter: the filter
 * @query: the address or the byte string; out: *@query->value, if the key is found and
 *	@query->value is not NULL
 *
 * Context: inside rcu_read_lock(); any context but hard interrupts.
 * Return: true if the address is a member or covered by a member, or if the byte string
 * is a member; else false, also if the filter is of another type than the key. For a
 * filter of fingerprints the function can return true for other keys, too.
 */
bool kcuckoo_filter_contains(struct kcuckoo_filter *filter,
			     const struct kcuckoo_query *query)
{
	if (query->value)
		return kcuckoo_lookup_value(filter, query);
	return kcuckoo_lookup_query(filter, query, NULL);
}

/*
 * Returns true if a key of a batch counts as present when a member covers the key, even if
 * the key itself is not a member.
 */
static bool kcuckoo_lookup_any_length(unsigned int index, u32 flags)
{
	if (flags & KCUCKOO_TEST_COVERED)
		return true;
	return !(flags & KCUCKOO_TEST_MEMBER) &&
	       (index == kcuckoo_layer_host(KCUCKOO_FAMILY_IPV4) ||
		index == kcuckoo_layer_host(KCUCKOO_FAMILY_IPV6));
}

static bool kcuckoo_lookup_has_shorter(const struct kcuckoo_lookup *lookup,
				       unsigned int index)
{
	unsigned int family = kcuckoo_layer_family(index);
	unsigned int plen = kcuckoo_layer_plen(index);
	const u64 *lengths = lookup->table_set->lengths;
	unsigned int word;

	if (!plen)
		return false;
	for (word = kcuckoo_length_word(family, 0);
	     word <= kcuckoo_length_word(family, plen - 1); word++)
		if (READ_ONCE(lengths[word]) &
		    kcuckoo_lookup_length_mask(family, plen - 1, word))
			return true;
	return false;
}

/*
 * Hashes the keys of a batch, each for its own layer, and prefetches their buckets. A key
 * for which kcuckoo_lookup_any_length() is true is hashed again in the look-up. The hash of
 * such a key here serves only the prefetch, so the key is not hashed if its own layer does
 * not exist.
 */
static void kcuckoo_lookup_prepare(const struct kcuckoo_lookup *lookup,
				   struct kcuckoo_batch *batch, u32 flags)
{
	const struct kcuckoo_layer *layer;
	struct kcuckoo_probe probe;
	unsigned int i;

	for (i = 0; i < batch->count; i++) {
		struct kcuckoo_member *m = &batch->member[i];

		layer = kcuckoo_lookup_layer(lookup, m->index);
		if (!layer && kcuckoo_lookup_any_length(m->index, flags))
			continue;
		kcuckoo_filter_prepare(lookup->filter, m->index, &m->key);
		if (!layer)
			continue;
		kcuckoo_store_probe(&layer->store, &m->key, &probe);
		kcuckoo_store_prefetch(&layer->store, &m->key, &probe);
	}
}

/*
 * Returns the length of the longest member that covers a key of a batch, or -1 if no
 * member does. A member covers a network if the member covers the first address of the
 * network, and the prefix of the member is not longer than the prefix of the network.
 */
static int kcuckoo_lookup_prefix(const struct kcuckoo_lookup *lookup,
				 const struct kcuckoo_member *m)
{
	unsigned int family = kcuckoo_layer_family(m->index);
	unsigned int plen = kcuckoo_layer_plen(m->index);
	struct kcuckoo_number number = m->key.number;

	kcuckoo_expand_prefix(m->index, &number);
	number = kcuckoo_prefix_extend(&number, kcuckoo_family_bits(family),
				       plen);
	return kcuckoo_lookup_address(lookup, family, &number, plen);
}

/*
 * Returns the prefix length of the member that makes a key count as present
 * (kcuckoo_lookup_any_length()), or -1 if the key is absent.
 */
static int kcuckoo_lookup_member(const struct kcuckoo_lookup *lookup,
				 const struct kcuckoo_member *m, u32 flags)
{
	const struct kcuckoo_candidate candidate = {
		.index = m->index,
		.key = m->key,
	};

	if (kcuckoo_lookup_any_length(m->index, flags))
		return kcuckoo_lookup_prefix(lookup, m);
	return kcuckoo_lookup_candidate(lookup, &candidate) ?
	       kcuckoo_layer_plen(m->index) : -1;
}

static u8 kcuckoo_lookup_result(bool hit)
{
	return hit ? KCUCKOO_RESULT_PRESENT : KCUCKOO_RESULT_ABSENT;
}

/**
 * struct kcuckoo_lookup_keys - context of kcuckoo_table_batch(), which looks up many
 *	keys in one table
 * @filter: the filter
 * @table: the table in which the keys are looked up
 * @batch: the keys; out: the results
 */
struct kcuckoo_lookup_keys {
	const struct kcuckoo_filter *filter;
	const struct kcuckoo_table *table;
	struct kcuckoo_batch *batch;
};

static __always_inline struct kcuckoo_bucket_pair
kcuckoo_lookup_keys_pair(const void *context, u64 number)
{
	const struct kcuckoo_lookup_keys *keys = context;
	const struct kcuckoo_member *m = &keys->batch->member[number];
	struct kcuckoo_key key = m->key;

	kcuckoo_filter_prepare(keys->filter, m->index, &key);
	return keys->table->params.exact ?
	       kcuckoo_bucket_pair_of_number(keys->table, key.permuted.lo) :
	       kcuckoo_bucket_pair_of_hash(keys->table, key.hash);
}

static __always_inline void
kcuckoo_lookup_keys_emit(void *context, u64 number, bool found)
{
	const struct kcuckoo_lookup_keys *keys = context;

	keys->batch->result[number] = kcuckoo_lookup_result(found);
}

/* Returns false if a write overlapped since @seq was read. */
static bool kcuckoo_lookup_table_batch(const struct kcuckoo_lookup *lookup,
				       const struct kcuckoo_table *table,
				       struct kcuckoo_batch *batch,
				       unsigned int seq)
{
	struct kcuckoo_lookup_keys keys = {
		.filter = lookup->filter,
		.table = table,
		.batch = batch,
	};

	kcuckoo_table_batch(table, batch->count, kcuckoo_lookup_keys_pair,
			    kcuckoo_lookup_keys_emit, &keys);
	return !read_seqcount_retry(&lookup->filter->seq, seq);
}

/*
 * Returns the table in which all keys of a batch can be looked up in groups
 * (core/table_batch.h), or NULL if the keys must be looked up one by one.
 */
static const struct kcuckoo_table *
kcuckoo_lookup_table(const struct kcuckoo_lookup *lookup,
		     const struct kcuckoo_batch *batch, u32 flags)
{
	unsigned int index = batch->member[0].index;
	const struct kcuckoo_layer *layer;
	unsigned int i;

	if (batch->values || (kcuckoo_lookup_any_length(index, flags) &&
			      kcuckoo_lookup_has_shorter(lookup, index)))
		return NULL;
	for (i = 1; i < batch->count; i++)
		if (batch->member[i].index != index)
			return NULL;
	layer = rcu_dereference(lookup->table_set->layer[index]);
	if (!layer || layer->store.layout.bitmap ||
	    !layer->store.table.tags_only)
		return NULL;
	return &layer->store.table;
}

/**
 * kcuckoo_filter_test() - look up a batch
 * @filter: the filter
 * @batch: one key or more; out: results of all keys; values of all keys if
 *	@batch->values is not NULL; with KCUCKOO_TEST_COVERED the prefix lengths of the
 *	longest members that cover the keys
 * @flags: which keys count as present. KCUCKOO_TEST_MEMBER: keys that are members.
 *	KCUCKOO_TEST_COVERED, for a filter of addresses: keys that a member covers. 0:
 *	full addresses that a member covers, and networks and byte strings that are
 *	members
 *
 * Context: process context.
 */
void kcuckoo_filter_test(struct kcuckoo_filter *filter,
			 struct kcuckoo_batch *batch, u32 flags)
{
	const struct kcuckoo_table *table;
	struct kcuckoo_lookup lookup;
	unsigned int seq;
	unsigned int i;

	rcu_read_lock();
	kcuckoo_lookup_begin(&lookup, filter, NULL);
	batch->done = batch->count;
	seq = read_seqcount_begin(&filter->seq);
	table = kcuckoo_lookup_table(&lookup, batch, flags);
	if (table && kcuckoo_lookup_table_batch(&lookup, table, batch, seq)) {
		memset(batch->plen,
		       kcuckoo_layer_plen(batch->member[0].index), batch->count);
		goto out;
	}
	kcuckoo_lookup_prepare(&lookup, batch, flags);
	for (i = 0; i < batch->count; i++) {
		int plen;

		if (batch->values) {
			lookup.values = &batch->values[i];
			lookup.values->count = 0;
		}
		plen = kcuckoo_lookup_member(&lookup, &batch->member[i], flags);
		batch->result[i] = kcuckoo_lookup_result(plen >= 0);
		batch->plen[i] = plen;
	}
out:
	rcu_read_unlock();
}
