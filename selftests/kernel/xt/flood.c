// SPDX-License-Identifier: GPL-2.0-only
/*
 * A flood of packets, each from another source, at a rule that adds sources: the
 * filter takes as many as were reserved and no memory for more, the rest is counted
 * and not searched for, and whoever has other business gets on with it. So it is
 * where bans expire, and others come in their place.
 */

#include "client.h"
#include "frame.h"
#include "staged.h"

#include <pthread.h>
#include <stdatomic.h>

/*
 * Addresses that the filter has room for. Of what comes until bans are collected, every
 * ten seconds, it has to be a small part, however slow the machine is.
 */
#define ROOM		(client_slow() ? 150 : 3000)
#define FRAMES		client_scale(30000)
#define BURST		64
#define PATIENCE	60		/* seconds */
#define BAN		5		/* seconds that one lasts which expires */

/*
 * Longer, and something was waiting for the flood: seconds. Once it may have been for
 * the host; if it was for all of the flood, there were hardly any calls.
 */
#define WAIT_MAX	(client_slow() ? 10 : 2)
#define CALLS		20

FIXTURE(flood)
{
	struct client client;
	int wire;
};

/* The sources of the flood, and no others, are added. */
static const char rules_ipv4[] =
	"iptables-legacy -w -t raw -A PREROUTING -i x1 -j KCUCKOO --add bans src --limit 1000000 &&\n"
	"iptables-legacy -w -t raw -A PREROUTING -i x1 -j DROP\n";
static const char rules_ipv6[] =
	"ip6tables-legacy -w -t raw -N FLOOD &&\n"
	"ip6tables-legacy -w -t raw -A FLOOD -j KCUCKOO --add bans src --limit 1000000 &&\n"
	"ip6tables-legacy -w -t raw -A FLOOD -j DROP &&\n"
	"ip6tables-legacy -w -t raw -A PREROUTING -s 2001:db8::/64 -j FLOOD\n";

static int run(const char *command)
{
	return system(command);
}

/* Gets what comes of that protocol; none is 0. */
static int wire_open(const char *device, int protocol)
{
	struct sockaddr_ll address = {
		.sll_family = AF_PACKET,
		.sll_protocol = htons(protocol),
		.sll_ifindex = if_nametoindex(device),
	};
	int fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, htons(protocol));

	if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof(address)))
		return -errno;
	return fd;
}

/* A link drops all in silence before the kernel has seen that both of its ends are up. */
static bool carries(int wire)
{
	int other = wire_open("x1", ETH_P_MARKER);
	bool came = false;
	struct frame frame;
	int tries;

	frame_begin(&frame, ETH_P_MARKER, 1, 2);
	frame_push(&frame, 4);
	for (tries = 0; tries < 3000 && other >= 0 && !came; tries++) {
		if (tries)
			client_sleep(0.02);
		send(wire, frame.bytes, frame.length, 0);
		came = recv(other, frame.bytes, frame.length, MSG_DONTWAIT) > 0;
	}
	close(other);
	return came;
}

FIXTURE_SETUP(flood)
{
	/* No packet is lost on its way to the rule; one number for all namespaces. */
	ASSERT_EQ(0, run("echo 100000 >/proc/sys/net/core/netdev_max_backlog"));
	ASSERT_EQ(0, client_begin(&self->client));
	ASSERT_EQ(0, run("ip -batch - <<END\n"
			 "link add x0 address 02:00:00:00:00:01 type veth peer name x1\n"
			 "link set x1 address 02:00:00:00:00:02\n"
			 "link set x0 up\n"
			 "link set x1 up\n"
			 "END\n"));
	self->wire = wire_open("x0", 0);
	ASSERT_LE(0, self->wire);
	ASSERT_TRUE(carries(self->wire));
}

FIXTURE_TEARDOWN(flood)
{
	run("iptables-legacy -w -t raw -F; ip6tables-legacy -w -t raw -F");
	run("ip6tables-legacy -w -t raw -X");
	close(self->wire);
	EXPECT_EQ(0, client_end(&self->client));
}

