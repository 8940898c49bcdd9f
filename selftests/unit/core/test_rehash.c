// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rehash: a member is in the new table if and only if its place in the old one
 * lies before the cursor, whatever is added and deleted meanwhile.
 *
 * The rehash is compiled in here, so that its searches can be counted.
 */
#include "fixture.h"

static unsigned int searches;

/* The only reads that a search has, each time; 0 for as many as it is given. */
static u32 few_reads;

static bool count_search(struct kcuckoo_search *search,
			 const struct kcuckoo_table *table,
			 const struct kcuckoo_probe *probe, u32 *reads)
{
	searches++;
	if (few_reads && few_reads < *reads)
		*reads = few_reads;
	return kcuckoo_search_find(search, table, probe, reads);
}

#define kcuckoo_search_find	count_search
#include "core/rehash.c"
#undef kcuckoo_search_find

/**
 * struct scene - two tables and what should be in them
 * @table: the old and the new one
 * @rehash: from one to the other
 * @search: room for searches
 * @secret: of both
 * @plen: prefix length
 * @keys: all keys there can be
 * @member: which of these are members
 * @size: number of keys
 * @count: number of members
 * @refused: number of adds for which the new table has no room now
 */
struct scene {
	struct kcuckoo_store table[2];
	struct kcuckoo_rehash rehash;
	struct kcuckoo_search *search;
	struct kcuckoo_hash_key secret;
	unsigned int plen;
	struct kcuckoo_key *keys;
	bool *member;
	u32 size;
	u32 count;
	u32 refused;
};

static void scene_init(struct scene *scene, unsigned int plen, u32 size,
		       const struct kcuckoo_layout *from)
{
	struct number_set all;
	u32 i;

	if (plen < 20 && size > 1U << plen)
		size = 1U << plen;
	memset(scene, 0, sizeof(*scene));
	scene->search = fixture_search();
	scene->secret = fixture_key();
	scene->plen = plen;
	scene->size = size;
	scene->keys = tap_zalloc(size * sizeof(*scene->keys));
	scene->member = tap_zalloc(size);
	number_set_init(&all, size);
	for (i = 0; i < size; i++) {
		struct kcuckoo_key *key = &scene->keys[i];

		do {
			key->number = number_random(plen);
		} while (!number_set_add(&all, key->number));
		kcuckoo_key_permute(key, &scene->secret, plen);
	}
	number_set_free(&all);
	fixture_inet(&scene->table[0], from, &scene->secret);
}

static void scene_free(struct scene *scene)
{
	fixture_inet_free(&scene->table[0]);
	fixture_inet_free(&scene->table[1]);
	tap_free(scene->search);
	tap_free(scene->keys);
	tap_free(scene->member);
}

static void scene_begin(struct scene *scene,
			const struct kcuckoo_layout *to)
{
	fixture_inet(&scene->table[1], to, &scene->secret);
	kcuckoo_rehash_init(&scene->rehash, &scene->table[0],
			    &scene->table[1], &scene->secret);
}

/* Members before growth begins, with moves. */
static void scene_populate(struct scene *scene, u32 members)
{
	u32 i;

	for (i = 0; i < members; i++) {
		u64 place = fixture_inet_add(&scene->table[0], &scene->keys[i],
					     scene->search);

		if (place == KCUCKOO_NO_PLACE)
			break;
		scene->member[i] = true;
		scene->count++;
	}
	tap_require(i == members, "%u of %u", i, members);
}

/* Deletes a key, or adds it if there is room without moves. */
static void scene_turn(struct scene *scene, u32 i)
{
	const struct kcuckoo_key *key = &scene->keys[i];
	struct kcuckoo_store *from = &scene->table[0];
	struct kcuckoo_probe probe = {};
	u64 place;

	kcuckoo_store_probe(from, key, &probe);
	place = kcuckoo_store_find(from, key, &probe);
	tap_require((place != KCUCKOO_NO_PLACE) == scene->member[i], "%u", i);
	if (scene->member[i]) {
		kcuckoo_store_clear(from, place);
		kcuckoo_rehash_clear(&scene->rehash, place, key, &probe);
		scene->member[i] = false;
		scene->count--;
		return;
	}
	place = kcuckoo_store_vacant(from, key, &probe, scene->rehash.cursor);
	if (place == KCUCKOO_NO_PLACE)
		return;
	if (!kcuckoo_rehash_add(&scene->rehash, place, key, &probe, scene->search)) {
		scene->refused++;
		return;
	}
	kcuckoo_store_put(from, place, &probe);
	scene->member[i] = true;
	scene->count++;
}

