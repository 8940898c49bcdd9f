// SPDX-License-Identifier: GPL-2.0-only
/*
 * Who may: the caller and the opener both need CAP_NET_ADMIN over the owner of
 * the descriptor's network namespace, and the opener the mode of the node. And which
 * namespace a descriptor means.
 */

#include "operation.h"

#include <grp.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>

FIXTURE(privilege)
{
	struct client client;
};

static int slot_call(int fd, const char *name, __u32 flags)
{
	return slot_request(fd, name, flags, 0, NULL);
}

/* The world, and a name that is held, which no filter has. */
FIXTURE_SETUP(privilege)
{
	ASSERT_EQ(0, client_begin(&self->client));
	ASSERT_EQ(0, world_make(self->client.fd));
	ASSERT_EQ(0, slot_call(self->client.fd, "held", KCUCKOO_SLOT_GET));
}

FIXTURE_TEARDOWN(privilege)
{
	EXPECT_EQ(0, client_end(&self->client));
}

static int drop_net_admin(void)
{
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct data[2];

	if (syscall(SYS_capget, &header, data))
		return -errno;
	data[0].effective &= ~(1U << CAP_NET_ADMIN);
	data[0].permitted &= ~(1U << CAP_NET_ADMIN);
	return syscall(SYS_capset, &header, data) ? -errno : 0;
}

static int become_nobody(void)
{
	return setgroups(0, NULL) || setresgid(65534, 65534, 65534) ||
	       setresuid(65534, 65534, 65534) ? -errno : 0;
}

/* How many of the ways to make, remove and list rules do not end with @expected. */
static int rules_disagree(int fd, int expected)
{
	int hook, action, wrong = 0;

	for (hook = KCUCKOO_HOOK_PREROUTING; hook <= KCUCKOO_HOOK_OUTPUT; hook++) {
		for (action = KCUCKOO_ACTION_DROP; action <= KCUCKOO_ACTION_VALUE; action++)
			wrong += rule_attach(fd, "a", hook, KCUCKOO_FAMILY_BOTH,
					     KCUCKOO_MATCH_DST, action) != expected;
	}
	wrong += rule_attach_dev(fd, "a", "lo", KCUCKOO_MATCH_SRC,
				 KCUCKOO_ACTION_DROP) != expected;
	wrong += rule_attach_allow(fd, "a", "b") != expected;
	wrong += rule_detach_dev(fd, "lo") != expected;
	wrong += rule_detach(fd, "used") != expected;
	wrong += rule_detach(fd, NULL) != expected;
	wrong += rule_list(fd, NULL, 0) != expected;
	if (wrong)
		fprintf(stderr, "# %d rule operations do not end with %d\n", wrong, expected);
	return wrong;
}

/* The same of holding and releasing a name. */
static int holds_disagree(int fd, int expected)
{
	int held = slot_call(fd, "a", KCUCKOO_SLOT_GET);
	int released = slot_call(fd, "held", KCUCKOO_SLOT_PUT);

	if (held != expected || released != expected)
		fprintf(stderr, "# hold: %d, release: %d, not %d\n", held, released,
			expected);
	return (held != expected) + (released != expected);
}

/* Is all as it was, and held by whom it was? */
static bool untouched(int fd)
{
	struct kcuckoo_ioc_stats stats;
	struct kcuckoo_ioc_info info;

	return world_same(fd) && !client_stats(fd, &stats) && stats.waiting == 1 &&
	       !filter_info(fd, "a", &info) && !info.rules;
}

/* How many operations do not answer a valid request with @expected. */
static int disagree(int fd, int expected)
{
	const struct operation *op;
	union argument argument;
	int error, wrong = 0;

	for (op = operations; op < operations_end; op++) {
		operation_fill(op, &argument);
		error = call(fd, op->request, &argument);
		if (error == expected)
			continue;
		fprintf(stderr, "# %s: %d, not %d\n", op->name, error, expected);
		wrong++;
	}
	return wrong + rules_disagree(fd, expected) + holds_disagree(fd, expected);
}

/* @work in a child of its own: its value, or -1 when it did not come to an end. */
static int child_run(int (*work)(int fd), int fd)
{
	pid_t child = fork();
	int status;

	if (!child)
		_exit(work(fd));
	if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status))
		return -1;
	return WEXITSTATUS(status);
}

