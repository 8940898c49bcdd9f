// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events: what each type reports, and what emits none.
 */

#include "event.h"

FIXTURE(event)
{
	struct client client;
	int events;
};

FIXTURE_SETUP(event)
{
	ASSERT_EQ(0, client_begin(&self->client));
	self->events = subscriber(0, 0);
	ASSERT_LE(0, self->events);
}

FIXTURE_TEARDOWN(event)
{
	close(self->events);
	EXPECT_EQ(0, client_end(&self->client));
}

TEST_F(event, names_of_filters)
{
	int fd = self->client.fd, in = self->events;
	struct kcuckoo_event event, last;
	__u64 a, b;

	ASSERT_EQ(0, filter_create(fd, "a", CAPACITY));
	ASSERT_EQ(KCUCKOO_EVENT_CREATED, next(in, &event));
	a = id_of(fd, "a");
	EXPECT_TRUE(named(&event, "a", ""));
	EXPECT_EQ(a, event.filter_id);
	EXPECT_EQ(1, event.seq);
	EXPECT_EQ(0, event.count);
	EXPECT_EQ(0, event.flags);
	last = event;

	ASSERT_EQ(3, add(fd, "a", 0, 3));
	ASSERT_EQ(0, filter_rename(fd, "a", "b"));
	ASSERT_EQ(KCUCKOO_EVENT_RENAMED, next(in, &event));
	EXPECT_TRUE(named(&event, "a", "b"));
	EXPECT_EQ(a, event.filter_id);
	EXPECT_EQ(3, event.members);
	EXPECT_EQ(2, event.seq);
	EXPECT_LE(last.time, event.time);

	ASSERT_EQ(0, filter_create(fd, "a", CAPACITY));
	ASSERT_EQ(KCUCKOO_EVENT_CREATED, next(in, &event));
	b = id_of(fd, "a");
	ASSERT_EQ(0, filter_swap(fd, "a", "b"));
	ASSERT_EQ(KCUCKOO_EVENT_SWAPPED, next(in, &event));
	EXPECT_TRUE(named(&event, "a", "b"));
	EXPECT_EQ(a, event.filter_id);
	EXPECT_EQ(b, event.other_id);
	EXPECT_EQ(3, event.members);

	ASSERT_EQ(0, filter_replace(fd, "a", "b"));
	ASSERT_EQ(KCUCKOO_EVENT_REPLACED, next(in, &event));
	EXPECT_TRUE(named(&event, "a", "b"));
	EXPECT_EQ(b, event.filter_id);
	EXPECT_EQ(a, event.other_id);

	ASSERT_EQ(0, filter_destroy(fd, "a"));
	ASSERT_EQ(KCUCKOO_EVENT_DESTROYED, next(in, &event));
	EXPECT_TRUE(named(&event, "a", ""));
	EXPECT_EQ(b, event.filter_id);
	EXPECT_EQ(-EAGAIN, next(in, &event));
}

/* What fails emits nothing. */
TEST_F(event, failed_calls)
{
	int fd = self->client.fd, in = self->events;
	struct kcuckoo_event event;

	ASSERT_EQ(0, filter_create(fd, "a", CAPACITY));
	ASSERT_EQ(KCUCKOO_EVENT_CREATED, next(in, &event));
	EXPECT_EQ(-EEXIST, filter_create(fd, "a", CAPACITY));
	EXPECT_EQ(-ENOENT, filter_rename(fd, "b", "a"));
	EXPECT_EQ(-EEXIST, filter_rename(fd, "a", "a"));
	EXPECT_EQ(-ENOENT, filter_swap(fd, "a", "b"));
	EXPECT_EQ(-ENOENT, filter_replace(fd, "a", "b"));
	EXPECT_EQ(-ENOENT, filter_destroy(fd, "b"));
	EXPECT_EQ(-ENOENT, rule_detach(fd, "a"));
	EXPECT_EQ(-EAGAIN, next(in, &event));
}