/* A filter for packets with room for ROOM addresses; without @timeout they stay. */
static int bans_make(int fd, int family, __u32 timeout)
{
	struct kcuckoo_ioc_create create = {
		.size = sizeof(create),
		.type = KCUCKOO_TYPE_INET,
		.hash = KCUCKOO_HASH_SIPHASH,
		.flags = timeout ? KCUCKOO_CREATE_TIMEOUT : 0,
		.timeout = timeout,
		.capacity = KCUCKOO_CAPACITY_MAX,
	};

	set_name(create.name, "bans");
	return call(fd, KCUCKOO_IOC_CREATE, &create) ?:
	       filter_reserve(fd, "bans", family,
			      family == KCUCKOO_FAMILY_IPV4 ? 32 : 128, ROOM);
}

/* Source number @number of a family, in the wire's order; no two are the same. */
static void source_set(struct frame *frame, int family, __u32 number)
{
	__u32 mixed = htonl(0x01000000 + number * 40503);

	if (family == KCUCKOO_FAMILY_IPV4)
		memcpy(frame->bytes + frame->network + offsetof(struct iphdr, saddr), &mixed,
		       sizeof(mixed));
	else
		memcpy(frame->bytes + frame->network +
		       offsetof(struct ip6_hdr, ip6_src) + 8, &mixed, sizeof(mixed));
}

static struct kcuckoo_prefix source_key(int family, __u32 number)
{
	__u32 mixed = 0x01000000 + number * 40503;

	return family == KCUCKOO_FAMILY_IPV4 ? ipv4(mixed, 32) :
	       ipv6(0x20010db800000000, (__u64)mixed << 32 | 9, 128);
}

/* Sends frames from sources @first to @first + @count - 1. */
static int frames_send(int wire, int family, __u32 first, __u32 count)
{
	static struct frame frames[BURST];
	struct mmsghdr messages[BURST];
	struct iovec data[BURST];
	__u32 i, burst, at;
	int sent;

	for (i = 0; i < count; i += burst) {
		burst = count - i < BURST ? count - i : BURST;
		memset(messages, 0, sizeof(messages));
		for (at = 0; at < burst; at++) {
			if (family == KCUCKOO_FAMILY_IPV4)
				frame_plain(&frames[at], 1, 2, "1.0.0.0", "192.0.2.1", i, 8);
			else
				frame_plain(&frames[at], 1, 2, "2001:db8::9", "2001:db8::1",
					    i, 8);
			source_set(&frames[at], family, first + i + at);
			if (family == KCUCKOO_FAMILY_IPV4) {
				struct iphdr *header = (void *)(frames[at].bytes +
								frames[at].network);

				frame_ipv4_end(&frames[at], header);
			}
			data[at].iov_base = frames[at].bytes;
			data[at].iov_len = frames[at].length;
			messages[at].msg_hdr.msg_iov = &data[at];
			messages[at].msg_hdr.msg_iovlen = 1;
		}
		for (at = 0; at < burst; at += sent) {
			sent = sendmmsg(wire, messages + at, burst - at, 0);
			if (sent < 0 && errno != ENOBUFS)
				return -errno;
			sent = sent < 0 ? 0 : sent;
		}
	}
	return 0;
}

/* Waits until so many packets have been added or refused; what info says then. */
static int settled(int fd, __u64 packets, struct kcuckoo_ioc_info *info)
{
	double end = client_clock() + PATIENCE;
	int error;

	do {
		client_sleep(0.02);
		error = filter_info(fd, "bans", info);
	} while (!error && info->packet_added + info->packet_full < packets &&
		 client_clock() < end);
	return error;
}

static atomic_bool flooding;
static atomic_uint calls;

