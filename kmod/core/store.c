// SPDX-License-Identifier: GPL-2.0-only
/*
 * Adds, finds, reads and removes the members of a store: a cuckoo table or a bitmap.
 *
 * Most functions call the function of table.c with a similar name if the store is a
 * table, and otherwise access the bit of the key's number in the bitmap.
 */
#include <linux/minmax.h>
#include <linux/prefetch.h>

#include "core/store.h"

/**
 * kcuckoo_key_permute() - fill in the permuted number of a key
 * @key: the key, with its number
 * @secret: secret of the filter
 * @bits: bits of the number, 0..128
 *
 * Does nothing if @bits is at most KCUCKOO_BITMAP_BITS, because an exact store for such
 * numbers is a bitmap.
 */
void kcuckoo_key_permute(struct kcuckoo_key *key,
			 const struct kcuckoo_hash_key *secret,
			 unsigned int bits)
{
	if (bits > KCUCKOO_BITMAP_BITS)
		key->permuted = kcuckoo_permute(secret, key->number, bits);
}

/**
 * kcuckoo_key_restore() - fill in the number of a key from the permuted number
 * @key: the key, with its permuted number
 * @secret: secret of the filter
 * @bits: bits of the number, 0..128
 *
 * Does nothing if @bits is at most KCUCKOO_BITMAP_BITS, as kcuckoo_key_permute().
 */
void kcuckoo_key_restore(struct kcuckoo_key *key,
			 const struct kcuckoo_hash_key *secret,
			 unsigned int bits)
{
	if (bits > KCUCKOO_BITMAP_BITS)
		key->number = kcuckoo_unpermute(secret, key->permuted, bits);
}

/**
 * kcuckoo_key_hash() - fill in the hash of a prefix
 * @key: the key, with its number
 * @secret: secret of the filter
 * @bits: bits of the number, 0..128
 */
void kcuckoo_key_hash(struct kcuckoo_key *key,
		      const struct kcuckoo_hash_key *secret, unsigned int bits)
{
	key->hash = kcuckoo_hash_number(secret, key->number.hi, key->number.lo,
					bits);
}

/**
 * kcuckoo_store_init() - initialize an empty store in zeroed memory
 * @store: the store
 * @layout: the layout, copied
 * @tags: kcuckoo_layout_tag_words() zeroed words; the caller frees them after the last
 *	use of @store
 * @aux: kcuckoo_layout_aux_words() zeroed words, which the caller frees like @tags; NULL
 *	if the number of words is 0
 * @secret: secret of the filter; not needed after the call
 */
void kcuckoo_store_init(struct kcuckoo_store *store,
			const struct kcuckoo_layout *layout, u64 *tags,
			u64 *aux, const struct kcuckoo_hash_key *secret)
{
	store->layout = *layout;
	kcuckoo_table_init(&store->table, &layout->params, tags, aux, secret);
	store->fast_exact = !layout->bitmap && layout->params.exact &&
			layout->params.nbuckets > 1 && store->table.tags_only &&
			!secret->strong;
}

/**
 * kcuckoo_store_places() - get the number of places for members
 * @store: the store
 *
 * Return: the number of entries of a table, free or not, or the number of bits of a
 * bitmap.
 */
u64 kcuckoo_store_places(const struct kcuckoo_store *store)
{
	if (store->layout.bitmap)
		return 1ULL << store->layout.bits;
	return kcuckoo_table_places(&store->table);
}

/**
 * kcuckoo_store_probe() - compute the probe of a key
 * @store: the store
 * @key: the key, with the permuted number for an exact table, or the hash for
 *	fingerprints
 * @probe: out: buckets, tags and identity bits of the key; unchanged if the store is a
 *	bitmap. The caller sets value, expiry and @now
 */
void kcuckoo_store_probe(const struct kcuckoo_store *store,
			 const struct kcuckoo_key *key,
			 struct kcuckoo_probe *probe)
{
	if (store->layout.bitmap)
		return;
	if (kcuckoo_store_exact(store))
		kcuckoo_table_probe_number(&store->table, key->permuted.lo,
					   key->permuted.hi, probe);
	else
		kcuckoo_table_probe_hash(&store->table, key->hash, probe);
}