/* The invariant, by looking at each key. */
static void scene_require(const struct scene *scene)
{
	u64 cursor = scene->rehash.cursor;
	u64 copied = 0;
	u32 i;

	tap_require(!scene->rehash.failed, "at %llu", cursor);
	tap_require(scene->table[0].table.entries == scene->count, "%llu",
		    scene->table[0].table.entries);
	for (i = 0; i < scene->size; i++) {
		const struct kcuckoo_key *key = &scene->keys[i];
		u64 place = fixture_inet_find(&scene->table[0], key);
		bool before = place != KCUCKOO_NO_PLACE && place < cursor;

		tap_require((place != KCUCKOO_NO_PLACE) == scene->member[i],
			    "key %u at %llu", i, place);
		tap_require(fixture_inet_contains(&scene->table[1], key) ==
			    before, "key %u at %llu, cursor %llu", i, place,
			    cursor);
		copied += before;
	}
	tap_require(scene->table[1].table.entries == copied, "%llu of %llu",
		    scene->table[1].table.entries, copied);
}

/* The new table has the members, each at one place, and nothing else. */
static void scene_require_done(const struct scene *scene)
{
	const struct kcuckoo_store *to = &scene->table[1];
	struct kcuckoo_key key;
	u64 used = 0;
	u64 place;

	tap_require(kcuckoo_rehash_done(&scene->rehash), "at %llu",
		    scene->rehash.cursor);
	scene_require(scene);
	for (place = 0; place < kcuckoo_store_places(to); place++)
		used += kcuckoo_store_get(to, place, &key);
	tap_require(used == scene->count, "%llu of %u", used, scene->count);
}

/* Puts the cursor anywhere, by saying so for each member before it. */
static void scene_jump(struct scene *scene, u64 cursor)
{
	const struct kcuckoo_probe plain = {};
	u32 i;

	scene->rehash.cursor = cursor;
	for (i = 0; i < scene->size; i++) {
		u64 place = fixture_inet_find(&scene->table[0],
					      &scene->keys[i]);

		if (place != KCUCKOO_NO_PLACE)
			tap_require(kcuckoo_rehash_add(&scene->rehash, place,
						       &scene->keys[i], &plain,
						       scene->search),
				    "key %u", i);
	}
}

static void scene_finish(struct scene *scene)
{
	while (scene->rehash.cursor < kcuckoo_store_places(&scene->table[0])) {
		u64 cursor = scene->rehash.cursor;

		kcuckoo_rehash_copy(&scene->rehash, scene->search,
				    KCUCKOO_SECTION_STEPS);
		tap_require(scene->rehash.cursor > cursor, "at %llu", cursor);
		scene_require(scene);
	}
	scene_require_done(scene);
}

/* Turns at each position of the cursor, judged one by one. */
static void check_positions(const struct kcuckoo_layout *from,
			    const struct kcuckoo_layout *to, u32 members)
{
	struct scene scene;
	u64 places;
	u64 cursor;
	int i;

	scene_init(&scene, from->bits, 2 * members, from);
	scene_populate(&scene, members);
	places = kcuckoo_store_places(&scene.table[0]);
	for (cursor = 0; cursor <= places; cursor++) {
		scene_begin(&scene, to);
		scene_jump(&scene, cursor);
		scene_require(&scene);
		for (i = 0; i < 10; i++) {
			scene_turn(&scene, random_below(scene.size));
			scene_require(&scene);
		}
		/* The end is the same from everywhere. */
		if (cursor % 16 == 0)
			scene_finish(&scene);
		fixture_inet_free(&scene.table[1]);
	}
	scene_begin(&scene, to);
	scene_finish(&scene);
	scene_free(&scene);
}

