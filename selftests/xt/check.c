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
	ASSERT_EQ(0, system("modprobe -q ip_tables; modprobe xt_kcuckoo"));
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

/* With the filter that there is the rule could never work. */
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
	EXPECT_EQ(-EOPNOTSUPP, target_try((struct xt_kcuckoo_tginfo) {
		.flags = add, .limit = 1 }, "plain"));
	set_name(strong.name, "strong");
	ASSERT_EQ(0, call(self->client.fd, KCUCKOO_IOC_CREATE, &strong));
	EXPECT_EQ(-EINVAL, target_try((struct xt_kcuckoo_tginfo) {
		.flags = add | timeout, .limit = 1, .timeout = 9 }, "strong"));
	EXPECT_EQ(0, target_try((struct xt_kcuckoo_tginfo) {
		.flags = add, .limit = 1 }, "strong"));
	EXPECT_EQ(-EBUSY, filter_destroy(self->client.fd, "strong"));
	EXPECT_EQ(0, table_replace(NULL));
	EXPECT_EQ(0, filter_destroy(self->client.fd, "strong"));
}

/* The same after another filter has got the name, as long as the rule is there. */
TEST_F(check, known)
{
	const struct xt_kcuckoo_tginfo add = { .flags = XT_KCUCKOO_ADD, .limit = 1 };
	const struct xt_kcuckoo_tginfo del = { .flags = XT_KCUCKOO_DEL };
	const struct xt_kcuckoo_tginfo timed = {
		.flags = XT_KCUCKOO_ADD | XT_KCUCKOO_TIMEOUT, .limit = 1, .timeout = 9,
	};
	struct kcuckoo_ioc_create strong = {
		.size = sizeof(strong),
		.type = KCUCKOO_TYPE_INET,
		.hash = KCUCKOO_HASH_SIPHASH,
		.capacity = 100,
	};
	int fd = self->client.fd;

	self->told = 3;
	set_name(strong.name, "strong");
	ASSERT_EQ(0, call(fd, KCUCKOO_IOC_CREATE, &strong));
	ASSERT_EQ(0, target_try(add, "strong"));
	ASSERT_EQ(0, filter_swap(fd, "strong", "plain"));
	EXPECT_EQ(0, target_try(add, "strong"));
	EXPECT_EQ(0, target_try(add, "strong"));
	/* Another one is new. */
	EXPECT_EQ(-EOPNOTSUPP, target_try(timed, "strong"));
	/* Nor is it known by one that deletes, or after it has gone. */
	EXPECT_EQ(0, target_try(del, "strong"));
	EXPECT_EQ(-EOPNOTSUPP, target_try(add, "strong"));
	EXPECT_EQ(0, table_replace(NULL));
	EXPECT_EQ(-EOPNOTSUPP, target_try(add, "strong"));
	ASSERT_EQ(0, filter_swap(fd, "strong", "plain"));
	EXPECT_EQ(0, target_try(add, "strong"));
	EXPECT_EQ(0, table_replace(NULL));
	EXPECT_EQ(0, filter_destroy(fd, "strong"));
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
