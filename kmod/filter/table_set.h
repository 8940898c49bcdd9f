/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Table sets: the layers and length indexes of a filter.
 *
 * Readers hold rcu_read_lock(). A writer that replaces a layer, an index or a table set
 * holds resize_mutex and the lock of the filter.
 */
#ifndef _KCUCKOO_TABLE_SET_H
#define _KCUCKOO_TABLE_SET_H

#include <linux/kcuckoo.h>
#include <linux/rcupdate.h>
#include <linux/workqueue.h>

#include "core/bits.h"
#include "core/rehash.h"
#include "core/length_index.h"
#include "filter/account.h"

/*
 * Layers are numbered in this order: IPv4 prefixes of 0..32 bits, IPv6 prefixes of 0..128
 * bits, IPv6 prefixes of 3..64 bits in 2000::/3, and byte strings.
 *
 * IANA assigns global unicast addresses from 2000::/3 (IANA, IPv6 Global Unicast Address
 * Assignments), so the first three bits of most prefixes carry no information. An exact
 * filter has separate layers for the prefixes of 3..64 bits in 2000::/3. The tables of these
 * layers do not store the three bits. Prefixes of more than 64 bits have no separate
 * layers: they are rare in lists, and the code for packets relies on one layer of full
 * addresses for each family (kcuckoo_layer_host()).
 *
 * Measured with a list of the networks of all countries: its 73,723 IPv6 networks take
 * 268,608 bytes with the separate layers, and 296,184 bytes, 10 % more, without them.
 * Look-ups take at most 6 % longer with the separate layers.
 */
#define KCUCKOO_IPV4_LAYERS	33	/* prefix lengths 0..32 */
#define KCUCKOO_IPV6_LAYERS	129	/* prefix lengths 0..128 */
#define KCUCKOO_GLOBAL_BITS	3	/* length of the prefix 2000::/3 */
#define KCUCKOO_GLOBAL_VALUE	1	/* the first 3 bits of addresses in 2000::/3 */
#define KCUCKOO_GLOBAL_PLEN_MAX	64	/* longest prefix length with separate layers */
#define KCUCKOO_GLOBAL_LAYER	(KCUCKOO_IPV4_LAYERS + KCUCKOO_IPV6_LAYERS)
#define KCUCKOO_GLOBAL_LAYERS \
	(KCUCKOO_GLOBAL_PLEN_MAX - KCUCKOO_GLOBAL_BITS + 1)
#define KCUCKOO_FAMILIES	2	/* IPv4 and IPv6; byte strings count as IPv4 */
#define KCUCKOO_BYTES_LAYER	(KCUCKOO_GLOBAL_LAYER + KCUCKOO_GLOBAL_LAYERS)
#define KCUCKOO_LAYERS		(KCUCKOO_BYTES_LAYER + 1)

/**
 * struct kcuckoo_layer - a store (core/store.h) and its memory
 * @store: the store; written under the lock of the filter
 * @rehash: the rehash that is copying @store into another store, or NULL; read and
 *	written under the lock of the filter
 * @serial: serial number: 0 in a new layer; once the layer is published, a constant of 1
 *	or more that no other layer of the filter ever has
 * @account: account to which the planes of @store and this structure are charged,
 *	constant
 * @free: work that frees the layer after a grace period
 */
struct kcuckoo_layer {
	struct kcuckoo_store store;
	struct kcuckoo_rehash *rehash;
	u64 serial;
	struct kcuckoo_account *account;
	struct rcu_work free;
};

/**
 * struct kcuckoo_index - a length index (core/length_index.h) and its memory
 * @core: the index; its cells are written under the lock of the filter
 * @account: account to which the cells and this structure are charged, constant
 * @free: work that frees the index after a grace period
 */
struct kcuckoo_index {
	struct kcuckoo_length_index core;
	struct kcuckoo_account *account;
	struct rcu_work free;
};

/**
 * struct kcuckoo_table_set - the layers and length indexes of a filter
 * @lengths: set of the prefix lengths that have a layer, with one bit for each, see
 *	kcuckoo_length_word(); written under the lock of the filter, read without the
 *	lock; has no meaning in a filter of byte strings
 * @layer: the layers by number, NULL for a layer that does not exist; replaced under both
 *	the lock and the resize_mutex of the filter, so a holder of one of them can read
 *	the pointer
 * @index: length indexes of IPv4 and IPv6, or NULL; replaced under the same locks as
 *	@layer
 * @account: account to which this structure is charged, constant
 * @free: work that frees the table set after a grace period
 */
