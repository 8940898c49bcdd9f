// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two readers and a writer: whatever the writer does, permanent members are
 * found by every lookup, and what never was a member by none.
 */

#include "crew.h"

FIXTURE(lookup)
{
	struct client client;
};

static atomic_ullong lookups, misses, hits, failures;

/* How many of the permanent members the readers ask for, and in which steps. */
static size_t readers_range, readers_step;

/* What the writer has to come to. */
static __u64 least_growths, least_moves;
static int device;

FIXTURE_SETUP(lookup)
{
	crew_keys();
	ASSERT_EQ(0, client_begin(&self->client));
	ASSERT_EQ(0, crew_filter(self->client.fd, "a"));
	device = self->client.fd;
	least_growths = 0;
	least_moves = 0;
	readers_range = PERMANENT;
	readers_step = 2000;
	atomic_store(&lookups, 0);
	atomic_store(&misses, 0);
	atomic_store(&hits, 0);
	atomic_store(&failures, 0);
	atomic_store(&working, true);
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
		found = keys_members(fd, "a", permanent + place, step);
		if (found < 0)
			atomic_fetch_add(&failures, 1);
		else
			atomic_fetch_add(&misses, step - found);
		found = keys_covered(fd, "a", never + place, step);
		if (found < 0)
			atomic_fetch_add(&failures, 1);
		else
			atomic_fetch_add(&hits, found);
		atomic_fetch_add(&lookups, 3 * step);
		place = (place + step) % readers_range;
	}
	return NULL;
}

#define LOOKUPS	10000

static bool enough(void)
{
	struct kcuckoo_ioc_info info;

	return atomic_load(&lookups) > LOOKUPS && !filter_info(device, "a", &info) &&
	       info.growths >= least_growths && info.moves >= least_moves;
}

/* The threads' work is done; what did the readers see? */
static void judge(struct __test_metadata *_metadata, int fd)
{
	struct kcuckoo_ioc_info info;

	EXPECT_EQ(0, filter_info(fd, "a", &info));
	TH_LOG("%llu lookups, %llu misses, %llu false hits; %llu growths, %llu moves",
	       atomic_load(&lookups), atomic_load(&misses), atomic_load(&hits),
	       info.growths, info.moves);
	EXPECT_LT(LOOKUPS, atomic_load(&lookups));
	EXPECT_EQ(0, atomic_load(&misses));
	EXPECT_EQ(0, atomic_load(&hits));
	EXPECT_EQ(0, atomic_load(&failures));
	EXPECT_EQ(readers_range, keys_members(fd, "a", permanent, readers_range));
	EXPECT_EQ(0, keys_covered(fd, "a", never, NEVER));
}

static void run(struct __test_metadata *_metadata, int fd, void *(*writer)(void *))
{
	pthread_t threads[] = {
		crew_start(reader, &fd), crew_start(reader, &fd), crew_start(writer, &fd),
	};

	crew_run(threads, 3, enough);
	judge(_metadata, fd);
}

static void check(long long result)
{
	if (result >= 0)
		return;
	fprintf(stderr, "# a call of the writer failed: %lld\n", result);
	atomic_fetch_add(&failures, 1);
	atomic_store(&working, false);
}

/* Up in small steps, so that tables fill, search and grow; down; compact. */
static void *grow_and_shrink(void *argument)
{
	int fd = *(int *)argument;
	size_t i, step = 500;

	while (atomic_load(&working)) {
		for (i = 0; i < PASSING && atomic_load(&working); i += step)
			check(keys_add(fd, "a", passing + i, step));
		for (i = 0; i < PASSING && atomic_load(&working); i += step)
			check(keys_del(fd, "a", passing + i, step));
		check(filter_compact(fd, "a"));
	}
	return NULL;
}

TEST_F(lookup, while_tables_grow_and_shrink)
{
	struct kcuckoo_ioc_info before, after;
	int fd = self->client.fd;

	ASSERT_EQ(0, filter_info(fd, "a", &before));
	least_growths = before.growths + 1;
	least_moves = before.moves + 1;
	run(_metadata, fd, grow_and_shrink);
	ASSERT_EQ(0, filter_info(fd, "a", &after));
	EXPECT_LE(least_growths, after.growths);
	EXPECT_LE(least_moves, after.moves);
}

#define SMALL	100
#define FILL	100
#define STEP	50

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
			if (info.slots_used < info.slots * 0.85)
				check(filter_compact(fd, "a"));
		}
		some = passing + round % (FILL / STEP) * STEP;
		check(keys_del(fd, "a", some, STEP));
		for (i = 0; i < STEP; i++)
			some[i] = ipv4(0xcb004000 | random_next(&random) >> 40, 32);
		check(keys_add(fd, "a", some, STEP));
	}
	return NULL;
}

TEST_F(lookup, while_entries_move)
{
	struct kcuckoo_ioc_info info;
	int fd = self->client.fd;
	size_t i;

	for (i = 0; i < SMALL; i++)
		permanent[i] = ipv4(0x0a001000 + i * 0x10001, 32);
	for (i = 0; i < FILL; i++)
		passing[i] = ipv4(0xcb004000 + i, 32);
	ASSERT_EQ(0, filter_destroy(fd, "a"));
	ASSERT_EQ(0, filter_create(fd, "a", 1000));
	ASSERT_EQ(SMALL, keys_add(fd, "a", permanent, SMALL));
	readers_range = SMALL;
	readers_step = SMALL;
	least_moves = client_slow() ? 1000 : 10000;
	run(_metadata, fd, full_table);
	ASSERT_EQ(0, filter_info(fd, "a", &info));
	EXPECT_LE(least_moves, info.moves);
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
	}
	return NULL;
}

TEST_F(lookup, while_filters_are_swapped)
{
	run(_metadata, self->client.fd, swap_and_replace);
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
	}
	return NULL;
}

TEST_F(lookup, while_swapped_filters_are_flushed)
{
	run(_metadata, self->client.fd, swap_and_flush);
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
	}
	return NULL;
}

TEST_F(lookup, while_lengths_come_and_go)
{
	run(_metadata, self->client.fd, lengths);
}

TEST_HARNESS_MAIN
