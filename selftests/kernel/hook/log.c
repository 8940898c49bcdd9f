// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rules that log what they match, in the kernel's log and to a group of
 * nfnetlink_log: which packets, how many, with which prefix; and the loggers'
 * modules. The host is not the first namespace, whose sysctl lets others log.
 */

#include "nflog.h"

#define SYSLOG	"/sys/module/nf_log_syslog"
#define MODPROBE	"/proc/sys/kernel/modprobe"

FIXTURE(log)
{
	struct client client;
	int log;
};

static void put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		fail(path);
	close(fd);
}

/* Whether namespaces but the first log: a sysctl of the first alone. */
static void let_all_log(bool all)
{
	int fd = open("/proc/1/ns/net", O_RDONLY | O_CLOEXEC);

	if (fd < 0 || setns(fd, CLONE_NEWNET))
		fail("the first namespace");
	put("/proc/sys/net/netfilter/nf_log_all_netns", all ? "1" : "0");
	close(fd);
	enter(HOST);
}

FIXTURE_SETUP(log)
{
	let_all_log(true);
	ASSERT_EQ(0, link_begin(&self->client));
	self->log = log_open();
	ASSERT_LE(0, self->log);
}

/* The lines of the logger are no complaints: those of the rules were counted. */
FIXTURE_TEARDOWN(log)
{
	lseek(self->client.log, 0, SEEK_END);
	close(self->log);
	EXPECT_EQ(0, link_end(&self->client));
}

static struct kcuckoo_ioc_attach drop_log(int hook)
{
	struct kcuckoo_ioc_attach attach = {
		.size = sizeof(attach),
		.hook = hook,
		.family = KCUCKOO_FAMILY_BOTH,
		.log = KCUCKOO_LOG_SYSLOG,
		.log_limit = KCUCKOO_LOG_LIMIT_MAX,
	};

	set_name(attach.name, "bad");
	if (hook == KCUCKOO_HOOK_INGRESS)
		strcpy((char *)attach.dev, "h0");
	return attach;
}

static int attach(int fd, struct kcuckoo_ioc_attach attach)
{
	return call(fd, KCUCKOO_IOC_ATTACH, &attach);
}

/*
 * How many lines since the last call have all three texts; or -1 if the log has lines
 * of rules without.
 */
static int lines(int fd, const char *prefix, const char *in, const char *source)
{
	char record[8192];
	int count = 0, other = 0;
	ssize_t length;

	while ((length = read(fd, record, sizeof(record) - 1)) > 0 || errno == EPIPE) {
		if (length <= 0)
			continue;
		record[length] = '\0';
		if (!strstr(record, "kcuckoo "))
			continue;
		if (strstr(record, prefix) && strstr(record, in) && strstr(record, source)) {
			count++;
		} else {
			fprintf(stderr, "# kernel: %s", record);
			other++;
		}
	}
	return other ? -1 : count;
}

#define V4	"SRC=" BAD4 " DST=" HOST4 " LEN=60 "
#define V6	"SRC=2001:0db8:0000:0000:0000:0000:0000:0007 DST=fd01:0000:0000:0000:0000:0000:0000:0001 "

TEST_F(log, each_hook_and_family)
{
	static const int hooks[] = {
		KCUCKOO_HOOK_PREROUTING, KCUCKOO_HOOK_INPUT, KCUCKOO_HOOK_INGRESS,
	};
	int fd = self->client.fd;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(hooks); i++) {
		ASSERT_EQ(0, attach(fd, drop_log(hooks[i])));
		EXPECT_FALSE(passes(BAD4, HOST4));
		EXPECT_EQ(1, lines(self->log, "kcuckoo bad drop: IN=h0 OUT= ", "IN=h0 ", V4));
		EXPECT_FALSE(passes(BAD6, HOST6));
		EXPECT_EQ(1, lines(self->log, "kcuckoo bad drop: IN=h0 OUT= ", "IN=h0 ", V6));
		EXPECT_TRUE(passes(GOOD4, HOST4));
		EXPECT_TRUE(passes(GOOD6, HOST6));
		EXPECT_EQ(0, lines(self->log, "", "", ""));
		EXPECT_EQ(2, counters(fd, 0).packets);
		EXPECT_EQ(1, rule_detach(fd, NULL));
	}
}

