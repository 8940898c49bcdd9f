// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two readers and a writer: whatever the writer does, permanent members are
 * found by every lookup, and what never was a member by none.
 */

#include "changes.h"

FIXTURE(lookup)
{
	struct client client;
};

static atomic_ullong lookups, misses, hits;

/* How many of the permanent members the readers ask for, and in which steps. */
static size_t readers_range, readers_step;

/* Are these members themselves, or covered by members? */
static bool readers_members;

FIXTURE_SETUP(lookup)
{
	crew_keys();
	ASSERT_EQ(0, client_begin(&self->client));
	ASSERT_EQ(0, crew_filter(self->client.fd, "a"));
	changes_begin(self->client.fd);
	readers_range = PERMANENT;
	readers_step = 2000;
	readers_members = true;
	atomic_store(&lookups, 0);
	atomic_store(&misses, 0);
	atomic_store(&hits, 0);
}

FIXTURE_TEARDOWN(lookup)
{
	EXPECT_EQ(0, client_end(&self->client));
}

static void *reader(void *argument)
{
	const size_t step = readers_step;
	int fd = *(int *)argument;
	long long found;
	size_t place = 0;

	while (atomic_load(&working)) {
		found = keys_covered(fd, "a", permanent + place, step);
		if (found < 0)
			atomic_fetch_add(&failures, 1);
		else
			atomic_fetch_add(&misses, step - found);
		found = readers_members ? keys_members(fd, "a", permanent + place, step) :
					  keys_covered(fd, "a", permanent + place, step);
		if (found < 0)
			atomic_fetch_add(&failures, 1);
		else
			atomic_fetch_add(&misses, step - found);
		found = keys_covered(fd, "a", never + place, step);
		if (found < 0)
			atomic_fetch_add(&failures, 1);
		else
			atomic_fetch_add(&hits, found);
		atomic_fetch_add(&lookups, 2 * step);
		place = (place + step) % readers_range;
	}
	return NULL;
}

/* Look-ups of permanent members that a test comes to, however long it takes. */
#define LOOKUPS	client_count("LOOKUPS", 10000)

static bool enough(void)
{
	return atomic_load(&lookups) >= LOOKUPS && changes_enough();
}

/* The threads' work is done; what did the readers see? */
static void judge(struct __test_metadata *_metadata, int fd)
{
	struct kcuckoo_ioc_info info;

	EXPECT_EQ(0, filter_info(fd, "a", &info));
	TH_LOG("%llu lookups, %llu misses, %llu false hits; %llu growths, %llu moves, %llu rounds",
	       atomic_load(&lookups), atomic_load(&misses), atomic_load(&hits),
	       info.growths, info.moves, atomic_load(&rounds));
	EXPECT_LE(LOOKUPS, atomic_load(&lookups));
	EXPECT_LE(min_rounds, atomic_load(&rounds));
	EXPECT_EQ(0, atomic_load(&misses));
	EXPECT_EQ(0, atomic_load(&hits));
	EXPECT_EQ(0, atomic_load(&failures));
	EXPECT_EQ(readers_range, readers_members ?
		  keys_members(fd, "a", permanent, readers_range) :
		  keys_covered(fd, "a", permanent, readers_range));
	EXPECT_EQ(0, keys_covered(fd, "a", never, readers_members ? NEVER : readers_range));
}

static void run(struct __test_metadata *_metadata, int fd, void *(*writer)(void *))
{
	pthread_t threads[] = {
		crew_start(reader, &fd), crew_start(reader, &fd), crew_start(writer, &fd),
	};

	crew_run(threads, 3, enough);
	judge(_metadata, fd);
}

/* The same, for writers that count their rounds: two of them do all that they do. */
static void run_rounds(struct __test_metadata *_metadata, int fd, void *(*writer)(void *))
{
	min_rounds = 2;
	run(_metadata, fd, writer);
}

static void *grow_and_shrink(void *argument)
{
	changes_grow_and_shrink(*(int *)argument);
	return NULL;
}

TEST_F(lookup, while_tables_grow_and_shrink)
{
	struct kcuckoo_ioc_info info;
	int fd = self->client.fd;

	ASSERT_EQ(0, changes_want_growth(fd));
	run(_metadata, fd, grow_and_shrink);
	ASSERT_EQ(0, filter_info(fd, "a", &info));
	EXPECT_LE(min_growths, info.growths);
	EXPECT_LE(min_moves, info.moves);
}

#define SMALL	100
#define FILL	100
#define STEP	50

/* Keys that come and go in a small table. */
static struct kcuckoo_prefix (*small_key)(__u32 number);

