// SPDX-License-Identifier: GPL-2.0-only
/*
 * kcuckoo: many keys in little memory
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "keys/keyset.h"

/* Below this, sorting by insertion is faster; any small number will do. */
#define FEW	24

static void part_init(struct keyset_part *part, size_t key, size_t note)
{
	memset(part, 0, sizeof(*part));
	part->key = key;
	part->width = key + note;
}

void keyset_init(struct keyset *set)
{
	part_init(&set->parts[0], 4 + 1, 0);
	part_init(&set->parts[1], 16 + 1, 0);
}

void keyset_free(struct keyset *set)
{
	free(set->parts[0].data);
	free(set->parts[1].data);
	keyset_init(set);
}

void keyset_keep_notes(struct keyset *set)
{
	part_init(&set->parts[0], 4 + 1, sizeof(struct note));
	part_init(&set->parts[1], 16 + 1, sizeof(struct note));
}

bool keyset_has_notes(const struct keyset *set)
{
	return set->parts[0].width > set->parts[0].key;
}

void keyset_clear(struct keyset *set)
{
	set->parts[0].count = 0;
	set->parts[1].count = 0;
}

/* By a half: the system call behind realloc() moves pages, not bytes. */
static int part_grow(struct keyset_part *part)
{
	size_t capacity = part->capacity + part->capacity / 2 + 4096;
	uint8_t *larger = realloc(part->data, capacity * part->width);

	if (!larger)
		return -ENOMEM;
	part->data = larger;
	part->capacity = capacity;
	return 0;
}

/* Room for one more record. Return: where it goes, or NULL. */
static uint8_t *part_append(struct keyset_part *part)
{
	if (part->count == part->capacity && part_grow(part))
		return NULL;
	return part->data + part->count++ * part->width;
}

int keyset_add_noted(struct keyset *set, const struct kcuckoo_prefix *key,
		     const struct note *note)
{
	struct keyset_part *part = &set->parts[key->family - 1];
	uint8_t *record = part_append(part);

	if (!record)
		return -ENOMEM;
	/* Of a constant length each, these are a move or two. */
	if (key->family == KCUCKOO_FAMILY_IPV4)
		memcpy(record, key->addr, 4);
	else
		memcpy(record, key->addr, 16);
	record[part->key - 1] = key->plen;
	if (part->width > part->key)
		memcpy(record + part->key, note, sizeof(*note));
	return 0;
}

int keyset_add(struct keyset *set, const struct kcuckoo_prefix *key)
{
	static const struct note none;

	return keyset_add_noted(set, key, &none);
}

size_t keyset_count(const struct keyset *set)
{
	return set->parts[0].count + set->parts[1].count;
}

size_t keyset_bytes(const struct keyset *set)
{
	return set->parts[0].count * set->parts[0].width +
	       set->parts[1].count * set->parts[1].width;
}

/* Record number @number of all; @family: its part. */
static const uint8_t *record_at(const struct keyset *set, size_t number,
				int *family)
{
	const struct keyset_part *part = set->parts;

	*family = number >= part->count;
	if (*family)
		number -= part++->count;
	return part->data + number * part->width;
}

static void record_read(const uint8_t *record, int family,
			struct kcuckoo_prefix *key)
{
	memset(key, 0, sizeof(*key));
	key->family = family + 1;
	if (key->family == KCUCKOO_FAMILY_IPV4) {
		memcpy(key->addr, record, 4);
		key->plen = record[4];
	} else {
		memcpy(key->addr, record, 16);
		key->plen = record[16];
	}
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
		memcpy(&notes[i], record + set->parts[family].key,
		       sizeof(*notes));
	}
	return i;
}

/* Longest record: an IPv6 key and a note. */
#define WIDEST	(16 + 1 + sizeof(struct note))

static void swap_records(uint8_t *a, uint8_t *b, size_t width)
{
	uint8_t spare[WIDEST];

	memcpy(spare, a, width);
	memcpy(a, b, width);
	memcpy(b, spare, width);
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
 * Radix sort in place from the first byte on (McIlroy, Bostic and McIlroy's
 * "American flag"): no second copy of the keys, and no input that is slow.
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
	struct keyset_part *part;

	for (part = set->parts; part < set->parts + 2; part++)
		if (part->count > 1)
			sort_from(part->data, part->count, part->width,
				  part->key, 0);
}

size_t keyset_repeats(const struct keyset *set, struct kcuckoo_prefix *first)
{
	size_t i, repeats = 0;
	int family;

	for (family = 0; family < 2; family++) {
		const struct keyset_part *part = &set->parts[family];

		for (i = 1; i < part->count; i++) {
			const uint8_t *record = part->data + i * part->width;

			if (memcmp(record - part->width, record, part->key))
				continue;
			if (!repeats++)
				record_read(record, family, first);
		}
	}
	return repeats;
}