struct kcuckoo_table_set {
	u64 lengths[KCUCKOO_LENGTH_WORDS];
	struct kcuckoo_layer __rcu *layer[KCUCKOO_LAYERS];
	struct kcuckoo_index __rcu *index[KCUCKOO_FAMILIES];
	struct kcuckoo_account *account;
	struct rcu_work free;
};

struct kcuckoo_layer *
kcuckoo_layer_create(struct kcuckoo_account *account,
		     const struct kcuckoo_layout *layout,
		     const struct kcuckoo_hash_key *secret);
void kcuckoo_layer_free(struct kcuckoo_layer *layer);
void kcuckoo_layer_retire(struct kcuckoo_layer *layer);
u64 kcuckoo_layer_bytes(const struct kcuckoo_layer *layer);

struct kcuckoo_index *
kcuckoo_index_create(struct kcuckoo_account *account,
		     const struct kcuckoo_index_params *params,
		     const struct kcuckoo_hash_key *secret);
void kcuckoo_index_free(struct kcuckoo_index *index);
void kcuckoo_index_retire(struct kcuckoo_index *index);
u64 kcuckoo_index_bytes(const struct kcuckoo_index *index);

struct kcuckoo_table_set *
kcuckoo_table_set_create(struct kcuckoo_account *account);
void kcuckoo_table_set_free(struct kcuckoo_table_set *table_set);
void kcuckoo_table_set_retire(struct kcuckoo_table_set *table_set);

/**
 * kcuckoo_address_is_global() - check whether an IPv6 address is in 2000::/3
 * @address: the upper 64 bits of the address
 *
 * Return: true if the address is in 2000::/3.
 */
static inline bool kcuckoo_address_is_global(u64 address)
{
	return address >> (64 - KCUCKOO_GLOBAL_BITS) == KCUCKOO_GLOBAL_VALUE;
}

/**
 * kcuckoo_layer_index() - get the number of a layer
 * @family: KCUCKOO_FAMILY_IPV4 or KCUCKOO_FAMILY_IPV6
 * @plen: prefix length, 0..32 or 0..128
 * @is_global: for IPv6, true to get the separate layer for prefixes in 2000::/3, if the
 *	prefix length has such a layer
 *
 * Return: the number, below KCUCKOO_LAYERS.
 */
static inline unsigned int kcuckoo_layer_index(unsigned int family,
					       unsigned int plen,
					       bool is_global)
{
	if (family == KCUCKOO_FAMILY_IPV4)
		return plen;
	if (is_global && plen >= KCUCKOO_GLOBAL_BITS &&
	    plen <= KCUCKOO_GLOBAL_PLEN_MAX)
		return KCUCKOO_GLOBAL_LAYER + plen - KCUCKOO_GLOBAL_BITS;
	return KCUCKOO_IPV4_LAYERS + plen;
}

/**
 * kcuckoo_layer_host() - get the number of the layer of full addresses of a family
 * @family: KCUCKOO_FAMILY_IPV4 or KCUCKOO_FAMILY_IPV6
 *
 * Return: the number, below KCUCKOO_LAYERS.
 */
static inline unsigned int kcuckoo_layer_host(unsigned int family)
{
	return kcuckoo_layer_index(family,
				   family == KCUCKOO_FAMILY_IPV4 ? 32 : 128,
				   false);
}

/**
 * kcuckoo_layer_is_global() - check whether a layer is only for prefixes in 2000::/3
 * @index: number of the layer
 *
 * Return: true for a layer of prefixes in 2000::/3, which does not store the first
 * KCUCKOO_GLOBAL_BITS bits of its members.
 */
static inline bool kcuckoo_layer_is_global(unsigned int index)
{
	return index >= KCUCKOO_GLOBAL_LAYER && index < KCUCKOO_BYTES_LAYER;
}

/**
 * kcuckoo_layer_family() - get the family of a layer
 * @index: number of the layer
 *
 * Return: KCUCKOO_FAMILY_IPV4 or KCUCKOO_FAMILY_IPV6; KCUCKOO_FAMILY_IPV4 for byte strings.
 */