static bool kcuckoo_store_bit(const struct kcuckoo_store *store, u64 bit)
{
	return kcuckoo_bits_get(store->table.tags, bit, 1);
}

/* Checks whether a bit of a bitmap is set, and its member has not expired. */
static bool kcuckoo_store_bit_contains(const struct kcuckoo_store *store, u64 bit,
				       const struct kcuckoo_probe *probe)
{
	u32 expiry;

	if (!kcuckoo_store_bit(store, bit))
		return false;
	if (!store->layout.params.expiry_bits)
		return true;
	expiry = kcuckoo_table_expiry(&store->table, bit);
	return !expiry || expiry > probe->now;
}

/**
 * kcuckoo_store_prefetch() - prefetch the memory that a look-up reads
 * @store: the store
 * @key: the key
 * @probe: the key's probe for this store
 */
void kcuckoo_store_prefetch(const struct kcuckoo_store *store,
			    const struct kcuckoo_key *key,
			    const struct kcuckoo_probe *probe)
{
	if (store->layout.bitmap)
		prefetch(store->table.tags + (key->number.lo >> 6));
	else
		kcuckoo_table_prefetch(&store->table, probe);
}

/**
 * kcuckoo_store_contains() - check whether a key is a member
 * @store: the store
 * @key: the key
 * @probe: the key's probe for this store
 *
 * Context: readers without a lock have to check that no write overlapped.
 * Return: true if the key is a member and has not expired.
 */
bool kcuckoo_store_contains(const struct kcuckoo_store *store,
			    const struct kcuckoo_key *key,
			    const struct kcuckoo_probe *probe)
{
	if (store->layout.bitmap)
		return kcuckoo_store_bit_contains(store, key->number.lo, probe);
	return kcuckoo_table_contains(&store->table, probe);
}

/**
 * kcuckoo_store_find() - find the place of a member
 * @store: the store
 * @key: the key
 * @probe: the key's probe for this store
 *
 * Return: the place, or KCUCKOO_NO_PLACE if the key is not a member or has expired.
 */
u64 kcuckoo_store_find(const struct kcuckoo_store *store,
		       const struct kcuckoo_key *key,
		       const struct kcuckoo_probe *probe)
{
	if (!store->layout.bitmap)
		return kcuckoo_table_find(&store->table, probe);
	return kcuckoo_store_bit_contains(store, key->number.lo, probe) ?
	       key->number.lo : KCUCKOO_NO_PLACE;
}

/**
 * kcuckoo_store_find_value() - find the place of a member by key and value
 * @store: the store
 * @key: the key
 * @probe: the key's probe for this store, with the value
 *
 * In a store of fingerprints, keys with the same fingerprint can have different values.
 *
 * Return: the place, or KCUCKOO_NO_PLACE if no member that has not expired has this key
 * and value.
 */
u64 kcuckoo_store_find_value(const struct kcuckoo_store *store,
			     const struct kcuckoo_key *key,
			     const struct kcuckoo_probe *probe)
{
	u64 place;

	if (!store->layout.bitmap)
		return kcuckoo_table_find_value(&store->table, probe);
	place = kcuckoo_store_find(store, key, probe);
	if (place != KCUCKOO_NO_PLACE &&
	    kcuckoo_table_value(&store->table, place) != probe->value)
		place = KCUCKOO_NO_PLACE;
	return place;
}

/**
 * kcuckoo_store_values() - read all values of a key
 * @store: the store
 * @key: the key
 * @probe: the key's probe for this store
 * @values: out: the values
 *
 * In a store of fingerprints a key can also have the values of other keys with the same
 * fingerprint.
 *
 * Context: readers without a lock have to check that no write overlapped.
 * Return: the number of values; 0 if the key is not a member.
 */
