// SPDX-License-Identifier: GPL-2.0-only
/*
 * The module comes and goes: with filters and rules, under traffic, not while
 * a descriptor is open, and nothing stays behind.
 */

#include "link.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>

#define CYCLES		20
#define WARM		2
#define MEMBERS		4000

/* Room that takes longer to collect than all else that unloading waits for. */
#define SLOW		client_scale(8 << 20)
#define COLLECTIONS	3

/* Frames that meet the rules each time. */
#define FRAMES	200

FIXTURE(unload)
{
	int log;
};

static char module_path[200];

/* The path is asked for once, because modprobe takes its time. */
static int module_load(void)
{
	FILE *pipe;
	int fd, error;

	if (!*module_path) {
		pipe = popen("modinfo -n kcuckoo", "r");
		if (!pipe || fscanf(pipe, "%199s", module_path) != 1 || pclose(pipe))
			return -ENOENT;
	}
	fd = open(module_path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	error = syscall(SYS_finit_module, fd, "", 0) ? -errno : 0;
	close(fd);
	return error == -EEXIST ? 0 : error;
}

static int module_unload(void)
{
	return syscall(SYS_delete_module, "kcuckoo", O_NONBLOCK) ? -errno : 0;
}

static bool module_loaded(void)
{
	return !access("/sys/module/kcuckoo", F_OK);
}

FIXTURE_SETUP(unload)
{
	ASSERT_EQ(0, hooks_hold());
	ASSERT_EQ(0, module_load());
	self->log = log_open();
}

FIXTURE_TEARDOWN(unload)
{
	EXPECT_EQ(0, log_complaints(self->log));
	EXPECT_EQ(0, module_load());
}

/* A device of the caller's namespace, where it has one that packets come from. */
static const char *device(void)
{
	if (if_nametoindex("h0"))
		return "h0";
	return if_nametoindex("f0") ? "f0" : NULL;
}

/* Filters with members, and a rule for every hook, in the caller's namespace. */
static int furnish(void)
{
	struct kcuckoo_prefix *keys = calloc(MEMBERS, sizeof(*keys));
	int fd = client_open(), hook, error;
	size_t i;

	for (i = 0; i < MEMBERS; i++)
		keys[i] = ipv4(0xcb000000 + i * 77, 32);
	error = fd < 0 ? fd : list_bad(fd) ?: filter_create(fd, "large", 1 << 20);
	if (!error && keys_add(fd, "large", keys, MEMBERS) != MEMBERS)
		error = -EPROTO;
	for (hook = KCUCKOO_HOOK_PREROUTING; !error && hook <= KCUCKOO_HOOK_OUTPUT; hook++)
		error = rule_attach(fd, "bad", hook, KCUCKOO_FAMILY_BOTH,
				    KCUCKOO_MATCH_SRC, KCUCKOO_ACTION_DROP) ?:
			rule_attach(fd, "large", hook, KCUCKOO_FAMILY_IPV4,
				    KCUCKOO_MATCH_SRC, KCUCKOO_ACTION_COUNT);
	if (!error && device())
		error = rule_attach_dev(fd, "large", device(), KCUCKOO_MATCH_SRC,
					KCUCKOO_ACTION_COUNT) ?:
			rule_attach_dev(fd, "missing", device(), KCUCKOO_MATCH_DST,
					KCUCKOO_ACTION_DROP);
	free(keys);
	close(fd);
	return error;
}

/* Loaded and furnished in two namespaces; unloaded as it is. */
static void cycle(struct __test_metadata *_metadata)
{
	int place;

	if (!module_loaded()) {
		ASSERT_EQ(0, module_load());
	}
	for (place = HOST; place < PLACES; place += FAR) {
		enter(place);
		EXPECT_EQ(0, furnish());
	}
	enter(HOST);
	EXPECT_FALSE(passes(BAD4, HOST4));
	EXPECT_TRUE(passes(GOOD6, FAR6));
	ASSERT_EQ(0, module_unload());
	EXPECT_FALSE(module_loaded());
	EXPECT_TRUE(passes(BAD4, HOST4));
	EXPECT_TRUE(passes(BAD6, FAR6));
}

TEST_F(unload, with_filters_and_rules)
{
	const int count = client_count("RELOADS", client_slow() ? CYCLES / 3 : CYCLES);
	struct memory before;
	int i;

	for (i = 0; i < WARM; i++)
		cycle(_metadata);
	before = memory_rest();
	for (i = 0; i < count; i++)
		cycle(_metadata);
	TH_LOG("%d reloads", WARM + count);
	EXPECT_EQ(0, before.vmalloc);
	EXPECT_TRUE(memory_back(before));
}

static atomic_bool flooding;
static atomic_ullong frames_sent;

static void *flood(void *argument)
{
	struct frame listed, other;

	frame_plain(&listed, MAC_P0, MAC_H0, BAD4, HOST4, 0, PAYLOAD);
	frame_plain(&other, MAC_P0, MAC_H0, GOOD6, FAR6, 0, PAYLOAD);
	while (atomic_load(&flooding)) {
		frame_send(&listed);
		frame_send(&other);
		atomic_fetch_add(&frames_sent, 2);
	}
	return NULL;
}

TEST_F(unload, under_traffic)
{
	unsigned long long before;
	cpu_set_t cpus;
	pthread_t thread;
	int i, tries;

	atomic_store(&flooding, true);
	pthread_create(&thread, NULL, flood, NULL);
	CPU_ZERO(&cpus);
	CPU_SET(1, &cpus);
	ASSERT_EQ(0, sched_setaffinity(0, sizeof(cpus), &cpus));
	for (i = 0; i < CYCLES / 4; i++) {
		if (!module_loaded()) {
			ASSERT_EQ(0, module_load());
		}
		EXPECT_EQ(0, furnish());
		before = atomic_load(&frames_sent);
		client_sleep(0.05);
		for (tries = 0; tries < 3000 &&
		     atomic_load(&frames_sent) < before + FRAMES; tries++)
			client_sleep(0.02);
		EXPECT_LE(before + FRAMES, atomic_load(&frames_sent));
		EXPECT_EQ(0, module_unload());
	}
	atomic_store(&flooding, false);
	pthread_join(thread, NULL);
}

/*
 * A filter that collects what has expired: few hosts, whose index is made anew when all
 * has been read, and a table of which that takes a while. The descriptor is closed when
 * that has begun.
 */
static int collect(void)
{
	struct kcuckoo_prefix keys[] = { ipv4(0x0a000001, 32), ipv6(1, 0, 64) };
	struct kcuckoo_ioc_create create = {
		.size = sizeof(create),
		.flags = KCUCKOO_CREATE_TIMEOUT,
		.type = KCUCKOO_TYPE_INET,
		.timeout = 1,
		.capacity = 2 * SLOW,
	};
	int fd = client_open(), error, tries;
	long long entries = 2;

	set_name(create.name, "passing");
	error = fd < 0 ? fd : call(fd, KCUCKOO_IOC_CREATE, &create) ?:
		filter_reserve(fd, "passing", KCUCKOO_FAMILY_IPV4, 32, 1000) ?:
		filter_reserve(fd, "passing", KCUCKOO_FAMILY_IPV6, 64, SLOW);
	if (!error && keys_add(fd, "passing", keys, 2) != 2)
		error = -EPROTO;
	for (tries = 0; !error && entries == 2 && tries < 60000; tries++) {
		entries = filter_entries(fd, "passing");
		client_sleep(0.001);
	}
	close(fd);
	return error ?: entries == 2 ? -ETIMEDOUT : 0;
}

TEST_F(unload, while_members_are_collected)
{
	int i;

	for (i = 0; i < COLLECTIONS; i++) {
		if (!module_loaded()) {
			ASSERT_EQ(0, module_load());
		}
		EXPECT_EQ(0, collect());
		EXPECT_EQ(0, module_unload());
		client_sleep(0.2);
	}
}

TEST_F(unload, refused_while_a_descriptor_is_open)
{
	int fd = client_open();
	int other = dup(fd);

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, filter_create(fd, "a", 10));
	EXPECT_EQ(-EWOULDBLOCK, module_unload());
	EXPECT_NE(0, system("modprobe -r kcuckoo 2>/dev/null"));
	EXPECT_EQ(0, filter_entries(fd, "a"));
	close(fd);
	EXPECT_EQ(-EWOULDBLOCK, module_unload());
	EXPECT_EQ(0, filter_entries(other, "a"));
	close(other);
	EXPECT_EQ(0, module_unload());
}

