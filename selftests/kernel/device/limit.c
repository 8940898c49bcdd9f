// SPDX-License-Identifier: GPL-2.0-only
/*
 * Limits of a namespace, given to the module when it is loaded: the number of
 * filters and their bytes.
 */

#include "image.h"
#include "staged.h"

#define MAX_FILTERS	3
#define MAX_BYTES	1048576
#define STAGES		200	/* more staged filters than fit */

FIXTURE(limit)
{
	struct client client;
	struct kcuckoo_prefix *keys;
};

#define KEYS	1000000

/* Rules hold the module until their namespace has ended, which is a little later. */
static int module_reload(const char *parameters)
{
	char command[200];
	int tries;

	for (tries = 0; tries < 600 && system("modprobe -r kcuckoo 2>/dev/null"); tries++)
		client_sleep(0.1);
	snprintf(command, sizeof(command), "modprobe --first-time kcuckoo %s", parameters);
	return system(command);
}

FIXTURE_SETUP(limit)
{
	char parameters[100];
	size_t i;

	snprintf(parameters, sizeof(parameters), "max_filters=%d max_bytes=%d",
		 MAX_FILTERS, MAX_BYTES);
	ASSERT_EQ(0, module_reload(parameters));
	ASSERT_EQ(0, client_begin(&self->client));
	self->keys = calloc(KEYS, sizeof(*self->keys));
	ASSERT_NE(NULL, self->keys);
	for (i = 0; i < KEYS; i++)
		self->keys[i] = ipv4(i * 2654435761U, 32);
}

FIXTURE_TEARDOWN(limit)
{
	rule_detach(self->client.fd, NULL);
	EXPECT_EQ(0, client_end(&self->client));
	EXPECT_EQ(0, module_reload(""));
}

TEST_F(limit, told_by_stats)
{
	struct kcuckoo_ioc_stats stats;

	ASSERT_EQ(0, client_stats(self->client.fd, &stats));
	EXPECT_EQ(MAX_FILTERS, stats.max_filters);
	EXPECT_EQ(MAX_BYTES, stats.max_bytes);
}

TEST_F(limit, filters)
{
	int fd = self->client.fd;

	EXPECT_EQ(0, filter_create(fd, "a", 10));
	EXPECT_EQ(0, filter_create(fd, "b", 10));
	EXPECT_EQ(0, filter_create(fd, "c", 10));
	EXPECT_EQ(-EDQUOT, filter_create(fd, "d", 10));
	EXPECT_EQ(-EEXIST, filter_create(fd, "a", 10));
	EXPECT_EQ(3, filter_list(fd, NULL, 0));
	EXPECT_EQ(0, filter_rename(fd, "a", "d"));
	EXPECT_EQ(0, filter_destroy(fd, "b"));
	EXPECT_EQ(0, filter_create(fd, "e", 10));
	EXPECT_EQ(-EDQUOT, filter_create(fd, "f", 10));
	EXPECT_EQ(0, filter_replace(fd, "e", "c"));
	EXPECT_EQ(0, filter_create(fd, "f", 10));
}

/* A name that waits counts as the filter does that it waits for. */
TEST_F(limit, waiting_names)
{
	struct kcuckoo_ioc_stats stats;
	int fd = self->client.fd;

	EXPECT_EQ(0, filter_create(fd, "a", 10));
	EXPECT_EQ(0, rule_attach(fd, "b", 0, 1, 0, 0));
	EXPECT_EQ(0, rule_attach(fd, "b", 1, 1, 0, 0));
	EXPECT_EQ(0, rule_attach(fd, "c", 0, 1, 0, 0));
	EXPECT_EQ(-EDQUOT, rule_attach(fd, "d", 0, 1, 0, 0));
	EXPECT_EQ(-EDQUOT, filter_create(fd, "d", 10));
	EXPECT_EQ(0, filter_create(fd, "b", 10));
	EXPECT_EQ(0, rule_attach(fd, "a", 0, 1, 0, 0));
	ASSERT_EQ(0, client_stats(fd, &stats));
	EXPECT_EQ(2, stats.filters);
	EXPECT_EQ(1, stats.waiting);
	EXPECT_EQ(1, rule_detach(fd, "c"));
	EXPECT_EQ(0, filter_create(fd, "d", 10));
	EXPECT_EQ(-EDQUOT, rule_attach(fd, "c", 0, 1, 0, 0));
	/* Two names at once, and no room for the second: neither waits. */
	EXPECT_EQ(0, filter_destroy(fd, "d"));
	EXPECT_EQ(-EDQUOT, rule_attach_allow(fd, "x", "y"));
	ASSERT_EQ(0, client_stats(fd, &stats));
	EXPECT_EQ(0, stats.waiting);
}