/* Other business: how long its longest call but one takes, in microseconds. */
static void *bystander(void *argument)
{
	struct kcuckoo_prefix key = ipv4(0xc6336401, 32);
	double took, longest = 0, second = 0;
	int fd = *(int *)argument;
	long long hits = 1;

	while (atomic_load(&flooding) && hits == 1) {
		took = -client_clock();
		hits = keys_covered(fd, "others", &key, 1);
		if (hits == 1)
			hits += keys_del(fd, "bans", &key, 1);
		took += client_clock();
		atomic_fetch_add(&calls, 1);
		if (took > second)
			second = took < longest ? took : longest;
		if (took > longest)
			longest = took;
		client_sleep(0.001);
	}
	return (void *)(intptr_t)(hits == 1 ? second * 1e6 : -1);
}

static void check_flood(struct __test_metadata *_metadata, int fd, int wire, int family)
{
	struct kcuckoo_prefix key = ipv4(0xc6336401, 32), *keys;
	struct kcuckoo_ioc_info before, full, after;
	pthread_t thread;
	void *wait;
	size_t i;

	ASSERT_EQ(0, bans_make(fd, family, 0));
	ASSERT_EQ(0, filter_create(fd, "others", 10));
	ASSERT_EQ(1, keys_add(fd, "others", &key, 1));
	ASSERT_EQ(0, run(family == KCUCKOO_FAMILY_IPV4 ? rules_ipv4 : rules_ipv6));
	ASSERT_EQ(0, filter_info(fd, "bans", &before));
	atomic_store(&flooding, true);
	ASSERT_EQ(0, pthread_create(&thread, NULL, bystander, &fd));

	/* Half of it fills the filter; then nobody searches for room again. */
	ASSERT_EQ(0, frames_send(wire, family, 0, FRAMES / 2));
	ASSERT_EQ(0, settled(fd, FRAMES / 2, &full));
	ASSERT_EQ(0, frames_send(wire, family, FRAMES / 2, FRAMES - FRAMES / 2));
	ASSERT_EQ(0, settled(fd, FRAMES, &after));
	atomic_store(&flooding, false);
	pthread_join(thread, &wait);

	TH_LOG("%llu added, %llu refused, the longest of %u calls but one %.1f ms",
	       after.packet_added, after.packet_full, atomic_load(&calls),
	       (intptr_t)wait / 1000.0);
	EXPECT_LE(0, (intptr_t)wait);
	EXPECT_GT(WAIT_MAX * 1000000L, (intptr_t)wait);
	EXPECT_LE(CALLS, atomic_load(&calls));
	EXPECT_EQ(FRAMES, after.packet_added + after.packet_full + after.packet_limited);
	EXPECT_EQ(after.members, after.packet_added);
	EXPECT_GE(before.table_entries, after.members);
	EXPECT_LE(ROOM * 9 / 10, after.members);
	EXPECT_EQ(before.memory_bytes, after.memory_bytes);
	EXPECT_EQ(before.growths, after.growths);
	EXPECT_EQ(full.packet_added, after.packet_added);
	EXPECT_EQ(full.searches, after.searches);
	EXPECT_EQ(full.moves, after.moves);

	/* In it are those that were added, and no address else. */
	keys = calloc(FRAMES, sizeof(*keys));
	for (i = 0; i < FRAMES; i++)
		keys[i] = source_key(family, i);
	EXPECT_EQ(after.members, keys_covered(fd, "bans", keys, FRAMES));
	/* A delete makes room again. */
	EXPECT_EQ(after.members, keys_del(fd, "bans", keys, FRAMES));
	ASSERT_EQ(0, frames_send(wire, family, 0, 100));
	ASSERT_EQ(0, settled(fd, FRAMES + 100, &after));
	EXPECT_EQ(100, keys_covered(fd, "bans", keys, FRAMES));
	EXPECT_EQ(before.memory_bytes, after.memory_bytes);
	free(keys);
}

/*
 * Waits until all bans have expired and been collected, and returns how many are left:
 * 0, or a negative errno.
 */
static long long expired(int fd)
{
	double end = client_clock() + PATIENCE;
	long long left;

	while ((left = filter_entries(fd, "bans")) > 0 && client_clock() < end)
		client_sleep(0.1);
	return left;
}

