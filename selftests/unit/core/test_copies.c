// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copies of one key: as many as its two buckets have entries, then no more; and
 * what is refused, be it a copy too many or a key without room, changes nothing.
 */
#include "fixture.h"

static const struct kcuckoo_table_params variants[] = {
	{ .bucket_shift = 0, .tag_bits = 12 },
	{ .bucket_shift = 1, .tag_bits = 5 },
	{ .bucket_shift = 2, .tag_bits = 12 },
	{ .bucket_shift = 2, .tag_bits = 9, .sorted = true },
	{ .bucket_shift = 2, .tag_bits = 22, .sorted = true },
	{ .bucket_shift = 2, .tag_bits = 20, .value_bits = 9 },
	{ .bucket_shift = 3, .tag_bits = 8 },
	{ .bucket_shift = 3, .tag_bits = 31, .value_bits = 32 },
};

static void table_init(struct kcuckoo_table *table,
		       const struct kcuckoo_table_params *params, u32 nbuckets)
{
	struct kcuckoo_table_params sized = *params;

	sized.nbuckets = nbuckets;
	fixture_table(table, &sized);
}

/* A random key, with a random value. */
static struct kcuckoo_probe random_probe(const struct kcuckoo_table *table)
{
	struct kcuckoo_probe probe = {};

	kcuckoo_table_probe_hash(table, random_word(), &probe);
	probe.value = random_word() &
		      kcuckoo_bits_mask(table->params.value_bits);
	return probe;
}

/* Entries with the probe's tag, looked at one by one; of one bucket once. */
static u32 count(const struct kcuckoo_table *table,
		 const struct kcuckoo_probe *probe)
{
	u32 entries = 1U << table->params.bucket_shift;
	u32 copies = 0;
	u32 i;

	for (i = 0; i < entries; i++) {
		copies += kcuckoo_table_tag(table, (u64)entries *
					    probe->bucket[0] + i) ==
			  probe->tag[0];
		copies += probe->bucket[0] != probe->bucket[1] &&
			  kcuckoo_table_tag(table, (u64)entries *
					    probe->bucket[1] + i) ==
			  probe->tag[1];
	}
	return copies;
}

/* Room for that many: twice a bucket, or one where both are the same. */
static u32 most(const struct kcuckoo_table *table,
		const struct kcuckoo_probe *probe)
{
	return (1 + (probe->bucket[0] != probe->bucket[1]))
	       << table->params.bucket_shift;
}

/* In tables of few tags and buckets, full and half full, every key there is. */
static void check_copied(const struct kcuckoo_table_params *params)
{
	struct kcuckoo_search *search = fixture_search();
	struct kcuckoo_table table;
	u32 times = 0;
	u32 i;

	search->limit = 16;
	table_init(&table, params, 3);
	for (i = 0; i < 20000; i++) {
		struct kcuckoo_probe probe = random_probe(&table);
		bool copied;
		u64 place;

		/* Nearly always the same. */
		probe.tag[0] = 1 + !random_below(16);
		probe.tag[1] = probe.tag[0];
		probe.bucket[1] = kcuckoo_table_alternate(&table,
							  probe.bucket[0],
							  probe.tag[0]);
		copied = kcuckoo_table_saturated(&table, &probe);
		tap_require(copied == (count(&table, &probe) ==
				       most(&table, &probe)), "%u",
			    count(&table, &probe));
		times += copied;
		place = random_below(kcuckoo_table_places(&table));
		if (kcuckoo_table_tag(&table, place) && !random_below(4))
			kcuckoo_table_clear(&table, place);
		else
			fixture_add(&table, &probe, search);
	}
	tap_require(times > 100 && times < 15000, "%u", times);
	fixture_table_free(&table);
	tap_free(search);
}

static void test_copied(void)
{
	unsigned int i;

	for (i = 0; i < TAP_COUNT(variants); i++)
		check_copied(&variants[i]);
}

/*
 * One key, until no more fit: as many as there is room for, none of which is
 * added when it is refused; then a thousand others all the same.
 */
