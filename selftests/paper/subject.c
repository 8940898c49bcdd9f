// SPDX-License-Identifier: GPL-2.0-only
/* Filters side by side. */
#include <stdlib.h>
#include <string.h>

#include "core/table_batch.h"
#include "subject.h"

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

/* Fan et al., section 7.1: 13 bits an item, a load of 90 %, 12 bits a cell. */
static const struct subject_type types[] = {
	{ .name = "cuckoo", .tag_bits = 12 },
	{ .name = "cuckoo-batch", .tag_bits = 12, .batch = true },
	{ .name = "semisort", .tag_bits = 13, .sorted = true },
	{ .name = "semisort-batch", .tag_bits = 13, .sorted = true,
	  .batch = true },
	{ .name = "bloom", .baseline = &baseline_bloom, .bits = 13 },
	{ .name = "blocked", .baseline = &baseline_blocked, .bits = 13 },
	{ .name = "counting", .baseline = &baseline_counting, .bits = 52 },
	{ .name = "quotient", .baseline = &baseline_quotient,
	  .bits = 12 / 0.9, .refuses = true },
	{ .name = "dleft4", .baseline = &baseline_dleft4, .bits = 16,
	  .refuses = true },
	{ .name = "dleft8", .baseline = &baseline_dleft8, .bits = 16,
	  .refuses = true },
};

static const struct subject_type *type_named(const char *name)
{
	size_t i;

	for (i = 0; i < COUNT(types); i++)
		if (!strcmp(types[i].name, name))
			return &types[i];
	return NULL;
}

static bool create_table(struct subject *subject, u64 bytes)
{
	const struct subject_type *type = subject->type;
	struct kcuckoo_table_params params = {
		.bucket_shift = 2,
		.tag_bits = type->tag_bits,
		.sorted = type->sorted,
	};
	u64 bits = 4 * type->tag_bits - (type->sorted ? 4 : 0);
	struct kcuckoo_table *table = &subject->filling.table;

	params.nbuckets = (u32)(bytes * 8 / bits);
	if (!filling_create(&subject->filling, &params, false, false))
		return false;
	subject->secret = subject->filling.secret;
	subject->capacity = kcuckoo_table_places(table);
	subject->most = subject->capacity;
	subject->memory = table->tags;
	subject->bytes = filling_bits(&subject->filling) / 8;
	return true;
}

/* Makes an empty filter that takes so many bytes. */
bool subject_create(struct subject *subject, const char *name, u64 bytes)
{
	const struct subject_type *type = type_named(name);

	memset(subject, 0, sizeof(*subject));
	if (!type)
		return false;
	subject->type = type;
	if (!type->baseline)
		return create_table(subject, bytes);
	subject->secret = bench_secret(false);
	subject->most = (u64)((double)bytes * 8 / type->bits);
	subject->baseline = baseline_create(type->baseline, subject->most, 0,
					    type->bits);
	if (!subject->baseline)
		return false;
	subject->capacity = subject->most;
	if (type->refuses) {
		subject->capacity = subject->baseline->places;
		subject->most = subject->capacity;
	}
	subject->memory = subject->baseline->memory;
	subject->bytes = subject->baseline->bytes;
	return true;
}

void subject_free(struct subject *subject)
{
	if (subject->type->baseline)
		baseline_free(subject->baseline);
	else
		filling_free(&subject->filling);
}

bool subject_erases(const struct subject *subject)
{
	return !subject->type->baseline || subject->type->baseline->erase;
}

/* Items that the filter holds. */
u64 subject_entries(const struct subject *subject)
{
	return subject->type->baseline ? subject->baseline->entries :
	       subject->filling.table.entries;
}

static u64 hash_of(const struct subject *subject, const u64 *key)
{
	return kcuckoo_hash_bytes(&subject->secret, (const u8 *)key,
				  sizeof(*key));
}

static void probe_of(const struct subject *subject, const u64 *key,
		     struct kcuckoo_probe *probe)
{
	const struct kcuckoo_table *table = &subject->filling.table;

	kcuckoo_table_probe_hash(table, hash_of(subject, key), probe);
	kcuckoo_table_prefetch(table, probe);
}

static bool table_erase(struct kcuckoo_table *table,
			const struct kcuckoo_probe *probe)
{
	u64 place = kcuckoo_table_find(table, probe);

	if (place == KCUCKOO_NO_PLACE)
		return false;
	kcuckoo_table_clear(table, place);
	return true;
}