/*
 * Bans that expire make room, and a flood that goes on takes it: more are added than
 * there is room for at a time. Nobody searches but for those that are added, and once
 * for each entry that became free.
 */
static void check_expiry(struct __test_metadata *_metadata, int fd, int wire, int family)
{
	struct kcuckoo_prefix key = ipv4(0xc6336401, 32), *keys;
	struct kcuckoo_ioc_info before, now;
	double end = client_clock() + PATIENCE;
	__u32 sent = 0, i;
	pthread_t thread;
	void *wait;

	ASSERT_EQ(0, bans_make(fd, family, BAN));
	ASSERT_EQ(0, filter_create(fd, "others", 10));
	ASSERT_EQ(1, keys_add(fd, "others", &key, 1));
	ASSERT_EQ(0, run(family == KCUCKOO_FAMILY_IPV4 ? rules_ipv4 : rules_ipv6));
	ASSERT_EQ(0, filter_info(fd, "bans", &before));
	atomic_store(&flooding, true);
	ASSERT_EQ(0, pthread_create(&thread, NULL, bystander, &fd));

	do {
		ASSERT_EQ(0, frames_send(wire, family, sent, FRAMES / 2));
		sent += FRAMES / 2;
		ASSERT_EQ(0, settled(fd, sent, &now));
		EXPECT_EQ(sent, now.packet_added + now.packet_full + now.packet_limited);
		EXPECT_GE(before.table_entries, now.members);
		EXPECT_EQ(before.memory_bytes, now.memory_bytes);
		EXPECT_EQ(before.growths, now.growths);
	} while ((now.packet_added <= before.table_entries * 3 / 2 ||
		  now.packet_full <= 2 * now.packet_added) && client_clock() < end);
	atomic_store(&flooding, false);
	pthread_join(thread, &wait);

	TH_LOG("of %u %llu added, %llu refused, %llu searches, longest of %u calls but one %.1f ms",
	       sent, now.packet_added, now.packet_full, now.searches, atomic_load(&calls),
	       (intptr_t)wait / 1000.0);
	EXPECT_LE(0, (intptr_t)wait);
	EXPECT_GT(WAIT_MAX * 1000000L, (intptr_t)wait);
	EXPECT_LE(CALLS, atomic_load(&calls));
	EXPECT_LT(before.table_entries * 3 / 2, now.packet_added);
	/* More than searches may be, so that these tell something. */
	EXPECT_LT(2 * now.packet_added, now.packet_full);
	EXPECT_GE(2 * now.packet_added, now.searches);

	/* Nobody stays for longer, and then there is room for others. */
	EXPECT_EQ(0, expired(fd));
	keys = calloc(sent, sizeof(*keys));
	for (i = 0; i < sent; i++)
		keys[i] = source_key(family, i);
	EXPECT_EQ(0, keys_covered(fd, "bans", keys, sent));
	free(keys);
	ASSERT_EQ(0, frames_send(wire, family, sent, 100));
	ASSERT_EQ(0, settled(fd, sent + 100, &before));
	EXPECT_EQ(now.packet_added + 100, before.packet_added);
	EXPECT_EQ(now.memory_bytes, before.memory_bytes);
}

/* So many replacements there are at least while packets arrive, and refusals. */
#define REPLACED	client_scale(50)

static atomic_uint replaced, stale, failed;

/* Microseconds that the last try to replace took. */
static atomic_uint round_time;

/* A staged filter with the members of "bans" and its room, which takes its name. */
static int bans_replace(int fd, int family)
{
	struct kcuckoo_ioc_info info;

	return filter_info(fd, "bans", &info) ?: staged_create_like(fd, "bans") ?:
	       filter_pair(fd, KCUCKOO_IOC_MERGE, STAGED, "bans") ?:
	       filter_reserve(fd, STAGED, family,
			      family == KCUCKOO_FAMILY_IPV4 ? 32 : 128, 2 * FRAMES) ?:
	       filter_replace_known(fd, "bans", STAGED, &info);
}

