// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rules that belong to the name of a device or to a pattern: devices that appear, end,
 * change their name and move; rules that are replaced while packets come; labels.
 */

#include "tags.h"

#include <pthread.h>

#define VLAN	5

FIXTURE(wait)
{
	struct client client;
};

FIXTURE_SETUP(wait)
{
	ASSERT_EQ(0, link_begin(&self->client));
}

FIXTURE_TEARDOWN(wait)
{
	EXPECT_EQ(0, link_end(&self->client));
}

/* A rule of "bad" that drops by source and belongs to a name or pattern. */
static struct kcuckoo_ioc_attach waiting(const char *dev)
{
	struct kcuckoo_ioc_attach attach = {
		.size = sizeof(attach),
		.flags = KCUCKOO_ATTACH_WAIT,
		.name = "bad",
		.hook = KCUCKOO_HOOK_INGRESS,
		.family = KCUCKOO_FAMILY_BOTH,
	};

	assert(strlen(dev) < sizeof(attach.dev));
	strcpy((char *)attach.dev, dev);
	return attach;
}

static int attach(int fd, struct kcuckoo_ioc_attach rule)
{
	return call(fd, KCUCKOO_IOC_ATTACH, &rule);
}

static int attach_wait(int fd, const char *dev)
{
	return attach(fd, waiting(dev));
}

static int detach_label(int fd, const char *label)
{
	struct kcuckoo_ioc_detach detach = {
		.size = sizeof(detach),
		.flags = KCUCKOO_DETACH_LABEL,
	};
	int error;

	set_name(detach.label, label);
	error = call(fd, KCUCKOO_IOC_DETACH, &detach);
	return error ? error : (int)detach.removed;
}

/* The rule at @index has this device, "" if it waits, and this name or pattern. */
static bool listed(int fd, int index, const char *dev, const char *pattern)
{
	struct kcuckoo_rule rule = counters(fd, index);
	bool waits = rule.flags & KCUCKOO_RULE_DEV_WAITING;

	if (!strcmp((char *)rule.dev, dev) && !strcmp((char *)rule.pattern, pattern) &&
	    waits == !*dev && rule.hook == KCUCKOO_HOOK_INGRESS)
		return true;
	fprintf(stderr, "# rule %d: dev '%s', pattern '%s', flags %u\n", index, rule.dev,
		rule.pattern, rule.flags);
	return false;
}

static __u64 matched(int fd, int index)
{
	return counters(fd, index).packets;
}

/* Commands of ip(8) on the host with the name of a device in them. */
static void device_run(const char *format, const char *dev)
{
	char commands[300];

	snprintf(commands, sizeof(commands), format, dev, dev);
	ip_run(HOST, commands);
}

/* A device of the host that takes the packets with the tag VLAN. */
static void vlan_add(const char *dev)
{
	device_run("link add link h0 name %s type vlan id 5\nlink set %s up\n", dev);
}

static void device_del(const char *dev)
{
	device_run("link del %s\n", dev);
}

static void device_rename(const char *dev, const char *to)
{
	char commands[200];

	snprintf(commands, sizeof(commands),
		 "link set %s down\nlink set %s name %s\nlink set %s up\n", dev, dev, to, to);
	ip_run(HOST, commands);
}

/* One packet from @src with the tag VLAN; does it arrive at @place? */
static bool tagged_to(enum place place, const char *src)
{
	const char *dst = place == FAR ? far_for(src) : host_for(src);
	static const __u16 types[] = { ETH_P_8021Q }, ids[] = { VLAN };
	struct frame frame;

	frame_plain(&frame, MAC_P0, MAC_H0, src, dst, ++net.id, PAYLOAD);
	tag(&frame, types, ids, 1);
	frame_send(&frame);
	settle();
	return arrived(place, net.id) == 1;
}

static bool tagged(const char *src)
{
	return tagged_to(HOST, src);
}