unsigned int kcuckoo_store_values(const struct kcuckoo_store *store,
				  const struct kcuckoo_key *key,
				  const struct kcuckoo_probe *probe,
				  u32 values[KCUCKOO_VALUES_MAX])
{
	u64 place = kcuckoo_store_find(store, key, probe);
	unsigned int count = 0;

	/*
	 * Without the check of the count, a reader could find more entries than fit into
	 * two buckets, because a writer can add entries at the same time.
	 */
	while (place != KCUCKOO_NO_PLACE && count < KCUCKOO_VALUES_MAX) {
		values[count++] = kcuckoo_table_value(&store->table, place);
		if (kcuckoo_store_exact(store))
			break;
		place = kcuckoo_table_next(&store->table, probe, place);
	}
	return count;
}

/**
 * kcuckoo_store_vacant() - find a free place for a key that is not a member
 * @store: the store
 * @key: the key
 * @probe: the key's probe for this store
 * @from: the cursor of a rehash, or 0. If the free place in the first bucket is before
 *	@from, the function prefers a free place in the second bucket: an add at or after
 *	the cursor need not be repeated in the new store
 *
 * Return: the place, or KCUCKOO_NO_PLACE if both buckets are full.
 */
u64 kcuckoo_store_vacant(const struct kcuckoo_store *store,
			 const struct kcuckoo_key *key,
			 const struct kcuckoo_probe *probe, u64 from)
{
	u64 place[2];

	if (store->layout.bitmap)
		return key->number.lo;
	place[0] = kcuckoo_table_bucket_vacant(&store->table,
					       probe->bucket[0]);
	if (place[0] != KCUCKOO_NO_PLACE && place[0] >= from)
		return place[0];
	place[1] = kcuckoo_table_bucket_vacant(&store->table,
					       probe->bucket[1]);
	return place[1] != KCUCKOO_NO_PLACE ? place[1] : place[0];
}

/* Sets or clears a bit of a bitmap, and writes value and expiry if the store has them. */
static void kcuckoo_store_bit_put(struct kcuckoo_store *store, u64 bit,
				  bool set, u32 value, u32 expiry)
{
	struct kcuckoo_table *table = &store->table;

	kcuckoo_bits_put(table->tags, bit, 1, set);
	table->entries += set ? 1 : -1;
	if (!table->aux)
		return;
	kcuckoo_table_set_value(table, bit, value);
	kcuckoo_table_set_expiry(table, bit, expiry);
}

/**
 * kcuckoo_store_put() - store a member at a free place
 * @store: the store
 * @place: the place, from kcuckoo_store_vacant() or a search
 * @probe: the key's probe for this store
 *
 * Context: the writer, in a write section if readers can see the store.
 */
void kcuckoo_store_put(struct kcuckoo_store *store, u64 place,
		       const struct kcuckoo_probe *probe)
{
	if (store->layout.bitmap)
		kcuckoo_store_bit_put(store, place, true, probe->value,
				      probe->expiry);
	else
		kcuckoo_table_put(&store->table, place, probe);
}

/**
 * kcuckoo_store_clear() - remove a member
 * @store: the store
 * @place: the member's place
 *
 * Context: the writer, in a write section if readers can see the store.
 */
void kcuckoo_store_clear(struct kcuckoo_store *store, u64 place)
{
	if (store->layout.bitmap)
		kcuckoo_store_bit_put(store, place, false, 0, 0);
	else
		kcuckoo_table_clear(&store->table, place);
}

/**
 * kcuckoo_store_used() - check whether a place has a member
 * @store: the store
 * @place: the place
 *
 * Return: true if the place has a member, expired or not.
 */
bool kcuckoo_store_used(const struct kcuckoo_store *store, u64 place)
{
	if (store->layout.bitmap)
		return kcuckoo_store_bit(store, place);
	return kcuckoo_table_tag(&store->table, place);
}

/**
 * kcuckoo_store_get() - read the member at a place
 * @store: an exact store
 * @place: the place
 * @key: out: @number if the store is a bitmap, @permuted if it is a table; unchanged if
 *	the place is free
 *
 * Return: true if the place has a member, false if the place is free.
 */
bool kcuckoo_store_get(const struct kcuckoo_store *store, u64 place,
		       struct kcuckoo_key *key)
{
	if (!kcuckoo_store_used(store, place))
		return false;
	if (store->layout.bitmap) {
		key->number.hi = 0;
		key->number.lo = place;
	} else {
		key->permuted.lo = kcuckoo_table_number(&store->table, place,
							&key->permuted.hi);
	}
	return true;
}

