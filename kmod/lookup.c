// SPDX-License-Identifier: GPL-2.0-only
/*
 * Readers of a filter: no lock in the normal case.
 */
#include <linux/bitops.h>

#include "filter.h"
#include "prefix.h"

/**
 * struct kcuckoo_look - a look-up
 * @filter: the filter
 * @generation: its layers
 * @now: the present, of filters with expiry, in seconds
 * @values: out: the key's values, or NULL
 */
struct kcuckoo_look {
	struct kcuckoo_filter *filter;
	const struct kcuckoo_generation *generation;
	u32 now;
	struct kcuckoo_values *values;
};

static void kcuckoo_look_begin(struct kcuckoo_look *look,
			       struct kcuckoo_filter *filter,
			       struct kcuckoo_values *values)
{
	look->filter = filter;
	look->generation = rcu_dereference(filter->generation);
	look->now = kcuckoo_filter_now(filter);
	look->values = values;
}

static bool kcuckoo_look_unchecked(const struct kcuckoo_look *look,
				   unsigned int index,
				   const struct kcuckoo_key *key)
{
	const struct kcuckoo_layer *layer;
	struct kcuckoo_probe probe;

	layer = rcu_dereference_check(look->generation->layer[index],
				      lockdep_is_held(&look->filter->lock));
	if (!layer)
		return false;
	kcuckoo_store_probe(&layer->store, key, &probe);
	probe.now = look->now;
	if (!look->values)
		return kcuckoo_store_contains(&layer->store, key, &probe);
	look->values->count = kcuckoo_store_values(&layer->store, key, &probe,
						   look->values->value);
	return look->values->count;
}

/*
 * Is the key a member? A look counts only if no write overlapped it, be it a
 * hit or a miss: an entry can be moved away from under a look, and a tag that
 * straddles two words can be seen half written.
 */
static bool kcuckoo_look(const struct kcuckoo_look *look, unsigned int index,
			 const struct kcuckoo_key *key)
{
	struct kcuckoo_filter *filter = look->filter;
	unsigned int tries;
	unsigned int seq;
	bool hit;

	for (tries = 0; tries < KCUCKOO_READ_TRIES; tries++) {
		seq = read_seqcount_begin(&filter->seq);
		hit = kcuckoo_look_unchecked(look, index, key);
		if (!read_seqcount_retry(&filter->seq, seq))
			return hit;
	}
	spin_lock_bh(&filter->lock);
	hit = kcuckoo_look_unchecked(look, index, key);
	spin_unlock_bh(&filter->lock);
	return hit;
}

/* The length index of a family, NULL where there is none. */
static const struct kcuckoo_lengths *
kcuckoo_look_index(const struct kcuckoo_look *look, unsigned int family)
{
	const struct kcuckoo_index *index;

	family = kcuckoo_family_number(family);
	index = rcu_dereference(look->generation->index[family]);
	return index ? &index->lengths : NULL;
}

/* Looks an address up for each of a set of lengths, out of one word. */
static bool kcuckoo_look_lengths(const struct kcuckoo_look *look,
				 unsigned int family,
				 const struct kcuckoo_number *address,
				 unsigned int first, u64 lengths)
{
	unsigned int bits = family == KCUCKOO_FAMILY_IPV4 ? 32 : 128;

	while (lengths) {
		unsigned int bit = __fls(lengths);
		unsigned int plen = first + bit;
		unsigned int index = kcuckoo_layer_index(family, plen);
		struct kcuckoo_key key;

		lengths &= ~BIT_ULL(bit);
		key.number = kcuckoo_prefix_cut(address, bits, plen);
		kcuckoo_filter_prepare(look->filter, index, &key);
		if (kcuckoo_look(look, index, &key))
			return true;
	}
	return false;
}

/* Looks an address up, the longest prefixes first. */
static bool kcuckoo_look_address(const struct kcuckoo_look *look,
				 unsigned int family,
				 const struct kcuckoo_number *address)
{
	unsigned int first = kcuckoo_length_word(family, 0);
	unsigned int bits = family == KCUCKOO_FAMILY_IPV4 ? 32 : 128;
	unsigned int word = kcuckoo_length_word(family, bits);
	u64 near[KCUCKOO_LENGTH_WORDS];

	kcuckoo_lengths_near(kcuckoo_look_index(look, family), family, address,
			     near);
	do {
		u64 lengths = READ_ONCE(look->generation->lengths[word]) &
			      near[word];

		if (kcuckoo_look_lengths(look, family, address,
					 64 * (word - first), lengths))
			return true;
	} while (word-- > first);
	return false;
}

static bool kcuckoo_look_bytes(const struct kcuckoo_look *look,
			       const struct kcuckoo_query *query)
{
	const struct kcuckoo_key key = {
		.hash = kcuckoo_hash_bytes(&look->filter->secret, query->bytes,
					   query->length),
	};

	return kcuckoo_look(look, KCUCKOO_BYTES_LAYER, &key);
}

/**
 * kcuckoo_filter_contains() - is an address, or a byte string, in a filter?
 * @filter: the filter
 * @query: what is asked for
 *
 * Context: inside rcu_read_lock(); any context but hard interrupts.
 * Return: true if a member is the address or a prefix of it, or the byte string;
 * false where the filter is of another type.
 */
bool kcuckoo_filter_contains(struct kcuckoo_filter *filter,
			     const struct kcuckoo_query *query)
{
	bool bytes = filter->form.type == KCUCKOO_TYPE_BYTES;
	struct kcuckoo_values values;
	struct kcuckoo_look look;
	bool hit;

	if (bytes != !query->family)
		return false;
	kcuckoo_look_begin(&look, filter, query->value ? &values : NULL);
	if (bytes)
		hit = kcuckoo_look_bytes(&look, query);
	else
		hit = kcuckoo_look_address(&look, query->family,
					   &query->address);
	if (hit && query->value)
		*query->value = values.value[0];
	return hit;
}

/* Is a key of a batch in the filter? */
static bool kcuckoo_look_member(const struct kcuckoo_look *look,
				struct kcuckoo_member *m, bool member)
{
	bool address = m->index == KCUCKOO_IPV4_LAYERS - 1 ||
		       m->index == KCUCKOO_BYTES_LAYER - 1;

	if (address && !member)
		return kcuckoo_look_address(look,
					    kcuckoo_layer_family(m->index),
					    &m->key.number);
	kcuckoo_filter_prepare(look->filter, m->index, &m->key);
	return kcuckoo_look(look, m->index, &m->key);
}

/**
 * kcuckoo_filter_test() - look up a batch
 * @filter: the filter
 * @batch: the keys; out: results, values if there is room for them, and all of
 *	them done
 * @member: count only members; else a full address is also present where a
 *	shorter prefix covers it
 *
 * Context: process context.
 */
void kcuckoo_filter_test(struct kcuckoo_filter *filter,
			 struct kcuckoo_batch *batch, bool member)
{
	struct kcuckoo_look look;
	unsigned int i;

	rcu_read_lock();
	kcuckoo_look_begin(&look, filter, NULL);
	for (i = 0; i < batch->count; i++) {
		if (batch->values) {
			look.values = &batch->values[i];
			look.values->count = 0;
		}
		batch->result[i] =
			kcuckoo_look_member(&look, &batch->member[i], member) ?
			KCUCKOO_RESULT_PRESENT : KCUCKOO_RESULT_ABSENT;
	}
	rcu_read_unlock();
	batch->done = batch->count;
}
