// SPDX-License-Identifier: GPL-2.0-only
/*
 * Readers of a filter: no lock in the normal case.
 */
#include <linux/bitops.h>

#include "filter.h"
#include "prefix.h"

static bool kcuckoo_lookup_unchecked(struct kcuckoo_filter *filter,
				     const struct kcuckoo_generation *generation,
				     unsigned int index,
				     const struct kcuckoo_inet_key *key)
{
	const struct kcuckoo_layer *layer;
	struct kcuckoo_probe probe;

	layer = rcu_dereference_check(generation->layer[index],
				      lockdep_is_held(&filter->lock));
	if (!layer)
		return false;
	kcuckoo_inet_probe(&layer->table, key, &probe);
	return kcuckoo_inet_contains(&layer->table, key, &probe);
}

/*
 * Is the key a member? A look counts only if no write overlapped it, be it a
 * hit or a miss: an entry can be moved away from under a look, and a tag that
 * straddles two words can be seen half written.
 */
static bool kcuckoo_lookup(struct kcuckoo_filter *filter,
			   const struct kcuckoo_generation *generation,
			   unsigned int index,
			   const struct kcuckoo_inet_key *key)
{
	unsigned int tries;
	unsigned int seq;
	bool hit;

	for (tries = 0; tries < KCUCKOO_READ_TRIES; tries++) {
		seq = read_seqcount_begin(&filter->seq);
		hit = kcuckoo_lookup_unchecked(filter, generation, index, key);
		if (!read_seqcount_retry(&filter->seq, seq))
			return hit;
	}
	spin_lock_bh(&filter->lock);
	hit = kcuckoo_lookup_unchecked(filter, generation, index, key);
	spin_unlock_bh(&filter->lock);
	return hit;
}

/* The length index of a family, NULL where there is none. */
static const struct kcuckoo_lengths *
kcuckoo_lookup_index(const struct kcuckoo_generation *generation,
		     unsigned int family)
{
	const struct kcuckoo_index *index;

	family = kcuckoo_family_number(family);
	index = rcu_dereference(generation->index[family]);
	return index ? &index->lengths : NULL;
}

/* Looks an address up for each of a set of lengths, out of one word. */
static bool kcuckoo_lookup_lengths(struct kcuckoo_filter *filter,
				   const struct kcuckoo_generation *generation,
				   unsigned int family,
				   const struct kcuckoo_number *address,
				   unsigned int first, u64 lengths)
{
	unsigned int bits = family == KCUCKOO_FAMILY_IPV4 ? 32 : 128;

	for (; lengths; lengths &= lengths - 1) {
		unsigned int plen = first + __ffs(lengths);
		struct kcuckoo_inet_key key;

		key.number = kcuckoo_prefix_cut(address, bits, plen);
		kcuckoo_inet_key_permute(&key, &filter->secret, plen);
		if (kcuckoo_lookup(filter, generation,
				   kcuckoo_layer_index(family, plen), &key))
			return true;
	}
	return false;
}

/**
 * kcuckoo_filter_contains() - is an address in a filter?
 * @filter: the filter
 * @family: KCUCKOO_FAMILY_IPV4 or KCUCKOO_FAMILY_IPV6
 * @address: the address, 32 or 128 bits
 *
 * Context: inside rcu_read_lock(); any context but hard interrupts.
 * Return: true if a member is the address or a prefix of it.
 */
bool kcuckoo_filter_contains(struct kcuckoo_filter *filter, unsigned int family,
			     const struct kcuckoo_number *address)
{
	const struct kcuckoo_generation *generation;
	u64 near[KCUCKOO_LENGTH_WORDS];
	unsigned int first = kcuckoo_length_word(family, 0);
	unsigned int word;

	generation = rcu_dereference(filter->generation);
	kcuckoo_lengths_near(kcuckoo_lookup_index(generation, family), family,
			     address, near);
	for (word = first; word < KCUCKOO_LENGTH_WORDS; word++) {
		u64 lengths = READ_ONCE(generation->lengths[word]) & near[word];

		if (kcuckoo_lookup_lengths(filter, generation, family, address,
					   64 * (word - first), lengths))
			return true;
	}
	return false;
}

static bool kcuckoo_filter_has(struct kcuckoo_filter *filter,
			       struct kcuckoo_member *member)
{
	kcuckoo_inet_key_permute(&member->key, &filter->secret,
				 kcuckoo_layer_plen(member->index));
	return kcuckoo_lookup(filter, rcu_dereference(filter->generation),
			      member->index, &member->key);
}

/**
 * kcuckoo_filter_test() - look up a batch
 * @filter: the filter
 * @batch: the keys; out: results, and all of them done
 * @member: count only members; else a full address is also present where a
 *	shorter prefix covers it
 *
 * Context: process context.
 */
void kcuckoo_filter_test(struct kcuckoo_filter *filter,
			 struct kcuckoo_batch *batch, bool member)
{
	unsigned int i;

	rcu_read_lock();
	for (i = 0; i < batch->count; i++) {
		struct kcuckoo_member *m = &batch->member[i];
		unsigned int family = kcuckoo_layer_family(m->index);
		bool address = m->index == KCUCKOO_IPV4_LAYERS - 1 ||
			       m->index == KCUCKOO_LAYERS - 1;
		bool hit;

		if (address && !member)
			hit = kcuckoo_filter_contains(filter, family,
						      &m->key.number);
		else
			hit = kcuckoo_filter_has(filter, m);
		batch->result[i] = hit ? KCUCKOO_RESULT_PRESENT :
					 KCUCKOO_RESULT_ABSENT;
	}
	rcu_read_unlock();
	batch->done = batch->count;
}
