// SPDX-License-Identifier: GPL-2.0-only
/*
 * A call with one key is cheap: the module allocates memory for one key, and does not take
 * the lock of the namespace. The kernel's tracing counts both.
 */

#include "client.h"

#define TRACING	"/sys/kernel/tracing/"
#define PROBES	TRACING "kprobe_events"
#define LOCKS	TRACING "events/kprobes/kcuckoo_cheap/enable"

/* Maximum size of an allocation for a call with one address, in bytes. */
#define ONE_KEY	1024

static const char * const allocations[] = { "kmalloc", "kmalloc_node" };

/* Write a text to a file of the kernel's tracing. Returns 0 or a negative errno. */
static int trace_set(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_TRUNC | O_APPEND);
	ssize_t done;

	if (fd < 0)
		return -errno;
	done = write(fd, text, strlen(text));
	done = done < 0 ? -errno : 0;
	close(fd);
	return done;
}

/* Trace allocations, or not. Kernels from 6.2 on have one event for both functions. */
static void trace_allocations(const char *enable)
{
	char path[80];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(allocations); i++) {
		snprintf(path, sizeof(path), TRACING "events/kmem/%s/enable", allocations[i]);
		trace_set(path, enable);
	}
}

/**
 * struct costs - what the kernel traced
 * @allocations: number of allocations
 * @largest: bytes of the largest one
 * @locks: how many times the lock of the namespace was taken
 */
struct costs {
	unsigned int allocations;
	unsigned long largest;
	unsigned int locks;
};

/* What was traced since the last time. Reading a trace allocates memory, too. */
static struct costs trace_read(void)
{
	struct costs costs = {};
	char line[512], *at;
	FILE *file;

	trace_set(TRACING "tracing_on", "0");
	file = fopen(TRACING "trace", "r");

	while (file && fgets(line, sizeof(line), file)) {
		if (strstr(line, "kcuckoo_cheap:"))
			costs.locks++;
		at = strstr(line, "bytes_req=");
		if (!at)
			continue;
		costs.allocations++;
		if (strtoul(at + 10, NULL, 10) > costs.largest)
			costs.largest = strtoul(at + 10, NULL, 10);
	}
	if (file)
		fclose(file);
	trace_set(TRACING "trace", "");
	trace_set(TRACING "tracing_on", "1");
	return costs;
}

FIXTURE(cheap)
{
	int fd;
};

FIXTURE_SETUP(cheap)
{
	struct kcuckoo_prefix key = ipv4(0, 32);

	self->fd = client_open();
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, filter_create(self->fd, "cheap", 1 << 20));
	/* The table of addresses is there. */
	ASSERT_EQ(1, keys_add(self->fd, "cheap", &key, 1));
}

FIXTURE_TEARDOWN(cheap)
{
	trace_set(LOCKS, "0");
	trace_set(PROBES, "-:kcuckoo_cheap");
	trace_allocations("0");
	trace_set(TRACING "set_event_pid", " ");
	filter_destroy(self->fd, "cheap");
	close(self->fd);
}

/* Return: true if the kernel can trace calls of a function. */
static bool has_probes(void)
{
	return !access(PROBES, F_OK);
}

static int trace_begin(void)
{
	char own[20];

	snprintf(own, sizeof(own), "%d", getpid());
	trace_allocations("1");
	return trace_set(TRACING "set_event_pid", own) ?:
	       trace_set(PROBES, "p:kcuckoo_cheap kcuckoo_net_lock") ?:
	       trace_set(LOCKS, "1") ?: trace_set(TRACING "trace", "");
}

static const unsigned long operations[] = {
	KCUCKOO_IOC_ADD, KCUCKOO_IOC_TEST, KCUCKOO_IOC_DEL,
};

TEST_F(cheap, one_key)
{
	struct kcuckoo_prefix key = ipv4(1, 32);
	struct costs costs;
	size_t i;

	if (!has_probes())
		SKIP(return, "the kernel has no events of kprobes");
	ASSERT_EQ(0, trace_begin());
	for (i = 0; i < ARRAY_SIZE(operations); i++) {
		EXPECT_EQ(1, batch_run(self->fd, operations[i], 0, "cheap", &key,
				       NULL, 1));
		costs = trace_read();
		EXPECT_LE(1, costs.allocations);
		EXPECT_GE(ONE_KEY, costs.largest) {
			TH_LOG("operation %zu allocates %lu bytes", i, costs.largest);
		}
		EXPECT_EQ(0, costs.locks);
	}
}

/* What is traced is what the test above would see. */
TEST_F(cheap, traced)
{
	struct kcuckoo_prefix keys[1000];
	struct kcuckoo_ioc_info info;
	struct costs costs;
	size_t i;

	if (!has_probes())
		SKIP(return, "the kernel has no events of kprobes");
	for (i = 0; i < ARRAY_SIZE(keys); i++)
		keys[i] = ipv4(i, 32);
	ASSERT_EQ(0, trace_begin());
	EXPECT_EQ(1, keys_covered(self->fd, "cheap", keys, ARRAY_SIZE(keys)));
	costs = trace_read();
	EXPECT_LT(8 * ONE_KEY, costs.largest);
	EXPECT_EQ(0, filter_info(self->fd, "cheap", &info));
	costs = trace_read();
	EXPECT_EQ(1, costs.locks);
	/* A name without a filter is looked for under the lock. */
	EXPECT_EQ(-ENOENT, keys_add(self->fd, "missing", keys, 1));
	costs = trace_read();
	EXPECT_EQ(1, costs.locks);
}

TEST_HARNESS_MAIN
