// SPDX-License-Identifier: GPL-2.0-only
/*
 * Network namespaces that end with filters, rules, traffic and descriptors:
 * the descriptors say so, and all memory comes back.
 */

#include "client.h"
#include "frame.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

#define NAMESPACES	20
#define WARM		3
#define FILTERS		20
#define MEMBERS		20000

static struct kcuckoo_prefix keys[MEMBERS];

/* How many end one after the other, or all at once. */
static int namespaces(void)
{
	return client_slow() ? NAMESPACES / 3 : NAMESPACES;
}

FIXTURE(exit)
{
	struct client client;
};

FIXTURE_SETUP(exit)
{
	size_t i;

	ASSERT_EQ(0, hooks_hold());
	ASSERT_EQ(0, client_begin(&self->client));
	for (i = 0; i < MEMBERS; i++)
		keys[i] = i % 2 ? ipv4(0xcb000000 + i * 77, 32) :
				  ipv6(0x20010db800000000 + i, 0, 64);
}

FIXTURE_TEARDOWN(exit)
{
	EXPECT_EQ(0, client_end(&self->client));
}

/* A link between the caller's namespace and that of @parent, where it is s0. */
static int link_to(pid_t parent)
{
	char command[400];

	snprintf(command, sizeof(command),
		 "ip -batch - <<END\n"
		 "link set lo up\n"
		 "link add e0 address 02:00:00:00:00:01 type veth peer s0 netns %d\n"
		 "link set e0 up\n"
		 "addr add 10.9.0.1/24 dev e0\nEND\n", parent);
	return system(command);
}

/* In a namespace of its own: everything there is to have; then wait to be killed. */
static int inhabit(int socket, pid_t parent)
{
	char name[16];
	int fd, i, hook, error = 0;

	if (unshare(CLONE_NEWNET) || (parent && link_to(parent)))
		return 1;
	fd = client_open();
	if (fd < 0)
		return 2;
	for (i = 0; i < FILTERS && !error; i++) {
		snprintf(name, sizeof(name), "f%d", i);
		error = filter_create(fd, name, 1 << 20);
		if (!error && keys_add(fd, name, keys, 300) != 300)
			error = -EPROTO;
	}
	if (error || keys_add(fd, "f0", keys, MEMBERS) != MEMBERS - 300)
		return 3;
	for (hook = KCUCKOO_HOOK_PREROUTING; hook <= KCUCKOO_HOOK_OUTPUT; hook++) {
		if (rule_attach(fd, "f0", hook, KCUCKOO_FAMILY_BOTH, KCUCKOO_MATCH_SRC,
				KCUCKOO_ACTION_DROP) ||
		    rule_attach(fd, "f1", hook, KCUCKOO_FAMILY_IPV4, KCUCKOO_MATCH_DST,
				KCUCKOO_ACTION_COUNT) ||
		    rule_attach(fd, "later", hook, KCUCKOO_FAMILY_BOTH, KCUCKOO_MATCH_SRC,
				KCUCKOO_ACTION_DROP))
			return 4;
	}
	if (parent && (rule_attach_dev(fd, "f0", "e0", KCUCKOO_MATCH_SRC,
				       KCUCKOO_ACTION_COUNT) ||
		       rule_attach_dev(fd, "later", "e0", KCUCKOO_MATCH_SRC,
				       KCUCKOO_ACTION_DROP)))
		return 8;
	if (rule_attach_allow(fd, "f2", "f3") || rule_attach_allow(fd, "f4", "missing") ||
	    rule_attach_allow(fd, "neither", "nor"))
		return 7;
	if (fd_send(socket, fd))
		return 5;
	pause();
	return 6;
}

/* Frames that are sent to each namespace before its end. */
#define FRAMES		client_scale(50)

static atomic_bool flooding;
static atomic_int wire = -1;
static atomic_ullong frames_sent;

