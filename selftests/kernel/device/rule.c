// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rules, by their calls alone; what they do to packets is tested in hook/.
 */

#include "client.h"

FIXTURE(rule)
{
	struct client client;
};

FIXTURE_SETUP(rule)
{
	ASSERT_EQ(0, client_begin(&self->client));
	ASSERT_EQ(0, filter_create(self->client.fd, "a", 1000));
	ASSERT_EQ(0, filter_create(self->client.fd, "b", 1000));
}

FIXTURE_TEARDOWN(rule)
{
	EXPECT_EQ(0, client_end(&self->client));
}

static int plain(int fd, const char *name)
{
	return rule_attach(fd, name, KCUCKOO_HOOK_PREROUTING, KCUCKOO_FAMILY_BOTH,
			   KCUCKOO_MATCH_SRC, KCUCKOO_ACTION_DROP);
}

TEST_F(rule, malformed_fields)
{
	int fd = self->client.fd;
	int value;

	for (value = 0; value < 256; value++) {
		if (value > KCUCKOO_HOOK_OUTPUT) {
			EXPECT_EQ(-EINVAL, rule_attach(fd, "a", value, 1, 0, 0))
				TH_LOG("hook %d", value);
		}
		if (value < 1 || value > 3) {
			EXPECT_EQ(-EINVAL, rule_attach(fd, "a", 0, value, 0, 0))
				TH_LOG("family %d", value);
		}
		if (value > KCUCKOO_MATCH_DST) {
			EXPECT_EQ(-EINVAL, rule_attach(fd, "a", 0, 1, value, 0))
				TH_LOG("match %d", value);
		}
		if (value > KCUCKOO_ACTION_VALUE) {
			EXPECT_EQ(-EINVAL, rule_attach(fd, "a", 0, 1, 0, value))
				TH_LOG("action %d", value);
		}
	}
	EXPECT_EQ(0, rule_list(fd, NULL, 0));
}

/* Where a rule logs: only if it drops or counts, and with the fields of its logger alone. */
TEST_F(rule, malformed_log)
{
	const struct kcuckoo_ioc_attach without = {
		.size = sizeof(without),
		.hook = KCUCKOO_HOOK_INPUT,
		.family = KCUCKOO_FAMILY_BOTH,
		.name = "a",
	};
	struct kcuckoo_ioc_attach attach = without;
	int fd = self->client.fd;
	struct kcuckoo_rule rule;

	for (attach.log = 255; attach.log > KCUCKOO_LOG_NFLOG; attach.log--) {
		EXPECT_EQ(-EINVAL, call(fd, KCUCKOO_IOC_ATTACH, &attach));
	}
	attach.log_limit = KCUCKOO_LOG_LIMIT_MAX + 1;
	EXPECT_EQ(-EINVAL, call(fd, KCUCKOO_IOC_ATTACH, &attach));
	attach.log_limit = ~0U;
	EXPECT_EQ(-EINVAL, call(fd, KCUCKOO_IOC_ATTACH, &attach));
	attach.log_limit = 0;
	attach.reserved = 1;
	EXPECT_EQ(-EINVAL, call(fd, KCUCKOO_IOC_ATTACH, &attach));
	attach.reserved = 0;
	attach.action = KCUCKOO_ACTION_MARK;
	EXPECT_EQ(-EINVAL, call(fd, KCUCKOO_IOC_ATTACH, &attach));
	attach.action = KCUCKOO_ACTION_VALUE;
	EXPECT_EQ(-EINVAL, call(fd, KCUCKOO_IOC_ATTACH, &attach));
	attach = without;
	attach.log_limit = 1;
	EXPECT_EQ(-EINVAL, call(fd, KCUCKOO_IOC_ATTACH, &attach));
	attach = without;
	attach.log_group = 1;
	EXPECT_EQ(-EINVAL, call(fd, KCUCKOO_IOC_ATTACH, &attach));
	attach.log = KCUCKOO_LOG_SYSLOG;
	EXPECT_EQ(-EINVAL, call(fd, KCUCKOO_IOC_ATTACH, &attach));
	EXPECT_EQ(0, rule_list(fd, NULL, 0));

	attach.log = KCUCKOO_LOG_NFLOG;
	attach.log_group = 65535;
	attach.action = KCUCKOO_ACTION_COUNT;
	EXPECT_EQ(0, call(fd, KCUCKOO_IOC_ATTACH, &attach));
	ASSERT_EQ(1, rule_list(fd, &rule, 1));
	EXPECT_EQ(KCUCKOO_LOG_NFLOG, rule.log);
	EXPECT_EQ(65535, rule.log_group);
	EXPECT_EQ(KCUCKOO_LOG_LIMIT, rule.log_limit);
	EXPECT_EQ(0, rule.log_off);
	EXPECT_EQ(0, rule.flags);
	EXPECT_EQ(1, rule_detach(fd, NULL));
	ASSERT_EQ(0, plain(fd, "a"));
	ASSERT_EQ(1, rule_list(fd, &rule, 1));
	EXPECT_EQ(0, rule.log);
	EXPECT_EQ(0, rule.log_limit);
}