TEST_F(privilege, device_node)
{
	struct stat st;

	ASSERT_EQ(0, stat(KCUCKOO_DEVICE, &st));
	EXPECT_TRUE(S_ISCHR(st.st_mode));
	/* A file that was there before the module keeps its mode. */
	EXPECT_EQ(0, st.st_mode & 07117);
	EXPECT_EQ(0, system("grep -qx DEVMODE=0660 /sys/class/misc/kcuckoo/uevent"));
	EXPECT_EQ(0, st.st_uid);
	EXPECT_EQ(0, st.st_gid);
	EXPECT_EQ(10, major(st.st_rdev));
	EXPECT_EQ(KCUCKOO_MINOR, minor(st.st_rdev));
}

static int caller_is_weak(int fd)
{
	return drop_net_admin() ? 100 : disagree(fd, -EPERM);
}

TEST_F(privilege, caller_without_capability)
{
	EXPECT_EQ(0, child_run(caller_is_weak, self->client.fd));
	EXPECT_TRUE(untouched(self->client.fd));
}

static int caller_is_nobody(int fd)
{
	return become_nobody() ? 100 : disagree(fd, -EPERM);
}

TEST_F(privilege, descriptor_passed_to_nobody)
{
	EXPECT_EQ(0, child_run(caller_is_nobody, self->client.fd));
	EXPECT_TRUE(untouched(self->client.fd));
}

/* Over a socket, to a process that was weak before it had the descriptor. */
static int weak_receiver(int socket)
{
	int fd;

	if (drop_net_admin())
		return 100;
	fd = fd_receive(socket);
	return fd < 0 ? 101 : disagree(fd, -EPERM);
}

TEST_F(privilege, descriptor_sent_to_the_weak)
{
	int sockets[2];

	ASSERT_EQ(0, socketpair(AF_UNIX, SOCK_STREAM, 0, sockets));
	ASSERT_EQ(0, fd_send(sockets[0], self->client.fd));
	EXPECT_EQ(0, child_run(weak_receiver, sockets[1]));
	EXPECT_TRUE(untouched(self->client.fd));
}

static int nobody_opens(int fd)
{
	if (become_nobody())
		return 100;
	return open(KCUCKOO_DEVICE, O_RDWR) >= 0 || errno != EACCES;
}

TEST_F(privilege, nobody_opens)
{
	EXPECT_EQ(0, child_run(nobody_opens, -1));
}

static int weak_opener(int fd)
{
	(void)fd;
	if (drop_net_admin())
		return 100;
	return open(KCUCKOO_DEVICE, O_RDWR) >= 0 || errno != EPERM;
}

TEST_F(privilege, opener_without_capability)
{
	EXPECT_EQ(0, child_run(weak_opener, -1));
	EXPECT_TRUE(untouched(self->client.fd));
}

/* The number that nobody has, as a user and as a group. */
#define NOBODY	65534

/* Become another user, with no capability left but, on demand, CAP_NET_ADMIN. */
static int become_user(bool net_admin)
{
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct data[2] = { 0 };

	if (net_admin) {
		data[0].effective = 1U << CAP_NET_ADMIN;
		data[0].permitted = 1U << CAP_NET_ADMIN;
	}
	return prctl(PR_SET_KEEPCAPS, 1) || setgroups(0, NULL) ||
	       setresgid(NOBODY, NOBODY, NOBODY) ||
	       setresuid(NOBODY, NOBODY, NOBODY) ||
	       syscall(SYS_capset, &header, data) ? -errno : 0;
}

static int user_opens(int expected)
{
	int fd = open(KCUCKOO_DEVICE, O_RDWR);

	return fd < 0 ? errno != expected : expected || !world_same(fd);
}

static int user_with_capability(int expected)
{
	return become_user(true) ? 100 : user_opens(expected);
}

static int user_without_capability(int expected)
{
	return become_user(false) ? 100 : user_opens(expected);
}

/* A user needs both: the mode of the node, and the capability. */
TEST_F(privilege, user_of_the_group_of_the_node)
{
	EXPECT_EQ(0, child_run(user_with_capability, EACCES));
	EXPECT_EQ(0, child_run(user_without_capability, EACCES));
	ASSERT_EQ(0, chown(KCUCKOO_DEVICE, 0, NOBODY));
	ASSERT_EQ(0, chmod(KCUCKOO_DEVICE, 0660));
	EXPECT_EQ(0, child_run(user_with_capability, 0));
	EXPECT_EQ(0, child_run(user_without_capability, EPERM));
	ASSERT_EQ(0, chown(KCUCKOO_DEVICE, 0, 0));
	EXPECT_TRUE(untouched(self->client.fd));
}