/* Replaces the filter of the rule again and again. */
static void *replacer(void *argument)
{
	int fd = client_open(), error;
	double start;

	while (atomic_load(&flooding)) {
		start = client_clock();
		error = bans_replace(fd, *(int *)argument);
		if (!error)
			atomic_fetch_add(&replaced, 1);
		else if (error == -ESTALE)
			atomic_fetch_add(&stale, 1);
		else
			atomic_fetch_add(&failed, 1);
		if (error)
			filter_destroy(fd, STAGED);
		atomic_store(&round_time, (client_clock() - start) * 1e6);
	}
	close(fd);
	return NULL;
}

/*
 * A filter is replaced on the condition that it is unchanged while packets add their
 * sources: each source that was added is in the filter that has the name in the end.
 */
static void check_replaced(struct __test_metadata *_metadata, int fd, int wire, int family)
{
	double end = client_clock() + PATIENCE;
	struct kcuckoo_ioc_info info;
	struct kcuckoo_prefix *keys;
	__u64 random = 1;
	pthread_t thread;
	__u32 sent = 0, i;

	ASSERT_EQ(0, bans_make(fd, family, 0));
	ASSERT_EQ(0, filter_reserve(fd, "bans", family,
				    family == KCUCKOO_FAMILY_IPV4 ? 32 : 128, 2 * FRAMES));
	ASSERT_EQ(0, run(family == KCUCKOO_FAMILY_IPV4 ? rules_ipv4 : rules_ipv6));
	atomic_store(&flooding, true);
	ASSERT_EQ(0, pthread_create(&thread, NULL, replacer, &family));
	/* With pauses, because no replacement succeeds while packets come all the time. */
	while (sent < FRAMES && client_clock() < end &&
	       (sent < FRAMES / 16 || atomic_load(&replaced) < REPLACED)) {
		ASSERT_EQ(0, frames_send(wire, family, sent, 8));
		sent += 8;
		client_sleep(random_next(&random) % (1 + 2 * atomic_load(&round_time)) / 1e6);
	}
	ASSERT_EQ(0, settled(fd, sent, &info));
	atomic_store(&flooding, false);
	pthread_join(thread, NULL);
	ASSERT_EQ(0, filter_info(fd, "bans", &info));
	TH_LOG("%u sent, %llu added, %u replacements, %u refused", sent, info.packet_added,
	       atomic_load(&replaced), atomic_load(&stale));
	EXPECT_EQ(0, atomic_load(&failed));
	EXPECT_LE(REPLACED, atomic_load(&replaced));
	EXPECT_LT(0, atomic_load(&stale));
	EXPECT_EQ(sent, info.packet_added);
	EXPECT_EQ(sent, info.members);
	EXPECT_TRUE(info.info_flags & KCUCKOO_INFO_PACKETS);
	keys = calloc(sent, sizeof(*keys));
	for (i = 0; i < sent; i++)
		keys[i] = source_key(family, i);
	EXPECT_EQ(sent, keys_members(fd, "bans", keys, sent));
	free(keys);
}

TEST_F(flood, lost_by_no_replacement)
{
	check_replaced(_metadata, self->client.fd, self->wire, KCUCKOO_FAMILY_IPV4);
}

TEST_F(flood, ipv4)
{
	check_flood(_metadata, self->client.fd, self->wire, KCUCKOO_FAMILY_IPV4);
}

TEST_F(flood, ipv6)
{
	check_flood(_metadata, self->client.fd, self->wire, KCUCKOO_FAMILY_IPV6);
}

TEST_F(flood, ipv4_bans_expire)
{
	check_expiry(_metadata, self->client.fd, self->wire, KCUCKOO_FAMILY_IPV4);
}

TEST_F(flood, ipv6_bans_expire)
{
	check_expiry(_metadata, self->client.fd, self->wire, KCUCKOO_FAMILY_IPV6);
}

TEST_HARNESS_MAIN
