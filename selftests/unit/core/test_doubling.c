// SPDX-License-Identifier: GPL-2.0-only
/*
 * Doubling of tables of fingerprints, without keys: entries go to the mirrored
 * bucket of the half that the next bit of their tag tells, whatever is added
 * and deleted meanwhile; the rate of false positives is the one predicted; and
 * halving brings everything back.
 *
 * The rehash is compiled in here, so that a section can be one bucket, and its
 * searches can be counted.
 */
#include "core/limits.h"
#include "core/search.h"

static unsigned int section_steps = 256;
static unsigned int searches;

static bool count_search(struct kcuckoo_search *search,
			 const struct kcuckoo_table *table,
			 const struct kcuckoo_probe *probe, u32 *reads)
{
	searches++;
	return kcuckoo_search_find(search, table, probe, reads);
}

#undef KCUCKOO_SECTION_STEPS
#define KCUCKOO_SECTION_STEPS	section_steps
#define kcuckoo_search_find	count_search
#include "core/rehash.c"
#undef kcuckoo_search_find

#include "fixture.h"

/**
 * struct scene - a table that is doubled, and its keys
 * @store: the table and, meanwhile, the next one
 * @rehash: from one to the other
 * @search: room for searches
 * @secret: of both
 * @keys: all keys there can be
 * @probe: of each the value and expiry, if it is in
 * @member: which of these are in
 * @size: number of keys
 * @count: number of members
 */
struct scene {
	struct kcuckoo_store store[2];
	struct kcuckoo_rehash rehash;
	struct kcuckoo_search *search;
	struct kcuckoo_hash_key secret;
	struct kcuckoo_key *keys;
	struct kcuckoo_probe *probe;
	bool *member;
	u32 size;
	u32 count;
};

static const struct kcuckoo_table_params variants[] = {
	{ .bucket_shift = 0, .tag_bits = 16 },
	{ .bucket_shift = 1, .tag_bits = 14 },
	{ .bucket_shift = 2, .tag_bits = 13 },
	{ .bucket_shift = 2, .tag_bits = 13, .sorted = true },
	{ .bucket_shift = 2, .tag_bits = 32, .sorted = true },
	{ .bucket_shift = 3, .tag_bits = 12 },
	{ .bucket_shift = 3, .tag_bits = 8, .value_bits = 17 },
	{ .bucket_shift = 2, .tag_bits = 24, .expiry_bits = 32 },
	{ .bucket_shift = 1, .tag_bits = 9, .value_bits = 32,
	  .expiry_bits = 32 },
};

static void scene_init(struct scene *scene,
		       const struct kcuckoo_table_params *params, u32 nbuckets,
		       u32 size)
{
	struct kcuckoo_layout layout;
	u32 i;

	memset(scene, 0, sizeof(*scene));
	scene->search = fixture_search();
	scene->secret = fixture_key();
	scene->size = size;
	scene->keys = tap_zalloc(size * sizeof(*scene->keys));
	scene->probe = tap_zalloc(size * sizeof(*scene->probe));
	scene->member = tap_zalloc(size);
	for (i = 0; i < size; i++) {
		u64 n = random_word();

		scene->keys[i].hash = kcuckoo_hash_bytes(&scene->secret,
							 (u8 *)&n, 8);
	}
	tap_require(kcuckoo_layout_make(&layout, params, 0, nbuckets, 0), "m %u",
		    nbuckets);
	fixture_inet(&scene->store[0], &layout, &scene->secret);
}

static void scene_free(struct scene *scene)
{
	fixture_inet_free(&scene->store[0]);
	tap_free(scene->search);
	tap_free(scene->keys);
	tap_free(scene->probe);
	tap_free(scene->member);
}

/* A probe for a key that is to be added, with a new value and expiry. */
static struct kcuckoo_probe scene_probe(struct scene *scene, u32 i)
{
	const struct kcuckoo_table_params *params = &scene->store[0].layout.params;
	struct kcuckoo_probe *probe = &scene->probe[i];

	kcuckoo_store_probe(&scene->store[0], &scene->keys[i], probe);
	probe->value = random_word() & kcuckoo_bits_mask(params->value_bits);
	probe->expiry = params->expiry_bits && random_below(4) ?
			random_below(1000) : 0;
	return *probe;
}

