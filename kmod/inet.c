// SPDX-License-Identifier: GPL-2.0-only
/*
 * Exact tables of prefixes: storing and finding members.
 */
#include "inet.h"

/**
 * kcuckoo_inet_key_permute() - fill in the permuted number
 * @key: the key; its number is there
 * @secret: secret of the filter
 * @plen: prefix length, 0..128
 *
 * The short lengths, always kept as bitmaps, have no use for it.
 */
void kcuckoo_inet_key_permute(struct kcuckoo_inet_key *key,
			      const struct kcuckoo_hash_key *secret,
			      unsigned int plen)
{
	if (plen > KCUCKOO_BITMAP_PLEN)
		key->permuted = kcuckoo_permute(secret, key->number, plen);
}

/**
 * kcuckoo_inet_key_restore() - fill in the number from the permuted one
 * @key: the key; its permuted number is there
 * @secret: secret of the filter
 * @plen: prefix length, 0..128
 */
void kcuckoo_inet_key_restore(struct kcuckoo_inet_key *key,
			      const struct kcuckoo_hash_key *secret,
			      unsigned int plen)
{
	if (plen > KCUCKOO_BITMAP_PLEN)
		key->number = kcuckoo_unpermute(secret, key->permuted, plen);
}

/**
 * kcuckoo_inet_init() - make an empty table from zeroed memory
 * @table: the table
 * @shape: what it is like
 * @tags: kcuckoo_inet_shape_tag_words() zeroed words
 * @aux: kcuckoo_inet_shape_aux_words() zeroed words, NULL where these are 0
 * @secret: secret of the filter, copied
 */
void kcuckoo_inet_init(struct kcuckoo_inet_table *table,
		       const struct kcuckoo_inet_shape *shape, u64 *tags,
		       u64 *aux, const struct kcuckoo_hash_key *secret)
{
	table->shape = *shape;
	kcuckoo_table_init(&table->table, &shape->geometry, tags, aux, secret);
}

/**
 * kcuckoo_inet_places() - places for members
 * @table: the table
 *
 * Return: their number; one for each possible prefix in a bitmap.
 */
u64 kcuckoo_inet_places(const struct kcuckoo_inet_table *table)
{
	if (table->shape.bitmap)
		return 1ULL << table->shape.plen;
	return kcuckoo_table_places(&table->table);
}

/**
 * kcuckoo_inet_probe() - where a member belongs
 * @table: the table
 * @key: the key, permuted
 * @probe: out: its probe; a bitmap needs none
 */
void kcuckoo_inet_probe(const struct kcuckoo_inet_table *table,
			const struct kcuckoo_inet_key *key,
			struct kcuckoo_probe *probe)
{
	if (!table->shape.bitmap)
		kcuckoo_table_probe_number(&table->table, key->permuted.lo,
					   key->permuted.hi, probe);
}

static bool kcuckoo_inet_bit(const struct kcuckoo_inet_table *table, u64 bit)
{
	return kcuckoo_bits_get(table->table.tags, bit, 1);
}

/**
 * kcuckoo_inet_prefetch() - ask for the memory that a look-up needs
 * @table: the table
 * @key: the key
 * @probe: its probe for this table
 */
void kcuckoo_inet_prefetch(const struct kcuckoo_inet_table *table,
			   const struct kcuckoo_inet_key *key,
			   const struct kcuckoo_probe *probe)
{
	if (table->shape.bitmap)
		__builtin_prefetch(table->table.tags + (key->number.lo >> 6));
	else
		kcuckoo_table_prefetch(&table->table, probe);
}

/**
 * kcuckoo_inet_contains() - is a prefix a member?
 * @table: the table
 * @key: the key
 * @probe: its probe for this table
 *
 * Context: readers without a lock have to check that no write overlapped.
 * Return: true if it is.
 */
bool kcuckoo_inet_contains(const struct kcuckoo_inet_table *table,
			   const struct kcuckoo_inet_key *key,
			   const struct kcuckoo_probe *probe)
{
	if (table->shape.bitmap)
		return kcuckoo_inet_bit(table, key->number.lo);
	return kcuckoo_table_contains(&table->table, probe);
}