TEST_F(wait, name_waits_applies_and_waits_again)
{
	int fd = self->client.fd, i;

	EXPECT_EQ(-ENXIO, rule_attach_dev(fd, "bad", "ppp0", 0, 0));
	ASSERT_EQ(0, attach_wait(fd, "ppp0"));
	for (i = 0; i < 3; i++) {
		EXPECT_EQ(1, rule_list(fd, NULL, 0));
		EXPECT_TRUE(listed(fd, 0, "", "ppp0"));
		/* The counters stay while it waits. */
		EXPECT_EQ(2 * i, matched(fd, 0));
		vlan_add("ppp0");
		EXPECT_EQ(1, rule_list(fd, NULL, 0));
		EXPECT_TRUE(listed(fd, 0, "ppp0", "ppp0"));
		EXPECT_FALSE(tagged(BAD4));
		EXPECT_FALSE(tagged(BADNET6));
		EXPECT_TRUE(tagged(GOOD4));
		EXPECT_TRUE(tagged(GOOD6));
		EXPECT_TRUE(passes(BAD4, HOST4));
		EXPECT_EQ(2 * i + 2, matched(fd, 0));
		device_del("ppp0");
	}
	EXPECT_EQ(1, rule_detach_dev(fd, "ppp0"));
	EXPECT_EQ(-ENXIO, rule_detach_dev(fd, "ppp0"));
	vlan_add("ppp0");
	EXPECT_TRUE(tagged(BAD4));
	device_del("ppp0");
	EXPECT_EQ(0, filter_destroy(fd, "bad"));
}

TEST_F(wait, name_of_a_device_that_exists)
{
	int fd = self->client.fd;

	vlan_add("ppp0");
	ASSERT_EQ(0, attach_wait(fd, "ppp0"));
	EXPECT_TRUE(listed(fd, 0, "ppp0", "ppp0"));
	EXPECT_FALSE(tagged(BAD4));
	device_del("ppp0");
	EXPECT_TRUE(listed(fd, 0, "", "ppp0"));
	EXPECT_EQ(1, matched(fd, 0));
	EXPECT_EQ(1, rule_detach(fd, "bad"));
}

/* A name is not the beginning of another, nor a pattern's beginning a name. */
TEST_F(wait, only_its_own_name)
{
	int fd = self->client.fd;

	ASSERT_EQ(0, attach_wait(fd, "ppp"));
	ASSERT_EQ(0, attach_wait(fd, "ppp01"));
	ASSERT_EQ(0, attach_wait(fd, "pppo*"));
	vlan_add("ppp0");
	EXPECT_TRUE(tagged(BAD4));
	EXPECT_TRUE(listed(fd, 0, "", "ppp"));
	EXPECT_TRUE(listed(fd, 1, "", "ppp01"));
	EXPECT_TRUE(listed(fd, 2, "", "pppo*"));
	/* Alternative names do not count. */
	ip_run(HOST, "link property add dev ppp0 altname ppp01\n");
	EXPECT_TRUE(listed(fd, 1, "", "ppp01"));
	EXPECT_EQ(1, rule_detach_dev(fd, "ppp01"));
	ASSERT_EQ(0, attach_wait(fd, "ppp01"));
	EXPECT_TRUE(tagged(BAD4));
	device_del("ppp0");
}

TEST_F(wait, pattern)
{
	int fd = self->client.fd;

	ASSERT_EQ(0, attach_wait(fd, "ppp*"));
	EXPECT_TRUE(listed(fd, 0, "", "ppp*"));
	ip_run(HOST, "link add ppp7 type dummy\nlink add xppp type dummy\n");
	vlan_add("ppp0");
	EXPECT_EQ(2, rule_list(fd, NULL, 0));
	EXPECT_TRUE(listed(fd, 0, "ppp7", "ppp*"));
	EXPECT_TRUE(listed(fd, 1, "ppp0", "ppp*"));
	EXPECT_FALSE(tagged(BAD4));
	EXPECT_TRUE(tagged(GOOD4));
	EXPECT_EQ(0, matched(fd, 0));
	EXPECT_EQ(1, matched(fd, 1));
	device_del("ppp7");
	EXPECT_EQ(1, rule_list(fd, NULL, 0));
	EXPECT_TRUE(listed(fd, 0, "ppp0", "ppp*"));
	EXPECT_EQ(1, matched(fd, 0));
	device_del("ppp0");
	EXPECT_EQ(1, rule_list(fd, NULL, 0));
	EXPECT_TRUE(listed(fd, 0, "", "ppp*"));
	/* With a pattern the counters belong to the device. */
	vlan_add("ppp0");
	EXPECT_EQ(0, matched(fd, 0));
	EXPECT_FALSE(tagged(BAD4));
	EXPECT_EQ(1, matched(fd, 0));
	device_del("ppp0");
	device_del("xppp");
}