/* A list of the rules of a name, and flags of a list. */
TEST_F(rule, list_by_name)
{
	struct kcuckoo_rule rules[2];
	struct kcuckoo_ioc_rules list = {
		.size = sizeof(list),
		.rules = (uintptr_t)rules,
		.count = 2,
		.rule_size = sizeof(*rules),
		.name = "b",
	};
	int fd = self->client.fd;

	ASSERT_EQ(0, plain(fd, "a"));
	ASSERT_EQ(0, plain(fd, "b"));
	EXPECT_EQ(0, call(fd, KCUCKOO_IOC_RULES, &list));
	EXPECT_EQ(1, list.total);
	EXPECT_STREQ("b", (char *)rules[0].name);
	set_name(list.name, "c");
	EXPECT_EQ(0, call(fd, KCUCKOO_IOC_RULES, &list));
	EXPECT_EQ(0, list.total);
	strcpy((char *)list.name, "no name");
	EXPECT_EQ(-EINVAL, call(fd, KCUCKOO_IOC_RULES, &list));
	memset(list.name, 0, sizeof(list.name));
	list.name[31] = 'b';
	EXPECT_EQ(-EINVAL, call(fd, KCUCKOO_IOC_RULES, &list));
	set_name(list.name, "");
	list.flags = KCUCKOO_RULES_ZERO << 1;
	EXPECT_EQ(-EINVAL, call(fd, KCUCKOO_IOC_RULES, &list));
}

static __u32 flags_of_first(int fd)
{
	struct kcuckoo_rule rule;

	return rule_list(fd, &rule, 1) < 1 ? ~0U : rule.flags;
}

/* Filters, and names that wait for one. */
static bool stats_are(int fd, __u32 filters, __u32 waiting)
{
	struct kcuckoo_ioc_stats stats;

	return !client_stats(fd, &stats) && stats.filters == filters &&
	       stats.waiting == waiting;
}

static int create_bytes(int fd, const char *name)
{
	struct kcuckoo_ioc_create create = {
		.size = sizeof(create),
		.type = KCUCKOO_TYPE_BYTES,
		.tag_bits = 8,
		.capacity = 100,
	};

	set_name(create.name, name);
	return call(fd, KCUCKOO_IOC_CREATE, &create);
}

TEST_F(rule, waits_for_its_filter)
{
	struct kcuckoo_list_entry entries[4];
	struct kcuckoo_ioc_info info;
	int fd = self->client.fd;

	ASSERT_EQ(0, plain(fd, "c"));
	EXPECT_EQ(-EEXIST, plain(fd, "c"));
	EXPECT_EQ(KCUCKOO_RULE_WAITING, flags_of_first(fd));
	EXPECT_TRUE(stats_are(fd, 2, 1));
	EXPECT_EQ(2, filter_list(fd, entries, 4));

	ASSERT_EQ(0, filter_create(fd, "d", 10));
	ASSERT_EQ(0, filter_create(fd, "c", 1000));
	EXPECT_EQ(0, flags_of_first(fd));
	EXPECT_TRUE(stats_are(fd, 4, 0));
	EXPECT_EQ(0, filter_info(fd, "c", &info));
	EXPECT_EQ(1, info.rules);
	/* Among filters it is the youngest. */
	ASSERT_EQ(4, filter_list(fd, entries, 4));
	EXPECT_STREQ("d", (char *)entries[2].name);
	EXPECT_STREQ("c", (char *)entries[3].name);
	EXPECT_EQ(-EBUSY, filter_destroy(fd, "c"));
	EXPECT_EQ(1, rule_detach(fd, "c"));
	EXPECT_EQ(0, filter_destroy(fd, "c"));
}

