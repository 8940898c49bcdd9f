// SPDX-License-Identifier: GPL-2.0-only
/*
 * Relocation: the search only reads, its path is a shortest one, every hop
 * keeps every key findable, and failure changes nothing.
 *
 * The search and the table are compiled in here, so that looks at buckets can
 * be counted, and tables be judged after each single store.
 */
#include "fixture.h"

static void (*watch)(void);

static void store(u64 *words, u64 bit, unsigned int width, u64 value)
{
	kcuckoo_bits_put(words, bit, width, value);
	if (watch)
		watch();
}

#define kcuckoo_bits_put		store
#include "core/table.c"
#undef kcuckoo_bits_put

static u64 visits;

static u64 visit(const struct kcuckoo_table *table, u32 bucket)
{
	visits++;
	return kcuckoo_table_bucket_vacant(table, bucket);
}

#define kcuckoo_table_bucket_vacant	visit
#include "core/search.c"
#undef kcuckoo_table_bucket_vacant

/* A table with the keys in it; key n is the hash of n. */
struct crowd {
	struct kcuckoo_table table;
	struct kcuckoo_search *search;
	u32 keys;
};

static void probe_key(const struct crowd *crowd, u32 n,
		      struct kcuckoo_probe *probe)
{
	const struct kcuckoo_table *table = &crowd->table;
	u64 hash = kcuckoo_hash_words(fixture_secret(), 0, n, 1);

	if (!table->params.exact)
		kcuckoo_table_probe_hash(table, hash, probe);
	else
		kcuckoo_table_probe_number(table, hash, n & 0xfffff, probe);
}

static void crowd_init(struct crowd *crowd, u32 nbuckets, unsigned int shift,
		       bool exact)
{
	struct kcuckoo_layout layout = fixture_layout(84, shift, nbuckets);

	if (!exact) {
		layout.params.tag_bits = 16;
		layout.params.aux_bits = 0;
		layout.params.exact = false;
	}
	fixture_table(&crowd->table, &layout.params);
	crowd->search = fixture_search();
	crowd->keys = 0;
	watch = NULL;
}

static void crowd_free(struct crowd *crowd)
{
	fixture_table_free(&crowd->table);
	tap_free(crowd->search);
}

/* Adds the next key. Returns false if that fails. */
static bool crowd_add(struct crowd *crowd)
{
	struct kcuckoo_probe probe;
	u64 place;

	probe_key(crowd, crowd->keys, &probe);
	place = fixture_add(&crowd->table, &probe, crowd->search);
	if (place == KCUCKOO_NO_PLACE)
		return false;
	crowd->keys++;
	return true;
}

/* Every key is there. */
static void crowd_require(const struct crowd *crowd)
{
	struct kcuckoo_probe probe;
	u32 n;

	for (n = 0; n < crowd->keys; n++) {
		probe_key(crowd, n, &probe);
		tap_require(kcuckoo_table_contains(&crowd->table, &probe),
			    "key %u of %u", n, crowd->keys);
	}
}

/* Length of a shortest path from a key's buckets to a free place. */
static u32 reference_hops(const struct crowd *crowd, u32 key)
{
	const struct kcuckoo_table *table = &crowd->table;
	u32 nbuckets = table->params.nbuckets;
	u32 entries = 1U << table->params.bucket_shift;
	u32 *level = tap_zalloc(nbuckets * sizeof(*level));
	struct kcuckoo_probe probe;
	bool wider = true;
	u32 hops;
	u64 place;

	/* Level 0 is not reached yet; bucket by bucket, until one has room. */
	probe_key(crowd, key, &probe);
	level[probe.bucket[0]] = 1;
	level[probe.bucket[1]] = 1;
	for (hops = 0; wider; hops++) {
		wider = false;
		for (place = 0; place < (u64)nbuckets * entries; place++) {
			u64 tag = kcuckoo_table_tag(table, place);
			u32 bucket = place / entries;
			u32 other;

			if (level[bucket] != hops + 1)
				continue;
			if (!tag) {
				tap_free(level);
				return hops;
			}
			other = kcuckoo_table_alternate(table, bucket, tag);
			if (!level[other]) {
				level[other] = hops + 2;
				wider = true;
			}
		}
	}
	tap_free(level);
	return ~0U;
}

/*
 * A search looks into a key's own buckets, and into all alternates from the
 * buckets that it visits.
 */
