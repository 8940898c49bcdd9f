// SPDX-License-Identifier: GPL-2.0-only
/*
 * keyset_difference() compares the present members of a filter with the keys
 * that the filter will have, for the verb apply. keyset_unify() removes
 * repeated keys.
 */
#include <string.h>

#include "keys/difference.h"
#include "keys/record.h"

/* The arguments of keyset_difference(), for one family. @family: KCUCKOO_FAMILY_* - 1. */
struct comparison {
	const struct record_array *old;
	const struct record_array *new;
	int family;
	const struct difference_sink *sink;
	struct difference *difference;
};

static struct note note_of(const struct record_array *array,
			   const uint8_t *record)
{
	struct note note = { .value = 0 };

	if (array->width > array->key_size)
		memcpy(&note, record + array->key_size, sizeof(note));
	return note;
}

static void report(const struct comparison *comparison, enum key_change change,
		   const uint8_t *record, const struct note *note)
{
	const struct difference_sink *sink = comparison->sink;
	struct kcuckoo_prefix key;

	if (!sink)
		return;
	record_read(record, comparison->family, &key);
	sink->take(sink->context, change, &key, note);
}

static void take_removed(const struct comparison *comparison,
			 const uint8_t *record)
{
	struct note note = note_of(comparison->old, record);

	comparison->difference->removed++;
	report(comparison, KEY_REMOVED, record, &note);
}

static void take_added(const struct comparison *comparison,
		       const uint8_t *record)
{
	struct note note = note_of(comparison->new, record);

	comparison->difference->added++;
	report(comparison, KEY_ADDED, record, &note);
}

static void take_both(const struct comparison *comparison, const uint8_t *old,
		      const uint8_t *new)
{
	struct difference *difference = comparison->difference;
	struct note before = note_of(comparison->old, old);
	struct note after = note_of(comparison->new, new);

	if (before.value != after.value || !before.timeout != !after.timeout) {
		difference->changed++;
		report(comparison, KEY_CHANGED, new, &after);
		return;
	}
	difference->unchanged++;
	difference->renewed += after.timeout != 0;
}

static void compare_families(const struct comparison *comparison)
{
	const struct record_array *old = comparison->old;
	const struct record_array *new = comparison->new;
	size_t i = 0, j = 0;

	while (i < old->count || j < new->count) {
		const uint8_t *x = old->data + i * old->width;
		const uint8_t *y = new->data + j * new->width;
		int order = i == old->count ? 1 : j == new->count ? -1 :
			    memcmp(x, y, old->key_size);

		i += order <= 0;
		j += order >= 0;
		if (order < 0)
			take_removed(comparison, x);
		else if (order > 0)
			take_added(comparison, y);
		else
			take_both(comparison, x, y);
	}
}

void keyset_difference(const struct keyset *old, const struct keyset *new,
		       const struct difference_sink *sink,
		       struct difference *difference)
{
	struct comparison comparison = {
		.sink = sink,
		.difference = difference,
	};
	int family;

	memset(difference, 0, sizeof(*difference));
	for (family = 0; family < 2; family++) {
		comparison.old = &old->families[family];
		comparison.new = &new->families[family];
		comparison.family = family;
		compare_families(&comparison);
	}
}

/*
 * Merge the note @other into @note: keep the larger value and the longer timeout. A timeout of
 * 0, which means never, is the longest. Return: true if the notes differed.
 */
static bool merge_notes(struct note *note, const struct note *other)
{
	bool differ = note->value != other->value ||
		      note->timeout != other->timeout;

	note->valued |= other->valued;
	if (other->value > note->value)
		note->value = other->value;
	if (!other->timeout || (note->timeout && other->timeout > note->timeout))
		note->timeout = other->timeout;
	return differ;
}

/*
 * Merge the records from @record to @end, which have equal keys, into the record @to. Return:
 * true if the notes of these records differ.
 */
static bool unify_equal(const struct record_array *array, uint8_t *to,
			const uint8_t *record, const uint8_t *end)
{
	struct note note = note_of(array, record);
	bool differ = false;

	memmove(to, record, array->key_size);
	for (record += array->width; record < end; record += array->width) {
		struct note other = note_of(array, record);

		differ |= merge_notes(&note, &other);
	}
	if (array->width > array->key_size)
		memcpy(to + array->key_size, &note, sizeof(note));
	return differ;
}

static __u64 unify_family(struct record_array *array)
{
	const uint8_t *at = array->data, *end = at + array->count * array->width;
	uint8_t *to = array->data;
	__u64 differ = 0;

	while (at < end) {
		const uint8_t *next = at + array->width;

		while (next < end && !memcmp(at, next, array->key_size))
			next += array->width;
		differ += unify_equal(array, to, at, next);
		to += array->width;
		at = next;
	}
	if (array->count)
		array->count = (to - array->data) / array->width;
	return differ;
}

__u64 keyset_unify(struct keyset *set)
{
	return unify_family(&set->families[0]) + unify_family(&set->families[1]);
}