/* Puts frames on the wire there is, listed and others, and minds no error. */
static void *flood(void *argument)
{
	struct frame listed, other;
	int fd;

	frame_plain(&listed, 2, 1, "203.0.0.77", "10.9.0.1", 0, PAYLOAD);
	frame_plain(&other, 2, 1, "192.0.2.1", "10.9.0.1", 0, PAYLOAD);
	while (atomic_load(&flooding)) {
		fd = atomic_load(&wire);
		if (fd < 0) {
			client_sleep(0.001);
			continue;
		}
		if (send(fd, listed.bytes, listed.length, 0) > 0 &&
		    send(fd, other.bytes, other.length, 0) > 0)
			atomic_fetch_add(&frames_sent, 2);
	}
	return NULL;
}

/* Uses a descriptor until its namespace is gone; the errno that ends it. */
static void *use(void *argument)
{
	int fd = *(int *)argument;
	struct kcuckoo_ioc_stats stats;
	double end = client_clock() + 120;
	long long result = 0;
	size_t place = 0;

	while (result >= 0 && client_clock() < end) {
		result = keys_add(fd, "f2", keys + place, 500);
		if (result >= 0)
			result = keys_covered(fd, "f0", keys + place, 500);
		if (result >= 0)
			result = client_stats(fd, &stats);
		place = (place + 500) % MEMBERS;
	}
	return (void *)(intptr_t)result;
}

static int wire_open(void)
{
	struct sockaddr_ll address = { .sll_family = AF_PACKET };
	struct ifreq up = { .ifr_name = "s0", .ifr_flags = IFF_UP };
	int fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);

	address.sll_ifindex = if_nametoindex("s0");
	if (fd < 0 || ioctl(fd, SIOCSIFFLAGS, &up) ||
	    bind(fd, (struct sockaddr *)&address, sizeof(address)))
		return -errno;
	return fd;
}

/* One namespace from its beginning to its end; its descriptor, or < 0. */
static int one(struct __test_metadata *_metadata)
{
	unsigned long long before = atomic_load(&frames_sent);
	pid_t parent = getpid();
	int sockets[2], fd, status;
	pthread_t user;
	void *result;
	pid_t child;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets))
		return -errno;
	child = fork();
	if (!child)
		_exit(inhabit(sockets[1], parent));
	/* Its end closed, a child that has failed is not waited for. */
	close(sockets[1]);
	fd = fd_receive(sockets[0]);
	close(sockets[0]);
	if (fd < 0) {
		kill(child, SIGKILL);
		waitpid(child, &status, 0);
		return fd;
	}
	pthread_create(&user, NULL, use, &fd);
	status = wire_open();
	EXPECT_LE(0, status);
	atomic_store(&wire, status);
	client_sleep(0.05);
	for (status = 0; status < 3000 && atomic_load(&frames_sent) < before + FRAMES;
	     status++)
		client_sleep(0.02);

	kill(child, SIGKILL);
	EXPECT_EQ(child, waitpid(child, &status, 0));
	EXPECT_TRUE(WIFSIGNALED(status))
		TH_LOG("the namespace's process ended with %d", WEXITSTATUS(status));
	pthread_join(user, &result);
	EXPECT_EQ(-ENODEV, (intptr_t)result);
	close(atomic_exchange(&wire, -1));
	/* The other end of the link goes after descriptors have noticed. */
	for (status = 0; status < 3000 && if_nametoindex("s0"); status++)
		client_sleep(0.02);
	EXPECT_EQ(0, if_nametoindex("s0"));
	return fd;
}

/* As many one after the other as there may be descriptors of at a time. */
static void end_some(struct __test_metadata *_metadata, int count)
{
	struct kcuckoo_ioc_stats stats;
	int fds[NAMESPACES], i;

	for (i = 0; i < count; i++) {
		fds[i] = one(_metadata);
		ASSERT_LE(0, fds[i]);
	}
	for (i = 0; i < count; i++) {
		EXPECT_EQ(-ENODEV, client_stats(fds[i], &stats));
		EXPECT_EQ(-ENODEV, filter_create(fds[i], "late", 10));
		EXPECT_EQ(-ENODEV, rule_detach(fds[i], NULL));
		close(fds[i]);
	}
}