/* Without rules it is no more, and a filter that has gone leaves none behind. */
TEST_F(rule, waits_as_long_as_there_are_rules)
{
	int fd = self->client.fd;

	ASSERT_EQ(0, plain(fd, "c"));
	ASSERT_EQ(0, rule_attach(fd, "c", 1, 1, 1, 0));
	EXPECT_TRUE(stats_are(fd, 2, 1));
	EXPECT_EQ(2, rule_detach(fd, "c"));
	EXPECT_TRUE(stats_are(fd, 2, 0));
	ASSERT_EQ(0, plain(fd, "c"));
	ASSERT_EQ(0, filter_create(fd, "c", 10));
	EXPECT_EQ(1, rule_detach(fd, "c"));
	EXPECT_TRUE(stats_are(fd, 3, 0));
	EXPECT_EQ(0, filter_destroy(fd, "c"));
	EXPECT_EQ(-ENOENT, filter_destroy(fd, "c"));
	EXPECT_TRUE(stats_are(fd, 2, 0));
}

/* A name that waits is no filter, whatever is wanted of it. */
TEST_F(rule, waiting_name_is_no_filter)
{
	struct kcuckoo_prefix key = key_of("192.0.2.1");
	struct kcuckoo_ioc_info info;
	int fd = self->client.fd;

	ASSERT_EQ(0, plain(fd, "c"));
	EXPECT_EQ(-ENOENT, filter_info(fd, "c", &info));
	EXPECT_EQ(-ENOENT, filter_destroy(fd, "c"));
	EXPECT_EQ(-ENOENT, filter_flush(fd, "c"));
	EXPECT_EQ(-ENOENT, keys_add(fd, "c", &key, 1));
	EXPECT_EQ(-ENOENT, keys_covered(fd, "c", &key, 1));
	EXPECT_EQ(-ENOENT, filter_rename(fd, "c", "d"));
	EXPECT_EQ(-ENOENT, filter_rename(fd, "c", "a"));
	EXPECT_EQ(-ENOENT, filter_swap(fd, "c", "a"));
	EXPECT_EQ(-ENOENT, filter_swap(fd, "a", "c"));
	EXPECT_EQ(-ENOENT, filter_swap(fd, "c", "c"));
	EXPECT_EQ(-ENOENT, filter_replace(fd, "c", "a"));
	EXPECT_EQ(-ENOENT, filter_replace(fd, "a", "c"));
	EXPECT_EQ(-ENOENT, filter_create_like(fd, "d", "c"));
	EXPECT_EQ(-ENOENT, filter_create_like(fd, "c", "c"));
	EXPECT_EQ(KCUCKOO_RULE_WAITING, flags_of_first(fd));
	EXPECT_TRUE(stats_are(fd, 2, 1));
}

/* A filter that comes by another name, in its place among filters. */
TEST_F(rule, waits_for_a_rename)
{
	struct kcuckoo_prefix key = key_of("192.0.2.1");
	struct kcuckoo_list_entry entries[2];
	int fd = self->client.fd;

	ASSERT_EQ(0, plain(fd, "c"));
	ASSERT_EQ(1, keys_add(fd, "a", &key, 1));
	ASSERT_EQ(0, filter_rename(fd, "a", "c"));
	EXPECT_EQ(0, flags_of_first(fd));
	EXPECT_TRUE(stats_are(fd, 2, 0));
	EXPECT_EQ(1, filter_entries(fd, "c"));
	EXPECT_EQ(-ENOENT, filter_entries(fd, "a"));
	ASSERT_EQ(2, filter_list(fd, entries, 2));
	EXPECT_STREQ("c", (char *)entries[0].name);
	EXPECT_EQ(-EBUSY, filter_rename(fd, "c", "a"));
	/* One that is used has to stay, whoever waits. */
	ASSERT_EQ(0, plain(fd, "d"));
	EXPECT_EQ(-EBUSY, filter_rename(fd, "c", "d"));
	EXPECT_TRUE(stats_are(fd, 2, 1));
}

TEST_F(rule, waits_for_one_like_another)
{
	int fd = self->client.fd;

	ASSERT_EQ(0, plain(fd, "c"));
	ASSERT_EQ(0, filter_create_like(fd, "c", "a"));
	EXPECT_EQ(0, flags_of_first(fd));
}