static u64 most_looks(const struct kcuckoo_table *table)
{
	return 2 + ((u64)KCUCKOO_SEARCH_VISITS << table->params.bucket_shift);
}

/*
 * Does the search have enough looks for every path of so many hops? From each
 * of a key's two buckets there are b^hops.
 */
static bool in_reach(const struct kcuckoo_table *table, u32 hops)
{
	u64 paths = 2;
	u64 looks = 2;

	if (hops == ~0U)
		return false;
	while (hops-- && looks <= most_looks(table)) {
		paths <<= table->params.bucket_shift;
		looks += paths;
	}
	return looks <= most_looks(table);
}

/*
 * One search in a crowd, judged in full: nothing changed by the search, the
 * path a shortest one, and at every hop each key still there.
 */
static void check_path(struct crowd *crowd)
{
	struct kcuckoo_search *search = crowd->search;
	struct kcuckoo_table *table = &crowd->table;
	u32 shortest = reference_hops(crowd, crowd->keys);
	struct fixture_picture picture;
	struct kcuckoo_probe probe;
	u32 hops = 0;
	u32 bucket;
	bool found;

	fixture_picture_table(&picture, table);
	probe_key(crowd, crowd->keys, &probe);
	found = fixture_search_find(search, table, &probe);
	tap_require(fixture_picture_same(&picture, table), "%u keys",
		    crowd->keys);
	tap_free(picture.words);
	if (!found) {
		tap_require(!in_reach(table, shortest), "%u hops would do",
			    shortest);
		return;
	}
	while (kcuckoo_search_hops(search)) {
		tap_require(!kcuckoo_table_tag(table, search->vacant), "taken");
		kcuckoo_search_hop(search, table);
		crowd_require(crowd);
		hops++;
	}
	tap_require(hops == shortest, "%u instead of %u hops", hops, shortest);
	tap_require(!kcuckoo_table_tag(table, search->vacant), "taken");
	bucket = kcuckoo_table_bucket(table, search->vacant);
	tap_require(bucket == probe.bucket[0] || bucket == probe.bucket[1],
		    "bucket %u", bucket);
	tap_require(table->entries == crowd->keys, "%llu", table->entries);
	kcuckoo_table_put(table, search->vacant, &probe);
	crowd->keys++;
}

static void check_paths(u32 nbuckets, unsigned int shift, bool exact)
{
	struct crowd crowd;
	u64 places;
	u32 tries;

	crowd_init(&crowd, nbuckets, shift, exact);
	places = kcuckoo_table_places(&crowd.table);
	while (crowd.keys < places * 6 / 10 && crowd_add(&crowd))
		;
	for (tries = 0; tries < places && crowd.keys < places; tries++) {
		u32 keys = crowd.keys;

		check_path(&crowd);
		if (crowd.keys == keys)
			break;
	}
	crowd_require(&crowd);
	tap_require(fixture_used(&crowd.table) == crowd.keys, "%u", crowd.keys);
	crowd_free(&crowd);
}

static void test_path(void)
{
	static const u32 nbuckets[] = { 1, 2, 3, 16, 17, 61, 64, 255 };
	unsigned int shift;
	unsigned int i;

	for (i = 0; i < TAP_COUNT(nbuckets); i++) {
		for (shift = 0; shift <= 3; shift++) {
			if (nbuckets[i] >= 16)
				check_paths(nbuckets[i], shift, true);
			check_paths(nbuckets[i], shift, false);
		}
	}
}

static const struct crowd *watched;

static void watch_crowd(void)
{
	crowd_require(watched);
}

/* Not only after each hop, but after each store of which a hop consists. */
static void check_stores(u32 nbuckets, unsigned int shift, bool exact)
{
	struct crowd crowd;
	struct kcuckoo_probe probe;
	u64 places;

	crowd_init(&crowd, nbuckets, shift, exact);
	places = kcuckoo_table_places(&crowd.table);
	while (crowd.keys < places * 8 / 10 && crowd_add(&crowd))
		;
	watched = &crowd;
	while (crowd.keys < places) {
		probe_key(&crowd, crowd.keys, &probe);
		if (!fixture_search_find(crowd.search, &crowd.table, &probe))
			break;
		watch = watch_crowd;
		while (kcuckoo_search_hops(crowd.search))
			kcuckoo_search_hop(crowd.search, &crowd.table);
		watch = NULL;
		kcuckoo_table_put(&crowd.table, crowd.search->vacant, &probe);
		crowd.keys++;
	}
	crowd_require(&crowd);
	crowd_free(&crowd);
}

