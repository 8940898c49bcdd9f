// SPDX-License-Identifier: GPL-2.0-only
/*
 * Pairs and batches: the quick way of looking keys up says what the plain one
 * says, key by key and in their order.
 */
#include "fixture.h"
#include "core/table_batch.h"

#define KEYS	500

/* A key of a table: a number or a hash. */
static struct kcuckoo_bucket_pair pair_of(const struct kcuckoo_table *table,
					  u64 key)
{
	return table->params.exact ? kcuckoo_bucket_pair_of_number(table, key) :
				     kcuckoo_bucket_pair_of_hash(table, key);
}

static void probe_of(const struct kcuckoo_table *table, u64 key,
		     struct kcuckoo_probe *probe)
{
	memset(probe, 0, sizeof(*probe));
	if (table->params.exact)
		kcuckoo_table_probe_number(table, key, 0, probe);
	else
		kcuckoo_table_probe_hash(table, key, probe);
}

/* Tag by tag, without any comparison of several. */
static bool contains(const struct kcuckoo_table *table, u64 key)
{
	unsigned int entries = 1U << table->params.bucket_shift;
	u64 tags[KCUCKOO_BUCKET_SIZE_MAX];
	struct kcuckoo_probe probe;
	unsigned int side, i;

	probe_of(table, key, &probe);
	for (side = 0; side < 2; side++) {
		kcuckoo_table_bucket_tags(table, probe.bucket[side], tags);
		for (i = 0; i < entries; i++)
			if (tags[i] == probe.tag[side])
				return true;
	}
	return false;
}

/* Half of the keys are added, as many as there is room for. */
static void fill(struct kcuckoo_table *table, const u64 keys[KEYS])
{
	struct kcuckoo_search *search = fixture_search();
	struct kcuckoo_probe probe;
	unsigned int i;

	for (i = 0; i < KEYS; i += 2) {
		probe_of(table, keys[i], &probe);
		if (!contains(table, keys[i]))
			fixture_add(table, &probe, search);
	}
	tap_free(search);
}

/**
 * struct course - keys that are looked up in groups
 * @table: the table
 * @keys: the keys
 * @asked: how many have gone in
 * @taken: how many have come out
 */
struct course {
	const struct kcuckoo_table *table;
	const u64 *keys;
	u64 *asked;
	u64 taken;
};

/* Asked for in their order, and never more ahead than two groups. */
static __always_inline struct kcuckoo_bucket_pair
course_pair(const void *context, u64 number)
{
	const struct course *course = context;

	tap_require((*course->asked)++ == number, "%u", (u32)number);
	tap_require(number - course->taken < 2 * KCUCKOO_TABLE_BATCH_GROUP,
		    "%u", (u32)number);
	return pair_of(course->table, course->keys[number]);
}

static __always_inline void course_take(void *context, u64 number, bool found)
{
	struct course *course = context;

	tap_require(course->taken++ == number, "%u", (u32)number);
	tap_require(found == contains(course->table, course->keys[number]),
		    "%u", (u32)number);
}

/* So many keys, in their order: what goes in comes out. */
static void check_batch(const struct kcuckoo_table *table, const u64 *keys,
			unsigned int count)
{
	u64 asked = 0;
	struct course course = {
		.table = table, .keys = keys, .asked = &asked,
	};

	kcuckoo_table_batch(table, count, course_pair, course_take, &course);
	tap_require(asked == count && course.taken == count, "%u of %u",
		    (u32)course.taken, count);
}

static void check_table(const struct kcuckoo_table_params *params, u64 most)
{
	struct kcuckoo_table table;
	u64 keys[KEYS];
	unsigned int i;

	fixture_table(&table, params);
	tap_require(table.tags_only, "w %u", params->tag_bits);
	for (i = 0; i < KEYS; i++)
		keys[i] = random_word() & most;
	fill(&table, keys);
	check_batch(&table, keys, 0);
	check_batch(&table, keys, KCUCKOO_TABLE_BATCH_GROUP - 1);
	check_batch(&table, keys, KCUCKOO_TABLE_BATCH_GROUP);
	check_batch(&table, keys, KCUCKOO_TABLE_BATCH_GROUP + 1);
	check_batch(&table, keys, 2 * KCUCKOO_TABLE_BATCH_GROUP);
	check_batch(&table, keys, KEYS);
	fixture_table_free(&table);
}

static void test_plain(void)
{
	struct kcuckoo_table_params params = {};
	unsigned int width, shift;

	for (shift = 0; shift <= 3; shift++) {
		for (width = 1; width <= 32; width++) {
			params.nbuckets = 40 + random_below(400);
			params.bucket_shift = shift;
			params.tag_bits = width;
			check_table(&params, ~0ULL);
		}
	}
}

static void test_exact(void)
{
	unsigned int plen, shift;

	for (shift = 0; shift <= 3; shift++) {
		for (plen = 12; plen <= 64; plen++) {
			u32 nbuckets = 40 + random_below(400);
			struct kcuckoo_layout layout = fixture_layout(plen,
								      shift,
								      nbuckets);

			check_table(&layout.params, kcuckoo_bits_mask(plen));
		}
	}
}

static const struct tap_test tests[] = {
	{ "table_batch.plain: fingerprints of every width, in their order",
	  test_plain },
	{ "table_batch.exact: numbers of every width, in their order",
	  test_exact },
};

int main(int argc, char **argv)
{
	return tap_main(argc, argv, tests, TAP_COUNT(tests));
}