TEST_F(event, staged_filter)
{
	int fd = self->client.fd, in = self->events;
	struct kcuckoo_event event;
	__u64 old;

	ASSERT_EQ(0, staged_create(fd, CAPACITY));
	ASSERT_EQ(CAPACITY, add(fd, STAGED, 0, CAPACITY));
	EXPECT_EQ(-ENOSPC, add(fd, STAGED, CAPACITY, 1));
	EXPECT_EQ(-EAGAIN, next(in, &event));
	ASSERT_EQ(0, filter_rename(fd, STAGED, "a"));
	ASSERT_EQ(KCUCKOO_EVENT_CREATED, next(in, &event));
	EXPECT_TRUE(named(&event, "a", ""));
	EXPECT_EQ(CAPACITY, event.members);
	old = event.filter_id;
	EXPECT_EQ(-ENOSPC, add(fd, "a", CAPACITY, 1));
	ASSERT_EQ(KCUCKOO_EVENT_FULL, next(in, &event));

	ASSERT_EQ(0, staged_create(fd, CAPACITY));
	ASSERT_EQ(0, filter_replace(fd, "a", STAGED));
	ASSERT_EQ(KCUCKOO_EVENT_REPLACED, next(in, &event));
	EXPECT_TRUE(named(&event, "a", ""));
	EXPECT_EQ(id_of(fd, "a"), event.filter_id);
	EXPECT_EQ(old, event.other_id);
	ASSERT_EQ(0, staged_create(fd, CAPACITY));
	ASSERT_EQ(0, filter_destroy(fd, STAGED));
	EXPECT_EQ(-EAGAIN, next(in, &event));
}

TEST_F(event, growth)
{
	int fd = self->client.fd, in = self->events, resized = 0;
	struct kcuckoo_event event;
	__u64 room = 0;

	ASSERT_EQ(0, filter_create(fd, "a", 1000));
	ASSERT_EQ(KCUCKOO_EVENT_CREATED, next(in, &event));
	ASSERT_EQ(1000, add(fd, "a", 0, 1000));
	while (next(in, &event) == KCUCKOO_EVENT_RESIZED) {
		EXPECT_TRUE(named(&event, "a", ""));
		EXPECT_EQ(id_of(fd, "a"), event.filter_id);
		EXPECT_EQ(KCUCKOO_FAMILY_IPV4, event.family);
		EXPECT_EQ(32, event.plen);
		EXPECT_LT(event.old_room, event.new_room);
		EXPECT_LE(room, event.old_room);
		room = event.new_room;
		resized++;
	}
	EXPECT_LE(2, resized);
	EXPECT_LE(1000, room);
	ASSERT_EQ(1, keys_del(fd, "a", (struct kcuckoo_prefix []){ key(0) }, 1));
	ASSERT_EQ(0, filter_reserve(fd, "a", KCUCKOO_FAMILY_IPV4, 24, 100));
	EXPECT_EQ(-EAGAIN, next(in, &event));
	ASSERT_EQ(0, filter_reserve(fd, "a", KCUCKOO_FAMILY_IPV4, 24, 1000));
	ASSERT_EQ(KCUCKOO_EVENT_RESIZED, next(in, &event));
	EXPECT_EQ(24, event.plen);
	EXPECT_EQ(999, event.members);
}

/* The capacity and the limit on memory. */
TEST_F(event, full)
{
	int fd = self->client.fd, in = self->events;
	struct kcuckoo_ioc_stats stats;
	struct kcuckoo_event event;
	long long added;
	int got;

	ASSERT_EQ(0, filter_create(fd, "a", CAPACITY));
	ASSERT_EQ(CAPACITY, add(fd, "a", 0, CAPACITY));
	drain(in);
	EXPECT_EQ(-ENOSPC, add(fd, "a", CAPACITY, 1));
	ASSERT_EQ(KCUCKOO_EVENT_FULL, next(in, &event));
	EXPECT_TRUE(named(&event, "a", ""));
	EXPECT_EQ(ENOSPC, event.error);
	EXPECT_EQ(1, event.count);
	EXPECT_EQ(CAPACITY, event.members);
	EXPECT_EQ(0, event.flags);

	ASSERT_EQ(0, filter_create(fd, "b", 1 << 20));
	ASSERT_EQ(0, client_stats(fd, &stats));
	ASSERT_EQ(0, parameter_set("max_bytes", stats.memory_bytes + 4096));
	added = add(fd, "b", 0, 1000) ?: add(fd, "b", 0, 1000);
	while (added > 0 && add(fd, "b", added, 1000) > 0)
		added += 1000;
	ASSERT_EQ(0, parameter_set("max_bytes", 0));
	do
		got = next(in, &event);
	while (got >= 0 && got != KCUCKOO_EVENT_FULL);
	ASSERT_EQ(KCUCKOO_EVENT_FULL, got);
	EXPECT_TRUE(named(&event, "b", ""));
	EXPECT_EQ(EDQUOT, event.error);
}