static void test_stores(void)
{
	unsigned int shift;

	for (shift = 1; shift <= 3; shift++) {
		check_stores(64, shift, true);
		check_stores(97, shift, false);
	}
}

/* In a large table near its limit, where paths are long. */
static void test_long_path(void)
{
	struct crowd crowd;
	u32 tries;

	crowd_init(&crowd, 1025, 2, true);
	while (crowd.keys < 3950)
		tap_require(crowd_add(&crowd), "at %u", crowd.keys);
	for (tries = 0; tries < 60; tries++)
		check_path(&crowd);
	crowd_require(&crowd);
}

/* Fills a table until a search fails, and then judges that failure. */
static void check_full(u32 nbuckets, unsigned int shift, bool exact)
{
	struct fixture_picture picture;
	struct crowd crowd;
	u32 n;

	crowd_init(&crowd, nbuckets, shift, exact);
	while (crowd_add(&crowd))
		;
	fixture_picture_table(&picture, &crowd.table);
	for (n = 0; n < 100; n++) {
		struct kcuckoo_probe probe;

		probe_key(&crowd, crowd.keys, &probe);
		tap_require(!fixture_search_find(crowd.search, &crowd.table,
						 &probe), "%u", n);
	}
	tap_require(fixture_picture_same(&picture, &crowd.table), "%u keys",
		    crowd.keys);
	crowd_require(&crowd);
	tap_free(picture.words);
	crowd_free(&crowd);
}

static void test_full(void)
{
	static const u32 nbuckets[] = { 16, 37, 1024, 5003 };
	unsigned int shift;
	unsigned int i;

	for (i = 0; i < TAP_COUNT(nbuckets); i++) {
		for (shift = 0; shift <= 3; shift++) {
			check_full(nbuckets[i], shift, true);
			check_full(nbuckets[i], shift, false);
		}
	}
}

/* No free place at all: as many looks as allowed, and not one more. */
static void check_visits(u32 nbuckets, unsigned int shift, u32 *full)
{
	struct kcuckoo_probe probe = {};
	struct crowd crowd;
	u64 place;

	crowd_init(&crowd, nbuckets, shift, false);
	for (place = 0; place < kcuckoo_table_places(&crowd.table); place++) {
		probe.bucket[0] = kcuckoo_table_bucket(&crowd.table, place);
		probe.tag[0] = 1 + random_below(0xffff);
		kcuckoo_table_put(&crowd.table, place, &probe);
	}
	probe_key(&crowd, 1, &probe);
	visits = 0;
	tap_require(!fixture_search_find(crowd.search, &crowd.table, &probe),
		    "m %u", nbuckets);
	tap_require(visits <= most_looks(&crowd.table), "%llu", visits);
	if (visits == most_looks(&crowd.table))
		(*full)++;
	crowd_free(&crowd);
}

static void test_visits(void)
{
	static const u32 nbuckets[] = { 1, 2, 16, 100, 513, 1025, 20011 };
	unsigned int shift;
	unsigned int i;
	u32 full = 0;

	for (i = 0; i < TAP_COUNT(nbuckets); i++)
		for (shift = 0; shift <= 3; shift++)
			check_visits(nbuckets[i], shift, &full);
	tap_require(full, "all that are allowed, once at least");
}

/* The search keeps to its own memory, whose end is the end of an allocation. */
static void test_queue(void)
{
	const u32 end = KCUCKOO_SEARCH_VISITS + KCUCKOO_SEARCH_AHEAD;
	struct crowd crowd;
	u32 failed = 0;

	crowd_init(&crowd, 3001, 2, true);
	while (crowd.keys < 100000 && failed < 20) {
		crowd.search->last = 0;
		if (!crowd_add(&crowd))
			failed++, crowd.keys++;
		else
			tap_require(crowd.search->last < end, "%u",
				    crowd.search->last);
	}
	tap_require(failed == 20, "%u", failed);
}