/* A pattern that is attached applies to all devices that exist, or to none. */
TEST_F(wait, pattern_of_devices_that_exist)
{
	int fd = self->client.fd;

	vlan_add("ppp0");
	ip_run(HOST, "link add ppp7 type dummy\n");
	ASSERT_EQ(0, attach_wait(fd, "ppp*"));
	EXPECT_EQ(2, rule_list(fd, NULL, 0));
	EXPECT_FALSE(tagged(BAD4));
	/* Its devices do not remove it. */
	EXPECT_EQ(-ENOENT, rule_detach_dev(fd, "ppp0"));
	EXPECT_FALSE(tagged(BAD4));
	EXPECT_EQ(-ENXIO, rule_detach_dev(fd, "pp*"));
	EXPECT_EQ(2, rule_detach_dev(fd, "ppp*"));
	EXPECT_EQ(0, rule_list(fd, NULL, 0));
	EXPECT_TRUE(tagged(BAD4));
	device_del("ppp0");
	device_del("ppp7");
}

TEST_F(wait, device_gets_another_name)
{
	int fd = self->client.fd;

	ASSERT_EQ(0, attach_wait(fd, "ppp0"));
	ASSERT_EQ(0, attach_wait(fd, "wan*"));
	vlan_add("x0");
	EXPECT_TRUE(tagged(BAD4));
	device_rename("x0", "ppp0");
	EXPECT_TRUE(listed(fd, 0, "ppp0", "ppp0"));
	EXPECT_TRUE(listed(fd, 1, "", "wan*"));
	EXPECT_FALSE(tagged(BAD4));
	/* From the name to the pattern, and within the pattern. */
	device_rename("ppp0", "wan0");
	EXPECT_EQ(2, rule_list(fd, NULL, 0));
	EXPECT_TRUE(listed(fd, 0, "wan0", "wan*"));
	EXPECT_TRUE(listed(fd, 1, "", "ppp0"));
	EXPECT_FALSE(tagged(BAD4));
	EXPECT_EQ(1, matched(fd, 0));
	EXPECT_EQ(1, matched(fd, 1));
	device_rename("wan0", "wan1");
	EXPECT_TRUE(listed(fd, 0, "wan1", "wan*"));
	EXPECT_FALSE(tagged(BAD4));
	EXPECT_EQ(2, matched(fd, 0));
	/* A rule that does not wait stays with its device. */
	ASSERT_EQ(0, rule_attach_dev(fd, "bad", "wan1", KCUCKOO_MATCH_DST, 0));
	device_rename("wan1", "x0");
	EXPECT_EQ(3, rule_list(fd, NULL, 0));
	EXPECT_TRUE(listed(fd, 0, "x0", ""));
	EXPECT_TRUE(listed(fd, 1, "", "ppp0"));
	EXPECT_TRUE(listed(fd, 2, "", "wan*"));
	EXPECT_TRUE(tagged(BAD4));
	device_del("x0");
	EXPECT_EQ(2, rule_list(fd, NULL, 0));
}

/* Each namespace has rules of its own; the one that a device leaves waits again. */
TEST_F(wait, device_moves)
{
	int fd = self->client.fd, away, i;
	char commands[100];

	enter(FAR);
	away = client_open();
	ASSERT_LE(0, away);
	ASSERT_EQ(0, list_bad(away));
	ASSERT_EQ(0, attach_wait(away, "pp*"));
	snprintf(commands, sizeof(commands), "link set ppp0 netns %d\n", getpid());
	enter(HOST);
	ASSERT_EQ(0, attach_wait(fd, "ppp0"));
	vlan_add("ppp0");
	for (i = 0; i < 3; i++) {
		EXPECT_TRUE(listed(fd, 0, "ppp0", "ppp0"));
		EXPECT_TRUE(listed(away, 0, "", "pp*"));
		EXPECT_FALSE(tagged(BAD4));
		enter(FAR);
		ip_run(HOST, commands);
		ip_run(FAR, "link set ppp0 up\n");
		enter(HOST);
		EXPECT_TRUE(listed(fd, 0, "", "ppp0"));
		EXPECT_EQ(i + 1, matched(fd, 0));
		EXPECT_TRUE(listed(away, 0, "ppp0", "pp*"));
		EXPECT_FALSE(tagged_to(FAR, BAD4));
		EXPECT_TRUE(tagged_to(FAR, GOOD4));
		EXPECT_EQ(1, matched(away, 0));
		ip_run(FAR, commands);
		ip_run(HOST, "link set ppp0 up\n");
	}
	device_del("ppp0");
	client_clear(away);
	close(away);
}

