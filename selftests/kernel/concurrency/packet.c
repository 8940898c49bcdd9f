// SPDX-License-Identifier: GPL-2.0-only
/*
 * Packets meet a filter that changes all the time: none of a permanent member
 * gets through, and none of an address that never was a member is dropped.
 *
 * Two rules behind the dropping one count what got through, by the destination
 * that tells listed from others: no socket can lose what they see.
 */

#include "link.h"

#include "changes.h"
#include "image.h"

#define LISTED4		HOST4
#define LISTED6		HOST6
#define OTHERS4		"10.2.0.1"
#define OTHERS6		"fd02::1"

#define FRAMES		64

/* So many of those that are never listed, the first to be sent. */
#define OTHERS		4096

FIXTURE(packet)
{
	struct client client;
};

/* Filters of IPv4 addresses alone are looked up in another way. */
FIXTURE_VARIANT(packet)
{
	bool plain;
};

FIXTURE_VARIANT_ADD(packet, of_all_lengths) {
};

FIXTURE_VARIANT_ADD(packet, of_plain_addresses) {
	.plain = true,
};

static void make_plain(struct kcuckoo_prefix *keys, size_t count)
{
	while (count--)
		keys[count].plen = keys[count].family == KCUCKOO_FAMILY_IPV4 ? 32 : 128;
}

/* Packets that the sender has to send at least. */
static unsigned long long min_sent;

/* Each source of those that are never listed is another one, for rules that add it. */
static bool adding;

static struct frame frames[2 * FRAMES];
static atomic_ullong sent_listed, sent_others;

static void frame_of(struct frame *frame, const struct kcuckoo_prefix *source,
		     const char *dst4, const char *dst6)
{
	bool four = source->family == KCUCKOO_FAMILY_IPV4;
	char text[INET6_ADDRSTRLEN];

	inet_ntop(four ? AF_INET : AF_INET6, source->addr, text, sizeof(text));
	frame_plain(frame, MAC_P0, MAC_H0, text, four ? dst4 : dst6, 0, PAYLOAD);
}

FIXTURE_SETUP(packet)
{
	struct kcuckoo_prefix key;
	int fd;

	crew_keys();
	if (variant->plain) {
		make_plain(permanent, PERMANENT);
		make_plain(passing, PASSING);
	}
	ASSERT_EQ(0, hooks_hold());
	ASSERT_EQ(0, link_begin(&self->client));
	fd = self->client.fd;
	ASSERT_EQ(0, crew_filter(fd, "a"));
	ASSERT_EQ(0, filter_create(fd, "listed", 10));
	ASSERT_EQ(0, filter_create(fd, "others", 10));
	key = key_of(LISTED4);
	ASSERT_EQ(1, keys_add(fd, "listed", &key, 1));
	key = key_of(LISTED6);
	ASSERT_EQ(1, keys_add(fd, "listed", &key, 1));
	key = key_of(OTHERS4);
	ASSERT_EQ(1, keys_add(fd, "others", &key, 1));
	key = key_of(OTHERS6);
	ASSERT_EQ(1, keys_add(fd, "others", &key, 1));
	ASSERT_EQ(0, rule_attach(fd, "a", KCUCKOO_HOOK_PREROUTING, KCUCKOO_FAMILY_BOTH,
				 KCUCKOO_MATCH_SRC, KCUCKOO_ACTION_DROP));
	ASSERT_EQ(0, rule_attach(fd, "listed", KCUCKOO_HOOK_PREROUTING,
				 KCUCKOO_FAMILY_BOTH, KCUCKOO_MATCH_DST,
				 KCUCKOO_ACTION_COUNT));
	ASSERT_EQ(0, rule_attach(fd, "others", KCUCKOO_HOOK_PREROUTING,
				 KCUCKOO_FAMILY_BOTH, KCUCKOO_MATCH_DST,
				 KCUCKOO_ACTION_COUNT));
	changes_begin(fd);
	min_sent = client_slow() ? 100 : 1000;
	adding = false;
	atomic_store(&sent_listed, 0);
	atomic_store(&sent_others, 0);
}

FIXTURE_TEARDOWN(packet)
{
	EXPECT_EQ(0, link_end(&self->client));
}

#define FRESH4		"96.0.0.0/3"
#define FRESH6		"2001:db8::/32"

/* One that no packet came from before, nor is a member or covered by one. */
static struct kcuckoo_prefix fresh(void)
{
	static __u32 count;
	const __u32 number = count++ / 2;