/* A section reads as many buckets as it may, and the next one goes on: the same path. */
static void check_sections(u32 nbuckets, unsigned int shift, bool exact, u32 most)
{
	struct kcuckoo_search *other = fixture_search();
	struct kcuckoo_probe probe;
	struct crowd crowd;
	u32 sections, reads, n;
	u32 several = 0;
	bool found;

	crowd_init(&crowd, nbuckets, shift, exact);
	while (crowd_add(&crowd))
		;
	for (n = 0; n < 200; n++) {
		probe_key(&crowd, crowd.keys + n, &probe);
		sections = 0;
		do {
			reads = most;
			visits = 0;
			found = kcuckoo_search_find(crowd.search, &crowd.table, &probe,
						    &reads);
			tap_require(visits <= most && visits <= most - reads,
				    "%llu of %u", visits, most);
			sections++;
		} while (crowd.search->open);
		several += sections > 1;
		tap_require(found == fixture_search_find(other, &crowd.table, &probe),
			    "after %u sections", sections);
		tap_require(!found || (other->last == crowd.search->last &&
				       other->vacant == crowd.search->vacant),
			    "another path after %u sections", sections);
	}
	tap_require(several > 10, "%u", several);
	tap_free(other);
	crowd_free(&crowd);
}

static void test_sections(void)
{
	unsigned int shift;

	for (shift = 0; shift <= 3; shift++) {
		check_sections(1025, shift, true, 4);
		check_sections(1025, shift, false, 4);
		check_sections(5003, shift, true, shift ? KCUCKOO_SEARCH_READS_CHECK / 2 : 8);
	}
}

/* Frees an entry, and takes some: any of those that a search may have seen. */
static void change_others(struct crowd *crowd, bool *member, u32 count)
{
	struct kcuckoo_probe probe;
	unsigned int i;
	u64 place;
	u32 n;

	n = random_below(count);
	probe_key(crowd, n, &probe);
	if (member[n])
		kcuckoo_table_clear(&crowd->table,
				    kcuckoo_table_find(&crowd->table, &probe));
	member[n] = false;
	for (i = 0; i < 64; i++) {
		n = random_below(count);
		if (member[n])
			continue;
		probe_key(crowd, n, &probe);
		place = kcuckoo_table_bucket_vacant(&crowd->table, probe.bucket[0]);
		if (place == KCUCKOO_NO_PLACE)
			continue;
		kcuckoo_table_put(&crowd->table, place, &probe);
		member[n] = true;
	}
}

static void require_rest(const struct crowd *crowd, const bool *member, u32 count)
{
	struct kcuckoo_probe probe;
	u32 n;

	for (n = 0; n < count; n++) {
		probe_key(crowd, n, &probe);
		tap_require(!member[n] || kcuckoo_table_contains(&crowd->table, &probe),
			    "key %u is gone", n);
	}
}

/*
 * After the last hop the place that was found is free, in one of the key's buckets. A
 * semi-sorted bucket has a free entry, but its entries have no fixed places.
 */
static void require_vacant(struct crowd *crowd, const struct kcuckoo_probe *probe)
{
	u64 vacant = crowd->search->vacant;
	u32 bucket = kcuckoo_table_bucket(&crowd->table, vacant);

	tap_require(bucket == probe->bucket[0] || bucket == probe->bucket[1],
		    "bucket %u, not %u or %u", bucket, probe->bucket[0], probe->bucket[1]);
	tap_require(crowd->table.params.sorted ?
		    kcuckoo_table_bucket_vacant(&crowd->table, bucket) != KCUCKOO_NO_PLACE :
		    !kcuckoo_table_tag(&crowd->table, vacant), "place %llu is used", vacant);
	kcuckoo_table_put(&crowd->table, vacant, probe);
	tap_require(kcuckoo_table_contains(&crowd->table, probe), "not at place %llu",
		    vacant);
	kcuckoo_table_clear(&crowd->table, kcuckoo_table_find(&crowd->table, probe));
}

/* What others change between two sections moves no key to where it does not belong. */
static void check_changes(struct crowd crowd, u32 *several)
{
	struct kcuckoo_probe probe;
	u32 count, sections, reads, n;
	bool *member;

	while (crowd_add(&crowd))
		;
	count = crowd.keys;
	member = tap_zalloc(count);
	memset(member, true, count);
	for (n = 0; n < 1000; n++) {
		probe_key(&crowd, count + n, &probe);
		sections = 0;
		do {
			if (sections++)
				change_others(&crowd, member, count);
			reads = 2;
			if (!kcuckoo_search_find(crowd.search, &crowd.table, &probe,
						 &reads))
				continue;
			*several += sections > 2;
			while (kcuckoo_search_hops(crowd.search)) {
				kcuckoo_search_hop(crowd.search, &crowd.table);
				require_rest(&crowd, member, count);
			}
			require_vacant(&crowd, &probe);
		} while (crowd.search->open);
	}
	tap_free(member);
	crowd_free(&crowd);
}