/* Packets of loopback devices and VRFs come from the host itself. */
TEST_F(wait, loopback_and_vrf)
{
	int fd = self->client.fd;

	EXPECT_EQ(-EINVAL, attach_wait(fd, "lo"));
	ip_run(HOST, "link add red type vrf table 10\n");
	EXPECT_EQ(-EINVAL, attach_wait(fd, "red"));
	EXPECT_EQ(0, rule_list(fd, NULL, 0));
	ASSERT_EQ(0, attach_wait(fd, "*"));
	ASSERT_EQ(0, attach_wait(fd, "blue"));
	/* The two devices of the link, and none else. */
	EXPECT_EQ(3, rule_list(fd, NULL, 0));
	EXPECT_TRUE(listed(fd, 0, "h0", "*") || listed(fd, 0, "h1", "*"));
	EXPECT_TRUE(listed(fd, 1, "h0", "*") || listed(fd, 1, "h1", "*"));
	ip_run(HOST, "link add blue type vrf table 11\n");
	EXPECT_EQ(3, rule_list(fd, NULL, 0));
	EXPECT_TRUE(listed(fd, 2, "", "blue"));
	ip_run(HOST, "link del blue\nlink add blue type dummy\n");
	EXPECT_EQ(4, rule_list(fd, NULL, 0));
	EXPECT_FALSE(passes(BAD4, HOST4));
	EXPECT_TRUE(passes(GOOD4, HOST4));
	ip_run(HOST, "link del blue\nlink del red\n");
}

/* A name, a pattern and another one: all apply, and the first one counts. */
TEST_F(wait, several_rules_of_one_device)
{
	int fd = self->client.fd, i;

	ASSERT_EQ(0, attach_wait(fd, "ppp0"));
	ASSERT_EQ(0, attach_wait(fd, "ppp*"));
	ASSERT_EQ(0, attach_wait(fd, "p*"));
	EXPECT_EQ(-EEXIST, attach_wait(fd, "ppp0"));
	EXPECT_EQ(-EEXIST, attach_wait(fd, "p*"));
	vlan_add("ppp0");
	ASSERT_EQ(0, rule_attach_dev(fd, "bad", "ppp0", 0, 0));
	EXPECT_EQ(-EEXIST, attach_wait(fd, "ppp*"));
	EXPECT_EQ(-EEXIST, rule_attach_dev(fd, "bad", "ppp0", 0, 0));
	EXPECT_EQ(4, rule_list(fd, NULL, 0));
	EXPECT_FALSE(tagged(BAD4));
	for (i = 0; i < 4; i++)
		EXPECT_EQ(!i, matched(fd, i));
	/* In the order of attaching, whatever came first to the device. */
	device_rename("ppp0", "p0");
	EXPECT_TRUE(listed(fd, 0, "p0", "p*"));
	EXPECT_TRUE(listed(fd, 1, "p0", ""));
	device_rename("p0", "ppp0");
	EXPECT_TRUE(listed(fd, 0, "ppp0", "ppp0"));
	EXPECT_TRUE(listed(fd, 1, "ppp0", "ppp*"));
	EXPECT_TRUE(listed(fd, 2, "ppp0", "p*"));
	EXPECT_TRUE(listed(fd, 3, "ppp0", ""));
	/* By the name: the one that waits for it, and the one that does not wait. */
	EXPECT_EQ(2, rule_detach_dev(fd, "ppp0"));
	EXPECT_EQ(2, rule_list(fd, NULL, 0));
	EXPECT_FALSE(tagged(BAD4));
	EXPECT_EQ(2, rule_detach(fd, NULL));
	EXPECT_TRUE(tagged(BAD4));
	device_del("ppp0");
}

/* The filter and the allow filter may be missing, too. */
TEST_F(wait, for_filters_and_a_device)
{
	const __u32 all = KCUCKOO_RULE_WAITING | KCUCKOO_RULE_ALLOW_WAITING |
			  KCUCKOO_RULE_DEV_WAITING;
	struct kcuckoo_ioc_attach rule = waiting("ppp0");
	struct kcuckoo_prefix key = key_of(GOOD4);
	int fd = self->client.fd;

	set_name(rule.name, "later");
	set_name(rule.allow, "spared");
	ASSERT_EQ(0, attach(fd, rule));
	EXPECT_EQ(all, counters(fd, 0).flags);
	ASSERT_EQ(0, filter_create(fd, "later", 10));
	ASSERT_EQ(1, keys_add(fd, "later", &key, 1));
	vlan_add("ppp0");
	EXPECT_EQ(KCUCKOO_RULE_ALLOW_WAITING, counters(fd, 0).flags);
	EXPECT_TRUE(tagged(GOOD4));
	ASSERT_EQ(0, filter_create(fd, "spared", 10));
	EXPECT_FALSE(tagged(GOOD4));
	EXPECT_EQ(0, counters(fd, 0).flags);
	device_del("ppp0");
	EXPECT_EQ(-EBUSY, filter_destroy(fd, "later"));
	EXPECT_EQ(-EBUSY, filter_destroy(fd, "spared"));
	EXPECT_EQ(1, rule_detach(fd, NULL));
	EXPECT_EQ(0, filter_destroy(fd, "spared"));
}

