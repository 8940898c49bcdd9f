// SPDX-License-Identifier: GPL-2.0-only
/*
 * A walk while others add and delete: it starts again when members were moved,
 * and the one that comes to its end has told every permanent member once. Lists of
 * filters and of rules while these come and go.
 */

#include "crew.h"

FIXTURE(listing)
{
	struct client client;
};

FIXTURE_SETUP(listing)
{
	crew_keys();
	keys_sort(permanent, PERMANENT);
	ASSERT_EQ(0, client_begin(&self->client));
	ASSERT_EQ(0, crew_filter(self->client.fd, "a"));
	atomic_store(&working, true);
}

FIXTURE_TEARDOWN(listing)
{
	EXPECT_EQ(0, client_end(&self->client));
}

static atomic_ullong failures, bursts, walks;

/*
 * Bursts with pauses, so that walks come to an end now and then: longer ones as
 * long as none has.
 */
static void *writer(void *argument)
{
	double pause = client_slow() ? 0.3 : 0.03;
	int fd = *(int *)argument;
	size_t place = 0, step = 4000;
	long long added, deleted;

	while (atomic_load(&working)) {
		added = keys_add(fd, "a", passing + place, step);
		client_sleep(pause);
		if (!atomic_load(&walks))
			pause *= 1.1;
		deleted = keys_del(fd, "a", passing + place, step / 2);
		if (added < 0 || deleted < 0)
			atomic_fetch_add(&failures, 1);
		place = (place + step) % PASSING;
		if (!place && filter_compact(fd, "a"))
			atomic_fetch_add(&failures, 1);
		atomic_fetch_add(&bursts, 1);
	}
	return NULL;
}

/* The permanent members among the sorted @members, each exactly once? */
static bool complete(const struct kcuckoo_prefix *members, size_t count)
{
	size_t i, place = 0;

	for (i = 0; i < PERMANENT; i++) {
		while (place < count && key_compare(&members[place], &permanent[i]) < 0)
			place++;
		if (place == count || key_compare(&members[place], &permanent[i]))
			return false;
	}
	for (i = 1; i < count; i++) {
		if (!key_compare(&members[i - 1], &members[i]))
			return false;
	}
	return true;
}

TEST_F(listing, while_members_come_and_go)
{
	double end = client_clock() + crew_seconds();
	double last = end + PATIENCE;
	unsigned long restarts = 0;
	struct kcuckoo_prefix *members;
	int fd = self->client.fd;
	pthread_t thread = crew_start(writer, &fd);
	long long count;

	while (client_clock() < end || !atomic_load(&walks) ||
	       (!restarts && client_clock() < last)) {
		count = keys_walk(fd, "a", KCUCKOO_WALK_BATCH, &members, &restarts);
		ASSERT_LE(PERMANENT * 0.99, count);
		ASSERT_TRUE(complete(members, count))
			TH_LOG("walk %llu of %lld members", atomic_load(&walks), count);
		free(members);
		atomic_fetch_add(&walks, 1);
	}
	atomic_store(&working, false);
	pthread_join(thread, NULL);
	TH_LOG("%llu walks, %lu restarts, %llu bursts", atomic_load(&walks), restarts,
	       atomic_load(&bursts));
	EXPECT_LT(0, restarts);
	EXPECT_LT(0, atomic_load(&bursts));
	EXPECT_EQ(0, atomic_load(&failures));
}

static atomic_ullong turns;

/* A filter comes and goes behind the other one. */
static void *filters_turn(void *argument)
{
	int fd = *(int *)argument;

	while (atomic_load(&working)) {
		if (filter_create(fd, "come", 10) || filter_destroy(fd, "come"))
			atomic_fetch_add(&failures, 1);
		atomic_fetch_add(&turns, 1);
	}
	return NULL;
}

static void *rules_turn(void *argument)
{
	int fd = *(int *)argument;

	while (atomic_load(&working)) {
		if (rule_attach(fd, "come", KCUCKOO_HOOK_FORWARD, KCUCKOO_FAMILY_IPV4,
				KCUCKOO_MATCH_SRC, KCUCKOO_ACTION_DROP) ||
		    rule_detach(fd, "come") != 1)
			atomic_fetch_add(&failures, 1);
		atomic_fetch_add(&turns, 1);
	}
	return NULL;
}

/* The larger one of the two kinds of entries. */
#define ENTRY_MAX	sizeof(struct kcuckoo_rule)

static_assert(sizeof(struct kcuckoo_list_entry) <= ENTRY_MAX, "entries of filters");

/*
 * Lists with room for more than there ever are: as many entries are written as the
 * call says that there are, and both lengths are met.
 */
static void check_lists(struct __test_metadata *_metadata, int fd,
			int (*list)(int fd, void *entries, __u32 room), size_t size)
{
	double end = client_clock() + crew_seconds();
	double last = end + PATIENCE;
	unsigned long seen[3] = {};
	__u8 entries[16 * ENTRY_MAX], nothing[ENTRY_MAX];
	int total;

	memset(nothing, POISON, sizeof(nothing));
	while (client_clock() < end || atomic_load(&turns) < 100 ||
	       ((!seen[1] || !seen[2]) && client_clock() < last)) {
		memset(entries, POISON, sizeof(entries));
		total = list(fd, entries, 16);
		ASSERT_LE(1, total);
		ASSERT_GE(2, total);
		ASSERT_NE(0, memcmp(entries + (total - 1) * size, nothing, size))
			TH_LOG("entry %d of list %lu is none", total, seen[1] + seen[2]);
		ASSERT_EQ(0, memcmp(entries + total * size, nothing, size));
		seen[total]++;
	}
	TH_LOG("%lu lists of one, %lu of two, %llu turns", seen[1], seen[2],
	       atomic_load(&turns));
	EXPECT_LT(0, seen[1]);
	EXPECT_LT(0, seen[2]);
}

static int list_filters(int fd, void *entries, __u32 room)
{
	return filter_list(fd, entries, room);
}

static int list_rules(int fd, void *entries, __u32 room)
{
	return rule_list(fd, entries, room);
}

TEST_F(listing, while_filters_come_and_go)
{
	int fd = self->client.fd;
	pthread_t thread = crew_start(filters_turn, &fd);

	check_lists(_metadata, fd, list_filters, sizeof(struct kcuckoo_list_entry));
	atomic_store(&working, false);
	pthread_join(thread, NULL);
	EXPECT_EQ(0, atomic_load(&failures));
}

TEST_F(listing, while_rules_come_and_go)
{
	int fd = self->client.fd;
	pthread_t thread;

	ASSERT_EQ(0, rule_attach(fd, "a", KCUCKOO_HOOK_FORWARD, KCUCKOO_FAMILY_IPV4,
				 KCUCKOO_MATCH_SRC, KCUCKOO_ACTION_COUNT));
	thread = crew_start(rules_turn, &fd);
	check_lists(_metadata, fd, list_rules, sizeof(struct kcuckoo_rule));
	atomic_store(&working, false);
	pthread_join(thread, NULL);
	EXPECT_EQ(0, atomic_load(&failures));
	EXPECT_EQ(1, rule_detach(fd, "a"));
}

TEST_HARNESS_MAIN