/* Adds keys, with moves, until none fits or there are enough. */
static void scene_fill(struct scene *scene, u32 most)
{
	u32 i;

	for (i = 0; i < scene->size && scene->count < most; i++) {
		struct kcuckoo_probe probe;

		if (scene->member[i])
			continue;
		probe = scene_probe(scene, i);
		if (fixture_add(&scene->store[0].table, &probe,
				scene->search) == KCUCKOO_NO_PLACE)
			return;
		scene->member[i] = true;
		scene->count++;
	}
}

static void scene_delete(struct scene *scene, u32 i, bool growing)
{
	struct kcuckoo_probe probe = scene->probe[i];
	struct kcuckoo_store *store = &scene->store[0];
	u64 place;

	kcuckoo_store_probe(store, &scene->keys[i], &probe);
	place = kcuckoo_store_find_value(store, &scene->keys[i], &probe);
	tap_require(place != KCUCKOO_NO_PLACE, "key %u", i);
	kcuckoo_store_clear(store, place);
	if (growing)
		kcuckoo_rehash_clear(&scene->rehash, place, &scene->keys[i],
				     &probe);
	scene->member[i] = false;
	scene->count--;
}

/* Deletes a key, or adds it if there is room without moves. */
static void scene_turn(struct scene *scene, u32 i)
{
	struct kcuckoo_store *store = &scene->store[0];
	struct kcuckoo_probe probe;
	u64 place;

	if (scene->member[i]) {
		scene_delete(scene, i, true);
		return;
	}
	probe = scene_probe(scene, i);
	place = kcuckoo_store_vacant(store, &scene->keys[i], &probe,
				     scene->rehash.cursor);
	if (place == KCUCKOO_NO_PLACE)
		return;
	if (!kcuckoo_rehash_add(&scene->rehash, place, &scene->keys[i], &probe,
				scene->search))
		return;
	kcuckoo_store_put(store, place, &probe);
	scene->member[i] = true;
	scene->count++;
}

static void require_members(const struct scene *scene)
{
	const struct kcuckoo_store *store = &scene->store[0];
	u32 i;

	for (i = 0; i < scene->size; i++) {
		struct kcuckoo_probe probe = scene->probe[i];

		if (!scene->member[i])
			continue;
		kcuckoo_store_probe(store, &scene->keys[i], &probe);
		tap_require(kcuckoo_store_contains(store, &scene->keys[i],
						   &probe), "key %u", i);
		tap_require(kcuckoo_store_find_value(store, &scene->keys[i],
						     &probe) !=
			    KCUCKOO_NO_PLACE, "key %u", i);
	}
	tap_require(store->table.entries == scene->count, "%llu of %u",
		    store->table.entries, scene->count);
	tap_require(fixture_used(&store->table) == scene->count, "not %u",
		    scene->count);
}

static int compare(const void *left, const void *right)
{
	return memcmp(left, right, sizeof(struct kcuckoo_entry));
}

/* Entries of a bucket whose tag tells one part, in order. Returns how many. */
static u32 bucket_entries(const struct kcuckoo_table *table, u32 bucket,
			  u32 part_mask, u32 part,
			  struct kcuckoo_entry entries[KCUCKOO_BUCKET_SIZE_MAX])
{
	u64 first = (u64)bucket << table->params.bucket_shift;
	u64 end = first + (1U << table->params.bucket_shift);
	u32 count = 0;
	u64 place;

	memset(entries, 0, KCUCKOO_BUCKET_SIZE_MAX * sizeof(*entries));
	for (place = first; place < end; place++) {
		struct kcuckoo_entry *entry = &entries[count];

		kcuckoo_table_get(table, place, entry);
		if (entry->tag && (entry->tag & part_mask) == part)
			count++;
		else
			memset(entry, 0, sizeof(*entry));
	}
	qsort(entries, count, sizeof(*entries), compare);
	return count;
}

/*
 * The invariant, bucket by bucket: what lies before the cursor is in the
 * mirrored bucket of its half, and nothing else is in the new table.
 */