/* Rules and holds have a limit together, and each that goes makes room for one. */
TEST_F(limit, rules)
{
	/* Of a name: hooks, families and matches. */
	const int kinds = 4 * 2 * 2;
	int fd = self->client.fd;
	char name[16];
	int i;

	ASSERT_EQ(0, parameter_set("max_filters", KCUCKOO_RULES_MAX));
	EXPECT_EQ(0, slot_request(fd, "held", KCUCKOO_SLOT_GET, 0, NULL));
	for (i = 1; i < KCUCKOO_RULES_MAX; i++) {
		snprintf(name, sizeof(name), "r%d", i / kinds);
		ASSERT_EQ(0, rule_attach(fd, name, i % 4, 1 + i / 4 % 2, i / 8 % 2,
					 KCUCKOO_ACTION_COUNT)) TH_LOG("rule %d", i);
	}
	EXPECT_EQ(-EDQUOT, rule_attach(fd, "more", 0, 1, 0, 0));
	EXPECT_EQ(-EEXIST, rule_attach(fd, "r1", 0, 1, 0, 0));
	EXPECT_EQ(-EDQUOT, slot_request(fd, "more", KCUCKOO_SLOT_GET, 0, NULL));
	EXPECT_EQ(0, slot_request(fd, "held", KCUCKOO_SLOT_GET, 0, NULL));
	EXPECT_EQ(kinds, rule_detach(fd, "r1"));
	EXPECT_EQ(0, rule_attach(fd, "more", 0, 1, 0, 0));
	EXPECT_EQ(0, slot_request(fd, "more", KCUCKOO_SLOT_GET, 0, NULL));
	EXPECT_EQ(KCUCKOO_RULES_MAX - kinds, rule_detach(fd, NULL));
	EXPECT_EQ(0, rule_attach(fd, "more", 0, 1, 0, 0));
}

TEST_F(limit, each_namespace_has_its_own)
{
	int away;

	EXPECT_EQ(0, filter_create(self->client.fd, "a", 10));
	EXPECT_EQ(0, filter_create(self->client.fd, "b", 10));
	EXPECT_EQ(0, filter_create(self->client.fd, "c", 10));
	ASSERT_EQ(0, unshare(CLONE_NEWNET));
	away = client_open();
	ASSERT_LE(0, away);
	EXPECT_EQ(0, filter_create(away, "a", 10));
	EXPECT_EQ(0, filter_create(away, "b", 10));
	EXPECT_EQ(0, filter_create(away, "c", 10));
	EXPECT_EQ(-EDQUOT, filter_create(away, "d", 10));
	close(away);
}

/* Bytes end, members stay: what was refused left no trace. */
TEST_F(limit, bytes)
{
	struct kcuckoo_ioc_stats stats;
	struct kcuckoo_ioc_info before, after;
	struct batch batch;
	int fd = self->client.fd;
	size_t done = 0;
	int error;

	ASSERT_EQ(0, filter_create(fd, "a", KCUCKOO_CAPACITY_MAX));
	for (;;) {
		batch = batch_of("a", self->keys + done, NULL, 5000);
		error = call(fd, KCUCKOO_IOC_ADD, &batch);
		if (error)
			break;
		EXPECT_EQ(batch.done, batch.hits);
		done += batch.done;
		ASSERT_GE(KEYS - 5000, done);
		ASSERT_EQ(0, client_stats(fd, &stats));
		ASSERT_GE(MAX_BYTES, stats.memory_bytes);
	}
	EXPECT_EQ(-EDQUOT, error);
	EXPECT_LT(20000, done);
	ASSERT_EQ(0, filter_info(fd, "a", &before));
	EXPECT_EQ(done, before.members);
	EXPECT_LT(0, before.refused);
	EXPECT_EQ(-EDQUOT, filter_reserve(fd, "a", KCUCKOO_FAMILY_IPV4, 32, KEYS));
	EXPECT_EQ(-EDQUOT, keys_add(fd, "a", self->keys + done, 1000));
	ASSERT_EQ(0, filter_info(fd, "a", &after));
	EXPECT_EQ(before.memory_bytes, after.memory_bytes);
	EXPECT_EQ(done, keys_members(fd, "a", self->keys, KEYS));
	EXPECT_EQ(done, keys_members(fd, "a", self->keys, done));

	/* Room again: by deletion, and by destruction after a grace period. */
	EXPECT_EQ(1000, keys_del(fd, "a", self->keys, 1000));
	EXPECT_EQ(100, keys_add(fd, "a", self->keys + done, 100));
	EXPECT_EQ(0, filter_destroy(fd, "a"));
	for (error = 0; error < 600; error++) {
		ASSERT_EQ(0, client_stats(fd, &stats));
		if (!stats.memory_bytes)
			break;
		client_sleep(0.1);
	}
	EXPECT_EQ(0, stats.memory_bytes);
	EXPECT_EQ(0, filter_create(fd, "b", KCUCKOO_CAPACITY_MAX));
	EXPECT_EQ(20000, keys_add(fd, "b", self->keys, 20000));
}

