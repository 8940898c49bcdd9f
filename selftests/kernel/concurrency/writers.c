// SPDX-License-Identifier: GPL-2.0-only
/*
 * Several writers of one filter: what one adds or deletes while another has the
 * table grow is in the new table as it was in the old.
 */

#include "crew.h"

#define WRITERS	3
#define RANGE	(PASSING / WRITERS)
#define STEP	200

FIXTURE(writers)
{
	struct client client;
};

FIXTURE_SETUP(writers)
{
	crew_keys();
	ASSERT_EQ(0, client_begin(&self->client));
	ASSERT_EQ(0, crew_filter(self->client.fd, "a"));
	atomic_store(&working, true);
}

FIXTURE_TEARDOWN(writers)
{
	EXPECT_EQ(0, client_end(&self->client));
}

static atomic_ullong wrong, steps;
static int device;

static void check(const char *what, size_t place, long long seen, long long expected)
{
	if (seen == expected)
		return;
	fprintf(stderr, "# %s at %zu: %lld, not %lld\n", what, place, seen, expected);
	atomic_fetch_add(&wrong, 1);
	atomic_store(&working, false);
}

/* Adds and deletes keys of its own range, and knows which of them are members. */
static void *writer(void *argument)
{
	struct kcuckoo_prefix *own = passing + (intptr_t)argument * RANGE;
	size_t place, half;

	while (atomic_load(&working)) {
		for (place = 0; place + STEP <= RANGE && atomic_load(&working);
		     place += STEP) {
			check("add", place, keys_add(device, "a", own + place, STEP), STEP);
			half = place / 2 / STEP * STEP;
			check("old ones", half,
			      keys_members(device, "a", own + half, STEP), STEP);
			check("again", half, keys_add(device, "a", own + half, STEP), 0);
			atomic_fetch_add(&steps, 1);
		}
		check("all", 0, keys_members(device, "a", own, place), place);
		for (place -= STEP;; place -= STEP) {
			check("del", place, keys_del(device, "a", own + place, STEP), STEP);
			check("gone ones", place,
			      keys_members(device, "a", own + place, STEP), 0);
			if (!place)
				break;
		}
	}
	return NULL;
}

/* Makes tables as small as may be, so that they grow all the time. */
static void *compacter(void *argument)
{
	while (atomic_load(&working)) {
		check("compact", 0, filter_compact(device, "a"), 0);
		client_sleep(0.05);
	}
	return NULL;
}

/* Growths that there have to be in the end. */
static __u64 least_growths;

static bool enough(void)
{
	struct kcuckoo_ioc_info info;

	return !filter_info(device, "a", &info) && info.growths >= least_growths;
}

TEST_F(writers, while_tables_grow)
{
	struct kcuckoo_ioc_info before, after;
	pthread_t threads[WRITERS + 1];
	int fd = self->client.fd;
	int i;

	device = fd;
	/* No key twice: each is one writer's own. */
	for (i = 0; i < PASSING; i++)
		passing[i] = i % 2 ? ipv4(0xcb000000 + i, 32) :
				     ipv6(0x2003000000000000 | (__u64)i << 16, i, 128);
	ASSERT_EQ(0, filter_info(fd, "a", &before));
	least_growths = before.growths + (client_slow() ? 3 : 11);
	for (i = 0; i < WRITERS; i++)
		threads[i] = crew_start(writer, (void *)(intptr_t)i);
	threads[WRITERS] = crew_start(compacter, NULL);
	crew_run(threads, WRITERS + 1, enough);
	ASSERT_EQ(0, filter_info(fd, "a", &after));
	TH_LOG("%llu steps, %llu growths", atomic_load(&steps),
	       after.growths - before.growths);
	EXPECT_EQ(0, atomic_load(&wrong));
	EXPECT_LE(least_growths, after.growths);
	EXPECT_EQ(before.members, after.members);
	EXPECT_EQ(PERMANENT, keys_members(fd, "a", permanent, PERMANENT));
	EXPECT_EQ(0, keys_members(fd, "a", passing, PASSING));
	EXPECT_EQ(0, keys_covered(fd, "a", never, NEVER));
}

TEST_HARNESS_MAIN
