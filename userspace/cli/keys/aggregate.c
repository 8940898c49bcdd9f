// SPDX-License-Identifier: GPL-2.0-only
/*
 * keyset_coverage() counts the IPv4 addresses and the IPv6 networks of length /64 that a set of
 * prefixes covers. keyset_aggregate() merges prefixes, so that fewer prefixes cover the same
 * addresses.
 *
 * keyset_aggregate() reads the sorted records (record.h) once, and writes the result to
 * the start of the same array.
 */
#include <string.h>

#include "keys/aggregate.h"
#include "keys/record.h"

/*
 * Number of prefix lengths of IPv6, and maximum number of records in @chain of struct
 * aggregate.
 */
#define CHAIN_MAX		129

/*
 * The merged records of one family, at the start of the array.
 *
 * @count: number of records in the result. @chain: indices of the records of the result that
 * cover the record of the last push(), the widest first. A record covers itself. @depth: number
 * of elements of @chain.
 */
struct aggregate {
	struct record_array *array;
	size_t count;
	size_t chain[CHAIN_MAX];
	size_t depth;
};

static uint8_t *record_of(const struct aggregate *aggregate, size_t index)
{
	return aggregate->array->data + index * aggregate->array->width;
}

static uint8_t *chain_end(const struct aggregate *aggregate)
{
	return aggregate->depth ?
	       record_of(aggregate, aggregate->chain[aggregate->depth - 1]) :
	       NULL;
}

/*
 * Ignore @valued of the notes: the keys are for a new filter, in which a key without a value gets
 * the value 0.
 */
static bool notes_equal(const struct record_array *array, const uint8_t *a,
			const uint8_t *b)
{
	struct note one, other;

	if (array->width == array->key_size)
		return true;
	memcpy(&one, a + array->key_size, sizeof(one));
	memcpy(&other, b + array->key_size, sizeof(other));
	return one.value == other.value && one.timeout == other.timeout;
}

/*
 * Shorten the prefix of a record by one bit, and clear this bit. @bytes: length of an
 * address of the family, 4 or 16. Return: true if the bit was set.
 */
static bool to_parent(uint8_t *record, size_t bytes)
{
	size_t bit = --record[bytes];
	uint8_t mask = 0x80 >> bit % 8;
	bool upper = record[bit / 8] & mask;

	record[bit / 8] &= ~mask;
	return upper;
}

/*
 * If the last two records of the result are the two halves of a prefix and have equal notes,
 * write this prefix with the note to @parent, and return true. Otherwise return false; the
 * content of @parent is then undefined.
 */
static bool find_parent(const struct aggregate *aggregate, uint8_t *parent)
{
	const struct record_array *array = aggregate->array;
	size_t bytes = array->key_size - 1;
	const uint8_t *lower, *upper;

	if (aggregate->count < 2)
		return false;
	lower = record_of(aggregate, aggregate->count - 2);
	upper = lower + array->width;
	if (lower[bytes] != upper[bytes] || !upper[bytes] ||
	    !notes_equal(array, lower, upper))
		return false;
	memcpy(parent, upper, array->width);
	return to_parent(parent, bytes) && !memcmp(parent, lower, bytes);
}

/*
 * Append a record to the result, and update @chain. Skip the record if the longest prefix of the
 * result that covers the record has an equal note.
 */
static void push(struct aggregate *aggregate, const uint8_t *record)
{
	const struct record_array *array = aggregate->array;
	uint8_t *end;

	while ((end = chain_end(aggregate)) &&
	       !record_covers(end, record, array->key_size - 1))
		aggregate->depth--;
	if (end && notes_equal(array, end, record))
		return;
	memcpy(record_of(aggregate, aggregate->count), record, array->width);
	aggregate->chain[aggregate->depth++] = aggregate->count++;
}

/*
 * Remove the last two records of the result, the two halves of the prefix @parent, and push
 * @parent. If a record directly before the halves has the prefix of @parent, too, remove this
 * record before the push: its note applies to no address.
 */
static void merge_halves(struct aggregate *aggregate, const uint8_t *parent)
{
	const uint8_t *end;

	aggregate->count -= 2;
	/* @chain has only the upper half, because the lower half does not cover the upper half. */
	aggregate->depth--;
	end = chain_end(aggregate);
	if (end && !memcmp(end, parent, aggregate->array->key_size)) {
		aggregate->count--;
		aggregate->depth--;
	}
	push(aggregate, parent);
}

static void aggregate_family(struct record_array *array)
{
	struct aggregate aggregate = { .array = array };
	uint8_t record[RECORD_KEY + sizeof(struct note)];
	size_t i;

	for (i = 0; i < array->count; i++) {
		memcpy(record, array->data + i * array->width, array->width);
		push(&aggregate, record);
		while (find_parent(&aggregate, record))
			merge_halves(&aggregate, record);
	}
	array->count = aggregate.count;
}

void keyset_aggregate(struct keyset *set)
{
	aggregate_family(&set->families[0]);
	aggregate_family(&set->families[1]);
}

/*
 * Return: the number of networks with the prefix length @unit that the keys of a family
 * cover at least in part; at most UINT64_MAX. @array: the sorted keys. @unit: a multiple of 8.
 */
static __u64 covered(const struct record_array *array, unsigned int unit)
{
	const uint8_t *record = array->data, *last = NULL;
	size_t i, bytes = array->key_size - 1;
	uint8_t network[RECORD_KEY];
	__u64 more, sum = 0;

	for (i = 0; i < array->count; i++, record += array->width) {
		if (last && record_covers(last, record, bytes))
			continue;
		memcpy(network, record, bytes + 1);
		if (network[bytes] > unit) {
			memset(network + unit / 8, 0, bytes - unit / 8);
			network[bytes] = unit;
		}
		if (unit - network[bytes] >= 64)
			return UINT64_MAX;
		more = (__u64)1 << (unit - network[bytes]);
		sum = sum + more < sum ? UINT64_MAX : sum + more;
		/*
		 * A key with a prefix length above @unit covers a part of one network, which has
		 * been counted. Skip the next keys in this network.
		 */
		last = record;
		if (record[bytes] > unit)
			while (i + 1 < array->count &&
			       record_covers(network, record + array->width, bytes)) {
				record += array->width;
				i++;
			}
	}
	return sum;
}

void keyset_coverage(const struct keyset *set, struct coverage *coverage)
{
	coverage->ipv4 = covered(&set->families[0], 32);
	coverage->ipv6 = covered(&set->families[1], 64);
}