/* A staged filter needs no name; it needs one when it is published. */
TEST_F(limit, names_of_staged_filters)
{
	int fd = self->client.fd;

	ASSERT_EQ(0, filter_create(fd, "a", 10));
	ASSERT_EQ(0, filter_create(fd, "b", 10));
	ASSERT_EQ(0, rule_attach(fd, "c", 0, 1, 0, 0));
	EXPECT_EQ(0, staged_create(fd, 100));
	EXPECT_EQ(100, keys_add(fd, STAGED, self->keys, 100));
	EXPECT_EQ(-EDQUOT, staged_publish(fd, "d", 0));
	EXPECT_EQ(-EDQUOT, staged_publish(fd, "d", KCUCKOO_RENAME_MANAGED));
	EXPECT_EQ(100, keys_members(fd, STAGED, self->keys, 100));
	EXPECT_EQ(2, filter_list(fd, NULL, 0));
	/* A name that waits, and one that has a filter, count already. */
	EXPECT_EQ(0, staged_publish(fd, "c", 0));
	EXPECT_EQ(0, staged_create(fd, 100));
	EXPECT_EQ(0, filter_replace(fd, "c", STAGED));
	EXPECT_EQ(0, filter_entries(fd, "c"));
	EXPECT_EQ(3, filter_list(fd, NULL, 0));
}

/* A staged filter with a table of some size, if it is not there yet. */
static int staged_make(int fd)
{
	int error = staged_create(fd, KEYS);

	return error && error != -EEXIST ? error :
	       filter_reserve(fd, STAGED, KCUCKOO_FAMILY_IPV4, 32, 20000);
}

/* The bytes of staged filters count, and are free again when a descriptor is closed. */
TEST_F(limit, bytes_of_staged_filters)
{
	int fds[STAGES], count = 0, error = 0, tries;
	struct kcuckoo_ioc_stats stats;

	while (!error && count < STAGES) {
		fds[count] = client_open();
		ASSERT_LE(0, fds[count]);
		error = staged_make(fds[count++]);
	}
	EXPECT_EQ(-EDQUOT, error);
	EXPECT_LT(2, count);
	ASSERT_EQ(0, client_stats(self->client.fd, &stats));
	EXPECT_GE(MAX_BYTES, stats.memory_bytes);
	EXPECT_EQ(0, stats.filters);
	EXPECT_EQ(-EDQUOT, staged_make(fds[count - 1]));
	close(fds[0]);
	for (tries = 0; tries < 600 && staged_make(fds[count - 1]); tries++)
		client_sleep(0.1);
	EXPECT_GT(600, tries);
	while (--count)
		close(fds[count]);
}

/* Bytes beyond those that were said to come do not count for what memory is asked. */
TEST_F(limit, restore_of_more_than_is_to_come)
{
	const __u64 header = 96, layer = 24;
	struct kcuckoo_ioc_restore request = {
		.size = sizeof(request),
		.total = header + 4,
	};
	const __u32 nbuckets = 1 << 24;
	int fd = self->client.fd;
	__u64 total;
	__u8 *image;

	ASSERT_EQ(0, filter_create(fd, "a", KCUCKOO_CAPACITY_MAX));
	ASSERT_EQ(10, keys_add(fd, "a", self->keys, 10));
	ASSERT_EQ(0, image_save(fd, "a", 1 << 20, &image, &total));
	memcpy(image + header + sizeof(__u32), &nbuckets, sizeof(nbuckets));
	set_name(request.name, "b");
	request.buffer = (uintptr_t)image;
	request.length = request.total - 1;
	ASSERT_EQ(0, call(fd, KCUCKOO_IOC_RESTORE, &request));
	request.buffer += request.length;
	request.offset += request.length;
	request.length = header + layer - request.offset;
	EXPECT_EQ(-EBADMSG, call(fd, KCUCKOO_IOC_RESTORE, &request));
	free(image);
}

TEST_HARNESS_MAIN