/**
 * kcuckoo_inet_find() - find a member
 * @table: the table
 * @key: the key
 * @probe: its probe for this table
 *
 * Return: its place, or KCUCKOO_NO_PLACE.
 */
u64 kcuckoo_inet_find(const struct kcuckoo_inet_table *table,
		      const struct kcuckoo_inet_key *key,
		      const struct kcuckoo_probe *probe)
{
	if (!table->shape.bitmap)
		return kcuckoo_table_find(&table->table, probe);
	return kcuckoo_inet_bit(table, key->number.lo) ? key->number.lo :
							 KCUCKOO_NO_PLACE;
}

/**
 * kcuckoo_inet_vacant() - find a free place for a prefix that is no member
 * @table: the table
 * @key: the key
 * @probe: its probe for this table
 * @from: a place at or behind this one is preferred
 *
 * Moves nothing; see kcuckoo_search_find() for where this finds none.
 *
 * Return: the place, or KCUCKOO_NO_PLACE.
 */
u64 kcuckoo_inet_vacant(const struct kcuckoo_inet_table *table,
			const struct kcuckoo_inet_key *key,
			const struct kcuckoo_probe *probe, u64 from)
{
	u64 place[2];

	if (table->shape.bitmap)
		return key->number.lo;
	place[0] = kcuckoo_table_bucket_vacant(&table->table,
					       probe->bucket[0]);
	if (place[0] != KCUCKOO_NO_PLACE && place[0] >= from)
		return place[0];
	place[1] = kcuckoo_table_bucket_vacant(&table->table,
					       probe->bucket[1]);
	return place[1] != KCUCKOO_NO_PLACE ? place[1] : place[0];
}

static void kcuckoo_inet_bit_put(struct kcuckoo_inet_table *table, u64 bit,
				 bool value)
{
	kcuckoo_bits_put(table->table.tags, bit, 1, value);
	table->table.entries += value ? 1 : -1;
}

/**
 * kcuckoo_inet_put() - store a member at a free place
 * @table: the table
 * @place: the place, from kcuckoo_inet_vacant() or a search
 * @probe: the key's probe for this table
 *
 * Context: the writer, in a write section of its own.
 */
void kcuckoo_inet_put(struct kcuckoo_inet_table *table, u64 place,
		      const struct kcuckoo_probe *probe)
{
	if (table->shape.bitmap)
		kcuckoo_inet_bit_put(table, place, true);
	else
		kcuckoo_table_put(&table->table, place, probe);
}

/**
 * kcuckoo_inet_clear() - remove a member
 * @table: the table
 * @place: its place
 *
 * Context: the writer, in a write section of its own.
 */
void kcuckoo_inet_clear(struct kcuckoo_inet_table *table, u64 place)
{
	if (table->shape.bitmap)
		kcuckoo_inet_bit_put(table, place, false);
	else
		kcuckoo_table_clear(&table->table, place);
}

/**
 * kcuckoo_inet_get() - which member is at a place?
 * @table: the table
 * @place: the place
 * @key: out: the number of a bitmap's member, the permuted number of another's
 *
 * Return: true if the place is in use.
 */
bool kcuckoo_inet_get(const struct kcuckoo_inet_table *table, u64 place,
		      struct kcuckoo_inet_key *key)
{
	if (table->shape.bitmap) {
		key->number.hi = 0;
		key->number.lo = place;
		return kcuckoo_inet_bit(table, place);
	}
	if (!kcuckoo_table_tag(&table->table, place))
		return false;
	key->permuted.lo = kcuckoo_table_number(&table->table, place,
						&key->permuted.hi);
	return true;
}

/**
 * kcuckoo_inet_next_bucket() - where the next bucket begins
 * @table: the table
 * @place: a place
 *
 * Return: the first place behind the bucket, or the word of a bitmap, in which
 * @place is.
 */
u64 kcuckoo_inet_next_bucket(const struct kcuckoo_inet_table *table, u64 place)
{
	unsigned int shift = table->shape.bitmap ?
			     6 : table->shape.geometry.bucket_shift;
	u64 next = ((place >> shift) + 1) << shift;
	u64 end = kcuckoo_inet_places(table);

	return next < end ? next : end;
}