bool keyset_has(const struct keyset *set, const struct kcuckoo_prefix *key)
{
	const struct keyset_part *part = &set->parts[key->family - 1];
	size_t i, bytes = part->key - 1;

	for (i = 0; i < part->count; i++) {
		const uint8_t *record = part->data + i * part->width;

		if (record[bytes] == key->plen &&
		    !memcmp(record, key->addr, bytes))
			return true;
	}
	return false;
}

static int part_copy(struct keyset_part *to, const struct keyset_part *from,
		     const uint8_t *record)
{
	uint8_t *copy = part_append(to);

	if (!copy)
		return -ENOMEM;
	memcpy(copy, record, to->width < from->width ? to->width : from->width);
	return 0;
}

/* Does one record of a family cover another one? @bytes: those of an address. */
static bool record_covers(const uint8_t *outer, const uint8_t *inner,
			  size_t bytes)
{
	size_t whole = outer[bytes] / 8;
	int rest = outer[bytes] % 8;

	if (outer[bytes] > inner[bytes] || memcmp(outer, inner, whole))
		return false;
	return !rest || !((outer[whole] ^ inner[whole]) >> (8 - rest));
}

int keyset_outermost(const struct keyset *set, struct keyset *outermost)
{
	int family;

	for (family = 0; family < 2; family++) {
		const struct keyset_part *part = &set->parts[family];
		struct keyset_part *to = &outermost->parts[family];
		const uint8_t *last = NULL;
		size_t i;

		for (i = 0; i < part->count; i++) {
			const uint8_t *record = part->data + i * part->width;

			if (last && record_covers(last, record, part->key - 1))
				continue;
			if (part_copy(to, part, record))
				return -ENOMEM;
			last = record;
		}
	}
	return 0;
}

/* A key as a record, of at most 17 bytes. */
static void record_write(uint8_t *record, const struct kcuckoo_prefix *key,
			 size_t bytes)
{
	memcpy(record, key->addr, bytes);
	record[bytes] = key->plen;
}

/* How many records of a sorted part come before @record, of which @length counts? */
static size_t part_before(const struct keyset_part *part, const uint8_t *record,
			  size_t length)
{
	size_t first = 0, end = part->count;

	while (first < end) {
		size_t middle = first + (end - first) / 2;

		if (memcmp(part->data + middle * part->width, record, length) < 0)
			first = middle + 1;
		else
			end = middle;
	}
	return first;
}

/*
 * The keys are apart, so only the last one that begins at @key or before can cover
 * it.
 */
bool keyset_covers(const struct keyset *outermost,
		   const struct kcuckoo_prefix *key)
{
	const struct keyset_part *part = &outermost->parts[key->family - 1];
	size_t before, bytes = part->key - 1;
	uint8_t record[17];

	record_write(record, key, bytes);
	before = part_before(part, record, bytes);
	if (before < part->count &&
	    record_covers(part->data + before * part->width, record, bytes))
		return true;
	return before &&
	       record_covers(part->data + (before - 1) * part->width, record,
			     bytes);
}

/* What @key covers stands behind it, and nothing else comes between. */
bool keyset_has_within(const struct keyset *set, const struct kcuckoo_prefix *key)
{
	const struct keyset_part *part = &set->parts[key->family - 1];
	size_t at, bytes = part->key - 1;
	uint8_t record[17];

	record_write(record, key, bytes);
	at = part_before(part, record, part->key);
	return at < part->count &&
	       record_covers(record, part->data + at * part->width, bytes);
}

/* Do the notes of two records of one family have different values? */
static bool differ(const uint8_t *a, const uint8_t *b, size_t key)
{
	struct note one, other;

	memcpy(&one, a + key, sizeof(one));
	memcpy(&other, b + key, sizeof(other));
	return one.value != other.value;
}

static int compare_part(const struct keyset_part *a,
			const struct keyset_part *b,
			struct keyset_match *match, struct keyset_part *common)
{
	bool values = a->width > a->key && b->width > b->key;
	const uint8_t *x, *y;
	size_t i = 0, j = 0;
	int order;

	while (i < a->count && j < b->count) {
		x = a->data + i * a->width;
		y = b->data + j * b->width;
		order = memcmp(x, y, a->key);
		i += order <= 0;
		j += order >= 0;
		match->only_a += order < 0;
		match->only_b += order > 0;
		if (order)
			continue;
		match->both++;
		match->values += values && differ(x, y, a->key);
		if (common && part_copy(common, a, x))
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
		ret = compare_part(&a->parts[family], &b->parts[family], match,
				   common ? &common->parts[family] : NULL);
	return ret;
}