static inline unsigned int kcuckoo_layer_family(unsigned int index)
{
	return index < KCUCKOO_IPV4_LAYERS || index == KCUCKOO_BYTES_LAYER ?
	       KCUCKOO_FAMILY_IPV4 : KCUCKOO_FAMILY_IPV6;
}

/**
 * kcuckoo_family_number() - get the index of a family in arrays of KCUCKOO_FAMILIES
 *	elements
 * @family: KCUCKOO_FAMILY_IPV4 or KCUCKOO_FAMILY_IPV6
 *
 * Return: 0 for IPv4, 1 for IPv6.
 */
static inline unsigned int kcuckoo_family_number(unsigned int family)
{
	return family != KCUCKOO_FAMILY_IPV4;
}

/**
 * kcuckoo_family_bits() - get the number of bits of the addresses of a family
 * @family: KCUCKOO_FAMILY_IPV4 or KCUCKOO_FAMILY_IPV6
 *
 * Return: 32 or 128.
 */
static inline unsigned int kcuckoo_family_bits(unsigned int family)
{
	return family == KCUCKOO_FAMILY_IPV4 ? 32 : 128;
}

/**
 * kcuckoo_layer_plen() - get the prefix length of a layer
 * @index: number of the layer
 *
 * Return: the prefix length, 0..128; 0 for byte strings.
 */
static inline unsigned int kcuckoo_layer_plen(unsigned int index)
{
	if (index == KCUCKOO_BYTES_LAYER)
		return 0;
	if (kcuckoo_layer_is_global(index))
		return index - KCUCKOO_GLOBAL_LAYER + KCUCKOO_GLOBAL_BITS;
	return index < KCUCKOO_IPV4_LAYERS ? index :
					     index - KCUCKOO_IPV4_LAYERS;
}

/**
 * kcuckoo_layer_bits() - get the number of address bits of each prefix that a layer stores
 * @index: number of the layer
 *
 * Return: the number of bits, 0..128; 0 for byte strings.
 */
static inline unsigned int kcuckoo_layer_bits(unsigned int index)
{
	unsigned int plen = kcuckoo_layer_plen(index);

	return kcuckoo_layer_is_global(index) ? plen - KCUCKOO_GLOBAL_BITS :
						plen;
}

/**
 * kcuckoo_split_prefix() - find the layer of a prefix, and the bits that the layer stores
 * @exact: whether the filter is exact
 * @family: KCUCKOO_FAMILY_IPV4 or KCUCKOO_FAMILY_IPV6
 * @plen: prefix length, 0..32 or 0..128
 * @number: all address bits of the prefix; out: the bits that the layer stores
 *
 * Return: number of the layer.
 */
static inline unsigned int kcuckoo_split_prefix(bool exact, unsigned int family,
						unsigned int plen,
						struct kcuckoo_number *number)
{
	unsigned int index = kcuckoo_layer_index(family, plen, exact);
	unsigned int bits = kcuckoo_layer_bits(index);

	if (!kcuckoo_layer_is_global(index))
		return index;
	if (number->lo >> bits != KCUCKOO_GLOBAL_VALUE)
		return kcuckoo_layer_index(family, plen, false);
	number->lo &= kcuckoo_bits_mask(bits);
	return index;
}

/**
 * kcuckoo_expand_prefix() - add the bits that kcuckoo_split_prefix() removed
 * @index: number of the layer
 * @number: the bits that the layer stores; out: all address bits of the prefix
 */
static inline void kcuckoo_expand_prefix(unsigned int index,
					 struct kcuckoo_number *number)
{
	if (kcuckoo_layer_is_global(index))
		number->lo |= (u64)KCUCKOO_GLOBAL_VALUE <<
			      kcuckoo_layer_bits(index);
}

/**
 * kcuckoo_layer_sibling() - get the other layer of a prefix length
 * @index: number of a layer
 *
 * Return: number of the other layer of the same family and length; @index itself for a
 * length with one layer; 0 for byte strings.
 */
static inline unsigned int kcuckoo_layer_sibling(unsigned int index)
{
	return kcuckoo_layer_index(kcuckoo_layer_family(index),
				   kcuckoo_layer_plen(index),
				   !kcuckoo_layer_is_global(index));
}

#endif /* _KCUCKOO_TABLE_SET_H */