static void test_positions(void)
{
	static const u8 plens[] = { 16, 24, 32, 33, 48, 64, 65, 96, 127, 128 };
	unsigned int i;

	for (i = 0; i < TAP_COUNT(plens); i++) {
		struct kcuckoo_layout from = fixture_layout(plens[i], 2, 17);
		struct kcuckoo_layout to = fixture_layout(plens[i], 2, 21);

		check_positions(&from, &to, 50);
	}
}

static void test_positions_kinds(void)
{
	unsigned int plen;

	for (plen = 9; plen <= 11; plen++) {
		struct kcuckoo_layout table = fixture_layout(plen, 2, 40);
		struct kcuckoo_layout bitmap = fixture_bitmap(plen);

		check_positions(&table, &bitmap, 100);
		check_positions(&bitmap, &table, 80);
		check_positions(&bitmap, &bitmap, 100);
	}
}

/* Into a table that is nearly full in the end, so that moves are needed. */
static void test_positions_full(void)
{
	unsigned int shift;

	for (shift = 1; shift <= 3; shift++) {
		struct kcuckoo_layout from = fixture_layout(32, shift, 48);
		struct kcuckoo_layout to = fixture_layout(32, shift, 40);
		/* Small tables of two to a bucket fill less far. */
		u32 load = shift == 1 ? 22 : 28;

		searches = 0;
		check_positions(&from, &to, load << shift);
		tap_require(searches > 10, "%u searches", searches);
	}
}

/* A section copies 256 buckets, or until one search was done. */
static void check_sections(const struct kcuckoo_layout *from,
			   const struct kcuckoo_layout *to, u32 members)
{
	u64 bucket = from->bitmap ? 64 : 1ULL << from->params.bucket_shift;
	struct scene scene;
	u64 places;
	int i;

	scene_init(&scene, from->bits, members + members / 4, from);
	scene_populate(&scene, members);
	scene_begin(&scene, to);
	places = kcuckoo_store_places(&scene.table[0]);
	while (scene.rehash.cursor < places) {
		u64 stores = scene.table[1].table.entries;
		u64 steps = scene.rehash.cursor;

		searches = 0;
		kcuckoo_rehash_copy(&scene.rehash, scene.search,
				    KCUCKOO_SECTION_STEPS);
		tap_require(searches <= 1, "%u searches", searches);
		steps = (scene.rehash.cursor - steps + bucket - 1) / bucket;
		tap_require(steps && steps <= KCUCKOO_SECTION_STEPS, "%llu steps",
			    steps);
		stores = scene.table[1].table.entries - stores;
		tap_require(!from->bitmap ||
			    steps + stores <= KCUCKOO_SECTION_STEPS + 64,
			    "%llu steps and %llu stores", steps, stores);
		tap_require(searches || scene.rehash.cursor == places ||
			    steps + stores >= KCUCKOO_SECTION_STEPS,
			    "%llu steps and %llu stores", steps, stores);
		for (i = 0; i < 8; i++)
			scene_turn(&scene, random_below(scene.size));
		scene_require(&scene);
	}
	scene_require_done(&scene);
	scene_free(&scene);
}

static void test_sections(void)
{
	struct kcuckoo_layout from;
	struct kcuckoo_layout to;

	from = fixture_layout(32, 2, 3000);
	to = fixture_layout(32, 2, 3750);
	check_sections(&from, &to, 11000);
	to = fixture_layout(32, 2, 2400);
	check_sections(&from, &to, 9000);
	from = fixture_bitmap(16);
	to = fixture_layout(16, 2, 4000);
	check_sections(&from, &to, 10000);
	check_sections(&to, &from, 10000);
	from = fixture_layout(100, 3, 1000);
	to = fixture_layout(100, 3, 1250);
	check_sections(&from, &to, 7000);
}

/*
 * A target without room: it says so, the old table is as it was, and telling of
 * adds and deletes does no harm.
 */
