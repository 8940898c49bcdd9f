// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the kernel takes for a rule, and what it refuses although no plugin of
 * iptables says it.
 */
#include "client.h"
#include "table.h"

/* What was refused for a reason that the log tells says so: @told times. */
FIXTURE(check)
{
	struct client client;
	int told;
};

FIXTURE_SETUP(check)
{
	ASSERT_EQ(0, system("modprobe -qa ip_tables ip6_tables; modprobe xt_kcuckoo"));
	ASSERT_EQ(0, client_begin(&self->client));
	ASSERT_EQ(0, filter_create(self->client.fd, "plain", 100));
}

FIXTURE_TEARDOWN(check)
{
	struct kcuckoo_ioc_stats stats;

	/* What was refused holds no name, and what was taken none any more. */
	EXPECT_EQ(0, table_replace(NULL));
	EXPECT_EQ(0, client_stats(self->client.fd, &stats));
	EXPECT_EQ(0, stats.waiting);
	EXPECT_EQ(0, filter_destroy(self->client.fd, "plain"));
	EXPECT_EQ(self->told, client_end(&self->client));
}

static int match_try(struct xt_kcuckoo_mtinfo match, const char *name)
{
	const struct table_rule rule = { .match = &match };

	set_name(match.name, name);
	return table_replace(&rule);
}

static int target_try(struct xt_kcuckoo_tginfo target, const char *name)
{
	const struct table_rule rule = { .target = &target };

	set_name(target.name, name);
	return table_replace(&rule);
}

#define MATCH(...)	match_try((struct xt_kcuckoo_mtinfo) { __VA_ARGS__ }, "plain")
#define TARGET(...)	target_try((struct xt_kcuckoo_tginfo) { __VA_ARGS__ }, "waits")

TEST_F(check, match)
{
	struct xt_kcuckoo_mtinfo endless = { .flags = 0 };
	const struct table_rule rule = { .match = &endless };

	self->told = 2;
	EXPECT_EQ(0, MATCH(.flags = 0));
	EXPECT_EQ(0, MATCH(.flags = XT_KCUCKOO_DST | XT_KCUCKOO_INVERT));
	EXPECT_EQ(-EINVAL, MATCH(.flags = 1 << 2));
	EXPECT_EQ(-EINVAL, MATCH(.flags = 1U << 31));
	EXPECT_EQ(-EINVAL, MATCH(.reserved = 1));
	EXPECT_EQ(-EINVAL, match_try((struct xt_kcuckoo_mtinfo) { .flags = 0 }, ""));
	EXPECT_EQ(-EINVAL, match_try((struct xt_kcuckoo_mtinfo) { .flags = 0 }, "a b"));
	memset(endless.name, 'a', sizeof(endless.name));
	EXPECT_EQ(-EINVAL, table_replace(&rule));
}

TEST_F(check, target)
{
	const __u32 add = XT_KCUCKOO_ADD, del = XT_KCUCKOO_DEL, timeout = XT_KCUCKOO_TIMEOUT;

	self->told = 1;
	EXPECT_EQ(0, TARGET(.flags = add, .limit = 1));
	EXPECT_EQ(0, TARGET(.flags = add | XT_KCUCKOO_DST, .limit = XT_KCUCKOO_LIMIT_MAX));
	EXPECT_EQ(0, TARGET(.flags = add | timeout, .limit = 1, .timeout = KCUCKOO_TIMEOUT_MAX));
	EXPECT_EQ(0, TARGET(.flags = del));
	EXPECT_EQ(-EINVAL, TARGET(.flags = 0, .limit = 1));
	EXPECT_EQ(-EINVAL, TARGET(.flags = add | del, .limit = 1));
	EXPECT_EQ(-EINVAL, TARGET(.flags = add | 1 << 4, .limit = 1));
	EXPECT_EQ(-EINVAL, TARGET(.flags = add, .limit = 1, .reserved = 1));
	EXPECT_EQ(-EINVAL, TARGET(.flags = add, .limit = 0));
	EXPECT_EQ(-EINVAL, TARGET(.flags = add, .limit = XT_KCUCKOO_LIMIT_MAX + 1));
	EXPECT_EQ(-EINVAL, TARGET(.flags = add, .limit = 1, .timeout = 1));
	EXPECT_EQ(-EINVAL, TARGET(.flags = add | timeout, .limit = 1,
				  .timeout = KCUCKOO_TIMEOUT_MAX + 1));
	EXPECT_EQ(-EINVAL, TARGET(.flags = del, .limit = 1));
	EXPECT_EQ(-EINVAL, TARGET(.flags = del | timeout));
	EXPECT_EQ(-EINVAL, TARGET(.flags = del, .timeout = 1));
	EXPECT_EQ(-EINVAL, target_try((struct xt_kcuckoo_tginfo) { .flags = del }, "a b"));
}