/* Also while the namespace of the descriptor has gone. */
TEST_F(unload, refused_while_a_stale_descriptor_is_open)
{
	struct kcuckoo_ioc_stats stats;
	int sockets[2], fd, status, i;
	pid_t child;

	ASSERT_EQ(0, socketpair(AF_UNIX, SOCK_STREAM, 0, sockets));
	child = fork();
	if (!child) {
		fd = unshare(CLONE_NEWNET) || furnish() ? -1 : client_open();
		_exit(fd < 0 || fd_send(sockets[1], fd));
	}
	fd = fd_receive(sockets[0]);
	ASSERT_LE(0, fd);
	ASSERT_EQ(child, waitpid(child, &status, 0));
	for (i = 0; i < 3000 && client_stats(fd, &stats) != -ENODEV; i++)
		client_sleep(0.02);
	EXPECT_EQ(-ENODEV, client_stats(fd, &stats));
	EXPECT_EQ(-EWOULDBLOCK, module_unload());
	close(fd);
	EXPECT_EQ(0, module_unload());
}

TEST_F(unload, nothing_in_sight_afterwards)
{
	ASSERT_EQ(0, furnish());
	ASSERT_EQ(0, access("/sys/class/misc/kcuckoo", F_OK));
	ASSERT_EQ(0, module_unload());
	EXPECT_NE(0, access("/sys/class/misc/kcuckoo", F_OK));
	EXPECT_NE(0, system("grep -q kcuckoo /proc/misc /proc/modules /proc/kallsyms"));
}

/* Whoever opens the node has the kernel load the module. */
TEST_F(unload, opening_the_node_loads)
{
	const char *node = "/dev/kcuckoo-by-hand";
	int fd;

	ASSERT_EQ(0, module_unload());
	ASSERT_EQ(0, mknod(node, S_IFCHR | 0600, makedev(10, KCUCKOO_MINOR)));
	fd = open(node, O_RDWR);
	EXPECT_LE(0, fd);
	EXPECT_TRUE(module_loaded());
	EXPECT_EQ(0, filter_create(fd, "a", 10));
	close(fd);
	EXPECT_EQ(0, unlink(node));
}

TEST_F(unload, aliases_of_the_node)
{
	EXPECT_EQ(0, system("modinfo -F alias kcuckoo | grep -qx devname:kcuckoo"));
	EXPECT_EQ(0, system("modinfo -F alias kcuckoo | grep -qx char-major-10-247"));
}

TEST_HARNESS_MAIN