TEST_F(log, forward_and_output)
{
	struct kcuckoo_prefix key = key_of(PEER4);
	struct kcuckoo_ioc_attach out = drop_log(KCUCKOO_HOOK_OUTPUT);
	int fd = self->client.fd;

	ASSERT_EQ(0, attach(fd, drop_log(KCUCKOO_HOOK_FORWARD)));
	EXPECT_FALSE(passes(BAD4, FAR4));
	EXPECT_EQ(1, lines(self->log, "kcuckoo bad drop: IN=h0 OUT=h1 ", "SRC=" BAD4,
			   "DST=" FAR4));
	EXPECT_EQ(1, rule_detach(fd, NULL));
	ASSERT_EQ(1, keys_add(fd, "bad", &key, 1));
	out.match = KCUCKOO_MATCH_DST;
	ASSERT_EQ(0, attach(fd, out));
	EXPECT_FALSE(leaves(PEER4));
	EXPECT_EQ(1, lines(self->log, "kcuckoo bad drop: IN= OUT=h0 ", "SRC=" HOST4,
			   "DST=" PEER4));
}

/* A count is logged, and passes; a rule with a label is logged by it. */
TEST_F(log, prefix_has_label_and_action)
{
	struct kcuckoo_ioc_attach rule = drop_log(KCUCKOO_HOOK_PREROUTING);
	int fd = self->client.fd;

	set_name(rule.label, "a-rule.of:31_characters-0123456");
	rule.action = KCUCKOO_ACTION_COUNT;
	ASSERT_EQ(0, attach(fd, rule));
	EXPECT_TRUE(passes(BAD4, HOST4));
	EXPECT_EQ(1, lines(self->log, "kcuckoo a-rule.of:31_characters-0123456 count: IN=h0 ",
			   "", V4));
}

/* What the allow filter has is neither dropped nor logged. */
TEST_F(log, allowed_is_not_logged)
{
	struct kcuckoo_ioc_attach rule = drop_log(KCUCKOO_HOOK_PREROUTING);
	struct kcuckoo_prefix key = key_of(BAD4);
	int fd = self->client.fd;

	ASSERT_EQ(0, filter_create(fd, "spared", 1000));
	ASSERT_EQ(1, keys_add(fd, "spared", &key, 1));
	set_name(rule.allow, "spared");
	ASSERT_EQ(0, attach(fd, rule));
	EXPECT_TRUE(passes(BAD4, HOST4));
	EXPECT_FALSE(passes(BADNET4, HOST4));
	EXPECT_EQ(1, lines(self->log, "kcuckoo bad drop: ", "IN=h0 ", "SRC=" BADNET4));
}

/* A packet that the host sends to itself is not dropped, and not logged. */
TEST_F(log, own_is_not_logged)
{
	struct kcuckoo_prefix key = key_of(HOST4);
	int fd = self->client.fd;

	ASSERT_EQ(1, keys_add(fd, "bad", &key, 1));
	ASSERT_EQ(0, attach(fd, drop_log(KCUCKOO_HOOK_INPUT)));
	EXPECT_EQ(0, system("ping -c 1 -W 10 " HOST4 " >/dev/null"));
	EXPECT_EQ(0, lines(self->log, "", "", ""));
}

static int send_bad(int count)
{
	int i, dropped = 0;

	for (i = 0; i < count; i++)
		dropped += !passes(BAD4, HOST4);
	return dropped;
}

/*
 * A burst at once, and then as many as the time has seconds: of each rule by
 * itself. The time is measured around all packets, so slowness cannot fail it.
 */
TEST_F(log, limit_of_each_rule)
{
	struct kcuckoo_ioc_attach rule = drop_log(KCUCKOO_HOOK_PREROUTING);
	int fd = self->client.fd;
	double begin = client_clock();
	int logged, more;

	rule.log_limit = 1;
	ASSERT_EQ(0, attach(fd, rule));
	EXPECT_EQ(100, send_bad(100));
	logged = lines(self->log, "kcuckoo bad drop: ", "IN=h0 ", V4);
	more = client_clock() - begin + 1;
	EXPECT_LE(KCUCKOO_LOG_BURST, logged);
	EXPECT_GE(KCUCKOO_LOG_BURST + more, logged);
	EXPECT_EQ(100, counters(fd, 0).packets);
	/* Another rule, which logs the same packets first, has all of its burst. */
	rule = drop_log(KCUCKOO_HOOK_INGRESS);
	rule.log_limit = 1;
	set_name(rule.label, "other");
	ASSERT_EQ(0, attach(fd, rule));
	EXPECT_EQ(5, send_bad(5));
	EXPECT_EQ(5, lines(self->log, "kcuckoo other drop: ", "IN=h0 ", V4));
}

TEST_F(log, high_limit_logs_all)
{
	int fd = self->client.fd, i;

	ASSERT_EQ(0, attach(fd, drop_log(KCUCKOO_HOOK_PREROUTING)));
	/* The pauses keep a fast host from sending more packets than the limit allows. */
	for (i = 0; i < 30; i += KCUCKOO_LOG_BURST) {
		EXPECT_EQ(KCUCKOO_LOG_BURST, send_bad(KCUCKOO_LOG_BURST));
		usleep(KCUCKOO_LOG_BURST * 1000000 / KCUCKOO_LOG_LIMIT_MAX);
	}
	EXPECT_EQ(30, lines(self->log, "kcuckoo bad drop: ", "IN=h0 ", V4));
}

