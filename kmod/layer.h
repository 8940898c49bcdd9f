/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Layers: the stores of a filter with their memory, one for each family and
 * prefix length in use, or one for all byte strings; length indexes with theirs;
 * and generations, the set of a filter's layers and indexes.
 */
#ifndef _KCUCKOO_LAYER_H
#define _KCUCKOO_LAYER_H

#include <linux/kcuckoo.h>
#include <linux/rcupdate.h>
#include <linux/workqueue.h>

#include "account.h"
#include "growth.h"
#include "lengths.h"

/*
 * Layers are counted: IPv4 of 0..32 bits, IPv6 of 0..128 bits, and the one of
 * byte strings.
 */
#define KCUCKOO_IPV4_LAYERS	33
#define KCUCKOO_IPV6_LAYERS	129
#define KCUCKOO_FAMILIES	2
#define KCUCKOO_BYTES_LAYER	(KCUCKOO_IPV4_LAYERS + KCUCKOO_IPV6_LAYERS)
#define KCUCKOO_LAYERS		(KCUCKOO_BYTES_LAYER + 1)

/**
 * struct kcuckoo_layer - one store and its memory
 * @store: the store; written under the filter's lock
 * @growth: the copying of it that is under way, or NULL; under the filter's lock
 * @serial: number that no other layer of the filter ever has, from 1; constant
 *	once published
 * @account: what @store's planes and this structure are charged to, constant
 * @free: to free it after a grace period
 */
struct kcuckoo_layer {
	struct kcuckoo_store store;
	struct kcuckoo_growth *growth;
	u64 serial;
	struct kcuckoo_account *account;
	struct rcu_work free;
};

/**
 * struct kcuckoo_index - a length index and its memory
 * @lengths: the index; its cells are written under the filter's lock
 * @account: what the cells and this structure are charged to, constant
 * @free: to free it after a grace period
 */
struct kcuckoo_index {
	struct kcuckoo_lengths lengths;
	struct kcuckoo_account *account;
	struct rcu_work free;
};

/**
 * struct kcuckoo_generation - the layers of a filter between two flushes
 * @lengths: set of the lengths that have a layer, see kcuckoo_length_word();
 *	written under the filter's lock, read without
 * @layer: the layers, NULL where there is none; replaced under the filter's
 *	lock and its growth mutex together, so either keeps it as it is
 * @index: length index of IPv4 and of IPv6, NULL where there is none; replaced
 *	as @layer
 * @account: what this structure is charged to, constant
 * @free: to free it after a grace period
 */
struct kcuckoo_generation {
	u64 lengths[KCUCKOO_LENGTH_WORDS];
	struct kcuckoo_layer __rcu *layer[KCUCKOO_LAYERS];
	struct kcuckoo_index __rcu *index[KCUCKOO_FAMILIES];
	struct kcuckoo_account *account;
	struct rcu_work free;
};

struct kcuckoo_layer *
kcuckoo_layer_create(struct kcuckoo_account *account,
		     const struct kcuckoo_shape *shape,
		     const struct kcuckoo_hash_key *secret);
void kcuckoo_layer_free(struct kcuckoo_layer *layer);
void kcuckoo_layer_retire(struct kcuckoo_layer *layer);
u64 kcuckoo_layer_bytes(const struct kcuckoo_layer *layer);

struct kcuckoo_index *
kcuckoo_index_create(struct kcuckoo_account *account,
		     const struct kcuckoo_lengths_form *form,
		     const struct kcuckoo_hash_key *secret);
void kcuckoo_index_free(struct kcuckoo_index *index);
void kcuckoo_index_retire(struct kcuckoo_index *index);
u64 kcuckoo_index_bytes(const struct kcuckoo_index *index);

struct kcuckoo_generation *
kcuckoo_generation_create(struct kcuckoo_account *account);
void kcuckoo_generation_free(struct kcuckoo_generation *generation);
void kcuckoo_generation_retire(struct kcuckoo_generation *generation);

/**
 * kcuckoo_layer_index() - number of a layer
 * @family: KCUCKOO_FAMILY_IPV4 or KCUCKOO_FAMILY_IPV6
 * @plen: prefix length, 0..32 or 0..128
 *
 * Return: the number, below KCUCKOO_LAYERS.
 */
static inline unsigned int kcuckoo_layer_index(unsigned int family,
					       unsigned int plen)
{
	return family == KCUCKOO_FAMILY_IPV4 ? plen :
					       KCUCKOO_IPV4_LAYERS + plen;
}

/**
 * kcuckoo_layer_family() - family of a layer
 * @index: number of the layer
 *
 * Return: KCUCKOO_FAMILY_IPV4 or KCUCKOO_FAMILY_IPV6; byte strings are counted
 * with the first.
 */
static inline unsigned int kcuckoo_layer_family(unsigned int index)
{
	return index < KCUCKOO_IPV4_LAYERS || index == KCUCKOO_BYTES_LAYER ?
	       KCUCKOO_FAMILY_IPV4 : KCUCKOO_FAMILY_IPV6;
}

/**
 * kcuckoo_family_number() - position of a family in arrays by family
 * @family: KCUCKOO_FAMILY_IPV4 or KCUCKOO_FAMILY_IPV6
 *
 * Return: 0 or 1.
 */
static inline unsigned int kcuckoo_family_number(unsigned int family)
{
	return family != KCUCKOO_FAMILY_IPV4;
}

/**
 * kcuckoo_layer_plen() - prefix length of a layer
 * @index: number of the layer
 *
 * Return: bits; 0 for byte strings.
 */
static inline unsigned int kcuckoo_layer_plen(unsigned int index)
{
	if (index == KCUCKOO_BYTES_LAYER)
		return 0;
	return index < KCUCKOO_IPV4_LAYERS ? index :
					     index - KCUCKOO_IPV4_LAYERS;
}

#endif /* _KCUCKOO_LAYER_H */