/* Copies of one byte string, which has only two buckets. */
TEST_F(event, copies)
{
	struct kcuckoo_ioc_create create = {
		.size = sizeof(create),
		.type = KCUCKOO_TYPE_BYTES,
		.tag_bits = 16,
		.capacity = 1000,
	};
	__u16 lengths[20] = { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 };
	struct kcuckoo_ioc_add strings = {
		.size = sizeof(strings),
		.keys = (uintptr_t)"aaaaaaaaaaaaaaaaaaaa",
		.lengths = (uintptr_t)lengths,
		.count = 20,
	};
	int fd = self->client.fd, in = self->events;
	struct kcuckoo_event event;

	set_name(create.name, "a");
	ASSERT_EQ(0, call(fd, KCUCKOO_IOC_CREATE, &create));
	set_name(strings.name, "a");
	ASSERT_EQ(0, call(fd, KCUCKOO_IOC_ADD, &strings));
	ASSERT_LT(0, strings.refused);
	ASSERT_EQ(KCUCKOO_EVENT_CREATED, next(in, &event));
	ASSERT_EQ(KCUCKOO_EVENT_REFUSED, next(in, &event));
	EXPECT_EQ(EEXIST, event.error);
	EXPECT_EQ(strings.refused, event.count);
	EXPECT_EQ(0, event.family);
	EXPECT_EQ(-EAGAIN, next(in, &event));
}