/* Replaced in place, a rule logs as it now says, and keeps its counters. */
TEST_F(log, replaced)
{
	struct kcuckoo_ioc_attach with = drop_log(KCUCKOO_HOOK_PREROUTING);
	int fd = self->client.fd, other, group;
	struct kcuckoo_ioc_attach without;
	struct kcuckoo_rule rule;

	with.flags = KCUCKOO_ATTACH_REPLACE;
	without = with;
	without.log = 0;
	without.log_limit = 0;
	ASSERT_EQ(0, attach(fd, without));
	EXPECT_EQ(1, send_bad(1));
	EXPECT_EQ(0, lines(self->log, "", "", ""));
	ASSERT_EQ(0, attach(fd, with));
	EXPECT_EQ(1, send_bad(1));
	EXPECT_EQ(1, lines(self->log, "kcuckoo bad drop: ", "", V4));
	with.log = KCUCKOO_LOG_NFLOG;
	with.log_group = 3;
	ASSERT_EQ(0, attach(fd, with));
	rule = counters(fd, 0);
	EXPECT_EQ(KCUCKOO_LOG_NFLOG, rule.log);
	EXPECT_EQ(3, rule.log_group);
	EXPECT_EQ(KCUCKOO_LOG_LIMIT_MAX, rule.log_limit);
	group = nflog_open(3);
	ASSERT_LE(0, group);
	EXPECT_EQ(1, send_bad(1));
	EXPECT_EQ(1, nflog_count(group, "kcuckoo bad drop: ", &other));
	ASSERT_EQ(0, attach(fd, without));
	EXPECT_EQ(1, send_bad(1));
	EXPECT_EQ(0, nflog_count(group, "kcuckoo bad drop: ", &other));
	EXPECT_EQ(0, lines(self->log, "", "", ""));
	EXPECT_EQ(4, counters(fd, 0).packets);
	close(group);
}

TEST_F(log, nflog_group)
{
	static const int hooks[] = { KCUCKOO_HOOK_PREROUTING, KCUCKOO_HOOK_INGRESS };
	struct kcuckoo_ioc_attach rule;
	int fd = self->client.fd, zero, last, other;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(hooks); i++) {
		rule = drop_log(hooks[i]);
		rule.log = KCUCKOO_LOG_NFLOG;
		rule.log_group = 65535;
		ASSERT_EQ(0, attach(fd, rule));
		zero = nflog_open(0);
		last = nflog_open(65535);
		ASSERT_LE(0, zero);
		ASSERT_LE(0, last);
		EXPECT_EQ(2, send_bad(2));
		EXPECT_FALSE(passes(BAD6, HOST6));
		EXPECT_TRUE(passes(GOOD4, HOST4));
		EXPECT_EQ(3, nflog_count(last, "kcuckoo bad drop: ", &other));
		EXPECT_EQ(0, other);
		EXPECT_EQ(0, nflog_count(zero, "", &other));
		EXPECT_EQ(0, other);
		EXPECT_EQ(0, lines(self->log, "", "", ""));
		close(zero);
		close(last);
		EXPECT_EQ(1, rule_detach(fd, NULL));
	}
}

/* The rules of a pattern log on each device; a template lists what it will do. */
TEST_F(log, pattern)
{
	struct kcuckoo_ioc_attach rule = drop_log(KCUCKOO_HOOK_INGRESS);
	int fd = self->client.fd;

	rule.flags = KCUCKOO_ATTACH_WAIT;
	strcpy((char *)rule.dev, "h*");
	ASSERT_EQ(0, attach(fd, rule));
	EXPECT_EQ(2, rule_list(fd, NULL, 0));
	EXPECT_EQ(1, send_bad(1));
	EXPECT_EQ(1, lines(self->log, "kcuckoo bad drop: IN=h0 OUT= ", "", V4));
	EXPECT_EQ(2, rule_detach(fd, NULL));
	strcpy((char *)rule.dev, "later*");
	rule.log_limit = 0;
	ASSERT_EQ(0, attach(fd, rule));
	EXPECT_EQ(KCUCKOO_LOG_SYSLOG, counters(fd, 0).log);
	EXPECT_EQ(KCUCKOO_LOG_LIMIT, counters(fd, 0).log_limit);
	EXPECT_EQ(0, counters(fd, 0).log_off);
}