	return count % 2 ? ipv6(0x20010db800000000, number, 128) :
			   ipv4(0x60003000 | (number & 0x1fff00) << 8 | (number & 0xff), 32);
}

/*
 * Stays on the processor of link_open(), where all packets are received. Waits for
 * a marker behind them, as the receiver's queue has its end.
 */
static void *sender(void *argument)
{
	struct kcuckoo_prefix other;
	size_t place = 0, i;

	while (atomic_load(&working)) {
		for (i = 0; i < FRAMES; i++) {
			other = adding ? fresh() : never[place + i];
			frame_of(&frames[2 * i], &permanent[place + i], LISTED4, LISTED6);
			frame_of(&frames[2 * i + 1], &other, OTHERS4, OTHERS6);
		}
		for (i = 0; i < 2 * FRAMES; i++) {
			if (send(net.wire_p0, frames[i].bytes, frames[i].length, 0) < 0)
				atomic_fetch_add(&failures, 1);
		}
		mark(net.wire_p0, net.wire_h0, MAC_P0, MAC_H0);
		atomic_fetch_add(&sent_listed, FRAMES);
		atomic_fetch_add(&sent_others, FRAMES);
		place = (place + FRAMES) % (PERMANENT - FRAMES);
	}
	return NULL;
}

static void other_processor(void)
{
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(1, &cpus);
	sched_setaffinity(0, sizeof(cpus), &cpus);
}

static bool enough(void)
{
	return atomic_load(&sent_listed) >= min_sent && changes_enough();
}

/* What the rule of a filter has matched; ~0 where it has none, or several. */
static unsigned long long matched(int fd, const char *name)
{
	struct kcuckoo_rule rules[4];
	int count = rule_list(fd, rules, ARRAY_SIZE(rules)), found = 0, i;
	unsigned long long packets = ~0ULL;

	for (i = 0; i < count; i++)
		if (!strcmp((char *)rules[i].name, name)) {
			packets = rules[i].packets;
			found++;
		}
	return found == 1 ? packets : ~0ULL;
}

static void run(struct __test_metadata *_metadata, int fd, void *(*writer)(void *))
{
	pthread_t threads[] = { crew_start(sender, NULL), crew_start(writer, &fd) };

	crew_run(threads, 2, enough);
	settle();
	TH_LOG("%llu listed packets sent, %llu dropped, %llu got through",
	       atomic_load(&sent_listed), matched(fd, "a"), matched(fd, "listed"));
	TH_LOG("%llu other packets sent, %llu got through",
	       atomic_load(&sent_others), matched(fd, "others"));
	EXPECT_LE(min_sent, atomic_load(&sent_listed));
	EXPECT_EQ(atomic_load(&sent_listed), matched(fd, "a"));
	EXPECT_EQ(0, matched(fd, "listed"));
	EXPECT_EQ(atomic_load(&sent_others), matched(fd, "others"));
	EXPECT_EQ(0, atomic_load(&failures));
}

static void *grow_and_shrink(void *argument)
{
	other_processor();
	changes_grow_and_shrink(*(int *)argument);
	return NULL;
}

TEST_F(packet, while_tables_grow_and_shrink)
{
	struct kcuckoo_ioc_info info;
	int fd = self->client.fd;

	ASSERT_EQ(0, changes_want_growth(fd));
	run(_metadata, fd, grow_and_shrink);
	ASSERT_EQ(0, filter_info(fd, "a", &info));
	EXPECT_LE(min_growths, info.growths);
	EXPECT_LE(min_moves, info.moves);
}

/*
 * Both filters hold the permanent members at any time they are "a", and others only
 * while they are not.
 */
static void *swap_and_flush(void *argument)
{
	int fd = *(int *)argument;
	size_t i;

	other_processor();
	check(crew_filter(fd, "b"));
	for (i = 0; atomic_load(&working); i++) {
		check(filter_swap(fd, "a", "b"));
		check(keys_add(fd, "b", never, OTHERS));
		check(keys_del(fd, "b", never, OTHERS));
		if (i % 3 == 0) {
			check(filter_flush(fd, "b"));
			check(keys_add(fd, "b", permanent, PERMANENT));
		}
		if (i % 3 == 1) {
			check(filter_replace(fd, "a", "b"));
			check(crew_filter(fd, "b"));
		}
	}
	return NULL;
}

TEST_F(packet, while_filters_are_swapped)
{
	run(_metadata, self->client.fd, swap_and_flush);
}

/* Exchanges of other names, one behind the other, keep nobody at looking again. */
static void *swap_others(void *argument)
{
	int fd = *(int *)argument;

	other_processor();
	while (atomic_load(&working))
		check(filter_swap(fd, "c", "d"));
	return NULL;
}