static void check_failed(const struct kcuckoo_layout *from,
			 const struct kcuckoo_layout *to, u32 members)
{
	struct fixture_picture picture;
	struct scene scene;
	u32 i;

	scene_init(&scene, from->bits, 2 * members, from);
	scene_populate(&scene, members);
	scene_begin(&scene, to);
	fixture_picture_inet(&picture, &scene.table[0]);
	for (i = 0; i < 10000 && !scene.rehash.failed; i++)
		kcuckoo_rehash_copy(&scene.rehash, scene.search,
				    KCUCKOO_SECTION_STEPS);
	tap_require(scene.rehash.failed, "%u members", members);
	tap_require(!kcuckoo_rehash_done(&scene.rehash), "failed");
	tap_require(fixture_picture_same(&picture, &scene.table[0].table),
		    "%u members", members);
	tap_free(picture.words);
	for (i = 0; i < 200; i++) {
		kcuckoo_rehash_copy(&scene.rehash, scene.search,
				    KCUCKOO_SECTION_STEPS);
		scene_turn(&scene, random_below(scene.size));
		tap_require(!kcuckoo_rehash_done(&scene.rehash), "failed");
	}
	/* Given up; another one, with room, finds everything. */
	fixture_inet_free(&scene.table[1]);
	scene_begin(&scene, from);
	scene_finish(&scene);
	scene_free(&scene);
}

static void test_failed(void)
{
	struct kcuckoo_layout from;
	struct kcuckoo_layout to;

	from = fixture_layout(32, 2, 1000);
	to = fixture_layout(32, 2, 500);
	check_failed(&from, &to, 2500);
	to = fixture_layout(32, 2, 16);
	check_failed(&from, &to, 2500);
	from = fixture_bitmap(12);
	to = fixture_layout(12, 2, 100);
	check_failed(&from, &to, 1000);
	from = fixture_layout(128, 3, 50);
	to = fixture_layout(128, 3, 20);
	check_failed(&from, &to, 300);
}

/* Adds fill a target that was just large enough. */
static void scene_overfill(struct scene *scene, u32 limit)
{
	struct kcuckoo_layout from = fixture_layout(32, 2, 100);
	struct kcuckoo_layout to = fixture_layout(32, 2, 55);
	u32 i;

	scene_init(scene, 32, 380, &from);
	scene_populate(scene, 200);
	scene->search->limit = limit;
	scene_begin(scene, &to);
	scene_finish(scene);
	for (i = 200; i < scene->size && !scene->rehash.failed; i++)
		scene_turn(scene, i);
	for (i = 0; i < scene->size; i++)
		tap_require(fixture_inet_contains(&scene->table[0],
						  &scene->keys[i]) ==
			    scene->member[i], "key %u", i);
}

static void test_failed_add(void)
{
	struct scene scene;

	scene_overfill(&scene, 16);
	tap_require(scene.rehash.failed, "%u members", scene.count);
	tap_require(!kcuckoo_rehash_done(&scene.rehash), "failed");
	scene_free(&scene);
}

/* A search that would take too long is not worth the rehash: the add has to wait. */
static void test_refused_add(void)
{
	struct scene scene;

	scene_overfill(&scene, KCUCKOO_SEARCH_VISITS);
	tap_require(scene.refused > 100, "%u refused", scene.refused);
	scene_require_done(&scene);
	scene_free(&scene);
}

/*
 * A search of several sections: with so few reads in each that every search is one. What
 * others change in between does no harm.
 */
static void check_pieces(unsigned int shift, u32 turns)
{
	struct kcuckoo_layout from = fixture_layout(32, shift, 1000);
	struct kcuckoo_layout to = fixture_layout(32, shift, 820);
	struct scene scene;
	u32 open = 0;
	u32 i;

	scene_init(&scene, 32, (1000U << shift), &from);
	scene_populate(&scene, (780U << shift) - (shift == 1 ? 200 : 0));
	scene_begin(&scene, &to);
	few_reads = 3;
	while (!scene.rehash.failed && !kcuckoo_rehash_done(&scene.rehash)) {
		kcuckoo_rehash_copy(&scene.rehash, scene.search,
				    KCUCKOO_SECTION_STEPS);
		open += scene.search->open;
		for (i = 0; i < turns; i++)
			scene_turn(&scene, random_below(scene.size));
		scene_require(&scene);
	}
	few_reads = 0;
	printf("# b %u: %u searches went on in another section, %u adds refused\n",
	       1U << shift, open, scene.refused);
	tap_require(open > 20, "%u", open);
	tap_require(!scene.rehash.failed, "%u members", scene.count);
	scene_require_done(&scene);
	scene_free(&scene);
}