/* Another namespace than the first logs nothing unless it may, and the rule says so. */
TEST_F(log, other_namespaces)
{
	struct kcuckoo_ioc_attach rule = drop_log(KCUCKOO_HOOK_PREROUTING);
	int fd = self->client.fd;

	ASSERT_EQ(0, attach(fd, rule));
	EXPECT_EQ(0, counters(fd, 0).log_off);
	let_all_log(false);
	EXPECT_EQ(1, counters(fd, 0).log_off);
	EXPECT_EQ(1, send_bad(1));
	EXPECT_EQ(0, lines(self->log, "", "", ""));
	rule.flags = KCUCKOO_ATTACH_REPLACE;
	rule.log = KCUCKOO_LOG_NFLOG;
	ASSERT_EQ(0, attach(fd, rule));
	EXPECT_EQ(0, counters(fd, 0).log_off);
}

/* How many hold the module of the logger; -1 if it is a part of the kernel. */
static long holders(void)
{
	FILE *file = fopen(SYSLOG "/refcnt", "r");
	long count = -1;

	if (file && fscanf(file, "%ld", &count) != 1)
		count = -1;
	if (file)
		fclose(file);
	return count;
}

/*
 * Every rule holds a logger for each family, at the ingress of a device also the one that calls
 * these, and lets them go however it ends.
 */
TEST_F(log, rules_hold_the_logger)
{
	struct kcuckoo_ioc_attach rule = drop_log(KCUCKOO_HOOK_PREROUTING), dev, text;
	long before, step;
	int fd = self->client.fd, other;

	ASSERT_EQ(0, attach(fd, rule));
	before = holders();
	step = before < 0 ? 0 : 1;
	EXPECT_NE(0, before);
	EXPECT_EQ(-EEXIST, attach(fd, rule));
	EXPECT_EQ(before, holders());
	rule.flags = KCUCKOO_ATTACH_REPLACE;
	EXPECT_EQ(0, attach(fd, rule));
	EXPECT_EQ(before, holders());
	rule.log = KCUCKOO_LOG_NFLOG;
	EXPECT_EQ(0, attach(fd, rule));
	EXPECT_EQ(before - 2 * step, holders());
	rule.log = KCUCKOO_LOG_SYSLOG;
	EXPECT_EQ(0, attach(fd, rule));
	EXPECT_EQ(before, holders());

	ip_run(HOST, "link add gone type dummy\n");
	dev = drop_log(KCUCKOO_HOOK_INGRESS);
	strcpy((char *)dev.dev, "gone");
	EXPECT_EQ(0, attach(fd, dev));
	text = dev;
	text.flags = KCUCKOO_ATTACH_WAIT | KCUCKOO_ATTACH_REPLACE;
	strcpy((char *)text.dev, "go*");
	EXPECT_EQ(0, attach(fd, text));
	EXPECT_EQ(before + 6 * step, holders());
	EXPECT_EQ(0, attach(fd, text));
	EXPECT_EQ(before + 6 * step, holders());
	ip_run(HOST, "link del gone\n");
	EXPECT_EQ(before + 3 * step, holders());
	text.log = 0;
	text.log_limit = 0;
	EXPECT_EQ(0, attach(fd, text));
	EXPECT_EQ(before, holders());
	text.log = KCUCKOO_LOG_SYSLOG;
	EXPECT_EQ(0, attach(fd, text));
	EXPECT_EQ(before + 3 * step, holders());
	EXPECT_EQ(2, rule_detach(fd, NULL));
	EXPECT_EQ(before - 2 * step, holders());

	/* And with the namespace. */
	rule.family = KCUCKOO_FAMILY_IPV4;
	ASSERT_EQ(0, unshare(CLONE_NEWNET));
	other = client_open();
	ASSERT_LE(0, other);
	EXPECT_EQ(0, attach(other, rule));
	EXPECT_EQ(before - step, holders());
	close(other);
	enter(HOST);
	for (step = 0; step < 600 && before > 0 && holders() > before - 2; step++)
		client_sleep(0.1);
	EXPECT_EQ(before < 0 ? before : before - 2, holders());
}

/* Without a logger nothing is attached. One that is a part of the kernel is always there. */
TEST_F(log, logger_is_missing)
{
	struct kcuckoo_ioc_attach rule = drop_log(KCUCKOO_HOOK_PREROUTING);
	bool module = holders() >= 0;
	int fd = self->client.fd;

	if (module) {
		ASSERT_EQ(0, system("rmmod nf_log_syslog"));
	}
	put(MODPROBE, "/bin/false");
	EXPECT_EQ(module ? -EPROTONOSUPPORT : 0, attach(fd, rule));
	EXPECT_EQ(module ? 0 : 1, rule_list(fd, NULL, 0));
	put(MODPROBE, "/sbin/modprobe");
	rule.flags = KCUCKOO_ATTACH_REPLACE;
	EXPECT_EQ(0, attach(fd, rule));
	EXPECT_EQ(1, send_bad(1));
	EXPECT_EQ(1, lines(self->log, "kcuckoo bad drop: ", "IN=h0 ", V4));
}

TEST_HARNESS_MAIN