/* Action, mark, allow filter and label change; counters and position stay. */
TEST_F(wait, replaced)
{
	struct kcuckoo_ioc_attach rule = waiting("h0");
	int fd = self->client.fd, i;

	for (i = 0; i < 2; i++) {
		/* First the rule of a name, then one of the device. */
		rule.flags = i ? 0 : KCUCKOO_ATTACH_WAIT;
		rule.action = KCUCKOO_ACTION_COUNT;
		rule.mark = 0;
		set_name(rule.allow, "");
		set_name(rule.label, "one");
		ASSERT_EQ(0, attach(fd, rule));
		ASSERT_EQ(0, attach_wait(fd, "h*"));
		EXPECT_TRUE(passes(BAD4, HOST4) == false);
		EXPECT_EQ(1, matched(fd, 0));
		rule.flags |= KCUCKOO_ATTACH_REPLACE;
		rule.action = KCUCKOO_ACTION_MARK;
		rule.mark = 7;
		set_name(rule.allow, "spared");
		set_name(rule.label, "two");
		ASSERT_EQ(0, attach(fd, rule));
		EXPECT_EQ(1, matched(fd, 0));
		EXPECT_EQ(KCUCKOO_ACTION_MARK, counters(fd, 0).action);
		EXPECT_EQ(7, counters(fd, 0).mark);
		EXPECT_STREQ("spared", (char *)counters(fd, 0).allow);
		EXPECT_STREQ("two", (char *)counters(fd, 0).label);
		EXPECT_EQ(KCUCKOO_RULE_ALLOW_WAITING, counters(fd, 0).flags);
		EXPECT_FALSE(passes(BAD4, HOST4));
		EXPECT_EQ(1, matched(fd, 0));
		rule.action = KCUCKOO_ACTION_DROP;
		rule.mark = 0;
		set_name(rule.allow, "");
		ASSERT_EQ(0, attach(fd, rule));
		EXPECT_FALSE(passes(BAD4, HOST4));
		EXPECT_EQ(2, matched(fd, 0));
		EXPECT_EQ(2, matched(fd, 1));
		EXPECT_EQ(3, rule_list(fd, NULL, 0));
		/* Nothing waits for the allow filter any more. */
		EXPECT_EQ(0, filter_create(fd, "spared", 10));
		EXPECT_EQ(0, filter_destroy(fd, "spared"));
		EXPECT_EQ(3, rule_detach(fd, NULL));
	}
	EXPECT_EQ(0, filter_destroy(fd, "bad"));
}

TEST_F(wait, replaced_for_each_device_and_while_it_waits)
{
	struct kcuckoo_ioc_attach rule = waiting("ppp*"), one = waiting("x0");
	int fd = self->client.fd, i;

	one.action = KCUCKOO_ACTION_COUNT;
	rule.action = one.action;
	rule.flags |= KCUCKOO_ATTACH_REPLACE;
	one.flags |= KCUCKOO_ATTACH_REPLACE;
	ASSERT_EQ(0, attach(fd, rule));
	ASSERT_EQ(0, attach(fd, one));
	EXPECT_EQ(2, rule_list(fd, NULL, 0));
	ip_run(HOST, "link add ppp7 type dummy\n");
	vlan_add("ppp0");
	EXPECT_TRUE(tagged(BAD4));
	one.action = KCUCKOO_ACTION_DROP;
	rule.action = one.action;
	set_name(rule.label, "many");
	set_name(one.label, "single");
	ASSERT_EQ(0, attach(fd, rule));
	ASSERT_EQ(0, attach(fd, one));
	EXPECT_FALSE(tagged(BAD4));
	EXPECT_EQ(2, matched(fd, 1));
	for (i = 0; i < 2; i++)
		EXPECT_STREQ("many", (char *)counters(fd, i).label);
	EXPECT_STREQ("single", (char *)counters(fd, 2).label);
	/* A device that comes later gets the rule as it is now. */
	device_rename("ppp0", "x0");
	EXPECT_FALSE(tagged(BAD4));
	EXPECT_TRUE(listed(fd, 1, "x0", "x0"));
	EXPECT_STREQ("single", (char *)counters(fd, 1).label);
	device_del("x0");
	device_del("ppp7");
	EXPECT_STREQ("many", (char *)counters(fd, 0).label);
	EXPECT_EQ(2, rule_detach(fd, "bad"));
}