/* A snapshot that is restored takes the name, too. */
TEST_F(rule, waits_for_a_snapshot)
{
	__u8 image[4096];
	struct kcuckoo_ioc_save save = {
		.size = sizeof(save),
		.buffer = (uintptr_t)image,
		.length = sizeof(image),
	};
	struct kcuckoo_ioc_restore restore = {
		.size = sizeof(restore),
		.buffer = (uintptr_t)image,
	};
	struct kcuckoo_prefix key = key_of("192.0.2.1");
	int fd = self->client.fd;

	ASSERT_EQ(1, keys_add(fd, "a", &key, 1));
	set_name(save.name, "a");
	ASSERT_EQ(0, call(fd, KCUCKOO_IOC_SAVE, &save));
	ASSERT_EQ(0, plain(fd, "c"));
	set_name(restore.name, "c");
	restore.length = save.total;
	restore.total = save.total;
	ASSERT_EQ(0, call(fd, KCUCKOO_IOC_RESTORE, &restore));
	EXPECT_EQ(0, flags_of_first(fd));
	EXPECT_EQ(1, filter_entries(fd, "c"));
}

/* One of byte strings can take the name, and its rules match nothing. */
TEST_F(rule, byte_strings)
{
	int fd = self->client.fd;

	ASSERT_EQ(0, create_bytes(fd, "bytes"));
	EXPECT_EQ(-EOPNOTSUPP, plain(fd, "bytes"));
	ASSERT_EQ(0, plain(fd, "c"));
	ASSERT_EQ(0, create_bytes(fd, "c"));
	EXPECT_EQ(KCUCKOO_RULE_WAITING, flags_of_first(fd));
	EXPECT_TRUE(stats_are(fd, 4, 0));
	EXPECT_EQ(-EBUSY, filter_destroy(fd, "c"));
	EXPECT_EQ(1, rule_detach(fd, "c"));
	EXPECT_EQ(0, filter_destroy(fd, "c"));
}

/* What a rule allows is used by it as what it matches, and may wait, too. */
TEST_F(rule, allows)
{
	struct kcuckoo_ioc_info info;
	struct kcuckoo_rule rules[2];
	int fd = self->client.fd;

	ASSERT_EQ(0, rule_attach_allow(fd, "a", "b"));
	EXPECT_EQ(-EEXIST, plain(fd, "a"));
	EXPECT_EQ(-EEXIST, rule_attach_allow(fd, "a", "c"));
	ASSERT_EQ(1, rule_list(fd, rules, 2));
	EXPECT_STREQ("b", (char *)rules[0].allow);
	EXPECT_EQ(0, rules[0].flags);
	EXPECT_EQ(0, filter_info(fd, "b", &info));
	EXPECT_EQ(1, info.rules);
	EXPECT_EQ(-EBUSY, filter_destroy(fd, "b"));
	EXPECT_EQ(-EBUSY, filter_rename(fd, "b", "c"));
	EXPECT_EQ(1, rule_detach(fd, "a"));
	EXPECT_EQ(0, filter_destroy(fd, "b"));

	ASSERT_EQ(0, rule_attach_allow(fd, "a", "b"));
	EXPECT_EQ(KCUCKOO_RULE_ALLOW_WAITING, flags_of_first(fd));
	EXPECT_TRUE(stats_are(fd, 1, 1));
	ASSERT_EQ(0, filter_create(fd, "b", 10));
	EXPECT_EQ(0, flags_of_first(fd));
	EXPECT_EQ(-ENOENT, rule_detach(fd, "b"));
	EXPECT_EQ(1, rule_detach(fd, NULL));
	ASSERT_EQ(0, rule_attach_allow(fd, "x", "y"));
	EXPECT_EQ(KCUCKOO_RULE_WAITING | KCUCKOO_RULE_ALLOW_WAITING, flags_of_first(fd));
	EXPECT_TRUE(stats_are(fd, 2, 2));
	ASSERT_EQ(0, create_bytes(fd, "y"));
	EXPECT_EQ(KCUCKOO_RULE_WAITING | KCUCKOO_RULE_ALLOW_WAITING, flags_of_first(fd));
	EXPECT_EQ(1, rule_detach(fd, "x"));
	EXPECT_TRUE(stats_are(fd, 3, 0));
}