TEST_F(packet, while_other_names_are_swapped)
{
	int fd = self->client.fd;

	ASSERT_EQ(0, filter_create(fd, "c", 10));
	ASSERT_EQ(0, filter_create(fd, "d", 10));
	run(_metadata, fd, swap_others);
}

/* At no time are addresses in "b" alone. */
static void *spare_and_list(void *argument)
{
	int fd = *(int *)argument;

	other_processor();
	while (atomic_load(&working)) {
		check(keys_add(fd, "spared", never, OTHERS));
		check(keys_add(fd, "b", never, OTHERS));
		check(keys_del(fd, "b", never, OTHERS));
		check(keys_del(fd, "spared", never, OTHERS));
	}
	return NULL;
}

TEST_F(packet, while_listed_ones_are_spared)
{
	int fd = self->client.fd;

	ASSERT_EQ(0, filter_create(fd, "b", 2 * OTHERS));
	ASSERT_EQ(0, filter_create(fd, "spared", 2 * OTHERS));
	ASSERT_EQ(1, rule_detach(fd, "others"));
	ASSERT_EQ(0, rule_attach_allow(fd, "b", "spared"));
	ASSERT_EQ(0, rule_attach(fd, "others", KCUCKOO_HOOK_PREROUTING,
				 KCUCKOO_FAMILY_BOTH, KCUCKOO_MATCH_DST,
				 KCUCKOO_ACTION_COUNT));
	run(_metadata, fd, spare_and_list);
	EXPECT_EQ(0, matched(fd, "b"));
}

/* Other rules and filters come and go beside the one that drops. */
static void *other_rules(void *argument)
{
	int fd = *(int *)argument;

	other_processor();
	while (atomic_load(&working)) {
		check(filter_create(fd, "c", 1000));
		check(keys_add(fd, "c", passing, 200));
		check(rule_attach(fd, "c", KCUCKOO_HOOK_PREROUTING, KCUCKOO_FAMILY_BOTH,
				  KCUCKOO_MATCH_SRC, KCUCKOO_ACTION_DROP));
		check(rule_attach(fd, "c", KCUCKOO_HOOK_INPUT, KCUCKOO_FAMILY_IPV4,
				  KCUCKOO_MATCH_SRC, KCUCKOO_ACTION_COUNT));
		check(filter_flush(fd, "c"));
		check(rule_detach(fd, "c"));
		check(filter_destroy(fd, "c"));
	}
	return NULL;
}

TEST_F(packet, while_other_rules_come_and_go)
{
	run(_metadata, self->client.fd, other_rules);
}

#define ROOM	3000	/* sources of a family that packets may add */

static int reserve(int fd, const char *name)
{
	return filter_reserve(fd, name, KCUCKOO_FAMILY_IPV4, 32, ROOM) ?:
	       filter_reserve(fd, name, KCUCKOO_FAMILY_IPV6, 128, ROOM);
}

/* With a hash that packets may add by; it has all permanent members, or none. */
static int strong(int fd, const char *name, size_t members)
{
	struct kcuckoo_ioc_create create = {
		.size = sizeof(create),
		.type = KCUCKOO_TYPE_INET,
		.hash = KCUCKOO_HASH_SIPHASH,
		.capacity = 1 << 20,
	};
	long long result;

	set_name(create.name, name);
	result = call(fd, KCUCKOO_IOC_CREATE, &create);
	if (!result)
		result = keys_add(fd, name, permanent, members);
	return result < 0 ? result : reserve(fd, name);
}

/* What packets add until then is lost with the one that goes. */
static int exchange(int fd)
{
	return strong(fd, "b", PERMANENT) ?: filter_swap(fd, "a", "b") ?:
	       filter_flush(fd, "b") ?: filter_destroy(fd, "b");
}

static int replace(int fd)
{
	return strong(fd, "b", PERMANENT) ?: filter_replace(fd, "a", "b");
}

static int merge(int fd)
{
	return filter_create_like(fd, "b", "a") ?:
	       (keys_add(fd, "b", passing, ROOM) < 0 ? -EPROTO : 0) ?:
	       filter_pair(fd, KCUCKOO_IOC_MERGE, "a", "b") ?: filter_destroy(fd, "b");
}

static int restore(int fd)
{
	__u64 total;
	__u8 *image;
	int error = image_save(fd, "a", 65536, &image, &total) ?:
		    image_restore(fd, "b", image, total, total, 65536) ?:
		    filter_replace(fd, "a", "b");

	free(image);
	return error;
}