static void require_mirrored(const struct scene *scene)
{
	const struct kcuckoo_table *from = &scene->store[0].table;
	const struct kcuckoo_table *to = &scene->store[1].table;
	u64 cursor = scene->rehash.cursor >> from->params.bucket_shift;
	struct kcuckoo_entry entries[2][KCUCKOO_BUCKET_SIZE_MAX];
	u64 copied = 0;
	u32 bucket;

	tap_require(!scene->rehash.failed, "at %llu", scene->rehash.cursor);
	for (bucket = 0; bucket < to->params.nbuckets; bucket++) {
		u32 mirrored = bucket % from->params.nbuckets;
		u32 part = bucket / to->part_buckets;
		u32 expected;
		u32 count;

		count = bucket_entries(to, bucket, 0, 0, entries[1]);
		expected = bucket_entries(from, mirrored, to->part_mask, part,
					  entries[0]);
		if (mirrored >= cursor)
			expected = 0;
		tap_require(count == expected, "bucket %u: %u, not %u", bucket,
			    count, expected);
		tap_require(!memcmp(entries[0], entries[1],
				    count * sizeof(entries[0][0])),
			    "bucket %u", bucket);
		copied += count;
	}
	tap_require(to->entries == copied, "%llu of %llu", to->entries, copied);
}

static void scene_begin(struct scene *scene, const struct kcuckoo_layout *layout)
{
	fixture_inet(&scene->store[1], layout, &scene->secret);
	kcuckoo_rehash_init(&scene->rehash, &scene->store[0],
			    &scene->store[1], &scene->secret);
}

static void scene_end(struct scene *scene)
{
	const struct kcuckoo_store *to = &scene->store[1];
	u64 place;
	u64 expiring = 0;

	tap_require(kcuckoo_rehash_done(&scene->rehash), "at %llu",
		    scene->rehash.cursor);
	for (place = 0; place < kcuckoo_store_places(to); place++)
		expiring += kcuckoo_table_expiry(&to->table, place) != 0;
	tap_require(to->table.expiring == expiring, "%llu of %llu",
		    to->table.expiring, expiring);
	fixture_inet_free(&scene->store[0]);
	scene->store[0] = scene->store[1];
	require_members(scene);
}

/* Doubles a table, with some turns at each bucket; checks every so many. */
static void scene_double(struct scene *scene, u32 turns, u32 checks)
{
	u64 places = kcuckoo_store_places(&scene->store[0]);
	struct kcuckoo_layout layout;
	u32 step = 0;
	u32 i;

	tap_require(kcuckoo_layout_grow(&layout, &scene->store[0].layout), "f %u",
		    layout.params.tag_bits);
	scene_begin(scene, &layout);
	section_steps = 1;
	searches = 0;
	while (scene->rehash.cursor < places) {
		u64 cursor = scene->rehash.cursor;

		for (i = 0; i < turns; i++)
			scene_turn(scene, random_below(scene->size));
		kcuckoo_rehash_copy(&scene->rehash, scene->search,
				    KCUCKOO_SECTION_STEPS);
		tap_require(scene->rehash.cursor > cursor, "at %llu", cursor);
		if (step++ % checks == 0)
			require_mirrored(scene);
	}
	require_mirrored(scene);
	tap_require(!searches, "%u searches", searches);
	scene_end(scene);
}

/*
 * As often as there are tag bits for it, each time from a table that is full,
 * with turns at each position of the cursor.
 */
static void check_positions(const struct kcuckoo_table_params *params, u32 nbuckets,
			    u32 limit)
{
	u32 size = (nbuckets << params->bucket_shift) * 6;
	struct scene scene;
	u32 k;

	scene_init(&scene, params, nbuckets, size);
	scene.search->limit = limit;
	for (k = 0; k < 3; k++) {
		scene_fill(&scene, size);
		require_members(&scene);
		scene_double(&scene, 6, k ? 16 : 1);
	}
	scene_free(&scene);
}

static void test_positions(void)
{
	unsigned int i;

	for (i = 0; i < TAP_COUNT(variants); i++)
		check_positions(&variants[i], 64 + 2 * random_below(20),
				KCUCKOO_SEARCH_VISITS);
}

/* Searches of two buckets find little; but there are none. */
static void test_visits(void)
{
	unsigned int i;
	int round;

	for (i = 0; i < TAP_COUNT(variants); i++)
		for (round = 0; round < 3; round++)
			check_positions(&variants[i], 64 + 2 * round,
					KCUCKOO_SEARCH_VISITS_MIN);
}

/*
 * The rate of other keys: within 5 percent of the one predicted. As many are
 * looked up as give 16,000 hits, 0.8 percent of which is chance.
 */