TEST_F(rule, cannot_allow)
{
	struct kcuckoo_ioc_attach attach = {
		.size = sizeof(attach),
		.family = KCUCKOO_FAMILY_BOTH,
	};
	int fd = self->client.fd;

	ASSERT_EQ(0, create_bytes(fd, "bytes"));
	EXPECT_EQ(-EOPNOTSUPP, rule_attach_allow(fd, "a", "bytes"));
	EXPECT_EQ(-EOPNOTSUPP, rule_attach_allow(fd, "new", "bytes"));
	EXPECT_EQ(-EINVAL, rule_attach_allow(fd, "a", "a"));
	EXPECT_EQ(-EINVAL, rule_attach_allow(fd, "a", "b/c"));
	set_name(attach.name, "a");
	attach.allow[5] = 'b';
	EXPECT_EQ(-EINVAL, call(fd, KCUCKOO_IOC_ATTACH, &attach));
	memset(attach.allow, 'b', sizeof(attach.allow));
	EXPECT_EQ(-EINVAL, call(fd, KCUCKOO_IOC_ATTACH, &attach));
	EXPECT_EQ(0, rule_list(fd, NULL, 0));
	EXPECT_TRUE(stats_are(fd, 3, 0));
}

/* What fails to attach leaves no name that waits. */
TEST_F(rule, failed_attach_waits_for_nothing)
{
	struct kcuckoo_ioc_attach attach = { .size = sizeof(attach) };
	int fd = self->client.fd;

	EXPECT_EQ(-EINVAL, rule_attach(fd, "c", 255, 1, 0, 0));
	EXPECT_EQ(-EINVAL, plain(fd, "c/d"));
	EXPECT_EQ(-EINVAL, plain(fd, ""));
	memset(attach.name, 'c', sizeof(attach.name));
	attach.family = KCUCKOO_FAMILY_BOTH;
	EXPECT_EQ(-EINVAL, call(fd, KCUCKOO_IOC_ATTACH, &attach));
	EXPECT_TRUE(stats_are(fd, 2, 0));
}

/* Callers whose rules are shorter or longer than the kernel's. */
TEST_F(rule, list_in_other_sizes)
{
	static const __u32 sizes[] = {
		0, KCUCKOO_RULE_SIZE_MIN, sizeof(struct kcuckoo_rule),
		sizeof(struct kcuckoo_rule) + 8, KCUCKOO_RULE_SIZE_MAX,
	};
	static const __u32 wrong[] = {
		1, 8, KCUCKOO_RULE_SIZE_MIN - 8, KCUCKOO_RULE_SIZE_MIN + 4,
		KCUCKOO_RULE_SIZE_MAX + 8, ~7U,
	};
	__u8 room[3 * KCUCKOO_RULE_SIZE_MAX];
	struct kcuckoo_ioc_rules list = {
		.size = sizeof(list),
		.rules = (uintptr_t)room,
		.count = 2,
	};
	int fd = self->client.fd;
	size_t i, byte;

	ASSERT_EQ(0, plain(fd, "a"));
	ASSERT_EQ(0, plain(fd, "b"));
	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		size_t size = sizes[i] ? sizes[i] : KCUCKOO_RULE_SIZE_MIN;

		memset(room, POISON, sizeof(room));
		list.rule_size = sizes[i];
		ASSERT_EQ(0, call(fd, KCUCKOO_IOC_RULES, &list));
		EXPECT_STREQ("a", (char *)room);
		EXPECT_STREQ("b", (char *)room + size);
		for (byte = sizeof(struct kcuckoo_rule); byte < size; byte++) {
			ASSERT_EQ(0, room[byte]);
		}
		for (byte = 2 * size; byte < sizeof(room); byte++) {
			ASSERT_EQ(POISON, room[byte]);
		}
	}
	for (i = 0; i < ARRAY_SIZE(wrong); i++) {
		list.rule_size = wrong[i];
		EXPECT_EQ(-EINVAL, call(fd, KCUCKOO_IOC_RULES, &list))
			TH_LOG("size %u", wrong[i]);
	}
}