static void test_changes(void)
{
	static const struct kcuckoo_table_params sorted = {
		.nbuckets = 37, .bucket_shift = 2, .tag_bits = 16, .sorted = true,
	};
	static const u32 nbuckets[] = { 121, 61, 37, 23 };
	struct crowd crowd;
	unsigned int i;
	u32 several;

	for (i = 0; i <= 2 * TAP_COUNT(nbuckets); i++) {
		several = 0;
		if (i < 2 * TAP_COUNT(nbuckets)) {
			crowd_init(&crowd, nbuckets[i / 2], i / 2, i % 2);
		} else {
			fixture_table(&crowd.table, &sorted);
			crowd.search = fixture_search();
			crowd.keys = 0;
		}
		check_changes(crowd, &several);
		printf("# b %u%s: %u paths found in more than two sections\n",
		       1U << crowd.table.params.bucket_shift,
		       crowd.table.params.exact ? ", exact" : "", several);
		tap_require(several > 50, "%u", several);
	}
}

/*
 * So few buckets that a path, after changes of others, has some of them twice: with moves
 * along such a path, an entry would leave its two buckets.
 */
static void test_repeats(void)
{
	struct crowd crowd;
	unsigned int round;
	u32 several = 0;

	for (round = 0; round < 40; round++) {
		crowd_init(&crowd, 5, 1, false);
		check_changes(crowd, &several);
	}
	printf("# %u paths found in more than two sections\n", several);
	tap_require(several > 200, "%u", several);
}

/* 2b copies of a key fill both of its buckets; the next one fails cleanly. */
static void check_copies(unsigned int shift)
{
	struct fixture_picture picture;
	struct kcuckoo_probe probe;
	struct crowd crowd;
	u32 n;

	crowd_init(&crowd, 1001, shift, false);
	for (n = 0; n < 500; n++)
		tap_require(crowd_add(&crowd), "at %u", n);
	do {
		probe_key(&crowd, ++n, &probe);
	} while (probe.bucket[0] == probe.bucket[1] ||
		 !fixture_movable(&crowd.table, &probe));
	for (n = 0; n < 2U << shift; n++)
		tap_require(fixture_add(&crowd.table, &probe, crowd.search) !=
			    KCUCKOO_NO_PLACE, "copy %u", n);
	fixture_picture_table(&picture, &crowd.table);
	tap_require(fixture_add(&crowd.table, &probe, crowd.search) ==
		    KCUCKOO_NO_PLACE, "copy %u", n);
	tap_require(fixture_picture_same(&picture, &crowd.table), "b 2^%u",
		    shift);
	crowd_require(&crowd);
	while (n--) {
		tap_require(kcuckoo_table_contains(&crowd.table, &probe),
			    "copy %u", n);
		kcuckoo_table_clear(&crowd.table,
				    kcuckoo_table_find(&crowd.table, &probe));
	}
	tap_require(!kcuckoo_table_contains(&crowd.table, &probe), "all gone");
	crowd_require(&crowd);
	crowd_free(&crowd);
}

static void test_copies(void)
{
	unsigned int shift;

	/* With b = 1 the 500 keys may be in the way. */
	for (shift = 1; shift <= 3; shift++)
		check_copies(shift);
}

static const struct tap_test tests[] = {
	{ "search.path: read only, shortest, each key there at each hop",
	  test_path },
	{ "search.path: the same near the limit of a large table",
	  test_long_path },
	{ "search.stores: each key there after every single store",
	  test_stores },
	{ "search.full: fails, and leaves every bit as it was", test_full },
	{ "search.visits: 1024 looks at buckets at most", test_visits },
	{ "search.queue: never longer than its memory", test_queue },
	{ "search.sections: no more reads in one than allowed, and the same path", test_sections },
	{ "search.changes: between two sections, each key there at each hop", test_changes },
	{ "search.repeats: no path has a bucket twice", test_repeats },
	{ "search.copies: 2b of one key, and one more fails cleanly",
	  test_copies },
};

int main(int argc, char **argv)
{
	return tap_main(argc, argv, tests, TAP_COUNT(tests));
}