static void require_rate(const struct scene *scene)
{
	const struct kcuckoo_store *store = &scene->store[0];
	const struct kcuckoo_table_params *params = &store->layout.params;
	double tags = (double)kcuckoo_bits_mask(params->tag_bits);
	double load = (double)scene->count /
		      (double)kcuckoo_store_places(store);
	double parts = (double)(1U << params->doublings);
	struct kcuckoo_probe probe = {};
	struct kcuckoo_key key;
	double expected;
	u64 probes;
	u64 hits = 0;
	u64 n;

	expected = 1 - pow(1 - parts / tags,
			   (double)(2U << params->bucket_shift) * load);
	probes = (u64)(16000 / expected);
	for (n = 0; n < probes; n++) {
		u64 word = random_word();

		key.hash = kcuckoo_hash_bytes(&scene->secret, (u8 *)&word, 7);
		kcuckoo_store_probe(store, &key, &probe);
		hits += kcuckoo_store_contains(store, &key, &probe);
	}
	printf("# b %u, f %u, k %u, load %.3f: %.5f, predicted %.5f\n",
	       1U << params->bucket_shift, params->tag_bits,
	       params->doublings, load, (double)hits / (double)probes,
	       expected);
	tap_require(fabs((double)hits / (double)probes - expected) <
		    0.05 * expected, "%llu of %llu", hits, probes);
}

/* Doubling leaves the rate, filling to the same load doubles it. */
static void check_rate(unsigned int shift, unsigned int bits, bool sorted,
		       u32 times)
{
	const struct kcuckoo_table_params params = {
		.bucket_shift = shift, .tag_bits = bits, .sorted = sorted,
	};
	/* Keys do not spread evenly over the parts; the fullest is fuller. */
	u32 full = (1000U << shift) * 9 / 10;
	struct scene scene;
	u32 k;

	scene_init(&scene, &params, 1000, full << times);
	for (k = 0; k <= times; k++) {
		if (k) {
			scene_double(&scene, 0, 1U << 30);
			require_rate(&scene);
		}
		scene_fill(&scene, full << k);
		tap_require(scene.count == full << k, "%u", scene.count);
		require_rate(&scene);
	}
	scene_free(&scene);
}

static void test_rate(void)
{
	check_rate(2, 8, false, 4);
	check_rate(2, 10, false, 5);
	check_rate(2, 10, true, 5);
	check_rate(3, 10, false, 4);
}

/* Halves as far as there is room, with turns meanwhile. Nothing is lost. */
static void scene_halve(struct scene *scene, u32 turns)
{
	const struct kcuckoo_layout *from = &scene->store[0].layout;
	u32 most = scene->count + turns;
	struct kcuckoo_layout next;
	struct kcuckoo_layout layout;
	u32 i;

	tap_require(kcuckoo_layout_shrink(&layout, from, most), "%u", most);
	tap_require(kcuckoo_layout_room(&layout) >= most, "%u", most);
	tap_require(layout.params.nbuckets >> layout.params.doublings ==
		    scene->store[0].table.part_buckets, "m %u",
		    layout.params.nbuckets);
	tap_require(!kcuckoo_layout_shrink(&next, &layout, most), "%u", most);
	scene_begin(scene, &layout);
	section_steps = 3;
	while (!scene->rehash.failed && !kcuckoo_rehash_done(&scene->rehash)) {
		kcuckoo_rehash_copy(&scene->rehash, scene->search,
				    KCUCKOO_SECTION_STEPS);
		/* Semi-sorted entries have no places to stop between. */
		tap_require(!layout.params.sorted || scene->rehash.failed ||
			    !(scene->rehash.cursor % KCUCKOO_SEMISORT_ENTRIES),
			    "at %llu", scene->rehash.cursor);
		for (i = 0; turns && i < 2; i++, turns--)
			scene_turn(scene, random_below(scene->size));
	}
	scene_end(scene);
}

static void check_halving(const struct kcuckoo_table_params *params, u32 nbuckets)
{
	u32 size = (nbuckets << params->bucket_shift) * 9;
	struct kcuckoo_layout layout;
	struct scene scene;
	u32 turns;
	u32 k;

	scene_init(&scene, params, nbuckets, size);
	turns = kcuckoo_layout_room(&scene.store[0].layout) / 4;
	for (k = 0; k < 3; k++) {
		scene_fill(&scene, size);
		scene_double(&scene, 1, 64);
	}
	while (scene.store[0].layout.params.doublings) {
		u32 i = random_below(scene.size);

		if (scene.member[i])
			scene_delete(&scene, i, false);
		if (random_below(50))
			continue;
		require_members(&scene);
		if (kcuckoo_layout_shrink(&layout, &scene.store[0].layout,
					  scene.count + turns))
			scene_halve(&scene, turns);
	}
	for (k = 0; k < scene.size; k++)
		if (scene.member[k])
			scene_delete(&scene, k, false);
	tap_require(fixture_store_empty(&scene.store[0]), "all deleted");
	scene_free(&scene);
}