/* What cannot be done changes nothing: neither the rules, nor what waits. */
TEST_F(wait, errors_change_nothing)
{
	struct kcuckoo_ioc_create bytes = {
		.size = sizeof(bytes),
		.name = "words",
		.type = KCUCKOO_TYPE_BYTES,
		.tag_bits = 16,
		.capacity = 100,
	};
	struct kcuckoo_rule before[8] = {}, after[8] = {};
	struct kcuckoo_ioc_attach rule = waiting("h*");
	struct kcuckoo_ioc_stats stats, later;
	int fd = self->client.fd;

	ASSERT_EQ(0, call(fd, KCUCKOO_IOC_CREATE, &bytes));
	ASSERT_EQ(0, attach_wait(fd, "h*"));
	ASSERT_EQ(0, attach_wait(fd, "ppp0"));
	ASSERT_EQ(0, rule_attach_dev(fd, "bad", "h0", 0, 0));
	EXPECT_FALSE(passes(BAD4, HOST4));
	ASSERT_EQ(4, rule_list(fd, before, 8));
	ASSERT_EQ(0, client_stats(fd, &stats));

	rule.flags |= KCUCKOO_ATTACH_REPLACE;
	set_name(rule.label, "new");
	set_name(rule.allow, "words");
	EXPECT_EQ(-EOPNOTSUPP, attach(fd, rule));
	set_name(rule.allow, "");
	rule.action = KCUCKOO_ACTION_VALUE;
	EXPECT_EQ(-EOPNOTSUPP, attach(fd, rule));
	rule.action = KCUCKOO_ACTION_DROP;
	/* Another family is another rule, and overlaps. */
	rule.family = KCUCKOO_FAMILY_IPV4;
	EXPECT_EQ(-EEXIST, attach(fd, rule));
	rule.flags = KCUCKOO_ATTACH_REPLACE;
	strcpy((char *)rule.dev, "h0");
	EXPECT_EQ(-EEXIST, attach(fd, rule));
	rule = waiting("h*");
	set_name(rule.allow, "missing");
	EXPECT_EQ(-EEXIST, attach(fd, rule));
	EXPECT_EQ(-ENOENT, detach_label(fd, "new"));

	EXPECT_EQ(4, rule_list(fd, after, 8));
	EXPECT_EQ(0, memcmp(before, after, sizeof(before)));
	ASSERT_EQ(0, client_stats(fd, &later));
	EXPECT_EQ(0, memcmp(&stats, &later, sizeof(stats)));
}

TEST_F(wait, fields_that_are_refused)
{
	static const char * const devices[] = {
		"", "a/b", "a b", "a:b", ".", "..", "a*b", "**", "*a", "a**",
	};
	struct kcuckoo_ioc_attach rule = waiting("ppp0");
	struct kcuckoo_ioc_detach detach = { .size = sizeof(detach) };
	int fd = self->client.fd, hook;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(devices); i++)
		EXPECT_EQ(-EINVAL, attach_wait(fd, devices[i]))
			TH_LOG("device '%s'", devices[i]);
	memset(rule.dev, 'x', sizeof(rule.dev));
	EXPECT_EQ(-EINVAL, attach(fd, rule));
	for (hook = KCUCKOO_HOOK_PREROUTING; hook <= KCUCKOO_HOOK_OUTPUT; hook++) {
		rule = waiting("ppp0");
		rule.hook = hook;
		EXPECT_EQ(-EINVAL, attach(fd, rule));
		set_name(rule.dev, "");
		rule = waiting("");
		rule.hook = hook;
		EXPECT_EQ(-EINVAL, attach(fd, rule));
	}
	rule = waiting("ppp0");
	rule.flags |= 1 << 2;
	EXPECT_EQ(-EINVAL, attach(fd, rule));
	rule = waiting("ppp0");
	set_name(rule.label, "a b");
	EXPECT_EQ(-EINVAL, attach(fd, rule));
	set_name(rule.label, "ab");
	rule.label[5] = 'x';
	EXPECT_EQ(-EINVAL, attach(fd, rule));
	memset(rule.label, 'x', sizeof(rule.label));
	EXPECT_EQ(-EINVAL, attach(fd, rule));
	set_name(detach.label, "ab");
	EXPECT_EQ(-EINVAL, call(fd, KCUCKOO_IOC_DETACH, &detach));
	detach.flags = KCUCKOO_DETACH_LABEL;
	EXPECT_EQ(-ENOENT, call(fd, KCUCKOO_IOC_DETACH, &detach));
	set_name(detach.label, "a b");
	EXPECT_EQ(-EINVAL, call(fd, KCUCKOO_IOC_DETACH, &detach));
	detach.flags = 1 << 6;
	set_name(detach.label, "");
	EXPECT_EQ(-EINVAL, call(fd, KCUCKOO_IOC_DETACH, &detach));
	/* Without the flag, a star is a character of a name. */
	EXPECT_EQ(-ENXIO, rule_attach_dev(fd, "bad", "h*", 0, 0));
	EXPECT_EQ(0, rule_list(fd, NULL, 0));
}