TEST_F(rule, every_combination_once)
{
	struct kcuckoo_ioc_info info;
	int fd = self->client.fd;
	int hook, family, match, count = 0;

	for (hook = 0; hook <= KCUCKOO_HOOK_OUTPUT; hook++) {
		for (family = 1; family <= 2; family++) {
			for (match = 0; match <= 1; match++) {
				EXPECT_EQ(0, rule_attach(fd, "a", hook, family, match,
							 count % 2));
				count++;
			}
		}
	}
	EXPECT_EQ(16, rule_list(fd, NULL, 0));
	EXPECT_EQ(0, filter_info(fd, "a", &info));
	EXPECT_EQ(16, info.rules);
	EXPECT_EQ(0, filter_info(fd, "b", &info));
	EXPECT_EQ(0, info.rules);
	for (hook = 0; hook <= KCUCKOO_HOOK_OUTPUT; hook++) {
		for (family = 1; family <= 3; family++) {
			EXPECT_EQ(-EEXIST, rule_attach(fd, "a", hook, family, 0, 0));
			EXPECT_EQ(-EEXIST, rule_attach(fd, "a", hook, family, 1, 1));
		}
	}
	EXPECT_EQ(16, rule_list(fd, NULL, 0));
	EXPECT_EQ(16, rule_detach(fd, NULL));
}

TEST_F(rule, same_where_families_overlap)
{
	int fd = self->client.fd;

	EXPECT_EQ(0, rule_attach(fd, "a", 0, KCUCKOO_FAMILY_IPV4, 0, 0));
	EXPECT_EQ(-EEXIST, rule_attach(fd, "a", 0, KCUCKOO_FAMILY_IPV4, 0, 0));
	EXPECT_EQ(-EEXIST, rule_attach(fd, "a", 0, KCUCKOO_FAMILY_IPV4, 0, 1));
	EXPECT_EQ(-EEXIST, rule_attach(fd, "a", 0, KCUCKOO_FAMILY_BOTH, 0, 0));
	EXPECT_EQ(0, rule_attach(fd, "a", 0, KCUCKOO_FAMILY_IPV6, 0, 0));
	EXPECT_EQ(0, rule_attach(fd, "a", 0, KCUCKOO_FAMILY_BOTH, 1, 0));
	EXPECT_EQ(0, rule_attach(fd, "a", 1, KCUCKOO_FAMILY_BOTH, 0, 0));
	EXPECT_EQ(0, rule_attach(fd, "b", 0, KCUCKOO_FAMILY_BOTH, 0, 0));
	EXPECT_EQ(-EEXIST, rule_attach(fd, "b", 0, KCUCKOO_FAMILY_IPV6, 0, 0));
	EXPECT_EQ(5, rule_list(fd, NULL, 0));
}

TEST_F(rule, list_tells_all_of_each)
{
	struct kcuckoo_rule rules[4];
	const __u8 *bytes = (__u8 *)rules;
	int fd = self->client.fd;
	size_t byte;

	ASSERT_EQ(0, rule_attach(fd, "b", KCUCKOO_HOOK_PREROUTING, KCUCKOO_FAMILY_IPV6,
				 KCUCKOO_MATCH_DST, KCUCKOO_ACTION_COUNT));
	ASSERT_EQ(0, rule_attach(fd, "a", KCUCKOO_HOOK_PREROUTING, KCUCKOO_FAMILY_BOTH,
				 KCUCKOO_MATCH_SRC, KCUCKOO_ACTION_DROP));
	memset(rules, POISON, sizeof(rules));
	ASSERT_EQ(2, rule_list(fd, rules, 4));
	EXPECT_STREQ("b", (char *)rules[0].name);
	EXPECT_EQ(KCUCKOO_HOOK_PREROUTING, rules[0].hook);
	EXPECT_EQ(KCUCKOO_FAMILY_IPV6, rules[0].family);
	EXPECT_EQ(KCUCKOO_MATCH_DST, rules[0].match);
	EXPECT_EQ(KCUCKOO_ACTION_COUNT, rules[0].action);
	EXPECT_EQ(0, rules[0].mark);
	EXPECT_EQ(0, rules[0].packets);
	EXPECT_EQ(0, rules[0].bytes);
	EXPECT_STREQ("a", (char *)rules[1].name);
	EXPECT_EQ(KCUCKOO_FAMILY_BOTH, rules[1].family);
	EXPECT_EQ(KCUCKOO_ACTION_DROP, rules[1].action);
	for (byte = 1; byte < KCUCKOO_NAME_SIZE; byte++) {
		EXPECT_EQ(0, rules[1].name[byte]);
	}
	for (byte = 2 * sizeof(*rules); byte < sizeof(rules); byte++) {
		ASSERT_EQ(POISON, bytes[byte]);
	}

	memset(rules, POISON, sizeof(rules));
	ASSERT_EQ(2, rule_list(fd, rules, 1));
	for (byte = sizeof(*rules); byte < sizeof(rules); byte++) {
		ASSERT_EQ(POISON, bytes[byte]);
	}
	EXPECT_EQ(-EFAULT, rule_list(fd, (struct kcuckoo_rule *)8, 4));
}

