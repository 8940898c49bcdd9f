// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events of rules of a pattern that could not be attached to a device, because the namespace
 * had the maximum number of rules. A program of its own: it attaches that many.
 */

#include "event.h"

FIXTURE(quota)
{
	struct client client;
};

FIXTURE_SETUP(quota)
{
	ASSERT_EQ(0, client_begin(&self->client));
}

FIXTURE_TEARDOWN(quota)
{
	EXPECT_EQ(0, client_end(&self->client));
}

/* At the limit a rule does not apply to a new device; the next attach of a rule applies it. */
TEST_F(quota, joins_that_failed)
{
	int fd = self->client.fd, in, i = 0, error;
	struct kcuckoo_ioc_attach rule = {
		.size = sizeof(rule),
		.flags = KCUCKOO_ATTACH_WAIT,
		.hook = KCUCKOO_HOOK_INGRESS,
		.family = KCUCKOO_FAMILY_BOTH,
		.dev = "tst*",
	};
	struct kcuckoo_ioc_attach other = rule;
	struct kcuckoo_event event;

	set_name(rule.name, "a");
	set_name(other.name, "b");
	ASSERT_EQ(0, call(fd, KCUCKOO_IOC_ATTACH, &rule));
	do {
		snprintf((char *)other.dev, sizeof(other.dev), "no%d", i++);
		error = call(fd, KCUCKOO_IOC_ATTACH, &other);
	} while (!error);
	ASSERT_EQ(-EDQUOT, error);
	in = subscriber(1 << KCUCKOO_EVENT_ACTIVE | 1 << KCUCKOO_EVENT_WAITING |
			1 << KCUCKOO_EVENT_ATTACHED, 0);
	ASSERT_LE(0, in);
	for (i = 0; i < 3; i++) {
		char command[64];

		snprintf(command, sizeof(command), "ip link add tst%d type dummy", i);
		ASSERT_EQ(0, system(command));
	}
	ASSERT_EQ(KCUCKOO_EVENT_ACTIVE, next(in, &event));
	EXPECT_STREQ("tst0", (char *)event.dev);
	EXPECT_EQ(1, event.count);
	EXPECT_EQ(-EAGAIN, next(in, &event));
	EXPECT_EQ(2, log_complaints(self->client.log));

	for (i = 0; i < 5; i++) {
		snprintf((char *)other.dev, sizeof(other.dev), "no%d", i);
		ASSERT_EQ(1, rule_detach_dev(fd, (char *)other.dev));
	}
	memcpy(other.dev, rule.dev, sizeof(other.dev));
	ASSERT_EQ(0, call(fd, KCUCKOO_IOC_ATTACH, &other));
	for (i = 2; i < 4; i++) {
		ASSERT_EQ(KCUCKOO_EVENT_ACTIVE, next(in, &event));
		EXPECT_TRUE(named(&event, "a", ""));
		EXPECT_STREQ(i == 2 ? "tst1" : "tst2", (char *)event.dev);
		EXPECT_EQ(i, event.count);
	}
	ASSERT_EQ(KCUCKOO_EVENT_ATTACHED, next(in, &event));
	EXPECT_TRUE(named(&event, "b", ""));
	EXPECT_EQ(3, event.count);
	ASSERT_EQ(0, system("ip link del tst1"));
	for (i = 0; i < 2; i++) {
		ASSERT_EQ(KCUCKOO_EVENT_WAITING, next(in, &event));
		EXPECT_TRUE(named(&event, i ? "b" : "a", ""));
		EXPECT_EQ(2, event.count);
	}
	EXPECT_EQ(-EAGAIN, next(in, &event));
	EXPECT_LT(0, rule_detach(fd, NULL));
	close(in);
}

TEST_HARNESS_MAIN
