// SPDX-License-Identifier: GPL-2.0-only
/*
 * Several threads do everything that there is to do to the same few filters. Every
 * call gives an answer that the contract has for it, each of them often enough the
 * one that it was meant to have, and in the end the books balance. Beside these one
 * filter is copied, exchanged, renamed, restored, grown and compacted, and yet its
 * permanent members are found all the time.
 */

#include "crew.h"

#include "deed.h"

#define HANDS		4
#define KEPT		2000	/* permanent members */
#define GROWTH		8000	/* of those that come and go */

/* How often each thing has to have been done, at least. */
#define LEAST		(client_slow() ? 2 : 10)

#define RULES		400	/* more than differ */

FIXTURE(life)
{
	struct client client;
};

/* The names of the filter that stays, one at a time. */
static const char * const kept[] = { "keep", "heir" };

static atomic_ullong done[DEEDS], strange;

FIXTURE_SETUP(life)
{
	crew_keys();
	ASSERT_EQ(0, hooks_hold());
	ASSERT_EQ(0, client_begin(&self->client));
	ASSERT_EQ(0, filter_create(self->client.fd, kept[0], 1 << 20));
	ASSERT_EQ(KEPT, keys_add(self->client.fd, kept[0], permanent, KEPT));
	atomic_store(&working, true);
}

FIXTURE_TEARDOWN(life)
{
	EXPECT_EQ(0, client_end(&self->client));
}

static void complain(const char *what, long long result)
{
	fprintf(stderr, "# %s: %lld\n", what, result);
	atomic_fetch_add(&strange, 1);
	if (atomic_load(&strange) > 20)
		atomic_store(&working, false);
}

/* Gives back every hold, so that rules are the only users that there are. */
static void let_go(struct hand *hand)
{
	int i;

	for (i = 0; i < HAND_NAMES; i++)
		while (!hand_slot(hand, hand_names[i], KCUCKOO_SLOT_RELEASE))
			;
}

/* Now and then no name has users, so that it can get another filter, or go. */
static void calm(struct hand *hand)
{
	rule_detach(hand->fd, NULL);
	let_go(hand);
}

/* Does one thing after the other, as chance will have it. */
static void *meddle(void *argument)
{
	struct hand hand = {
		.fd = client_open(),
		.random = 11 + *(int *)argument,
		.keys = passing,
		.count = PASSING,
		.device = "v0",
		.kept = kept,
	};
	long long result;
	size_t i;

	while (atomic_load(&working)) {
		i = hand_draw(&hand, DEEDS);
		result = deeds[i].run(&hand);
		if (!deed_fits(&deeds[i], result))
			complain(deeds[i].name, result);
		if (result >= 0)
			atomic_fetch_add(&done[i], 1);
		if (!hand_draw(&hand, 64))
			calm(&hand);
	}
	hand_free(&hand);
	close(hand.fd);
	return NULL;
}

/* The device that there are rules for now and then. */
static void *plug(void *argument)
{
	while (atomic_load(&working)) {
		if (system("ip link add v0 type veth peer v1"))
			complain("ip link add", -1);
		client_sleep(0.2);
		if (system("ip link del v0"))
			complain("ip link del", -1);
	}
	return NULL;
}

/**
 * struct keeper - who does something to the filter that stays
 * @fd: descriptor of the device
 * @name: which of its names it has
 * @random: random numbers
 */
struct keeper {
	int fd;
	int name;
	__u64 random;
};

/* Counts when a renaming begins and when it has ended. */
static atomic_ullong renames;

/* Where all its members are to go to another filter with its secret. */
static int keep_copy(struct keeper *keeper)
{
	return filter_create_like(keeper->fd, "copy", kept[keeper->name]) ?:
	       filter_pair(keeper->fd, KCUCKOO_IOC_MERGE, "copy", kept[keeper->name]);
}

static int keep_replace(struct keeper *keeper)
{
	return keep_copy(keeper) ?: filter_replace(keeper->fd, kept[keeper->name], "copy");
}

