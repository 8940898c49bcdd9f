// SPDX-License-Identifier: GPL-2.0-only
/*
 * Several threads do everything that there is to do to the same few filters. Every
 * call gives an answer that the contract has for it, each of them often enough the
 * one that it was meant to have, and in the end the books balance. Beside these one
 * filter is copied, exchanged, renamed, restored, grown and compacted, and yet its
 * permanent members are found all the time. Packets that look into all of these pass
 * meanwhile, and a descriptor receives the events. It goes on until each two things that
 * there are were under way together.
 */

#include "crew.h"

#include "deed.h"
#include "pairs.h"

#include <poll.h>

#define HANDS		4
#define LOOKERS		2
#define KEPT		2000	/* permanent members */
#define GROWTH		8000	/* of those that come and go */
#define BURST		16	/* packets */

/* How often each thing has to have been done, at least. */
#define LEAST		(client_slow() ? 2 : 10)

#define RULES		400	/* more than differ */

FIXTURE(life)
{
	struct client client;
};

/* The threads: hands first. */
enum { KEEPER = HANDS, PLUG, SENDER, LISTENER, LOOKER, THREADS = LOOKER + LOOKERS };

/* The names of the filter that stays, one at a time. */
static const char * const kept[] = { "keep", "heir" };

static atomic_ullong done[DEEDS], strange;

FIXTURE_SETUP(life)
{
	crew_keys();
	ASSERT_EQ(0, hooks_hold());
	ASSERT_EQ(0, client_begin(&self->client));
	/* Every address is this host's own. */
	ASSERT_EQ(0, system("ip -batch - <<END\n"
			    "link set lo up\n"
			    "route add local 0.0.0.0/0 dev lo\n"
			    "route add local ::/0 dev lo\n"
			    "END\n"));
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
		while (!hand_slot(hand, hand_names[i], KCUCKOO_SLOT_PUT))
			;
}

/* Now and then no name has users, so that it can get another filter, or go. */
static void calm(struct hand *hand)
{
	rule_detach(hand->fd, NULL);
	let_go(hand);
}

/* Every other time one that meets what it has not met before, where there is one. */
static size_t choose(struct hand *hand)
{
	const size_t first = hand_draw(hand, DEEDS);
	size_t i;

	if (hand_draw(hand, 2))
		return first;
	for (i = first; i < first + DEEDS; i++)
		if (pairs_new(i % DEEDS))
			return i % DEEDS;
	return first;
}