static struct kcuckoo_prefix small_ipv4(__u32 number)
{
	return ipv4(0xcb004000 | number, 32);
}

static struct kcuckoo_prefix small_ipv6(__u32 number)
{
	return ipv6(0x2003000000000000 | (__u64)number << 16, number, 128);
}

/*
 * A small table as full as it can be, of which half is replaced all the time:
 * nearly every add moves others, and among few members readers meet the moves.
 */
static void *full_table(void *argument)
{
	struct kcuckoo_ioc_info info;
	struct kcuckoo_prefix *some;
	int fd = *(int *)argument;
	__u64 random = 1;
	size_t i, round;

	check(keys_add(fd, "a", passing, FILL));
	for (round = 0; atomic_load(&working); round++) {
		/* A growth now and then leaves too much room. */
		if (round % 16 == 0) {
			check(filter_info(fd, "a", &info));
			if (info.table_entries_used < info.table_entries * 0.85)
				check(filter_compact(fd, "a"));
		}
		some = passing + round % (FILL / STEP) * STEP;
		check(keys_del(fd, "a", some, STEP));
		for (i = 0; i < STEP; i++)
			some[i] = small_key(random_next(&random) >> 40);
		check(keys_add(fd, "a", some, STEP));
	}
	return NULL;
}

static void entries_move(struct __test_metadata *_metadata, int fd)
{
	struct kcuckoo_ioc_info info;
	size_t i;

	for (i = 0; i < FILL; i++)
		passing[i] = small_key(i);
	ASSERT_EQ(0, filter_destroy(fd, "a"));
	ASSERT_EQ(0, filter_create(fd, "a", 1000));
	ASSERT_EQ(SMALL, keys_add(fd, "a", permanent, SMALL));
	readers_range = SMALL;
	readers_step = SMALL;
	min_moves = client_slow() ? 1000 : 10000;
	run(_metadata, fd, full_table);
	ASSERT_EQ(0, filter_info(fd, "a", &info));
	EXPECT_LE(min_moves, info.moves);
}

TEST_F(lookup, while_entries_move)
{
	size_t i;

	for (i = 0; i < SMALL; i++)
		permanent[i] = ipv4(0x0a001000 + i * 0x10001, 32);
	small_key = small_ipv4;
	entries_move(_metadata, self->client.fd);
}

/* Members of several lengths are looked up at one go, in a function of its own. */
TEST_F(lookup, while_entries_of_several_lengths_move)
{
	size_t i;

	for (i = 0; i < SMALL; i++)
		permanent[i] = ipv6(0x2001000000000000 | i << 16, i * 0x10001,
				    i ? 128 : 100);
	small_key = small_ipv6;
	entries_move(_metadata, self->client.fd);
}

/* An address, and the lengths of the two prefixes that cover it in turns. */
#define ADDRESS4	0xac1ea55aU
#define HIGH6		0x2004a5a55a5aa5a5ULL
#define LOW6		0x5a5aa5a5a5a55a5aULL
#define WIDE4		9
#define WIDE6		17
#define COVERED		32

static const struct kcuckoo_prefix *covering(int wide)
{
	static struct kcuckoo_prefix prefixes[2][2];

	prefixes[wide][0] = ipv4(ADDRESS4, wide ? WIDE4 : 32);
	prefixes[wide][1] = ipv6(HIGH6, LOW6, wide ? WIDE6 : 128);
	return prefixes[wide];
}

/*
 * For each length between theirs a prefix beside the address: all are looked up,
 * the longest first, so the one may come after its turn and the other one go
 * before.
 */
static int beside(int fd)
{
	struct kcuckoo_prefix key;
	long long added = 1;
	int plen;

	for (plen = WIDE4 + 1; plen < 32 && added == 1; plen++) {
		key = ipv4(ADDRESS4, plen);
		key.addr[(plen - 1) / 8] ^= 0x80 >> (plen - 1) % 8;
		added = keys_add(fd, "a", &key, 1);
	}
	for (plen = WIDE6 + 1; plen < 128 && added == 1; plen++) {
		key = ipv6(HIGH6, LOW6, plen);
		key.addr[(plen - 1) / 8] ^= 0x80 >> (plen - 1) % 8;
		added = keys_add(fd, "a", &key, 1);
	}
	return added == 1 ? 0 : -EPROTO;
}

/* Now and then a table goes and comes, and the length index with it. */
static void *take_turns(void *argument)
{
	int fd = *(int *)argument;
	size_t i;

	for (i = 0; atomic_load(&working); i++) {
		check(keys_add(fd, "a", covering(false), 2));
		check(keys_del(fd, "a", covering(true), 2));
		check(keys_add(fd, "a", covering(true), 2));
		check(keys_del(fd, "a", covering(false), 2));
		if (i % 16 == 0)
			check(filter_compact(fd, "a"));
		atomic_fetch_add(&rounds, 1);
	}
	return NULL;
}