/* Checks whether the number of an entry of an exact table has at most @layout.bits bits. */
static bool kcuckoo_store_valid_number(const struct kcuckoo_store *store,
				       u64 place)
{
	const struct kcuckoo_table *table = &store->table;
	unsigned int bits = min_t(unsigned int, store->layout.bits, 64);
	u64 quotient = (kcuckoo_table_tag(table, place) - 1) >> 1;
	u64 max_number = kcuckoo_bits_mask(bits);
	u64 aux;

	if (quotient > max_number / table->params.nbuckets)
		return false;
	/* With the largest quotient not all remainders are possible. */
	return kcuckoo_table_number(table, place, &aux) -
	       quotient * table->params.nbuckets <=
	       max_number - quotient * table->params.nbuckets;
}

/* Checks whether an entry is in the part that the lowest bits of its fingerprint give. */
static bool kcuckoo_store_valid_part(const struct kcuckoo_table *table,
				     u64 place)
{
	u64 tag = kcuckoo_table_tag(table, place);

	return kcuckoo_table_bucket(table, place) / table->part_buckets ==
	       (tag & table->part_mask);
}

/*
 * Checks whether the second plane is zero at a free place. When a member is later stored
 * at this place, kcuckoo_table_set_expiry() reads the old expiry. If the old expiry were
 * not 0, the function would decrement @expiring for an entry that was never counted.
 */
static bool kcuckoo_store_valid_free(const struct kcuckoo_store *store,
				     u64 place)
{
	const struct kcuckoo_table *table = &store->table;
	struct kcuckoo_entry entry = {};

	if (!store->layout.bitmap)
		kcuckoo_table_get(table, place, &entry);
	return !entry.aux && !kcuckoo_table_value(table, place) &&
	       !kcuckoo_table_expiry(table, place);
}

static bool kcuckoo_store_valid_used(const struct kcuckoo_store *store,
				     u64 place)
{
	if (store->layout.bitmap)
		return true;
	return kcuckoo_store_exact(store) ?
	       kcuckoo_store_valid_number(store, place) :
	       kcuckoo_store_valid_part(&store->table, place);
}

/**
 * kcuckoo_store_valid() - check the entries of a bucket that come from user memory
 * @store: a store whose planes were copied from a snapshot
 * @place: the first place of a bucket, or of a group of places of a bitmap
 * @end: kcuckoo_store_next_bucket() of @place
 *
 * An entry is valid if adding a key could have written it. An entry that is not valid
 * could refer to a bucket outside the table, or to a key that does not exist.
 *
 * Return: true if all entries are valid.
 */
bool kcuckoo_store_valid(const struct kcuckoo_store *store, u64 place, u64 end)
{
	const struct kcuckoo_table *table = &store->table;

	if (table->params.sorted &&
	    !kcuckoo_table_sorted_valid(table, kcuckoo_table_bucket(table,
								    place)))
		return false;
	for (; place < end; place++)
		if (!(kcuckoo_store_used(store, place) ?
		      kcuckoo_store_valid_used(store, place) :
		      kcuckoo_store_valid_free(store, place)))
			return false;
	return true;
}

/**
 * kcuckoo_store_next_bucket() - get the first place of the next bucket
 * @store: the store
 * @place: a place
 *
 * A bitmap has no buckets, so its places are processed in groups. A group has the 64
 * places of a word; if the bitmap has a second plane, a group has
 * KCUCKOO_BUCKET_SIZE_MAX places.
 *
 * Return: the place after the bucket or group of @place.
 */
u64 kcuckoo_store_next_bucket(const struct kcuckoo_store *store, u64 place)
{
	unsigned int word = store->table.aux ? KCUCKOO_BUCKET_SHIFT_MAX : 6;
	unsigned int shift = store->layout.bitmap ?
			     word : store->layout.params.bucket_shift;
	u64 next = ((place >> shift) + 1) << shift;
	u64 end = kcuckoo_store_places(store);

	return next < end ? next : end;
}