static void test_halving(void)
{
	unsigned int i;

	for (i = 0; i < TAP_COUNT(variants); i++) {
		searches = 0;
		check_halving(&variants[i], 64 + 2 * random_below(32));
		tap_require(searches || variants[i].bucket_shift < 2,
			    "b %u, f %u", 1U << variants[i].bucket_shift,
			    variants[i].tag_bits);
	}
}

/* 2^f >= 16 * 2^k, and no more buckets than there may be. */
static void test_limit(void)
{
	u32 nbuckets;
	u32 bits;

	for (bits = 1; bits <= KCUCKOO_FINGERPRINT_MAX; bits++) {
		const struct kcuckoo_table_params params = {
			.bucket_shift = 2, .tag_bits = bits,
		};
		struct kcuckoo_layout layout;
		struct kcuckoo_layout next;
		u32 k = 0;

		kcuckoo_layout_make(&layout, &params, 0, 64, 0);
		while (kcuckoo_layout_grow(&next, &layout)) {
			layout = next;
			k++;
			tap_require(layout.params.nbuckets == 64ULL << k &&
				    layout.params.doublings == k, "f %u",
				    bits);
			tap_require(1ULL << bits >= 16ULL << k, "f %u, k %u",
				    bits, k);
		}
		tap_require(1ULL << bits < 32ULL << k || k == 25, "f %u, k %u",
			    bits, k);
	}
	for (nbuckets = 1U << 30; nbuckets <= (1U << 30) + 1; nbuckets++) {
		const struct kcuckoo_table_params params = {
			.bucket_shift = 2, .tag_bits = 20,
		};
		struct kcuckoo_layout layout;

		kcuckoo_layout_make(&layout, &params, 0, nbuckets, 0);
		tap_require(kcuckoo_layout_grow(&layout, &layout) ==
			    (nbuckets == 1U << 30), "m %u", nbuckets);
	}
}

/* A half that is too small says so, and the table is as it was. */
static void test_failed(void)
{
	const struct kcuckoo_table_params params = { .bucket_shift = 2,
						     .tag_bits = 12 };
	struct fixture_picture picture;
	struct kcuckoo_layout layout;
	struct scene scene;
	u32 i;

	scene_init(&scene, &params, 100, 3000);
	scene_fill(&scene, 3000);
	scene_double(&scene, 2, 1);
	scene_fill(&scene, 600);
	fixture_picture_inet(&picture, &scene.store[0]);
	tap_require(kcuckoo_layout_shrink(&layout, &scene.store[0].layout, 1),
		    "one fits");
	scene_begin(&scene, &layout);
	for (i = 0; i < 1000 && !scene.rehash.failed; i++)
		kcuckoo_rehash_copy(&scene.rehash, scene.search,
				    KCUCKOO_SECTION_STEPS);
	tap_require(scene.rehash.failed, "%u members", scene.count);
	tap_require(fixture_picture_same(&picture, &scene.store[0].table),
		    "%u members", scene.count);
	for (i = 0; i < 200; i++)
		scene_turn(&scene, random_below(scene.size));
	tap_require(!kcuckoo_rehash_done(&scene.rehash), "failed");
	require_members(&scene);
}

static const struct tap_test tests[] = {
	{ "doubling.positions: mirrored, with turns at each position of the cursor",
	  test_positions },
	{ "doubling.visits: no search is needed, however few it may visit",
	  test_visits },
	{ "doubling.rate: within 5 percent of the one predicted", test_rate },
	{ "doubling.halving: nothing lost, with turns meanwhile", test_halving },
	{ "doubling.limit: where four bits of a tag are left, and only there",
	  test_limit },
	{ "doubling.failed: too small a half, the table as it was",
	  test_failed },
};

int main(int argc, char **argv)
{
	return tap_main(argc, argv, tests, TAP_COUNT(tests));
}