/* Does one thing after the other, as chance will have it. */
static void *meddle(void *argument)
{
	const int number = *(int *)argument;
	struct hand hand = {
		.fd = client_open(),
		.random = 11 + number,
		.keys = passing,
		.count = PASSING,
		.device = "v0",
		.kept = kept,
	};
	long long result;
	size_t i;

	while (atomic_load(&working)) {
		i = choose(&hand);
		pairs_begin(number, i);
		result = deeds[i].run(&hand);
		pairs_end(number);
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

/* What may be under way: deeds first, then what is done to the filter that stays. */
enum { KEEPS = DEEDS, COME = KEEPS + ARRAY_SIZE(keeps), GO, SEND, LOOK, THINGS };

static_assert(THINGS <= PAIRS_THINGS, "things");
static_assert(THREADS <= PAIRS_THREADS, "threads");

static atomic_ullong keepings;

/* All of these one after the other, so none is done less often than another. */
static void *keep(void *argument)
{
	struct keeper keeper = { .fd = client_open(), .random = 12 };
	int error;
	size_t i;

	while (atomic_load(&working)) {
		for (i = 0; i < ARRAY_SIZE(keeps) && atomic_load(&working); i++) {
			pairs_begin(KEEPER, KEEPS + i);
			error = keeps[i].run(&keeper);
			pairs_end(KEEPER);
			if (error)
				complain(keeps[i].name, error);
		}
		atomic_fetch_add(&keepings, 1);
	}
	close(keeper.fd);
	return NULL;
}

static void plug_do(size_t thing, const char *command)
{
	pairs_begin(PLUG, thing);
	if (system(command))
		complain(command, -1);
	pairs_end(PLUG);
}

/* The device that there are rules for now and then. */
static void *plug(void *argument)
{
	while (atomic_load(&working)) {
		plug_do(COME, "ip link add v0 type veth peer v1");
		client_sleep(0.2);
		plug_do(GO, "ip link del v0");
	}
	return NULL;
}

static void packet_send(int socket, const struct kcuckoo_prefix *to)
{
	struct sockaddr_in6 address = { .sin6_family = AF_INET6, .sin6_port = htons(9) };

	if (to->family == KCUCKOO_FAMILY_IPV6) {
		memcpy(&address.sin6_addr, to->addr, 16);
	} else {
		memset(address.sin6_addr.s6_addr + 10, 0xff, 2);
		memcpy(address.sin6_addr.s6_addr + 12, to->addr, 4);
	}
	sendto(socket, "", 1, 0, (struct sockaddr *)&address, sizeof(address));
}

static atomic_ullong packets;

/* What becomes of packets with rules like these nobody can tell; packet.c has others. */
static void *traffic(void *argument)
{
	int fd = socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	size_t place, i;

	for (place = 0; atomic_load(&working); place = (place + BURST) % (KEPT - BURST)) {
		pairs_begin(SENDER, SEND);
		for (i = 0; i < BURST; i++)
			packet_send(fd, &permanent[place + i]);
		pairs_end(SENDER);
		atomic_fetch_add(&packets, BURST);
	}
	close(fd);
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
	const int number = *(int *)argument;
	int fd = client_open();
	long long found;

	while (atomic_load(&working)) {
		pairs_begin(number, LOOK);
		found = find(fd, permanent, KEPT);
		pairs_end(number);
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

static atomic_ullong events;

/* Subscribes, and reads without a gap in the numbers, until the queue has lost events. */
static void listen_once(int fd)
{
	struct kcuckoo_ioc_subscribe subscribe = {
		.size = sizeof(subscribe),
		.event_size = sizeof(struct kcuckoo_event),
		.length = 64,
	};
	struct pollfd poller = { .fd = fd, .events = POLLIN };
	struct kcuckoo_event event;
	__u64 last = 0;
	int error;

	error = call(fd, KCUCKOO_IOC_SUBSCRIBE, &subscribe);
	if (error)
		complain("subscribe", error);
	while (!error && atomic_load(&working)) {
		if (poll(&poller, 1, 100) <= 0)
			continue;
		if (read(fd, &event, sizeof(event)) != sizeof(event)) {
			complain("read", -errno);
			return;
		}
		last += event.type == KCUCKOO_EVENT_LOST ? event.count : 1;
		if (event.seq != last)
			complain("number of an event", event.seq);
		last = event.seq;
		atomic_fetch_add(&events, 1);
		if (event.type == KCUCKOO_EVENT_LOST)
			return;
	}
}

static void *hear(void *argument)
{
	while (atomic_load(&working)) {
		int fd = client_open();

		listen_once(fd);
		close(fd);
	}
	return NULL;
}

/* Users of a name: rules, and those that allow. */
static __u32 users(int fd, const __u8 *name)
{
	struct kcuckoo_rule rules[RULES];
	int count = rule_list(fd, rules, RULES);
	__u32 users = 0;
	int i;

	for (i = 0; i < count && i < RULES; i++)
		users += !memcmp(rules[i].name, name, KCUCKOO_NAME_SIZE) +
			 !memcmp(rules[i].allow, name, KCUCKOO_NAME_SIZE);
	return users;
}

/* A filter that knows its members has as many as it says; other types have no walk. */
static void balance_members(struct __test_metadata *_metadata, int fd,
			    const struct kcuckoo_ioc_info *info)
{
	const char *name = (const char *)info->name;
	long long count = info->tag_bits ? -EOPNOTSUPP : (long long)info->members;
	struct kcuckoo_prefix *members;

	EXPECT_EQ(count, keys_walk(fd, name, 65536, &members, NULL));
	if (count < 0)
		return;
	EXPECT_EQ(info->members, info->members_ipv4 + info->members_ipv6);
	EXPECT_EQ(count, keys_members(fd, name, members, count));
	free(members);
}

/* All that expires is collected in the end, whatever was done to its filter. */
static void balance_expiry(struct __test_metadata *_metadata, int fd,
			   struct kcuckoo_ioc_info *info)
{
	double end = client_clock() + 60;

	if (!(info->create_flags & KCUCKOO_CREATE_TIMEOUT))
		return;
	while (info->members && client_clock() < end) {
		client_sleep(0.2);
		ASSERT_EQ(0, call(fd, KCUCKOO_IOC_INFO, info));
	}
	EXPECT_EQ(0, info->members);
}

/* What is left: the figures of each filter agree with what it holds. */
static void balance(struct __test_metadata *_metadata, int fd)
{
	struct kcuckoo_list_entry entries[HAND_NAMES + 1];
	struct kcuckoo_ioc_stats stats;
	struct kcuckoo_ioc_info info;
	unsigned long long total = 0, bytes = 0;
	int count, i;

	count = filter_list(fd, entries, HAND_NAMES + 1);
	ASSERT_LE(1, count);
	ASSERT_GE(HAND_NAMES + 1, count);
	for (i = 0; i < count; i++) {
		ASSERT_EQ(0, filter_info(fd, (char *)entries[i].name, &info));
		balance_expiry(_metadata, fd, &info);
		balance_members(_metadata, fd, &info);
		EXPECT_EQ(users(fd, entries[i].name), info.rules);
		total += info.members;
		bytes += info.memory_bytes;
	}
	ASSERT_EQ(0, client_stats(fd, &stats));
	EXPECT_EQ(count, stats.filters);
	EXPECT_EQ(total, stats.members);
	EXPECT_EQ(stats.rules, rule_list(fd, NULL, 0));
	EXPECT_LE(bytes, stats.memory_bytes);
}

/* The first of the things that the same threads do. */
static size_t doer(size_t thing)
{
	if (thing < KEEPS)
		return 0;
	if (thing < COME)
		return KEEPS;
	return thing == GO ? COME : thing;
}

/* Not where one thread alone does both. */
static bool can_meet(size_t one, size_t other)
{
	const size_t who = doer(one);

	return who != doer(other) || !who || who == LOOK;
}

static const char *thing_name(size_t thing)
{
	static const char * const others[] = { "plug", "unplug", "send", "look" };

	if (thing < KEEPS)
		return deeds[thing].name;
	return thing < COME ? keeps[thing - KEEPS].name : others[thing - COME];
}

/* How many pairs can meet, and how many of these have not yet; @tell names them. */
static size_t pairs_missing(size_t *all, bool tell)
{
	size_t missing = 0, i, j;

	*all = 0;
	for (i = 0; i < THINGS; i++) {
		for (j = 0; j <= i; j++) {
			if (!can_meet(i, j))
				continue;
			(*all)++;
			if (atomic_load(&met[i][j]))
				continue;
			missing++;
			if (tell)
				fprintf(stderr, "# %s never met %s\n", thing_name(i),
					thing_name(j));
		}
	}
	return missing;
}

/* Where all is slow there is no time for all of them. */
static bool pairs_enough(bool tell)
{
	size_t all, missing = pairs_missing(&all, tell && !client_slow());

	if (tell)
		fprintf(stderr, "# %zu of %zu pairs met\n", all - missing, all);
	return client_slow() ? missing < all / 2 : !missing;
}

static bool enough(void)
{
	size_t i;

	for (i = 0; i < DEEDS; i++)
		if (atomic_load(&done[i]) < LEAST)
			return false;
	return atomic_load(&keepings) >= LEAST && atomic_load(&looks) >= LEAST &&
	       pairs_enough(false);
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
	EXPECT_LE(LEAST, atomic_load(&events));
	EXPECT_EQ(0, atomic_load(&strange));
	EXPECT_TRUE(pairs_enough(true));
	TH_LOG("%llu calls worked, %llu packets, %llu events", calls,
	       atomic_load(&packets), atomic_load(&events));
	TH_LOG("the filter that stays: %llu rounds, %llu looks", atomic_load(&keepings),
	       atomic_load(&looks));
}

static void *(*const work[THREADS])(void *) = {
	[0 ... HANDS - 1] = meddle,
	[KEEPER] = keep,
	[PLUG] = plug,
	[SENDER] = traffic,
	[LISTENER] = hear,
	[LOOKER ... THREADS - 1] = look,
};

TEST_F(life, many_hands)
{
	int fd = self->client.fd;
	struct hand hand = { .fd = fd };
	struct kcuckoo_ioc_stats stats;
	pthread_t threads[THREADS];
	int numbers[THREADS], i;
	double start = client_clock();

	for (i = 0; i < THREADS; i++) {
		numbers[i] = i;
		threads[i] = crew_start(work[i], &numbers[i]);
	}
	crew_run(threads, THREADS, enough);
	TH_LOG("%.0f s", client_clock() - start);
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
	EXPECT_EQ(0, stats.members);
	EXPECT_EQ(0, stats.memory_bytes);
}

TEST_HARNESS_MAIN