static void end_namespaces(struct __test_metadata *_metadata, int count)
{
	for (; count > NAMESPACES; count -= NAMESPACES)
		end_some(_metadata, NAMESPACES);
	end_some(_metadata, count);
}

TEST_F(exit, under_traffic)
{
	const int count = client_count("NAMESPACES", namespaces());
	struct memory before;
	pthread_t thread;

	atomic_store(&flooding, true);
	pthread_create(&thread, NULL, flood, NULL);
	end_namespaces(_metadata, WARM);
	before = memory_rest();
	end_namespaces(_metadata, count);
	atomic_store(&flooding, false);
	pthread_join(thread, NULL);
	TH_LOG("%d namespaces, %llu frames", WARM + count, atomic_load(&frames_sent));
	EXPECT_LE((WARM + count) * FRAMES, atomic_load(&frames_sent));
	EXPECT_EQ(0, before.vmalloc);
	EXPECT_TRUE(memory_back(before));
}

/* Many that live together and end at the same moment, in one go. */
static void together(struct __test_metadata *_metadata)
{
	int sockets[NAMESPACES][2], fds[NAMESPACES], i, status;
	const int count = namespaces();
	struct kcuckoo_ioc_stats stats;
	pid_t children[NAMESPACES];
	double end;

	for (i = 0; i < count; i++) {
		ASSERT_EQ(0, socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0,
					sockets[i]));
		children[i] = fork();
		if (!children[i])
			_exit(inhabit(sockets[i][1], 0));
	}
	for (i = 0; i < count; i++) {
		fds[i] = fd_receive(sockets[i][0]);
		close(sockets[i][0]);
		close(sockets[i][1]);
		ASSERT_LE(0, fds[i]);
		EXPECT_EQ(MEMBERS, filter_entries(fds[i], "f0"));
	}
	EXPECT_LT(count, memory_now().vmalloc);
	for (i = 0; i < count; i++)
		kill(children[i], SIGKILL);
	for (i = 0; i < count; i++)
		waitpid(children[i], &status, 0);
	end = client_clock() + 120;
	for (i = 0; i < count; i++) {
		while (client_stats(fds[i], &stats) != -ENODEV && client_clock() < end)
			client_sleep(0.01);
		EXPECT_EQ(-ENODEV, client_stats(fds[i], &stats));
		close(fds[i]);
	}
}

TEST_F(exit, all_at_once)
{
	struct memory before;

	together(_metadata);
	before = memory_rest();
	together(_metadata);
	EXPECT_EQ(0, before.vmalloc);
	EXPECT_TRUE(memory_back(before));
}

/* A descriptor alone does not keep a namespace alive, nor what was in it. */
/* Not even a snapshot that is under way. */
TEST_F(exit, descriptor_keeps_no_memory)
{
	__u8 byte;
	struct kcuckoo_ioc_save save = {
		.size = sizeof(save),
		.buffer = (uintptr_t)&byte,
		.length = 1,
	};
	struct memory before = memory_now();
	struct kcuckoo_ioc_stats stats;
	int sockets[2], fd, status, i;
	pid_t child;

	ASSERT_EQ(0, socketpair(AF_UNIX, SOCK_STREAM, 0, sockets));
	child = fork();
	if (!child)
		_exit(inhabit(sockets[1], 0));
	close(sockets[1]);
	fd = fd_receive(sockets[0]);
	ASSERT_LE(0, fd);
	EXPECT_LT(before.vmalloc, memory_now().vmalloc);
	set_name(save.name, "f0");
	EXPECT_EQ(0, call(fd, KCUCKOO_IOC_SAVE, &save));
	EXPECT_EQ(1, save.done);
	kill(child, SIGKILL);
	waitpid(child, &status, 0);
	for (i = 0; i < 3000 && client_stats(fd, &stats) != -ENODEV; i++)
		client_sleep(0.02);
	EXPECT_TRUE(memory_back(before));
	EXPECT_EQ(-ENODEV, client_stats(fd, &stats));
	save.offset = 1;
	EXPECT_EQ(-ENODEV, call(fd, KCUCKOO_IOC_SAVE, &save));
	close(fd);
}

TEST_HARNESS_MAIN