TEST_F(wait, labels)
{
	struct kcuckoo_ioc_attach rule = waiting("h*");
	int fd = self->client.fd;

	set_name(rule.label, "wan");
	ASSERT_EQ(0, attach(fd, rule));
	rule = waiting("ppp0");
	set_name(rule.label, "wan");
	ASSERT_EQ(0, attach(fd, rule));
	rule.flags = 0;
	rule.hook = KCUCKOO_HOOK_INPUT;
	memset(rule.dev, 0, sizeof(rule.dev));
	ASSERT_EQ(0, attach(fd, rule));
	rule.hook = KCUCKOO_HOOK_FORWARD;
	set_name(rule.label, "wan2");
	ASSERT_EQ(0, attach(fd, rule));
	ASSERT_EQ(0, rule_attach(fd, "bad", KCUCKOO_HOOK_PREROUTING, KCUCKOO_FAMILY_BOTH,
				 KCUCKOO_MATCH_SRC, 0));
	EXPECT_EQ(6, rule_list(fd, NULL, 0));
	EXPECT_STREQ("wan", (char *)counters(fd, 2).label);
	EXPECT_EQ(4, detach_label(fd, "wan"));
	EXPECT_EQ(-ENOENT, detach_label(fd, "wan"));
	/* Without a label: made by hand. */
	EXPECT_STREQ("", (char *)counters(fd, 0).label);
	EXPECT_EQ(1, detach_label(fd, ""));
	EXPECT_STREQ("wan2", (char *)counters(fd, 0).label);
	EXPECT_EQ(1, detach_label(fd, "wan2"));
}

/* Replaces rules as fast as it can, on another processor than the packets'. */
struct replacer {
	struct kcuckoo_ioc_attach rules[2];
	int fd;
	bool stop;
	size_t rounds;
	int error;
};

static void *replace_rules(void *context)
{
	struct replacer *replacer = context;
	cpu_set_t cpus;

	memset(&cpus, 0xff, sizeof(cpus));
	CPU_CLR(0, &cpus);
	sched_setaffinity(0, sizeof(cpus), &cpus);
	while (!__atomic_load_n(&replacer->stop, __ATOMIC_RELAXED) && !replacer->error) {
		replacer->error = attach(replacer->fd,
					 replacer->rules[replacer->rounds % 2]);
		replacer->rounds++;
	}
	return NULL;
}