/* Root of another user namespace is nobody here, though the node is still root's. */
static int root_elsewhere(int fd)
{
	if (unshare(CLONE_NEWUSER))
		return 100;
	if (open(KCUCKOO_DEVICE, O_RDWR) >= 0 || errno != EPERM)
		return 101;
	return disagree(fd, -EPERM);
}

TEST_F(privilege, root_of_another_user_namespace)
{
	EXPECT_EQ(0, child_run(root_elsewhere, self->client.fd));
	EXPECT_TRUE(untouched(self->client.fd));
}

/* How many operations does somebody not get done who may do them all? */
static int operations_fail(int fd)
{
	const struct operation *op;
	int error, wrong = 0;

	for (op = operations; op < operations_end; op++) {
		error = operation_valid(fd, op);
		if (error)
			fprintf(stderr, "# %s: %d\n", op->name, error);
		wrong += error != 0;
	}
	error = world_make(fd) ?: slot_call(fd, "a", KCUCKOO_SLOT_GET) ?:
		slot_call(fd, "a", KCUCKOO_SLOT_PUT);
	if (error)
		fprintf(stderr, "# holding and releasing a name: %d\n", error);
	return wrong + (error || !world_same(fd));
}

/* It is root over a network namespace that it owns, if it gets the node. */
static int root_at_home(int fd)
{
	int own;

	if (unshare(CLONE_NEWUSER | CLONE_NEWNET))
		return 100;
	own = open(KCUCKOO_DEVICE, O_RDWR);
	if (own < 0)
		return 101;
	if (operations_fail(own))
		return 102;
	return disagree(fd, -EPERM);
}

TEST_F(privilege, root_of_an_own_network_namespace)
{
	EXPECT_EQ(0, child_run(root_at_home, self->client.fd));
	EXPECT_TRUE(untouched(self->client.fd));
}

/* A process in namespaces of its own, which stays until its socket is closed. */
static int stay(int socket)
{
	char byte;
	int fd;

	if (unshare(CLONE_NEWUSER | CLONE_NEWNET))
		return 100;
	fd = open(KCUCKOO_DEVICE, O_RDWR);
	if (fd < 0 || world_make(fd) || fd_send(socket, fd))
		return 101;
	return read(socket, &byte, 1) != 0;
}

/* Goes there after it has got its descriptor, with all rights that are to be had. */
static int root_enters(pid_t there, int fd, int theirs)
{
	char path[100];
	int user, net, own;

	snprintf(path, sizeof(path), "/proc/%d/ns/user", there);
	user = open(path, O_RDONLY);
	snprintf(path, sizeof(path), "/proc/%d/ns/net", there);
	net = open(path, O_RDONLY);
	if (setns(user, CLONE_NEWUSER))
		return 100;
	if (disagree(fd, -EPERM))
		return 101;
	if (setns(net, CLONE_NEWNET))
		return 102;
	if (disagree(fd, -EPERM))
		return 103;
	own = open(KCUCKOO_DEVICE, O_RDWR);
	return own < 0 || !world_same(own) || !world_same(theirs) ? 104 : 0;
}

/*
 * Who enters another user namespace leaves his rights behind, and has those over it;
 * who is above it has them, too. Its sibling has none.
 */
TEST_F(privilege, setns_into_a_user_namespace)
{
	int sockets[2], theirs, status;
	pid_t there, child;

	ASSERT_EQ(0, socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets));
	there = fork();
	if (!there) {
		close(sockets[0]);
		_exit(stay(sockets[1]));
	}
	close(sockets[1]);
	theirs = fd_receive(sockets[0]);
	ASSERT_LE(0, theirs);
	child = fork();
	if (!child)
		_exit(root_enters(there, self->client.fd, theirs));
	ASSERT_EQ(child, waitpid(child, &status, 0));
	EXPECT_EQ(0, status);
	EXPECT_TRUE(untouched(self->client.fd));

	EXPECT_TRUE(world_same(theirs));
	EXPECT_EQ(0, filter_create(theirs, "by-root", 10));
	EXPECT_EQ(0, filter_destroy(theirs, "by-root"));
	EXPECT_EQ(0, child_run(root_elsewhere, theirs));
	EXPECT_TRUE(world_same(theirs));
	EXPECT_TRUE(untouched(self->client.fd));
	close(sockets[0]);
	ASSERT_EQ(there, waitpid(there, &status, 0));
	EXPECT_EQ(0, status);
	close(theirs);
}