static int compact(int fd)
{
	return filter_compact(fd, "a") ?: filter_compact(fd, "pool") ?:
	       reserve(fd, "a") ?: reserve(fd, "pool");
}

static int flush(int fd)
{
	return filter_flush(fd, "pool") ?: reserve(fd, "pool");
}

/* Rules of both names beside those that add. */
static int attach(int fd)
{
	struct kcuckoo_ioc_detach detach = {
		.size = sizeof(detach),
		.flags = KCUCKOO_DETACH_HOOK,
		.hook = KCUCKOO_HOOK_INPUT,
	};

	return rule_attach(fd, "a", KCUCKOO_HOOK_INPUT, KCUCKOO_FAMILY_BOTH,
			   KCUCKOO_MATCH_SRC, KCUCKOO_ACTION_COUNT) ?:
	       rule_attach(fd, "pool", KCUCKOO_HOOK_INPUT, KCUCKOO_FAMILY_BOTH,
			   KCUCKOO_MATCH_SRC, KCUCKOO_ACTION_DROP) ?:
	       call(fd, KCUCKOO_IOC_DETACH, &detach);
}

static void *do_all(void *argument)
{
	static int (*const steps[])(int fd) = {
		exchange, replace, merge, restore, compact, flush, attach,
	};
	int fd = *(int *)argument;
	size_t i;

	other_processor();
	while (atomic_load(&working)) {
		for (i = 0; i < ARRAY_SIZE(steps); i++)
			check(steps[i](fd));
		atomic_fetch_add(&rounds, 1);
	}
	return NULL;
}

static const char add_rules[] =
	"iptables-legacy -w -t raw -A PREROUTING -s " FRESH4
	" -j KCUCKOO --add a src --limit 1000000 &&\n"
	"iptables-legacy -w -t raw -A PREROUTING -s " FRESH4
	" -j KCUCKOO --add pool src --limit 1000000 &&\n"
	"ip6tables-legacy -w -t raw -A PREROUTING -s " FRESH6
	" -j KCUCKOO --add a src --limit 1000000 &&\n"
	"ip6tables-legacy -w -t raw -A PREROUTING -s " FRESH6
	" -j KCUCKOO --add pool src --limit 1000000\n";

/* Each packet that the rules saw was added or refused, and some were added. */
static void check_added(struct __test_metadata *_metadata, int fd, const char *name)
{
	struct kcuckoo_ioc_info info;

	ASSERT_EQ(0, filter_info(fd, name, &info));
	TH_LOG("%s: %llu added, %llu without room, %llu over the limit, %llu refused", name,
	       info.packet_added, info.packet_full, info.packet_limited,
	       info.packet_refused);
	EXPECT_EQ(atomic_load(&sent_others), info.packet_added + info.packet_full +
		  info.packet_limited + info.packet_refused);
	EXPECT_EQ(0, info.packet_refused);
	EXPECT_LT(0, info.packet_added);
}

static void check_empty(struct __test_metadata *_metadata, int fd)
{
	struct kcuckoo_ioc_stats stats;
	int i;

	ASSERT_EQ(0, client_stats(fd, &stats));
	for (i = 0; i < 600 && stats.memory_bytes; i++) {
		client_sleep(0.1);
		ASSERT_EQ(0, client_stats(fd, &stats));
	}
	EXPECT_EQ(0, stats.filters);
	EXPECT_EQ(0, stats.rules);
	EXPECT_EQ(0, stats.waiting);
	EXPECT_EQ(0, stats.members);
	EXPECT_EQ(0, stats.memory_bytes);
}

TEST_F(packet, while_packets_add)
{
	int fd = self->client.fd;

	ASSERT_EQ(0, strong(fd, "pool", 0));
	ASSERT_EQ(0, replace(fd));
	ASSERT_EQ(0, system(add_rules));
	adding = true;
	min_rounds = client_slow() ? 1 : 5;
	run(_metadata, fd, do_all);
	TH_LOG("%llu rounds", atomic_load(&rounds));
	EXPECT_LE(min_rounds, atomic_load(&rounds));
	check_added(_metadata, fd, "a");
	check_added(_metadata, fd, "pool");
	EXPECT_EQ(PERMANENT, keys_covered(fd, "a", permanent, PERMANENT));
	EXPECT_EQ(0, system("iptables-legacy -w -t raw -F && ip6tables-legacy -w -t raw -F"));
	client_clear(fd);
	check_empty(_metadata, fd);
}

TEST_HARNESS_MAIN