/* A filter with members of all lengths; readers ask for what the two prefixes cover. */
static void run_beside(struct __test_metadata *_metadata, int fd, int wide,
		       void *(*writer)(void *))
{
	size_t i;

	for (i = 0; i < COVERED; i++) {
		permanent[i] = i % 2 ? ipv4(ADDRESS4, 32) : ipv6(HIGH6, LOW6, 128);
		never[i] = ipv4(0xcb002000 + i, 32);
	}
	ASSERT_EQ(0, filter_destroy(fd, "a"));
	ASSERT_EQ(0, filter_create(fd, "a", 1000));
	ASSERT_EQ(2, keys_add(fd, "a", covering(wide), 2));
	ASSERT_EQ(0, beside(fd));
	readers_range = COVERED;
	readers_step = COVERED;
	readers_members = false;
	run_rounds(_metadata, fd, writer);
}

/* At any time one of two prefixes covers an address: a look sees one instant. */
TEST_F(lookup, while_prefixes_take_turns)
{
	run_beside(_metadata, self->client.fd, false, take_turns);
}

/* In the small table of the shortest length, which is looked up last. */
static void *change_the_last(void *argument)
{
	struct kcuckoo_prefix keys[16];
	int fd = *(int *)argument;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(keys); i++)
		keys[i] = ipv6(HIGH6 ^ (i + 1) << 56, LOW6, WIDE6);
	while (atomic_load(&working)) {
		check(keys_add(fd, "a", keys, ARRAY_SIZE(keys)));
		check(keys_del(fd, "a", keys, ARRAY_SIZE(keys)));
		atomic_fetch_add(&rounds, 1);
	}
	return NULL;
}

/*
 * What covers an address is found last, after the thousand reads in which KCSAN
 * takes for granted what comes under a sequence count.
 */
TEST_F(lookup, while_the_last_of_many_lengths_changes)
{
	run_beside(_metadata, self->client.fd, true, change_the_last);
}

/* A new filter in the place of the old, again and again. */
static void *swap_and_replace(void *argument)
{
	int fd = *(int *)argument;
	size_t i;

	for (i = 0; atomic_load(&working); i++) {
		check(crew_filter(fd, "b"));
		check(keys_add(fd, "b", passing + i % 10 * 1000, 1000));
		if (i % 2) {
			check(filter_swap(fd, "a", "b"));
			check(filter_destroy(fd, "b"));
		} else {
			check(filter_replace(fd, "a", "b"));
		}
		atomic_fetch_add(&rounds, 1);
	}
	return NULL;
}

TEST_F(lookup, while_filters_are_swapped)
{
	run_rounds(_metadata, self->client.fd, swap_and_replace);
}

/* What was "a" is emptied as "b": a lookup in "a" must not notice. */
static void *swap_and_flush(void *argument)
{
	int fd = *(int *)argument;

	check(filter_create(fd, "b", 1 << 20));
	while (atomic_load(&working)) {
		check(keys_add(fd, "b", permanent, PERMANENT));
		check(filter_swap(fd, "a", "b"));
		check(filter_flush(fd, "b"));
		atomic_fetch_add(&rounds, 1);
	}
	return NULL;
}

TEST_F(lookup, while_swapped_filters_are_flushed)
{
	run_rounds(_metadata, self->client.fd, swap_and_flush);
}

/* New prefix lengths come and go; each brings a table of its own. */
static void *lengths(void *argument)
{
	struct kcuckoo_prefix keys[200];
	int fd = *(int *)argument;
	int plen, count = 0;

	for (plen = 20; plen < 32; plen++)
		keys[count++] = ipv4(0x0a0a4000, plen);
	for (plen = 16; plen < 128; plen++)
		keys[count++] = ipv6(0x2003aaaaaaaaaaaa, ~0ULL, plen);
	while (atomic_load(&working)) {
		for (plen = 0; plen < count; plen++)
			check(keys_add(fd, "a", keys + plen, 1));
		for (plen = 0; plen < count; plen++)
			check(keys_del(fd, "a", keys + plen, 1));
		check(filter_compact(fd, "a"));
		atomic_fetch_add(&rounds, 1);
	}
	return NULL;
}

TEST_F(lookup, while_lengths_come_and_go)
{
	run_rounds(_metadata, self->client.fd, lengths);
}

TEST_HARNESS_MAIN