/* Every operation, by a process that has gone elsewhere: at home, and only there. */
TEST_F(privilege, setns_after_open)
{
	const struct operation *op;
	int away, space;

	ASSERT_EQ(0, unshare(CLONE_NEWNET));
	/* A descriptor of the device does not keep a namespace where nobody is. */
	space = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
	ASSERT_LE(0, space);
	away = client_open();
	ASSERT_LE(0, away);
	ASSERT_EQ(0, world_make(away));
	for (op = operations; op < operations_end; op++) {
		EXPECT_EQ(0, operation_valid(self->client.fd, op))
			TH_LOG("%s", op->name);
		EXPECT_TRUE(world_same(away))
			TH_LOG("%s", op->name);
	}
	/* Back again, with the descriptor of the other. */
	ASSERT_EQ(0, setns(self->client.space, CLONE_NEWNET));
	ASSERT_EQ(0, world_make(self->client.fd));
	for (op = operations; op < operations_end; op++) {
		EXPECT_EQ(0, operation_valid(away, op))
			TH_LOG("%s", op->name);
		EXPECT_TRUE(world_same(self->client.fd))
			TH_LOG("%s", op->name);
	}
	close(away);
	close(space);
}

/* A descriptor stays with the namespace in which it was opened. */
TEST_F(privilege, descriptor_keeps_its_namespace)
{
	int home = self->client.fd, away;

	ASSERT_EQ(0, unshare(CLONE_NEWNET));
	EXPECT_TRUE(world_same(home));
	EXPECT_EQ(0, filter_create(home, "late", 10));
	EXPECT_EQ(4, filter_list(home, NULL, 0));
	away = client_open();
	ASSERT_LE(0, away);
	EXPECT_EQ(0, filter_list(away, NULL, 0));
	EXPECT_EQ(0, rule_list(away, NULL, 0));
	close(away);
}

/* Neither names nor rules of one namespace are seen in another. */
TEST_F(privilege, names_of_a_foreign_namespace)
{
	static const unsigned long own[] = {
		KCUCKOO_IOC_CREATE, KCUCKOO_IOC_LIST, KCUCKOO_IOC_ATTACH,
		KCUCKOO_IOC_RULES, KCUCKOO_IOC_STATS, KCUCKOO_IOC_RESTORE,
	};
	const struct operation *op;
	union argument argument;
	struct kcuckoo_ioc_stats stats;
	int away;
	size_t i;

	ASSERT_EQ(0, unshare(CLONE_NEWNET));
	away = client_open();
	ASSERT_LE(0, away);
	for (op = operations; op < operations_end; op++) {
		for (i = 0; i < ARRAY_SIZE(own) && own[i] != op->request; i++)
			;
		if (i < ARRAY_SIZE(own))
			continue;
		operation_fill(op, &argument);
		EXPECT_EQ(-ENOENT, call(away, op->request, &argument))
			TH_LOG("%s", op->name);
	}
	EXPECT_EQ(-ENOENT, slot_call(away, "held", KCUCKOO_SLOT_PUT));
	ASSERT_EQ(0, client_stats(away, &stats));
	EXPECT_EQ(0, stats.filters);
	EXPECT_EQ(0, stats.rules);
	EXPECT_EQ(0, stats.members);
	EXPECT_EQ(0, filter_create(away, "a", 77));
	EXPECT_EQ(0, filter_entries(away, "a"));
	EXPECT_TRUE(untouched(self->client.fd));
	close(away);
}

static int leave_world(int socket)
{
	int fd;

	if (unshare(CLONE_NEWNET))
		return 100;
	fd = client_open();
	if (fd < 0 || world_make(fd))
		return 101;
	return fd_send(socket, fd) ? 102 : 0;
}

TEST_F(privilege, namespace_gone)
{
	struct kcuckoo_ioc_stats stats;
	int sockets[2], fd, error = 0;
	double start = client_clock();

	ASSERT_EQ(0, socketpair(AF_UNIX, SOCK_STREAM, 0, sockets));
	ASSERT_EQ(0, child_run(leave_world, sockets[1]));
	fd = fd_receive(sockets[0]);
	ASSERT_LE(0, fd);
	while (!error && client_clock() - start < 60) {
		error = client_stats(fd, &stats);
		client_sleep(0.01);
	}
	EXPECT_EQ(-ENODEV, error);
	EXPECT_EQ(0, disagree(fd, -ENODEV));
	EXPECT_TRUE(untouched(self->client.fd));
	close(fd);
}

TEST_HARNESS_MAIN