static void check_many(const struct kcuckoo_table_params *params, bool same)
{
	struct kcuckoo_search *search = fixture_search();
	struct fixture_picture picture;
	struct kcuckoo_table table;
	struct kcuckoo_probe probe;
	u32 copies;
	u32 i;

	/* Only in an odd number of buckets may a key have one alone. */
	table_init(&table, params, 100000 + same);
	do {
		probe = random_probe(&table);
		if (same)
			probe.bucket[1] = probe.bucket[0];
	} while (kcuckoo_table_alternate(&table, probe.bucket[0],
					 probe.tag[0]) != probe.bucket[1] ||
		 (probe.bucket[0] == probe.bucket[1]) != same);
	for (copies = 0; copies < most(&table, &probe); copies++) {
		tap_require(!kcuckoo_table_saturated(&table, &probe), "%u",
			    copies);
		tap_require(fixture_add(&table, &probe, search) !=
			    KCUCKOO_NO_PLACE, "copy %u", copies);
	}
	fixture_picture_table(&picture, &table);
	for (i = 0; i < 1000; i++) {
		tap_require(kcuckoo_table_saturated(&table, &probe), "%u", copies);
		tap_require(fixture_add(&table, &probe, search) ==
			    KCUCKOO_NO_PLACE, "copy %u", copies);
	}
	tap_require(fixture_picture_same(&picture, &table), "%u", copies);
	for (i = 0; i < 1000; i++) {
		struct kcuckoo_probe fresh = random_probe(&table);

		/* With few tags, others may be copies, too. */
		tap_require(fixture_add(&table, &fresh, search) !=
			    KCUCKOO_NO_PLACE ||
			    kcuckoo_table_saturated(&table, &fresh), "key %u", i);
	}
	for (; copies; copies--)
		kcuckoo_table_clear(&table, kcuckoo_table_find(&table, &probe));
	tap_require(table.entries <= 1000 && table.entries > 990, "%llu",
		    table.entries);
	fixture_table_free(&table);
	tap_free(picture.words);
	tap_free(search);
}

static void test_many(void)
{
	unsigned int i;

	for (i = 0; i < TAP_COUNT(variants); i++)
		check_many(&variants[i], false);
	check_many(&variants[0], true);
	check_many(&variants[3], true);
	check_many(&variants[6], true);
}

/* Is each of the keys there, as often as it was added? */
static void require_found(const struct kcuckoo_table *table,
			  const struct kcuckoo_probe *probes, u64 keys)
{
	u64 i;

	for (i = 0; i < keys; i++) {
		tap_require(kcuckoo_table_contains(table, &probes[i]),
			    "key %llu", i);
		tap_require(kcuckoo_table_find_value(table, &probes[i]) !=
			    KCUCKOO_NO_PLACE, "key %llu", i);
	}
}

/*
 * Keys are added to a full table, until so many have been refused. A refusal
 * leaves every bit; and in the end everything that was taken is deleted.
 */
static void check_refused(const struct kcuckoo_table_params *params, u32 limit,
			  u32 refusals)
{
	struct kcuckoo_search *search = fixture_search();
	struct kcuckoo_probe *probes;
	struct fixture_picture picture = {};
	struct kcuckoo_table table;
	u64 keys = 0;

	table_init(&table, params, 64);
	search->limit = limit;
	probes = tap_zalloc(kcuckoo_table_places(&table) * sizeof(*probes));
	while (refusals) {
		struct kcuckoo_probe probe = random_probe(&table);

		if (!picture.words)
			fixture_picture_table(&picture, &table);
		if (fixture_add(&table, &probe, search) == KCUCKOO_NO_PLACE) {
			tap_require(fixture_picture_same(&picture, &table),
				    "key %llu", keys);
			refusals--;
			continue;
		}
		tap_free(picture.words);
		picture.words = NULL;
		probes[keys++] = probe;
	}
	require_found(&table, probes, keys);
	tap_require(table.entries == keys, "%llu of %llu", table.entries, keys);
	while (keys--) {
		u64 place = kcuckoo_table_find_value(&table, &probes[keys]);

		tap_require(place != KCUCKOO_NO_PLACE, "key %llu", keys);
		kcuckoo_table_clear(&table, place);
	}
	tap_require(fixture_empty(&table), "all deleted");
	tap_free(picture.words);
	fixture_table_free(&table);
	tap_free(search);
	tap_free(probes);
}

static void test_refused(void)
{
	unsigned int i;

	for (i = 0; i < TAP_COUNT(variants); i++) {
		/* Each b once. */
		bool many = i < 3 || i == 6;

		check_refused(&variants[i], KCUCKOO_SEARCH_VISITS_MIN,
			      many ? 100000 : 10000);
		check_refused(&variants[i], KCUCKOO_SEARCH_VISITS, 300);
	}
}

static const struct tap_test tests[] = {
	{ "copies.copied: both buckets full of one tag, and only then",
	  test_copied },
	{ "copies.many: 2b of one key, no more, and a thousand others",
	  test_many },
	{ "copies.refused: 100000 refusals in a full table lose nothing",
	  test_refused },
};

int main(int argc, char **argv)
{
	return tap_main(argc, argv, tests, TAP_COUNT(tests));
}