static void test_pieces(void)
{
	unsigned int shift;

	for (shift = 1; shift <= 3; shift++) {
		check_pieces(shift, 0);
		check_pieces(shift, 2);
	}
}

/* A random fingerprint at one of its two places, or nowhere. */
static void sorted_add(struct kcuckoo_table *table)
{
	struct kcuckoo_probe probe = {};
	u64 place;

	kcuckoo_table_probe_hash(table, random_word(), &probe);
	place = kcuckoo_table_bucket_vacant(table, probe.bucket[0]);
	if (place == KCUCKOO_NO_PLACE)
		place = kcuckoo_table_bucket_vacant(table, probe.bucket[1]);
	if (place != KCUCKOO_NO_PLACE)
		kcuckoo_table_put(table, place, &probe);
}

/* How full a table is when it has no place for a member of the second of two others. */
static double sorted_load(const struct kcuckoo_layout *layout,
			  struct kcuckoo_search *search)
{
	struct kcuckoo_hash_key secret = fixture_key();
	u64 places = (u64)layout->params.nbuckets << layout->params.bucket_shift;
	struct kcuckoo_store from[2], to;
	struct kcuckoo_rehash rehash;
	unsigned int i;
	double load;
	u64 n;

	fixture_inet(&to, layout, &secret);
	for (i = 0; i < 2; i++) {
		fixture_inet(&from[i], layout, &secret);
		for (n = 0; n < places / 2 + places / 20; n++)
			sorted_add(&from[i].table);
		kcuckoo_rehash_init(&rehash, &from[i], &to, &secret);
		while (!rehash.failed && !kcuckoo_rehash_done(&rehash))
			kcuckoo_rehash_copy(&rehash, search, KCUCKOO_SECTION_STEPS);
		search->open = false;
		tap_require(rehash.failed == i, "table %u", i);
	}
	load = (double)to.table.entries / places;
	for (i = 0; i < 2; i++)
		fixture_inet_free(&from[i]);
	fixture_inet_free(&to);
	return load;
}

/*
 * A semi-sorted bucket is copied in one section. Its searches read enough that a merged table
 * becomes as full as others: 0.968 on average; with 768 reads for a bucket, 0.957.
 */
static void test_sorted(void)
{
	const struct kcuckoo_layout layout = {
		.bits = 32,
		.params = {
			.nbuckets = 4096,
			.bucket_shift = 2,
			.tag_bits = 16,
			.sorted = true,
		},
	};
	struct kcuckoo_search *search = fixture_search();
	const unsigned int rounds = 20;
	unsigned int round;
	double sum = 0;

	for (round = 0; round < rounds; round++)
		sum += sorted_load(&layout, search);
	printf("# merged tables are full at a load of %.4f\n", sum / rounds);
	tap_require(sum / rounds > 0.964, "%.4f", sum / rounds);
	tap_free(search);
}

/* A new table that lacks what it should have is not taken. */
static void test_lost(void)
{
	struct kcuckoo_layout from = fixture_layout(32, 2, 100);
	struct scene scene;
	u64 place;

	scene_init(&scene, 32, 200, &from);
	scene_populate(&scene, 100);
	scene_begin(&scene, &from);
	scene_finish(&scene);
	place = fixture_inet_find(&scene.table[1], &scene.keys[7]);
	kcuckoo_store_clear(&scene.table[1], place);
	scene_turn(&scene, 7);
	tap_require(scene.rehash.failed, "key 7 is not there");
	tap_require(!kcuckoo_rehash_done(&scene.rehash), "failed");
}

/*
 * From the smallest layout to the bitmap, always as soon as there is no room.
 */
