// SPDX-License-Identifier: GPL-2.0-only
/*
 * keyset_exclude() removes addresses from a set of prefixes. To do so, the function halves
 * a key until each part is either excluded or kept as a whole.
 */
#include <errno.h>
#include <string.h>

#include "keys/exclude.h"
#include "keys/record.h"

/**
 * struct cutter - a key from which addresses are removed
 * @set: the records of the set that follow the record of the key. They include all
 *	other keys of the set that the key covers
 * @excluded: the excluded prefixes of the family, which do not overlap
 * @pieces: receives the prefixes that remain of the key
 * @record: the record of the key
 */
struct cutter {
	struct record_array set;
	const struct record_array *excluded;
	struct record_array *pieces;
	const uint8_t *record;
};

static bool is_member(const struct record_array *set, const uint8_t *node)
{
	size_t at = array_lower_bound(set, node, set->key_size);

	return at < set->count &&
	       !memcmp(set->data + at * set->width, node, set->key_size);
}

/* Append the prefix @node to the pieces, with the note of the key. */
static int keep_piece(const struct cutter *cutter, const uint8_t *node)
{
	uint8_t *piece = array_append(cutter->pieces);

	if (!piece)
		return -ENOMEM;
	memcpy(piece, cutter->record, cutter->pieces->width);
	memcpy(piece, node, cutter->pieces->key_size);
	return 0;
}

static void halve(const uint8_t *node, size_t bytes, uint8_t *lower,
		  uint8_t *upper)
{
	memcpy(lower, node, bytes + 1);
	lower[bytes]++;
	memcpy(upper, lower, bytes + 1);
	upper[node[bytes] / 8] |= 0x80 >> node[bytes] % 8;
}

/*
 * Keep the parts of the prefix @node that are not excluded. @node is the key of @cutter, or a
 * part of the key. Skip a part that is another key of the set: exclude_family() processes that
 * key separately. The excluded prefixes with the numbers @first to @end - 1 overlap @node.
 */
static int cut_node(const struct cutter *cutter, const uint8_t *node,
		    size_t first, size_t end)
{
	const struct record_array *excluded = cutter->excluded;
	uint8_t lower[RECORD_KEY], upper[RECORD_KEY];
	size_t middle, bytes = excluded->key_size - 1;
	int ret;

	if (memcmp(node, cutter->record, bytes + 1) &&
	    is_member(&cutter->set, node))
		return 0;
	if (first == end)
		return keep_piece(cutter, node);
	if (record_covers(excluded->data + first * excluded->width, node, bytes))
		return 0;
	halve(node, bytes, lower, upper);
	middle = array_lower_bound(excluded, upper, bytes);
	ret = cut_node(cutter, lower, first, middle);
	return ret ? ret : cut_node(cutter, upper, middle, end);
}

/*
 * Set @first and @end: the excluded prefixes with the numbers @first to @end - 1 overlap
 * @record.
 */
static void overlapping(const struct record_array *excluded,
			const uint8_t *record, size_t *first, size_t *end)
{
	size_t bytes = excluded->key_size - 1;

	*first = array_lower_bound(excluded, record, excluded->key_size);
	if (*first && record_covers(excluded->data + (*first - 1) * excluded->width,
				    record, bytes)) {
		*end = (*first)--;
		return;
	}
	*end = *first;
	while (*end < excluded->count &&
	       record_covers(record, excluded->data + *end * excluded->width,
			     bytes))
		(*end)++;
}

/*
 * Remove the excluded addresses of one family. A record that stays moves towards the start of
 * the array; the remaining parts of other records go to @pieces. The records after the current
 * record have not moved yet, so cut_node() can search these records.
 */
static int exclude_family(struct record_array *array,
			  const struct record_array *excluded,
			  struct record_array *pieces,
			  struct exclusion *exclusion)
{
	uint8_t record[RECORD_KEY + sizeof(struct note)];
	struct cutter cutter = {
		.excluded = excluded,
		.pieces = pieces,
		.record = record,
	};
	size_t i, first, end, before, kept = 0;

	for (i = 0; i < array->count; i++) {
		memcpy(record, array->data + i * array->width, array->width);
		overlapping(excluded, record, &first, &end);
		if (first == end) {
			memcpy(array->data + kept++ * array->width, record,
			       array->width);
			continue;
		}
		cutter.set = *array;
		cutter.set.data += (i + 1) * array->width;
		cutter.set.count -= i + 1;
		before = pieces->count;
		if (cut_node(&cutter, record, first, end))
			return -ENOMEM;
		exclusion->left_out += pieces->count == before;
		exclusion->cut += pieces->count > before;
	}
	array->count = kept;
	return 0;
}

static int append_all(struct record_array *array,
		      const struct record_array *pieces)
{
	size_t i;

	for (i = 0; i < pieces->count; i++)
		if (array_copy(array, pieces, pieces->data + i * pieces->width))
			return -ENOMEM;
	return 0;
}

int keyset_exclude(struct keyset *set, const struct keyset *excluded,
		   struct exclusion *exclusion)
{
	struct keyset pieces;
	int family, ret = 0;

	memset(exclusion, 0, sizeof(*exclusion));
	keyset_init(&pieces);
	if (keyset_has_notes(set))
		keyset_keep_notes(&pieces);
	for (family = 0; family < 2 && !ret; family++)
		if (excluded->families[family].count)
			ret = exclude_family(&set->families[family],
					     &excluded->families[family],
					     &pieces.families[family],
					     exclusion);
	for (family = 0; family < 2 && !ret; family++)
		ret = append_all(&set->families[family],
				 &pieces.families[family]);
	if (!ret && keyset_count(&pieces))
		keyset_sort(set);
	keyset_free(&pieces);
	return ret;
}

static void clear_host_bits(uint8_t *record, size_t bytes)
{
	size_t at = record[bytes] / 8;

	if (at == bytes)
		return;
	record[at] &= ~(0xff >> record[bytes] % 8);
	memset(record + at + 1, 0, bytes - at - 1);
}

bool keyset_find_cover(const struct keyset *set, const struct kcuckoo_prefix *key,
		       struct kcuckoo_prefix *cover)
{
	const struct record_array *array = &set->families[key->family - 1];
	size_t bytes = array->key_size - 1;
	uint8_t record[RECORD_KEY];
	int plen;

	for (plen = 0; plen <= key->plen; plen++) {
		record_write(record, key, bytes);
		record[bytes] = plen;
		clear_host_bits(record, bytes);
		if (!is_member(array, record))
			continue;
		record_read(record, key->family - 1, cover);
		return true;
	}
	return false;
}