/* No packet of a listed source passes between one rule and the next. */
TEST_F(wait, replaced_under_traffic)
{
	size_t packets = client_scale(client_soak(3000, 100000)), i, kind;
	struct replacer replacer = { .fd = self->client.fd };
	int fd = self->client.fd, passed = 0;
	struct frame frame;
	pthread_t thread;

	ASSERT_EQ(0, filter_create(fd, "spared", 10));
	for (kind = 0; kind < 3; kind++) {
		/* By name, by pattern, and without waiting. */
		replacer.rules[0] = waiting(kind == 1 ? "h*" : "h0");
		replacer.rules[0].flags = (kind == 2 ? 0 : KCUCKOO_ATTACH_WAIT) |
					  KCUCKOO_ATTACH_REPLACE;
		replacer.rules[1] = replacer.rules[0];
		set_name(replacer.rules[1].allow, "spared");
		set_name(replacer.rules[1].label, "other");
		replacer.stop = false;
		replacer.rounds = 0;
		ASSERT_EQ(0, attach(fd, replacer.rules[0]));
		ASSERT_EQ(0, pthread_create(&thread, NULL, replace_rules, &replacer));
		for (i = 0; i < packets; i++) {
			frame_plain(&frame, MAC_P0, MAC_H0, BAD4, HOST4, ++net.id, PAYLOAD);
			frame_send(&frame);
			if (i % 100 == 99) {
				settle();
				passed += arrived(HOST, net.id);
			}
		}
		settle();
		EXPECT_GT(0, recv(net.udp[HOST], &frame, 1, MSG_DONTWAIT));
		__atomic_store_n(&replacer.stop, true, __ATOMIC_RELAXED);
		pthread_join(thread, NULL);
		EXPECT_EQ(0, replacer.error);
		EXPECT_LT(10, replacer.rounds);
		/* Every packet is counted, whichever rule it met. */
		EXPECT_EQ(packets, matched(fd, 0) + (kind == 1 ? matched(fd, 1) : 0));
		rule_detach(fd, NULL);
	}
	EXPECT_EQ(0, passed);
}

/* Names that no device has, up to the limit; then one rule more than fits. */
TEST_F(wait, limit)
{
	struct kcuckoo_ioc_attach rule = waiting("");
	int fd = self->client.fd, count = 0, error;

	ASSERT_EQ(0, attach_wait(fd, "ppp*"));
	do {
		snprintf((char *)rule.dev, sizeof(rule.dev), "w%d", count);
		error = attach(fd, rule);
		count += !error;
	} while (!error);
	EXPECT_EQ(-EDQUOT, error);
	EXPECT_EQ(KCUCKOO_RULES_MAX - 1, count);
	EXPECT_EQ(-EDQUOT, rule_attach(fd, "bad", 0, KCUCKOO_FAMILY_BOTH, 0, 0));
	/* What is waited for may come; a pattern's first device is counted, too. */
	vlan_add("ppp0");
	ip_run(HOST, "link add w7 type dummy\n");
	EXPECT_EQ(KCUCKOO_RULES_MAX, rule_list(fd, NULL, 0));
	EXPECT_FALSE(tagged(BAD4));
	/* A second one is one too many: the kernel says so, and tries again. */
	ip_run(HOST, "link add ppp7 type dummy\n");
	EXPECT_EQ(1, log_complaints(self->client.log));
	EXPECT_EQ(KCUCKOO_RULES_MAX, rule_list(fd, NULL, 0));
	EXPECT_EQ(1, rule_detach_dev(fd, "w7"));
	ip_run(HOST, "link set ppp7 up\n");
	EXPECT_EQ(KCUCKOO_RULES_MAX, rule_list(fd, NULL, 0));
	EXPECT_EQ(2, rule_detach_dev(fd, "ppp*"));
	EXPECT_EQ(KCUCKOO_RULES_MAX - 2, rule_detach(fd, "bad"));
	device_del("ppp0");
	ip_run(HOST, "link del ppp7\nlink del w7\n");
}

static int module_users(void)
{
	FILE *file = fopen("/sys/module/kcuckoo/refcnt", "r");
	int users = -1;

	if (!file || fscanf(file, "%d", &users) != 1)
		fail("refcnt");
	fclose(file);
	return users;
}

/* A rule that waits pins the module, once; the end of its namespace ends that. */
TEST_F(wait, namespace_ends)
{
	int users = module_users(), i, status;
	double end;
	pid_t child;

	for (i = 0; i < 5; i++) {
		child = fork();
		if (!child) {
			int fd;

			unshare(CLONE_NEWNET);
			fd = client_open();
			_exit(fd < 0 || list_bad(fd) || attach_wait(fd, "ppp0") ||
			      attach_wait(fd, "d*") || attach_wait(fd, "d0") ||
			      module_users() < users + 4 ||
			      system("ip link add d0 type dummy") ||
			      system("ip link add d1 type dummy") ||
			      system("ip link add ppp1 type dummy") ||
			      rule_list(fd, NULL, 0) != 4);
		}
		ASSERT_EQ(child, waitpid(child, &status, 0));
		EXPECT_EQ(0, status);
	}
	for (end = client_clock() + 60; client_clock() < end; client_sleep(0.05))
		if (module_users() == users)
			break;
	EXPECT_EQ(users, module_users());
}

TEST_HARNESS_MAIN
