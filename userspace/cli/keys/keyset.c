// SPDX-License-Identifier: GPL-2.0-only
/*
 * A keyset holds addresses and prefixes in little memory. A key can occur
 * several times. keyset.h describes the records.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "keys/keyset.h"
#include "keys/record.h"

/* Up to about this number of records, insertion sort is faster than radix sort. */
#define FEW	24

static void array_init(struct record_array *array, size_t key_size,
		       size_t note_size)
{
	memset(array, 0, sizeof(*array));
	array->key_size = key_size;
	array->width = key_size + note_size;
}

void keyset_init(struct keyset *set)
{
	array_init(&set->families[0], 4 + 1, 0);
	array_init(&set->families[1], 16 + 1, 0);
}

void keyset_free(struct keyset *set)
{
	free(set->families[0].data);
	free(set->families[1].data);
	keyset_init(set);
}

void keyset_keep_notes(struct keyset *set)
{
	array_init(&set->families[0], 4 + 1, sizeof(struct note));
	array_init(&set->families[1], 16 + 1, sizeof(struct note));
}

bool keyset_has_notes(const struct keyset *set)
{
	return set->families[0].width > set->families[0].key_size;
}

void keyset_clear(struct keyset *set)
{
	set->families[0].count = 0;
	set->families[1].count = 0;
}

int keyset_add_noted(struct keyset *set, const struct kcuckoo_prefix *key,
		     const struct note *note)
{
	struct record_array *array = &set->families[key->family - 1];
	uint8_t *record = array_append(array);

	if (!record)
		return -ENOMEM;
	/*
	 * With constant lengths, the compiler replaces each memcpy() by one or two instructions.
	 */
	if (key->family == KCUCKOO_FAMILY_IPV4)
		memcpy(record, key->addr, 4);
	else
		memcpy(record, key->addr, 16);
	record[array->key_size - 1] = key->plen;
	if (array->width > array->key_size)
		memcpy(record + array->key_size, note, sizeof(*note));
	return 0;
}

int keyset_add(struct keyset *set, const struct kcuckoo_prefix *key)
{
	static const struct note none;

	return keyset_add_noted(set, key, &none);
}

size_t keyset_count(const struct keyset *set)
{
	return set->families[0].count + set->families[1].count;
}

size_t keyset_bytes(const struct keyset *set)
{
	return set->families[0].count * set->families[0].width +
	       set->families[1].count * set->families[1].width;
}

/* Return: record number @number of the set. Set @family to its index in @set->families. */
static const uint8_t *record_at(const struct keyset *set, size_t number,
				int *family)
{
	const struct record_array *array = set->families;

	*family = number >= array->count;
	if (*family)
		number -= array++->count;
	return array->data + number * array->width;
}

size_t keyset_read(const struct keyset *set, size_t first,
		   struct kcuckoo_prefix *keys, size_t count)
{
	size_t i, all = keyset_count(set);
	const uint8_t *record;
	int family;

	for (i = 0; i < count && first + i < all; i++) {
		record = record_at(set, first + i, &family);
		record_read(record, family, &keys[i]);
	}
	return i;
}

size_t keyset_read_notes(const struct keyset *set, size_t first,
			 struct note *notes, size_t count)
{
	size_t i, all = keyset_count(set);
	const uint8_t *record;
	int family;

	for (i = 0; i < count && first + i < all; i++) {
		record = record_at(set, first + i, &family);
		memcpy(&notes[i], record + set->families[family].key_size,
		       sizeof(*notes));
	}
	return i;
}

/* Maximum length of a record in bytes: an IPv6 key and a note. */
#define WIDEST	(16 + 1 + sizeof(struct note))

/* With a constant @width, the compiler replaces each memcpy() by a few instructions. */
static inline __attribute__((always_inline)) void
swap_bytes(uint8_t *a, uint8_t *b, size_t width)
{
	uint8_t spare[WIDEST];

	memcpy(spare, a, width);
	memcpy(a, b, width);
	memcpy(b, spare, width);
}

static inline void swap_records(uint8_t *a, uint8_t *b, size_t width)
{
	if (width == 4 + 1)
		swap_bytes(a, b, 4 + 1);
	else if (width == 16 + 1)
		swap_bytes(a, b, 16 + 1);
	else
		swap_bytes(a, b, width);
}

static void sort_few(uint8_t *data, size_t count, size_t width, size_t key)
{
	uint8_t *at, *end = data + count * width;

	for (at = data + width; at < end; at += width) {
		uint8_t *back = at;

		while (back > data && memcmp(back - width, back, key) > 0) {
			swap_records(back - width, back, width);
			back -= width;
		}
	}
}

/*
 * Sort records whose first @byte bytes are equal, by a radix sort in place ("American flag" by
 * McIlroy, Bostic and McIlroy). This sort needs no second copy of the keys, and its time is
 * linear in the size of the keys.
 */
