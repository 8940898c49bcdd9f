// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory is charged to the control group of whoever asks for it, and a limit of
 * that group is an error like any other: ENOMEM, and nothing is changed.
 */

#include "client.h"

#define GROUPS		"/sys/fs/cgroup"
#define MEBIBYTE	(1024LL * 1024)
#define LIMIT		(48 * MEBIBYTE)

/* What a group has beside the filter: processes, and charges taken ahead. */
#define BESIDE		(2 * MEBIBYTE)

#define KEYS		client_soak(200000, client_slow() ? 200000 : 400000)
#define ROOM		(8 * MEBIBYTE)		/* members: 12 MB or more */

/* Filters whose indexes weigh more than what a group has beside them. */
#define FEW_FILTERS	60
#define FEW_HOSTS	120000

FIXTURE(charge)
{
	struct client client;
};

/* Writes a file of a group; NULL stands for the root of all groups. */
static int group_write(const char *group, const char *file, const char *text)
{
	char path[200];
	int fd, error = 0;

	snprintf(path, sizeof(path), GROUPS "/%s/%s", group ? group : "", file);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		error = -errno;
	close(fd);
	return error;
}

static long long group_read(const char *group, const char *file)
{
	char path[200], text[100] = "";
	int fd;

	snprintf(path, sizeof(path), GROUPS "/%s/%s", group, file);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || read(fd, text, sizeof(text) - 1) <= 0)
		return -errno;
	close(fd);
	return atoll(text);
}

static int group_limit(const char *group, long long bytes)
{
	char text[30];

	snprintf(text, sizeof(text), "%lld", bytes);
	return group_write(group, "memory.max", text);
}

static int group_make(const char *group)
{
	char path[200];

	snprintf(path, sizeof(path), GROUPS "/%s", group);
	return mkdir(path, 0755) && errno != EEXIST ? -errno : 0;
}

static int group_remove(const char *group)
{
	char path[200];

	snprintf(path, sizeof(path), GROUPS "/%s", group);
	return rmdir(path) ? -errno : 0;
}

FIXTURE_SETUP(charge)
{
	/* The module is there before anything is measured. */
	ASSERT_EQ(0, client_begin(&self->client));
	ASSERT_EQ(0, group_write(NULL, "cgroup.subtree_control", "+memory"));
	ASSERT_EQ(0, group_make("one"));
	ASSERT_EQ(0, group_make("two"));
}

FIXTURE_TEARDOWN(charge)
{
	client_clear(self->client.fd);
	EXPECT_EQ(0, group_remove("one"));
	EXPECT_EQ(0, group_remove("two"));
	EXPECT_EQ(0, client_end(&self->client));
}

/* @work in a member of @group: its value, or -1 when it did not come to an end. */
static int group_run(const char *group, int (*work)(int fd), int fd)
{
	pid_t child = fork();
	int status;

	if (!child)
		_exit(group_write(group, "cgroup.procs", "0") ? 200 : work(fd));
	if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status))
		return -1;
	return WEXITSTATUS(status);
}

/*
 * Is a group's memory @bytes in the end, with what it has beside? Where pages are
 * mapped is told in arrays that nobody is charged for: a 512th part.
 */
static bool group_holds(const char *group, long long bytes)
{
	long long now = -1;
	int i;

	for (i = 0; i < 300; i++) {
		now = group_read(group, "memory.current");
		if (now >= bytes - bytes / 500 && now <= bytes + BESIDE)
			return true;
		client_sleep(0.1);
	}
	fprintf(stderr, "# group %s holds %lld bytes, not %lld\n", group, now, bytes);
	return false;
}

static int make_room(int fd)
{
	return filter_create(fd, "a", KCUCKOO_CAPACITY_MAX) ||
	       filter_reserve(fd, "a", KCUCKOO_FAMILY_IPV4, 32, ROOM);
}

static int make_more_room(int fd)
{
	return filter_reserve(fd, "a", KCUCKOO_FAMILY_IPV6, 64, ROOM / 4);
}

/* What a filter holds is what its maker's group has more. */
TEST_F(charge, who_asks_is_charged)
{
	int fd = self->client.fd;
	long long first, second;

	ASSERT_EQ(0, group_run("one", make_room, fd));
	first = filter_bytes(fd, "a");
	EXPECT_LT(12 * MEBIBYTE, first);
	EXPECT_TRUE(group_holds("one", first));
	EXPECT_TRUE(group_holds("two", 0));

	/* Not who made the filter, but who makes it larger. */
	ASSERT_EQ(0, group_run("two", make_more_room, fd));
	second = filter_bytes(fd, "a") - first;
	EXPECT_LT(4 * MEBIBYTE, second);
	EXPECT_TRUE(group_holds("one", first));
	EXPECT_TRUE(group_holds("two", second));
	TH_LOG("%lld and %lld bytes", first, second);

	EXPECT_EQ(0, filter_destroy(fd, "a"));
	EXPECT_TRUE(group_holds("one", 0));
	EXPECT_TRUE(group_holds("two", 0));
}

/* Filters with an index of few hosts each, and one host that expires at once. */
static int make_passing(int fd)
{
	struct kcuckoo_ioc_create create = {
		.size = sizeof(create),
		.flags = KCUCKOO_CREATE_TIMEOUT,
		.type = KCUCKOO_TYPE_INET,
		.timeout = 1,
		.capacity = FEW_HOSTS,
	};
	struct kcuckoo_prefix key = ipv4(0x0a000001, 32);
	char name[20];
	int i;

	for (i = 0; i < FEW_FILTERS; i++) {
		snprintf(name, sizeof(name), "few%d", i);
		set_name(create.name, name);
		if (call(fd, KCUCKOO_IOC_CREATE, &create) ||
		    filter_reserve(fd, name, KCUCKOO_FAMILY_IPV4, 32, FEW_HOSTS) ||
		    keys_add(fd, name, &key, 1) != 1)
			return 1;
	}
	return 0;
}