/* How many keys of a table are prepared before the first is dealt with. */
static u64 chunk_of(const struct subject *subject, u64 left)
{
	u64 chunk = subject->type->batch ? FILLING_CHUNK : 1;

	return left < chunk ? left : chunk;
}

/*
 * Inserts keys in their order until one is refused, or the filter has as many as
 * it is meant for. Returns how many were inserted.
 */
u64 subject_insert(struct subject *subject, const u64 *keys, u64 count)
{
	struct kcuckoo_probe probes[FILLING_CHUNK] = {};
	u64 room = subject->most - subject_entries(subject);
	u64 done = 0;
	u64 chunk;
	u64 i;

	if (count > room)
		count = room;
	if (subject->type->baseline) {
		while (done < count &&
		       baseline_insert(subject->baseline,
				       hash_of(subject, &keys[done])))
			done++;
		return done;
	}
	while (done < count) {
		chunk = chunk_of(subject, count - done);
		for (i = 0; i < chunk; i++)
			probe_of(subject, &keys[done + i], &probes[i]);
		for (i = 0; i < chunk; i++, done++)
			if (!filling_add(&subject->filling, &probes[i]))
				return done;
	}
	return done;
}

static __always_inline struct kcuckoo_bucket_pair
pair_of(const struct subject *subject, const u64 *key)
{
	return kcuckoo_bucket_pair_of_hash(&subject->filling.table,
					   hash_of(subject, key));
}

/* Counts keys of a quick table one by one, as packets come. */
static u64 count_each(const struct subject *subject, const u64 *keys, u64 count)
{
	struct kcuckoo_bucket_pair pair;
	u64 found = 0;
	u64 i;

	for (i = 0; i < count; i++) {
		pair = pair_of(subject, &keys[i]);
		found += kcuckoo_bucket_pair_contained(&subject->filling.table,
						       &pair);
	}
	return found;
}

/* Keys that are looked up in a subject, and how many were there. */
struct queries {
	const struct subject *subject;
	const u64 *keys;
	u64 found;
};

static __always_inline struct kcuckoo_bucket_pair
queries_pair(const void *context, u64 number)
{
	const struct queries *queries = context;

	return pair_of(queries->subject, &queries->keys[number]);
}

static __always_inline void queries_take(void *context, u64 number, bool found)
{
	struct queries *queries = context;

	(void)number;
	queries->found += found;
}

/* The same in groups. */
static u64 count_batch(const struct subject *subject, const u64 *keys,
		       u64 count)
{
	struct queries queries = { .subject = subject, .keys = keys };

	kcuckoo_table_batch(&subject->filling.table, count, queries_pair,
			    queries_take, &queries);
	return queries.found;
}

/* Counts the keys that are in the filter. */
u64 subject_contains(const struct subject *subject, const u64 *keys, u64 count)
{
	const struct kcuckoo_table *table = &subject->filling.table;
	struct kcuckoo_probe probes[FILLING_CHUNK] = {};
	u64 found = 0;
	u64 done = 0;
	u64 chunk;
	u64 i;

	if (subject->type->baseline) {
		for (; done < count; done++)
			found += baseline_contains(subject->baseline,
						   hash_of(subject,
							   &keys[done]));
		return found;
	}
	if (table->tags_only)
		return subject->type->batch ?
		       count_batch(subject, keys, count) :
		       count_each(subject, keys, count);
	while (done < count) {
		chunk = chunk_of(subject, count - done);
		for (i = 0; i < chunk; i++)
			probe_of(subject, &keys[done + i], &probes[i]);
		for (i = 0; i < chunk; i++)
			found += kcuckoo_table_contains(table, &probes[i]);
		done += chunk;
	}
	return found;
}

/* Erases keys; returns how many of them were found. */
u64 subject_erase(struct subject *subject, const u64 *keys, u64 count)
{
	struct kcuckoo_table *table = &subject->filling.table;
	struct kcuckoo_probe probes[FILLING_CHUNK] = {};
	u64 erased = 0;
	u64 done = 0;
	u64 chunk;
	u64 i;

	if (subject->type->baseline) {
		for (; done < count; done++)
			erased += baseline_erase(subject->baseline,
						 hash_of(subject, &keys[done]));
		return erased;
	}
	while (done < count) {
		chunk = chunk_of(subject, count - done);
		for (i = 0; i < chunk; i++)
			probe_of(subject, &keys[done + i], &probes[i]);
		for (i = 0; i < chunk; i++)
			erased += table_erase(table, &probes[i]);
		done += chunk;
	}
	return erased;
}