static void sort_from(uint8_t *data, size_t count, size_t width, size_t key,
		      size_t byte)
{
	size_t next[256], end[256] = { 0 };
	size_t i, start = 0;

	if (count <= FEW) {
		sort_few(data, count, width, key);
		return;
	}
	for (i = 0; i < count; i++)
		end[data[i * width + byte]]++;
	for (i = 0; i < 256; i++) {
		next[i] = start;
		start += end[i];
		end[i] = start;
	}
	for (i = 0; i < 256; i++) {
		while (next[i] < end[i]) {
			uint8_t *record = data + next[i] * width;
			size_t home = record[byte];

			if (home != i)
				swap_records(record, data + next[home] * width,
					     width);
			next[home]++;
		}
	}
	if (byte + 1 == key)
		return;
	for (i = 0, start = 0; i < 256; start = end[i++])
		if (end[i] - start > 1)
			sort_from(data + start * width, end[i] - start, width,
				  key, byte + 1);
}

void keyset_sort(struct keyset *set)
{
	struct record_array *array;

	for (array = set->families; array < set->families + 2; array++)
		if (array->count > 1)
			sort_from(array->data, array->count, array->width,
				  array->key_size, 0);
}

size_t keyset_repeats(const struct keyset *set, struct kcuckoo_prefix *first)
{
	size_t i, repeats = 0;
	int family;

	for (family = 0; family < 2; family++) {
		const struct record_array *array = &set->families[family];

		for (i = 1; i < array->count; i++) {
			const uint8_t *record = array->data + i * array->width;

			if (memcmp(record - array->width, record, array->key_size))
				continue;
			if (!repeats++)
				record_read(record, family, first);
		}
	}
	return repeats;
}

bool keyset_has(const struct keyset *set, const struct kcuckoo_prefix *key)
{
	const struct record_array *array = &set->families[key->family - 1];
	size_t i, bytes = array->key_size - 1;

	for (i = 0; i < array->count; i++) {
		const uint8_t *record = array->data + i * array->width;

		if (record[bytes] == key->plen &&
		    !memcmp(record, key->addr, bytes))
			return true;
	}
	return false;
}

int keyset_outermost(const struct keyset *set, struct keyset *outermost)
{
	int family;

	for (family = 0; family < 2; family++) {
		const struct record_array *array = &set->families[family];
		struct record_array *to = &outermost->families[family];
		const uint8_t *last = NULL;
		size_t i;

		for (i = 0; i < array->count; i++) {
			const uint8_t *record = array->data + i * array->width;

			if (last && record_covers(last, record, array->key_size - 1))
				continue;
			if (array_copy(to, array, record))
				return -ENOMEM;
			last = record;
		}
	}
	return 0;
}

/*
 * The keys of @outermost do not overlap. So only two of these keys can cover @key: the key that
 * starts at the first address of @key, or the last key that starts before this address.
 */
bool keyset_covers(const struct keyset *outermost,
		   const struct kcuckoo_prefix *key)
{
	const struct record_array *array = &outermost->families[key->family -
								1];
	size_t before, bytes = array->key_size - 1;
	uint8_t record[17];

	record_write(record, key, bytes);
	before = array_lower_bound(array, record, bytes);
	if (before < array->count &&
	    record_covers(array->data + before * array->width, record, bytes))
		return true;
	return before &&
	       record_covers(array->data + (before - 1) * array->width, record,
			     bytes);
}

/*
 * In a sorted set, the first key that @key can cover is at the position at which @key is or
 * would be inserted.
 */
bool keyset_has_within(const struct keyset *set, const struct kcuckoo_prefix *key)
{
	const struct record_array *array = &set->families[key->family - 1];
	size_t at, bytes = array->key_size - 1;
	uint8_t record[17];

	record_write(record, key, bytes);
	at = array_lower_bound(array, record, array->key_size);
	return at < array->count &&
	       record_covers(record, array->data + at * array->width, bytes);
}

static bool differ(const uint8_t *a, const uint8_t *b, size_t key_size)
{
	struct note one, other;

	memcpy(&one, a + key_size, sizeof(one));
	memcpy(&other, b + key_size, sizeof(other));
	return one.value != other.value;
}

static int compare_family(const struct record_array *a,
			  const struct record_array *b,
			  struct keyset_match *match,
			  struct record_array *common)
{
	bool values = a->width > a->key_size && b->width > b->key_size;
	const uint8_t *x, *y;
	size_t i = 0, j = 0;
	int order;

	while (i < a->count && j < b->count) {
		x = a->data + i * a->width;
		y = b->data + j * b->width;
		order = memcmp(x, y, a->key_size);
		i += order <= 0;
		j += order >= 0;
		match->only_a += order < 0;
		match->only_b += order > 0;
		if (order)
			continue;
		match->both++;
		match->values += values && differ(x, y, a->key_size);
		if (common && array_copy(common, a, x))
			return -ENOMEM;
	}
	match->only_a += a->count - i;
	match->only_b += b->count - j;
	return 0;
}

int keyset_compare(const struct keyset *a, const struct keyset *b,
		   struct keyset_match *match, struct keyset *common)
{
	int family, ret = 0;

	memset(match, 0, sizeof(*match));
	for (family = 0; family < 2 && !ret; family++)
		ret = compare_family(&a->families[family], &b->families[family],
				     match,
				     common ? &common->families[family] : NULL);
	return ret;
}