/* Sends @count packets, each of which a rule of iptables is to add to "bans". */
static bool packets(int count)
{
	struct sockaddr_in to = {
		.sin_family = AF_INET,
		.sin_port = htons(9),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	int udp = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	bool sent = true;

	while (sent && count--)
		sent = sendto(udp, "", 1, 0, (struct sockaddr *)&to, sizeof(to)) == 1;
	close(udp);
	return sent;
}

static const char adding_rule[] =
	"iptables-legacy -w -t raw -A PREROUTING -p udp --dport 9 -j KCUCKOO --add bans src";

static int bans_create(int fd)
{
	struct kcuckoo_ioc_create create = {
		.size = sizeof(create),
		.type = KCUCKOO_TYPE_INET,
		.hash = KCUCKOO_HASH_SIPHASH,
		.capacity = CAPACITY,
	};

	set_name(create.name, "bans");
	return call(fd, KCUCKOO_IOC_CREATE, &create);
}

/* The sum of the counts of events of one type and error, until it is @count. */
static __u64 counted(int fd, unsigned int type, unsigned int error, __u64 count)
{
	struct kcuckoo_event event;
	__u64 sum = 0;

	while (sum < count) {
		if (next_wait(fd, &event) != type || event.error != error ||
		    event.flags != KCUCKOO_EVENT_BY_PACKETS ||
		    !named(&event, "bans", ""))
			break;
		sum += event.count;
	}
	return sum;
}

TEST_F(event, packets)
{
	int fd = self->client.fd, in = self->events;
	struct kcuckoo_event event;
	int late;

	ASSERT_EQ(0, bans_create(fd));
	ASSERT_EQ(KCUCKOO_EVENT_CREATED, next(in, &event));
	ASSERT_EQ(0, system("ip link set lo up"));
	ASSERT_EQ(0, system(adding_rule));
	/* Nothing is reserved. */
	ASSERT_TRUE(packets(200));
	EXPECT_EQ(200, counted(in, KCUCKOO_EVENT_FULL, ENOSPC, 200));
	ASSERT_TRUE(packets(5));
	EXPECT_EQ(5, counted(in, KCUCKOO_EVENT_FULL, ENOSPC, 5));
	/* Packets of the past are not reported to those who come later. */
	ASSERT_TRUE(packets(7));
	late = subscriber(0, 0);
	ASSERT_LE(0, late);
	EXPECT_EQ(7, counted(in, KCUCKOO_EVENT_FULL, ENOSPC, 7));
	ASSERT_TRUE(packets(3));
	EXPECT_EQ(3, counted(late, KCUCKOO_EVENT_FULL, ENOSPC, 3));
	EXPECT_EQ(3, counted(in, KCUCKOO_EVENT_FULL, ENOSPC, 3));

	ASSERT_EQ(0, filter_create(fd, "other", CAPACITY));
	ASSERT_EQ(KCUCKOO_EVENT_CREATED, next(in, &event));
	ASSERT_EQ(0, filter_swap(fd, "bans", "other"));
	ASSERT_EQ(KCUCKOO_EVENT_SWAPPED, next(in, &event));
	ASSERT_TRUE(packets(4));
	EXPECT_EQ(4, counted(in, KCUCKOO_EVENT_REFUSED, EOPNOTSUPP, 4));
	EXPECT_EQ(0, system("iptables-legacy -w -t raw -F"));
	close(late);
}

static struct kcuckoo_ioc_attach rule_of(const char *name)
{
	struct kcuckoo_ioc_attach rule = {
		.size = sizeof(rule),
		.hook = KCUCKOO_HOOK_INPUT,
		.family = KCUCKOO_FAMILY_IPV6,
		.match = KCUCKOO_MATCH_DST,
		.action = KCUCKOO_ACTION_MARK,
		.mark = 7,
	};

	set_name(rule.name, name);
	set_name(rule.allow, "good");
	set_name(rule.label, "wan");
	return rule;
}

TEST_F(event, rules)
{
	int fd = self->client.fd, in = self->events;
	struct kcuckoo_ioc_attach rule = rule_of("a");
	struct kcuckoo_event event;

	ASSERT_EQ(0, call(fd, KCUCKOO_IOC_ATTACH, &rule));
	ASSERT_EQ(KCUCKOO_EVENT_ATTACHED, next(in, &event));
	EXPECT_TRUE(named(&event, "a", "good"));
	EXPECT_STREQ("wan", (char *)event.label);
	EXPECT_EQ(KCUCKOO_EVENT_FILTER_WAITING | KCUCKOO_EVENT_ALLOW_WAITING, event.flags);
	EXPECT_EQ(KCUCKOO_HOOK_INPUT, event.hook);
	EXPECT_EQ(KCUCKOO_FAMILY_IPV6, event.family);
	EXPECT_EQ(KCUCKOO_MATCH_DST, event.match);
	EXPECT_EQ(KCUCKOO_ACTION_MARK, event.action);
	EXPECT_EQ(7, event.mark);
	EXPECT_EQ(0, event.dev[0]);
	EXPECT_EQ(0, event.pattern[0]);

	EXPECT_EQ(-EEXIST, call(fd, KCUCKOO_IOC_ATTACH, &rule));
	ASSERT_EQ(0, filter_create(fd, "a", CAPACITY));
	ASSERT_EQ(KCUCKOO_EVENT_CREATED, next(in, &event));
	EXPECT_EQ(1, event.count);
	rule.flags = KCUCKOO_ATTACH_REPLACE;
	rule.mark = 8;
	ASSERT_EQ(0, call(fd, KCUCKOO_IOC_ATTACH, &rule));
	ASSERT_EQ(KCUCKOO_EVENT_ATTACHED, next(in, &event));
	EXPECT_EQ(KCUCKOO_EVENT_SAME_RULE | KCUCKOO_EVENT_ALLOW_WAITING, event.flags);
	EXPECT_EQ(8, event.mark);

	ASSERT_EQ(1, rule_detach(fd, "a"));
	ASSERT_EQ(KCUCKOO_EVENT_DETACHED, next(in, &event));
	EXPECT_TRUE(named(&event, "a", "good"));
	EXPECT_STREQ("wan", (char *)event.label);
	EXPECT_EQ(8, event.mark);
	EXPECT_EQ(KCUCKOO_EVENT_ALLOW_WAITING, event.flags);
	EXPECT_EQ(-EAGAIN, next(in, &event));
}

/* A rule of one device ends with it; one that waits loses and gets devices. */
TEST_F(event, rules_of_devices)
{
	int fd = self->client.fd, in = self->events;
	struct kcuckoo_ioc_attach rule = {
		.size = sizeof(rule),
		.flags = KCUCKOO_ATTACH_WAIT,
		.hook = KCUCKOO_HOOK_INGRESS,
		.family = KCUCKOO_FAMILY_BOTH,
		.dev = "tst*",
	};
	struct kcuckoo_event event;

	ASSERT_EQ(0, filter_create(fd, "a", CAPACITY));
	ASSERT_EQ(KCUCKOO_EVENT_CREATED, next(in, &event));
	ASSERT_EQ(0, system("ip link add only type dummy"));
	ASSERT_EQ(0, rule_attach_dev(fd, "a", "only", 0, 0));
	ASSERT_EQ(KCUCKOO_EVENT_ATTACHED, next(in, &event));
	EXPECT_STREQ("only", (char *)event.dev);
	EXPECT_EQ(0, event.pattern[0]);
	EXPECT_EQ(0, event.flags);
	ASSERT_EQ(0, system("ip link del only"));
	ASSERT_EQ(KCUCKOO_EVENT_DETACHED, next(in, &event));
	EXPECT_STREQ("only", (char *)event.dev);
	EXPECT_EQ(KCUCKOO_EVENT_DEV_GONE, event.flags);

	/* An alternative name is not that of the device. */
	ASSERT_EQ(0, system("ip link add only type dummy"));
	ASSERT_EQ(0, system("ip link property add dev only altname alt"));
	ASSERT_EQ(0, rule_attach_dev(fd, "a", "alt", 0, 0));
	ASSERT_EQ(KCUCKOO_EVENT_ATTACHED, next(in, &event));
	EXPECT_STREQ("only", (char *)event.dev);
	ASSERT_EQ(0, system("ip link del only"));
	ASSERT_EQ(KCUCKOO_EVENT_DETACHED, next(in, &event));
	EXPECT_STREQ("only", (char *)event.dev);

	set_name(rule.name, "a");
	ASSERT_EQ(0, call(fd, KCUCKOO_IOC_ATTACH, &rule));
	ASSERT_EQ(KCUCKOO_EVENT_ATTACHED, next(in, &event));
	EXPECT_STREQ("tst*", (char *)event.pattern);
	EXPECT_EQ(0, event.dev[0]);
	EXPECT_EQ(KCUCKOO_EVENT_DEV_WAITING, event.flags);
	ASSERT_EQ(0, system("ip link add tst1 type dummy && ip link add tst2 type dummy"));
	ASSERT_EQ(KCUCKOO_EVENT_ACTIVE, next(in, &event));
	EXPECT_STREQ("tst1", (char *)event.dev);
	EXPECT_STREQ("tst*", (char *)event.pattern);
	EXPECT_EQ(1, event.count);
	EXPECT_EQ(0, event.flags);
	ASSERT_EQ(KCUCKOO_EVENT_ACTIVE, next(in, &event));
	EXPECT_STREQ("tst2", (char *)event.dev);
	EXPECT_EQ(2, event.count);

	ASSERT_EQ(0, system("ip link del tst1"));
	ASSERT_EQ(KCUCKOO_EVENT_WAITING, next(in, &event));
	EXPECT_STREQ("tst1", (char *)event.dev);
	EXPECT_EQ(1, event.count);
	EXPECT_EQ(0, event.flags);
	ASSERT_EQ(0, system("ip link set tst2 name oth2"));
	ASSERT_EQ(KCUCKOO_EVENT_WAITING, next(in, &event));
	EXPECT_STREQ("tst2", (char *)event.dev);
	EXPECT_EQ(0, event.count);
	EXPECT_EQ(KCUCKOO_EVENT_DEV_WAITING, event.flags);
	ASSERT_EQ(0, system("ip link set oth2 name tst3"));
	ASSERT_EQ(KCUCKOO_EVENT_ACTIVE, next(in, &event));
	EXPECT_STREQ("tst3", (char *)event.dev);
	/* With a rule that stays, the hook point stays, too. */
	ASSERT_EQ(0, rule_attach_dev(fd, "a", "tst3", 0, 0));
	ASSERT_EQ(KCUCKOO_EVENT_ATTACHED, next(in, &event));
	ASSERT_EQ(0, system("ip link set tst3 name oth3"));
	ASSERT_EQ(KCUCKOO_EVENT_WAITING, next(in, &event));
	EXPECT_STREQ("tst3", (char *)event.dev);
	ASSERT_EQ(0, system("ip link set oth3 name tst4"));
	ASSERT_EQ(KCUCKOO_EVENT_ACTIVE, next(in, &event));
	EXPECT_STREQ("tst4", (char *)event.dev);
	ASSERT_EQ(1, rule_detach_dev(fd, "tst4"));
	ASSERT_EQ(KCUCKOO_EVENT_DETACHED, next(in, &event));
	EXPECT_STREQ("tst4", (char *)event.dev);

	rule.flags |= KCUCKOO_ATTACH_REPLACE;
	ASSERT_EQ(0, call(fd, KCUCKOO_IOC_ATTACH, &rule));
	ASSERT_EQ(KCUCKOO_EVENT_ATTACHED, next(in, &event));
	EXPECT_EQ(KCUCKOO_EVENT_SAME_RULE, event.flags);
	EXPECT_EQ(1, event.count);
	ASSERT_EQ(1, rule_detach(fd, "a"));
	ASSERT_EQ(KCUCKOO_EVENT_DETACHED, next(in, &event));
	EXPECT_STREQ("tst*", (char *)event.pattern);
	EXPECT_EQ(1, event.count);
	EXPECT_EQ(-EAGAIN, next(in, &event));
}

TEST_F(event, types)
{
	int fd = self->client.fd;
	int in = subscriber(1 << KCUCKOO_EVENT_DESTROYED | 1 << KCUCKOO_EVENT_RENAMED, 0);
	struct kcuckoo_event event;

	ASSERT_LE(0, in);
	ASSERT_EQ(0, filter_create(fd, "a", CAPACITY));
	ASSERT_EQ(0, filter_rename(fd, "a", "b"));
	ASSERT_EQ(0, filter_create(fd, "a", CAPACITY));
	ASSERT_EQ(0, filter_swap(fd, "a", "b"));
	ASSERT_EQ(0, filter_destroy(fd, "a"));
	EXPECT_EQ(KCUCKOO_EVENT_RENAMED, next(in, &event));
	EXPECT_EQ(1, event.seq);
	EXPECT_EQ(KCUCKOO_EVENT_DESTROYED, next(in, &event));
	EXPECT_EQ(2, event.seq);
	EXPECT_EQ(-EAGAIN, next(in, &event));
	close(in);
}

/* A reader that does not wait gets the same error as one that waits, not -EAGAIN. */
TEST_F(event, end_of_the_namespace)
{
	struct kcuckoo_event event;
	int in;

	ASSERT_EQ(0, unshare(CLONE_NEWNET));
	in = subscriber(0, 0);
	ASSERT_LE(0, in);
	EXPECT_EQ(-EAGAIN, next(in, &event));
	ASSERT_EQ(0, setns(self->client.space, CLONE_NEWNET));
	EXPECT_EQ(POLLERR | POLLHUP, polled(in, PATIENCE));
	EXPECT_EQ(-ENODEV, next(in, &event));
	close(in);
}

TEST_HARNESS_MAIN