/*
 * With the filter that there is now packets could add nothing. The rule is taken all
 * the same, or it would take all others of its table with it at boot; the log tells.
 */
TEST_F(check, unfit)
{
	const __u32 add = XT_KCUCKOO_ADD, timeout = XT_KCUCKOO_TIMEOUT;
	struct kcuckoo_ioc_create strong = {
		.size = sizeof(strong),
		.type = KCUCKOO_TYPE_INET,
		.hash = KCUCKOO_HASH_SIPHASH,
		.capacity = 100,
	};

	self->told = 2;
	EXPECT_EQ(0, target_try((struct xt_kcuckoo_tginfo) {
		.flags = add, .limit = 1 }, "plain"));
	EXPECT_EQ(-EBUSY, filter_destroy(self->client.fd, "plain"));
	set_name(strong.name, "strong");
	ASSERT_EQ(0, call(self->client.fd, KCUCKOO_IOC_CREATE, &strong));
	EXPECT_EQ(0, target_try((struct xt_kcuckoo_tginfo) {
		.flags = add | timeout, .limit = 1, .timeout = 9 }, "strong"));
	EXPECT_EQ(0, target_try((struct xt_kcuckoo_tginfo) {
		.flags = add, .limit = 1 }, "strong"));
	EXPECT_EQ(-EBUSY, filter_destroy(self->client.fd, "strong"));
	EXPECT_EQ(0, table_replace(NULL));
	EXPECT_EQ(0, filter_destroy(self->client.fd, "strong"));
}

/* A rule is told as it was made: where the kernel keeps its pointers are zeroes. */
static void told(struct __test_metadata *_metadata, int family)
{
	struct xt_kcuckoo_mtinfo match = { .flags = XT_KCUCKOO_DST };
	struct xt_kcuckoo_tginfo target = { .flags = XT_KCUCKOO_ADD, .limit = 7 };
	const struct table_rule rule = { family, &match, &target };
	struct table_answer answer;

	set_name(match.name, "plain");
	set_name(target.name, "waits");
	ASSERT_EQ(0, table_replace(&rule));
	ASSERT_EQ(0, table_read(family, &answer));
	EXPECT_EQ(0, memcmp(table_match_info(family, &answer), &match, sizeof(match)));
	EXPECT_EQ(0, memcmp(table_target_info(family, &answer), &target, sizeof(target)));
}

TEST_F(check, pointers_are_not_told)
{
	const struct table_rule nothing = { .family = AF_INET6 };

	told(_metadata, AF_INET);
	told(_metadata, AF_INET6);
	EXPECT_EQ(0, table_replace(&nothing));
}

static int filters_allow(const char *number)
{
	int fd = open("/sys/module/kcuckoo/parameters/max_filters", O_WRONLY | O_CLOEXEC);
	int error = write(fd, number, strlen(number)) < 0 ? -errno : 0;

	close(fd);
	return error;
}

/* A name that waits counts as a filter does. */
TEST_F(check, quota)
{
	self->told = 2;
	ASSERT_EQ(0, filters_allow("1"));
	EXPECT_EQ(-EDQUOT, TARGET(.flags = XT_KCUCKOO_DEL));
	EXPECT_EQ(-EDQUOT, match_try((struct xt_kcuckoo_mtinfo) { .flags = 0 }, "waits"));
	EXPECT_EQ(0, MATCH(.flags = 0));
	EXPECT_EQ(0, filters_allow("1024"));
}

TEST_HARNESS_MAIN