TEST_F(rule, busy_while_used)
{
	int fd = self->client.fd;

	ASSERT_EQ(0, plain(fd, "a"));
	EXPECT_EQ(-EBUSY, filter_destroy(fd, "a"));
	EXPECT_EQ(-EBUSY, filter_rename(fd, "a", "c"));
	EXPECT_EQ(-EBUSY, filter_replace(fd, "b", "a"));
	EXPECT_EQ(0, filter_entries(fd, "a"));
	EXPECT_EQ(0, filter_entries(fd, "b"));
	EXPECT_EQ(1, rule_list(fd, NULL, 0));
	EXPECT_EQ(1, rule_detach(fd, "a"));
	EXPECT_EQ(0, filter_rename(fd, "a", "c"));
	EXPECT_EQ(0, filter_destroy(fd, "c"));
}

TEST_F(rule, follows_the_name)
{
	struct kcuckoo_prefix key = key_of("192.0.2.1");
	struct kcuckoo_ioc_info info;
	struct kcuckoo_rule rule;
	int fd = self->client.fd;

	ASSERT_EQ(0, plain(fd, "a"));
	ASSERT_EQ(1, keys_add(fd, "b", &key, 1));
	EXPECT_EQ(0, filter_swap(fd, "a", "b"));
	EXPECT_EQ(0, filter_info(fd, "a", &info));
	EXPECT_EQ(1, info.rules);
	EXPECT_EQ(1, info.members);
	EXPECT_EQ(-EBUSY, filter_destroy(fd, "a"));
	EXPECT_EQ(0, filter_destroy(fd, "b"));
	EXPECT_EQ(0, filter_create(fd, "b", 1000));
	EXPECT_EQ(0, filter_replace(fd, "a", "b"));
	EXPECT_EQ(1, rule_list(fd, &rule, 1));
	EXPECT_STREQ("a", (char *)rule.name);
	EXPECT_EQ(0, filter_entries(fd, "a"));
}

static int detach_by(int fd, __u32 flags, int hook, int family, int match)
{
	struct kcuckoo_ioc_detach detach = {
		.size = sizeof(detach),
		.flags = flags,
		.hook = hook,
		.family = family,
		.match = match,
	};

	return call(fd, KCUCKOO_IOC_DETACH, &detach) ?: (int)detach.removed;
}

TEST_F(rule, detach_by_each_field)
{
	int fd = self->client.fd;

	EXPECT_EQ(0, rule_attach(fd, "a", 0, KCUCKOO_FAMILY_IPV4, 0, 0));
	EXPECT_EQ(0, rule_attach(fd, "a", 0, KCUCKOO_FAMILY_IPV6, 0, 0));
	EXPECT_EQ(0, rule_attach(fd, "a", 1, KCUCKOO_FAMILY_BOTH, 0, 0));
	EXPECT_EQ(0, rule_attach(fd, "a", 2, KCUCKOO_FAMILY_BOTH, 1, 0));
	EXPECT_EQ(0, rule_attach(fd, "b", 1, KCUCKOO_FAMILY_IPV6, 1, 0));
	EXPECT_EQ(0, rule_attach(fd, "b", 3, KCUCKOO_FAMILY_IPV6, 1, 0));

	/* The family is that of the rule itself, not one that overlaps. */
	EXPECT_EQ(1, detach_by(fd, KCUCKOO_DETACH_FAMILY, 0, KCUCKOO_FAMILY_IPV4, 0));
	EXPECT_EQ(-ENOENT, detach_by(fd, KCUCKOO_DETACH_FAMILY, 0, KCUCKOO_FAMILY_IPV4,
				     0));
	EXPECT_EQ(1, detach_by(fd, KCUCKOO_DETACH_HOOK | KCUCKOO_DETACH_MATCH,
			       KCUCKOO_HOOK_INPUT, 0, KCUCKOO_MATCH_DST));
	EXPECT_EQ(1, detach_by(fd, KCUCKOO_DETACH_HOOK, KCUCKOO_HOOK_INPUT, 0, 0));
	EXPECT_EQ(2, detach_by(fd, KCUCKOO_DETACH_MATCH, 0, 0, KCUCKOO_MATCH_DST));
	EXPECT_EQ(1, rule_list(fd, NULL, 0));
	EXPECT_EQ(-ENOENT, rule_detach(fd, "b"));
	EXPECT_EQ(1, rule_detach(fd, "a"));
	EXPECT_EQ(-ENOENT, rule_detach(fd, "a"));
	EXPECT_EQ(-ENOENT, rule_detach(fd, NULL));
}