static void check_chain(unsigned int plen)
{
	struct kcuckoo_layout layout = fixture_layout(plen, 2, 16);
	struct scene scene;
	u32 steps = 0;
	u32 i = 0;

	scene_init(&scene, plen, 1U << plen, &layout);
	while (i < scene.size) {
		if (fixture_inet_add(&scene.table[0], &scene.keys[i],
				     scene.search) != KCUCKOO_NO_PLACE) {
			scene.member[i++] = true;
			scene.count++;
			continue;
		}
		tap_require(kcuckoo_layout_grow(&layout,
						&scene.table[0].layout),
			    "%u members", scene.count);
		scene_begin(&scene, &layout);
		scene_finish(&scene);
		fixture_inet_free(&scene.table[0]);
		scene.table[0] = scene.table[1];
		steps++;
	}
	tap_require(layout.bitmap, "plen %u", plen);
	tap_require(steps >= 1 + (plen > 10), "%u steps", steps);
	tap_require(scene.table[0].table.entries == 1ULL << plen, "plen %u",
		    plen);
}

static void test_chain(void)
{
	unsigned int plen;

	for (plen = 9; plen <= 14; plen++)
		check_chain(plen);
}

/*
 * Tables filled to the first failure are copied into others of their layout:
 * all entries find the places that they have, without a search.
 */
static void check_same(unsigned int plen, unsigned int shift, u32 nbuckets)
{
	struct kcuckoo_layout layout = fixture_layout(plen, shift, nbuckets);
	struct scene scene;
	u32 i;

	scene_init(&scene, plen, 2 * nbuckets << shift, &layout);
	for (i = 0; i < scene.size; i++) {
		if (fixture_inet_add(&scene.table[0], &scene.keys[i],
				     scene.search) == KCUCKOO_NO_PLACE)
			break;
		scene.member[i] = true;
		scene.count++;
	}
	fixture_inet(&scene.table[1], &layout, &scene.secret);
	kcuckoo_rehash_init(&scene.rehash, &scene.table[0], &scene.table[1],
			    &scene.secret);
	searches = 0;
	while (!kcuckoo_rehash_done(&scene.rehash)) {
		kcuckoo_rehash_copy(&scene.rehash, scene.search,
				    KCUCKOO_SECTION_STEPS);
		for (i = 0; i < 8; i++)
			scene_turn(&scene, random_below(scene.size));
		scene_require(&scene);
	}
	for (i = 0; i < scene.size; i++)
		scene_turn(&scene, i);
	tap_require(!searches, "%u", searches);
	scene_require_done(&scene);
	scene_free(&scene);
}

static void test_same(void)
{
	static const u8 plens[] = { 12, 32, 64, 65, 128 };
	unsigned int shift;
	unsigned int i;
	u32 nbuckets;

	for (i = 0; i < TAP_COUNT(plens); i++)
		for (shift = 0; shift <= 3; shift++)
			for (nbuckets = 16; nbuckets < 40; nbuckets++)
				check_same(plens[i], shift, nbuckets);
	check_same(32, 2, 1000);
}

static const struct tap_test tests[] = {
	{ "rehash.positions: the invariant at each position of the cursor",
	  test_positions },
	{ "rehash.positions: between tables and bitmaps, both ways",
	  test_positions_kinds },
	{ "rehash.positions: into tables that become nearly full",
	  test_positions_full },
	{ "rehash.sections: 256 buckets or one search at a time", test_sections },
	{ "rehash.failed: no room, the old table as it was", test_failed },
	{ "rehash.failed: no room for an add", test_failed_add },
	{ "rehash.refused: no time to make room for an add", test_refused_add },
	{ "rehash.pieces: a search in several sections, with turns between them", test_pieces },
	{ "rehash.sorted: semi-sorted tables are merged until they are full", test_sorted },
	{ "rehash.failed: a member is lacking", test_lost },
	{ "rehash.same: full tables into others of their layout", test_same },
	{ "rehash.chain: from the smallest table to a full bitmap",
	  test_chain },
};

int main(int argc, char **argv)
{
	return tap_main(argc, argv, tests, TAP_COUNT(tests));
}