/* Memory of filters that have collected what expired, or -errno. */
static long long collected_bytes(int fd)
{
	long long bytes = 0, entries, one;
	char name[20];
	int i, tries;

	for (i = 0; i < FEW_FILTERS; i++) {
		snprintf(name, sizeof(name), "few%d", i);
		for (tries = 0; tries < 600; tries++) {
			entries = filter_entries(fd, name);
			if (entries <= 0)
				break;
			client_sleep(0.1);
		}
		one = entries > 0 ? -ETIMEDOUT : filter_bytes(fd, name);
		if (one < 0)
			return one;
		bytes += one;
	}
	return bytes;
}

/* What is made anew without the caller, once members have expired, is still his. */
TEST_F(charge, what_expires_charges_nobody_else)
{
	int fd = self->client.fd;
	long long bytes;

	ASSERT_EQ(0, group_run("one", make_passing, fd));
	bytes = collected_bytes(fd);
	ASSERT_LT(FEW_FILTERS * 64 * 1024, bytes);
	EXPECT_TRUE(group_holds("one", bytes));
	client_clear(fd);
	EXPECT_TRUE(group_holds("one", 0));
}

/*
 * More than the group may have: the caller lives, and is told. He does nothing else:
 * some kernels give back a moment later what a failed vmalloc() had, and until then the
 * next thing that he needs memory for may be his end.
 */
static int ask_too_much(int fd)
{
	struct kcuckoo_prefix key = ipv4(0x0a000001, 32);
	struct kcuckoo_ioc_info before, after;

	if (filter_create(fd, "a", KCUCKOO_CAPACITY_MAX) ||
	    keys_add(fd, "a", &key, 1) != 1 || filter_info(fd, "a", &before))
		return 1;
	if (filter_reserve(fd, "a", KCUCKOO_FAMILY_IPV4, 32, 8 * ROOM) != -ENOMEM)
		return 2;
	if (filter_reserve(fd, "a", KCUCKOO_FAMILY_IPV6, 128, 2 * ROOM) != -ENOMEM)
		return 3;
	return filter_info(fd, "a", &after) || memcmp(&before, &after, sizeof(before)) ? 4 : 0;
}

TEST_F(charge, beyond_the_limit)
{
	struct kcuckoo_prefix key = ipv4(0x0a000001, 32);
	struct kcuckoo_ioc_stats stats;

	ASSERT_EQ(0, group_limit("one", LIMIT));
	EXPECT_EQ(0, group_run("one", ask_too_much, self->client.fd));
	/* What had been allocated before there was no more has been given back. */
	ASSERT_EQ(0, client_stats(self->client.fd, &stats));
	EXPECT_EQ(filter_bytes(self->client.fd, "a"), stats.memory_bytes);
	EXPECT_TRUE(group_holds("one", stats.memory_bytes));
	EXPECT_EQ(1, keys_members(self->client.fd, "a", &key, 1));
}

/* As many keys as the group has no memory for; those of all processes are the same. */
static struct kcuckoo_prefix *many_keys(void)
{
	struct kcuckoo_prefix *keys = calloc(KEYS, sizeof(*keys));
	size_t i;

	for (i = 0; i < KEYS; i++)
		keys[i] = ipv4(i * 2654435761U, 32);
	return keys;
}

/*
 * Adds keys to a table that grows, until the group has no memory for it. With values all
 * of them would take some eight bytes each, and half as much while they are copied.
 */
static int add_too_many(int fd)
{
	struct kcuckoo_ioc_create create = {
		.size = sizeof(create),
		.type = KCUCKOO_TYPE_INET,
		.value_bits = 32,
		.capacity = KCUCKOO_CAPACITY_MAX,
	};
	struct kcuckoo_prefix *keys = many_keys();
	struct batch batch;
	size_t done = 0;
	int error;

	set_name(create.name, "a");
	if (call(fd, KCUCKOO_IOC_CREATE, &create))
		return 1;
	/*
	 * From here on the group may have a little more than it has, with what it has
	 * beside the filter: that is charged already, and may become the filter's.
	 */
	if (group_limit("one", group_read("one", "memory.current") + 2 * KEYS))
		return 2;
	do {
		batch = batch_of("a", keys + done, NULL,
				 KEYS - done < 5000 ? KEYS - done : 5000);
		error = call(fd, KCUCKOO_IOC_ADD, &batch);
		if (!error && batch.hits != batch.done)
			return 3;
		done += error ? 0 : batch.done;
	} while (!error && done < KEYS);
	return error == -ENOMEM ? 0 : 4;
}

/* Those before the one that there was no memory for are members, and no others. */
TEST_F(charge, growth_beyond_the_limit)
{
	struct kcuckoo_prefix *keys = many_keys();
	int fd = self->client.fd;
	long long done;

	EXPECT_EQ(0, group_run("one", add_too_many, fd));
	done = filter_entries(fd, "a");
	TH_LOG("%lld added", done);
	EXPECT_LT(1000, done);
	EXPECT_GT(KEYS, done);
	EXPECT_EQ(done, keys_members(fd, "a", keys, KEYS));
	EXPECT_EQ(done, keys_members(fd, "a", keys, done));
	EXPECT_EQ(KEYS - done, keys_add(fd, "a", keys + done, KEYS - done));
	EXPECT_EQ(KEYS, filter_entries(fd, "a"));
	free(keys);
}

TEST_HARNESS_MAIN