TEST_F(rule, detach_with_malformed_fields)
{
	int fd = self->client.fd;

	ASSERT_EQ(0, plain(fd, "a"));
	EXPECT_EQ(-EINVAL, detach_by(fd, KCUCKOO_DETACH_HOOK, 5, 0, 0));
	EXPECT_EQ(-EINVAL, detach_by(fd, KCUCKOO_DETACH_DEV, 0, 0, 0));
	EXPECT_EQ(-EINVAL, detach_by(fd, KCUCKOO_DETACH_HOOK, 255, 0, 0));
	EXPECT_EQ(-EINVAL, detach_by(fd, KCUCKOO_DETACH_FAMILY, 0, 0, 0));
	EXPECT_EQ(-EINVAL, detach_by(fd, KCUCKOO_DETACH_FAMILY, 0, 4, 0));
	EXPECT_EQ(-EINVAL, detach_by(fd, KCUCKOO_DETACH_MATCH, 0, 0, 2));
	EXPECT_EQ(1, rule_list(fd, NULL, 0));
}

/* Names of devices that are none, and hooks that have none. */
TEST_F(rule, malformed_device)
{
	struct kcuckoo_ioc_attach attach = {
		.size = sizeof(attach),
		.hook = KCUCKOO_HOOK_INGRESS,
		.family = KCUCKOO_FAMILY_BOTH,
	};
	struct kcuckoo_ioc_detach detach = {
		.size = sizeof(detach),
		.flags = KCUCKOO_DETACH_DEV,
	};
	int fd = self->client.fd;

	set_name(attach.name, "a");
	EXPECT_EQ(-EINVAL, call(fd, KCUCKOO_IOC_ATTACH, &attach));
	EXPECT_EQ(-ENXIO, rule_attach_dev(fd, "a", "none", 0, 0));
	EXPECT_EQ(-ENXIO, rule_detach_dev(fd, "none"));
	EXPECT_EQ(-EINVAL, rule_attach_dev(fd, "a", "lo", 0, 0));
	EXPECT_EQ(-ENOENT, rule_detach_dev(fd, "lo"));
	memset(attach.dev, 'x', sizeof(attach.dev));
	EXPECT_EQ(-EINVAL, call(fd, KCUCKOO_IOC_ATTACH, &attach));
	memset(attach.dev, 0, sizeof(attach.dev));
	strcpy((char *)attach.dev, "lo");
	attach.dev[8] = 'x';
	EXPECT_EQ(-EINVAL, call(fd, KCUCKOO_IOC_ATTACH, &attach));
	attach.dev[8] = 0;
	for (attach.hook = 0; attach.hook < KCUCKOO_HOOK_INGRESS; attach.hook++) {
		EXPECT_EQ(-EINVAL, call(fd, KCUCKOO_IOC_ATTACH, &attach));
	}
	memset(detach.dev, 'x', sizeof(detach.dev));
	EXPECT_EQ(-EINVAL, call(fd, KCUCKOO_IOC_DETACH, &detach));
	detach.flags = 0;
	memset(detach.dev, 0, sizeof(detach.dev));
	detach.dev[0] = 'x';
	EXPECT_EQ(-EINVAL, call(fd, KCUCKOO_IOC_DETACH, &detach));
	EXPECT_EQ(0, rule_list(fd, NULL, 0));
	EXPECT_TRUE(stats_are(fd, 2, 0));
}

TEST_F(rule, attach_and_detach_often)
{
	int fd = self->client.fd;
	int i;

	for (i = 0; i < 50; i++) {
		ASSERT_EQ(0, plain(fd, "a"));
		ASSERT_EQ(0, rule_attach(fd, "b", i % 4, 1 + i % 3, i % 2, i % 2));
		ASSERT_EQ(1, rule_detach(fd, "a"));
		ASSERT_EQ(1, rule_detach(fd, NULL));
	}
	EXPECT_EQ(0, filter_destroy(fd, "a"));
	EXPECT_EQ(0, filter_destroy(fd, "b"));
}

TEST_HARNESS_MAIN
