/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Random keys, and which of them a store cannot tell apart: those that have the
 * same fingerprint and the same two buckets.
 */
#ifndef _SELFTESTS_CORE_KIN_H
#define _SELFTESTS_CORE_KIN_H

#include "fixture.h"

/* The number of the set of two buckets and a tag, from 0. */
static inline u32 kin_number(struct number_set *set, u32 *numbers,
			     const struct kcuckoo_probe *probe)
{
	u32 first = probe->bucket[0] < probe->bucket[1] ?
		    probe->bucket[0] : probe->bucket[1];
	struct kcuckoo_number number = {
		(u64)first << 32 | (probe->bucket[0] ^ probe->bucket[1]),
		probe->tag[0],
	};
	u64 place = number_set_place(set, number);

	if (number_set_add(set, number))
		numbers[place] = set->count - 1;
	return numbers[place];
}

/* Byte strings or prefixes for a store of fingerprints. */
static inline void kin_of_fingerprints(struct kcuckoo_key *keys, u32 *kin_of,
				       u32 nkeys,
				       const struct kcuckoo_layout *layout,
				       const struct kcuckoo_hash_key *secret)
{
	bool bytes = random_below(2);
	struct kcuckoo_store store;
	struct number_set set;
	u32 *numbers;
	u32 i;

	fixture_inet(&store, layout, secret);
	number_set_init(&set, nkeys);
	numbers = tap_zalloc((set.mask + 1) * sizeof(*numbers));
	for (i = 0; i < nkeys; i++) {
		struct kcuckoo_key *key = &keys[i];
		struct kcuckoo_probe probe;

		key->number = number_random(128);
		if (bytes)
			key->hash = kcuckoo_hash_bytes(secret,
						       (u8 *)&key->number,
						       4 + i % 13);
		else
			kcuckoo_key_hash(key, secret, 128);
		kcuckoo_store_probe(&store, key, &probe);
		kin_of[i] = kin_number(&set, numbers, &probe);
	}
	tap_free(numbers);
	number_set_free(&set);
	fixture_inet_free(&store);
}

/* Prefixes for an exact store, all different: each is kin to itself alone. */
static inline void kin_of_numbers(struct kcuckoo_key *keys, u32 *kin_of,
				  u32 nkeys, unsigned int plen,
				  const struct kcuckoo_hash_key *secret)
{
	struct number_set set;
	u32 i;

	number_set_init(&set, nkeys);
	for (i = 0; i < nkeys; i++) {
		do {
			keys[i].number = number_random(plen);
		} while (!number_set_add(&set, keys[i].number));
		kcuckoo_key_permute(&keys[i], secret, plen);
		kin_of[i] = i;
	}
	number_set_free(&set);
}

#endif /* _SELFTESTS_CORE_KIN_H */