/* What was looked at until now is emptied, and changed. */
static int keep_swap(struct keeper *keeper)
{
	return keep_copy(keeper) ?:
	       filter_swap(keeper->fd, kept[keeper->name], "copy") ?:
	       filter_flush(keeper->fd, "copy") ?:
	       (keys_add(keeper->fd, "copy", never, KEPT) == KEPT ? 0 : -EPROTO) ?:
	       filter_destroy(keeper->fd, "copy");
}

static int keep_restore(struct keeper *keeper)
{
	__u64 total;
	__u8 *image;
	int error = image_save(keeper->fd, kept[keeper->name], 65536, &image, &total) ?:
		    image_restore(keeper->fd, "copy", image, total, total, 65536) ?:
		    filter_replace(keeper->fd, kept[keeper->name], "copy");

	free(image);
	return error;
}

/* Others attach rules to it meanwhile. */
static int keep_rename(struct keeper *keeper)
{
	int error;

	do {
		rule_detach(keeper->fd, kept[keeper->name]);
		atomic_fetch_add(&renames, 1);
		error = filter_rename(keeper->fd, kept[keeper->name], kept[!keeper->name]);
		atomic_fetch_add(&renames, 1);
	} while (error == -EBUSY && atomic_load(&working));
	if (!error)
		keeper->name = !keeper->name;
	return error == -EBUSY ? 0 : error;
}

static int keep_grow(struct keeper *keeper)
{
	const struct kcuckoo_prefix *keys = passing + random_next(&keeper->random) %
					    (PASSING - GROWTH);
	long long result = keys_add(keeper->fd, kept[keeper->name], keys, GROWTH);

	if (result >= 0)
		result = keys_del(keeper->fd, kept[keeper->name], keys, GROWTH);
	return result < 0 ? result : 0;
}

static int keep_compact(struct keeper *keeper)
{
	return filter_compact(keeper->fd, kept[keeper->name]);
}

static int keep_reserve(struct keeper *keeper)
{
	return filter_reserve(keeper->fd, kept[keeper->name], KCUCKOO_FAMILY_IPV4, 32,
			      GROWTH);
}

static const struct {
	const char *name;
	int (*run)(struct keeper *keeper);
} keeps[] = {
	{ "replace", keep_replace },
	{ "swap", keep_swap },
	{ "restore", keep_restore },
	{ "rename", keep_rename },
	{ "grow", keep_grow },
	{ "compact", keep_compact },
	{ "reserve", keep_reserve },
};

static atomic_ullong keepings;

/* All of these one after the other, so none is done less often than another. */
static void *keep(void *argument)
{
	struct keeper keeper = { .fd = client_open(), .random = 12 };
	int error;
	size_t i;

	while (atomic_load(&working)) {
		for (i = 0; i < ARRAY_SIZE(keeps) && atomic_load(&working); i++) {
			error = keeps[i].run(&keeper);
			if (error)
				complain(keeps[i].name, error);
		}
		atomic_fetch_add(&keepings, 1);
	}
	close(keeper.fd);
	return NULL;
}

static atomic_ullong looks;

/* In the filter that stays, whichever of its names it has. */
static long long find(int fd, const struct kcuckoo_prefix *keys, size_t count)
{
	unsigned long long before;
	long long found;

	do {
		before = atomic_load(&renames);
		found = keys_covered(fd, kept[0], keys, count);
		if (found == -ENOENT)
			found = keys_covered(fd, kept[1], keys, count);
	} while (found == -ENOENT && (before & 1 || before != atomic_load(&renames)));
	return found;
}

static void *look(void *argument)
{
	int fd = client_open();
	long long found;

	while (atomic_load(&working)) {
		found = find(fd, permanent, KEPT);
		if (found != KEPT)
			complain("permanent members", found);
		found = find(fd, never, KEPT);
		if (found)
			complain("what is no member", found);
		atomic_fetch_add(&looks, 1);
	}
	close(fd);
	return NULL;
}

/* Users of names that have a filter: rules, and those that allow. */
static unsigned long long users(int fd)
{
	struct kcuckoo_rule rules[RULES];
	int count = rule_list(fd, rules, RULES);
	unsigned long long users = 0;
	int i;

	for (i = 0; i < count && i < RULES; i++)
		users += !(rules[i].flags & KCUCKOO_RULE_WAITING) +
			 (*rules[i].allow &&
			  !(rules[i].flags & KCUCKOO_RULE_ALLOW_WAITING));
	return users;
}

/* What is left: the figures of each filter agree with what it holds. */
static void balance(struct __test_metadata *_metadata, int fd)
{
	struct kcuckoo_list_entry entries[HAND_NAMES + 1];
	struct kcuckoo_prefix *members;
	struct kcuckoo_ioc_stats stats;
	struct kcuckoo_ioc_info info;
	unsigned long long total = 0, used = 0, bytes = 0;
	int count, i;

	count = filter_list(fd, entries, HAND_NAMES + 1);
	ASSERT_LE(1, count);
	ASSERT_GE(HAND_NAMES + 1, count);
	for (i = 0; i < count; i++) {
		ASSERT_EQ(0, filter_info(fd, (char *)entries[i].name, &info));
		EXPECT_EQ(info.entries, info.entries_ipv4 + info.entries_ipv6);
		EXPECT_EQ(info.entries, keys_walk(fd, (char *)entries[i].name, 65536,
						  &members, NULL));
		EXPECT_EQ(info.entries, keys_members(fd, (char *)entries[i].name, members,
						     info.entries));
		free(members);
		total += info.entries;
		used += info.rules;
		bytes += info.memory_bytes;
	}
	ASSERT_EQ(0, client_stats(fd, &stats));
	EXPECT_EQ(count, stats.filters);
	EXPECT_EQ(total, stats.entries);
	EXPECT_EQ(users(fd), used);
	EXPECT_EQ(stats.rules, rule_list(fd, NULL, 0));
	EXPECT_LE(bytes, stats.memory_bytes);
}

static bool enough(void)
{
	size_t i;

	for (i = 0; i < DEEDS; i++)
		if (atomic_load(&done[i]) < LEAST)
			return false;
	return atomic_load(&keepings) >= LEAST && atomic_load(&looks) >= LEAST;
}

/* Each thing was done often enough, and no answer was wrong. */
static void judge(struct __test_metadata *_metadata)
{
	unsigned long long calls = 0;
	size_t i;

	for (i = 0; i < DEEDS; i++) {
		EXPECT_LE(LEAST, atomic_load(&done[i])) {
			TH_LOG("%s was done %llu times", deeds[i].name,
			       atomic_load(&done[i]));
		}
		calls += atomic_load(&done[i]);
	}
	EXPECT_LE(LEAST, atomic_load(&keepings));
	EXPECT_LE(LEAST, atomic_load(&looks));
	EXPECT_EQ(0, atomic_load(&strange));
	TH_LOG("%llu calls worked; the filter that stays: %llu rounds, %llu looks",
	       calls, atomic_load(&keepings), atomic_load(&looks));
}

TEST_F(life, many_hands)
{
	int fd = self->client.fd;
	struct hand hand = { .fd = fd };
	int numbers[HANDS] = { 0, 1, 2, 3 };
	pthread_t threads[] = {
		crew_start(meddle, &numbers[0]), crew_start(meddle, &numbers[1]),
		crew_start(meddle, &numbers[2]), crew_start(meddle, &numbers[3]),
		crew_start(keep, NULL), crew_start(plug, NULL),
		crew_start(look, NULL), crew_start(look, NULL),
	};
	struct kcuckoo_ioc_stats stats;
	int i;

	crew_run(threads, ARRAY_SIZE(threads), enough);
	judge(_metadata);
	EXPECT_EQ(KEPT, find(fd, permanent, KEPT));
	let_go(&hand);
	balance(_metadata, fd);

	client_clear(fd);
	for (i = 0; i < 600; i++) {
		ASSERT_EQ(0, client_stats(fd, &stats));
		if (!stats.memory_bytes)
			break;
		client_sleep(0.1);
	}
	EXPECT_EQ(0, stats.filters);
	EXPECT_EQ(0, stats.rules);
	EXPECT_EQ(0, stats.waiting);
	EXPECT_EQ(0, stats.entries);
	EXPECT_EQ(0, stats.memory_bytes);
}

TEST_HARNESS_MAIN
